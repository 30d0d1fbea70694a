"""What people at a simulated table do with chips: bet, change their mind, pay and collect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, takewhile

from firmware.display.prompts import act_phrase
from firmware.display.snapshot import Snapshot
from firmware.follow.open_bets import lying
from firmware.follow.wagers import anted, round_of, wager
from firmware.rehearsal.attention import PATIENCE_S, REACTION_S, Attention, Noticing, Script
from firmware.rehearsal.chips import (
    POT,
    Chips,
    Kinds,
    Place,
    bet_place,
    counted_out,
    in_change,
    stakes_of,
)
from rules.acts import Act, Verb
from rules.cards import Card
from rules.chips import Stake, open_for_bets
from rules.frozen import replace
from rules.phrases import Phrase
from rules.start import Level
from rules.state import State
from rules.violations import Ruling

SECOND_THOUGHTS = 0.15
"""Share of bets that are first laid differently."""
CHANGED = 0.1
"""Share of bets that the dealer changes into smaller chips."""
THINKS_S = (0.8, 2.5)
"""How long a player looks at a bet before changing it."""
LOOKED_AT_S = 1.0
"""How long chips lie there between two movements of a dealer who pays in the open."""
CHIP_SLIPS = ("late-bet", "capped", "pinched", "wrong-payout", "wrong-change", "short-ante")
"""What goes wrong with chips, by the names that the command line takes."""

WAGERS = frozenset({Verb.CHECK, Verb.BET, Verb.CALL, Verb.RAISE})
"""What is done with chips in a betting round; whoever folds gives up cards."""
CLOSED_SLIPS = frozenset({"late-bet", "capped", "pinched"})
"""Those that are made once bets are closed."""


@dataclass(kw_only=True)
class Staking(Attention):
    """A dealer and players with chips; without them, bets are spoken."""

    chips: Chips | None = None
    chip_slips: list[str] = field(default_factory=list)
    """The slips with chips that are still to be made, from `CHIP_SLIPS`."""
    told: list[str] = field(default_factory=list)
    owing: tuple[int, int] | None = None
    """The seat that has not put in the ante, and the amount."""
    asked: tuple[Place, int] | None = None
    """The bet last asked about, and its amount."""
    settled: int = 0
    """The last hand whose bets were paid and collected."""

    def _stakes(self, act: Act) -> Noticing:
        """Do what an act does with chips; returns whether they show all of it."""
        chips, state = self.chips, self.world.state
        if chips is not None and state.start.banker is None:
            return (yield from self._wagers(chips, act))
        place = bet_place(state, act) if chips is not None else None
        if chips is None or place is None or not open_for_bets(state):
            return False
        after = state.play(act)
        stake = stakes_of(after).get(place)
        if stake is None:
            return False
        amount = stake.amount or self._presence()
        kinds = counted_out(amount, chips.rng)
        if chips.rng.random() < SECOND_THOUGHTS:
            first = self._otherwise(kinds)
            # A bet that stands may be added to, but nothing is taken from it.
            if sum(value * count for value, count in first) > chips.amount(place):
                yield from self._until(chips.change(place, first, self.now, hand=act.seat))
                yield from self._wait(float(chips.rng.uniform(*THINKS_S)))
        yield from self._until(chips.change(place, kinds, self.now, hand=act.seat))
        self.world.say(act)
        if "wrong-change" in self.chip_slips and max(kinds)[0] > 1:
            yield from self._wrong_change(place, kinds)
        elif chips.rng.random() < CHANGED and max(kinds)[0] > 1:
            yield from self._wait(LOOKED_AT_S)
            yield from self._until(chips.change(place, in_change(kinds), self.now))
        return True

    def _wagers(self, chips: Chips, act: Act) -> Noticing:
        """Do with chips what a player says in a betting round, or what all put in before it."""
        state = self.world.state
        if state.start.level is not Level.AMOUNTS:
            return False
        if act.verb is Verb.ANTE:
            for seat, chips_due in anted(state, state.play(act)).items():
                place = (f"{seat}.bet", seat, "")
                if "short-ante" in self.chip_slips:
                    self.chip_slips.remove("short-ante")
                    self.owing = seat, chips_due
                    continue
                yield from self._until(chips.lay(place, chips_due, self.now, hand=seat))
            return False
        round_ = round_of(state)
        if round_ is None or act.seat is None or act.verb not in WAGERS:
            return False
        if act.verb is Verb.CHECK:
            yield from self._leave_unsaid(act)
            return True
        owed = round_.bet(act.seat) + round_.to_call(act.seat)
        place = (f"{act.seat}.bet", act.seat, "")
        amount = owed if act.verb is Verb.CALL else act.amount or 0
        before = chips.amount(place) - round_.bet(act.seat)
        yield from self._until(chips.lay(place, before + amount, self.now, hand=act.seat))
        self.world.say(act)
        yield from self._wait(LOOKED_AT_S)
        return True

    def _leave_unsaid(self, act: Act) -> Script:
        """Do an act that the next one will show."""
        raise NotImplementedError

    def _swept(self, chips: Chips) -> Script:
        """Sweep into the pot what is no longer in front of its seat; pay out a pot that was won."""
        state = self.world.state
        stakes = stakes_of(state)
        if state.phase == "paying":
            if self.settled < state.start.hand:
                self.settled = state.start.hand
                yield from self._wait(LOOKED_AT_S)
                yield from self._won(chips)
            return
        seats = [place for place in chips.places if place[1] is not None]
        done = [p for p in seats if p not in stakes or not stakes[p].amount]
        if done and state.acts:
            yield from self._until(chips.move(done, POT, self.now))

    def _won(self, chips: Chips) -> Script:
        """Move the pot to those who have won it, and collect what others owe it."""
        state = self.world.state
        for place in chips.places:
            yield from self._lays(place, 0, None)
        left = state.game.follow(replace(state, over=True)).pot
        if left:
            yield from self._lays(POT, left, None)

    # Questions about bets.

    def _asked_of_bets(self) -> Noticing:
        """Answer what the appliance asks about chips; returns whether it asked anything."""
        if self.chips is None or not self.eyes.screen().options:
            return False
        doing, asked = self._doing, self._asked_about()
        self._doing = doing if asked is None else _laid(*asked)
        heeded = yield from self._heeded()
        self._doing = doing
        return heeded

    @property
    def _in_front(self) -> list[tuple[Place, int]]:
        """What is where once all gestures are done."""
        return (
            [(place, self.chips.amount(place)) for place in self.chips.places] if self.chips else []
        )

    def _asked_about(self) -> tuple[Place, int] | None:
        """The bet that the screen asks about, in ever narrower ranges if none offered was right."""
        screen = self.eyes.screen()
        if self.asked is not None and self._opens(screen.sentence, self.asked[1]):
            return self.asked
        self.asked = self._asked_by(screen)
        return self.asked

    def _opens(self, said: str, amount: int) -> bool:
        """Whether an option, or the question it opens, is about any amount or a range with this."""
        numbers = [int(number) for number in re.findall(r"\d+", said)]
        if len(numbers) == 2 and numbers[0] <= amount <= numbers[1]:
            between = Phrase.of("option.range", least=numbers[0], greatest=numbers[1])
            return said == self.texts.say(between)
        return said == self.texts.say(Phrase("option.amount"))

    def _asked_by(self, screen: Snapshot) -> tuple[Place, int] | None:
        """The bet that this screen asks about."""
        for place, amount in self._in_front:
            whose = {
                self.texts.say(Phrase.of(f"ask.{of}", seat=place[1])) for of in ("bet", "card")
            }
            on = self.texts.card(Card.parse(place[2])).lower() if place[2] else ""
            if screen.sentence in whose and on in " ".join(screen.options).lower():
                return place, amount
        return None

    def _answers(self) -> Callable[[str], bool]:
        """If a bet is asked about, the true option is the one that says what lies there."""
        state, asked = self.world.state, self._asked_about()
        sentence = self.eyes.screen().sentence
        if asked is None and sentence != self.texts.say(Phrase("ask.owner")):
            return super()._answers()
        lies = [asked] if asked is not None else self._in_front
        said = {self.texts.say(phrase) for one in lies for phrase in _told_of(state, *one)}
        offered = not said.isdisjoint(self.eyes.screen().options)

        def true(option: str) -> bool:
            other = asked is not None and not offered and self._opens(option, asked[1])
            return option in said or other

        return true

    def _meant(self) -> Sequence[Act]:
        """If a bet is asked about and its amount is not offered, the bets of which it consists;
        nothing if it is not offered whose it is."""
        asked = self._asked_about()
        if asked is None:
            whose = self.eyes.screen().sentence == self.texts.say(Phrase("ask.owner"))
            return () if whose else super()._meant()
        (_, seat, on), _ = asked
        return [act for act in _last_bets(self.world.state.acts)
                if act.seat == seat and (not on or act.cards == _cards(on))]  # fmt: skip

    def _presence(self) -> int:
        """How many chips are laid if nobody counts them."""
        assert self.chips is not None
        return int(self.chips.rng.integers(1, 20))

    def _otherwise(self, kinds: Kinds) -> Kinds:
        """What somebody with second thoughts lays instead: one chip more, or some fewer."""
        assert self.chips is not None
        (value, count), *rest = kinds
        if rest and self.chips.rng.random() < 0.5:
            return tuple(rest)
        return ((value, count + 1), *rest)

    def _lays(self, place: Place, amount: int, seat: int | None) -> Script:
        assert self.chips is not None
        yield from self._until(self.chips.lay(place, amount, self.now, hand=seat))

    # Pay-outs.

    def _settle_up(self) -> Script:
        """Collect what was lost and pay what was won, as far as the hand has come."""
        chips, state = self.chips, self.world.state
        if chips is None or state.start.level is Level.NONE:
            return
        if state.start.banker is None:
            yield from self._swept(chips)
            return
        if state.phase == "paying" and self.settled < state.start.hand:
            self.settled = state.start.hand
            yield from self._paid_out()
            return
        if open_for_bets(state) and not self._beside_cards:
            return
        stakes = stakes_of(state)
        lost = [p for p in chips.places if p not in stakes or stakes[p].due < 0]
        if lost:
            yield from self._wait(LOOKED_AT_S)  # at the card that decided
        for place in lost:
            yield from self._lays(place, 0, None)

    @property
    def _beside_cards(self) -> bool:
        """Whether bets are decided card by card, some while others are being laid."""
        places = self.world.state.game.betting_places(self.world.state.start)
        return any(place.beside for place in places)

    def _paid_out(self) -> Script:
        chips, stakes = self.chips, stakes_of(self.world.state)
        assert chips is not None
        counted = self.world.state.start.level is Level.AMOUNTS
        for place, stake in stakes.items():
            if stake.due < 0:
                yield from self._lays(place, 0, None)
            elif stake.due > 0 and counted:
                if "wrong-payout" in self.chip_slips:
                    yield from self._wrong_payout(place, stake)
                yield from self._pays(place, (stake.amount or 0) + stake.due)
        yield from self._wait(LOOKED_AT_S)
        for place in chips.places:
            yield from self._lays(place, 0, place[1])

    def _pays(self, place: Place, amount: int) -> Script:
        yield from self._lays(place, amount, None)
        yield from self._wait(LOOKED_AT_S)

    # What goes wrong.

    def _chip_slip(self) -> Noticing:
        """Do something with chips that is against the rules, if it is time for it."""
        state = self.world.state
        if self.owing is not None and state.phase != "posting":
            yield from self._short_ante(*self.owing)
            return True
        if self.chips is None or state.start.banker is None or state.open_violations:
            return False
        late = CLOSED_SLIPS.intersection(self.chip_slips)
        if late and open_for_bets(state) and self._beside_cards and stakes_of(state):
            close = Act(Verb.CLOSE)
            self.world.say(close)
            yield from self._typed(close)
            state = self.world.state
        if open_for_bets(state) or state.phase in ("limits", "paying") or not state.acts:
            return False
        for name in self.chip_slips:
            slip = self._slip_with_chips(name)
            if slip is not None:
                self.chip_slips.remove(name)
                yield from self._against_the_rules(name, *slip)
                return True
        return False

    def _slip_with_chips(self, name: str) -> tuple[Act, Place, int, int] | None:
        """The act, its place, and the chips there before and after; None if nobody can do it."""
        state, stakes = self.world.state, stakes_of(self.world.state)
        live = {place: one for place, one in stakes.items() if one.seat and not one.due}
        if name == "late-bet":
            idle = [s for s in state.start.seats if s != state.start.banker]
            idle = [seat for seat in idle if seat not in {one.seat for one in stakes.values()}]
            spot = next(iter(live), None)
            if not idle or spot is None:
                return None
            on = spot[2]
            place: Place = (spot[0] if on else f"{idle[0]}.bet", idle[0], on)
            return Act(Verb.BET, idle[0], cards=_cards(on), numbers=(2,)), place, 0, 2
        if name not in ("capped", "pinched"):
            return None
        for where, one in live.items():
            amount = one.amount or 0
            verb, by = (Verb.BET, 2) if name == "capped" else (Verb.WITHDRAW, -1)
            if amount + by > 0:
                act = Act(verb, one.seat, cards=_cards(one.on), numbers=(abs(by),))
                return act, where, amount, amount + by
        return None

    def _against_the_rules(
        self, name: str, act: Act, place: Place, before: int, after: int
    ) -> Script:
        """Move chips, wait for the warning, and put them back."""
        self.world.say(act)
        yield from self._lays(place, after, act.seat)
        yield from self._put_right_with_chips(name, place, before)

    def _wrong_payout(self, place: Place, stake: Stake) -> Script:
        """Pay one chip too few, or too many if one is due."""
        self.chip_slips.remove("wrong-payout")
        paid = stake.due - 1 if stake.due > 1 else stake.due + 1
        state = self.world.state
        others = sum(one.due for one in stakes_of(state).values() if one.seat == stake.seat)
        numbers = (stake.seat or 0, others - stake.due + paid)
        self.world.say(Act(Verb.PAY, state.start.banker, numbers=numbers))
        yield from self._lays(place, (stake.amount or 0) + paid, None)
        yield from self._put_right_with_chips(
            "wrong-payout", place, (stake.amount or 0) + stake.due
        )

    def _put_right_with_chips(self, name: str, place: Place, amount: int) -> Script:
        violation, number = self.world.state.open_violations[-1], len(self.world.state.acts)
        told = yield from self._until_told(lambda: self._sees.warns(self.eyes.screen()))
        said = self.texts.say(violation.phrase)
        self.told.append(f"{name}: {'warned' if told else 'NOT warned'}: {said}")
        yield from self._wait(REACTION_S)
        self.world.say(Act(Verb.RULE, numbers=(number,), words=(str(Ruling.CORRECT),)))
        yield from self._lays(place, amount, None)
        yield from self._until_told(lambda: not self._sees.warns(self.eyes.screen()))

    def _wrong_change(self, place: Place, kinds: Kinds) -> Script:
        """Change a chip of a bet into smaller ones, one too few, and correct it."""
        assert self.chips is not None
        self.chip_slips.remove("wrong-change")
        yield from self._wait(2 * LOOKED_AT_S)
        changed, due = dict(in_change(kinds)), max(kinds)[0]
        smaller = max(value for value in changed if value < due)
        short = changed | {smaller: changed[smaller] - 1}
        yield from self._until(self.chips.change(place, tuple(short.items()), self.now))
        phrase = Phrase.of("chips.change", seat=place[1], amount=due - smaller, due=due)
        said = self.texts.say(phrase)
        told = yield from self._until_told(lambda: self.eyes.screen().sentence == said)
        self.told.append(f"wrong-change: {'warned' if told else 'NOT warned'}: {said}")
        yield from self._until(self.chips.change(place, tuple(changed.items()), self.now))

    def _short_ante(self, seat: int, due: int) -> Script:
        """Put in at last what was due before the cards were dealt."""
        assert self.chips is not None
        self.owing = None
        said = self.texts.say(Phrase.of("chips.ante", seat=seat, amount=0, due=due))
        told = yield from self._until_told(lambda: self.eyes.screen().sentence == said)
        self.told.append(f"short-ante: {'warned' if told else 'NOT warned'}: {said}")
        yield from self._lays((f"{seat}.bet", seat, ""), due, seat)

    def _until_told(self, told: Callable[[], bool]) -> Noticing:
        """Wait for the appliance to report it; returns whether it did."""
        patience = self.now + 2 * PATIENCE_S
        while self.now < patience:
            if told():
                return True
            if (yield from self._asked_of_bets()):
                patience = self.now + 2 * PATIENCE_S
            yield
        return False


def _laid(place: Place, amount: int) -> Act:
    """A bet of what lies at a place."""
    return Act(Verb.BET, place[1], cards=_cards(place[2]), numbers=(amount,))


def _told_of(state: State, place: Place, amount: int) -> Iterator[Phrase]:
    """The ways in which the appliance may phrase what lies at a place."""
    _, seat, on = place
    if seat is None:
        return
    yield act_phrase((_laid(place, amount),))
    yield lying((seat, on), amount)
    round_ = round_of(state)
    act = wager(round_, seat, amount) if round_ is not None else None
    # Whoever has called already has nothing to call now; a bet against the banker is the sum of all
    # that was laid, of which the last may be a part.
    acts = state.acts if state.start.banker is None else ()
    done = next((one for one in reversed(acts) if one.seat == seat), None)
    yield from (act_phrase((one,)) for one in (act, done) if one is not None and one.verb in WAGERS)


def _last_bets(acts: Sequence[Act]) -> Sequence[Act]:
    """The bets that were laid one after another last of all, whatever has come since.

    >>> acts = [Act.parse(line) for line in ("3 bet 2 6C", "deal board 7S", "4 bet 5 6C", "close")]
    >>> [str(act) for act in _last_bets(acts)]
    ['4 bet 5 6C']
    """
    before = dropwhile(lambda act: act.verb not in WAGERS, reversed(acts))
    return list(takewhile(lambda act: act.verb in WAGERS, before))[::-1]


def _cards(on: str) -> tuple[Card, ...]:
    return (Card.parse(on),) if on else ()
