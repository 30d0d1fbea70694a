"""The round things in one picture, and which of them may be chips before any is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import Circles
from vision.chips.prints import Surroundings
from vision.picture.geometry import Floats, distances

SET_OFF, CLEAR, VOTED = 0.35, (0.6, 0.85), 0.2
"""Minimum share of a thing's colours that differ from its surroundings; failing that, minimum share
of its rim that stands out from the grain, the lower one being enough if at least `VOTED` of the rim
votes for its centre. Measured by `python -m tests.real_chips` and the photographs without chips:
carpet and wood had rims of up to 0.67 of which 0.18 voted."""
ROUND = 0.4
"""Minimum share of a rim that votes for its centre for this alone to tell that something is there.
Measured by `python -m tests.chips --camouflage 1`: what was mistaken for plain chips between them
had at most 0.18, and the rims of half of the chips were not clear."""
PART_OFF, PART_CLEAR = 0.6, 0.5
"""The same if only part of a chip agrees. Measured by `python -m tests.real_chips` and the
photographs without chips: a trellis had 0.53 and 0.42."""
FIT = (0.86, 1.18)
"""Range of a radius relative to that of a value. A choice: it allows for a scale taken from cards,
and for a stack's height, which only makes it larger: one of five in a slanted photograph appeared
1.15 times as large as was expected."""
HEAP = 8.0
"""Chips whose centres are closer than this, in radii, are on the same ground. A choice: a heap of
sixteen, or a ribbon of seven."""


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """Round things with colours (N, rings, ANGLES, 3) under white light.

    `sized` (N, K) says which values their size allows, and `near` (N, K) also requires that
    something is there; the `bold` (N,) are clear enough to be known by a part, the `plain` (N,)
    differ so much from their surroundings that poor agreement is enough, and the `strict` (N,) must
    meet more, and so must those that are `printed` (N,), as they may be print on a plaque.
    The edges of those that are `framed` (N,) are not their rim's, but those of the ring printed
    inside it. `differs` (N,) is the share of each whose colours differ from those around it.
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
    printed: NDArray[np.bool_]
    framed: NDArray[np.bool_]

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
        printed: NDArray[np.bool_],
        framed: NDArray[np.bool_],
    ) -> Self:
        """Examine round things in a picture; a unit of the set's sizes is `px_per_unit` pixels."""
        differs = around.set_off()
        radii = chips.sizes[chips.round > 0].mean(axis=1) / 2 * px_per_unit
        there = (differs >= SET_OFF) | rim_tells(found)
        # Chips of a set are about equal in size, and measured sizes include shadows and sides.
        low, high = float(radii.min()) * FIT[0], float(radii.max()) * FIT[1]
        fits = (found.radii >= low) & (found.radii <= high)
        sized = (chips.round > 0) & fits[:, None]
        bold = (differs >= PART_OFF) | (found.clear >= PART_CLEAR)
        plain = (differs >= PART_OFF) | (found.clear >= CLEAR[1])
        near = sized & (there | framed)[:, None]
        return cls(found, seen, around, differs, sized, near, bold, plain, strict, printed, framed)

    def and_more(self, more: Things) -> Things:
        """Append more things of the same picture."""
        arrays = {
            one.name: np.concatenate([getattr(self, one.name), getattr(more, one.name)])
            for one in fields(self)
            if one.name not in ("found", "around")
        }
        found = Circles.joined([self.found, more.found])
        return Things(found=found, around=Surroundings.joined([self.around, more.around]), **arrays)

    def lie_beside(self, which: NDArray[np.intp], chips: Sequence[int], visible: Floats) -> None:
        """Let the things `which` be compared if they are in a heap with `chips`.

        What is `visible` of them must differ from what the heap is on. A chip in a heap has others
        around it, so it does not differ from its surroundings; the chip of the heap that differs
        most shows what is around all of them.
        """
        if not len(which):
            return
        tops = np.asarray(chips, np.intp)
        away = distances(self.found.centres[which], self.found.centres[tops])
        near = away < HEAP * self.found.radii[which, None]
        grounds = tops[np.where(near, self.differs[tops], -away).argmax(axis=1)]
        # What is far from every chip is in no heap, such as print on a card at the other end.
        differs = np.where(near.any(axis=1), self.around.unlike(which, grounds, visible), 0)
        self.near[which] |= self.sized[which] & (differs >= SET_OFF)[:, None]
        self.bold[which] |= differs >= PART_OFF
        self.plain[which] |= differs >= PART_OFF


def rim_tells(found: Circles) -> NDArray[np.bool_]:
    """Which of some circles (N,) have a rim so plain that this alone tells that something is
    there."""
    plain = found.clear >= CLEAR[1]
    plain |= (found.clear >= CLEAR[0]) & (found.votes >= VOTED)
    return np.asarray(plain | (found.votes >= ROUND), np.bool_)
