"""Which round thing is which chip, and how surely: each is compared with every value of the set."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import ANGLES, Circles
from vision.chips.prints import ALIKE as CELL_ALIKE
from vision.chips.prints import (
    AREAS,
    RINGS,
    agreeing,
    best_turns,
    gains,
    lab,
    leeway,
    varying_alike,
)
from vision.chips.things import Things
from vision.picture.geometry import Floats

AGREED, ROUNDED, SHOWN = 0.68, 0.7, 0.34
"""Minimum agreement of the visible part, minimum share of the rim that shows an edge, and minimum
share that is visible. A choice: of 504 drawn chips, alone and stacked, none was lost between 0.64
and 0.68, and large printed letters in a photograph agreed with a coin by 0.64; `python -m
tests.chips` judges it."""
FAINT_AGREED = 0.7
"""Minimum agreement of a thing that hardly differs from its surroundings: in less of its colours
than `PART_OFF` and less of its rim than the greater of `CLEAR`. Measured on the development sets of
`python -m tests.chips`: of 231 chips 5 agreed less, all of which differed in 0.61 or more; two
places in the print of a card face down had 0.65, and 0.42 of their colours."""
STRICT = (0.7, 0.86, 0.75)
"""The same as `AGREED` on a face-up card, whose signs and figures contain arcs. A choice; `python
-m tests.chips` judges it."""
PRINTED = 0.8
"""Minimum agreement of what may be print on a plaque. A choice: the numeral of a dark plaque agreed
with a light chip by 0.75, and chips on plaques agree by 0.9 and more."""
FRAMED, PRINT_ALIKE = (0.78, 0.7, 0.34), 0.4
"""The same of a chip whose edges are those of the ring printed inside it, and the minimum
correlation of what varies around its middle with the taught print. A choice: in 30 drawn pictures
of five development sets, with chips and without, 49 rings that were no chip's agreed by 0.53 and
correlated by 0.18 at most."""
PART, PART_AGREED, PART_ROUNDED = 0.42, 0.8, 0.85
"""The same for a chip partly hidden by something else: the minimum share of directions in which it
agrees, and how well it must agree there. A choice; `python -m tests.chips` judges it."""
LEAST_ROUND = PART * PART_ROUNDED
"""Minimum share of a visible rim with an edge; with less, nothing can be a chip, even in part.
Follows from what is asked of a part."""
FACED, MANY = (0.88, 0.7, 0.75), 0.1
"""The same on a card for a chip of several colours, with at least `MANY` of its area in other
colours than its usual one: what agrees so well with all of them is not the print of a card, even if
its rim hardly stands out, like a light chip's on paper. A choice; `python -m tests.chip_bets` and
the photographs without chips judge it."""
HALFWAY, WELL, ALIKE = 0.6, 0.8, 0.38
"""Minimum share of a rim at which a circle may be a stack's foot, unless its agreement with a value
reaches `WELL`; on a card the agreement must reach `ALIKE`. A choice: of 14 feet of drawn stacks
none agreed with a value by less than 0.39; `python -m tests.chips --layouts stacks` judges it."""
COVERED, SHADOW = 0.95, 0.5
"""Share in view from which a thing counts as whole, and the share of what is visible of another at
which that is a shadow on the ground, not a dark chip. Measured by `python -m tests.real_chips
--photos 3` with ten sets, layouts spread, touching and stacks: one of 1,015 comparisons of covered
chips reached 0.4, and each of 130 with the shadow beside a stack 0.6."""
APART = 0.62
"""Chips whose centres are closer than this, in radii, are one chip. A choice: if a chip is covered
further, too little of it is visible."""
EVEN, STEP = 0.02, 0.035
"""Lead of the best value at which the odds are even, and the scale on which they rise from there,
in agreement. A choice; `python -m tests.chips` judges it."""
BRIGHTER = 0.05
"""Agreement lost for each octave by which the light at one chip differs. A choice; `python -m
tests.chips` judges it."""
CLEARER = 0.06
"""On a card, maximum lead of the share of a rim with an edge over the share that stands out from
the grain. A choice; `python -m tests.chips` judges it."""
IN_VIEW = 0.5
"""Minimum share of a cell or a direction that must be visible for it to count. A choice; `python -m
tests.chips` judges it."""
RIMLESS = 0.3
"""Weight of a direction without an edge at the rim. A choice; `python -m tests.chips` judges it."""
ALONG = 0.55
"""Minimum agreement of a direction that shows the chip. A choice; `python -m tests.chips` judges
it."""


AT_ONCE = 24
"""Number of things that are compared with all values at once. A choice: what that takes then stays
in a processor's cache; the answers are the same."""


@dataclass(frozen=True, slots=True)
class Match:
    """A round thing that is a chip: which one, and how surely; `score` orders them from the top."""

    number: int
    kind: int
    other: int
    score: float
    agreed: float
    chance: float
    """The probability that it is this value and no other of the set."""
    framed: bool = False
    """Whether it was found by the ring printed inside its rim, and is believed by its print."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How well the cells of things agree with each value, (n, K, rings, ANGLES) or of one thing.

    `brighter` (n, K) is how much brighter than the things the values are.
    """

    cells: Floats
    brighter: Floats

    @classmethod
    def none(cls, count: int, kinds: int) -> Self:
        """Room for the fits of `count` things."""
        cells = np.empty((count, kinds, len(RINGS), ANGLES), np.float32)
        return cls(cells, np.empty((count, kinds), np.float32))

    def __getitem__(self, row: int) -> Fit:
        return Fit(self.cells[row], self.brighter[row])

    def put(self, rows: int | NDArray[np.intp], fit: Fit) -> None:
        """Enter the fits of some things."""
        self.cells[rows], self.brighter[rows] = fit.cells, fit.brighter


@dataclass(frozen=True, slots=True, eq=False)
class Prints:
    """The taught prints of a set, (K, rings, ANGLES, 3) each.

    The colours as they are, as `lab` returns them, and the lowest and the highest that agree.
    """

    colours: Floats
    as_lab: Floats
    low: Floats
    high: Floats
    many: NDArray[np.bool_]
    """Which of them (K,) have several colours."""

    @classmethod
    @lru_cache(maxsize=2)
    def of(cls, chips: ChipSet) -> Prints:
        """Prepare a set's prints, once for each set."""
        as_lab = lab(chips.prints)
        usual = np.median(as_lab, axis=(1, 2), keepdims=True)
        other = np.linalg.norm(as_lab - usual, axis=-1) > 2 * CELL_ALIKE
        share = (other * AREAS[:, None]).sum(axis=(1, 2)) / ANGLES
        return cls(chips.prints, as_lab, *leeway(chips.prints), share >= MANY)

    def places(self, turns: NDArray[np.intp]) -> NDArray[np.intp]:
        """Where the cells (…, K, rings, ANGLES) of prints with these `turns` (…, K) are among all
        the prints' cells."""
        kinds, rings, _ = self.colours.shape[:3]
        rows = np.arange(kinds)[:, None, None] * rings + np.arange(rings)[:, None]
        around = (np.arange(ANGLES) + turns[..., None, None]) % ANGLES
        return np.asarray(rows * ANGLES + around, np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Matcher:
    """Compares the round things of one picture with a set."""

    things: Things
    prints: Prints
    likeness: dict[int, float] = field(default_factory=dict)
    """How well each thing compared so far agrees with its likeliest value, covered or not."""
    cells: dict[int, Floats] = field(default_factory=dict)
    """The agreement of each one's cells with that value (rings, ANGLES)."""
    whole: dict[int, Fit] = field(default_factory=dict)
    """The fits of things that were compared while nothing covered them."""

    @property
    def found(self) -> Circles:
        """The things' circles."""
        return self.things.found

    def and_more(self, more: Things) -> Matcher:
        """The same with more things, appended to those it knows."""
        return replace(self, things=self.things.and_more(more))

    def poor(self, like: Floats) -> NDArray[np.intp]:
        """Things with most of a rim that are `like` (N,) no value, if nothing covers them.

        They may be the feet of stacks.
        """
        low = (self.found.support >= HALFWAY) & (like < WELL) & ~self.things.framed
        return np.flatnonzero(low & (~self.things.strict | (like >= ALIKE)))

    def good(self, like: Floats) -> NDArray[np.bool_]:
        """Which things are `like` (N,) a value, if nothing covers them."""
        return np.asarray(like >= WELL, np.bool_)

    def like(self) -> Floats:
        """How well each thing (N,) agrees with its likeliest value, if nothing covers it."""
        every = np.arange(len(self.found))
        self.matches(np.ones((len(every), len(RINGS), ANGLES), np.float32), every)
        return np.array([self.likeness.get(number, 0.0) for number in every.tolist()], np.float32)

    def matches(self, visible: Floats, which: NDArray[np.intp]) -> list[Match]:
        """Identify the things `which`, each by its `visible` cells (n, rings, ANGLES) only."""
        likely = self.things.near[which].any(axis=1) & (_shown(visible) >= SHOWN)
        likely &= self._rounded(visible, which) >= LEAST_ROUND
        which, visible = which[likely], visible[likely]
        return self._identified(visible, which, self._known(visible, which)) if len(which) else []

    def _known(self, visible: Floats, which: NDArray[np.intp]) -> Fit:
        """The fits of things, which are found once for those that nothing covers."""
        whole = np.asarray(visible.all(axis=(1, 2)), np.bool_)
        known = np.array([number in self.whole for number in which.tolist()], np.bool_) & whole
        fit = Fit.none(len(which), len(self.prints.colours))
        new = np.flatnonzero(~known)
        for first in range(0, len(new), AT_ONCE):
            some = new[first : first + AT_ONCE]
            fit.put(some, self._fits(visible[some], which[some]))
        for row, number in enumerate(which.tolist()):
            if known[row]:
                fit.put(row, self.whole[number])
            elif whole[row]:
                self.whole[number] = fit[row]
        return fit

    def _fits(self, visible: Floats, which: NDArray[np.intp]) -> Fit:
        """How the things agree with each of the values, each turned to fit best."""
        seen = self.things.seen[which]
        turns = best_turns(lab(seen), self.prints.as_lab, visible)
        places = self.prints.places(turns)

        def along(prints: Floats) -> Floats:
            return prints.reshape(-1, prints.shape[-1]).take(places, axis=0)

        brighter = gains(seen[:, None], along(self.prints.colours), visible[:, None])
        light = seen[:, None] * brighter[..., None, None, None]
        cells = agreeing(lab(light), along(self.prints.low), along(self.prints.high))
        return Fit(cells, brighter)

    def _rounded(self, visible: Floats, which: NDArray[np.intp]) -> Floats:
        """The share (n,) of each visible rim that shows an edge."""
        outer = visible[:, -1] > IN_VIEW
        edges = (self.found.rim[which] & outer).sum(axis=1)
        return np.asarray(edges / np.maximum(outer.sum(axis=1), 1), np.float32)

    def _identified(self, visible: Floats, which: NDArray[np.intp], fit: Fit) -> list[Match]:
        """Those of the things `which` that are chips, by how their `visible` cells fit."""
        weights = visible * AREAS[:, None]
        total = weights.sum(axis=(1, 2))
        agreed = np.einsum("nkra,nra->nk", fit.cells, weights) / total[:, None]
        agreed -= BRIGHTER * np.abs(np.log2(fit.brighter))
        agreed = np.where(self.things.near[which], agreed, -1.0)
        rows, order = np.arange(len(which)), np.argsort(-agreed, axis=1, kind="stable")
        kind, other = order[:, 0], order[:, min(1, agreed.shape[1] - 1)]
        best = agreed[rows, kind]
        lead = best - agreed[rows, other] if agreed.shape[1] > 1 else np.ones(len(which))
        chance = 1 - 0.5 * np.exp(-np.maximum(lead - EVEN, 0) / STEP)
        cells = fit.cells[rows, kind]
        for number, like, some in zip(which.tolist(), best.tolist(), cells, strict=True):
            if number not in self.likeness:
                self.likeness[number], self.cells[number] = like, some
        strict = self.things.strict[which]
        faced = strict & (best >= FACED[0]) & self.prints.many[kind]
        rounded = self._rounded(visible, which)
        held = np.minimum(rounded, self.found.clear[which] + CLEARER)
        rounded = np.where(strict & ~faced, held, rounded)
        shown = total / float(AREAS.sum() * ANGLES)
        least = self._least(which, faced)
        whole = (best >= least[:, 0]) & (rounded >= least[:, 1]) & (shown >= least[:, 2])
        whole &= (shown >= COVERED) | ~self._shadows(which, visible)
        part = np.zeros(len(which))
        framed = self.things.framed[which]
        whole[framed] &= self._printed(visible[framed], which[framed], kind[framed]) >= PRINT_ALIKE
        partly = ~whole & ~framed & ~strict & ~self.things.printed[which] & self.things.bold[which]
        part[partly] = self._in_part(cells[partly], which[partly], visible[partly])
        told = np.where(whole, best, part)
        score = best * rounded * np.where(whole, shown, part)
        return [
            Match(
                int(which[row]), int(kind[row]), int(other[row]), float(score[row]),
                float(told[row]), float(chance[row]), bool(framed[row]),
            )
            for row in np.flatnonzero(whole | (part > 0)).tolist()
        ]  # fmt: skip

    def _printed(self, visible: Floats, which: NDArray[np.intp], kind: NDArray[np.intp]) -> Floats:
        """How well the `visible` colours of things (n,) vary around their middles as the prints of
        these values do."""
        if not len(which):
            return np.zeros(0, np.float32)
        seen, rows = lab(self.things.seen[which]), np.arange(len(which))
        places = self.prints.places(best_turns(seen, self.prints.as_lab, visible))[rows, kind]
        taught = self.prints.as_lab.reshape(-1, seen.shape[-1]).take(places, axis=0)
        return varying_alike(seen, taught, visible)

    def _in_part(
        self, cells: Floats, which: NDArray[np.intp], visible: Floats
    ) -> NDArray[np.floating]:
        """How well the directions that show a chip agree, times their share (n,); 0 if too few do.

        `cells` (n, rings, ANGLES) agree with the likeliest value.
        """
        inside, along = _showing(cells, self.found.rim[which], visible)
        count = np.maximum(inside.sum(axis=1), 1)
        agreed = (along * inside).sum(axis=1) / count
        rounded = (self.found.rim[which] & inside).sum(axis=1) / count
        share = inside.mean(axis=1)
        enough = (share >= PART) & (agreed >= PART_AGREED) & (rounded >= PART_ROUNDED)
        enough &= ~self._shadows(which, visible * inside[:, None])
        return np.asarray(np.where(enough, agreed * share, 0.0))

    def _shadows(self, which: NDArray[np.intp], visible: Floats) -> NDArray[np.bool_]:
        """Which of some things (n,) are by their `visible` cells shadows on the ground."""
        return self.things.around.in_shade(which, visible) >= SHADOW

    def _least(self, which: NDArray[np.intp], faced: NDArray[np.bool_]) -> Floats:
        """The minimum (n, 3) of agreement, rim and visible part for each thing to be a chip."""
        usual = np.where(self.things.plain[which], AGREED, FAINT_AGREED)
        least = np.tile(np.array([AGREED, ROUNDED, SHOWN]), (len(which), 1))
        least[:, 0] = usual
        least[self.things.printed[which], 0] = PRINTED
        least[self.things.strict[which]] = STRICT
        least[faced] = FACED
        framed = self.things.framed[which]
        least[framed] = np.maximum(least[framed], FRAMED)
        return np.asarray(least)


def _showing(
    cells: Floats, rim: NDArray[np.bool_], visible: Floats
) -> tuple[NDArray[np.bool_], Floats]:
    """Which directions (n, ANGLES) show a chip, and how well the cells along each agree.

    `cells` (n, rings, ANGLES) agree with the likeliest value, `rim` (n, ANGLES) shows an edge.
    """
    weights = visible * AREAS[:, None]
    total = weights.sum(axis=1)
    along = (cells * weights).sum(axis=1) / np.maximum(total, 1e-3)
    good = np.where(total > IN_VIEW * AREAS.sum(), along * (RIMLESS + (1 - RIMLESS) * rim), 0.0)
    smooth = (np.roll(good, -1, axis=1) + good + np.roll(good, 1, axis=1)) / 3
    return smooth >= ALONG, np.asarray(along, np.float32)


def _shown(visible: Floats) -> Floats:
    """The share (n,) of each round thing whose cells (n, rings, ANGLES) are `visible`."""
    return np.asarray((visible * AREAS[:, None]).sum(axis=(1, 2)) / (AREAS.sum() * ANGLES))


def cells_in(covered: NDArray[np.uint8], found: Circles, which: NDArray[np.intp]) -> Floats:
    """Which cells (n, rings, ANGLES) of round things nothing covers: 1 or 0."""
    turns = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    reach = found.radii[which][:, None, None] * RINGS[:, None]
    x = found.centres[which, 0][:, None, None] + reach * np.cos(turns)
    y = found.centres[which, 1][:, None, None] + reach * np.sin(turns)
    high, wide = covered.shape
    across, down = np.rint(x).astype(np.intp), np.rint(y).astype(np.intp)
    inside = (across >= 0) & (down >= 0) & (across < wide) & (down < high)
    hidden = covered[np.clip(down, 0, high - 1), np.clip(across, 0, wide - 1)] > 0
    return np.asarray(inside & ~hidden, np.float32)


def cover(covered: NDArray[np.uint8], centre: Floats, radius: float) -> None:
    """Mark a round thing as explained."""
    where = round(float(centre[0]) * 16), round(float(centre[1]) * 16)
    cv2.circle(covered, where, round(radius * 16), (255,), -1, cv2.LINE_8, 4)
