"""How long one look at an irregular table takes, in every game.

``python -m tests.benchmarks.looks [--hands N] [GAME…]`` follows random hands to some moment and
then shows the table as it is a few acts later, or with up to three cards changed, as slips and
hands in the way leave it. The loop then looks five times a second until it has reported something
or taken everything in; every look counts. Times are processor time.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections.abc import Iterator
from time import process_time

import numpy as np

from firmware.store.ledger import TYPED, Step
from rules.acts import Act
from rules.game import AnyGame
from rules.match import Match
from rules.start import Level
from rules.state import State
from tests.lost import WAITED_S, Table
from tests.play import play_hand, start_for
from tests.resuming import every_game, layout_of, perturbed

Row = tuple[str, float, str]
HANDS = 20
ONWARD = 3
"""Largest number of acts that may have gone unseen."""
REPEATS = 4
"""Number of runs, of which the fastest counts, if one is slow: the machine may be busy."""
MOST_MS = 100.0
"""Time limit for one irregular look."""


def measure() -> list[Row]:
    """The slowest look of every game and variant."""
    return [
        (f"{name}: the slowest irregular look", max(looks, default=0.0), "ms")
        for name, looks in measured(HANDS)
    ]


def measured(hands: int, only: tuple[str, ...] = ()) -> Iterator[tuple[str, list[float]]]:
    """Each game by name, with the milliseconds of every look."""
    for game in every_game():
        name = "/".join([game.name, *_variant(game)])
        if not only or name in only:
            yield name, [ms for seed in range(hands) for ms in looks(game, f"{name}-{seed}")]


def looks(game: AnyGame, seed: str) -> list[float]:
    """The milliseconds of each look at one irregular table: the least of several tries."""
    spent = _tried(irregular(game, seed))
    for _ in range(REPEATS - 1 if max(spent, default=0.0) > MOST_MS / 2 else 0):
        spent = [min(pair) for pair in zip(spent, _tried(irregular(game, seed)), strict=True)]
    return spent


def _tried(table: Table) -> list[float]:
    spent = []
    while table.time < WAITED_S and table.loop.question is None and not table.lies_as_followed:
        begun = process_time()
        table.look()
        spent.append((process_time() - begun) * 1e3)
    return spent


def irregular(game: AnyGame, seed: str) -> Table:
    """A loop that has followed a hand to some moment, and a table that differs from it."""
    dice = random.Random(seed)
    states = play_hand(game, start_for(game, level=dice.choice(list(Level))), dice)
    here = dice.randrange(1, len(states) - 1)
    there: State = states[min(here + dice.randint(0, ONWARD), len(states) - 1)]
    layout = perturbed(layout_of(there), list(game.deck(there.start)), dice)
    table = Table(Match(game, states[0].start), layout)
    acts: list[Act] = [act.observed() for act in states[-1].acts[:here]]
    table.loop.ledger.take([Step(act) for act in acts], TYPED)
    return table


def _variant(game: AnyGame) -> Iterator[str]:
    for name, rules in game.variants.items():
        if type(game)(**rules) == game:
            yield name


def main() -> int:
    """Print one line per game; exit status 1 if a look took too long."""
    parser = ArgumentParser(prog="python -m tests.benchmarks.looks", description=__doc__)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("games", nargs="*")
    asked = parser.parse_args()
    slow = 0
    for name, spent in measured(asked.hands, tuple(asked.games)):
        found = np.array(spent or [0.0])
        slow += int((found > MOST_MS).sum())
        print(
            f"{name:32} {len(found):5} looks; median {np.median(found):6.1f} ms, "
            f"95 % {np.percentile(found, 95):6.1f} ms, slowest {found.max():6.1f} ms",
            flush=True,
        )
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
