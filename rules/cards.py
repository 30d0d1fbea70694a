"""Cards and decks.

A `Card` is what a picture or a person can tell about one card: all of it (``QS``), its rank
(``6?``), its suit (``?H``), or only that it is there, face down (``??``).

    >>> Card.parse("QS").rank.name
    'QUEEN'
    >>> Card.parse("6?").covers(Card.parse("6H"))
    True
    >>> len(Deck.italian().cards)
    40
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import Self

from rules.errors import CardError


class Rank(StrEnum):
    """A card's rank, written as on its index (``T`` for ten)."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    JOKER = "JOKER"
    UNKNOWN = "?"

    __hash__ = str.__hash__  # twice as fast as an enum's own, and cards are hashed a lot

    @property
    def court(self) -> bool:
        """Whether the rank is a jack, a queen or a king."""
        return self in (Rank.JACK, Rank.QUEEN, Rank.KING)


class Suit(StrEnum):
    """A card's suit; `NONE` is a joker's."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NONE = ""
    UNKNOWN = "?"

    __hash__ = str.__hash__

    @property
    def red(self) -> bool:
        """Whether the suit is printed red on a two-colour deck."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


RANKS: tuple[Rank, ...] = tuple(Rank)[:13]
"""The thirteen ranks, ace to king."""
SUITS: tuple[Suit, ...] = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)


_CARDS: dict[tuple[Rank, Suit], Card] = {}
"""Every card that has been named so far."""


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Card:
    """One card, as far as it is known.

    There is one object for each card, so that they are compared and looked up by identity: with a
    hash computed anew each time, a seven-card hand takes four times as long to rank.

    >>> Card(Rank.TEN, Suit.DIAMONDS) is Card.parse("TD")
    True

    >>> str(Card(Rank.TEN, Suit.DIAMONDS))
    'TD'
    >>> Card.parse("??") == BACK
    True
    >>> Card.parse("1D")
    Traceback (most recent call last):
    rules.errors.CardError: '1D' is not a card: expected a rank of A23456789TJQK?
    and a suit of CDHS?, or JOKER
    """

    rank: Rank
    suit: Suit
    known: bool
    """Whether both rank and suit are known."""
    hidden: bool
    """Whether nothing is known about it: a back."""

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        """The one card of this rank and suit."""
        found = _CARDS.get((rank, suit))
        if found is None:
            card, unknown = object.__new__(cls), (rank is Rank.UNKNOWN, suit is Suit.UNKNOWN)
            object.__setattr__(card, "rank", rank)
            object.__setattr__(card, "suit", suit)
            object.__setattr__(card, "known", not any(unknown))
            object.__setattr__(card, "hidden", all(unknown))
            found = _CARDS.setdefault((rank, suit), card)  # another thread may have been first
        return found

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Suit]]:
        """Make copies and unpickled cards the same object."""
        return Card, (self.rank, self.suit)

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that `text` names; raises `CardError` if it is not a card."""
        return _parse(text)

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def covers(self, other: Card) -> bool:
        """Whether `other` may be this card: the parts known of both are equal."""
        if self is other or (self.known and other.known):  # one object for each card
            return self is other
        return _agree(self.rank, other.rank) and _agree(self.suit, other.suit)


def _agree(one: StrEnum, other: StrEnum) -> bool:
    return one is other or "?" in (one, other)


@cache
def _parse(text: str) -> Card:
    if text == "JOKER":
        return JOKER
    try:
        rank, suit = Rank(text[:-1]), Suit(text[-1:])
    except ValueError:
        rank, suit = Rank.JOKER, Suit.NONE
    if rank is Rank.JOKER or suit is Suit.NONE:
        raise CardError(
            f"{text!r} is not a card: expected a rank of {''.join(RANKS)}? and a suit of "
            f"{''.join(SUITS)}?, or JOKER"
        )
    return Card(rank, suit)


JOKER = Card(Rank.JOKER, Suit.NONE)
BACK = Card(Rank.UNKNOWN, Suit.UNKNOWN)
"""A face-down card, written ``??``."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards named in `text`, separated by blanks.

    >>> parse_cards("QS TD")
    (<QS>, <TD>)
    """
    return tuple(Card.parse(word) for word in text.split())


@dataclass(frozen=True)
class Deck:
    """The cards a game is played with, in the order of a new pack, repeated for several packs.

    >>> Deck.standard(jokers=2).count(JOKER)
    2
    >>> str(Deck.short("9", "A")).count("D")
    6
    """

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, ranks: Iterable[Rank | str], *, packs: int = 1, jokers: int = 0) -> Self:
        """`packs` times the given ranks in four suits, and `jokers` jokers in each pack."""
        chosen = [Rank(rank) for rank in ranks]
        pack = tuple(Card(rank, suit) for suit in SUITS for rank in chosen) + (JOKER,) * jokers
        return cls(pack * packs)

    @classmethod
    def standard(cls, *, packs: int = 1, jokers: int = 0) -> Self:
        """Fifty-two cards, with `jokers` jokers to a pack."""
        return cls.of(RANKS, packs=packs, jokers=jokers)

    @classmethod
    def italian(cls, *, packs: int = 1) -> Self:
        """Forty cards: no eights, nines and tens."""
        return cls.of("A234567JQK", packs=packs)

    @classmethod
    def short(cls, lowest: str, highest: str = "A", *, jokers: int = 0) -> Self:
        """The ranks from `lowest` to `highest` (ace high), such as 7 to A for the 32-card pack."""
        order = (*RANKS[1:], Rank.ACE)
        first, last = order.index(Rank(lowest)), order.index(Rank(highest))
        return cls.of(order[first : last + 1], jokers=jokers)

    def __str__(self) -> str:
        return " ".join(map(str, self.cards))

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self.cards

    def count(self, card: Card) -> int:
        """How many cards of this deck could be `card`."""
        if card not in self._counts and not card.known:
            self._counts[card] = sum(card.covers(other) for other in self.cards)
        return self._counts[card]

    @cached_property
    def _counts(self) -> Counter[Card]:
        """How often each card occurs, and how many cards each partly read one could be."""
        return Counter(self.cards)
