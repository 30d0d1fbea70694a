"""Hidden cards picked up, squared up or given up: each looks like the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from firmware.follow.findings import Explanation
from firmware.follow.lifted import LIFTED_S, UNDER_S, Away, gave_up
from firmware.store.ledger import Step
from hardware.press import Button, Pressed
from rules.acts import Act, Verb
from rules.start import Level
from tests.felt import FRAME_S, Felt, lying


def guts() -> Felt:
    """Two cards each: seat 2 must declare in or out."""
    felt = Felt("guts", level=Level.WHO)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??", "??")
    assert felt.acts()[-1] == "deal 1 ??"
    return felt


def pineapple(cards: int = 3) -> Felt:
    """`cards` cards each; with three, a betting round follows and then everybody discards one."""
    felt = Felt("pineapple", level=Level.NONE)
    for _ in range(cards):
        for spot in ("2", "3", "1"):
            felt.lay(spot, "??")
    return felt


def taken_up(felt: Felt, spot: str, seconds: float) -> list[str]:
    """Take the cards of a spot away for some seconds; return them."""
    cards = list(felt.cards[spot])
    felt.cards[spot].clear()
    felt.look(seconds)
    return cards


@pytest.mark.parametrize("seconds", [1.0, LIFTED_S - 0.4])
def test_cards_that_come_back_were_not_given_up(seconds: float) -> None:
    felt = guts()
    before = felt.acts()
    felt.cards["2"] += taken_up(felt, "2", seconds)
    felt.look(2.0)
    assert felt.acts() == before
    assert felt.loop.question is None
    assert not felt.rules_broken


def test_cards_that_stay_away_are_asked_about_and_settled_by_one_press() -> None:
    felt = guts()
    taken_up(felt, "2", LIFTED_S + 1.0)
    assert felt.acts()[-1] == "deal 1 ??"
    assert felt.loop.question is not None
    assert felt.loop.prompt.lamps["ok"] != "off"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "2 fold"


def test_a_question_about_cards_that_come_back_goes_away() -> None:
    felt = guts()
    felt.cards["2"] += taken_up(felt, "2", LIFTED_S + 1.0)
    felt.look(1.0)
    assert felt.loop.question is None
    assert felt.acts()[-1] == "deal 1 ??"


def test_a_word_of_the_next_player_shows_that_the_cards_were_given_up() -> None:
    felt = guts()
    taken_up(felt, "2", 1.0)
    felt.type("3 declare in")
    assert felt.acts()[-2:] == ["2 fold", "3 declare in"]
    assert not felt.rules_broken


def test_it_shows_that_too_while_the_speaker_reaches_over_the_empty_place() -> None:
    """As on a film of a hand of Guts: the speaker's arm came in across the other one's place."""
    felt = guts()
    taken_up(felt, "2", 1.0)
    felt.busy = {"2"}
    felt.look()
    felt.type("3 declare in")
    assert felt.acts()[-2:] == ["2 fold", "3 declare in"]
    assert not felt.rules_broken


def test_it_shows_that_too_while_the_speaker_looks_at_their_own_cards() -> None:
    """Those cannot have been given up: whoever has folded does not speak any more."""
    felt = guts()
    taken_up(felt, "2", 1.0)
    own = taken_up(felt, "3", 1.0)
    felt.type("3 declare in")
    assert felt.acts()[-2:] == ["2 fold", "3 declare in"]
    assert not felt.rules_broken
    felt.cards["3"] += own
    felt.look(2.0)
    assert felt.acts()[-1] == "3 declare in"


def test_a_word_does_not_show_it_where_the_cards_lay_before_a_hand_came() -> None:
    felt = guts()
    felt.busy = {"2"}
    felt.look(1.0)
    felt.type("3 declare in")
    assert "2 fold" not in felt.acts()


def test_an_act_that_has_to_come_shows_that_the_cards_were_given_up() -> None:
    felt = pineapple()
    taken_up(felt, "3", 0.4)
    felt.cards["2"].pop()
    felt.look(1.0)
    assert felt.acts()[-3:] == ["3 fold", "close", "2 discard ??"]


def test_play_that_continues_after_hidden_cards_are_gone_implies_a_fold_rather_than_a_check() -> (
    None
):
    felt = pineapple()
    state, away = felt.loop.state, Away(gone=frozenset({"2"}))

    def way(verb: Verb) -> list[Explanation]:
        steps = (Step(Act(verb, 2), implied=True), Step(Act(Verb.CHECK, 3), implied=True))
        return [Explanation(steps, state)]

    assert gave_up(state, way(Verb.FOLD), way(Verb.CHECK), away)
    assert not gave_up(state, [], way(Verb.CHECK), away)
    assert not gave_up(state, way(Verb.FOLD), way(Verb.CALL), away)
    assert not gave_up(state, way(Verb.FOLD), way(Verb.CHECK), Away(gone=frozenset({"3"})))


def test_a_word_that_makes_sense_without_it_does_not() -> None:
    felt = guts()
    taken_up(felt, "3", 1.0)
    felt.type("2 declare in")
    assert felt.acts()[-1] == "2 declare in"
    assert "3 fold" not in felt.acts()


def test_the_deal_goes_on_while_a_player_looks_at_a_card() -> None:
    felt = Felt("guts", level=Level.WHO)
    felt.lay("2", "??")
    felt.lay("3", "??")
    away = taken_up(felt, "2", 0.4)
    felt.lay("1", "??")
    assert felt.acts()[-1] == "deal 1 ??"
    felt.cards["2"] += away
    felt.lay("2", "??")
    assert felt.acts()[-1] == "deal 2 ??"
    assert not felt.rules_broken


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
