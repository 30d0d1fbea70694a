"""Where the rims of chips are that cast shadows.

A shadow ends as plainly as a chip does, and what is round about both is neither as large as the
chip nor where it lies. But a shadow has the ground's colour, in less light: what differs from that
in every direction is the chip.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Circles, Slopes, fitted
from vision.chips.prints import DIFFERENT, shaded
from vision.picture.geometry import Floats, Frame, averaged

EXAMINED_PX = 30.0
"""Radius at which a chip is examined, in pixels. A choice: a step outwards is less than one."""
WAYS = 96
"""Number of directions. A choice: 4 degrees, half of a stripe."""
STEPS = np.arange(0.6, 1.46, 0.02, dtype=np.float32)
"""Distances from the middle that are looked at, in radii of what was found. A choice: shadows made
that up to a sixth too large."""
BEYOND, FARTHEST = 1.33, 1.25
"""Distance from which the ground shows, and the farthest at which a rim may be. A choice: shadows
are thrown farther only by stacks."""
BLUR_PX = 0.8
"""Standard deviation, in pixels, of the blur against noise. A choice, as for edges."""
COARSE, GRAIN = 2.5, 3.0
"""By how many times as much as the ground itself usually varies its colour and its lightness may
differ and still be the ground's. A choice."""
LIGHTER, DARKEST = 1.03, 0.3
"""Range of L* + 16 of the ground in other light, relative to where it is lit. A choice: a black
chip has less."""
SIZES, AWAY = (0.7, 1.15), 0.35
"""Range of a rim's radius, and how far its middle may be from what was found, in radii of that. A
choice: the worst of 710 was a sixth too large and a quarter off."""
ON, OFF = 0.03, 0.05
"""How far from a rim, in radii, an end counts as on it, and beyond which it contradicts it: outside
a chip nothing but the ground shows. A choice."""
OUTSIDE = 2.0
"""How many ends on a rim one outside it outweighs. A choice."""
ENOUGH = 0.45
"""Minimum share of directions with ends on the rim, less those outside it. A choice: where a chip
has the ground's colour nothing ends."""
MIXED = 1.07
"""How much larger a rim appears where the last trace of another colour counts. A choice: the median
of 710 chips in drawn photographs, whose radii were known."""
WIDTHS = (0.05, 0.04)
"""How far from there the rim's own edge is searched for, in radii. A choice: shadows end farther
off."""
ROUNDS = 2
"""Number of times that the rim is looked for. A choice: what was found may be far off."""
RIM = 0.7
"""Minimum share of a rim with an edge of a chip where the others of its set tell its size. A
choice: that of any chip's."""
MOST = 60
"""Maximum number of round things whose shadows are told. A choice: more than people lay out for a
photograph."""
TRIPLES = tuple(
    (first, (first + one) % WAYS, (first + other) % WAYS)
    for first in range(WAYS)
    for one, other in ((32, 64), (20, 45))
)
"""Directions through whose ends circles are drawn. A choice: far apart from each other."""
FAR = 1e-6
"""What is added to a circle's equations so that points on a line have a solution, too. A choice:
less than ends are known to."""


def own_rims(picture: Frame, found: Circles) -> Circles:
    """The rims of what may be chips, without their shadows, where those differ from what was
    `found`."""
    whole = np.flatnonzero(found.support >= RIM)
    parts = [Circles.none()]
    for number in whole[np.argsort(-found.votes[whole], kind="stable")][:MOST].tolist():
        one = found[np.array([number])]
        rim = _rim(picture, one)
        if rim is not None and _differ(rim, one):
            parts.append(rim)
    return Circles.joined(parts)


def _differ(rim: Circles, one: Circles) -> bool:
    """Whether two circles are not nearly the same."""
    away = float(np.linalg.norm(rim.centres[0] - one.centres[0]))
    wider = abs(float(rim.radii[0] - one.radii[0]))
    return max(away, wider) > ON * float(one.radii[0])


def unshaded(picture: Frame, found: Circles) -> Circles:
    """The chips of one set where their own rims are, without their shadows.

    Of a chip in the ground's own colour the others tell how large it is and which way it is off.
    """
    told = [_rim(picture, found[np.array([n])]) for n in range(len(found))]
    sure = [(n, one) for n, one in enumerate(told) if one is not None]
    if not sure:
        return found
    moved = [(one.centres[0] - found.centres[n]) / found.radii[n] for n, one in sure]
    across = float(np.median([one.radii[0] for _, one in sure]))
    parts = []
    for number, one in enumerate(told):
        here = found[np.array([number])]
        place = here.centres[0] + here.radii[0] * np.median(moved, axis=0)
        parts.append(one or _like_others(picture, here, np.asarray(place, np.float32), across))
    return Circles.joined(parts)


def _like_others(picture: Frame, one: Circles, centre: Floats, radius: float) -> Circles:
    """One chip as large as the others of its set, if an edge there shows it."""
    near = _snapped(picture, one, centre, radius)
    return near if near is not None and near.support[0] >= RIM else one


def _rim(picture: Frame, one: Circles) -> Circles | None:
    """One chip where it differs from its ground; None if that does not show."""
    centre, radius = one.centres[0], float(one.radii[0])
    for _ in range(ROUNDS):
        ring = _ring(_ends(picture, centre, radius))
        if ring is None:
            return None
        centre = np.asarray(centre + ring[:2] * np.float32(radius), np.float32)
        radius *= float(ring[2])
    return _snapped(picture, one, centre, radius / MIXED)


def _snapped(picture: Frame, one: Circles, centre: Floats, radius: float) -> Circles | None:
    """A chip at the edge nearest to this rim; None if there is none."""
    part, factor, corner = _examined(picture, centre, radius)
    there = Circles(
        ((centre - corner + 0.5) * np.float32(factor) - 0.5)[None].astype(np.float32),
        np.array([radius * factor], np.float32), one.votes, one.rim, one.clear,
    )  # fmt: skip
    told = fitted(Slopes.of(part), there, WIDTHS).scaled(1 / factor)
    if abs(np.log(told.radii[0] / radius)) >= np.log(SIZES[1]):
        return None
    return replace(told, centres=told.centres + corner)


def _examined(picture: Frame, centre: Floats, radius: float) -> tuple[Frame, float, Floats]:
    """The part of a picture around a chip, at the size at which it is examined, by how much that is
    smaller (a factor up to 1), and where its upper left corner (2,) is, in the picture's pixels."""
    reach = radius * float(STEPS[-1]) + 4
    high, wide = picture.shape[:2]
    left, top = (max(0, int(value - reach)) for value in centre.tolist())
    right, bottom = (int(value + reach) + 2 for value in centre.tolist())
    part = picture[top : min(bottom, high), left : min(right, wide)]
    factor = min(1.0, EXAMINED_PX / radius)
    if factor < 1:
        size = max(1, round(part.shape[1] * factor)), max(1, round(part.shape[0] * factor))
        factor = size[0] / part.shape[1]
        part = averaged(part, size)
    return part, factor, np.array([left, top], np.float32)


def _ends(picture: Frame, centre: Floats, radius: float) -> Floats:
    """Where in each direction (WAYS, 2) what is no ground ends, in radii from the middle; NaN if
    the ground goes all the way."""
    part, factor, corner = _examined(picture, centre, radius)
    part = np.asarray(cv2.GaussianBlur(part, (0, 0), BLUR_PX), np.uint8)
    x, y = (centre - corner + 0.5) * np.float32(factor) - 0.5
    reach = np.float32(radius * factor) * STEPS[:, None]
    ways = _ways()
    seen = cv2.remap(
        part, x + reach * ways[:, 0], y + reach * ways[:, 1], cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    lab = np.asarray(cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
    other = ~_is_ground(lab)
    # One sample alone is noise.
    ends = other[1:] & other[:-1] & (STEPS[1:, None] <= FARTHEST)
    last = len(ends) - 1 - ends[::-1].argmax(axis=0)
    far = np.where(ends.any(axis=0), STEPS[last + 1] + np.ptp(STEPS[:2]) / 2, np.float32("nan"))
    return np.asarray(ways * far[:, None], np.float32)


def _is_ground(lab: Floats) -> NDArray[np.bool_]:
    """Which samples (steps, WAYS, 3) may show the ground, in the light or in a shadow."""
    ground = lab[STEPS >= BEYOND].reshape(-1, 3)
    usual = np.median(ground, axis=0)
    away, darker = shaded(lab, usual)
    coarse = float(np.median(np.linalg.norm(ground[:, 1:] - usual[1:], axis=1)))
    grain = float(np.median(np.abs(ground[:, 0] - usual[0]))) / (float(usual[0]) + 16)
    near = away <= max(DIFFERENT, COARSE * coarse)
    return np.asarray(near & (darker >= DARKEST) & (darker <= LIGHTER + GRAIN * grain), np.bool_)


def _ring(ends: Floats) -> Floats | None:
    """The circle (x, y, radius) on which most of the ends (WAYS, 2) are; None if too few are."""
    shown = ends[np.array(TRIPLES)]
    rings = _through(shown[~np.isnan(shown).any(axis=(1, 2))])
    away = np.linalg.norm(rings[:, :2], axis=1)
    rings = rings[(rings[:, 2] > SIZES[0]) & (rings[:, 2] < SIZES[1]) & (away <= AWAY)]
    if not len(rings):
        return None
    off = np.linalg.norm(ends[None] - rings[:, None, :2], axis=2) - rings[:, 2:]
    scores = (np.abs(off) < ON).sum(axis=1) - OUTSIDE * (off > OFF).sum(axis=1)
    best = int(scores.argmax())
    if scores[best] <= ENOUGH * WAYS:
        return None
    return np.asarray(_through(ends[None, np.abs(off[best]) < ON])[0])


def _through(points: Floats) -> Floats:
    """The circles (n, 3) through sets of points (n, N, 2), or nearest to them: x, y, radius."""
    design = np.concatenate([2 * points, np.ones((*points.shape[:2], 1))], axis=2)
    turned = design.transpose(0, 2, 1)
    wanted = turned @ (points**2).sum(axis=2, keepdims=True)
    x, y, rest = np.linalg.solve(turned @ design + FAR * np.eye(3), wanted)[..., 0].T
    return np.stack([x, y, np.sqrt(np.maximum(rest + x * x + y * y, 0))], 1).astype(np.float32)


def _ways() -> Floats:
    turns = np.arange(WAYS) * (2 * np.pi / WAYS)
    return np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32)
