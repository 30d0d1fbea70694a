"""All piles of a table: what has been on top of each since the table was last understood."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from firmware.follow.outlines import Jitter
from firmware.follow.pile import Pile
from firmware.follow.tops import Cards, Top, on_its_like, standing
from rules.cards import Card
from rules.spots import Shape
from rules.state import State
from vision.sightings import Lying, Seen


@dataclass
class Piles:
    """All piles of a table."""

    _piles: dict[str, Pile] = field(default_factory=dict)
    jitter: Jitter = field(default_factory=Jitter)
    laid_on: frozenset[str] = frozenset()
    """Those on which a card was laid in full view at the last look, though hands are about."""

    def see(self, state: State, seen: Seen) -> None:
        """Update from what is visible of the piles."""
        self.jitter.see({name: seen.spots[name] for name in seen.spots.keys() - seen.busy})
        for name in _names(state):
            if name not in seen.spots:
                continue
            pile = self._piles.setdefault(name, Pile(self.jitter))
            busy, lying = name in seen.busy, seen.spots[name]
            laid = busy and pile.is_laid_on(lying)
            self.laid_on = self.laid_on | {name} if laid else self.laid_on - {name}
            if laid or not busy:
                pile.bare(seen.time)
                known = len(pile.since)
                pile.see(lying, lambda card: _copies(state, card) == 1)
                pile.since[known:] = [replace(top, at=seen.time) for top in pile.since[known:]]
            if busy:
                pile.hide(seen.time, still=name in seen.still)

    def tops(self, name: str, lying: tuple[Lying, ...]) -> tuple[Lying, ...]:
        """The visible cards that count at a spot: for a pile, those on top."""
        pile = self._piles.get(name)
        if pile is None:
            return lying
        atop = tuple(one for one in lying if pile.is_atop(one))
        return atop if 0 < len(atop) == len(pile.tops) else lying

    def settle(self, state: State, watched: Collection[str]) -> None:
        """Note that the `watched` piles are seen to be as `state` holds them."""
        for name in self._piles.keys() & watched & state.spots.keys():
            self._piles[name].settle(state.table.view(name))

    def came_and_went(self, state: State, passed: Mapping[str, int]) -> frozenset[str]:
        """The piles onto which a card came and from which it went again, if what was `passed`
        (number of tops by pile) explains none of their tops."""
        return frozenset(
            name
            for name, tops in self.since(state).items()
            if any(top.came and not top.open for top in tops[:-1])
            and not tops[-1].came
            and not passed.get(name)
        )

    def agree(self, state: State, watched: Collection[str]) -> None:
        """Note that the `watched` piles show on top what `state` has there.

        A card that was laid on an equal one which is still in sight has come all the same, and is
        not settled with that.
        """
        doubled = {
            name
            for name, pile in self._piles.items()
            if on_its_like(pile.since, pile.held, tuple(one.card for one in pile.shown))
        }
        self.settle(state, set(watched) - doubled)

    def since(self, state: State) -> dict[str, tuple[Top, ...]]:
        """What was on top of each pile since, if that says more than what is there now."""
        return {
            name: tuple(pile.since)
            for name, pile in self._piles.items()
            if name in state.spots and pile.tells(state.table.view(name))
        }

    def stacked(self, state: State, table: Mapping[str, Cards]) -> dict[str, Cards]:
        """A reading of the `table` with what has since come onto piles and was covered again."""
        heaps = {name: standing(tops) for name, tops in self.since(state).items()}
        return {
            name: heaps[name] if name in heaps and heaps[name][-1:] == there else there
            for name, there in table.items()
        }

    def undecided(self, state: State, busy: Collection[str]) -> bool:
        """Whether a card may have come onto, or gone from, a pile that a hand is over.

        Judged at the last look.
        """
        return any(
            top.open for name, found in self.since(state).items() if name in busy for top in found
        )

    def off(self, name: str) -> float:
        """Distance at which a card equal to the one under the topmost was seen, in shorter sides.

        A card that is uncovered is read where it was; an equal one that is laid there is not.
        """
        return self._piles[name].off if name in self._piles else 0.0

    @property
    def again(self) -> dict[str, float]:
        """The piles with a card that counted as gone exactly where it was, each with its distance.

        Distances are in shorter sides.
        """
        found = ((name, pile.again) for name, pile in self._piles.items())
        return {name: away for name, away in found if away is not None}

    @property
    def fresh(self) -> frozenset[str]:
        """The piles on which a card was laid that looks like one further down."""
        return frozenset(name for name, pile in self._piles.items() if pile.fresh)

    def may_be_pushed(self, name: str) -> bool:
        """Whether the topmost card of a pile may be the one below the last, pushed by who took
        that."""
        return name in self._piles and any(top.either for top in self._piles[name].since[-1:])

    @property
    def bared(self) -> frozenset[str]:
        """The piles of which only cards are visible that were below others in the same place."""
        return frozenset(name for name, pile in self._piles.items() if pile.bared)

    @property
    def chance(self) -> frozenset[str]:
        """Those of them on which there may be a new card that lies like one further down."""
        return frozenset(name for name, pile in self._piles.items() if pile.chance)


def _copies(state: State, card: Card) -> int:
    """Number of such cards in the deck in play."""
    return state.game.deck(state.start).cards.count(card)


def _names(state: State) -> Iterator[str]:
    return (name for name, spot in state.spots.items() if spot.shape is Shape.PILE)
