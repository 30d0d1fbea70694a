"""What was won or lost while nobody saw it, and the cards still show when it is taken up anew."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from rules.acts import Act, Verb
from rules.games import GAMES, find_game
from rules.games.ziginette import ZiginetteState
from rules.match import Match
from rules.start import Level, Start
from rules.state import State
from tests.play import play_hand, start_for
from tests.resuming import layout_of

HANDS = 4
"""Hands of each game."""
UNSEEN = {"panguingue", "paiute", "pif-paf"}
"""Games in which chips change hands by what was said, or by the order in which cards came."""
SEEN = {Verb.DEAL, Verb.TURN, Verb.SHOW, Verb.PLAY, Verb.LAY}
"""Acts that the table shows once they are done."""
LEVELS = [Level.AMOUNTS, Level.WHO, Level.NONE]


def played(game: str, *lines: str, level: Level = Level.AMOUNTS) -> Match:
    start = Start(seats=(1, 2, 3), banker=1, level=level, limits=(1, 20))
    match = Match(find_game(game), start)
    for line in lines:
        match.play(Act.parse(line))
    return match


def seven() -> Match:
    return played(
        "seven-and-a-half",
        *("2 bet 5", "3 bet 10", "close", "deal 2 ??", "deal 3 ??", "deal 1 ??"),
    )


def ziginette(level: Level = Level.AMOUNTS) -> Match:
    bets = {Level.AMOUNTS: ("2 bet 5 QS", "3 bet 10 5D"), Level.WHO: ("2 bet QS", "3 bet 5D")}
    opening = "deal board QS", "deal board 5D", "deal banker 7C"
    return played("ziginette", *opening, *bets.get(level, ()), "close", level=level)


def net(state: State) -> dict[int, int]:
    return {seat: chips for seat, chips in state.settlement.net.items() if chips}


def test_a_hand_that_is_gone_on_its_turn_was_bust() -> None:
    match = seven()
    match.play(Act.parse("resume 6 1 ?? 2 3 ??"))
    assert net(match.state) == {1: 5, 2: -5}
    assert [call.id for call in match.state.calls] == ["call.resumed", "seven.bust"]
    for line in ("3 stand", "1 show QS", "1 stand", "3 show 7C"):
        match.play(Act.parse(line))
    assert net(match.state) == {1: -5, 2: -5, 3: 10}
    assert not match.state.violations


def test_so_was_one_that_had_asked_for_a_card() -> None:
    match = seven()
    match.play(Act.parse("2 hit"))
    match.play(Act.parse("resume 7 1 ?? 2 3 ??"))
    assert net(match.state) == {1: 5, 2: -5}
    assert match.state.turn.seats == (3,)


def test_a_hand_that_stood_may_have_been_paid_or_collected() -> None:
    match = seven()
    match.play(Act.parse("2 stand"))
    match.play(Act.parse("resume 7 1 ?? 2 3 ??"))
    assert net(match.state) == {}


def test_a_pair_that_nobody_saw_dealt_was_matched() -> None:
    match = ziginette()
    match.play(Act.parse("resume 6 board QS QD 5D banker 7C"))
    assert net(match.state) == {1: 5, 2: -5}
    assert [call.id for call in match.state.calls] == ["call.resumed", "ziginette.match"]
    match.play(Act.parse("take board QS QD"))
    assert not match.state.violations


def test_a_card_with_bets_that_has_left_the_board_was_matched() -> None:
    match = ziginette()
    match.play(Act.parse("resume 6 board 5D KS banker 7C"))
    assert net(match.state) == {1: 5, 2: -5}
    assert isinstance(match.state, ZiginetteState)
    assert {str(bet.card) for bet in match.state.bets} == {"5D"}


@pytest.mark.parametrize("layout", ["board QS 5D banker 7C 7H", "board QS 5D 7H banker 7C"])
def test_a_second_card_of_the_bankers_rank_has_ended_the_hand(layout: str) -> None:
    match = ziginette()
    match.play(Act.parse(f"resume 6 {layout}"))
    assert net(match.state) == {1: -15, 2: 5, 3: 10}
    assert match.state.turn.admits(Act.parse("clear"))


@pytest.mark.parametrize("level", LEVELS)
def test_what_was_matched_before_is_not_collected_again(level: Level) -> None:
    match = ziginette(level)
    match.play(Act.parse("deal board QD"))
    before = len(match.state.settlement.payments)
    match.play(Act.parse(f"resume {len(match.state.acts)} board QS QD 5D banker 7C"))
    assert len(match.state.settlement.payments) == before


@pytest.mark.parametrize("name", sorted(GAMES.keys() - UNSEEN))
def test_cards_that_settle_a_hand_do_so_when_it_is_taken_up_with_them(name: str) -> None:
    """The table is taken as it lies after the act that settled something, from just before it."""
    game = find_game(name)
    for hand in range(HANDS):
        start = start_for(game, Level.AMOUNTS)
        states = play_hand(game, start, random.Random(f"{name}-{hand}"))
        for before, after in pairwise(states):
            paid = before.settlement.payments != after.settlement.payments
            if paid and after.acts[-1].verb in SEEN:
                act = Act(Verb.RESUME, numbers=(len(before.acts),), layout=layout_of(after))
                assert before.play(act).settlement.net == after.settlement.net
