"""The probability of each number of chips in a stack, by how far its outline extends.

Each number of chips predicts a length of the outline, and is as likely as what is seen agrees with
it, given how often stacks of that height are laid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.chips.gauge import THICKER, usually
from vision.chips.stack_hulls import Hulls
from vision.picture.geometry import Floats

Chances = NDArray[np.float64]
"""Probabilities or weights (N, MOST) of each number of chips in stacks."""
MOST = 20
"""Maximum height of a stack that is reported, in chips. A choice: what a hand stacks."""
NUMBERS = np.arange(1, MOST + 1)
"""The possible numbers of chips. Follows from `MOST`."""
LACKS, BLIND = 0.2, 8.0
"""Share of the open near side without an edge above which an outline says less of the number, and
how much wider its errors are for each further unit. A choice: two chips beside a stack of seven,
whose side and shadow left two fifths of theirs without an edge, were one for certain; `python -m
tests.chips --layouts touching stacks` judges it."""
SUNK_PX, SUNK_WITHIN_PX = 0.95, 0.85
"""How far the outline of a tall stack ends short of the foot, because the lowest chip's edge is
rounded and dark, and the length of a side at which it ends two thirds as far short, in pixels: what
is not seen cannot be lost. Measured by `python -m tests.chip_leans` on ten drawn tables of each of
eight sets: medians of 0.4, 0.7 and 0.8 pixels for single chips that appear 0.4, 0.8 and 1.3 pixels
thick, 0.5 to 0.9 for two of them and 0.8 to 1.1 for more. While it was taken for a share of one
chip's thickness, stacks of coins seemed up to half a coin too low."""
SPREAD_PX, SPREAD, SPREAD_UNSURE = 0.1, 0.06, 1.0
"""Standard deviation of a measured outline: in pixels, as a share of a chip's visible thickness,
and as a multiple of the error predicted from its edges. Measured by `python -m tests.chip_leans`:
0.35 pixels where the predicted error is up to 0.12, and 0.6 with outliers of three where it is 0.25
and more."""
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
FLATLY = np.where(NUMBERS == 1, 100.0, np.where(NUMBERS == 2, 0.35, 0.1) * NUMBERS**-RARER)
"""Prior of each number of chips for such things. A choice: people photograph single chips far more
often than stacks that show neither a side nor a shadow."""
SPREAD_OUT = 40.0
"""Prior odds of a single chip against any stack for each of two that overlap: nobody places a stack
half on another. A choice; `python -m tests.chips --layouts spread` judges it."""
UNSEEN = 0.6
"""Probability of each greater number relative to the likeliest, where a side would have the table's
colour, however rare tall stacks are: twelve such stacks in one picture outvoted their faces before.
A choice: on tables of the coins' own colours ranges held 54 of 71 stacks of coins with 0.3, 65 with
0.6 and 63 with 0.9 (`python -m tests.chips --only coins --sets development --layouts stacks
--camouflage 0.9 --seed 330 --scenes 2`)."""
HELD = 0.985
"""Minimum probability that the true number is in the reported range. A choice: the range should
contain it for 99 of 100 stacks, isolated ones included; `python -m tests.chips` judges it."""
BARELY = 0.15
"""Minimum share of the near side that shows an edge for it to count as evidence. A choice."""


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
    # A nearer top looks larger, and a chip of that size would look thicker accordingly.
    expected = NUMBERS * thick / (1 + NUMBERS * np.reshape(rises, (-1, 1)))
    expected -= sunk(thick, NUMBERS)
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
    single = np.where(lapped, SPREAD_OUT, SINGLE)
    usual = np.where(NUMBERS > 1, NUMBERS**-RARER, single)
    shown = np.reshape(flat, (-1, 1)) & (seen.seen[:, None] >= BARELY)
    likely = fits * np.where(shown, FLATLY, usual)
    # A side that has the table's colour is not seen, however high it is.
    hidden = seen.alike[:, None] & (off < 0) & ~lapped
    unseen = UNSEEN * likely.max(axis=1, keepdims=True)
    return np.asarray(np.where(hidden, np.maximum(likely, unseen), likely), np.float64)


def sunk(thick: NDArray[np.float64], numbers: NDArray[np.integer] | int = 1) -> NDArray[np.float64]:
    """How far outlines end short of the feet, in pixels, if so many chips each appear this thick.

    >>> sunk(np.array([0.4, 1.3]), np.array([1, 5])).round(2).tolist()
    [0.36, 0.95]
    """
    seen = 1 - np.exp(-thick * numbers / SUNK_WITHIN_PX)
    return np.asarray(SUNK_PX * seen, np.float64)


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
