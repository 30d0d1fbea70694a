"""The margin of one colour around a deck's backs, by which cards are told apart.

Where a print has such a margin, any card that was overlooked shows it: a strip of that colour, as
wide as the margin, where the print of the card below should continue. A card that is a fraction of
a dot from its place differs along the lines of its print as well, but next to each that is too
light lies one that is too dark. So all that differs is compared with what a margin would change
(a matched filter), averaged over its width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.borders import CLOSELY, border
from vision.backs.poses import Bare, Bools, Points, Poses
from vision.backs.registration import Print
from vision.backs.rims import between_others
from vision.backs.seams import LONG, lines_of
from vision.backs.sheet import BROAD, Sheet
from vision.picture.geometry import Floats

RIM = 1
"""Which dot from a card's edge shows the colour of its margin, free of blur from both sides.
Follows from the narrowest that is printed, 2.5 mm."""
PRINTED = 8
"""Dots from a card's edge from which its print is measured. Follows from the widest margin, 5 mm.
"""
STANDS_OUT, EVEN = 24.0, 0.15
"""Minimum difference in levels between a margin's colour and that of the print within it, and the
largest mean difference of a margin from its own colour, as a share of that. A choice: on 24 drawn
fans, margins that differ by more than the first had at most 0.08; what runs along the edges of
backs without one, 0.18 and more; `python -m tests.face_down fan` judges it."""
THIN = 0.6
"""Share of that difference by which the next dot differs if it is a mere line. A choice: of a
margin of 2.5 mm at most 0.42 of it was gone there."""
ON_HEAP = 0.95
"""Minimum share of a card's rim that must lie on its heap. A choice: of one that was taken for
larger than it is, a whole side lay on the table."""
TELLING = 20.0
"""Minimum root mean square difference in levels, along a line, of the print from the margin's
colour: on a line that is nearly white anyhow, no margin shows. A choice."""
ALIKE = 0.6
"""Minimum share of the way from the print's usual colour to the margin's for a point to show the
margin. A choice: slightly more than half."""


@dataclass(frozen=True, slots=True, eq=False)
class Margin:
    """The `colour` (3,) of the margin around a print, the usual one `within` it, and the levels
    (h, w, 3) of the whole card, softened."""

    colour: Floats
    within: Floats
    levels: Floats

    @classmethod
    def of(cls, top: Poses, shown: Print) -> Margin | None:
        """The margin of a fully visible card, which is the first, given its print.

        None if none stands out from that: it is lighter, as what seems to be a darker one may be
        the shadow beside a card, and lies on the heap, not on the ground around it.
        """
        if _on_heap(top) < ON_HEAP:
            return None
        levels = shown.levels
        along = slice(PRINTED, -PRINTED)
        inner = np.median(levels[along, along].reshape(-1, 3), axis=0)
        sides = _sides(levels, RIM)
        colours = [np.median(side, axis=0) for side in sides]
        colour = np.median(colours, axis=0)
        out = float((colour - inner).max())
        uneven = [np.abs(side - own).mean() for side, own in zip(sides, colours, strict=True)]
        if out < STANDS_OUT or float(np.median(uneven)) > EVEN * out:
            return None
        next_to_it = np.median(
            [np.median(side, axis=0) for side in _sides(levels, RIM + 1)], axis=0
        )
        if float(np.abs(next_to_it - colour).max()) > THIN * out:
            return None
        return cls(colour.astype(np.float32), inner.astype(np.float32), softened(levels))

    def across(
        self, card: Poses, bare: Bare, light: float = 1.0, ways: Sequence[int] = (1, -1)
    ) -> float:
        """How much of another card's margin, 0..1, a line across what is `bare` of the first shows.

        The card may lie upright (1) or upside down (-1). `light` on it is a share of that on the
        print's own.
        """
        points, lines = lines_of(card.size)
        places = next(iter(card)).places(points)
        half = np.float32(0.5)
        shown = cv2.remap(
            card.sheet.softened, places.right - half, places.down - half, cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )[0]  # fmt: skip
        seen = places.of(bare.face)[0] > 0
        return min(self._along(lines, shown, self._at(way * points) * light, seen)
                   for way in ways)  # fmt: skip

    def shares(self, cards: Poses, bare: Bare) -> Floats:
        """The share (N,) of each card's `bare` border between others within which a margin shows.

        It is 1 for a card of which hardly any border lies between others.
        """
        return between_others(cards, bare, self._shown)

    def _shown(self, places: Points, sheet: Sheet, _: Floats) -> Bools:
        """Which places (N, K) on a sheet have a margin's colour rather than the print's."""
        way = self.colour - self.within
        levels = np.stack([places.of(plane) for plane in sheet.planes], 2).astype(np.float32)
        return np.asarray((levels - self.within) @ way >= ALIKE * (way @ way), np.bool_)

    def _at(self, points: Floats) -> Floats:
        """The print (K, 3) at points (K, 2) in shares of a card's sides from its centre."""
        size = np.array(self.levels.shape[1::-1], np.float32)
        right, down = ((0.5 + points) * size - 0.5).astype(np.float32).T[:, None]
        found = cv2.remap(
            self.levels, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found[0], np.float32)

    def _along(self, lines: NDArray[np.intp], shown: Floats, print_: Floats, seen: Bools) -> float:
        """The largest share of a margin along one of the `lines` (T, K)."""
        wanted = self.colour - print_
        count, most, found = (
            np.bincount(lines.ravel(), np.broadcast_to(each * seen, lines.shape).ravel())
            for each in (
                np.ones(len(shown)),
                np.square(wanted).sum(axis=1),
                ((shown - print_) * wanted).sum(axis=1),
            )
        )
        long = (count >= LONG) & (most >= count * TELLING**2)
        # Along the rim of something light, half a dot makes half of the little difference there.
        usual = count * float(np.square(self.colour - self.within).sum())
        return float((found[long] / np.maximum(most, usual)[long]).max(initial=0.0))


def _on_heap(top: Poses) -> float:
    """The share of the first card's rim that lies on its heap."""
    points, outward = border(CLOSELY.counts)
    rim = np.asarray(points - (RIM + 0.5) * outward / np.array(top.size), np.float32)
    made = top.sheet
    return float((next(iter(top)).places(rim).of(made.heap | made.open_to) > 0).mean())


def _sides(levels: Floats, dot: int) -> list[Floats]:
    """The levels (N, 3) along each side of a card, so many dots within it, without its corners."""
    along = slice(PRINTED, -PRINTED)
    return [
        side[along] for side in (levels[dot], levels[-1 - dot], levels[:, dot], levels[:, -1 - dot])
    ]


def softened(levels: Floats) -> Floats:
    """Levels (h, w, 3), averaged over the width of a margin."""
    return np.asarray(cv2.blur(levels, (BROAD, BROAD)), np.float32)
