"""The snapshot for the displays, composed from the match, the prompt and what is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.display.pads import Pad
from firmware.display.prompts import Prompt, Speaks, money, turn_phrase
from firmware.display.snapshot import Snapshot
from rules.acts import Verb
from rules.match import Match
from rules.phrases import Phrase
from rules.state import State
from vision.sightings import Seen

STAKES = frozenset({Verb.ANTE, Verb.BET, Verb.LIMITS, Verb.RAISE})
"""Verbs used only at tables that play for more than points."""
ACTS_SHOWN = 12
"""Number of latest acts shown: as far back as a dealer who wonders what happened will look. A
choice.
"""


def snapshot(
    match: Match,
    prompt: Prompt,
    texts: Speaks,
    seen: Seen | None,
    trouble: Phrase | None,
    *,
    pad: Pad,
    time: float,
    differs: Sequence[Phrase] = (),
) -> Snapshot:
    """The snapshot, with nothing that the table hides.

    `differs` says, spot by spot, what does not match after a hand was lost.
    """
    state = match.state.public()
    return Snapshot(
        game=state.game.name,
        hand=state.start.hand,
        phase=state.phase,
        sentence=prompt.sentence,
        options=prompt.options,
        ok=prompt.ok,
        lamps=dict(prompt.lamps),
        seats=state.start.seats,
        banker=state.start.banker,
        awaited=state.turn.seats,
        waits=texts.say(turn_phrase(state.turn)),
        table=tuple((spot, tuple(map(str, state.table.view(spot)))) for spot in state.spots),
        busy=seen.busy if seen else frozenset(),
        acts=_acts(match),
        calls=_told(match, texts),
        money=tuple(sorted(money(match).items())),
        warnings=tuple(texts.say(phrase) for phrase in (*differs, *_warnings(state, trouble))),
        count=len(state.acts),
        spots=tuple(state.spots.values()),
        dealer=state.start.dealer,
        limits=_limits(state),
        scores=state.start.scores,
        violated=tuple(violation.found for violation in state.open_violations),
        candidates=tuple(_candidates(state, seen)) if seen else (),
        facts=tuple(texts.say(phrase) for phrase in state.game.facts(state)),
        match=tuple(texts.say(phrase) for phrase in state.game.match_facts(state)),
        teams=state.game.teams(state),
        bets=tuple(sorted(state.game.bets(state).items())),
        points=tuple(sorted(_points(state).items())),
        pad=pad,
        secret=_wants_secret(state),
        time=time,
    )


def _limits(state: State) -> tuple[int, int] | None:
    """The limits in force, in games with bets."""
    return (state.limits or state.start.limits) if state.game.vocabulary & STAKES else None


def _points(state: State) -> dict[int, int]:
    """The score sheet with what this hand has scored so far; empty in games without scores."""
    scored = state.settlement.scores
    sheet = dict(state.start.scores)
    if not sheet and not scored:
        return {}
    return {seat: sheet.get(seat, 0) + scored.get(seat, 0) for seat in state.start.seats}


def _wants_secret(state: State) -> bool | None:
    secrecy = state.game.secrecy(state)
    return secrecy.wanted if secrecy is not None else None


def _candidates(state: State, seen: Seen) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the camera considered for each face-up card on the table."""
    for spot in state.spots:
        for lying in seen.spots.get(spot, ()):
            others = [str(card) for card, _ in lying.candidates if card.known]
            if len(others) > 1:
                yield spot, tuple(others)


def _told(match: Match, texts: Speaks) -> tuple[str, ...]:
    """The latest calls; between two hands, how the last one was settled."""
    if match.state.acts or match.last is None:
        return tuple(texts.say(call) for call in match.state.calls)
    payments = match.last.state.settlement.payments
    return tuple(texts.payment(payment) for payment in payments)


def _acts(match: Match) -> tuple[str, ...]:
    """The latest acts as the table shows them, with the previous hand's if this one has few."""
    acts = [*(match.last.state.acts if match.last else ()), *match.state.acts]
    return tuple(str(act.observed()) for act in acts[-ACTS_SHOWN:])


def _warnings(state: State, trouble: Phrase | None) -> Iterator[Phrase]:
    for violation in state.open_violations:
        yield violation.phrase
    if trouble is not None:
        yield trouble
