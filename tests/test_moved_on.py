"""Hidden cards laid in a wrong place and moved on: they were never there."""

from __future__ import annotations

import pytest

from firmware.follow.lifted import LIFTED_S
from rules.start import Level
from tests.felt import Felt


def test_a_hidden_card_laid_in_a_wrong_place_and_moved_was_never_there() -> None:
    felt = Felt("guts", level=Level.WHO)
    felt.lay("2", "??")
    felt.lay("3", "??")
    felt.cards["3"].clear()
    felt.lay("1", "??", seconds=2.0)
    assert felt.acts() == ["deal 2 ??", "deal 1 ??"]
    felt.look(LIFTED_S)
    assert felt.loop.question is None


def test_a_hidden_card_dealt_to_a_neighbour_and_moved_does_not_lie_under_theirs() -> None:
    felt = Felt("pineapple", seats=3)
    for spot in ("2", "3", "1", "2", "3", "1", "2"):
        felt.lay(spot, "??")
    felt.busy = {"3"}
    felt.cards["2"].pop()
    felt.look(0.6)
    felt.busy = set()
    felt.lay("3", "??")
    felt.look(1.0)
    assert felt.acts()[-2:] == ["deal 1 ??", "deal 3 ??"], "the one to seat 2 was on its way"


def test_a_hand_squared_up_as_the_next_card_is_dealt_had_all_its_cards() -> None:
    """Seat 2 had its third card for three seconds: it was not on its way to seat 3."""
    felt = Felt("pineapple", seats=3)
    for spot in ("2", "3", "1", "2", "3", "1", "2"):
        felt.lay(spot, "??")
    felt.look(3.0)
    felt.busy = {"2", "3"}
    felt.look(0.5)
    felt.busy = set()
    felt.cards["2"].pop()
    felt.lay("3", "??")
    felt.look(2.0)
    assert felt.acts()[-2:] == ["deal 2 ??", "deal 3 ??"]


@pytest.mark.parametrize("lay", [0.0, 2.0])
def test_a_hidden_card_played_in_a_wrong_place_and_moved_was_played_once(lay: float) -> None:
    table = Felt("democracy", seats=4)
    table.lay("pool", "??", "??", "??", "??", "??", seconds=0.0)
    table.look()
    table.turn("pool", "JC")
    table.lay("4.trick", "??")
    assert table.acts()[-1] == "4 play ??"
    table.look(lay)
    table.take("4.trick", "??", seconds=0.0)
    table.lay("3.trick", "??")
    assert table.acts()[-1] == "3 play ??"
    assert "4 play ??" not in table.acts()


def test_a_hidden_card_moved_after_another_came_to_light_was_never_where_it_lay_first() -> None:
    """A hand rested over what seat 3 had played while a card for seat 4 lay at seat 2."""
    table = Felt("democracy", seats=4)
    table.lay("pool", "??", "??", "??", "??", "??", seconds=0.0)
    table.look()
    table.turn("pool", "JC")
    table.busy = table.still = {"3.trick"}
    table.cards["3.trick"] = ["??"]
    table.lay("2.trick", "??")
    assert table.acts()[-1] == "2 play ??"
    table.busy = table.still = set()
    table.look(1.0)
    assert table.acts()[-1] == "3 play ??"
    table.busy = {"2.trick"}
    table.take("2.trick", "??")
    table.busy = set()
    table.look(0.5)
    table.lay("4.trick", "??")
    assert table.acts()[-2:] == ["3 play ??", "4 play ??"]
    assert "2 play ??" not in table.acts()


def test_a_card_moved_while_the_next_one_comes_was_never_where_it_lay_first() -> None:
    table = Felt("soko", seats=4)
    table.lay("2", "??")
    table.lay("3", "??")
    table.lay("4", "??")
    table.lay("1", "??")
    table.lay("3", "9H")
    assert table.acts()[-1] == "deal 3 9H"
    table.take("3", "9H", seconds=0.0)
    table.cards["2"].append("9H")
    table.lay("4", "KC")
    assert table.acts()[-2:] == ["deal 2 9H", "deal 4 KC"]
    assert not table.loop.state.open_violations


def test_a_hidden_card_is_moved_on_from_where_it_broke_a_rule_though_that_is_seen_later() -> None:
    felt = Felt("pineapple", seats=3)
    felt.lay("2", "??")
    felt.lay("board", "??", seconds=2.0)
    assert felt.loop.state.open_violations
    felt.busy = {"board"}
    felt.lay("3", "??")
    felt.cards["board"].clear()
    felt.busy = set()
    felt.look(2.0)
    assert felt.acts() == ["deal 2 ??", "deal 3 ??"]
    assert not felt.loop.state.open_violations


def test_a_card_played_at_a_neighbour_s_place_was_never_dealt_there() -> None:
    """The hand that moves it on hides the place long before it is seen empty."""
    felt = Felt("belote", seats=4)
    felt.lay("board", "JS", seconds=1.0)
    for line in ("2 pass", "3 bid spades"):
        felt.loop.type(line)
    felt.take("board", "JS", seconds=1.0)
    for line in ("2 pass", "3 pass", "4 pass", "1 pass"):
        felt.loop.type(line)
    felt.lay("2.trick", "KH", seconds=1.0)
    felt.lay("3.trick", "9H", seconds=1.0)
    felt.lay("1.trick", "7H", seconds=2.0)
    assert felt.acts()[-1] == "deal 1.trick 7H"
    felt.busy = {"1.trick"}
    felt.look(1.5)
    felt.cards["1.trick"].clear()
    felt.busy = set()
    felt.look(0.5)
    felt.lay("4.trick", "7H", seconds=1.0)
    assert felt.acts()[-2:] == ["3 play 9H", "4 play 7H"]
    assert not felt.rules_broken
