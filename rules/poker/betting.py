"""Betting rounds: whose turn it is, what may be bet, and when the round is over.

Amounts are what a seat has put in during the round: a raise names the amount it raises *to*. If
amounts are not tracked, each bet and each raise counts one, so that turns pass in the same way.

    >>> stakes = Stakes(2, 2)
    >>> opened = Round.begin(stakes, (3, 1, 2)).raised_to(3, 2)
    >>> opened.actor, opened.to_call(1), opened.raising(1)
    (1, 2, (4, 4))
    >>> opened.folded(1).called(2).actor
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.start import LIMIT_MOST


@dataclass(frozen=True, slots=True)
class Stakes:
    """What may be bet in a round: the minimum and maximum bet and raise.

    The two are the same in fixed-limit betting; with `greatest` None, only the chips in front of a
    player limit the bets.
    """

    least: int
    greatest: int | None = None
    raises: int | None = None
    """The most bets and raises in total; None for any number."""
    total: int | None = None
    """The most that each player may put in during the round; None if only chips limit it."""

    def doubled(self) -> Stakes:
        """The same with both limits doubled."""
        return replace(self, least=2 * self.least, greatest=self.greatest and 2 * self.greatest)


UNCOUNTED = Stakes(1, 1)
"""The stakes if amounts are not tracked: every bet and every raise is one step."""


@dataclass(frozen=True, slots=True)
class Round:
    """One betting round in progress.

    A seat that folds or is all-in leaves the `queue` of those who still have to act.
    """

    stakes: Stakes
    players: tuple[int, ...]
    """The seats that have not folded, in order of action."""
    queue: tuple[int, ...]
    """The seats still to act, next one first."""
    purses: Mapping[int, int] = field(default_factory=dict)
    """The most that each seat can put in during this round; no entry if chips are not counted."""
    bets: Mapping[int, int] = field(default_factory=dict)
    step: int = 0
    """The largest bet or raise so far, which is the minimum of the next raise."""
    raises: int = 0
    """The number of bets and raises made."""
    acted: frozenset[int] = frozenset()
    """The seats that have acted."""
    bring_in: int = 0
    """The minimum that the first player has to bet; zero once that is done."""
    completing: bool = False
    """Whether only a bring-in has been bet, which the next bet completes to a full one."""
    floor: int = 0
    """The full blind, which others must call even if its player had fewer chips."""
    level: int = 0
    """The highest bet so far, without an all-in of less than half a bet in fixed-limit betting."""

    @classmethod
    def begin(
        cls,
        stakes: Stakes,
        order: Sequence[int],
        *,
        purses: Mapping[int, int] | None = None,
        bets: Mapping[int, int] | None = None,
        bring_in: int = 0,
        floor: int = 0,
    ) -> Round:
        """A round at its start: `order` begins with the first to act; `bets` are blinds."""
        forced = bring_in > 0
        fresh = cls(
            stakes,
            tuple(order),
            (),
            dict(purses or {}),
            dict(bets or {}),
            bring_in=bring_in,
            completing=forced,
            floor=floor,
            level=max(floor, *(bets or {}).values(), 0) if bets or floor else 0,
        )
        queue = tuple(seat for seat in order if fresh._has_a_choice(seat))
        if len(queue) == 1 and fresh.to_call(queue[0]) == 0:
            queue = ()
        return replace(fresh, queue=queue)

    @property
    def actor(self) -> int | None:
        """The seat that acts next, or None when the round is over."""
        return self.queue[0] if self.queue and len(self.players) > 1 else None

    @property
    def high(self) -> int:
        """The bet that everybody has to match."""
        return max(self.bets.values(), default=0) if not self.floor else self._full()

    def _full(self) -> int:
        return max(self.floor, *self.bets.values())

    def purse(self, seat: int) -> int:
        """The most that `seat` can put in during this round."""
        return self.purses.get(seat, LIMIT_MOST)

    def bet(self, seat: int) -> int:
        """The amount that `seat` has put in."""
        return self.bets.get(seat, 0)

    def to_call(self, seat: int) -> int:
        """The amount that `seat` has to add to call, at most all it has."""
        return min(self.high, self.purse(seat)) - self.bet(seat)

    def raising(self, seat: int) -> tuple[int, int] | None:
        """The minimum and maximum that `seat` may bet or raise to, or None."""
        purse = self.purse(seat)
        if self.bring_in and not self.raises:
            return self._bounds(min(self.bring_in, purse), purse)
        if not self._may_raise(seat):
            return None
        return self._bounds(min(purse, self._base + self._full_raise), purse)

    @property
    def _base(self) -> int:
        """What a raise comes on top of.

        A bring-in is completed, not raised; so is an all-in of less than half a bet in fixed-limit
        betting (Robert's Rules of Poker, all-in wagers).
        """
        if self.completing:
            return 0
        return self.level if self._short(self.high) else self.high

    def _short(self, amount: int) -> bool:
        """Whether `amount` is less than half a bet above the last full one, with fixed limits."""
        base = 0 if self.completing else self.level
        fixed = self.stakes.least == self.stakes.greatest
        return fixed and 2 * (amount - base) < self._full_raise

    @property
    def _full_raise(self) -> int:
        """The smallest bet or raise: as much as the last one, a blind counting as a minimum bet."""
        return max(self.step, self.stakes.least)

    @property
    def _reopening(self) -> int:
        """What a player who has acted must owe to be free to raise again.

        That is a full raise, all in one or in several all-ins; in fixed-limit betting half of one,
        as at poker tables (Robert's Rules of Poker; Tournament Directors Association, rule 47).
        """
        fixed = self.stakes.least == self.stakes.greatest
        return -(-self._full_raise // 2) if fixed else self._full_raise

    def _bounds(self, least: int, purse: int) -> tuple[int, int]:
        if self.stakes.greatest is None:
            return least, purse
        return least, max(least, min(purse, self._base + max(self.stakes.greatest, self.step)))

    def _may_raise(self, seat: int) -> bool:
        """Whether `seat` may raise: not after a short all-in, at the cap, or if none can answer."""
        answered = seat in self.acted and not self.completing
        if self.capped or (answered and 0 < self.to_call(seat) < self._reopening):
            return False
        return self.purse(seat) > self.high and any(
            self.purse(other) > self.high for other in self.players if other != seat
        )

    @property
    def capped(self) -> bool:
        """Whether the cap on bets and raises has been reached."""
        return self.stakes.raises is not None and self.raises >= self.stakes.raises

    def _has_a_choice(self, seat: int) -> bool:
        """Whether `seat` has chips left, and others have some to play for."""
        purse = self.purse(seat)
        others = max((self.purse(other) for other in self.players if other != seat), default=0)
        return self.bet(seat) < min(purse, others)

    def checked(self, seat: int) -> Round:
        """The round after `seat` has checked."""
        return self._acted(seat)

    def called(self, seat: int) -> Round:
        """The round after `seat` has put in what it owes, or all it has."""
        return replace(
            self._acted(seat), bets={**self.bets, seat: self.bet(seat) + self._due(seat)}
        )

    def _due(self, seat: int) -> int:
        return max(0, self.to_call(seat))

    def folded(self, seat: int) -> Round:
        """The round after `seat` has folded."""
        players = tuple(other for other in self.players if other != seat)
        after = replace(self._acted(seat), players=players)
        if self.floor <= max(self.bets.values(), default=0):
            return after
        # A blind that was posted short may now be covered by all who are left.
        return replace(after, queue=tuple(s for s in after.queue if after._has_a_choice(s)))

    def raised_to(self, seat: int, amount: int) -> Round:
        """The round after `seat` has bet, or raised the bet, to `amount`.

        A bet that does not even call leaves its player in the queue.
        """
        bets = {**self.bets, seat: max(amount, self.bet(seat))}
        if amount <= self.high:
            after = self._acted(seat) if amount == self.high else self
            return replace(after, bets=bets)
        raised = amount - self.high
        opening = self.bring_in > 0 and not self.raises and amount < self.stakes.least
        after = replace(
            self,
            bets=bets,
            queue=self._answering(seat, amount),
            acted=self.acted | {seat},
            bring_in=0,
        )
        if opening or self._short(amount):
            return after
        return replace(
            after,
            step=max(self.step, raised),
            raises=self.raises + 1,
            completing=False,
            level=amount,
        )

    def _answering(self, seat: int, amount: int) -> tuple[int, ...]:
        """Everybody else with chips, in order after `seat`."""
        if seat not in self.players:
            return tuple(other for other in self.players if self.bet(other) < self.purse(other))
        place = self.players.index(seat)
        ring = self.players[place + 1 :] + self.players[:place]
        return tuple(other for other in ring if self.bet(other) < self.purse(other))

    def _acted(self, seat: int) -> Round:
        queue = tuple(other for other in self.queue if other != seat)
        return replace(self, queue=queue, acted=self.acted | {seat})
