"""A picture at the size at which chips are examined, and the candidates in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Circles, Slopes, fitted
from vision.chips.layers import SIDE_AT
from vision.chips.prints import PAPER, sampled
from vision.picture.geometry import Floats, Frame, Outline, averaged, distances, holding

MOVED, REFITTED = 0.12, (0.05, 0.05)
"""Minimum distance between a top and its foot at which the top is searched for, and the standard
deviations of that search; in radii. A choice; `python -m tests.chips` judges it."""
UNUSUAL, RINGED, USUAL_FIT = 0.06, 0.6, (0.07, 0.05)
"""Minimum difference from the usual radius, relative to it, and minimum share of its visible rim at
which a circle may be a ring printed inside a chip's rim; and the standard deviations, in radii, of
the search for that rim. A choice; `python -m tests.real_chips` judges it."""
EQUAL = 0.04
"""Circles whose centres and radii differ by less than this share of a radius are one. A choice: the
error of a fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A frame enlarged `factor` times, its slopes, and the colour of `white` paper in it (3,)."""

    work: Frame
    factor: float
    slopes: Slopes
    white: Floats | None

    @classmethod
    def of(cls, frame: Frame, factor: float, white: Floats | None) -> Self:
        """Shrink a frame (H, W, 3) by about `factor`, if that is below one."""
        high, wide = frame.shape[:2]
        if factor >= 1:
            return cls(frame, 1.0, Slopes.of(frame), white)
        size = max(1, round(wide * factor)), max(1, round(high * factor))
        work = averaged(frame, size)
        return cls(work, size[0] / wide, Slopes.of(work), white)

    def colours(self, found: Circles) -> Floats:
        """The colours of round things under white light, (N, rings, ANGLES, 3)."""
        return self.white_of(sampled(self.work, found.centres, found.radii))

    def white_of(self, colours: Floats) -> Floats:
        """Colours (…, 3) of the picture as they are under white light."""
        white = self.white if self.white is not None else np.float32(PAPER)
        return np.asarray(colours * (np.float32(PAPER) / white), np.float32)

    def shrunk(self, places: Floats) -> Floats:
        """Convert places (N, 2) in the frame to places in `work`."""
        return np.asarray((places + 0.5) * np.float32(self.factor) - 0.5, np.float32)

    def upon(self, found: Circles, cards: Sequence[Outline]) -> NDArray[np.bool_]:
        """Which circles have their centre on one of the cards in the frame."""
        centres = list(found.scaled(1 / self.factor).centres)
        corners = [np.asarray(card, np.float32) for card in cards]
        return np.asarray(holding(corners, centres).any(axis=0), np.bool_)


def of_usual_size(slopes: Slopes, found: Circles, radius: float) -> Circles:
    """Add the rims of the usual `radius` around circles that may be a ring inside a chip."""
    which = np.flatnonzero((np.abs(found.radii / radius - 1) > UNUSUAL) & (found.support >= RINGED))
    if not len(which):
        return found
    rims = found[which]
    usual = replace(rims, radii=np.full(len(which), radius, np.float32))
    return Circles.joined([found, fitted(slopes, usual, USUAL_FIT)])


def upper(slopes: Slopes, feet: Circles, reach: Floats) -> Circles:
    """Candidates for the tops of stacks with these feet.

    `reach` (N, 2) is the apparent distance from each foot to the highest top.
    """
    which = np.flatnonzero(np.linalg.norm(reach, axis=1) > MOVED * feet.radii)
    feet, reach = feet[which], reach[which]
    moved = [
        fitted(slopes, replace(feet, centres=feet.centres + reach * np.float32(share)), REFITTED)
        for share in SIDE_AT
    ]
    return Circles.joined(moved)


def distinct(found: Circles) -> Circles:
    """The circles, without those equal to another that shows more of its rim."""
    if not len(found):
        return found
    away = distances(found.centres, found.centres)
    wider = np.abs(found.radii[:, None] / found.radii[None] - 1)
    equal = (away < EQUAL * found.radii[:, None]) & (wider < EQUAL)
    rank = np.empty(len(found), np.intp)
    rank[np.argsort(-found.support, kind="stable")] = np.arange(len(found))
    return found[~(equal & (rank[None] < rank[:, None])).any(axis=1)]
