"""Counting cards: duplicates, cards foreign to the deck, and overfull spots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from rules.acts import Act
from rules.cards import Card, Rank, Suit
from rules.spots import Trace

if TYPE_CHECKING:
    from rules.state import State

S = TypeVar("S", bound="State")


def counted(state: S, before: State, act: Act, trace: Trace) -> S:
    """The state with a violation for each duplicate or foreign card and each overfull spot."""
    after = state
    for card in dict.fromkeys(move.card for move in trace if move.up and not move.card.hidden):
        after = _counted_card(after, before, card)
    for name in dict.fromkeys(move.target for move in trace):
        spot = state.spots.get(name)
        if spot is not None and len(before.table.at(name)) < len(state.table.at(name)) > spot.most:
            after = after.flag(
                "too-many", seat=spot.owner, cards=act.observed().cards, capacity=spot.most
            )
    return after


def sightings(state: State, card: Card) -> tuple[tuple[Card, int], ...]:
    """How often a card like `card` was seen outside the deck: in full, by rank and by suit.

    Each as the pattern and its count, most specific first.
    """
    rank, suit, whole, ranks, suits = card.rank, card.suit, 0, 0, 0
    for other in _out(state):
        if other.rank is rank:
            ranks += 1
            whole += other.suit is suit
        suits += other.suit is suit
    parts = ((Card(rank, Suit.UNKNOWN), ranks), (Card(Rank.UNKNOWN, suit), suits))
    known = tuple((part, count) for part, count in parts if not part.hidden)
    return ((card, whole), *known) if card.known else known


def _out(state: State) -> Iterator[Card]:
    """Every card seen outside the deck; face-down cards have not been seen."""
    for laid in state.table.spots.values():
        for one in laid:
            if one.up and not one.card.hidden:
                yield one.card
    for sighted in state.start.shoe:
        yield sighted.card


def _counted_card(state: S, before: State, card: Card) -> S:
    deck = state.game.deck(state.start)
    for place, (part, now) in enumerate(sightings(state, card)):
        most = deck.count(part)
        if now <= most or now <= sightings(before, card)[place][1]:
            continue
        if most == 0:
            return state.flag("deck.foreign", cards=(card,))
        return state.flag("deck.double", cards=(card,), **_first_sighting(before, card))
    return state


def _first_sighting(state: State, card: Card) -> dict[str, int]:
    """Where this card was seen before: in an act of this hand, or in an earlier hand."""
    for number, act in enumerate(state.acts, 1):
        if not act.down and any(other.covers(card) for other in act.cards):
            return {"act": number}
    return {"hand": next((s.hand for s in state.start.shoe if s.card.covers(card)), 0)}
