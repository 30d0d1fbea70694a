"""The number of plaques in a stack, from how far its sides show beyond its top.

As for round chips, the outline is the convex hull of top and foot; that of a plaque consists of
straight sides, each of which moves out by as much as it faces the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.chips.chances import KNOWN, Presumed, odds, sunk, supposing
from vision.chips.contours import turned
from vision.chips.heights import IN_SIGHT, Height, counted, searched, widened
from vision.chips.hull import FAR_OFF, OFF_PX, ROUNDS, usual_of
from vision.chips.open_sides import RIM_GAP
from vision.chips.outlined import ASKEW_MM
from vision.chips.plaques import Plaques, design
from vision.chips.silhouettes import (
    BESIDE_PX,
    NEAR,
    Lines,
    Paper,
    Sides,
    ends,
    reaching,
)
from vision.chips.stack_hulls import CLOSE, CLOSE_PX, Hulls
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Floats, Frame, lengths

FOUND, FACED = (2.5, 0.03, 0.015, 0.7), (0.25, 0.004, 0.004, 0.8)
"""Standard deviations of what is not known of a plaque before its outline is fitted: its place in
pixels, its turn in radians, its relative size, and how far out its edges seem in pixels. First by
its contour, which is found to a pixel in a picture of half the size, and then by its face; the
uppermost of five is two percent nearer, and edges are blurred. A choice: in 255 drawn stacks faces
lay 0.24 pixels off, and the edges of one value in one picture seemed 0.46 pixels farther out or in;
`python -m tests.chips` judges it."""

AXIAL = 0.9
"""Minimum cosine of a direction that belongs to a pair of sides. A choice: corners belong to none.
"""
LEAN_PX = 20.0
"""The same of how far a foot appears from its top, in pixels. A choice: no stack says nothing."""
ALIKE, LEAST_PX = 2.5, 0.5
"""Ratio of the error of an edge to the usual one, as neighbours err alike, and its minimum in
pixels. A choice; `python -m tests.chips` judges it."""
HIGHEST = 4
"""How far beyond a single plaque's top its outline is searched for, in thicknesses. A choice, as
for the lowest stacks."""
OUTLINED = 0.8
"""Minimum share of the directions around a single plaque in which its outline shows for that to say
where it lies. A choice: drawn ones showed all of theirs, or had the colour of the table."""
BEYOND = np.iinfo(np.int16).max
"""The number that stands for what is beyond a picture's edge. A choice: more than there are
plaques."""
EDGES_PX = 0.5
"""Standard deviation, in pixels, of how much farther out the edges of one side seem than those of
another: light falls on them from one side. A choice, judged by `python -m tests.chips --layouts
stacks` on five drawn sets of plaques."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """What covers a picture (H, W): the number of the uppermost thing, from 1, or 0; `BEYOND` where
    the picture shows nothing."""

    area: NDArray[np.int16]

    def others(self, places: Floats, own: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Where another thing is than one's own (N,), or nothing is shown, at places (N, ANGLES,
        2)."""
        high, wide = self.area.shape
        x, y = np.rint(places[..., 0]).astype(np.intp), np.rint(places[..., 1]).astype(np.intp)
        across, down = np.clip(x, 0, wide - 1), np.clip(y, 0, high - 1)
        there = self.area[down, across]
        other = (there > 0) & (there != own[:, None])
        return np.asarray(other | (across != x) | (down != y), np.bool_)


def plaque_heights(
    frame: Frame,
    found: Plaques,
    camera: Standpoint,
    thick_mm: Floats,
    labels: Labels,
    *,
    own: NDArray[np.integer],
    faced: NDArray[np.bool_],
    lapping: NDArray[np.bool_],
    presumed: bool,
    thick_doubt: float = 0.0,
    paper: Paper | None = None,
) -> list[Height]:
    """Count the plaques in each stack whose top is one of the `found`.

    Where the top is was told by its face for those that are `faced` (N,). Each is `thick_mm` (N,)
    thick; `own` (N,) are their numbers among the `labels`, and `lapping`
    (N,) says which overlap others.
    """
    if not len(found):
        return []
    away = found.centres - np.asarray(camera.below, np.float32)
    distance = np.maximum(lengths(away), 1.0)
    rises = (thick_mm / np.float32(camera.height_mm)).astype(np.float64)
    steps = np.asarray(rises * distance, np.float32)
    sides = _sides(found, labels, own)
    facing = _facing(found, away)
    near = np.where(facing < -NEAR, sides.open, False).sum(axis=1)
    near = near / np.maximum((facing < -NEAR).sum(axis=1), 1)

    def search(some: NDArray[np.intp], most: int) -> Hulls:
        reach = float(most * steps[some].max())
        return plaque_hulls(
            frame, found[some], away[some], reach, sides[some], faced=faced[some], paper=paper
        )

    seen = searched(search, np.asarray(near, np.float32))
    # What is not known about a camera moves a plaque's side as it does a round chip's.
    slant = camera.leans * thick_mm * camera.px_per_mm
    doubt = Presumed(camera.doubt, slant, slant * camera.leans) if presumed else KNOWN
    askew = ASKEW_MM * camera.px_per_mm

    def at(thicker: float) -> NDArray[np.float64]:
        more = np.asarray(steps * np.float32(1 + thicker), np.float32)
        return odds(seen, more, askew, doubt, lapping=lapping, rises=rises * (1 + thicker))

    chances, every = supposing(at, thick_doubt)
    # As with round chips, one half under another is no stack; one behind another may be.
    told = counted(seen, chances, every, shown=np.asarray((near >= IN_SIGHT) | ~lapping))
    return [widened(one) for one in told] if presumed else told


def plaque_hulls(
    frame: Frame,
    found: Plaques,
    away: Floats,
    reach: float,
    sides: Sides,
    *,
    faced: NDArray[np.bool_],
    paper: Paper | None = None,
) -> Hulls:
    """Fit the outlines of stacks of plaques, whose tops are at `away` (N, 2) from the pixel below
    the camera; feet are searched for up to `reach` pixels towards it."""
    off, shadows, alike = _ends(frame, found, away, reach, sides=sides, paper=paper)
    shapes, unsure, outline = _fitted(found, away, off, faced)
    near = _facing(found, away) < -NEAR
    finite = np.isfinite(off)
    seen = (finite & near).sum(axis=1) / np.maximum(near.sum(axis=1), 1)
    close = CLOSE * found.radii[:, None] + CLOSE_PX
    on = np.abs(np.where(finite, off, np.inf) - outline) < close
    round_ = on.sum(axis=1) / np.maximum(sides.open.sum(axis=1), 1)
    firm = on.sum(axis=1) / np.maximum(finite.sum(axis=1), 1)
    parts = (
        found.centres + shapes[:, :2], found.radii * (1 + shapes[:, 3]), shapes[:, 4], unsure, seen,
        on.mean(axis=1), round_, firm, shadows.max(axis=1),
    )  # fmt: skip
    rest = away / np.maximum(lengths(away), 1.0)[:, None], alike[:, :-1].mean(axis=1)
    arrays: list[NDArray[Any]] = [np.asarray(part, np.float32) for part in (*parts, *rest)]
    return Hulls(*[*arrays, alike[:, -1]])


def centred(
    frame: Frame, found: Plaques, camera: Standpoint, thick_mm: float, paper: Paper | None
) -> tuple[Plaques, NDArray[np.bool_]]:
    """Move and turn single plaques, apart from each other, to where their outlines are.

    Also returns which (N,) have outlines that say where they are; the others stay. The edge of a
    dark plaque is fainter than that of its shadow, but that of one in the table's colour does not
    show.
    """
    away = found.centres - np.asarray(camera.below, np.float32)
    distance = np.maximum(lengths(away), 1.0)
    step = thick_mm / np.float32(camera.height_mm) * distance
    reach, alone = float(HIGHEST * step.max()), Sides.all(len(found))
    off, _, alike = _ends(frame, found, away, reach, sides=alone, paper=paper)
    shapes, _, outline = _fitted(found, away, off, np.zeros(len(found), np.bool_))
    shown = np.abs(np.where(np.isfinite(off), off, np.inf) - outline) < CLOSE_PX
    good = ~alike[:, -1] & (shown.mean(axis=1) >= OUTLINED)
    # An outline is that of top and foot, and these are a single plaque's.
    lean = step - sunk(step.astype(np.float64))
    half = (lean - shapes[:, 4]) / 2 * good
    moved = shapes[:, :2] * good[:, None] + (half / distance)[:, None] * away
    centres = np.asarray(found.centres + moved, np.float32)
    turns = np.asarray(found.turns + shapes[:, 2] * good, np.float32)
    return replace(found, centres=centres, turns=turns), np.asarray(good, np.bool_)


def _ends(
    frame: Frame, found: Plaques, away: Floats, reach: float, *, sides: Sides, paper: Paper | None
) -> tuple[NDArray[np.float64], Floats, NDArray[np.bool_]]:
    """Where the table begins around plaques, as told by `vision.chips.silhouettes.ends`."""
    usual = float(np.median(found.radii))
    beyond = reaching(usual, reach)
    rims = found.centres[:, None] + found.arms
    places = rims[:, None] + beyond[:, None, None] * found.normals[:, None]
    x, y = (np.ascontiguousarray(places[..., axis], np.float32) for axis in (0, 1))
    lines = Lines((x, y), beyond, _facing(found, away), usual)
    return ends(frame, lines, sides=sides, paper=paper)


def _facing(found: Plaques, away: Floats) -> Floats:
    """The cosine (N, ANGLES) of each direction, counted from straight away from the camera."""
    outwards = away / np.maximum(lengths(away), 1.0)[:, None]
    return np.asarray((found.normals * outwards[:, None]).sum(axis=-1), np.float32)


def _sides(found: Plaques, labels: Labels, own: NDArray[np.integer]) -> Sides:
    """The directions around plaques in which nothing else is in the way."""
    rims = found.centres[:, None] + found.arms
    gap = found.radii[:, None, None] * np.float32(RIM_GAP - 1)
    free = ~labels.others(rims + gap * found.normals, own)
    far = ~labels.others(rims + np.float32(BESIDE_PX[1]) * found.normals, own)
    return Sides(free, free & far)


def _fitted(
    found: Plaques, away: Floats, off: NDArray[np.float64], faced: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Fit the outlines to most of the edges, which are `off` (N, ANGLES) from the contours.

    Returns how the tops differ from the contours, across, down, turned and grown, how far their
    feet appear from them, and how far out the edges of the short and of the long sides seem (N, 7);
    the errors (N,) of the feet; and the outlines (N, ANGLES).
    """
    arms, normals = found.arms, found.normals
    distance = np.maximum(lengths(away), 1.0)[:, None]
    out = (normals * (away[:, None] + arms)).sum(axis=-1) / distance
    lean = np.maximum(-out, 0)
    # Each pair of sides may seem farther out, or be larger, than was taught.
    along = np.abs(turned(normals, -found.turns))
    parts = design(arms, normals), lean[..., None], (along > AXIAL).astype(np.float32)
    ways = np.concatenate(parts, axis=-1).astype(np.float64)
    there = np.isfinite(off) & found.straight
    seen = np.where(there, off, 0.0)
    known = np.where(faced[:, None], np.array(FACED), np.array(FOUND))
    known = np.column_stack([known[:, [0, 0, 1, 2]], np.full(len(off), LEAN_PX), known[:, [3, 3]]])
    held = known[:, None] ** -2.0 * np.eye(known.shape[1])
    shapes, normal = np.zeros_like(known), held
    for left in range(ROUNDS, 0, -1):
        rest = np.where(there, seen - np.einsum("nai,ni->na", ways, shapes), 0.0)
        usual = usual_of(rest, there)
        far = np.maximum(OFF_PX * left, FAR_OFF * usual)[:, None]
        exact = there / np.maximum(ALIKE * usual, LEAST_PX)[:, None] ** 2
        weights = exact / (1 + (rest / far) ** 2) ** 2
        normal = np.einsum("na,nai,naj->nij", weights, ways, ways) + held
        right = np.einsum("na,nai,na->ni", weights, ways, seen)
        shapes = np.linalg.solve(normal, right[..., None])[..., 0]
        shapes[:, 4] = np.maximum(shapes[:, 4], 0)
    outline = np.einsum("nai,ni->na", ways, shapes)
    unsure = np.hypot(np.sqrt(np.linalg.inv(normal)[:, 4, 4]), EDGES_PX)
    return shapes, unsure, outline
