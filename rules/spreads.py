"""Spreads and ropes: melds of a pack of forty that grow, lend cards, and are paid for.

A spread is three or four of a rank in different suits, or all of one suit; a rope is a sequence of
a suit, the jack behind the seven. What may lie on the table is more than what may be laid down:
later additions repeat the suits of a mixed spread.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rules.cards import Card, Rank, Suit
from rules.laying import pairs_with
from rules.melds import MeldRules, Suits
from rules.stock import known

RULES = MeldRules(order="A234567JQK", suits=Suits.APART, free=frozenset({Rank.ACE, Rank.KING}))
VALLE = frozenset({Rank.THREE, Rank.FIVE, Rank.SEVEN})
ENDS = (frozenset("A23"), frozenset("JQK"))
"""The ranks of ropes that are conditions."""


def stands(cards: tuple[Card, ...]) -> bool:
    """Whether cards may lie as a meld: later additions repeat the suits of a mixed spread.

    >>> from rules.cards import parse_cards
    >>> [stands(parse_cards(text)) for text in ("5S 5D 5C 5C", "5S 5S 5D", "2D 3D 5D")]
    [True, False, False]
    """
    if not known(cards):
        return False
    mixed = len({card.rank for card in cards}) == 1 and len({card.suit for card in cards}) >= 3
    return mixed or RULES.allows(cards)


def condition(cards: tuple[Card, ...]) -> int:
    """What each opponent pays for a meld; 0 if it is no condition.

    >>> from rules.cards import parse_cards
    >>> melds = ("5S 5S 5S", "7H 7C 7D", "AH 2H 3H 4H", "KS KS KH")
    >>> [condition(parse_cards(meld)) for meld in melds]
    [4, 1, 1, 0]
    """
    ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
    if len(cards) < 3:
        return 0
    spades = 2 if suits == {Suit.SPADES} else 1
    if len(ranks) > 1:
        return spades * sum(end <= ranks for end in ENDS) if len(suits) == 1 else 0
    if len(suits) > 1:
        return int(ranks <= VALLE)
    return spades * (2 if ranks <= VALLE else 1)


def loans(laid: tuple[Card, ...], size: int, cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """What may be taken out of a meld for a new one, with two cards of the hand or by itself."""
    for lent in dict.fromkeys(combinations(laid, size)):
        rest = list(laid)
        for card in lent:
            rest.remove(card)
        made = RULES.allows(lent) if size >= 3 else size == 1 and pairs_with(lent[0], cards, RULES)
        if made and stands(tuple(rest)):
            yield lent
