"""How large a deck's cards appear at each place of a camera's pictures, as measured on its backs.

A camera that hangs askew sees the near side of the table larger than the far one. A single size for
the whole picture is then off by several hundredths, enough for one card to look like two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import dist, exp, log

import numpy as np

from vision.picture.geometry import Floats, Point
from vision.picture.plane import Plane

MEASURED, MEASURES = 3, 30
"""Number of measurements from which the size counts as known, one card read three times, and of
the places remembered. A choice; `python -m tests.soak --pictures` judges it."""
TIMES = 3
"""Number of measurements at one place after which further ones say nothing new. A choice."""
SAME_PLACE = 1.0
"""Largest distance in index heights, 17 mm, between two measurements of one card at rest. A choice:
cards that do not overlap are at least three apart."""
INEXACT = 0.01
"""Standard deviation of a measured size, as a share of it. A choice: on 46 drawn tables half of the
sizes were nearer than that (`measuring.AGAIN`)."""
ASKEW = 0.0015
"""Standard deviation of how much larger cards appear one index height, 17 mm, nearer to the camera.
Follows from a camera 80 cm above the table that hangs some 4 degrees askew: 0.07 * 17 mm / 80 cm.
"""
AROUND = 10.0
"""Distance in index heights from the middle of the table at which a camera's position is asked how
large a card appears. A choice: some 17 cm, within any table.
"""
ROUNDS = 3
"""Number of times the trend is fitted, each with less weight on measurements that do not fit. A
choice: the third changes little."""


@dataclass(slots=True)
class _Measure:
    """The mean size of a card, measured some `times` at one place."""

    short: float
    long: float
    place: Point
    times: int = 1

    def add(self, short: float, long: float) -> None:
        self.short += (short - self.short) / (self.times + 1)
        self.long += (long - self.long) / (self.times + 1)
        self.times += 1


@dataclass(slots=True)
class Measures:
    """The sides of cards face down by their places, in heights of a standard index.

    `slope` is how the logarithm of the size grows from the `middle` of the table on, as far as a
    camera's position tells; what is measured corrects it.

    >>> measures = Measures()
    >>> measures.at((0.0, 0.0)) is None
    True
    >>> for place, size in (((0.0, 0.0), 1.0), ((30.0, 0.0), 1.03), ((60.0, 0.0), 1.06)):
    ...     measures.note(3.4 * size, 5.2 * size, place)
    >>> [round(side, 2) for side in measures.at((0.0, 20.0))]
    [3.4, 5.21]
    >>> [round(side, 2) for side in measures.at((60.0, 0.0))]
    [3.6, 5.51]
    """

    slope: Point = (0.0, 0.0)
    middle: Point = (0.0, 0.0)
    _measures: list[_Measure] = field(default_factory=list)
    _trend: tuple[Floats, Floats, tuple[float, float]] | None = None
    """How the logarithm of the size grows along the picture, from which place, and the sides there;
    None if it has to be fitted again."""

    @classmethod
    def on(cls, plane: Plane, middle: Point, unit: float) -> Measures:
        """Those of a table whose `plane` is known, with a standard index of `unit` pixels in its
        `middle` (pixels)."""
        steps = ((AROUND * unit, 0.0), (0.0, AROUND * unit))
        across, down = (
            sum(sign * _size_at(plane, middle, (sign * x, sign * y)) for sign in (1, -1))
            for x, y in steps
        )
        at = middle[0] / unit, middle[1] / unit
        return cls((across / (2 * AROUND), down / (2 * AROUND)), at)

    def larger(self, place: Point) -> float:
        """How many times as large as in the middle a card appears at this place, if none of them
        has been measured."""
        off = place[0] - self.middle[0], place[1] - self.middle[1]
        return exp(self.slope[0] * off[0] + self.slope[1] * off[1])

    def wants(self, place: Point) -> bool:
        """Whether a measurement at this place would say something new."""
        near = self._near(place)
        return near is None or near.times < TIMES

    def note(self, short: float, long: float, place: Point) -> None:
        """Add the sides of a card face down, of which all edges are in sight at this place."""
        near = self._near(place)
        if near is None:
            self._measures = [*self._measures, _Measure(short, long, place)][-MEASURES:]
        else:
            near.add(short, long)
        self._trend = None

    def at(self, place: Point) -> tuple[float, float] | None:
        """A card's short and long side at this place; None while too few have been measured."""
        if sum(one.times for one in self._measures) < MEASURED:
            return None
        self._trend = self._trend or self._fitted()
        slope, middle, (short, long) = self._trend
        larger = exp(float(slope @ (np.asarray(place) - middle)))
        return short * larger, long * larger

    def _near(self, place: Point) -> _Measure | None:
        near = (one for one in self._measures if dist(one.place, place) < SAME_PLACE)
        return next(near, None)

    def _fitted(self) -> tuple[Floats, Floats, tuple[float, float]]:
        """The likeliest trend of the size over the picture, and the sides in the middle."""
        places = np.array([one.place for one in self._measures])
        sizes = np.array([log(one.short * one.long) / 2 for one in self._measures])
        weights = np.ones(len(sizes))
        expected = np.array(self.slope)
        slope, middle = expected, places.mean(axis=0)
        for _ in range(ROUNDS):
            middle = weights @ places / weights.sum()
            off, rest = places - middle, sizes - weights @ sizes / weights.sum()
            inverse = np.eye(2) * (INEXACT / ASKEW) ** 2 + (off.T * weights) @ off
            slope = expected + np.linalg.solve(inverse, (off.T * weights) @ (rest - off @ expected))
            weights = 1 / (1 + ((rest - off @ slope) / (2 * INEXACT)) ** 2)
        larger = np.exp((places - middle) @ slope)
        short, long = (
            float(np.median([side / by for side, by in zip(some, larger, strict=True)]))
            for some in zip(*((one.short, one.long) for one in self._measures), strict=True)
        )
        return slope.astype(np.float32), middle.astype(np.float32), (short, long)


def _size_at(plane: Plane, middle: Point, off: Point) -> float:
    """The logarithm of the scale at a place `off` the middle (pixels)."""
    return log(plane.scale(plane.millimetres((middle[0] + off[0], middle[1] + off[1]))))
