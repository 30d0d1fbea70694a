"""The round things of one picture, and what lets them be chips before any of them is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import Circles
from vision.chips.prints import Surroundings
from vision.picture.geometry import Floats

SET_OFF, CLEAR, VOTED = 0.35, (0.6, 0.85), 0.2
"""Either so large a share of its colours is not that of its surroundings, or so large a share of
its rim is no mere grain; a rim of the lesser share does where so much of it votes for its middle.
Measured by `python -m tests.real_chips` and the photographs without chips: carpet and wood had rims
of up to 0.67 of which 0.18 voted."""
PART_OFF, PART_CLEAR = 0.6, 0.5
"""The same where only a part of a chip agrees. Measured by `python -m tests.real_chips` and the
photographs without chips: a trellis had 0.53 and 0.42."""
FIT = 0.14
"""How far a radius may be from that of a value, as a share. A choice: it allows for a stack's
height and a scale that was read off cards."""
HEAP = 8.0
"""Chips whose centres are closer than this many radii lie on the same ground. A choice: a heap of
sixteen, or a ribbon of seven."""


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """Round things with colours (N, rings, ANGLES, 3) under white light.

    `sized` (N, K) says which values their size allows, `near` (N, K) also whether something is
    there at all; `bold` (N,) are clear enough to be known by a part, `plain` (N,) set off so much
    that poor agreement will do, and the `strict` (N,) have to meet more. `differs` (N,) is the
    share of each whose colours are not those around it.
    """

    found: Circles
    seen: Floats
    around: Surroundings
    differs: Floats
    sized: NDArray[np.bool_]
    near: NDArray[np.bool_]
    bold: NDArray[np.bool_]
    plain: NDArray[np.bool_]
    strict: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        chips: ChipSet,
        found: Circles,
        seen: Floats,
        around: Surroundings,
        px_per_unit: float,
        *,
        strict: NDArray[np.bool_],
    ) -> Self:
        """In a picture in which a unit of the set's sizes is `px_per_unit` pixels."""
        differs = around.set_off()
        radii = chips.sizes.mean(axis=1) / 2 * px_per_unit
        there = (differs >= SET_OFF) | (found.clear >= CLEAR[1])
        there |= (found.clear >= CLEAR[0]) & (found.votes >= VOTED)
        # Chips of a set are alike in size, and what was measured of one holds shadows and its side.
        low, high = float(radii.min()) * (1 - FIT), float(radii.max()) * (1 + FIT)
        fits = (found.radii >= low) & (found.radii <= high)
        sized = (chips.round > 0) & fits[:, None]
        bold = (differs >= PART_OFF) | (found.clear >= PART_CLEAR)
        plain = (differs >= PART_OFF) | (found.clear >= CLEAR[1])
        return cls(found, seen, around, differs, sized, sized & there[:, None], bold, plain, strict)

    def and_more(self, more: Things) -> Things:
        """These, and more of the same picture after them."""
        arrays = {
            one.name: np.concatenate([getattr(self, one.name), getattr(more, one.name)])
            for one in fields(self)
            if one.name not in ("found", "around")
        }
        found = Circles.joined([self.found, more.found])
        return Things(found=found, around=Surroundings.joined([self.around, more.around]), **arrays)

    def lie_beside(self, which: NDArray[np.intp], chips: Sequence[int], visible: Floats) -> None:
        """Let the things `which` be compared that lie in a heap with `chips`, if what is `visible`
        of them is set off from what the heap lies on.

        Around a chip in a heap there are others, so it is not set off from what is around it; the
        chip of the heap that is set off most shows what lies around all of them.
        """
        if not len(which):
            return
        tops = np.asarray(chips, np.intp)
        away = np.linalg.norm(self.found.centres[which, None] - self.found.centres[tops], axis=2)
        near = away < HEAP * self.found.radii[which, None]
        grounds = tops[np.where(near, self.differs[tops], -away).argmax(axis=1)]
        differs = self.around.unlike(which, grounds, visible)
        self.near[which] |= self.sized[which] & (differs >= SET_OFF)[:, None]
        self.bold[which] |= differs >= PART_OFF
        self.plain[which] |= differs >= PART_OFF
