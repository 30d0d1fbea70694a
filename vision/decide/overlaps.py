"""Cards of a known deck that lie over each other, read by the visible parts of their faces.

What stands out from the table and is larger than one card is explained from the top: first a card
in full sight that the deck knows, then what shows beside it. Where a card may lie follows from the
corners of the area; for one between others, from all places at which a card of that turn fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, islice
from operator import attrgetter
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.edges import edged, hidden_under
from vision.decide.corners import at_corners, corner_points, edges
from vision.find.outlines import SMALLEST, Mask
from vision.picture.geometry import Floats
from vision.read.face_search import HIDDEN, WITHIN, FaceSearch, Size
from vision.read.fingerprint import CELLS, Cells, in_sight

Moves: TypeAlias = tuple[tuple[float, int], ...]
"""How far a card is moved, and how often."""

LARGER, LARGEST = 1.12, 10.0
"""Areas between these numbers of cards' sizes are explained. A choice: below is one card and its
shadow, above is something other than a heap of cards."""
MOVES = ((0.07, 3), (0.03, 3), (0.015, 3))
"""By which parts of the short side, or how many radians, a card is moved to where it agrees best,
and how often at most. A choice: from the step between two places down to a pixel."""
WAYS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
"""Across, down, and turned. Follows from how a card can lie otherwise."""
CHOSEN, TRIED = 3, 9
"""How many of the places where a card agrees best, and whose borders show, are tried a move further
before one is chosen; and in how many those are looked for. A choice;
`python -m tests.italian_decks` judges it."""
ALIKE, TURNS_MOST = 0.08, 5
"""Turns that differ by less, in radians, are one; and how many are tried. A choice: each takes some
hundredths of a second."""
TOP = 0.85
"""How well the uppermost card agrees with one of the deck. A choice; `python -m
tests.italian_decks` judges it."""
AREAS_MOST = 8
"""Areas that are looked at for the cards' size. A choice: a table's hands."""
SURE = 0.93
"""From this agreement on, a card whose corner shows is taken without looking for one that lies
between it and those above. A choice; the same command judges it."""
UNDER = 0.75
"""The same for a card partly in sight. A choice; the same command judges it."""
CELLS_LEAST = 14
"""Cells in sight by which a card can be named: a fifth of it. A choice; the same command judges
it."""
WHOLE = 0.05
"""How much a card that explains all that is left is preferred. A choice; the same command judges
it."""
MOST = 0.6
"""The share of the rest that a card between others must explain. A choice; the same command judges
it."""
LEFT = 0.1
"""The share of a card that may stay unexplained. A choice: shadows and rounded corners."""
EDGED, NEAR = 0.6, 3
"""The share of a card's border in sight that must show an edge in the picture, and how many pixels
from where it lies: a scale that is told by the cards themselves is off by as much. Within two
pixels 60 cards of rows and pairs drawn for two decks had 0.84 and more, six that a shadow on a
plain cloth was taken for 0.34 and less. A choice; `python -m tests.teaching` judges it."""
BEYOND = 16
"""Pixels around an area that are looked at too, for the edges between it and the table. A choice:
as far as a card that is tried may lie beyond it."""
STRIP, ALL = 0.15, 0.9
"""The share of a card that has to be left for one more to be told by its border, and how much of
that it explains. A choice: a strip of 8 mm of bare paper along a long side of a card;
`python -m tests.italian_decks` judges it."""
IN_FULL = 0.9
"""The share of a card in sight from which on it stays what it is beside its like: two packs may
be in play. A choice."""
CARDS_MOST = 8
"""Cards of one heap. A choice: more are no longer laid side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class Partly:
    """A card with its `corners` (4, 2) and the cells of it that are in sight."""

    corners: Floats
    visible: Cells
    agreed: float = 0.0
    """How well the visible part agrees with a card of the deck."""
    named: bool = True
    """Whether that is enough to say which card it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """The cards that explain an area, the uppermost first, and how much of it is `left`, in
    cards."""

    area: Mask
    cards: list[Partly]
    left: float

    @property
    def worth(self) -> float:
        """How much is explained, and how well."""
        return sum(card.agreed * float(card.visible.mean()) for card in self.cards)

    def shares(self, area: Mask) -> bool:
        """Whether the cards lie in that area too."""
        return any(bool(area[_pixel(card.corners, area)]) for card in self.cards)


def _pixel(corners: Floats, area: Mask) -> tuple[int, int]:
    """The middle of a card as a row and a column of the area's."""
    x, y = corners.mean(axis=0)
    high, wide = area.shape
    return min(max(round(float(y)), 0), high - 1), min(max(round(float(x)), 0), wide - 1)


def explanations(masks: Iterable[Mask], size: Size, faces: FaceSearch) -> list[Explanation]:
    """The best explanation of each area that is larger than one card and shows in any of the masks.

    An area that one mask leaves unexplained, or shows in part, is looked at in the next.
    """
    found: list[Explanation] = []
    for mask in masks:
        for area in heaps(mask, size):
            if not any(one.left <= LEFT and one.shares(area) for one in found):
                found.append(explained(area, size, faces))
    chosen: list[Explanation] = []
    for one in sorted(found, key=attrgetter("worth"), reverse=True):
        if one.cards and not any(_same_place(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def size_of(masks: Iterable[Mask], ratio: float, faces: FaceSearch) -> Size | None:
    """The size of cards that only lie over each other, whose length is `ratio` times their width.

    An edge of a card in full sight is its short or its long side; the size at which the cards of
    most areas are known is theirs. `None` where none is known.
    """
    for mask in masks:
        found = [one for area in _areas(mask) if (one := _size_in(area, ratio, faces)) is not None]
        if found:
            short = float(np.median(found))
            return short, short * ratio
    return None


def _areas(mask: Mask) -> list[Mask]:
    """The largest areas of a mask, filled, each by itself."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [one for one in contours if cv2.contourArea(one) >= SMALLEST**2]
    large.sort(key=cv2.contourArea, reverse=True)
    return [_filled(mask, contour) for contour in large[:AREAS_MOST]]


def _size_in(area: Mask, ratio: float, faces: FaceSearch) -> float | None:
    """The short side of the card in full sight that an area shows best, if it shows one."""
    room = _count(area)
    about = float(np.sqrt(room / (2 * ratio)))
    points = corner_points(area, about)
    lengths = [float(np.linalg.norm(end - start)) for start, end in edges(points, about)]
    sides = sorted({round(side) for length in lengths for side in (length, length / ratio)})
    best, most = None, TOP
    for short in sides:
        size = float(short), short * ratio
        if short < SMALLEST or not room / LARGEST <= size[0] * size[1] <= room:
            continue
        heap = Heap(area, size, faces)
        agreed = max((faces.agrees(one, None) for one in heap.fitting), default=0.0)
        if agreed > most:
            best, most = float(short), agreed
    return best


def _same_place(one: Explanation, other: Explanation) -> bool:
    return other.shares(one.area) or one.shares(other.area)


def heaps(mask: Mask, size: Size) -> list[Mask]:
    """The areas of a mask that are larger than one card, filled, each by itself."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    card = size[0] * size[1]
    found = []
    for contour in contours:
        if LARGER * card <= cv2.contourArea(contour) <= LARGEST * card:
            found.append(_filled(mask, contour))
    return found


def _filled(mask: Mask, contour: cv2.typing.MatLike) -> Mask:
    area = np.zeros_like(mask)
    cv2.drawContours(area, [contour], -1, (255,), -1)
    return area


def explained(area: Mask, size: Size, faces: FaceSearch) -> Explanation:
    """The cards that lie over each other in an area.

    The one below them of which too little shows to name it is told as such; those below that are
    left out.
    """
    x, y, wide, high = cv2.boundingRect(area)
    left, top = max(0, x - BEYOND), max(0, y - BEYOND)
    there = np.s_[top : y + high + BEYOND, left : x + wide + BEYOND]
    heap = Heap(area[there], size, replace(faces, picture=faces.picture[there]))
    while heap.left > LEFT and len(heap.cards) < CARDS_MOST:
        if not heap.laid_below() and not heap.slid_between():
            break
    heap.drop_needless()
    heap.part_twins()
    heap.lay_unnamed()
    moved = np.array((left, top), np.float32)
    cards = [replace(card, corners=card.corners + moved) for card in heap.cards]
    return Explanation(area, cards, heap.left)


@dataclass
class Heap:
    """An area, and the cards that are known to lie there."""

    area: Mask
    size: Size
    faces: FaceSearch
    cards: list[Partly] = field(default_factory=list)

    @cached_property
    def fitting(self) -> list[Floats]:
        """Cards at a corner of the area that lie within it."""
        return [one for one in at_corners(self.area, self.size) if self._fits(one)]

    @cached_property
    def turns(self) -> list[float]:
        """The turns that its cards and edges have."""
        lines = edges(corner_points(self.area, self.size[0]), self.size[0])
        lines.sort(key=lambda edge: -float(np.linalg.norm(edge[1] - edge[0])))
        ways = [one[1] - one[0] for one in (*self.fitting, *lines)]
        return _turns(ways)[:TURNS_MOST]

    @property
    def left(self) -> float:
        """How much is not explained, in cards."""
        return _count(self._rest) / (self.size[0] * self.size[1])

    @property
    def _rest(self) -> Mask:
        rest = self.area.copy()
        for card in self.cards:
            cv2.fillConvexPoly(rest, np.round(card.corners).astype(np.int32), (0,))
        open_ = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        return np.asarray(open_, np.uint8)

    def laid_below(self) -> bool:
        """Add the card that is next from the top, if there is one: the uppermost, which is in full
        sight, or the one that agrees best under those that are known."""
        found = self._next(self.cards)
        if found is None or (not self.cards and found.agreed < TOP):
            return False
        self.cards.append(found)
        return True

    def slid_between(self) -> bool:
        """Add a card that lies under some of the known ones and over others, if one explains the
        rest: the lower ones may show so much that they were found first.
        """
        for place in range(len(self.cards) - 1, 0, -1):
            over, under = self.cards[:place], self.cards[place:]
            card = self._anywhere(over)
            if card is not None and card.agreed >= SURE and self._adds(card):
                self.cards = [*over, card]
                for one in under:
                    self.cards.append(self._seen_again(one))
                return True
        return False

    def drop_needless(self) -> None:
        """Leave out each card without which those below it explain as much: signs in rows look like
        another card's between others.
        """
        place = 1
        while place < len(self.cards):
            fewer = replace(self, cards=self.cards[:place])
            for one in self.cards[place + 1 :]:
                fewer.cards.append(fewer._seen_again(one))
            if fewer.left <= max(self.left, LEFT) and fewer.misfit <= self.misfit:
                self.cards = fewer.cards
            else:
                place += 1

    def part_twins(self) -> None:
        """Take one card for two that look the same: a card's signs, each seen as another card of
        that number. Where none explains both, the lower one is a question.
        """
        for over, under in combinations(range(len(self.cards)), 2):
            if self._which(over) != self._which(under):
                continue
            one = self._instead_of(over, under)
            if one is not None:
                self.cards = one
                return
            if float(self.cards[under].visible.mean()) < IN_FULL:
                self.cards[under] = replace(self.cards[under], named=False)

    def _which(self, place: int) -> int:
        card = self.cards[place]
        return self.faces.which(card.corners, card.visible if place else None)

    def _instead_of(self, over: int, under: int) -> list[Partly] | None:
        """The cards with one in the place of two that explains as much and agrees as well."""
        fewer = replace(self, cards=self.cards[:over])
        card = fewer._anywhere(fewer.cards)
        if card is None:
            return None
        fewer.cards.append(card)
        for place, one in enumerate(self.cards):
            if place > over and place != under:
                fewer.cards.append(fewer._seen_again(one))
        as_good = fewer.left <= max(self.left, LEFT) and fewer.misfit <= self.misfit
        return fewer.cards if as_good else None

    def lay_unnamed(self) -> None:
        """Add the card that explains what is left by its border alone, if one does."""
        if not self.cards or self.left <= STRIP:
            return
        rest, over = self._rest, [card.corners for card in self.cards]
        shares = [_count(self._shown(one) & rest) / _count(rest) for one in self.fitting]
        share, place = max(zip(shares, range(len(shares)), strict=True), default=(0.0, 0))
        if share >= ALL:
            card = replace(self.seen(self.fitting[place], over), named=False)
            if self._edged(card, over):
                self.cards.append(card)

    @property
    def misfit(self) -> float:
        """How much of the cards in sight does not agree, in cards."""
        return sum((1 - card.agreed) * float(card.visible.mean()) for card in self.cards)

    def _edged(self, card: Partly, over: Sequence[Floats]) -> bool:
        """Whether the picture shows the border of a card where those `over` it do not hide it."""
        hidden = hidden_under(card.corners, over)
        return edged(self.faces.picture, card.corners, NEAR, hidden) >= EDGED

    def _seen_again(self, card: Partly) -> Partly:
        """A card with everything that is now known to lie over it."""
        return self.seen(card.corners, [one.corners for one in self.cards])

    def _adds(self, card: Partly) -> bool:
        """Whether a card explains most of the rest."""
        rest = self._rest
        return _count(self._shown(card.corners) & rest) >= MOST * _count(rest)

    def _next(self, over: Sequence[Partly]) -> Partly | None:
        """The card that is the likeliest under those `over` it: at a corner, or anywhere."""
        cornered = self._best(self.fitting, over)
        if cornered is not None and cornered.agreed >= SURE:
            return cornered
        return max(filter(None, (cornered, self._anywhere(over))), key=self._worth, default=None)

    def _anywhere(self, over: Sequence[Partly]) -> Partly | None:
        """The likeliest card wherever one fits under those `over` it."""
        covers = [card.corners for card in over]
        least = CELLS_LEAST if over else CELLS
        places: list[Floats] = []
        for turn in self.turns:
            for way in (turn, turn + np.pi / 2):
                places += self.faces.anywhere(self.area, way, self.size, covers, least)
        return self._best(places, over)

    def _settled(self, card: Partly, over: Sequence[Floats], moves: Moves = MOVES) -> Partly:
        """The same card where it agrees best near where it was found, below those `over` it."""
        for step, times in moves:
            for _ in range(times):
                before = card
                for way in WAYS:
                    card = self._pushed(card, over, step * np.array(way))
                if card is before:
                    break
        return card

    def _pushed(self, card: Partly, over: Sequence[Floats], by: NDArray[np.float64]) -> Partly:
        """A card moved one way or the other, if it agrees better there."""
        for moved in (by, -by):
            there = self.seen(_moved(card.corners, moved, self.size[0]), over)
            if there.agreed > card.agreed:
                return there
        return card

    def seen(self, corners: Floats, over: Sequence[Floats]) -> Partly:
        """What lies at some `corners` below those `over` it."""
        visible = in_sight(corners, over)
        agreed = self.faces.agrees(corners, visible if over else None) if visible.any() else 0.0
        return Partly(corners, visible, agreed)

    def _shown(self, corners: Floats) -> Mask:
        shown = np.zeros_like(self.area)
        cv2.fillConvexPoly(shown, np.round(corners).astype(np.int32), (255,))
        return shown

    def _fits(self, corners: Floats) -> bool:
        inside = self._shown(corners)
        return _count(inside & self.area) >= WITHIN * max(_count(inside), 1)

    def _best(self, places: Sequence[Floats], cards: Sequence[Partly]) -> Partly | None:
        """The likeliest card of those at some places below the `cards`."""
        over = [card.corners for card in cards]
        least = CELLS_LEAST if over else CELLS
        tried = [self.seen(corners, over) for corners in places]
        likely = [one for one in tried if one.agreed >= UNDER and one.visible.sum() >= least]
        likely.sort(key=self._worth, reverse=True)
        nearer = (self._settled(one, over, MOVES[:1]) for one in likely[:TRIED])
        bordered = (one for one in nearer if self._edged(one, over))
        chosen = sorted(islice(bordered, CHOSEN), key=self._worth, reverse=True)
        # Moved to where its face agrees best, a card that is none leaves the edges it was found on.
        settled = (self._settled(one, over, MOVES[1:]) for one in chosen)
        return next((one for one in settled if self._edged(one, over)), None)

    def _worth(self, card: Partly) -> float:
        """How likely a card is: how well its visible part agrees, and how much of the rest it
        explains.
        """
        rest = self._rest
        explained = _count(self._shown(card.corners) & rest) / max(_count(rest), 1)
        return card.agreed - HIDDEN * (1 - float(card.visible.mean())) + WHOLE * explained


def _moved(corners: Floats, by: NDArray[np.float64], short: float) -> Floats:
    """A card moved across and down, by so many of its short side, and turned by radians."""
    middle = corners.mean(axis=0)
    across, down = (
        (corners[n] - corners[0]) / np.linalg.norm(corners[n] - corners[0]) for n in (1, 3)
    )
    turn = float(by[2])
    own = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    moved = (corners - middle) @ own + middle + (by[0] * across + by[1] * down) * short
    return np.asarray(moved, np.float32)


def _count(mask: Mask) -> int:
    return int(np.count_nonzero(mask))


def _turns(lines: Iterable[Floats]) -> list[float]:
    """The turns of the ways (2,) that some lines have, from 0 to a quarter, each once."""
    turns: list[float] = []
    for way in lines:
        turn = float(np.arctan2(way[1], way[0])) % (np.pi / 2)
        if all(abs((turn - one + np.pi / 4) % (np.pi / 2) - np.pi / 4) >= ALIKE for one in turns):
            turns.append(turn)
    return turns
