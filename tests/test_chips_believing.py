"""Which of the chips that were seen are believed: their neighbours tell how large they can be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.chips.believing import believed
from vision.chips.chances import MOST
from vision.chips.circles import ANGLES, Circles
from vision.chips.heights import Height
from vision.chips.matching import Match

SIZES = np.array([39.0, 43.0], np.float32)


def circles(places: list[tuple[float, float]], radius: float) -> Circles:
    """Round things of one size at these places."""
    count = len(places)
    return Circles(
        np.array(places, np.float32),
        np.full(count, radius, np.float32),
        np.ones(count, np.float32),
        np.ones((count, ANGLES), np.bool_),
        np.ones(count, np.float32),
    )


def height(place: tuple[float, float], radius: float) -> Height:
    """A single chip whose outline was fitted here, all of it in sight."""
    at = np.array(place, np.float32)
    chances = np.zeros(MOST)
    chances[0] = 1.0
    return Height(1, 1, 1, at, at, radius, 1.0, 1.0, 0.01, chances, shown=True)


def kept(radii: list[float], kinds: list[int], step: float = 30.0) -> list[int]:
    """Which chips of a row are believed, whose outlines have these radii in pixels."""
    places = [(100 + step * number, 100.0) for number in range(len(radii))]
    matches = [Match(n, kind, 1 - kind, 0.9, 0.95, 0.99) for n, kind in enumerate(kinds)]
    heights = [height(*some) for some in zip(places, radii, strict=True)]
    return believed(circles(places, 20), matches, heights, SIZES)


def test_an_outline_around_several_chips_is_none_of_them() -> None:
    assert kept([20, 27, 20], [0, 0, 0]) == [0, 2]


def test_a_larger_kind_beside_smaller_ones_is_believed() -> None:
    assert kept([18, 22, 18], [0, 1, 0]) == [0, 1, 2]


@pytest.mark.parametrize("radii", [[20.0, 27.0], [20.0, 27.0, 34.0]])
def test_neighbours_that_disagree_settle_nothing(radii: list[float]) -> None:
    assert kept(radii, [0] * len(radii)) == list(range(len(radii)))


def test_chips_far_apart_may_appear_in_different_sizes() -> None:
    assert kept([20, 27, 20], [0, 0, 0], step=90.0) == [0, 1, 2]


@pytest.mark.parametrize("share", [0.5, 0.7])
def test_cloth_of_a_chip_s_colour_beside_it_is_one_only_with_most_of_a_rim(share: float) -> None:
    """A square of chequered cloth agrees with a chip of its colour, but ends nowhere."""
    places = [(100.0, 100.0), (135.0, 100.0)]
    found = circles(places, 20)
    rim = found.rim.copy()
    rim[1, int(share * ANGLES) :] = False
    faint = replace(found, rim=rim, votes=np.array([0.7, 0.09], np.float32))
    chip, cloth = (replace(height(place, 20.0), alike=True) for place in places)
    matches = [Match(n, 0, 1, 0.94, 0.95, 0.99) for n in range(2)]
    heights = [chip, replace(cloth, whole=0.06, round=0.1)]
    assert believed(faint, matches, heights, SIZES) == ([0, 1] if share > 0.6 else [0])
