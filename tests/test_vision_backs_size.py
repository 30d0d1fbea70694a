"""The size of a deck's backs is learned from whatever shows all its edges, alone or in a heap."""

from __future__ import annotations

import pytest

from tests.backs_drawn import CARD, INDEX, SCALE, areas_of, bordered, placed
from vision.backs.card_size import NARROW, CardSize
from vision.backs.count import backs
from vision.join.proportions import Proportions, Shape

BRIDGE = CARD[0] * NARROW, CARD[1]


@pytest.mark.parametrize("size", [CARD, BRIDGE], ids=["poker", "bridge"])
def test_the_uppermost_card_of_a_heap_tells_the_size_of_the_deck(
    size: tuple[float, float],
) -> None:
    """Hidden cards overlap from the beginning of many a game: none may lie alone."""
    deck = Proportions()
    heap = [placed(300, 300, 0, size), placed(355, 320, 20, size)]
    frame, areas = bordered(heap), areas_of(heap)
    for _ in range(3):
        found = backs(frame, areas, (), Shape(), INDEX, deck=deck, unit=INDEX)
        assert len(found) == len(heap)
    known = deck.measures.at((355 / INDEX, 320 / INDEX))
    assert known == pytest.approx([side * SCALE / INDEX for side in size], rel=0.025)


def test_a_measured_deck_is_more_exact_than_a_face_in_the_picture() -> None:
    deck, told = Proportions(), (99.6, 140.0)
    for _ in range(3):
        deck.measures.note(90.0 / INDEX, 141.0 / INDEX, (10.0, 10.0))
    size = CardSize.of(told, deck, INDEX, (300.0, 300.0), told=True)
    assert size.size == pytest.approx((90.0, 141.0))
    assert not size.assumed
    other = CardSize.of((140.0, 200.0), deck, INDEX, (300.0, 300.0), told=True)
    assert other.size == (140.0, 200.0)  # another deck has come
