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
from vision.chips.seen import Lot, narrowed


def round_of(state: State) -> Round | None:
    """The betting round in progress, if amounts are kept."""
    return state.round if isinstance(state, PokerState) and state.pot is not None else None


@dataclass
class Wagers:
    """The chips in front of the seats: which of them were put in before the round in progress.

    Those are what the record says was put in by then, as far as nobody has swept it into the pot,
    and what lay there besides the antes.
    Chips may come before the cards that open a round are read, and count in that round all the
    same.
    """

    _hand: int = 0
    _left: dict[int, int] = field(default_factory=dict)
    """By seat, the chips of an earlier round, or of an ante, that nobody has swept in."""
    _put: Mapping[int, int] = field(default_factory=dict)
    """By seat, what was put in before this round, by the record."""
    _most: dict[int, int] = field(default_factory=dict)
    """By seat, the most chips seen there before the cards were dealt."""
    _owed: dict[int, int] = field(default_factory=dict)
    """By seat, how much of an ante has not been seen: the next chips there are that."""
    _lay: dict[int, int] = field(default_factory=dict)
    _known: dict[int, tuple[int, tuple[Lot, ...]]] = field(default_factory=dict)
    """By seat, the amount in front of it by the record, and the chips that were taken for that."""

    def see(self, state: State, heaps: Mapping[Key, Heap]) -> None:
        """Update from the chips there; to be called at each look, between the rounds too."""
        if not isinstance(state, PokerState) or state.pot is None:
            return
        lies = {seat: _lies(heaps.get((seat, ""))) for seat in state.start.seats}
        posting = any(one.verb is Verb.ANTE for one in state.turn)
        if self._hand != state.start.hand:
            self._begin(state, {} if posting else lies)
        if posting:
            self._most = {seat: max(lies[seat], self._most.get(seat, 0)) for seat in lies}
            return
        most, self._most = self._most, {}
        for seat in most:  # an ante may come a moment after the first card
            put, bet = state.put.get(seat, 0), _bet(state, seat)
            heap = heaps.get((seat, ""))
            more = max(0, heap.least - put - bet) if heap is not None else 0
            self._owed[seat] = min(put, max(0, put + bet - most[seat]))
            self._left[seat] = more - self._owed[seat]
        for seat, amount in lies.items():
            self._see(seat, amount, _bet(state, seat), state.put.get(seat, 0))
            self._note(seat, _bet(state, seat), heaps.get((seat, "")))
        self._put, self._lay = state.put, lies

    def _begin(self, state: PokerState, lies: Mapping[int, int]) -> None:
        """Forget the last hand; chips that already lie there may be of an earlier round."""
        self._hand, self._most, self._owed, self._lay = state.start.hand, {}, {}, {}
        self._known = {}
        self._put = state.put if lies else {}
        put = state.put
        self._left = {seat: min(lies[seat], put.get(seat, 0)) for seat in lies}

    def _see(self, seat: int, lies: int, bet: int, put: int) -> None:
        late = min(self._owed.get(seat, 0), max(0, lies - self._lay.get(seat, lies)))
        self._owed[seat] = self._owed.get(seat, 0) - late
        left = self._left.get(seat, 0) + put - self._put.get(seat, 0) + late
        self._left[seat] = max(0, min(left, lies - bet))

    def _note(self, seat: int, bet: int, heap: Heap | None) -> None:
        """Note which chips the recorded amount stands for, until others are seen."""
        amount, lots = bet + self._left[seat], heap.lots if heap is not None else ()
        known = self._known.get(seat)
        if known is None or known[0] != amount or narrowed(known[1], lots):
            self._known[seat] = amount, lots

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
            heap = heaps.get((seat, ""))
            if heap is not None and self._has_added(seat, heap):
                act = self._likeliest(state, now, seat, heap)
                if act is not None:
                    yield (*checks, act)
                return
            said = Act(Verb.FOLD if seat in gone else Verb.CHECK, seat)
            if not state.allows(said):
                return
            checks = (*checks, said)
            state = state.play(said)

    def _has_added(self, seat: int, heap: Heap) -> bool:
        """Whether a seat has put in more than the record says.

        A range that may be just that may be more if it is not the one that was taken for that.
        """
        amount, lots = self._known.get(seat, (0, ()))
        if not self.may_be_known(seat, heap):
            return heap.likely > amount
        return heap.most is not None and heap.most > amount and not narrowed(lots, heap.lots)

    def may_be_known(self, seat: int, heap: Heap) -> bool:
        """Whether chips of which only a range is known may be just what the record says."""
        return not heap.exact and heap.may_be(self._known.get(seat, (0, ()))[0])

    def _likeliest(self, state: State, round_: Round, seat: int, heap: Heap) -> Act | None:
        if heap.exact:
            return wager(round_, seat, heap.likely - self._left.get(seat, 0))
        return next(self.options(state, seat, heap), None)

    def options(self, state: State, seat: int, heap: Heap) -> Iterator[Act]:
        """What chips of which only a range is known may be by the rules, likeliest first."""
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


def _bet(state: PokerState, seat: int) -> int:
    """What a seat has put in during the round in progress, or as a blind before the first."""
    return state.round.bet(seat) if state.round is not None else state.blinds.get(seat, 0)


def _lies(heap: Heap | None) -> int:
    """The most that chips may be worth: of a range, nothing has gone while that may still lie."""
    if heap is None:
        return 0
    return heap.likely if heap.most is None else heap.most
