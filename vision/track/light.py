"""What light and sensor do to a picture in which nothing moves: gain and noise.

Exposure, white balance and mains flicker change the whole picture, or whole rows; noise changes
each pixel independently. Both are measured on the stream.
"""

from __future__ import annotations

from functools import cache
from statistics import median
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame

Grey: TypeAlias = NDArray[np.uint8]
"""One colour channel of a picture (h, w)."""

SPARSE = 8
"""Step each way between the pixels on which the gain of the whole picture is measured: 880 of them.
A choice; `python -m tests.stillness` judges it."""
BAND = 7
"""Rows of the shrunken picture over which a row's gain is averaged: lamps at 100 Hz make waves of
60 rows with a rolling shutter of 30 ms. A choice; `python -m tests.stillness` judges it."""
LEVELS = (12, 235)
"""Range of grey levels in which a pixel shows the gain: below is noise, above is burnt out. A
choice; `python -m tests.stillness` judges it."""
ALIKE = 0.12
"""Largest relative deviation from the common gain of a pixel that still supports it: mains flicker
is half of that, and what is laid on a table differs by more. A choice; `python -m tests.stillness`
judges it."""
SLACK = 4
"""Extra deviation in levels that noise causes in a dark pixel. A choice;
`python -m tests.stillness` judges it."""
LOOSELY = 0.2
"""The same on the first look at a row, as some lamps flicker more than most. A choice;
`python -m tests.stillness` judges it."""
SUPPORT = 0.4
"""Minimum share of pixels that must agree on a gain: with fewer, something covers the rows. A
choice; `python -m tests.stillness` judges it."""
MOST = 1.6
"""Largest gain that is corrected: an exposure step is a third of a stop, 1.26. A choice: larger
than any step a camera takes."""
FOLLOW, OTHER = 0.15, 12
"""Rate at which the reference for measuring gain adapts each time, and the difference in levels
from which something else is there and is adopted at once. A choice; `python -m tests.stillness`
judges it."""
FOLLOW_STEP = 3
"""The reference adapts only every third frame: doing so takes as long as measuring the gain. A
choice; `python -m tests.stillness` judges it."""
PULL = 0.06
"""Rate of adaptation to new light: the settled look adapts several times as fast. A choice;
`python -m tests.stillness` judges it."""
LEAST_GAIN = 0.01
"""Smallest gain worth correcting: less is a level or two of white paper. A choice;
`python -m tests.stillness` judges it."""
ROUNDING = 0.6
"""Levels by which the mean of a row may differ by rounding alone. A choice."""
BURNT = 250
"""Level from which paper holds no detail, whatever the gain. A choice; `python -m tests.stillness`
judges it."""

STEPS = 16
"""Grey levels per bin: shot noise at 16 is a quarter of that at 255. A choice;
`python -m tests.stillness` judges it."""
USUAL = 0.75
"""Share of pixels whose difference represents the noise at their level: less than a quarter of the
picture moves in a frame used for measuring. A choice; `python -m tests.stillness` judges it."""
SLOWLY, QUICKLY = 0.05, 0.3
"""Rates at which the estimate rises and falls with each frame: motion may be mistaken for noise,
but noise is never underestimated. A choice; `python -m tests.stillness` judges it."""
BUSY = 0.25
"""Share of the picture in motion above which a frame says nothing about noise. A choice;
`python -m tests.stillness` judges it."""
RIM = 5
"""Width in shrunken pixels of the square around what moves that says nothing about noise: the rim
of a carried card changes by less than a movement does. On a drawn table in a dim light, where
hardly anything but the cards was that bright, the limit at their level stayed at 9 over eight hands
with it, and rose to 39 with a width of 1 (`python -m tests.dealt_table`, table seed 10)."""
DARK_LEVEL = 64
"""Grey level below which a change or a shadow is judged by the share of the level that it takes or
adds: half of what a dark cloth shows by day. A choice: cards on such a cloth in a dim light differ
from it by 7 of 20 levels; `python -m tests.dealt_table` judges it."""
FAINT = 8
"""Smallest such share in grey levels: rounding, a codec and corrected steps of exposure change a
level by two or three, and a board at rest in the evening's noise has no patch beyond it, but one in
44 frames beyond 6. A choice; `python -m tests.stillness` judges it."""
DEEP = 64
"""Number of differences counted separately; with noise of 64 levels there is no picture. A choice;
`python -m tests.stillness` judges it."""


class Steadier:
    """Removes from each frame the effects of exposure, white balance and flicker.

    >>> cloth = np.full((60, 80, 3), 100, np.uint8)
    >>> steadier = Steadier()
    >>> [int(steadier.steady(frame)[30, 40, 0]) for frame in (cloth, cloth + 12)]
    [100, 100]
    """

    def __init__(self) -> None:
        self._usual: Floats | None = None
        self._rounded: Frame | None = None
        self._rows: Floats | None = None
        self._calm = True
        self._frames = 0

    def steady(self, small: Frame) -> Frame:
        """The shrunken frame (h, w, 3) as it would be in the light of those before."""
        if self._usual is None or self._rounded is None or self._usual.shape != small.shape:
            self._usual, self._rounded = small.astype(np.float32), small.copy()
            self._rows = _row_means(small)
            return small
        self._frames += 1
        # Where lamps flicker, checking whether they do costs half as much as measuring the gain.
        if self._calm or self._frames % FOLLOW_STEP == 0:
            self._calm = self._alike(small)
        steady = (
            small if self._calm else _without(small, gains(self._rounded, small), self._rounded)
        )
        if self._frames % FOLLOW_STEP == 0:
            self._follow(small, steady, self._usual, self._rounded)
        return steady

    def _alike(self, small: Frame) -> bool:
        """Whether all rows are as bright as before, so that there is no gain to measure."""
        rows, before = _row_means(small), self._rows
        return before is not None and bool(
            (np.abs(rows - before) <= LEAST_GAIN * before + ROUNDING).all()
        )

    def _follow(self, small: Frame, steady: Frame, usual: Floats, rounded: Frame) -> None:
        """Adapt the reference to this frame."""
        cv2.accumulateWeighted(steady, usual, FOLLOW)
        if steady is not small:
            cv2.accumulateWeighted(small, usual, PULL)
        # What is laid down or lifted is adopted at once: half absorbed, it would look like a gain.
        same = cv2.inRange(cv2.absdiff(steady, rounded), (0, 0, 0), (OTHER, OTHER, OTHER))
        if cv2.countNonZero(same) < same.size:
            other = same == 0
            usual[other] = steady[other]
        cv2.convertScaleAbs(usual, dst=rounded)
        self._rows = _row_means(rounded)


def _row_means(small: Frame) -> Floats:
    """The mean of each colour over bands of rows (h, 3)."""
    # Four times as fast as summing the rows, and at most half a level off.
    means = cv2.resize(small, (1, small.shape[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(means.astype(np.float32), (1, BAND))[:, 0], np.float32)


def _without(small: Frame, gain: Floats, usual: Frame) -> Frame:
    """The frame as it would be without this `gain` of its rows (h, 3).

    Burnt-out pixels are assumed to be as `usual`, if that is possible.
    """
    if float(np.abs(gain - 1).max()) < LEAST_GAIN:
        return small
    size = small.shape[1], small.shape[0]
    factors = cv2.resize((1 / gain)[:, None], size, interpolation=cv2.INTER_NEAREST)
    steady = np.asarray(cv2.multiply(small, factors, dtype=cv2.CV_8U), np.uint8)
    burnt = small >= BURNT
    if burnt.any():
        hidden = burnt & (usual >= np.maximum(steady, OTHER) - OTHER)
        steady[hidden] = usual[hidden]
    return steady


def gains(before: Frame, now: Frame) -> Floats:
    """How much brighter each row is in each colour than `before`, as factors (h, 3).

    The factor is 1 if no gain explains most of what is seen.
    """
    whole = whole_gain(before, now)
    rows = _row_gains(before, now, float(whole[1]))
    return np.asarray(rows[:, None] * whole, np.float32)


def whole_gain(before: Frame, now: Frame) -> Floats:
    """How much brighter a picture is in each colour than `before`, as factors (3,).

    The factor is 1 if most pixels agree on none; a colour too dark to measure gets that of the
    others.
    """
    old, new = _sparse(before), _sparse(now)
    fit = (np.minimum(old, new) >= LEVELS[0]) & (np.maximum(old, new) <= LEVELS[1])
    told = [_colour_gain(*colour) for colour in zip(old, new, fit, strict=True)]
    known = [gain for gain in told if gain is not None]
    usual = median(known) if known else 1.0
    return np.array([usual if gain is None else gain for gain in told], np.float32)


def _sparse(picture: Frame) -> Floats:
    """The levels of every `SPARSE`th pixel each way, by colour (3, n)."""
    some = picture[SPARSE // 2 :: SPARSE, SPARSE // 2 :: SPARSE].reshape(-1, 3)
    return np.ascontiguousarray(some.T, np.float32)


def _colour_gain(old: Floats, new: Floats, fit: NDArray[np.bool_]) -> float | None:
    """The gain by which most of the levels (n,) have changed; 1 if most agree on none.

    None if hardly any level is usable (`fit`).
    """
    old, new = old[fit], new[fit]
    if len(old) < len(fit) // 8:
        return None
    # The upper of two middle values is good enough, in a third of the time of their mean.
    middle = len(old) // 2
    gain = float(np.partition(new / old, middle)[middle])
    agree = np.count_nonzero(np.abs(new - gain * old) <= ALIKE * old + SLACK)
    return min(max(gain, 1 / MOST), MOST) if agree >= SUPPORT * len(fit) else 1.0


def _row_gains(before: Frame, now: Frame, whole: float) -> Floats:
    """The remaining gain of each row (h,), from the green of the pixels that agree on one."""
    old = np.asarray(cv2.convertScaleAbs(_some_green(before), alpha=whole), np.uint8)
    new = _some_green(now)
    rows = _agreed_gains(old, new, old, LOOSELY)
    if float(np.abs(rows - 1).max()) <= ALIKE / 3:
        return rows
    likely = cv2.multiply(old, np.repeat(rows[:, None], old.shape[1], 1), dtype=cv2.CV_8U)
    return _agreed_gains(old, new, np.asarray(likely, np.uint8), ALIKE)


def _some_green(picture: Frame) -> Grey:
    """The green of every second column (h, w / 2): of a band, a thousand pixels say enough."""
    return np.ascontiguousarray(picture[:, ::2, 1])


def _agreed_gains(old: Grey, new: Grey, likely: Grey, share: float) -> Floats:
    """The gain of each row (h,), from the pixels within `share` of what is `likely`."""
    reach = cv2.convertScaleAbs(likely, alpha=share, beta=SLACK)
    agrees = cv2.compare(cv2.absdiff(new, likely), reach, cv2.CMP_LE)
    fit = np.asarray(agrees, np.uint8) & np.asarray(
        cv2.inRange(old, (LEVELS[0],), (LEVELS[1],)), np.uint8
    )
    sums = [
        cv2.reduce(part, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32F)
        for part in (old & fit, new & fit, fit & np.uint8(1))
    ]
    before, now, known = cv2.split(cv2.blur(cv2.merge(sums), (1, BAND)))
    ratio = now / np.maximum(before, 1.0)
    enough = known >= SUPPORT * new.shape[1]
    return np.asarray(np.where(enough, ratio, 1.0), np.float32).ravel()


class Noise:
    """How much a camera's pixels differ from frame to frame where nothing moves, by level.

    Measured on the shrunken stream itself.
    """

    def __init__(self) -> None:
        self._usual: Floats | None = None
        self._limits: dict[tuple[int, float], NDArray[np.uint8]] = {}

    def learn(self, before: Frame, now: Frame, moving: Grey) -> None:
        """Learn from two consecutive frames (h, w, 3), where nothing is `moving` (255; (h, w)).

        If most of the first ones seems to move, that is noise.
        """
        share = cv2.countNonZero(moving) / moving.size
        if share > BUSY and self._usual is not None:
            return
        still: Grey | None = None
        if 0 < share <= BUSY:
            rim = cv2.dilate(moving, np.ones((RIM, RIM), np.uint8))
            still = np.asarray(cv2.bitwise_not(rim), np.uint8)[::2]
        # Every second row is enough, and a view costs nothing.
        fresh = _differences(before[::2], now[::2], still)
        if self._usual is None:
            self._usual = fresh
        else:
            pace = np.where(fresh > self._usual, SLOWLY, QUICKLY)
            followed = self._usual + pace * (fresh - self._usual)
            # A level that was not seen before is taken as it is, and one not seen now stays.
            followed = np.where(np.isnan(self._usual), fresh, followed)
            self._usual = np.asarray(np.where(np.isnan(fresh), self._usual, followed), np.float32)
        self._limits.clear()

    def limit(self, least: int, times: float) -> NDArray[np.uint8]:
        """The difference that noise does not reach, for each grey level (256,).

        It is `times` the usual difference, and at least `least`, or in the dark its share.
        """
        key = (least, times)
        if key not in self._limits:
            noise = np.ceil(np.clip(self._by_level() * times, 0, 255)).astype(np.uint8)
            self._limits[key] = np.maximum(noise, shares(least))
        return self._limits[key]

    @property
    def usual(self) -> float:
        """The usual difference in grey levels at the noisiest level."""
        return float(self._by_level().max())

    def _by_level(self) -> Floats:
        """The usual difference at each grey level (256,); what was not seen is as those next to it.

        A dark red has little blue: in a colour, levels occur that none of the picture's greys has.
        """
        if self._usual is None or np.isnan(self._usual).all():
            return np.zeros(256, np.float32)
        seen = np.flatnonzero(~np.isnan(self._usual))
        middles = seen * STEPS + STEPS / 2
        return np.asarray(np.interp(np.arange(256), middles, self._usual[seen]), np.float32)


@cache
def shares(most: int) -> NDArray[np.uint8]:
    """A difference of `most` grey levels, and of the same share of those that are dark (256,).

    Light and shadow multiply what a table shows: what makes 16 of 64 levels makes 4 of 16.

    >>> [int(shares(26)[level]) for level in (200, 64, 32, 0)]
    [26, 26, 13, 8]
    """
    part = most * np.arange(256) / DARK_LEVEL
    return np.asarray(np.ceil(np.clip(part, min(most, FAINT), most)), np.uint8)


def _differences(before: Frame, now: Frame, still: Grey | None) -> Floats:
    """The difference that `USUAL` of the `still` pixels stay below, per bin of levels.

    NaN if these are too few.
    """
    blue, green, red = cv2.split(cv2.absdiff(before, now))
    away = cv2.max(cv2.max(blue, green), red)
    grey = cv2.extractChannel(before, 1)
    counts = cv2.calcHist([grey, away], [0, 1], still, [256 // STEPS, DEEP], [0, 256, 0, DEEP])
    sums = np.cumsum(counts, axis=1)
    total = sums[:, -1]
    wanted = USUAL * total
    above = np.argmax(sums >= np.maximum(wanted, 1e-6)[:, None], axis=1)
    rows = np.arange(len(above))
    below = np.where(above > 0, sums[rows, np.maximum(above - 1, 0)], 0.0)
    inside = (wanted - below) / np.maximum(counts[rows, above], 1e-6)
    # The bin of difference 0 covers differences up to a half.
    levels = np.maximum(above - 0.5 + inside, 0.0)
    return np.asarray(np.where(total >= 64, levels, np.nan), np.float32)
