"""A hand means the same at every level: what a table does not count may still be said aloud."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.acts import Act, Verb
from rules.games import GAMES, find_game
from rules.match import Hand
from rules.settlement import POT
from rules.start import Level, Start
from tests.play import start_for

ANTES = sorted(name for name, game in GAMES.items() if Verb.ANTE in game.vocabulary)
LIMITS = sorted(name for name, game in GAMES.items() if Verb.LIMITS in game.vocabulary)
UNCOUNTED = pytest.mark.parametrize("level", [Level.WHO, Level.NONE])
BLINDS = "pineapple"
"""Played with blinds, which are two amounts, unless the house plays with antes."""


def hand(name: str, *lines: str, level: Level = Level.AMOUNTS, forced: str = "") -> Hand:
    game = find_game(name, {"forced": forced} if forced else {})
    return Hand(game, start_for(game, level), [Act.parse(line) for line in lines])


@UNCOUNTED
@pytest.mark.parametrize("name", ANTES)
def test_antes_may_be_said_to_be_in_where_chips_are_not_counted(name: str, level: Level) -> None:
    line = "1 ante" if name == "rams" else "ante"
    played = hand(name, line, level=level)
    assert not played.state.violations
    assert all(payment.amount is None for payment in played.state.payments)


@UNCOUNTED
@pytest.mark.parametrize("name", LIMITS)
def test_limits_may_be_announced_where_chips_are_not_counted(name: str, level: Level) -> None:
    played = hand(name, "limits 2 20", level=level)
    assert not played.state.violations
    assert played.state.limits == (2, 20)


@pytest.mark.parametrize("name", ANTES)
def test_who_says_that_the_antes_are_in_may_say_how_much_each_is(name: str) -> None:
    """The acts' syntax has an amount; the one that the house plays for breaks no rule."""
    seat, due = ("1 ", 5) if name == "rams" else ("", 1)
    forced = "ante" if name == BLINDS else ""
    assert not hand(name, f"{seat}ante {due}", forced=forced).state.violations
    wrong = hand(name, f"{seat}ante {due + 2}", forced=forced).state.violations
    assert [one.rule for one in wrong] == ["beyond-limits"]


def test_chips_may_be_added_to_a_bet_of_unknown_size() -> None:
    """Ziginette, rulings (c) and (h): any number of bets; here the second joins the first."""
    opening = ("deal board QS 5D", "deal banker 7C")
    bets = ("2 bet QS", "3 bet QS", "2 bet QS")
    played = hand("ziginette", *opening, *bets, "close", "deal board QD", level=Level.WHO)
    assert not played.state.violations
    paid = [(one.payer, one.payee) for one in played.state.payments]
    assert paid == [(2, 1), (3, 1)]


@UNCOUNTED
def test_no_dealer_of_rams_is_asked_for_an_ante_to_a_pot_that_nobody_counts(level: Level) -> None:
    """With `first_dealer_only` later dealers ante only to an empty pot (rulings, Rams, a)."""
    game = find_game("rams", {"first_dealer_only": "yes"})
    first = Hand(game, Start(seats=(1, 2, 3), dealer=1, level=level))
    assert first.state.turn.awaited[0].verb is Verb.ANTE
    later = Hand(game, Start(seats=(1, 2, 3), dealer=2, level=level, hand=2))
    assert later.state.turn.awaited[0].verb is Verb.DEAL
    later.play(Act.parse("2 ante"))
    assert not later.state.violations
    assert [one.reason for one in later.state.payments] == ["rams.ante"]
    later.play(Act.parse("2 ante"))
    assert [one.rule for one in later.state.violations] == ["not-now"]


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize(("paid", "rules"), [(4, []), (3, ["panguingue.payment"])])
def test_a_condition_of_panguingue_is_paid_alike_at_every_level(
    level: Level, paid: int, rules: list[str]
) -> None:
    """Section 'Conditions': a spread of valle cards, all spades, is worth four chips."""
    deals = [f"deal {seat} ?? ??" for _ in range(5) for seat in (2, 1)]
    antes = ["ante"] if level is Level.AMOUNTS else []
    start = Start(seats=(1, 2), dealer=1, level=level)
    lines = (*antes, *deals, "deal discards 5S", "2 meld 5S 5S 5S", f"1 pay 2 {paid}")
    one = Hand(find_game("panguingue"), start, [Act.parse(line) for line in lines])
    assert [violation.rule for violation in one.state.violations] == rules


@pytest.mark.parametrize("level", [Level.AMOUNTS, Level.WHO])
@pytest.mark.parametrize(
    ("seats", "lines"),
    [
        # The first to act sits under the gun, at the left of the big blind (section 'Game play').
        (4, ("4 call", "1 fold", "2 call", "3 check")),
        (3, ("1 raise", "2 fold", "3 call")),
        (2, ("1 call", "2 check")),
    ],
)
def test_blinds_of_unknown_size_still_tell_who_acts_and_who_owes(
    level: Level, seats: int, lines: tuple[str, ...]
) -> None:
    limits = (2, 4) if level is Level.AMOUNTS else None
    start = Start(seats=tuple(range(1, seats + 1)), dealer=1, level=level, limits=limits)
    counted = level is Level.AMOUNTS
    before = ["ante"] if counted else []
    deals = [f"deal {seat} ?? ?? ??" for seat in start.seats]
    said = [line.replace("raise", "raise 4") if counted else line for line in lines]
    one = Hand(find_game("pineapple"), start, [Act.parse(x) for x in (*before, *deals, *said)])
    assert not one.state.violations
    assert one.state.phase == "discarding"
    known = one.state.settlement.net if not counted else {}
    assert known == {}


@pytest.mark.parametrize("big", [0, 1])
def test_a_big_blind_of_one_chip_that_the_house_names_is_no_more_than_the_small_one(
    big: int,
) -> None:
    """Rulings, 'Settled since': blinds are two numbers; one chip has no half, so both are alike."""
    game = find_game("pineapple", {"big_blind": str(big)})
    start = Start(seats=(1, 2, 3), dealer=1, level=Level.WHO)
    deals = [f"deal {seat} ?? ?? ??" for seat in start.seats]
    said = ["1 call", "2 call" if not big else "2 check", "3 check"]
    one = Hand(game, start, [Act.parse(line) for line in (*deals, *said)])
    assert not one.state.violations
    assert one.state.phase == "discarding"


@UNCOUNTED
@pytest.mark.parametrize(("cut", "told"), [(10, [Fraction(1, 10)]), (0, [])])
def test_the_house_is_told_its_cut_where_chips_are_not_counted(
    level: Level, cut: int, told: list[Fraction]
) -> None:
    """The section that opens the document on Ziginette: a house takes a cut of what is won."""
    game = find_game("ziginette", {"cut": str(cut)})
    bets = ("3 bet QS",) if level is Level.WHO else ()
    lines = ("deal board QS 5D", "deal banker 7C", *bets, "close", "deal board QD",
             "take board QS QD", "close", "deal board 7D")  # fmt: skip
    one = Hand(game, start_for(game, level), [Act.parse(line) for line in lines])
    assert not one.state.violations
    house = [paid for paid in one.state.settlement.payments if paid.payee == POT]
    assert [paid.rate for paid in house] == told
    assert all(paid.payer == 1 and paid.amount is None for paid in house)


def test_the_house_gets_no_cut_of_bets_that_nobody_placed() -> None:
    game = find_game("ziginette", {"cut": "10"})
    lines = ("deal board QS 5D", "deal banker 7C", "close", "deal board QD",
             "take board QS QD", "close", "deal board 7D")  # fmt: skip
    one = Hand(game, start_for(game, Level.WHO), [Act.parse(line) for line in lines])
    assert not one.state.settlement.payments
