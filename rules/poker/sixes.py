"""Combinations of five and six cards with a wild rank, with which a hand of Paiute may be called.

>>> from rules.cards import parse_cards
>>> best = combination(parse_cards("9C 9D 9H 9S 2C KD"), Rank.TWO)
>>> best.kind.name, best.ranks
('FIVE_ALIKE', (9,))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache
from itertools import combinations
from typing import NamedTuple

from rules.cards import SUITS, Card, Rank
from rules.poker.hands import ACE_HIGH, HAND, VALUES, countable

SIX = 6
WHEEL_TOP, LOWEST_TOP = 5, 6
"""The top card of ace to five, and of the lowest sequence that does not use the ace low."""


class Called(IntEnum):
    """What a hand may be called with, better ones greater."""

    PAIUTE = 1
    """Three pairs."""
    THREE_THREE = 2
    FOUR_TWO = 3
    STRAIGHT_FLUSH = 4
    ROYAL_FLUSH = 5
    FIVE_ALIKE = 6

    @property
    def slug(self) -> str:
        """The name as written in identifiers."""
        return self.name.lower().replace("_", "-")


GROUPS = {Called.FOUR_TWO: (4, 2), Called.THREE_THREE: (3, 3), Called.PAIUTE: (2, 2, 2)}
"""The group sizes of each combination of six cards."""


class Combination(NamedTuple):
    """A combination, and the ranks that break a tie between two of its kind."""

    kind: Called
    ranks: tuple[int, ...]


def combination(
    cards: Sequence[Card], wild: Rank, *, any_five: bool = False, low_aces: bool = False
) -> Combination | None:
    """The best combination among five or six cards, or None.

    With `any_five`, five alike may be made of at least one natural card and wild ones, not only of
    all four of a rank and a wild one; with `low_aces`, ace to five of a suit is a sequence.

    >>> from rules.cards import parse_cards
    >>> combination(parse_cards("QC QD TH TS 6C 2D"), Rank.TWO).kind.name
    'PAIUTE'
    >>> combination(parse_cards("QC QD TH 9S 6C 4D"), Rank.TWO)
    """
    plain = tuple(card for card in countable(cards) if card.rank is not wild)
    wilds = sum(card.rank is wild for card in countable(cards))
    found = [
        *_alike(plain, wilds, any_five),
        *_sequences(plain, wilds, WHEEL_TOP if low_aces else LOWEST_TOP),
    ]
    if len(cards) == SIX:
        counts = Counter(VALUES[card.rank] for card in plain)
        found += _grouped(tuple(sorted(counts.items())), wilds)
    return max(found, default=None)


def _alike(plain: Sequence[Card], wilds: int, any_five: bool) -> Iterator[Combination]:
    for value, count in Counter(VALUES[card.rank] for card in plain).items():
        literal = count == HAND - 1 and wilds >= 1
        if literal or (any_five and count + wilds >= HAND):
            yield Combination(Called.FIVE_ALIKE, (value,))


def _sequences(plain: Sequence[Card], wilds: int, lowest: int) -> Iterator[Combination]:
    for suit in SUITS:
        held = {VALUES[card.rank] for card in plain if card.suit is suit}
        if ACE_HIGH in held:
            held.add(1)
        for top in range(ACE_HIGH, lowest - 1, -1):
            if len(held.intersection(range(top - HAND + 1, top + 1))) + wilds >= HAND:
                royal = top == ACE_HIGH
                kind = Called.ROYAL_FLUSH if royal else Called.STRAIGHT_FLUSH
                yield Combination(kind, () if royal else (top,))


@cache
def _grouped(counts: tuple[tuple[int, int], ...], wilds: int) -> tuple[Combination, ...]:
    """All ways to read six cards as groups of a rank, each wild card in one of them."""
    held = dict(counts)
    found = []
    for kind, sizes in GROUPS.items():
        for ranks in combinations(range(ACE_HIGH, 1, -1), len(sizes)):
            for order in {ranks, ranks[::-1]} if kind is Called.FOUR_TWO else {ranks}:
                if _fits(held, dict(zip(order, sizes, strict=True)), wilds):
                    found.append(Combination(kind, order))
    return tuple(found)


def _fits(held: dict[int, int], wanted: dict[int, int], wilds: int) -> bool:
    if any(count > wanted.get(rank, 0) for rank, count in held.items()):
        return False
    return sum(wanted.values()) - sum(held.values()) == wilds
