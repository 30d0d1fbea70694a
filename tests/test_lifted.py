"""Hidden cards picked up or given up: both look alike at first."""

from __future__ import annotations

import pytest

from firmware.follow.findings import Explanation
from firmware.follow.lifted import LIFTED_S, Away, gave_up
from firmware.store.ledger import Step
from hardware.press import Button
from rules.acts import Act, Verb
from rules.start import Level
from tests.felt import Felt
from tests.hidden_felts import guts, pineapple, taken_up


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
