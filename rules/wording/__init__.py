"""The language of secret rules: which card may follow a line of cards, in everyday words.

A rule is about the ``card`` to be played and the line before it: the ``last`` card, the
``second last``, the ``third last``, the ``last two``. It may be in English or Italian, with numbers
in digits or words.

* what a card is: ``red`` ``black``, ``clubs`` …, ``odd`` ``even`` ``prime``, ``court`` ``plain``,
  ``ace`` ``two`` … ``king``, ``seven or higher``, ``between four and nine``, ``multiple of three``
* how two differ: ``higher than last``, ``two from last``, ``two higher or three lower than last``,
  ``at least three from last``, ``within two of last`` (``around``: past the king to the ace),
  ``same suit as last``, ``different color than second last`` (also ``rank``, ``parity``)
* numbers: ``the sum of the last two is even``, ``the difference of card and last is at most
  three``, ``last divided by four leaves one``, ``card plus last is above ten``
* how the line goes: ``cycle spades clubs diamonds hearts`` (the card after
  the one that fits the last card), ``pattern red red black`` (by place, from the first card on),
  ``runs two three of color`` (two alike, then three alike of another kind, and so on)
* combined: ``not``, ``and``, ``or``, parentheses, ``if … then … else …``; a subject may come first:
  ``last is red or a king``

If the line is too short for a condition, any card may follow. ``text`` is the rule in words only,
as a record writes it, and means the same when it is read again.

>>> rule = Secret.parse("If the last card is red, play black, otherwise red.")
>>> rule.text
'if last is red then black else red'
>>> [rule.allows(parse_cards("5H 6S"), card) for card in parse_cards("QD QC")]
[True, False]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rules.cards import Card, parse_cards
from rules.errors import SecretError
from rules.wording.meaning import Condition
from rules.wording.reading import read
from rules.wording.telling import plainly

__all__ = ["Secret", "parse_cards"]
TEXT_MOST = 2000
"""Most characters in a rule: enough for ten copies of the longest example."""
REMEMBERED = 64
"""Parsed rules kept in the cache: the same one is needed many times in a hand."""


@dataclass(frozen=True)
class Secret:
    """A rule for the cards of a line, as text and as its meaning."""

    text: str
    meaning: Condition = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Secret:
        """Parse a rule; raises `SecretError` pointing at the word that does not fit.

        >>> Secret.parse("if last is red than black")
        Traceback (most recent call last):
        rules.errors.SecretError: 'than' (word 5): expected then, and, or
        """
        if len(text) > TEXT_MOST or re.search(r"\d{7}", text):
            raise SecretError(f"expected a rule of up to {TEXT_MOST} characters and short numbers")
        return _parsed(text)

    def allows(self, line: Sequence[Card], card: Card) -> bool:
        """Whether `card` may follow `line`, whose first card is the starter."""
        return self.meaning.test(line, card) is not False

    def allows_all(self, line: Sequence[Card], cards: Sequence[Card]) -> bool:
        """Whether a string of cards may follow, each judged after those before it."""
        return all(self.allows((*line, *cards[:place]), card) for place, card in enumerate(cards))


@lru_cache(REMEMBERED)
def _parsed(text: str) -> Secret:
    meaning = read(text)
    return Secret(plainly(meaning), meaning)
