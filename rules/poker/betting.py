"""Betting rounds: whose turn it is, what may be bet, and when the round is over.

Amounts say what a seat has put in during the round: a raise names the amount it raises *to*.
Where amounts are not kept each bet and each raise counts one, so that turns go round the same way.

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
    """What may be bet in a round: the least and the greatest bet and step of a raise.

    The two are the same in fixed-limit betting; `greatest` None bounds bets by the chips in front
    of a player only.
    """

    least: int
    greatest: int | None = None
    raises: int | None = None
    """How many bets and raises there may be in all; None: any number."""

    def doubled(self) -> Stakes:
        """The same with both bounds doubled."""
        return replace(self, least=2 * self.least, greatest=self.greatest and 2 * self.greatest)


UNCOUNTED = Stakes(1, 1)
"""Where amounts are not kept, every bet and every raise is one step."""


@dataclass(frozen=True, slots=True)
class Round:
    """One betting round as it stands.

    Folding and being all-in take a seat out of the `queue` of those who still have to act.
    """

    stakes: Stakes
    players: tuple[int, ...]
    """The seats that have not folded, in order of action."""
    queue: tuple[int, ...]
    """The seats still to act, next one first."""
    purses: Mapping[int, int] = field(default_factory=dict)
    """The most that each can have put in this round; missing where nobody counts chips."""
    bets: Mapping[int, int] = field(default_factory=dict)
    step: int = 0
    """The largest bet or raise so far: the least amount of the next raise."""
    raises: int = 0
    """How many bets and raises were made."""
    acted: frozenset[int] = frozenset()
    """Who has acted since the last full raise."""
    short: int = 0
    """The sum of all-in raises too small to reopen the betting."""
    bring_in: int = 0
    """The least that the first player has to bet; zero once that is done."""
    completing: bool = False
    """Whether nothing but a bring-in stands, which the next bet completes to a full one."""
    floor: int = 0
    """The full blind, which others must call even if its player had less."""

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
        """A round at its start: `order` begins with who acts first; `bets` are blinds."""
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
        )
        queue = tuple(seat for seat in order if fresh._has_a_choice(seat))
        if len(queue) == 1 and fresh.to_call(queue[0]) == 0:
            queue = ()
        return replace(fresh, queue=queue)

    @property
    def actor(self) -> int | None:
        """Who acts next, or None when the round is over."""
        return self.queue[0] if self.queue and len(self.players) > 1 else None

    @property
    def high(self) -> int:
        """The bet that everybody has to match."""
        return max(self.bets.values(), default=0) if not self.floor else self._full()

    def _full(self) -> int:
        return max(self.floor, *self.bets.values())

    def purse(self, seat: int) -> int:
        """The most that `seat` can have put in this round."""
        return self.purses.get(seat, LIMIT_MOST)

    def bet(self, seat: int) -> int:
        """How much `seat` has put in."""
        return self.bets.get(seat, 0)

    def to_call(self, seat: int) -> int:
        """How much `seat` has to add to call, at most all it has."""
        return min(self.high, self.purse(seat)) - self.bet(seat)

    def raising(self, seat: int) -> tuple[int, int] | None:
        """The least and the greatest amount that `seat` may bet or raise to, or None."""
        purse = self.purse(seat)
        if self.bring_in and not self.raises:
            return self._bounds(min(self.bring_in, purse), purse)
        if not self._may_raise(seat):
            return None
        step = max(self.step, self.stakes.least)
        least = min(purse, step if self.completing else self.high + step)
        return self._bounds(least, purse)

    def _bounds(self, least: int, purse: int) -> tuple[int, int]:
        if self.stakes.greatest is None:
            return least, purse
        base = 0 if self.completing else self.high
        return least, max(least, min(purse, base + max(self.stakes.greatest, self.step)))

    def _may_raise(self, seat: int) -> bool:
        """Not after a raise too short to be one, over the cap, or where nobody could answer."""
        if 0 < self.to_call(seat) < self.step and not self.completing:
            return False
        if self.capped:
            return False
        if 0 < self.short < self.step and seat in self.acted:
            return False
        return self.purse(seat) > self.high and any(
            self.purse(other) > self.high for other in self.players if other != seat
        )

    @property
    def capped(self) -> bool:
        """Whether the cap on bets and raises has been reached."""
        return self.stakes.raises is not None and self.raises >= self.stakes.raises

    def _has_a_choice(self, seat: int) -> bool:
        """Whether `seat` has chips left, and others some that they could play for."""
        purse = self.purse(seat)
        others = max((self.purse(other) for other in self.players if other != seat), default=0)
        return self.bet(seat) < min(purse, others)

    def checked(self, seat: int) -> Round:
        """The round after `seat` has checked."""
        return self._acted(seat)

    def called(self, seat: int) -> Round:
        """The round after `seat` has put in what it has to, or all it has."""
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
        # A blind that was too short may be covered by all who are left.
        return replace(after, queue=tuple(s for s in after.queue if after._has_a_choice(s)))

    def raised_to(self, seat: int, amount: int) -> Round:
        """The round after `seat` has bet, or raised what is bet, to `amount`.

        A bet that does not even call leaves its player in the queue.
        """
        bets = {**self.bets, seat: max(amount, self.bet(seat))}
        if amount <= self.high:
            after = self._acted(seat) if amount == self.high else self
            return replace(after, bets=bets)
        raised = amount - self.high
        full = raised >= self.step
        opening = self.bring_in > 0 and not self.raises and amount < self.stakes.least
        after = replace(
            self,
            bets=bets,
            queue=self._answering(seat, amount),
            acted=frozenset({seat}) if full else self.acted | {seat},
            short=self._short(seat, amount, raised),
            bring_in=0,
        )
        if opening:
            return after
        return replace(after, step=max(self.step, raised), raises=self.raises + 1, completing=False)

    def _short(self, seat: int, amount: int, raised: int) -> int:
        if amount < self.purse(seat):
            return 0
        short = self.short + raised
        return 0 if short >= max(self.step, raised) else short

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
