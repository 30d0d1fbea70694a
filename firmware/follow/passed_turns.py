"""Turns that may have passed while a hand hid a pile: then who is next is asked.

A pile shows only its topmost card. If it was hidden for long enough, more than one player may have
laid a card there, and attributing the visible one to the first of them would attribute every later
act to the wrong seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from firmware.follow.anew import OPTIONS_MOST, layout_of, resume
from firmware.follow.findings import Explanation
from firmware.follow.unseen import leading_to
from firmware.follow.verdicts import Table
from firmware.store.ledger import Step
from rules.acts import Act
from rules.errors import ActError
from rules.spots import Shape
from rules.state import State

PASSED_S = 4.0
"""How long a hand must move over a pile to have possibly hidden two turns. A choice: two players
who lay a card each in 1.6 s, with one drawing in between, take 4 s at the quickest; `python -m
tests.soak` judges what it costs.
"""


def passed_over(
    state: State, way: Explanation, table: Table, hidden: Collection[str]
) -> list[Explanation]:
    """The hand as it continues if others laid cards on a `hidden` pile before the visible one.

    `way` takes that card to be the next one after `state`. Each explanation resumes the hand from
    the table as it lies, waiting for another seat.
    """
    found: dict[int, Explanation] = {}
    for seat in _next_seats(state, way, hidden):
        if len(found) < OPTIONS_MOST - 1 and seat not in way.state.turn.seats:
            act = resume(len(state.acts), layout_of(state, table), seat)
            try:
                found.setdefault(seat, Explanation((Step(act),), state.play(act)))
            except ActError:
                continue
    return list(found.values())


def _next_seats(state: State, way: Explanation, hidden: Collection[str]) -> Iterator[int]:
    """Whose turn it may be: that of the player after each possible owner of the visible card."""
    act = _laid_last(state, way, hidden)
    after = way.state
    for _ in state.start.seats[1:]:
        further = None if act is None or after.over else _laid_by_the_next(after, act)
        if further is None:
            return
        after = further
        yield from after.turn.seats


def _laid_last(state: State, way: Explanation, hidden: Collection[str]) -> Act | None:
    """The act that lays a card from a player's hand on a hidden pile, if nothing followed it."""
    *before, last = way.acts
    for act in before:
        state = state.play(act)
    for move in state.trace(last):
        spot = state.spots.get(move.target)
        pile = spot is not None and spot.in_sight and spot.shape is Shape.PILE
        if last.seat is not None and pile and move.target in hidden and move.up:
            return last
    return None


def _laid_by_the_next(state: State, act: Act) -> State | None:
    """The state once whoever is next has laid the card of `act` too, with nothing else to see.

    None if they cannot have.
    """
    for seat in state.turn.seats:
        theirs = replace(act, seat=seat)
        for unseen in leading_to(state, theirs)[:1]:
            for one in (*unseen, theirs):
                state = state.play(one)
            return state
    return None
