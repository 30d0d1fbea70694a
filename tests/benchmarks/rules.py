"""How fast the rules are: an act and what comes next, an undo deep in a hand, a long record."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.records import parse_record, print_match
from rules.state import State
from tests.play import play_hand, play_match, start_for

Row = tuple[str, float, str]
HANDS = 20
SEATS = 6
REPEATS = 5
"""Of so many runs the fastest counts: the machine has other things to do."""
DEPTH = 100
"""An undo is measured behind so many acts."""


def measure() -> list[Row]:
    """What was measured, the figure and its unit, for every game in the register."""
    rows: list[Row] = []
    for name in sorted(GAMES):
        rows += [*_acts(name), *_undo(name), *_record(name)]
    return rows


def seconds(work: Callable[[], object]) -> float:
    """The processor time of the fastest of several runs, in seconds."""
    spent = []
    for _ in range(REPEATS):
        begun = process_time()
        work()
        spent.append(process_time() - begun)
    return min(spent)


def _hands(name: str) -> list[State]:
    game = find_game(name)
    start = start_for(game, seats=SEATS)
    return [play_hand(game, start, random.Random(seed))[-1] for seed in range(HANDS)]


def _acts(name: str) -> list[Row]:
    hands = _hands(name)
    acts = sum(len(hand.acts) for hand in hands)

    def work() -> None:
        for hand in hands:
            state: State = hand.game.open(hand.start)
            for act in hand.acts:
                state = state.play(act)
            assert state.over

    return [(f"{name}: an act and the turn after it", seconds(work) / acts * 1e6, "µs")]


def _undo(name: str) -> list[Row]:
    last = max(_hands(name), key=lambda state: len(state.acts))

    def work() -> None:
        hand = Hand(last.game, last.start)
        hand.acts, hand.state = list(last.acts), last
        hand.undo()

    spent = seconds(work) / len(last.acts) * DEPTH
    return [(f"{name}: undo of the hundredth act of a hand", spent * 1e3, "ms")]


def _record(name: str) -> list[Row]:
    game = find_game(name)
    match: Match = play_match(game, start_for(game, seats=SEATS), random.Random(1), HANDS)
    text = print_match(match)
    spent = seconds(lambda: parse_record(text))
    return [(f"{name}: reading a record of {HANDS} hands", spent * 1e3, "ms")]
