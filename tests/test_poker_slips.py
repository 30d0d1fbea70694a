"""What goes wrong at a betting table, each slip by its name; what is said twice, or too late."""

from __future__ import annotations

import pytest

from rules.games.anaconda import AnacondaState
from rules.state import State
from tests.test_poker_letter import after, broken, pineapple, soko, table

# Slips at a betting table: each has its own name.


@pytest.mark.parametrize(
    ("lines", "rule", "seat"),
    [
        (("3 check",), "poker.owes", 3),
        (("3 bet 4",), "poker.bet-stands", 3),
        (("3 raise 4", "1 raise 6", "2 raise 8", "3 raise 10"), "poker.capped", 3),
        (("3 raise 5",), "beyond-limits", 3),
        (("1 call",), "out-of-turn", 1),
        (("3 call", "1 call", "2 call"), "poker.nothing-to-call", 2),
        (("deal board KH 8C 4S",), "poker.betting-open", None),
    ],
)
def test_each_slip_in_a_betting_round_has_a_name(
    lines: tuple[str, ...], rule: str, seat: int | None
) -> None:
    (violation,) = pineapple(*lines).violations
    assert (violation.rule, violation.seat) == (rule, seat)


FLOP = ("3 call", "1 call", "2 check", "1 discard ??", "2 discard ??", "3 discard ??")


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        (("deal board KH 8C 4S",), "poker.no-burn"),
        (("burn ??", "burn ??"), "poker.burnt"),
        (("burn ??", "deal board KH 8C 4S 2D"), "wrong-count"),
        (("burn KD",), "face-up"),
        (("burn ??", "1 bet 2"), "poker.no-round"),
        (("burn ??", "deal board KH 8C 4S", "1 raise 4"), "poker.no-bet"),
    ],
)
def test_each_slip_of_the_dealer_on_the_flop_has_a_name(lines: tuple[str, ...], rule: str) -> None:
    assert broken(pineapple(*FLOP, *lines)) == [rule]


def test_a_raise_of_more_than_there_is_is_reported_as_such() -> None:
    rules = {"betting": "no-limit"}
    state = pineapple("3 raise 60", rules=rules, stacks=((1, 50), (2, 50), (3, 50)))
    assert broken(state) == ["bets.stack"]


def test_the_limits_are_announced_when_they_double() -> None:
    state = soko("9C 9D 7H 6S", "2C 3D KH QS")
    said: list[str] = []
    now: State = state.game.open(state.start)
    for act in state.acts:
        now = now.play(act)
        said += [call.id for call in now.calls]
    assert said.count("soko.pair-doubles") == 1
    assert said.count("soko.doubled") == 1


# What is said twice, or too late.


@pytest.mark.parametrize(
    ("game", "lines", "rule"),
    [
        ("ace-deuce-jack", ("2 bet 2",), "bets.early"),
        ("ace-deuce-jack", (*(f"deal {p} ??" for p in ("left", "middle", "right")), "2 bet 2",
                            "2 bet 2"), "bets.again"),
        ("ace-deuce-jack", (*(f"deal {p} ??" for p in ("left", "middle", "right")), "2 bet 2",
                            "close", "3 bet 2"), "bets.closed"),
        ("pai-gow-poker", ("2 bet 2", "2 bet 2"), "bets.again"),
        ("pai-gow-poker", ("2 bet 2", "close", "3 bet 2"), "bets.closed"),
    ],
)  # fmt: skip
def test_a_stake_at_the_wrong_time_or_twice_is_reported_as_such(
    game: str, lines: tuple[str, ...], rule: str
) -> None:
    state = table(game, *lines, dealer=None, banker=1)
    assert [(v.rule, v.seat is not None) for v in state.violations] == [(rule, True)]


def test_in_or_out_is_said_once() -> None:
    deals = [f"deal {seat} ??" for seat in (1, 2, 3) * 2]
    state = table("guts", "ante", *deals, "1 declare in", "1 declare in")
    assert [(v.rule, v.seat) for v in state.violations] == [("guts.said", 1)]
    assert not after(state, "2 fold", "3 declare in").violations[1:]


def test_high_or_low_is_declared_once() -> None:
    lines = ["ante", *(f"deal {s} ?? ?? ?? ?? ?? ?? ??" for s in (1, 2)), "1 check", "2 check"]
    for _ in range(2):
        lines += ["1 lay 1.pass ?? ?? ??", "2 lay 2.pass ?? ?? ??", "move 1.pass 2 ?? ?? ??",
                  "move 2.pass 1 ?? ?? ??", "1 check", "2 check"]  # fmt: skip
    state = table("anaconda", *lines, "1 declare high", "1 declare low", seats=(1, 2), dealer=2)
    assert [(v.rule, v.seat) for v in state.violations] == [("anaconda.declared", 1)]
    assert isinstance(state, AnacondaState)
    assert state.side(1) == "high"
