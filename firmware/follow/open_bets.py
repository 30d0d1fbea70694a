"""Bets while they are open: the acts that the chips amount to, and what is asked about them.

Chips whose amount or owner the camera cannot be sure about become a question; an answer, or a
dismissal, holds for as long as the chips are not moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firmware.display.prompts import Option, Question, act_phrase
from firmware.follow.chips_in_sight import ChipsInSight
from firmware.follow.choices import other_amount
from firmware.follow.heaps import Heap, Key
from firmware.follow.standing_bets import carrying, stakes_by_key
from rules.acts import Act, Verb
from rules.cards import Card
from rules.chips import Stake
from rules.errors import ActError
from rules.phrases import Phrase
from rules.start import Level
from rules.state import State

ABOUT_BET = "bet"
"""The prefix of the keys of questions about chips."""
OTHERWISE_MOST = 1000
"""Largest amount that can be given instead of those offered, if the game has no limit. A choice:
chips that a camera sees singly are worth less.
"""


@dataclass(frozen=True)
class OpenBets:
    """The visible chips, and the bets recorded from them so far."""

    state: State
    chips: ChipsInSight

    def acts(self, *, likely: bool = False) -> Iterator[Act]:
        """The acts that turn the recorded bets into the chips there, doubtful too if `likely`."""
        for key, heap, stake in self._open():
            if likely or heap is None or not self._doubtful(heap):
                yield from self._becoming(key, stake, heap.likely if heap else 0, heap)

    def doubts(self) -> Iterator[tuple[Key, Heap]]:
        """The chips whose amount or owner has to be asked, first those whose answer settles most
        others."""
        doubts = []
        for key, heap, stake in self._open():
            if heap is None or not self._doubtful(heap):
                continue
            unknown = not heap.plain or heap.most is None
            if unknown or any(self._becoming(key, stake, heap.likely, heap)):
                doubts.append((key, heap))
        yield from sorted(doubts, key=lambda one: -one[1].settles)

    def question(self, heap: Heap) -> Question | None:
        """The question about such chips; the likeliest answers come first, and none is missing."""
        options = [
            one
            for seat in heap.seats
            for on in heap.cards or ("",)
            for one in self._options((seat, on), heap)
        ]
        if not options:
            return None
        return Question(_asked_of(heap), tuple(options), self.subject(heap), by_hand=True)

    def subject(self, heap: Heap) -> object:
        """The key of a question about these chips."""
        return ABOUT_BET, heap.seats, heap.cards, heap.lots, self.state.start.hand

    def _open(self) -> Iterator[tuple[Key, Heap | None, Stake | None]]:
        """Whose chips may be bet on what, with the chips there and their recorded part."""
        lain = stakes_by_key(self.state)
        bettable = {seat for one in self.state.turn if one.verb is Verb.BET for seat in one.seats}
        for key in sorted({*lain, *self.chips.heaps}, key=str):
            heap, stake = self.chips.heaps.get(key), lain.get(key)
            if key[0] is None or self.chips.said(key) or key[0] == self.state.start.banker:
                continue
            known = stake is not None or key[0] in bettable
            if known and all(card in carrying(self.state) for card in _cards(key[1])):
                yield key, heap, stake

    def _doubtful(self, heap: Heap) -> bool:
        return not heap.plain or (self._counted and not heap.exact)

    @property
    def _counted(self) -> bool:
        return self.state.start.level is Level.AMOUNTS

    def _becoming(
        self, key: Key, stake: Stake | None, lies: int, heap: Heap | None = None
    ) -> Iterator[Act]:
        """The acts that bring a stake to the amount `lies`; none if the `heap` may be that."""
        seat, on = key
        if not self._counted:
            yield from self._presence(key, stake, there=lies > 0 or heap is not None)
            return
        has = (stake.amount or 0) if stake else 0
        if heap is not None and heap.may_be(has) and has:
            return
        bet = Act(Verb.BET, seat, cards=_cards(on), numbers=(lies - has,))
        parts = tuple(self._within_limits(bet)) if lies > has else ()
        if parts and (not has or lawful_one_by_one(self.state, parts)):
            yield from parts
        elif lies != has:
            less = has if lies > has else has - lies
            back = Act(Verb.WITHDRAW, seat, cards=_cards(on), numbers=(less,))
            if not self.state.allows(back):
                return
            yield back
            if lies > has:
                yield Act(Verb.BET, seat, cards=_cards(on), numbers=(lies,))

    def _presence(self, key: Key, stake: Stake | None, *, there: bool) -> Iterator[Act]:
        """The same if only the bettors are kept."""
        seat, on = key
        if there and not stake:
            yield Act(Verb.BET, seat, cards=_cards(on))
        elif stake and not there:
            back = Act(Verb.WITHDRAW, seat, cards=_cards(on))
            yield from (back,) if self.state.allows(back) else ()

    def _within_limits(self, bet: Act) -> Iterator[Act]:
        """One bet, or several if the chips on a card exceed the limit of a bet."""
        amount, most = bet.amount or 0, self._limit(bet)
        if not bet.cards or most is None or amount <= most:
            yield bet
            return
        parts = -(-amount // most)
        share, odd = divmod(amount, parts)
        shares = [share + (number < odd) for number in range(parts)]
        several = [Act(Verb.BET, bet.seat, cards=bet.cards, numbers=(one,)) for one in shares]
        yield from several if lawful_one_by_one(self.state, several) else (bet,)

    def _limit(self, bet: Act) -> int | None:
        fits = [one for one in self.state.turn if one.verb is Verb.BET and bet.seat in one.seats]
        return max((one.numbers[1] for one in fits if one.numbers), default=None)

    def _options(self, key: Key, heap: Heap) -> Iterator[Option]:
        """The bets that it may be, if it belongs to this seat and is on this card."""
        seat, on = key
        stake = stakes_by_key(self.state).get(key)
        if not self._counted:
            acts = tuple(self._becoming(key, stake, 1))
            yield from (Option(act_phrase(acts), acts),) if acts else ()
            return
        for amount in heap.amounts:
            acts = tuple(self._becoming(key, stake, amount))
            if acts:
                plain = len(acts) == 1 and acts[0].amount == amount
                phrase = act_phrase(acts) if plain else lying(key, amount)
                yield Option(phrase, acts)
        bet = Act(Verb.BET, seat, cards=_cards(on), numbers=(1,))
        if stake is None and heap.plain:
            yield other_amount(self.state, bet, self._limit(bet) or OTHERWISE_MOST)


def _asked_of(heap: Heap) -> Phrase:
    """The unknown about such chips: whose they are, on which card, or how much."""
    if len(heap.seats) > 1:
        return Phrase("ask.owner")
    return Phrase.of("ask.bet" if len(heap.cards) < 2 else "ask.card", seat=heap.seat)


def lying(key: Key, amount: int) -> Phrase:
    """How many chips are there, and whose they are."""
    return Phrase.of("facts.chips", seat=key[0] or 0, amount=amount, cards=_cards(key[1]))


def lawful_one_by_one(state: State, acts: Sequence[Act]) -> bool:
    """Whether acts may come one after another."""
    for act in acts:
        if not state.allows(act):
            return False
        state = state.play(act)
    return True


def played(state: State, acts: Sequence[Act]) -> State:
    """The state after those of the acts that have a meaning."""
    for act in acts:
        try:
            state = state.play(act)
        except ActError:
            continue
    return state


def _cards(on: str) -> tuple[Card, ...]:
    return (Card.parse(on),) if on else ()
