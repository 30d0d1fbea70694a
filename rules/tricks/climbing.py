"""Climbing: combinations of cards, each beaten only by a higher one of its own kind.

>>> from rules.cards import parse_cards
>>> low, high = (combination(parse_cards(text)) for text in ("4S 5H 6D", "JS QH KD"))
>>> low, high.beats(low)
(Combination(width=1, length=3, top=2), True)
>>> combination(parse_cards("4S 4H 5D 5C")) is None
True
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.cards import Card

RANKS = "456789TJQKA23"
"""The ranks, lowest first; the three is the highest."""
RUN_RANKS = "456789TJQK"
"""The ranks that can form runs."""
RUN_LEAST = 3
"""Fewest ranks in a run."""
WIDEST = 4


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards played together: `width` cards each of `length` consecutive ranks."""

    width: int
    """The number of cards of each rank: 1 for singles and straights, 2 for pairs, and so on."""
    length: int
    """The number of ranks: 1, or at least 3 for a run."""
    top: int
    """The place of the highest rank in `RANKS`."""

    def beats(self, other: Combination) -> bool:
        """Whether this is a higher combination of the same kind."""
        return (self.width, self.length) == (other.width, other.length) and self.top > other.top

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.width * self.length


def combination(cards: Sequence[Card]) -> Combination | None:
    """The combination that `cards` form, or None."""
    by_rank = _by_rank(cards)
    widths = {len(same) for same in by_rank.values()}
    if len(widths) != 1 or not all(rank in RANKS for rank in by_rank):
        return None
    places = sorted(RANKS.index(rank) for rank in by_rank)
    width, length = widths.pop(), len(places)
    row = length >= RUN_LEAST and places[-1] - places[0] == length - 1
    if width > WIDEST or not (length == 1 or (row and places[-1] < len(RUN_RANKS))):
        return None
    return Combination(width, length, places[-1])


def plays(hand: Sequence[Card], to_beat: Combination | None = None) -> Iterator[tuple[Card, ...]]:
    """Every combination that `hand` may play; only the first of those equal but for suits.

    >>> from rules.cards import parse_cards
    >>> [len(list(plays(parse_cards(hand)))) for hand in ("4S 4H 5D 6C", "AS 2S 3S")]
    [5, 3]
    """
    by_rank = _by_rank(hand)
    for width in range(1, WIDEST + 1):
        for places in _rows(by_rank, width):
            cards = tuple(card for place in places for card in by_rank[RANKS[place]][:width])
            if to_beat is None or Combination(width, len(places), places[-1]).beats(to_beat):
                yield cards


def _rows(by_rank: dict[str, list[Card]], width: int) -> Iterator[range]:
    """The positions of ranks held often enough: each alone, and each run of three or more."""
    enough = [len(by_rank.get(rank, ())) >= width for rank in RANKS]
    for first, there in enumerate(enough):
        end = first + 1
        if there:
            yield range(first, end)
        while there and end < len(RUN_RANKS) and enough[end]:
            end += 1
            if end - first >= RUN_LEAST:
                yield range(first, end)


def _by_rank(cards: Sequence[Card]) -> dict[str, list[Card]]:
    grouped: defaultdict[str, list[Card]] = defaultdict(list)
    for card in cards:
        grouped[str(card.rank)].append(card)
    return grouped
