"""How large the chips of a set appear on a table, learned from chips whose number is known.

How much nearer to the camera the top of a stack is follows from how large its face appears, if the
size of a single chip is known to one part in a thousand there. No lens and no ruler is that exact,
but the chips on a table tell it themselves: the sides of stacks away from the middle say how many
chips they are, and their faces then show how large other faces must appear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import THICK_DOUBT
from vision.chips.faces import Magnified
from vision.picture.geometry import Point

ANY = 0.01
"""Standard deviation of the logarithm of a taught set's size on a table. A choice: one percent, as
for a scale taken from cards."""
BY_VALUE = 0.0014
"""The same for one value relative to the set. A choice: they are taught in one picture, and through
lenses of any blur values of six drawn sets seemed 0.0004 to 0.0015 apart, up to 0.006 before faces
were blurred as pictures are. Of 216 stacks of two sets 205 were counted exactly, 201 with 0.002."""
ASLANT = 0.002
"""The same at one focal length from the point below the camera, in each direction: the table is
not quite where it was calibrated. A choice: four millimetres higher on one side."""
SLANTED, GRADED = 0.035, 1.5
"""A usual camera's slant, in radians, and how much sizes change along a picture for each radian by
which it is mistaken. A choice: two degrees, as a camera hung by hand; the latter follows from how a
slanted plane is seen: by the distance one way, and by its square the other."""
BULGING = 0.1
"""The same for what grows with the square of that distance: the distortion of a lens that nobody
has calibrated. A choice: a webcam's lens makes two percent half a focal length from the middle."""
EACH = 0.02
"""Standard deviation of how much each chip makes, relative to what is expected from its thickness
and the camera's height. A choice: 0.07 of 3.3 mm, which few people measure."""
UNEQUAL = 0.0007
"""Standard deviation of the logarithm of the size of chips of one value. A choice: 0.03 mm of 39,
as they come from one mould."""
AMISS = 0.01
"""Probability density of any size, if something is wrong with a face: one face in a thousand, by up
to five percent either way. A choice: with one in a hundred, a stack of five whose side had gone
amiss kept a range of one to five for all that its face said.
"""
UNSCALED, TAUGHT, CURVED = 0.05, 0.015, 0.03
"""The same as `ANY`, `BY_VALUE` and `BULGING` in a photograph, whose scale comes from cards, as
that of the one did in which the set was taught, and which telephones straighten. A choice: on 28
drawn photographs of three development sets the sizes were 0.037 off."""
LENSES = 0.15
"""The same as `EACH` there. A choice: telephones and webcams differ by a tenth, a picture that was
cut or zoomed by more."""
ROUGHLY = 0.003
"""Standard deviation of the error of a face in a photograph, besides that of its fit. A choice: on
the same photographs, half of 131 faces were 0.004 from what the others made of it."""
SUPPOSED = 150
"""Maximum number of suppositions about all stacks together. A choice: where no side is seen, ranges
held 51 of 71 stacks of coins with 48, 61 with this or 250, and 65 with 400; 250 made a frame with
sixty chips 3 % slower than 48 (`python -m tests.benchmarks chips`)."""
SPARE, ALIKE = 4, 2.0
"""How many times as many are weighed, of which the less likely ones count with those that expect
about the same sizes, and the maximum distance of these, in standard deviations. A choice: of 386
stacks on 42 drawn tables, some of them dark, ranges held 374 without, 380 with 4 times and 381 with
10 times as many.
"""
SUPPOSED_UNAIDED = 2000
"""The same in a photograph, in which sides tell little until all faces are seen. A choice: on 16
drawn photographs with 112 stacks, ranges held 90 % of their numbers with 48, and 98 % with this.
"""
THICKER = np.geomspace(0.5, 1.3, 13) - 1
"""How much thicker than it is taken for a chip may be, relative to that, if nobody measured it. A
choice: 1.65 mm, a coin, to 4.3 for 3.3, in steps of which a stack of five makes a third of a chip.
"""
UNUSUAL = 0.15
"""Probability of any thickness, instead of one near the usual one. A choice: coins and cheap chips.
"""
UNLIKELY = 1e-5
"""Minimum probability, by its side, of a number of chips that is supposed. A choice: a hundredth of
what can widen a range."""
HARDLY = 1e-6
"""Minimum probability of a supposition relative to the likeliest one. A choice: a tenth of what a
side alone must give a number for it to be supposed."""
FAINTEST = 1e-9
"""Least probability that is averaged. A choice: what one picture excludes, others cannot allow."""
MISSAID = 1e-4
"""Odds of each other number once a person has said one. A choice: one answer in five hundred is
wrong."""
TIMES_MOST = 20
"""Maximum number of pictures that an average counts as, so that it follows slow changes. A
choice."""
SAME = 0.5
"""Maximum distance of suppositions that are merged, in standard deviations. A choice."""
APART_MOST = 0.03
"""Maximum difference of how much each chip makes of suppositions that are merged. A choice: half of
a step between thicknesses."""
NUDGED, TILTED = 0.001, 0.0005
"""Standard deviations of the change of all sizes, and of each slope, from one evening to the next.
A choice: a camera that is dusted sinks by 0.8 mm; more than that is noticed, and calibrated."""
COMMON = 5
"""Number of unknowns that all values have in common: the set's size, two slopes, a bulge, and how
much each chip makes. Follows from this list."""

EACH_AT = 4
"""The index of the last of these. Follows from this list."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sized:
    """How large the face of a chip of one value (its index, `kind`) appears at a place.

    The `place` is counted from the pixel below the camera, in focal lengths.
    """

    kind: int
    place: Point
    seen: Magnified


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a picture shows of the number of chips in one stack.

    `sides` (N,) is the probability of each number by the stack's side, or for each of the
    thicknesses `THICKER` (T, N) if it is not known, up to a factor; `sized` is its face, which
    would grow by `rises` (N,) for each number, as logarithms; None if it cannot be measured.
    """

    sides: Matrix
    sized: Sized | None
    rises: Matrix
    times: int = 1
    """The number of pictures of which this is the average."""
    told: bool = False
    """Whether a person has said the number."""

    def said(self, number: int) -> Evidence:
        """The same if a person has said the number of chips."""
        if self.sides.ndim > 1:  # the side then tells the thickness
            most = self.sides.max()
            kept = np.full(self.sides.shape, MISSAID * most)
            kept[:, number - 1] = self.sides[:, number - 1]
            return replace(self, sides=kept / most, times=TIMES_MOST, told=True)
        sides = np.full(len(self.sides), MISSAID)
        sides[number - 1] = 1.0
        return replace(self, sides=sides / sides.sum(), times=TIMES_MOST, told=True)

    @property
    def likely(self) -> Matrix:
        """The probability (N,) of each number by the side alone."""
        if self.sides.ndim == 1:
            return self.sides
        sides = (usually()[:, None] * self.sides).sum(axis=0)
        return np.asarray(sides / sides.sum(), np.float64)

    def averaged(self, other: Evidence) -> Evidence:
        """The average of both; what one picture misjudges, the others misjudge less or as well."""
        times = self.times + other.times
        share = other.times / times
        logs = [np.log(np.maximum(one.sides, FAINTEST)) for one in (self, other)]
        sides = np.exp(logs[0] * (1 - share) + logs[1] * share)
        sized = other.sized
        if sized is not None and self.sized is not None:
            pair = (self.sized.seen, self.times), (sized.seen, other.times)
            sized = replace(sized, seen=_averaged(*pair))
        times, told = min(times, TIMES_MOST), self.told or other.told
        return replace(other, sides=sides / sides.sum(), sized=sized, times=times, told=told)

    def alike(self, other: Evidence) -> float:
        """How much the probabilities by both sides have in common, from 0 to 1."""
        return float(np.sqrt(self.likely * other.likely).sum())


def _averaged(one: tuple[Magnified, int], other: tuple[Magnified, int]) -> Magnified:
    """The average of two sizes and the numbers of pictures that they are from.

    The more exact one counts for more: a hand may just be leaving.
    """
    weights = [times / seen.error**2 for seen, times in (one, other)]
    ratio = one[0].ratio * weights[0] + other[0].ratio * weights[1]
    return Magnified(ratio / sum(weights), float(np.sqrt((one[1] + other[1]) / sum(weights))))


def usually(doubt: float = THICK_DOUBT) -> Matrix:
    """The probability (T,) of each of the thicknesses `THICKER`, with this standard deviation."""
    likely = np.exp(-((THICKER / doubt) ** 2) / 2)
    told = (1 - UNUSUAL) * likely / likely.sum() + UNUSUAL / len(likely)
    return np.asarray(told, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """What a stack made of the suppositions about those seen before it.

    Of B possibilities, each supposes the index `number` (B,) among the numbers of chips, and what
    the earlier supposition `came` (B,) did of the other stacks; it makes the `share` (B,) of the
    supposition `to` (B,).
    """

    came: NDArray[np.intp]
    number: NDArray[np.intp]
    to: NDArray[np.intp]
    share: Matrix

    def back(self, weights: Matrix, numbers: int, before: int) -> tuple[Matrix, Matrix]:
        """The probabilities of the numbers in this stack (N,), and those of the suppositions before
        it (M,), from those after it (K,)."""
        every = weights[self.to] * self.share
        told = np.bincount(self.number, every, numbers), np.bincount(self.came, every, before)
        return np.asarray(told[0], np.float64), np.asarray(told[1], np.float64)


def _nearest_of(
    means: Matrix, spread: Matrix, weights: Matrix, most: int
) -> tuple[Matrix, NDArray[np.intp]]:
    """The weights (most,) of the first suppositions, with those of each other one that expects
    about the same sizes, and with which of the first each one (M,) counts, -1 for none.

    What they expect is distributed with `means` (M, P) and the usual `spread` (P, P); their
    `weights` (M,) go to the nearest.
    """
    apart = means @ np.linalg.cholesky(np.linalg.inv(spread))
    first, rest = apart[:most], apart[most:]
    away = (first**2).sum(axis=1) - 2 * rest @ first.T + (rest**2).sum(axis=1)[:, None]
    nearest = away.argmin(axis=1)
    near = away[np.arange(len(rest)), nearest] < ALIKE**2
    to = np.concatenate([np.arange(len(first)), np.where(near, nearest, -1)])
    total = np.bincount(to[to >= 0], weights[to >= 0], len(first))
    return np.asarray(total, np.float64), to


@dataclass(frozen=True, slots=True, eq=False)
class Gauge:
    """What is known of the sizes of single chips of a set, everywhere on a table.

    The logarithm of a size is linear in unknowns: the set's, two slopes, a bulge, how much more
    each chip makes than is expected, and each value's.
    There are several suppositions about all stacks seen so far, with `weights` (M,); under each,
    the unknowns are normally distributed with `means` (M, P) and `spreads` (M, P, P).
    """

    weights: Matrix
    means: Matrix
    spreads: Matrix
    most: int = SUPPOSED
    """Maximum number of suppositions."""
    spare: int = SPARE
    """How many times as many are weighed."""

    @classmethod
    def of(cls, values: int, doubt: float = 0.0, thick_doubt: float = 0.0) -> Self:
        """What is known before any chip of a set of so many values was seen.

        `doubt` is the relative standard deviation of the camera's focal length: its pictures are
        levelled by it, and its height follows from it. `thick_doubt` is that of the chips'
        thickness, 0 if it was measured.
        """
        aslant = hypot(ASLANT, GRADED * SLANTED * doubt)
        each = hypot(EACH, doubt)
        usual = np.array([ANY, aslant, aslant, BULGING, each, *[BY_VALUE] * values])
        if not thick_doubt:
            return cls(np.ones(1), np.zeros((1, len(usual))), np.diag(usual**2)[None])
        means = np.zeros((len(THICKER), len(usual)))
        means[:, EACH_AT] = THICKER
        spreads = np.tile(np.diag(usual**2), (len(THICKER), 1, 1))
        return cls(usually(thick_doubt), means, spreads)

    @classmethod
    def unaided(cls, values: int, slant: float, doubt: float) -> Self:
        """What is known in a photograph that no calibrated camera took.

        Its `slant` is known but for an error of so many radians, and the thickness of chips but for
        a share of `doubt`.
        """
        aslant, each = GRADED * slant, hypot(LENSES, doubt)
        usual = np.array([UNSCALED, aslant, aslant, CURVED, each, *[TAUGHT] * values])
        spreads, most = np.diag(usual**2)[None], SUPPOSED_UNAIDED
        return cls(np.ones(1), np.zeros((1, len(usual))), spreads, most, spare=1)

    def judged(self, seen: Sequence[Evidence]) -> tuple[list[Matrix], Gauge]:
        """The probabilities (N,) of each number in stacks that are seen together, and what they
        teach."""
        told, known = self._judged(seen)
        return told, known._merged()

    def numbers(self, seen: Sequence[Evidence]) -> list[Matrix]:
        """The same probabilities, if nobody asks what the stacks teach."""
        return self._judged(seen)[0]

    def _judged(self, seen: Sequence[Evidence]) -> tuple[list[Matrix], Gauge]:
        """The probabilities of each number, and every supposition about all stacks.

        The most certain ones come first: what they teach leaves fewer suppositions about others.
        """
        order = sorted(range(len(seen)), key=lambda one: -float(seen[one].likely.max()))
        known, judged = self, list[tuple[int, _Step, int]]()
        told = [one.likely for one in seen]
        for number in order:
            if seen[number].sized is not None:
                before = len(known.weights)
                known, step = known._with(seen[number])
                judged.append((number, step, before))
            elif seen[number].sides.ndim > 1:
                weights = known.weights * known.sides_of(seen[number]).sum(axis=1)
                known = replace(known, weights=weights / weights.sum())
        weights = known.weights
        for number, step, before in reversed(judged):
            told[number], weights = step.back(weights, len(told[number]), before)
        for number in set(order) - {number for number, *_ in judged}:
            if seen[number].sides.ndim > 1:
                sides = known.sides_of(seen[number])
                told[number] = known.weights @ (sides / sides.sum(axis=1, keepdims=True))
        return told, known

    def sides_of(self, one: Evidence) -> Matrix:
        """The probability (M, N) of each number by a stack's side, up to a factor, under each
        supposition about the thickness."""
        if one.sides.ndim == 1:
            return np.broadcast_to(one.sides, (len(self.weights), len(one.sides)))
        nearest = np.abs(self.means[:, EACH_AT, None] - THICKER).argmin(axis=1)
        return np.asarray(one.sides[nearest], np.float64)

    def _with(self, one: Evidence) -> tuple[Gauge, _Step]:
        """The likeliest suppositions once a stack is seen, and how they came about."""
        assert one.sized is not None
        sides = self.sides_of(one)
        numbers = np.flatnonzero(sides.max(axis=0) > UNLIKELY)
        row, more = self._row(one.sized), one.rises[numbers]
        # A size depends on the number of chips through one unknown only, so that what is expected
        # of every number follows from that of a single chip and of that unknown.
        single, each = self.spreads @ row, self.spreads[:, EACH_AT]
        slope, curve = single[:, EACH_AT, None], each[:, EACH_AT, None]
        spread = (single @ row)[:, None] + more * (2 * slope + more * curve)
        spread += one.sized.seen.error**2 + UNEQUAL**2
        expected = (self.means @ row)[:, None] + more * self.means[:, EACH_AT, None]
        off = one.sized.seen.ratio - more - expected
        fits = np.exp(-(off**2) / (2 * spread)) / np.sqrt(2 * np.pi * spread)
        weights = self.weights[:, None] * sides[:, numbers] * (fits + AMISS)
        best = np.argsort(-weights, axis=None, kind="stable")[: self.spare * self.most]
        best = best[weights.flat[best] >= HARDLY * weights.flat[best[0]]]
        came, which = np.unravel_index(best, weights.shape)
        ahead = single[came] + more[which, None] * each[came]
        # What is amiss teaches nothing.
        gain = (fits / (fits + AMISS) / spread)[came, which, None] * ahead
        means = self.means[came] + gain * off[came, which, None]
        kept = slice(self.most)
        spreads = self.spreads[came[kept]]
        spreads = spreads - gain[kept, :, None] * ahead[kept, None, :]
        left = weights[came, which]
        to = np.arange(len(best))
        total = left
        if len(best) > self.most:
            total, to = _nearest_of(means, spreads[0], left, self.most)
        some = to >= 0
        share = left[some] / total[to[some]]
        step = _Step(came[some], numbers[which][some], to[some], share)
        return replace(self, weights=total / total.sum(), means=means[kept], spreads=spreads), step

    def _merged(self) -> Gauge:
        """Suppositions that expect the same sizes everywhere become one."""
        left, kept = np.argsort(-self.weights, kind="stable"), []
        while len(left):
            first = left[0]
            away = self.means[left] - self.means[first]
            near = (
                np.einsum("mp,pq,mq->m", away, np.linalg.inv(self.spreads[first]), away) < SAME**2
            )
            near &= np.abs(away[:, EACH_AT]) < APART_MOST
            near[0] = True
            kept.append((first, left[near]))
            left = left[~near]
        firsts = np.array([first for first, _ in kept])
        weights = np.array([self.weights[some].sum() for _, some in kept])
        means, spreads = self.means[firsts], self.spreads[firsts]
        return replace(self, weights=weights / weights.sum(), means=means, spreads=spreads)

    def loosened(self, share: float = 1.0) -> Gauge:
        """The same after a while in which nobody looked: camera and table may have been nudged.

        `share` is that while's share of the time from one evening to the next.
        """
        change = np.zeros(self.means.shape[1])
        change[:COMMON] = NUDGED, TILTED, TILTED, 0.0, 0.0
        return replace(self, spreads=self.spreads + share * np.diag(change**2))

    def _row(self, sized: Sized) -> Matrix:
        """How the size of a single chip's face depends on the unknowns: (P,)."""
        across, down = sized.place
        row = np.zeros(self.means.shape[1])
        row[:EACH_AT] = 1.0, across, down, across**2 + down**2
        row[COMMON + sized.kind] = 1.0
        return row


def rises(numbers: NDArray[np.integer], thick_mm: float, height_mm: float) -> Matrix:
    """How much larger the top of each number of chips appears than a single one, as logarithms.

    >>> rises(np.array([1, 2, 3]), 3.3, 828.3).round(4)
    array([0.   , 0.004, 0.008])
    """
    up = numbers * (thick_mm / height_mm)
    return np.asarray(np.log1p(-up[:1]) - np.log1p(-up), np.float64)
