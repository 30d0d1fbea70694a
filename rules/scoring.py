"""Score sheets and counters: totals, who leads when a match ends, antes and fixed payments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

from rules.frozen import replace
from rules.settlement import POT
from rules.start import Level, Start
from rules.state import State

S = TypeVar("S", bound=State)


def totals(state: State) -> dict[int, int]:
    """Each seat's score, including this hand."""
    scores = dict.fromkeys(state.start.seats, 0) | dict(state.start.scores)
    for one in () if state.void else state.points:
        scores[one.seat] = scores.get(one.seat, 0) + one.points
    return scores


def leaders(scores: Mapping[int, int], seats: Iterable[int]) -> tuple[int, ...]:
    """Those of `seats` with the highest score.

    >>> leaders({1: 20, 2: 35, 3: 35}, (1, 2, 3))
    (2, 3)
    """
    rated = tuple(seats)
    most = max(scores.get(seat, 0) for seat in rated)
    return tuple(seat for seat in rated if scores.get(seat, 0) == most)


def arrived(
    scores: Mapping[int, int],
    sides: Iterable[tuple[int, ...]],
    goal: int,
    *,
    highest_only: bool = False,
) -> tuple[int, ...]:
    """All seats of the sides that have reached `goal`, or only those of the highest side.

    >>> arrived({1: 90, 2: 110, 3: 90, 4: 110}, ((1, 3), (2, 4)), 100)
    (2, 4)
    """
    there = [side for side in sides if scores.get(side[0], 0) >= goal]
    if highest_only and there:
        most = max(scores.get(side[0], 0) for side in there)
        there = [side for side in there if scores.get(side[0], 0) == most]
    return tuple(sorted(seat for side in there for seat in side))


def told(state: S, sides: Iterable[tuple[int, ...]], goal: int) -> S:
    """The state with a call of each side's score and of the points it still needs."""
    scores = totals(state)
    for side in sides:
        points = scores.get(side[0], 0)
        wanted = goal - points if points < goal else None
        state = state.call("sheet.standing", seats=side, points=points, wanted=wanted)
    return state


def champion(state: State, goal: int) -> int | None:
    """The seat that has won a match to `goal` with this hand, as the sole leader."""
    scores = totals(state)
    best = leaders(scores, state.start.seats)
    return best[0] if len(best) == 1 and scores[best[0]] >= goal else None


def fresh_sheet(start: Start, *noted: str) -> Start:
    """The start of a new match at the same table: an empty score sheet, without what was `noted`.

    >>> sheet = Start(seats=(1, 2), scores=((1, 990),), notes=(("carried", "81"),))
    >>> fresh_sheet(sheet, "carried") == Start(seats=(1, 2))
    True
    """
    return replace(start, scores=(), notes=tuple(one for one in start.notes if one[0] not in noted))


def ante_all(state: S, chips: int, reason: str) -> S:
    """The state with an ante of as many `chips` from everybody."""
    for seat in state.order:
        state = state.pay(seat, POT, chips, reason)
    return state


def pay_counters(
    state: S,
    payer: int,
    payee: int,
    amount: int,
    reason: str,
    *,
    rate: Fraction | None = None,
) -> S:
    """The state with a payment fixed by the rules; if amounts are not tracked, only its rate."""
    if state.start.level is Level.AMOUNTS:
        return state.pay(payer, payee, amount, reason)
    return state.pay(payer, payee, None, reason, rate=Fraction(amount) if rate is None else rate)
