"""The dealer's rulings on what went wrong, and corrections: what they change and what they keep."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Act, Verb
from rules.errors import ActError
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.records import parse_record, print_match
from rules.start import Start
from rules.state import State
from rules.violations import Ruling
from tests.draws import examples
from tests.play import play_hand, start_for

EVERY_GAME = pytest.mark.parametrize("name", sorted(GAMES))
quickly = examples(1)
seeds = st.integers(0, 2**32)
START = Start(seats=(1, 2, 3), banker=1, limits=(1, 20))
OPENING = ("deal board QS", "deal board 5D", "deal banker 7C")


def a_hand(name: str, dice: random.Random) -> Hand:
    """The beginning of an honest hand."""
    game = find_game(name)
    acts = play_hand(game, start_for(game), dice)[-1].acts
    return Hand(game, start_for(game), list(acts[: dice.randrange(1, len(acts))]))


def ziginette(*lines: str) -> Hand:
    return Hand(find_game("ziginette"), START, [Act.parse(line) for line in lines])


def bets(hand: Hand) -> list[tuple[int, int]]:
    state: Any = hand.state
    return [(bet.seat, bet.amount) for bet in state.bets]


def reread(hand: Hand) -> State:
    """The state that results from the printed record of `hand`."""
    return parse_record(print_match(Match.of([hand]))).match.hands[0].state


def told(state: State) -> list[tuple[str, int, int, Ruling | None]]:
    return [(v.rule, v.since, v.found, v.ruling) for v in state.violations]


def without_rulings(state: State) -> State:
    acts = tuple(act for act in state.acts if act.verb is not Verb.RULE)
    return replace(state, acts=acts, calls=())


@EVERY_GAME
@quickly
@given(seed=seeds)
def test_correcting_an_act_to_itself_changes_nothing(name: str, seed: int) -> None:
    dice = random.Random(seed)
    hand = a_hand(name, dice)
    before = hand.state
    number = dice.randint(1, len(hand.acts))
    assert hand.correct(number, hand.acts[number - 1]) == before
    ruled = before.play(Act.parse(f"rule {number} correct {before.acts[number - 1]}"))
    assert without_rulings(ruled) == without_rulings(before)


@EVERY_GAME
@quickly
@given(seed=seeds)
def test_a_corrected_hand_is_the_hand_that_would_have_been_played(name: str, seed: int) -> None:
    """Removing an act leaves the state of the others alone, if all of those still fit."""
    dice = random.Random(seed)
    hand = a_hand(name, dice)
    number = dice.randint(1, len(hand.acts))
    rest = [*hand.acts[: number - 1], *hand.acts[number:]]
    try:
        expected = Hand(hand.game, hand.start, rest).state
    except ActError:
        return
    ruled = hand.state.play(Act.parse(f"rule {number} correct"))
    assert ruled.table == expected.table
    assert ruled.phase == expected.phase
    assert ruled.settlement == expected.settlement
    assert hand.correct(number, None) == expected


@EVERY_GAME
@quickly
@given(seed=seeds)
def test_whatever_is_ruled_or_corrected_replays_from_its_record(name: str, seed: int) -> None:
    dice = random.Random(seed)
    hand = a_hand(name, dice)
    for _ in range(3):
        if not hand.acts:
            break
        number = dice.randint(1, len(hand.acts))
        other = dice.choice([None, *hand.acts])
        try:
            hand.correct(number, other)
        except ActError:
            continue
        for violation in hand.state.open_violations[:1]:
            word = dice.choice(list(Ruling))
            hand.play(Act(Verb.RULE, numbers=(violation.found,), words=(word.value,)))
        assert reread(hand) == hand.state


@EVERY_GAME
@quickly
@given(seed=seeds)
def test_no_act_is_lost_by_a_correction(name: str, seed: int) -> None:
    dice = random.Random(seed)
    hand = a_hand(name, dice)
    number = dice.randint(1, len(hand.acts))
    before = list(hand.acts)
    try:
        hand.correct(number, dice.choice([None, *before]))
    except ActError:
        assert hand.acts == before
        return
    kept = list(hand.acts)
    assert all(act in kept for act in before[number:])
    unfit = [v.found for v in hand.state.violations if v.rule == "unfit"]
    assert all(number <= found <= len(kept) for found in unfit)


def test_a_violation_stands_if_the_dealer_says_so() -> None:
    hand = ziginette(*OPENING, "2 bet 50 QS")
    assert told(hand.state) == [("beyond-limits", 4, 4, None)]
    hand.play(Act.parse("rule 4 stand"))
    assert told(hand.state) == [("beyond-limits", 4, 4, Ruling.STAND)]
    assert hand.state.open_violations == ()
    assert len(bets(hand)) == 1


def test_a_misdeal_makes_the_hand_void_and_only_clearing_is_left() -> None:
    hand = ziginette(*OPENING, "2 bet 50 QS", "rule 4 misdeal")
    assert hand.state.void
    assert hand.state.settlement.net == {}
    assert [one.verb for one in hand.state.turn] == [Verb.CLEAR]
    hand.play(Act.parse("clear"))
    assert hand.state.over
    assert hand.next_start().banker == 1


def test_a_correction_leaves_the_wrong_act_in_the_record_and_cancels_its_effect() -> None:
    hand = ziginette(*OPENING, "2 bet 50 QS", "rule 4 correct 2 bet 5 QS", "close", "deal board QD")
    assert hand.state.settlement.net == {1: 5, 2: -5}
    assert told(hand.state) == [("beyond-limits", 4, 4, Ruling.CORRECT)]
    assert str(hand.acts[3]) == "2 bet 50 QS"


def test_a_second_correction_keeps_the_first() -> None:
    lines = ["2 bet 50 QS", "3 bet 60 5D", "rule 4 correct 2 bet 5 QS", "rule 5 correct"]
    hand = ziginette(*OPENING, *lines)
    assert bets(hand) == [(2, 5)]
    assert [ruling for *_, ruling in told(hand.state)] == [Ruling.CORRECT, Ruling.CORRECT]
    hand.play(Act.parse("rule 4 correct 2 bet 6 QS"))
    assert bets(hand) == [(2, 6)]


def test_a_ruling_survives_the_correction_of_another_act() -> None:
    lines = ["2 bet 50 QS", "rule 4 stand", "3 bet 60 5D", "rule 6 correct 3 bet 6 5D"]
    state = ziginette(*OPENING, *lines).state
    assert told(state) == [
        ("beyond-limits", 4, 4, Ruling.STAND),
        ("beyond-limits", 6, 6, Ruling.CORRECT),
    ]


def test_what_no_longer_fits_after_a_correction_becomes_a_violation() -> None:
    hand = ziginette(*OPENING, "2 bet 5 QS", "close", "deal board QD", "take board QS QD")
    hand.correct(6, Act.parse("deal board 3D"))
    assert told(hand.state) == [("unfit", 7, 7, None)]
    assert str(hand.acts[6]) == "take board QS QD"
    assert hand.state.settlement.net == {}
    assert reread(hand) == hand.state


def test_a_quiet_bust_is_gone_when_its_card_is_corrected() -> None:
    lines = ["2 bet 5", "close", "deal 2 ??", "deal 1 ??", "2 hit", "deal 2 6C", "2 stand"]
    lines += ["1 show 2C", "1 stand", "2 show 3H"]
    hand = Hand(find_game("seven-and-a-half"), START, [Act.parse(line) for line in lines])
    assert told(hand.state) == [("seven.undeclared-bust", 6, 10, None)]
    hand.correct(6, Act.parse("deal 2 AC"))
    assert told(hand.state) == []
    assert hand.state.settlement.net == {1: -5, 2: 5}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rule 3 stand", "leaves no open violation"),
        ("rule 9 correct", "from 1 to 5"),
        ("rule 0 correct", "at least 1"),
        ("rule 4 correct 2 bet 5 KD", "the board is QS 5D"),
        ("rule 4 correct 9 bet 5 QS", "seat 9 is not in this hand"),
        ("rule 5 correct", "is a ruling"),
        ("rule 4 correct rule 4 stand", "is a ruling"),
    ],
)
def test_a_ruling_without_meaning_is_refused(line: str, message: str) -> None:
    state: Any = ziginette(*OPENING, "2 bet 50 QS", "rule 4 stand").state
    with pytest.raises(ActError, match=message):
        state.verify(Act.parse(line))
    with pytest.raises(ActError, match=message):
        state.play(Act.parse(line))
