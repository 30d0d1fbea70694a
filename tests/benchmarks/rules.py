"""How fast the rules are: an act and the turn after it, an undo deep in a hand, a long record."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rules.games import GAMES, find_game
from rules.match import Match
from rules.records import parse_record, print_match
from rules.state import State
from tests.benchmarks.same import HANDS, SEATS, seconds, undone
from tests.play import play_hand, play_match, start_for

Row = tuple[str, float, str]


def measure() -> list[Row]:
    """Rows of what was measured, the figure and its unit, for every registered game."""
    rows: list[Row] = []
    for name in sorted(GAMES):
        rows += [*_acts(name), *_undo(name), *_record(name)]
    return rows


def ended(name: str, hands: int = HANDS, seats: int = SEATS) -> list[State]:
    """The ends of the first hands of a game, as many as asked for."""
    game = find_game(name)
    start = start_for(game, seats=seats)
    return [play_hand(game, start, random.Random(seed))[-1] for seed in range(hands)]


def seconds_an_act(hands: Sequence[State]) -> float:
    """How long an act of these hands takes, with the turn after it."""

    def work() -> None:
        for hand in hands:
            state: State = hand.game.open(hand.start)
            for act in hand.acts:
                state = state.play(act)
            assert state.over

    return seconds(work) / sum(len(hand.acts) for hand in hands)


def _acts(name: str) -> list[Row]:
    return [(f"{name}: an act and the turn after it", seconds_an_act(ended(name)) * 1e6, "µs")]


def _undo(name: str) -> list[Row]:
    last = max(ended(name), key=lambda state: len(state.acts))
    return [(f"{name}: undo of the hundredth act of a hand", undone(last) * 1e3, "ms")]


def _record(name: str) -> list[Row]:
    game = find_game(name)
    match: Match = play_match(game, start_for(game, seats=SEATS), random.Random(1), HANDS)
    text = print_match(match)
    spent = seconds(lambda: parse_record(text))
    return [(f"{name}: reading a record of {HANDS} hands", spent * 1e3, "ms")]
