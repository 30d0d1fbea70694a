"""A dark rim around a deck's backs that have no margin, by which cards are told apart.

A print that runs to the edge of a card, of dots or of a lattice, is darker there than within: its
last dots are cut, and beside the card over it lies a shadow. Dots hide that from the eye of anyone
who compares single points, but not along a line as long as a card: there they average out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.backs.borders import BESIDE, CLOSELY, border
from vision.backs.margins import Margin, softened
from vision.backs.poses import Bare, Bools, Points, Poses
from vision.backs.registration import Print
from vision.backs.rims import between_others
from vision.backs.seams import LONG, in_view, lines_of
from vision.backs.sheet import Sheet
from vision.picture.geometry import Floats

DEPTHS = (-0.5, 0.0, 0.5, 1.0)
"""Distances in dots within a card's border between others at which its rim may be darkest. Follows
from the error of a card's place."""
WITHIN, WITHOUT = (4.0, 5.0, 6.0, 7.0), (-5.0, -6.0, -7.0)
"""The same at which its print, and that of the card beside it, is measured: beyond the rims of
both. Follows from a rim of at most three dots."""
FAR = 7.0
"""Distance in dots beyond the border at which another card must lie. Follows from the last."""
FEWEST = 12
"""Minimum points of a side between others that tell a rim: half a short one. A choice."""
DARKEST, SHADED = 5.0, 25.0
"""Percentile of a print's levels that is its ink, and how much darker it may be in the shadow of
the card over it. A choice: on a table seen through a gap between red cards, red was 150 darker."""
DARKER = 15.0
"""Minimum difference in levels, in one colour, of a rim from the prints on both its sides. A
choice: on dots of a webcam's picture it was 30 to 40, and the mean along a line within the print
changes by two or three; `python -m tests.hidden_hands` judges it."""
EVEN = 0.4
"""Largest share of that difference by which a line across the card itself may be darker. A choice:
half of what another card's rim shows at least."""
ALONG = 5
"""Points along a border over which a rim is averaged: a tenth to a sixth of a side, some dots of a
print. A choice."""
HALF = 0.5
"""Minimum share of the way from the print to the rim for these to show it. Follows from half."""


@dataclass(frozen=True, slots=True, eq=False)
class DarkRim(Margin):
    """The dark rim of a deck's backs, of which the `colour` is measured on the border itself."""

    def shares(self, cards: Poses, bare: Bare) -> Floats:
        """The share (N,) of each card's `bare` border between others along which a rim shows.

        It is 1 for a card of which hardly any border lies between others.
        """
        return between_others(cards, bare, self._dark, DEPTHS)

    def _dark(self, places: Points, made: Sheet, _: Floats) -> Bools:
        """Along which places (N, K) of a sheet the levels are those of a rim rather than of the
        print, on the whole."""
        way = self.colour - self.within
        levels = made.softened.reshape(-1, 3)[places.dots(made.heap)]
        dark = np.asarray((levels - self.within) @ way / float(way @ way), np.float32)
        along = cv2.blur(dark, (ALONG, 1), borderType=cv2.BORDER_REPLICATE)
        return np.asarray(along >= HALF, np.bool_)


def dark_rim(top: Poses, shown: Print) -> DarkRim | None:
    """The dark rim of a fully visible card, which is the first, given its print.

    It must show along a side where the card lies over or beside another, darker than the prints of
    both, but no darker than their ink; and nothing across the card itself may be nearly as dark.
    None without one.
    """
    points, ways = border(CLOSELY.counts)
    one = next(iter(top))
    at, out = one.places(points), one.turned(ways)
    far, near = (at.beside(out, dots).of(top.sheet.heap)[0] > 0 for dots in (FAR, BESIDE))
    ink = np.percentile(shown.levels.reshape(-1, 3), DARKEST, axis=0) - SHADED
    ends = np.cumsum([0, *CLOSELY.counts, *CLOSELY.counts])
    for start, end in pairwise(ends):
        side = far & near
        side[:start] = side[end:] = False
        if np.count_nonzero(side) < FEWEST:
            continue
        colour, within, without = _beside(at, out, top.sheet, side)
        darker = float((np.minimum(within, without) - colour).max()) >= DARKER
        rim = DarkRim(colour, within, softened(shown.levels))
        if darker and bool((colour >= ink).all()) and _darkest_line(one, rim) <= EVEN:
            return rim
    return None


def _beside(at: Points, out: Points, made: Sheet, side: Bools) -> tuple[Floats, Floats, Floats]:
    """The levels (3,) along a `side`: where they are darkest, within the card, and outside."""

    def mean(depth: float) -> Floats:
        dots = at.beside(out, -depth).dots(made.heap)[0][side]
        return np.asarray(made.softened.reshape(-1, 3)[dots].mean(axis=0), np.float32)

    colour = min(map(mean, DEPTHS), key=lambda levels: float(levels.sum()))
    within, without = (np.mean([*map(mean, depths)], axis=0) for depths in (WITHIN, WITHOUT))
    return colour, np.asarray(within, np.float32), np.asarray(without, np.float32)


def _darkest_line(card: Poses, rim: Margin) -> float:
    """How much darker the darkest line across a card is than its print, as a share of a rim."""
    points, lines = lines_of(card.size)
    places = card.places(points)
    seen = places.of(in_view(card, ()).face)[0] > 0
    levels = card.sheet.softened.reshape(-1, 3)[places.dots(card.sheet.heap)[0]]
    way = rim.colour - rim.within
    darker = (levels - np.median(levels[seen], axis=0)) @ way / float(way @ way)
    count, total = (
        np.bincount(lines.ravel(), np.broadcast_to(each * seen, lines.shape).ravel())
        for each in (np.ones(len(points)), darker)
    )
    long = count >= LONG
    return float((total[long] / count[long]).max(initial=0.0))
