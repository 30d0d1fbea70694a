"""Bets that stand: reports what happens to their chips, and compares payments with what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from firmware.follow.chips_in_sight import ChipsInSight
from firmware.follow.heaps import Heap, Key
from rules.acts import Act, Verb
from rules.cards import Card
from rules.chips import Stake, open_for_bets
from rules.start import Level
from rules.state import State
from rules.violations import Ruling

LATE_AFTER_S = 1.2
"""How long chips that should not have moved must have lain there before they are reported: a dealer
makes change in less. A choice; `python -m tests.chip_tables` judges it.
"""
PAID_AFTER_S = 2.5
"""The same for a wrong payment: many payments take two movements. A choice, judged likewise."""
OF_BETS = frozenset({"bets.closed", "bets.capped", "bets.pinched"})
"""The rules that are satisfied again once the chips are as before."""
WRONG_PAYMENT = "bets.wrong-payment"


@dataclass(frozen=True)
class StandingBets:
    """The bets of a state next to the chips that are there.

    `rested` gives the number of seconds for which chips and cards have been unchanged; `right`
    collects the hands and seats that were paid what is due.
    """

    state: State
    chips: ChipsInSight
    rested: Callable[[Key], float]
    right: set[tuple[int, int]]

    def irregular(self) -> Iterator[Act]:
        """What has happened to bets since they were closed, if it is to be reported."""
        stakes = stakes_by_key(self.state)
        if not any(key[0] is not None for key in stakes) and not self.state.acts:
            return
        settled = self.state.phase == "paying"
        banker = self.state.start.banker
        if banker is None or any(one.verb is Verb.TAKE for one in self.state.turn.awaited):
            return  # cards that have to leave go first: bets may be open again by then
        if open_for_bets(self.state):
            yield from self._pinched(stakes)
            return
        for seat in self.state.start.seats:
            own = {key: one for key, one in stakes.items() if key[0] == seat}
            if settled or any(one.due for one in own.values()):
                yield from self._payment(seat, banker, own)
            elif seat != banker:
                yield from self._moved(seat, own)

    def _pinched(self, stakes: Mapping[Key, Stake]) -> Iterator[Act]:
        """While more bets are being taken, standing ones may not be taken away."""
        for key, stake in stakes.items():
            heap = self.chips.heaps.get(key)
            if self.chips.said(key) or self.rested(key) < LATE_AFTER_S:
                continue
            yield from self._put_back(key, heap)
            has = stake.amount or 0
            if heap is None or (stake.amount is not None and heap.exact and heap.likely < has):
                for act in self._changed_late(key, heap, has):
                    if not self.state.allows(act):
                        yield act

    def _moved(self, seat: int, own: Mapping[Key, Stake]) -> Iterator[Act]:
        """Chips laid too late or taken away."""
        for key in sorted({*own, *(key for key in self.chips.heaps if key[0] == seat)}, key=str):
            heap, stake = self.chips.heaps.get(key), own.get(key)
            if self.chips.said(key) or self.rested(key) < LATE_AFTER_S:
                continue
            if key[1] and stake is None and not self._may_carry(key):
                continue
            has = (stake.amount or 0) if stake else 0
            if self._as_it_was(heap, stake):
                continue
            yield from self._put_back(key, heap)
            yield from self._changed_late(key, heap, has)

    def _may_carry(self, key: Key) -> bool:
        """Whether a bet that the bank has not already won may be on this card."""
        lost = {
            (one.payer, str(card)) for one in self.state.settlement.payments for card in one.cards
        }
        return key not in lost and any(str(one) == key[1] for one in carrying(self.state))

    def _as_it_was(self, heap: Heap | None, stake: Stake | None) -> bool:
        if stake is None or heap is None:
            return stake is None and heap is None
        return stake.amount is None or heap.may_be(stake.amount)

    def _put_back(self, key: Key, heap: Heap | None) -> Iterator[Act]:
        """The ruling that nothing was wrong in the end: the chips are as before."""
        for one in self.state.open_violations:
            if one.rule in OF_BETS and one.seat == key[0]:
                act = Act(Verb.RULE, numbers=(one.found,), words=(str(Ruling.CORRECT),))
                before = stakes_by_key(self.state.play(act)).get(key)
                if self._as_it_was(heap, before):
                    yield act

    def _changed_late(self, key: Key, heap: Heap | None, has: int) -> Iterator[Act]:
        seat, on = key
        cards = (Card.parse(on),) if on else ()
        if self.state.start.level is Level.WHO:
            verb = Verb.WITHDRAW if heap is None else Verb.BET
            yield Act(verb, seat, cards=cards)
            return
        lies = heap.likely if heap else 0
        if heap is not None and not heap.exact:
            return
        verb = Verb.WITHDRAW if lies < has else Verb.BET
        yield Act(verb, seat, cards=cards, numbers=(abs(lies - has),))

    def _payment(self, seat: int, banker: int, own: Mapping[Key, Stake]) -> Iterator[Act]:
        """A payment, or a collection, that differs from what is due."""
        mark = (self.state.start.hand, seat)
        if self.state.start.level is not Level.AMOUNTS or not own or mark in self.right:
            return
        due = sum(one.due for one in own.values())
        if due and all(self._is_right(key, stake) for key, stake in own.items()):
            self.right.add(mark)
            yield from self._paid_after_all(seat, banker)
            return
        wrong = [key for key, stake in own.items() if self._is_wrong(key, stake)]
        # A dealer pays one bet after another: the last one has to be there.
        rested = min(map(self.rested, (*own, *self.chips.heaps)), default=0.0)
        if not wrong or rested < PAID_AFTER_S or all(self.chips.said(key) for key in wrong):
            return
        for key in own:
            self.chips.hold(key)
        payer, payee = (banker, seat) if due >= 0 else (seat, banker)
        paid = abs(sum(self._paid_on(key, stake, key in wrong) for key, stake in own.items()))
        if paid:
            yield Act(Verb.PAY, payer, numbers=(payee, paid))

    def _is_right(self, key: Key, stake: Stake) -> bool:
        heap, wanted = self.chips.heaps.get(key), (stake.amount or 0) + stake.due
        return heap.may_be(wanted) if heap is not None else wanted == 0

    def _is_wrong(self, key: Key, stake: Stake) -> bool:
        """Whether something other than what is due was paid or collected."""
        heap, has = self.chips.heaps.get(key), stake.amount or 0
        if heap is None or not heap.exact or self._is_right(key, stake):
            return False
        return heap.likely > has if stake.due >= 0 else heap.likely < has

    def _paid_on(self, key: Key, stake: Stake, wrong: bool) -> int:
        """What was paid on one stake; an unpaid stake is assumed to be paid yet."""
        return self.chips.total(key) - (stake.amount or 0) if wrong else stake.due

    def _paid_after_all(self, seat: int, banker: int) -> Iterator[Act]:
        """The ruling that a wrong payment was corrected."""
        for one in self.state.open_violations:
            act = self.state.acts[one.since - 1]
            if one.rule == WRONG_PAYMENT and {act.seat, act.amount} == {seat, banker}:
                yield Act(Verb.RULE, numbers=(one.found,), words=(str(Ruling.CORRECT),))


def carrying(state: State) -> tuple[Card, ...]:
    """The cards on the table that may carry bets."""
    places = state.game.betting_places(state.start)
    return tuple(card for one in places if one.beside for card in state.table.cards(one.beside))


def stakes_by_key(state: State) -> dict[Key, Stake]:
    """The chips on the table according to the record, added up by player and card."""
    found: dict[Key, Stake] = {}
    for one in state.game.stakes_lying(state):
        key, before = (one.seat, one.on), found.get((one.seat, one.on))
        if before is not None and one.amount is not None:
            total, due = (before.amount or 0) + one.amount, before.due
            # Next to cards, each bet is due its own; in front of a seat, all are due together.
            due += one.due if one.on else 0
            found[key] = Stake(one.place, total, one.seat, one.on, due)
        else:
            found[key] = one
    return found
