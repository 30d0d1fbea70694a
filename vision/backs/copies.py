"""Find overlapping backs as copies of the uppermost one.

Backs of one deck look alike. If the edges of a heap's uppermost card are known, the others are its
copies, of equal size and print. Every place is tried at which a card covers only the heap and what
may hide it; a place is right if what is visible there has the print and the edges of a card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells, Size
from vision.backs.poses import AT_ONCE, Bare, Bools, Dots, Poses, counted, grid
from vision.backs.sheet import Sheet
from vision.picture.geometry import Floats

TURNS = tuple(float(turn) for turn in range(0, 180, 5))
"""Rotations in degrees tried at first. A choice; `python -m tests.face_down` judges it."""
STRIDE = 3
"""Dots between places tried at first. A choice; `python -m tests.face_down` judges it."""
COVERED = 0.95
"""Minimum share of a card that must lie on the heap or be hidden. A choice;
`python -m tests.face_down` judges it."""
BEYOND = 0.3
"""Largest share of a card that may lie beyond the picture. Follows from the minimum visible share
at which a card is reported (`several.IN_SIGHT`), with the error of its place."""
WITHIN = 3
"""Dots by which a card's width and height are reduced when that share is computed, as the heap's
border is soft. A choice; `python -m tests.face_down` judges it."""
APART, CLOSE, DENSE = 6.0, 5.0, 3.0
"""Dots between the points at which a card's print is compared: at every place, at places examined
closely, and for a card that is reported. A choice; `python -m tests.face_down` judges it."""
TOLERANCE = 7
"""Largest difference in levels between a print and the uppermost card's around the same dot: for
cards lying where they are drawn, nine dots in ten differ by at most four. A choice;
`python -m tests.face_down` judges it."""
MOSTLY = 0.6
"""Share of a face's visible part from which the part without blur is enough. A choice;
`python -m tests.face_down` judges it."""
MOST, USUAL = 12.0, (98.0, 90.0, 80.0)
"""Largest tolerance in levels, and three percentiles of a card's differences from itself upside
down: the first sets the tolerance, the second must be that of a well-placed card, so that no line
is mistaken for the next, and the third tells the sensor's noise. A choice;
`python -m tests.face_down` judges it."""
NOISY, FINE, FINER = 1.0, 8.0, 2.0
"""Differences in levels that tell a noisy sensor, the range of levels, in the median, within a dot
of each from which a print is fine, and how many levels more another card then may differ: it falls
differently on the pixels. Under a simulated webcam's noise a twentieth of the points of cards in
their places differed by 7 to 9. A choice; `python -m tests.soak --pictures` judges it."""
LIT, DIMMED = 60, 0.12
"""Minimum points in view that tell the light on a card, and how far it may differ from that on the
uppermost one. A choice: at the far end of a column of five, 30 cm from the first, it was 0.05 to
0.08 brighter under a lamp; `python -m tests.face_down column` judges it."""
RIM = 3
"""Dots along a card's edge that do not count for that. Follows from `INSET`."""
INSET = 2.5
"""Dots along a card's edge left out of its print, as the table shows there. A choice;
`python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The uppermost card's print.

    It consists of the lowest and highest levels (3, h, w) around each dot, and the tolerance by
    which other cards of its deck may differ from them.
    """

    low: Cells
    high: Cells
    tolerance: int = TOLERANCE

    @classmethod
    def of(cls, top: Poses, reach: int = 1) -> Pattern:
        """The print of the first of some cards, taken over `reach` dots around each dot."""
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

    def lit(self, light: float) -> Pattern:
        """The same in other light, as a share of its own."""
        low, high = (
            np.clip(np.rint(cells * np.float32(light)), 0, 255).astype(np.uint8)
            for cells in (self.low, self.high)
        )
        return replace(self, low=low, high=high)

    def at(self, points: Floats) -> tuple[Cells, Cells]:
        """The lowest and highest levels (3, K) at points (K, 2), in shares of the sides.

        Shares are measured from the card's centre.
        """
        high, wide = self.low.shape[1:]
        columns, rows = (np.clip(points + 0.5, 0, 1 - 1e-6) * (wide, high)).astype(np.intp).T
        return self.low[:, rows, columns], self.high[:, rows, columns]


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """How N cards compare with a print, regardless of what lies over them.

    `dots` (N, K) are the dots into which the compared points fall; `upright` and `turned` (N, K)
    which points show the print as it is and upside down.
    """

    dots: Dots
    upright: Bools
    turned: Bools

    @classmethod
    def of(cls, poses: Poses, pattern: Pattern, step: float = APART) -> Faces:
        """The faces of cards at these places, at points `step` dots apart."""
        parts = [cls._of_some(some, pattern, step) for some in poses.parts()]
        if len(parts) == 1:
            return parts[0]
        every = ("dots", "upright", "turned")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in every))

    @classmethod
    def _of_some(cls, poses: Poses, pattern: Pattern, step: float) -> Faces:
        points = grid(poses.size, INSET, step)
        dots = poses.places(points).dots(poses.sheet.heap)
        shown = [plane.reshape(-1).take(dots) for plane in poses.sheet.planes]
        return cls(dots, alike(shown, pattern, points), alike(shown, pattern, -points))

    def chosen(self, which: NDArray[np.generic]) -> Faces:
        """Only these cards."""
        return Faces(self.dots[which], self.upright[which], self.turned[which])

    def beside(self, bare: Bare) -> tuple[Floats, Floats]:
        """The share (N,) of each card's visible part that shows the print, and its visible share.

        Only what is free of blur is compared, if that is most of it.
        """
        seen, clear = self.on(bare.face), self.on(bare.clear)
        sight = counted(seen)
        most = counted(clear) >= MOSTLY * sight
        seen[most] = clear[most]
        count = np.maximum(counted(seen), 1)
        alike = (counted(way & seen) for way in (self.upright, self.turned))
        shares = np.maximum(*alike) / count
        return np.asarray(shares, np.float32), np.asarray(sight / seen.shape[1], np.float32)

    def held(self, cells: Cells) -> Floats:
        """The share (N,) of each card that lies on some cells of the sheet."""
        return np.asarray(counted(self.on(cells)) / self.dots.shape[1], np.float32)

    def on(self, cells: Cells) -> Bools:
        """Which of the points (N, K) lie on some cells of the sheet."""
        there, shown = cells.reshape(-1) > 0, np.empty(self.dots.shape, np.bool_)
        # Taken all at once, the dots would be copied as wider integers.
        for start in range(0, len(shown), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            shown[some] = there.take(self.dots[some])
        return shown


def everywhere(sheet: Sheet, size: Size) -> Poses:
    """All places where a card covers only the sheet's heap and what may hide it.

    The card must also lie mostly inside the picture.
    """
    base = cv2.dilate(sheet.heap | sheet.open_to, np.ones((3, 3), np.uint8))
    # The share of a card is computed on cells as large as the steps between places.
    high, wide = (-(-side // STRIDE) for side in base.shape)
    padded = cv2.copyMakeBorder(base, 0, high * STRIDE - base.shape[0], 0,
                                wide * STRIDE - base.shape[1], cv2.BORDER_CONSTANT)  # fmt: skip
    shares = np.asarray(padded, np.float32).reshape(high, STRIDE, wide, STRIDE).mean(axis=(1, 3))
    found = [np.zeros((0, 3), np.float32), *_covering(shares.astype(np.float32), size)]
    places = Poses.of(sheet, size, np.concatenate(found).astype(np.float32))
    return places.chosen(held(places, sheet.beyond) <= BEYOND) if sheet.beyond.any() else places


def _covering(shares: Floats, size: Size) -> Iterator[Floats]:
    """The places (N, 3) where cells with these `shares` (h, w), `STRIDE` dots wide, hold a card."""
    high, wide = shares.shape
    across = int(np.hypot(high, wide)) + 2
    window = [round((side - WITHIN) / STRIDE) for side in size]
    for turn in TURNS:
        way = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, 1.0)
        way[:, 2] += (across / 2 - wide / 2, across / 2 - high / 2)
        turned = cv2.warpAffine(shares, way, (across, across))
        held = cv2.boxFilter(turned, -1, window, borderType=cv2.BORDER_CONSTANT)
        rows, columns = np.nonzero(held >= COVERED)
        # With an even number of cells the centre lies between two.
        places = np.stack([columns, rows], 1) + 0.5 * (np.array(window) % 2 - 1)
        back = cv2.invertAffineTransform(way)
        if len(places):
            middles = (cv2.transform(places[None], back)[0] + 0.5) * STRIDE
            yield np.concatenate([middles, np.full((len(rows), 1), turn)], 1)


def printed_alike(
    poses: Poses, pattern: Pattern, bare: Bare, step: float = APART
) -> tuple[Floats, Floats]:
    """The share (N,) of the cards' visible part that shows the pattern, and their visible share.

    Points are `step` dots apart.
    """
    return Faces.of(poses, pattern, step).beside(bare)


def light_on(card: Poses, pattern: Pattern, bare: Bare) -> float:
    """The light on what is in view of the first card, as a share of that on the pattern's own.

    One, if next to nothing of it is in view, or it differs by more than a lamp's light does.
    """
    points = grid(card.size, INSET, DENSE)
    places = next(iter(card)).places(points)
    seen = places.of(bare.clear)[0] > 0
    if np.count_nonzero(seen) < LIT:
        return 1.0
    dots = places.dots(bare.clear)[0][seen]
    shown = card.sheet.planes.reshape(3, -1)[:, dots].sum(axis=0, dtype=np.float32)
    # A back is the same upside down, but for lines that lie beside each other.
    each = [levels for way in (points[seen], -points[seen]) for levels in pattern.at(way)]
    usual = np.mean([levels.sum(axis=0, dtype=np.float32) for levels in each], axis=0)
    light = float(np.median(shown / np.maximum(usual, 1)))
    return light if abs(light - 1) <= DIMMED else 1.0


def symmetry(top: Poses, pattern: Pattern, bare: Bare) -> float:
    """The share of the uppermost card that shows its own `pattern` upside down, as backs do.

    If another card's border runs through a false alarm, its print does not.
    """
    face = Faces.of(top, pattern, DENSE)
    seen = face.on(bare.face)
    return float((face.turned & seen)[0].sum() / max(int(seen[0].sum()), 1))


def held(poses: Poses, cells: Cells, step: float = APART) -> Floats:
    """The share (N,) of each card that lies on some cells of the sheet."""
    if not len(poses):
        return np.zeros(0, np.float32)
    points = grid(poses.size, step / 2, step)
    parts = [counted(some.places(points).of(cells) > 0) for some in poses.parts()]
    return np.asarray(np.concatenate(parts) / len(points), np.float32)


def all_dots(wide: int, high: int) -> Floats:
    """The centres (high * wide, 2) of a card's dots, in shares of its sides from its centre."""
    ways = ((np.arange(side) + 0.5) / side - 0.5 for side in (wide, high))
    return np.stack(np.meshgrid(*ways), 2).reshape(-1, 2).astype(np.float32)


def alike(shown: Sequence[Cells], pattern: Pattern, points: Floats) -> Bools:
    """Which of these levels (3 times (N, K)) match a pattern at its `points` (K, 2)."""
    same = np.ones(shown[0].shape, np.bool_)
    for levels, low, high in zip(shown, *pattern.at(points), strict=True):
        least = np.maximum(low, pattern.tolerance) - np.uint8(pattern.tolerance)
        most = np.minimum(high, 255 - pattern.tolerance) + np.uint8(pattern.tolerance)
        # A level below the minimum is far above it as an unsigned number.
        same &= levels - least <= most - least
    return same


def _tolerance(pattern: Pattern, shown: Cells) -> int:
    """The tolerance in levels for other cards, given the levels `shown` (3, h, w) of a print.

    It is the print's difference from itself upside down, if those are alike. If a fine print meets
    the picture's pixels, that is more than noise.
    """
    low, high = (cells[:, ::-1, ::-1] for cells in (pattern.low, pattern.high))
    off = np.maximum(cv2.subtract(low, shown), cv2.subtract(shown, high)).max(axis=0)
    nearly, mostly, often = np.percentile(off[RIM:-RIM, RIM:-RIM], USUAL)
    if mostly > TOLERANCE or nearly > MOST:
        return TOLERANCE
    ranges = (pattern.high - pattern.low).max(axis=0)
    fine = often >= NOISY and np.median(ranges[RIM:-RIM, RIM:-RIM]) >= FINE
    more = FINER if fine else 0.0
    return int(np.ceil(max(TOLERANCE, min(nearly + more, MOST))))


def _planes(levels: NDArray[np.generic]) -> Cells:
    """Levels (h, w, 3) as one plane per colour (3, h, w)."""
    return np.ascontiguousarray(levels.transpose(2, 0, 1), np.uint8)
