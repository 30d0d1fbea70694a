"""Straight edges in the picture, like a card's sides.

The finder's maps have cells four pixels wide and hold what it believes; a card's sides are in the
picture itself, to the pixel, and no texture has four of them in a card's proportions.
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
"""Minimum difference in levels, in one colour, between the sides of an edge. On even ground with
sensor noise of three levels, smoothed as here, fewer than one point in a thousand reach it.
Measured by `python -m tests.thresholds`."""
POINTS = 40
"""Points along a side at which an edge is searched for. A choice; `python -m tests.face_down`
judges it."""
ENDS = 0.12
"""Share left out at either end of a side for the rounded corner. A choice;
`python -m tests.face_down` judges it."""
ALONG = np.linspace(ENDS, 1 - ENDS, POINTS, dtype=np.float32)
"""Positions of those points, as shares of a side. Follows from both."""
HALF = 2
"""Pixels compared on either side of an edge: a blurred edge is three or four wide. A choice;
`python -m tests.face_down` judges it."""
STRONG, STRENGTH = 100.0, 0.1
"""Rise in levels at which an edge counts most, and how much more that is than one barely seen. A
choice; `python -m tests.face_down` judges it."""
OUTER = 0.1
"""Bonus for lying farther out by the whole reach: a back's white border has two edges. A choice;
`python -m tests.face_down` judges it."""
SEEN = 0.85
"""Minimum share of a side's points that must show the edge: a chip or a glass may hide the rest. A
choice; `python -m tests.face_down` judges it."""
FEWEST = 8
"""Minimum number of a side's points inside the picture: with fewer, the side counts as lying beyond
it. A choice; `python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Framed:
    """An outline whose sides were searched for in the picture.

    Its `corners` (4, 2) are on the edges found; `shares` (4,) is the share of each side, starting
    at the first corner, that shows an edge. Points beyond the picture do not count; a side that is
    beyond it has the share NaN.
    """

    corners: Floats
    shares: Floats

    @property
    def whole(self) -> bool:
        """Whether all four sides are edges, or three are and the fourth is not visible."""
        beyond = np.isnan(self.shares)
        return bool(((self.shares >= SEEN) | beyond).all()) and int(beyond.sum()) <= 1


def framed(
    frame: Frame, corners: Floats, reach: int, hidden: NDArray[np.bool_] | None = None
) -> Framed:
    """The outline with these `corners` (4, 2), clockwise, moved onto the edges near its sides.

    An edge is searched for up to `reach` pixels inside and outside each side, rotated as far as
    that allows. A side without an edge stays where it is. Points of the outline covered by
    something are `hidden` (4, POINTS), and do not count, like those beyond the picture.
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
    """The share of an outline's visible points that show an edge within `reach` pixels.

    Points may be `hidden` (4, POINTS); zero if all are hidden or beyond the picture.
    """
    shares = framed(frame, corners, reach, hidden).shares
    known = (~hidden).sum(axis=1).astype(np.float32)
    known[np.isnan(shares)] = 0
    return float((np.nan_to_num(shares) * known).sum() / max(float(known.sum()), 1.0))


def hidden_under(corners: Floats, covers: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which points (4, POINTS) of an outline lie under the outlines in `covers`."""
    hidden = np.zeros((4, POINTS), np.bool_)
    points = points_along(corners)
    for cover in covers:
        hidden |= inside(points.reshape(-1, 2), cover).reshape(4, POINTS)
    return hidden


def points_along(corners: Floats) -> Floats:
    """The points (4, POINTS, 2) of an outline's sides at which edges are searched for."""
    ends = np.roll(corners, -1, axis=0)
    return np.asarray(corners[:, None] + (ends - corners)[:, None] * ALONG[:, None], np.float32)


def inside(points: Floats, corners: Floats) -> NDArray[np.bool_]:
    """Which of the points (N, 2) lie inside a convex outline given clockwise as seen."""
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
    # One colour is enough, and an edge rises or falls along its whole length.
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
    """All ways in which an edge may lie near a side.

    Its ends are shifted by `shifts` (N, 2) pixels; it runs through `places` (POINTS, N) of a
    flattened strip along the side.
    """

    shifts: Floats
    places: NDArray[np.intp]

    @classmethod
    def within(cls, reach: int) -> Self:
        """Every second pixel up to `reach` on either side, at both ends."""
        steps = np.arange(-reach, reach + 1, 2)
        shifts = np.array(list(product(steps, steps)), np.float32)
        off = shifts[:, :1] * (1 - ALONG) + shifts[:, 1:] * ALONG
        rows = np.round(off).astype(np.intp) + reach
        return cls(shifts, np.ascontiguousarray((rows * POINTS + np.arange(POINTS)).T))


@lru_cache(maxsize=64)
def _tries(reach: int) -> Tries:
    """The tries for any side, cached: one picture uses only one or two values of `reach`."""
    return Tries.within(reach)


def _rises(
    frame: Frame, start: Floats, end: Floats, reach: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """How much each colour rises across a side, (2 reach + 1, POINTS, 3), along its normal.

    Also where (2 reach + 1, POINTS) the picture shows that.
    """
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
    """The unit vector across a side, to the left when walking along it."""
    x, y = (end - start) / np.float32(max(float(np.linalg.norm(end - start)), 1e-6))
    return np.array([y, -x], np.float32)


def _crossing(one: Floats, other: Floats) -> Floats:
    """The intersection of the lines through two pairs of points; the first's end if parallel."""
    way, across = one[1] - one[0], other[1] - other[0]
    turn = float(way[0] * across[1] - way[1] * across[0])
    if abs(turn) < 1e-6:
        return np.asarray(one[1], np.float32)
    between = other[0] - one[0]
    step = float(between[0] * across[1] - between[1] * across[0]) / turn
    return np.asarray(one[0] + way * np.float32(step), np.float32)
