"""Hands of Panguingue of three players, written as lines."""

from __future__ import annotations

from rules.games.panguingue import Panguingue
from rules.melds.spreads import SpreadState
from rules.start import Start
from tests.melding import played

GAME = Panguingue()
START = Start(seats=(1, 2, 3), dealer=1, limits=(1, 20))
DEAL = "ante|" + "|".join(f"deal {seat} ?? ??" for _ in range(5) for seat in (3, 2, 1))


def after(*text: str, upcard: str = "4H", game: Panguingue = GAME) -> SpreadState:
    return played(game, START, DEAL, f"deal discards {upcard}", *text)


def net(state: SpreadState) -> dict[int, int]:
    """Chips won or lost by each seat since the antes."""
    paid = [p for p in state.payments if p.reason != "panguingue.ante"]
    return {
        seat: sum((p.amount or 0) * ((p.payee == seat) - (p.payer == seat)) for p in paid)
        for seat in (1, 2, 3)
    }
