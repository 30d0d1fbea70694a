"""Which thing with a plaque's contour is which plaque: each is compared with every plaque of the
set, either way up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import ANGLES
from vision.chips.contours import turned
from vision.chips.matching import BRIGHTER, EVEN, IN_VIEW, STEP, Match
from vision.chips.plaques import Plaques
from vision.chips.prints import AREAS, RINGS, agreeing, gains, lab, leeway
from vision.picture.geometry import Floats

AGREED, EDGED, SHOWN = 0.7, 0.7, 0.34
"""Minimum agreement of the visible part, minimum share of its contour that shows an edge, and
minimum share that is visible. A choice; `python -m tests.chips` judges it."""
PARTLY = 0.42, 0.86, 0.7, 0.9
"""Share in view below which a plaque must agree better, and how well, unless what is in view
correlates with its print, and shows an edge, by the last two. A choice: of 260 plaques in drawn
ribbons one was taken for another of its value a fifth of its length aside; a third of it was in
view, and it agreed by 0.80. Of 28 in ribbons of plaques with frames, some of them in the colour of
the cloth, two that were none agreed by 0.85 and 0.86, and all others by 0.87 and more."""
STRICT = (0.82, 0.86, 0.75)
"""The same on a card. A choice: a plaque that lies on a card is in full view."""
WHOLE, WORST, IN_FULL = 0.78, 0.55, 0.9
"""Minimum agreement, minimum agreement anywhere and minimum share in view of a plaque that nothing
lies on. A choice: a chip on a plaque covers a fifth of it."""
PATCH = (3, 7)
"""Number of rings and directions over which the agreement is averaged for that. A choice: half as
wide as a chip."""
VARIED, ALIKE = 4.0, 0.45
"""Minimum standard deviation of a print that has one, in units of CIELAB, and minimum correlation
of what is seen with it. A choice: of 85 plaques of a drawn development set none correlated by less
than 0.55; 63 places on an envelope, a paper towel and other things in three photographs, which all
agreed with a cream plaque, by 0.17 at most."""
PLAINLY = (0.72, 0.85, 0.15)
"""Minimum agreement, and minimum share of a contour with an edge, of a plaque whose print may
correlate by so much less: in the dark, marbled ones under others did by 0.38 to 0.42. A choice: of
11 such plaques in drawn ribbons all but one had 0.86 and more of an edge; three places on frames
that were none had 0.81."""
LATER = 0.25
"""Factor on the score of such a plaque. Follows from what the others score at least: it comes after
them all, as places beside a plaque may be such."""
NEARLY = (0.55, 0.4, 0.2)
"""Minimum agreement, minimum share of a contour with an edge and minimum such correlation of a
place next to which a plaque may be. A choice: what is a tenth of its width off agrees in two
thirds, and correlates by more than paper does."""
UPON, ENDED = 0.55, 0.75
"""Minimum agreement of what is left of a plaque if it ends plainly all around what lies within it,
and minimum share of its contour in view for that: chips on it throw shadows there. A choice: of 48
drawn plaques under one to four chips those with such a contour agreed by 0.64 and more; among
plaques laid half over each other one was invented where less of a contour was in view.
"""
PLAIN = (0.75, 0.9)
"""Minimum share of the contour that stands out from the grain, and that shows an edge, for a plaque
without print. A choice; the photographs without chips judge it."""
FEW, EDGE_PX = 4, 2.0
"""Minimum number of cells or directions needed for a verdict, and how far inside another's contour
they must be, in pixels. A choice: the width of an edge."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaquePrints:
    """The taught prints of a set's plaques, (K, rings, ANGLES, 3) each; `kinds` (K,) are their
    indices in the set, and `shapes` (K,) those of their contours."""

    kinds: NDArray[np.intp]
    shapes: NDArray[np.intp]
    colours: Floats
    low: Floats
    high: Floats

    @classmethod
    @lru_cache(maxsize=2)
    def of(cls, chips: ChipSet) -> Self:
        """Prepare a set's prints, once for each set."""
        kinds = np.flatnonzero(chips.round == 0)
        colours = chips.prints[kinds]
        shapes = np.array([chips.shape_of(kind) for kind in kinds.tolist()], np.intp)
        return cls(kinds, shapes, colours, *leeway(colours))


@dataclass(frozen=True, slots=True, eq=False)
class PlaqueMatcher:
    """Compares things with a plaque's contour with the plaques of a set.

    `seen` (N, rings, ANGLES, 3) are their colours under white light; those that are `strict` (N,)
    must meet more. The `cells` (N, K, T, rings, ANGLES) agree with each plaque, turned in each of
    the ways that its shape allows, and `brighter` (N, K, T) says how much brighter that is than
    what is seen.
    """

    found: Plaques
    prints: PlaquePrints
    strict: NDArray[np.bool_]
    seen: Floats
    cells: Floats
    brighter: Floats

    @classmethod
    def of(
        cls, chips: ChipSet, found: Plaques, seen: Floats, strict: NDArray[np.bool_], there: Floats
    ) -> PlaqueMatcher:
        """Compare `found` things of these colours with a set.

        Their brightness is that of the cells that are `there` (N, rings, ANGLES), in the picture.
        """
        prints = PlaquePrints.of(chips)
        ways = max((one.turns for one in found.contours), key=len)
        shape = len(found), len(prints.kinds), len(ways)
        cells = np.zeros((*shape, len(RINGS), ANGLES), np.float32)
        brighter = np.ones(shape, np.float32)
        for turn, steps in enumerate(ways):
            shapes = [n for n, one in enumerate(found.contours) if steps in one.turns]
            some = np.flatnonzero(np.isin(found.shapes, shapes))
            shown, inside = (np.roll(one[some], -steps, axis=2) for one in (seen, there))
            for kind in range(len(prints.kinds)):
                gain = gains(shown, prints.colours[kind], inside)
                light = lab(shown * gain[:, None, None, None]) if len(some) else shown
                agreed = agreeing(light, prints.low[kind], prints.high[kind])
                cells[some, kind, turn] = np.roll(agreed, steps, axis=2)
                brighter[some, kind, turn] = gain
        return cls(found, prints, strict, lab(seen) if len(seen) else seen, cells, brighter)

    def and_more(self, more: PlaqueMatcher) -> PlaqueMatcher:
        """Append what is compared with the same set."""
        return PlaqueMatcher(
            Plaques.joined([self.found, more.found]),
            self.prints,
            np.concatenate([self.strict, more.strict]),
            np.concatenate([self.seen, more.seen]),
            np.concatenate([self.cells, more.cells]),
            np.concatenate([self.brighter, more.brighter]),
        )

    def matches(self, visible: Floats, which: NDArray[np.intp]) -> list[Match]:
        """Identify the things `which`, each by its `visible` cells (n, rings, ANGLES) only."""
        if not len(which) or not len(self.prints.kinds):
            return []
        weights = visible * AREAS[:, None]
        total = weights.sum(axis=(1, 2))
        agreed = np.einsum("nktra,nra->nkt", self.cells[which], weights)
        agreed /= np.maximum(total, 1e-3)[:, None, None]
        agreed -= BRIGHTER * np.abs(np.log2(self.brighter[which]))
        by_kind = agreed.max(axis=2)
        fits = self.prints.shapes[None] == self.found.shapes[which][:, None]
        by_kind = np.where(fits, by_kind, -1.0)
        rows, order = np.arange(len(which)), np.argsort(-by_kind, axis=1, kind="stable")
        kind, other = order[:, 0], order[:, min(1, by_kind.shape[1] - 1)]
        best = by_kind[rows, kind]
        lead = best - by_kind[rows, other] if by_kind.shape[1] > 1 else np.ones(len(which))
        chance = 1 - 0.5 * np.exp(-np.maximum(lead - EVEN, 0) / STEP)
        edged = self._edged(visible, which)
        alike, varied = self._varying(visible, which, kind)
        # A frame is part of the print, so its edges are no other reason to believe in it.
        own = ~self.found.framed[which]
        plainly = (best >= PLAINLY[0]) & (edged >= PLAINLY[1]) & varied & own
        drawn = self._drawn(visible, which, alike, varied)
        late = plainly & ~drawn & (alike >= ALIKE - PLAINLY[2])
        shown = total / float(AREAS.sum() * ANGLES)
        least = np.where(self.strict[which][:, None], STRICT, (AGREED, EDGED, SHOWN))
        partly = (shown < PARTLY[0]) & ~(varied & (alike >= PARTLY[2]) & (edged >= PARTLY[3]))
        least[:, 0] = np.where(partly, np.maximum(least[:, 0], PARTLY[1]), least[:, 0])
        beneath = self._beneath(visible, which) & ~self.strict[which]
        least[beneath, 0] = UPON
        good = (best >= least[:, 0]) & (edged >= least[:, 1]) & (shown >= least[:, 2])
        good &= drawn | late
        # What lies on top agrees best, however little others leave of it.
        score = best * edged * np.where(late, LATER, 1.0)
        kinds = self.prints.kinds
        return [
            Match(
                int(which[row]), int(kinds[kind[row]]), int(kinds[other[row]]), float(score[row]),
                float(best[row]), float(chance[row]),
            )
            for row in np.flatnonzero(good).tolist()
        ]  # fmt: skip

    def _drawn(
        self,
        visible: Floats,
        which: NDArray[np.intp],
        alike: Floats,
        varied: NDArray[np.bool_],
    ) -> NDArray[np.bool_]:
        """Which things (n,) are so much `alike` (n,) the print of a plaque, or end plainly all
        around if that hardly varies.

        A sheet of paper agrees with most of a light plaque. What lies on a plaque and its shadow
        leave little of a print.
        """
        good = (alike >= ALIKE) | self._beneath(visible, which)
        return np.asarray(np.where(varied, good, self._plain(visible, which)), np.bool_)

    def _plain(self, visible: Floats, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which things (n,) end plainly all around."""
        clear = (self.found.clear[which] >= PLAIN[0]) & ~self.found.framed[which]
        return np.asarray(clear & (self._edged(visible, which) >= PLAIN[1]), np.bool_)

    def _beneath(self, visible: Floats, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of those (n,) have something within their contour that is known to lie there.

        What lies over the contour may leave the edge of something else.
        """
        upon = (visible.mean(axis=(1, 2)) < IN_FULL) & (visible[:, -1].mean(axis=1) >= ENDED)
        return np.asarray(upon & self._plain(visible, which), np.bool_)

    def _varying(
        self, visible: Floats, which: NDArray[np.intp], kind: NDArray[np.intp]
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """How well the colours of things (n,) correlate with the print of a plaque, and whether
        that varies at all."""
        turn = self.cells[which, kind].mean(axis=(2, 3)).argmax(axis=1)
        prints = lab(self.prints.colours[kind])
        ways = max((one.turns for one in self.found.contours), key=len)
        rolled = np.stack([np.roll(prints, steps, axis=2) for steps in ways])
        prints = rolled[turn, np.arange(len(which))]
        weights = (visible * AREAS[:, None])[..., None]
        total = np.maximum(weights.sum(axis=(1, 2), keepdims=True), 1e-3)
        parts = [
            some - (some * weights).sum(axis=(1, 2), keepdims=True) / total
            for some in (self.seen[which], prints)
        ]
        squares = [(part**2 * weights).sum(axis=(1, 2, 3)) for part in parts]
        crossed = (parts[0] * parts[1] * weights).sum(axis=(1, 2, 3))
        alike = crossed / np.sqrt(np.maximum(squares[0] * squares[1], 1e-3))
        varied = squares[1] / total[:, 0, 0, 0] >= VARIED**2
        return np.asarray(alike, np.float32), np.asarray(varied, np.bool_)

    def bare(self, match: Match, visible: Floats) -> bool:
        """Whether nothing else lies on a plaque: what is `visible` of it (rings, ANGLES) agrees
        everywhere."""
        best = self.turned(match.number, match.kind)
        agreed, shown = _patches(best * visible), _patches(visible)
        seen = shown >= IN_VIEW * float(shown.max(initial=1.0))
        worst = np.where(seen, agreed / np.maximum(shown, 1e-3), 1.0).min()
        return match.agreed >= WHOLE and float(worst) >= WORST and match.score > LATER

    def nearly(self, which: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of some things that may be a little beside a plaque, however covered."""
        if not len(which) or not len(self.prints.kinds):
            return which[:0]
        agreed = np.einsum("nktra,r->nkt", self.cells[which], AREAS / ANGLES).max(axis=2)
        fits = self.prints.shapes[None] == self.found.shapes[which][:, None]
        agreed = np.where(fits, agreed, 0.0)
        some = (agreed.max(axis=1) >= NEARLY[0]) & (self.found.support[which] >= NEARLY[1])
        if not some.any():
            return which[:0]
        which, kind = which[some], agreed[some].argmax(axis=1)
        every = np.ones((len(which), len(RINGS), ANGLES), np.float32)
        alike, varied = self._varying(every, which, kind)
        return np.asarray(which[varied & (alike >= NEARLY[2])], np.intp)

    def turned(self, number: int, kind: int) -> Floats:
        """The agreement of a thing's cells (rings, ANGLES) with a plaque of the set, turned the way
        that fits better."""
        cells = self.cells[number, int(np.flatnonzero(self.prints.kinds == kind)[0])]
        return np.asarray(cells[int(cells.mean(axis=(1, 2)).argmax())], np.float32)

    def likeliest(self, number: int, visible: NDArray[np.bool_]) -> Floats:
        """The same with the plaque that agrees best with what is `visible` (rings, ANGLES)."""
        cells = self.cells[number].reshape(-1, *visible.shape)
        return np.asarray(cells[int((cells * visible).sum(axis=(1, 2)).argmax())], np.float32)

    def goes_on(self, number: int, cells: Floats, where: NDArray[np.bool_]) -> float:
        """How well a thing, whose `cells` (rings, ANGLES) agree that much, continues `where`
        another is.

        The agreement of its cells there times the share of its contour there that shows an edge.
        """
        rim = where[-1]
        if where.sum() < FEW or rim.sum() < FEW:
            return 0.0
        return float(cells[where].mean()) * float(self.found.rim[number][rim].mean())

    def within(self, number: int, other: int) -> NDArray[np.bool_]:
        """Which cells (rings, ANGLES) of a thing are surely inside the contour of another."""
        places = cells_at(self.found[np.array([number])])[0]
        one = self.found[np.array([other])]
        (away,) = turned((places - one.centres[0])[None], -one.turns)
        sides = self.found.contours[int(one.shapes[0])].sides
        half = np.array(sides, np.float32) / 2 * one.scales[0] - EDGE_PX
        return np.asarray((np.abs(away) < half).all(axis=-1), np.bool_)

    def _edged(self, visible: Floats, which: NDArray[np.intp]) -> Floats:
        """The share (n,) of each visible contour that shows an edge."""
        outer = visible[:, -1] > IN_VIEW
        edges = (self.found.rim[which] & outer).sum(axis=1)
        return np.asarray(edges / np.maximum(outer.sum(axis=1), 1), np.float32)


def _patches(cells: Floats) -> Floats:
    """The sum of each patch of cells (rings, ANGLES)."""
    high, wide = PATCH
    turned = np.stack([np.roll(cells, step, axis=1) for step in range(wide)]).sum(axis=0)
    sums = np.stack([turned[step : len(RINGS) - high + 1 + step] for step in range(high)])
    return np.asarray(sums.sum(axis=0), np.float32)


def cells_at(found: Plaques, rings: Sequence[float] | Floats = RINGS) -> Floats:
    """The places (N, rings, ANGLES, 2) of the cells of things, in pixels."""
    reach = np.asarray(rings, np.float32)[:, None, None] * found.arms[:, None]
    return np.asarray(found.centres[:, None, None] + reach, np.float32)
