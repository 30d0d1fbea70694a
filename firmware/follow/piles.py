"""All piles of a table: what has been on top of each since the table was understood."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from firmware.follow.outlines import Jitter
from firmware.follow.pile import Pile
from firmware.follow.tops import Cards, Top, standing
from rules.cards import Card
from rules.spots import Shape
from rules.state import State
from vision.sightings import Lying, Seen


@dataclass
class Piles:
    """All piles of a table."""

    _piles: dict[str, Pile] = field(default_factory=dict)
    jitter: Jitter = field(default_factory=Jitter)

    def see(self, state: State, seen: Seen) -> None:
        """Take in what of the piles is in sight."""
        self.jitter.see({name: seen.spots[name] for name in seen.spots.keys() - seen.busy})
        for name in _names(state):
            if name not in seen.spots:
                continue
            pile = self._piles.setdefault(name, Pile(self.jitter))
            if name in seen.busy:
                pile.hide(seen.time, still=name in seen.still)
            else:
                pile.bare(seen.time)
                known = len(pile.since)
                pile.see(seen.spots[name], lambda card: _copies(state, card) == 1)
                pile.since[known:] = [replace(top, at=seen.time) for top in pile.since[known:]]

    def tops(self, name: str, lying: tuple[Lying, ...]) -> tuple[Lying, ...]:
        """The cards in sight at a spot that count: of a pile, those on top."""
        pile = self._piles.get(name)
        if pile is None or not all(top in lying for top in pile.tops):
            return lying
        return pile.tops or lying

    def settle(self, state: State, watched: Collection[str]) -> None:
        """The `watched` piles are seen to lie as `state` holds them."""
        for name in self._piles.keys() & watched & state.spots.keys():
            self._piles[name].settle(state.table.view(name))

    def since(self, state: State) -> dict[str, tuple[Top, ...]]:
        """What was on top of each pile since, where that says more than what lies there now."""
        return {
            name: tuple(pile.since)
            for name, pile in self._piles.items()
            if name in state.spots and pile.tells(state.table.view(name))
        }

    def stacked(self, state: State, table: Mapping[str, Cards]) -> dict[str, Cards]:
        """A reading of the `table` with what has come onto piles since and was covered again."""
        heaps = {name: standing(tops) for name, tops in self.since(state).items()}
        return {
            name: heaps[name] if name in heaps and heaps[name][-1:] == there else there
            for name, there in table.items()
        }

    def undecided(self, state: State, busy: Collection[str]) -> bool:
        """Whether a hand is over a pile onto which a card may have come, or from which one may have
        gone, at the last look."""
        return any(
            top.open for name, found in self.since(state).items() if name in busy for top in found
        )

    def off(self, name: str) -> float:
        """How far from the card under the topmost one its like came to be seen, in shorter sides.

        A card that comes to light is read where it lay; its like that is laid there is not.
        """
        return self._piles[name].off if name in self._piles else 0.0

    @property
    def again(self) -> dict[str, float]:
        """The piles on which a card that counted as gone lies just where it lay, and how far from
        there it is seen, in shorter sides."""
        found = ((name, pile.again) for name, pile in self._piles.items())
        return {name: away for name, away in found if away is not None}

    @property
    def fresh(self) -> frozenset[str]:
        """The piles on which a card has come to lie that looks like one further down."""
        return frozenset(name for name, pile in self._piles.items() if pile.fresh)

    @property
    def bared(self) -> frozenset[str]:
        """The piles of which only such cards are in sight as lay just there below others."""
        return frozenset(name for name, pile in self._piles.items() if pile.bared)

    @property
    def chance(self) -> frozenset[str]:
        """Those of them on which a new card may lie that looks like the one further down."""
        return frozenset(name for name, pile in self._piles.items() if pile.chance)


def _copies(state: State, card: Card) -> int:
    """How many such cards the deck in play holds."""
    return state.game.deck(state.start).cards.count(card)


def _names(state: State) -> Iterator[str]:
    return (name for name, spot in state.spots.items() if spot.shape is Shape.PILE)
