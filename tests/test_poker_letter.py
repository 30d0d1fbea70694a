"""Poker and its relatives to the letter: what the rule sheets decide and what once went wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import parse_cards
from rules.errors import StartError
from rules.games import find_game
from rules.games.anaconda import Anaconda, AnacondaState
from rules.games.paiute import PaiuteState
from rules.games.soko import Soko
from rules.match import Match
from rules.poker.naturals import ranked
from rules.poker.rows import Rows
from rules.poker.streets import PokerState
from rules.records import parse_record, print_match
from rules.start import Start
from rules.state import State


def table(game: str, *lines: str, rules: dict[str, str] | None = None, **start: Any) -> State:
    """The state after the acts in `lines`."""
    given = {"seats": (1, 2, 3), "dealer": 3, "limits": (2, 4), **start}
    return after(find_game(game, rules).open(Start(**given)), *lines)


def after(state: State, *lines: str) -> State:
    """The state after more acts."""
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def broken(state: State) -> list[str]:
    return [violation.rule for violation in state.violations]


# Soko.


def soko(first: str, second: str, **rules: str) -> PokerState:
    """The last round of two players whose visible cards are `first` and `second`."""
    rounds = zip(first.split(), second.split(), strict=True)
    opening = next(iter(rounds))
    lines = ["ante", "deal 1 ??", "deal 2 ??", f"deal 1 {opening[0]}", f"deal 2 {opening[1]}"]
    state = table("soko", *lines, seats=(1, 2), dealer=2, rules=rules)
    seat = state.turn.seats[0]
    state = after(state, f"{seat} bet 1", f"{3 - seat} call")
    for one, other in rounds:
        state = after(state, f"deal 1 {one}", f"deal 2 {other}")
        if len(state.table.at("1")) < 5:
            seat = state.turn.seats[0]
            state = after(state, f"{seat} check", f"{3 - seat} check")
    assert isinstance(state, PokerState)
    return state


@pytest.mark.parametrize(
    ("first", "second", "lowest"),
    [
        ("9C 8D 7H 6S", "2C 2D KH QS", 2),
        ("KC 9C 4C 2C", "AC AD KH QS", 2),
        ("KC 9C 4C 2C", "AH 2D 3H 4S", 2),
        ("KC KD QC QD", "AH 9H 4H 2H", 2),
        ("2C 2D KH QS", "AH 9D 4C 3S", 2),
    ],
)
def test_the_lowest_visible_hand_opens_the_last_round_canadian_hands_counted(
    first: str, second: str, lowest: int
) -> None:
    state = soko(first, second)
    assert not state.violations
    assert state.round is not None
    assert state.round.actor == lowest
    highest = Soko(first="highest")
    assert highest.action(state, 3)[0] == 3 - lowest


# Chinese Poker: ties between naturals.


def natural(name: str, front: str, middle: str, back: str) -> tuple[int, tuple[int, ...]]:
    rows = Rows(*map(parse_cards, (front, middle, back)))
    rank = ranked(name, (*rows.front, *rows.middle, *rows.back), rows)
    assert rank is not None
    return rank


def test_three_flushes_are_decided_by_the_strength_of_the_back_hand() -> None:
    straight_flush = natural("three-flushes", "4C 3C 2C", "KD JD 9D 6D 3D", "9S 8S 7S 6S 5S")
    ace_high = natural("three-flushes", "AC KC QC", "AH QH 8H 5H 2H", "AS KS 4S 3S 2S")
    assert straight_flush > ace_high


def test_three_straights_are_decided_by_the_strength_of_the_back_hand() -> None:
    straight_flush = natural("three-straights", "4C 3D 2H", "7H 6C 5D 4H 3S", "9S 8S 7S 6S 5S")
    to_the_ace = natural("three-straights", "AC KD QH", "AH KC QD JH TS", "AS KS QC JD TH")
    assert straight_flush > to_the_ace


def test_naturals_with_equal_backs_are_decided_by_the_middle_then_the_front() -> None:
    back = "9S 8S 7S 6S 5S"
    better = natural("three-straights", "4C 3D 2H", "7H 6H 5H 4H 3H", back)
    worse = natural("three-straights", "AC KD QH", "AH KC QD JH TS", back)
    assert better > worse
    assert natural("three-straights", "5C 4D 3H", "7H 6C 5D 4H 3S", back) > natural(
        "three-straights", "4C 3D 2H", "7C 6D 5H 4C 3D", back
    )


# Open-Face Chinese Poker: leaving, and pairs with their own unit.


def open_face(*lines: str, notes: dict[str, str], seats: tuple[int, ...] = (1, 2, 3)) -> Match:
    start = Start(seats=seats, dealer=3).noting(**notes)
    match = Match(find_game("open-face-chinese-poker"), start)
    for line in lines:
        match.play(Act.parse(line))
    return match


@pytest.mark.parametrize("leaving", ["leave", "sit-out"])
def test_a_player_due_for_fantasyland_may_leave(leaving: str) -> None:
    match = open_face(f"{leaving} 2", notes={"fantasyland": "1 2"})
    assert match.hand.start.seats == (1, 3)
    assert match.hand.start.note("fantasyland") == "1"
    assert match.hand.start.dealer == 3
    assert parse_record(print_match(match)).match.hand.start == match.hand.start


def test_the_deal_goes_on_when_nobody_is_left_to_play_in_fantasyland() -> None:
    match = open_face("leave 2", notes={"fantasyland": "2"})
    assert match.hand.start.note("fantasyland") == ""
    assert match.hand.start.dealer == 1
    dealers_own = open_face("leave 3", notes={"fantasyland": "3"})
    assert dealers_own.hand.start.dealer == 1


@pytest.mark.parametrize("game", ["open-face-chinese-poker", "chinese-poker"])
@pytest.mark.parametrize("leaving", ["leave 2", "sit-out 2"])
def test_a_player_who_has_agreed_on_a_unit_may_leave(game: str, leaving: str) -> None:
    start = Start(seats=(1, 2, 3), dealer=3).noting(units="1-2:5 1-3:10")
    match = Match(find_game(game), start)
    match.play(Act.parse(leaving))
    assert match.hand.start.note("units") == "1-3:10"


@pytest.mark.parametrize("game", ["open-face-chinese-poker", "chinese-poker"])
def test_two_players_agree_on_any_unit_between_hands(game: str) -> None:
    match = Match(find_game(game), Start(seats=(1, 2, 3), dealer=3))
    for line in ("unit 1 2 5", "unit 3 1 10", "unit 2 1 7"):
        match.play(Act.parse(line))
    assert match.hand.start.note("units") == "1-2:7 1-3:10"
    for line in ("unit 1 1 5", "unit 1 4 5", "unit 1 2", "unit 1 2 0"):
        with pytest.raises(ValueError, match="unit"):
            match.play(Act.parse(line))


def test_a_unit_means_nothing_in_other_games() -> None:
    match = Match(find_game("soko"), Start(seats=(1, 2, 3), dealer=3, limits=(2, 4)))
    with pytest.raises(ValueError, match="unit"):
        match.play(Act.parse("unit 1 2 5"))


# Anaconda, both halves.


def both_ways(**hands: tuple[str, str]) -> dict[int, str]:
    """What each seat wins of the pot, by what it declared and showed."""
    game = Anaconda(both_ways=True)
    seats = tuple(range(1, len(hands) + 1))
    state = game.open(Start(seats=seats, dealer=seats[-1], limits=(1, 5)))
    sides = tuple((seat, side) for seat, (side, _) in zip(seats, hands.values(), strict=True))
    spots = {f"{seat}.shown": cards for seat, (_, cards) in zip(seats, hands.values(), strict=True)}
    lines = [f"deal {spot} {cards}" for spot, cards in spots.items()]
    shown = after(state, *lines)
    assert isinstance(shown, AnacondaState)
    contests = game.contests(replace(shown, sides=sides, live=seats))
    return {s: c.reason for c in contests for s in c.winners(seats)}


HIGH_HAND, LOW_HAND = "AS AD AC KH KD", "5S 4D 3C 2H AH"


@pytest.mark.parametrize("order", list(permutations((HIGH_HAND, LOW_HAND))))
def test_of_two_who_want_both_halves_and_win_one_each_neither_gets_any(
    order: tuple[str, str],
) -> None:
    assert both_ways(a=("both", order[0]), b=("both", order[1])) == {}


def test_a_player_who_wanted_one_half_gets_it_if_those_for_both_fail() -> None:
    won = both_ways(a=("both", HIGH_HAND), b=("both", LOW_HAND), c=("low", "8S 6D 4C 3H 2S"))
    assert won == {3: "low-half"}


# Paiute.

PAIUTE = (
    "ante",
    "deal 1 (9C) (9D) (9H) (KD) (KS)",
    "deal 2 (QS) (JS) (7D) (6C) (3H)",
    "deal wild 2H",
    "deal discards KC",
)


def paiute(*lines: str, **rules: str) -> PaiuteState:
    state = table("paiute", *PAIUTE, *lines, seats=(1, 2), dealer=2, rules=rules)
    assert isinstance(state, PaiuteState)
    return state


def test_if_all_agree_to_stop_after_a_call_the_caller_has_the_pot() -> None:
    """The players who called with the highest combination win; nobody else has called."""
    called = paiute("1 draw discards KC", "1 call", "1 lay 1.called 9C 9D 9H KD KS KC")
    ended = after(called, "end")
    assert ended.settlement.net == {0: 0, 1: 1, 2: -1}
    stopped = after(paiute("1 draw stock (4C)", "1 discard 4C"), "end")
    assert stopped.settlement.net == {0: 2, 1: -1, 2: -1}


def test_no_new_discard_is_turned_up_when_a_caller_has_taken_the_only_one() -> None:
    state = paiute("1 draw discards KC", "1 call", "1 lay 1.called 9C 9D 9H KD KS KC")
    assert not state.table.at("discards")
    assert state.phase == "drawing"
    assert [one.spots for one in state.turn if one.verb is Verb.DRAW] == [("stock",)]
    last = after(state, "2 draw stock (4C)", "2 discard 4C")
    assert not last.violations
    assert last.phase == "paying"


@pytest.mark.parametrize("order", list(permutations(("1 call", "1 discard KS"))))
def test_a_caller_discards_before_or_after_the_call(order: tuple[str, str]) -> None:
    hand = "deal 1 (9C) (9D) (9H) (9S) (KS)"
    lines = [hand if line.startswith("deal 1") else line for line in PAIUTE]
    state = table("paiute", *lines, seats=(1, 2), dealer=2)
    state = after(state, "1 draw stock (2C)", *order, "1 lay 1.called 9C 9D 9H 9S 2C")
    assert not state.violations
    assert isinstance(state, PaiuteState)
    assert [seat for seat, _ in state.callers] == [1]
    assert state.acting == 2
    assert state.turn.seats == (2,)


def test_even_the_last_player_may_call_after_the_discard() -> None:
    lines = [
        "deal 2 (QS) (QD) (QH) (QC) (3H)" if line.startswith("deal 2") else line for line in PAIUTE
    ]
    state = table("paiute", *lines, seats=(1, 2), dealer=2)
    state = after(state, "1 draw discards KC", "1 call", "1 lay 1.called 9C 9D 9H KD KS KC")
    state = after(state, "2 draw stock (2C)", "2 discard 3H")
    assert state.settlement.net == {0: 0, 1: 1, 2: -1}
    state = after(state, "2 call", "2 lay 2.called QS QD QH QC 2C")
    assert not state.violations
    assert state.settlement.net == {0: 0, 1: -1, 2: 1}
    assert state.phase == "paying"


def test_after_the_next_draw_it_is_too_late_to_call() -> None:
    state = paiute("1 draw discards KC", "1 discard 9C", "2 draw stock (4C)", "1 call")
    assert broken(state) == ["paiute.late-call"]
    assert isinstance(state, PaiuteState)
    assert state.acting == 2


def test_three_pairs_may_be_called_after_the_discard_of_the_first_turn() -> None:
    """Six cards make three pairs, so that nothing is discarded; the right to them remains."""
    state = paiute("1 draw stock (4C)", "1 discard 4C")
    again = after(state, "1 call")
    assert isinstance(again, PaiuteState)
    assert 1 in again.first


# Pai Gow Poker.

PAI_GOW = (
    "1 bet 10",
    "close",
    "deal 1 (AC) (AD) (KH) (QS) (9S) (3C) (4D)",
    "deal 2 (KS) (QH) (JS) (TS) (8S) (2C) (2D)",
)
SET = ("1 lay 1.two (KH) (QS)", "1 lay 1.five (AC) (AD) (9S) (3C) (4D)")


def pai_gow(*lines: str) -> State:
    return table("pai-gow-poker", *PAI_GOW, *lines, seats=(1, 2), dealer=None, banker=2,
                 limits=(1, 20))  # fmt: skip


@pytest.mark.parametrize("order", list(permutations(SET)))
def test_either_hand_may_be_set_first(order: tuple[str, ...]) -> None:
    assert not pai_gow(*order).violations


def test_cards_may_be_set_one_by_one() -> None:
    one_by_one = ["1 lay 1.five (AC)", "1 lay 1.two (QS)", "1 lay 1.two (KH)"]
    assert not pai_gow(*one_by_one, "1 lay 1.five (AD) (9S) (3C) (4D)").violations


FOUL = ("2 show KS QH JS TS 8S 2C 2D", "2 lay 2.two 2C 2D", "2 lay 2.five KS QH JS TS 8S")
BACK = ("move 2.two 2 2C 2D", "move 2.five 2 KS QH JS TS 8S")


@pytest.mark.parametrize("back", list(permutations(BACK)))
def test_a_dealer_who_has_set_foul_takes_the_cards_back_and_sets_again(
    back: tuple[str, ...],
) -> None:
    state = pai_gow(*SET, *FOUL)
    assert broken(state) == ["pai-gow.dealer-foul"]
    assert state.phase == "dealer"
    state = after(state, *back, "2 lay 2.two KS QH", "2 lay 2.five 2C 2D JS TS 8S")
    assert broken(state) == ["pai-gow.dealer-foul"]
    assert not state.open_violations
    assert state.phase == "reveal"
    state = after(state, "turn 1.two KH QS", "turn 1.five AC AD 9S 3C 4D")
    assert state.phase == "paying"


def test_one_card_exchanged_between_the_dealer_s_hands_corrects_a_foul_too() -> None:
    state = pai_gow(*SET, *FOUL, "move 2.two 2 2C", "move 2.five 2 8S")
    state = after(state, "2 lay 2.two 8S", "2 lay 2.five 2C")
    assert broken(state) == ["pai-gow.dealer-foul"]
    assert state.phase == "reveal"


def test_a_foul_that_the_table_lets_stand_passes_to_the_players() -> None:
    state = pai_gow(*SET, *FOUL)
    assert after(state, f"rule {len(state.acts)} stand").phase == "reveal"


# Pineapple: blinds and antes.


def pineapple(*lines: str, **options: Any) -> PokerState:
    deals = [f"deal {seat} ??" for seat in (1, 2, 3) * 3]
    state = table("pineapple", "ante", *deals, *lines, **options)
    assert isinstance(state, PokerState)
    return state


def test_blinds_are_two_numbers_of_their_own() -> None:
    state = pineapple(rules={"small_blind": "1", "big_blind": "3"}, limits=(4, 8))
    assert state.round is not None
    assert dict(state.round.bets) == {1: 1, 2: 3}
    assert (state.round.actor, state.round.to_call(3)) == (3, 3)
    half = pineapple(limits=(4, 8))
    assert half.round is not None
    assert dict(half.round.bets) == {1: 2, 2: 4}


def test_in_no_limit_the_big_blind_is_the_smallest_raise() -> None:
    rules = {"small_blind": "2", "big_blind": "5", "betting": "no-limit"}
    state = pineapple(rules=rules, limits=(1, 1))
    assert state.round is not None
    assert state.round.raising(3) is not None
    assert state.round.raising(3)[0] == 10  # type: ignore[index]


def test_antes_may_come_with_blinds() -> None:
    state = pineapple(rules={"forced": "blinds-and-ante", "ante_chips": "1"}, limits=(2, 4))
    assert state.round is not None
    assert dict(state.put) == {1: 1, 2: 1, 3: 1}
    assert dict(state.round.bets) == {1: 1, 2: 2}
    assert state.pot == 6


def test_a_small_blind_is_no_greater_than_the_big_one() -> None:
    with pytest.raises(StartError, match="small_blind"):
        find_game("pineapple", {"small_blind": "5", "big_blind": "3"})


def test_a_big_blind_who_is_all_in_for_less_does_not_lower_the_call() -> None:
    state = pineapple(limits=(4, 8), stacks=((1, 50), (2, 1), (3, 50)))
    assert state.round is not None
    assert dict(state.round.bets) == {1: 2, 2: 1}
    assert [state.round.to_call(seat) for seat in (3, 1)] == [4, 2]
    called = after(state, "3 call", "1 call")
    assert isinstance(called, PokerState)
    assert called.put == {1: 4, 2: 1, 3: 4}
    assert called.phase == "discarding"


def test_nobody_calls_a_short_blind_that_is_covered() -> None:
    state = pineapple("3 fold", limits=(4, 8), stacks=((1, 50), (2, 1), (3, 50)))
    assert state.phase == "discarding"
    assert state.put == {1: 2, 2: 1}
