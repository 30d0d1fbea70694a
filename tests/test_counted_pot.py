"""The pot of a hand that was lost: asked once, answered by one press, and in nobody's way."""

from __future__ import annotations

import pytest

from firmware.display.prompts import Option
from hardware.press import Button
from rules.start import Level
from tests.felt import Felt

RESUMED = "resume 4"


def pineapple(level: Level = Level.AMOUNTS, *, more: tuple[str, ...] = ()) -> Felt:
    """Three players whose cards are being dealt; the blinds are one chip and two."""
    felt = Felt("pineapple", level=level, limits=(2, 4) if level is Level.AMOUNTS else None)
    ante = ("ante",) if level is Level.AMOUNTS else ()
    felt.type(*ante, *(f"deal {seat} ?? ?? ??" for seat in (2, 3, 1)), *more)
    for seat in (1, 2, 3):
        felt.cards[str(seat)] = ["??", "??", "??"]
    return felt


def offered(felt: Felt) -> list[str]:
    question = felt.loop.question
    assert question is not None
    return [" ".join(map(str, option.acts)) for option in question.options]


def test_after_resuming_one_press_takes_what_the_record_knows() -> None:
    felt = pineapple()
    felt.type(RESUMED)
    assert felt.loop.prompt.sentence == "ask.pot"
    felt.press(Button.OK)
    assert felt.acts()[-2:] == [RESUMED, "pot 3"]
    assert felt.loop.question is None


def test_bets_that_were_dropped_by_resuming_are_offered_too() -> None:
    """Resumed from before the raise, which has happened all the same: FIX shows it, OK takes it."""
    felt = pineapple(more=("1 raise 4",))
    felt.type(RESUMED)
    assert offered(felt)[:2] == ["pot 3", "pot 7"]
    felt.press(Button.FIX)
    felt.press(Button.OK)
    assert felt.acts()[-1] == "pot 7"
    assert felt.loop.state.game.pot(felt.loop.state) == 7


def test_any_other_amount_is_found_in_ever_narrower_ranges() -> None:
    felt = pineapple()
    felt.type(RESUMED)
    while (question := felt.loop.question) is not None:
        felt.press(Button.OK if leads_to(question.chosen, 9) else Button.FIX)
    assert felt.acts()[-1] == "pot 9"


def leads_to(option: Option, chips: int) -> bool:
    """Whether the amount is what the option says or opens."""
    if option.acts:
        return option.acts[0].numbers == (chips,)
    values = dict(option.phrase.values)
    least, greatest = values.get("least", 0), values.get("greatest", chips)
    return int(str(least)) <= chips <= int(str(greatest))


def test_whoever_does_not_answer_plays_on() -> None:
    felt = pineapple()
    felt.type(RESUMED)
    felt.look(3.0)
    assert felt.loop.prompt.sentence == "ask.pot"
    felt.type("1 call")
    assert felt.loop.question is None
    felt.type("2 call")
    assert felt.loop.question is None, "it is asked once"


def test_the_answer_is_undone_like_any_act() -> None:
    felt = pineapple(more=("1 raise 4",))
    felt.type(RESUMED)
    felt.press(Button.OK)
    felt.hold(Button.FIX)
    assert felt.acts()[-1] == RESUMED


def test_given_up_the_pot_stays_or_has_been_shared() -> None:
    felt = Felt("guts", level=Level.AMOUNTS)
    felt.type("ante", "deal 2 ??", "resume 2", "pot 9", "clear")
    assert felt.loop.prompt.sentence == "ask.pot"
    assert offered(felt)[:2] == ["pot 9", "pot 0"]
    felt.press(Button.FIX)
    felt.press(Button.OK)
    assert felt.loop.match.hand.start.pot == 0
    assert felt.loop.question is None


@pytest.mark.parametrize("level", [Level.WHO, Level.NONE])
def test_nothing_is_asked_where_chips_are_not_counted(level: Level) -> None:
    felt = pineapple(level)
    felt.type("resume 3")
    assert felt.acts()[-1] == "resume 3"
    assert felt.loop.question is None


def test_nothing_is_asked_when_somebody_has_won_the_pot() -> None:
    felt = pineapple()
    felt.type(RESUMED)
    felt.press(Button.OK)
    felt.type("1 fold", "2 fold", "clear")
    assert felt.loop.question is None
    assert felt.loop.match.hand.start.hand == 2
