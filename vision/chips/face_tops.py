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
AMISS_PX = 1.2
"""Distance of an outline's top from where its face puts it from which it counts ever less, in
pixels. A choice: twice the above. A white stack half on a card seemed to end four and a half pixels
beyond its face, as its rim did not show against the paper.
"""
ROUNDS = 6
"""Number of times that the tops are weighed. A choice: they settle in four."""

DISPUTED_PX = 3.0
"""Distance of an outline's top from its face from which it is not known which of them is wrong, if
others do not tell, in pixels. A choice: more than the two pixels above.
"""

Matrix = NDArray[np.float64]


def tops_by_faces(
    tops: Floats | Matrix, places: Matrix, turns: Matrix, kinds: Sequence[int], radii: Matrix
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The tops (N, 2) of stacks whose faces are at `places` (N, 2), turned by `turns` (N,) radians,
    and which of them (N,) may as well be where their outlines have them.

    `tops` (N, 2) are those of their outlines, which stay where most faces of a value do not agree,
    unless they are far from their faces; `kinds` are their values' indices, and `radii` (N,) those
    of their faces, all in pixels.
    """
    disputed = np.zeros(len(tops), np.bool_)
    found, numbers = np.array(tops, np.float64), np.asarray(kinds, np.intp)
    ways = _rotations(turns)
    for kind in np.unique(numbers).tolist():
        some = np.flatnonzero(numbers == kind)
        own = np.einsum("nji,nj->ni", ways[some], (tops - places)[some])
        off, agree = _shared(own, TAUGHT_OFF * float(radii[some].mean()))
        if agree:
            found[some] = places[some] + ways[some] @ off
            continue
        far = some[np.linalg.norm(own, axis=1) > DISPUTED_PX]
        found[far], disputed[far] = places[far], True
    return found, disputed


def _shared(own: Matrix, taught_px: float) -> tuple[Matrix, bool]:
    """How far (2,) tops are from their faces, as these lay when they were taught, and whether most
    faces agree on that.

    `own` (N, 2) is what each outline says of it, and `taught_px` its standard deviation in pixels.
    """
    doubted, off = OUTLINED_PX**2 / taught_px**2, np.zeros(2)
    for _ in range(ROUNDS):
        away = np.linalg.norm(own - off, axis=1)
        weights = 1 / (1 + (away / AMISS_PX) ** 2) ** 2
        off = weights @ own / (weights.sum() + doubted)
    away = np.linalg.norm(own - off, axis=1)
    near = away <= AMISS_PX
    agree = 2 * near.sum() >= len(own) and (away[near] ** 2).mean() <= FITS_PX**2
    return np.asarray(off, np.float64), bool(agree)


def _rotations(turns: Matrix) -> Matrix:
    """The matrices (N, 2, 2) of rotations by these angles (N,)."""
    cosine, sine = np.cos(turns), np.sin(turns)
    return np.stack([np.stack([cosine, -sine], axis=1), np.stack([sine, cosine], axis=1)], axis=1)
