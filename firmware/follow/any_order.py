"""Acts that may come in any order: which of them a search need not try after one another."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.follow.resting import Rest
from rules.acts import Act
from rules.spots import DECK, GONE
from rules.state import State


def at_a_time(
    state: State, acts: Iterable[tuple[Act, Rest | None]]
) -> Iterable[tuple[Act, Rest | None]]:
    """Of acts that come in any order, those at the places that the first of them touches.

    What they lead to is the same whichever come first, and all that is seen has to come about: with
    four players' rows laid at once, thousands of orders need not be tried.
    """
    if not state.turn.together:
        return acts
    found = list(acts)
    if any(onward is not None or not _is_awaited(state, act) for act, onward in found):
        return found
    places = [_touched(state, act) for act, _ in found]
    if not all(places):
        return found
    near: frozenset[str] = places[0] if places else frozenset()
    while (grown := near.union(*(one for one in places if one & near))) != near:
        near = grown
    return [way for way, touched in zip(found, places, strict=True) if touched & near]


def _is_awaited(state: State, act: Act) -> bool:
    return any(one.admits(act) for one in state.turn.awaited)


def _touched(state: State, act: Act) -> frozenset[str]:
    """The places on the table between which an act moves cards."""
    moves = state.trace(act)
    return frozenset(spot for one in moves for spot in (one.source, one.target)) - {DECK, GONE}
