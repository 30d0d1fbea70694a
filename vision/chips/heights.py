"""The number of chips in a stack, from how far its outline extends beyond its top.

The top of a stack is nearer to the camera, so it appears farther out than its foot: the outline is
the convex hull of the two. Each number of chips predicts a length of the outline and is as likely
as what is seen agrees with it. Straight under the camera the lengths hardly differ, and the number
is a range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, AROUND, Circles
from vision.chips.gauge import THICKER, Evidence, usually
from vision.chips.silhouettes import BESIDE_PX, NEAR, Hulls, Paper, Sides, hulls
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Floats, Frame

Chances = NDArray[np.float64]
"""Probabilities or weights (N, MOST) of each number of chips in stacks."""

MOST = 20
"""Maximum height of a stack that is reported, in chips. A choice: what a hand stacks."""
SEARCHED = 12
"""Maximum height of a stack that is searched for, in chips. A choice."""
FIRST, ENDED = 4, 0.8
"""Stacks of up to `FIRST` chips are tried first; taller ones only if less than the share `ENDED` of
the visible near side ends there. A choice: most chips lie singly, and a short search costs half."""
NUMBERS = np.arange(1, MOST + 1)
"""The possible numbers of chips. Follows from `MOST`."""
LACKS, BLIND = 0.2, 8.0
"""Share of the open near side without an edge above which an outline says less of the number, and
how much wider its errors are for each further unit. A choice: two chips beside a stack of seven,
whose side and shadow left two fifths of theirs without an edge, were one for certain; `python -m
tests.chips --layouts touching stacks` judges it."""
SUNK_PX, SUNK = 0.6, 0.1
"""How far an outline ends short of the foot, because the lowest chip's edge is rounded and dark: in
pixels, plus a share of its visible thickness. Measured by `python -m tests.chip_leans`: medians of
0.58, 0.92 and 0.92 pixels in 396 drawn stacks, where a chip is 0.4 to 1, 1 to 2 and 2 to 5 pixels
thick."""
SUNK_MOST = 0.8
"""Maximum share of the thickness lost in this way. Follows from a single chip, which is seen."""
SPREAD_PX, SPREAD, SPREAD_UNSURE = 0.1, 0.06, 1.0
"""Standard deviation of a measured outline: in pixels, as a share of a chip's visible thickness,
and as a multiple of the error predicted from its edges. Measured by `python -m tests.chip_leans`:
0.35 pixels where the predicted error is up to 0.12, and 0.6 with outliers of three where it is 0.25
and more."""
ASKEW_MM = 0.3
"""Standard deviation of the offset between chips stacked by hand. A choice: up to half a millimetre
either way."""
UNEVEN = 0.025
"""Relative standard deviation of a stack's height for its number of chips: chips wear, and their
thickness was usually not measured. A choice; `python -m tests.chip_bets` judges it."""
TAILS, LAPPED_TAILS = 12.0, 4.0
"""Degrees of freedom of the Student distribution of errors: for stacks, and for chips that overlap
others, whose outline may continue in the other's. A choice; `python -m tests.chip_bets` and `python
-m tests.chips --layouts stacks spread` judge it."""
ALIKE = 0.5
"""Power to which a stack's evidence for a thickness is raised. A choice: outlines of one set on one
table end alike too far in or out, so that many stacks say little more than a few."""
FIRM, LOOSE = 0.97, 8.0
"""An outline with a smaller share of its edges than `FIRM` on its hull may end long before the
foot, like that of a dark stack whose side is mistaken for a shadow; the standard deviation, in
chips, is `LOOSE` times the missing share. Measured by `python -m tests.chip_leans`."""
SINGLE, RARER = 2.0, 0.5
"""Prior odds of a single chip against any stack, and the exponent with which taller stacks become
rarer: their prior falls with this power of their number. A choice: what people bet."""
FLAT, FLAT_PX = 1.0, 1.0
"""A thing in a photograph shows no sign of a stack if its shadow extends no farther than this many
thicknesses of a chip plus this many pixels, unless it leans like a stack. A choice; `python -m
tests.real_chips` judges it."""
LEANT = 0.5
"""Maximum extra length of its side for that, beyond a single chip's, in thicknesses of a chip. A
choice; `python -m tests.real_chips` judges it."""
FLATLY = np.where(NUMBERS == 1, 100.0, np.where(NUMBERS == 2, 0.35, 0.1) * NUMBERS**-RARER)
"""Prior of each number of chips for such things. A choice: people photograph single chips far more
often than stacks that show neither a side nor a shadow."""
LAPPING, SPREAD_OUT = 1.75, 40.0
"""Maximum distance between the centres of overlapping chips, in radii, and the prior odds of a
single chip against any stack for each of them: nobody places a stack half on another. A choice;
`python -m tests.chips --layouts spread` judges it."""
UNSEEN = 0.3
"""Probability of each greater number relative to the likeliest, where a side would have the table's
colour. A choice: green plaques on green cloth came out one to three short; their faces tell."""
HELD = 0.985
"""Minimum probability that the true number is in the reported range. A choice: the range should
contain it for 99 of 100 stacks, isolated ones included; `python -m tests.chips` judges it."""
PLAIN_STACK, PRESUMED = 6, (0.4, 1.5)
"""With an uncalibrated camera, a stack counted lower than this may be one chip with its shadow;
otherwise the true number is between these shares of the count. Measured by `python -m
tests.real_chips` under cameras tilted by up to 12 degrees: 9 of 82 single chips were counted as
more, 6 of them below this."""
IN_SIGHT = 0.4
"""Minimum share of the near side not hidden by others for the number to be read; otherwise the
thing is half on another chip. A choice."""
BARELY = 0.15
"""Minimum share of the near side that shows an edge for it to count as evidence. A choice."""
RIM_GAP = 1.06
"""Distance beyond a rim, in radii, within which another round thing hides it. A choice; `python -m
tests.chips` judges it."""
SAME = 0.15
"""Maximum distance between the centres of circles that belong to one thing, in radii. A choice:
fits of one rim differ by less."""
NEAREST = 0.62
"""Minimum distance between the centres of different things, in radii. A choice, the same as
`vision.chips.matching.APART`."""


@dataclass(frozen=True, slots=True, eq=False)
class Height:
    """The height of a stack: the likeliest number of chips, the least and the most.

    `foot` and `top` (2,) are the centres of its foot and its top, and `radius` is the top's, in
    pixels. `whole` is the share of all directions in which its outline is that of a stack, `round`
    the share in which nothing else is in the way, and `unsure` the error of its fit, in radii.
    """

    count: int
    least: int
    most: int
    foot: Floats
    top: Floats
    radius: float
    whole: float
    round: float
    unsure: float
    chances: NDArray[np.float64]
    """The probability (MOST,) of each number of chips."""
    shown: bool
    """Whether enough of its near side is in sight."""
    sides: NDArray[np.float64] | None = None
    """The same for each thickness (T, MOST) of which it is not known which one is true, up to a
    factor; None if the thickness is known."""
    evidence: Evidence | None = None
    """What its side and its face show, if both were judged."""
    strange: bool = False
    """Whether its face is another than that of the value it is taken for."""


@dataclass(frozen=True, slots=True, eq=False)
class Stacks:
    """The heights of the round things in a picture, each measured once.

    A chip's thickness is `thickness` times its radius; if the camera is `presumed`, the ranges are
    wider.
    """

    frame: Frame
    camera: Standpoint
    thickness: float
    presumed: bool
    paper: Paper | None = None
    doubt: float = 0.0
    """Relative standard deviation of the thickness, 0 if it was measured."""
    hidden: NDArray[np.uint8] | None = None
    """Where (H, W) something else lies that is not round, 1 or 0; None if nothing does."""
    measured: dict[int, Height] = field(default_factory=dict)
    beside: dict[int, frozenset[int]] = field(default_factory=dict)
    """What may have hidden a side of each of those when it was measured."""

    def among(self, found: Circles, chips: Sequence[int]) -> list[Height]:
        """The heights of the `chips`, assuming that only they can hide each other's sides."""
        for number, beside in zip(chips, _beside(found, chips, chips), strict=True):
            # What seemed to hide a side may have been the stack's own foot.
            if self.beside.get(number, beside) != beside:
                del self.measured[number]
        return self.of(found, chips, chips)

    def of(
        self, found: Circles, numbers: Sequence[int], others: Sequence[int] = ()
    ) -> list[Height]:
        """The heights of `numbers` among those `found`; `others` near them may hide their sides."""
        fresh: list[int] = []
        like: dict[int, int] = {}
        for number in numbers:
            if number not in self.measured:
                like[number] = self._like(found, number, fresh)
                if like[number] == number:
                    fresh.append(number)
        if fresh:
            beside = np.zeros(len(found), np.bool_)
            beside[list(others)] = True
            told = heights(
                self.frame, found, fresh, self.camera, self.thickness,
                others=beside, paper=self.paper, hidden=self.hidden, feet=self._feet(found),
                doubt=self.doubt,
            )  # fmt: skip
            told = [widened(one) for one in told] if self.presumed else told
            self.measured.update(zip(fresh, told, strict=True))
            self.beside.update(zip(fresh, _beside(found, fresh, others), strict=True))
        for number, same in like.items():
            self.measured[number], self.beside[number] = self.measured[same], self.beside[same]
        return [self.measured[number] for number in numbers]

    def _feet(self, found: Circles) -> Floats:
        """Where things stand: the feet of those that are stacks for certain, else the centres."""
        feet = found.centres.copy()
        for number, one in self.measured.items():
            if one.least > 1:
                feet[number] = one.foot
        return feet

    def _like(self, found: Circles, number: int, fresh: Sequence[int]) -> int:
        """The one of the `fresh` that is the same circle in another fit, or the circle itself."""
        if not fresh:
            return number
        away = np.linalg.norm(found.centres[list(fresh)] - found.centres[number], axis=1)
        nearest = int(away.argmin())
        same = away[nearest] < SAME * found.radii[number]
        return fresh[nearest] if same else number


def heights(
    frame: Frame,
    found: Circles,
    which: Sequence[int],
    camera: Standpoint,
    thickness: float,
    *,
    others: NDArray[np.bool_] | None = None,
    paper: Paper | None = None,
    hidden: NDArray[np.uint8] | None = None,
    feet: Floats | None = None,
    doubt: float = 0.0,
) -> list[Height]:
    """Count the chips in each stack whose top is one of the round things `which` among those
    `found`.

    A chip's thickness is `thickness` times its radius. Those of the `others` (len(found),) that are
    near a stack may hide its side; `paper` says where cards are, and `hidden` where other things
    are. `feet` (len(found), 2) are where all of those found stand, as far as that is known; `doubt`
    is the relative standard deviation of the thickness, if it was not measured.
    """
    numbers = np.asarray(which, np.intp)
    centres, radii = found.centres[numbers], found.radii[numbers]
    away = centres - np.asarray(camera.below, np.float32)
    away[np.linalg.norm(away, axis=1) < 1] = (1.0, 0.0)
    distance = np.linalg.norm(away, axis=1)
    outwards = (away / distance[:, None]).astype(np.float32)
    steps = thickness * distance * radii / camera.focal_px
    there = np.zeros(len(found), np.bool_) if others is None else others
    open_to, table = _open(found, numbers, outwards, there)
    if hidden is not None:
        free = _bare(hidden, centres, radii, outwards)
        open_to, table = open_to & free[0], table & free[0] & free[1]
    sides = Sides(open_to, table)
    near = open_to[:, AROUND[:, 0] < -NEAR].mean(axis=1)

    def search(some: NDArray[np.intp], most: int) -> Hulls:
        here = (centres[some], radii[some], outwards[some])
        reach = float(most * steps[some].max())
        return hulls(frame, *here, reach=reach, sides=sides[some], paper=paper)

    seen = searched(search, near)
    rises = thickness * seen.radii / camera.focal_px
    askew = ASKEW_MM * camera.px_per_mm
    # The foot is farther from the camera than the top, so it looks smaller, its edge farther out.
    thick = rises * distance * (1 - seen.radii / np.maximum(distance, seen.radii * 2))
    slant = camera.leans * seen.radii
    presumed = Presumed(camera.doubt, slant * thickness, slant * camera.leans)
    flat = bool(camera.leans) & _flat(seen, thick, thickness)
    lacking = 1 - seen.seen / np.maximum(near, IN_SIGHT / 2)

    def judged(lapping: NDArray[np.bool_] | bool) -> tuple[Chances, Chances | None]:
        def at(thicker: float) -> Chances:
            steps = np.asarray(thick * np.float32(1 + thicker), np.float32)
            more = rises * (1 + thicker)
            return odds(
                seen, steps, askew, presumed,
                lapping=lapping, rises=more, flat=flat, lacking=lacking,
            )  # fmt: skip

        return supposing(at, doubt)

    places = found.centres.copy() if feet is None else feet.copy()
    (chances, every), lapping = judged(lapping=False), _lapping(found, places, numbers, there)
    if lapping.any():
        # The top of a stack only leans over what stands beside its foot.
        stack = chances[:, :2].sum(axis=1) < 1 - HELD
        places[numbers[stack]] = (seen.tops - outwards * seen.leans[:, None])[stack]
        lapping = _lapping(found, places, numbers, there)
        chances, every = judged(lapping)
    # A thing half on another chip is not a stack; one behind another may be.
    return counted(seen, outwards, chances, every, shown=(near >= IN_SIGHT) | ~lapping)


def searched(search: Callable[[NDArray[np.intp], int], Hulls], near: Floats) -> Hulls:
    """The outlines of stacks: low ones first, and higher ones only where too little ends there.

    `search` gives those of some things for feet of up to a number of chips below their tops; `near`
    (N,) is the share of the near side in sight.
    """
    seen = search(np.arange(len(near)), FIRST)
    taller = np.flatnonzero(seen.seen < ENDED * near)
    if len(taller):
        seen.put(taller, search(taller, SEARCHED))
    return seen


def counted(
    seen: Hulls, outwards: Floats, chances: Chances, every: Chances | None,
    *, shown: NDArray[np.bool_],
) -> list[Height]:  # fmt: skip
    """The heights of stacks with these outlines, away from the camera in the directions `outwards`
    (N, 2), and with these probabilities, also by thickness if `every` (N, T, MOST) is given.

    What is not `shown` (N,) counts as one chip.
    """
    told = []
    for number, chance in enumerate(chances):
        top, radius = seen.tops[number], float(seen.radii[number])
        foot = top - outwards[number] * seen.leans[number]
        count, least, most = ranged(chance) if shown[number] else (1, 1, 1)
        shares = float(seen.whole[number]), float(seen.round[number])
        unsure = float(seen.unsure[number]) / radius
        sides = None if every is None else every[number]
        one = (count, least, most, foot, top, radius, *shares, unsure, chance)
        told.append(Height(*one, shown=bool(shown[number]), sides=sides))
    return told


def supposing(
    likely_at: Callable[[float], NDArray[np.float64]], doubt: float
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """The probability (N, MOST) of each number of chips, and if the thickness is in `doubt`, that
    for each thickness up to a factor (N, T, MOST), or None.

    `likely_at` gives weights (N, MOST) for chips that are thicker than usual by a share.
    """
    if not doubt:
        chances = likely_at(0.0)
        return chances / chances.sum(axis=1, keepdims=True), None
    every = np.stack([likely_at(float(thicker)) for thicker in THICKER], axis=1)
    total = every.sum(axis=2, keepdims=True)
    every *= (total / total.max(axis=1, keepdims=True)) ** ALIKE / total
    chances = (usually(doubt)[None, :, None] * every).sum(axis=1)
    return chances / chances.sum(axis=1, keepdims=True), every


@dataclass(frozen=True, slots=True, eq=False)
class Presumed:
    """What is not known about a camera.

    `doubt` is the relative error of a chip's visible thickness; `each` and `any` (N,) are how many
    pixels a stack may lean either way, for each of its chips and in total.
    """

    doubt: float = 0.0
    each: Floats | float = 0.0
    any: Floats | float = 0.0


KNOWN = Presumed()
"""A calibrated camera. Follows from that."""


def odds(
    seen: Hulls,
    steps: Floats,
    askew_px: float,
    presumed: Presumed = KNOWN,
    *,
    lapping: NDArray[np.bool_] | bool = False,
    rises: NDArray[np.floating] | float = 0.0,
    flat: NDArray[np.bool_] | bool = False,
    lacking: NDArray[np.floating] | float = 0.0,
) -> NDArray[np.float64]:
    """The probability (N, MOST) of each number of chips, up to a factor.

    Each chip lengthens the outline by `steps` (N,) pixels, and stacked chips are offset by
    `askew_px`. `lapping` (N,) says which overlap others, `rises` (N,) is the share of the distance
    from the top to the camera by which a chip raises the top, and `lacking` (N,) that of the open
    near side that shows no edge.
    """
    thick = steps[:, None].astype(np.float64)
    sunk = np.minimum(SUNK_PX + SUNK * thick, SUNK_MOST * thick)
    # A nearer top looks larger, and a chip of that size would look thicker accordingly.
    expected = NUMBERS * thick / (1 + NUMBERS * np.reshape(rises, (-1, 1))) - sunk
    off = seen.leans[:, None] - expected
    lapped = np.reshape(lapping, (-1, 1))
    # An outline may end before the foot, but beyond it only if another chip's continues it.
    shaky = LOOSE * np.clip(FIRM - seen.firm[:, None], 0, None)
    loose = np.where((off < 0) | lapped, shaky, 0.0)
    measured = SPREAD_PX + (SPREAD + loose) * thick + SPREAD_UNSURE * seen.unsure[:, None]
    measured *= 1 + BLIND * np.clip(np.reshape(lacking, (-1, 1)) - LACKS, 0, None)
    each, any_ = (np.reshape(part, (-1, 1)) for part in (presumed.each, presumed.any))
    scaled = np.hypot(presumed.doubt, UNEVEN) * NUMBERS * thick
    aside = np.hypot(scaled, NUMBERS * each + any_)
    spread = np.sqrt(measured**2 + np.where(NUMBERS > 1, askew_px, 0.0) ** 2 + aside**2)
    tails = np.where(lapped, LAPPED_TAILS, TAILS)
    fits = (1 + (off / spread) ** 2 / tails) ** (-(tails + 1) / 2) / spread
    fits[seen.seen < BARELY] = 1.0
    # A side that has the table's colour is not seen, however high it is.
    hidden = seen.alike[:, None] & (off < 0)
    fits = np.where(hidden, np.maximum(fits, UNSEEN * fits.max(axis=1, keepdims=True)), fits)
    single = np.where(lapped, SPREAD_OUT, SINGLE)
    usual = np.where(NUMBERS > 1, NUMBERS**-RARER, single)
    shown = np.reshape(flat, (-1, 1)) & (seen.seen[:, None] >= BARELY)
    return np.asarray(fits * np.where(shown, FLATLY, usual), np.float64)


def ranged(chances: NDArray[np.float64]) -> tuple[int, int, int]:
    """The likeliest number, and the least and the most of the range that is likely to hold the true
    one.

    >>> ranged(np.array([0.02, 0.9, 0.07, 0.01]))
    (2, 1, 3)
    """
    low = high = best = int(chances.argmax())
    held = float(chances[best])
    while held < HELD and high - low + 1 < len(chances):
        less = float(chances[low - 1]) if low > 0 else -1.0
        more = float(chances[high + 1]) if high + 1 < len(chances) else -1.0
        low, high = (low - 1, high) if less >= more else (low, high + 1)
        held += max(less, more)
    return best + 1, low + 1, high + 1


def recounted(stack: Height, chances: NDArray[np.float64]) -> Height:
    """A height with other probabilities (MOST,) of each number, which need not add up to one."""
    chances = chances / chances.sum()
    count, least, most = ranged(chances)
    return replace(stack, count=count, least=least, most=most, chances=chances)


def widened(stack: Height) -> Height:
    """Widen a height's range for an uncalibrated camera.

    Which side of a stack shows, and how much of it, was only presumed.
    """
    if stack.count == 1:
        return stack
    least = 1 if stack.count < PLAIN_STACK else ceil(stack.count * PRESUMED[0])
    most = min(MOST, ceil(stack.count * PRESUMED[1]) + 1)
    return replace(stack, least=min(stack.least, least), most=max(stack.most, most))


def _flat(seen: Hulls, thick: Floats, thickness: float) -> NDArray[np.bool_]:
    """Which things (N,) show no sign of a stack: neither a long shadow nor much of a side.

    A chip's thickness is `thickness` times its radius and appears as `thick` (N,) pixels.
    """
    chip = thickness * seen.radii
    short = seen.shadows < FLAT * chip + FLAT_PX
    return np.asarray(short & (seen.leans < thick + LEANT * chip))


def _lapping(
    found: Circles, places: Floats, which: NDArray[np.intp], others: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the round things at `places` (len(found), 2) overlap one of the `others`
    (len(found),), on top or underneath."""
    away = np.linalg.norm(places[which][:, None] - places[others][None], axis=2)
    reach = found.radii[which][:, None]
    return np.asarray(((away > NEAREST * reach) & (away < LAPPING * reach)).any(axis=1))


def _beside(found: Circles, numbers: Sequence[int], others: Sequence[int]) -> list[frozenset[int]]:
    """Those of the `others` that may hide a side of each of the things `numbers`."""
    every, some = np.asarray(others, np.intp), np.asarray(numbers, np.intp)
    away = np.linalg.norm(found.centres[some][:, None] - found.centres[every][None], axis=2)
    near = _hiding(away, found.radii[some][:, None])
    return [frozenset(every[row].tolist()) for row in near]


def _hiding(away: Floats, radius: Floats | float) -> NDArray[np.bool_]:
    """Whether things at distances `away` from one with this radius may hide a side of it."""
    far = radius + BESIDE_PX[1] + radius * RIM_GAP
    return np.asarray((away > NEAREST * radius) & (away < far))


def _bare(
    hidden: NDArray[np.uint8], centres: Floats, radii: Floats, outwards: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The directions (N, ANGLES), starting outwards, in which nothing lies at the rim, and in which
    nothing lies as far beyond it as the table is examined."""
    across, down = outwards[:, :1], outwards[:, 1:]
    x = across * AROUND[:, 0] - down * AROUND[:, 1]
    y = down * AROUND[:, 0] + across * AROUND[:, 1]
    ways = np.stack([x, y], axis=-1)
    high, wide = hidden.shape
    told = []
    for reach in (radii * RIM_GAP, radii + BESIDE_PX[1]):
        at = np.rint(centres[:, None] + reach[:, None, None] * ways).astype(np.intp)
        there = hidden[np.clip(at[..., 1], 0, high - 1), np.clip(at[..., 0], 0, wide - 1)]
        told.append(np.asarray(there == 0, np.bool_))
    return told[0], told[1]


def _open(
    found: Circles, which: NDArray[np.intp], outwards: Floats, others: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Find the directions (len(which), ANGLES), starting outwards, that the `others` leave open.

    The first result says where there is nothing at the rim, the second where there is nothing as
    far beyond it as the table is examined.
    """
    free = np.ones((len(which), ANGLES), np.bool_)
    clear = free.copy()
    for row, number in enumerate(which.tolist()):
        middle, radius = found.centres[number], float(found.radii[number])
        apart = np.linalg.norm(found.centres - middle, axis=1)
        far = radius + BESIDE_PX[1]
        beside = others & _hiding(apart, radius)
        if not beside.any():
            continue
        across, down = outwards[row].tolist()
        turned = AROUND @ np.array([[across, down], [-down, across]], np.float32)
        centres, radii = found.centres[beside], found.radii[beside]
        for some, reach in ((free, radius * RIM_GAP), (clear, far)):
            away = np.linalg.norm(middle + turned[:, None] * np.float32(reach) - centres, axis=2)
            some[row] = (away > radii).all(axis=1)
    return free, clear & free
