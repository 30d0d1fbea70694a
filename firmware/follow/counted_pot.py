"""The pot of a hand that was lost: what it may hold is asked once, and one press answers it.

While nobody followed the hand, bets may have been placed; and when it is given up, only the players
know whether somebody has taken the pot. The amounts that the record knows are offered first.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware.display.prompts import Option, Question, act_phrase
from firmware.follow.choices import other_amount
from rules.acts import Act, Verb
from rules.match import Match
from rules.phrases import Phrase
from rules.settlement import POT
from rules.start import Level
from rules.state import State

ABOUT_POT = "pot"
"""The prefix of such a question's key."""
COUNTED_MOST = 1000
"""Largest amount that can be chosen instead of those offered, unless one is larger. A choice:
more than that is typed.
"""


def pot_asked(match: Match, before: State) -> Question | None:
    """What to ask after the acts that led on from `before`: nothing unless a hand was just resumed
    or given up, and there is a pot whose chips are counted."""
    now = match.state
    if not now.game.potted or now.start.level is not Level.AMOUNTS:
        return None
    if match.hand.acts:
        if now.acts[-1].verb is not Verb.RESUME:
            return None
        return _asked(now, [now.game.pot(now), now.game.pot(before)])
    if len(match.hands) < 2 or match.hands[-2].between or not _given_up(match.hands[-2].state):
        return None
    return _asked(now, [now.start.pot, 0])


def _given_up(state: State) -> bool:
    """Whether a resumed hand was cleared before anybody had won the pot."""
    won = any(one.payer == POT for one in state.settlement.payments)
    return state.anew and not state.void and not won


def _asked(state: State, likely: Iterable[int]) -> Question | None:
    """The question about the pot, unless it is empty for all that is known."""
    amounts = list(dict.fromkeys(likely))
    if not any(amounts):
        return None
    acts = [Act(Verb.POT, numbers=(chips,)) for chips in amounts]
    offered = [Option(act_phrase((act,)), (act,)) for act in acts]
    other = other_amount(state, acts[0], max(COUNTED_MOST, *amounts))
    key = (ABOUT_POT, state.start.hand, len(state.acts))
    return Question(Phrase("ask.pot"), (*offered, other), key, by_hand=True)
