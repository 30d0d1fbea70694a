"""Naturals: thirteen cards that win without comparison, as declared in Chinese Poker.

>>> from rules.cards import parse_cards
>>> cards = parse_cards("AC AD KC KD QC QD 9C 9D 6C 6D 4C 4H 2S")
>>> ranked("six-pair", cards, Rows((), (), ()))
(0, (14, 13, 12, 9, 6, 4))
>>> ranked("dragon", cards, Rows((), (), ()))
"""

from __future__ import annotations

from collections import Counter

from rules.cards import Card
from rules.poker.hands import HAND, VALUES, countable, high, straight_top
from rules.poker.rows import ALL, Rows

NATURALS = {"six-pair": 3, "three-straights": 3, "three-flushes": 3, "dragon": 13}
"""The naturals from the lowest up, with what each is paid."""
UNSET = ("dragon", "six-pair")
"""The naturals that are shown from the hand."""
Natural = tuple[int, tuple[int, ...]]
"""A natural's rank among naturals: its place, then the tie-breaking values."""


def ranked(
    name: str,
    cards: tuple[Card, ...],
    rows: Rows,
    *,
    six_pair: str = "quads",
    low_aces: bool = True,
) -> Natural | None:
    """The rank of the natural called `name`, or None if the cards do not make it.

    `cards` are all thirteen, `rows` those that were set; `six_pair` says whether four alike count
    as two pairs ("quads"), pairs must differ ("distinct") or the odd card may be of any rank
    ("any").
    """
    cards = countable(cards)
    ties: tuple[int, ...] | None = None
    if name == "dragon":
        ties = () if len({card.rank for card in cards}) == ALL else None
    elif name == "six-pair":
        ties = _six_pair(cards, six_pair)
    elif name == "three-flushes" and rows.full and _flushes(rows):
        ties = tuple(n for row in (rows.back, rows.middle) for n in _strength(row))
        ties += _values(rows.front)
    elif name == "three-straights" and rows.full:
        ties = _straights(rows, low_aces)
    return None if ties is None else (list(NATURALS).index(name), ties)


def _six_pair(cards: tuple[Card, ...], how: str) -> tuple[int, ...] | None:
    counts = Counter(VALUES[card.rank] for card in cards)
    pairs = sorted((v for v, n in counts.items() for _ in range(n // 2)), reverse=True)
    if len(cards) != ALL or len(pairs) != 6:
        return None
    if how == "distinct" and len(set(pairs)) < 6:
        return None
    return tuple(pairs) if how == "any" or 3 not in counts.values() else None


def _flushes(rows: Rows) -> bool:
    return all(
        len({card.suit for card in row}) == 1 for row in (rows.front, rows.middle, rows.back)
    )


def _values(row: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted((VALUES[card.rank] for card in countable(row)), reverse=True))


def _strength(row: tuple[Card, ...]) -> tuple[int, ...]:
    """The worth of a row of five; a straight flush beats both a straight and a flush."""
    worth = high(row)
    return (worth.kind, *worth.ranks)


def _straights(rows: Rows, low_aces: bool) -> tuple[int, ...] | None:
    """Back, middle, then front, as poker hands; in front the highest card decides."""
    ties: list[int] = []
    for row in (rows.back, rows.middle, rows.front):
        top = straight_top(_values(row), len(row))
        if top is None or (top == len(row) and not low_aces):
            return None
        ties += _strength(row) if len(row) == HAND else (top,)
    return tuple(ties)
