"""A cursor over the words of a secret rule.

It remembers every kind of token tried at a place, so that an error can point at the word that does
not fit and list what would.
"""

from __future__ import annotations

from typing import NoReturn

from rules.errors import SecretError
from rules.wording.words import Token

SHOWN = {
    "open": "(", "close": ")", "if": "if", "then": "then", "else": "else", "and": "and",
    "or": "or", "not": "not", "any": "any", "is": "is", "place": "card, last, second last, third "
    "last", "group": "the last two", "prop": "a color, a suit, odd, even, court, plain, prime",
    "rank": "a rank", "number": "a number", "above": "above", "below": "below",
    "at-least": "at least", "at-most": "at most", "within": "within", "differs": "differs by",
    "from": "from", "same": "same", "other": "other", "attr": "suit, color, rank, parity",
    "as": "as, than", "cycle": "cycle", "pattern": "pattern", "runs": "runs",
    "alternate": "alternate", "of": "of", "sum": "the sum of", "difference": "the difference of",
    "remainder": "the remainder of", "by": "divided by", "leaves": "leaves", "plus": "plus",
    "minus": "minus", "between": "between", "multiple": "a multiple of", "equal": "equal",
    "around": "around", "orequal": "or equal", "steps": "a number up to twelve",
}  # fmt: skip
"""What an error calls each kind of token that could be at a place."""


class Cursor:
    """Takes tokens from left to right."""

    def __init__(self, found: list[Token], words: int) -> None:
        joined_on = [*(token.kind in ("and", "or") for token in found[1:]), False]
        self.tokens = [
            token
            for token, more in zip(found, joined_on, strict=False)
            if not (token.kind == "comma" and more)
        ]
        self.words = words
        self.place = 0
        self.wanted: dict[str, None] = {}
        """The kinds of token tried at this place."""

    def kind(self, ahead: int = 0) -> str:
        """The kind of the token `ahead` of this place; empty after the last one."""
        place = self.place + ahead
        return self.tokens[place].kind if place < len(self.tokens) else ""

    def sees(self, *kinds: str) -> bool:
        """Whether the token here is one of these kinds."""
        self.wanted |= dict.fromkeys(kinds)
        return self.kind() in kinds

    def next(self) -> Token:
        """Take the token here and move on to the next one."""
        token = self.tokens[self.place]
        self.place += 1
        self.wanted = {}
        return token

    def take(self, *kinds: str) -> Token | None:
        """Take the token here if it is one of these kinds."""
        return self.next() if self.sees(*kinds) else None

    def want(self, *kinds: str) -> Token:
        """Take the token here, which must be one of these kinds."""
        return self.take(*kinds) or self.fail()

    def fail(self) -> NoReturn:
        """Raise `SecretError` at this place, listing what would fit."""
        said = list(dict.fromkeys(SHOWN.get(kind, "") for kind in self.wanted))
        expected = ", ".join(one for one in said if one) or "the end of the rule"
        if self.place < len(self.tokens):
            token = self.tokens[self.place]
            raise SecretError(f"{token.text!r} (word {token.place}): expected {expected}")
        raise SecretError(f"the rule ends after word {self.words}: expected {expected}")

    def end(self) -> None:
        """Raise `SecretError` unless every token was taken."""
        self.take("comma")
        self.sees("and", "or")
        if self.place < len(self.tokens):
            self.wanted.pop("comma", None)
            self.fail()
