"""Cards that go at once to where they end, or to a wrong place first, while hands are about."""

from __future__ import annotations

from firmware.follow.looking import COVERED_AFTER_S
from hardware.press import Button
from rules.start import Level
from tests.felt import Felt


def eleusis() -> Felt:
    """The dealer at seat 1 keeps the rule; seat 2 is to play."""
    felt = Felt("eleusis", seats=4, level=Level.NONE)
    felt.type("declare own")
    felt.lay("main", "5H")
    assert felt.acts()[-1] == "deal main 5H"
    return felt


def test_a_card_may_have_gone_under_a_hand_before_the_one_that_is_seen() -> None:
    felt = eleusis()
    felt.busy = {"side"}
    felt.cards["side"].append("6S")
    felt.lay("played", "7C", seconds=COVERED_AFTER_S - 2.0)
    assert felt.acts()[-1] == "deal main 5H"
    felt.busy = set()
    felt.look(1.0)
    assert felt.acts()[-3:] == ["judge wrong", "deal 2 ?? ??", "3 play 7C"]
    assert "2 play 6S" in felt.acts()


def test_a_hand_that_stays_does_not_hold_the_game_up() -> None:
    felt = eleusis()
    felt.busy = {"side"}
    felt.lay("played", "7C", seconds=COVERED_AFTER_S + 1.0)
    assert felt.acts()[-1] == "2 play 7C"


def test_whose_cards_came_to_a_line_at_once_is_asked() -> None:
    felt = eleusis()
    felt.cards["main"] += ["6S", "7C"]
    felt.look(2.0)
    assert felt.acts()[-1] == "deal main 5H"
    assert felt.loop.question is not None
    lines = [";".join(map(str, option.acts)) for option in felt.loop.question.options]
    assert "2 play 6S 7C;judge right" in lines
    assert "2 play 6S;judge right;3 play 7C;judge right" in lines
    felt.press(Button.OK)
    assert felt.acts()[-1] == "judge right"


def test_a_card_moved_on_from_a_wrong_place_was_never_there() -> None:
    felt = eleusis()
    felt.lay("main", "6S")
    assert felt.acts()[-2:] == ["2 play 6S", "judge right"]
    felt.cards["main"].remove("6S")
    felt.lay("played", "6S", seconds=2.0)
    assert felt.acts()[-1] == "2 play 6S"
    felt.cards["played"].clear()
    felt.lay("side", "6S", seconds=2.0)
    assert felt.acts()[-2:] == ["2 play 6S", "judge wrong"]
    assert not felt.loop.state.violations


def test_a_card_that_leaves_the_table_is_not_moved_on() -> None:
    felt = eleusis()
    felt.lay("main", "6S")
    felt.take("main", "6S", seconds=2.0)
    assert felt.acts()[:-1][-2:] == ["2 play 6S", "judge right"]
    assert felt.rules_broken
