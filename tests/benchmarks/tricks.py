"""How long it takes to judge a whole deal for revokes, not counting playing it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rules.cards import Card
from rules.games import find_game
from rules.tricks.play import TrickGame, TrickState
from rules.tricks.revokes import proven
from rules.tricks.trick import Neglected, Played, Trick
from tests.benchmarks.rules import Row
from tests.benchmarks.same import seconds
from tests.crooked import MAY, crooked_hand
from tests.play import start_for

DEALS = 20
CHEATING = 0.1


def measure() -> list[Row]:
    """For each trick game, the time for a deal in which every seat is judged once."""
    return [_judging(name) for name in sorted(MAY)]


def _judging(name: str) -> Row:
    game = find_game(name)
    assert isinstance(game, TrickGame)
    start = start_for(game)
    deals = [crooked_hand(game, start, random.Random(n), CHEATING)[-1] for n in range(DEALS)]

    def work() -> None:
        for deal in deals:
            for seat in deal.start.seats:
                _judged(game, deal, seat)

    return f"{name}: judge a deal for revokes", 1000 * seconds(work) / DEALS, "ms"


def _judged(game: TrickGame[TrickState], deal: TrickState, seat: int) -> None:
    def judge(trick: Trick, play: Played, held: Sequence[Card]) -> Neglected | None:
        return game.neglected(deal, seat, play.card, held, trick)

    assert all(one.play.seat == seat for one in proven(deal.tricks, seat, judge))
