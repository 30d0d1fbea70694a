"""Straight edges in the picture, as a card's sides are.

The maps of the finder are four pixels wide to a cell and hold what it believes; a card's sides
are in the picture itself, to the pixel, and no texture has four of them in a card's proportions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame

STEP = 7.0
"""Grey levels, in one colour, by which one side of an edge differs from the other. Of an even
ground with a sensor's noise of three levels less than one point in a thousand does, smoothed as
here. Measured by `python -m tests.thresholds`."""
POINTS = 40
"""Points along a side at which it is looked for. A choice; `python -m tests.face_down` judges
it."""
ENDS = 0.12
"""What is left out at either end of a side, a share of it: the rounded corner. A choice;
`python -m tests.face_down` judges it."""
ALONG = np.linspace(ENDS, 1 - ENDS, POINTS, dtype=np.float32)
"""Where those points lie, as shares of a side. Follows from both."""
HALF = 2
"""Pixels to either side of an edge that are compared: a blurred edge is three or four wide. A
choice; `python -m tests.face_down` judges it."""
STRONG, STRENGTH = 100.0, 0.1
"""How much more a rise of this many levels counts than one that is just seen. A choice;
`python -m tests.face_down` judges it."""
OUTER = 0.1
"""What lying the whole reach farther out counts: a back's white border has two edges. A choice;
`python -m tests.face_down` judges it."""
SEEN = 0.85
"""The share of a side's points that must show the edge: a chip or a glass may hide the rest. A
choice; `python -m tests.face_down` judges it."""
FEWEST = 8
"""Of so few points of a side in the picture it shows nothing: the side lies beyond its edge. A
choice; `python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Framed:
    """An outline whose sides were looked for in the picture: its `corners` (4, 2) on the edges
    found, and the share (4,) of each side that shows one, from the first corner on.

    What lies beyond the picture does not count; of a side that does, the share is NaN."""

    corners: Floats
    shares: Floats

    @property
    def whole(self) -> bool:
        """Whether all four sides are edges, or three of them and the fourth is not in sight."""
        beyond = np.isnan(self.shares)
        return bool(((self.shares >= SEEN) | beyond).all()) and int(beyond.sum()) <= 1


def framed(
    frame: Frame, corners: Floats, reach: int, hidden: NDArray[np.bool_] | None = None
) -> Framed:
    """The outline with these `corners` (4, 2), clockwise, moved onto the edges near its sides.

    An edge is looked for up to `reach` pixels inside and outside of each side, and turned against
    it as far as that allows. A side without an edge stays where it is. Where something lies over
    the outline, its points are `hidden` (4, POINTS) and count as little as those beyond the
    picture.
    """
    ends = np.roll(corners, -1, axis=0)
    covered = np.zeros((4, POINTS), np.bool_) if hidden is None else hidden
    found = [
        _edge(frame, start, end, reach, over)
        for start, end, over in zip(corners, ends, covered, strict=True)
    ]
    lines = [line for line, _ in found]
    snapped = [_crossing(lines[side - 1], lines[side]) for side in range(4)]
    shares = np.asarray([share for _, share in found], np.float32)
    return Framed(np.asarray(snapped, np.float32), shares)


def edged(frame: Frame, corners: Floats, reach: int, hidden: NDArray[np.bool_]) -> float:
    """The share of an outline, where it is not `hidden` (4, POINTS), that shows an edge within
    `reach` pixels; zero where all of it is hidden or beyond the picture."""
    shares = framed(frame, corners, reach, hidden).shares
    known = (~hidden).sum(axis=1).astype(np.float32)
    known[np.isnan(shares)] = 0
    return float((np.nan_to_num(shares) * known).sum() / max(float(known.sum()), 1.0))


def hidden_under(corners: Floats, covers: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which points (4, POINTS) of an outline lie under what covers it."""
    hidden = np.zeros((4, POINTS), np.bool_)
    points = points_along(corners)
    for cover in covers:
        hidden |= inside(points.reshape(-1, 2), cover).reshape(4, POINTS)
    return hidden


def points_along(corners: Floats) -> Floats:
    """The points (4, POINTS, 2) of an outline's sides at which edges are looked for."""
    ends = np.roll(corners, -1, axis=0)
    return np.asarray(corners[:, None] + (ends - corners)[:, None] * ALONG[:, None], np.float32)


def inside(points: Floats, corners: Floats) -> NDArray[np.bool_]:
    """Which of the points (N, 2) lie inside a convex outline, clockwise as seen."""
    ends = np.roll(corners, -1, axis=0) - corners
    across, down = points.T
    turns = [
        way[0] * (down - start[1]) - way[1] * (across - start[0])
        for start, way in zip(corners, ends, strict=True)
    ]
    least, most = turns[0], turns[0]
    for turn in turns[1:]:
        least, most = np.minimum(least, turn), np.maximum(most, turn)
    return np.asarray((least > 0) | (most < 0), np.bool_)


def _edge(
    frame: Frame, start: Floats, end: Floats, reach: int, hidden: NDArray[np.bool_]
) -> tuple[Floats, float]:
    """The two ends (2, 2) of the clearest edge near a side, and the share of it that shows one."""
    rises, inside = _rises(frame, start, end, reach)
    inside &= ~hidden
    tries = _tries(reach)
    # One colour is enough, and an edge rises or falls all along.
    signed = np.concatenate([rises, -rises], axis=2)
    shown = (signed >= STEP) & inside[..., None]
    clear = shown * (1 + np.clip(signed, 0, STRONG) * np.float32(STRENGTH / STRONG))
    known = inside.ravel().take(tries.places).sum(axis=0)
    total = clear.reshape(-1, clear.shape[2]).take(tries.places, axis=0).sum(axis=0)
    clearness = total / np.maximum(known, 1)[:, None]
    clearness[known < FEWEST] = 0.0
    clearness += OUTER / (2 * reach) * tries.shifts.sum(axis=1)[:, None]
    best, colour = np.unravel_index(int(clearness.argmax()), clearness.shape)
    seen = int(shown.reshape(-1, shown.shape[2])[tries.places[:, best], colour].sum())
    share = seen / float(known[best]) if known[best] >= FEWEST else float("nan")
    shift = tries.shifts[best] if share >= SEEN else np.zeros(2, np.float32)
    return np.stack([start, end]) + _normal(start, end) * shift[:, None], share


@dataclass(frozen=True, slots=True, eq=False)
class Tries:
    """All ways in which an edge may lie near a side: its ends are shifted by `shifts` (N, 2)
    pixels, and run through `places` (POINTS, N) of a flattened strip along the side."""

    shifts: Floats
    places: NDArray[np.intp]

    @classmethod
    def within(cls, reach: int) -> Self:
        """Every other pixel of as many to either side, at both ends."""
        steps = np.arange(-reach, reach + 1, 2)
        shifts = np.array(list(product(steps, steps)), np.float32)
        off = shifts[:, :1] * (1 - ALONG) + shifts[:, 1:] * ALONG
        rows = np.round(off).astype(np.intp) + reach
        return cls(shifts, np.ascontiguousarray((rows * POINTS + np.arange(POINTS)).T))


@lru_cache(maxsize=64)
def _tries(reach: int) -> Tries:
    """The same for all sides: a picture is looked at with one or two of them."""
    return Tries.within(reach)


def _rises(
    frame: Frame, start: Floats, end: Floats, reach: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """By how much the colours rise across a side, (2 reach + 1, POINTS, 3), along its normal, and
    where (2 reach + 1, POINTS) the picture shows that."""
    off = np.arange(-reach - HALF, reach + HALF + 1, dtype=np.float32)
    places = start + (end - start) * ALONG[None, :, None]
    places = places + _normal(start, end) * off[:, None, None]
    strip = cv2.remap(
        frame,
        np.ascontiguousarray(places[..., 0], np.float32),
        np.ascontiguousarray(places[..., 1], np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    even = cv2.blur(strip.astype(np.float32), (5, 1))
    limit = np.array((frame.shape[1] - HALF, frame.shape[0] - HALF), np.float32)
    inside = ((places >= HALF) & (places < limit)).all(axis=2)[HALF:-HALF]
    return np.asarray(even[2 * HALF :] - even[: -2 * HALF], np.float32), inside


def _normal(start: Floats, end: Floats) -> Floats:
    """The unit vector across a side, to its left as it is walked."""
    x, y = (end - start) / np.float32(max(float(np.linalg.norm(end - start)), 1e-6))
    return np.array([y, -x], np.float32)


def _crossing(one: Floats, other: Floats) -> Floats:
    """Where the lines through two pairs of points meet; the end of the first if they never do."""
    way, across = one[1] - one[0], other[1] - other[0]
    turn = float(way[0] * across[1] - way[1] * across[0])
    if abs(turn) < 1e-6:
        return np.asarray(one[1], np.float32)
    between = other[0] - one[0]
    step = float(between[0] * across[1] - between[1] * across[0]) / turn
    return np.asarray(one[0] + way * np.float32(step), np.float32)
