"""Straight edges in the picture, like a card's sides.

The finder's maps have cells four pixels wide and hold what it believes; a card's sides are in the
picture itself, to the pixel, and no texture has four of them in a card's proportions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
SIDES, NEXT = np.arange(4), np.array((1, 2, 3, 0))
"""The sides of an outline, and the corner at which each of them ends. Follows from having four."""
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


ASKEW_DEG = 6.0
"""Largest angle between opposite sides of a card in the picture. A choice: of 650 drawn backs 99 %
had at most 2.4, as much as a tilt of 30 degrees makes at 0.7 m; outlines that took a side of the
card below for one of their own had 8.7 and 9.5. `python -m tests.face_down trick turned` judges it.
"""


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
    lines, shares = _edges(frame, corners, reach, hidden)
    snapped = [_crossing(lines[side - 1], lines[side]) for side in range(4)]
    return Framed(np.asarray(snapped, np.float32), shares)


def even_sided(corners: Floats) -> bool:
    """Whether the opposite sides of an outline (4, 2) are as parallel as a card's in a picture."""
    ways = corners[NEXT] - corners
    angles = np.degrees(np.arctan2(ways[:, 1], ways[:, 0]))
    apart = (angles[:2] - angles[2:] + 90) % 180 - 90
    return bool(np.abs(apart).max() <= ASKEW_DEG)


def edged(frame: Frame, corners: Floats, reach: int, hidden: NDArray[np.bool_]) -> float:
    """The share of an outline's visible points that show an edge within `reach` pixels.

    Points may be `hidden` (4, POINTS); zero if all are hidden or beyond the picture.
    """
    _, shares = _edges(frame, corners, reach, hidden)
    known = (~hidden).sum(axis=1).astype(np.float32)
    known[np.isnan(shares)] = 0
    return float((np.nan_to_num(shares) * known).sum() / max(float(known.sum()), 1.0))


def hidden_under(corners: Floats, covers: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which points (4, POINTS) of an outline lie under the outlines in `covers`."""
    hidden = np.zeros((4, POINTS), np.bool_)
    points = points_along(corners)
    for cover in touching(corners, covers):
        hidden |= inside(points.reshape(-1, 2), cover).reshape(4, POINTS)
    return hidden


def touching(corners: Floats, covers: Sequence[Floats]) -> Iterator[Floats]:
    """Those of the `covers` whose upright boxes meet that of the outline `corners`, or nearly."""
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    for cover in covers:
        across, down = cover.T.tolist()
        beside = min(across) > right + 1 or max(across) < left - 1
        if not beside and min(down) <= bottom + 1 and max(down) >= top - 1:
            yield cover


def points_along(corners: Floats) -> Floats:
    """The points (4, POINTS, 2) of an outline's sides at which edges are searched for."""
    ways = corners[NEXT] - corners
    return np.asarray(corners[:, None] + ways[:, None] * ALONG[:, None], np.float32)


def inside(points: Floats, corners: Floats) -> NDArray[np.bool_]:
    """Which of the points (N, 2) lie inside a convex outline given clockwise as seen."""
    ways = corners[NEXT] - corners
    off = points[None] - corners[:, None]
    turns = ways[:, None, 0] * off[..., 1] - ways[:, None, 1] * off[..., 0]
    return np.asarray((turns > 0).all(axis=0) | (turns < 0).all(axis=0), np.bool_)


def _edges(
    frame: Frame, corners: Floats, reach: int, hidden: NDArray[np.bool_] | None
) -> tuple[Floats, Floats]:
    """The ends (4, 2, 2) of the clearest edge near each side, and the share (4,) that shows it."""
    starts, ends = corners, corners[NEXT]
    normals = _normals(starts, ends)
    rises, inside = _rises(frame, starts, ends, normals, reach)
    if hidden is not None:
        inside &= ~hidden[:, None]
    tries = _tries(reach)
    # One colour is enough, and an edge rises or falls along its whole length.
    signed = np.concatenate([rises, -rises], axis=3)
    shown = (signed >= STEP) & inside[..., None]
    clear = shown * (1 + np.clip(signed, 0, STRONG) * np.float32(STRENGTH / STRONG))
    known = inside.reshape(4, -1).take(tries.places, axis=1).sum(axis=1)
    total = clear.reshape(4, -1, clear.shape[3]).take(tries.places, axis=1).sum(axis=1)
    clearness = total / np.maximum(known, 1)[..., None]
    clearness[known < FEWEST] = 0.0
    clearness += OUTER / (2 * reach) * tries.shifts.sum(axis=1)[:, None]
    best, colours = np.divmod(clearness.reshape(4, -1).argmax(axis=1), clearness.shape[2])
    along = tries.places[:, best].T
    seen = shown.reshape(4, -1, shown.shape[3])[SIDES[:, None], along, colours[:, None]].sum(axis=1)
    there = known[SIDES, best]
    shares = np.where(there >= FEWEST, seen / np.maximum(there, 1), np.nan).astype(np.float32)
    shifts = np.where((shares >= SEEN)[:, None], tries.shifts[best], np.float32(0))
    sides = np.stack([starts, ends], axis=1)
    return sides + normals[:, None] * shifts[..., None], shares


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
    frame: Frame, starts: Floats, ends: Floats, normals: Floats, reach: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """How much each colour rises across the sides, (4, 2 reach + 1, POINTS, 3), along the normals.

    Also where (4, 2 reach + 1, POINTS) the picture shows that.
    """
    off = np.arange(-reach - HALF, reach + HALF + 1, dtype=np.float32)
    points = starts[:, None] + (ends - starts)[:, None] * ALONG[:, None]
    places = points[:, None] + normals[:, None, None] * off[:, None, None]
    rows = places.reshape(-1, POINTS, 2)  # one strip below the other, as blurring is along a side
    strips = cv2.remap(
        frame,
        np.ascontiguousarray(rows[..., 0], np.float32),
        np.ascontiguousarray(rows[..., 1], np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    even = cv2.blur(strips.astype(np.float32), (5, 1)).reshape(4, len(off), POINTS, -1)
    limit = np.array((frame.shape[1] - HALF, frame.shape[0] - HALF), np.float32)
    inside = ((places >= HALF) & (places < limit)).all(axis=3)[:, HALF:-HALF]
    return np.asarray(even[:, 2 * HALF :] - even[:, : -2 * HALF], np.float32), inside


def _normals(starts: Floats, ends: Floats) -> Floats:
    """The unit vectors (4, 2) across the sides, to the left when walking along them."""
    ways = ends - starts
    lengths = np.maximum(np.linalg.norm(ways, axis=1), np.float32(1e-6))
    return np.asarray(np.stack([ways[:, 1], -ways[:, 0]], axis=1) / lengths[:, None], np.float32)


def _crossing(one: Floats, other: Floats) -> Floats:
    """The intersection of the lines through two pairs of points; the first's end if parallel."""
    way, across = one[1] - one[0], other[1] - other[0]
    turn = float(way[0] * across[1] - way[1] * across[0])
    if abs(turn) < 1e-6:
        return np.asarray(one[1], np.float32)
    between = other[0] - one[0]
    step = float(between[0] * across[1] - between[1] * across[0]) / turn
    return np.asarray(one[0] + way * np.float32(step), np.float32)
