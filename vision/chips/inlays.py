"""Rings printed inside a chip's rim: in a stack, only those of the top chip are in sight.

The edges of a stack come from its top, its foot and its shadow, and circles fitted to them end up
anywhere in between. The border of an inlay belongs to the top alone and is concentric with it.
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
from vision.picture.geometry import Floats, distances

BORDER = 7.0
"""Minimum difference of colours between neighbouring rings of a print that is a border, in units of
CIELAB. A choice: the weakest border of a drawn set has 9, and rings within one colour differ by 2.
"""
AROUND = 25
"""Percentage of the directions in which the border may be weaker. A choice: letters and stripes end
at borders."""
INNERMOST, OUTERMOST = 0.3, 0.82
"""Range in which a border is searched for, as shares of a radius. A choice: the letters are nearer
to the middle, and the moulded rim is farther out."""
ONE_SIZE = 0.08
"""Borders whose shares of the radius differ by less are searched for as one. A choice: votes spread
as far."""
VOTED, SHOWN = 0.14, 0.6
"""Minimum share of a border that votes for its centre, and that shows an edge. A choice; `python -m
tests.chips --layouts stacks` judges it."""
RIM_FIT = (0.07, 0.05)
"""How far from its expected place the rim around a border is searched for, as standard deviations
in radii. A choice: its radius and its centre are known."""

LONELY = 1.0
"""A foot closer than this to something that agrees well belongs to it, in radii. A choice: in
stacks of ten at a picture's corner, top and foot are two radii apart."""
MOVED = 0.15
"""Maximum distance of a rim's centre from its border's, in radii; a rim farther off is another
chip's. A choice: borders are printed concentric, and both fits have an error."""


@lru_cache(maxsize=2)
def inlays(chips: ChipSet) -> tuple[float, ...]:
    """The radii of the borders inside a set's chips, relative to the chips' own."""
    sizes: list[list[float]] = []
    for radius in sorted(share for _, share in borders(chips)):
        if sizes and radius - sizes[-1][0] < ONE_SIZE:
            sizes[-1].append(radius)
        else:
            sizes.append([radius])
    return tuple(float(np.mean(some)) for some in sizes)


def borders(chips: ChipSet) -> list[tuple[int, float]]:
    """Which of a set's values are round chips with a border inside, and its radius relative to the
    chip's."""
    kinds = np.flatnonzero(chips.round > 0)
    if not len(kinds):
        return []
    steps = np.linalg.norm(np.diff(lab(chips.prints[kinds]), axis=1), axis=-1)
    strong = np.percentile(steps, AROUND, axis=2).astype(np.float32)
    at = np.asarray((RINGS[1:] + RINGS[:-1]) / 2, np.float32)
    strong[:, (at < INNERMOST) | (at > OUTERMOST)] = 0
    return [
        (kind, _border(one, at))
        for kind, one in zip(kinds.tolist(), strong, strict=True)
        if one.max() >= BORDER
    ]


def _border(strong: Floats, at: Floats) -> float:
    """Position of the strongest border, from how `strong` it is at the radii `at` between rings."""
    best = int(strong.argmax())
    near = slice(max(0, best - 1), best + 2)
    return float(np.average(at[near], weights=strong[near]))


def tops(
    slopes: Slopes, known: Circles, feet: Circles, radius: float, borders: Sequence[float]
) -> Circles:
    """Find rims of the usual `radius` in pixels around `borders`, given as shares of that radius.

    Each is within a radius of one of the `feet` and is not one of the `known`.
    """
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
    """Distance (N,) in pixels from the centre of each to the nearest centre among the others."""
    away = distances(some.centres, others.centres)
    return np.asarray(away.min(axis=1, initial=np.inf), np.float32)
