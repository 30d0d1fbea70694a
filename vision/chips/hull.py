"""Convex hulls of two circles of one size, the outlines of stacks, and how they fit edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, AROUND
from vision.picture.geometry import Floats

MEDIAN = 50
"""The percentile in the middle. Follows from the definition of a median."""
EDGE_PX = 3.0
"""Distance in which an outline's edge rises to its full difference, in pixels. A choice: twice a
usual blur."""
ROUNDS = 6
"""Number of steps in fitting a hull. A choice: it settles in five."""
GRAZING_PX = 0.05
"""Half length of a ray inside a circle, in pixels, below which it only grazes it. A choice: less
than matters."""
FIRM = 0.02
"""Weight that holds a shape in place, in edges. A choice: it only matters for unseen parts."""
FAR_SEEN = 0.5
"""Share of its far side that must show an edge for the edges alone to say where a top is. A choice:
a white stack stood half on a card, whose paper hid most of its rim and whose print looked like more
of it, so that its top seemed four and a half pixels off.
"""
TOP_HELD, TOP_OFF_PX = 3.0, 1.0
"""Weight that otherwise holds a top where its rim was found, in edges, and the distance in pixels
at which it holds ever less: that rim may have been another chip's. A choice: it outvotes the six
edges of that print.
"""
OFF_PX, FAR_OFF = 0.5, 1.5
"""Distance at which edges count less, the greater of pixels and usual distances. A choice."""
STEP_PX = 2.0
"""Maximum change in one step, in pixels. A choice."""
TURNED = 3
"""Steps between the directions in which hulls may lean if that is not known, of the `ANGLES`. A
choice: a lean of ten pixels, eleven degrees off, is short by a fifth of a pixel."""
UPRIGHT = 0.5
"""How many pixels more edges must be off, in total, for each pixel less of lean. A choice: of hulls
that fit alike, the upright one is meant."""
FIXED = 2.0
"""The same for each pixel that the top is away from where it was found. A choice: it is found to
half a pixel."""
STARTS = (0.0, 0.08, 0.16, 0.28, 0.4, 0.55, 0.7, 0.85, 1.0)
"""Lengths of the hulls tried first, in radii. A choice: a stack of ten leans by two at most."""

_COSINE, _SINE = (AROUND[:, axis].astype(np.float64) for axis in (0, 1))
"""The directions in which outlines are given. Follows from those of circles."""
_FAR = _COSINE > 0.5
"""The directions of the side away from the camera, where the outline is the top's rim. A choice."""
_STEEP = np.where(np.abs(_SINE) < 1e-6, 1e-6, _SINE)
"""Their sines, none of them zero. Follows from these."""
_FLANK = np.stack([0 * _STEEP, 1 / _STEEP, np.sign(_STEEP) / _STEEP, 0 * _STEEP], axis=1)
"""The derivative (ANGLES, 4) of a straight side by a hull's shape. Follows from its equation."""


def outlines(shapes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distance (N, ANGLES) to the outline of hulls from the centre they are seen from.

    Each of the `shapes` (N, 4) is the top's position outwards and sideways, its radius, and its
    lean.
    """
    return outlines_and_slopes(shapes)[0]


def outlines_and_slopes(
    shapes: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The outlines of hulls, and their derivatives (N, ANGLES, 4) by each part of the shapes."""
    out, lean = shapes[:, 0], shapes[:, 3]
    top, foot = _Circle.of(shapes, out), _Circle.of(shapes, out - lean)
    flank, beside = _flanks(shapes)
    outline = np.maximum(top.far, foot.far)
    lower = foot.far >= top.far
    slopes = np.where(lower[..., None], foot.slopes(shapes), top.slopes(shapes))
    # As the stack grows, the foot moves inwards: where the two coincide, only out of the top.
    slopes[..., 3] = np.where(lower, np.maximum(-slopes[..., 0], 0), 0.0)
    between = beside & (flank > outline)
    slopes[between] = _FLANK[np.nonzero(between)[1]]
    return np.where(between, flank, outline), slopes


@dataclass(frozen=True, slots=True, eq=False)
class _Circle:
    """How `far` (N, ANGLES) from a centre circles reach that are `x` (N, 1) outwards from it.

    The ray to there comes closest to the circle's middle after `along` (N, ANGLES), and `half`
    (N, ANGLES) is half of what it has inside the circle.
    """

    x: NDArray[np.float64]
    along: NDArray[np.float64]
    half: NDArray[np.float64]

    @classmethod
    def of(cls, shapes: NDArray[np.float64], x: NDArray[np.float64]) -> Self:
        """The circles of some shapes (N, 4), at `x` (N,)."""
        x, side, radius = x[:, None], shapes[:, 1, None], shapes[:, 2, None]
        along = _COSINE * x + _SINE * side
        inside = along**2 + (radius**2 - x**2 - side**2)
        return cls(x, along, np.sqrt(np.maximum(inside, 0)))

    @property
    def far(self) -> NDArray[np.float64]:
        return np.asarray(self.along + self.half)

    def slopes(self, shapes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The derivatives of `far` (N, ANGLES, 4) by position, radius and, as zero, the lean."""
        side, radius = shapes[:, 1, None], shapes[:, 2, None]
        # A ray that misses the circle, or nearly, says only where the circle is.
        share = np.where(self.half > GRAZING_PX, 1 / np.maximum(self.half, GRAZING_PX), 0.0)
        slopes = np.zeros((*self.along.shape, 4))
        slopes[..., 0] = _COSINE + (self.along * _COSINE - self.x) * share
        slopes[..., 1] = _SINE + (self.along * _SINE - side) * share
        slopes[..., 2] = radius * share
        return slopes


def _flanks(shapes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The distance (N, ANGLES) to the straight sides of hulls, and where these lie between the two
    circles."""
    out, side, radius, lean = (shapes[:, part, None] for part in range(4))
    flank = (side + np.sign(_STEEP) * radius) / _STEEP
    across = flank * _COSINE
    return flank, (flank > 0) & (across <= out) & (across >= out - lean)


def fitted(
    away: NDArray[np.float64], radii: Floats
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit hulls to most of the edges: their shapes (N, 4), and the errors (N,) of their leans."""
    there = np.isfinite(away)
    seen = np.where(there, away, radii[:, None])
    shapes = _first(seen, there, radii)
    hold = np.where(there[:, _FAR].mean(axis=1) < FAR_SEEN, TOP_HELD, 0.0)
    for left in range(ROUNDS, 0, -1):
        outline, slopes = outlines_and_slopes(shapes)
        rest = np.where(there, seen - outline, 0.0)
        # A poor start is pulled by all edges, and only later by most of them.
        usual = np.maximum(OFF_PX * left, FAR_OFF * usual_of(rest, there))
        weights = there / (1 + (rest / usual[:, None]) ** 2) ** 2
        weighted = (slopes * weights[..., None]).transpose(0, 2, 1)
        normal = weighted @ slopes + FIRM * np.eye(4)
        right = (weighted @ rest[..., None])[..., 0]
        held = hold / (1 + (shapes[:, :2] ** 2).sum(axis=1) / TOP_OFF_PX**2) ** 2
        normal[:, [0, 1], [0, 1]] += held[:, None]
        right[:, :2] -= held[:, None] * shapes[:, :2]
        change = np.linalg.solve(normal, right[..., None])[..., 0]
        shapes += np.clip(change, -STEP_PX, STEP_PX)
        shapes[:, 3] = np.maximum(shapes[:, 3], 0)
    off = usual_of(np.where(there, seen - outlines(shapes), 0.0), there)
    return shapes, off * np.sqrt(np.linalg.inv(normal)[:, 3, 3])


def leaned(
    away: NDArray[np.float64], radii: Floats
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Fit hulls that lean in any direction: their shapes and errors, and by how many directions
    (N,) they are turned from the first."""
    tried = np.arange(0, ANGLES, TURNED)
    every = np.concatenate([np.roll(away, -turn, axis=1) for turn in tried])
    shapes, unsure = fitted(every, np.tile(radii, len(tried)))
    there = np.isfinite(every)
    off = np.where(there, np.abs(every - outlines(shapes)), 0.0)
    # A hull's ends are alike: the top is the one that was found.
    moved = np.hypot(shapes[:, 0], shapes[:, 1])
    costs = np.minimum(off, EDGE_PX).sum(axis=1) + UPRIGHT * shapes[:, 3] + FIXED * moved
    best = costs.reshape(len(tried), -1).argmin(axis=0)
    rows = best * len(away) + np.arange(len(away))
    return shapes[rows], unsure[rows], tried[best]


def _first(
    seen: NDArray[np.float64], there: NDArray[np.bool_], radii: Floats
) -> NDArray[np.float64]:
    """The likeliest of a few hulls for each of the radii, to start from."""
    usual = radii.astype(np.float64)
    likely = usual[:, None, None] * _started()
    off = np.minimum(np.abs(seen[:, None] - likely), EDGE_PX)
    costs = np.where(there[:, None], off, 0.0).sum(axis=2)
    leans = np.array(STARTS)[costs.argmin(axis=1)] * usual
    return np.stack([0 * usual, 0 * usual, usual, leans], axis=1)


@cache
def _started() -> NDArray[np.float64]:
    """The outlines (STARTS, ANGLES) of the hulls tried first, in radii."""
    return outlines(np.array([(0.0, 0.0, 1.0, start) for start in STARTS]))


def usual_of(rest: NDArray[np.float64], there: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The usual distance (N,) of the edges found; one pixel if there are none."""
    usual = percentile(np.abs(rest), there, MEDIAN)
    return np.where(there.any(axis=1), usual, 1.0)


def percentile(
    values: NDArray[np.floating], shown: NDArray[np.bool_], share: float
) -> NDArray[np.floating]:
    """The percentile `share` of the values (N, …) of each row that are `shown` (N, …); 0 without
    any.

    >>> percentile(np.array([[3.0, 1.0, 9.0, 2.0]]), np.array([[True, True, False, True]]), 50)
    array([2.])
    """
    flat, marked = values.reshape(len(values), -1), shown.reshape(len(values), -1)
    some = marked.any(axis=1)
    ordered = np.sort(np.where(marked, flat, np.inf), axis=1)
    ordered[~some] = 0
    last = np.maximum(marked.sum(axis=1) - 1, 0)
    at = last * (share / 100)
    low = np.floor(at).astype(np.intp)
    ends = [
        np.take_along_axis(ordered, one[:, None], axis=1)[:, 0]
        for one in (low, np.minimum(low + 1, last))
    ]
    found = ends[0] + (ends[1] - ends[0]) * (at - low)
    return np.asarray(found, values.dtype)
