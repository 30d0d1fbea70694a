"""Cards that came and went again under a hand: only what they took along, or let go on, is missing.

Somebody deals a card that matches one on the table, and takes both away before the hand has left.
The camera sees one card vanish, which by itself would be wrong; which card was dealt, nobody can
tell but by what the rules let it take. Or a card is set down and handed on, or turned up, at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from firmware.follow.ambiguity import in_part, outcome
from firmware.follow.differences import difference
from firmware.follow.findings import Explanation
from firmware.follow.reconcile import explain
from firmware.follow.said import VOICED, unshown_acts
from firmware.follow.unseen import blind
from firmware.follow.verdicts import Table
from firmware.store.ledger import Step
from rules.acts import Act
from rules.cards import Card
from rules.errors import ActError
from rules.spots import GONE
from rules.state import State
from rules.turn import FROM_DECK

WAYS_MOST = 3
"""Largest number of ways that are worth asking about: more say that nothing is known. A choice."""


def came_and_went(state: State, seen: Table, hidden: Collection[str]) -> list[Explanation]:
    """The lawful ways in which a card came to a `hidden` place and went again, with another.

    Ways that differ only in that card, and mean the same to the game, are one; the card is then
    what they have in common (``4?``). None if something else has changed too.
    """
    change = difference(state, seen, seen.keys())
    if change.came or len(change.left) != 1 or not change.left.keys() <= set(hidden):
        return []
    (place,) = change.left
    alike: dict[object, list[Explanation]] = {}
    for way in _ways(state, place, seen):
        key = (outcome(way.state), tuple(replace(one, cards=()) for one in way.acts))
        alike.setdefault(key, []).append(way)
    if len(alike) > WAYS_MOST:
        return []
    return [_common(state, ways) for ways in alike.values()]


def handed_on(state: State, seen: Table, hidden: Collection[str]) -> Explanation | None:
    """The one lawful way in which cards that were due face down came to a `hidden` place, and went
    on from there before anybody saw them.

    A player sets aside the cards that they pass on, and hands them over, while a hand rests there:
    only the cards that pass next are seen to be gone.
    """
    change = difference(state, seen, seen.keys())
    if change.came or not change.left:
        return None
    ways = _set_down_first(state, seen, hidden)
    return ways[0] if len(ways) == 1 else None


def turned_up(state: State, seen: Table, hidden: Collection[str]) -> list[Explanation]:
    """The lawful ways in which cards that were due face down came to a `hidden` place, and were
    turned up there before anybody saw them.

    Otherwise they were dealt face up, which is a slip.
    """
    change = difference(state, seen, seen.keys())
    if change.left or not change.came or not change.came.keys() <= set(hidden):
        return []
    ways = _set_down_first(state, seen, change.came)
    return ways if len(ways) <= WAYS_MOST else []


def _set_down_first(state: State, seen: Table, places: Collection[str]) -> list[Explanation]:
    """The lawful ways in which cards that were due face down came to one of these places, and it
    went on to what is seen."""
    return [
        way
        for act in _set_down(state, places)
        if (after := _lawful(state, act)) is not None
        for way in _from(Explanation((Step(act, implied=True),), after), seen)
    ]


def _set_down(state: State, hidden: Collection[str]) -> Iterator[Act]:
    """The acts that are due and set cards down, face down, at a hidden place."""
    for one in state.turn.awaited:
        if one.required and one.down and one.pick:
            yield from (act for act in blind(one) if {act.spot, act.to}.intersection(hidden))


def _from(begun: Explanation, seen: Table) -> Iterator[Explanation]:
    """The ways in which it went on to what is seen."""
    for rest in explain(begun.state, seen, seen.keys()).explanations:
        if not rest.guessed and rest.steps:
            yield begun.then(*rest.steps, state=rest.state)


def _ways(state: State, place: str, seen: Table) -> Iterator[Explanation]:
    """Each card that may have come to a place, and what took it away again."""
    for begin in _begun(state):
        for act in _dealt(begin.state, place):
            after = _lawful(begin.state, act)
            if after is not None:
                yield from _from(begin.then(Step(act), state=after), seen)


def _begun(state: State) -> Iterator[Explanation]:
    """The state as it is, and after each act that is said for all and may come first."""
    yield Explanation((), state)
    for act in unshown_acts(state):
        after = _lawful(state, act) if act.verb not in VOICED else None
        if after is not None:
            yield Explanation((Step(act, implied=True),), after)


def _dealt(state: State, place: str) -> Iterator[Act]:
    """The acts that deal one card face up to a place, for each card of the deck."""
    for one in state.turn.awaited:
        if one.verb in FROM_DECK and one.pick == 1 and not one.down and place in one.spots:
            deck = state.game.deck(state.start).cards
            for card in dict.fromkeys(card for card in deck if _may_come(state, card)):
                yield one.fill((card,), spot=place)


def _may_come(state: State, card: Card) -> bool:
    """Whether not all cards of this kind are known to be elsewhere."""
    known = sum(state.table.cards(name).count(card) for name in (*state.spots, GONE))
    return known < state.game.deck(state.start).count(card)


def _lawful(state: State, act: Act) -> State | None:
    try:
        after = state.play(act)
    except ActError:
        return None
    return after if len(after.violations) == len(state.violations) else None


def _common(state: State, ways: list[Explanation]) -> Explanation:
    """The ways in one, with the cards reduced to what they have in common, if the game allows."""
    if len(ways) == 1:
        return ways[0]
    common = in_part(ways)
    try:
        for act in common.acts:
            state = state.play(act)
    except ActError:
        return ways[0]
    return replace(common, state=state)
