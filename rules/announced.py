"""What may be said before the deal although nobody asks for it: antes one by one, and limits.

A dealer calls for the antes and confirms all of them at once; a record may also name each player's
own, which counts as one of them, until all are in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules.acts import Act, Verb
from rules.frozen import replace
from rules.phrases import Phrase
from rules.start import LIMIT_MOST, Level
from rules.turn import Awaited, Turn

if TYPE_CHECKING:
    from rules.state import State

ANTE = Awaited(Verb.ANTE, Phrase("turn.ante"))
UNCOUNTED = (ANTE, Awaited(Verb.LIMITS, Phrase("turn.limits"), numbers=(1, LIMIT_MOST)))
"""What a table that does not count its chips may still say; nobody asks for it."""


def announced(state: State, turn: Turn) -> Iterator[Awaited]:
    """What may also be said in `state`, in which the game awaits `turn`."""
    if state.start.level is not Level.AMOUNTS and not state.table.spots:
        yield from (one for one in UNCOUNTED if one.verb in state.game.vocabulary)
        if Verb.ANTE in state.game.vocabulary:
            yield from _each(ANTE, _lacking(state))
    elif ANTE in turn.awaited:
        antes = (one for one in (*turn.awaited, *turn.also) if one.verb is Verb.ANTE)
        for one in antes:
            yield from _each(one, _lacking(state))


def incomplete(state: State, act: Act) -> bool:
    """Whether `act` is one player's ante in `state`, and those of others are still to come."""
    if act.verb is not Verb.ANTE or act.seat is None or ANTE not in state.turn.awaited:
        return False
    return bool({*_lacking(state)} - {act.seat})


def _each(one: Awaited, seats: tuple[int, ...]) -> Iterator[Awaited]:
    if seats:
        yield replace(one, seats=seats, required=False)


def _lacking(state: State) -> tuple[int, ...]:
    """The players who have not put in their own ante, in games in which all do."""
    said = {act.seat for act in state.acts if act.verb is Verb.ANTE}
    return tuple(seat for seat in state.game.anteing(state) if seat not in said)
