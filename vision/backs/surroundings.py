"""Whether a supposed back looks like the ground around it, as cloth, carpet and print do.

The finder's maps recognize a back by its print, and a weave, a carpet's pile or a page of small
type is a print too. But a card differs in colour or print from what it lies on, and what a larger
thing shows within a card's outline goes on beyond one of its sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.edges import inside
from vision.backs.faced import FACED
from vision.backs.parts import BACK, FRAMED, VAGUE, Back
from vision.find.finder import Areas
from vision.join.joined import Joined
from vision.picture.geometry import Floats, Frame, averaged, within
from vision.sightings import SURE_BACK

Mask = NDArray[np.bool_]

ACROSS = 60
"""Pixels to which a card's short side is shrunk for comparison: prints are still visible, sensor
noise is not. A choice; `python -m vision.measure` judges it."""
WITHIN, AROUND, FARTHEST = 0.42, 0.58, 0.8
"""Regions compared, in a card's sides from its centre: up to where it is surely inside, and the
range that is surely beyond the edge. Follows from errors of a tenth of a side."""
LATTICE = 48
"""Points each way over a card and its surroundings. A choice; `python -m vision.measure` judges it.
"""
FEWEST = 60
"""Minimum visible points of the ground. A choice; `python -m vision.measure` judges it."""
BRIGHTNESS, COLOUR = 10.0, 3.0
"""Largest differences in median brightness and in either median colour (CIE L*a*b*, 0..255) at
which a card looks like what it lies on. A choice: none of 153 backs on 84 drawn tables looked like
its ground (`python -m tests.face_down`), and all five reported as certain on photographs of carpets
and newspapers did (`python -m vision.measure`)."""
COARSER = 2.0
"""Standard deviation, in shrunken pixels, of the blur that separates the grain of a print from its
colour. A choice; `python -m vision.measure` judges it."""
GRAIN = 1.6
"""Largest ratio between the strengths of two prints that look alike. A choice;
`python -m vision.measure` judges it."""

PART = 3
"""Sides beyond which a print goes on that is no card's, though an edge seems to run along each. A
choice: on a sofa's weave beside a queen, in a picture taken askew, all three that she left in
sight; `python -m tests.face_down` and `python -m vision.measure` judge it."""


def standing_out(
    frame: Frame, areas: Areas, told: Sequence[Back], cards: Sequence[Joined]
) -> list[Back]:
    """`told` without what looks like the ground around it; a certain back becomes a question."""
    faces = [card.corners for card in cards]
    left = []
    for back in told:
        others = [one for one in told if one is not back]
        lying = [*faces, *(one.corners for one in others)]
        sure = back.confidence >= SURE_BACK
        alike = like_surroundings(frame, areas, back.corners, lying)
        if sure and (alike or _is_part(frame, back, faces, others)):
            left.append(replace(back, confidence=VAGUE))
        elif not alike:
            left.append(back)
    return left


def _is_part(frame: Frame, back: Back, faces: Sequence[Floats], others: Sequence[Back]) -> bool:
    """Whether a certain back is rather a part of something larger, which shows beyond its sides.

    With all its edges in sight, a card may lie on others with the same print; but not so that it
    goes on beyond three of its sides where none of the `others` is certain.
    """
    if back.confidence < FRAMED:
        every = [*faces, *(one.corners for one in others)]
        beside = [one for one in every if not within(one, back.corners.mean(axis=0))]
        return bool(continued(frame, back.corners, beside))
    sure = [one.corners for one in others if one.confidence >= SURE_BACK]
    return continued(frame, back.corners, [*faces, *sure]) >= PART


def like_surroundings(frame: Frame, areas: Areas, corners: Floats, lying: Sequence[Floats]) -> bool:
    """Whether an outline (4, 2) holds nothing but what lies around it.

    The surroundings are what neither the `areas` nor the corners of what is known to be `lying`
    there show to be a card; if too little of that is visible, the result is False. Of a back that
    is half under others, only what they leave in sight counts.
    """
    points, off = _around(corners), _from_centre()
    free = _free(points, lying)
    beyond = (off.max(axis=1) >= AROUND) & free & _bare(areas, points)
    # In perspective, a face reaches beyond its outline.
    faced = np.nan_to_num(areas.sample(points)) >= FACED
    return _same_print(_print(frame, corners, points), _inner(off, free & ~faced), beyond)


def continued(frame: Frame, corners: Floats, lying: Sequence[Floats]) -> int:
    """Beyond how many of its four sides what an outline (4, 2) holds continues.

    Where a card is known to be `lying`, it may be that card which looks the same.
    """
    points, off = _around(corners), _from_centre()
    shown, free = _print(frame, corners, points), _free(points, lying)
    inner, across = _inner(off, free), _lattice() - np.float32(0.5)
    besides = [
        (sign * across[:, axis] >= AROUND) & (off[:, 1 - axis] <= 0.5) & free
        for axis in (0, 1)
        for sign in (-1, 1)
    ]
    return sum(_same_print(shown, inner, beside) for beside in besides)


def _inner(off: Floats, free: Mask) -> Mask:
    """Which points are surely inside an outline: those that nothing covers, if there are enough."""
    every = np.asarray(off.max(axis=1) <= WITHIN, np.bool_)
    seen = every & free
    return seen if np.count_nonzero(seen) >= FEWEST else every


def _same_print(shown: Floats, inner: Mask, beyond: Mask) -> bool:
    """Whether enough points inside (`inner`) and `beyond` an outline are visible and look alike."""
    mine, ground = (shown[at & ~np.isnan(shown[:, 0])] for at in (inner, beyond))
    return min(len(mine), len(ground)) >= FEWEST and _alike(mine, ground)


def _alike(mine: Floats, ground: Floats) -> bool:
    """Whether the medians of two prints, colours and grain (N, 4), are alike."""
    one, other = np.median(mine, axis=0), np.median(ground, axis=0)
    apart = np.abs(one - other)
    weak, strong = sorted((float(one[3]), float(other[3])))
    return bool(
        apart[0] <= BRIGHTNESS and apart[1:3].max() <= COLOUR and strong <= GRAIN * max(weak, 1.0)
    )


def _lattice() -> Floats:
    side = np.linspace(0.5 - FARTHEST, 0.5 + FARTHEST, LATTICE, dtype=np.float32)
    return np.stack(np.meshgrid(side, side), 2).reshape(-1, 2)


def _bare(areas: Areas, points: Floats) -> Mask:
    """Which points (N, 2) the maps see neither as a back nor as a face."""
    shown = np.nan_to_num(areas.sample(points, back=True)) + np.nan_to_num(areas.sample(points))
    return np.asarray(shown < BACK, np.bool_)


def _from_centre() -> Floats:
    """How far the points of the lattice (N, 2) are from its centre each way, in sides."""
    return np.asarray(np.abs(_lattice() - np.float32(0.5)), np.float32)


def _around(corners: Floats) -> Floats:
    """The points (N, 2) of the lattice over a card with these corners (4, 2)."""
    lattice = _lattice()
    points = corners[0] + lattice[:, :1] * (corners[1] - corners[0])
    return np.asarray(points + lattice[:, 1:] * (corners[3] - corners[0]), np.float32)


def _free(points: Floats, lying: Sequence[Floats]) -> Mask:
    """Which points (N, 2) are on none of the cards `lying` (4, 2)."""
    free = np.ones(len(points), np.bool_)
    for other in lying:
        free &= ~inside(points, other)
    return free


def _print(frame: Frame, corners: Floats, points: Floats) -> Floats:
    """The colours and the grain (N, 4) at `points` on and around a card; NaN beyond the picture."""
    height, width = frame.shape[:2]
    left, top = (max(0, int(value)) for value in points.min(axis=0))
    right, bottom = (int(value) + 1 for value in points.max(axis=0))
    part = frame[top : min(bottom, height), left : min(right, width)]
    found = np.full((len(points), 4), np.nan, np.float32)
    if not part.size:
        return found
    lengths = np.linalg.norm(corners[[1, 3]] - corners[0], axis=1)
    scale = min(1.0, ACROSS / max(float(lengths.min()), 1.0))
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    lab = cv2.cvtColor(averaged(part, size), cv2.COLOR_BGR2LAB).astype(np.float32)
    grain = np.abs(lab[..., 0] - cv2.GaussianBlur(lab[..., 0], (0, 0), COARSER))
    places = np.floor((points - (left, top)) * (size[0] / part.shape[1], size[1] / part.shape[0]))
    seen = ((places >= 0) & (places < size)).all(axis=1)
    columns, rows = places[seen].astype(np.intp).T
    found[seen] = np.concatenate([lab[rows, columns], grain[rows, columns, None]], axis=1)
    return found
