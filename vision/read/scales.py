"""At which scale a picture is looked at, and which prints on it have the size of the cards'.

The finder works at one size of index. Where the camera's scale is known, a picture is resized to it
once; otherwise several scales are tried, and the legible indices tell which one suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.find.finder import STRIDE, Areas, Find, Indices
from vision.picture.geometry import Box, Floats
from vision.read.index_classifier import JOKER_FACE

IDEAL = 22.0
"""Index height in pixels at which the finder works: the middle of its training range (10 to 40),
and a quarter of the work needed at twice the size. Follows from what the network was trained on."""
SIZE_BAND = (0.55, 2.15)
"""Accepted index heights relative to the calibrated one: allows for other decks and for the near
and far parts of the view. The largest print of validation decks is 33 mm high, 1.94 times the
standard. A choice; `python -m tests.dealt_table` judges it."""
LONGEST = 1600
"""Longer side in pixels to which a photograph of unknown scale is first resized: the index of a
card a seventh as long is then 25 px high. A choice; `python -m tests.dealt_table` judges it."""
STEPS = 4
"""Number of scales tried, each half the one before: down to a card that fills the picture. A
choice; `python -m tests.dealt_table` judges it."""
LEGIBLE = 0.7
"""Minimum probability of a single face at which an index counts towards the size of the picture's
indices. A choice; `python -m tests.dealt_table` judges it."""

AS_HIGH = 1.3
"""Largest ratio of an index's height to the usual one, either way, at which it is as high as most.
A choice between 1.23, of a true one in a photograph, and 1.39; `python -m tests.spreads` judges it.
"""


def scales_of(box: Box, index_height: float | None) -> list[float]:
    """The factors by which to resize a part of a picture, the largest first.

    There is one if the height of an index in pixels is known.
    """
    if index_height:
        return [min(1.0, IDEAL / index_height)]
    # Enlarging more than twofold adds work but no detail.
    first = min(2.0, LONGEST / max(box.width, box.height))
    return [first / 2**step for step in range(STEPS)]


def of_size(heights: Floats, usual: float) -> NDArray[np.bool_]:
    """Which heights (N,) an index may have where the `usual` one is known."""
    ratio = heights / usual
    return np.asarray((ratio >= SIZE_BAND[0]) & (ratio <= SIZE_BAND[1]), np.bool_)


def lettering(heights: Floats, faces: Floats) -> NDArray[np.bool_]:
    """Which indices (N,) are lettering: what reads as a joker, in another size than the cards'.

    Of a picture whose scale is unknown, every size is looked at, and no suit sign tells a joker's
    index from a word in large print. The legible indices with a suit tell how high the cards'
    are; `faces` (N, 53) is what each index shows.

    >>> heights, faces = np.array([20.0, 24.0, 64.0]), np.zeros((3, 53), np.float32)
    >>> faces[:2, 7], faces[2, JOKER_FACE] = 1.0, 1.0
    >>> lettering(heights, faces).tolist(), lettering(heights[2:], faces[2:]).tolist()
    ([False, False, True], [False])
    """
    joker = faces.argmax(axis=1) == JOKER_FACE
    suited = heights[~joker & (faces.max(axis=1, initial=0) >= LEGIBLE)]
    if not len(suited):
        return np.zeros(len(heights), np.bool_)
    return np.asarray(joker & ~of_size(heights, float(np.median(suited))), np.bool_)


def best_first(heights: Floats, faces: Floats, least: float) -> NDArray[np.intp]:
    """The order in which to believe looks at prints found at several scales, in order of score.

    Those that are read at no face's probability of `least` come last, and before these those that
    are much higher or lower than most: at half its scale, a clear two was found best, 1.4 times as
    high as it is, and was dropped for its size. How sure they are does not count: the surest of
    several is surer than it should be.

    >>> faces = np.array([[0.93], [0.99], [0.2], [0.98]], np.float32)
    >>> best_first(np.array([37.0, 27.0, 27.0, 26.0]), faces, 0.4).tolist()
    [1, 3, 0, 2]
    """
    told = faces.max(axis=1, initial=0)
    legible = heights[told >= LEGIBLE]
    usual = float(np.median(legible)) if len(legible) else 0.0
    other = np.maximum(heights, usual) > AS_HIGH * np.minimum(heights, usual)
    return np.argsort(2 * (told < least) + other, kind="stable")


def best_scaled(finds: Sequence[Find], indices: Indices, faces: Floats) -> Areas:
    """The areas from the scale at which `indices` have the size the finder was trained for.

    `faces` (N, 53) is what they show; only legible ones count. If none is legible, the scale with
    the largest area of backs is used.
    """
    if len(finds) == 1:
        return finds[0].areas
    legible = faces.max(axis=1, initial=0) >= LEGIBLE
    if not legible.any():
        return max(finds, key=lambda find: (find.areas.back > 0.5).mean()).areas
    height = median(indices.heights[legible].tolist()) * STRIDE
    return min(finds, key=lambda find: abs(log2(find.areas.scale * height / IDEAL))).areas
