"""Who pays whom how much and why, and what is written on the score sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from rules.cards import Card

POT: Final = 0
"""Stands for the pot, or for the house if there is one, in place of a seat."""


@dataclass(frozen=True, slots=True)
class Payment:
    """Chips going from one seat to another, for a reason that `firmware/texts` can put in words.

    If amounts are not tracked, `amount` is None and only the rate is given; if the bettors are
    unknown, the seat is None too and stands for whoever has bet.
    """

    payer: int | None
    payee: int | None
    amount: int | None
    reason: str
    rate: Fraction = Fraction(1)
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Points:
    """Points that a seat scores, or loses if negative, with the reason.

    They are written on the score sheet and are not chips.
    """

    seat: int
    points: int
    reason: str
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """All payments of a hand, and all points that were scored.

    >>> Settlement((Payment(1, 2, 5, "win"), Payment(3, 1, 2, "lose"))).net
    {1: -3, 2: 5, 3: -2}
    >>> Settlement(points=(Points(1, 20, "belote"), Points(1, 90, "tricks"))).scores
    {1: 110}
    """

    payments: tuple[Payment, ...] = ()
    points: tuple[Points, ...] = ()

    @property
    def net(self) -> dict[int, int]:
        """What each seat wins or loses in total; the amounts sum to zero (including `POT`)."""
        sums: defaultdict[int, int] = defaultdict(int)
        for payment in self.payments:
            if payment.amount is not None and payment.payer is not None is not payment.payee:
                sums[payment.payer] -= payment.amount
                sums[payment.payee] += payment.amount
        return dict(sorted(sums.items()))

    @property
    def scores(self) -> dict[int, int]:
        """What each seat scores in total; seats without an entry are omitted."""
        sums: defaultdict[int, int] = defaultdict(int)
        for one in self.points:
            sums[one.seat] += one.points
        return dict(sorted(sums.items()))

    @property
    def sums(self) -> dict[int, int]:
        """What each seat wins or loses; in games without chips, what it scores."""
        return self.net or self.scores

    def adding(self, payments: Iterable[Payment]) -> Settlement:
        """This settlement with more payments appended."""
        return replace(self, payments=(*self.payments, *payments))
