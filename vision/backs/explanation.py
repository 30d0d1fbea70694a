"""The cards that explain a heap of backs: what the picture shows of each, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.backs.poses import Poses
from vision.picture.geometry import Floats

LEAST = 0.05
"""The share of a card that must be left of a heap for another card to be looked for. A choice;
`python -m tests.face_down` judges it."""
UNEXPLAINED = 4.0
"""How much more a card's area that is left of a heap counts than its edge and print. A choice;
`python -m tests.face_down` judges it."""
SLIVER, OUTER = 0.1, 0.5
"""The share of a card in sight under which it is left out if the others explain that too, and which
share of its border in sight must be the heap's then: between two cards of a row there is none. A
choice; `python -m tests.face_down` judges it."""
EDGED, ALIKE = 0.9, 0.92
"""The shares of its border in sight that must show an edge, and of its face the print, of a card
that is told for certain. A choice; `python -m tests.face_down` judges it."""
DISTINCT = 0.075
"""The share of a card in sight from which it is told for certain: less may be the error of the
cards beside it. A choice; `python -m tests.face_down fan` judges it."""
SLIM, SHARP = 0.35, 0.95
"""Up to which share in sight the lower of two cards has too little print to compare, and what of
its border must show an edge then. A choice: of a fan of three a finger's breadth apart the lowest
shows 0.38; `python -m tests.face_down trick` judges it."""
NEARLY = 0.95
"""The share of a card's face that must show the print among three cards and more, where a line
across it differs: by fewer of them it is explained worse. A choice;
`python -m tests.face_down fan` judges it."""
LINE = 0.025
"""The share of a card that another one's border takes up: 1.5 mm from side to side. A choice;
`python -m tests.face_down fan` judges it."""
POSSIBLE = 0.8
"""The same of any card: with one that shows less no explanation goes on. A choice;
`python -m tests.face_down` judges it."""
RIVAL = 0.06
"""By how much less the second best explanation of a heap must be worth. A choice;
`python -m tests.face_down` judges it."""
SEAM, FAINT, CLOSELY = 0.32, 0.15, 0.97
"""The share of a line across a card that differs from the print from which a seam may be there, and
from which one may be of a card that has less than the third of the print. A choice between pairs
and tricks, of which 23 of 25 had 0.3 and less on the drawn tables 15 to 27, and fans of five that
passed for fewer cards; `python -m tests.face_down fan pair trick` judges it."""
SEAMED = 0.25
"""How much a seam in it counts against a card, compared with its edges and its print. A choice: of
cards where they lie 0.1 to 0.2 of a line differs, of others across them 0.3 and more;
`python -m tests.face_down fan` judges it."""
SYMMETRIC = 0.97
"""The share of the uppermost card that looks the same turned half round from which its print is
taken to be one card's. Others of its deck are tried then as well; `python -m tests.face_down fan`
judges it."""
TURNED = 0.75
"""The same share from which a strip under it may be a card for certain. A choice: a deck's backs
reach it, other games' cards and prints seldom; the photographs with clutter and
`python -m tests.face_down` judge it."""
IN_FULL = 0.97
"""The share of a card in sight from which nothing lies over it; the rest is the cards' error. A
choice; `python -m tests.face_down row column` judges it."""
FEWER = 0.025
"""By how much less a heap is explained by each further card. A choice;
`python -m tests.face_down` judges it."""
PLAIN, CLEAR = 1.93, 0.98
"""From how much edge and print, and from which edges of each card, a stack is not compared with
others. A choice; `python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A card of a stack, where it lies (`pose`), and what the picture shows of it, in shares 0..1.

    `edged` and `bordered` are of its border in sight: what shows an edge, and what is the heap's;
    `printed` of its face in sight: what shows the print; `sight` of its area: what is in sight;
    `seam` of a line across it: what differs from the print.
    """

    pose: Poses
    edged: float
    printed: float
    sight: float
    bordered: float
    seam: float = 0.0

    @property
    def corners(self) -> Floats:
        """Its corners (4, 2) on the sheet."""
        return np.asarray(self.pose.outlines()[0], np.float32)

    @property
    def worth(self) -> float:
        """How much edge and print it shows, and how little of another card's border."""
        return self.edged + self.printed - SEAMED * self.seam

    @property
    def certain(self) -> bool:
        """Whether it shows its edges and the print, and no line of another card between."""
        shown = self.edged >= EDGED and self.printed >= ALIKE and self.sight >= DISTINCT
        return shown and self.seamless and self.seam < (SEAM if self.printed >= CLOSELY else FAINT)

    @property
    def likely(self) -> bool:
        """Whether it is nearly as certain, and the others may tell."""
        shown = self.edged >= SHARP and self.printed >= NEARLY and self.sight >= DISTINCT
        return shown and self.seamless and self.seam < SEAM

    @property
    def seamless(self) -> bool:
        """Whether less of it differs from the print than another card's border would."""
        return (1 - self.printed) * self.sight < LINE

    @property
    def slim(self) -> bool:
        """Whether so little of it is in sight that its border has to do, and does."""
        border = self.edged >= SHARP and self.bordered >= OUTER
        some = DISTINCT <= self.sight < SLIM and self.printed >= POSSIBLE
        return border and (some or self.corners_only) and self.seam < SEAM

    @property
    def corners_only(self) -> bool:
        """Whether nothing but corners of it are in sight, and they are plainly a card's."""
        plainly = min(self.edged, self.bordered) >= SHARP and self.printed >= ALIKE
        return plainly and LEAST <= self.sight < DISTINCT


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """The cards of a heap, uppermost first, and the share of a card that they leave of it."""

    cards: tuple[Copy, ...]
    left: float
    symmetry: float = 1.0
    """The share of the uppermost card that looks the same turned half round."""

    @property
    def certain(self) -> bool:
        """Whether all of its cards are plainly to be seen, and explain all of the heap."""
        two = len(self.cards) == 2
        # Other games' cards and prints have strips like a card's, too, but seldom look the same
        # turned half round.
        strips = not two or self.symmetry >= TURNED
        return self.left < LEAST and all(
            (one.certain or (one.slim if two else one.likely)) and (strips or one.sight >= SLIM)
            for one in self.cards
        )

    @property
    def plain(self) -> bool:
        """Whether it is so plain that no other way needs to be tried."""
        clear = all(one.edged >= CLEAR for one in self.cards)
        whole = self.symmetry >= SYMMETRIC and self.shown >= PLAIN
        return self.certain and ((clear and whole) or self.apart)

    @property
    def apart(self) -> bool:
        """Whether it is several cards that all lie in full sight, side by side."""
        return len(self.cards) > 1 and all(one.sight >= IN_FULL for one in self.cards)

    def rivals(self, other: Stack) -> bool:
        """Whether it explains the heap nearly as well as another one, by other cards."""
        near = self.worth >= other.worth - RIVAL
        return near and len(self.cards) != len(other.cards)

    @property
    def worth(self) -> float:
        """How well it explains the heap; of several, fewer cards are likelier, and a card that is
        printed the same both ways round."""
        clear = self.shown + self.symmetry - 1
        return clear - UNEXPLAINED * self.left - FEWER * len(self.cards)

    @property
    def shown(self) -> float:
        """How much edge and print the card shows that shows least."""
        return min(one.worth for one in self.cards)
