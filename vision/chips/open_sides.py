"""The sides of round things that nothing else hides, and the things that overlap each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, AROUND, Circles
from vision.chips.silhouettes import BESIDE_PX
from vision.picture.geometry import Floats, distances

LAPPING = 1.75
"""Maximum distance between the centres of overlapping chips, in radii. A choice;
`python -m tests.chips --layouts spread` judges it."""
RIM_GAP = 1.06
"""Distance beyond a rim, in radii, within which another round thing hides it. A choice; `python -m
tests.chips` judges it."""
NEAREST = 0.62
"""Minimum distance between the centres of different things, in radii. A choice, the same as
`vision.chips.matching.APART`."""


def overlapping_others(
    found: Circles, places: Floats, which: NDArray[np.intp], others: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the round things at `places` (len(found), 2) overlap one of the `others`
    (len(found),), on top or underneath."""
    away = distances(places[which], places[others])
    reach = found.radii[which][:, None]
    return np.asarray(((away > NEAREST * reach) & (away < LAPPING * reach)).any(axis=1))


def standing_beside(
    found: Circles, numbers: Sequence[int], others: Sequence[int]
) -> list[frozenset[int]]:
    """Those of the `others` that may hide a side of each of the things `numbers`."""
    every, some = np.asarray(others, np.intp), np.asarray(numbers, np.intp)
    away = distances(found.centres[some], found.centres[every])
    near = _hiding(away, found.radii[some][:, None])
    return [frozenset(every[row].tolist()) for row in near]


def _hiding(away: Floats, radius: Floats | float) -> NDArray[np.bool_]:
    """Whether things at distances `away` from one with this radius may hide a side of it."""
    far = radius + BESIDE_PX[1] + radius * RIM_GAP
    return np.asarray((away > NEAREST * radius) & (away < far))


def uncovered(
    hidden: NDArray[np.uint8], centres: Floats, radii: Floats, outwards: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The directions (N, ANGLES), starting outwards, in which nothing lies at the rim, and in which
    nothing lies as far beyond it as the table is examined."""
    across, down = outwards[:, :1], outwards[:, 1:]
    x = across * AROUND[:, 0] - down * AROUND[:, 1]
    y = down * AROUND[:, 0] + across * AROUND[:, 1]
    ways = np.stack([x, y], axis=-1)
    high, wide = hidden.shape
    told = []
    for reach in (radii * RIM_GAP, radii + BESIDE_PX[1]):
        at = np.rint(centres[:, None] + reach[:, None, None] * ways).astype(np.intp)
        there = hidden[np.clip(at[..., 1], 0, high - 1), np.clip(at[..., 0], 0, wide - 1)]
        told.append(np.asarray(there == 0, np.bool_))
    return told[0], told[1]


def unhidden_beside(
    flat: NDArray[np.uint8], centres: Floats, radii: Floats, outwards: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The same directions beside things that lie `flat` (H, W), 1 or 0.

    For what stands on one of them, that is the ground, and what is beyond its edge is something
    else.
    """
    high, wide = flat.shape
    x, y = np.rint(centres).astype(np.intp).T
    upon = flat[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)] > 0
    free, clear = uncovered(flat, centres, radii, outwards)
    if upon.any():
        bare = np.asarray(flat == 0, np.uint8)
        free[upon], clear[upon] = uncovered(bare, centres[upon], radii[upon], outwards[upon])
    return free, clear


def open_sides(
    found: Circles, which: NDArray[np.intp], outwards: Floats, others: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Find the directions (len(which), ANGLES), starting outwards, that the `others` leave open.

    The first result says where there is nothing at the rim, the second where there is nothing as
    far beyond it as the table is examined.
    """
    free = np.ones((len(which), ANGLES), np.bool_)
    clear = free.copy()
    hiding = _hiding(distances(found.centres[which], found.centres), found.radii[which][:, None])
    hiding &= others
    for row in np.flatnonzero(hiding.any(axis=1)).tolist():
        beside, number = hiding[row], which[row]
        middle, radius = found.centres[number], float(found.radii[number])
        far = radius + BESIDE_PX[1]
        across, down = outwards[row].tolist()
        turned = AROUND @ np.array([[across, down], [-down, across]], np.float32)
        centres, radii = found.centres[beside], found.radii[beside]
        for some, reach in ((free, radius * RIM_GAP), (clear, far)):
            away = np.linalg.norm(middle + turned[:, None] * np.float32(reach) - centres, axis=2)
            some[row] = (away > radii).all(axis=1)
    return free, clear & free
