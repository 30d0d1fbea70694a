"""Whether a supposed back is a face that nobody could read.

A court card of a deck with other letters, or with none, has a card's size and four edges, and to
the finder's maps its figure is partly print as on a back. On a back they see hardly any face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.backs.edges import inside
from vision.backs.parts import INNER, VAGUE, Back
from vision.backs.poses import grown
from vision.backs.prints import likeness, printed
from vision.find.finder import Areas
from vision.join.evidence import LATTICE
from vision.picture.geometry import Floats, Frame
from vision.sightings import SURE_BACK

FACED = 0.16
"""Mean probability of "face" within an outline, away from its rim, from which it is not certain to
be a back. A choice: on 174 certain backs of 72 drawn tables it was at most 0.12 (`python -m
tests.face_down`), on seven faces of Latin decks that were taken for certain backs at least 0.19
(`python -m tests.latin_decks --unset`)."""
RIM = 2.0
"""Cells around a card that was read in which the maps still see its face. A choice: of strips of
backs under faces they saw up to 0.2 of one, most of it there; `python -m tests.face_down under`
judges it."""
FEWEST = 0.2
"""Minimum share of an outline that lies under no card that was read, for the maps to tell what is
there. A choice: a strip that is mostly rim."""
MOSTLY = 0.4
"""Mean probability of "face" up to which something of one colour may be a back all the same. A
choice: over three drawn backs of one colour it was 0.21 to 0.25."""
EVENLY, BLUR = 1.5, 21
"""Largest standard deviation in grey levels of a card in full view, beside what light does over so
many of its 96 by 64 points, at which nothing is printed on it. A choice: on backs of one colour it
was 0.3 to 0.9, on twelve drawn aces 11.5 and more; `python -m tests.face_down trick` judges it."""
RIMS = (slice(5, -5), slice(4, -4))
"""The points of a card that are compared: its rim may be a border or a shadow. A choice."""
COLOURED, DARK = 35.0, 130.0
"""Minimum distance from grey (a* and b* as eight bits hold them) or largest L* at which such a card
is no blank paper. A choice: of twelve drawn aces in all lights the paper had at most 28.5 of the
one and at least 164 of the other."""


def unread(frame: Frame, areas: Areas, told: Sequence[Back], faces: Sequence[Floats]) -> list[Back]:
    """`told`, with a question instead of a certain back where the `areas` see a face.

    Where the cards that were read, the `faces` (4, 2), lie over it, that is no wonder; nor is it if
    the back looks like another in which they see none: faces differ. What has one colour but
    paper's is no face, which has signs.
    """
    likely = [_face(areas, back.corners, faces) for back in told]
    shown = [
        face >= FACED and (face > MOSTLY or not _is_plain(frame, back.corners))
        for face, back in zip(likely, told, strict=True)
    ]
    if not any(shown):
        return list(told)
    sure = [back.confidence >= SURE_BACK for back in told]
    plainly = [
        printed(frame, back.corners)
        for back, faced, certain in zip(told, shown, sure, strict=True)
        if certain and not faced
    ]
    return [
        replace(back, confidence=VAGUE)
        if certain and faced and not _is_any(frame, back.corners, plainly)
        else back
        for back, faced, certain in zip(told, shown, sure, strict=True)
    ]


def _is_any(frame: Frame, corners: Floats, patterns: Sequence[Floats]) -> bool:
    """Whether an outline (4, 2) shows one of these patterns."""
    return any(likeness(frame, corners, pattern, ()).alike for pattern in patterns)


def _is_plain(frame: Frame, corners: Floats) -> bool:
    """Whether all within an outline (4, 2) has one colour that is not paper's."""
    inner = printed(frame, corners)[RIMS]
    grey = inner.mean(axis=2)
    if float((grey - cv2.blur(grey, (BLUR, BLUR))).std()) > EVENLY:
        return False
    usual = np.median(inner.reshape(-1, 3), axis=0).astype(np.uint8)
    light, *colour = cv2.cvtColor(usual[None, None], cv2.COLOR_BGR2LAB)[0, 0].astype(float)
    return light < DARK or float(np.hypot(*(one - 128 for one in colour))) >= COLOURED


def _face(areas: Areas, corners: Floats, faces: Sequence[Floats]) -> float:
    """The mean probability of "face" within an outline (4, 2), away from its rim."""
    middle = corners.mean(axis=0)
    points = middle + (LATTICE @ corners - middle) * np.float32(INNER)
    free = np.ones(len(points), np.bool_)
    for face in faces:
        free &= ~inside(points, grown(face, RIM / areas.scale))
    if np.count_nonzero(free) < FEWEST * len(points):
        return 0.0
    return float(np.nanmean([0.0, *areas.sample(points[free])]))
