"""What people tell the loop: with the buttons, by a typed line, by answering a question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from firmware.display.pads import SAID, Pad, Pads
from firmware.display.prompts import Option, Question, Speaks, act_phrase, turn_phrase
from firmware.display.snapshot import Correction
from firmware.errors import FirmwareError
from firmware.follow.anew import LOST, rather
from firmware.follow.choices import all_of, certain, insisted, menu
from firmware.follow.corrections import correction
from firmware.follow.differences import difference
from firmware.follow.looking import Looking
from firmware.follow.sight import Sight
from firmware.follow.spoken import spoken
from firmware.follow.taking import Taking
from firmware.follow.unseen import closed_by, forced_run, leading_to
from firmware.store.ledger import CAMERA, PANEL, PLAYER, TYPED, Ledger, Step
from hardware.press import Button, Held, PanelEvent, Pressed, Stuck
from rules.acts import Act, Verb
from rules.errors import ActError, NothingToUndoError, RulesError
from rules.match import Hand
from rules.phrases import Phrase
from rules.state import State
from rules.violations import Ruling
from vision.sightings import Seen

EXPLAIN = "explain"
"""The prefix of the key of a question about what lies on the table."""
SAID_AGAIN_S = 3.0
"""Age of a camera's act within which a line that breaks a rule only by repeating it was begun
before it. A choice: it takes this long to type or say the line.
"""


def is_lost(question: Question) -> bool:
    """Whether it asks how to resume the hand."""
    return isinstance(question.key, tuple) and question.key[:1] == (LOST,)


class Panel(Taking):
    """Handles what is pressed, typed and answered."""

    def __init__(self, ledger: Ledger, texts: Speaks) -> None:
        super().__init__(ledger, texts)
        self.held = False
        self.stuck: frozenset[Button] = frozenset()
        self.looking = Looking()
        self._pads = Pads()
        self._dealt: tuple[State, tuple[Act, ...]] | None = None
        self._undone: frozenset[str] = frozenset()
        self._answered: set[object] = set()
        self._buttons: Mapping[tuple[type[PanelEvent], Button], Callable[[], None]] = {
            (Pressed, Button.OK): self._press_ok,
            (Pressed, Button.FIX): self._press_fix,
            (Pressed, Button.HOLD): self._press_hold,
            (Held, Button.OK): self._hold_ok,
            (Held, Button.FIX): self._hold_fix,
            (Held, Button.HOLD): self._hold_hold,
        }

    @property
    def sight(self) -> Sight:
        """What the table shows, unless a person has said otherwise."""
        return self.looking.sight

    def button(self, event: PanelEvent) -> None:
        """Handle an event of a button."""
        self.now = max(self.now, event.time)
        if isinstance(event, Stuck):
            self.stuck |= {event.button}
            self._say(Phrase.of("panel.stuck", button=event.button.name.lower()), "alarm")
        elif isinstance(event, Pressed | Held):
            kind = "held" if isinstance(event, Held) else "pressed"
            self.stuck -= {event.button}
            self.ledger.note("press", button=event.button.name.lower(), how=kind)
            self._buttons[type(event), event.button]()

    # Lines.

    def type(self, line: str, *, sure: bool = False) -> None:
        """Handle a typed act line, or several that belong together, separated by semicolons.

        What the rules do not allow now is asked about first, unless whoever types is `sure`.
        """
        try:
            acts = [spoken(self.state, part) for part in line.split(";")]
            self._give_up_before(acts[0])
            between = self.match.is_between(acts[0])
            ways = () if between else leading_to(self.state, acts[0])
            ways = ways or (() if between else closed_by(self.state, acts[0]))
            broken = None if between else insisted(self.state, (*ways[:1], acts))
            if broken is not None and self._just_seen(acts):
                self._acknowledge()
                return
            doubted = self._ask_rather(acts) if broken is not None else None
            if doubted is None and not sure:
                doubted = broken
            if doubted is not None:
                self._open(doubted)
            elif len(ways) > 1:
                self._ask_before(acts, ways)
            else:
                self._told(acts, TYPED, before=ways[0] if ways else ())
        except RulesError as error:
            self._refuse(error)

    def _just_seen(self, acts: Sequence[Act]) -> bool:
        """Whether the camera has just recorded what somebody had begun to say."""
        seen = self.now - self._seen_at < SAID_AGAIN_S and self.ledger.taken[-1].by == CAMERA
        return seen and self.state.acts[-len(acts) :] == tuple(acts)

    def _give_up_before(self, act: Act) -> None:
        """Record that cards were given up, if what is said now makes sense only then."""
        if self.seen is None or self.held or self.match.is_between(act):
            return
        given = self.looking.given_up(self.state, self.seen, act)
        if given is not None:
            self._take(given.steps, CAMERA)

    def _ask_before(self, acts: Sequence[Act], ways: Sequence[tuple[Act, ...]]) -> None:
        """Ask what came before a typed line, if several unseen acts are possible."""
        told = tuple(acts)
        options = tuple(Option(act_phrase((*way, *told)), (*way, *told)) for way in ways)
        key = ("before", told, len(self.state.acts))
        self.question = Question(Phrase("ask.which"), options, key, by_hand=True)

    def _ask_rather(self, acts: Sequence[Act]) -> Question | None:
        """Ask whether the hand went differently, if that alone makes what is said break a rule."""
        if self.seen is None or self.held:
            return None
        ways = self.looking.told(self.state, self.seen, acts)
        if not ways:
            return None
        told = tuple(acts)
        options = (*(rather(one, self.texts.say) for one in ways), Option(act_phrase(told), told))
        return Question(
            Phrase("ask.which"), options, ("rather", told, len(self.state.acts)), by_hand=True
        )

    def say(self, seat: int, line: str, count: int) -> None:
        """Handle what a player says for themselves at `seat`, if that may be said now.

        It responds to the table after `count` acts: said twice, or after the dealer has said it for
        them, it no longer means anything.
        """
        try:
            act = Act.parse(line)
            since = [one for one in self.state.acts[count:] if one.seat == seat]
            if act.seat == seat and act.verb in SAID and not since and self.state.allows(act):
                self._told([act], f"{PLAYER} {seat}")
        except RulesError as error:
            self._refuse(error)

    def keep(self, rule: str) -> None:
        """Keep a secret rule, given in private; the table learns only its seal."""
        try:
            self.ledger.safe.tell(rule)
        except (RulesError, FirmwareError):
            self._tell(
                Phrase("secret.refused"), "error"
            )  # the reason would reveal something about the rule
        else:
            self._seal()

    def _seal(self) -> None:
        """Seal the rule that was given, if the hand needs one."""
        act = self.ledger.safe.sealing(self.state)
        if act is not None:
            self._take([Step(act)], TYPED)

    def correct(self, change: Correction) -> None:
        """Correct an act of the hand in play, if it is still the one that was meant."""
        acts = self.state.acts
        there = change.hand == self.state.start.hand and 1 <= change.number <= len(acts)
        try:
            if not there or str(acts[change.number - 1].observed()) != change.was:
                raise ActError(f"'{change.was}' is not act {change.number} of this hand any more")
            self._correct(change.number, Act.parse(change.line))
        except RulesError as error:
            self._refuse(error)

    def choose(self, words: str) -> None:
        """Take the option with these words, if it is still offered."""
        if self.question is None:
            return
        said = [self.texts.say(option.phrase) for option in self.question.options]
        if words in said:
            self._answer(replace(self.question, shown=said.index(words)))

    # Buttons.

    def _press_ok(self) -> None:
        does = self._ok[1]
        does() if does else self._tell(turn_phrase(self.state.turn), "error")

    @property
    def _ok(self) -> tuple[Phrase | None, Callable[[], None] | None]:
        """What OK does now, in words and as a call; it does nothing that is not announced."""
        if self.held:
            return None, lambda: self._tell(Phrase("hold.frozen"), "error")
        if (question := self.question) is not None:
            return question.chosen.phrase, lambda: self._answer(question)
        if self.state.open_violations:
            return Phrase("ok.stand"), self._let_stand
        if self._undone_still_lies:
            return Phrase("ok.count"), self._count_again
        if due := self._due:
            hidden = all(act.cards and act.down for act in due)  # hands that nobody sees dealt
            said = Phrase("ok.dealt") if hidden else act_phrase(due)
            return said, lambda: self._told(due, PANEL)
        if (asked := menu(self.state, self._pad)) is not None:
            return Phrase("ok.menu"), lambda: self._open(asked)
        return None, None

    @property
    def _pad(self) -> Pad:
        return self._pads.of(self.state, self.texts)

    def _open(self, question: Question) -> None:
        self.question = question

    def _let_stand(self) -> None:
        number = self.state.open_violations[0].found
        self._take([Step(Act(Verb.RULE, numbers=(number,), words=(str(Ruling.STAND),)))], PANEL)

    def _count_again(self) -> None:
        self.looking.look_again()
        self._tell(Phrase("sight.again"))

    @property
    def _due(self) -> tuple[Act, ...]:
        """What OK performs now: an act that leaves nothing open, or a deal that nobody sees."""
        due = certain(self.state) or self.ledger.safe.revealing(self.state)
        if due is not None:
            return (due,)
        if self._dealt is None or self._dealt[0] is not self.state:
            self._dealt = (self.state, forced_run(self.state)[0])
        return self._dealt[1]

    def _told(self, acts: Sequence[Act], by: str, *, before: Sequence[Act] = ()) -> None:
        """Record that a person says that acts are done, whatever the table shows of them.

        That makes it certain that those `before` were done. Raises `ActError` if one of `acts`
        means nothing here.
        """
        touched = self._touched((*before, *acts))
        implied = [Step(act, implied=True) for act in before]
        if self._take([*implied, *map(Step, acts)], by) and self.seen is not None:
            self.sight.ignore(self.seen, self._unlike(self.seen, touched))
            self.sight.believe(self.state, self.seen, touched)
            self.looking.settle(self.state, touched)

    def _unlike(self, seen: Seen, spots: Collection[str]) -> set[str]:
        """Those of the spots that do not show what the state holds."""
        cards = {
            spot: tuple(one.card for one in lying)
            for spot, lying in seen.spots.items()
            if spot in spots and spot in self.state.spots
        }
        unlike = difference(self.state, cards, cards.keys())
        return {*unlike.came, *unlike.left}

    def _touched(self, acts: Sequence[Act]) -> set[str]:
        """The places that cards leave or reach by these acts."""
        if self.match.is_between(acts[0]):
            self.match.verify(acts[0])
            return set()
        state, places = self.state, set[str]()
        for act in acts:
            after = state.play(act)
            places |= {place for move in state.trace(act) for place in (move.source, move.target)}
            state = after
        return places

    def _press_fix(self) -> None:
        if self.question is None:
            self.question = correction(self.state, self.seen, self._before)
            if self.question is None:
                self._tell(Phrase("fix.nothing"), "error")
        else:
            self.question = self.question.turned(1)

    def _before(self, number: int) -> Pad:
        """What might have been said instead of an act of this hand."""
        hand = self.match.hand
        before = Hand(hand.game, hand.start, hand.acts[: number - 1], secrets=hand.secrets)
        return Pads().of(before.state, self.texts)

    def _hold_fix(self) -> None:
        if self.question is None:
            self.undo()
        elif self.question.back is not None:
            self.question = self.question.back
        else:
            self._dismiss(self.question)

    def undo(self) -> None:
        """Undo the last act, whatever is being asked."""
        self.question = None
        try:
            undone = self.ledger.undo()
        except NothingToUndoError:
            self._tell(Phrase("undo.nothing"), "error")
            return
        self.looking.restart()
        self._refuse_again(tuple(reversed(undone)))
        if self.seen is not None:
            spots = self.seen.spots
            self.sight.ignore(self.seen, self._unlike(self.seen, spots) | self.seen.busy)
            self._undone = frozenset(self.seen.spots)
        self._tell(Phrase.of("undo.done", line="; ".join(map(str, reversed(undone)))))
        if self.failure or self.ledger.failure:
            self._stored()

    def _press_hold(self) -> None:
        self.held = not self.held

    def _hold_hold(self) -> None:
        self.held, self.question = False, None
        self._take([Step(Act(Verb.MISDEAL))], PANEL)

    def _hold_ok(self) -> None:
        """Offer everything that may be said, including out of turn, when OK is held.

        An open question stays as it is.
        """
        said = all_of(self.state, self._pad)
        if self.question is not None or self.held or said is None:
            self._press_ok()
        else:
            self._open(said)

    # Questions.

    def _answer(self, question: Question) -> None:
        """Take the option shown."""
        acts, opens = question.chosen.acts, question.chosen.opens
        if opens is not None:
            self.question = replace(opens(), back=question)
            return
        if question.chosen.after is not None:
            self._rethink(question.chosen.after, acts)
            return
        if is_lost(question) and self._lies_otherwise(question):
            self.question = None
            self._tell(Phrase("lost.again"), "error")
            return
        self.question = None
        self.looking.restart()
        if not acts:
            self._dismiss(question)
            self.looking.settle(self.state)
            return
        if question.corrects:
            self._correct(question.corrects, acts[0])
            return
        if question.by_hand:
            self._told(acts, PANEL)
            return
        if self._take([Step(act) for act in acts], PANEL):
            self.looking.settle(self.state)
            for act in acts:
                self._name(act)

    def _rethink(self, number: int, acts: Sequence[Act]) -> None:
        """Record that the hand went differently after its first acts: these came then."""
        self.question = None
        self.looking.restart()
        last = len(self.state.acts) - number
        if self._take([Step(act) for act in acts], PANEL, instead=last):
            self.looking.settle(self.state)

    def _lies_otherwise(self, question: Question) -> bool:
        """Whether the table has changed since the question how to resume was asked."""
        assert self.seen is not None
        now = self.looking.layouts(self.state, self.seen)
        asked = {one.layout for option in question.options for one in option.acts if one.layout}
        first = question.chosen.acts[0]
        later = first.verb is Verb.RESUME and first.numbers[0] > len(self.state.acts)
        return asked.isdisjoint(now) or later

    def _refuse_again(self, acts: Sequence[Act]) -> None:
        """Make sure that what a person undid or corrected does not explain this table again."""
        if self.seen is not None:
            self.looking.refuse(self.state, self.seen, acts)

    def _dismiss(self, question: Question) -> None:
        """Leave a question; what is in doubt on the table, if it was about that, is nothing new."""
        self._answered.add(question.key)
        self.question = None
        asked = isinstance(question.key, tuple) and question.key[:1] == (EXPLAIN,)
        if asked and self.seen is not None:
            self.looking.wave(self.seen)

    def _correct(self, number: int, act: Act) -> None:
        old = self.state.acts[number - 1]
        self._refuse_again((old,))
        try:
            self.ledger.correct(number, act)
        except RulesError as error:
            self._refuse(error)
            return
        spot = act.spot or str(act.seat)
        for wrong, right in zip(old.cards, act.cards, strict=False):
            lying = self.sight.lying_as(self.seen, spot, wrong) if self.seen else None
            if lying is not None and wrong != right:
                self.sight.name(spot, lying, right)
        self._stored()

    def _name(self, act: Act) -> None:
        """Let what a person has chosen override the camera."""
        if self.seen is not None:
            self.sight.choose(self.seen, act.spot or str(act.seat), act.cards)

    @property
    def _undone_still_lies(self) -> bool:
        """Whether cards of an act that was undone are still there, unmoved."""
        ignored = self.sight.ignored.keys() & self._undone
        return self.seen is not None and bool(self._unlike(self.seen, ignored))
