"""The plaques in one picture: first those on which nothing lies, then what chips and others leave.

Plaques that agree everywhere lie on top; round chips are looked for beside them, and hide in their
turn what lies below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.matching import Match
from vision.chips.plaque_matching import IN_FULL, PlaqueMatcher, cells_at
from vision.chips.plaques import Plaques
from vision.chips.sight import Sight
from vision.picture.geometry import Floats, Frame, Outline

APART = 0.62
"""Plaques whose centres are closer than this, in halves of the short side, are one. A choice, as
for round chips."""
SAME_CARD = 0.5
"""Maximum distance from a plaque's centre to that of a card that is the plaque, in halves of its
short side. A choice: what a reader of cards takes for a back has the plaque's own outline."""
MOST = 40
"""Maximum number of plaques in one picture. A choice."""

Lean: TypeAlias = Callable[[Plaques], Floats]
"""Gives how far (N, 2) the feet of stacks appear from their tops, in the pixels of both."""


@dataclass(slots=True, eq=False)
class PlaqueLayers:
    """Plaques while a picture of shape (h, w) is being explained.

    The `chosen` plaques, and round chips once they are known, have `covered` (h, w) part of it.
    """

    matcher: PlaqueMatcher
    covered: NDArray[np.uint8]
    lean: Lean
    chosen: list[Match] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        chips: ChipSet,
        sight: Sight,
        found: Plaques,
        *,
        cast: Floats,
        cards: Sequence[Outline],
        lean: Lean,
    ) -> PlaqueLayers:
        """Compare what has a plaque's contour with a set; on `cards`, plaques must meet more."""
        colours = sight.white_of(sampled(sight.work, found))
        seen = np.asarray(np.clip(colours / np.exp2(cast), 0, 400), np.float32)
        strict = sight.upon(found.as_circles, cards) if len(found) else np.zeros(0, np.bool_)
        matcher = PlaqueMatcher.of(chips, found, seen, strict)
        return cls(matcher, np.zeros(sight.work.shape[:2], np.uint8), lean)

    @property
    def found(self) -> Plaques:
        """The chosen plaques, in the pixels of the examined picture."""
        return self.matcher.found[np.array([one.number for one in self.chosen], np.intp)]

    def take_bare(self) -> None:
        """Choose the plaques on which nothing lies."""
        every = np.arange(len(self.matcher.found))
        seen = [one for one in self._matches(every) if self.matcher.bare(one)]
        for one in sorted(seen, key=lambda one: -one.score):
            (shown,) = self._visible(np.array([one.number]))
            if float(shown.mean()) >= IN_FULL and self._fresh(one.number):
                self._take(one)

    def take_rest(self) -> None:
        """Choose those of which enough shows beside what covers the picture by now."""
        left = np.arange(len(self.matcher.found))
        while len(self.chosen) < MOST:
            left = np.array([one for one in left.tolist() if self._fresh(one)], np.intp)
            seen = self._matches(left)
            if not seen:
                break
            self._take(max(seen, key=lambda one: one.score))

    def _matches(self, which: NDArray[np.intp]) -> list[Match]:
        return self.matcher.matches(self._visible(which), which)

    def _visible(self, which: NDArray[np.intp]) -> Floats:
        """Which cells (n, rings, ANGLES) of things nothing covers: 1 or 0."""
        places = np.rint(cells_at(self.matcher.found[which])).astype(np.intp)
        high, wide = self.covered.shape
        x, y = places[..., 0], places[..., 1]
        inside = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
        hidden = self.covered[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)] > 0
        return np.asarray(inside & ~hidden, np.float32)

    def _fresh(self, number: int) -> bool:
        """Whether a thing is not where a plaque was chosen."""
        found, some = self.matcher.found, self.found
        away = np.linalg.norm(some.centres - found.centres[number], axis=1)
        return bool((away >= APART * found.radii[number]).all())

    def _take(self, match: Match) -> None:
        """Choose a plaque, and mark it and its sides as covered."""
        self.chosen.append(match)
        one = self.matcher.found[np.array([match.number])]
        top = one.octagons[0]
        both = np.concatenate([top, top + self.lean(one)[0]])
        hull = cv2.convexHull(np.asarray(both, np.float32))
        cv2.fillConvexPoly(self.covered, np.rint(hull * 16).astype(np.int32), (255,), 8, 4)


def not_these(found: Plaques, cards: Sequence[Outline]) -> list[Outline]:
    """Those of the `cards` that are none of the plaques `found`."""
    middles = np.array([np.mean(card, axis=0) for card in cards], np.float32).reshape(-1, 2)
    away = np.linalg.norm(middles[:, None] - found.centres[None], axis=2)
    same = (away < SAME_CARD * found.radii[None]).any(axis=1)
    return [card for card, one in zip(cards, same.tolist(), strict=True) if not one]


def sampled(picture: Frame, found: Plaques) -> Floats:
    """The colours of plaques in the picture, (N, rings, ANGLES, 3)."""
    places = cells_at(found)
    if not len(found):
        return np.zeros((*places.shape[:3], 3), np.float32)
    flat = len(found), -1
    x, y = (np.ascontiguousarray(places[..., axis].reshape(flat)) for axis in (0, 1))
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(*places.shape[:3], 3), np.float32)
