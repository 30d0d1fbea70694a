"""What a secret rule means: which card may follow a line of cards.

A rule is a tree of conditions over the card to be played and the line before it. Where the line is
too short for what a condition speaks of, it says nothing (None), and a rule that says nothing lets
any card follow.

>>> from rules.cards import parse_cards
>>> rule = If(Is(LAST, "red"), Is(CARD, "black"), Is(CARD, "red"))
>>> [rule.test(parse_cards("5H 6S"), card) for card in parse_cards("QD QC")]
[True, False]
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rules.cards import RANKS, Card, Suit

Line = Sequence[Card]
CARD, LAST = 0, 1
"""Places, counted from the card to be played back into the line."""
KINGS = len(RANKS)
SUITS = {suit.name.lower(): suit for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)}
NAMES = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king",
)  # fmt: skip
PRIMES = frozenset({2, 3, 5, 7, 11, 13})


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
"""By what two cards are alike."""
PROPERTIES: dict[str, Callable[[Card], bool]] = {
    "red": lambda card: card.suit.red,
    "black": lambda card: not card.suit.red,
    "odd": lambda card: value(card) % 2 == 1,
    "even": lambda card: value(card) % 2 == 0,
    "court": lambda card: card.rank.court,
    "plain": lambda card: not card.rank.court,
    "prime": lambda card: value(card) in PRIMES,
    **{word: partial(_of_suit, suit) for word, suit in SUITS.items()},
    **{word: partial(_worth, worth) for worth, word in enumerate(NAMES, 1)},
}
"""What a card may be by itself."""
ORDERS: dict[str, Callable[[int, int], bool]] = {
    "above": operator.gt,
    "below": operator.lt,
    "at-least": operator.ge,
    "at-most": operator.le,
    "equal": operator.eq,
}
"""How two numbers may stand to each other."""


class Term(ABC):
    """A number that a rule speaks of."""

    @abstractmethod
    def number(self, line: Line, card: Card) -> int | None:
        """What it is now; None where the line is too short."""


@dataclass(frozen=True)
class Number(Term):
    """A number that is said."""

    worth: int

    def number(self, line: Line, card: Card) -> int | None:
        """Itself."""
        return self.worth


@dataclass(frozen=True)
class Value(Term):
    """The value of a card."""

    place: int

    def number(self, line: Line, card: Card) -> int | None:
        """One to thirteen."""
        seen = at(self.place, line, card)
        return None if seen is None else value(seen)


@dataclass(frozen=True)
class Sum(Term):
    """Several numbers taken together; `signs` tells which are added (1) and which taken away."""

    terms: tuple[Term, ...]
    signs: tuple[int, ...]

    def number(self, line: Line, card: Card) -> int | None:
        """Their sum, which may be below zero."""
        total = 0
        for term, sign in zip(self.terms, self.signs, strict=True):
            found = term.number(line, card)
            if found is None:
                return None
            total += sign * found
        return total


@dataclass(frozen=True)
class Difference(Term):
    """How far two numbers are apart."""

    one: Term
    two: Term

    def number(self, line: Line, card: Card) -> int | None:
        """Never below zero."""
        one, two = self.one.number(line, card), self.two.number(line, card)
        return None if one is None or two is None else abs(one - two)


@dataclass(frozen=True)
class Remainder(Term):
    """What a division leaves."""

    term: Term
    by: int

    def number(self, line: Line, card: Card) -> int | None:
        """From zero to one less than what is divided by."""
        found = self.term.number(line, card)
        return None if found is None else found % self.by


class Condition(ABC):
    """Something that is so, is not so, or cannot be said yet."""

    @abstractmethod
    def test(self, line: Line, card: Card) -> bool | None:
        """Whether it is so of `card` after `line`; None where the line is too short."""


@dataclass(frozen=True)
class Anything(Condition):
    """Any card."""

    def test(self, line: Line, card: Card) -> bool | None:
        """Always."""
        return True


@dataclass(frozen=True)
class Is(Condition):
    """What the card at a place is by itself."""

    place: int
    kind: str

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether the card there is of this kind."""
        seen = at(self.place, line, card)
        return None if seen is None else PROPERTIES[self.kind](seen)


@dataclass(frozen=True)
class Compare(Condition):
    """Two numbers compared."""

    one: Term
    order: str
    two: Term

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether they stand so to each other."""
        one, two = self.one.number(line, card), self.two.number(line, card)
        return None if one is None or two is None else ORDERS[self.order](one, two)


@dataclass(frozen=True)
class Parity(Condition):
    """Whether a number is odd, even or prime."""

    term: Term
    kind: str

    def test(self, line: Line, card: Card) -> bool | None:
        """Zero is even."""
        found = self.term.number(line, card)
        if found is None:
            return None
        return found in PRIMES if self.kind == "prime" else found % 2 == (self.kind == "odd")


@dataclass(frozen=True)
class Apart(Condition):
    """How far the value of one card is from another's: one of several numbers of steps."""

    place: int
    steps: tuple[int, ...]
    other: int

    def test(self, line: Line, card: Card) -> bool | None:
        """In either direction, but not past the king."""
        one, two = at(self.place, line, card), at(self.other, line, card)
        if one is None or two is None:
            return None
        return abs(value(one) - value(two)) in self.steps


@dataclass(frozen=True)
class Steps(Condition):
    """So many above or below another card; `around` goes on past the king with the ace."""

    place: int
    steps: tuple[int, ...]
    """Below zero: below the other card."""
    other: int
    around: bool = False

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether one of the numbers of steps leads from the other card to this."""
        one, two = at(self.place, line, card), at(self.other, line, card)
        if one is None or two is None:
            return None
        found = value(one) - value(two)
        if self.around:
            return any((found - step) % KINGS == 0 for step in self.steps)
        return found in self.steps


@dataclass(frozen=True)
class Alike(Condition):
    """Whether two cards have the same suit, color, rank or parity, or another one."""

    place: int
    attribute: str
    same: bool
    other: int

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether they are alike, or not."""
        one, two = at(self.place, line, card), at(self.other, line, card)
        if one is None or two is None:
            return None
        of = ATTRIBUTES[self.attribute]
        return (of(one) == of(two)) is self.same


@dataclass(frozen=True)
class Not(Condition):
    """The contrary."""

    inner: Condition

    def test(self, line: Line, card: Card) -> bool | None:
        """What cannot be said of the one cannot be said of the other."""
        found = self.inner.test(line, card)
        return None if found is None else not found


@dataclass(frozen=True)
class All(Condition):
    """Several conditions together."""

    parts: tuple[Condition, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """One that is not so is enough against it."""
        found = [part.test(line, card) for part in self.parts]
        return False if False in found else None if None in found else True


@dataclass(frozen=True)
class Either(Condition):
    """One of several conditions."""

    parts: tuple[Condition, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """One that is so is enough for it."""
        found = [part.test(line, card) for part in self.parts]
        return True if True in found else None if None in found else False


@dataclass(frozen=True)
class If(Condition):
    """One condition where something is so, and perhaps another where it is not."""

    condition: Condition
    then: Condition
    other: Condition | None = None

    def test(self, line: Line, card: Card) -> bool | None:
        """Where it cannot be said yet what is so, neither can be asked."""
        found = self.condition.test(line, card)
        if found is None:
            return None
        chosen = self.then if found else self.other
        return True if chosen is None else chosen.test(line, card)


@dataclass(frozen=True)
class Cycle(Condition):
    """Kinds that follow each other round and round, from the one that the last card is."""

    ring: tuple[str, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """After a card of no kind in the ring, the first kind comes."""
        last = (n for n, kind in enumerate(self.ring) if line and PROPERTIES[kind](line[-1]))
        return PROPERTIES[self.ring[(next(last, -1) + 1) % len(self.ring)]](card)


@dataclass(frozen=True)
class Pattern(Condition):
    """Kinds by place, the starter being the first, round and round."""

    ring: tuple[str, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """What the card's place calls for."""
        return PROPERTIES[self.ring[len(line) % len(self.ring)]](card)


@dataclass(frozen=True)
class Runs(Condition):
    """A run of one kind, then a run of another, and so on in turn."""

    lengths: tuple[int, ...]
    attribute: str

    def test(self, line: Line, card: Card) -> bool | None:
        """A run goes on until it is long enough; then another kind begins one."""
        if not line:
            return True
        ends, run = 0, 0
        while ends < len(line):
            ends += self.lengths[run % len(self.lengths)]
            run += 1
        of = ATTRIBUTES[self.attribute]
        alike = of(card) == of(line[-1])
        return not alike if ends == len(line) else alike


def at(place: int, line: Line, card: Card) -> Card | None:
    """The card at a place; None where the line is too short."""
    if place == CARD:
        return card
    return line[-place] if len(line) >= place else None


def joined(kind: type[All] | type[Either], parts: Sequence[Condition]) -> Condition:
    """Several conditions as one; a single one is itself."""
    return parts[0] if len(parts) == 1 else kind(tuple(parts))
