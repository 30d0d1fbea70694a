"""Whether the camera itself moves: a hand-held telephone, an arm that swings, a push."""

from __future__ import annotations

import cv2
import numpy as np

from vision.picture.geometry import Floats, Frame
from vision.track.light import whole_gain
from vision.track.motion import CHANGED, Shown, differs, edges

SHAKY = 24
"""Minimum number of changed pixels of the shrunken picture that distinguishes a shift from a few
specks. A choice; `python -m tests.stillness` judges it."""
EXPLAINED = 0.35
"""Largest share of the changes that a shift of one pixel may leave unexplained for it to be the
cause. A choice; `python -m tests.stillness` judges it."""
CELLS = (8, 5)
"""Parts of the picture, across and down, that are examined separately: a hand and its arm take up
less than half of them. A choice; `python -m tests.stillness` judges it."""
MARKED = 160.0
"""Strength of an edge, of a card, a seam or a marker, that shows a shift: a step of 40 grey levels.
The nap of a felt and a webcam's noise stay below half of that. A choice;
`python -m tests.stillness` judges it."""
LEAST_CELLS, SHIFTED = 6, 0.7
"""Minimum number of parts with edges, and the share of them that must move at once for the camera
to be moving. A choice; `python -m tests.stillness` judges it."""
RISES, FALLS = 0.15, 0.03
"""Rates at which the estimate follows a shaky frame and a steady one. A choice;
`python -m tests.stillness` judges it."""
TOLD_FALLS = 0.06
"""Rate at which steady frames count against a warning: a hand laying down a card leaves the table
steady for some frames, a swinging camera hardly for one. A choice; `python -m tests.stillness`
judges it."""
SHIFTS = 2
"""Number of consecutive frames that a shift of one pixel must explain before people are warned: a
hand that turns back causes one such frame, seldom two. A choice; `python -m tests.stillness` judges
it."""
SWAYING = 0.25
"""Estimate from which shifts of one pixel do not count as changes: two shaky frames. A choice;
`python -m tests.stillness` judges it."""
STEADY_S = 0.8
"""Time in seconds after which a camera that has been still is no longer swaying: changes such as
the pips of a card laid on another of its suit are then no longer ignored. A choice;
`python -m tests.stillness` judges it."""
CALM_S = 0.4
"""Time in seconds of stillness after which it was a hand and not the camera: what swings once a
second turns back in less, and people's hands leave the table for longer between two cards. A
choice; `python -m tests.stillness` judges it."""
SWAYS_S = 2.0
"""Minimum time in seconds of swaying that is reported: a camera that is only touched is still again
sooner. A choice; `python -m tests.stillness` judges it."""

PUSHED = 2.0
"""Minimum push of the camera that is reported, in shrunken pixels: 8 mm on the table. A choice;
`python -m tests.stillness` judges it."""
LINED_UP, BEFORE = 0.6, 0.7
"""Minimum agreement of the edges once shifted back, and the largest share of that to which they may
agree before. A choice; `python -m tests.stillness` judges it."""
WIDE = 0.5
"""Minimum share of the picture's width or height that must show edges: a few cards alone may have
been slid together. A choice; `python -m tests.stillness` judges it."""
TOLD_S = 20.0
"""Time in seconds for which a moved camera is reported; by then everything has been read again. A
choice; `python -m tests.stillness` judges it."""
STEP = 3
"""Frames between checks for a push while something is unsettled: a check takes 2 ms. A choice;
`python -m tests.stillness` judges it."""

MOST, SAME_PLACE = 0.5, 0.4
"""Largest share of the picture that a hand changes, and the correlation of edges above which it
still shows the same place: unrelated pictures stay below 0.2. A choice; `python -m tests.stillness`
judges it."""


class Sway:
    """How steady the camera is, judging by what its pictures have in common."""

    def __init__(self) -> None:
        self._small = self._swing = 0.0
        self._since: float | None = None
        self._shaken = 0.0
        self._shifts = 0

    @property
    def swaying(self) -> bool:
        """Whether pictures currently shift against each other by a pixel."""
        return self._small >= SWAYING

    def see(self, strict: Shown, left: int, before: Frame, time: float) -> None:
        """Record which pixels changed, and how many a shift of one pixel leaves unexplained.

        `before` shows the table, preferably without hands, whose edges move with them.
        """
        changed = cv2.countNonZero(strict)
        cells, share = _stirred(strict, before) if changed >= SHAKY else (0, 0.0)
        shifted = share >= SHIFTED and left < EXPLAINED * changed
        self._shifts = self._shifts + 1 if shifted else 0
        if changed < SHAKY:
            self._small *= (1 - FALLS) * (time - self._shaken < STEADY_S)
            self._swing *= 1 - TOLD_FALLS
        elif shifted:
            self._small += RISES * (1 - self._small)
        everywhere = cells >= LEAST_CELLS and share >= SHIFTED
        if self._shifts >= SHIFTS or (everywhere and not shifted):
            self._swing += RISES * (1 - self._swing)
        if changed >= SHAKY:
            self._shaken = time
        if self._swing < SWAYING or time - self._shaken >= CALM_S:
            self._since = None
        elif self._since is None:
            self._since = time

    def told(self, time: float) -> bool:
        """Whether it has swayed long enough to be reported."""
        return self._since is not None and time - self._since >= SWAYS_S


class Stand:
    """Whether the camera is still where it was when all was calm."""

    def __init__(self) -> None:
        self._calm: Frame | None = None
        self._moved: float | None = None
        self._frames = 0

    @property
    def calm(self) -> Frame | None:
        """How everything looked when it last lay still."""
        return self._calm

    def rest(self, small: Frame) -> None:
        """Note that everything lies still, and how it looks."""
        self._calm = small

    def moved(self, small: Frame, time: float, *, calm: bool) -> bool:
        """Whether the camera was moved a short while ago."""
        self._frames += 1
        if self._calm is not None and not calm:
            look = self._frames % STEP == 0
            if _rebuilt(self._calm, small) or (look and _shifted(self._calm, small)):
                self._moved = time
        return self._moved is not None and time - self._moved <= TOLD_S


def _rebuilt(before: Frame, now: Frame) -> bool:
    """Whether two pictures at rest show different places, rather than one in different light.

    Light changes levels and leaves edges where they were; a moved camera changes both. But cards
    that were laid since change edges, too, so what the light explains does not count.
    """
    lit = np.rint(np.clip(before * whole_gain(before, now), 0, 255)).astype(np.uint8)
    if float(differs(lit, now, CHANGED).mean()) <= MOST:
        return False
    match = cv2.matchTemplate(edges(before), edges(now), cv2.TM_CCOEFF_NORMED)
    return float(match[0, 0]) < SAME_PLACE


def _stirred(strict: Shown, before: Frame) -> tuple[int, float]:
    """The number of parts of the picture with edges, and the share of them that moved.

    Where only one place has any, as a pile on an otherwise empty table, there are none: what moves
    is a card rather than the camera.
    """
    outlines = edges(before)
    if not _wide(outlines):
        return 0, 0.0
    marked = _parts((outlines > MARKED).astype(np.float32)) > 0
    stirred = _parts((strict > 0).astype(np.float32)) > 0
    many = int(np.count_nonzero(marked))
    return many, int(np.count_nonzero(marked & stirred)) / max(many, 1)


def _parts(values: Floats) -> Floats:
    return np.asarray(cv2.resize(values, CELLS, interpolation=cv2.INTER_AREA), np.float32)


def _shifted(calm: Frame, now: Frame) -> bool:
    """Whether a picture shows the calm one, shifted."""
    before, after = edges(calm), edges(now)
    if not _wide(before):
        return False
    (across, down), _ = cv2.phaseCorrelate(before, after)
    if np.hypot(across, down) < PUSHED:
        return False
    back = np.array([[1, 0, -across], [0, 1, -down]], np.float32)
    size = (after.shape[1], after.shape[0])
    lined = np.asarray(cv2.warpAffine(after, back, size), np.float32)
    agree = _alike(before, lined)
    return agree >= LINED_UP and _alike(before, after) <= BEFORE * agree


def _wide(marked: Floats) -> bool:
    rows, columns = np.nonzero(marked > MARKED)
    if not len(rows):
        return False
    high, wide = marked.shape
    # Percentiles rather than the full range: a hot pixel is not a card.
    tall, broad = (np.ptp(np.percentile(places, (10, 90))) for places in (rows, columns))
    return bool(tall >= WIDE * high or broad >= WIDE * wide)


def _alike(one: Floats, other: Floats) -> float:
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0])
