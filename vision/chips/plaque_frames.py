"""Plaques found by the frame printed on them, where their own edge does not show.

A dark plaque on a dark cloth has no outline, but many have a line printed parallel to their sides.
Where that lies, the plaque lies around it, and the line's edges stand for its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import Slopes
from vision.chips.contours import Contour, contour
from vision.chips.plaques import Plaques, plaques
from vision.chips.prints import RINGS, lab
from vision.picture.geometry import Floats, lengths

LINE = 6.0
"""Minimum difference of a line from what is on both sides of it, in units of CIELAB, lightness
halved. A choice: of six drawn sets with plaques five have such lines, and one has none;
`python -m tests.chips` judges it."""
OUTER = 4
"""The innermost of the `RINGS` that may be a frame. A choice: a number is printed further inside.
"""
EVEN = 1.8
"""Largest ratio of a frame's distances from the long and from the short sides. A choice: rings are
a tenth apart, and a frame is as far from all sides."""
ALIKE = 0.04
"""Frames whose sides differ by less than this share are one. A choice: half the distance of two
rings."""
SUPPORT = 0.4
"""Minimum share of a frame that shows an edge. A choice: half of it may lie under something."""
OUTLINED, SAME_PX = 0.7, 6.0
"""Minimum share of a contour with an edge at which a plaque has been found by that, and how far
from it another centre is the same plaque, in pixels. A choice: a contour that is fitted to a frame
in part is half of the way off."""


@dataclass(frozen=True, slots=True)
class PrintedFrame:
    """A line printed on plaques of one shape, by its index: its longer and its shorter side, in the
    unit of the set's sizes."""

    shape: int
    long: float
    short: float


@lru_cache(maxsize=2)
def frames_of(chips: ChipSet) -> tuple[PrintedFrame, ...]:
    """The different frames printed on a set's plaques."""
    found: list[PrintedFrame] = []
    for kind in np.flatnonzero(chips.round == 0).tolist():
        one = _frame_on(chips, kind)
        if one is not None and not any(_alike(one, other) for other in found):
            found.append(one)
    return tuple(found)


def _alike(one: PrintedFrame, other: PrintedFrame) -> bool:
    sides = np.log([one.long / other.long, one.short / other.short])
    return one.shape == other.shape and float(np.abs(sides).max()) < ALIKE


def _frame_on(chips: ChipSet, kind: int) -> PrintedFrame | None:
    """The frame on one plaque, if the same line runs along all of its sides."""
    shape = chips.shape_of(kind)
    long, short = chips.shapes[shape]
    around, print_ = contour(long, short), lab(chips.prints[kind])
    level = np.abs(around.normals[:, 0]) < np.abs(around.normals[:, 1])
    along, across = (_line(print_[:, around.straight & some]) for some in (level, ~level))
    if along is None or across is None:
        return None
    apart = (1 - along) * short / ((1 - across) * long)
    if not 1 / EVEN <= apart <= EVEN:
        return None
    return PrintedFrame(shape, long * across, short * along)


def _line(colours: Floats) -> float | None:
    """How far out, as a share of the contour, a line runs whose colours (rings, n, 3) differ from
    those on both sides of it."""
    usual = np.median(colours, axis=1)
    both = np.concatenate([usual, usual[-1:]])  # beyond the last ring lies the rest of the margin
    off = both[1:-1] - (both[:-2] + both[2:]) / 2
    height = np.linalg.norm(off, axis=1)
    height[: OUTER - 1] = 0
    top = int(height.argmax())
    if height[top] < LINE:
        return None
    # The line lies between two rings, nearer to that in which more of it shows.
    near = slice(max(top - 1, OUTER - 1), top + 2)
    shares = np.maximum(off[near] @ off[top], 0)
    return float(RINGS[1:][near] @ shares / shares.sum())


def framed(
    slopes: Slopes, chips: ChipSet, known: Plaques, px_per_unit: float, sizes: tuple[float, ...]
) -> Plaques:
    """The plaques around frames that show where no contour of the `known` ones does.

    A unit of the set's sizes is so many pixels, relative to which `sizes` are tried.
    """
    printed = frames_of(chips)
    lines = [contour(one.long * px_per_unit, one.short * px_per_unit) for one in printed]
    found = plaques(slopes, lines, sizes)
    around = _around(found, np.array([one.shape for one in printed], np.intp), known.contours)
    outlined = known[known.support >= OUTLINED].centres
    away = lengths(np.asarray(around.centres[:, None] - outlined, np.float32))
    fresh = (away > SAME_PX).all(axis=1) & (around.support >= SUPPORT)
    return Plaques.joined([known, around[fresh]])


def _around(found: Plaques, shapes: NDArray[np.intp], contours: tuple[Contour, ...]) -> Plaques:
    """Plaques of these `shapes`, with one of the `contours`, around the frames `found`."""
    every = np.ones(len(found), np.bool_)
    return replace(found, contours=contours, shapes=shapes[found.shapes], framed=every)
