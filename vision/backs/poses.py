"""Where cards may lie on a sheet, many places at once, and which dots of it they hold there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells, Size
from vision.backs.sheet import Sheet, filled
from vision.picture.geometry import Floats

SAME = (5.0, 7.0)
"""Within how many dots and degrees two places are one card's. A choice;
`python -m tests.face_down` judges it."""
ANOTHER = (1.6, 180.0)
"""Within how many dots and degrees, any, two places around a card are as good as one. A choice;
`python -m tests.face_down` judges it."""
SHADE = 1.5
"""Dots beside a card's edge in which its shadow falls on the one below. A choice;
`python -m tests.face_down` judges it."""
BLURRED = 3.0
"""Dots beside a card's edge across which it is blurred. A choice: on drawn tables a white border
brightens two to three of those beside it."""

Bools = NDArray[np.bool_]
Dots = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points (N, K) on N cards: how far right and down on the sheet, in dots."""

    right: Floats
    down: Floats

    def dots(self, cells: NDArray[np.generic]) -> Dots:
        """Which dots of some cells (…, h, w) they fall into (N, K), counted in rows; beyond their
        rim the nearest."""
        high, wide = cells.shape[-2:]
        rows = np.clip(self.down, 0, high - 1).astype(np.int32)
        rows *= np.int32(wide)
        rows += np.clip(self.right, 0, wide - 1).astype(np.int32)
        return np.asarray(rows, np.int32)

    def of(self, cells: Cells) -> Cells:
        """The values (N, K) of some cells (h, w) there."""
        return np.asarray(cells.reshape(-1).take(self.dots(cells)), np.uint8)

    def beside(self, ways: Points, dots: float) -> Points:
        """The points this many dots along the `ways` (unit vectors) from these."""
        far = np.float32(dots)
        return Points(self.right + far * ways.right, self.down + far * ways.down)


@dataclass(slots=True, eq=False)
class Poses:
    """Places of cards on a `sheet`: `at` (N, 3), the middle in dots and the degrees clockwise, with
    the `sizes` (N, 2) in dots that cards have there."""

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
        """Each of them by itself."""
        return (self.chosen(slice(number, number + 1)) for number in range(len(self.at)))

    @property
    def size(self) -> Size:
        """The size of the first of them."""
        return float(self.sizes[0, 0]), float(self.sizes[0, 1])

    def chosen(self, which: NDArray[np.generic] | slice) -> Poses:
        """Some of them."""
        return Poses(self.sheet, self.sizes[which], self.at[which])

    def joined(self, others: Poses) -> Poses:
        """These and after them others of the same sheet."""
        sizes = np.concatenate([self.sizes, others.sizes])
        return Poses(self.sheet, sizes, np.concatenate([self.at, others.at]))

    def around(self, offsets: Floats) -> Poses:
        """Each moved by each of some `offsets` (M, 3), one card's places after another's."""
        at = (self.at[:, None] + offsets).reshape(-1, 3)
        return Poses(self.sheet, np.repeat(self.sizes, len(offsets), axis=0), at)

    def outlines(self) -> Floats:
        """The corners (N, 4, 2)."""
        found = self.places(CORNERS)
        return np.asarray(np.stack([found.right, found.down], 2), np.float32)

    def places(self, points: Floats) -> Points:
        """Points (K, 2) or (N, K, 2) on each card, in shares of its sides from its middle."""
        wide, high = self.sizes[:, :1], self.sizes[:, 1:]
        found = self._laid(points[..., 0] * wide, points[..., 1] * high)
        return Points(found.right + self.at[:, :1], found.down + self.at[:, 1:2])

    def turned(self, ways: Floats) -> Points:
        """Vectors on a card, (K, 2) or (N, K, 2), on each of the cards as it lies."""
        return self._laid(ways[..., 0], ways[..., 1])

    def _laid(self, across: Floats, along: Floats) -> Points:
        turns = np.radians(self.at[:, 2:])
        cosine, sine = (np.asarray(way, np.float32) for way in (np.cos(turns), np.sin(turns)))
        return Points(cosine * across - sine * along, sine * across + cosine * along)


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The dots (h, w) of a sheet over which nothing is known to lie: for a card's `border`, for its
    `face`, which the shadow of what lies over it darkens beside that, and those of it that are
    `clear` of what is blurred across."""

    border: Cells
    face: Cells
    clear: Cells

    @classmethod
    def beside(cls, sheet: Sheet, covers: Sequence[Floats], shade: float = SHADE) -> Bare:
        """What `covers` (4, 2) on the sheet leave in sight, with their `shade` in dots."""
        return cls(*(_left(sheet, covers, beside) for beside in (0.0, shade, BLURRED)))


def _left(sheet: Sheet, covers: Sequence[Floats], beside: float) -> Cells:
    """The dots that `covers` leave in sight that are so many dots larger all round."""
    cells = 1 - sheet.open_to
    for corners in covers:
        cells &= 1 - filled(cells.shape, grown(corners, beside))
    return cells


CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) / np.float32(2)
"""A card's corners (4, 2) in shares of its sides from its middle. Follows from their order."""


def distinct(
    poses: Poses, worth: Floats, most: int, within: tuple[float, float] = SAME
) -> NDArray[np.intp]:
    """Which (M,) are up to `most` of the best places, no two of which lie `within` so many dots and
    degrees of each other."""
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
    """The `most` places around each of some cards, moved by some of the `offsets` (M, 3), that are
    worth most; one card's places after another's. Each lies `ANOTHER` dots from the others."""
    near = cards.around(offsets)
    every = np.arange(len(near)).reshape(len(cards), -1)
    values = worth(near)
    found = (mine[distinct(near.chosen(mine), values[mine], most, ANOTHER)] for mine in every)
    return near.chosen(np.concatenate([*found]))


def pose(sheet: Sheet, outline: Floats, size: Size) -> Poses:
    """A card of a `size`, the short side first, where an `outline` (4, 2) clockwise on the sheet
    is."""
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
    """Points (K, 2) on a card, `step` dots apart, `inset` from its edges, in shares of its sides
    from its middle."""
    ways = (np.arange(inset - side / 2, side / 2 - inset, step) / side for side in size)
    return np.stack(np.meshgrid(*ways), 2).reshape(-1, 2).astype(np.float32)
