"""Pots: who plays for how much, and how a pot is split.

>>> for pot in layered({1: 10, 2: 50, 3: 50, 4: 20}, live=(1, 2, 3)).pots:
...     print(pot.amount, pot.seats)
40 (1, 2, 3)
90 (2, 3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips that certain seats play for; the amount is None if amounts are not tracked."""

    amount: int | None
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pots:
    """All pots of a hand, main pot first, and the chips returned because nobody called them."""

    pots: tuple[Pot, ...]
    returned: tuple[tuple[int, int], ...] = ()

    @property
    def total(self) -> int:
        """The chips that are played for."""
        return sum(pot.amount or 0 for pot in self.pots)


def layered(put: Mapping[int, int], live: Sequence[int], carried: int = 0) -> Pots:
    """The pots made from what each seat has `put` in and what an earlier hand left.

    Seats not in `live` have folded. What a single seat has put in above all others goes back to it.

    >>> layered({1: 5, 2: 9}, live=(1, 2)).returned
    ((2, 4),)
    """
    left, returned = _without_excess(put)
    pots: list[Pot] = []
    amount, below = carried, 0
    for height in sorted(set(left.values())):
        amount += sum(min(chips, height) - below for chips in left.values() if chips > below)
        below = height
        seats = tuple(seat for seat in live if left.get(seat, 0) >= height)
        seats = seats or (pots[-1].seats if pots else tuple(live))
        if pots and pots[-1].seats == seats:
            amount += pots.pop().amount or 0
        if amount:
            pots.append(Pot(amount, seats))
        amount = 0
    if amount:
        pots.append(Pot(amount, tuple(live)))
    return Pots(tuple(pots), returned)


def _without_excess(put: Mapping[int, int]) -> tuple[dict[int, int], tuple[tuple[int, int], ...]]:
    """What each seat plays for, and what a single seat has put in above all others."""
    left = {seat: chips for seat, chips in put.items() if chips}
    most, second = (*sorted(left.values(), reverse=True), 0, 0)[:2]
    if most == second:
        return left, ()
    seat = next(seat for seat, chips in left.items() if chips == most)
    left[seat] = second
    return {s: chips for s, chips in left.items() if chips}, ((seat, most - second),)


def split(amount: int, winners: Sequence[int]) -> dict[int, int]:
    """Equal parts of `amount` by seat; odd chips go one each to the first of `winners`.

    >>> split(11, (4, 1))
    {4: 6, 1: 5}
    """
    part, odd = divmod(amount, len(winners))
    return {seat: part + (place < odd) for place, seat in enumerate(winners)}


def halves(amount: int) -> tuple[int, int]:
    """A pot's two halves, the odd chip in the first one."""
    return amount - amount // 2, amount // 2
