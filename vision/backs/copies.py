"""Backs over each other, looked for as copies of the uppermost one.

Backs of one deck look alike. Where the uppermost card of a heap is known by its edges, the others
are its copies, of its size and its print: each place is tried at which a card covers nothing but
the heap and what may hide it, and one of them is right if what is in sight there has the print and
the edges of a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells
from vision.backs.sheet import Sheet, filled
from vision.picture.geometry import Floats

TURNS = tuple(float(turn) for turn in range(0, 180, 5))
"""Degrees by which a card may be turned that are tried at first. A choice;
`python -m tests.face_down` judges it."""
STRIDE = 3
"""Dots between places that are tried at first. A choice; `python -m tests.face_down` judges it."""
COVERED = 0.95
"""The share of a card that must lie on the heap or be hidden. A choice;
`python -m tests.face_down` judges it."""
RISE = 5.0
"""Levels by which an edge rises over two dots, in one colour. A choice;
`python -m tests.face_down` judges it."""
STEEP = 60.0
"""Levels over two dots beyond which an edge is no clearer. A choice; `python -m tests.face_down`
judges it."""
APART, CLOSE, DENSE = 6.0, 5.0, 3.0
"""Dots between the points at which a card's print is compared: at every place, at one that is
looked at closely, and at one that is told. A choice; `python -m tests.face_down` judges it."""
ALONG = 0.09
"""What is left out at either end of a side, a share of it: the rounded corner. A choice;
`python -m tests.face_down` judges it."""
TOLERANCE = 8.0
"""Levels by which a print may differ from the uppermost card's around the same dot: of cards that
lie where they are drawn, nine dots in ten differ by four and less. A choice;
`python -m tests.face_down` judges it."""
INSET = 2.5
"""Dots along a card's edge that are left out of its print: the table shows there. A choice;
`python -m tests.face_down` judges it."""
SHADE = 1.5
"""Dots beside a card's edge in which its shadow falls on the one below. A choice;
`python -m tests.face_down` judges it."""

OUTWARD = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], np.float32)
"""Away from a card's sides, from the upper one on. Follows from the order of its corners."""
BESIDE = 3.0
"""Dots beyond a side where the heap ends, if the side is on its outline. A choice;
`python -m tests.face_down` judges it."""
SAME = (5.0, 7.0)
"""Within how many dots and degrees two places are one card's. A choice;
`python -m tests.face_down` judges it."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points (N, K) on N cards: how far right and down on the sheet, in dots."""

    right: Floats
    down: Floats

    def dots(self, cells: NDArray[np.generic]) -> NDArray[np.intp]:
        """Which dots of some cells (…, h, w) they fall into (N, K), counted in rows; beyond their
        rim the nearest."""
        high, wide = cells.shape[-2:]
        rows = _within(self.down, high)
        rows *= wide
        rows += _within(self.right, wide)
        return rows

    def of(self, cells: Cells) -> Cells:
        """The values (N, K) of some cells (h, w) there."""
        return np.asarray(cells.reshape(-1).take(self.dots(cells)), np.uint8)

    def beside(self, ways: Points, dots: float) -> Points:
        """The points this many dots along the `ways` (unit vectors) from these."""
        far = np.float32(dots)
        return Points(self.right + far * ways.right, self.down + far * ways.down)


@dataclass(slots=True, eq=False)
class Poses:
    """Places of cards of a `size` in dots on a `sheet`: `at` (N, 3), the middle and the degrees."""

    sheet: Sheet
    size: tuple[float, float]
    at: Floats

    def chosen(self, which: NDArray[np.generic]) -> Poses:
        """Some of them."""
        return Poses(self.sheet, self.size, self.at[which])

    def outlines(self) -> Floats:
        """The corners (N, 4, 2)."""
        found = self.places(corners_of(self.size))
        return np.asarray(np.stack([found.right, found.down], 2), np.float32)

    def places(self, points: Floats) -> Points:
        """Points (K, 2) from a card's middle on each of the cards."""
        found = self.turned(points)
        return Points(found.right + self.at[:, :1], found.down + self.at[:, 1:2])

    def turned(self, points: Floats) -> Points:
        """Vectors (K, 2) on a card, on each of the cards as it lies."""
        turns = np.radians(self.at[:, 2:])
        cosine, sine = np.cos(turns), np.sin(turns)
        across, along = points.T.astype(np.float32)
        return Points(cosine * across - sine * along, sine * across + cosine * along)


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The dots (h, w) of a sheet over which nothing is known to lie: for a card's `border`, and for
    its `face`, which the shadow of what lies over it darkens beside that."""

    border: Cells
    face: Cells

    @classmethod
    def beside(cls, sheet: Sheet, covers: Sequence[Floats], shade: float = SHADE) -> Bare:
        """What `covers` (4, 2) on the sheet leave in sight, with their `shade` in dots."""
        border = 1 - sheet.open_to
        face = border.copy()
        for corners in covers:
            border &= 1 - filled(border.shape, corners)
            face &= 1 - filled(border.shape, grown(corners, shade))
        return cls(border, face)


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The points along the sides of N cards: how steeply the picture rises across each (N, K), and
    whether it is `bare` (N, K), with nothing that may lie over it, and on the `outer` border (N, K)
    of the heap."""

    steep: Floats
    bare: Bools
    outer: Bools
    counts: tuple[int, int]

    @property
    def shares(self) -> Floats:
        """The share (N,) of what is bare that shows an edge."""
        seen = ((self.steep >= RISE) & self.bare).sum(axis=1)
        return np.asarray(seen / np.maximum(self.bare.sum(axis=1), 1), np.float32)

    @property
    def bordered(self) -> Floats:
        """The share (N,) of what is bare that runs along the border of the heap."""
        along = (self.outer & self.bare).sum(axis=1)
        return np.asarray(along / np.maximum(self.bare.sum(axis=1), 1), np.float32)

    @property
    def each(self) -> Floats:
        """The same for each of the four sides (N, 4); NaN where hardly any of it is bare."""
        ends = np.cumsum([0, *self.counts, *self.counts])
        found = []
        for start, end in pairwise(ends):
            bare = self.bare[:, start:end]
            seen = (self.steep[:, start:end] >= RISE) & bare
            count = bare.sum(axis=1)
            share = seen.sum(axis=1) / np.maximum(count, 1)
            found.append(np.where(count >= 4, share, np.nan))
        return np.asarray(np.stack(found, 1), np.float32)

    def strength(self) -> Floats:
        """How steep the edges are in the mean (N,), 0..1."""
        level = np.minimum(self.steep, STEEP) * self.bare
        return np.asarray(
            level.sum(axis=1) / np.maximum(self.bare.sum(axis=1), 1) / STEEP, np.float32
        )


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The uppermost card's print: the lowest and the highest levels (3, h, w) around each dot."""

    low: Floats
    high: Floats


def everywhere(sheet: Sheet, size: tuple[float, float]) -> Poses:
    """All places at which a card covers nothing but the sheet's heap and what may hide it."""
    base = np.maximum(sheet.heap, sheet.open_to)
    base = np.asarray(cv2.dilate(base, np.ones((3, 3), np.uint8)), np.uint8)
    high, wide = base.shape
    across = int(np.hypot(high, wide)) + 2
    window = int(size[0]) - 3, int(size[1]) - 3
    tried = np.zeros((across, across), np.bool_)
    tried[::STRIDE, ::STRIDE] = True
    found = [np.zeros((0, 3), np.float32)]
    for turn in TURNS:
        way = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, 1.0)
        way[:, 2] += (across / 2 - wide / 2, across / 2 - high / 2)
        turned = cv2.warpAffine(base * np.float32(1), way, (across, across))
        share = cv2.boxFilter(turned, -1, window, borderType=cv2.BORDER_CONSTANT)
        rows, columns = np.nonzero((share >= COVERED) & tried)
        back = cv2.invertAffineTransform(way)
        middles = np.stack([columns, rows], 1) @ back[:, :2].T + back[:, 2] + 0.5
        found.append(np.concatenate([middles, np.full((len(rows), 1), turn)], 1))
    return Poses(sheet, size, np.concatenate(found).astype(np.float32))


def sides_of(
    poses: Poses,
    bare: Bare,
    counts: tuple[int, int] = (9, 13),
    offsets: Sequence[float] = (-1.0, 0.0, 1.0),
) -> Sides:
    """What the picture shows along the sides of cards, as far as they are `bare`.

    At `counts` points along the short and the long sides, an edge is looked for at some `offsets`
    in dots from where it has to be.
    """
    corners = corners_of(poses.size)
    points, ways = [], []
    for side in range(4):
        along = np.linspace(ALONG, 1 - ALONG, counts[side % 2], dtype=np.float32)[:, None]
        points.append(corners[side] + (corners[(side + 1) % 4] - corners[side]) * along)
        ways.append(np.repeat(OUTWARD[side : side + 1], len(along), axis=0))
    at, out = poses.places(np.concatenate(points)), poses.turned(np.concatenate(ways))
    shown = at.of(bare.border) > 0
    steep = np.zeros(shown.shape, np.float32)
    for offset in offsets:
        dots = at.beside(out, offset).dots(poses.sheet.heap)
        for right, down in zip(*poses.sheet.rises, strict=True):
            rise = right.reshape(-1).take(dots) * out.right + down.reshape(-1).take(dots) * out.down
            np.maximum(steep, np.abs(rise), out=steep)
    beyond = at.beside(out, BESIDE)
    outer = (beyond.of(poses.sheet.heap) == 0) & (beyond.of(poses.sheet.open_to) == 0)
    return Sides(steep, shown, outer, counts)


def pattern_of(poses: Poses, reach: int = 1) -> Pattern:
    """The print of the first of the cards, as it is up to `reach` dots around each dot."""
    wide, high = round(poses.size[0]), round(poses.size[1])
    dots = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), 2).reshape(-1, 2) + 0.5
    points = np.asarray(dots - np.array(poses.size) / 2, np.float32)
    places = poses.chosen(np.arange(1)).places(points)
    right, down = (np.asarray(way.reshape(high, wide)) for way in (places.right, places.down))
    levels = np.ascontiguousarray(poses.sheet.levels.transpose(1, 2, 0))
    shown = cv2.remap(levels, right - 0.5, down - 0.5, cv2.INTER_LINEAR)
    around = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    low, most = cv2.erode(shown, around), cv2.dilate(shown, around)
    hidden = places.of(poses.sheet.open_to).reshape(high, wide) > 0
    low[hidden], most[hidden] = 0, 255
    return Pattern(_planes(low), _planes(most))


def printed_alike(
    poses: Poses, pattern: Pattern, bare: Bare, step: float = APART
) -> tuple[Floats, Floats]:
    """The share (N,) of what is in sight of cards that shows the pattern, and which share of each
    that is, at points `step` dots apart."""
    points = grid(poses.size, INSET, step)
    seen, ways = _alike(poses, pattern, bare, points)
    best = np.maximum(*(alike.sum(axis=1) for alike in ways))
    count = np.maximum(seen.sum(axis=1), 1)
    return np.asarray(best / count, np.float32), np.asarray(seen.mean(axis=1), np.float32)


def symmetry(top: Poses, pattern: Pattern, bare: Bare) -> float:
    """The share of the uppermost card that shows its own `pattern` turned half round, as backs do:
    where another card's border runs through what is taken for one, its print does not."""
    seen, (_, turned) = _alike(top, pattern, bare, grid(top.size, INSET, DENSE))
    return float(turned[0].sum() / max(int(seen[0].sum()), 1))


def _alike(
    poses: Poses, pattern: Pattern, bare: Bare, points: Floats
) -> tuple[Bools, tuple[Bools, Bools]]:
    """Which of some points (K, 2) of cards are in sight (N, K), and which of those show the pattern
    as it is and turned half round."""
    places = poses.places(points)
    seen, dots = places.of(bare.face) > 0, places.dots(bare.face)
    shown = [plane.reshape(-1).take(dots) for plane in poses.sheet.levels]
    half = np.array(poses.size, np.float32) / 2
    found = []
    for way in (half + points, half - points):
        printed, alike = Points(*way.T).dots(pattern.low), seen.copy()
        for levels, low, high in zip(shown, pattern.low, pattern.high, strict=True):
            alike &= levels > low.reshape(-1).take(printed) - np.float32(TOLERANCE)
            alike &= levels < high.reshape(-1).take(printed) + np.float32(TOLERANCE)
        found.append(alike)
    return seen, (found[0], found[1])


def held(poses: Poses, cells: Cells, step: float = APART) -> Floats:
    """The share (N,) of each card that lies on some cells of the sheet."""
    places = poses.places(grid(poses.size, step / 2, step))
    return np.asarray(places.of(cells).mean(axis=1), np.float32)


def distinct(poses: Poses, worth: Floats, most: int) -> list[Poses]:
    """Up to `most` of the best cards, no two of which lie in the same place."""
    kept: list[Floats] = []
    left = np.argsort(-worth)
    while len(left) and len(kept) < most:
        one = poses.at[left[0]]
        kept.append(one)
        turn = np.abs(poses.at[left, 2] - one[2]) % 180
        near = np.hypot(*(poses.at[left, :2] - one[:2]).T) <= SAME[0]
        left = left[~(near & (np.minimum(turn, 180 - turn) <= SAME[1]))]
    return [Poses(poses.sheet, poses.size, one[None]) for one in kept]


def _within(places: Floats, side: int) -> NDArray[np.intp]:
    """Places along a side in whole dots, those beyond it at its end."""
    held = np.maximum(places, np.float32(0))
    return np.minimum(held, np.float32(side - 1), out=held).astype(np.intp)


def grown(corners: Floats, dots: float) -> Floats:
    """An outline whose corners are this many dots farther out along both sides."""
    middle = corners.mean(axis=0)
    away = corners - middle
    lengths = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
    return np.asarray(middle + away * (1 + np.float32(dots * np.sqrt(2)) / lengths), np.float32)


def corners_of(size: tuple[float, float]) -> Floats:
    """A card's corners (4, 2) from its middle."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) / 2
    return np.asarray(corners * np.array(size, np.float32), np.float32)


def grid(size: tuple[float, float], inset: float, step: float) -> Floats:
    """Points (K, 2) from a card's middle, `step` dots apart, `inset` from its edges."""
    ways = (np.arange(inset - side / 2, side / 2 - inset, step) for side in size)
    return np.stack(np.meshgrid(*ways), 2).reshape(-1, 2).astype(np.float32)


def _planes(levels: NDArray[np.generic]) -> Floats:
    """Levels (h, w, 3) as a plane for each colour (3, h, w)."""
    return np.ascontiguousarray(levels.transpose(2, 0, 1), np.float32)
