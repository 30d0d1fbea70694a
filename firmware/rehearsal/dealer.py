"""The simulated dealer: deals what the world holds, and sees of the appliance what a person sees.

A dealer deals on in silence; what the rules make certain goes unsaid. How dealers react to the
appliance is in `firmware.rehearsal.attention`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from firmware.display.prompts import turn_phrase
from firmware.display.snapshot import Snapshot
from firmware.follow.unseen import unseen_acts
from firmware.rehearsal.attention import (
    HOLD_S,
    PATIENCE_S,
    REACTION_S,
    Noticing,
    Script,
)
from firmware.rehearsal.habits import Habits
from firmware.rehearsal.policy import Policy
from firmware.rehearsal.reach import within_reach
from firmware.rehearsal.secret import Confidence
from firmware.rehearsal.slips import Slip, find_slip
from firmware.rehearsal.staking import Staking
from hardware.press import Button
from rules.acts import Act, Verb
from rules.spots import DECK, Move, Trace
from rules.turn import Awaited, Turn
from rules.violations import Ruling

UNSAID = frozenset({Verb.ANTE, Verb.HIT, Verb.STAND, Verb.CLOSE, Verb.END})
"""What a dealer does not tell the appliance: the next card shows it. Bids and the like are said."""
DRAW_S = 0.8
"""Time for a player to draw a card and look at it, even one that is passed straight on. A choice:
less than people take; what the previous player laid down stays visible as long.
"""
LOOKED_AT_S = 0.6
"""Shortest time that the last card of a trick or hand lies there before all are gathered: people
look at it. A choice.
"""
HURRIED_MOST = 3
"""Most acts in a row without a look at the appliance."""
SAID_S = 0.8
"""Time it takes to say a word that others are waiting for."""
SWEEPING = frozenset({Verb.CLEAR, Verb.SHUFFLE, Verb.GATHER})
"""Tossed hands are gathered before one of these at the latest."""


@dataclass(kw_only=True)
class SimulatedDealer(Staking):
    """A dealer at a simulated table; `step` lets a moment pass.

    `slips` are the errors still to be made (see `firmware.rehearsal.slips`), `told` the outcome of
    those already made.
    """

    policy: Policy
    slips: list[str] = field(default_factory=list)
    _secret: Confidence = field(default_factory=Confidence)
    _next: Act | None = None
    """What was decided while the previous act was still in progress."""
    _script: Script | None = None

    def step(self, now: float) -> None:
        """Continue dealing; `now` is in seconds."""
        self.now = now
        if self._script is None:
            self._script = self._deal()
        next(self._script)

    def _deal(self) -> Script:
        while True:
            yield
            if (yield from self._asked_of_bets()):
                continue
            waits = self._unsaid or self._next or self._done
            slip = None if waits else find_slip(self.slips, self.world)
            if slip is not None:
                self.slips.remove(slip.name)
                yield from self._slip(slip)
                continue
            yield from self._settle_up()
            slips = self.owing or self.chip_slips
            idle = slips and not (self._unsaid or self._done)
            if idle and (yield from self._chip_slip()):
                continue
            if self._secret.wanted(self.world.state) and (yield from self._tell_secret()):
                continue
            if self._secret.due(self.world.state):
                yield from self._reveal()
                continue
            act = self._decided()
            yield from (self._misdeal() if act is None else self._do(act))

    def _decided(self) -> Act | None:
        """Decide what comes next."""
        act, self._next = self._next, None
        if act is not None:
            return act
        # Whatever was said, or left to be inferred, must be followed by something visible.
        free = all(act.cards for act, *_ in self._unsaid)
        return self.policy.choose(self.world.state, self.world.deck, liberties=free)

    def _do(self, act: Act) -> Script:
        """Perform one act: deal it, type it, or leave it to be inferred."""
        yield from self._until(self._habits.between(self.now))
        while not within_reach(self.world, act, self.now):
            yield
        if (yield from self._stakes(act)):
            return
        if act.verb in SWEEPING:
            while self.world.table.arms(self.now):
                yield  # nobody takes cards away from under a hand
            yield from self._wait(LOOKED_AT_S)
            yield from self._until(self.world.sweep(self.now))
        if self.world.shows(act):
            moves = self.world.state.trace(act)
            if act.seat is not None and any(move.source == DECK for move in moves):
                yield from self._wait(DRAW_S)
            self._doing = act
            self._done.append(act)
            hand = self.world.match.hand
            yield from self._until(self._habits.fans(act, self.now))
            unseen = self.world.lays_unseen(act)
            yield from self._performed(act)
            if unseen:
                yield from self._typed(act)
            if act.verb is Verb.FOLD:
                return  # the table goes on, and that shows that the cards were given up
            # Between two hands the cards are shuffled, so there is time for a look.
            pauses = self.world.match.hand is not hand or len(self._done) >= HURRIED_MOST
            if pauses or not self.world.manner.does("hurried"):
                yield from self._taken_in()
        elif self._understood(act):
            yield from self._leave_unsaid(act)
        else:
            if any(done.verb is not Verb.FOLD for done in self._done):
                yield from self._taken_in(but=self._given_up())
            while any(not said.cards for said, *_ in self._unsaid):
                yield from self._say_unsaid()
            end = self.world.perform(act, self.now)
            yield from self._typed(act)
            yield from self._until(end)
            yield from self._taken_in()

    def _given_up(self) -> frozenset[str]:
        """The places of those who folded last: what is said next shows that they did."""
        folds = takewhile(lambda act: act.verb is Verb.FOLD, reversed(self._done))
        seats = {act.seat for act in folds}
        return frozenset(n for n, spot in self.world.state.spots.items() if spot.owner in seats)

    @property
    def _habits(self) -> Habits:
        return Habits(self.world)

    def _performed(self, act: Act) -> Script:
        """Do on the table what everybody can see, the way people do it."""
        tossed = self._habits.tosses(act)
        if tossed is not None:
            yield from self._until(self.world.toss(act, self.now, up=tossed))
            return
        wrong = self._habits.misplacing(act)
        if wrong is not None:
            yield from self._put_right_at_once(wrong, "misplaced", act)
            return
        mistaken = self._habits.mistaking(act)
        if mistaken is not None:
            yield from self._put_right_at_once(mistaken, "wrong-pair")
        straight = self._straight(act)
        if straight is None:
            yield from self._until(self.world.perform(act, self.now))
            return
        following, trace = straight
        self._doing = following
        self._done.append(following)
        shown = self.world.shows(act, following)
        yield from self._until(self.world.perform_all((act, following), trace, self.now))
        if not shown:
            yield from self._typed(following)
        if following.seat != act.seat:
            yield from self._wait(SAID_S)

    def _put_right_at_once(
        self, gestures: Sequence[Trace], habit: str, act: Act | None = None
    ) -> Script:
        """Do something other than intended, notice, and correct it: that is when `act` is done."""
        noted = self.world.put_back if act is None else self.world.misplaced
        noted += [(self.world.state.start.hand, move) for move in gestures[0]]
        for trace in gestures:
            if act is not None and trace is gestures[-1]:
                self.world.say(act)
            yield from self._until(self.world.gesture(trace, self.now))
            if trace is not gestures[-1]:
                yield from self._wait(self._habits.pause(habit))

    def _straight(self, act: Act) -> tuple[Act, Trace] | None:
        """The next act, if it and `act` form one gesture."""
        state, deck = self.world.state, self.world.deck
        after = state.play(act)
        if after.over or after.open_violations or act.verb is Verb.SHUFFLE or self.slips:
            return None
        drawn = sum(move.source == DECK for move in state.trace(act))
        following = self.policy.choose(after, deck[drawn:])
        judged = following is not None and following.verb is Verb.JUDGE
        told = self._secret.hand == state.start.hand
        if following is None or (following.seat != act.seat and (told or not judged)):
            self._next = following
            return None
        trace = self._habits.straight(act, following)
        if trace is None or (self.chips is not None and following.verb in (Verb.TAKE, Verb.CLEAR)):
            # Chips are collected and paid before the cards leave.
            self._next = following
            return None
        return following, trace

    def _tell_secret(self) -> Noticing:
        """Give the appliance a rule in private; returns whether the screen shows it sealed."""
        secret, hand = self._secret, self.world.state.start.hand
        secret.tried, rule = hand, self.policy.secret()
        self._next = None
        if rule is None:
            return False
        yield from self._wait(REACTION_S)  # until the screen shows the new hand
        self.hands.keep(rule)
        act = yield from self._shown(secret.sealed)
        if act is None:
            return False
        secret.text, secret.hand = rule, hand
        self.world.learn(act.words[1], rule)
        self.world.say(act)
        return True

    def _reveal(self) -> Script:
        """Let the appliance reveal the rule, and compare it with the one it was given."""
        self._next = None
        yield from self._taken_in()
        yield from self._press(Button.OK)
        act = yield from self._shown(self._secret.revealed)
        if act is None:
            self.counts.unheeded += 1
            yield from self._misdeal()
            return
        self.world.say(act)
        yield from self._taken_in()

    def _shown(self, find: Callable[[Snapshot], Act | None]) -> Generator[None, None, Act | None]:
        """What is found on the screen once it appears; None if it does not."""
        patience = self.now + PATIENCE_S
        while self.now < patience:
            act = find(self.eyes.screen())
            if act is not None:
                return act
            yield
        return None

    def _understood(self, act: Act) -> bool:
        """Whether the following acts will show that it was done."""
        state = self.world.state
        if act.observed() in unseen_acts(state.public()):
            return any(one.admits(act) and one.required for one in state.turn)
        if act.verb not in UNSAID or not any(one.admits(act) and one.spoken for one in state.turn):
            return False
        return _required(state.turn) != _required(state.play(act).turn)

    def _leave_unsaid(self, act: Act) -> Script:
        sentence = self.texts.say(turn_phrase(self.world.state.public().turn))
        state = self.world.state
        self._unsaid.append((act, sentence, len(state.acts)))
        self.implied.setdefault(state.start.hand, set()).add(len(state.acts))
        yield from self._until(self.world.perform(act, self.now))
        if act.verb is Verb.DRAW:
            yield from self._wait(DRAW_S)

    def _misdeal(self) -> Script:
        """Call a misdeal: no lawful act is left."""
        self.world.say(Act(Verb.MISDEAL))
        yield from self._press(Button.HOLD, HOLD_S)
        yield from self._taken_in()

    # Slips.

    def _slip(self, slip: Slip) -> Script:
        """Make an error, wait for the warning, and rule on it or correct it."""
        wrong, state = slip.act, self.world.state
        number = len(state.acts) + 1
        if slip.extra is not None:
            self.world.deck.insert(0, slip.extra)
        self._doing = wrong
        if self.world.shows(wrong):
            yield from self._until(self.world.perform(wrong, self.now))
        else:
            self.world.say(wrong)
            yield from self._typed(wrong)
        noticed = yield from self._warned()
        violation = self.world.state.open_violations[-1]
        self.told.append(
            f"{slip.name}: {wrong} -> {'warned' if noticed else 'NOT warned'}: {violation.rule}"
        )
        if slip.right is None:
            yield from self._stand(number)
        else:
            yield from self._put_right(slip, number)
        self.told[-1] += f", {'put right on the table' if slip.right else 'let stand'}"

    def _warned(self) -> Noticing:
        """Wait for the warning; returns whether it came."""
        patience = self.now + 2 * PATIENCE_S
        while self.now < patience:
            if self._sees.warns(self.eyes.screen()):
                yield from self._wait(REACTION_S)
                return True
            screen = self.eyes.screen()
            if screen.options:
                yield from self._heeded()
            yield
        return False

    def _stand(self, number: int) -> Script:
        self.counts.answers += 1
        self.world.say(Act(Verb.RULE, numbers=(number,), words=(str(Ruling.STAND),)))
        self._doing = None
        yield from self._press(Button.OK)
        yield from self._taken_in()

    def _put_right(self, slip: Slip, number: int) -> Script:
        """Lay the cards back as they were, then go on as it should have been."""
        assert slip.right is not None
        self.world.say(Act(Verb.RULE, numbers=(number,), words=(str(Ruling.CORRECT),)))
        if slip.act.verb is Verb.TAKE:
            assert slip.act.spot is not None
            back = tuple(Move(card, DECK, slip.act.spot) for card in slip.act.cards)
            yield from self._until(self.world.gesture(back, self.now))
            self._doing = None
        else:
            assert slip.act.spot is not None
            assert slip.right.spot is not None
            across = tuple(
                Move(card, slip.act.spot, slip.right.spot, not slip.act.down)
                for card in slip.act.cards
            )
            end = self.world.gesture(across, self.now)
            self.world.deck[:0] = slip.right.cards  # already dealt, though to the wrong place
            self.world.say(slip.right)
            self._doing = slip.right
            yield from self._until(end)
        yield from self._taken_in()


def _required(turn: Turn) -> list[Awaited]:
    return [one for one in turn.awaited if one.required]
