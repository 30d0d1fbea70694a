"""Acts spoken while a hand hides that the turn before theirs is over."""

from __future__ import annotations

import pytest

from hardware.press import Button
from rules.start import Level
from tests.felt import Felt


def dealt() -> Felt:
    """Everybody has three cards; seat 4 is to act."""
    felt = Felt("pineapple", seats=4, level=Level.AMOUNTS)
    for _ in range(3):
        for seat in "2341":
            felt.lay(seat, "??")
    return felt


def pineapple() -> Felt:
    """Seat 4 has called, and seat 1 is to act; everybody has three cards."""
    felt = dealt()
    felt.type("4 call")
    assert felt.loop.state.turn.seats == (1,)
    return felt


def soko() -> Felt:
    """Seat 1 has bet on its lowest card; seat 2 is to act, with a card down and one up."""
    felt = Felt("soko", seats=3, level=Level.AMOUNTS)
    for cards in (("??", "??", "??"), ("KC", "9D", "4H")):
        for seat, card in zip("231", cards, strict=True):
            felt.lay(seat, card)
    felt.type("1 bet 1")
    return felt


def spoken_under_a_hand() -> Felt:
    """Seat 1 folds under a hand that stays; seat 2 raises."""
    felt = pineapple()
    felt.busy = {"1"}
    felt.look(1.0)
    felt.cards["1"].clear()
    felt.type("2 raise 2")
    felt.look(3.0)
    assert felt.acts()[-1] == "2 raise 2"
    assert felt.rules_broken == ["out-of-turn"]
    return felt


def test_a_fold_under_a_hand_came_before_what_was_said_meanwhile() -> None:
    felt = spoken_under_a_hand()
    felt.busy = set()
    felt.look(1.0)
    assert felt.acts()[-2:] == ["1 fold", "2 raise 2"]
    assert not felt.loop.state.violations
    assert felt.loop.question is None


def test_cards_gone_when_the_next_player_speaks_were_given_up_though_another_looks_at_theirs() -> (
    None
):
    """A hand came back over the place of the other one, whose cards had been lifted before."""
    felt = dealt()
    felt.cards["4"].clear()
    felt.look(0.3)
    felt.cards["2"].clear()
    felt.look(0.3)
    felt.busy = {"2"}
    felt.look(0.5)
    felt.type("1 call")
    assert felt.acts()[-2:] == ["4 fold", "1 call"]
    assert not felt.rules_broken


def test_a_ruling_on_it_in_between_is_dropped_with_it() -> None:
    felt = spoken_under_a_hand()
    felt.press(Button.OK)
    assert felt.acts()[-1].startswith("rule ")
    felt.busy = set()
    felt.look(1.0)
    assert felt.acts()[-2:] == ["1 fold", "2 raise 2"]


def test_a_hand_that_hid_cards_still_there_excuses_nobody() -> None:
    felt = pineapple()
    felt.busy = {"1"}
    felt.type("2 raise 2")
    felt.look(2.0)
    felt.busy = set()
    felt.look(2.0)
    felt.cards["1"].clear()
    felt.look(6.0)
    assert felt.acts()[-1] != "2 raise 2"
    assert [one.rule for one in felt.loop.state.violations] == ["out-of-turn"]


@pytest.mark.parametrize("seconds", [0.4, 3.0])
def test_a_fold_in_plain_sight_after_somebody_spoke_excuses_nobody(seconds: float) -> None:
    felt = pineapple()
    felt.type("2 raise 2")
    felt.look(seconds)
    felt.busy = {"1"}
    felt.look(1.0)
    felt.cards["1"].clear()
    felt.busy = set()
    felt.look(6.0)
    assert [one.rule for one in felt.loop.state.violations] == ["out-of-turn"]


def test_an_open_hand_given_up_under_a_hand_counts_as_a_fold_before_what_was_said_too() -> None:
    """In Soko, cards face up go with the one face down."""
    felt = soko()
    felt.busy = {"2"}
    felt.look(1.0)
    felt.cards["2"].clear()
    felt.type("3 call")
    felt.look(2.0)
    assert felt.rules_broken == ["out-of-turn"]
    felt.busy = set()
    felt.look(1.0)
    assert felt.acts()[-2:] == ["2 fold", "3 call"]
    assert not felt.loop.state.violations


def test_an_open_hand_that_lay_there_after_the_hand_over_it_had_left_excuses_nobody() -> None:
    felt = soko()
    felt.busy = {"2"}
    felt.look(1.0)
    felt.type("3 call")
    felt.look(2.0)
    felt.busy = set()
    felt.look(2.0)
    felt.cards["2"].clear()
    felt.look(6.0)
    assert felt.rules_broken == ["out-of-turn"]


def discarded_beside_a_hand() -> Felt:
    """Panguingue: seat 2 discards from the stock while a hand lies over its meld."""
    felt = Felt("panguingue", seats=3)
    felt.type(*(f"deal {seat} ?? ??" for _ in range(5) for seat in (3, 2, 1)))
    felt.type("deal discards 4H", "3 draw stock QC", "3 discard QC")
    felt.type("2 draw stock KH", "2 meld KH KC KC", "2 discard 7D")
    felt.type("1 draw stock 5S", "1 discard 5S", "3 draw stock KD", "3 discard KD")
    felt.cards |= {"2.meld-1": ["KH", "KC", "KC"], "discards": ["5S", "KD"]}
    felt.look(1.0)
    felt.busy = {"2.meld-1"}
    felt.lay("discards", "6C", seconds=1.0)
    assert felt.acts()[-1] == "3 discard KD"
    return felt


def test_a_discard_that_a_hand_elsewhere_leaves_in_doubt_was_made_once_the_next_one_is_said() -> (
    None
):
    felt = discarded_beside_a_hand()
    felt.type("1 discard 6C")
    assert felt.acts()[-3:] == ["2 draw stock 6C", "2 discard 6C", "1 discard 6C"]
    assert not felt.rules_broken


def test_what_is_said_just_as_it_is_seen_beside_a_hand_is_done_once() -> None:
    felt = discarded_beside_a_hand()
    felt.lay("discards", "7S")
    assert felt.acts()[-1] == "3 discard KD"
    felt.type("1 discard 7S")
    felt.busy = set()
    felt.look(2.0)
    drawn = ["2 draw stock 6C", "2 discard 6C", "1 draw stock 7S", "1 discard 7S"]
    assert felt.acts()[-4:] == drawn
    assert not felt.rules_broken
