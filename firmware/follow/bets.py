"""Chips at rest become acts: bets, what is done to them against the rules, and pay-outs.

While bets are open, what lies there is the bet to be, and people may change their minds: it is
taken in when bets are closed, by a word or by the next card. Afterwards chips that come or go are
told. Once a bet is settled, what is paid and collected is held against what is due. What a person
says of chips holds until these are moved.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from firmware.display.pads import SAID
from firmware.display.prompts import Option, Question, Speaks, act_phrase
from firmware.follow.choices import certain
from firmware.follow.heaps import OWN, POT, Ground, Heap, Key, heaps
from firmware.follow.panel import Panel
from firmware.follow.taking import NOTICE_S
from firmware.follow.wagers import Wagers, anted, round_of
from firmware.store.ledger import ASKED, CAMERA, Ledger, Step
from rules.acts import Act, Verb
from rules.cards import Card
from rules.chips import Stake, open_for_bets
from rules.errors import ActError
from rules.phrases import Phrase
from rules.start import Level
from rules.state import State
from rules.violations import Ruling
from vision.picture.geometry import Point
from vision.sightings import Seen

LATE_AFTER_S = 1.2
"""Chips that should not have moved are told once they have lain so for this long: a dealer makes
change in less. A choice; `python -m tests.chip_tables` judges it."""
PAID_AFTER_S = 2.5
"""The same for a wrong payment: many are made in two movements. A choice, judged likewise."""
UNSETTLED_MOST_S = 4.0
"""How long a card that closes the bets waits for chips still being laid. A choice: a hand that
rests over them leaves within as much."""
CHANGED_AFTER_S = 0.8
"""Chips have to have lain so long for others in their place to be change: people still count. A
choice, judged likewise."""
OF_BETS = frozenset({"bets.closed", "bets.capped", "bets.pinched"})
"""The rules that are kept again once the chips lie as they lay."""
WRONG_PAYMENT = "bets.wrong-payment"


_Lot = tuple[str, int, int]
"""Chips of one value in one stack: the value, and how many there are at least and at most."""


@dataclass
class _Kept:
    """What is remembered of the chips at a place: since when they lie so, and what was said."""

    chips: tuple[_Lot, ...] = ()
    since: float = 0.0
    said: bool = False
    """Whether a person, or the record, has the last word on them as they lie."""


@dataclass(frozen=True)
class _Laid:
    """A state, the bets that lie there, and the state with them."""

    before: State
    acts: tuple[Act, ...]
    after: State


@dataclass
class ChipsInSight:
    """The chips at rest, by whose they are; `seats` says where in the picture each seat is."""

    seats: Mapping[int, Point] = field(default_factory=dict)
    heaps: dict[Key, Heap] = field(default_factory=dict)
    changed: tuple[int, int, int] | None = None
    """The last wrong change: whose chips, what they got and what for."""
    _ground: Ground = field(default_factory=Ground)
    _kept: defaultdict[Key, _Kept] = field(default_factory=lambda: defaultdict(_Kept))

    def see(self, state: State, seen: Seen, now: float) -> None:
        """Take in what lies there."""
        self.heaps = heaps(state, seen, self.seats, self._ground)
        for key in {*self.heaps, *self._kept}:
            heap = self.heaps.get(key)
            chips = tuple((one.value, one.least, one.most) for one in heap.chips) if heap else ()
            if chips != self._kept[key].chips:
                if now - self._kept[key].since >= CHANGED_AFTER_S:
                    self._note_change(key, self._kept[key].chips, chips)
                self._kept[key] = _Kept(chips, now)

    def _note_change(self, key: Key, before: tuple[_Lot, ...], after: tuple[_Lot, ...]) -> None:
        """Note chips that were exchanged for others of another worth."""
        if key[0] is None or not all(least == most for _, least, most in (*before, *after)):
            return
        was, lies = (Counter({value: n for value, n, _ in lots}) for lots in (before, after))
        gone, came = was - lies, lies - was
        if not gone or not came:
            return
        given, due = _worth(came), _worth(gone)
        small, large = sorted((gone, came), key=lambda lots: max(map(_number, lots)))
        finer = max(map(_number, small)) < min(map(_number, large))
        if finer and given != due and abs(given - due) < max(map(_number, large)):
            self.changed = (key[0], given, due)

    def rested(self, key: Key, now: float) -> float:
        """How long they have lain as they lie, in seconds."""
        return now - self._kept[key].since

    def hold(self, key: Key) -> None:
        """Let what was said of these chips hold until they are moved."""
        self._kept[key].said = True

    def said(self, key: Key) -> bool:
        """Whether somebody has said what they are."""
        return self._kept[key].said

    def total(self, key: Key) -> int:
        """What they are likeliest worth."""
        return self.heaps[key].likely if key in self.heaps else 0


class Bets(Panel):
    """Takes chips in; without eyes for chips all is as it was."""

    def __init__(self, ledger: Ledger, texts: Speaks) -> None:
        super().__init__(ledger, texts)
        self.chips = ChipsInSight()
        self._looks_for_chips = False
        self._laid: _Laid | None = None
        self._waits_since: float | None = None
        self._right: set[tuple[int, int]] = set()
        self._agrees_since: float | None = None
        self._wagers = Wagers()
        self._posted: dict[int, int] = {}
        """The most that lay before each seat while all had to put in."""
        self._postponed: tuple[tuple[Step, ...], str] | None = None
        """What closes the bets once the chips lie still."""

    def _agreed(self) -> None:
        """Note that the cards lie as the record has them: what chips do is judged only then."""
        if self._agrees_since is None:
            self._agrees_since = self.now

    def _rested(self, key: Key) -> float:
        """How long chips and cards have lain as they lie, in seconds."""
        if self._agrees_since is None:
            return 0.0
        return min(self.chips.rested(key, self.now), self.now - self._agrees_since)

    @property
    def chips_lying(self) -> Iterator[Phrase]:
        """What lies before whom, on which card, and in the pot, as the chips are seen."""
        for (seat, on), heap in sorted(self.chips.heaps.items(), key=str):
            cards = (Card.parse(on),) if on else ()
            if heap.amounts:
                yield Phrase.of("facts.chips", seat=seat or 0, amount=heap.likely, cards=cards)

    # Open bets.

    def _laid_bets(self, *, likely: bool = False) -> tuple[Act, ...]:
        """The bets that the chips come to, with `likely` those that are to be asked about."""
        if not self._looks_for_chips or not open_for_bets(self.state):
            return ()
        return tuple(self._open_acts(likely=likely))

    def _open_acts(self, *, likely: bool) -> Iterator[Act]:
        lain = stakes_by_key(self.state)
        bettable = {seat for one in self.state.turn if one.verb is Verb.BET for seat in one.seats}
        for key in sorted({*lain, *self.chips.heaps}, key=str):
            heap, stake = self.chips.heaps.get(key), lain.get(key)
            if key[0] is None or self.chips.said(key) or key[0] == self.state.start.banker:
                continue
            if heap is not None and not heap.exact and not likely:
                continue
            if stake is None and key[0] not in bettable:
                continue
            yield from self._changed(key, heap, stake)

    def _changed(self, key: Key, heap: Heap | None, stake: Stake | None) -> Iterator[Act]:
        """The acts by which a stake becomes what lies there."""
        seat, on = key
        cards = (Card.parse(on),) if on else ()
        if any(card not in self._carrying() for card in cards):
            return
        if self.state.start.level is Level.WHO:
            if heap and not stake:
                yield Act(Verb.BET, seat, cards=cards)
            elif stake and not heap:
                back = Act(Verb.WITHDRAW, seat, cards=cards)
                yield from (back,) if self.state.allows(back) else ()
            return
        has = (stake.amount or 0) if stake else 0
        lies = heap.likely if heap else 0
        if heap is not None and heap.may_be(has) and has:
            return
        bet = Act(Verb.BET, seat, cards=cards, numbers=(lies - has,))
        parts = tuple(self._within_limits(bet)) if lies > has else ()
        if parts and (not has or _lawful(self.state, parts)):
            yield from parts
        elif lies != has:
            less = has if lies > has else has - lies
            back = Act(Verb.WITHDRAW, seat, cards=cards, numbers=(less,))
            if not self.state.allows(back):
                return
            yield back
            if lies > has:
                yield Act(Verb.BET, seat, cards=cards, numbers=(lies,))

    def _within_limits(self, bet: Act) -> Iterator[Act]:
        """A bet, or the several that chips on a card may be where each bet has its limit."""
        amount = bet.amount or 0
        fits = [one for one in self.state.turn if one.verb is Verb.BET and bet.seat in one.seats]
        most = max((one.numbers[1] for one in fits if one.numbers), default=amount)
        if not bet.cards or amount <= most:
            yield bet
            return
        parts = -(-amount // most)
        share, odd = divmod(amount, parts)
        shares = [share + (number < odd) for number in range(parts)]
        several = [Act(Verb.BET, bet.seat, cards=bet.cards, numbers=(one,)) for one in shares]
        lawful = _lawful(self.state, several)
        yield from several if lawful else (bet,)

    def _carrying(self) -> tuple[Card, ...]:
        """The cards on the table that may carry bets."""
        places = self.state.game.betting_places(self.state.start)
        return tuple(c for one in places if one.beside for c in self.state.table.cards(one.beside))

    @property
    def _as_laid(self) -> State:
        """The state with the bets as they lie: what closes them is looked at from there."""
        laid = self._laid_bets(likely=True)
        if not laid:
            return self.state
        if self._laid is None or self._laid.before is not self.state or self._laid.acts != laid:
            self._laid = _Laid(self.state, laid, _played(self.state, laid))
        return self._laid.after

    def _closes(self, steps: Sequence[Step]) -> bool:
        """Whether these acts, done next, close the bets."""
        state = self._as_laid
        for step in steps:
            try:
                state = state.play(step.act)
            except ActError:
                return False
            if not open_for_bets(state):
                return True
        return False

    def _take(self, steps: Sequence[Step], by: str) -> bool:
        """Take acts in; of bets that they close, what lies there is taken in first."""
        if by != CAMERA and self._waits_for_chips(steps):
            self._postponed = tuple(steps), by
            return True
        laid = self._laid_bets(likely=True)
        said = {(step.act.seat, step.act.cards) for step in steps if step.act.verb is Verb.BET}
        if not laid or not self._closes(steps):
            known = self.state
            taken = super()._take(steps, by)
            if taken and by != CAMERA:
                self._hold(steps)
            if taken and any(step.act.verb is Verb.ANTE for step in steps):
                self._tell_short(known)
            return taken
        if self._asks_first():
            return False
        before = [Step(act) for act in laid if (act.seat, act.cards) not in said]
        return super()._take((*before, *steps), by)

    def _waits_for_chips(self, steps: Sequence[Step]) -> bool:
        """Whether somebody closes the bets while the last chips are still being laid."""
        if not self._looks_for_chips or self.seen is None or not open_for_bets(self.state):
            return False
        return self._unsettled(self.seen) and self._closes(steps)

    def _hold(self, steps: Sequence[Step]) -> None:
        """What a person says of chips holds for as long as these lie as they lie."""
        for step in steps:
            act = step.act
            if act.verb in (Verb.BET, Verb.WITHDRAW, Verb.CALL, Verb.RAISE, Verb.CHECK):
                self.chips.hold((act.seat, str(act.card) if act.cards else ""))
            if act.verb is Verb.RULE:
                for key in self.chips.heaps:
                    self.chips.hold(key)

    def _unsettled(self, seen: Seen) -> bool:
        """Whether chips are still being laid, for no longer than people take to do so."""
        taking = open_for_bets(self.state) or round_of(self.state) is not None
        if seen.chips is None or not seen.chips.busy or not taking:
            self._waits_since = None
            return False
        if self._waits_since is None:
            self._waits_since = self.now
        return self.now - self._waits_since < UNSETTLED_MOST_S

    # Questions.

    def _asks_first(self) -> bool:
        """Ask about a bet whose amount or owner the camera cannot tell, if there is one."""
        for key, heap in sorted(self.chips.heaps.items(), key=str):
            if not heap.exact and not self.chips.said(key) and heap.seats:
                options = tuple(self._options(heap))
                if options:
                    self._ask_of(heap, options)
                    return True
        return False

    def _ask_of(self, heap: Heap, options: tuple[Option, ...]) -> None:
        chips = tuple((one.value, one.least, one.most) for one in heap.chips)
        key = ("bet", heap.seats, heap.on, chips, self.state.start.hand)
        if self.question is not None and self.question.key == key:
            return
        whose = Phrase.of("ask.bet", seat=heap.seat)
        phrase = whose if len(heap.seats) < 2 else Phrase("ask.owner")
        self.question = Question(phrase, options, key, by_hand=True)
        self.ledger.note(ASKED, about="bet")
        self._say(phrase, "tick")

    def _options(self, heap: Heap) -> Iterator[Option]:
        """The bets that it may be, the likeliest first."""
        lain, cards = stakes_by_key(self.state), (Card.parse(heap.on),) if heap.on else ()
        for seat in heap.seats:
            stake = lain.get((seat, heap.on))
            has = (stake.amount or 0) if stake else 0
            amounts = [one - has for one in heap.amounts if one > has] or [0]
            for amount in amounts if self.state.start.level is Level.AMOUNTS else [0]:
                act = Act(Verb.BET, seat, cards=cards, numbers=(amount,) if amount else ())
                if self.state.allows(act):
                    yield Option(act_phrase((act,)), (act,))

    # Bets that stand.

    def _look_at_chips(self, seen: Seen) -> bool:
        """Take in what became of the chips; whether that was anything."""
        self._looks_for_chips = seen.chips is not None and self.state.start.level is not Level.NONE
        if not self._looks_for_chips:
            return False
        self.chips.see(self.state, seen, self.now)
        self._tell_change()
        if any(one.verb is Verb.ANTE for one in self.state.turn):
            for seat in self.state.start.seats:
                laid = self.chips.total((seat, ""))
                self._posted[seat] = max(laid, self._posted.get(seat, 0))
        if self._postponed is not None and not self._unsettled(seen):
            (steps, by), self._postponed = self._postponed, None
            return self._take(steps, by)
        if self.question is not None or self.state.over:
            return False
        if round_of(self.state) is not None:
            return self._look_at_wagers()
        act, said = next(self._irregular(), None), self._shown_by_paying()
        if act is None:
            return False
        self._agrees_since = None
        if said is not None:
            return self._take([Step(said, implied=True)], CAMERA)
        key = (act.seat, str(act.card) if act.cards else "")
        self._take([Step(act)], CAMERA)
        if act.verb is not Verb.RULE:
            self.chips.hold(key)
        return True

    def _look_at_wagers(self) -> bool:
        """Take in what somebody has put in; whether that was anything."""
        self._wagers.see(self.state, self.chips.heaps)
        acts = next(self._wagers.acts(self.state, self.chips.heaps, self._gone()), None)
        if acts is None:
            return False
        *checks, act = acts
        if self._giving_up({one.seat for one in checks}):
            return False
        key = (act.seat, "")
        heap = self.chips.heaps[key]
        if self.chips.said(key):
            return False
        if not heap.exact and act.seat is not None:
            told = (*checks,)
            likely = self._wagers.options(_played(self.state, told), act.seat, heap)
            self._ask_of(heap, tuple(Option(act_phrase((one,)), (*told, one)) for one in likely))
            return True
        lawful = _lawful(self.state, acts)
        if not lawful and self._rested(key) < LATE_AFTER_S:
            return False
        steps = [*(Step(one, implied=one.verb is Verb.CHECK) for one in checks), Step(act)]
        return self._take(steps, CAMERA)

    def _gone(self) -> frozenset[int]:
        """The seats whose cards have left their places."""
        if self.seen is None:
            return frozenset()
        full, seen = set[int](), set[int]()
        for name, spot in self.state.spots.items():
            if spot.owner is not None and self.state.table.at(name) and name in self.seen.spots:
                full.add(spot.owner)
                if self.seen.spots[name] or name in self.seen.busy:
                    seen.add(spot.owner)
        return frozenset(full - seen)

    def _giving_up(self, seats: Collection[int | None]) -> bool:
        """Whether a hand is over cards of somebody who may have folded, and not checked."""
        busy = self.seen.busy if self.seen is not None else frozenset()
        return any(self.state.spots[name].owner in seats for name in busy & self.state.spots.keys())

    def _tell_short(self, before: State) -> None:
        """Tell who has not put in what all had to, or how much the pot lacks."""
        found, due = self.chips.heaps, anted(before, self.state)
        if not self._looks_for_chips or not due or not all(one.exact for one in found.values()):
            return
        lie, self._posted = {seat: self._posted.get(seat, 0) for seat in due}, {}
        there = sum(self.chips.total((seat, "")) for seat in due)
        total, wanted = there + self.chips.total(POT), sum(due.values()) + self.state.start.pot
        short = [seat for seat, chips in due.items() if lie[seat] < chips]
        if total >= wanted or not short:
            return
        phrase = Phrase.of("chips.ante", seat=short[0], amount=lie[short[0]], due=due[short[0]])
        if len(short) > 1 and self.chips.total(POT) > self.state.start.pot:
            phrase = Phrase.of("chips.pot", amount=total, due=wanted)
        self.notice = (phrase, self.now + NOTICE_S)
        self._say(phrase, "error")

    def _tell_change(self) -> None:
        """Tell that somebody has got more or less than their chips were worth."""
        if self.chips.changed is not None:
            seat, given, due = self.chips.changed
            self.chips.changed = None
            phrase = Phrase.of("chips.change", seat=seat, amount=given, due=due)
            self.notice = (phrase, self.now + NOTICE_S)
            self._say(phrase, "error")

    def _irregular(self) -> Iterator[Act]:
        """What has become of bets since they were closed, if it is told."""
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
        """While more bets are taken, only those that stand may not be taken away."""
        for key, stake in stakes.items():
            heap = self.chips.heaps.get(key)
            if self.chips.said(key) or self._rested(key) < LATE_AFTER_S:
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
            if self.chips.said(key) or self._rested(key) < LATE_AFTER_S:
                continue
            if key[1] and stake is None and not self._may_carry(key):
                continue
            has = (stake.amount or 0) if stake else 0
            if self._as_it_was(heap, stake):
                continue
            yield from self._put_back(key, heap)
            yield from self._changed_late(key, heap, has)

    def _may_carry(self, key: Key) -> bool:
        """Whether a bet may lie on this card that is not one already lost to the bank."""
        lost = {
            (one.payer, str(card)) for one in self.state.settlement.payments for card in one.cards
        }
        return key not in lost and any(str(one) == key[1] for one in self._carrying())

    def _as_it_was(self, heap: Heap | None, stake: Stake | None) -> bool:
        if stake is None or heap is None:
            return stake is None and heap is None
        return stake.amount is None or heap.may_be(stake.amount)

    def _put_back(self, key: Key, heap: Heap | None) -> Iterator[Act]:
        """The ruling that nothing was wrong in the end: the chips lie as they lay before."""
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

    # Settled bets.

    def _shown_by_paying(self) -> Act | None:
        """The word that has settled the bets, where what is paid or collected shows it."""
        due = certain(self.state)
        if due is None or due.cards or due.verb not in SAID or open_for_bets(self.state):
            return None
        after = self.state.play(due)
        if after.phase != "paying":
            return None
        for key, stake in stakes_by_key(after).items():
            more = self.chips.total(key) - (stake.amount or 0)
            if more * stake.due > 0:
                return due
        return None

    def _payment(self, seat: int, banker: int, own: Mapping[Key, Stake]) -> Iterator[Act]:
        """A payment, or a collection, that is not what is due."""
        mark = (self.state.start.hand, seat)
        if self.state.start.level is not Level.AMOUNTS or not own or mark in self._right:
            return
        due = sum(one.due for one in own.values())
        if due and all(self._is_right(key, stake) for key, stake in own.items()):
            self._right.add(mark)
            yield from self._paid_after_all(seat, banker)
            return
        wrong = [key for key, stake in own.items() if self._is_wrong(key, stake)]
        # A dealer pays one bet after the other: the last one has to lie there.
        rested = min(map(self._rested, (*own, *self.chips.heaps)), default=0.0)
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
        """Whether something else was paid or collected than is due."""
        heap, has = self.chips.heaps.get(key), stake.amount or 0
        if heap is None or not heap.exact or self._is_right(key, stake):
            return False
        return heap.likely > has if stake.due >= 0 else heap.likely < has

    def _paid_on(self, key: Key, stake: Stake, wrong: bool) -> int:
        """What was paid on one stake; what lies there unpaid is taken for still to come."""
        return self.chips.total(key) - (stake.amount or 0) if wrong else stake.due

    def _paid_after_all(self, seat: int, banker: int) -> Iterator[Act]:
        """The ruling that a wrong payment was put right."""
        for one in self.state.open_violations:
            act = self.state.acts[one.since - 1]
            if one.rule == WRONG_PAYMENT and {act.seat, act.amount} == {seat, banker}:
                yield Act(Verb.RULE, numbers=(one.found,), words=(str(Ruling.CORRECT),))


def _number(value: str) -> int:
    """What a chip of that name is worth."""
    number = value.partition(OWN)[0]
    return int(number) if number.isdecimal() else 1


def _worth(lots: Counter[str]) -> int:
    return sum(_number(value) * count for value, count in lots.items())


def stakes_by_key(state: State) -> dict[Key, Stake]:
    """The chips that lie by the record, those of one player on one card together."""
    found: dict[Key, Stake] = {}
    for one in state.game.stakes_lying(state):
        key, before = (one.seat, one.on), found.get((one.seat, one.on))
        if before is not None and one.amount is not None:
            total, due = (before.amount or 0) + one.amount, before.due
            # Beside cards each bet is due its own; before a seat, all are due together.
            due += one.due if one.on else 0
            found[key] = Stake(one.place, total, one.seat, one.on, due)
        else:
            found[key] = one
    return found


def _lawful(state: State, acts: Sequence[Act]) -> bool:
    """Whether acts may come one after the other."""
    for act in acts:
        if not state.allows(act):
            return False
        state = state.play(act)
    return True


def _played(state: State, acts: Sequence[Act]) -> State:
    for act in acts:
        try:
            state = state.play(act)
        except ActError:
            continue
    return state
