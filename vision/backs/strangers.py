"""Backs among what looks like none of a deck's faces, where all of these are known."""

from __future__ import annotations

from collections.abc import Sequence

from vision.backs.parts import Back, share_of_back
from vision.backs.prints import likeness, printed
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame
from vision.sightings import SURE_BACK

LEAST = 0.25
"""Minimum mean probability of "back" at which such an outline may be one. A choice: the backs of
slim cards, whose whole edges show, had 0.30 to 0.75 in one picture;
`python -m tests.italian_decks` judges it."""
NO_CARD = 0.25
"""Prior odds, relative to a back, of something else that has exactly a card's size and shows none
of its deck's faces. A choice; `python -m tests.italian_decks` judges it."""


def strangers(frame: Frame, areas: Areas, outlines: Sequence[Floats]) -> list[Back | None]:
    """For each of the `outlines` (4, 2) in a picture, the back that it is, if it is one.

    They have a card's size and show no known face. Backs of one deck look alike, so one that looks
    like another is as sure as that.
    """
    told = [_by_shape(areas, corners) for corners in outlines]
    sure = sorted(
        (back for back in told if back is not None and back.confidence >= SURE_BACK),
        key=lambda back: -back.confidence,
    )
    patterns = [(printed(frame, back.corners), back.confidence) for back in sure]
    for number, (corners, back) in enumerate(zip(outlines, told, strict=True)):
        if back is None or back.confidence < SURE_BACK:
            like = (c for print_, c in patterns if likeness(frame, corners, print_, ()).alike)
            confidence = next(like, None)
            told[number] = back if confidence is None else Back(corners, confidence)
    return told


def _by_shape(areas: Areas, corners: Floats) -> Back | None:
    """The back that an outline (4, 2) shows, if any."""
    share = share_of_back(areas, corners)
    if share < LEAST:
        return None
    return Back(corners, share / (share + (1 - share) * NO_CARD))
