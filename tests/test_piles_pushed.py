"""A card of a pile is no longer where it lay, as the camera saw: it was pushed, none was laid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.follow.deciding import ASK_AFTER_S
from firmware.follow.pile import Pile
from rules.cards import Card
from tests.heaps import BESIDE, Heap, at, heap, whole
from vision.sightings import Lying


def pushed(text: str, place: float) -> Lying:
    """A card in full view of which the place where it lay shows something else."""
    return replace(whole(text, place), displaced=True)


@pytest.mark.parametrize("place", [0.08, 0.4, 0.7])
def test_the_last_card_pushed_aside_is_neither_asked_about_nor_new(place: float) -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = table.acts()
    table.show("discards", pushed("8S", place), seconds=2 * ASK_AFTER_S)
    assert table.loop.question is None
    table.look(("4C", 0.02))
    assert table.acts() == [*before, "3 discard 4C"]


def test_a_pile_squared_up_beside_its_lowest_card_is_unchanged() -> None:
    """What lay beside the last card has gone under it, and comes to light with it drawn."""
    table = heap(("QD", 0.0))
    table.show("discards", at("QD", 0.0), whole("8S", BESIDE))
    before = table.acts()
    table.show("discards", pushed("8S", 0.2), seconds=2 * ASK_AFTER_S)
    assert (table.acts(), table.loop.question) == (before, None)
    table.show("discards", whole("QD", 0.2))
    assert table.acts()[len(before) :] == ["3 draw discards 8S"]


def test_a_card_dragged_along_by_the_one_drawn_from_it_comes_to_light() -> None:
    pile, queen, eight = Pile(), Card.parse("QD"), Card.parse("8S")
    pile.see([whole("QD", 0.0)])
    pile.settle((queen,))
    pile.see([whole("8S", 0.03)])
    pile.settle((queen, eight))
    pile.see([pushed("QD", 0.2)])
    assert [(top.card, top.came, top.perhaps) for top in pile.since] == [(queen, False, False)]
    assert pile.bared


def test_a_card_beside_the_last_one_that_was_pushed_is_none_laid_there() -> None:
    pile, queen, eight = Pile(), Card.parse("QD"), Card.parse("8S")
    pile.see([whole("QD", 0.0)])
    pile.settle((queen,))
    pile.see([at("QD", 0.0), whole("8S", BESIDE)])
    pile.settle((queen, eight))
    pile.see([replace(at("QD", 0.1), displaced=True), whole("8S", BESIDE)])
    assert pile.since == []


def test_a_card_is_none_from_deep_down_that_lay_nearby() -> None:
    """Two discards, each drawn from the stock, of which the first is only seen under the second."""
    tops = ("JC", 0.0), ("8S", 0.03), ("9H", 0.02), ("2D", 0.04), ("5C", 0.01), ("6S", 0.03)
    table = heap(*tops)
    before = table.acts()
    table.show("discards", at("JC", 0.12), whole("4H", 0.3), seconds=2 * ASK_AFTER_S)
    assert [line.split(" ", 1)[1] for line in table.acts()[len(before) :]] == [
        "discard JC",
        "discard 4H",
    ]


@pytest.mark.parametrize("melded", [True, False])
def test_the_card_under_one_that_was_taken_to_a_meld_was_pushed(melded: bool) -> None:
    """Where the king is not seen again, the deuce was laid over it."""
    table = Heap("panguingue", seats=4)
    for top in (("7H", 0.0), ("2S", 0.06), ("KC", 0.05)):
        table.look(top)
    if melded:
        table.meld("2.meld-1", "QC", "JC", "KC")
    table.look(("2S", 0.15), seconds=1.5)
    table.look(("4D", 0.02), seconds=1.5)
    taken, laid = ["2 meld QC JC KC", "2 discard 4D"], ["2 draw stock 2S", "2 discard 2S"]
    assert table.acts()[6:8] == (taken if melded else laid)


def test_the_card_below_one_that_was_squared_up_with_it_may_have_come_to_light() -> None:
    pile, cards = Pile(), tuple(Card.parse(text) for text in ("4H", "KS", "5H"))
    pile.see([whole("4H", 0.0)])
    pile.settle(cards[:1])
    pile.see([at("4H", 0.0), whole("KS", BESIDE)])
    pile.settle(cards[:2])
    pile.see([at("KS", BESIDE), whole("5H", 0.05)])
    pile.settle(cards)
    pile.hide(1.0)
    pile.bare(2.0)
    pile.see([whole("5H", 0.015)])
    assert pile.since == []
    pile.see([whole("KS", 0.03)])
    assert [(top.card, top.may_be_bared) for top in pile.since] == [(cards[1], True)]
