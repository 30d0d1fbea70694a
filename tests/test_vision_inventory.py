"""Whether a deck is complete, judging from what was seen of it."""

from __future__ import annotations

import pytest

from rules.cards import JOKER, Card, Deck, parse_cards
from tests.draws import mostly_nightly
from tests.spreads import examined
from vision.decide.inventory import DealtThrough, Inventory
from vision.reader import CardReader
from vision.sightings import Lying

DECK = Deck.standard()


def shown(*, without: str = "", twice: str = "", besides: str = "") -> Inventory:
    cards = [card for card in DECK if card not in parse_cards(without)]
    return Inventory((*cards, *parse_cards(twice), *parse_cards(besides)))


def test_a_complete_deck_is_complete() -> None:
    verdict = shown().against(DECK)
    assert verdict.whole
    assert verdict.seen == 52


def test_missing_double_and_foreign_are_distinguished() -> None:
    verdict = shown(without="7C KD", twice="2S").against(DECK)
    assert verdict.missing == parse_cards("7C KD")
    assert verdict.double == parse_cards("2S")
    assert not verdict.foreign
    assert verdict.seen == 51
    tens = shown().against(Deck.italian())
    assert {str(card)[0] for card in tens.foreign} == {"8", "9", "T"}
    assert len(tens.foreign) == 12


def test_jokers_are_foreign_only_if_their_number_is_known() -> None:
    with_two = shown(besides="JOKER JOKER")
    assert with_two.against(DECK).whole
    assert with_two.against(DECK).jokers == 2
    assert with_two.against(DECK, jokers=2).whole
    assert with_two.against(DECK, jokers=0).foreign == (JOKER, JOKER)
    assert with_two.against(DECK, jokers=1).double == (JOKER,)
    assert shown().against(DECK, jokers=1).missing == (JOKER,)


def test_a_doubtful_card_raises_no_alarm_while_the_deck_can_be_complete() -> None:
    def doubt(*words: str) -> tuple[tuple[Card, float], ...]:
        return tuple((Card.parse(word), 0.4) for word in words)

    # Two doubtful cards that must be distinguished by what else is missing.
    sure = shown(without="6D 8D").sure
    verdict = Inventory(sure, (doubt("6D"), doubt("6D", "8D"))).against(DECK)
    assert verdict.whole
    assert sorted(map(str, verdict.taken)) == ["6D", "8D"]
    left = Inventory(sure, (doubt("6D", "9S"), doubt("6D", "9S"))).against(DECK)
    assert left.missing == parse_cards("8D")
    assert left.unclear == (parse_cards("6D 9S"),)
    # Half a joker resembles this and that; yet what is missing comes first.
    half = doubt("JOKER", "5C")
    assert Inventory(shown().sure, (half,)).against(DECK).whole
    assert Inventory(shown(without="5C").sure, (half,)).against(DECK).taken == parse_cards("5C")


def lying(card: str, x: float) -> Lying:
    corners = ((x, 0.0), (x + 60, 0.0), (x + 60, 90.0), (x, 90.0))
    face = Card.parse(card)
    return Lying(face, 1.0, ((face, 1.0),), corners)


def test_a_deck_dealt_through_counts_each_card_once() -> None:
    dealt = DealtThrough()
    assert len(dealt.see([lying("7C", 0)])) == 1
    # The next card covers the first, is nudged, and is lifted by the third.
    assert len(dealt.see([lying("KD", 5)])) == 1
    assert not dealt.see([lying("KD", 20)])
    assert not dealt.see([])
    assert [one.card for one in dealt.see([lying("KD", 20), lying("7C", 200)])] == [
        Card.parse("7C")
    ]
    verdict = dealt.inventory.against(Deck(parse_cards("7C KD AS")))
    assert verdict.missing == parse_cards("AS")
    assert verdict.double == parse_cards("7C")


@pytest.mark.parametrize("way", mostly_nightly(["rows", "ribbon"], "rows"))
def test_a_drawn_spread_is_read_completely(way: str) -> None:
    spread, verdict = examined(7, CardReader(), way)
    assert spread.agrees(verdict), (spread, verdict)
