"""Poker hands: what cards are worth when hands are compared.

A hand's worth is a `Strength`; the greater one wins, even if the lowest cards win. All functions
are exact and know nothing about who holds what.

    >>> from rules.cards import parse_cards
    >>> best = high(parse_cards("AS AD TC TH TS 4D 2C"))
    >>> best.kind.name, best.ranks
    ('FULL_HOUSE', (10, 14))
    >>> best > high(parse_cards("KS KD KC 9H 9S"))
    False
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from rules.cards import JOKER, RANKS, SUITS, Card, Rank, Suit

ACE_HIGH = 14
VALUES: dict[Rank, int] = {rank: place for place, rank in enumerate(RANKS, 1)} | {
    Rank.ACE: ACE_HIGH
}
"""The value of a rank in comparisons: two to fourteen, the ace highest."""
RANKED: dict[int, Rank] = {value: rank for rank, value in VALUES.items()}
"""The rank of each value."""
HAND = 5
"""Cards in a poker hand."""


class Kind(IntEnum):
    """The kind of a hand, better ones greater; the Canadian ones count in Soko only."""

    HIGH_CARD = 0
    PAIR = 1
    CANADIAN_STRAIGHT = 2
    """Four cards in sequence and one other card."""
    CANADIAN_FLUSH = 3
    """Four cards of a suit and one other card."""
    TWO_PAIR = 4
    TRIPS = 5
    STRAIGHT = 6
    FLUSH = 7
    FULL_HOUSE = 8
    QUADS = 9
    STRAIGHT_FLUSH = 10
    ROYAL_FLUSH = 11
    FIVE_OF_A_KIND = 12
    """Possible only with a joker or with wild cards."""

    @property
    def slug(self) -> str:
        """The name as written in identifiers.

        >>> Kind.FULL_HOUSE.slug
        'full-house'
        """
        return self.name.lower().replace("_", "-")


class Strength(NamedTuple):
    """What a hand is worth: its kind, then the ranks that break a tie between two of that kind."""

    kind: Kind
    ranks: tuple[int, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The deciding ranks as cards without a suit."""
        return tuple(Card(RANKED[rank], Suit.UNKNOWN) for rank in self.ranks)


_COUNT_BITS = 4
_RANK_BITS = _COUNT_BITS * 16
"""Ranks 2 to 14 are counted in four bits each; the suits are counted above them."""
_RANK_PART = (1 << _RANK_BITS) - 1
_SUIT_BITS = 8


class _Codes(dict[Card, int]):
    """A number for each card, for adding up; anything but a fully known card counts zero."""

    def __missing__(self, card: Card) -> int:
        return 0


_CODES = _Codes(
    {
        Card(rank, suit): (1 << _COUNT_BITS * VALUES[rank])
        + (1 << _RANK_BITS + _SUIT_BITS * SUITS.index(suit))
        for rank in RANKS
        for suit in SUITS
    }
)
_code = _CODES.__getitem__
_DOWNWARDS = tuple((rank, _COUNT_BITS * rank) for rank in range(ACE_HIGH, 1, -1))
"""The ranks from the ace down, each with the position of its count."""
_ACE_CODE = 1 << _COUNT_BITS * ACE_HIGH


def countable(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The fully known cards, without jokers."""
    return tuple(card for card in cards if card in _CODES)


def high(cards: Sequence[Card]) -> Strength:
    """The best poker hand among up to nine cards of one deck; unknown ones do not count.

    Fewer than five cards make neither a straight nor a flush.

    >>> from rules.cards import parse_cards
    >>> high(parse_cards("5C 4C 3C 2C AC")).ranks, high(parse_cards("QS QD 3C"))
    ((5,), Strength(kind=<Kind.PAIR: 1>, ranks=(12, 3)))
    """
    code = sum(map(_code, cards))
    suit = _flush_suit(code >> _RANK_BITS)
    if suit is None:
        return _by_ranks(code & _RANK_PART)
    suited = [VALUES[card.rank] for card in countable(cards) if card.suit is suit]
    return max(_flush(tuple(sorted(suited, reverse=True))), _by_ranks(code & _RANK_PART))


@cache
def _flush_suit(code: int) -> Suit | None:
    """The suit that at least five cards have."""
    for place, suit in enumerate(SUITS):
        if code >> _SUIT_BITS * place & 255 >= HAND:
            return suit
    return None


@cache
def _flush(ranks: tuple[int, ...]) -> Strength:
    top = straight_top(ranks)
    if top is None:
        return Strength(Kind.FLUSH, ranks[:HAND])
    return Strength(Kind.ROYAL_FLUSH if top == ACE_HIGH else Kind.STRAIGHT_FLUSH, (top,))


def straight_top(ranks: Iterable[int], length: int = HAND) -> int | None:
    """The highest card of the best sequence of `length` among `ranks`, or None.

    An ace ranks above the king or below the two.

    >>> straight_top((14, 5, 4, 3, 2)), straight_top((14, 13, 12, 11, 2), 4)
    (5, 14)
    """
    held = 0
    for rank in ranks:
        held |= 1 << rank
    held |= (held >> ACE_HIGH) << 1
    rows = held
    for step in range(1, length):
        rows &= held >> step  # a bit remains if all the ranks above it are held as well
    return rows.bit_length() + length - 2 if rows else None


@cache
def _by_ranks(code: int) -> Strength:
    """The best hand from the ranks alone."""
    alike: tuple[list[int], ...] = ([], [], [], [], [], [])
    for rank, place in _DOWNWARDS:
        alike[code >> place & 15].append(rank)
    _, singles, pairs, trips, quads, fives = alike
    if fives:
        return Strength(Kind.FIVE_OF_A_KIND, (fives[0],))
    if quads:
        return Strength(Kind.QUADS, (quads[0], *_best(quads[1:] + trips + pairs + singles)))
    if trips and (pairs or trips[1:]):
        return Strength(Kind.FULL_HOUSE, (trips[0], *_best(trips[1:] + pairs)))
    held = trips + pairs + singles
    top = straight_top(held) if len(held) >= HAND else None
    if top is not None:
        return Strength(Kind.STRAIGHT, (top,))
    if trips:
        return Strength(Kind.TRIPS, (trips[0], *singles[:2]))
    if pairs[1:]:
        return Strength(Kind.TWO_PAIR, (*pairs[:2], *_best(pairs[2:] + singles)))
    if pairs:
        return Strength(Kind.PAIR, (pairs[0], *singles[:3]))
    return Strength(Kind.HIGH_CARD, tuple(singles[:HAND]))


def _best(others: list[int]) -> list[int]:
    """The highest of the other ranks, if there are any."""
    return [max(others)] if others else []


def with_bug(cards: Sequence[Card]) -> Strength:
    """The worth of five cards in which a joker is an ace, or completes a straight or a flush.

    >>> from rules.cards import parse_cards
    >>> with_bug(parse_cards("AC AD AH AS JOKER")).kind.name
    'FIVE_OF_A_KIND'
    >>> with_bug(parse_cards("9C 8D 6H 5S JOKER")).ranks
    (9,)
    >>> with_bug(parse_cards("KC KD 6H 5S JOKER")).ranks
    (13, 14, 6, 5)
    """
    return max(bug_readings(cards)) if JOKER in cards else high(cards)


def bug_readings(cards: Sequence[Card]) -> list[Strength]:
    """Every possible worth of five cards with a joker; without one, a single entry."""
    if JOKER not in cards:
        return [high(cards)]
    plain = countable(cards)
    as_ace = _by_ranks(sum(map(_code, plain)) + _ACE_CODE & _RANK_PART)
    return [as_ace, *_completed(plain)]


def _completed(plain: Sequence[Card]) -> Iterator[Strength]:
    """The straights and flushes that one more card makes from four.

    Any suit will do if no flush is possible.
    """
    suit = plain[0].suit if plain else SUITS[0]
    for rank in RANKS:
        card = Card(rank, suit)
        if card not in plain:
            made = high([*plain, card])
            if made.kind in (Kind.STRAIGHT, Kind.FLUSH, Kind.STRAIGHT_FLUSH, Kind.ROYAL_FLUSH):
                yield made


def two_cards(cards: Sequence[Card]) -> Strength:
    """The worth of two cards: a pair or the higher card, then the lower; a joker is an ace.

    >>> from rules.cards import parse_cards
    >>> two_cards(parse_cards("JOKER AS")).kind.name, two_cards(parse_cards("9S KD")).ranks
    ('PAIR', (13, 9))
    """
    ranks = sorted((VALUES.get(card.rank, ACE_HIGH) for card in cards), reverse=True)
    if len(set(ranks)) < len(ranks):
        return Strength(Kind.PAIR, (ranks[0],))
    return Strength(Kind.HIGH_CARD, tuple(ranks))


def canadian(cards: Sequence[Card], *, kickers: bool = True) -> Strength:
    """The worth of five cards if four to a straight or a flush beat a pair, as in Soko.

    Ties are broken by the four cards from the top, then by the fifth; without `kickers`, only by
    the top card of a Canadian straight or the highest card of a Canadian flush.

    >>> from rules.cards import parse_cards
    >>> canadian(parse_cards("4C 3D 2H AS AD"))
    Strength(kind=<Kind.CANADIAN_STRAIGHT: 2>, ranks=(4, 14))
    >>> canadian(parse_cards("KC 9C 4C 2C 2D"), kickers=False).ranks
    (13,)
    """
    cards = countable(cards)
    plain = high(cards)
    if plain.kind > Kind.PAIR:
        return plain
    four = _four_suited(cards)
    if four:
        ranks = sorted((VALUES[card.rank] for card in four), reverse=True)
        rest = [VALUES[card.rank] for card in cards if card not in four]
        return Strength(Kind.CANADIAN_FLUSH, (*ranks, *rest) if kickers else (ranks[0],))
    values = [VALUES[card.rank] for card in cards]
    top = straight_top(values, HAND - 1)
    if top is None:
        return plain
    for rank in range(top - 3, top + 1):
        values.remove(ACE_HIGH if rank == 1 else rank)
    return Strength(Kind.CANADIAN_STRAIGHT, (top, *values) if kickers else (top,))


def _four_suited(cards: Sequence[Card]) -> list[Card]:
    for suit in SUITS:
        suited = [card for card in cards if card.suit is suit]
        if len(suited) == HAND - 1:
            return suited
    return []


class Scale(IntEnum):
    """The scale by which the lowest hand wins."""

    ACE_TO_FIVE = 0
    """Aces are low; straights and flushes do not count."""
    ACE_TO_SIX = 1
    """Aces are low; straights and flushes count and are bad."""
    DEUCE_TO_SEVEN = 2
    """Aces are high; straights and flushes count and are bad."""


class Low(NamedTuple):
    """A hand's worth if the lowest wins: negative, so that the better hand is the greater."""

    kind: int
    ranks: tuple[int, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The ranks from the highest down, as cards without a suit."""
        return tuple(Card(RANKED[-r if r < -1 else ACE_HIGH], Suit.UNKNOWN) for r in self.ranks)


def low(cards: Sequence[Card], scale: Scale = Scale.ACE_TO_FIVE) -> Low:
    """The worth of five cards if the lowest hand wins; unknown ones do not count.

    >>> from rules.cards import parse_cards
    >>> wheel, six = parse_cards("5C 4C 3C 2C AC"), parse_cards("6C 4D 3H 2S AC")
    >>> [low(wheel, scale) > low(six, scale) for scale in Scale]
    [True, False, False]
    """
    cards = countable(cards)
    if scale is Scale.DEUCE_TO_SEVEN:
        made = _aces_high(cards)
        return Low(-made.kind, tuple(-rank for rank in made.ranks))
    ranks = sorted((_low_value(card) for card in cards), key=lambda r: -r)
    groups = sorted(set(ranks), key=lambda r: (-ranks.count(r), -r))
    kind = _by_ranks(sum(1 << _COUNT_BITS * (rank + 1) for rank in ranks)).kind
    if kind is Kind.STRAIGHT:
        kind = Kind.HIGH_CARD
    if scale is Scale.ACE_TO_SIX and len(groups) == HAND:
        kind = _straight_or_flush(cards, ranks)
    return Low(-kind, tuple(-rank for rank in groups))


def _low_value(card: Card) -> int:
    return 1 if card.rank is Rank.ACE else VALUES[card.rank]


def _aces_high(cards: Sequence[Card]) -> Strength:
    """Like `high`, except that ace to five is not a straight."""
    made = high(cards)
    if made.kind not in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH) or made.ranks != (HAND,):
        return made
    ranks = tuple(sorted((VALUES[card.rank] for card in cards), reverse=True))
    return Strength(Kind.HIGH_CARD if made.kind is Kind.STRAIGHT else Kind.FLUSH, ranks)


def _straight_or_flush(cards: Sequence[Card], ranks: list[int]) -> Kind:
    straight = ranks[0] - ranks[-1] == HAND - 1
    if len({card.suit for card in cards}) == 1:
        return Kind.STRAIGHT_FLUSH if straight else Kind.FLUSH
    return Kind.STRAIGHT if straight else Kind.HIGH_CARD


def low_eight(cards: Sequence[Card], worst: int = 8) -> Low | None:
    """The best ace-to-five low among any number of cards, or None if it is above `worst`.

    >>> from rules.cards import parse_cards
    >>> low_eight(parse_cards("AS 2D 4C 7H 8S KD KC")).cards
    (<8?>, <7?>, <4?>, <2?>, <A?>)
    >>> low_eight(parse_cards("AS 2D 4C 4H 8S KD KC"))
    """
    values = {_low_value(card) for card in countable(cards)}
    ranks = sorted(value for value in values if value <= worst)[:HAND]
    if len(ranks) < HAND:
        return None
    return Low(0, tuple(-rank for rank in reversed(ranks)))
