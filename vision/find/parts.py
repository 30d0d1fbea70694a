"""The two parts of an index: what of its rank and of its suit sign can be seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.picture.geometry import Floats

CUT_RANK, CUT_SIGN = 0.17, 0.4
"""Largest share of a rank and of a suit sign that may be hidden for it to be read: half an eight is
a clear seven, but a diamond without its tip is still a diamond. Of the 25 points that represent a
rank four, a corner, may be hidden; a row is five. A choice; `python -m tests.dealt_table` judges
it."""
HALF_WIDTH, HALF_WAY = 0.2, 0.25
"""Reach of the print, in index heights, around the centres of rank and suit sign, and the distance
of those from the index's centre. Follows from the standard faces."""
Hiding: TypeAlias = Callable[[Floats], NDArray[np.bool_]]
"""Which points (N, 25, 2) in pixels are hidden (N, 25)."""


def lacking(indices: Indices, hidden: Hiding) -> NDArray[np.bool_]:
    """Which of the indices (N,) lack too much of their rank or of their suit sign."""
    rank, sign = (hidden(points).mean(axis=1) for points in (ranks_at(indices), signs_at(indices)))
    return np.asarray((rank > CUT_RANK) | (sign > CUT_SIGN), np.bool_)


def ranks_at(indices: Indices) -> Floats:
    """Points (N, 25, 2) of the rank of each index, its upper half."""
    return _points(indices, HALF_WAY)


def signs_at(indices: Indices) -> Floats:
    """Points (N, 25, 2) of the suit sign of each index, its lower half."""
    return _points(indices, -HALF_WAY)


def _points(indices: Indices, middle: float) -> Floats:
    """The points (N, 25, 2) of the half of each index around `middle`, in heights from its centre.

    It is as wide as it is high.
    """
    steps = np.linspace(-HALF_WIDTH, HALF_WIDTH, 5, dtype=np.float32)
    across, along = (one.ravel() for one in np.meshgrid(steps, steps))
    ways = indices.rights[:, None] * across[:, None]
    ways = ways + indices.ups[:, None] * (along + np.float32(middle))[:, None]
    points: Floats = indices.centres[:, None] + ways * indices.heights[:, None, None]
    return points
