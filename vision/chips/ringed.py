"""Round chips found by the ring printed inside their rim, where the rim itself hardly shows.

A dark chip on a dark cloth has no outline, and little of a rim is left where others cover half of
it. The border of an inlay has the chip's own colours on both sides, wherever the chip lies: where
such a ring shows, the chip lies around it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import Circles, Slopes, circles, fitted
from vision.chips.inlays import MOVED, RIM_FIT, borders
from vision.chips.things import rim_tells

VOTED, SHOWN = 0.3, 0.45
"""Minimum share of a ring that votes for its centre, and that shows an edge. A choice: of 17
drawn chips that had been missed, most of them half under others, none had less than 0.39 of the
votes; a line has two edges, so that it may have more than 1."""
RINGS_APART = 0.18
"""Difference of the radii searched for, as a share of a radius. A choice: votes spread as far, as
rings are half as large as rims."""
OFF_SIZE = 0.03
"""How far a ring's size may be outside the range of a set's, as a share of it. A choice: the error
of a fit to so small a ring."""
ALIKE = 0.08
"""Rings whose radii, and whose chips' radii, differ by less than this share are searched for as
one. A choice: votes spread as far, and how large a border is was only roughly told when it was
taught."""
PLAIN = (0.8, 0.3)
"""Minimum share of a rim that shows an edge, and that votes for its centre, for a chip to have been
found by that. A choice: a blue chip between two plaques had 0.96 and 0.26, but was not set off from
them."""
SAME = 0.15
"""How far from the centre of such a rim the centre of a ring is that of the same chip, in radii. A
choice: fits of both differ by less."""


@dataclass(frozen=True, slots=True)
class PrintedRing:
    """A ring printed inside chips of one size: its radius and theirs, in the unit of the set's
    sizes."""

    radius: float
    chip: float


@lru_cache(maxsize=2)
def rings_of(chips: ChipSet) -> tuple[PrintedRing, ...]:
    """The different rings printed inside a set's round chips, nearly equal ones as their mean."""
    found: list[list[PrintedRing]] = []
    for kind, share in borders(chips):
        chip = float(chips.sizes[kind].mean()) / 2
        one = PrintedRing(share * chip, chip)
        near = [some for some in found if _alike(some[0], one)]
        near[0].append(one) if near else found.append([one])
    return tuple(
        PrintedRing(
            float(np.mean([one.radius for one in some])), float(np.mean([one.chip for one in some]))
        )
        for some in found
    )


def _alike(one: PrintedRing, other: PrintedRing) -> bool:
    sides = np.log([one.radius / other.radius, one.chip / other.chip])
    return float(np.abs(sides).max()) < ALIKE


def ringed(
    slopes: Slopes, chips: ChipSet, known: Circles, px_per_unit: float, sizes: tuple[float, float]
) -> Circles:
    """The chips around rings that show where no rim of the `known` ones does.

    Their edges are those of the rings. A unit of the set's sizes is so many pixels, relative to
    which chips have `sizes` in this range.
    """
    low, high = sizes
    steps = int(np.ceil((high - low) / RINGS_APART))
    tried = np.linspace(low, high, 2 * steps + 1)[1::2]
    plain = known[_plain(known)]
    parts, there = [Circles.none()], _not_at(plain, slopes.across.shape, SAME)
    slopes = _beside(slopes, plain)
    for one in rings_of(chips):
        usual = one.radius * px_per_unit
        found = circles(slopes, (tried * usual).tolist(), votes=VOTED, there=there)
        size = found.radii / usual
        fits = (size >= low - OFF_SIZE) & (size <= high + OFF_SIZE) & (found.support >= SHOWN)
        rings = found[fits]
        parts.append(replace(rings, radii=rings.radii * np.float32(one.chip / one.radius)))
    return Circles.joined(parts)


def _plain(known: Circles) -> NDArray[np.bool_]:
    """Which circles (N,) are found by their rims: most of it shows an edge, or little but that
    alone tells that something is there."""
    return rim_tells(known) | ((known.support >= PLAIN[0]) & (known.votes >= PLAIN[1]))


def _not_at(known: Circles, size: tuple[int, ...], share: float) -> NDArray[np.uint8]:
    """Where in a picture of a `size` (h, w) nothing known lies: 1, or 0 within this `share` of its
    radius."""
    there = np.ones(size, np.uint8)
    for (x, y), radius in zip(known.centres, known.radii, strict=True):
        cv2.circle(there, (round(float(x)), round(float(y))), round(share * radius), (0,), -1)
    return there


def _beside(slopes: Slopes, known: Circles) -> Slopes:
    """The edges that do not lie on what is known: of a chip that covers little of another's rim,
    the ring lies beside that one."""
    x, y = slopes.places.astype(np.intp).T
    free = _not_at(known, slopes.across.shape, 1.0)[y, x] > 0
    return replace(slopes, places=slopes.places[free], normals=slopes.normals[free])


def rims_around(slopes: Slopes, rings: Circles) -> Circles:
    """The rims of chips that lie around `rings`, where these show an edge, too.

    The rings' votes are not theirs, so they have none.
    """
    rims = fitted(slopes, rings, RIM_FIT)
    moved = np.linalg.norm(rims.centres - rings.centres, axis=1)
    none = np.zeros(len(rims), np.float32)
    return replace(rims, votes=none)[moved < MOVED * rings.radii]
