"""Acts that leave nothing to see: words, and cards that move between hidden places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware.follow.candidates import speakable
from firmware.follow.unseen import unseen_acts
from rules.acts import Act, Verb
from rules.state import State
from rules.turn import Awaited

VOICED = frozenset(
    {
        Verb.DECLARE,
        Verb.BID,
        Verb.BET,
        Verb.RAISE,
        Verb.CALL,
        Verb.CHECK,
        Verb.PASS,
        Verb.FOLD,
        Verb.JUDGE,
    }
)
"""What people say for themselves, or a dealer for them: implied only if nothing else can be
said.
"""


def unshown_acts(state: State) -> Iterator[Act]:
    """The acts that may come now and leave nothing to see."""
    yield from unseen_acts(state)
    for one in state.turn:
        if one.spoken:
            spoken = (act for act in one.acts() if speakable(act.words))
            yield from (act for act in spoken if not state.trace(act))


def only_one(state: State, act: Act) -> bool:
    """Whether the rules leave nothing else to say: neither another act nor other words."""
    acts = [one for awaited in state.turn.awaited for one in _said_of(awaited)]
    return acts == [act]


def _said_of(one: Awaited) -> Iterable[Act]:
    """The acts of this kind that may be said; several if amounts or cards differ."""
    return one.acts() if one.spoken else [one.fill(), one.fill()]
