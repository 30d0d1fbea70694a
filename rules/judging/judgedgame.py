"""A game with a line of cards judged by a secret rule: what it hides, calls and reveals."""

from __future__ import annotations

from dataclasses import dataclass

from rules.acts import Act, Verb
from rules.frozen import replace
from rules.game import Game
from rules.judging.lines import PLAYED, JudgedState, as_ruled, found_wrong, placed, verify_said
from rules.secret import REVEAL, Secrecy, seal
from rules.spots import Trace
from rules.wording import Secret


@dataclass(frozen=True)
class JudgedGame(Game[JudgedState]):
    """Base class of games with a secret rule."""

    def verify(self, state: JudgedState, act: Act) -> None:
        """Words must be known here, and cards must be readable."""
        verify_said(act)

    def route(self, state: JudgedState, act: Act) -> tuple[str, str]:
        """Cards played wait for their judgement."""
        if act.verb is Verb.PLAY:
            return str(act.seat), PLAYED
        return super().route(state, act)

    def trace(self, state: JudgedState, act: Act) -> Trace:
        """The dealer's judgement puts cards where they belong."""
        return super().trace(state, act) if act.verb is not Verb.JUDGE else placed(state, act)

    def secrecy(self, state: JudgedState) -> Secrecy:
        """A rule is wanted before the deal, and revealed once the hand has ended."""
        hidden = "" if state.settled else state.sealed
        if state.void or state.over:
            return Secrecy(seal=hidden)
        return Secrecy(
            wanted=state.unplayed and not state.sealed and not state.own,
            seal=hidden,
            due=bool(hidden) and state.ended and not state.owes,
            verdict=state.verdict,
        )

    def unjudged(self, state: JudgedState, number: int) -> bool:
        """Whether only those told the rule could check this judgement when it was given."""
        waits = any(one.act == number and not one.known for one in state.judged)
        return waits or state.acts[number - 1].words[:1] == (REVEAL,)

    def veiled(self, state: JudgedState) -> JudgedState:
        """Keep what the device calls about a play, which is for everybody, but not the rule."""
        return replace(state, told=state.truth)


def announced(state: JudgedState) -> JudgedState:
    """Add the device's own call: right or wrong, or whether a prophet's call is correct."""
    verdict = state.verdict
    if verdict is None:
        return state
    if state.prophet is not None:
        called = "eleusis.correct" if verdict else "eleusis.incorrect"
        return state.call(called, seat=state.prophet)
    return state.call("eleusis.right" if verdict else "eleusis.wrong", seat=state.player)


def brought_to_light(state: JudgedState, act: Act, text: str) -> JudgedState:
    """The state with the rule `text` revealed, and a violation for each judgement against it."""
    after = state.call("eleusis.revealed", rule=text)
    if seal(act.words[1], text) != state.sealed:
        after = after.flag("eleusis.seal")
    else:
        for one in found_wrong(state, Secret.parse(text)):
            after = after.flag("eleusis.judgement", since=one.act, cards=one.cards)
            after = as_ruled(after, one.act)
    return after
