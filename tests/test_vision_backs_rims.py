"""A card between others shows the rim of its print; the dots of another's print only have edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.backs_drawn import CARD, SCALE, areas_of, bordered, placed
from vision.backs.copies import Pattern
from vision.backs.explanation import RIMMED
from vision.backs.poses import Bare, pose
from vision.backs.rims import rimmed
from vision.backs.sheet import sheet
from vision.picture.geometry import Floats, Frame

SIZE_PX = CARD[0] * SCALE, CARD[1] * SCALE
PITCH = 11
"""Pixels between the dots of the print."""


def dotted(laid: list[Floats]) -> Frame:
    """Bordered cards, lowest first, with a print of pale dots in straight rows."""
    frame = bordered([])
    for corners in laid:
        frame = np.where(bordered([corners]) != bordered([]), bordered([corners]), frame)
        middle = corners.mean(axis=0)
        right, down = (corners[1] - corners[0]) / SIZE_PX[0], (corners[3] - corners[0]) / SIZE_PX[1]
        for across in np.arange(-SIZE_PX[0] / 2 + 14, SIZE_PX[0] / 2 - 12, PITCH):
            for along in np.arange(-SIZE_PX[1] / 2 + 14, SIZE_PX[1] / 2 - 12, PITCH):
                place = middle + across * right + along * down
                cv2.circle(frame, tuple(np.round(place).astype(int)), 3, (230, 225, 225), -1)
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize(("off", "is_card"), [(0, True), (-2 * PITCH, False), (-3 * PITCH, False)])
def test_a_card_lies_only_where_its_rim_shows(off: int, is_card: bool) -> None:
    over, under = placed(300, 300, 0), placed(365, 303, 2)
    frame = dotted([under, over])
    made = sheet(frame, areas_of([under, over]), over, SIZE_PX, ())
    size = 64.0, 64.0 * CARD[1] / CARD[0]
    top = pose(made, made.on_sheet(over), size)
    tried = pose(made, made.on_sheet(under + np.array((off, 0), np.float32)), size)
    (share,) = rimmed(tried, Pattern.of(top), Bare.beside(made, [made.on_sheet(over)]))
    assert bool(share >= RIMMED) is is_card


def test_a_card_of_which_no_border_lies_between_others_is_not_judged() -> None:
    one = placed(300, 300, 10)
    made = sheet(dotted([one]), areas_of([one]), one, SIZE_PX, ())
    top = pose(made, made.on_sheet(one), (64.0, 64.0 * CARD[1] / CARD[0]))
    assert rimmed(top, Pattern.of(top), Bare.beside(made, ())).tolist() == [1.0]
