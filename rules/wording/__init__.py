"""The language of secret rules: which card may follow a line of cards, said as people say it.

A rule speaks of the ``card`` to be played and of the line before it: the ``last`` card, the
``second last``, the ``third last``, the ``last two``. English and Italian are read, numbers in
digits or words.

* what a card is: ``red`` ``black``, ``clubs`` …, ``odd`` ``even`` ``prime``, ``court`` ``plain``,
  ``ace`` ``two`` … ``king``, ``seven or higher``, ``between four and nine``, ``multiple of three``
* how two differ: ``higher than last``, ``two from last``, ``two higher or three lower than last``,
  ``at least three from last``, ``within two of last`` (``around``: past the king to the ace),
  ``same suit as last``, ``different color than second last`` (also ``rank``, ``parity``)
* numbers: ``the sum of the last two is even``, ``the difference of card and last is at most
  three``, ``last divided by four leaves one``, ``card plus last is above ten``
* how the line goes: ``cycle spades clubs diamonds hearts`` (after the word that fits the last
  card), ``pattern red red black`` (by place, the first card being the first), ``runs two three of
  color`` (so many alike, then so many alike of another kind, and again)
* joined: ``not``, ``and``, ``or``, parentheses, ``if … then … else …``; who is meant: ``last is red
  or a king``

Where the line is too short for what is said, any card may follow. ``text`` is the rule in words
only, as a record writes it, and means the same when it is read again.

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
"""Characters of a rule: ten of the longest that the examples have."""
REMEMBERED = 64
"""How many rules that were read are remembered: one is asked a great many times in a hand."""


@dataclass(frozen=True)
class Secret:
    """A rule for the cards of a line, as its words and as what they mean."""

    text: str
    meaning: Condition = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Secret:
        """The rule that a text says; raises `SecretError` pointing at the word that does not fit.

        >>> Secret.parse("if last is red than black")
        Traceback (most recent call last):
        rules.errors.SecretError: 'than' (word 5): then, and, or expected
        """
        if len(text) > TEXT_MOST or re.search(r"\d{7}", text):
            raise SecretError(f"a rule of up to {TEXT_MOST} characters and short numbers expected")
        return _parsed(text)

    def allows(self, line: Sequence[Card], card: Card) -> bool:
        """Whether `card` may follow `line`, whose first card is the starter."""
        return self.meaning.test(line, card) is not False

    def allows_all(self, line: Sequence[Card], cards: Sequence[Card]) -> bool:
        """Whether a string of cards may follow, each after those before it."""
        return all(self.allows((*line, *cards[:place]), card) for place, card in enumerate(cards))


@lru_cache(REMEMBERED)
def _parsed(text: str) -> Secret:
    meaning = read(text)
    return Secret(plainly(meaning), meaning)
