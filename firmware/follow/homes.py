"""Which spot of the game each place on the table stands for.

Players lay melds wherever they like before them, and push them together to make room. The rules
name the places in their own order; so the name of a place follows the cards that lie there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.cards import Card
from rules.spots import Shape
from rules.state import State
from vision.sightings import Lying, Seen


@dataclass
class Homes:
    """The spot that each place of a hand stands for, where that is not the one it was made for."""

    _hand: object = None
    _spots: dict[str, str] = field(default_factory=dict)
    """By place; what is not in it stands for itself."""

    def named(self, state: State, seen: Seen) -> Seen:
        """What is `seen`, each place with the name of the spot that its cards belong to."""
        if self._hand != (state.game.name, state.start.hand):
            self._hand, self._spots = (state.game.name, state.start.hand), {}
        for place, lying in seen.spots.items():
            spot = state.spots.get(place)
            if spot is not None and spot.anywhere and (cards := _known(lying)):
                self._see(state, seen, place, cards)
        return self._renamed(seen) if self._spots else seen

    def _see(self, state: State, seen: Seen, place: str, cards: tuple[Card, ...]) -> None:
        """Find out which spot the `cards` belong to that lie at a place."""
        spot = self._spots.get(place, place)
        if Counter(cards) & Counter(state.table.view(spot)):
            return
        free = [
            name
            for name in _places_of(state, place)
            if name == spot or not seen.spots.get(self._place(name))
        ]
        home = next((name for name in free if _are(cards, state.table.view(name))), None)
        if home is not None:
            self._exchange(place, home)
        elif not state.table.at(spot):
            self._see_new(state, seen, place)

    def _see_new(self, state: State, seen: Seen, place: str) -> None:
        """Find out which spots the new melds of the player at a place belong to.

        The rules have the one first for which the topmost card of a pile was taken: wherever it
        lies, and however many others were seen since.
        """
        new = {
            one: cards
            for one in map(self._place, _places_of(state, place))
            if not state.table.at(self._spots.get(one, one))
            and (cards := _known(seen.spots.get(one, ())))
        }
        tops = {card for name, spot in state.spots.items() if spot.shape is Shape.PILE
                for card in state.table.view(name)[-1:]}  # fmt: skip
        empty = [name for name in _places_of(state, place) if not state.table.at(name)]
        taken: set[str] = set()
        for one in sorted(new, key=lambda one: tops.isdisjoint(new[one])):
            home = state.game.home(state, self._spots.get(one, one), new[one])
            if home in taken:
                home = next((name for name in empty if name not in taken), home)
            taken.add(home)
            there = self._place(home)
            if home in empty and (there in new or not seen.spots.get(there)):
                self._exchange(one, home)

    def _exchange(self, place: str, home: str) -> None:
        """Let a place stand for the spot `home`, and the one that did for its own."""
        spot = self._spots.get(place, place)
        if home != spot:
            self._spots[self._place(home)] = spot
            self._spots[place] = home

    def _place(self, spot: str) -> str:
        """The place that stands for a spot."""
        return next((place for place, name in self._spots.items() if name == spot), spot)

    def _renamed(self, seen: Seen) -> Seen:
        def names(places: Iterable[str]) -> frozenset[str]:
            return frozenset(self._spots.get(place, place) for place in places)

        places: Mapping[str, str] = {
            trouble: self._spots.get(place, place) for trouble, place in seen.places.items()
        }
        spots = {self._spots.get(place, place): lying for place, lying in seen.spots.items()}
        return replace(
            seen,
            spots=spots,
            busy=names(seen.busy),
            still=names(seen.still),
            places=places,
            lies_at={spot: place for place, spot in self._spots.items()},
        )


def _places_of(state: State, place: str) -> list[str]:
    """The places at which the player at this one may lay cards anywhere."""
    owner = state.spots[place].owner
    return [name for name, spot in state.spots.items() if spot.anywhere and spot.owner == owner]


def _known(lying: Sequence[Lying]) -> tuple[Card, ...]:
    """The cards, if all are read with certainty; otherwise none."""
    cards = tuple(one.card for one in lying if one.card.known and not one.doubtful)
    return cards if len(cards) == len(lying) else ()


def _are(cards: Sequence[Card], held: Sequence[Card]) -> bool:
    """Whether all cards `held` at a spot are among these."""
    return bool(held) and not Counter(held) - Counter(cards)
