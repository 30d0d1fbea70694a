"""Backs of a deck whose faces are all known: told by the maps, and by each other."""

from __future__ import annotations

import numpy as np
import pytest

from vision.backs.strangers import strangers
from vision.find.finder import STRIDE, Areas
from vision.picture.geometry import Box, Floats
from vision.sightings import SURE_BACK

LEFT: Floats = np.array([(20, 40), (84, 40), (84, 160), (20, 160)], np.float32)
RIGHT = LEFT + np.array((100, 0), np.float32)


def told(likely: float, *, alike: bool) -> list[float | None]:
    """How sure the backs on the left, which the maps see, and on the right, which they see with
    this probability, are told; None for no back."""
    maps = np.full((200 // STRIDE, 220 // STRIDE), likely, np.float32)
    maps[:, : 100 // STRIDE] = 0.9
    areas = Areas(np.zeros_like(maps), maps, Box(0, 0, 220, 200), 1 / STRIDE)
    frame = np.full((200, 220, 3), 60, np.uint8)
    frame[40:160, 20:84] = frame[40:160, 120:184] = (150, 60, 30)
    if not alike:
        frame[50:150, 130:174] = (230, 230, 230)
        frame[80:120, 140:160] = (30, 30, 200)
    found = strangers(frame, areas, [LEFT, RIGHT])
    return [None if one is None else one.confidence for one in found]


@pytest.mark.parametrize("likely", [0.1, 0.3])
def test_a_back_that_looks_like_a_sure_one_is_as_sure(likely: float) -> None:
    left, right = told(likely, alike=True)
    assert left is not None
    assert left >= SURE_BACK
    assert right == left


def test_one_that_looks_like_none_is_told_by_the_maps() -> None:
    assert told(0.1, alike=False)[1] is None
    (_, doubted), (_, sure) = told(0.3, alike=False), told(0.8, alike=False)
    assert doubted is not None
    assert sure is not None
    assert doubted < SURE_BACK <= sure
