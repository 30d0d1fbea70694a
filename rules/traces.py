"""Traces that are the same in every game: what an act does to the cards on the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError
from rules.spots import DECK, GONE, Move, Spot, Table

Tracer = Callable[[Table, Mapping[str, Spot], Act], Iterator[Move]]


def _from_to(source: str | None, target: str | None, act: Act) -> Iterator[Move]:
    if source is None or target is None:
        raise ActError(f"'{act}' names no place")
    if not act.cards:
        raise ActError(f"'{act}' names no card")
    return (Move(card, source, target, not act.down) for card in act.cards)


def _shown(table: Table, spots: Mapping[str, Spot], act: Act) -> Iterator[Move]:
    """Cards turned up in front of their owner; identical ones in the order of the spots."""
    if not act.cards or act.seat is None:
        raise ActError(f"'{act}': expected a seat and cards to show")
    own = [spot.name for spot in spots.values() if spot.owner == act.seat]
    down = {name: [one.card for one in table.at(name) if not one.up] for name in own}
    for card in act.cards:
        fits = [name for name in own if any(other.covers(card) for other in down[name])]
        name = next((name for name in fits if card in down[name]), next(iter(fits), str(act.seat)))
        if fits:
            down[name].remove(card if card in down[name] else _covering(down[name], card))
        yield Move(card, name, name, not act.down)


def _covering(cards: list[Card], card: Card) -> Card:
    return next(other for other in cards if other.covers(card))


def _clear(table: Table, target: str) -> Iterator[Move]:
    return (
        Move(laid.card, spot, target, laid.up)
        for spot, laid in table
        if spot != GONE or target == DECK
    )


TRACES: dict[Verb, Tracer] = {
    Verb.DEAL: lambda _, __, act: _from_to(DECK, act.spot, act),
    Verb.TAKE: lambda _, __, act: _from_to(act.spot, GONE, act),
    Verb.PUT: lambda _, __, act: _from_to(GONE, act.spot, act),
    Verb.MOVE: lambda _, __, act: _from_to(act.spot, act.to, act),
    Verb.TURN: lambda _, __, act: _from_to(act.spot, act.spot, act),
    Verb.SHOW: _shown,
    Verb.CLEAR: lambda table, _, __: _clear(table, GONE),
    Verb.SHUFFLE: lambda table, _, __: _clear(table, DECK),
}
"""How each verb moves cards, given the table, its spots and the act; the game handles other verbs.
"""
