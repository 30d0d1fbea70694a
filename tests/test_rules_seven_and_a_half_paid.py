"""Who is paid in Seven and a Half, and what comes to light when hands are turned up."""

from __future__ import annotations

from itertools import permutations

import pytest

from rules.acts import Act
from rules.start import Level
from tests.test_rules_seven_and_a_half import DEALT, hand, legal, rules_broken, table

# The payout.


@pytest.mark.parametrize(
    ("player", "banker", "net"),
    [
        ("6C", "5C", 10),
        ("5C", "6C", -10),
        ("5C", "5S", 0),
        ("5C", "5S 6S", 10),
        ("7C JC", "6S", 20),
        ("KD JC", "6S", 20),
        ("KD JC", "7S JS", 0),
        ("6C AC JC", "7S JS", -10),
        ("7C JC", "6S AS JS", 20),
        ("6C AC JC", "5S 2S JS", 0),
        ("7C JC", "5S 5D", 20),
        ("KD", "7S", 0),
    ],
)
def test_hands_are_paid_as_the_rule_sheet_says(player: str, banker: str, net: int) -> None:
    state = hand(player, banker)
    assert not state.violations
    assert state.phase == "paying"
    assert state.settlement.net.get(2, 0) == net


def test_ties_go_to_the_banker_if_the_house_says_so() -> None:
    house = {"ties": "banker"}
    assert hand("5C", "5S", rules=house).settlement.net[2] == -10
    assert hand("KD JC", "7S JS", rules=house).settlement.net[2] == -10


def test_a_natural_is_paid_even_money_on_a_bust_if_the_house_says_so() -> None:
    house = {"natural_pays_on_bust": "no"}
    assert hand("7C JC", "5S 5D", rules=house).settlement.net[2] == 10
    assert hand("7C JC", "5S", rules=house).settlement.net[2] == 20


def test_the_king_of_diamonds_may_be_a_half_if_the_house_says_so() -> None:
    house = {"matta_half": "yes"}
    assert hand("7C KD", "5S", rules=house).settlement.net[2] == 20
    assert hand("7C KD", "5S").settlement.net[2] == -10


def test_rates_are_reported_if_amounts_are_not_tracked() -> None:
    lines = ["2 bet", "3 bet", "close", "deal 2 ??", "deal 3 ??", "deal 1 ??", "2 hit"]
    lines += ["deal 2 JC", "2 show 7S", "3 stand", "1 show 3C", "1 stand", "3 show 4C"]
    state = table(*lines, level=Level.WHO, limits=None)
    said = {(p.payer, p.payee): (p.amount, int(p.rate)) for p in state.payments}
    assert said == {(1, 2): (None, 2), (1, 3): (None, 1)}


def test_when_all_have_busted_the_banker_need_not_play() -> None:
    state = hand("5C 3D", "4S")
    assert state.phase == "paying"
    assert legal(state, "clear")
    shown = state.play(Act.parse("1 show 4S"))
    assert (rules_broken(shown), shown.settlement) == ([], state.settlement)


def test_a_hand_may_hold_eleven_face_cards_and_two_aces_and_one_more() -> None:
    faces = "JC JD JH JS QC QD QH QS KC KH KS AC AD 2C"
    state = hand(faces, "4S")
    assert (state.violations, state.settlement.net) == ((), {1: 10, 2: -10})


def test_if_nobody_bets_the_hand_is_empty() -> None:
    state = table("close", "clear")
    assert state.over
    assert not state.payments


# What comes to light at the end.


def test_a_bust_that_was_kept_quiet_is_found_at_the_reveal_and_names_its_act() -> None:
    lines = ["2 hit", "deal 2 4C", "2 stand", "3 stand", "1 show 3C", "1 stand", "3 show 2C"]
    state = table(*DEALT, *lines, "2 show 5H")
    (violation,) = state.violations
    assert violation.rule == "seven.undeclared-bust"
    assert str(state.acts[violation.since - 1]) == "deal 2 4C"
    assert str(state.acts[violation.found - 1]) == "2 show 5H"
    assert state.settlement.net == {1: 15, 2: -5, 3: -10}


def test_a_bust_kept_quiet_for_one_more_card_names_the_card_that_was_too_much() -> None:
    state = table(*DEALT, "2 hit", "deal 2 4C", "2 hit", "deal 2 AC", "2 show 5H")
    (violation,) = state.violations
    assert str(state.acts[violation.since - 1]) == "deal 2 4C"
    assert state.settlement.net == {1: 5, 2: -5}


def test_a_quiet_two_card_seven_and_a_half_is_found_at_the_reveal_and_still_paid() -> None:
    lines = ["2 hit", "deal 2 JC", "2 stand", "3 stand", "1 show 3C", "1 stand", "3 show 2C"]
    state = table(*DEALT, *lines, "2 show 7H")
    assert rules_broken(state) == ["seven.undeclared-natural"]
    assert state.settlement.net[2] == 10


def test_in_a_world_of_known_cards_the_engine_says_nothing_before_the_cards_do() -> None:
    lines = [line.replace("2 ??", "2 (5H)") for line in DEALT]
    state = table(*lines, "2 hit", "deal 2 4C", "2 stand")
    assert state.violations == ()
    bust = table(*lines, "2 hit", "deal 2 4C")
    assert bust.game.conceals(bust, Act.parse("2 stand")) == "seven.undeclared-bust"
    assert "2 stand" not in map(str, bust.options(()))


def test_the_totals_called_are_those_of_visible_cards() -> None:
    lines = [line.replace("2 ??", "2 (5H)") for line in DEALT]
    state = table(*lines, "2 hit", "deal 2 AC", "2 hit", "deal 2 JC")
    (call,) = state.calls
    assert (call.id, call["seat"], call["total"]) == ("seven.total", 2, "1½")
    state = state.play(Act.parse("2 hit")).play(Act.parse("deal 2 KD"))
    assert [(call.id, call["total"]) for call in state.calls] == [("seven.total-wild", "1½")]


# A busted hand that was taken away too soon, and what is said.


@pytest.mark.parametrize("order", list(permutations(("take 2 ??", "take 2 4C"))))
def test_a_busted_hand_taken_before_its_hole_card_was_seen_loses_its_bet(
    order: tuple[str, ...],
) -> None:
    state = table(*DEALT, "2 hit", "deal 2 4C", *order)
    (violation,) = state.violations
    assert (violation.rule, violation.seat) == ("seven.unseen", 2)
    assert state.settlement.net == {1: 5, 2: -5}
    assert state.turn.seats == (3,)
    assert not state.table.at("2")


def test_only_the_hand_whose_turn_it_is_can_be_given_up_so() -> None:
    state = table(*DEALT, "2 stand", "3 hit", "deal 3 4C", "take 2 ??")
    assert rules_broken(state) == ["seven.early"]
    assert not state.payments


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("2 hit", "deal 2 KD"), ("seven.total-wild", None)),
        (("2 hit", "deal 2 KD", "2 hit", "deal 2 AC"), ("seven.total-wild", "1")),
    ],
)
def test_a_visible_wild_king_is_named_with_what_lies_next_to_it(
    lines: tuple[str, ...], said: tuple[str, str | None]
) -> None:
    (call,) = table(*DEALT, *lines).calls
    assert (call.id, call["total"]) == said


@pytest.mark.parametrize(("hole", "total"), [("5C", "7"), ("7S", "8")])
def test_at_the_reveal_the_wild_king_counts_what_serves_best(hole: str, total: str) -> None:
    state = table(*DEALT, "2 stand", "3 stand", "1 show 4S", "deal 1 2C", "1 stand")
    shown = state.play(Act.parse(f"2 show {hole}"))
    assert shown.calls[0]["total"] == ("5" if hole == "5C" else "7")
    state = table(*DEALT, "2 hit", "deal 2 KD", "2 stand", "3 stand", "1 show 4S", "1 stand")
    state = state.play(Act.parse(f"2 show {hole}"))
    assert (state.calls[0].id, state.calls[0]["total"]) == ("seven.total", total)


@pytest.mark.parametrize(
    ("player", "banker", "rules", "reason"),
    [
        ("5D", "5C 4S", {}, "seven.banker-bust"),
        ("5D", "5C", {"ties": "banker"}, "seven.tie"),
        ("5D", "6C", {}, "seven.collect"),
        ("6D", "5C", {}, "seven.paid"),
    ],
)
def test_the_reason_of_a_payment_is_true(
    player: str, banker: str, rules: dict[str, str], reason: str
) -> None:
    (payment,) = hand(player, banker, rules=rules).payments
    assert payment.reason == reason


def test_a_bust_that_was_kept_quiet_is_paid_for_as_a_bust() -> None:
    lines = [*DEALT, "2 hit", "deal 2 4C", "2 stand", "3 stand", "1 show 2S", "1 stand"]
    state = table(*lines, "2 show 5H", "3 show 2C")
    assert [p.reason for p in state.payments] == ["seven.bust"]


@pytest.mark.parametrize(
    ("lines", "rule", "seat"),
    [
        (("2 bet 5", "2 bet 5"), "bets.again", 2),
        ((*DEALT, "2 bet 5"), "bets.capped", 2),
        (("2 bet 5", "close", "3 bet 5"), "bets.closed", 3),
        (("2 bet 30",), "beyond-limits", 2),
        (("2 bet 5", "deal 2 ??"), "bets.open", None),
        (("2 bet 5", "close", "deal 2 5C"), "face-up", 2),
        ((*DEALT, "deal 2 5C"), "seven.unasked", 2),
        ((*DEALT, "2 hit", "deal 2 ??"), "face-down", 2),
        ((*DEALT, "3 hit"), "out-of-turn", 3),
    ],
)
def test_each_slip_has_its_own_name(lines: tuple[str, ...], rule: str, seat: int) -> None:
    (violation,) = table(*lines).violations
    assert violation.rule == rule
    assert seat is None or violation.seat == seat
