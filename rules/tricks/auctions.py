"""Auctions: bids that must rise, players who drop out, and two at a time with holds.

>>> duel = Duel.among((2, 3, 4, 1))
>>> duel.bidder, duel.may(2), duel.may(4)
(2, True, True)
>>> duel = duel.bid(2).bid(4)
>>> duel.bidder, duel.may(4), duel.may(3)
(2, True, False)
>>> duel = duel.bid(4).passed().passed().passed()
>>> duel.over, duel.winner, duel.high
(True, 2, 4)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from rules.cards import Suit

SUIT_WORDS = {
    "clubs": Suit.CLUBS,
    "diamonds": Suit.DIAMONDS,
    "hearts": Suit.HEARTS,
    "spades": Suit.SPADES,
}
"""The words that name a suit."""
Value = int | Fraction
"""What a bid is worth."""


@dataclass(frozen=True, slots=True)
class Duel:
    """An auction of two players at a time.

    The first two bid until one passes; the winner goes on with the third player, and so on. The
    player earlier in turn may hold, that is, bid as much as the other; the later one must bid more.
    """

    waiting: tuple[int, ...]
    """The seats that have not come in yet, in order."""
    first: int | None
    """The earlier of the two, who opens and may hold; None if everybody has passed."""
    second: int | None
    """The later of the two; None if nobody is left to come in."""
    high: Value = 0
    leading: int | None = None
    """The seat that made the highest bid."""

    @classmethod
    def among(cls, order: tuple[int, ...]) -> Self:
        """An auction in which nobody has spoken."""
        return cls(order[2:], order[0], order[1])

    @property
    def over(self) -> bool:
        """Whether only the highest bidder is left, or nobody."""
        return self.first is None or (self.leading is not None and self.second is None)

    @property
    def bidder(self) -> int | None:
        """The seat to bid: the one of the two that is not leading; the first one opens."""
        if self.over:
            return None
        return self.second if self.leading == self.first else self.first

    @property
    def winner(self) -> int | None:
        """The seat that made the highest bid; None if all passed."""
        return self.leading if self.over else None

    def may(self, value: Value) -> bool:
        """Whether the bidder may bid `value`: more than the other, or as much to hold."""
        holds = self.bidder == self.first and self.leading == self.second
        return value > self.high or (holds and value == self.high > 0)

    def bid(self, value: Value) -> Self:
        """The auction after the bidder's bid."""
        return replace(self, high=value, leading=self.bidder)

    def passed(self) -> Self:
        """The auction after the bidder has passed for good: the next player comes in."""
        stays = self.second if self.bidder == self.first else self.first
        following = next(iter(self.waiting), None)
        return replace(self, waiting=self.waiting[1:], first=stays, second=following)
