"""The acts that may have happened, given how the table differs from the state.

For each kind of awaited act, only those with cards that have moved or turned are worth trying.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice, product
from math import comb

from firmware.follow.differences import Cards, Difference
from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.spots import Shape
from rules.state import State
from rules.turn import FROM_DECK, Awaited

HANDFULS_MOST = 300
"""Largest number of selections among all moved cards tried for one act; beyond it, only selections
from one place are. A choice; `python -m tests.soak` judges it.
"""
PICKED_MOST = 2000
"""Largest number of selections tried for each kind of act: every five of thirteen cards. With more
cards coming to one place together, as at a lost table, there are millions. A choice; `python -m
tests.soak` judges it.
"""
SAMPLED = 5
"""Number of selections tried to find out from where and to where an act moves its cards: not every
card can be laid everywhere, but all acts of one kind go the same way. A choice; `python -m
tests.soak` judges it.
"""
TURNS_UP = frozenset({Verb.TURN, Verb.SHOW})
"""Acts by which cards are turned up where they lie."""
WORD_MOST = 20
"""Longest word, in letters, that may have been said aloud; a seal is longer, and nobody says one. A
choice.
"""


@dataclass(frozen=True)
class Candidates:
    """The acts worth trying at a moment, given what differs."""

    state: State
    change: Difference
    open_places: frozenset[str]
    """The watched spots that have a place on the table."""

    def acts(self, one: Awaited) -> Iterator[Act]:
        """The candidates of this kind."""
        words = [said for said in one.words if speakable(said)] or (None,)
        for sized in self._sizes(one):
            for seat, spot, said in product(one.seats or (None,), one.spots or (None,), words):
                for to in one.to or (None,):
                    for cards in self._handfuls(sized, seat, spot, to):
                        act = one.fill(cards, seat=seat, spot=spot, to=to, words=said)
                        if one.admits(act):
                            yield act

    def _sizes(self, one: Awaited) -> Iterator[Awaited]:
        """The act with all the cards that came to one place or left one, if allowed, and with the
        usual number; cards are also turned up a few at a time.
        """
        fewest, most = one.counts or (one.pick, one.pick)
        came = sorted({len(cards) for cards in self._places}, reverse=True)
        if one.verb not in FROM_DECK:  # a dealer deals one by one
            yield from (replace(one, pick=pick) for pick in came if one.pick < pick <= most)
        yield one
        if one.verb in TURNS_UP:
            yield from (replace(one, pick=pick) for pick in came if fewest <= pick < one.pick)

    def begun(self, one: Awaited) -> Iterator[Act]:
        """The acts of this kind of which the changes may be the beginning."""
        if one.among is not None and len(one.among) == one.pick > 1:
            yield one.fill(one.among)
        elif one.spoken:
            yield one.fill()
        elif one.verb in FROM_DECK and one.pick > 1:
            for spot in one.spots:
                came = self.change.came.get(spot, ())
                if len(came) < one.pick:
                    yield one.fill((*came, *[BACK] * (one.pick - len(came))), spot=spot)
        elif one.down and one.pick > 1:
            for seat in one.seats or (None,):
                for place in one.spots or (None,):
                    yield one.fill((BACK,) * one.pick, seat=seat, spot=place)

    def _handfuls(
        self, one: Awaited, seat: int | None, spot: str | None, to: str | None
    ) -> Iterable[Cards]:
        """The selections of cards that such an act may have moved."""
        if one.down:
            return [(BACK,) * one.pick]
        if one.verb in FROM_DECK and spot is not None:
            return _picked([self.change.came.get(spot, ())], one.pick)
        way = self._way(one, seat, spot, to) if one.pick else None
        known = self._moved(one.pick, *way) if way is not None else None
        if known is not None:
            return known
        if comb(len(self._pool), one.pick) <= HANDFULS_MOST:
            return _picked([self._pool], one.pick)
        # Of several cards, those of one act came to one place or left one.
        return _picked(self._places, one.pick)

    def _moved(self, pick: int, source: str, target: str) -> Iterable[Cards] | None:
        """The selections of `pick` cards that may have gone that way; None if it need not show."""
        came, left = self.change.came, self.change.left
        if self._shows(source) and len(left.get(source, ())) < pick:
            return ()
        here = came.get(target, ())
        if source == target and len(here) >= pick:
            return _picked([here], pick)
        if source == target and self._shows(target):
            # Of cards that were turned over, some may have moved on.
            others = tuple(card for spot, cards in came.items() if spot != target for card in cards)
            return (here + more for more in _picked([others], pick - len(here)))
        if self._shows(target):
            # A card that only rests there shows where it went next, perhaps each another way.
            every = [left[source]] if len(left.get(source, ())) == pick else []
            return _picked([*came.values(), *every], pick)
        hidden = target not in self.open_places
        return _picked(left.values(), pick) if hidden and self._shows(source) else None

    def _shows(self, place: str) -> bool:
        """Whether every card that comes to a place or leaves it can be seen to do so."""
        spot = self.state.spots.get(place)
        if spot is None or place not in self.open_places:
            return False
        return spot.shape is not Shape.PILE and not spot.held

    def _way(
        self, one: Awaited, seat: int | None, spot: str | None, to: str | None
    ) -> tuple[str, str] | None:
        """Source and target of all cards of such an act, face up; None if they go separate ways."""
        for cards in islice(_picked([self._pool], one.pick), SAMPLED):
            try:
                trace = self.state.trace(one.fill(cards, seat=seat, spot=spot, to=to))
            except ActError:
                continue
            ways = {(move.source, move.target) for move in trace if move.up}
            same = len(ways) == 1 and all(move.up for move in trace)
            return ways.pop() if same and len(trace) == one.pick else None
        return None

    @cached_property
    def _pool(self) -> Cards:
        """Every card that changed its place or its face, once for each change."""
        seen = Counter[Card]()
        for cards in self._places:
            for card, number in Counter(cards).items():
                seen[card] = max(seen[card], number)
        return tuple(seen.elements())

    @property
    def _places(self) -> tuple[Cards, ...]:
        return (*self.change.came.values(), *self.change.left.values())


def speakable(words: Sequence[str]) -> bool:
    """Whether somebody may have said that aloud."""
    return max(map(len, words), default=0) <= WORD_MOST


def _picked(heaps: Iterable[Sequence[Card]], pick: int) -> Iterator[Cards]:
    """Each selection of `pick` face-up cards from one heap, once; no more than can be tried."""
    known = set[Cards]()
    for heap in heaps:
        choices = combinations([card for card in heap if not card.hidden], pick)
        for cards in islice(choices, PICKED_MOST):
            if cards not in known:
                known.add(cards)
                yield cards
