"""A betting round and its pots as the players of any poker table know them, for referees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from rules.acts import Act, Verb
from rules.start import Start
from rules.state import State

PLENTY = 999_999_999
"""Chips of somebody whose chips are not counted: the most that an act can name."""


@dataclass
class Wagers:
    """One round: everybody still in answers the highest bet, or folds, or has no chips left."""

    order: Sequence[int]
    """Those still in, the first to act first."""
    least: int
    most: int | None
    """The smallest and the largest bet or raise; None if only the chips limit them."""
    purse: Mapping[int, int] = field(default_factory=dict)
    """What each may put in during this round at most, if that is limited."""
    cap: int | None = None
    """How many bets and raises there may be."""
    bets: Counter[int] = field(default_factory=Counter)
    bring_in: int = 0
    counted: bool = True
    """Whether amounts are said."""
    raises: int = 0
    step: int = 0
    floor: int = 0
    """A blind that is to be called in full though it was posted short."""

    def __post_init__(self) -> None:
        self.live, self.forced = list(self.order), bool(self.bring_in)
        self.full = self.high if self.bets or self.floor else 0
        self.acted: set[int] = set()
        self.step = self.least
        able = [seat for seat in self.live if self.bets[seat] < self.matched(seat)]
        self.waiting = able if len(able) > 1 or (able and self.owed(able[0])) else []

    def chips(self, seat: int) -> int:
        """What `seat` can still put in."""
        return self.purse.get(seat, PLENTY) - self.bets[seat]

    def matched(self, seat: int) -> int:
        """The most that `seat` can put in and somebody else can match."""
        others = (self.purse.get(other, PLENTY) for other in self.live if other != seat)
        return min(self.purse.get(seat, PLENTY), max(others, default=0))

    @property
    def high(self) -> int:
        return max(self.floor, *(self.bets[seat] for seat in self.order), *self.bets.values())

    def owed(self, seat: int) -> int:
        return min(self.high - self.bets[seat], self.chips(seat))

    @property
    def over(self) -> bool:
        return len(self.live) < 2 or not self.waiting

    def allows(self, act: Act) -> bool:
        if self.over or act.seat != self.waiting[0]:
            return False
        seat = self.waiting[0]
        if self.bring_in:
            return act.verb is Verb.BET and self.brings_in(seat, act)
        match act.verb:
            case Verb.FOLD:
                return True
            case Verb.CHECK:
                return self.owed(seat) == 0
            case Verb.CALL:
                return self.owed(seat) > 0
            case Verb.BET:
                return self.high == 0 and self.may_raise(seat, act)
            case Verb.RAISE:
                return self.high > 0 and self.may_raise(seat, act)
        return False

    @property
    def completing(self) -> bool:
        """Whether only a bring-in below a full bet lies there."""
        return self.forced and not self.raises

    @property
    def base(self) -> int:
        """What a raise comes on top of: a bring-in is completed, and so is half a fixed bet."""
        if self.completing:
            return 0
        return self.full if self.under_half(self.high) else self.high

    def under_half(self, amount: int) -> bool:
        full = 0 if self.completing else self.full
        return self.least == self.most and 2 * (amount - full) < self.step

    def brings_in(self, seat: int, act: Act) -> bool:
        if not self.counted:
            return True
        amount, purse = act.amount or 0, self.purse.get(seat, PLENTY)
        least = min(self.bring_in, purse)
        return least <= amount <= min(purse, max(self.most or PLENTY, least))

    def may_raise(self, seat: int, act: Act) -> bool:
        if self.cap is not None and self.raises >= self.cap:
            return False
        if (
            not self.completing
            and seat in self.acted
            and self.high - self.bets[seat] < self.reopens
        ):
            return False  # only calls and short all-ins since this player's last act
        others = [other for other in self.live if other != seat]
        if not any(self.purse.get(other, PLENTY) > self.high for other in others):
            return False  # nobody could answer
        purse = self.purse.get(seat, PLENTY)
        if purse <= self.high:
            return False
        if not self.counted:
            return True
        amount = act.amount or 0
        base = self.base
        if amount == purse and amount < base + self.step:
            return True  # all in for less
        most = purse if self.most is None else min(purse, base + self.most)
        return base + self.step <= amount <= most

    @property
    def reopens(self) -> int:
        """What is to be owed so that who has acted may raise: a full raise, or half a fixed one."""
        return (self.step + 1) // 2 if self.least == self.most else self.step

    def see(self, act: Act) -> None:
        assert act.seat is not None
        seat = act.seat
        self.waiting.remove(seat)
        self.acted.add(seat)
        if act.verb is Verb.FOLD:
            self.live.remove(seat)
            if self.floor > max(self.bets.values(), default=0):  # a short blind may be covered now
                waiting = self.waiting
                self.waiting = [one for one in waiting if self.bets[one] < self.matched(one)]
        elif act.verb is Verb.CALL:
            self.bets[seat] += self.owed(seat)
        elif act.verb in (Verb.BET, Verb.RAISE):
            self.raised(seat, act.amount if self.counted else self.high + 1)

    def raised(self, seat: int, amount: int | None) -> None:
        assert amount is not None
        more = amount - self.high
        short = self.under_half(amount) or (bool(self.bring_in) and amount < self.least)
        self.bring_in = 0
        self.bets[seat] = amount
        if not short:
            self.step, self.raises, self.full = max(self.step, more), self.raises + 1, amount
        place = self.live.index(seat)
        ring = self.live[place + 1 :] + self.live[:place]
        self.waiting = [other for other in ring if self.chips(other)]


def pots(put: Mapping[int, int], live: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The main pot and side pots, each with those who play for it.

    What one player has put in above all others goes back; what folded hands have put in beyond
    those still in belongs to the last pot.
    """
    most, second = sorted(put.values())[-1:], sorted([0, *put.values()])[-2]
    put = {seat: min(chips, second) for seat, chips in put.items()} if most else put
    found: list[tuple[int, tuple[int, ...]]] = []
    below = 0
    for level in sorted({put.get(seat, 0) for seat in live}):
        among = tuple(seat for seat in live if put.get(seat, 0) >= level)
        chips = sum(max(0, min(one, level) - below) for one in put.values())
        if chips:
            found.append((chips, among))
        below = level
    beyond = sum(max(0, one - below) for one in put.values())
    if beyond:
        chips, among = found.pop()
        found.append((chips + beyond, among))
    return found


@dataclass
class Stacks:
    """What everybody has put in, and who is still in for it."""

    stacks: Mapping[int, int | None]
    live: list[int]
    put: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, start: Start, order: Sequence[int]) -> Self:
        """Those with chips, in the order of play; the others have no part in the hand."""
        chips = {seat: start.stack(seat) for seat in order}
        return cls(chips, [seat for seat in order if chips[seat] != 0])

    def ante(self, chips: int) -> None:
        for seat in self.live:
            stack = self.stacks[seat]
            self.put[seat] += chips if stack is None else min(chips, stack)

    def left(self) -> dict[int, int]:
        """What each may still put in."""
        return {
            seat: stack - self.put[seat]
            for seat, stack in self.stacks.items()
            if seat in self.live and stack is not None
        }

    def take(self, wagers: Wagers) -> None:
        self.put.update(wagers.bets)
        self.live = [seat for seat in self.live if seat in wagers.live]

    def settle(self, best: Callable[[tuple[int, ...]], list[int]], pot: int = 0) -> Counter[int]:
        """Everybody's gain if each pot goes to the best of those in it, odd chips to the first."""
        net = Counter({seat: -chips for seat, chips in self.put.items()})
        shared = pots(self.put, self.live)
        if pot:
            shared[:1] = (
                [(shared[0][0] + pot, shared[0][1])] if shared else [(pot, tuple(self.live))]
            )
        for chips, among in shared:
            winners = best(among)
            for number, seat in enumerate(winners):
                net[seat] += chips // len(winners) + (number < chips % len(winners))
        most = max(self.put, key=lambda seat: self.put[seat])
        net[most] -= net.total() - pot  # what nobody has called goes back
        return net


def stays(act: Act, _: State) -> bool:
    """Players who seldom fold."""
    return act.verb is not Verb.FOLD
