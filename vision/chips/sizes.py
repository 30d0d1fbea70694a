"""The numbers of chips in stacks, weighed by how large the faces on top appear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chances import NUMBERS
from vision.chips.chip_set import ChipSet
from vision.chips.face_tops import tops_by_faces
from vision.chips.faces import FACE_PX, TaughtFace
from vision.chips.gauge import ROUGHLY, Evidence, Gauge, Matrix, Sized, rises
from vision.chips.heights import Height, recounted
from vision.chips.matching import Match
from vision.chips.measured_faces import measured
from vision.chips.open_sides import LAPPING
from vision.chips.outlined import Outlined
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Floats, Frame, averaged, distances

COARSER = 1.25
"""Minimum ratio of a chip's radius to that of taught faces at which a picture is shrunk first. A
choice: it blurs no more than lenses differ."""

MOST = 16
"""Maximum number of faces measured in one picture: half of them on the stacks that are least
certain, half on the most certain ones, which the others are compared with. A choice: more than lie
at any betting place, and fitting a face takes as long as finding two chips."""
DOUBTED, SURELY = 8, 0.93
"""Maximum number of other faces that are compared as well, and the agreement from which none is:
those that agree less may be of another set. A choice: of 36 drawn chips of other sets that were
taken for a value, 33 agreed by less, and most own ones by more."""
SHARED = 0.03
"""Minimum share of the smaller of two outlines that both cover if they overlap. A choice: those
that touch share a pixel's width.
"""
FEWEST = 2
"""Minimum number of faces in a photograph whose sizes say something of each other. Follows from the
scale being unknown."""
TOGETHER = 0.7
"""The power to which the probabilities by sides in a photograph are raised before faces are added:
what all of these have in common is mistaken for all. A choice: of 120 stacks with faces in 47 drawn
photographs, ranges held 92 % with 1, 97.5 % with 0.7 and all with 0.5, and were 5.2, 6.1 and 7.0
chips wide; by the sides alone it was 94 % and 10.7. Ranges of single chips were 1.02, 1.22 and 2.4
wide."""
RESTS_MOST, UNLIKELY = 3, 0.1
"""Most chips of one value that are laid half on others, and the probability of so few below which
something is a stack that stands beside them. A choice; `python -m tests.chips --layouts spread`
judges it."""


Tops: TypeAlias = dict[int, tuple[Floats, bool]]
"""Where the tops (2,) of some stacks are by their faces, and whether it is disputed."""


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """The faces of a set in a picture (H, W, 3) of a calibrated `camera`.

    A unit of the set's sizes is `scale` pixels; `gauge` says how large single chips appear.
    """

    frame: Frame
    chips: ChipSet
    camera: Standpoint
    scale: float
    gauge: Gauge

    def weighed(
        self,
        matches: Sequence[Match],
        stacks: Sequence[Height],
        overlaps: NDArray[np.bool_] | None = None,
    ) -> list[Height]:
        """The heights of stacks, weighed by the sizes of all their faces together.

        `overlaps` (N, N) says which of them overlap, unless all are round.
        """
        if overlaps is None and stacks:
            overlaps = _lapping(stacks)
        worth = _worth_measuring(stacks, overlaps)
        others = [
            number
            for number in _in_view(stacks, overlaps)
            if number not in worth and matches[number].agreed < SURELY
        ]
        others.sort(key=lambda number: matches[number].agreed)
        sized, strange, tops = self._sized(matches, stacks, [*worth, *others[:DOUBTED]])
        stacks = _topped(stacks, tops)
        grown = {kind: self._rises(kind) for kind in {match.kind for match in matches}}
        seen = [
            Evidence(
                stack.chances if stack.sides is None else stack.sides,
                sized.get(number) if number in worth else None,
                grown[matches[number].kind],
            )
            for number, stack in enumerate(stacks)
        ]
        told = self.gauge.numbers(seen)
        return [
            replace(
                recounted(stack, chances) if one.sized or stack.sides is not None else stack,
                evidence=one,
                # What covers part of a face would make it another.
                strange=number in strange and not (overlaps is not None and overlaps[number].any()),
            )
            for number, (stack, chances, one) in enumerate(zip(stacks, told, seen, strict=True))
        ]

    def unaided(self, matches: Sequence[Match], stacks: Sequence[Height]) -> list[Height]:
        """The heights of stacks in a photograph, whose numbers are `likely_numbers`, weighed by the
        sizes of their faces."""
        worth = _worth_measuring(stacks)
        sized, _, _ = self._sized(matches, stacks, worth)
        if len(sized) < FEWEST:
            return list(stacks)
        rough = {
            number: replace(one, seen=replace(one.seen, error=hypot(one.seen.error, ROUGHLY)))
            for number, one in sized.items()
        }
        seen = [
            Evidence(stack.chances**TOGETHER, rough.get(number), self._rises(matches[number].kind))
            for number, stack in enumerate(stacks)
        ]
        told = self.gauge.numbers(seen)
        return [
            recounted(stack, chances) if one.sized else stack
            for stack, chances, one in zip(stacks, told, seen, strict=True)
        ]

    def _rises(self, kind: int) -> Matrix:
        return rises(NUMBERS, self.chips.thick_of(kind), self.camera.height_mm)

    def _sized(
        self, matches: Sequence[Match], stacks: Sequence[Height], worth: Sequence[int]
    ) -> tuple[dict[int, Sized], set[int], Tops]:
        """How large the faces of the stacks `worth` measuring appear, as far as it can be told,
        which of them are no faces of their values, and where the tops of the others are."""
        picture, factor = self._sight
        kinds = [matches[number].kind for number in worth]
        tops = np.array([stacks[number].top for number in worth]).reshape(-1, 2)
        # A plaque's face is sampled in the largest circle inside it.
        radii = self.chips.sizes[kinds].min(axis=1) / 2 * self.scale * factor
        centres = np.asarray((tops + 0.5) * factor - 0.5, np.float32)
        faces = [taught(self.chips)[kind] for kind in kinds]
        away = (tops - np.asarray(self.camera.below)) / self.camera.focal_px
        found = measured(picture, faces, centres, radii)
        told = {
            number: Sized(kind, (float(x), float(y)), seen)
            for number, kind, (x, y), seen in zip(worth, kinds, away, found.sizes, strict=True)
            if seen is not None
        }
        good = [row for row, number in enumerate(worth) if number in told]
        places = (found.places[good] + 0.5) / factor - 0.5
        shown, disputed = tops_by_faces(
            tops[good], places, found.turns[good], [kinds[row] for row in good],
            radii[good] / factor,
        )  # fmt: skip
        strange = {worth[row] for row in np.flatnonzero(found.strange).tolist()}
        pairs = zip(shown, disputed.tolist(), strict=True)
        return told, strange, dict(zip([worth[row] for row in good], pairs, strict=True))

    @property
    def _sight(self) -> tuple[Frame, float]:
        """The picture in which faces are no finer than when they were taught, and its scale."""
        return _shrunk(self.frame, float(self.chips.sizes.min(axis=1).mean()) / 2 * self.scale)


def _topped(stacks: Sequence[Height], tops: Tops) -> list[Height]:
    """The stacks, with the numbers that their outlines tell if their `tops` are there, or as well
    where these are disputed."""
    moved, told = {n: tops[n] for n in tops if stacks[n].outlined is not None}, list(stacks)
    if not moved:
        return told
    every = Outlined.joined([one for n in moved if (one := stacks[n].outlined) is not None])
    chances, sides = every.topped(np.stack([top for top, _ in moved.values()])).likely()
    for row, (number, (_, disputed)) in enumerate(moved.items()):
        old, chance, side = stacks[number], chances[row], None if sides is None else sides[row]
        if disputed:
            chance = (chance + old.chances) / 2
            side = None if side is None or old.sides is None else (side + old.sides) / 2
        told[number] = replace(recounted(old, chance), sides=side)
    return told


def overlapping(outlines: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which of the convex `outlines` (N of (8, 2)) overlap, (N, N), by more than their errors."""
    areas = [float(cv2.contourArea(one)) for one in outlines]
    middles = np.array([one.mean(axis=0) for one in outlines]).reshape(-1, 2)
    far = np.array([np.linalg.norm(np.ptp(one, axis=0)) / 2 for one in outlines])
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    found = np.zeros((len(outlines), len(outlines)), np.bool_)
    for one, other in np.argwhere(np.triu(away < far[:, None] + far[None], 1)).tolist():
        shared, _ = cv2.intersectConvexConvex(outlines[one], outlines[other])
        found[one, other] = shared > SHARED * min(areas[one], areas[other])
    return found | found.T


def _worth_measuring(
    stacks: Sequence[Height], overlaps: NDArray[np.bool_] | None = None
) -> list[int]:
    """The indices of the stacks whose faces say most; the uppermost come first."""
    some = _in_view(stacks, overlaps)
    some.sort(key=lambda number: float(stacks[number].chances.max()))
    return some if len(some) <= MOST else [*some[: MOST // 2], *some[-MOST // 2 :]]


def _in_view(stacks: Sequence[Height], overlaps: NDArray[np.bool_] | None = None) -> list[int]:
    """The indices of the stacks in full view whose near side is in sight."""
    standing = np.flatnonzero(_stands(stacks, overlaps)).tolist() if stacks else []
    return [number for number in standing if stacks[number].shown]


def _stands(
    stacks: Sequence[Height], overlaps: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Which stacks are in full view and stand on the table, for all their outlines show.

    What lies half on another chip is raised by it. But a tall stack that overlaps others stands in
    front of them: nobody builds it on the edge of a chip.
    """
    if overlaps is None:
        overlaps = _lapping(stacks)
    over, under = np.tril(overlaps, -1).any(axis=1), np.triu(overlaps, 1).any(axis=1)
    low = np.array([float(one.chances[:RESTS_MOST].sum()) for one in stacks])
    return np.asarray(~over & ((low < UNLIKELY) | ~under))


def _lapping(stacks: Sequence[Height]) -> NDArray[np.bool_]:
    """Which round stacks overlap, (N, N)."""
    tops, radii = np.stack([one.top for one in stacks]), np.array([one.radius for one in stacks])
    away = distances(tops, tops)
    return np.asarray(
        (away < LAPPING * radii[:, None]) & ~np.eye(len(stacks), dtype=bool), np.bool_
    )


def _shrunk(frame: Frame, radius: float) -> tuple[Frame, float]:
    if radius < FACE_PX * COARSER:
        return frame, 1.0
    high, wide = frame.shape[:2]
    size = round(wide * FACE_PX / radius), round(high * FACE_PX / radius)
    return averaged(frame, size), size[0] / wide


@lru_cache(maxsize=2)
def taught(chips: ChipSet) -> tuple[TaughtFace, ...]:
    """The faces of a set, prepared once."""
    return tuple(TaughtFace.of(one.astype(np.float32)) for one in chips.faces)
