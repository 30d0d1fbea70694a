"""A large picture is processed as tiles, and the answers are those of the whole picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.find.finder import MAPS, STRIDE, Finder
from vision.find.tiles import MULTIPLE, OVERLAP, tiles
from vision.network import WEIGHTS, Network
from vision.picture.geometry import Box, Floats
from vision.picture.pyramid import Pyramid

SIZES = [(1920, 1088), (1600, 912), (1040, 592), (640, 2048), (4032, 3024), (2000, 48)]
AT_ONCE = 400_000


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_each_cell_is_kept_from_one_tile_that_sees_far_enough_around_it(
    width: int, height: int
) -> None:
    kept = np.zeros((height, width), np.uint8)
    parts = tiles(width, height, AT_ONCE)
    for part in parts:
        seen, own = part.seen, part.kept
        kept[own.y : own.y + own.height, own.x : own.x + own.width] += 1
        assert min(seen.x, seen.y) >= 0
        assert seen.x + seen.width <= width
        assert seen.y + seen.height <= height
        beside = (
            (own.x - seen.x, seen.x), (own.y - seen.y, seen.y),
            (seen.x + seen.width - own.x - own.width, width - seen.x - seen.width),
            (seen.y + seen.height - own.y - own.height, height - seen.y - seen.height),
        )  # fmt: skip
        # Where the picture ends, there is nothing more to see.
        assert all(room >= OVERLAP - MULTIPLE or not beyond for room, beyond in beside)
        assert all(side % MULTIPLE == 0 for side in (seen.x, seen.y, seen.width, seen.height))
    assert (kept == 1).all()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_tiles_are_of_one_size_that_is_small_enough(width: int, height: int) -> None:
    parts = tiles(width, height, AT_ONCE)
    assert len({(one.seen.width, one.seen.height) for one in parts}) == 1
    assert parts[0].seen.width * parts[0].seen.height <= AT_ONCE


def test_a_picture_that_is_small_enough_is_one_tile() -> None:
    (only,) = tiles(640, 480, AT_ONCE)
    assert only.seen == only.kept == Box(0, 0, 640, 480)


def test_what_is_local_is_the_same_in_tiles_as_in_the_whole_picture() -> None:
    """Each map tells the mean brightness of a cell's surroundings, as far as a tile reaches."""

    def local(pictures: NDArray[np.uint8]) -> tuple[Floats, ...]:
        grey = pictures[0].mean(axis=2).astype(np.float32)
        soft = cv2.blur(grey, (2 * (OVERLAP - MULTIPLE) + 1,) * 2)[::STRIDE, ::STRIDE]
        return (np.repeat(soft[None] / 255, MAPS, axis=0)[None],)

    frame = np.random.default_rng(2).integers(0, 256, (700, 1100, 3), np.uint8)
    box = Box(0, 0, 1100, 700)
    whole, parts = (
        Finder(local, at_once=most).find(Pyramid(frame), box, 1.0) for most in (10**7, 150_000)
    )
    assert np.allclose(whole.areas.face, parts.areas.face, atol=1e-5)
    assert np.allclose(whole.areas.back, parts.areas.back, atol=1e-5)


def test_the_finder_finds_the_same_in_tiles() -> None:
    frame = np.random.default_rng(5).integers(0, 256, (60, 90, 3), np.uint8)
    frame = np.asarray(cv2.resize(frame, (1440, 960), interpolation=cv2.INTER_CUBIC), np.uint8)
    network, box = Network(WEIGHTS / "finder.onnx", ("maps",)), Box(0, 0, 1440, 960)
    whole, parts = (
        Finder(network, at_once=most).find(Pyramid(frame), box, 1.0) for most in (10**7, AT_ONCE)
    )
    assert len(whole.indices) == len(parts.indices)
    assert np.allclose(whole.indices.centres, parts.indices.centres, atol=0.5)
    assert (np.abs(whole.areas.face - parts.areas.face) > 0.1).mean() < 1e-3
    assert (np.abs(whole.areas.back - parts.areas.back) > 0.1).mean() < 1e-3
