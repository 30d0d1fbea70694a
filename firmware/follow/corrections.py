"""What to offer when a person says that the last card was read wrong."""

from __future__ import annotations

from firmware.display.prompts import Option, Question
from firmware.follow.sight import lying_as
from rules.acts import Act, Verb
from rules.cards import Card
from rules.phrases import Phrase
from rules.state import NAMING, State
from vision.sightings import Seen

UNREAD = NAMING | {Verb.RULE}
"""The verbs whose cards no camera has read."""


def correction(state: State, seen: Seen | None) -> Question | None:
    """Other cards for the one that was read last, the likeliest first; None if none was read."""
    for number in range(len(state.acts), 0, -1):
        act = state.acts[number - 1]
        if act.cards and not act.down and act.verb not in UNREAD:
            wrong = act.cards[-1]
            options = tuple(
                Option(
                    Phrase.of("option.card", cards=(card,)),
                    (act.with_cards([*act.cards[:-1], card]),),
                )
                for card in others(state, seen, act)
            )
            phrase = Phrase.of("ask.correct", cards=(wrong,))
            key = ("correct", number, len(state.acts))
            return Question(phrase, options, key, corrects=number)
    return None


def others(state: State, seen: Seen | None, act: Act) -> list[Card]:
    """What the last card of `act` may be: what the camera had in mind, then its nearest kin."""
    wrong = act.cards[-1]
    lying = lying_as(seen, act.spot or str(act.seat), wrong) if seen else None
    thought = [card for card, _ in lying.candidates if card.known] if lying else []
    pack = state.game.deck(state.start)
    unseen = [c for c in dict.fromkeys(pack) if dict(state.sightings(c))[c] < pack.count(c)]
    kin = sorted(unseen, key=lambda c: (c.rank != wrong.rank) + (c.suit != wrong.suit))
    return [card for card in dict.fromkeys([*thought, *kin]) if card != wrong]
