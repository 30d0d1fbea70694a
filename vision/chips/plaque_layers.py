"""The plaques in one picture: first those on which nothing lies, then what chips and others leave.

Plaques that agree everywhere lie on top; round chips are looked for beside them, and hide in their
turn what lies below. Where two plaques look alike, the lower of them agrees nearly everywhere too:
it gives way once the upper one is found, whose print and edges continue where they overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import Slopes
from vision.chips.lighting import Light
from vision.chips.matching import Match
from vision.chips.plaque_beneath import Beneath, aside
from vision.chips.plaque_matching import EDGED, IN_FULL, LATER, PlaqueMatcher, cells_at
from vision.chips.plaques import WIDTHS_PX, Plaques, distinct, fitted
from vision.chips.sight import Sight
from vision.picture.geometry import Floats, Frame, Outline, lengths

APART = 0.62
"""Plaques whose centres are closer than this, in halves of the short side, are one. A choice, as
for round chips."""
SAME_CARD = 0.5
"""Maximum distance from a plaque's centre to that of a card that is the plaque, in halves of its
short side. A choice: what a reader of cards takes for a back has the plaque's own outline."""
MOST = 40
"""Maximum number of plaques in one picture. A choice."""
UPPER, OVER = 0.5, 0.15
"""How well print and edges must at least continue for a plaque to lie over one that was chosen
before, and the minimum lead in that. A choice; `python -m tests.chips --layouts spread` judges
it."""
SIDE_PX = 12.0
"""How far the sides of a stack reach beyond its top at most, in pixels. A choice: those of six
plaques at the edge of the picture."""

Lean: TypeAlias = Callable[[Plaques], Floats]
"""Gives how far (N, 2) the feet of stacks appear from their tops, in the pixels of both."""


@dataclass(slots=True, eq=False)
class PlaqueLayers:
    """Plaques while a picture of shape (h, w) is being explained.

    The `chosen` plaques, uppermost first, and round chips once they are known, have `covered`
    (h, w) part of it; `owners` (h, w) says which plaque covers it, by its number from 1.
    """

    compare: Callable[[Plaques], PlaqueMatcher]
    matcher: PlaqueMatcher
    slopes: Slopes
    covered: NDArray[np.uint8]
    owners: NDArray[np.int16]
    lean: Lean
    chosen: list[Match] = field(default_factory=list)
    queue: dict[int, tuple[Match, bool]] = field(default_factory=dict)
    """Which may be chosen next, by their numbers, and whether nothing but what is known lies on
    them."""
    aside: set[int] = field(default_factory=set)
    """Beside which of them plaques were already looked for."""
    over: dict[tuple[int, int], bool] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        chips: ChipSet,
        sight: Sight,
        found: Plaques,
        *,
        light: Light,
        cards: Sequence[Outline],
        lean: Lean,
        beyond: NDArray[np.uint8],
    ) -> PlaqueLayers:
        """Compare what has a plaque's contour with a set; on `cards`, plaques must meet more.

        Nothing is known of what is `beyond` (h, w) the picture's edge.
        """

        def compare(some: Plaques) -> PlaqueMatcher:
            seen = light.removed(sight.white_of(sampled(sight.work, some)))
            strict = sight.upon(some.as_circles, cards) if len(some) else np.zeros(0, np.bool_)
            there = _in_view(beyond, some)[0]
            return PlaqueMatcher.of(chips, some, seen, strict, np.asarray(there, np.float32))

        owners = np.zeros(beyond.shape, np.int16)
        return cls(compare, compare(found), sight.slopes, beyond.copy(), owners, lean)

    @property
    def found(self) -> Plaques:
        """The chosen plaques, in the pixels of the examined picture."""
        return self.matcher.found[np.array([one.number for one in self.chosen], np.intp)]

    @property
    def likely(self) -> Plaques:
        """Those that may be chosen next."""
        return self.matcher.found[np.array(list(self.queue), np.intp)]

    @property
    def area(self) -> NDArray[np.uint8]:
        """Where (h, w) the chosen plaques lie: 255 or 0."""
        area = np.zeros(self.covered.shape, np.uint8)
        for corners in self.found.octagons:
            cv2.fillConvexPoly(area, np.rint(corners * 16).astype(np.int32), (255,), 8, 4)
        return area

    def take_bare(self) -> None:
        """Choose the plaques on which nothing lies."""
        self._compare(np.arange(len(self.matcher.found)))
        self._choose_bare()
        if self._look_aside():
            self._choose_bare()

    def _choose_bare(self) -> None:
        seen = [one for one, bare in self.queue.values() if bare]
        for one in sorted(seen, key=lambda one: -one.score):
            (shown,) = self._visible(np.array([one.number]))
            if float(shown.mean()) >= IN_FULL and one.number in self._fresh():
                self._take(one)

    def take_rest(self) -> None:
        """Choose those of which enough shows beside what covers the picture by now."""
        self.queue.clear()
        self._compare(self._fresh())
        self._look_aside()
        self._look_beneath(np.array([one.number for one in self.chosen], np.intp))
        while self.queue and len(self.chosen) < MOST:
            # What another lies on agrees as well where the two look alike.
            one, _ = max(self.queue.values(), key=lambda one: (one[1], one[0].score))
            self._take(one)
            self._compare(self._touched(one))
            self._look_beneath(np.array([one.number]))

    def _compare(self, which: NDArray[np.intp]) -> None:
        """Compare some with the set, using the parts that nothing known covers."""
        for number in which.tolist():
            self.queue.pop(number, None)
        fresh = which[np.isin(which, self._fresh())]
        visible = self._visible(fresh)
        rows = {number: row for row, number in enumerate(fresh.tolist())}
        for one in self.matcher.matches(visible, fresh):
            self.queue[one.number] = one, self.matcher.bare(one, visible[rows[one.number]])

    def _touched(self, match: Match) -> NDArray[np.intp]:
        """The things that may overlap one that was chosen."""
        found = self.matcher.found
        reach = lengths(np.asarray(found.arms, np.float32)).max(axis=1)
        away = lengths(found.centres - found.centres[match.number])
        return np.flatnonzero(away < reach + reach[match.number] + SIDE_PX)

    def _look_aside(self) -> bool:
        """Add places beside those that show a plaque, but not where its contour was fitted."""
        fresh = self._fresh()
        sure = [number for number, (one, _) in self.queue.items() if one.score > LATER]
        fresh = fresh[~np.isin(fresh, [*sure, *self.aside])]
        near = self.matcher.nearly(fresh)
        self.aside.update(near.tolist())
        more = distinct(fitted(self.slopes, aside(self.matcher.found[near]), WIDTHS_PX[1:]))
        return self._add(more[more.support >= EDGED])

    def _add(self, more: Plaques) -> bool:
        """Add things, and compare them; returns whether there are any."""
        first = len(self.matcher.found)
        if len(more):
            self.matcher = self.matcher.and_more(self.compare(more))
            self._compare(np.arange(first, first + len(more)))
        return len(more) > 0

    def _look_beneath(self, fresh: NDArray[np.intp]) -> None:
        """Add what may be plaques that lie partly under those that were just chosen."""
        if not len(fresh):
            return
        known = self.matcher.found[fresh]
        sizes = [float(np.median(self.found.scales))]
        self._add(Beneath(self.slopes, self.covered).found(known.contours, sizes, known))

    def _visible(self, which: NDArray[np.intp]) -> Floats:
        """Which cells (n, rings, ANGLES) of things nothing covers that lies over them: 1 or 0."""
        visible, (x, y) = _in_view(self.covered, self.matcher.found[which])
        owners = np.where(visible, 0, self.owners[y, x])
        shown = visible.copy()
        for row in np.flatnonzero(owners.any(axis=(1, 2))).tolist():
            cells = self.matcher.likeliest(int(which[row]), visible[row])
            for owner in np.unique(owners[row])[1:].tolist():
                there = owners[row] == owner
                if self._lies_over(int(which[row]), owner - 1, cells, there):
                    shown[row] |= there
        return np.asarray(shown, np.float32)

    def _lies_over(self, one: int, other: int, cells: Floats, there: NDArray[np.bool_]) -> bool:
        """Whether a thing, whose `cells` (rings, ANGLES) agree that much, lies over a chosen one
        that is `there` (rings, ANGLES)."""
        if (one, other) not in self.over:
            upper = self.matcher.goes_on(one, cells, there)
            over = upper >= UPPER
            if over:
                kind = next(match.kind for match in self.chosen if match.number == other)
                below = self.matcher.turned(other, kind)
                within = self.matcher.within(other, one)
                over = upper > self.matcher.goes_on(other, below, within) + OVER
            self.over[one, other] = over
        return self.over[one, other]

    def _fresh(self) -> NDArray[np.intp]:
        """The things that are not where a plaque was chosen."""
        found, some = self.matcher.found, self.found
        away = lengths(np.asarray(found.centres[:, None] - some.centres, np.float32))
        return np.flatnonzero((away >= APART * found.radii[:, None]).all(axis=1))

    def _take(self, match: Match) -> None:
        """Choose a plaque, and mark it and its sides as covered."""
        below = [self.over.get((match.number, one.number), False) for one in self.chosen]
        one = self.matcher.found[np.array([match.number])]
        top = one.octagons[0]
        both = np.concatenate([top, top + self.lean(one)[0]])
        hull = cv2.convexHull(np.asarray(both, np.float32))
        area = np.zeros(self.covered.shape, np.uint8)
        cv2.fillConvexPoly(area, np.rint(hull * 16).astype(np.int32), (255,), 8, 4)
        lower = [one.number + 1 for one, under in zip(self.chosen, below, strict=True) if under]
        mine = (area > 0) & ((self.covered == 0) | np.isin(self.owners, lower))
        self.owners[mine] = match.number + 1
        self.covered |= area
        self.chosen.insert(below.index(True) if any(below) else len(self.chosen), match)


def _in_view(
    covered: NDArray[np.uint8], found: Plaques
) -> tuple[NDArray[np.bool_], tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Which cells (N, rings, ANGLES) of plaques are in a picture and not `covered` (h, w), and the
    pixels x and y nearest to all of them."""
    places = np.rint(cells_at(found)).astype(np.intp)
    high, wide = covered.shape
    x, y = np.clip(places[..., 0], 0, wide - 1), np.clip(places[..., 1], 0, high - 1)
    inside = (x == places[..., 0]) & (y == places[..., 1])
    return np.asarray(inside & (covered[y, x] == 0), np.bool_), (x, y)


def not_these(found: Plaques, cards: Sequence[Outline]) -> list[Outline]:
    """Those of the `cards` that are none of the plaques `found`."""
    middles = np.array([np.mean(card, axis=0) for card in cards], np.float32).reshape(-1, 2)
    away = np.linalg.norm(middles[:, None] - found.centres[None], axis=2)
    same = (away < SAME_CARD * found.radii[None]).any(axis=1)
    return [card for card, one in zip(cards, same.tolist(), strict=True) if not one]


def sampled(picture: Frame, found: Plaques) -> Floats:
    """The colours of plaques in the picture, (N, rings, ANGLES, 3)."""
    places = cells_at(found)
    if not len(found):
        return np.zeros((*places.shape[:3], 3), np.float32)
    flat = len(found), -1
    x, y = (np.ascontiguousarray(places[..., axis].reshape(flat)) for axis in (0, 1))
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(*places.shape[:3], 3), np.float32)
