"""Drawing against a bank: a hole card each, then more face up, until a player stands or busts.

A game defines what cards count; who is in, who acts, what is hidden and which busted hands are
still on the table is worked out here, from what the table shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rules.banks.bankgame import BankState
from rules.start import Direction, Level


@dataclass(frozen=True, kw_only=True)
class DrawState(BankState):
    """State of a game of drawing against a bank; each seat has one row of cards."""

    dealt: tuple[tuple[int, int], ...] = ()
    """For each card dealt, the seat it went to and the number of the act."""
    hitting: int | None = None
    """The seat that asked for a card and has not received it yet."""
    stood: frozenset[int] = frozenset()
    busted: frozenset[int] = frozenset()
    """The seats that busted and announced it."""
    settled: bool = False

    @cached_property
    def players(self) -> tuple[int, ...]:
        """Everyone but the banker, in the order of play."""
        return self.start.following(self.banker, Direction.LEFT)

    @cached_property
    def served(self) -> frozenset[int]:
        """The seats that have been dealt a card in this hand."""
        return frozenset(seat for seat, _ in self.dealt)

    @cached_property
    def entered(self) -> frozenset[int]:
        """Who takes part: those who have bet or, if bets are unknown, were dealt a card."""
        if self.start.level is Level.NONE:
            return self.served
        return frozenset(bet.seat for bet in self.bets)

    @cached_property
    def active(self) -> tuple[int, ...]:
        """The players who have cards and have not busted, in the order of play."""
        return tuple(
            seat
            for seat in self.players
            if seat in self.entered and seat not in self.busted and self.table.at(str(seat))
        )

    @cached_property
    def to_deal(self) -> tuple[int, ...]:
        """The seats that may get the next hole card: the next in order, or any if bets are unknown.

        The banker's card comes last.
        """
        order = (*self.players, self.banker)
        if self.start.level is Level.NONE:
            done = [place for place, seat in enumerate(order) if seat in self.served]
            return order[max(done) + 1 :] if done else order[:-1]
        wanted = [seat for seat in self.players if seat in self.entered]
        return tuple(s for s in (*wanted, self.banker) if wanted and s not in self.served)[:1]

    @cached_property
    def unserved(self) -> tuple[int, ...]:
        """The seats that may get a hole card out of order, as no document fixes one.

        If bets are unknown there are none: the order tells whom the dealer has passed over.
        """
        if self.start.level is Level.NONE:
            return self.to_deal
        wanted = (*(seat for seat in self.players if seat in self.entered), self.banker)
        return tuple(seat for seat in wanted if seat not in self.served)

    @cached_property
    def removable(self) -> tuple[int, ...]:
        """The seats whose busted hands are still on the table."""
        return tuple(seat for seat in self.players if seat in self.busted and self.hand(seat))

    @cached_property
    def acting(self) -> int | None:
        """The player who is to hit or stand now."""
        return next((seat for seat in self.active if seat not in self.stood), None)

    @property
    def due(self) -> int | None:
        """The player whose turn it is, even if their cards have been taken away."""
        waiting = (s for s in self.players if s in self.entered and s in self.served)
        return next((s for s in waiting if s not in self.stood and s not in self.busted), None)

    @property
    def undecided(self) -> tuple[int, ...]:
        """Who was dealt a card and has neither stood nor gone bust, in the order of play."""
        waiting = self.served - self.stood - self.busted
        return tuple(seat for seat in (*self.players, self.banker) if seat in waiting)

    def drawn(self, seat: int) -> bool:
        """Whether `seat` has been dealt more than the hole card."""
        return sum(other == seat for other, _ in self.dealt) > 1

    def act_of_card(self, seat: int, number: int) -> int | None:
        """The number of the act that dealt card `number` (from 1) to `seat`."""
        acts = [act for other, act in self.dealt if other == seat]
        return acts[number - 1] if number <= len(acts) else None

    @property
    def finished(self) -> bool:
        """Whether every card that must be shown is face up, so that the bank collects and pays."""
        if not self.closed or self.to_deal or self.removable or self.hitting is not None:
            return False
        if not self.active:
            return self.banker in self.served or self.start.level is not Level.NONE
        if self.acting is not None or self.banker not in self.stood:
            return False
        return not any(self.covered(seat) for seat in (*self.active, self.banker))
