"""The colour of an index's ink: what is printed in red is no club and no spade."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats

LETTER = np.s_[:, 6:36, 14:34]
"""Where a patch (N, 64, 48, 3) shows the middle of the rank, but hardly a neighbour's. Follows from
how patches are cut."""
PAPER, INKED = 0.8, 0.1
"""Shares of a rank and what is around it, darkest first, after which it is paper, and up to which
it is ink. A choice of both; `python -m tests.inks` judges it."""
RED = 0.12
"""Minimum excess of red over the other colours, relative to paper, at which ink is red. Measured by
`python -m tests.inks`: of 712 indices of clubs and spades in the photographs none has more than
0.06; in warm, cold, bright or flat light none more than 0.09, coarsely compressed 0.10. Half of
those of hearts and diamonds have more than 0.19; blue ones and those in dim light have less."""
BLACK, COLOURED = [0, 3], [1, 2]
"""Clubs and spades, and diamonds and hearts, among the suits of `Prints`. Follows from their
order."""


def redness(patches: NDArray[np.uint8]) -> Floats:
    """By how much the ink of the rank on each patch (N, 64, 48, 3) is redder than paper (N,)."""
    letters = patches[LETTER]
    pixels = letters.reshape(len(letters), letters.shape[1] * letters.shape[2], 3)
    ends = [int(pixels.shape[1] * share) for share in (INKED, PAPER)]
    # A red table beside a black letter is brighter than the letter in one channel at least.
    bright = pixels.max(axis=2)
    dark, light = np.partition(bright, ends, axis=1)[:, ends].T[:, :, None]
    ink, paper = (_mean(pixels, shown) for shown in (bright <= dark, bright >= light))
    blue, green, red = (ink / np.maximum(paper, 1.0)).T
    return np.asarray(red - np.maximum(blue, green), np.float32)


def _mean(pixels: NDArray[np.uint8], shown: NDArray[np.bool_]) -> Floats:
    """The mean colour (N, 3) of those `pixels` (N, M, 3) that are `shown` (N, M)."""
    total = np.matmul(shown[:, None].astype(np.float32), pixels.astype(np.float32))[:, 0]
    return np.asarray(total / np.maximum(shown.sum(axis=1, keepdims=True), 1), np.float32)


def by_ink(suits: Floats, patches: NDArray[np.uint8]) -> Floats:
    """The `suits` (N, 5) that patches show, without clubs and spades where the rank is red.

    What looked like a black sign there is another card's, and does not tell which red one this is.
    """
    red = redness(patches) >= RED
    if not red.any():
        return suits
    open_to = suits.copy()
    open_to[:, COLOURED] += suits[:, BLACK].sum(axis=1, keepdims=True) / len(COLOURED)
    open_to[:, BLACK] = 0.0
    return np.where(red[:, None], open_to, suits)
