"""Which chips of a heap are on top: the uppermost is explained first, then what it covers.

Where two round things overlap, the colours and the rim of the upper one continue, and those of the
lower one end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import AROUND, Circles
from vision.chips.matching import APART, RIMLESS, WELL, Match, Matcher, cells_in, cover
from vision.chips.prints import RINGS
from vision.picture.geometry import Floats, distances

Feet: TypeAlias = Callable[[Sequence[int]], Floats]
"""Gives the apparent centres (n, 2) of the lowest chips under some of the round things."""

SIDE_AT = (0.33, 0.67, 1.0)
"""Positions between a stack's top and its foot at which a chip is presumed, as shares of the way. A
choice: thirds of six chips overlap."""
TOUCHING = 2.1
"""Maximum distance between the centres of chips that may overlap, in radii. Follows from two radii
and the errors of both."""
LIKELY = 0.42
"""Minimum agreement of a round thing that may be a chip partly covered by others. A choice."""
RIMMED = 0.5
"""Minimum share of its rim that shows an edge. A choice."""
WITHIN = 0.95
"""Share of a radius within which a cell surely belongs to a chip. A choice: the rim is blurred."""
BETTER = 0.1
"""How much better a chip must agree under something than over it to lie under it. A choice; `python
-m tests.chips --layouts spread` judges it."""
FEW = 6
"""Minimum number of cells or directions needed for a verdict. A choice."""
OVER = 0.04
"""Minimum lead in how well colours and rim continue for one chip to count as the upper. A choice;
`python -m tests.chips` judges it."""


@dataclass(slots=True)
class Heaps:
    """A picture while it is being explained.

    The `chosen` chips, uppermost first, and other things have `covered` (h, w) part of it; the
    `queue` holds the likely ones, by their numbers.
    """

    matcher: Matcher
    covered: NDArray[np.uint8]
    feet: Feet
    chosen: list[Match] = field(default_factory=list)
    queue: dict[int, Match] = field(default_factory=dict)
    over: dict[tuple[int, int], bool] = field(default_factory=dict)

    def explain(self) -> None:
        """Find the chips."""
        every = np.arange(len(self.matcher.found))
        self._compare(every)
        self._compare(self._beside(self._elsewhere(every)))
        self._choose()

    def explain_under(self, area: NDArray[np.bool_]) -> bool:
        """Find those that lie partly under other things, which were only now known to cover an
        `area` (h, w); returns whether there are any."""
        first = len(self.chosen)
        under = self._apart(np.flatnonzero(self._in(area)))
        if len(under):
            self._compare(under)
            self._compare(self._beside(self._elsewhere(under)))
            self._choose()
        return len(self.chosen) > first

    def compare_under(self, area: NDArray[np.uint8]) -> None:
        """Identify the chosen chips anew that other things, in an `area` (h, w), may lie on.

        A chip that was half hidden by something unknown agreed in part only.
        """
        found = self.matcher.found
        for row, known in enumerate(self.chosen):
            (same,) = np.nonzero(_same(found, np.arange(len(found)), np.array([known.number])).T[0])
            above = area.copy()
            for one in self.chosen[:row]:
                cover(above, found.centres[one.number], float(found.radii[one.number]))
            visible = cells_in(above, found, same)
            told = self.matcher.matches(visible, same)
            best = max(told, key=lambda one: one.score, default=known)
            if best.agreed >= known.agreed + BETTER:
                self.chosen[row] = best

    def _choose(self) -> None:
        """Choose what is in the queue, the uppermost first, and what shows beneath."""
        while self.queue:
            fresh = self._uppermost()
            self.chosen += fresh
            self._take(fresh, self.feet([one.number for one in fresh]))
            self._compare(self._beside(self._touched(fresh)))

    def _in(self, area: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which things (N,) are partly in an area (h, w)."""
        found = self.matcher.found
        outside = cells_in(area.astype(np.uint8), found, np.arange(len(found)))
        return np.asarray(~outside.all(axis=(1, 2)), np.bool_)

    def _apart(self, which: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of some things that are not at the place of a chosen chip."""
        found = self.matcher.found
        every = found.centres[[match.number for match in self.chosen]]
        away = distances(found.centres[which], every)
        far = (away >= APART * found.radii[which][:, None]).all(axis=1)
        return np.asarray(which[far], np.intp)

    def _compare(self, which: NDArray[np.intp]) -> None:
        """Compare some with the set, using the parts that nothing known covers."""
        for number in which.tolist():
            self.queue.pop(number, None)
        visible = cells_in(self.covered, self.matcher.found, which)
        self.queue.update((one.number, one) for one in self.matcher.matches(visible, which))

    def _beside(self, which: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return `which`, after letting those of them in a heap be compared."""
        known = [match.number for match in (*self.chosen, *self.queue.values())]
        if known and len(which):
            visible = cells_in(self.covered, self.matcher.found, which)
            self.matcher.things.lie_beside(which, known, visible)
        return which

    def _elsewhere(self, which: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those that are not close to anything in the queue that agrees well."""
        found = self.matcher.found
        good = [match.number for match in self.queue.values() if match.agreed >= WELL]
        away = distances(found.centres[which], found.centres[good])
        far = (away >= APART * found.radii[which][:, None]).all(axis=1)
        return np.asarray(which[far])

    def _take(self, fresh: Sequence[Match], lows: Floats) -> None:
        """Mark chips and their sides as covered, and drop other candidates in their places."""
        found = self.matcher.found
        for match, low in zip(fresh, lows, strict=True):
            size, top = float(found.radii[match.number]), found.centres[match.number]
            for part in (0.0, *SIDE_AT):
                cover(self.covered, top + (low - top) * np.float32(part), size)
        queued = np.array(list(self.queue), np.intp)
        taken = np.array([match.number for match in fresh], np.intp)
        for number in queued[_same(found, queued, taken).any(axis=1)].tolist():
            del self.queue[number]

    def _touched(self, fresh: Sequence[Match]) -> NDArray[np.intp]:
        """The things that may be under one of the `fresh` chips and are not among the chosen."""
        found = self.matcher.found
        tops = found.centres[[match.number for match in fresh]]
        near = distances(found.centres, tops) < TOUCHING * found.radii[:, None]
        return self._apart(np.flatnonzero(near.any(axis=1)))

    def _uppermost(self) -> list[Match]:
        """Those in the queue that are under no other; if there are none, the clearest."""
        found = self.matcher.found
        queue = sorted(self.queue.values(), key=lambda match: -match.score)
        numbers = np.array([match.number for match in queue], np.intp)
        likely = self._likely()
        same, beside = _same(found, numbers, numbers), self._beside_each(numbers, likely)
        chosen: list[int] = []
        for row, match in enumerate(queue):
            if not same[row, chosen].any() and not self._beneath(match.number, likely[beside[row]]):
                chosen.append(row)
        return [queue[row] for row in chosen] or queue[:1]

    def _likely(self) -> NDArray[np.intp]:
        """Things that may be a chip and are not yet chosen, clear enough or not."""
        found, like = self.matcher.found, self.matcher.likeness
        numbers = np.array([n for n, share in like.items() if share >= LIKELY], np.intp)
        return self._apart(numbers[found.support[numbers] >= RIMMED])

    def _beside_each(
        self, numbers: NDArray[np.intp], likely: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Which of the `likely` overlap each of the others, (n, likely)."""
        found = self.matcher.found
        away = distances(found.centres[numbers], found.centres[likely])
        radii = found.radii[numbers][:, None]
        return np.asarray((away >= APART * radii) & (away < TOUCHING * radii))

    def _beneath(self, number: int, beside: NDArray[np.intp]) -> bool:
        """Whether one of those `beside` it is on top of it."""
        return any(self._lies_over(other, number) for other in beside.tolist())

    def _lies_over(self, one: int, other: int) -> bool:
        """Whether the colours and rim of `one` continue where the two overlap, and the other's do
        not."""
        if (one, other) not in self.over:
            upper, lower = _goes_on(self.matcher, one, other), _goes_on(self.matcher, other, one)
            self.over[one, other] = upper > lower + OVER
            self.over[other, one] = lower > upper + OVER
        return self.over[one, other]


def _same(found: Circles, some: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of some circles are too close to each of the others to be a different chip."""
    away = distances(found.centres[some], found.centres[others])
    return np.asarray(away < APART * np.maximum(found.radii[some][:, None], found.radii[others]))


def _goes_on(matcher: Matcher, number: int, other: int) -> float:
    """How well the colours and the rim of a round thing continue within another.

    The agreement of its cells there times the share of its rim there that shows an edge.
    """
    found = matcher.found
    middle, radius = found.centres[number], found.radii[number]
    away, reach = found.centres[other], float(found.radii[other]) * WITHIN
    rim = middle + AROUND * radius
    edges = np.linalg.norm(rim - away, axis=1) < reach
    cells = middle + (RINGS[:, None, None] * radius) * AROUND
    inside = np.linalg.norm(cells - away, axis=2) < reach
    if edges.sum() < FEW or inside.sum() < FEW:
        return 0.0
    agreed = matcher.cells[number][inside].mean()
    return float(agreed * (RIMLESS + (1 - RIMLESS) * found.rim[number][edges].mean()))
