"""A pyramid shrinks its parts to the pixels that each would have by itself."""

from __future__ import annotations

import numpy as np
import pytest

from vision.picture.geometry import Box, Frame, averaged
from vision.picture.pyramid import Pyramid

WHOLE = Box(0, 0, 403, 305)


def scattered() -> Frame:
    rng = np.random.default_rng(7)
    return rng.integers(0, 256, (WHOLE.height, WHOLE.width, 3), np.uint8)


@pytest.mark.parametrize(
    "box",
    [WHOLE, Box(0, 0, 402, 304), Box(0, 0, 400, 304), Box(8, 16, 384, 256), Box(3, 4, 396, 296)],
)
@pytest.mark.parametrize("size", [(40, 30), (61, 57), (150, 120), (200, 150), (384, 256)])
def test_a_part_is_shrunk_as_if_it_were_cut_out(box: Box, size: tuple[int, int]) -> None:
    frame = scattered()
    pyramid = Pyramid(frame)
    pyramid.shrunk(90)  # so that there are halvings to start from
    assert (pyramid.resized(box, size) == averaged(box.cut(frame), size)).all()


def test_all_of_it_is_halved_once() -> None:
    """What changes in the picture meanwhile is not seen: the halving is there."""
    frame = scattered()
    pyramid = Pyramid(frame[:304, :400])
    before = pyramid.resized(Box(0, 0, 400, 304), (100, 76)).copy()
    frame[:] = 0
    assert (pyramid.resized(Box(0, 0, 400, 304), (100, 76)) == before).all()


def test_a_small_part_does_not_have_all_of_it_halved() -> None:
    frame = scattered()
    pyramid = Pyramid(frame[:304, :400])
    pyramid.resized(Box(0, 0, 80, 80), (20, 20))
    frame[:] = 0
    assert not pyramid.resized(Box(0, 0, 400, 304), (100, 76)).any()
