"""How likely so many signs are counted on each card: what weighs a network's opinion.

Signs that touch or cross are counted as fewer, hardly ever as more; on a figure nothing is alike
that covers as much as it does.

>>> from rules.cards import Card
>>> seen = odds(Counted(alike=5, large=5))
>>> [round(float(seen[FACES.index(Card.parse(text))]), 2) for text in ("5D", "7D", "4D", "KD")]
[1.0, 0.13, 0.03, 0.02]
"""

from __future__ import annotations

from functools import cache

import numpy as np

from rules.cards import Card, Rank, Suit
from vision.picture.geometry import Floats
from vision.read.index_classifier import FACES, JOKER_FACE
from vision.read.sign_count import Counted

PIPS = tuple(map(Rank, "A23456789"))
"""The ranks that are told by a number of signs; Spanish decks of 48 have an eight and a nine."""
LONG = (Suit.SPADES, Suit.CLUBS)
"""Swords and clubs."""
LARGER = 0.3
"""How likely it is, against as many alike, that of coins or cups so many are as large only. By
`python -m tests.sign_counts` it is 35 times against 308; on printed decks, whose fives have a
larger coin in the middle, more often. A choice between them."""
ORNAMENT = 0.05
"""The same of swords and clubs, which are alike on a card: what lies between them is an ornament. A
choice: by the same command it is 16 times against 83, and an ornament as often."""
FEWER = 0.8
"""How likely it is, against as many alike, that signs are counted as fewer, all smaller numbers
taken together: some touch. By `python -m tests.sign_counts` it is 128 times against 308 of coins
and cups, 79 against 83 of swords and clubs. A choice between them."""
MORE = 0.03
"""How likely more are counted than there are: a shield like a coin. Measured by
`python -m tests.sign_counts`: 10 times against 391."""
ACE, COURT = 0.05, 0.02
"""How likely it is to count two or more alike on an ace and on a figure. A choice: it is never so
on 160 and 480 by `python -m tests.sign_counts`, and on printed aces it happens."""


def odds(signs: Counted) -> Floats:
    """How likely that count is on each card (53,), up to a factor: all alike where it says nothing,
    because a single thing may be any number of signs that touch."""
    if not signs.any:
        return np.ones(len(FACES), np.float32)
    return _odds(signs.alike, signs.large)


@cache
def _odds(alike: int, large: int) -> Floats:
    told = [_of_card(card, alike, large) for card in FACES[:JOKER_FACE]]
    return np.array([*told, COURT], np.float32)


def _of_card(card: Card, alike: int, large: int) -> float:
    if card.rank not in PIPS:
        return COURT
    count = PIPS.index(card.rank) + 1
    if count == 1:
        return ACE
    if alike == count:
        return 1.0
    if large == count:
        return ORNAMENT if card.suit in LONG else LARGER
    return FEWER / (count - 1) if alike < count else MORE
