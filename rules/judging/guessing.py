"""Guessing a secret rule: who may guess it, and what the dealer's answer changes."""

from __future__ import annotations

from collections.abc import Iterator

from rules.acts import Act, Verb
from rules.frozen import replace
from rules.judging.lines import GUESS, RIGHT, WRONG, JudgedState
from rules.phrases import Phrase
from rules.turn import Awaited


def may_guess(state: JudgedState, *, own: bool) -> tuple[int, ...]:
    """The seats that may guess: each once after a right card, or with `own` only its player."""
    if not state.just_right or state.guessed or not state.judged:
        return ()
    others = (state.judged[-1].seat,) if own else state.players
    return tuple(sorted(seat for seat in others if seat not in state.guessers))


def guessing(who: tuple[int, ...]) -> Iterator[Awaited]:
    """The guess that each of these seats may make."""
    if who:
        says = Phrase("eleusis.turn.guess")
        yield Awaited(Verb.DECLARE, says, who, words=(GUESS,), required=False)


def answered(state: JudgedState, act: Act) -> JudgedState:
    """The state after the dealer's answer to a guess; any other judgement waits for it."""
    if act.seat is not None or act.words not in (RIGHT, WRONG):
        return state
    tried = state.guessers | {state.guessing or 0}
    guessed = state.guessing if act.words == RIGHT else state.guessed
    return replace(state, guessing=None, guessers=tried, guessed=guessed)
