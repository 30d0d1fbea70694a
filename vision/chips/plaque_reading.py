"""Reads the plaques in one picture, in step with its round chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.contours import Contour, contour
from vision.chips.heights import Height, Stacks
from vision.chips.lighting import Light
from vision.chips.matching import Match
from vision.chips.plaque_faces import registered
from vision.chips.plaque_frames import framed, frames_of
from vision.chips.plaque_layers import PlaqueLayers, not_these
from vision.chips.plaque_matching import PLAIN
from vision.chips.plaque_stacks import BEYOND, Labels, plaque_heights
from vision.chips.plaques import Plaques, plaques
from vision.chips.rounds import Rounds
from vision.chips.seen import CORNERS
from vision.chips.silhouettes import Paper
from vision.chips.sizes import overlapping, taught
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Floats, Frame, Outline

STARTS, STARTS_BY_CARDS = (0.99, 1.01, 1.03), tuple(np.linspace(0.9, 1.14, 9).tolist())
"""Sizes relative to the taught ones from which contours are fitted: with the scale from a
calibrated camera, and from cards. A choice: a stack of five is 2 % nearer, and cards of one kind
are a tenth wider than those of another."""
RATED = 0.5
"""Minimum agreement of a plaque times the share of its free outline that is a plaque's. A choice,
as for round chips."""
IN_OUTLINE = 0.25
"""Minimum share of all directions with such an outline. A choice; `python -m tests.chips` judges
it."""
SURELY, FACED = 0.8, 0.1
"""Minimum agreement at which that share may be as low as `FACED`, if the face fits in detail as
well. A choice: a green plaque hardly differs from green cloth."""
WHOLLY = 0.7
"""Minimum share of a contour with an edge at which such a face needs no outline in colour: dark
plaques on grey cloth have the colour of its shadow. A choice."""
PLAINLY = 0.8
"""Minimum share of its outline in sight at which a plaque's sides cover what is beside it. A
choice: another plaque below it looks like a side."""
BESIDE = 4.0
"""Maximum distance between the centres of an accepted plaque and one that is accepted without an
outline of its own, in halves of the short side. A choice: the end of one is on the other."""

Mask = NDArray[np.uint8]


def contours_of(chips: ChipSet, px_per_unit: float) -> tuple[Contour, ...]:
    """The contours of a set's plaques in pixels, if a unit of its sizes is so many pixels."""
    return tuple(contour(long * px_per_unit, short * px_per_unit) for long, short in chips.shapes)


def plaques_in(chips: ChipSet, rounds: Rounds, scale: float, *, known: bool) -> Plaques | None:
    """What may be a plaque of the set in a picture of a `known` scale; None if the set has none."""
    if not chips.shapes:
        return None
    unit, slopes = scale * rounds.sight.factor, rounds.sight.slopes
    starts = STARTS if known else STARTS_BY_CARDS
    outlined = plaques(slopes, contours_of(chips, unit), starts)
    return framed(slopes, chips, outlined, unit, starts) if frames_of(chips) else outlined


@dataclass(frozen=True, slots=True, eq=False)
class LaidPlaque:
    """A plaque, or a stack of them: which one, how high, and its `outline` (8, 2) in pixels.

    `edged` is the share of its contour that shows an edge.
    """

    match: Match
    height: Height
    outline: Floats
    edged: float


@dataclass(slots=True, eq=False)
class PlaqueReading:
    """The plaques of a set in one picture (H, W, 3) of a camera, while it is read.

    The picture that was examined is `factor` times as large.
    """

    frame: Frame
    chips: ChipSet
    camera: Standpoint
    factor: float
    layers: PlaqueLayers
    presumed: bool
    paper: Paper | None
    rounds: Rounds
    bare: int = 0
    """The number of those on which nothing lies; they come first."""
    faced: NDArray[np.bool_] | None = None
    """Which of those that were counted (N,) have a face that tells where they are."""

    @classmethod
    def of(
        cls, frame: Frame, chips: ChipSet, rounds: Rounds, light: Light, cards: Sequence[Outline],
        *, camera: Standpoint, presumed: bool, paper: Paper | None,
    ) -> PlaqueReading | None:  # fmt: skip
        """Choose the plaques on which nothing lies; None if nothing has a plaque's contour."""
        if not rounds.plaques:
            return None
        factor, each = rounds.sight.factor, chips.flat_mm or chips.thick_mm

        def lean(some: Plaques) -> Floats:
            full = some.scaled(1 / factor)
            if not presumed:
                full = replace(full, scales=np.full(len(full), 1 / factor, np.float32))
            nobody = Labels(np.zeros(frame.shape[:2], np.int16))
            no = np.zeros(len(some), np.bool_)
            own, thick = np.zeros(len(some), np.intp), np.full(len(some), each, np.float32)
            told = plaque_heights(
                frame, full, camera, thick, nobody,
                own=own, faced=no, lapping=no, presumed=presumed, paper=paper,
            )  # fmt: skip
            leans = [(one.foot - one.top) * factor * (one.whole >= PLAINLY) for one in told]
            return np.stack(leans).astype(np.float32)

        layers = PlaqueLayers.of(
            chips, rounds.sight, rounds.plaques, light=light, cards=cards, lean=lean,
            beyond=rounds.beyond(rounds.sight.work.shape[:2]),
        )  # fmt: skip
        layers.take_bare()
        bare = len(layers.chosen)
        return cls(frame, chips, camera, factor, layers, presumed, paper, rounds, bare)

    @property
    def found(self) -> Plaques:
        """The chosen plaques in the picture's pixels."""
        return self.layers.found.scaled(1 / self.factor)

    @property
    def likely(self) -> list[Outline]:
        """The outlines of what may be plaques as well, though something lies on them."""
        # The short cuts at their corners make no difference.
        some = self.layers.likely.scaled(1 / self.factor).octagons[:, ::2].tolist()
        return [tuple((x, y) for x, y in one) for one in some]

    @property
    def area(self) -> Mask:
        """Where (H, W) the chosen plaques lie: 1 or 0."""
        area = np.zeros(self.frame.shape[:2], np.uint8)
        for corners in self.found.octagons:
            cv2.fillConvexPoly(area, np.rint(corners).astype(np.int32), (1,))
        return area

    def without_these(self, cards: Sequence[Outline]) -> list[Outline]:
        """Those of the `cards` that are no chosen plaque."""
        return not_these(self.found, cards)

    def _faced(self, found: Plaques) -> tuple[Plaques, NDArray[np.bool_]]:
        """Plaques where their faces tell that they are, and for which (N,) these do.

        If the picture's scale is known, the others have the size that was taught.
        """
        if self.presumed or not len(self.chips.faces):
            return found, np.zeros(len(found), np.bool_)
        found = replace(found, scales=np.full(len(found), 1 / self.factor, np.float32))
        faces = [taught(self.chips)[one.kind] for one in self.layers.chosen]
        away = found.centres - np.asarray(self.camera.below, np.float32)
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1)
        alone = np.asarray(~overlapping(list(found.octagons)).any(axis=1), np.bool_)
        return registered(self.frame, faces, found, outwards=away, alone=alone)

    def take_rest(self, stacks: Stacks) -> Stacks:
        """Choose those that the round chips leave; returns `stacks` beside all of them."""
        self.layers.take_rest()
        if len(self.layers.chosen) == self.bare:
            return stacks
        return replace(stacks, hidden=self.area, measured={}, beside={})

    def heights(self, chips: Sequence[Height]) -> list[Height]:
        """Count the chosen plaques in their stacks, beside the round `chips`."""
        found, self.faced = self._faced(self.found)
        every = [*found.octagons, *(ring(one.top, one.radius) for one in chips)]
        # What stands in front of a plaque leans over it, but is not laid on it.
        standing = [*found.octagons, *(ring(one.foot, one.radius) for one in chips)]
        lapping = np.asarray(overlapping(standing)[: len(found)].any(axis=1), np.bool_)
        own = np.arange(1, len(found) + 1)
        thick = np.full(len(found), self.chips.flat_mm or self.chips.thick_mm, np.float32)
        return plaque_heights(
            self.frame, found, self.camera, thick, self._labels(every, len(found)),
            own=own, thick_doubt=self.chips.thick_doubt, faced=self.faced, lapping=lapping,
            presumed=self.presumed, paper=self.paper,
        )  # fmt: skip

    def overlaps(self, chips: Sequence[Height], plaques: Sequence[Height]) -> NDArray[np.bool_]:
        """Which of the round `chips`, and the plaques after them, overlap each of the others.

        What lies over the edge of a plaque leaves its face in sight: before those above it, one
        overlaps them only if they cover the circle in which its face is measured.
        """
        every = [*(ring(one.top, one.radius) for one in chips), *self.outlines(plaques)]
        found = overlapping(every)
        below, above = np.nonzero(np.tril(found, -1))
        for number, over in zip(below.tolist(), above.tolist(), strict=True):
            if number >= len(chips):
                plaque = plaques[number - len(chips)]
                face = ring(plaque.top, plaque.radius)
                found[number, over] = bool(overlapping([face, every[over]])[0, 1])
        return found

    def _labels(self, outlines: Sequence[Floats], count: int) -> Labels:
        """Which of the plaques and, after `count` of them, of the chips is uppermost where."""
        area = np.int16(BEYOND) * (self.rounds.beyond(self.frame.shape[:2]) > 0)
        below, over = range(self.bare, count), range(self.bare)
        for number in (*reversed(below), *range(count, len(outlines)), *reversed(over)):
            corners = np.rint(outlines[number]).astype(np.int32)
            cv2.fillConvexPoly(area, corners, (number + 1,))
        return Labels(area)

    def outlines(self, heights: Sequence[Height]) -> list[Floats]:
        """The outlines (8, 2) of the uppermost plaques."""
        found = self.found
        moved = [
            (octagon - middle) * np.float32(one.radius / radius) + one.top
            for octagon, middle, radius, one in zip(
                found.octagons, found.centres, found.radii, heights, strict=True
            )
        ]
        return [np.asarray(one, np.float32) for one in moved]

    def laid(self, heights: Sequence[Height]) -> tuple[LaidPlaque, ...]:
        """The plaques, with the heights that were counted, that are believed to be some."""
        kept, outlines = self._believed(heights), self.outlines(heights)
        edged = self.found.support.tolist()
        return tuple(
            LaidPlaque(self.layers.chosen[n], heights[n], outlines[n], edged[n]) for n in kept
        )

    def _believed(self, heights: Sequence[Height]) -> list[int]:
        """The indices of those whose outline is that of a plaque, or that are next to one."""
        pairs = list(zip(self.layers.chosen, heights, strict=True))
        faced = np.zeros(len(pairs), np.bool_) if self.faced is None else self.faced
        found = self.found
        edged, clear = found.support >= WHOLLY, found.clear >= PLAIN[0]
        clear &= found.support >= PLAIN[1]
        kept = [
            n
            for n, pair in enumerate(pairs)
            if _outlined(*pair, faced=bool(faced[n]), edged=bool(edged[n]), clear=bool(clear[n]))
        ]
        left = [n for n in range(len(pairs)) if n not in kept]
        for known in kept:  # grows as it goes
            reach = BESIDE * found.radii[known]
            near = [
                n
                for n in left
                if float(np.linalg.norm(found.centres[n] - found.centres[known])) < reach
            ]
            kept += near
            left = [n for n in left if n not in near]
        return sorted(kept)


def _outlined(match: Match, stack: Height, *, faced: bool, edged: bool, clear: bool) -> bool:
    """Whether face and outline together are those of a plaque, in most of what is visible.

    In the dark, a dark plaque has the table's colour, but an edge all around.
    """
    if clear and match.agreed >= SURELY:
        return True
    if faced and match.agreed >= SURELY:
        return edged or stack.whole >= FACED
    return match.agreed * stack.round >= RATED and stack.whole >= IN_OUTLINE


def ring(centre: Floats, radius: float) -> Floats:
    """Eight points (8, 2) around a round chip, clockwise."""
    return np.asarray((centre + _RING * radius).astype(np.float32))


_TURNS = np.arange(CORNERS) * (2 * np.pi / CORNERS) + np.pi / CORNERS
"""Directions in which a round chip's outline is drawn as a polygon. Follows from `CORNERS`."""
_RING = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
"""The same as unit vectors (CORNERS, 2). Follows from `CORNERS`."""
