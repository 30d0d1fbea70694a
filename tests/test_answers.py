"""OK does what is written on it, FIX steps through what was said, and undo always works."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import cycle, pairwise, product

import pytest

from firmware.display.pads import SAID, Pads
from firmware.display.prompts import Option, Question
from firmware.follow import corrections
from firmware.follow.choices import asks, certain, menu
from firmware.store.ledger import Step
from firmware.texts import Texts
from hardware.press import Button
from rules.games import GAMES, find_game
from rules.start import Level
from rules.state import State
from tests.draws import mostly_nightly
from tests.felt import Felt
from tests.heaps import BESIDE, at, heap
from tests.play import play_hand, start_for
from vision.sightings import Seen

ENGLISH = Texts.load("en", strict=True)
BELOTE = (
    *(f"deal {seat} ?? ?? ??" for seat in (2, 3, 4, 1)),
    *(f"deal {seat} ?? ??" for seat in (2, 3, 4, 1)),
    "deal board 9H",
)


def states_of(name: str, level: Level, seed: int) -> list[State]:
    game = find_game(name)
    return play_hand(game, replace(start_for(game), level=level), random.Random(seed))


def belote(*said: str) -> Felt:
    felt = Felt("belote", seats=4)
    felt.cards["board"].append("9H")
    felt.type(*BELOTE, *said)
    assert felt.acts()[-1] == (said or BELOTE)[-1]
    return felt


def words(felt: Felt) -> list[str]:
    return [str(act) for option in felt.loop.question.options for act in option.acts]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "level"),
    mostly_nightly(product(sorted(GAMES), Level), *zip(sorted(GAMES), cycle(Level), strict=False)),
)
def test_ok_takes_no_word_if_a_player_has_several(name: str, level: Level) -> None:
    for state in states_of(name, level, 1)[:-1]:
        act = certain(state)
        if act is None or act.seat is None:
            continue
        own = {one.verb for one in state.turn if one.verb in SAID and act.seat in one.seats}
        assert own == {act.verb}, f"{state.phase}: {act} among {own}"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_when_a_word_is_due_ok_says_it_or_offers_all(name: str) -> None:
    for state in states_of(name, Level.AMOUNTS, 2)[:-1]:
        if asks(state) and certain(state) is None:
            pad = Pads().of(state, ENGLISH)
            offered = menu(state, pad)
            secret = any(len(w) > 20 for one in state.turn for said in one.words for w in said)
            assert offered is not None or secret, state.phase


def test_take_or_pass_is_a_menu() -> None:
    felt = belote()
    assert felt.loop.prompt.ok == "ok.menu"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "deal board 9H"  # nothing was taken
    assert felt.loop.prompt.options
    felt.press(Button.FIX)
    chosen = felt.loop.question.chosen.acts  # type: ignore[union-attr]
    felt.press(Button.OK)
    assert felt.acts()[-1] == str(chosen[0])


def test_what_is_written_on_ok_is_what_it_does() -> None:
    felt = Felt("ziginette", level=Level.AMOUNTS)
    felt.loop.texts = ENGLISH
    felt.lay("board", "QS", "5D")
    felt.lay("banker", "7C")
    assert felt.loop.prompt.ok == "No more bets"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "close"
    felt.type("deal board 9C")  # not in this deck
    assert felt.loop.prompt.ok == "Accept it"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "rule 5 stand"


def test_on_hold_ok_takes_no_hidden_answer() -> None:
    felt = belote()
    felt.press(Button.OK)
    felt.press(Button.HOLD)
    assert felt.loop.prompt.options == ()
    assert felt.loop.prompt.ok == ""
    felt.press(Button.OK)
    assert felt.acts()[-1] == "deal board 9H"


def test_a_bet_goes_by_three_buttons() -> None:
    felt = Felt("ziginette", level=Level.AMOUNTS)
    felt.lay("board", "QS", "5D")
    felt.lay("banker", "7C")
    felt.hold(Button.OK)  # everything that may be said
    for wanted in ("2 bet QS", "2 bet 5 QS"):
        while wanted not in str(felt.loop.question.chosen.phrase):  # type: ignore[union-attr]
            felt.press(Button.FIX)
        felt.press(Button.OK)
    assert felt.acts()[-1] == "2 bet 5 QS"


def test_fix_held_goes_back_one_step() -> None:
    felt = Felt("ziginette", level=Level.AMOUNTS)
    felt.lay("board", "QS", "5D")
    felt.lay("banker", "7C")
    felt.hold(Button.OK)
    first = felt.loop.prompt.options
    felt.press(Button.OK)
    assert felt.loop.prompt.options != first
    felt.hold(Button.FIX)
    assert felt.loop.prompt.options == first
    felt.hold(Button.FIX)
    assert felt.loop.prompt.options == ()
    assert felt.acts()[-1] == "deal banker 7C"


def amounts_behind(question: Question) -> set[int]:
    """Every amount that can be reached from a menu."""
    found = set[int]()
    for option in question.options:
        found |= {number for act in option.acts for number in act.numbers}
        if option.opens is not None:
            found |= amounts_behind(option.opens())
    return found


def test_every_amount_can_be_reached_with_the_buttons() -> None:
    felt = Felt("ziginette", level=Level.AMOUNTS, limits=(3, 97))
    felt.lay("board", "QS", "5D")
    felt.lay("banker", "7C")
    felt.hold(Button.OK)
    bet: Option = felt.loop.question.options[0]  # type: ignore[union-attr]
    assert bet.opens is not None
    assert amounts_behind(bet.opens()) == set(range(3, 98))


def test_fix_after_a_word_offers_other_words_and_the_card_before_them() -> None:
    felt = belote("2 pass", "3 pass")
    felt.press(Button.FIX)
    question = felt.loop.question
    assert question is not None
    assert question.phrase.id == "ask.said"
    assert all(line.startswith("3 bid") for line in words(felt))
    ids = [option.phrase.id for option in question.options]
    assert ids[0] == "option.right"
    assert "ask.correct" in ids
    felt.press(Button.FIX)
    felt.press(Button.OK)
    assert felt.acts()[-1].startswith("3 bid")


def test_a_stray_press_of_fix_and_then_of_ok_changes_nothing() -> None:
    felt = belote("2 pass", "3 pass")
    before = felt.acts()
    felt.press(Button.FIX)
    felt.press(Button.OK)
    assert felt.acts() == before
    assert felt.loop.question is None


def test_a_word_said_twice_is_asked_about_and_breaks_no_rule() -> None:
    felt = belote("2 pass")
    felt.loop.type("2 pass")
    assert felt.loop.question is not None
    assert felt.acts()[-1] == "2 pass"
    assert felt.acts().count("2 pass") == 1
    assert felt.loop.state.violations == ()
    felt.press(Button.FIX)
    felt.press(Button.OK)  # unintended
    assert felt.acts().count("2 pass") == 1
    assert felt.loop.state.violations == ()


def test_it_was_right_comes_first_for_a_card_that_has_been_lying_for_long() -> None:
    felt = belote("2 pass")
    felt.press(Button.FIX)
    while felt.loop.question.chosen.phrase.id != "ask.correct":  # type: ignore[union-attr]
        felt.press(Button.FIX)
    felt.press(Button.OK)
    assert felt.loop.question.chosen.phrase.id == "option.right"  # type: ignore[union-attr]
    felt.press(Button.OK)
    assert felt.acts()[-2:] == ["deal board 9H", "2 pass"]


def test_a_card_has_six_likely_candidates_and_the_rest_under_other() -> None:
    felt = Felt("ziginette")
    felt.lay("board", "QS")
    felt.press(Button.FIX)
    options = felt.loop.question.options  # type: ignore[union-attr]
    assert [option.phrase.id for option in options] == [
        "option.right", *["option.card"] * 6, "option.other",
    ]  # fmt: skip
    assert options[-1].opens is not None
    behind = options[-1].opens().options
    cards = [str(act.cards[-1]) for o in (*options, *behind) for act in o.acts]
    assert len(cards) == len(set(cards)) == 39  # all of forty except the wrong one


def test_undo_works_while_something_is_asked() -> None:
    felt = belote("2 pass")
    felt.press(Button.FIX)
    felt.loop.undo()
    assert felt.loop.question is None
    assert felt.acts()[-1] == "deal board 9H"


def test_an_out_of_turn_line_is_asked_about_once() -> None:
    felt = belote("2 pass")
    felt.loop.type("2 pass")  # said twice: it is seat 3's turn
    assert felt.acts()[-1] == "2 pass"
    assert not felt.rules_broken
    assert felt.loop.prompt.sentence == "rule.out-of-turn"
    felt.press(Button.OK)
    assert felt.rules_broken == ["out-of-turn"]


def test_a_mistyped_line_that_is_rejected_leaves_nothing() -> None:
    felt = belote("2 pass")
    felt.loop.type("4 pass")
    felt.press(Button.FIX)
    assert felt.loop.question.chosen.phrase.id == "option.nothing-said"  # type: ignore[union-attr]
    felt.press(Button.OK)
    assert felt.acts()[-1] == "2 pass"
    assert not felt.rules_broken


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_hand_of_words_goes_by_menus(name: str) -> None:
    """Every word of an honest hand can be found in the menus, at some depth."""
    states = states_of(name, Level.AMOUNTS, 4)
    for state, after in pairwise(states):
        act = after.acts[-1].observed()
        if act.verb not in SAID or act == certain(state) or any(len(w) > 20 for w in act.words):
            continue
        if act.verb in {one.verb for one in state.turn.awaited if one.numbers}:
            continue  # amounts are tested above
        offered = menu(state.public(), Pads().of(state, ENGLISH))
        if act == state.turn.due and act.seat is None:
            continue
        assert offered is not None
        assert str(act) in lines_behind(offered), state.phase


def lines_behind(question: Question) -> set[str]:
    found = {str(act) for option in question.options for act in option.acts}
    for option in question.options:
        if option.opens is not None:
            found |= lines_behind(option.opens())
    return found


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_text_of_ok_is_short(name: str) -> None:
    """Anything longer takes more than a breath to say and covers the keys on a telephone."""
    seats = len(start_for(find_game(name)).seats)
    felt = Felt(name, seats=seats, level=Level.AMOUNTS)
    felt.loop.texts = ENGLISH
    start = felt.loop.match.hand.start
    for act in play_hand(felt.loop.match.hand.game, start, random.Random(1))[-1].acts:
        assert len(felt.loop.prompt.ok) <= 90, felt.loop.prompt.ok
        felt.loop.ledger.take([Step(act.observed())], "typed")


@pytest.mark.parametrize(("beside", "first"), [("3S", "3S"), ("QD", "7C")])
def test_a_card_that_lies_there_and_is_held_nowhere_is_offered_before_similar_ones(
    beside: str, first: str
) -> None:
    """A corner that peeped out of the pile was taken for the discard, in place of what lay on it.

    A card that the state holds there explains nothing.
    """
    pile = heap(("QD", 0.0), ("7S", 0.03))
    assert pile.acts()[-1] == "2 discard 7S"
    lies = tuple(at(name, place) for name, place in (("7S", 0.03), (beside, BESIDE)))
    seen = Seen({"discards": lies}, frozenset(), (), pile.time)
    state = pile.loop.state
    assert str(corrections.others(state, seen, state.acts[-1])[0]) == first
