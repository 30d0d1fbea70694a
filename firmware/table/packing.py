"""Packing: each spot gets the free place nearest to its owner, as roomy as the table allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from math import ceil, cos, inf, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.table.place import CARD_MM, Place, Point
from rules.chips import BettingPlace
from rules.phrases import Phrase
from rules.spots import DECK, GONE, Face, Shape, Spot

GRID_MM = 5.0
"""The grid step for trying places: nobody places a card by hand more exactly. A choice; `python -m
tests.soak` judges it.
"""
FAN_STEP_MM = 40.0
"""Pitch from one card of a fan to the next. A choice: an index and some air."""
BACKS_APART_MM = 4.0
"""Gap between two backs: touching backs can be separated only by their edges. A choice; `python -m
tests.soak` judges it.
"""
BESIDE_MIDDLE = 0.4
"""Distance of the deck from the left edge, and of the cards out of play from the right, as a share
of the width. A choice: at the dealer's hands.
"""
ROWS_MOST = 6
"""Largest number of rows for a spot's cards. A choice: more do not fit in front of a seat."""
SIDEWAYS = 1.5
"""The cost of a millimetre to the side, relative to one further into the table. A choice; `python
-m tests.soak` judges it.
"""
CHIP_MM = 45.0
"""Room for a chip next to a card. A choice: the largest chips of home games are 45 mm across."""
BET_MM = ((150.0, 100.0), (100.0, 100.0), (100.0, 50.0), (50.0, 100.0), (50.0, 50.0))
"""Width and depth of a betting place, the roomiest first: for six chips or stacks, four, two, or
one. A choice.
"""


@dataclass(frozen=True, slots=True)
class Density:
    """How closely cards are laid: the pitch from one to the next and a place's margin, in mm."""

    step: float
    rim: float
    apart: bool = True
    """Whether cards that may be face down or face up keep apart, as those that are always face down
    do.
    """


DENSITIES = (
    Density(80, 15),
    Density(72, 10),
    Density(67, 8),
    Density(40, 8),
    Density(28, 6),
    Density(22, 3),
    Density(40, 8, apart=False),
    Density(28, 6, apart=False),
    Density(22, 3, apart=False),
)
"""Densities to try, from generous to crowded. An index with its margin takes up to 18 mm of a
card's width, so that at a pitch of 22 mm each index still shows. A choice; `python -m tests.soak`
judges it.
"""


def beside(bets: Iterable[BettingPlace]) -> frozenset[str]:
    """The spots whose cards have chips next to them."""
    return frozenset(one.beside for one in bets)


def _facing(point: Point, area: tuple[float, float]) -> float:
    """The angle of the cards of somebody sitting at that point of the rim."""
    across = point[0] / area[0] * 2 - 1
    down = point[1] / area[1] * 2 - 1
    if abs(across) > abs(down):
        return 90.0 if across < 0 else 270.0
    return 0.0 if down > 0 else 180.0


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to lay a spot's cards: columns and rows, seen from its owner."""

    count: int
    columns: int
    step: float
    rim: float
    between: float = 0.0
    """Room for chips between two rows, and around the cards."""

    @property
    def rows(self) -> int:
        return ceil(self.count / self.columns)

    @property
    def pitch(self) -> float:
        """The pitch from one row to the next: rows never overlap."""
        return CARD_MM[1] + max(self.rim, self.between)

    @property
    def size(self) -> tuple[float, float]:
        """Width and depth in mm, rim included, as whole steps of the grid."""
        rim = max(self.rim, self.between)
        width = (self.columns - 1) * self.step + CARD_MM[0] + 2 * rim
        depth = (self.rows - 1) * self.pitch + CARD_MM[1] + 2 * rim
        return ceil(width / GRID_MM) * GRID_MM, ceil(depth / GRID_MM) * GRID_MM

    def centres(self) -> Iterator[Point]:
        """The cards' centres, relative to the middle of the form, in the order of the cards."""
        for number in range(self.count):
            row, column = divmod(number, self.columns)
            yield (
                (column - (self.columns - 1) / 2) * self.step,
                (row - (self.rows - 1) / 2) * self.pitch,
            )


def _forms(spot: Spot, density: Density, *, chips: bool) -> Iterator[_Form]:
    """The ways to lay a spot's cards, with or without room for chips around each, widest first."""
    count = 1 if spot.shape in (Shape.SINGLE, Shape.PILE) else spot.capacity
    # A fan is meant to overlap. Backs never overlap: without indices, nobody could count them.
    step = min(density.step, FAN_STEP_MM) if spot.shape is Shape.FAN else density.step
    backs = spot.face is Face.DOWN or (spot.face is Face.EITHER and density.apart)
    step = max(step, CARD_MM[0] + BACKS_APART_MM) if backs and not spot.held else step
    columns = dict.fromkeys(ceil(count / rows) for rows in range(1, ROWS_MOST + 1))
    if chips:
        wide = CARD_MM[0] + 2 * CHIP_MM
        return (_Form(count, number, wide, density.rim, 2 * CHIP_MM) for number in columns)
    return (_Form(count, number, step, density.rim) for number in columns)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A seat's part of the table: the half cells to which no other seat is nearer.

    `near` is cut to the box that holds them; its upper left one is half cell (`top`, `left`).
    """

    near: NDArray[np.bool_]
    top: int
    left: int

    @classmethod
    def of(cls, near: NDArray[np.bool_]) -> Ground:
        """The same half cells, cut out of those (2h + 1, 2w + 1) of a whole table."""
        rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
        top, left = int(rows[0]), int(columns[0])
        return cls(near[top : rows[-1] + 1, left : columns[-1] + 1], top, left)

    def windows(self, rows: int, columns: int) -> tuple[int, int, NDArray[np.bool_]]:
        """Which windows of `rows` by `columns` cells have their centre here, from which cell on.

        Window centres fall on half cells: on every second one for a given size.
        """
        first, before = max(0, -(-(self.top - rows) // 2)), max(0, -(-(self.left - columns) // 2))
        return (
            first,
            before,
            self.near[2 * first + rows - self.top :: 2, 2 * before + columns - self.left :: 2],
        )


class Packing:
    """One attempt at a layout: places are added one by one, each as near its owner as possible."""

    def __init__(
        self,
        area: tuple[float, float],
        anchors: Mapping[int, Point],
        owners: Mapping[int, Ground],
        density: Density,
        beside: frozenset[str] = frozenset(),
    ) -> None:
        self.area, self.anchors, self.density = area, anchors, density
        self.bets: dict[str, Place] = {}
        self._beside = beside
        self._owners = owners
        self.places: dict[str, Place] = {}
        self.keyed: dict[str, Phrase] = {}
        self._used = np.zeros(_cells(area), dtype=np.uint8)
        self._sums = _summed(self._used)
        self._full: set[tuple[int | None, float, int, int]] = set()
        """What found no room: it will find none later, as places are only ever taken."""

    def fill(
        self, spots: Sequence[Spot], bets: Sequence[BettingPlace], fewest: float = inf
    ) -> None:
        """Add every spot and betting place that finds room, until `fewest` have found none."""
        self._add_spots(spots, fewest)
        self._add_bets(bets)

    def _add_spots(self, spots: Sequence[Spot], fewest: float) -> None:
        """Put the common spots in the middle, then each seat's in front of it, in turn."""
        common = [spot for spot in spots if spot.owner is None]
        for spot in [*common, *(spot for spot in spots if spot.owner is not None)]:
            if len(self.keyed) >= fewest:
                return
            place = self._put(spot)
            if place is None:
                self.keyed[spot.name] = Phrase.of(
                    "layout.no-room", seat=spot.owner, capacity=spot.capacity
                )
            else:
                self.places[spot.name] = place

    def _add_bets(self, bets: Sequence[BettingPlace]) -> None:
        """Put the betting places in front of their owners, the pot nearest to the middle."""
        for one in bets:
            place = None if one.beside else self._bet(one)
            if place is not None:
                self.bets[one.name] = place
            elif not one.beside:
                self.keyed[one.name] = Phrase.of("layout.no-room", seat=one.owner, capacity=1)

    def _bet(self, bet: BettingPlace) -> Place | None:
        anchor, angle = self._facing(bet.owner)
        for wide, deep in BET_MM:
            form = _Form(1, 1, 0.0, 0.0)
            size = (wide, deep) if angle % 180 == 0 else (deep, wide)
            place = self._sized((bet.name, bet.owner), form, size, anchor, angle)
            if place is not None:
                return _spanning(place, size)
        return None

    def dealers_piles(self) -> tuple[Place | None, Place | None]:
        """The deck at the dealer's left hand and what is out of play at the right, if they fit."""
        width, height = self.area
        form = _Form(1, 1, 0.0, self.density.rim)
        piles = []
        for name, x in ((DECK, width * BESIDE_MIDDLE), (GONE, width * (1 - BESIDE_MIDDLE))):
            spot = Spot(name, shape=Shape.PILE, face=Face.EITHER)
            piles.append(self._fitted(spot, form, (x, height), 0.0))
        return piles[0], piles[1]

    def _put(self, spot: Spot) -> Place | None:
        anchor, angle = self._facing(spot.owner)
        for form in _forms(spot, self.density, chips=spot.name in self._beside):
            place = self._fitted(spot, form, anchor, angle)
            if place is not None:
                return place
        return None

    def _facing(self, owner: int | None) -> tuple[Point, float]:
        """The point that an owner's places should be near, and the angle of their cards."""
        width, height = self.area
        if owner is None:
            return (width / 2, height / 2), 0.0
        return self.anchors[owner], _facing(self.anchors[owner], self.area)

    def _fitted(self, spot: Spot, form: _Form, anchor: Point, angle: float) -> Place | None:
        size = form.size if angle % 180 == 0 else form.size[::-1]
        return self._sized((spot.name, spot.owner), form, size, anchor, angle)

    def _sized(
        self,
        whose: tuple[str, int | None],
        form: _Form,
        size: tuple[float, float],
        anchor: Point,
        angle: float,
    ) -> Place | None:
        """The place nearest to the anchor where that size is free and in front of its owner."""
        name, owner = whose
        columns, rows = (int(side / GRID_MM) for side in size)
        wanted = (owner, angle, columns, rows)
        if wanted in self._full:
            return None
        corner = self._nearest(owner, rows, columns, anchor, upright=angle % 180 == 0)
        if corner is None:
            self._full.add(wanted)
            return None
        row, column = corner
        self._used[row : row + rows, column : column + columns] = 1
        self._sums = _summed(self._used)
        centre = (column + columns / 2) * GRID_MM, (row + rows / 2) * GRID_MM
        return _placed(name, form, centre, angle)

    def _nearest(
        self, owner: int | None, rows: int, columns: int, anchor: Point, *, upright: bool
    ) -> tuple[int, int] | None:
        """The upper left cell of the free window of that size nearest to the anchor."""
        sums, first, before = self._sums, 0, 0
        if owner is not None:
            first, before, near = self._owners[owner].windows(rows, columns)
            high, wide = near.shape
            sums = sums[first : first + high + rows, before : before + wide + columns]
        free = _window_sums(sums, rows, columns) == 0
        high, wide = free.shape
        if owner is not None:
            free &= near[:high, :wide]
        if not free.any():
            return None
        x = np.abs((np.arange(before, before + wide) + columns / 2) * GRID_MM - anchor[0])
        y = np.abs((np.arange(first, first + high) + rows / 2) * GRID_MM - anchor[1])[:, None]
        # Stacked away from the owner rather than side by side, which would crowd the neighbours.
        sideways, deep = (x, y) if upright else (y, x)
        ways = np.where(free, deep + SIDEWAYS * sideways, np.inf)
        row, column = divmod(int(np.argmin(ways)), wide)
        return first + row, before + column


def _cells(area: tuple[float, float]) -> tuple[int, int]:
    """Rows and columns of the grid over the area."""
    return int(area[1] / GRID_MM), int(area[0] / GRID_MM)


@lru_cache(maxsize=16)  # one table has few seatings, and a program few tables
def owners_of(
    anchors: tuple[tuple[int, Point], ...], area: tuple[float, float]
) -> dict[int, Ground]:
    """The ground of each seat."""
    rows, columns = _cells(area)
    x = np.arange(2 * columns + 1) * GRID_MM / 2
    y = np.arange(2 * rows + 1)[:, None] * GRID_MM / 2
    # Squared distances find the nearest just as well; roots take ten times as long.
    ways = {seat: (x - px) ** 2 + (y - py) ** 2 for seat, (px, py) in anchors}
    least = reduce(np.minimum, ways.values()) + 1e-3
    return {seat: Ground.of(way <= least) for seat, way in ways.items()}


def _summed(used: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Number of taken cells above and to the left of each cell corner."""
    return np.asarray(cv2.integral(used), np.int32)


def _window_sums(sums: NDArray[np.int32], rows: int, columns: int) -> NDArray[np.int32]:
    """Number of taken cells in each window of that size, by its upper left cell."""
    if rows >= sums.shape[0] or columns >= sums.shape[1]:
        return np.zeros((0, 0), dtype=np.int32)
    inner = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns]
    return np.asarray(inner + sums[:-rows, :-columns], dtype=np.int32)


def _spanning(place: Place, size: tuple[float, float]) -> Place:
    """The same place, made that wide and deep around its only cell."""
    x, y, _ = place.cells[0]
    half, deep = size[0] / 2, size[1] / 2
    corners = (
        (x - half, y - deep),
        (x + half, y - deep),
        (x + half, y + deep),
        (x - half, y + deep),
    )
    return replace(place, corners=corners)


def _placed(name: str, form: _Form, centre: Point, angle: float) -> Place:
    def on_table(point: Point) -> Point:
        turn = radians(angle)
        across, down = point
        return (
            round(centre[0] + across * cos(turn) - down * sin(turn), 3) + 0.0,
            round(centre[1] + across * sin(turn) + down * cos(turn), 3) + 0.0,
        )

    half_width, half_depth = form.size[0] / 2, form.size[1] / 2
    cells = tuple((*on_table(point), angle) for point in form.centres())
    upper = on_table((-half_width, -half_depth)), on_table((half_width, -half_depth))
    lower = on_table((half_width, half_depth)), on_table((-half_width, half_depth))
    return Place(name, (*upper, *lower), angle, cells)
