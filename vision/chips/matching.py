"""Which round thing is which chip, and which lies on top: the clearest is explained first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import ANGLES, Circles
from vision.chips.prints import (
    AREAS,
    RINGS,
    Surroundings,
    agreeing,
    best_turns,
    gains,
    lab,
    leeway,
    turned,
)
from vision.picture.geometry import Floats

AGREED, ROUNDED, SHOWN = 0.64, 0.7, 0.34
"""The least agreement of what is in sight, the least share of its rim that shows an edge, and the
least share that is in sight. A choice; `python -m tests.chips` judges it."""
SET_OFF, CLEAR, VOTED = 0.35, (0.6, 0.85), 0.2
"""Either so large a share of its colours is not that of its surroundings, or so large a share of
its rim is no mere grain; a rim of the lesser share does where so much of it votes for its middle.
Measured by `python -m tests.real_chips` and the photographs without chips: carpet and wood had rims
of up to 0.67 of which 0.18 voted."""
PART_OFF, PART_CLEAR = 0.6, 0.5
"""The same where only a part of a chip agrees. Measured by `python -m tests.real_chips` and the
photographs without chips: a trellis had 0.53 and 0.42."""
FAINT_AGREED = 0.7
"""The least agreement of what is hardly set off from its surroundings: less of its colours than
`PART_OFF` and less of its rim than the greater of `CLEAR`. Measured on the development sets of
`python -m tests.chips`: of 231 chips 5 agreed less, all of them set off by 0.61 and more; two
places in the print of a card face down had 0.65, and 0.42 of their colours."""
STRICT = (0.7, 0.86, 0.75)
"""The same on a card that is face up: its signs and figures hold arcs. A choice;
`python -m tests.chips` judges it."""
PART, PART_AGREED, PART_ROUNDED = 0.42, 0.8, 0.85
"""The same for a chip of which something else hides a part: the least share of directions in which
it agrees, and how well it must there. A choice; `python -m tests.chips` judges it."""
FIT = 0.14
"""How far a radius may be from that of a value, as a share. A choice: it allows for a stack's
height and a scale that was read off cards."""
LEAST_ROUND = PART * PART_ROUNDED
"""Below this share of its rim in sight nothing can be a chip, not even in part. Follows from what
is asked of a part."""
APART = 0.62
"""Chips whose centres are closer than this many radii are one chip. A choice: of a chip covered
further, too little is in sight."""
HEAP = 8.0
"""Chips whose centres are closer than this many radii lie on the same ground. A choice: a heap of
sixteen, or a ribbon of seven."""
EVEN, STEP = 0.02, 0.035
"""How far the best value must be ahead for even chances, and how fast they rise from there, in
agreement. A choice; `python -m tests.chips` judges it."""
BRIGHTER = 0.05
"""What an octave of other light at one chip costs in agreement. A choice; `python -m tests.chips`
judges it."""
CLEARER = 0.06
"""By how much the share of a rim with an edge may exceed that which is no grain, on a card. A
choice; `python -m tests.chips` judges it."""
IN_VIEW = 0.5
"""From this share of a cell or a direction it is in sight. A choice; `python -m tests.chips` judges
it."""
RIMLESS = 0.3
"""What a direction without an edge at the rim counts. A choice; `python -m tests.chips` judges
it."""
ALONG = 0.55
"""The least agreement of a direction that shows the chip. A choice; `python -m tests.chips` judges
it."""


@dataclass(frozen=True, slots=True)
class Match:
    """A round thing that is a chip: which, and how surely. `score` orders them from the top."""

    number: int
    kind: int
    other: int
    score: float
    agreed: float
    chance: float
    """That it is this value and no other of the set."""


@dataclass(frozen=True, slots=True, eq=False)
class Matcher:
    """Compares round things of one picture, with colours (N, rings, ANGLES, 3) under white light,
    with a set. `sized` (N, K) says which values their size allows, `near` (N, K) also whether
    something is there at all; `every` holds the prints turned every way, `low` and `high` their
    `leeway`; `bold` (N,) are clear enough to be known by a part, `plain` (N,) set off so much that
    poor agreement will do."""

    found: Circles
    seen: Floats
    near: NDArray[np.bool_]
    prints: Floats
    every: Floats
    low: Floats
    high: Floats
    strict: NDArray[np.bool_]
    bold: NDArray[np.bool_]
    plain: NDArray[np.bool_]
    sized: NDArray[np.bool_]
    around: Surroundings
    differs: Floats
    """The share of each thing (N,) whose colours are not those around it."""
    likeness: dict[int, float] = field(default_factory=dict)
    """How well each thing that was compared agrees with its likeliest value, covered or not."""

    @classmethod
    def of(
        cls, chips: ChipSet, found: Circles, seen: Floats, around: Surroundings,
        *, px_per_unit: float, strict: NDArray[np.bool_],
    ) -> Matcher:  # fmt: skip
        """For a picture in which a unit of the set's sizes is `scale` pixels; the `strict` (N,)
        things have to meet more.
        """
        differs = around.set_off()
        radii = chips.sizes.mean(axis=1) / 2 * px_per_unit
        there = (differs >= SET_OFF) | (found.clear >= CLEAR[1])
        there |= (found.clear >= CLEAR[0]) & (found.votes >= VOTED)
        # Chips of a set are alike in size, and what was measured of one holds shadows and its side.
        low, high = float(radii.min()) * (1 - FIT), float(radii.max()) * (1 + FIT)
        sized = (found.radii >= low) & (found.radii <= high)
        near = (chips.round > 0) & (there & sized)[:, None]
        bold = (differs >= PART_OFF) | (found.clear >= PART_CLEAR)
        plain = (differs >= PART_OFF) | (found.clear >= CLEAR[1])
        every, ways = turned(lab(chips.prints)), leeway(chips.prints)
        sizes = (chips.round > 0) & sized[:, None]
        return cls(
            found, seen, near, chips.prints, every, *ways, strict, bold, plain, sizes, around,
            differs,
        )  # fmt: skip

    def beside(self, which: NDArray[np.intp], chips: Sequence[int], visible: Floats) -> None:
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

    def matches(self, visible: Floats, which: NDArray[np.intp]) -> list[Match]:
        """What the things `which` are, of each only the `visible` cells (n, rings, ANGLES)."""
        likely = self.near[which].any(axis=1) & (self._rounded(visible, which) >= LEAST_ROUND)
        which, visible = which[likely], visible[likely]
        if not len(which):
            return []
        which_seen = self.seen[which]
        turns = best_turns(lab(which_seen), self.every, visible)
        steps = (np.arange(ANGLES) + turns[..., None]) % ANGLES

        def along(prints: Floats) -> Floats:
            parts = [one[:, steps[:, kind]] for kind, one in enumerate(prints)]
            return np.stack([part.transpose(1, 0, 2, 3) for part in parts], axis=1)

        brighter = gains(which_seen[:, None], along(self.prints))
        light = which_seen[:, None] * brighter[..., None, None, None]
        cells = agreeing(lab(light), along(self.low), along(self.high))
        found = []
        for row, number in enumerate(which):
            match = self._match(int(number), cells[row], brighter[row], visible[row])
            if match is not None:
                found.append(match)
        return found

    def _rounded(self, visible: Floats, which: NDArray[np.intp]) -> Floats:
        """The share (n,) of each rim in sight that shows an edge."""
        outer = visible[:, -1] > IN_VIEW
        edges = (self.found.rim[which] & outer).sum(axis=1)
        return np.asarray(edges / np.maximum(outer.sum(axis=1), 1), np.float32)

    def _match(self, number: int, cells: Floats, brighter: Floats, visible: Floats) -> Match | None:
        allowed = self.near[number]
        if not allowed.any():
            return None
        weights = visible * AREAS[:, None]
        whole = float(AREAS.sum() * ANGLES)
        total = float(weights.sum())
        if total < SHOWN * whole:
            return None
        agreed = (cells * weights).sum(axis=(1, 2)) / total
        agreed = agreed - BRIGHTER * np.abs(np.log2(brighter))
        agreed = np.where(allowed, agreed, -1.0)
        order = np.argsort(-agreed, kind="stable")
        kind, other = int(order[0]), int(order[min(1, len(order) - 1)])
        lead = float(agreed[kind] - agreed[other]) if len(order) > 1 else 1.0
        chance = 1 - 0.5 * float(np.exp(-max(lead - EVEN, 0) / STEP))
        rim = self.found.rim[number]
        outer = visible[-1] > IN_VIEW
        rounded = float(rim[outer].mean()) if outer.any() else 0.0
        strict = bool(self.strict[number])
        if strict:
            rounded = min(rounded, float(self.found.clear[number]) + CLEARER)
        best, shown = float(agreed[kind]), total / whole
        self.likeness.setdefault(number, best)
        agreeable = AGREED if self.plain[number] else FAINT_AGREED
        least = STRICT if strict else (agreeable, ROUNDED, SHOWN)
        if best >= least[0] and rounded >= least[1] and shown >= least[2]:
            return Match(number, kind, other, best * rounded * shown, best, chance)
        if strict or not self.bold[number]:
            return None
        part = self._in_part(cells[kind], rim, visible)
        if part is None:
            return None
        return Match(number, kind, other, best * rounded * part, part, chance)

    def _in_part(self, cells: Floats, rim: NDArray[np.bool_], visible: Floats) -> float | None:
        """How well the directions agree in which a chip is in sight; None if they are too few."""
        weights = visible * AREAS[:, None]
        total = weights.sum(axis=0)
        along = (cells * weights).sum(axis=0) / np.maximum(total, 1e-3)
        good = np.where(total > IN_VIEW * AREAS.sum(), along * (RIMLESS + (1 - RIMLESS) * rim), 0.0)
        smooth = (np.roll(good, -1) + good + np.roll(good, 1)) / 3
        inside = np.asarray(smooth >= ALONG, np.bool_)
        if inside.mean() < PART:
            return None
        agreed, rounded = float(along[inside].mean()), float(rim[inside].mean())
        if agreed < PART_AGREED or rounded < PART_ROUNDED:
            return None
        return agreed * float(inside.mean())


def cells_in(covered: NDArray[np.uint8], found: Circles, which: NDArray[np.intp]) -> Floats:
    """The cells (n, rings, ANGLES) of round things that nothing covers: 1, or 0."""
    turns = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    reach = found.radii[which][:, None, None] * RINGS[:, None]
    x = found.centres[which, 0][:, None, None] + reach * np.cos(turns)
    y = found.centres[which, 1][:, None, None] + reach * np.sin(turns)
    high, wide = covered.shape
    across, down = np.rint(x).astype(np.intp), np.rint(y).astype(np.intp)
    inside = (across >= 0) & (down >= 0) & (across < wide) & (down < high)
    hidden = covered[np.clip(down, 0, high - 1), np.clip(across, 0, wide - 1)] > 0
    return np.asarray(inside & ~hidden, np.float32)


def cover(covered: NDArray[np.uint8], centre: Floats, radius: float) -> None:
    """Mark a round thing as explained."""
    where = round(float(centre[0]) * 16), round(float(centre[1]) * 16)
    cv2.circle(covered, where, round(radius * 16), (255,), -1, cv2.LINE_8, 4)
