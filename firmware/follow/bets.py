"""Chips at rest become acts: bets, irregular changes to them, and pay-outs.

While bets are open, the chips on the table are a provisional bet, and players may change their
minds: it is recorded when bets are closed, by a word or by the next card. After that, chips added
or removed are reported. Once a bet is settled, what is paid and collected is compared with what is
due. What a person says about chips holds until those are moved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from firmware.display.pads import SAID
from firmware.display.prompts import Option, Question, Speaks, act_phrase
from firmware.follow.chips_in_sight import ChipsInSight
from firmware.follow.choices import certain
from firmware.follow.heaps import POT, Heap, Key
from firmware.follow.open_bets import (
    ABOUT_BET,
    OpenBets,
    lawful_one_by_one,
    lying,
    played,
)
from firmware.follow.panel import Panel
from firmware.follow.patience import Patience
from firmware.follow.standing_bets import LATE_AFTER_S, StandingBets, stakes_by_key
from firmware.follow.taking import NOTICE_S
from firmware.follow.wagers import Wagers, anted, round_of
from firmware.store.ledger import ASKED, CAMERA, Ledger, Step
from rules.acts import Act, Verb
from rules.chips import Stake, open_for_bets
from rules.errors import ActError
from rules.phrases import Phrase
from rules.start import Level
from rules.state import State
from vision.sightings import Seen

SAID_AFTER_S = 6.0
"""Maximum time for which a card that closes the bets waits after a question about one was put
aside: nothing offered was right, so it will be said instead. A choice: longer than it takes to say
or type a bet."""
BET_ASKED_AFTER_S = 1.5
"""Minimum time for which chips must have been there before they are asked about while bets are
still open: people change their minds. A choice; `python -m tests.chip_tables --unsure 0.3` judges
it."""


@dataclass(frozen=True)
class _Laid:
    """A state, the bets on the table, and the state with them."""

    before: State
    acts: tuple[Act, ...]
    after: State


class Bets(Panel):
    """Takes chips into account; without eyes for chips it does nothing."""

    def __init__(self, ledger: Ledger, texts: Speaks) -> None:
        super().__init__(ledger, texts)
        self.chips = ChipsInSight()
        self._looks_for_chips = False
        self._laid: _Laid | None = None
        self._patience = Patience()
        self._put_aside: float | None = None
        """Since when a question about a bet has been put aside, with nothing said instead."""
        self._right: set[tuple[int, int]] = set()
        """The hands, and the seats in them, whose payments were right."""
        self._agrees_since: float | None = None
        self._wagers = Wagers()
        self._posted: dict[int, int] = {}
        """The most chips seen in front of each seat while everybody had to put in."""
        self._postponed: tuple[tuple[Step, ...], str, int] | None = None
        """What closes the bets once the chips are still, who said so, and after how many acts."""

    def _agreed(self) -> None:
        """Note that the cards agree with the record: what chips do is judged only then."""
        if self._agrees_since is None:
            self._agrees_since = self.now

    def _rested(self, key: Key) -> float:
        """How long chips and cards have been unchanged, in seconds."""
        if self._agrees_since is None:
            return 0.0
        return min(self.chips.rested(key, self.now), self.now - self._agrees_since)

    @property
    def chips_lying(self) -> Iterator[Phrase]:
        """The visible chips in front of each seat, on each card, and in the pot."""
        for (seat, on), heap in sorted(self.chips.heaps.items(), key=str):
            if heap.amounts:
                yield lying((seat, on), heap.likely)

    @property
    def bets_lying(self) -> dict[int, int]:
        """By seat, the value of its chips while bets are open."""
        found: dict[int, int] = {}
        for (seat, _), heap in self.chips.heaps.items() if self._taking_bets else ():
            if seat is not None and heap.amounts:
                found[seat] = found.get(seat, 0) + heap.likely
        return found

    # Open bets.

    @property
    def _bets(self) -> OpenBets:
        return OpenBets(self.state, self.chips)

    @property
    def _taking_bets(self) -> bool:
        return self._looks_for_chips and open_for_bets(self.state)

    def _laid_bets(self) -> tuple[Act, ...]:
        """The bets that the chips amount to, as far as they can be read."""
        return tuple(self._bets.acts(likely=True)) if self._taking_bets else ()

    @property
    def _as_laid(self) -> State:
        """The state with the bets now on the table, for explaining what closes them."""
        laid = self._laid_bets()
        if not laid:
            return self.state
        if self._laid is None or self._laid.before is not self.state or self._laid.acts != laid:
            self._laid = _Laid(self.state, laid, played(self.state, laid))
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

    def _take(self, steps: Sequence[Step], by: str, *, instead: int = 0) -> bool:
        """Record acts; if they close the bets, the bets on the table are recorded first.

        Acts that come `instead` of earlier ones include everything that happened since, bets too.
        """
        if instead:
            return super()._take(steps, by, instead=instead)
        if by != CAMERA and self._waits_for_chips(steps):
            self._postpone(steps, by)
            return True
        laid = self._laid_bets()
        said = {(step.act.seat, step.act.cards) for step in steps if step.act.verb is Verb.BET}
        if not laid or not self._closes(steps):
            known, question = self.state, self.question
            taken = super()._take(steps, by)
            if taken and by != CAMERA:
                self._hold(steps)
            self._ask_on(question)
            if taken and any(step.act.verb is Verb.ANTE for step in steps):
                self._tell_short(known)
            return taken
        if self._asks_first():
            if by != CAMERA:
                self._postpone(steps, by)
            return by != CAMERA
        before = [Step(act) for act in laid if (act.seat, act.cards) not in said]
        return super()._take((*before, *steps), by)

    def _waits_for_chips(self, steps: Sequence[Step]) -> bool:
        """Whether the bets are being closed while the last chips are still being laid."""
        if not self._looks_for_chips or self.seen is None or not open_for_bets(self.state):
            return False
        return self._unsettled(self.seen) and self._closes(steps)

    def _postpone(self, steps: Sequence[Step], by: str) -> None:
        """Record acts later, unless they have been seen by then."""
        self._postponed = tuple(steps), by, len(self.state.acts)

    @property
    def _left_unsaid(self) -> bool:
        """Whether a bet that nothing offered was may still be said."""
        return self._put_aside is not None and self.now - self._put_aside < SAID_AFTER_S

    def _hold(self, steps: Sequence[Step]) -> None:
        """Note what a person says about chips: it holds until they are moved."""
        self._put_aside = None
        for step in steps:
            act = step.act
            if act.verb in (Verb.BET, Verb.WITHDRAW, Verb.CALL, Verb.RAISE, Verb.CHECK):
                key = act.seat, str(act.card) if act.cards else ""
                self.chips.hold(key)
                if (stake := stakes_by_key(self.state).get(key)) is not None and stake.amount:
                    self.chips.count(key, stake.amount)
            if act.verb is Verb.RULE:
                for key in self.chips.heaps:
                    self.chips.hold(key)

    def _unsettled(self, seen: Seen) -> bool:
        """Whether chips that may be bets are still being laid, within the time that people take."""
        taking = open_for_bets(self.state) or round_of(self.state) is not None
        chips = seen.chips
        busy = taking and chips is not None and bool(chips.busy)
        covered = chips is not None and bool(chips.covered)
        return self._patience.waits(self.now, busy=busy, covered=covered)

    # Questions.

    def _asks_first(self) -> bool:
        """Ask about a bet whose amount or owner the camera cannot make out, if there is one."""
        for _, heap in self._bets.doubts():
            question = self._bets.question(heap)
            if question is not None:
                self._ask_of(question)
                return True
        return False

    def _ask_on(self, question: Question | None) -> None:
        """Keep asking a question that acts other than a bet have not answered."""
        if question is None or self.question is not None or not self._taking_bets:
            return
        if any(question.key == self._bets.subject(heap) for _, heap in self._bets.doubts()):
            self.question = question

    def _asks_early(self) -> None:
        """Ask about a doubtful bet that has been there for a while, before the next card comes."""
        for key, heap in self._bets.doubts() if self._taking_bets else ():
            if self.chips.rested(key, self.now) >= BET_ASKED_AFTER_S:
                question = self._bets.question(heap)
                if question is not None:
                    self._ask_of(question)
                    return

    def _ask_of(self, question: Question) -> None:
        if self.question is not None and self.question.key == question.key:
            return
        self.question = question
        self.ledger.note(ASKED, about="bet")
        self._say(question.phrase, "tick")

    @property
    def _asked(self) -> tuple[Key, Heap] | None:
        """The chips now being asked about, unless they have been moved."""
        for key, heap in self.chips.heaps.items() if self._asks_of_chips else ():
            if self.question is not None and _root(self.question).key == self._bets.subject(heap):
                return key, heap
        return None

    @property
    def _asks_of_chips(self) -> bool:
        key = _root(self.question).key if self.question is not None else None
        return isinstance(key, tuple) and key[:1] == (ABOUT_BET,)

    def _answer(self, question: Question) -> None:
        """Take the option shown; what is said about chips holds until they are moved."""
        asked, acts = self._asked, question.chosen.acts
        if asked is not None and acts and not asked[1].plain:
            self.chips.belong(asked[1], acts[0])
        super()._answer(question)

    def _dismiss(self, question: Question) -> None:
        """Dismiss a question: chips that nobody will name are not a bet until they are moved."""
        if (asked := self._asked) is not None:
            self.chips.hold(asked[0])
            self._put_aside = self.now
        super()._dismiss(question)

    # What has happened to the bets.

    @property
    def _standing(self) -> StandingBets:
        return StandingBets(self.state, self.chips, self._rested, self._right)

    def _look_at_chips(self, seen: Seen) -> bool:
        """Record what has happened to the chips; returns whether anything was recorded."""
        self._looks_for_chips = seen.chips is not None and self.state.start.level is not Level.NONE
        if not self._looks_for_chips:
            return False
        self.chips.see(self.state, seen, self.now)
        self._wagers.see(self.state, self.chips.heaps)
        self._tell_change()
        if any(one.verb is Verb.ANTE for one in self.state.turn):
            for seat in self.state.start.seats:
                laid = self.chips.total((seat, ""))
                self._posted[seat] = max(laid, self._posted.get(seat, 0))
        waits = self._unsettled(seen) or self._asks_of_chips or self._left_unsaid
        if self._postponed is not None and not waits:
            (steps, by, count), self._postponed = self._postponed, None
            done = self.state.acts[count:]
            if left := [step for step in steps if step.act not in done]:
                return self._take(left, by)
        if self._asks_of_chips and self._asked is None:
            self.question = None  # they have been moved
        if self.question is not None or self.state.over:
            return False
        if round_of(self.state) is not None:
            return self._look_at_wagers()
        act, said = next(self._standing.irregular(), None), self._shown_by_paying()
        if said is not None:
            self._agrees_since = None
            return self._take([Step(said, implied=True)], CAMERA)
        if act is None:
            return False
        self._agrees_since = None
        key = (act.seat, str(act.card) if act.cards else "")
        self._take([Step(act)], CAMERA)
        if act.verb is not Verb.RULE:
            self.chips.hold(key)
        return True

    def _shown_by_paying(self) -> Act | None:
        """The word that settled the bets, if a payment or collection shows it.

        What was already due before that word, such as from a player who was out, shows nothing.
        """
        due = certain(self.state)
        if due is None or due.cards or due.verb not in SAID or open_for_bets(self.state):
            return None
        after = self.state.play(due)
        if after.phase != "paying":
            return None
        open_ = {key for key, one in stakes_by_key(self.state).items() if not one.due}
        settled = stakes_by_key(after)
        paid = any(self._was_paid(key, settled[key]) for key in open_ & settled.keys())
        return due if paid else None

    def _was_paid(self, key: Key, stake: Stake) -> bool:
        """Whether chips were definitely added to a bet that wins, or taken from one that loses."""
        heap, has = self.chips.heaps.get(key), stake.amount or 0
        if not stake.due or not has or self._rested(key) < LATE_AFTER_S:
            return False
        if stake.due > 0:
            return heap is not None and heap.least > has
        return heap is None or (heap.most is not None and heap.most < has)

    def _look_at_wagers(self) -> bool:
        """Record what somebody has put in; returns whether anybody has."""
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
        if not heap.exact and self._ask_of_wager(act, heap, checks):
            return True
        lawful = lawful_one_by_one(self.state, acts)
        if not lawful and self._rested(key) < LATE_AFTER_S:
            return False
        steps = [*(Step(one, implied=one.verb is Verb.CHECK) for one in checks), Step(act)]
        return self._take(steps, CAMERA)

    def _ask_of_wager(self, act: Act, heap: Heap, checks: Sequence[Act]) -> bool:
        """Ask what chips are of which only a range is known.

        Not if something was put in and the rules allow only `act`.
        """
        told, seat = (*checks,), act.seat or 0
        likely = tuple(self._wagers.options(played(self.state, told), seat, heap))
        if likely == (act,) and not self._wagers.may_be_known(seat, heap):
            return False
        options = tuple(Option(act_phrase((one,)), (*told, one)) for one in likely)
        phrase = Phrase.of("ask.bet", seat=heap.seat)
        self._ask_of(Question(phrase, options, self._bets.subject(heap), by_hand=True))
        return True

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
        """Whether a hand is over the cards of somebody who may have folded rather than checked."""
        busy = self.seen.busy if self.seen is not None else frozenset()
        return any(self.state.spots[name].owner in seats for name in busy & self.state.spots.keys())

    def _tell_short(self, before: State) -> None:
        """Report who has not put in what was due, or how much the pot lacks."""
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
        """Report that somebody got more or less in change than was due."""
        if self.chips.changed is not None:
            seat, given, due = self.chips.changed
            self.chips.changed = None
            phrase = Phrase.of("chips.change", seat=seat, amount=given, due=due)
            self.notice = (phrase, self.now + NOTICE_S)
            self._say(phrase, "error")


def _root(question: Question) -> Question:
    """The question from which this one was opened."""
    while question.back is not None:
        question = question.back
    return question
