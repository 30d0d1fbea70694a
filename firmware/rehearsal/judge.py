"""Whether what was followed is what was dealt.

The judge knows both the world and the appliance's record, and reveals neither to the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from firmware.rehearsal.melds import as_named, names_dealt
from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.match import Hand, Match
from rules.settlement import Payment, Settlement
from rules.spots import Move
from rules.state import State
from rules.violations import Ruling

UNSEEN = frozenset({Verb.BET, Verb.RULE, Verb.DECLARE})
"""Acts that name a card without anybody seeing it."""


@dataclass
class Judge:
    """Compares a followed match with the one being dealt, act by act and hand by hand.

    `wrong` lists every misread card, even if it was corrected later. A card that somebody took and
    `put_back` at once, in a hand of that number, may have been told as a slip or not, and so may
    one that was `misplaced` for a moment: it lay in that place.
    """

    dealt: Match
    followed: Match
    put_back: Sequence[tuple[int, Move]] = ()
    misplaced: Sequence[tuple[int, Move]] = ()
    wrong: list[str] = field(default_factory=list)
    _looked: tuple[Act, ...] = ()

    def watch(self) -> None:
        """Check the acts taken in since the last call."""
        acts = self.followed.state.acts
        if acts is self._looked:
            return
        told, before = (Counter(_played_at_once(some)) for some in (acts, self._looked))
        fresh = list((told - before).elements())
        self._looked = acts
        for act in fresh:
            self.wrong += [f"hand {self._number}: {act}" for _ in self._misread(act)]

    @property
    def _number(self) -> int:
        return self.followed.state.start.hand

    def _misread(self, act: Act) -> Iterator[Card]:
        """The cards of `act` that did not move there, or not as often."""
        if act.verb in UNSEEN or act.down:
            return
        hand = next((h for h in self.dealt.hands if h.start.hand == self._number), None)
        dealt = hand.acts if hand else ()
        told = _played_at_once(self.followed.state.acts)
        names = names_dealt(told, dealt)
        (act,) = as_named((act,), names)
        moved = list(_moved(dealt, act))
        if act.verb is Verb.TAKE:
            moved += [move.card for move in self._put_back(self._number) if move.source == act.spot]
        else:
            for number, move in self.misplaced:
                moved += [move.card] * (number == self._number and move.target == _place(act))
        taken_in = list(_moved(as_named(told, names), act))
        for card in act.cards:
            if taken_in.count(card) > sum(card.covers(other) for other in moved):
                yield card

    def settled(self, number: int) -> bool:
        """Whether the hand came to the settlement that was dealt."""
        dealt, followed = self._hands(number)
        over = dealt is not None and followed is not None and followed.state.over
        return over and not any(_unlike_settled(dealt, followed))  # type: ignore[arg-type]

    def invented(self, number: int) -> list[str]:
        """Acts that stand in what was followed but never happened."""
        dealt, followed = self._hands(number)
        if followed is None:
            return []
        happened = [act.observed() for act in (dealt.acts if dealt else ())]
        stands = list(standing(followed.state))
        stands = as_named(stands, names_dealt(stands, happened))
        return list(map(str, unmatched(happened, stands)[1]))

    def _hands(self, number: int) -> tuple[Hand | None, Hand | None]:
        """The hand as dealt and as followed."""
        dealt, followed = (
            next((hand for hand in match.hands if hand.start.hand == number), None)
            for match in (self.dealt, self.followed)
        )
        return dealt, followed

    def differences(self, number: int) -> list[str]:
        """How hand `number` (from 1) as followed differs from the hand as dealt."""
        dealt, followed = self._hands(number)
        if dealt is None or followed is None or not followed.state.over:
            return [f"hand {number} was not followed to its end"]
        laid = [move for hand, move in self.misplaced if hand == number]
        return list(_differences(dealt, followed, self._put_back(number), laid))

    def _put_back(self, number: int) -> list[Move]:
        """The cards that were taken and put back at once in hand `number`."""
        return [move for hand, move in self.put_back if hand == number]


def _place(act: Act) -> str:
    return act.to or act.spot or str(act.seat)


def _moved(acts: Sequence[Act], like: Act) -> Iterator[Card]:
    """The cards that acts took from the same place as `like`, or laid or showed there."""
    for act in acts:
        taking = (act.verb is Verb.TAKE, like.verb is Verb.TAKE)
        if act.verb not in UNSEEN and _place(act) == _place(like) and taking[0] is taking[1]:
            yield from act.cards


def _differences(
    dealt: Hand, followed: Hand, put_back: Sequence[Move], misplaced: Sequence[Move]
) -> Iterator[str]:
    told = _told_at_once(followed.state, put_back, misplaced)
    acts = [
        act
        for number, act in enumerate(followed.state.acts, 1)
        if number not in told and not (act.verb is Verb.RULE and act.numbers[0] in told)
    ]
    happened = [act.observed() for act in dealt.state.acts]
    missed, invented = unmatched(happened, as_named(acts, names_dealt(acts, happened)))
    yield from (f"not followed: {act}" for act in missed)
    yield from (f"not dealt: {act}" for act in invented)
    yield from _unlike_settled(dealt, followed)
    if _rules(dealt.state) != _rules(followed.state, told):
        yield f"violations {_rules(followed.state, told)}, were {_rules(dealt.state)}"


def _told_at_once(state: State, put_back: Sequence[Move], misplaced: Sequence[Move]) -> set[int]:
    """The numbers of the acts that took cards wrongly which were put back, or laid cards where they
    were moved from at once: told, and corrected."""
    corrected = {
        act.numbers[0]
        for act in state.acts
        if act.verb is Verb.RULE and act.words[0] == Ruling.CORRECT and act.then is None
    }
    back = {(move.source, move.card) for move in put_back}
    laid = {(move.target, move.card if move.up else BACK) for move in misplaced}
    told = set[int]()
    for number in corrected:
        act = state.acts[number - 1]
        places = {(act.spot if act.verb is Verb.TAKE else _place(act), card) for card in act.cards}
        if places and places <= (back if act.verb is Verb.TAKE else laid):
            told.add(number)
    return told


def _unlike_settled(dealt: Hand, followed: Hand) -> Iterator[str]:
    was, taken = (_paid(hand.state.settlement) for hand in (dealt, followed))
    if was != taken:
        yield f"settled {taken.net}, was {was.net}"


def standing(state: State) -> Iterator[Act]:
    """The acts that stand: without rulings and counts of the pot, and with replacements in place of
    the acts replaced.

    If the hand was resumed from the table, what was followed after the moment at which it resumed
    no longer stands.
    """
    rulings = [act for act in state.acts if act.verb is Verb.RULE]
    instead = {act.numbers[0]: act.then for act in rulings if act.words[0] == Ruling.CORRECT}
    kept: list[int] = []
    for number, act in enumerate(state.acts, 1):
        if act.verb is Verb.RESUME:
            kept = [one for one in kept if one <= act.numbers[0]]
        elif act.verb not in (Verb.RULE, Verb.POT):
            kept.append(number)
    for number in kept:
        stands = instead.get(number, state.acts[number - 1])
        if stands is not None:
            yield stands


def unmatched(dealt: Sequence[Act], followed: Sequence[Act]) -> tuple[list[Act], list[Act]]:
    """The acts of each list that have no counterpart in the other.

    Acts of one simultaneous step may come in any order; cards added or lent to a meld count the
    same whether laid at once or one by one, and a card played at once whether or not it is told
    that it was drawn; a card read in part agrees with any that it may be, if only that part counts.
    """
    missed, invented = [], list(_one_by_one(_played_at_once(followed)))
    for act in _one_by_one(_played_at_once(dealt)):
        fit = next((other for other in invented if alike(act, other)), None)
        if fit is None:
            missed.append(act)
        else:
            invented.remove(fit)
    return _melded(missed, invented)


def _melded(missed: list[Act], invented: list[Act]) -> tuple[list[Act], list[Act]]:
    """Both lists without melds that were laid down whole in one and built up in the other."""
    for seat in {act.seat for act in missed if act.verb is Verb.MELD}:
        parts = [
            [act for act in acts if act.seat == seat and act.verb in (Verb.MELD, Verb.LAY)]
            for acts in (missed, invented)
        ]
        one, other = (Counter(card for act in part for card in act.cards) for part in parts)
        if one == other and any(act.verb is Verb.MELD for act in parts[1]):
            missed = [act for act in missed if not any(act is part for part in parts[0])]
            invented = [act for act in invented if not any(act is part for part in parts[1])]
    return missed, invented


def _played_at_once(acts: Sequence[Act]) -> list[Act]:
    """The acts without draws of open cards that the same player plays before anybody else acts."""
    return [act for number, act in enumerate(acts) if not _is_played(act, acts[number + 1 :])]


def _is_played(drawn: Act, then: Iterable[Act]) -> bool:
    """Whether one act draws open cards that one of the next, by the same player, plays."""
    if drawn.verb is not Verb.DRAW or drawn.down or not drawn.cards:
        return False
    turn = takewhile(lambda act: act.seat == drawn.seat, then)
    return any(set(drawn.cards) <= set(act.cards) for act in turn)


def _one_by_one(acts: Sequence[Act]) -> Iterator[Act]:
    for act in _heaped(acts):
        several = act.verb in (Verb.LAY, Verb.MOVE) and len(act.cards) > 1
        yield from (act.with_cards((card,)) for card in act.cards) if several else (act,)


def _heaped(acts: Sequence[Act]) -> Iterator[Act]:
    """Merge one player's bets on one card before bets are closed: their chips are one heap."""
    open_: dict[tuple[int | None, tuple[Card, ...]], Act] = {}
    for act in acts:
        key = act.seat, act.cards
        if act.verb is Verb.BET and act.numbers:
            before = open_.get(key)
            total = act.numbers[0] + (before.numbers[0] if before else 0)
            open_[key] = replace(act, numbers=(total,))
            continue
        if act.verb in (Verb.CLOSE, Verb.DEAL):
            yield from open_.values()
            open_ = {}
        yield act
    yield from open_.values()


def alike(one: Act, other: Act) -> bool:
    """Whether two acts agree as far as their cards are known, in any order."""
    if one.with_cards(()) != other.with_cards(()) or len(one.cards) != len(other.cards):
        return False
    left = list(other.cards)
    for card in one.cards:
        fit = card if card in left else next((c for c in left if _same(c, card)), None)
        if fit is None:
            return False
        left.remove(fit)
    return True


def _same(one: Card, other: Card) -> bool:
    return one.hidden is other.hidden and one.covers(other)


def _paid(settlement: Settlement) -> Settlement:
    """The settlement without what does not count: the order, and the suits of cards."""
    bare = [(p.payer or 0, p.payee or 0, p.amount or 0, p.reason, p) for p in settlement.payments]
    ordered = sorted(bare, key=lambda entry: entry[:4])
    plain = [type(p)(p.payer, p.payee, p.amount, p.reason, p.rate) for *_, p in ordered]
    return Settlement(tuple(_together(plain)))


def _together(payments: Sequence[Payment]) -> Iterator[Payment]:
    """Merge payments by and to the same seats for the same reason, if amounts are kept."""
    sums: dict[object, Payment] = {}
    for one in payments:
        key = one.payer, one.payee, one.reason, one.rate, one.amount is None or None
        before = sums.get(key)
        if one.amount is None:
            yield one
        else:
            sums[key] = replace(one, amount=one.amount + ((before and before.amount) or 0))
    yield from sums.values()


def _rules(state: State, without: Collection[int] = ()) -> list[tuple[str, str | None]]:
    """The rules broken and the rulings, but for those of some acts."""
    broken = (v for v in state.violations if v.since not in without)
    return sorted((v.rule, str(v.ruling) if v.ruling else "") for v in broken)
