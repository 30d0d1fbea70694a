"""Chips at rest become acts: bets, what is done to them against the rules, and pay-outs.

While bets are open, what lies there is the bet to be, and people may change their minds: it is
taken in when bets are closed, by a word or by the next card. Afterwards chips that come or go are
told. Once a bet is settled, what is paid and collected is held against what is due. What a person
says of chips holds until these are moved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from firmware.display.pads import SAID
from firmware.display.prompts import Option, Question, Speaks, act_phrase
from firmware.follow.chips_in_sight import ChipsInSight
from firmware.follow.choices import certain
from firmware.follow.heaps import POT, Heap, Key
from firmware.follow.panel import Panel
from firmware.follow.standing_bets import LATE_AFTER_S, StandingBets, carrying, stakes_by_key
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
from vision.sightings import Seen

UNSETTLED_MOST_S = 4.0
"""How long a card that closes the bets waits for chips still being laid. A choice: a hand that
rests over them leaves within as much."""


@dataclass(frozen=True)
class _Laid:
    """A state, the bets that lie there, and the state with them."""

    before: State
    acts: tuple[Act, ...]
    after: State


class Bets(Panel):
    """Takes chips in; without eyes for chips all is as it was."""

    def __init__(self, ledger: Ledger, texts: Speaks) -> None:
        super().__init__(ledger, texts)
        self.chips = ChipsInSight()
        self._looks_for_chips = False
        self._laid: _Laid | None = None
        self._waits_since: float | None = None
        self._right: set[tuple[int, int]] = set()
        """The hands, and the seats in them, whose payments have been right."""
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
        if any(card not in carrying(self.state) for card in cards):
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
        key = ("bet", heap.seats, heap.on, heap.lots, self.state.start.hand)
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

    # What became of them.

    @property
    def _standing(self) -> StandingBets:
        return StandingBets(self.state, self.chips, self._rested, self._right)

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
        act, said = next(self._standing.irregular(), None), self._shown_by_paying()
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
