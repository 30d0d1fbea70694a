"""Survey all places in a heap where a copy of its uppermost card may lie, in little memory.

A row of five backs has thirty thousand such places. What the picture shows at each does not change
while cards are found, so it is kept, but as little of it as is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.backs.borders import RISE, Borders, share
from vision.backs.copies import Faces, Pattern, held
from vision.backs.parts import Cells
from vision.backs.poses import Bare, Bools, Dots, Poses, distinct, joined
from vision.backs.sheet import Sheet
from vision.picture.geometry import Floats

NEXT = 24
"""Number of places fitted to their edges for each further card. A choice: of 22 drawn fans, 12 were
explained correctly with 4 places, 17 with 12, and 15 with 24 of which 5 are examined closely, at
four fifths of the work; `python -m tests.face_down fan` judges it."""
PRINT = 0.6
"""Minimum share of another card's visible part that must show its print during the search. A
choice; `python -m tests.face_down` judges it."""
USEFUL = 0.025
"""Minimum share of a card by which it must explain a heap. A choice: half of what must be left for
another card to be searched for, as places are three dots apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """The dots of a sheet `wide` dots across into which points on cards fall, and what is there.

    `rows` and `columns` (N, K) are the points' distances in dots from the dot `middles` (N,) of the
    cards, in a byte each where they fit; `bits` (N, M, K / 8) are what M questions found.
    """

    middles: Dots
    rows: NDArray[np.signedinteger]
    columns: NDArray[np.signedinteger]
    bits: Cells
    wide: int

    @classmethod
    def of(cls, places: Poses, dots: Dots, found: Sequence[Bools]) -> Packed:
        """Pack the `dots` (N, K) of points on cards at these places, and what was `found` there."""
        wide = places.sheet.heap.shape[1]
        down, across = np.rint(places.at[:, 1::-1].T).astype(np.int32)
        rows = dots // np.int32(wide)
        columns = dots - rows * np.int32(wide)
        away = rows - down[:, None], columns - across[:, None]
        small = max(int(np.abs(one).max(initial=0)) for one in away) <= np.iinfo(np.int8).max
        rows, columns = (one.astype(np.int8 if small else np.int16) for one in away)
        bits = np.packbits(np.stack(found, 1), axis=2)
        return cls(down * np.int32(wide) + across, rows, columns, bits, wide)

    def chosen(self, which: Bools) -> Packed:
        """Only these cards."""
        rows, columns = self.rows[which], self.columns[which]
        return Packed(self.middles[which], rows, columns, self.bits[which], self.wide)

    @property
    def dots(self) -> Dots:
        """The dots (N, K), row by row."""
        dots = np.multiply(self.rows, np.int32(self.wide), dtype=np.int32)
        dots += self.columns
        dots += self.middles[:, None]
        return np.asarray(dots, np.int32)

    @property
    def found(self) -> Bools:
        """What each question found (M, N, K)."""
        found = np.unpackbits(self.bits, axis=2, count=self.rows.shape[1])
        return found.view(np.bool_).swapaxes(0, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Surveyed:
    """What the picture shows at some places where a copy of a heap's uppermost card may lie.

    What lies over those places is not considered yet. `faces` says which points show the print as
    it is and upside down, `borders` which show an edge and which are on the heap's own border.
    """

    places: Poses
    faces: Packed
    borders: Packed

    @classmethod
    def of(cls, places: Poses, print_: Pattern) -> Surveyed:
        """The picture at these places, compared with the uppermost card's print."""
        faces, borders = Faces.of(places, print_), Borders.of(places)
        return cls(
            places,
            Packed.of(places, faces.dots, (faces.upright, faces.turned)),
            Packed.of(places, borders.dots, (borders.steep >= RISE, borders.outer)),
        )

    def beside(self, left: Cells) -> Surveyed:
        """The places that explain part of what is `left` of the heap."""
        useful = self._faces().held(left) >= USEFUL
        faces, borders = self.faces.chosen(useful), self.borders.chosen(useful)
        return Surveyed(self.places.chosen(useful), faces, borders)

    def worth(self, bare: Bare, left: Cells) -> tuple[Poses, Floats, Floats]:
        """The places at which the `bare` part of a card shows the print.

        Also how much print and edges (N,) it shows, and how much (N,) it explains of what is
        `left`.
        """
        faces = self._faces()
        alike, sight = faces.beside(bare)
        at = (alike >= PRINT) & (sight > 0)
        borders = self.borders.chosen(at)
        shown, (edges, outer) = bare.border.reshape(-1).take(borders.dots) > 0, borders.found
        worth = np.asarray(alike[at] + share(edges, shown) + share(outer, shown) / 2, np.float32)
        return self.places.chosen(at), worth, faces.chosen(at).held(left)

    def _faces(self) -> Faces:
        return Faces(self.faces.dots, *self.faces.found)


@dataclass(slots=True, eq=False)
class Survey:
    """All places on a `sheet` where a copy of a heap's uppermost card may lie, in `parts`.

    Together they would take several times the memory while they are compared.
    """

    sheet: Sheet
    parts: list[Surveyed]

    @classmethod
    def of(cls, places: Poses, left: Cells, print_: Pattern) -> Survey | None:
        """Survey the places that explain part of what is `left` of a heap, if there are any.

        No others need to be examined. They are compared with the uppermost card's print.
        """
        useful = places.chosen(held(places, left) >= USEFUL)
        if not len(useful):
            return None
        return cls(places.sheet, [Surveyed.of(some, print_) for some in useful.parts()])

    def keep(self, left: Cells) -> None:
        """Drop the places that explain nothing of what is `left` of the heap."""
        for number, part in enumerate(self.parts):
            self.parts[number] = part.beside(left)

    def likely(self, bare: Bare, left: Cells, most: int = NEXT) -> Poses:
        """The likeliest places, at `most` so many, of a card whose visible part is `bare`.

        Half are the best by print and edges, half by those and by how much they explain of what is
        `left`.
        """
        every = [part.worth(bare, left) for part in self.parts]
        places, worth, gains = zip(*every, strict=True)
        some, shown = joined(places), np.concatenate(worth)
        # With a repetitive print, the fully visible card next to it would be one of many equally
        # good ones.
        ways = (shown, shown + np.concatenate(gains))
        best = (distinct(some, one, most // 2) for one in ways)
        return some.chosen(np.unique(np.concatenate([*best])))
