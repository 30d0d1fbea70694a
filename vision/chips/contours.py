"""The contour of a plaque: a rectangle with rounded corners, sampled in as many directions as a
circle's rim.

Rings within it are the contour made smaller, so that a plaque has a print of the same shape as a
round chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES
from vision.picture.geometry import Floats

CORNER = 0.11
"""Radius of a plaque's corners, relative to its short side. A choice: four to seven millimetres of
57; places there are not fitted."""
STEPS = 12
"""Number of points that stand for a corner before the contour is divided evenly. A choice: a
hundredth of a millimetre off."""


@dataclass(frozen=True, slots=True, eq=False)
class Contour:
    """A plaque's contour, in the unit of its `sides`, the longer and the shorter.

    The `places` (ANGLES, 2) are even steps along it, clockwise from the middle of its right side,
    with unit `normals` (ANGLES, 2) that point outwards; those that are `straight` (ANGLES,) are on
    no corner. Turned by half, or by a quarter if it is square, it is the same, as many directions
    later.
    """

    sides: tuple[float, float]
    places: Floats
    normals: Floats
    straight: NDArray[np.bool_]

    @property
    def turns(self) -> tuple[int, ...]:
        """How many directions it may be turned by and be the same: half of them, or if it is
        square, every quarter."""
        parts = 4 if self.sides[0] == self.sides[1] else 2
        return tuple(ANGLES // parts * part for part in range(parts))

    @property
    def octagon(self) -> Floats:
        """The contour as eight points (8, 2), two at each corner, clockwise."""
        wide, high = (side / 2 for side in self.sides)
        cut = min(self.sides) * CORNER * (2 - np.sqrt(2))
        return np.array(
            [
                (wide, high - cut), (wide - cut, high), (cut - wide, high), (-wide, high - cut),
                (-wide, cut - high), (cut - wide, -high), (wide - cut, -high), (wide, cut - high),
            ],
            np.float32,
        )  # fmt: skip


@lru_cache(maxsize=64)
def contour(long: float, short: float) -> Contour:
    """The contour of a plaque with these sides.

    >>> plaque = contour(84.0, 57.0)
    >>> plaque.places[[0, ANGLES // 2]].round(1).tolist(), int(plaque.straight.sum())
    ([[42.0, 0.0], [-42.0, 0.0]], 40)
    """
    wide, high = long / 2, short / 2
    corner = short * CORNER
    turns = np.linspace(0, np.pi / 2, STEPS)
    parts = [np.array([[wide, 0.0]])]
    for number, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        middle = np.array([x * (wide - corner), y * (high - corner)])
        way = turns + number * np.pi / 2
        parts.append(middle + corner * np.stack([np.cos(way), np.sin(way)], axis=1))
    line = np.concatenate([*parts, parts[0]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at = np.linspace(0, along[-1], ANGLES, endpoint=False)
    places = np.stack([np.interp(at, along, line[:, axis]) for axis in (0, 1)], axis=1)
    inner = np.clip(places, (corner - wide, corner - high), (wide - corner, high - corner))
    normals = (places - inner) / np.linalg.norm(places - inner, axis=1, keepdims=True)
    straight = np.abs(normals).max(axis=1) > 1 - 1e-6
    return Contour((long, short), places.astype(np.float32), normals.astype(np.float32), straight)


def turned(vectors: Floats, turns: Sequence[float] | NDArray[np.floating]) -> Floats:
    """Turn vectors (N, …, 2) clockwise as seen, each by its own of the `turns` (N,) in radians."""
    angles = np.asarray(turns, np.float64).reshape(-1, *[1] * (vectors.ndim - 2))
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1).astype(np.float32)
