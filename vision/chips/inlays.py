"""Rings printed inside a chip's rim: of a stack only the topmost chip's is in sight.

A stack's outline is drawn by its top, its foot and its shadow, and circles fitted to it lie
anywhere between them. The border of an inlay is the top's alone, and lies around its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from vision.chips.chip_set import ChipSet
from vision.chips.circles import Circles, Slopes, circles, fitted
from vision.chips.matching import APART
from vision.chips.prints import RINGS, lab
from vision.picture.geometry import Floats

BORDER = 7.0
"""From this difference of colours between neighbouring rings of a print on, in units of CIELAB, it
has a border there. A choice: the weakest of a drawn set's has 9, and rings within one colour 2."""
AROUND = 25
"""In all but so many percent of the directions. A choice: letters and stripes end at borders."""
INNERMOST, OUTERMOST = 0.3, 0.82
"""Between which shares of a radius a border is looked for. A choice: nearer to the middle are
letters, and farther out the moulded rim."""
ONE_SIZE = 0.08
"""Borders whose shares differ by less are looked for as one. A choice: votes spread as far."""
VOTED, SHOWN = 0.14, 0.6
"""The least share of a border that votes for its middle, and that shows an edge. A choice;
`python -m tests.chips --layouts stacks` judges it."""
RIM_FIT = (0.07, 0.05)
"""Within which spreads, in radii, the rim around a border is looked for. A choice: its radius is
known, and its middle."""

LONELY = 1.0
"""A foot nearer than so many radii to what agrees well belongs to it. A choice: of stacks of ten at
a picture's corner, top and foot are two radii apart.
"""
MOVED = 0.15
"""A rim whose middle lies farther from its border's, in radii, is another chip's. A choice: borders
are printed round the middle, and both are fitted with an error."""


@lru_cache(maxsize=2)
def inlays(chips: ChipSet) -> tuple[float, ...]:
    """The radii of the borders inside a set's chips, in the chips' own radii."""
    steps = np.linalg.norm(np.diff(lab(chips.prints), axis=1), axis=-1)
    strong = np.percentile(steps, AROUND, axis=2).astype(np.float32)
    at = np.asarray((RINGS[1:] + RINGS[:-1]) / 2, np.float32)
    strong[:, (at < INNERMOST) | (at > OUTERMOST)] = 0
    found = sorted(_border(one, at) for one in strong if one.max() >= BORDER)
    sizes: list[list[float]] = []
    for radius in found:
        if sizes and radius - sizes[-1][0] < ONE_SIZE:
            sizes[-1].append(radius)
        else:
            sizes.append([radius])
    return tuple(float(np.mean(some)) for some in sizes)


def _border(strong: Floats, at: Floats) -> float:
    """Where a border lies by how `strong` it is between rings, halfway at the radii `at`."""
    best = int(strong.argmax())
    near = slice(max(0, best - 1), best + 2)
    return float(np.average(at[near], weights=strong[near]))


def tops(
    slopes: Slopes, known: Circles, feet: Circles, radius: float, borders: Sequence[float]
) -> Circles:
    """Rims of a usual `radius` in pixels around borders, at these shares of it, that lie within a
    radius of one of the `feet` and are none of the `known`."""
    feet = feet[_nearest(feet, known) >= LONELY * radius]
    if not borders or not len(feet):
        return feet[np.zeros(0, np.intp)]
    there = np.zeros(slopes.across.shape, np.uint8)
    for some, reach, mark in ((feet, radius, 1), (known, APART * radius, 0)):
        for x, y in np.rint(some.centres).astype(int).tolist():
            cv2.circle(there, (x, y), round(reach), (mark,), -1)
    rings = circles(slopes, [radius * share for share in borders], votes=VOTED, there=there)
    rings = rings[rings.support >= SHOWN]
    usual = np.full(len(rings), radius, np.float32)
    rims = fitted(slopes, replace(rings, radii=usual), RIM_FIT)
    moved = np.linalg.norm(rims.centres - rings.centres, axis=1)
    return rims[moved < MOVED * radius]


def _nearest(some: Circles, others: Circles) -> Floats:
    """How far (N,) the middle of each is from the nearest of the others, in pixels."""
    away = np.linalg.norm(some.centres[:, None] - others.centres[None], axis=2)
    return np.asarray(away.min(axis=1, initial=np.inf), np.float32)
