"""What somebody at the table sees of the appliance, and does about it.

They see the blinking lamps and the screen. They answer questions, correct what they see is wrong,
and say what nobody could know otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from firmware.display.prompts import act_phrase, turn_phrase
from firmware.display.snapshot import Snapshot
from firmware.rehearsal.accounts import (
    in_any_order,
    in_order,
    of_another,
    order_is_free,
    ranks_only,
    straight_on,
    unfollowed,
    with_unsaid,
)
from firmware.rehearsal.eyes import Eyes, Onlooker
from firmware.rehearsal.judge import alike
from firmware.rehearsal.world import World
from firmware.texts import Texts
from hardware.lamps import Lamp, Pattern
from hardware.press import Button, Timing
from rules.acts import Act, Verb
from rules.cards import Card
from rules.phrases import Phrase

PRESS_S = 0.12
"""How long a finger stays on a button."""
HOLD_S = Timing().hold_s + 0.2
BETWEEN_S = 0.5
"""Time from one press to the next: long enough to see what the last one did."""
REACTION_S = 0.6
"""How long a lamp has to blink before it is noticed; also long enough to recognize its rhythm."""
PATIENCE_S = 5.0
"""How long the dealer waits for the appliance to catch up before helping."""
BEFORE = 2
"""Number of acts before those done last by which one tells whether the screen shows all of them. A
choice: no player does the same thing thrice in a row with nothing between.
"""
OPTIONS_MOST = 9
"""Number of options that a person steps through in a menu before typing the answer."""
AS_IT_LIES = "option.as-it-lies"
"""The label of the option by which the hand resumes from the table as it lies."""
RATHER = "option.rather"
"""The label of the option that the hand went differently from what was followed."""
TRIES = 4
"""Number of times that the dealer helps before giving up and dealing on, as people do."""


class Hands(Protocol):
    """What a dealer can do at the panel and at the keyboard."""

    def press(self, button: Button, seconds: float) -> None:
        """Hold a button down for this many seconds."""

    def type(self, line: str) -> None:
        """Type an act line."""

    def keep(self, rule: str) -> None:
        """Give the appliance a secret rule, unseen by the table."""


@dataclass
class Counts:
    """What a dealer had to do besides dealing."""

    presses: int = 0
    answers: int = 0
    """Questions answered, and violations ruled on."""
    corrections: int = 0
    """Misread cards that the dealer corrected."""
    said: int = 0
    """Bids, bets and the like, which must be said because nothing on the table shows them."""
    typed: int = 0
    """Cards that were typed because the camera missed them."""
    resumed: int = 0
    """Number of times the table was taken as it lies."""
    unheeded: int = 0
    """Acts that the appliance never showed as followed."""

    def __sub__(self, other: Counts) -> Counts:
        return Counts(*(a - b for a, b in zip(self, other, strict=True)))

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))

    def __iter__(self) -> Iterator[int]:
        return iter(
            (
                self.presses,
                self.answers,
                self.corrections,
                self.said,
                self.typed,
                self.resumed,
                self.unheeded,
            )
        )

    def copy(self) -> Counts:
        """A copy of the current counts."""
        return Counts(*self)


Script = Generator[None, None, None]
"""Something a dealer does over several steps; each `next` is one step."""
Noticing = Generator[None, None, bool]
"""The same, with the return value whether there was something to notice."""


@dataclass(kw_only=True)
class Attention:
    """Somebody between a table and the appliance that follows it; each script runs in steps."""

    world: World
    hands: Hands
    eyes: Eyes
    texts: Texts
    counts: Counts = field(default_factory=Counts)
    now: float = 0.0
    implied: dict[int, set[int]] = field(default_factory=dict)
    """Per hand, the positions (from 0) of the acts that nobody had to say."""
    _unsaid: list[tuple[Act, str, int]] = field(default_factory=list)
    _doing: Act | None = None
    _done: list[Act] = field(default_factory=list)
    """What was done since the appliance was last seen to be in step."""

    @property
    def _sees(self) -> Onlooker:
        return Onlooker(self.world, self.eyes)

    # Waiting for the appliance.

    def _until(self, moment: float) -> Script:
        while self.now < moment:
            yield

    def _wait(self, seconds: float) -> Script:
        yield from self._until(self.now + seconds)

    def _taken_in(self, but: Collection[str] = ()) -> Script:
        """Wait until the screen matches the table, `but` for some spots; help if it does not."""
        for _ in range(TRIES):
            patience = self.now + PATIENCE_S
            while self.now < patience:
                if self._sees.follows(but):
                    self._unsaid.clear()
                    self._done.clear()
                    return
                resting = bool(self.world.table.arms(self.now))
                if resting or self._sees.frozen() or (yield from self._heeded()):
                    patience = self.now + PATIENCE_S
                yield
            yield from self._help()
        self.counts.unheeded += 1
        self._unsaid.clear()
        self._done.clear()

    def _heeded(self) -> Noticing:
        """React to what the panel and the screen show; returns whether there was anything."""
        screen = self.eyes.screen()
        wrong = self._sees.misread(screen)
        asks = bool(screen.options) and self.eyes.lamps()[Lamp.OK] is Pattern.SLOW
        if not (asks or wrong or self._sees.unexpected(screen)):
            return False
        yield from self._wait(REACTION_S)
        screen = self.eyes.screen()
        if screen.options:
            self.counts.answers += 1
            yield from self._choose(self._answers(), then_type=self._meant())
        elif self._sees.misread(screen):
            yield from self._correct(screen)
        elif self._sees.unexpected(screen):
            self.counts.answers += 1
            yield from self._press(Button.OK)
        return True

    def _help(self) -> Script:
        """Help an appliance that is waiting: say what was left unsaid, or what it missed."""
        self._unsaid = [one for one in self._unsaid if not self._is_known(one[0], one[2])]
        if self._unsaid:
            yield from self._say_unsaid()
            return
        for act in self._sees.missed():
            if not act.cards:
                yield from self._typed(act, missed=True)

    def _is_known(self, act: Act, place: int) -> bool:
        """Whether the screen shows an act of the hand at this place, as what came later implied."""
        shown = [Act.parse(line) for line in self.eyes.screen().acts]
        done = self.world.state.acts[: place + 1]
        times = sum(alike(one.observed(), act.observed()) for one in done)
        return sum(alike(act.observed(), one) for one in shown) >= times

    def _say_unsaid(self) -> Script:
        """Give the appliance one act that nothing on the table shows: by OK if that is asked."""
        act, sentence, place = self._unsaid.pop(0)
        for places in self.implied.values():
            places.discard(place)
        asked = self.eyes.lamps()[Lamp.OK] is Pattern.SLOW
        if asked and self.eyes.screen().sentence == sentence:
            yield from self._press(Button.OK)
            if self.eyes.screen().options:  # several answers are possible
                said = self.texts.say(act_phrase([act.observed()]))
                yield from self._choose(lambda option: option == said, then_type=(act,))
        else:
            yield from self._typed(act)

    # At the panel.

    def _press(self, button: Button, seconds: float = PRESS_S) -> Script:
        self.counts.presses += 1
        self.hands.press(button, seconds)
        yield from self._wait(seconds + BETWEEN_S)

    def _typed(self, act: Act, *, missed: bool = False) -> Script:
        """Type an act, omitting what nobody at the table can see."""
        if missed and act.cards:
            self.counts.typed += 1
        else:
            self.counts.said += 1
        self.hands.type(str(act.observed()))
        yield from self._wait(BETWEEN_S)

    def _choose(self, true: Callable[[str], bool], then_type: Sequence[Act]) -> Script:
        """Step through a menu to the first true option; if there is none, leave it and type."""
        for _ in range(min(OPTIONS_MOST, len(self.eyes.screen().options))):
            options = self.eyes.screen().options
            if not options:
                return
            if true(options[0]):
                self.counts.resumed += self._goes_on(options[0])
                yield from self._press(Button.OK)
                return
            yield from self._press(Button.FIX)
        yield from self._press(Button.FIX, HOLD_S)
        for act in then_type:
            yield from self._typed(act, missed=True)

    def _meant(self) -> Sequence[Act]:
        """What is typed if no option says what was done."""
        return (self._doing,) if self._doing is not None else ()

    def _answers(self) -> Callable[[str], bool]:
        """What makes an option true: it names what was done, or else the card that is there."""
        shown = [Act.parse(line) for line in self.eyes.screen().acts]
        done: Sequence[Act] = () if self._ends_like(shown) else unfollowed(self._done, shown)
        if done is self._done:
            laid = [one for one in shown if one.verb is not Verb.DRAW]
            done = unfollowed(straight_on(done), laid)
        done = done or self._unseen(shown)
        told = self._as_offered(straight_on(done))
        lines: Sequence[str] = [self._line(act) for act in told]
        cards = [self.texts.card(card).lower() for act in done[-1:] for card in act.cards]
        offered = [option.lower() for option in self.eyes.screen().options]
        # What was done out of sight distinguishes options that name it from those that do not.
        lines = with_unsaid(self._with_unsaid(told), lines, offered)
        says = in_order
        if order_is_free(told) and not any(in_order(lines, option) for option in offered):
            says = in_any_order
        exact = any(says(lines, option) for option in offered)
        nothing = self.texts.say(act_phrase(())).lower()
        hand = [self._line(act) for act in self.world.state.acts]
        # If it may have been another player's act, who is next says more than the card.
        exact = exact or any(map(self._goes_on, self.eyes.screen().options))

        pot = self.world.state.game.pot(self.world.state)

        def true(option: str) -> bool:
            said = option.lower()
            if not told and said == nothing:
                return True
            named = len(told) == 1 and not exact and any(card in said for card in cards)
            named = (named or says(lines, said)) and not of_another(said, hand)
            counted = said == self._line(Act(Verb.POT, numbers=(pot,)))
            return named or counted or self._goes_on(option) or self._went(option)

        return true

    def _as_offered(self, told: Sequence[Act]) -> Sequence[Act]:
        """What is `told`, with a card that was dealt and gone again as its rank if so offered."""
        offered = [option.lower() for option in self.eyes.screen().options]
        for dealt in [act.cards[0] for act in told if act.verb is Verb.DEAL and act.cards]:
            ranked = [ranks_only(act, dealt) for act in told]
            if any(in_order([self._line(act) for act in ranked], said) for said in offered):
                return ranked
        return told

    def _line(self, act: Act) -> str:
        """An act in the words of an option."""
        return self.texts.say(act_phrase([act.observed()])).lower()

    def _with_unsaid(self, told: Sequence[Act]) -> list[tuple[str, bool]]:
        """What is `told` and what was left unsaid before and between, in the order of the hand.

        Each comes with whether it was left unsaid.
        """
        acts = self.world.state.acts
        unsaid = [place for *_, place in self._unsaid if place < len(acts)]
        seen = {id(act) for act in told}
        return [
            (self._line(act), place in unsaid)
            for place, act in enumerate(acts)
            if place in unsaid or id(act) in seen
        ]

    def _ends_like(self, shown: Sequence[Act]) -> bool:
        """Whether the acts on the screen end like the hand, with what was done last and some
        before that, so that it was not an earlier act that looked the same.
        """
        last = len(self._done) + BEFORE
        pairs = zip(self.world.state.acts[-last:], shown[-last:], strict=False)
        return len(shown) >= last and all(alike(act.observed(), other) for act, other in pairs)

    def _unseen(self, shown: Sequence[Act]) -> list[Act]:
        """What is being done, unless it is on the screen already."""
        doing = self._doing
        if doing is None or any(alike(doing.observed(), act) for act in shown):
            return []
        return [doing]

    def _goes_on(self, option: str) -> bool:
        """Whether the option offers to resume from the table and wait for what comes next."""
        if AS_IT_LIES not in self.texts.sentences:
            return False
        offer = self.texts.say(Phrase.of(AS_IT_LIES, then=""))
        awaits = self.texts.say(turn_phrase(self.world.state.public().turn))
        return option.startswith(offer.strip()) and option.endswith(awaits)

    def _went(self, option: str) -> bool:
        """Whether it says from where the hand went differently from what was followed, and how."""
        offer = self.texts.say(Phrase.of(RATHER, line="", then="")).partition(":")[0]
        awaits = self.texts.say(turn_phrase(self.world.state.public().turn))
        done = (self.texts.say(act_phrase([act.observed()])) for act in self.world.state.acts)
        there = option.startswith(f"{offer}:") and option.endswith(awaits)
        return there and any(line.lower() in option.lower() for line in done)

    # Misread cards.

    def _correct(self, screen: Snapshot) -> Script:
        """Tell the appliance the right card for one that was misread."""
        wrong = self._sees.misread(screen)
        assert wrong is not None
        self.counts.corrections += 1
        spot, card = wrong
        shown = [Card.parse(text) for text in dict(screen.table).get(spot, ())]
        true = [c for c in self.world.state.table.view(spot) if c not in shown]
        names = [self.texts.card(card).lower() for card in true]
        yield from self._press(Button.FIX)
        if self.texts.card(card).lower() in self.eyes.screen().sentence.lower():
            yield from self._choose(lambda option: any(n in option.lower() for n in names), ())
        elif self.eyes.screen().options:
            yield from self._press(Button.FIX, HOLD_S)
        if self._sees.misread(self.eyes.screen()) is not None:
            yield from self._press(Button.FIX, HOLD_S)
            for act in self._sees.missed():
                yield from self._typed(act, missed=True)
