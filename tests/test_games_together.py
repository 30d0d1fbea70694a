"""Acts of several players at once: in whatever order they come, the hand stands the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import fields
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given

from rules.acts import Act
from rules.games import GAMES
from rules.start import Level
from rules.state import State
from tests.every_game import OF_MONEY, a_hand, hands, seeds, settled
from tests.play import play_hand, start_for

HISTORY = ("acts", "calls")
"""The parts of a state that depend on the order of acts that commute."""


def bare(state: State) -> dict[str, Any]:
    """The state without its history."""
    told = {f.name: getattr(state, f.name) for f in fields(state) if f.compare}
    told["payments"] = settled(state)
    return {key: value for key, value in told.items() if key not in HISTORY}


TOGETHER = {
    **dict.fromkeys(("ace-deuce-jack", "ziginette"), OF_MONEY),
    **dict.fromkeys(
        (
            "anaconda", "chinese-poker", "democracy", "guts", "oklahoma-rummy",
            "open-face-chinese-poker", "pai-gow-poker", "pineapple", "seven-and-a-half", "soko",
            "three-thirteen",
        ),
        tuple(Level),
    ),
}  # fmt: skip
"""The games in which several players may act at once, with the levels at which they do."""
TRIED = 40
"""Hands among which at least one comes to such a step: about one in five does where it is rare."""


@pytest.mark.parametrize(
    ("name", "level"), [(name, level) for name, levels in TOGETHER.items() for level in levels]
)
@hands
@given(seed=seeds)
def test_simultaneous_acts_commute(name: str, level: Level, seed: int) -> None:
    dice = random.Random(seed)
    together = _together(name, level, seed)
    assert together, f"in none of {TRIED} hands several may act at once"
    for state in dice.sample(together, min(4, len(together))):
        acts = [_act_of(state, seat, dice) for seat in _several(state, dice)]
        ends = [_after(state, order) for order in permutations(acts)]
        assert len(ends) > 1
        assert all(bare(end) == bare(ends[0]) for end in ends)


@pytest.mark.parametrize("name", sorted(GAMES.keys() - TOGETHER))
def test_in_all_other_games_one_acts_after_another(name: str) -> None:
    states = [state for level in Level for state in a_hand(name, 0, level)]
    assert not any(state.turn.together and len(_seats(state)) > 1 for state in states)


def _together(name: str, level: Level, seed: int) -> list[State]:
    """The moments at which several may act at once, of the first hand that has any."""
    for number in range(seed, seed + TRIED):
        states: Sequence[State] = a_hand(name, number, level)
        if name == "open-face-chinese-poker":  # only players in fantasyland set their hands at once
            start = start_for(states[0].game, level, seats=3, notes=(("fantasyland", "1 2"),))
            states = play_hand(states[0].game, start, random.Random(number))
        if found := [one for one in states if one.turn.together and len(_seats(one)) > 1]:
            return found
    return []


def _seats(state: State) -> list[int]:
    return sorted({seat for one in state.turn.awaited for seat in one.seats})


def _several(state: State, dice: random.Random) -> list[int]:
    seats = _seats(state)
    return dice.sample(seats, min(3, len(seats)))


def _act_of(state: State, seat: int, dice: random.Random) -> Act:
    own = [one for one in state.turn.awaited if seat in one.seats]
    acts = [act for one in own for act in one.acts() if act.seat == seat and state.allows(act)]
    return dice.choice(acts)


def _after(state: State, acts: tuple[Act, ...]) -> State:
    for act in acts:
        assert state.allows(act)
        state = state.play(act)
    return state
