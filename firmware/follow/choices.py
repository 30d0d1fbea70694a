"""Where a person has only words to say: a menu of them, to be answered with the buttons."""

from __future__ import annotations

from firmware.display.prompts import Option, Question, act_phrase, turn_phrase
from rules.state import State

WORDS_MOST = 6
"""A longer list is typed: nobody goes through it with one button."""
WORD_MOST = 20
"""Letters of a word that can be chosen by ear; a seal is longer."""


def choice(state: State) -> Question | None:
    """What must be said now, where a few words of one person are possible; None anywhere else."""
    required = [one for one in state.turn.awaited if one.required]
    if len(required) != 1:
        return None
    one = required[0]
    if not one.spoken or len(one.seats) > 1 or not 2 <= len(one.words) <= WORDS_MOST:
        return None
    acts = [one.fill(words=words) for words in one.words if max(map(len, words)) <= WORD_MOST]
    if not acts:
        return None
    options = tuple(Option(act_phrase((act,)), (act,)) for act in acts)
    return Question(turn_phrase(state.turn), options, ("choice", len(state.acts)), by_hand=True)
