"""Two sides, one of which takes: what each has won, what it scores, and what is held over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from rules.cards import Suit
from rules.frozen import replace
from rules.tricks.contracts import Count, Outcome, Taken
from rules.tricks.declarations import highest
from rules.tricks.declaring import DeclaringState

ROYAL_POINTS = 20
"""What king and queen of trumps score together."""


@dataclass(frozen=True, kw_only=True)
class SidedState(DeclaringState):
    """State of a game in which one of two sides takes and has to win more than the other."""

    bids: tuple[tuple[int, Suit | None], ...] = ()
    """The bids in order; None for a pass."""
    carry: int = 0
    """The points from a tie, which go to the next winners."""

    @property
    def taker(self) -> int | None:
        """The seat that chose the trumps."""
        return next((seat for seat, suit in self.bids if suit is not None), None)

    def others(self, side: tuple[int, ...]) -> tuple[int, ...]:
        """The opponents of a side."""
        return tuple(seat for seat in self.start.seats if seat not in side)

    def taken(self, side: tuple[int, ...]) -> int:
        """The points that a side has won in tricks: each game says what its cards are worth."""
        raise NotImplementedError


S = TypeVar("S", bound=SidedState)


def counted(state: SidedState, count: Count, side: tuple[int, ...]) -> Taken:
    """What a side contributes to the count."""
    scoring = state.declared if count.combinations else ()
    best = highest(scoring, state.trump)
    if count.shown_only:
        scoring = tuple(one for one in scoring if one.act in state.shown)
    own = best is not None and best.seat in side
    royal = count.royal and state.belote in side
    return Taken(
        state.taken(side),
        state.won(*side),
        sum(one.points for one in scoring if one.seat in side) if own else 0,
        ROYAL_POINTS if royal else 0,
    )


def scored(state: S, count: Count) -> S:
    """Judge the contract, and write all scores down for both seats of each side."""
    assert state.taker is not None
    takers = state.side(state.taker)
    others = state.others(takers)
    outcome = count.outcome(counted(state, count, takers), counted(state, count, others))
    after = state
    for place, side in enumerate((takers, others)):
        after = _written(after, side, outcome.tricks[place], "belote.tricks")
        after = _written(after, side, outcome.declared[place], "belote.declared")
        after = _written(after, side, outcome.royal[place], "belote.belote")
    return _carried(after, outcome, takers)


def _carried(state: S, outcome: Outcome, takers: tuple[int, ...]) -> S:
    """Hold the points of a tie over, or give those held over to the winners of this hand."""
    if outcome.made is None:
        return replace(state, carry=state.carry + outcome.carried).call("belote.tie")
    winners = takers if outcome.made else state.others(takers)
    after = replace(_written(state, winners, state.carry, "belote.carried"), carry=0)
    return after.call("belote.made" if outcome.made else "belote.failed", seats=takers)


def _written(state: S, side: tuple[int, ...], points: int, reason: str) -> S:
    for seat in side if points else ():
        state = state.score(seat, points, reason)
    return state
