"""The cards of a known deck in one area, from the uppermost down, by what shows of their faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, islice

import cv2
import numpy as np

from vision.backs.edges import edged, hidden_under
from vision.decide.corners import at_corners, corner_points, edges
from vision.decide.partly import MOVES, Moves, Partly, seen, settled
from vision.find.outlines import Mask
from vision.picture.geometry import Floats
from vision.read.face_search import HIDDEN, MOST, WITHIN, FaceSearch, Size
from vision.read.fingerprint import CELLS

CHOSEN, TRIED = 3, 9
"""Number of best-agreeing places with visible borders that are refined by another move before one
is chosen, and the number of places searched for them. A choice; `python -m tests.italian_decks`
judges it."""
ALIKE, TURNS_MOST = 0.08, 5
"""Difference in radians below which two rotations are the same, and the number of rotations tried.
A choice: each takes some hundredths of a second."""
TOP = 0.85
"""Minimum agreement of the uppermost card with one of the deck. A choice;
`python -m tests.italian_decks` judges it."""
SURE = 0.93
"""Minimum agreement at which a card whose corner shows is accepted without searching for one
between it and those above. A choice; `python -m tests.italian_decks` judges it."""
UNDER = 0.75
"""Minimum agreement of a partly visible card. A choice; `python -m tests.italian_decks` judges it.
"""
CELLS_LEAST = 14
"""Minimum number of visible cells by which a card can be named: a fifth of it. A choice;
`python -m tests.italian_decks` judges it."""
WHOLE = 0.05
"""Bonus for a card that explains all that is left. A choice; `python -m tests.italian_decks` judges
it."""
REST = 0.6
"""Minimum share of the rest that a card between others must explain. A choice;
`python -m tests.italian_decks` judges it."""
LEFT = 0.05
"""Share of a card that may stay unexplained, for shadows and rounded corners. A choice: of 191
drawn rows that were explained rightly none left more than 0.02, and one with a four of cups in
place of a three 0.09; `python -m tests.italian_decks` judges it."""
EDGED, NEAR = 0.6, 3
"""Minimum share of a card's visible border at which the picture must show an edge, and the
tolerance in pixels: a scale estimated from the cards themselves is off by as much. Within two
pixels, 60 cards of rows and pairs drawn for two decks had at least 0.84; six false alarms from a
shadow on a plain cloth had at most 0.34. A choice; `python -m tests.teaching` judges it."""
STRIP, ALL = 0.15, 0.9
"""Share of a card that must be left over for one more to be recognized by its border, and the share
of that it must explain. A choice: a strip of 8 mm of bare paper along a long side of a card;
`python -m tests.italian_decks` judges it."""
IN_FULL = 0.9
"""Visible share from which a card keeps its reading next to an equal one: two packs may be in play.
A choice."""


@dataclass
class Heap:
    """An area and the cards known to lie there."""

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
        """The rotations of its cards and edges."""
        lines = edges(corner_points(self.area, self.size[0]), self.size[0])
        lines.sort(key=lambda edge: -float(np.linalg.norm(edge[1] - edge[0])))
        ways = [one[1] - one[0] for one in (*self.fitting, *lines)]
        return _turns(ways)[:TURNS_MOST]

    @property
    def left(self) -> float:
        """How much is not explained, in card areas."""
        return count_of(self._rest) / (self.size[0] * self.size[1])

    @property
    def _rest(self) -> Mask:
        rest = self.area.copy()
        for card in self.cards:
            cv2.fillConvexPoly(rest, np.round(card.corners).astype(np.int32), (0,))
        open_ = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        return np.asarray(open_, np.uint8)

    def laid_below(self) -> bool:
        """Add the next card from the top, if there is one.

        That is the uppermost card, which is fully visible, or the one that agrees best under those
        already known.
        """
        found = self._next(self.cards)
        if found is None or (not self.cards and found.agreed < TOP):
            return False
        self.cards.append(found)
        return True

    def slid_between(self) -> bool:
        """Add a card that lies under some known cards and over others, if one explains the rest.

        The lower ones may show so much that they were found first.
        """
        for place in range(len(self.cards) - 1, 0, -1):
            over, under = self.cards[:place], self.cards[place:]
            card = self._anywhere(over)
            if card is not None and card.agreed >= SURE and self._adds(card):
                self.cards = [*over, card]
                for one in under:
                    self.cards.append(self.seen_again(one))
                return True
        return False

    def drop_needless(self) -> None:
        """Drop each card without which those below it explain as much.

        Signs in rows look like a card between others.
        """
        place = 1
        while place < len(self.cards):
            fewer = replace(self, cards=self.cards[:place])
            for one in self.cards[place + 1 :]:
                fewer.cards.append(fewer.seen_again(one))
            if fewer.left <= max(self.left, LEFT) and fewer.misfit <= self.misfit:
                self.cards = fewer.cards
            else:
                place += 1

    def part_twins(self) -> None:
        """Merge two cards that look the same, if one card explains both.

        A card's signs can each be seen as another card of the same number. If no single card
        explains both, the lower one becomes a question.
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
        """The cards with two replaced by one, if that explains as much and agrees as well."""
        fewer = replace(self, cards=self.cards[:over])
        card = fewer._anywhere(fewer.cards)
        if card is None:
            return None
        fewer.cards.append(card)
        for place, one in enumerate(self.cards):
            if place > over and place != under:
                fewer.cards.append(fewer.seen_again(one))
        as_good = fewer.left <= max(self.left, LEFT) and fewer.misfit <= self.misfit
        return fewer.cards if as_good else None

    def lay_unnamed(self) -> None:
        """Add the card that explains what is left by its border alone, if there is one."""
        if not self.cards or self.left <= STRIP:
            return
        rest, over = self._rest, [card.corners for card in self.cards]
        shares = [count_of(self._shown(one) & rest) / count_of(rest) for one in self.fitting]
        share, place = max(zip(shares, range(len(shares)), strict=True), default=(0.0, 0))
        if share >= ALL:
            card = replace(seen(self.faces, self.fitting[place], over), named=False)
            if self.edged(card, over):
                self.cards.append(card)

    @property
    def misfit(self) -> float:
        """How much of the visible cards does not agree, in card areas."""
        return sum((1 - card.agreed) * float(card.visible.mean()) for card in self.cards)

    def edged(self, card: Partly, over: Sequence[Floats]) -> bool:
        """Whether the picture shows a card's border wherever the cards `over` it do not hide it."""
        hidden = hidden_under(card.corners, over)
        return edged(self.faces.picture, card.corners, NEAR, hidden) >= EDGED

    def seen_again(self, card: Partly) -> Partly:
        """A card, seen again with everything now known to lie over it."""
        return seen(self.faces, card.corners, [one.corners for one in self.cards])

    def _adds(self, card: Partly) -> bool:
        """Whether a card explains most of the rest."""
        rest = self._rest
        return count_of(self._shown(card.corners) & rest) >= REST * count_of(rest)

    def _next(self, over: Sequence[Partly]) -> Partly | None:
        """The likeliest card under those `over` it: at a corner, or anywhere."""
        cornered = self._best(self.fitting, over)
        if cornered is not None and cornered.agreed >= SURE:
            return cornered
        return max(filter(None, (cornered, self._anywhere(over))), key=self._worth, default=None)

    def _anywhere(self, over: Sequence[Partly]) -> Partly | None:
        """The likeliest card wherever one fits under those `over` it."""
        covers, least = [card.corners for card in over], CELLS_LEAST if over else CELLS
        return self._best(self.places(covers, least), over)

    def places(self, over: Sequence[Floats], least: int, most: int = MOST) -> list[Floats]:
        """Where in the area a card agrees best under those `over` it, `most` of each rotation.

        At least so many cells of it are visible.
        """
        found: list[Floats] = []
        for turn in self.turns:
            for way in (turn, turn + np.pi / 2):
                found += self.faces.anywhere(
                    self.area, way, self.size, over, least=least, most=most
                )
        return found

    def _settled(self, card: Partly, over: Sequence[Floats], moves: Moves) -> Partly:
        return settled(self.faces, card, over, moves)

    def _shown(self, corners: Floats) -> Mask:
        shown = np.zeros_like(self.area)
        cv2.fillConvexPoly(shown, np.round(corners).astype(np.int32), (255,))
        return shown

    def _fits(self, corners: Floats) -> bool:
        inside = self._shown(corners)
        return count_of(inside & self.area) >= WITHIN * max(count_of(inside), 1)

    def _best(self, places: Sequence[Floats], cards: Sequence[Partly]) -> Partly | None:
        """The likeliest of the cards at these places below the `cards`."""
        over = [card.corners for card in cards]
        least = CELLS_LEAST if over else CELLS
        tried = [seen(self.faces, corners, over) for corners in places]
        likely = [one for one in tried if one.agreed >= UNDER and one.visible.sum() >= least]
        likely.sort(key=self._worth, reverse=True)
        nearer = (self._settled(one, over, MOVES[:1]) for one in likely[:TRIED])
        bordered = (one for one in nearer if self.edged(one, over))
        chosen = sorted(islice(bordered, CHOSEN), key=self._worth, reverse=True)
        # A false alarm, moved to where its face agrees best, leaves the edges it was found on.
        settled = (self._settled(one, over, MOVES[1:]) for one in chosen)
        return next((one for one in settled if self.edged(one, over)), None)

    def _worth(self, card: Partly) -> float:
        """Likelihood score of a card: how well its visible part agrees and how much it explains."""
        rest = self._rest
        explained = count_of(self._shown(card.corners) & rest) / max(count_of(rest), 1)
        return card.agreed - HIDDEN * (1 - float(card.visible.mean())) + WHOLE * explained


def count_of(mask: Mask) -> int:
    """How many pixels of an area are set."""
    return int(np.count_nonzero(mask))


def _turns(lines: Iterable[Floats]) -> list[float]:
    """The rotations of these directions (2,), from zero to a quarter turn, each once."""
    turns: list[float] = []
    for way in lines:
        turn = float(np.arctan2(way[1], way[0])) % (np.pi / 2)
        if all(abs((turn - one + np.pi / 4) % (np.pi / 2) - np.pi / 4) >= ALIKE for one in turns):
            turns.append(turn)
    return turns
