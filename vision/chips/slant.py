"""The slant of an uncalibrated camera, from the sizes of the things on the table.

The cards of a deck are equal in size, and so are the chips of a set; seen at an angle, the nearer
ones look larger, and all of them shorter. The slant at which their sizes agree best is the
camera's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Circles
from vision.chips.standpoint import FOCAL, PRESUMED, UNNOTICED, Standpoint
from vision.picture.geometry import Outline

CARD_RATIO = 88 / 63
"""A card's long side divided by its short one. Follows from the usual size of a poker card; a
bridge card differs by a tenth, which only adds to the error of sizes."""
STEPS = np.linspace(-0.36, 0.36, 37)
"""Slants tried in each direction, in radians: up to twenty degrees. A choice: three standard
deviations of what a person holding the camera does not notice."""
CARD_ERROR, ROUND_ERROR = 0.025, 0.02
"""Relative standard deviation of the error of a card's sides and of a chip's radius. A choice:
`python -m tests.real_chips` judges it."""
SMALLER = 1.5
"""The power of its nearness with which a round thing's radius grows. Follows from perspective: the
area that a piece of the table takes up in the picture grows with the third power."""
TAILS = 3.0
"""Number of standard deviations beyond which sizes count less. A choice: a deck of another shape, a
stack."""
WRONG = (0.02, 0.3)
"""Error of a slant that its fit does not show: in radians, and as a share of the slant, as the
focal length is presumed. A choice; `python -m tests.real_chips` judges it."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """Things of equal size in a picture, in focal lengths from its centre.

    `cards` (N, 4, 2) are the corners of cards, `middles` (M, 2) the centres of chips and `radii`
    (M,) their radii.
    """

    cards: Matrix
    middles: Matrix
    radii: Matrix

    def unequal(self, normal: Matrix) -> float:
        """How badly the sizes agree on a table with this unit `normal` (3,), in squared standard
        deviations."""
        cost = 0.0
        if len(self.cards):
            cost += _unequal(self._sides(normal), CARD_ERROR)
        if len(self.radii):
            # The area of the plane that a piece of the picture shows, as seen from the lens.
            rays = np.column_stack([self.middles, np.ones(len(self.middles))]) @ normal
            cost += _unequal(np.log(self.radii) - SMALLER * np.log(rays), ROUND_ERROR)
        return cost

    def _sides(self, normal: Matrix) -> Matrix:
        """The logarithms (2 N,) of the sides of cards, the longer ones scaled to the shorter."""
        rays = np.concatenate([self.cards, np.ones((*self.cards.shape[:2], 1))], axis=2)
        there = rays / (rays @ normal)[..., None]
        sides = np.linalg.norm(there - np.roll(there, 1, axis=1), axis=2)
        pairs = sides[:, :2] + sides[:, 2:]
        each = np.concatenate([pairs.min(axis=1), pairs.max(axis=1) / CARD_RATIO])
        return np.asarray(np.log(each), np.float64)


def leaning(
    size: tuple[int, int], px_per_mm: float, cards: Sequence[Outline], chips: Circles
) -> Standpoint:
    """Estimate the camera that took a picture with `cards` face up next to `chips`.

    `size` (w, h) is the picture's in pixels, and `px_per_mm` its approximate scale.
    """
    length = FOCAL * max(size)
    middle = (np.array(size) - 1) / 2
    corners = np.asarray(cards, np.float64).reshape(-1, 4, 2)
    middles = np.asarray(chips.centres, np.float64)
    sizes = Sizes(
        (corners - middle) / length, (middles - middle) / length, chips.radii.astype(np.float64)
    )
    slants = np.stack(np.meshgrid(STEPS, STEPS), axis=-1).reshape(-1, 2)
    normals = np.column_stack([np.tan(slants), np.ones(len(slants))])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    costs = np.array([sizes.unequal(normal) for normal in normals])
    costs += (slants**2).sum(axis=1) / UNNOTICED**2
    chances = np.exp((costs.min() - costs) / 2)
    chances /= chances.sum()
    slant = chances @ slants
    spread = float(np.sqrt(chances @ ((slants - slant) ** 2).sum(axis=1) / 2))
    wrong = np.hypot(spread, np.hypot(WRONG[0], WRONG[1] * float(np.linalg.norm(slant))))
    across, down = (middle + length * np.tan(slant)).tolist()
    return Standpoint(
        (across, down), length / px_per_mm, px_per_mm, doubt=PRESUMED, leans=float(wrong)
    )


def _unequal(sizes: Matrix, error: float) -> float:
    rest = (sizes - np.median(sizes)) / (error * TAILS)
    return float((TAILS**2 * np.log1p(rest**2)).sum())
