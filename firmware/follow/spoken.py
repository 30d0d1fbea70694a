"""Typed lines as people speak at the table: a word without a verb."""

from __future__ import annotations

from rules.acts import Act, Verb
from rules.errors import ActError
from rules.state import State

SAYING = (Verb.DECLARE, Verb.BID, Verb.JUDGE)
"""The verbs whose words are said by themselves at a table: hearts, high, in, wrong."""
VERBS = frozenset(map(str, Verb))


def spoken(state: State, line: str) -> Act:
    """The act of a typed line; without a verb, the one act with these words that may come now.

    Raises `ActError`, for the line as it was typed, if it means nothing or more than one thing.
    """
    try:
        return Act.parse(line)
    except ActError:
        words = line.split()
        seat = words[:1] if words and words[0].isdecimal() else []
        said = words[len(seat) :]
        if not said or VERBS.intersection(words[:2]):
            raise
        meant = [
            act for verb in SAYING if (act := _act([*seat, verb, *said])) and state.allows(act)
        ]
        if len(meant) != 1:
            raise
        return meant[0]


def _act(words: list[str]) -> Act | None:
    try:
        return Act.parse(" ".join(words))
    except ActError:
        return None
