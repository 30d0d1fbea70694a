"""Secret rules: a small language in which a dealer says which card may follow a line of cards.

A rule is words only, so that it can be typed, spoken and written in a record. It speaks of the
``card`` to be played and of the line before it: ``last``, ``second-last``, ``third-last``.

* what one is: ``red`` ``black``, ``clubs`` …, ``odd`` ``even``, ``court`` ``plain``, ``ace``
  ``two`` … ``king``, ``above seven``, ``below last``, ``two above last`` (``around``: past the king
  to the ace)
* how two differ: ``two from last``, ``at-least three from last``, ``at-most one from last``,
  ``same suit as last``, ``other color than second-last`` (also ``rank``, ``parity``)
* how the line goes: ``cycle spades clubs diamonds hearts`` (behind the word that fits the last
  card), ``pattern red red black`` (by place, the first card being the first), ``runs two three of
  color`` (so many alike, then so many alike of another kind, and again)
* joined: ``not``, ``and``, ``or``, ``if … then … else …``; who is meant: ``last is red``

>>> rule = Secret.parse("if last is red then black else red")
>>> [rule.allows(parse_cards("5H 6S"), card) for card in parse_cards("QD QC")]
[True, False]
>>> Secret.parse("if last is purple then black")
Traceback (most recent call last):
rules.errors.SecretError: 'purple' (word 4): a color, a suit, odd, even, court, plain, a rank,
above or below expected
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256

from rules.acts import Act, Verb
from rules.cards import RANKS, Card, Suit, parse_cards
from rules.errors import SecretError

__all__ = [
    "PRESETS", "Secrecy", "Secret", "keep", "opened", "parse_cards", "revealed", "revealing",
    "seal", "sealing", "tidied",
]  # fmt: skip

Line = Sequence[Card]
Test = Callable[[Line, Card], bool]
"""Whether a card fits behind a line."""
Look = Callable[[Line, Card], Card | None]
"""The card of which a rule speaks; None where the line is too short."""

NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen",
)  # fmt: skip
VALUES = {word: value for value, word in enumerate(NUMBERS, 1)} | {
    "ace": 1, "jack": 11, "queen": 12, "king": 13,
}  # fmt: skip
SUITS = {suit.name.lower(): suit for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)}
PLACES = {"card": 0, "last": 1, "second-last": 2, "third-last": 3}
KINGS = len(RANKS)


def value(card: Card) -> int:
    """The ace counts one, the jack eleven, the queen twelve and the king thirteen."""
    return RANKS.index(card.rank) + 1


def _of_suit(suit: Suit, card: Card) -> bool:
    return card.suit is suit


def _worth(worth: int, card: Card) -> bool:
    return value(card) == worth


ATTRIBUTES: dict[str, Callable[[Card], object]] = {
    "suit": lambda card: card.suit,
    "color": lambda card: card.suit.red,
    "rank": lambda card: card.rank,
    "parity": lambda card: value(card) % 2,
}
PROPERTIES: dict[str, Callable[[Card], bool]] = {
    "red": lambda card: card.suit.red,
    "black": lambda card: not card.suit.red,
    "odd": lambda card: value(card) % 2 == 1,
    "even": lambda card: value(card) % 2 == 0,
    "court": lambda card: card.rank.court,
    "plain": lambda card: not card.rank.court,
    **{word: partial(_of_suit, suit) for word, suit in SUITS.items()},
    **{word: partial(_worth, worth) for word, worth in VALUES.items()},
}
KINDS = "a color, a suit, odd, even, court, plain, a rank, above or below expected"


@dataclass(frozen=True)
class Secret:
    """A rule for the cards of a line, as its words and as what they mean."""

    text: str
    test: Test = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> Secret:
        """The rule that a text says; raises `SecretError` naming the word that does not fit."""
        return _parsed(" ".join(text.split()))

    def allows(self, line: Line, card: Card) -> bool:
        """Whether `card` may follow `line`, whose first card is the starter."""
        return self.test(line, card)

    def allows_all(self, line: Line, cards: Line) -> bool:
        """Whether a string of cards may follow, each behind those before it."""
        return all(self.test((*line, *cards[:place]), card) for place, card in enumerate(cards))


@cache
def _parsed(text: str) -> Secret:
    reader = _Reader(text.split())
    test = reader.statement()
    reader.end()
    return Secret(text, test)


class _Reader:
    """Reads the words of a rule from left to right."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.place = 0

    @property
    def word(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

    def error(self, expected: str) -> SecretError:
        if not self.word:
            return SecretError(f"the rule ends behind word {self.place}: {expected}")
        return SecretError(f"{self.word!r} (word {self.place + 1}): {expected}")

    def take(self, *words: str) -> bool:
        """Whether one of `words` comes now; then it is read."""
        if self.word not in words:
            return False
        self.place += 1
        return True

    def want(self, word: str) -> None:
        if not self.take(word):
            raise self.error(f"{word} expected")

    def one_of(self, table: dict[str, int], expected: str) -> int:
        if self.word not in table:
            raise self.error(f"{expected} expected")
        self.place += 1
        return table[self.words[self.place - 1]]

    def end(self) -> None:
        if self.word:
            raise self.error("and, or, or the end of the rule expected")

    def statement(self) -> Test:
        if not self.take("if"):
            return self.choice()
        condition = self.choice()
        self.want("then")
        then = self.statement()
        other = self.statement() if self.take("else") else _anything
        return lambda line, card: (then if condition(line, card) else other)(line, card)

    def choice(self) -> Test:
        tests = [self.union()]
        while self.take("or"):
            tests.append(self.union())
        return lambda line, card: any(test(line, card) for test in tests)

    def union(self) -> Test:
        tests = [self.single()]
        while self.take("and"):
            tests.append(self.single())
        return lambda line, card: all(test(line, card) for test in tests)

    def single(self) -> Test:
        if self.take("not"):
            inner = self.single()
            return lambda line, card: not inner(line, card)
        if self.take("any"):
            return _anything
        for word, read in (("cycle", self.cycle), ("pattern", self.pattern), ("runs", self.runs)):
            if self.take(word):
                return read()
        return self.about()

    def about(self) -> Test:
        """What the card to be played, or one before it, is."""
        look = _at(0)
        if self.word in PLACES:
            look = self.subject()
            self.want("is")
        negated = self.take("not")
        said = self.predicate(look)
        return (lambda line, card: not said(line, card)) if negated else said

    def subject(self) -> Look:
        return _at(self.one_of(PLACES, "card, last, second-last or third-last"))

    def predicate(self, look: Look) -> Test:
        if self.take("same", "other"):
            return self.likeness(look, self.words[self.place - 1] == "same")
        if self.take("above", "below"):
            return self.order(look, self.words[self.place - 1] == "above")
        if self.take("at-least", "at-most"):
            least = self.words[self.place - 1] == "at-least"
            return self.distance(look, least, not least)
        if self.word in NUMBERS and self._next in ("from", "above", "below"):
            return self.steps(look)
        if self.word not in PROPERTIES:
            raise self.error(KINDS)
        self.place += 1
        said = PROPERTIES[self.words[self.place - 1]]
        return lambda line, card: (seen := look(line, card)) is not None and said(seen)

    @property
    def _next(self) -> str:
        return self.words[self.place + 1] if self.place + 1 < len(self.words) else ""

    def likeness(self, look: Look, same: bool) -> Test:
        if self.word not in ATTRIBUTES:
            raise self.error("suit, color, rank or parity expected")
        self.place += 1
        attribute = ATTRIBUTES[self.words[self.place - 1]]
        self.want("as" if same else "than")
        other = self.subject()
        return _both(look, other, lambda a, b: (attribute(a) == attribute(b)) is same)

    def order(self, look: Look, above: bool) -> Test:
        if self.word in PLACES:
            other = self.subject()
            return _both(
                look, other, lambda a, b: value(a) > value(b) if above else value(a) < value(b)
            )
        bound = self.one_of(VALUES, "a rank, last, second-last or third-last")
        return _both(look, look, lambda a, _: value(a) > bound if above else value(a) < bound)

    def distance(self, look: Look, least: bool, most: bool) -> Test:
        apart = self.one_of(VALUES, "a number")
        self.want("from")
        other = self.subject()

        def fits(one: Card, two: Card) -> bool:
            found = abs(value(one) - value(two))
            return (found >= apart or not least) and (found <= apart or not most)

        return _both(look, other, fits)

    def steps(self, look: Look) -> Test:
        """So many from, above or below another; around the corner if that is said."""
        if self._next == "from":
            return self.distance(look, True, True)
        count = self.one_of(VALUES, "a number")
        up = self.take("above") or not self.take("below")
        other = self.subject()
        around = self.take("around")

        def fits(one: Card, two: Card) -> bool:
            found = (value(one) - value(two)) * (1 if up else -1)
            return found % KINGS == count % KINGS if around else found == count

        return _both(look, other, fits)

    def named(self) -> list[Callable[[Card], bool]]:
        """One property or several."""
        found = []
        while self.word in PROPERTIES:
            found.append(PROPERTIES[self.word])
            self.place += 1
        if len(found) < 2:
            raise self.error("two words at least, each a color, a suit, a parity or a rank,")
        return found

    def cycle(self) -> Test:
        ring = self.named()

        def fits(line: Line, card: Card) -> bool:
            last = next((n for n, said in enumerate(ring) if line and said(line[-1])), -1)
            return ring[(last + 1) % len(ring)](card)

        return fits

    def pattern(self) -> Test:
        ring = self.named()
        return lambda line, card: ring[len(line) % len(ring)](card)

    def runs(self) -> Test:
        lengths = [self.one_of(VALUES, "a number")]
        while self.word in NUMBERS:
            lengths.append(self.one_of(VALUES, "a number"))
        self.want("of")
        if self.word not in ATTRIBUTES:
            raise self.error("suit, color, rank or parity expected")
        self.place += 1
        attribute = ATTRIBUTES[self.words[self.place - 1]]
        return lambda line, card: _in_runs(line, card, lengths, attribute)


def _in_runs(
    line: Line, card: Card, lengths: Sequence[int], attribute: Callable[[Card], object]
) -> bool:
    """A run goes on until it is long enough; then another kind begins one of the next length."""
    if not line:
        return True
    ends, run = 0, 0
    while ends < len(line):
        ends += lengths[run % len(lengths)]
        run += 1
    alike = attribute(card) == attribute(line[-1])
    return not alike if ends == len(line) else alike


def _anything(line: Line, card: Card) -> bool:
    return True


def _at(place: int) -> Look:
    if not place:
        return lambda line, card: card
    return lambda line, card: line[-place] if len(line) >= place else None


def _both(look: Look, other: Look, fits: Callable[[Card, Card], bool]) -> Test:
    def test(line: Line, card: Card) -> bool:
        one, two = look(line, card), other(line, card)
        return one is None or two is None or fits(one, two)

    return test


PRESETS = {
    "alternating": "if last is red then black else red",
    "two-apart": "two from last",
    "twos-and-threes": "runs two three of color",
    "suits": "cycle spades clubs diamonds hearts",
}
"""The four examples of the rule sheet."""

# Sealing.

SALT = re.compile(r"[a-z][a-z-]*")
OPEN = "open"
"""The salt of rules that are no secret, so that a table without a dealer can play them."""
LETTERS = "abcdefghijklmnop"


def seal(salt: str, text: str) -> str:
    """A SHA-256 hash of a rule as sixty-four letters, each of four bits.

    >>> seal("quill", "two from last")[:12]
    'aejplfaepcki'
    """
    digest = sha256(f"{salt} {' '.join(text.split())}".encode()).hexdigest()
    return "".join(LETTERS[int(digit, 16)] for digit in digest)


_kept: dict[str, Secret] = {}
"""What this device was told in private, by its seal; no state and no record holds it."""


def keep(salt: str, text: str) -> str:
    """Keep a rule in private, so that cards can be judged by it; gives its seal."""
    sealed = seal(salt, text)
    _kept[sealed] = Secret.parse(text)
    return sealed


def opened(sealed: str) -> Secret | None:
    """The rule behind a seal, if this device was told it."""
    return _kept.get(sealed)


OPEN_SEALS = {keep(OPEN, text): text for text in PRESETS.values()}
"""The presets as rules that everybody knows."""

# What is said of it at a table.

SEAL, REVEAL = "seal", "reveal"


@dataclass(frozen=True, slots=True)
class Secrecy:
    """How a hand stands to its secret rule."""

    wanted: bool = False
    """Whether the dealer has to seal one now."""
    seal: str = ""
    """The seal of the rule that has not been revealed yet."""
    due: bool = False
    """Whether it has to be revealed now."""
    verdict: bool | None = None
    """What a device that was told the rule calls of what was done; None if it says nothing."""


def tidied(text: str) -> str:
    """A rule as it is kept and sealed: small letters, a space between two words."""
    return " ".join(text.lower().split())


def sealing(sealed: str) -> Act:
    """The act by which a rule is sealed at the table."""
    return Act(Verb.DECLARE, words=(SEAL, sealed))


def revealing(salt: str, text: str) -> Act:
    """The act by which a sealed rule is revealed.

    >>> str(revealing("quill", "two from last"))
    'declare reveal quill two from last'
    """
    return Act(Verb.DECLARE, words=(REVEAL, salt, *text.split()))


def revealed(act: Act) -> tuple[str, str] | None:
    """The salt and the rule that an act reveals."""
    if act.verb is not Verb.DECLARE or act.words[:1] != (REVEAL,) or len(act.words) < 3:
        return None
    return act.words[1], " ".join(act.words[2:])
