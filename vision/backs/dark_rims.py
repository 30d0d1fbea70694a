"""A dark rim around a deck's backs that have no margin, by which cards are told apart.

A print that runs to the edge of a card, of dots or of a lattice, is darker there than within: its
last dots are cut, and beside the card over it lies a shadow. Dots hide that from the eye of anyone
who compares single points, but not along a line as long as a card: there they average out.
"""

from __future__ import annotations

from dataclasses import dataclass

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
FEWEST = 12
"""Minimum points of the border between others that tell a rim: half a short side. A choice."""
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

    It must show where the card lies over or beside others, darker than the prints on both sides of
    the border, and nothing across the card itself may be nearly as dark. None without one.
    """
    points, ways = border(CLOSELY.counts)
    one = next(iter(top))
    at, out = one.places(points), one.turned(ways)
    heap = top.sheet.heap
    far = at.beside(out, -min(WITHOUT))
    between = (far.of(heap)[0] > 0) & (at.beside(out, BESIDE).of(heap)[0] > 0)
    if np.count_nonzero(between) < FEWEST:
        return None
    means = [_mean(top.sheet, at.beside(out, -depth), between) for depth in DEPTHS]
    within, without = (
        np.mean([_mean(top.sheet, at.beside(out, -depth), between) for depth in depths], axis=0)
        for depths in (WITHIN, WITHOUT)
    )
    colour = min(means, key=lambda levels: float(levels.sum()))
    if float((np.minimum(within, without) - colour).max()) < DARKER:
        return None
    rim = DarkRim(
        np.asarray(colour, np.float32), np.asarray(within, np.float32), softened(shown.levels)
    )
    return rim if _darkest_line(one, rim) <= EVEN else None


def _mean(made: Sheet, places: Points, which: Bools) -> Floats:
    """The mean levels (3,) at those of some places on a sheet, averaged over a rim's width."""
    dots = places.dots(made.heap)[0][which]
    return np.asarray(made.softened.reshape(-1, 3)[dots].mean(axis=0), np.float32)


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
