"""Tables played with chips: chips on the table become bets, and nobody says or keys anything."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from firmware.follow.chips_in_sight import ChipsInSight
from firmware.follow.heaps import Ground, Heap, Key
from firmware.follow.open_bets import OpenBets
from firmware.rehearsal.report import HandReport
from firmware.rehearsal.staking import CHIP_SLIPS
from rules.acts import Verb
from rules.games import GAMES
from rules.start import Level, Start
from tests.chip_tables import WORDS, played
from tests.draws import NIGHTLY, mostly_nightly
from tests.play import CHIP_GAMES
from vision.chips.seen import SeenChips
from vision.sightings import LyingChips, Seen

BANKED = tuple(name for name in CHIP_GAMES if GAMES[name].banked)
HANDS = 20 if NIGHTLY else 4
"""How many hands a table plays in a row: some rounds of the bank, and more of them at night."""
FEW = 8 if NIGHTLY else 2


def said_of_chips(reports: tuple[HandReport, ...]) -> int:
    """How often somebody had to say or key in what the chips show."""
    words = sum(act.verb in WORDS for report in reports for act in report.hand.state.acts)
    return max(0, sum(one.counts.said + one.counts.typed for one in reports) - words)


@pytest.mark.parametrize("seed", mostly_nightly(range(5), 3))
@pytest.mark.parametrize("game", mostly_nightly(BANKED, "seven-and-a-half"))
def test_bets_against_a_bank_are_followed_without_a_word(game: str, seed: int) -> None:
    reports = played(game, hands=HANDS, seed=seed)
    assert len(reports) == HANDS
    assert all(report.settled for report in reports)
    assert [report.differences for report in reports if not report.faithful] == []
    assert said_of_chips(reports) == 0
    assert sum(report.counts.answers for report in reports) == 0


@pytest.mark.parametrize("game", mostly_nightly(BANKED, "ziginette"))
def test_the_presence_of_a_bet_is_enough_if_only_bettors_are_tracked(game: str) -> None:
    reports = played(game, hands=FEW, seed=7, level="who")
    assert all(report.faithful for report in reports)
    assert said_of_chips(reports) == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", BANKED)
def test_a_range_is_asked_about_and_answered_from_the_offered_amounts(game: str) -> None:
    reports = played(game, hands=4, seed=3, unsure=0.3)
    assert [report.differences for report in reports if not report.faithful] == []
    assert sum(report.counts.answers for report in reports) > 0
    assert sum(report.counts.typed for report in reports) == 0
    assert said_of_chips(reports) == 0


@pytest.mark.slow
def test_the_answer_to_a_range_is_all_that_lies_there_not_only_the_last_bet() -> None:
    # In this hand, a seat bets one on a card, and one more that makes the stack a range.
    reports = played("ziginette", hands=1, seed=111, unsure=0.15)
    assert [report.differences for report in reports] == [()]
    assert sum(report.counts.answers for report in reports) == 1


@pytest.mark.parametrize("game", mostly_nightly(BANKED, "ziginette"))
def test_each_slip_with_chips_is_reported_by_seat_and_amount_and_corrected(game: str) -> None:
    slips = tuple(name for name in CHIP_SLIPS if name != "short-ante")
    reports = played(game, hands=8 if NIGHTLY else 3, seed=1, slips=slips)
    told = [slip for report in reports for slip in report.slips]
    assert sorted(slip.partition(":")[0] for slip in told) == sorted(slips)
    for slip in told:
        _, warned, said = slip.split(": ", 2)
        assert warned == "warned"
        assert re.search(r"Seat \d", said)
        assert re.search(r"(?<!Seat )\b\d+\b", said)
    assert all(report.faithful for report in reports)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["guts", "soko"])
def test_a_missing_ante_is_reported(game: str) -> None:
    reports = played(game, hands=2, seed=1, slips=("short-ante",))
    [told] = [slip for report in reports for slip in report.slips]
    assert re.match(r"short-ante: warned: Seat \d has put in 0, 1 are due\.", told)
    assert all(report.settled for report in reports)


@pytest.mark.parametrize("seed", mostly_nightly(range(2), 1))
@pytest.mark.parametrize("game", mostly_nightly(["pineapple", "soko"], "pineapple"))
def test_betting_rounds_follow_from_what_goes_in_front_of_whom(game: str, seed: int) -> None:
    reports = played(game, hands=HANDS // 2, seed=seed)
    acts = [act.verb for report in reports for act in report.hand.state.acts]
    assert {Verb.CALL, Verb.CHECK} <= set(acts)
    assert all(report.settled for report in reports)
    assert said_of_chips(reports) == 0


def test_the_bet_whose_answer_settles_most_others_is_asked_about_first() -> None:
    start = Start(seats=(1, 2, 3), banker=1, level=Level.AMOUNTS, limits=(1, 20))
    state = GAMES["seven-and-a-half"]().open(start)
    ring = np.zeros((8, 2), np.float32)
    heaps: dict[Key, Heap] = {
        (seat, ""): Heap(f"{seat}.bet", (stack,), (seat,))
        for seat, stack in (
            (2, SeenChips("5", 3, 2, 3, 0.99, ring, settles=1)),
            (3, SeenChips("1", 4, 3, 4, 0.99, ring, settles=2)),
        )
    }
    asked = [key for key, _ in OpenBets(state, ChipsInSight(heaps=heaps)).doubts()]
    assert asked == [(3, ""), (2, "")]


def lying(value: str, count: int, x: float) -> SeenChips:
    turns = np.arange(8) * np.pi / 4
    ring = np.stack([x + 33 * np.cos(turns), 33 * np.sin(turns)], axis=1).astype(np.float32)
    return SeenChips(value, count, count, count, 1.0, ring)


def test_chips_in_a_row_beside_a_card_are_all_on_it() -> None:
    """A bet of 51 in three stacks was none: their middle was too far from the card."""
    state = GAMES["ziginette"]().open(Start(seats=(1, 2, 3), banker=1, level=Level.AMOUNTS))
    ground = Ground(state.start.hand, {"5H": ((0.0, 0.0), 140.0), "2C": ((-300.0, 0.0), 140.0)})
    row = [lying("5@3", 5, 105.0), lying("25@3", 1, 175.0), lying("1@3", 1, 245.0)]
    assert ground.under(state, "board", row) == ("5H",)
    assert ground.under(state, "board", row[1:]) == ()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([("5", 1)], [("1", 4)], (3, 4, 5)),
        ([("25", 1), ("1", 2)], [("5", 4), ("1", 2)], (3, 20, 25)),
        ([("5", 1), ("1", 4)], [("25", 1), ("1", 4)], None),
        ([("5", 2), ("1", 2)], [("25", 1)], None),
        ([("5", 1)], [("1", 5)], None),
    ],
)
def test_who_lays_a_larger_chip_for_smaller_ones_has_got_no_wrong_change(
    before: list[tuple[str, int]],
    after: list[tuple[str, int]],
    told: tuple[int, int, int] | None,
) -> None:
    """A player who took back 5 and laid 25 was said to have got 25 in change for 5."""
    state = GAMES["seven-and-a-half"]().open(Start(seats=(1, 2, 3), banker=1, level=Level.AMOUNTS))
    chips = ChipsInSight()
    for time, lots in enumerate((before, after)):
        there = tuple(lying(value, count, 70.0 * n) for n, (value, count) in enumerate(lots))
        seen = Seen({}, frozenset(), (), 2.0 * time, chips=LyingChips({"3.bet": there}))
        chips.see(state, seen, 2.0 * time)
    assert chips.changed == told


def test_a_wrong_change_is_told_once_it_is_certain_what_lies_there() -> None:
    """One chip beside a tall stack may be two until somebody has said how much the bet is."""
    state = GAMES["seven-and-a-half"]().open(Start(seats=(1, 2, 3), banker=1, level=Level.AMOUNTS))
    chips, ones, five = ChipsInSight(), lying("1", 7, 70.0), lying("5", 1, 0.0)
    looks = ((lying("5", 2, 0.0), lying("1", 3, 70.0)), (replace(five, most=2), ones), (five, ones))
    told = []
    for time, there in enumerate(looks):
        seen = Seen({}, frozenset(), (), 2.0 * time, chips=LyingChips({"3.bet": there}))
        chips.see(state, seen, 2.0 * time)
        told.append(chips.changed)
    assert told == [None, None, (3, 4, 5)]


def test_a_card_lifted_from_a_wrong_place_may_be_on_its_way() -> None:
    """It was counted as dealt to a player who had folded, and lifting it as correcting a slip.

    Its place was bare again before it lay where it was meant to.
    """
    (report,) = played("soko", hands=1, seed=10, handling="brisk")
    assert report.faithful, report.differences


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_settlements_of_guts_are_as_dealt(seed: int) -> None:
    reports = played("guts", hands=HANDS, seed=seed)
    assert all(report.faithful for report in reports)
    assert said_of_chips(reports) == 0


@pytest.mark.parametrize("game", mostly_nightly(CHIP_GAMES))
def test_every_game_for_chips_is_settled_as_dealt(game: str) -> None:
    assert [report.settled for report in played(game, hands=FEW, seed=2)] == [True] * FEW
