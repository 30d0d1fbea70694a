"""The number of chips in a stack, from how far its outline reaches beyond its top.

The top of a stack is nearer to the camera, so it appears farther out than its foot: the outline is
the hull of the two. Each number of chips lets expect another length of it, and every number is as
likely as what is seen agrees with it. Straight under the camera they hardly differ, and the number
is a range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, AROUND, Circles
from vision.chips.silhouettes import BESIDE_PX, NEAR, Hulls, Paper, Sides, hulls
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Floats, Frame

MOST = 20
"""The highest stack that is spoken of, chips. A choice: what a hand stacks."""
SEARCHED = 12
"""The highest stack that is looked for. A choice."""
FIRST, ENDED = 4, 0.8
"""Up to so many chips a stack is looked for first, and higher where of its near side in sight less
than that share ends there. A choice: most chips lie alone, and a short look costs half."""
NUMBERS = np.arange(1, MOST + 1)
"""The numbers of chips. Follows from `MOST`."""
SUNK_PX, SUNK = 0.6, 0.1
"""By how much an outline ends before the foot does: the lowest chip's edge is rounded and dark, so
many pixels and so large a share of its thickness in sight. Measured by `python -m
tests.chip_leans`: of 396 drawn stacks medians of 0.58, 0.92 and 0.92 pixels, where a chip is 0.4 to
1, 1 to 2 and 2 to 5 pixels thick."""
SUNK_MOST = 0.8
"""At most this share of the thickness is lost. Follows from a single chip, which is seen at all."""
SPREAD_PX, SPREAD, SPREAD_UNSURE = 0.1, 0.06, 1.0
"""The spread of a measured outline: in pixels, as a share of a chip's thickness in sight, and of
the error that its edges let expect. Measured by `python -m tests.chip_leans`: 0.35 pixels where
edges let expect up to 0.12, and 0.6 with outliers of three where they let expect 0.25 and more."""
ASKEW_MM = 0.3
"""How far chips that a hand stacks lie off each other, as a spread. A choice: that of up to half a
millimetre either way."""
UNEVEN = 0.025
"""How much a stack's height may differ from that of its number of chips, as a share: chips wear,
and their thickness was usually not measured. A choice; `python -m tests.chip_bets` judges it.
"""
TAILS, LAPPED_TAILS = 12.0, 4.0
"""How heavy the tails of errors are, as degrees of freedom of Student's distribution: for stacks,
and for chips that overlap others, whose outline may continue in the other's. A choice; `python -m
tests.chip_bets` and `python -m tests.chips --layouts stacks spread` judge it.
"""
FIRM, LOOSE = 0.97, 8.0
"""With a smaller share of its edges on its hull an outline may end long before the foot, as that of
a dark stack whose side is taken for a shadow: by how many chips as a spread, times the share that
is missing. Measured by `python -m tests.chip_leans`."""
SINGLE, RARER = 2.0, 0.5
"""How much likelier a single chip is than any stack before anything is seen; of stacks each is
likelier than a higher one by this power of the ratio of their numbers. A choice: what people bet.
"""
FLAT, FLAT_PX = 1.0, 1.0
"""A thing in a photograph whose shadow reaches no farther than so many of a chip's thicknesses and
pixels shows no sign of a stack unless it leans as one. A choice; `python -m
tests.real_chips` judges it."""
LEANT = 0.5
"""Nor does it where its side shows by no more than a single chip's lets expect, and so many of its
thicknesses. A choice; `python -m tests.real_chips` judges it."""
FLATLY = np.where(NUMBERS == 1, 100.0, np.where(NUMBERS == 2, 0.35, 0.1) * NUMBERS**-RARER)
"""How likely each number of chips then is before it is seen whether they lean. A choice: people
photograph chips lying singly far more often than stacks that show neither a side nor a shadow.
"""
LAPPING, SPREAD_OUT = 1.75, 40.0
"""Chips whose middles are nearer than so many radii lap over each other; and how much likelier each
of them is a single one than any stack: nobody lays a stack half on another. A choice;
`python -m tests.chips --layouts spread` judges it."""
HELD = 0.985
"""How likely the true number lies in the reported range. A choice: the range is to hold it in 99 of
100 stacks, lone ones included; `python -m tests.chips` judges it."""
PLAIN_STACK, PRESUMED = 6, (0.4, 1.5)
"""Below which count a stack seen by an uncalibrated camera may be one chip with its shadow; and
from which share of a count to which the true one may lie. Measured by `python -m tests.real_chips`
under cameras tilted by up to 12 degrees: of 82 single chips 9 counted as more, 6 of them below."""
IN_SIGHT = 0.4
"""With less of its near side free of others, a stack's number is not read: it lies half on another
chip. A choice."""
BARELY = 0.15
"""Where a smaller share of the near side shows an edge, it says nothing. A choice."""
RIM_GAP = 1.06
"""Beyond a rim, in radii, another round thing hides it. A choice; `python -m tests.chips` judges
it."""
SAME = 0.15
"""Circles whose centres are nearer than this many radii belong to one thing. A choice: fits of one
rim differ by less."""
NEAREST = 0.62
"""Round things whose centres are farther off than so many radii are other things. A choice, that of
`vision.chips.matching.APART`."""


@dataclass(frozen=True, slots=True, eq=False)
class Height:
    """A stack: the likeliest number of chips, the least and the most, and its foot's middle (2,) in
    pixels.

    `whole` is the share of all directions in which its outline is that of a stack, `round` that of
    the directions in which nothing else lies, and `unsure` the error of its fit, in radii.
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

    @property
    def hidden(self) -> bool:
        """Whether something else lay in some of the directions, or in all of them."""
        return self.whole < self.round or not self.whole


@dataclass(frozen=True, slots=True, eq=False)
class Stacks:
    """The heights of the round things in a picture, each measured once.

    A chip is `thickness` of its own radii thick; where the camera is `presumed`, the ranges are
    wider.
    """

    frame: Frame
    camera: Standpoint
    thickness: float
    presumed: bool
    paper: Paper | None = None
    measured: dict[int, Height] = field(default_factory=dict)

    def among(self, found: Circles, chips: Sequence[int]) -> list[Height]:
        """How high the `chips` lie of which nothing but each other hides the sides."""
        centres, radii = found.centres[list(chips)], found.radii[list(chips)]
        away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        near = (1 + RIM_GAP) * radii + BESIDE_PX[1]
        crowded = ((away > 0) & (away < near[:, None])).any(axis=1)
        for number, beside in zip(chips, crowded.tolist(), strict=True):
            known = self.measured.get(number)
            # What seemed to hide a side may have been the stack's own foot.
            if known is not None and (beside or known.hidden):
                del self.measured[number]
        return self.of(found, chips, chips)

    def of(
        self, found: Circles, numbers: Sequence[int], others: Sequence[int] = ()
    ) -> list[Height]:
        """How high these of those `found` lie, where `others` beside them may hide their sides."""
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
                others=beside, paper=self.paper,
            )  # fmt: skip
            told = [widened(one) for one in told] if self.presumed else told
            self.measured.update(zip(fresh, told, strict=True))
        self.measured.update({number: self.measured[same] for number, same in like.items()})
        return [self.measured[number] for number in numbers]

    def _like(self, found: Circles, number: int, fresh: Sequence[int]) -> int:
        """One of the `fresh` that is the same circle but for its fit, or the circle itself."""
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
) -> list[Height]:
    """How many chips lie under each of the round things `which` of those `found` in the picture.

    A chip is `thickness` of its own radii thick. Those of the `others` (len(found),) that lie
    beside a stack may hide its side; `paper` says where cards lie.
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
    sides = Sides(open_to, table)
    reach = float(FIRST * steps.max())
    seen = hulls(frame, centres, radii, outwards, reach=reach, sides=sides, paper=paper)
    near = open_to[:, AROUND[:, 0] < -NEAR].mean(axis=1)
    taller = np.flatnonzero(seen.seen < ENDED * near)
    if len(taller):
        here = (centres[taller], radii[taller], outwards[taller])
        reach = float(SEARCHED * steps[taller].max())
        seen.put(taller, hulls(frame, *here, reach=reach, sides=sides[taller], paper=paper))
    rises = thickness * seen.radii / camera.focal_px
    askew = ASKEW_MM * camera.px_per_mm
    # The foot is farther off than the top, so it looks smaller, and its edge lies farther out.
    thick = rises * distance * (1 - seen.radii / np.maximum(distance, seen.radii * 2))
    slant = camera.leans * seen.radii
    presumed = Presumed(camera.doubt, slant * thickness, slant * camera.leans)
    lapping = _lapping(found, numbers, there)
    flat = bool(camera.leans) & _flat(seen, thick, thickness)
    chances = likely(seen, thick, askew, presumed, lapping=lapping, rises=rises, flat=flat)
    told = []
    for number, (chance, side) in enumerate(zip(chances, near, strict=True)):
        top, radius = seen.tops[number], float(seen.radii[number])
        foot = top - outwards[number] * seen.leans[number]
        # What lies half on another chip is no stack.
        count, least, most = ranged(chance) if side >= IN_SIGHT else (1, 1, 1)
        shares = float(seen.whole[number]), float(seen.round[number])
        unsure = float(seen.unsure[number]) / radius
        told.append(Height(count, least, most, foot, top, radius, *shares, unsure))
    return told


@dataclass(frozen=True, slots=True, eq=False)
class Presumed:
    """What is not known of a camera: by how much a chip's thickness in sight may be another, as a
    share; and by how many pixels, for each chip and for any, as it may lean one way or another
    (N,)."""

    doubt: float = 0.0
    each: Floats | float = 0.0
    any: Floats | float = 0.0


KNOWN = Presumed()
"""Where the camera is calibrated. Follows from that."""


def likely(
    seen: Hulls,
    steps: Floats,
    askew_px: float,
    presumed: Presumed = KNOWN,
    *,
    lapping: NDArray[np.bool_] | bool = False,
    rises: NDArray[np.floating] | float = 0.0,
    flat: NDArray[np.bool_] | bool = False,
) -> NDArray[np.float64]:
    """How likely (N, MOST) each number of chips is, where each makes an outline longer by `steps`
    (N,) pixels, and stacked chips lie `askew_px` off each other; `lapping` (N,) says which lap over
    others, and `rises` (N,) by which share of the way from a top to the camera a chip brings it
    nearer."""
    thick = steps[:, None].astype(np.float64)
    sunk = np.minimum(SUNK_PX + SUNK * thick, SUNK_MOST * thick)
    # A top that is nearer looks larger, and each chip of its size would appear as thick.
    expected = NUMBERS * thick / (1 + NUMBERS * np.reshape(rises, (-1, 1))) - sunk
    off = seen.leans[:, None] - expected
    lapped = np.reshape(lapping, (-1, 1))
    # An outline may end before the foot, and after it only where another chip's goes on.
    shaky = LOOSE * np.clip(FIRM - seen.firm[:, None], 0, None)
    loose = np.where((off < 0) | lapped, shaky, 0.0)
    measured = SPREAD_PX + (SPREAD + loose) * thick + SPREAD_UNSURE * seen.unsure[:, None]
    each, any_ = (np.reshape(part, (-1, 1)) for part in (presumed.each, presumed.any))
    scaled = np.hypot(presumed.doubt, UNEVEN) * NUMBERS * thick
    aside = np.hypot(scaled, NUMBERS * each + any_)
    spread = np.sqrt(measured**2 + np.where(NUMBERS > 1, askew_px, 0.0) ** 2 + aside**2)
    tails = np.where(lapped, LAPPED_TAILS, TAILS)
    fits = (1 + (off / spread) ** 2 / tails) ** (-(tails + 1) / 2) / spread
    fits[seen.seen < BARELY] = 1.0
    single = np.where(lapped, SPREAD_OUT, SINGLE)
    usual = np.where(NUMBERS > 1, NUMBERS**-RARER, single)
    shown = np.reshape(flat, (-1, 1)) & (seen.seen[:, None] >= BARELY)
    chances = fits * np.where(shown, FLATLY, usual)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float64)


def ranged(chances: NDArray[np.float64]) -> tuple[int, int, int]:
    """The likeliest number, and the least and the most between which the true one is likely to lie.

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


def widened(stack: Height) -> Height:
    """What a height says where nobody has calibrated the camera: which side of a stack shows, and
    how much of it, was presumed."""
    if stack.count == 1:
        return stack
    least = 1 if stack.count < PLAIN_STACK else ceil(stack.count * PRESUMED[0])
    most = min(MOST, ceil(stack.count * PRESUMED[1]) + 1)
    return replace(stack, least=min(stack.least, least), most=max(stack.most, most))


def _flat(seen: Hulls, thick: Floats, thickness: float) -> NDArray[np.bool_]:
    """Which things (N,) show no sign of a stack, where a chip of `thickness` of its own radii
    appears as `thick` (N,) pixels: neither a long shadow nor much of a side."""
    chip = thickness * seen.radii
    short = seen.shadows < FLAT * chip + FLAT_PX
    return np.asarray(short & (seen.leans < thick + LEANT * chip))


def _lapping(
    found: Circles, which: NDArray[np.intp], others: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the round things lap over one of the `others` (len(found),), or under it."""
    away = np.linalg.norm(found.centres[which][:, None] - found.centres[others][None], axis=2)
    reach = found.radii[which][:, None]
    return np.asarray(((away > NEAREST * reach) & (away < LAPPING * reach)).any(axis=1))


def _open(
    found: Circles, which: NDArray[np.intp], outwards: Floats, others: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """In which directions (len(which), ANGLES), starting outwards, none of the `others` lies at the
    rim, and in which none lies as far beyond it as the table is looked at.
    """
    free = np.ones((len(which), ANGLES), np.bool_)
    clear = free.copy()
    for row, number in enumerate(which.tolist()):
        middle, radius = found.centres[number], float(found.radii[number])
        apart = np.linalg.norm(found.centres - middle, axis=1)
        far = radius + BESIDE_PX[1]
        beside = others & (apart > NEAREST * radius) & (apart < far + radius * RIM_GAP)
        if not beside.any():
            continue
        across, down = outwards[row].tolist()
        turned = AROUND @ np.array([[across, down], [-down, across]], np.float32)
        centres, radii = found.centres[beside], found.radii[beside]
        for some, reach in ((free, radius * RIM_GAP), (clear, far)):
            away = np.linalg.norm(middle + turned[:, None] * np.float32(reach) - centres, axis=2)
            some[row] = (away > radii).all(axis=1)
    return free, clear & free
