"""Chips in a betting round: calls, bets and raises follow from what each seat puts in.

A player who puts in what there is to call has called, one who puts in more has bet or raised, and
whoever comes before them without chips, and owes none, has checked. Chips of an earlier round stay
in front of the seats until the dealer sweeps them into the pot; what is added to them counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from firmware.follow.heaps import Heap, Key
from rules.acts import Act, Verb
from rules.poker.betting import Round
from rules.poker.streets import PokerState
from rules.settlement import POT
from rules.state import State


def round_of(state: State) -> Round | None:
    """The betting round in progress, if amounts are kept."""
    return state.round if isinstance(state, PokerState) and state.pot is not None else None


@dataclass
class Wagers:
    """The chips in front of the seats in the betting round in progress."""

    _round: tuple[int, int] = (0, -1)
    _left: dict[int, int] = field(default_factory=dict)
    """By seat, the chips of an earlier round that nobody has swept in."""

    def see(self, state: State, heaps: Mapping[Key, Heap]) -> None:
        """Update from the chips there."""
        round_ = round_of(state)
        if round_ is None or not isinstance(state, PokerState):
            return
        fresh = self._round != (state.start.hand, state.step)
        self._round = state.start.hand, state.step
        for seat in round_.players:
            lies = _lies(heaps, seat)
            before = lies - round_.bet(seat) if fresh else self._left.get(seat, 0)
            self._left[seat] = max(0, min(before, lies))

    def put_in(self, heaps: Mapping[Key, Heap], seat: int) -> int:
        """The amount that a seat has put in during this round."""
        return _lies(heaps, seat) - self._left.get(seat, 0)

    def acts(
        self, state: State, heaps: Mapping[Key, Heap], gone: Collection[int] = ()
    ) -> Iterator[tuple[Act, ...]]:
        """What the next player with new chips has done, after the checks of those before.

        If the cards of players who owe chips are `gone`, the next player's chips show that they
        have folded.
        """
        round_ = round_of(state)
        checks: tuple[Act, ...] = ()
        for seat in round_.queue if round_ is not None else ():
            now = round_of(state)
            if now is None:
                return
            amount = self.put_in(heaps, seat)
            if amount > now.bet(seat):
                act = wager(now, seat, amount)
                if act is not None:
                    yield (*checks, act)
                return
            said = Act(Verb.FOLD if seat in gone else Verb.CHECK, seat)
            if not state.allows(said):
                return
            checks = (*checks, said)
            state = state.play(said)

    def options(self, state: State, seat: int, heap: Heap) -> Iterator[Act]:
        """What chips of which only a range is known may be, likeliest first."""
        round_ = round_of(state)
        for amount in heap.amounts if round_ is not None else ():
            assert round_ is not None
            act = wager(round_, seat, amount - self._left.get(seat, 0))
            if act is not None and state.allows(act):
                yield act


def anted(before: State, after: State) -> dict[int, int]:
    """What each seat has put in, antes and blinds together, when all had to."""
    due: dict[int, int] = {}
    for one in after.payments[len(before.payments) :]:
        if one.payee == POT and one.payer and one.amount:
            due[one.payer] = one.amount
    if isinstance(after, PokerState):
        blinds = after.round.bets if after.round is not None else after.blinds
        due = {seat: after.put.get(seat, 0) + blinds.get(seat, 0) for seat in after.start.seats}
    return {seat: chips for seat, chips in due.items() if chips}


def wager(round_: Round, seat: int, amount: int) -> Act | None:
    """The act of a seat that has put in that much in this round; None if it is too little.

    >>> from rules.poker.betting import Stakes
    >>> opened = Round.begin(Stakes(2, 2), (3, 1, 2)).raised_to(3, 2)
    >>> [str(wager(opened, 1, amount)) for amount in (1, 2, 4)]
    ['None', '1 call', '1 raise 4']
    """
    if amount == round_.bet(seat) + round_.to_call(seat) and round_.to_call(seat):
        return Act(Verb.CALL, seat)
    if round_.bring_in or (amount > round_.high and not round_.high):
        return Act(Verb.BET, seat, numbers=(amount,))
    return Act(Verb.RAISE, seat, numbers=(amount,)) if amount > round_.high else None


def _lies(heaps: Mapping[Key, Heap], seat: int) -> int:
    heap = heaps.get((seat, ""))
    return heap.likely if heap is not None else 0
