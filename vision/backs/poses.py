"""Many places where cards may lie on a sheet, and the dots of it that they occupy there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells, Size
from vision.backs.sheet import Sheet, filled
from vision.picture.geometry import Floats

SAME = (5.0, 7.0)
"""Distance in dots and in degrees within which two places are the same card's. A choice;
`python -m tests.face_down` judges it."""
ANOTHER = (1.6, 180.0)
"""Distance in dots and in degrees (any) within which two places around a card are equivalent. A
choice; `python -m tests.face_down` judges it."""
SHADE = 1.5
"""Width in dots, beside a card's edge, of its shadow on the card below. A choice;
`python -m tests.face_down` judges it."""
BLURRED = 3.0
"""Width in dots of the blur beside a card's edge. A choice: on drawn tables a white border
brightens the nearest two to three dots."""

AT_ONCE = 1024
"""Maximum number of places whose points are computed together. A choice: those of a whole heap took
a hundred megabytes.
"""

Bools = NDArray[np.bool_]
Dots = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points (N, K) on N cards: their coordinates right and down on the sheet, in dots."""

    right: Floats
    down: Floats

    def dots(self, cells: NDArray[np.generic]) -> Dots:
        """The row-major indices (N, K) of the dots of (…, h, w) cells that the points fall into.

        Points outside fall into the nearest dot.
        """
        high, wide = cells.shape[-2:]
        rows = np.clip(self.down, 0, high - 1).astype(np.int32)
        rows *= np.int32(wide)
        rows += np.clip(self.right, 0, wide - 1).astype(np.int32)
        return np.asarray(rows, np.int32)

    def of(self, cells: Cells) -> Cells:
        """The values (N, K) of cells (h, w) at these points."""
        return np.asarray(cells.reshape(-1).take(self.dots(cells)), np.uint8)

    def beside(self, ways: Points, dots: float) -> Points:
        """The points this many dots from these along the `ways` (unit vectors)."""
        far = np.float32(dots)
        return Points(self.right + far * ways.right, self.down + far * ways.down)


@dataclass(slots=True, eq=False)
class Poses:
    """Places of cards on a `sheet`.

    `at` (N, 3) is the centre in dots and the clockwise rotation in degrees; `sizes` (N, 2) are the
    cards' sizes in dots there.
    """

    sheet: Sheet
    sizes: Floats
    at: Floats

    @classmethod
    def of(cls, sheet: Sheet, size: Size, at: Floats) -> Poses:
        """Places of cards of one size."""
        return cls(sheet, np.tile(np.array(size, np.float32), (len(at), 1)), at)

    def __len__(self) -> int:
        return len(self.at)

    def __iter__(self) -> Iterator[Poses]:
        """Each place by itself."""
        return (self.chosen(slice(number, number + 1)) for number in range(len(self.at)))

    @property
    def size(self) -> Size:
        """The size at the first place."""
        return float(self.sizes[0, 0]), float(self.sizes[0, 1])

    def chosen(self, which: NDArray[np.generic] | slice) -> Poses:
        """Only these places."""
        return Poses(self.sheet, self.sizes[which], self.at[which])

    def parts(self) -> list[Poses]:
        """The same places, no more than `AT_ONCE` of them in a part, and one part at least."""
        starts = range(0, max(1, len(self)), AT_ONCE)
        return [self.chosen(slice(start, start + AT_ONCE)) for start in starts]

    def each(self, measured: Callable[[Poses], Floats]) -> Floats:
        """What is `measured` (N,) at each place, a part of them at once."""
        return np.asarray(np.concatenate([measured(some) for some in self.parts()]), np.float32)

    def around(self, offsets: Floats) -> Poses:
        """Each place moved by each of the `offsets` (M, 3), grouped by place."""
        at = (self.at[:, None] + offsets).reshape(-1, 3)
        return Poses(self.sheet, np.repeat(self.sizes, len(offsets), axis=0), at)

    def outlines(self) -> Floats:
        """The corners (N, 4, 2)."""
        found = self.places(CORNERS)
        return np.asarray(np.stack([found.right, found.down], 2), np.float32)

    def places(self, points: Floats) -> Points:
        """Points (K, 2) or (N, K, 2) on each card, given in shares of its sides from its centre."""
        wide, high = self.sizes[:, :1], self.sizes[:, 1:]
        found = self._laid(points[..., 0] * wide, points[..., 1] * high)
        return Points(found.right + self.at[:, :1], found.down + self.at[:, 1:2])

    def turned(self, ways: Floats) -> Points:
        """Vectors on a card, (K, 2) or (N, K, 2), rotated with each of the cards."""
        return self._laid(ways[..., 0], ways[..., 1])

    def _laid(self, across: Floats, along: Floats) -> Points:
        turns = np.radians(self.at[:, 2:])
        cosine, sine = (np.asarray(way, np.float32) for way in (np.cos(turns), np.sin(turns)))
        return Points(cosine * across - sine * along, sine * across + cosine * along)


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The dots (h, w) of a sheet over which nothing is known to lie.

    `border` is for a card's border; `face` leaves out what the shadow of a covering card darkens;
    `clear` also leaves out what its blurred edge affects.
    """

    border: Cells
    face: Cells
    clear: Cells

    @classmethod
    def beside(cls, sheet: Sheet, covers: Sequence[Floats], shade: float = SHADE) -> Bare:
        """What `covers` (4, 2) on the sheet leave visible, given their `shade` in dots."""
        return cls(*(_left(sheet, covers, beside) for beside in (0.0, shade, BLURRED)))


def _left(sheet: Sheet, covers: Sequence[Floats], beside: float) -> Cells:
    """The dots left visible by `covers` grown by `beside` dots all round."""
    cells = 1 - sheet.open_to
    for corners in covers:
        cells &= 1 - filled(cells.shape, grown(corners, beside))
    return cells


CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) / np.float32(2)
"""A card's corners (4, 2) in shares of its sides from its centre. Follows from their order."""


def counted(points: Bools) -> Dots:
    """How many (N,) of the points (N, K) on each card hold."""
    if not points.size:
        return np.zeros(len(points), np.int32)
    # A tenth of the time that NumPy takes to count along an axis.
    sums = cv2.reduce(points.view(np.uint8), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    return np.asarray(sums, np.int32).reshape(-1)


def joined(every: Sequence[Poses]) -> Poses:
    """Places on one sheet, one after the other."""
    sizes, at = ([getattr(some, name) for some in every] for name in ("sizes", "at"))
    return Poses(every[0].sheet, np.concatenate(sizes), np.concatenate(at))


def distinct(
    poses: Poses, worth: Floats, most: int, within: tuple[float, float] = SAME
) -> NDArray[np.intp]:
    """The indices (M,) of up to `most` of the best places, all at different positions.

    No two lie `within` this distance in dots and degrees of each other.
    """
    kept: list[int] = []
    left = np.argsort(-worth, kind="stable")
    while len(left) and len(kept) < most:
        kept.append(int(left[0]))
        across, down, turn = np.abs(poses.at[left] - poses.at[left[0]]).T
        turn %= 180
        near = (np.hypot(across, down) <= within[0]) & (np.minimum(turn, 180 - turn) <= within[1])
        left = left[~near]
    return np.array(kept, np.intp)


def best_around(
    cards: Poses, offsets: Floats, worth: Callable[[Poses], Floats], most: int
) -> Poses:
    """The `most` best places around each card, among those moved by `offsets` (M, 3).

    They are grouped by card, and lie at least `ANOTHER` dots from each other.
    """
    near = cards.around(offsets)
    every = np.arange(len(near)).reshape(len(cards), -1)
    values = near.each(worth)
    found = (mine[distinct(near.chosen(mine), values[mine], most, ANOTHER)] for mine in every)
    return near.chosen(np.concatenate([*found]))


def pose(sheet: Sheet, outline: Floats, size: Size) -> Poses:
    """A card of a `size`, short side first, in place of an `outline` (4, 2) on the sheet.

    The outline is clockwise.
    """
    ways = outline[1] - outline[0], outline[3] - outline[0]
    across = ways[0] if np.linalg.norm(ways[0]) <= np.linalg.norm(ways[1]) else -ways[1]
    turn = float(np.degrees(np.arctan2(across[1], across[0])))
    return Poses.of(sheet, size, np.array([(*outline.mean(axis=0), turn)], np.float32))


def grown(corners: Floats, dots: float) -> Floats:
    """An outline whose corners are this many dots farther out along both sides."""
    middle = corners.mean(axis=0)
    away = corners - middle
    lengths = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
    return np.asarray(middle + away * (1 + np.float32(dots * np.sqrt(2)) / lengths), np.float32)


def grid(size: Size, inset: float, step: float) -> Floats:
    """Points (K, 2) on a card in shares of its sides from its centre.

    They are `step` dots apart and `inset` dots from its edges.
    """
    ways = (np.arange(inset - side / 2, side / 2 - inset, step) / side for side in size)
    return np.stack(np.meshgrid(*ways), 2).reshape(-1, 2).astype(np.float32)
