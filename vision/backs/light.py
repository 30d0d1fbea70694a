"""Even out the light over a heap of backs.

A lamp's light falls off over the length of a hand by more than prints of one deck differ. All cards
of a heap look alike, so how bright most of it is from place to place tells the light on it: the
likeliest slope of its brightness is found by weighted least squares, in which what belongs to
margins, borders and shadows soon counts little.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells
from vision.backs.sheet import Sheet
from vision.picture.geometry import Floats

Doubles = NDArray[np.float64]

FEWEST = 2.2
"""Minimum area of a heap, in squares as wide as a card, for its light to differ enough: over one
and a half cards. A choice; `python -m tests.hidden_hands` judges it."""
STEP = 3
"""Dots from one that is looked at to the next. A choice: a thousand on two cards."""
DARKEST = 8.0
"""Level added before brightness is compared, so that noise on dark prints counts little. A choice.
"""
ROUNDS = 6
"""Number of times the slope is fitted. A choice: the sixth changes next to nothing."""
USUAL, WIDEST = 0.06, 0.5
"""Difference in brightness, as a share of it, at which a dot counts a quarter in the last round
and in the first: a print's own lines are that far from the print. A choice."""
STEEPEST = 0.2
"""Standard deviation, over a card's width, of how much the light changes. A choice: far more than
under a lamp, so that only a heap of which hardly anything shows keeps to none."""
FARTHEST = 0.7
"""Largest logarithm of the light by which anything is changed: by half. A choice."""
SLIGHT = 0.012
"""Change over a heap, as a share of the light, up to which it is left as it is. A choice: three
levels at most, as a sensor's noise."""


def evened(made: Sheet, across: float) -> Sheet:
    """A sheet as if the light on its heap were as in the heap's middle all over; a card is `across`
    dots wide."""
    rows, columns = np.nonzero(_inner(made.heap)[::STEP, ::STEP])
    if len(rows) < FEWEST * across**2 / STEP**2:
        return made
    at = np.stack([columns, rows], 1).astype(np.float64) * STEP
    middle = at.mean(axis=0)
    levels, places = made.levels[::STEP, ::STEP][rows, columns], (at - middle) / across
    slope = _slope(levels, places)
    if float(np.ptp(places @ slope)) <= SLIGHT:
        return made
    high, wide = made.heap.shape
    right, down = (np.arange(wide) - middle[0]) / across, (np.arange(high) - middle[1]) / across
    over = np.add.outer(down * slope[1], right * slope[0])
    # Far from the heap nothing is compared, and the slope may not hold there.
    shares = np.exp(over.clip(-FARTHEST, FARTHEST)).astype(np.float32)
    even = (made.levels / shares[..., None]).clip(0, 255).astype(np.float32)
    return replace(made, levels=even)


def _inner(heap: Cells) -> Cells:
    """A heap without its soft border."""
    return np.asarray(cv2.erode(heap, np.ones((5, 5), np.uint8)), np.uint8)


def _slope(levels: Floats, at: Doubles) -> Doubles:
    """How the logarithm of the light grows over a card's width (2,), right and down, given the
    levels (N, 3) at places (N, 2)."""
    bright = np.log(levels.mean(axis=1, dtype=np.float64) + DARKEST)
    known = np.column_stack([np.ones(len(at)), at])
    found = np.array([np.median(bright), 0.0, 0.0])
    free = np.diag([0.0, STEEPEST**-2, STEEPEST**-2])
    for near in np.geomspace(WIDEST, USUAL, ROUNDS):
        weights = 1 / (1 + ((bright - known @ found) / near) ** 2) ** 2
        whole = (known.T * weights) @ known + free * near**2
        found = np.linalg.solve(whole, (known.T * weights) @ bright)
    return found[1:]
