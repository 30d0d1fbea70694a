"""Hidden cards squared up or spread again: how many there are is known from before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from firmware.follow.lifted import LIFTED_S, UNDER_S
from hardware.press import Button, Pressed
from rules.start import Level
from tests.felt import FRAME_S, Felt, lying
from tests.hidden_felts import pineapple


def squared(felt: Felt) -> None:
    """Lay all cards of seat 1 on each other: one back is seen."""
    del felt.cards["1"][1:]
    felt.look(2.0)


def spread(felt: Felt) -> None:
    """Lay them side by side again."""
    felt.cards["1"][:] = ["??"] * 3
    felt.look(2.0)


@pytest.mark.parametrize("hands", [[squared], [squared, spread]], ids=["squared", "and spread"])
def test_cards_that_lie_under_one_another_all_count(
    hands: list[Callable[[Felt], None]],
) -> None:
    felt = pineapple()
    before = felt.acts()
    for do in hands:
        do(felt)
    assert felt.acts() == before
    assert felt.loop.question is None


def test_cards_of_a_heap_that_come_to_light_again_are_none_that_came() -> None:
    felt = Felt("pai-gow-poker", seats=2, level=Level.NONE)
    felt.lay("1", *["??"] * 7, seconds=1.0)
    felt.cards["1"][:] = ["??"] * 3
    felt.look(2.0)
    felt.cards["1"][:] = ["??"] * 6
    felt.look(LIFTED_S + 2.0)
    assert felt.loop.question is None
    assert not felt.rules_broken


def test_what_has_been_squared_before_is_no_discard_once_one_is_due() -> None:
    felt = pineapple(cards=2)
    squared(felt)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    felt.type("close")
    felt.look(3.0)
    assert felt.acts()[-1] == "close"
    spread(felt)
    felt.cards["1"].pop()
    felt.look(1.0)
    assert felt.acts()[-1] == "1 discard ??"


def half_squared(felt: Felt) -> None:
    """Square up two cards of seat 1, deal the third onto them, and square up again."""
    squared(felt)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    assert len(felt.cards["1"]) == 2
    felt.type("close")
    felt.look(3.0)
    squared(felt)


def others_discard(felt: Felt) -> None:
    """All but seat 1 discard a card."""
    for seat in ("2", "3"):
        felt.take(seat, "??", seconds=1.0)


def test_a_heap_that_is_squared_up_while_a_discard_is_due_may_be_none() -> None:
    felt = pineapple(cards=2)
    half_squared(felt)
    for seat in ("2", "3"):
        assert felt.acts()[-1] != "1 discard ??"
        assert felt.loop.question is None
        felt.take(seat, "??", seconds=1.0)
    assert felt.acts()[-2:] == ["2 discard ??", "3 discard ??"]
    spread(felt)
    felt.take("1", "??", seconds=1.0)
    assert felt.acts()[-1] == "1 discard ??"
    assert not felt.rules_broken


def test_what_comes_after_a_discard_shows_that_it_was_one() -> None:
    felt = pineapple(cards=2)
    half_squared(felt)
    others_discard(felt)
    felt.lay("burn", "??", seconds=1.0)
    assert felt.acts()[-2:] == ["1 discard ??", "burn ??"]
    assert not felt.rules_broken


def test_a_heap_that_shows_fewer_cards_is_asked_about_when_all_wait_for_its_player() -> None:
    felt = pineapple(cards=2)
    half_squared(felt)
    others_discard(felt)
    felt.look(LIFTED_S)
    assert felt.loop.question is not None
    assert felt.acts()[-1] == "3 discard ??"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "1 discard ??"


def test_a_heap_that_was_only_squared_up_is_asked_about_once() -> None:
    felt = pineapple(cards=2)
    half_squared(felt)
    others_discard(felt)
    felt.look(LIFTED_S)
    felt.press(Button.FIX)
    felt.press(Button.OK)
    felt.look(2 * LIFTED_S)
    assert felt.loop.question is None
    assert felt.acts()[-1] == "3 discard ??"
    spread(felt)
    felt.take("1", "??", seconds=1.0)
    assert felt.acts()[-1] == "1 discard ??"


def test_a_card_dealt_onto_squared_cards_counts_as_one_more() -> None:
    felt = pineapple(cards=2)
    squared(felt)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    assert felt.acts()[-3:] == ["deal 2 ??", "deal 3 ??", "deal 1 ??"]
    assert not felt.rules_broken


def in_the_deal() -> Felt:
    """Seat 1 has squared up two cards while the deal goes on."""
    felt = Felt("pineapple", level=Level.WHO)
    felt.lay("1", "??", "??")
    felt.cards["1"].pop()
    felt.look(0.5)
    return felt


def test_a_card_to_the_next_player_is_not_one_of_those_just_squared_up() -> None:
    felt = in_the_deal()
    felt.lay("3", "??", seconds=2.0)
    assert felt.acts() == ["deal 1 ??", "deal 1 ??", "deal 3 ??"]


def test_a_card_dealt_onto_those_just_squared_up_counts_as_one_more() -> None:
    felt = in_the_deal()
    felt.lay("1", "??", seconds=2.0)
    assert felt.acts() == ["deal 1 ??"] * 3


def beside(felt: Felt, spot: str, place: float) -> None:
    """Show one more back at a position between those of the cards dealt."""
    for _ in range(10):
        felt.time += FRAME_S
        there = (lying("??", 0), lying("??", place))  # type: ignore[arg-type]
        felt.loop.see(replace(felt.seen(), spots={**felt.seen().spots, spot: there}))


def just_squared(felt: Felt) -> None:
    """Seat 1 has two cards and has only just squared them up."""
    felt.lay("1", "??", "??")
    felt.cards["1"].pop()
    felt.look()


def test_a_card_dealt_just_after_others_were_squared_up_is_asked_about() -> None:
    """They may also have been spread again: two backs are seen either way."""
    felt = Felt("pineapple", level=Level.WHO)
    just_squared(felt)
    beside(felt, "1", 0.5)
    assert felt.acts() == ["deal 1 ??"] * 2
    assert felt.loop.question is not None
    felt.press(Button.OK)
    beside(felt, "1", 0.5)
    assert felt.acts() == ["deal 1 ??"] * 3
    assert felt.loop.question is None


def test_cards_that_were_spread_again_during_the_deal_are_asked_about_once() -> None:
    felt = Felt("pineapple", level=Level.WHO)
    just_squared(felt)
    beside(felt, "1", 0.5)
    felt.loop.button(Pressed(Button.FIX, felt.time))
    felt.loop.button(Pressed(Button.OK, felt.time))
    beside(felt, "1", 0.5)
    assert felt.acts() == ["deal 1 ??"] * 2
    assert felt.loop.question is None


def test_a_card_that_was_not_seen_for_a_moment_is_not_a_new_one() -> None:
    felt = Felt("pineapple", level=Level.WHO)
    just_squared(felt)
    felt.lay("1", "??", seconds=2.0)
    assert felt.acts() == ["deal 1 ??"] * 2
    assert felt.loop.question is None


def test_a_hand_that_was_complete_under_a_hand_has_not_lacked_a_card_for_long() -> None:
    """It lacks the next card only since that was taken up to be set."""
    felt = Felt("open-face-chinese-poker", seats=2)
    for spot in ("2", "1"):
        felt.lay(spot, *["??"] * 5)
    felt.take("1", *["??"] * 4, seconds=2 * UNDER_S)  # squared up
    felt.take("2", "??")
    felt.lay("2.front", "QH")
    assert felt.acts()[-1] == "2 lay 2.front QH"
    felt.busy.add("2")
    felt.look(UNDER_S)
    felt.busy.clear()
    felt.take("2", "??")
    felt.lay("2.back", "TD")
    assert felt.acts()[-1] == "2 lay 2.back TD"
