"""What a secret rule means: which card may follow a line of cards.

A rule is a tree of conditions over the card to be played and the line before it. If the line is too
short for a condition, the condition is undecided (None), and an undecided rule lets any card
follow.

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
    """The value of a card: the ace one, the jack eleven, the queen twelve and the king thirteen."""
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
"""The attributes in which two cards may be alike."""
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
"""The properties that a single card may have."""
ORDERS: dict[str, Callable[[int, int], bool]] = {
    "above": operator.gt,
    "below": operator.lt,
    "at-least": operator.ge,
    "at-most": operator.le,
    "equal": operator.eq,
}
"""The comparisons of two numbers."""


class Term(ABC):
    """A number in a rule."""

    @abstractmethod
    def number(self, line: Line, card: Card) -> int | None:
        """Its current value; None if the line is too short."""


@dataclass(frozen=True)
class Number(Term):
    """A literal number."""

    worth: int

    def number(self, line: Line, card: Card) -> int | None:
        """The number itself."""
        return self.worth


@dataclass(frozen=True)
class Value(Term):
    """The value of a card."""

    place: int

    def number(self, line: Line, card: Card) -> int | None:
        """From one to thirteen."""
        seen = at(self.place, line, card)
        return None if seen is None else value(seen)


@dataclass(frozen=True)
class Sum(Term):
    """A sum of several numbers; `signs` has 1 for those added and -1 for those subtracted."""

    terms: tuple[Term, ...]
    signs: tuple[int, ...]

    def number(self, line: Line, card: Card) -> int | None:
        """Their sum, which may be negative."""
        total = 0
        for term, sign in zip(self.terms, self.signs, strict=True):
            found = term.number(line, card)
            if found is None:
                return None
            total += sign * found
        return total


@dataclass(frozen=True)
class Difference(Term):
    """The difference between two numbers."""

    one: Term
    two: Term

    def number(self, line: Line, card: Card) -> int | None:
        """Their absolute difference, never negative."""
        one, two = self.one.number(line, card), self.two.number(line, card)
        return None if one is None or two is None else abs(one - two)


@dataclass(frozen=True)
class Remainder(Term):
    """The remainder of a division."""

    term: Term
    by: int

    def number(self, line: Line, card: Card) -> int | None:
        """From zero to one less than the divisor."""
        found = self.term.number(line, card)
        return None if found is None else found % self.by


class Condition(ABC):
    """Something that is true, false, or not decided yet."""

    @abstractmethod
    def test(self, line: Line, card: Card) -> bool | None:
        """Whether it is true for `card` after `line`; None if the line is too short."""


@dataclass(frozen=True)
class Anything(Condition):
    """Any card."""

    def test(self, line: Line, card: Card) -> bool | None:
        """Always."""
        return True


@dataclass(frozen=True)
class Is(Condition):
    """A property of the card at a place."""

    place: int
    kind: str

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether the card there has this property."""
        seen = at(self.place, line, card)
        return None if seen is None else PROPERTIES[self.kind](seen)


@dataclass(frozen=True)
class Compare(Condition):
    """A comparison of two numbers."""

    one: Term
    order: str
    two: Term

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether the two numbers compare this way."""
        one, two = self.one.number(line, card), self.two.number(line, card)
        return None if one is None or two is None else ORDERS[self.order](one, two)


@dataclass(frozen=True)
class Parity(Condition):
    """Whether a number is odd, even or prime."""

    term: Term
    kind: str

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether the number is of this kind; zero is even."""
        found = self.term.number(line, card)
        if found is None:
            return None
        return found in PRIMES if self.kind == "prime" else found % 2 == (self.kind == "odd")


@dataclass(frozen=True)
class Apart(Condition):
    """A distance between the values of two cards: one of several numbers of steps."""

    place: int
    steps: tuple[int, ...]
    other: int

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether a number of steps fits, in either direction but not past the king."""
        one, two = at(self.place, line, card), at(self.other, line, card)
        if one is None or two is None:
            return None
        return abs(value(one) - value(two)) in self.steps


@dataclass(frozen=True)
class Steps(Condition):
    """A number of steps above or below another card; `around` goes past the king to the ace."""

    place: int
    steps: tuple[int, ...]
    """Negative if below the other card."""
    other: int
    around: bool = False

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether one of the numbers of steps leads from the other card to this one."""
        one, two = at(self.place, line, card), at(self.other, line, card)
        if one is None or two is None:
            return None
        found = value(one) - value(two)
        if self.around:
            return any((found - step) % KINGS == 0 for step in self.steps)
        return found in self.steps


@dataclass(frozen=True)
class Alike(Condition):
    """Two cards with the same suit, color, rank or parity, or with different ones."""

    place: int
    attribute: str
    same: bool
    other: int

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether they are alike, or different, as required."""
        one, two = at(self.place, line, card), at(self.other, line, card)
        if one is None or two is None:
            return None
        of = ATTRIBUTES[self.attribute]
        return (of(one) == of(two)) is self.same


@dataclass(frozen=True)
class Not(Condition):
    """The negation of a condition."""

    inner: Condition

    def test(self, line: Line, card: Card) -> bool | None:
        """The opposite, or None if the condition is undecided."""
        found = self.inner.test(line, card)
        return None if found is None else not found


@dataclass(frozen=True)
class All(Condition):
    """Several conditions together."""

    parts: tuple[Condition, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether all are true; a single false one decides."""
        found = [part.test(line, card) for part in self.parts]
        return False if False in found else None if None in found else True


@dataclass(frozen=True)
class Either(Condition):
    """One of several conditions."""

    parts: tuple[Condition, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether any is true; a single true one decides."""
        found = [part.test(line, card) for part in self.parts]
        return True if True in found else None if None in found else False


@dataclass(frozen=True)
class If(Condition):
    """One condition if something is true, and perhaps another if not."""

    condition: Condition
    then: Condition
    other: Condition | None = None

    def test(self, line: Line, card: Card) -> bool | None:
        """The result of the chosen branch; None if the choice is undecided."""
        found = self.condition.test(line, card)
        if found is None:
            return None
        chosen = self.then if found else self.other
        return True if chosen is None else chosen.test(line, card)


@dataclass(frozen=True)
class Cycle(Condition):
    """Properties that follow each other in a cycle, starting from that of the last card."""

    ring: tuple[str, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether the card has the next property; after a card with none of them, the first one."""
        last = (n for n, kind in enumerate(self.ring) if line and PROPERTIES[kind](line[-1]))
        return PROPERTIES[self.ring[(next(last, -1) + 1) % len(self.ring)]](card)


@dataclass(frozen=True)
class Pattern(Condition):
    """Properties by place in the line, the starter being first, repeated in a cycle."""

    ring: tuple[str, ...]

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether the card has the property for its place."""
        return PROPERTIES[self.ring[len(line) % len(self.ring)]](card)


@dataclass(frozen=True)
class Runs(Condition):
    """A run of one kind, then a run of another, and so on in turn."""

    lengths: tuple[int, ...]
    attribute: str

    def test(self, line: Line, card: Card) -> bool | None:
        """Whether the card continues a short run, or begins another kind after a full one."""
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
    """The card at a place; None if the line is too short."""
    if place == CARD:
        return card
    return line[-place] if len(line) >= place else None


def joined(kind: type[All] | type[Either], parts: Sequence[Condition]) -> Condition:
    """Combine several conditions into one; a single one is returned as it is."""
    return parts[0] if len(parts) == 1 else kind(tuple(parts))
