"""Backs over each other, looked for as copies of the uppermost one.

Backs of one deck look alike. Where the uppermost card of a heap is known by its edges, the others
are its copies, of its size and its print: each place is tried at which a card covers nothing but
the heap and what may hide it, and one of them is right if what is in sight there has the print and
the edges of a card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells, Size
from vision.backs.poses import Bare, Bools, Dots, Poses, grid
from vision.backs.sheet import Sheet
from vision.picture.geometry import Floats

TURNS = tuple(float(turn) for turn in range(0, 180, 5))
"""Degrees by which a card may be turned that are tried at first. A choice;
`python -m tests.face_down` judges it."""
STRIDE = 3
"""Dots between places that are tried at first. A choice; `python -m tests.face_down` judges it."""
COVERED = 0.95
"""The share of a card that must lie on the heap or be hidden. A choice;
`python -m tests.face_down` judges it."""
BEYOND = 0.3
"""The share of a card that may lie beyond the picture. Follows from how much of one must be in
sight for it to be told (`several.IN_SIGHT`), with the error of its place."""
WITHIN = 3
"""Dots by which a card is narrower, and shorter, of which that share is taken: the heap's border is
soft. A choice; `python -m tests.face_down` judges it."""
APART, CLOSE, DENSE = 6.0, 5.0, 3.0
"""Dots between the points at which a card's print is compared: at every place, at one that is
looked at closely, and at one that is told. A choice; `python -m tests.face_down` judges it."""
TOLERANCE = 7
"""Levels by which a print may differ from the uppermost card's around the same dot: of cards that
lie where they are drawn, nine dots in ten differ by four and less. A choice;
`python -m tests.face_down` judges it."""
MOSTLY = 0.6
"""The share of what is in sight of a card's face from which that will do which is clear of what is
blurred across. A choice; `python -m tests.face_down` judges it."""
MOST, USUAL = 12.0, (98.0, 90.0)
"""The most levels that are tolerated, and which shares (percent) of a card tell how many: the
second as a card's that is laid right, of which no line is taken for the one beside it. A choice;
`python -m tests.face_down` judges it."""
RIM = 3
"""Dots along a card's edge that do not count for that. Follows from `INSET`."""
INSET = 2.5
"""Dots along a card's edge that are left out of its print: the table shows there. A choice;
`python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The uppermost card's print: the lowest and the highest levels (3, h, w) around each dot, and
    by how many levels others of its deck may differ from these."""

    low: Cells
    high: Cells
    tolerance: int = TOLERANCE

    @classmethod
    def of(cls, top: Poses, reach: int = 1) -> Pattern:
        """The print of the first of some cards, as it is up to `reach` dots around each dot."""
        wide, high = round(top.size[0]), round(top.size[1])
        places = next(iter(top)).places(all_dots(wide, high))
        right, down = (way.reshape(high, wide) - 0.5 for way in (places.right, places.down))
        levels = np.ascontiguousarray(top.sheet.planes.transpose(1, 2, 0))
        shown = cv2.remap(levels, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        around = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
        low, most = cv2.erode(shown, around), cv2.dilate(shown, around)
        hidden = places.of(top.sheet.open_to).reshape(high, wide) > 0
        low[hidden], most[hidden] = 0, 255
        found = cls(_planes(low), _planes(most))
        return replace(found, tolerance=_tolerance(found, _planes(shown)))

    def at(self, points: Floats) -> tuple[Cells, Cells]:
        """The lowest and the highest levels (3, K) at points (K, 2) in shares of a card's sides
        from its middle."""
        high, wide = self.low.shape[1:]
        columns, rows = (np.clip(points + 0.5, 0, 1 - 1e-6) * (wide, high)).astype(np.intp).T
        return self.low[:, rows, columns], self.high[:, rows, columns]


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """How N cards compare with a print, whatever lies over them: into which dots the points that
    are compared fall (N, K), and which of them show it as it is and turned half round (N, K)."""

    dots: Dots
    upright: Bools
    turned: Bools

    @classmethod
    def of(cls, poses: Poses, pattern: Pattern, step: float = APART) -> Faces:
        """The faces of cards at some places, at points `step` dots apart."""
        points = grid(poses.size, INSET, step)
        dots = poses.places(points).dots(poses.sheet.heap)
        shown = [plane.reshape(-1).take(dots) for plane in poses.sheet.planes]
        return cls(dots, _alike(shown, pattern, points), _alike(shown, pattern, -points))

    def chosen(self, which: NDArray[np.generic]) -> Faces:
        """Those of some of the cards."""
        return Faces(self.dots[which], self.upright[which], self.turned[which])

    def beside(self, bare: Bare) -> tuple[Floats, Floats]:
        """The share (N,) of what is in sight of each that shows the print, and which share of the
        card that is. Only what is clear of blur is compared, if it is most of that."""
        seen, clear = self.on(bare.face), self.on(bare.clear)
        sight = np.count_nonzero(seen, axis=1)
        most = np.count_nonzero(clear, axis=1) >= MOSTLY * sight
        seen[most] = clear[most]
        count = np.maximum(np.count_nonzero(seen, axis=1), 1)
        alike = (np.count_nonzero(way & seen, axis=1) for way in (self.upright, self.turned))
        shares = np.maximum(*alike) / count
        return np.asarray(shares, np.float32), np.asarray(sight / seen.shape[1], np.float32)

    def held(self, cells: Cells) -> Floats:
        """The share (N,) of each card that lies on some cells of the sheet."""
        return np.asarray(np.count_nonzero(self.on(cells), axis=1) / self.dots.shape[1], np.float32)

    def on(self, cells: Cells) -> Bools:
        """Which of the points (N, K) lie on some cells of the sheet."""
        return np.asarray(cells.reshape(-1).take(self.dots) > 0, np.bool_)


def everywhere(sheet: Sheet, size: Size) -> Poses:
    """All places at which a card covers nothing but the sheet's heap and what may hide it, and lies
    mostly in the picture."""
    base = cv2.dilate(sheet.heap | sheet.open_to, np.ones((3, 3), np.uint8))
    # A card's share of it is taken on cells as large as the steps between places.
    high, wide = (-(-side // STRIDE) for side in base.shape)
    padded = cv2.copyMakeBorder(base, 0, high * STRIDE - base.shape[0], 0,
                                wide * STRIDE - base.shape[1], cv2.BORDER_CONSTANT)  # fmt: skip
    shares = np.asarray(padded, np.float32).reshape(high, STRIDE, wide, STRIDE).mean(axis=(1, 3))
    found = [np.zeros((0, 3), np.float32), *_covering(shares.astype(np.float32), size)]
    places = Poses.of(sheet, size, np.concatenate(found).astype(np.float32))
    return places.chosen(held(places, sheet.beyond) <= BEYOND) if sheet.beyond.any() else places


def _covering(shares: Floats, size: Size) -> Iterator[Floats]:
    """The places (N, 3) at which a card is covered by some cells `STRIDE` dots wide, of which these
    `shares` (h, w) are."""
    high, wide = shares.shape
    across = int(np.hypot(high, wide)) + 2
    window = [round((side - WITHIN) / STRIDE) for side in size]
    for turn in TURNS:
        way = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, 1.0)
        way[:, 2] += (across / 2 - wide / 2, across / 2 - high / 2)
        turned = cv2.warpAffine(shares, way, (across, across))
        held = cv2.boxFilter(turned, -1, window, borderType=cv2.BORDER_CONSTANT)
        rows, columns = np.nonzero(held >= COVERED)
        # Of an even number of cells the middle lies between two.
        places = np.stack([columns, rows], 1) + 0.5 * (np.array(window) % 2 - 1)
        back = cv2.invertAffineTransform(way)
        if len(places):
            middles = (cv2.transform(places[None], back)[0] + 0.5) * STRIDE
            yield np.concatenate([middles, np.full((len(rows), 1), turn)], 1)


def printed_alike(
    poses: Poses, pattern: Pattern, bare: Bare, step: float = APART
) -> tuple[Floats, Floats]:
    """The share (N,) of what is in sight of cards that shows the pattern, and which share of each
    that is, at points `step` dots apart."""
    return Faces.of(poses, pattern, step).beside(bare)


def symmetry(top: Poses, pattern: Pattern, bare: Bare) -> float:
    """The share of the uppermost card that shows its own `pattern` turned half round, as backs do:
    where another card's border runs through what is taken for one, its print does not."""
    face = Faces.of(top, pattern, DENSE)
    seen = face.on(bare.face)
    return float((face.turned & seen)[0].sum() / max(int(seen[0].sum()), 1))


def held(poses: Poses, cells: Cells, step: float = APART) -> Floats:
    """The share (N,) of each card that lies on some cells of the sheet."""
    if not len(poses):
        return np.zeros(0, np.float32)
    places = poses.places(grid(poses.size, step / 2, step))
    return np.asarray(places.of(cells).mean(axis=1), np.float32)


def all_dots(wide: int, high: int) -> Floats:
    """The middles (high * wide, 2) of a card's dots, in shares of its sides from its middle."""
    ways = ((np.arange(side) + 0.5) / side - 0.5 for side in (wide, high))
    return np.stack(np.meshgrid(*ways), 2).reshape(-1, 2).astype(np.float32)


def _alike(shown: list[Cells], pattern: Pattern, points: Floats) -> Bools:
    """Which of some levels (3 times (N, K)) a pattern has at its `points` (K, 2)."""
    alike = np.ones(shown[0].shape, np.bool_)
    for levels, low, high in zip(shown, *pattern.at(points), strict=True):
        least = np.maximum(low, pattern.tolerance) - np.uint8(pattern.tolerance)
        most = np.minimum(high, 255 - pattern.tolerance) + np.uint8(pattern.tolerance)
        # What is below the least one is far beyond it as an unsigned number.
        alike &= levels - least <= most - least
    return alike


def _tolerance(pattern: Pattern, shown: Cells) -> int:
    """By how many levels other cards may differ from a print whose levels are `shown` (3, h, w): by
    as much as it differs itself turned half round, if it is alike. Where a fine print meets the
    picture's pixels that is more than noise."""
    low, high = (cells[:, ::-1, ::-1] for cells in (pattern.low, pattern.high))
    off = np.maximum(cv2.subtract(low, shown), cv2.subtract(shown, high)).max(axis=0)
    nearly, mostly = np.percentile(off[RIM:-RIM, RIM:-RIM], USUAL)
    fine = TOLERANCE < nearly <= MOST and mostly <= TOLERANCE
    return int(np.ceil(nearly)) if fine else TOLERANCE


def _planes(levels: NDArray[np.generic]) -> Cells:
    """Levels (h, w, 3) as a plane for each colour (3, h, w)."""
    return np.ascontiguousarray(levels.transpose(2, 0, 1), np.uint8)
