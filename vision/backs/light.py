"""Even out the light over a heap of backs.

A lamp's light falls off over the length of a hand by more than prints of one deck differ. All cards
of a heap look alike, so how bright each of their inks is from place to place tells the light on it:
the likeliest slope is found by weighted least squares, in which what belongs to borders and shadows
soon counts little. Inks are told apart, as a fan shows the print on one side and margins on the
other.
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
HUE = 0.15
"""Difference between the logarithms of two levels within which dots are of one ink. A choice: light
leaves them alike, and red is 1.5 apart; `python -m tests.face_down fan` judges it."""
SCARCE = 1e-6
"""Smallest weight of an ink, which keeps one that only noise shows from dividing by zero. A
choice."""
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
    logs = np.log(levels.astype(np.float64) + DARKEST)
    bright, ink = logs.mean(axis=1), _inks(logs)
    own = np.array([np.median(bright[ink == one]) for one in range(int(ink.max()) + 1)])
    found, free = np.zeros(2), np.diag([STEEPEST**-2] * 2)
    for near in np.geomspace(WIDEST, USUAL, ROUNDS):
        weights = 1 / (1 + ((bright - own[ink] - at @ found) / near) ** 2) ** 2
        counts = np.maximum(np.bincount(ink, weights), SCARCE)
        sums = [np.bincount(ink, weights * one) for one in (bright, *at.T)]
        means = np.stack(sums, 1) / counts[:, None]
        # What all dots of an ink have in common is the ink's own; the rest is the light's.
        beside, off = at - means[ink, 1:], bright - means[ink, 0]
        whole = (beside.T * weights) @ beside + free * near**2
        found = np.linalg.solve(whole, (beside.T * weights) @ off)
        own = means[:, 0] - means[:, 1:] @ found
    return found


def _inks(logs: Doubles) -> NDArray[np.intp]:
    """The number of the ink that each dot shows (N,), given the logarithms of its levels (N, 3).

    More light raises all three of them alike; their differences are the ink's.
    """
    hues = np.rint((logs - logs.mean(axis=1, keepdims=True)) / HUE).astype(np.intp)
    return np.unique(hues, axis=0, return_inverse=True)[1].reshape(-1)
