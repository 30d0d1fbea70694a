"""Reckoning up a hand played by a secret rule: the players, the prophet and the dealer."""

from __future__ import annotations

from dataclasses import dataclass

from rules.frozen import replace
from rules.judging.lines import JudgedState

GUESSED = 6
"""Points for guessing the rule."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """How a hand is reckoned up.

    >>> Reckoning().hands({1: 3, 2: 8}), Reckoning(full=12).hands({1: 3, 2: 8})
    ({1: 5, 2: 0}, {1: 9, 2: 4})
    """

    full: int | None = None
    """Points of an empty hand, one less for each card; None for as many as the longest hand has."""
    out: int = 0
    """Points for whoever has played the last card."""
    both_lines: bool = True
    """Whether the cards before a prophet's marker are those of both lines or the mainline's."""

    def scored(self, state: JudgedState) -> JudgedState:
        """The state with everybody's points, in place of any written before."""
        after = replace(state, points=())
        held = {seat: len(state.hand(seat)) for seat in state.players}
        for seat, points in self.hands(held).items():
            after = after.score(seat, points, "eleusis.hand")
        if state.out is not None and self.out:
            after = after.score(state.out, self.out, "eleusis.out")
        if state.guessed is not None:
            after = after.score(state.guessed, GUESSED, "eleusis.guess")
        if state.prophet is not None:
            main, side = (now - then for now, then in zip(state.lying, state.marker, strict=True))
            after = after.score(state.prophet, main + 2 * side, "eleusis.prophet")
        best = max(after.settlement.scores.get(seat, 0) for seat in state.players)
        return after.score(state.dealer, self._dealers(state, best), "eleusis.dealer")

    def hands(self, held: dict[int, int]) -> dict[int, int]:
        """Each player's points for a hand of as many cards as are `held`."""
        full = max(held.values()) if self.full is None else self.full
        return {seat: full - count for seat, count in held.items()}

    def _dealers(self, state: JudgedState, best: int) -> int:
        """The dealer's points: the best player's, or fewer if the prophet came early."""
        if state.prophet is None:
            return best
        main, side = state.marker
        before = main - 1 + (side if self.both_lines else 0)
        return min(best, 2 * before)
