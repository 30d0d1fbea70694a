"""A heap of backs, explained from its uppermost card down by copies of that one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import cv2
import numpy as np

from vision.backs.copies import (
    DENSE,
    Bare,
    Pattern,
    Poses,
    distinct,
    everywhere,
    grown,
    held,
    pattern_of,
    printed_alike,
    sides_of,
    symmetry,
)
from vision.backs.fitting import fitted
from vision.backs.parts import Cells, Size
from vision.backs.registration import Print, places_near, registered
from vision.backs.seams import seam
from vision.backs.sheet import ACROSS, Sheet, filled, joined_to, sheet
from vision.backs.uppermost import CLOSELY_AT, TRIED, settled, uppermost
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

LEAST = 0.05
"""The share of a card that must be left of a heap for another card to be looked for. A choice;
`python -m tests.face_down` judges it."""
MOST = 12
"""The most cards that one heap is explained by; a row across a table has ten. A choice;
`python -m tests.face_down` judges it."""
BORDER = 2.0
"""Dots around a card that are its own, by its shadow and the error of both. A choice;
`python -m tests.face_down` judges it."""
SWOLLEN = 1.5
"""Dots by which a heap is larger than its cards all round, by its soft border and by what juts out
of packets. A choice: of two cards shifted by ten, one card between them leaves a band of four;
`python -m tests.face_down pair` judges it."""
THREAD = 5
"""Dots up to which what is left of a heap is a thread along a border, and no card. A choice;
`python -m tests.face_down` judges it."""
ON_HEAP = 0.5
"""The share of the uppermost card that is the heap's; the rest may lie under faces. A choice;
`python -m tests.face_down` judges it."""
BLURRED = 0.1
"""By how many cards' area a heap may be larger than its cards are, by its soft border. A choice;
`python -m tests.face_down` judges it."""
UNEXPLAINED = 4.0
"""How much more a card's area that is left of a heap counts than its edge and print. A choice;
`python -m tests.face_down` judges it."""
NEXT, CHOSEN = 24, 5
"""How many places are fitted to their edges for each further card, and how many of those are looked
at closely. A choice: of 22 drawn fans 12 were explained right with 4 places, 17 with 12, and 15
with 24 of which 5 are looked at closely, at four fifths of the work;
`python -m tests.face_down fan` judges it."""
SLIVER, OUTER = 0.1, 0.5
"""The share of a card in sight under which it is left out if the others explain that too, and which
share of its border in sight must be the heap's then: between two cards of a row there is none. A
choice; `python -m tests.face_down` judges it."""
PRINT = 0.6
"""The share of what is in sight of another card that must have its print at a place where it is
only looked for. A choice; `python -m tests.face_down` judges it."""
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
FEWER = 0.025
"""By how much less a heap is explained by each further card. A choice;
`python -m tests.face_down` judges it."""
PLAIN, CLEAR = 1.93, 0.98
"""From how much edge and print, and from which edges of each card, a stack is not compared with
others. A choice; `python -m tests.face_down` judges it."""
GAIN, AS_GOOD = 0.1, 0.045
"""How much the share of a card that it explains of a heap counts beside its edges and its print,
and by how much less two cards may show for the one that explains more to come first. A choice;
`python -m tests.face_down fan` judges it."""


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
        return border and some and self.seam < SEAM


@dataclass(frozen=True, slots=True, eq=False)
class Prints:
    """The uppermost card's print: as it is one and two dots around (`near` and `wide`), and
    exactly."""

    near: Pattern
    wide: Pattern
    exact: Print

    @classmethod
    def of(cls, top: Poses) -> Prints:
        """The print of the first of some cards."""
        return cls(pattern_of(top), pattern_of(top, 2), Print.of(top))


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
        whole = self.symmetry >= SYMMETRIC
        return clear and whole and self.certain and self.shown >= PLAIN

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


@dataclass(frozen=True, slots=True, eq=False)
class Heaped:
    """The corners (4, 2) in the picture of the cards by which a heap is explained best, uppermost
    first, and whether they are `certain`; none where nothing explains all of it."""

    cards: tuple[Floats, ...] = ()
    certain: bool = False


def stacked(
    frame: Frame,
    areas: Areas,
    seed: Floats,
    size: Size,
    faces: Sequence[Floats],
    *,
    under: bool = False,
) -> Heaped:
    """The cards of a heap, of about a `size` in pixels.

    The heap stands out from its ground and touches the outline `seed` (4, 2), which is its
    uppermost card where something lies `under` that. What `faces` (4, 2) hide belongs to it if
    need be.
    """
    made = sheet(frame, areas, seed, size, faces)
    begun = made.on_sheet(seed)
    made.heap = joined_to(made.heap, filled(made.heap.shape, begun))
    dots = float(ACROSS), ACROSS * size[1] / size[0]
    if under and _share(_left(made, [begun]), dots) < LEAST:
        return Heaped()
    best, certain = best_stack(made, dots)
    if best is None:
        return Heaped()
    return Heaped(tuple(made.in_frame(one.corners) for one in best.cards), certain)


def best_stack(heap: Sheet, size: tuple[float, float]) -> tuple[Stack | None, bool]:
    """The cards by which a heap is explained best, where a card has a `size` in dots, and whether
    for certain: nothing of it is left, every card shows its edges and the uppermost one's print,
    and no other number of cards explains it as well."""
    found = [one for one in stacks(heap, size) if one.left < LEAST]
    certain = (one for one in found if one.certain)
    best = max(certain, key=lambda one: one.worth, default=None)
    if best is not None and not any(one.rivals(best) for one in found):
        return best, True
    return max(found, key=lambda one: one.worth, default=None), False


def stacks(heap: Sheet, size: tuple[float, float]) -> Iterator[Stack]:
    """The ways in which a heap can be explained, one for each card that may be its uppermost."""
    places = everywhere(heap, size)
    if not len(places.at):
        return
    gains = held(places, heap.heap)
    waiting, tried = uppermost(places.chosen(gains >= ON_HEAP)), 0
    fewest = max(2, ceil(_share(heap.heap, size) - BLURRED))
    floor = 0.0
    while waiting and tried < TRIED:
        whole = waiting.pop(0)
        tried += 1
        near = Poses(heap, whole.size, places.at[gains >= LEAST])
        stack = explained(whole, near, floor)
        yield stack
        if stack.certain:
            floor = max(floor, stack.worth - RIVAL)
        # Any card may pass for the uppermost one, of a print that is alike all over; more cards
        # then make up for that.
        if stack.plain and len(stack.cards) <= fewest:
            return
        # It may be that a lower one is the uppermost.
        if len(stack.cards) == 2 and tried == 1:
            waiting.insert(0, settled(stack.cards[1].pose))


def explained(top: Poses, places: Poses, floor: float = 0.0) -> Stack:
    """The heap of a sheet below its uppermost card `top`, by copies at some of the `places`; broken
    off where it can be worth no more than the `floor`."""
    heap, prints = top.sheet, Prints.of(top)
    laid = [top.outlines()[0]]
    nothing = Bare.beside(heap, ())
    shares = sides_of(top, nothing, CLOSELY_AT).shares
    both = symmetry(top, prints.near, nothing)
    cards = [Copy(top, float(shares[0]), printed=1.0, sight=1.0, bordered=1.0)]
    while len(cards) < MOST:
        left = _left(heap, laid)
        if _share(left, top.size) < LEAST:
            break
        found = _next(left, places, prints, laid)
        if found is None or min(found.edged, found.printed) < POSSIBLE:
            break
        if found.worth + both - 1 - FEWER * (len(cards) + 1) < floor:
            break
        cards.append(found)
        laid.append(found.corners)
    needed = _needed(heap, cards, prints)
    return Stack(needed, uncovered(heap, [one.corners for one in needed], top.size), both)


def _needed(heap: Sheet, cards: Sequence[Copy], prints: Prints) -> tuple[Copy, ...]:
    """Some cards, uppermost first, without those whose part of the heap the others explain just as
    well."""
    kept = list(cards)
    whole = cv2.contourArea(cards[0].corners)
    for one in sorted(cards[1:], key=lambda card: card.sight):
        others = [card for card in kept if card is not one]
        left = _left(heap, [card.corners for card in others])
        if np.count_nonzero(left) >= LEAST * whole:
            continue
        fewer = _bared(heap, others, prints)
        least = min(card.worth for card in kept)
        seamless = all(card.seam < FAINT or card.seam <= old.seam
                       for card, old in zip(fewer, others, strict=True))  # fmt: skip
        if one.sight < SLIVER or (seamless and min(c.worth for c in fewer) >= least - FEWER):
            kept = fewer
    return tuple(kept)


def _bared(heap: Sheet, cards: Sequence[Copy], prints: Prints) -> list[Copy]:
    """Cards, uppermost first, with what the picture shows of each beside those over it."""
    shown = [cards[0]]
    for one in cards[1:]:
        laid = [card.corners for card in shown]
        seen = _copy(one.pose, prints.near, Bare.beside(heap, laid))
        shown.append(replace(seen, seam=seam(one.pose, prints.wide, laid)))
    return shown


def _next(left: Cells, places: Poses, prints: Prints, laid: Sequence[Floats]) -> Copy | None:
    """The card below those `laid` that explains some of what is `left`, if any place shows one."""
    gains = held(places, left)
    near, gains = places.chosen(gains >= LEAST), gains[gains >= LEAST]
    if not len(near.at):
        return None
    bare = Bare.beside(near.sheet, laid)
    alike, sight = printed_alike(near, prints.wide, bare)
    likely = (alike >= PRINT) & (sight >= LEAST)
    near, alike, gains = near.chosen(likely), alike[likely], gains[likely]
    if not len(near.at):
        return None
    sides = sides_of(near, bare)
    worth = np.asarray(alike + sides.shares + sides.bordered / 2, np.float32)
    # Of a print that repeats itself the card beside, in full sight, is one of many as clear.
    tried = [*distinct(near, worth, NEXT // 2), *distinct(near, worth + gains, NEXT // 2)]
    first = [_copy(fitted(one, bare), prints.near, bare) for one in tried]
    first.sort(key=lambda one: -one.worth - GAIN * _gain(one, left))
    found = []
    for copy in (_closer(one, prints, bare) for one in first[:CHOSEN]):
        gain = _gain(copy, left)
        strip = copy.sight >= SLIVER or copy.bordered >= OUTER
        if gain >= LEAST / 2 and copy.sight >= LEAST and strip:
            found.append((replace(copy, seam=seam(copy.pose, prints.wide, laid)), gain))
    if not found:
        return None
    best = max(copy.worth for copy, _ in found)
    good = [one for one in found if one[0].worth >= best - AS_GOOD]
    return max(good, key=lambda one: one[1])[0]


def _gain(copy: Copy, left: Cells) -> float:
    """The share of a card that lies on what is `left` of a heap."""
    return float(held(copy.pose, left, DENSE)[0])


def _closer(copy: Copy, prints: Prints, bare: Bare) -> Copy:
    """A card where it shows most: as it is, or at one of the best places around, by its edges and
    its print there."""
    near = places_near(copy.pose, prints.near, bare)
    ways = (registered(fitted(one, bare), prints.exact, bare) for one in near)
    return max([copy, *(_copy(way, prints.near, bare) for way in ways)], key=lambda one: one.worth)


def _copy(card: Poses, pattern: Pattern, bare: Bare) -> Copy:
    alike, sight = printed_alike(card, pattern, bare, DENSE)
    sides = sides_of(card, bare, CLOSELY_AT)
    return Copy(
        card, float(sides.shares[0]), float(alike[0]), float(sight[0]), float(sides.bordered[0])
    )


def _left(heap: Sheet, laid: Sequence[Floats]) -> Cells:
    """What of a sheet's heap cards leave unexplained."""
    left = heap.heap.copy()
    for corners in laid:
        left &= 1 - filled(left.shape, grown(corners, BORDER))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (THREAD, THREAD))
    return np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, kernel), np.uint8)


def uncovered(heap: Sheet, laid: Sequence[Floats], size: Size) -> float:
    """How many cards' area of a sheet's heap cards leave unexplained: beside them, or as a band
    around them that is wider than a border is soft."""
    covered = np.zeros_like(heap.heap)
    for corners in laid:
        covered |= filled(covered.shape, corners)
    around, _ = cv2.findContours(covered, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    soft = SWOLLEN * sum(cv2.arcLength(one, closed=True) for one in around)
    band = float(np.count_nonzero(heap.heap & (1 - covered))) - soft
    return max(_share(_left(heap, laid), size), band / (size[0] * size[1]))


def _share(cells: Cells, size: Size) -> float:
    """How many cards' area some cells are."""
    return float(np.count_nonzero(cells)) / (size[0] * size[1])
