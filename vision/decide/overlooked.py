"""A card that was overlooked between those of a heap: what lies below agrees badly there.

From the top down, the lower of three cards may be found before the middle one, of which less shows.
The signs of that one are then taken for its own, and it hardly agrees with any card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from vision.decide.faces_in_heap import UNDER, Heap
from vision.decide.partly import Partly, seen, settled
from vision.picture.geometry import Floats

SUSPECT = 0.95
"""Agreement of a partly visible card below which something may lie over it. A choice: of 45 cards
in 15 drawn rows of three, at their true places, one agreed less, to 0.94;
`python -m tests.italian_decks` judges it."""
LEAST = 8
"""Minimum number of cells that show of a card between others. A choice: a strip one cell wide."""
LIKELY = 0.92
"""Minimum agreement of such a card. A choice: at their true places, of 8 to 13 visible cells, they
agreed to 0.94 and more; `python -m tests.italian_decks` judges it."""
BETTER = 0.5
"""Largest share of what did not agree before that still does not with it. A choice:
`python -m tests.italian_decks` judges it."""
TRIED, CHOSEN = 12, 3
"""Most places tried of each rotation, and how many of all are refined. A choice."""


def add_overlooked(heap: Heap) -> None:
    """Add each card without which one below it agrees badly."""
    place = 1
    while place < len(heap.cards):
        if heap.cards[place].agreed < SUSPECT and (cards := _with_one_over(heap, place)):
            heap.cards = cards
        place += 1


def _with_one_over(heap: Heap, place: int) -> list[Partly]:
    """The cards with another one over that at a `place`, if they agree much better; else none."""
    over = [card.corners for card in heap.cards[:place]]
    tried = [_laid(heap, place, one) for one in _places(heap, place, over)]
    tried.sort(key=attrgetter("misfit"))
    for way in tried[:CHOSEN]:
        card = settled(heap.faces, way.cards[place], over)
        best = _laid(heap, place, card, settle=True)
        if card.agreed >= LIKELY and best.misfit <= BETTER * heap.misfit and heap.edged(card, over):
            return best.cards
    return []


def _places(heap: Heap, place: int, over: Sequence[Floats]) -> Iterator[Partly]:
    """The cards that may lie over the one at a `place`, under those `over` it."""
    there = [*heap.fitting, *heap.places(over, LEAST, TRIED)]
    under = heap.cards[place]
    for corners in there:
        card = seen(heap.faces, corners, over)
        if card.agreed < UNDER or card.visible.sum() < LEAST:
            continue
        if (seen(heap.faces, under.corners, [*over, corners]).visible < under.visible).any():
            yield card


def _laid(heap: Heap, place: int, card: Partly, *, settle: bool = False) -> Heap:
    """The heap with a card over that at a `place`; those below are seen again."""
    more = replace(heap, cards=[*heap.cards[:place], card])
    for number, one in enumerate(heap.cards[place:]):
        again = more.seen_again(one)
        if settle and not number:
            again = settled(more.faces, again, [known.corners for known in more.cards])
        more.cards.append(again)
    return more
