"""Errors that a simulated dealer makes on purpose, to see them reported, ruled on and replayed.

Each is found by the rules alone: an act of an awaited kind with a wrong place, card or amount,
which leaves a violation and which nothing unsaid could have made legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from firmware.follow.reconcile import explain
from firmware.rehearsal.policy import broken, kinds, lawful
from firmware.rehearsal.world import World
from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError
from rules.state import State

SETTLED_IN = 2
"""Number of acts of a hand before the first slip: an error in the very first act shows little."""


@dataclass(frozen=True)
class Slip:
    """One error: the wrong act, and the right one if it is corrected on the table.

    `extra` is a card that gets into the deck but does not belong there.
    """

    name: str
    act: Act
    right: Act | None = None
    extra: Card | None = None


def find_slip(names: Sequence[str], world: World) -> Slip | None:
    """The first of the named slips that is possible now."""
    state = world.state
    if len(state.acts) < SETTLED_IN or state.open_violations or state.void:
        return None
    for name in names:
        slip = next(SLIPS[name](world), None)
        if slip is not None:
            return slip
    return None


def _out_of_turn(world: World) -> Iterator[Slip]:
    """The next card goes to a spot that is not waiting for one."""
    state, deck = world.state, world.deck
    for one in kinds(state, Verb.DEAL):
        for right in one.acts(deck):
            for spot in state.spots:
                wrong = Act(Verb.DEAL, spot=spot, cards=right.cards, down=right.down)
                places = spot in world.layout.places and right.spot in world.layout.places
                if places and lawful(state, right) and _irregular(state, wrong):
                    yield Slip("out-of-turn", wrong, right)


def _wrong_removal(world: World) -> Iterator[Slip]:
    """A wrong card is taken instead of the one that has to leave."""
    state = world.state
    for one in kinds(state, Verb.TAKE):
        for spot in one.spots:
            for card in state.table.cards(spot):
                wrong = Act(Verb.TAKE, spot=spot, cards=(card,))
                if card.known and card not in (one.among or ()) and _irregular(state, wrong):
                    right = next(one.acts(world.deck), None)
                    yield Slip("wrong-removal", wrong, right)


def _double_card(world: World) -> Iterator[Slip]:
    """A card is dealt that was already there."""
    state = world.state
    seen = [card for spot in state.table.spots for card in state.table.view(spot)]
    for card in seen:
        for one in kinds(state, Verb.DEAL):
            for act in one.acts((card, *world.deck)) if card.known and not one.down else ():
                if act.spot in world.layout.places and _irregular(state, act):
                    yield Slip("double-card", act, extra=card)


def _over_limit(world: World) -> Iterator[Slip]:
    yield from _beyond("over-limit", Verb.BET, world.state)


def _wrong_payment(world: World) -> Iterator[Slip]:
    yield from _beyond("wrong-payment", Verb.PAY, world.state)


def _beyond(name: str, verb: Verb, state: State) -> Iterator[Slip]:
    """An amount beyond the limits."""
    for one in kinds(state, verb):
        for act in one.acts() if one.numbers else ():
            greatest = one.numbers[1] if one.numbers else 0
            wrong = one.fill(act.cards, seat=act.seat, spot=act.spot, amount=greatest + 1)
            if _breaks(state, wrong):
                yield Slip(name, wrong)


def _breaks(state: State, act: Act) -> bool:
    try:
        return broken(state, act) == 1
    except ActError:
        return False


def _irregular(state: State, act: Act) -> bool:
    """Whether `act` breaks one rule, and the resulting table cannot have come about lawfully."""
    if not _breaks(state, act):
        return False
    public = state.public()
    table = state.table.moved(state.trace(act))
    seen = {spot: table.view(spot) for spot in state.spots}
    return not explain(public, seen, state.spots).explanations


SLIPS: dict[str, Callable[[World], Iterator[Slip]]] = {
    "out-of-turn": _out_of_turn,
    "wrong-removal": _wrong_removal,
    "double-card": _double_card,
    "over-limit": _over_limit,
    "wrong-payment": _wrong_payment,
}
"""Every slip by its name on the command line."""
