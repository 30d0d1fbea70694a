"""Likelihood of a count of signs for each card, used to weight a network's opinion.

Signs that touch or cross are counted as fewer, but hardly ever as more. A court card never has two
things that look alike.

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
"""The ranks recognised by their number of signs; Spanish decks of 48 have an eight and a nine."""
LONG = (Suit.SPADES, Suit.CLUBS)
"""Swords and clubs."""
LARGER = 0.3
"""Likelihood, relative to an exact count of alike signs, that only the count of large signs matches
for coins or cups. By `python -m tests.sign_counts` 43 against 322 times; more often on printed
decks, whose fives have a larger coin in the middle. A choice between the two."""
ORNAMENT = 0.05
"""The same for swords and clubs, which are all alike on a card: anything else between them is an
ornament. A choice: by the same command 18 against 83 times, and just as often it is an ornament."""
FEWER = 0.8
"""Likelihood, relative to an exact count, that fewer signs are counted because some touch, for all
smaller numbers together. By `python -m tests.sign_counts` 131 against 322 times for coins and cups,
76 against 83 for swords and clubs. A choice between the two."""
MORE = 0.03
"""Likelihood of counting more signs than there are, as when a shield looks like a coin. Measured by
`python -m tests.sign_counts`: 13 against 405 times."""
ACE, COURT = 0.05, 0.02
"""Likelihood of counting two or more alike signs on an ace, and on a court card. A choice: by
`python -m tests.sign_counts` it happens on none of 160 aces and on one of 480 court cards, and on
some printed aces."""


def odds(signs: Counted) -> Floats:
    """The likelihood of that count for each card (53,), up to a common factor.

    All ones if nothing was counted, because a single thing may be any number of touching signs.
    """
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
