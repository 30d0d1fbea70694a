"""What may lie under a hand: where something is awaited, or where a card has gone on to."""

from __future__ import annotations

from collections.abc import Collection

from firmware.follow.reconcile import Explanation
from rules.acts import Act, Verb
from rules.errors import ActError
from rules.state import State

LAYING = frozenset({Verb.MELD, Verb.LAY})
"""What a player may do on the way to the end of a turn, before their own place."""


def hides_awaited(state: State, busy: Collection[str]) -> bool:
    """Whether a hand hides a place where something is awaited: it may lie there already."""
    turn = state.turn
    seats = {seat for one in turn for seat in one.seats}
    places = {name for one in turn for name in (*one.spots, *one.to)}
    return any(
        spot.in_sight and (name in places or spot.owner in seats)
        for name, spot in state.spots.items()
        if name in busy
    )


def may_hide(state: State, way: Explanation, busy: Collection[str]) -> bool:
    """Whether the like of what it explains may have gone on to a place that a hand hides.

    Then that was the act that is awaited, and what is seen came after it.
    """
    for step in way.steps if busy else ():
        if step.act.seat and _could_lay(state, step.act, busy):
            return True
        laid = {move.target for move in state.trace(step.act)}
        state = state.play(step.act)
        onward = (act for one in state.turn if one.spoken for act in one.acts())
        for move in (move for act in onward for move in state.trace(act)):
            if move.source in laid and move.target in busy:
                return True
    return False


def _could_lay(state: State, act: Act, busy: Collection[str]) -> bool:
    """Whether before `act`, which ends a turn, its seat could lay cards where a hand is now."""
    try:
        after = state.play(act)
    except ActError:
        return False
    if act.seat in {seat for one in after.turn.awaited for seat in one.seats}:
        return False
    own = {name for name in busy if name in state.spots and state.spots[name].owner == act.seat}
    shown = {name for name in own if state.spots[name].in_sight and not state.spots[name].held}
    return bool(shown) and any(
        one.pick and act.seat in one.seats and one.verb in LAYING for one in state.turn
    )
