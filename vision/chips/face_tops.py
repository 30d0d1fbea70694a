"""Where the tops of stacks are, told by the prints on their faces.

A print is found to a twentieth of a pixel, an outline's top to a third: chips that stick out
beneath it pull it to their side, and then the side seems shorter than it is. But where the centre
of a chip is in its print was only roughly told when it was taught. All faces of one value share
that error, each turned with its print, so they tell it together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats

TAUGHT_OFF = 0.022
"""Standard deviation of a taught face's centre from the chip's, in each direction, in radii. A
choice: what 26 values of 7 drawn sets showed, 0.65 pixels where a face has 30; `python -m
tests.chips` judges it."""
OUTLINED_PX = 0.3
"""The same of the top of an outline, in pixels. A choice: 130 stacks of these showed 0.1 to 0.4;
`python -m tests.chips` judges it."""
FITS_PX = 0.6
"""Maximum usual distance of outlines' tops from where their faces put them. A choice: twice the
above. Ribs look the same whichever way a chip is turned: as its print is turned anyhow, its faces
do not agree on its centre, and were up to two pixels off.
"""

Matrix = NDArray[np.float64]


def tops_by_faces(
    tops: Floats | Matrix, places: Matrix, turns: Matrix, kinds: Sequence[int], radii: Matrix
) -> Matrix:
    """The tops (N, 2) of stacks whose faces are at `places` (N, 2), turned by `turns` (N,) radians.

    `tops` (N, 2) are those of their outlines, which stay where the faces of a value do not agree;
    `kinds` are their values' indices, and `radii` (N,) those of their faces, all in pixels.
    """
    found, numbers = np.array(tops, np.float64), np.asarray(kinds, np.intp)
    ways = _rotations(turns)
    for kind in np.unique(numbers).tolist():
        some = np.flatnonzero(numbers == kind)
        own = np.einsum("nji,nj->ni", ways[some], (tops - places)[some])
        doubted = OUTLINED_PX**2 / (TAUGHT_OFF * radii[some].mean()) ** 2
        off = own.sum(axis=0) / (len(some) + doubted)
        told = places[some] + ways[some] @ off
        if ((told - tops[some]) ** 2).sum(axis=1).mean() <= FITS_PX**2:
            found[some] = told
    return found


def _rotations(turns: Matrix) -> Matrix:
    """The matrices (N, 2, 2) of rotations by these angles (N,)."""
    cosine, sine = np.cos(turns), np.sin(turns)
    return np.stack([np.stack([cosine, -sine], axis=1), np.stack([sine, cosine], axis=1)], axis=1)
