"""A hand that was lost: what is reported, and the way back with one press."""

from __future__ import annotations

import random

import pytest

from firmware.follow.anew import lost as asked
from firmware.follow.deciding import LOST_AFTER_S
from firmware.follow.differences import difference
from hardware.press import Button
from rules.acts import Verb
from rules.games import find_game
from rules.match import Match
from rules.start import Level
from tests.felt import Felt
from tests.lost import Table, lose
from tests.play import play_hand, start_for
from tests.resuming import layout_of, perturbed
from tests.test_loop import opened

TOLD_S = 5.0
"""Time limit for reporting a table at rest that is not understood."""


def lost() -> Felt:
    """Ziginette with all other cards out of place: the camera was covered for a while."""
    felt = opened()
    felt.cards["board"] = ["AC", "6S", "JD", "2H"]
    felt.cards["banker"] = ["KH"]
    felt.look(TOLD_S)
    return felt


def test_a_lost_hand_is_reported_in_time_and_nothing_is_made_up() -> None:
    felt = lost()
    assert len(felt.acts()) == 3
    assert felt.loop.prompt.sentence == "lost.other"
    assert felt.loop.prompt.lamps["ok"] == "slow"
    assert felt.loop.question is not None
    phrase = felt.loop.question.phrase
    assert phrase["spot"] == "board"
    assert [str(card) for card in phrase["cards"]] == ["AC", "6S", "JD", "2H"]  # type: ignore[union-attr]
    assert TOLD_S > LOST_AFTER_S


def test_differences_are_shown_place_by_place() -> None:
    assert lost().loop.snapshot().warnings == ("lost.other", "lost.other")


def test_one_press_takes_the_table_as_it_lies_and_the_hand_goes_on() -> None:
    felt = lost()
    felt.press(Button.OK)
    assert felt.loop.state.acts[-1].verb is Verb.RESUME
    felt.look(TOLD_S)
    assert felt.loop.question is None
    felt.lay("board", "AS")
    assert felt.acts()[-1] == "deal board AS"
    felt.take("board", "AC", "AS")
    assert felt.acts()[-1] == "take board AC AS"
    assert not felt.rules_broken


def test_it_is_undone_with_a_held_button() -> None:
    felt = lost()
    felt.press(Button.OK)
    felt.hold(Button.FIX)
    assert felt.acts() == ["deal board QS", "deal board 5D", "deal banker 7C"]


def test_a_table_that_changes_before_the_press_is_offered_again() -> None:
    felt = lost()
    felt.cards["board"] = ["AC", "6S", "JD", "3H", "4H"]
    felt.look()
    felt.press(Button.OK)
    assert len(felt.acts()) == 3
    felt.look(TOLD_S)
    felt.press(Button.OK)
    assert "4H" in felt.acts()[-1]


@pytest.mark.parametrize("seat", [2, 4])
def test_whoever_laid_what_is_not_understood_is_still_at_it(seat: int) -> None:
    """They had drawn, which nobody saw, and are about to throw a card away."""
    felt = Felt("oklahoma-rummy", seats=4)
    felt.lay("discards", "7H")
    felt.cards[f"{seat}.meld-1"] = ["QC", "KC"]
    felt.cards[f"{seat}.meld-2"] = ["4H", "5S"]
    felt.look(TOLD_S)
    assert felt.loop.prompt.sentence == "lost.came"
    felt.press(Button.OK)
    assert felt.acts()[-2] == f"{seat} draw stock ??"
    felt.lay("discards", "7C")
    assert felt.acts()[-1] == f"{seat} discard 7C"
    assert not felt.rules_broken


def test_what_was_taken_in_falsely_is_dropped_if_an_earlier_moment_fits() -> None:
    felt = opened()
    felt.type("close", "deal board AC", "deal board 2S", "deal board 3H", "deal board JD")
    felt.cards["board"] = ["QS", "5D"]
    felt.cards["banker"] = ["7C"]
    felt.loop.sight.look_again()
    felt.look(TOLD_S)
    assert felt.loop.question is not None
    felt.press(Button.OK)
    assert felt.acts()[-1].startswith(("resume 3 ", "resume 4 "))


def test_a_slip_is_not_reported_again_and_again_while_cards_come_and_go() -> None:
    felt = opened()
    for _ in range(8):
        felt.take("board", "5D", seconds=TOLD_S)
        felt.lay("board", "5D", seconds=TOLD_S)
    assert len(felt.acts()) < 8


def test_a_second_slip_in_a_row_shows_that_the_hand_is_lost() -> None:
    """Whose turn it is was wrong before the first, and would stay so with every slip let stand."""
    felt = opened()
    felt.lay("banker", "9D", seconds=TOLD_S)
    assert felt.rules_broken
    felt.press(Button.OK)
    assert not felt.rules_broken
    before = felt.acts()
    felt.lay("banker", "KD", seconds=TOLD_S)
    assert felt.acts() == before
    assert felt.loop.prompt.sentence == "lost.came"
    felt.press(Button.OK)
    assert felt.acts()[-1].startswith("resume")


def test_a_table_without_any_card_is_reported_in_time() -> None:
    """All of them may have been picked up for a look, until a look has lasted too long."""
    outcome = lose(find_game("chinese-poker"), 933)
    assert outcome.how == "asked"
    assert outcome.back
    assert outcome.seconds <= TOLD_S


def test_what_was_undone_is_asked_about_when_it_would_be_made_again() -> None:
    felt = opened()
    felt.lay("board", "AC")
    felt.hold(Button.FIX)
    before = felt.acts()
    felt.take("board", "AC", seconds=1.0)
    felt.lay("board", "AC", seconds=TOLD_S)
    assert felt.acts() == before
    assert felt.loop.prompt.sentence == "ask.which"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "deal board AC"


def two_at_once(*cards: str) -> Felt:
    felt = opened()
    felt.type("close")
    felt.cards["board"] += cards
    felt.look(2.0)
    return felt


def test_cards_at_once_are_asked_about_if_their_order_decides_money() -> None:
    for cards in (("7H", "QD"), ("QD", "7H")):
        felt = two_at_once(*cards)
        assert len(felt.acts()) == 4
        assert felt.loop.prompt.sentence == "ask.which"
        first = {str(option.acts[0]) for option in felt.loop.question.options}  # type: ignore[union-attr]
        assert first == {"deal board 7H", "deal board QD"}


def test_cards_at_once_are_taken_in_if_their_order_changes_nothing() -> None:
    felt = two_at_once("AC", "2S")
    assert felt.loop.question is None
    assert {"deal board AC", "deal board 2S"} <= set(felt.acts())


@pytest.mark.parametrize("name", ["ziginette", "seven-and-a-half", "rams", "guts", "eleusis"])
def test_a_hand_lost_at_random_is_recovered_by_presses(name: str) -> None:
    outcomes = [lose(find_game(name), seed) for seed in range(2)]
    assert all(outcome.back for outcome in outcomes), outcomes
    assert all(outcome.seconds <= TOLD_S or outcome.how == "lost" for outcome in outcomes)


@pytest.mark.parametrize("name", ["ziginette", "seven-and-a-half", "rams", "guts"])
def test_whatever_is_shown_each_change_is_explained_once_and_brings_the_table_nearer(
    name: str,
) -> None:
    dice, game = random.Random(name), find_game(name)
    states = play_hand(game, start_for(game, level=Level.NONE), dice)
    pack = list(game.deck(states[0].start))
    tables = [perturbed(layout_of(dice.choice(states)), pack, dice) for _ in range(3)]
    table = Table(Match(game, states[0].start), tables[0])
    for layout in [*tables, *tables]:  # the same ones again, as if the camera were in doubt
        table.show(layout)
        commits = table.commits(25)
        assert all(one.after < one.before for one in commits)
        assert len(commits) <= 1


@pytest.mark.parametrize(("game", "seed"), [("fipsen", 601), ("belote", 602), ("express", 611)])
def test_a_half_finished_change_is_reported_in_time(game: str, seed: int) -> None:
    played = find_game("eleusis", {"express": "yes"}) if game == "express" else find_game(game)
    outcome = lose(played, seed)
    assert outcome.back
    assert outcome.how != "silent"
    assert outcome.seconds <= TOLD_S


def hanging(name: str, seed: int) -> int:
    """How many of the ways offered to resume a lost hand leave a table other than the one seen."""
    dice, game = random.Random(f"{name}{seed}"), find_game(name)
    states = play_hand(game, start_for(game, level=Level.NONE), dice)
    wrong = 0
    for state in dice.sample(states, min(8, len(states))):
        pack = list(game.deck(state.start))
        cards = dict(perturbed(layout_of(state), pack, dice))
        question = asked(state, cards, str)
        for option in question.options if question is not None else ():
            later = state
            for act in option.acts:
                later = later.play(act)
            wrong += bool(difference(later, cards, cards.keys()))
    return wrong


@pytest.mark.parametrize("name", ["democracy", "belote", "guts", "soko", "three-thirteen"])
def test_each_way_back_leaves_the_table_as_it_lies(name: str) -> None:
    """Also from an earlier moment, when cards lay there that have gone since."""
    assert sum(hanging(name, seed) for seed in range(2)) == 0


@pytest.mark.parametrize("seed", [90004, 90008, 90031, 90038])
def test_no_card_is_added_to_hands_that_lie_open(seed: int) -> None:
    """Open-Face hands are in sight: one held more cards than lay there, and was lost again."""
    outcome = lose(find_game("open-face-chinese-poker"), seed)
    assert outcome.back
    assert outcome.presses <= 2


def test_the_table_is_taken_as_it_lies_though_something_still_covers_a_place() -> None:
    """What lies still there counts as it lay before, for the question and for its answer."""
    felt = Felt("chinese-poker", seats=4)
    felt.lay("2.middle", *["??"] * 5)
    felt.cards["2.back"] += ["??"] * 4
    felt.look()
    felt.busy = felt.still = {"2.back"}
    felt.look(10.0)
    felt.lay("3.middle", *["??"] * 5)
    felt.look(2.0)
    felt.lay("3.back", *["??"] * 5)
    felt.look(8.0)
    assert felt.loop.prompt.sentence == "lost.came"
    felt.press(Button.OK)
    assert felt.acts()[-1].startswith("resume ")
    assert felt.loop.question is None
