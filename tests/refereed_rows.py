"""Poker hands of three and five cards as the documents rank them, for referees of three rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.cards import Card

ORDER = "23456789TJQKA"
KINDS = {(1,): 0, (2, 1): 1, (2, 2): 2, (3,): 3, (3, 1): 3, (3, 2): 6, (4, 1): 7}
ROWS = {"front": 3, "middle": 5, "back": 5}
Strength = tuple[int, tuple[int, ...]]


def ranks(cards: list[Card]) -> list[int]:
    return sorted((ORDER.index(str(card.rank)) for card in cards), reverse=True)


def run(cards: list[Card], low_aces: bool = True) -> int | None:
    """The top of a sequence, the ace high or, if that is allowed, low."""
    places = ranks(cards)
    if len(set(places)) == len(places) and places[0] - places[-1] == len(places) - 1:
        return places[0]
    low = places[0] == 12 and places[1:] == list(range(len(places) - 2, -1, -1))
    return len(places) - 2 if low and low_aces else None


def worth(cards: list[Card]) -> Strength:
    """A poker hand; three cards make no straight and no flush."""
    counts = Counter(ranks(cards))
    ordered = sorted(counts.items(), key=lambda one: (one[1], one[0]), reverse=True)
    shape = tuple(count for _, count in ordered)[:2]
    kind = KINDS[(1,) if shape[0] == 1 else shape]
    if kind or len(cards) == 3:
        return kind, tuple(rank for rank, _ in ordered)
    flush, top = len({card.suit for card in cards}) == 1, run(cards)
    if top is not None:
        return (8 if flush else 4), (top,)
    return (5 if flush else 0), tuple(ranks(cards))


def out_of_order(rows: Sequence[Strength], *, strict: bool) -> bool:
    """Whether not each of three rows is worth as much as the one before it, or more if `strict`."""
    front, middle, back = rows
    return not front < middle < back if strict else front > middle or middle > back
