"""Where the print of a plaque has its middle, for one whose edges have the colour of the table.

Frames, borders and ovals are printed evenly about the middle of a plaque: mirrored at it, either
way or both, most of a face is the same. Numerals and marbling are not, but where the middle is a
pixel off, all lines of a frame are.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.contours import turned
from vision.chips.plaques import Plaques
from vision.picture.geometry import Floats, Frame

REACH_PX, REACH = 6.0, np.radians(8.0)
"""How far the middle is searched for, in pixels and radians. A choice: of 10 drawn green plaques on
green cloth, the edges of five were off by more than 1.2 pixels, and one's by 6.4 degrees."""
COARSE = 1.0, np.radians(1.0)
"""Distance between the places tried first, in pixels and radians. A choice: half the width of a
printed line."""
STARTS = 8
"""Number of these places near which a better one is looked for. A choice: the lines of a frame also
meet those of the other side where both are a line's width off."""
FINEST = 0.1
"""The least change that is tried, relative to that distance. A choice: a tenth of a pixel."""
ACROSS, WITHIN = (24, 48), 0.9
"""Number of places compared down and across a face, and the share of its sides that these take up.
A choice: a millimetre apart, and clear of its edges."""
DIFFERS = 30.0
"""Difference of colours, in levels, beyond which places do not differ more. A choice: that of a
faint line."""
EVENER = 0.85
"""Maximum ratio of the differences there to those before for a print to tell its middle. A choice:
of 10 drawn plaques with a frame on cloth of their own colour it was 0.77 at most, of 15 marbled
ones 0.98 at least."""


def evened(picture: Frame, one: Plaques) -> Plaques:
    """One plaque in a picture (H, W, 3), with the middle of its print as its own, if its print has
    one."""
    first = np.array([*one.centres[0], one.turns[0]], np.float64)
    before, tried = _uneven(picture, one, first), first + _tried()
    costs = np.array([_uneven(picture, one, place) for place in tried])
    starts = np.argsort(costs, kind="stable")[:STARTS]
    ends = [_refined(picture, one, tried[n], float(costs[n])) for n in starts]
    found, best = min(ends, key=lambda end: end[1])
    if best > EVENER * before:
        return one
    centres, turns = found[None, :2].astype(np.float32), found[2:].astype(np.float32)
    return replace(one, centres=centres, turns=turns)


def _tried() -> NDArray[np.float64]:
    """The changes (M, 3) of a middle, across, down and turned, that are tried first."""
    far, turn = (np.arange(-reach, reach + step / 2, step) for reach, step in _RANGES)
    return np.stack(np.meshgrid(far, far, turn), axis=-1).reshape(-1, 3)


def _refined(
    picture: Frame, one: Plaques, found: NDArray[np.float64], best: float
) -> tuple[NDArray[np.float64], float]:
    """The best place near one that was `found`, and how uneven the print is about it."""
    steps = np.array([COARSE[0], COARSE[0], COARSE[1]]) * np.eye(3)
    share = 0.5
    while share >= FINEST:
        tried = [found + way * share * step for step in steps for way in (1, -1)]
        costs = [_uneven(picture, one, place) for place in tried]
        least = int(np.argmin(costs))
        if costs[least] < best:
            best, found = costs[least], tried[least]
        else:
            share /= 2
    return found, best


def _uneven(picture: Frame, one: Plaques, place: NDArray[np.float64]) -> float:
    """How much a face differs from itself mirrored at a place: across, down, and the turn of its
    axes."""
    x, y = (turned(_places(one)[None], place[2:])[0] + place[:2]).astype(np.float32).T
    seen = cv2.remap(picture, x.reshape(ACROSS), y.reshape(ACROSS), cv2.INTER_LINEAR)
    seen = seen.astype(np.float32)
    mirrored = seen[:, ::-1], seen[::-1], seen[::-1, ::-1]
    off = [np.linalg.norm(seen - other, axis=2) for other in mirrored]
    return float(sum(np.minimum(away, DIFFERS).mean() for away in off))


def _places(one: Plaques) -> Floats:
    """Places (M, 2) all over a face, from its middle, row by row."""
    sides = np.array(one.contours[0].sides) * float(one.scales[0]) * WITHIN / 2
    down, across = (np.linspace(-1, 1, count) for count in ACROSS)
    every = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2) * sides
    return np.asarray(every, np.float32)


_RANGES = (REACH_PX, COARSE[0]), (REACH, COARSE[1])
"""What is searched, and how finely, in pixels and radians. Follows from these."""
