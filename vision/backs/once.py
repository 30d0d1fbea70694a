"""Tell each back once, though its area, its even colour and its heap may all show it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2

from vision.backs.meeting import overlap
from vision.backs.parts import FRAMED, Back, Size, coincide, sides
from vision.backs.remainder import SAME as FOUND_TWICE
from vision.picture.geometry import Floats
from vision.sightings import SURE_BACK

OVER_ALONE = 0.8
"""Minimum share of a card that lies on one that lies alone for the two to be the same. A choice: a
shadow on the cloth joined the end of a row to it, and the outlines shared 0.9 of their area; cards
beside each other share their rims at most. `python -m tests.face_down spaced` judges it."""
SAME = 0.05
"""Largest distance between the corners of two outlines of one card, found by its area and by its
even colour, in short sides: at most 0.035 in a hand from pictures, and nobody can distinguish one
card from two lying 3 mm apart. A choice between them; `python -m tests.face_down` judges it."""


def without_doubles(heaped: Sequence[Back], alone: Sequence[Back], size: Size) -> list[Back]:
    """The backs of heaps and those that stand `alone`, each card once.

    Where a table's grain, or another card that touches both, joins a heap and a card beside it that
    the maps keep apart, the heap may be explained by that card as well. The doubtful one goes; if
    neither is in doubt, the heap's outline has a card's size.
    """
    sure = [back.corners for back in heaped if back.confidence >= FRAMED]
    single = [back for back in alone if not any(_is_one(back.corners, one, size) for one in sure)]
    certain = [back.corners for back in single if back.confidence >= SURE_BACK]
    several = [
        back
        for back in heaped
        if back.confidence >= FRAMED or not any(_is_one(back.corners, one, size) for one in certain)
    ]
    return [*several, *single]


def _is_one(one: Floats, other: Floats, size: Size) -> bool:
    """Whether two outlines (4, 2), one of a card that lies alone, are of the same card.

    Where one card lies alone by the maps, no second one lies mostly over it.
    """
    if coincide(one, other, FOUND_TWICE * size[0]):
        return True
    area = min(float(cv2.contourArea(corners)) for corners in (one, other))
    return overlap([one, other]) >= OVER_ALONE * area


def once(told: Sequence[Back]) -> list[Back]:
    """The backs without duplicates: those in the same place are one card, found in two ways."""
    kept: list[Back] = []
    for back in told:
        if not any(_coincide(back.corners, one.corners) for one in kept):
            kept.append(back)
    return kept


def _coincide(one: Floats, other: Floats) -> bool:
    """Whether each corner of a card (4, 2) lies on one of the other's."""
    return coincide(one, other, SAME * min(sides(one)))
