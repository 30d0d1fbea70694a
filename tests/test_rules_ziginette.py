"""Ziginette against its rule sheet (Denexa Games, "Ziginette") and against exact arithmetic."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card, Deck, Rank
from rules.errors import ActError, StartError
from rules.games import find_game
from rules.games.ziginette import Ziginette, ZiginetteState
from rules.match import Match
from rules.start import Level, Start

DECK = Deck.italian()
OPENING = ("deal board QS", "deal board 5D", "deal banker 7C")


def table(*lines: str, rules: dict[str, str] | None = None, **start: Any) -> ZiginetteState:
    """The state after the acts in `lines`."""
    given = {"seats": (1, 2, 3, 4), "banker": 1, "limits": (1, 20), **start}
    state: ZiginetteState = find_game("ziginette", rules).open(Start(**given))
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def legal(state: ZiginetteState, line: str) -> bool:
    return state.allows(Act.parse(line))


def rules_broken(state: ZiginetteState) -> list[str]:
    return [violation.rule for violation in state.violations]


# Setup.


def test_the_limits_are_set_before_the_first_hand() -> None:
    state = table(limits=None)
    assert state.phase == "limits"
    assert legal(state, "limits 2 50")
    assert not legal(state, "deal board QS")
    assert table("limits 2 50", limits=None).limits == (2, 50)


def test_two_cards_go_to_the_board_and_the_third_to_the_banker() -> None:
    state = table()
    for line in OPENING:
        assert legal(state, line)
        state = state.play(Act.parse(line))
    assert state.board == (Card.parse("QS"), Card.parse("5D"))
    assert state.own is Rank.SEVEN


@pytest.mark.parametrize(
    "deal",
    [
        ("deal board QS", "deal board QD", "deal banker 7C"),
        ("deal board QS", "deal board 5D", "deal banker 5C"),
        ("deal board Q?", "deal board 5D", "deal banker Q?"),
    ],
)
def test_a_pair_among_the_three_is_a_playette_and_all_cards_are_shuffled(
    deal: tuple[str, ...],
) -> None:
    state = table(*deal)
    assert [call.id for call in state.calls] == ["ziginette.playette"]
    assert not legal(state, "2 bet 5 QS")
    state = state.play(Act.parse("shuffle"))
    assert state.remaining == 40
    assert state.phase == "dealing"
    assert not state.violations


def test_an_eight_is_foreign_to_the_deck() -> None:
    for line in ("deal board 8S", "deal board 9?", "deal board TD", "deal board JOKER"):
        assert "deck.foreign" in rules_broken(table(line))


# Bets.


def test_a_player_may_bet_on_both_cards_on_one_or_on_none() -> None:
    state = table(*OPENING, "2 bet 5 QS", "2 bet 20 5D", "3 bet 1 QS")
    assert not state.violations
    assert legal(state, "close")


@pytest.mark.parametrize("line", ["2 bet 21 QS", "3 bet 300 5D"])
def test_a_bet_beyond_the_limits_stays_there_and_is_a_violation(line: str) -> None:
    state = table(*OPENING, line)
    (violation,) = state.open_violations
    assert violation.rule == "beyond-limits"
    assert dict(violation.values) == {"least": 1, "greatest": 20}
    assert len(state.bets) == 1


@pytest.mark.parametrize(
    ("per", "second", "lawful"),
    [
        ("bet", "2 bet 20 QS", True),
        ("card", "2 bet 15 QS", True),
        ("card", "2 bet 16 QS", False),
        ("card", "2 bet 20 5D", True),
        ("player", "2 bet 15 5D", True),
        ("player", "2 bet 16 5D", False),
    ],
)
def test_the_limits_apply_per_bet_card_or_player(per: str, second: str, lawful: bool) -> None:
    state = table(*OPENING, "2 bet 5 QS", rules={"limits_per": per})
    assert legal(state, second) is lawful


def test_nobody_bets_more_than_they_have() -> None:
    state = table(*OPENING, stacks=((1, 100), (2, 8), (3, 100), (4, 100)))
    assert legal(state, "2 bet 8 QS")
    assert not legal(state, "2 bet 9 QS")
    assert not legal(state.play(Act.parse("2 bet 5 QS")), "2 bet 4 5D")


@pytest.mark.parametrize("line", ["1 bet 5 QS", "2 bet 5 KD", "2 bet 5", "2 bet QS", "2 bet 0 QS"])
def test_a_bet_without_meaning_is_refused(line: str) -> None:
    with pytest.raises(ActError):
        table(*OPENING, line)


def test_a_card_read_in_part_takes_bets_by_its_rank() -> None:
    state = table("deal board Q?", "deal board 5?", "deal banker 7?", "2 bet 5 QS", "close")
    state = state.play(Act.parse("deal board Q?"))
    assert state.settlement.net == {1: 5, 2: -5}
    assert legal(state, "take board Q? QH")


def test_a_card_without_a_rank_is_asked_for() -> None:
    with pytest.raises(ActError, match="the rank counts"):
        table("deal board ?H")


def test_late_bets_are_accepted_unless_the_house_takes_them_on_new_cards_only() -> None:
    lines = (*OPENING, "close", "deal board 3C")
    assert legal(table(*lines), "2 bet 5 QS")
    house = {"late_bets": "no"}
    assert not legal(table(*lines, rules=house), "2 bet 5 QS")
    assert legal(table(*lines, rules=house), "2 bet 5 3C")
    matched = (*OPENING, "close", "deal board QC", "take board QS QC")
    assert table(*matched).phase == "betting"
    assert table(*matched, rules=house).phase == "drawing"


# The opening.


def test_two_equal_board_cards_are_a_playette_already() -> None:
    state = table("deal board QS", "deal board QD")
    assert [call.id for call in state.calls] == ["ziginette.playette"]
    assert legal(state, "deal banker 7C")
    again = state.play(Act.parse("shuffle"))
    for line in OPENING:
        again = again.play(Act.parse(line))
    assert again.phase == "betting"
    assert not again.violations


@pytest.mark.parametrize("ruled", [(), ("rule 3 stand",)])
def test_the_third_card_slid_to_the_banker_opens_the_board(ruled: tuple[str, ...]) -> None:
    state = table("deal board QS", "deal board 5D", "deal board 7C", *ruled)
    assert legal(state, "deal banker 3C") is not bool(ruled)
    state = state.play(Act.parse("move board banker 7C"))
    assert rules_broken(state) == ["wrong-place"]
    assert state.phase == "betting"
    assert state.board == (Card.parse("QS"), Card.parse("5D"))
    assert not state.open_violations
    assert legal(state, "2 bet 5 QS")


# Draws.


def test_a_card_that_matches_nothing_joins_the_board_and_takes_bets() -> None:
    state = table(*OPENING, "2 bet 5 QS", "close", "deal board 3C")
    assert [call.id for call in state.calls] == ["ziginette.joins"]
    assert legal(state, "3 bet 5 3C")
    assert not state.payments


def test_a_match_collects_the_bets_on_that_rank_and_leaves_the_board() -> None:
    state = table(*OPENING, "2 bet 5 QS", "3 bet 4 QS", "3 bet 9 5D", "close", "deal board QH")
    assert state.settlement.net == {1: 9, 2: -5, 3: -4}
    assert not legal(state, "close")
    state = state.play(Act.parse("take board QH QS"))
    assert state.board == (Card.parse("5D"),)
    assert [bet.seat for bet in state.bets] == [3]


def test_the_other_two_of_a_matched_rank_are_dead() -> None:
    state = table(*OPENING, "2 bet 5 5D", "close", "deal board QH", "take board QH QS")
    for line in ("close", "deal board QC"):
        state = state.play(Act.parse(line))
    assert [call.id for call in state.calls] == ["ziginette.dead"]
    state = state.play(Act.parse("take board QC"))
    assert not state.violations
    assert not state.payments


WRONGLY_TAKEN = (*OPENING, "3 bet 10 5D", "close", "deal board QD", "take board 5D")


def test_a_board_that_still_holds_a_matched_pair_is_not_empty() -> None:
    state = table(*WRONGLY_TAKEN)
    assert not state.ended
    assert rules_broken(state) == ["ziginette.live"]
    gone = state.play(Act.parse("take board QS QD"))
    assert not gone.board
    assert not gone.ended


@pytest.mark.parametrize("order", list(permutations(("put board 5D", "take board QS QD"))))
def test_a_corrected_wrong_removal_is_as_if_it_had_not_been(order: tuple[str, ...]) -> None:
    lines = ("close", "deal board 5H")
    wrong = table(*WRONGLY_TAKEN, *order)
    assert not wrong.open_violations
    right = table(*WRONGLY_TAKEN[:-1], "take board QS QD")
    for line in lines:
        assert legal(wrong, line)
        wrong, right = wrong.play(Act.parse(line)), right.play(Act.parse(line))
    assert wrong.settlement == right.settlement
    assert wrong.settlement.net == {1: 10, 3: -10}
    assert wrong.turn == right.turn


def test_a_corrected_wrong_pair_is_no_longer_a_violation() -> None:
    state = table(*OPENING, "close", "deal board QD", "take board 5D QD")
    assert rules_broken(state) == ["ziginette.live"]
    state = state.play(Act.parse("put board 5D"))
    assert not state.open_violations
    assert legal(state, "take board QS")
    state = state.play(Act.parse("take board QS"))
    assert rules_broken(state) == ["ziginette.live"]
    assert state.phase == "betting"


def test_matched_cards_leave_together_or_one_after_the_other() -> None:
    state = table(*OPENING, "close", "deal board QD", "take board QD", "take board QS")
    assert not state.violations
    assert state.board == (Card.parse("5D"),)


def test_a_live_card_taken_while_nothing_is_matched_is_to_be_put_back() -> None:
    state = table(*OPENING, "2 bet 5 QS", "take board QS")
    assert rules_broken(state) == ["ziginette.live"]
    state = state.play(Act.parse("put board QS"))
    assert not state.open_violations
    assert legal(state, "close")


def test_the_banker_s_card_picked_up_by_mistake_goes_back_to_the_banker() -> None:
    state = table(*OPENING, "2 bet 5 QS", "close", "take banker 7C")
    assert not legal(state, "deal board 7H")
    state = state.play(Act.parse("put banker 7C"))
    assert not state.open_violations
    assert state.play(Act.parse("deal board 7H")).settlement.net == {1: -5, 2: 5}


@pytest.mark.parametrize("dealt", ["deal board 7H QD", "deal board QD 7H"])
@pytest.mark.parametrize(("first", "net"), [("7H", {1: -5, 2: 5}), ("QD", {1: 5, 2: -5})])
def test_of_two_cards_at_once_the_dealer_names_the_first_if_money_depends_on_it(
    dealt: str, first: str, net: dict[int, int]
) -> None:
    state = table(*OPENING, "2 bet 5 QS", "close", dealt)
    assert rules_broken(state) == ["wrong-count"]
    assert not state.payments
    assert [one.verb for one in state.turn] == [Verb.DECLARE]
    state = state.play(Act.parse(f"declare first {first}"))
    assert state.settlement.net == net
    assert state.ended == "match"
    assert len(state.violations) == 1


@pytest.mark.parametrize(
    ("bets", "dealt"),
    [
        (("2 bet 5 QS",), "deal board 7H 5C"),
        (("2 bet 5 QS",), "deal board 3H QD"),
        ((), "deal board 7H QD"),
        (("2 bet 5 QS",), "deal board 7H 3C"),
    ],
)
def test_if_the_order_of_two_cards_changes_nothing_nobody_is_asked(
    bets: tuple[str, ...], dealt: str
) -> None:
    state = table(*OPENING, *bets, "close", dealt)
    assert Verb.DECLARE not in {one.verb for one in state.turn}


def test_if_bets_are_unknown_any_live_card_may_carry_one() -> None:
    state = table(*OPENING, "close", "deal board QD 7H", level=Level.NONE)
    assert state.phase == "ordering"


def test_the_banker_s_match_pays_all_bets_and_passes_the_bank_to_the_right() -> None:
    game = find_game("ziginette")
    match = Match(game, Start(seats=(1, 2, 3, 4), banker=1, limits=(1, 20)))
    for line in (*OPENING, "2 bet 5 QS", "3 bet 7 5D", "4 bet 9 5D", "close", "deal board 7H"):
        match.play(Act.parse(line))
    assert match.state.settlement.net == {1: -21, 2: 5, 3: 7, 4: 9}
    match.play(Act.parse("clear"))
    assert match.hand.start.banker == 4


def test_the_matching_card_may_lie_next_to_the_banker_s_too() -> None:
    state = table(*OPENING, "2 bet 5 QS", "close", "deal banker 7H")
    assert not state.violations
    assert state.settlement.net == {1: -5, 2: 5}


def test_a_card_next_to_the_banker_s_that_does_not_match_is_in_the_wrong_place() -> None:
    state = table(*OPENING, "2 bet 5 QS", "close", "deal banker QH")
    assert rules_broken(state) == ["wrong-card"]
    assert state.settlement.net == {1: 5, 2: -5}


def test_an_empty_board_ends_the_hand_and_the_banker_keeps_or_passes_the_bank() -> None:
    lines = [*OPENING, "2 bet 5 QS", "close", "deal board QH", "take board QH QS", "close"]
    lines += ["deal board 5S", "take board 5D 5S"]
    state = table(*lines)
    assert state.phase == "paying"
    assert state.ended == "board"
    assert state.game.follow(state.play(Act.parse("clear"))).banker == 1
    passed = state.play(Act.parse("1 pass")).play(Act.parse("clear"))
    assert not passed.violations
    assert passed.game.follow(passed).banker == 4


def test_the_hand_ends_with_bets_only() -> None:
    assert legal(table(*OPENING), "end")
    assert not legal(table(*OPENING, "2 bet 5 QS"), "end")
    assert legal(table(*OPENING, level=Level.NONE), "end")


def test_the_limits_may_change_between_two_hands() -> None:
    match = Match(find_game("ziginette"), Start(seats=(1, 2), banker=1, limits=(1, 20)))
    for line in (*OPENING, "end", "clear", "limits 5 10"):
        match.play(Act.parse(line))
    assert match.hand.start.limits == (5, 10)
    assert match.undo() == Act.parse("limits 5 10")
    assert match.hand.start.limits == (1, 20)


@pytest.mark.parametrize(("cut", "house"), [("0", 0), ("10", 1), ("50", 7), ("100", 15)])
def test_the_cut_is_taken_from_what_the_banker_collected(cut: str, house: int) -> None:
    lines = ["2 bet 8 QS", "3 bet 7 QS", "3 bet 20 5D", "close", "deal board QC"]
    lines += ["take board QC QS", "close", "deal board 7H"]
    state = table(*OPENING, *lines, rules={"cut": cut})
    assert state.settlement.net.get(0, 0) == house
    assert state.settlement.net[1] == 15 - 20 - house


def test_nobody_bets_again_with_chips_that_the_banker_has_collected() -> None:
    lines = ["2 bet 7 QS", "close", "deal board QC", "take board QC QS"]
    state = table(*OPENING, *lines, stacks=((1, 50), (2, 10), (3, 50)))
    assert legal(state, "2 bet 3 5D")
    assert rules_broken(state.play(Act.parse("2 bet 4 5D"))) == ["bets.stack"]


def test_the_cut_rounds_down_in_each_collection() -> None:
    """Nine and nineteen at ten per cent: nothing, and one; of 28 together it would be two."""
    lines = ["2 bet 9 QS", "3 bet 19 5D", "close", "deal board QC", "take board QC QS"]
    lines += ["close", "deal board 5C", "take board 5C 5D"]
    state = table(*OPENING, *lines, rules={"cut": "10"})
    assert state.settlement.net == {0: 1, 1: 27, 2: -9, 3: -19}


def test_a_house_that_takes_everything_keeps_exactly_that() -> None:
    lines = ["2 bet 100 QS", "close", "deal board QC"]
    lines += ["take board QC QS", "close", "deal board 7H"]
    state = table(*OPENING, *lines, rules={"cut": "100"}, limits=(1, 100))
    assert state.settlement.net == {0: 100, 1: 0, 2: -100}


# Less than all amounts.


def test_if_only_the_seats_of_bets_are_tracked_the_engine_says_who_and_at_which_rate() -> None:
    lines = ["2 bet QS", "3 bet QS", "3 bet 5D", "close", "deal board QC", "take board QC QS"]
    state = table(*OPENING, *lines, "close", "deal board 7S", level=Level.WHO, limits=None)
    said = [(p.payer, p.payee, p.reason) for p in state.payments]
    assert said == [
        (2, 1, "ziginette.collect"),
        (3, 1, "ziginette.collect"),
        (1, 3, "ziginette.paid"),
    ]
    assert all(p.amount is None and p.rate == 1 for p in state.payments)


def test_if_bets_are_unknown_the_engine_says_which_cards_are_collected_and_paid() -> None:
    lines = ["close", "deal board QC", "take board QC QS", "close", "deal board 7S"]
    state = table(*OPENING, *lines, level=Level.NONE, limits=None)
    collect, paid = state.payments
    assert (collect.payer, collect.payee, collect.cards) == (None, 1, (Card.parse("QC"),))
    assert (paid.payer, paid.payee, paid.cards) == (1, None, (Card.parse("5D"),))


@pytest.mark.parametrize("count", [2, 8, 11, 12, 22])
def test_any_number_of_players(count: int) -> None:
    assert table(*OPENING, seats=tuple(range(1, count + 1))).phase == "betting"


def test_a_banker_and_two_players_are_needed() -> None:
    for start in (Start(seats=(1, 2)), Start(seats=(1,), banker=1)):
        with pytest.raises(StartError):
            Ziginette().open(start)


def test_house_rules_are_checked_together_with_their_bounds() -> None:
    with pytest.raises(StartError, match="cut is one of 0 to 100, got 101"):
        find_game("ziginette", {"cut": "101"})
    with pytest.raises(StartError, match="late_bets is yes or no, got 'perhaps'"):
        find_game("ziginette", {"late_bets": "perhaps"})


def test_a_bet_on_another_card_of_a_rank_on_the_board_names_a_wrong_card() -> None:
    assert rules_broken(table(*OPENING, "2 bet 5 QC")) == ["wrong-card"]
    assert not rules_broken(table(*OPENING, "2 bet 5 Q?"))
