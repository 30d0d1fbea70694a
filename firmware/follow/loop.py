"""The loop: events in, effects out.

What is seen, pressed or typed comes in; the prompt, the snapshot and what to sound or say go out.
It does not depend on catching anything: every look at the table ends in the same comparison of
the state's table with the seen one, after an undo, a correction or a restart as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware.display.compose import snapshot
from firmware.display.effects import Effect, Sound, Speech
from firmware.display.pads import Pads
from firmware.display.prompts import (
    DARK,
    FAST,
    OFF,
    SLOW,
    STEADY,
    Option,
    Prompt,
    Question,
    Speaks,
    act_phrase,
    turn_phrase,
    verdict_of,
)
from firmware.display.snapshot import Correction, Snapshot
from firmware.errors import FirmwareError
from firmware.follow.ambiguity import agreed, as_it_lies, instead, reordered
from firmware.follow.anew import LOST, differences, layout_of, lost
from firmware.follow.choices import choice
from firmware.follow.corrections import correction
from firmware.follow.differences import difference
from firmware.follow.reconcile import Explanation, Findings, explain
from firmware.follow.sight import Cards, Sight, doubts, lying_as
from firmware.follow.trouble import PersistentTrouble
from firmware.follow.unseen import Bag, bag, forced_run, leading_to
from firmware.store.ledger import CAMERA, PANEL, TYPED, Ledger, Step
from hardware.press import Button, Held, PanelEvent, Pressed, Stuck
from rules.acts import Act, Verb
from rules.cards import BACK
from rules.errors import ActError, NothingToUndoError, RulesError
from rules.match import Match
from rules.phrases import Phrase
from rules.state import State
from rules.violations import Ruling
from vision.sightings import Lying, Seen

ASK_AFTER_S = 1.0
"""A table that can be read in several ways is asked about only once it has stayed so for so long:
the next card often answers the question."""
IRREGULAR_AFTER_S = 1.2
"""What no legal act explains is taken for a slip only once it has lain there for so long: hands
still sort cards. Shorter than a dealer's next move."""
BEGUN_AFTER_S = 4.0
"""The same, where it may be the beginning of an act that something unsaid would make legal."""
COVERED_AFTER_S = 7.0
"""The same, while a hand is over a place where something is awaited: what is seen elsewhere may
have come after it. A choice: hands rest for some seconds, the simulated ones for six at most."""
LOST_AFTER_S = 4.0
"""A table at rest that nothing explains, no slip either, is told after so long: five seconds are a
dealer's patience, and looking takes its share."""
HALFWAY_AFTER_S = 12.0
"""The same, where it is the beginning of what is awaited: people stop halfway to talk."""
SLIP_MOST = 3
"""More cards than these, lying against the rules, are no slip of a hand: the hand was lost."""
NOTICE_S = 5.0
"""How long the answer to a typed line or a press stays on the screen: a sentence read slowly."""
RETRY_S = 2.0
"""How often it is tried again to store what could not be: a try may wait for 0.2 s."""
ACKNOWLEDGED_S = 0.6
"""How long the lamp of OK stays lit when an act has been stored: longer than a glance."""

Crop = Callable[[Lying], bytes | None]
"""Gives the small picture of a card in the newest frame, as a JPEG file."""


Ways = list[tuple[dict[str, Cards], Findings]]
"""The readings of a table, the likeliest first, with what each of them means."""


@dataclass
class _Puzzle:
    """A difference that nothing explains yet, and since when (seconds) it has been so."""

    key: object
    since: float


def _key(cards: dict[str, Cards]) -> object:
    return tuple(sorted(cards.items()))


def _is_lost(question: Question) -> bool:
    return isinstance(question.key, tuple) and question.key[:1] == (LOST,)


class Loop:
    """Follows one match: what it sees, hears and is told, and what it answers.

    All methods belong to one thread. Times are seconds of one clock that never goes back.
    """

    def __init__(self, ledger: Ledger, texts: Speaks) -> None:
        self.ledger = ledger
        self.texts = texts
        self._pads = Pads()
        self.now = 0.0
        self.seen: Seen | None = None
        self.question: Question | None = None
        self.held = False
        self.sight = Sight()
        self.notice: tuple[Phrase, float] | None = None
        self.stuck: frozenset[Button] = frozenset()
        self._crop: Crop = lambda _: None
        self._puzzle: _Puzzle | None = None
        self._looked: tuple[State, object, Ways] | None = None
        self._dealt: tuple[State, tuple[Act, ...]] | None = None
        self._undone: frozenset[str] = frozenset()
        self._refused: list[tuple[dict[str, Cards], Bag]] = []
        self._slipped: set[object] = set()
        self._tolerated: tuple[object, int, Explanation | None] | None = None
        self._differs: tuple[Phrase, ...] = ()
        self._answered: set[object] = set()
        self._persistent = PersistentTrouble()
        self._lit_until = 0.0
        self.failure = ledger.failure
        self._failed_until = NOTICE_S
        self._retry_at = 0.0
        self._effects: list[Effect] = []

    @property
    def match(self) -> Match:
        """What was followed so far."""
        return self.ledger.match

    @property
    def state(self) -> State:
        """The present moment of the hand."""
        return self.match.state

    def effects(self) -> tuple[Effect, ...]:
        """What to sound and say since the last call."""
        due, self._effects = tuple(self._effects), []
        return due

    # Events.

    def see(self, seen: Seen, crop: Crop | None = None) -> None:
        """Take in what the tracker reports; `crop` cuts pictures of its cards for the journal."""
        self.now, self.seen = max(self.now, seen.time), seen
        self._crop = crop or self._crop
        self._persistent.see(seen, self.now)
        self._retry()
        self._seal()
        if not self.held:
            self._look()

    @property
    def trouble(self) -> Phrase | None:
        """What has kept the camera from seeing for a while."""
        return self._persistent.told(self.now)

    def tick(self, now: float) -> None:
        """Let time pass without a picture."""
        self.now = max(self.now, now)
        if self.notice is not None and self.now >= self.notice[1]:
            self.notice = None
        self._retry()

    def button(self, event: PanelEvent) -> None:
        """Take in what was done to a button."""
        self.now = max(self.now, event.time)
        if isinstance(event, Stuck):
            self.stuck |= {event.button}
            self._say(Phrase.of("panel.stuck", button=event.button.name.lower()), "alarm")
        elif isinstance(event, Pressed | Held):
            kind = "held" if isinstance(event, Held) else "pressed"
            self.stuck -= {event.button}
            self.ledger.note("press", button=event.button.name.lower(), how=kind)
            getattr(self, f"_{kind}_{event.button.name.lower()}")()

    def type(self, line: str) -> None:
        """Take in a typed act line, or several that belong together, with semicolons between."""
        try:
            acts = [Act.parse(part) for part in line.split(";")]
            ways = () if self.match.is_between(acts[0]) else leading_to(self.state, acts[0])
            if len(ways) > 1:
                self._ask_before(acts, ways)
            else:
                self._told(acts, TYPED, before=ways[0] if ways else ())
        except RulesError as error:
            self._refuse(error)

    def _ask_before(self, acts: Sequence[Act], ways: Sequence[tuple[Act, ...]]) -> None:
        """What came before a typed line may be one of several things that nobody has seen."""
        told = tuple(acts)
        options = tuple(Option(act_phrase((*way, *told)), (*way, *told)) for way in ways)
        key = ("before", told, len(self.state.acts))
        self.question = Question(Phrase("ask.which"), options, key, by_hand=True)

    def keep(self, rule: str) -> None:
        """Take in a secret rule, told in private; the table hears of its seal only."""
        try:
            self.ledger.safe.tell(rule)
        except (RulesError, FirmwareError):
            self._tell(Phrase("secret.refused"), "error")  # why would tell of the rule
        else:
            self._seal()

    def _seal(self) -> None:
        """Seal the rule that was told, if the hand wants one."""
        act = self.ledger.safe.sealing(self.state)
        if act is not None:
            self._take([Step(act)], TYPED)

    def correct(self, change: Correction) -> None:
        """Put right an act of the hand in play, if it still is the one that was meant."""
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

    def _refuse(self, error: Exception) -> None:
        self._tell(Phrase.of("typed.refused", error=str(error)), "error")

    def announce(self, phrase: Phrase, until: float) -> None:
        """Tell the dealer something about the device: aloud, and on the screen until then."""
        self.notice = (phrase, until)
        self._say(phrase, "alarm")

    # Buttons.

    def _pressed_ok(self) -> None:
        state = self.state
        if self.question is not None:
            self._answer(self.question)
        elif state.open_violations:
            number = state.open_violations[0].found
            self._take([Step(Act(Verb.RULE, numbers=(number,), words=(str(Ruling.STAND),)))], PANEL)
        elif self._undone_still_lies:
            self.sight.ignored.clear()
            self._refused.clear()
            self._looked = None
            self._tell(Phrase("sight.again"))
        elif self._due:
            self._told(self._due, PANEL)
        elif (asked := choice(state)) is not None:
            self.question = asked
        else:
            self._tell(turn_phrase(state.turn), "error")

    @property
    def _due(self) -> tuple[Act, ...]:
        """What OK does now: the act that leaves nothing open, or the dealing that nobody sees."""
        due = self.state.turn.due or self.ledger.safe.revealing(self.state)
        if due is not None:
            return (due,)
        if self._dealt is None or self._dealt[0] is not self.state:
            self._dealt = (self.state, forced_run(self.state)[0])
        return self._dealt[1]

    def _told(self, acts: Sequence[Act], by: str, *, before: Sequence[Act] = ()) -> None:
        """A person says that acts are done, whatever the table shows of them.

        That makes it certain that those `before` were done. Raises `ActError` if one of `acts`
        means nothing here.
        """
        touched = self._touched((*before, *acts))
        implied = [Step(act, implied=True) for act in before]
        if self._take([*implied, *map(Step, acts)], by) and self.seen is not None:
            seen = {
                spot: tuple(one.card for one in lying) for spot, lying in self.seen.spots.items()
            }
            unlike = difference(self.state, seen, touched & seen.keys() & self.state.spots.keys())
            self.sight.ignore(self.seen, {*unlike.came, *unlike.left})

    def _touched(self, acts: Sequence[Act]) -> set[str]:
        """The places that cards leave or come to by these acts."""
        if self.match.is_between(acts[0]):
            self.match.verify(acts[0])
            return set()
        state, places = self.state, set[str]()
        for act in acts:
            after = state.play(act)
            places |= {place for move in state.trace(act) for place in (move.source, move.target)}
            state = after
        return places

    def _pressed_fix(self) -> None:
        if self.question is None:
            self.question = correction(self.state, self.seen)
            if self.question is None:
                self._tell(Phrase("fix.nothing"), "error")
        else:
            self.question = self.question.turned(1)

    def _held_fix(self) -> None:
        if self.question is not None:
            self._dismiss(self.question)
            return
        try:
            undone = self.ledger.undo()
        except NothingToUndoError:
            self._tell(Phrase("undo.nothing"), "error")
            return
        self._puzzle = None
        self._refuse_again(tuple(reversed(undone)))
        if self.seen is not None:
            self.sight.ignore(self.seen, self.seen.spots)
            self._undone = frozenset(self.seen.spots)
        self._tell(Phrase.of("undo.done", line="; ".join(map(str, reversed(undone)))))
        if self.failure or self.ledger.failure:
            self._stored()

    def _pressed_hold(self) -> None:
        self.held = not self.held

    def _held_hold(self) -> None:
        self.held, self.question = False, None
        self._take([Step(Act(Verb.MISDEAL))], PANEL)

    def _held_ok(self) -> None:
        """OK held means no more than OK pressed."""
        self._pressed_ok()

    # Questions.

    def _answer(self, question: Question) -> None:
        """Take the option that is shown."""
        acts = question.chosen.acts
        if _is_lost(question) and self._lies_otherwise(acts[-1]):
            self.question = None
            self._tell(Phrase("lost.again"), "error")
            return
        self.question, self._puzzle = None, None
        if not acts:
            self._dismiss(question)
            return
        if question.corrects:
            self._correct(question.corrects, acts[0])
            return
        if question.by_hand:
            self._told(acts, PANEL)
            return
        if self._take([Step(act) for act in acts], PANEL):
            for act in acts:
                self._name(act)

    def _lies_otherwise(self, resume: Act) -> bool:
        """Whether the table has changed since it was offered to take it as it lies."""
        assert self.seen is not None
        ways = self._ways(self.seen, self.sight.watched(self.state, self.seen))
        now = {layout_of(self.state, cards) for cards, _ in ways}
        return resume.layout not in now or resume.numbers[0] > len(self.state.acts)

    def _refuse_again(self, acts: Sequence[Act]) -> None:
        """What a person has taken back or put right does not explain this table again."""
        if self.seen is not None:
            watched = frozenset(self.seen.spots) & self.state.spots.keys()
            readings = self.sight.readings(self.state, self.seen, watched)
            self._refused += [(cards, bag(acts)) for cards in readings]

    def _dismiss(self, question: Question) -> None:
        self._answered.add(question.key)
        self.question = None

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
        """What a person has chosen holds against the camera."""
        spot = act.spot or str(act.seat)
        for card in act.cards:
            lying = lying_as(self.seen, spot, card) if self.seen else None
            if lying is not None and lying.doubtful:
                self.sight.name(spot, lying, card)

    # Looking.

    def _look(self) -> None:
        """Compare the table with the state, and take in what explains the difference."""
        assert self.seen is not None
        watched = self.sight.watched(self.state, self.seen)
        ways = self._ways(self.seen, watched)
        if not ways:
            return
        if all(one.card == BACK for one in doubts(self.seen, watched)):
            # What may be a back or nothing is nothing, unless it explains something.
            likely = [way for way in ways if way[1].explanations or not way[1].difference]
            ways = likely or ways
        explained = [one for _, findings in ways for one in findings.explanations]
        unchanged = any(not findings.difference for _, findings in ways)
        if unchanged and not explained:
            self._settled()
            return
        waited = self._waited(ways[0][0])
        if unchanged:
            if waited >= ASK_AFTER_S:
                self._ask([Explanation((), self.state), *explained], ways[0][0])
            return
        certain = agreed(self.state, explained, len(ways))
        orders = reordered(self.state, certain) if certain is not None else []
        if certain is not None and not orders:
            self._explained(certain)
        elif certain is not None and waited >= ASK_AFTER_S:
            self._ask([certain, *orders], ways[0][0])
        elif waited >= ASK_AFTER_S and explained:
            self._ask(explained, ways[0][0])
        else:
            self._unexplained(ways, waited)

    @property
    def _undone_still_lies(self) -> bool:
        """Whether cards of an act that was taken back have not been moved since."""
        ignored = self.sight.ignored.keys() & self._undone & self.state.spots.keys()
        if self.seen is None or not ignored:
            return False
        cards = {s: tuple(one.card for one in self.seen.spots.get(s, ())) for s in ignored}
        return bool(difference(self.state, cards, ignored))

    def _ways(self, seen: Seen, watched: frozenset[str]) -> Ways:
        """How the table may be read, and what each reading means; the same look is not redone."""
        state, look = self.state, (watched, seen.spots)
        fresh, bared = self.sight.fresh(state, seen), self.sight.bared(state, seen)
        if self._looked is None or self._looked[0] is not state or self._looked[1] != look:
            keyed = state.spots.keys() - seen.spots.keys()
            ways = []
            for cards in self.sight.readings(state, seen, watched):
                found = explain(state, cards, watched, fresh=fresh, bared=bared, keyed=keyed)
                ways.append((cards, self._unrefused(cards, found)))
            self._looked = (state, look, ways)
        return self._looked[2]

    def _unrefused(self, cards: dict[str, Cards], findings: Findings) -> Findings:
        """The findings, with what a person has taken back from this table to be asked about."""
        ways = tuple(
            replace(one, guessed=one.guessed or self._was_refused(cards, one.acts))
            for one in findings.explanations
        )
        return replace(findings, explanations=ways)

    def _was_refused(self, cards: dict[str, Cards], acts: Sequence[Act]) -> bool:
        done = bag(acts)
        return any(
            refused == done and all(table.get(spot) == there for spot, there in cards.items())
            for table, refused in self._refused
        )

    def _settled(self) -> None:
        self._puzzle = None
        if self.question is not None and not self.question.lasts:
            self.question = None

    def _waited(self, cards: dict[str, Cards]) -> float:
        """How long the difference has been the same, in seconds."""
        key = (tuple(sorted(cards.items())), len(self.state.acts))
        if self._puzzle is None or self._puzzle.key != key:
            self._puzzle = _Puzzle(key, self.now)
        return self.now - self._puzzle.since

    def _explained(self, explanation: Explanation) -> None:
        self._settled()
        self._take(explanation.steps, CAMERA)

    def _ask(self, explained: Sequence[Explanation], cards: dict[str, Cards]) -> None:
        key = ("explain", tuple(sorted(cards.items())), len(self.state.acts))
        if key in self._answered or (self.question and self.question.key == key):
            return
        options = tuple(Option(act_phrase(one.acts), one.acts) for one in explained)
        self.question = Question(Phrase("ask.which"), options, key)
        self._say(self.question.phrase, "tick")

    def _unexplained(
        self, ways: Sequence[tuple[dict[str, Cards], Findings]], waited: float
    ) -> None:
        """Nothing legal explains it: wait for more, ask which card it is, or take it as a slip."""
        assert self.seen is not None
        cards, findings = ways[0]
        if findings.begun == 0:
            if waited >= HALFWAY_AFTER_S and not self.seen.busy:
                self._lose(cards)
            return
        if doubts(self.seen, cards) and len(ways) > 1:
            if waited >= ASK_AFTER_S:
                self._ask([self._likeliest(found) for _, found in ways], cards)
            return
        unsure = next((one.card for one in doubts(self.seen, cards) if one.card != BACK), None)
        if unsure is not None:
            if waited >= IRREGULAR_AFTER_S:
                lawful = instead(self.state, cards, unsure)
                self._ask([as_it_lies(self.state, findings), *lawful], cards)
            return
        if self._covered and waited < COVERED_AFTER_S:
            return
        if waited >= (IRREGULAR_AFTER_S if findings.begun is None else BEGUN_AFTER_S):
            slip = self._slip(cards, findings)
            orders = reordered(self.state, slip) if slip is not None else []
            if slip is not None and orders:
                self._ask([slip, *orders], cards)
            elif slip is not None:
                self._slipped.add(self._pair(cards))
                self._take(slip.steps, CAMERA)
            elif waited >= LOST_AFTER_S:
                self._lose(cards)

    @property
    def _covered(self) -> bool:
        """Whether a hand hides a place where something is awaited: it may lie there already."""
        assert self.seen is not None
        turn = self.state.turn
        seats = {seat for one in turn for seat in one.seats}
        places = {name for one in turn for name in (*one.spots, *one.to)}
        return any(
            spot.in_sight and (name in places or spot.owner in seats)
            for name, spot in self.state.spots.items()
            if name in self.seen.busy
        )

    def _slip(self, cards: dict[str, Cards], findings: Findings) -> Explanation | None:
        """What a hand did wrong, if that is all that has happened; never the same twice.

        A card that is seen gone and there again and again would make acts without end.
        """
        pair = self._pair(cards)
        if pair in self._slipped:
            return None
        if self._tolerated is None or self._tolerated[:2] != (pair, len(self.state.acts)):
            slip = self._irregular(cards, findings)
            self._tolerated = (pair, len(self.state.acts), slip)
        return self._tolerated[2]

    def _irregular(self, cards: dict[str, Cards], findings: Findings) -> Explanation | None:
        """The acts of one slip that make the table as it is seen."""
        tolerated = explain(self.state, cards, set(cards), tolerant=True).explanations
        slip = tolerated[0] if tolerated else as_it_lies(self.state, findings)
        moved = sum(len(act.cards) for act in slip.acts)
        if not slip.steps or slip.guessed or (not tolerated and moved > SLIP_MOST):
            return None
        if self._was_refused(cards, slip.acts) or difference(slip.state, cards, cards.keys()):
            return None
        return slip

    def _pair(self, cards: dict[str, Cards]) -> object:
        """What should lie there, and what does: the same twice is going in circles."""
        shown = ((spot, self.state.spots[spot].shows(self.state.table)) for spot in sorted(cards))
        return self.state.start.hand, tuple(shown), _key(cards)

    def _lose(self, cards: dict[str, Cards]) -> None:
        """Tell what is not understood, and offer to take the table as it lies."""
        key = (LOST, layout_of(self.state, cards))
        if key in self._answered or (self.question and self.question.key == key):
            return
        self.question = lost(self.state, cards, self.texts.say)
        self._differs = tuple(differences(difference(self.state, cards, cards.keys())))
        if self.question is not None:
            self._say(self.question.phrase, "error")

    def _likeliest(self, findings: Findings) -> Explanation:
        """What one reading of the table would come to: lawful acts if there are any."""
        lawful = findings.explanations
        return lawful[0] if lawful else as_it_lies(self.state, findings)

    # Taking in.

    def _take(self, steps: Sequence[Step], by: str) -> bool:
        """Play, store and acknowledge acts; whether that could be done."""
        hand, known = self.match.hand, len(self.state.violations)
        try:
            self.ledger.take(steps, by, self._crops(steps) if by == CAMERA else ())
        except ActError as error:
            self._refuse(error)
            return False
        self._stored()
        if self.question is not None and (self.question.by_hand or self.match.hand is not hand):
            self.question = None if self.question.lasts else self.question  # it is over
        state = hand.state
        for violation in state.violations[known:]:
            if violation.open:
                self._say(violation.phrase, "error")
        verdict = verdict_of(state)
        if verdict is not None and state.calls:
            self._effects.append(Sound("tick" if verdict else "error"))
        for call in state.calls:
            self._effects.append(Speech(call, self.texts.say(call)))
        return True

    def _crops(self, steps: Sequence[Step]) -> list[bytes]:
        assert self.seen is not None
        lying = [
            lying_as(self.seen, step.act.spot or str(step.act.seat), card)
            for step in steps
            for card in step.act.cards
            if not step.implied
        ]
        pictures = [self._crop(one) for one in lying if one is not None]
        return [picture for picture in pictures if picture is not None]

    def _stored(self) -> None:
        """Acknowledge what was stored; what waits to be stored is told, once, and again later."""
        failed, self.failure = bool(self.failure), self.ledger.failure
        if not self.failure:
            self._acknowledge()
            return
        self._failed_until, self._retry_at = self.now + NOTICE_S, self.now + RETRY_S
        if not failed:
            self._say(Phrase.of("journal.failed", error=self.failure), "alarm")

    def _retry(self) -> None:
        """Try again to store what waits."""
        if self.failure and self.now >= self._retry_at:
            self._retry_at = self.now + RETRY_S
            if self.ledger.retry():
                self.failure = ""
                self._acknowledge()

    def _acknowledge(self) -> None:
        self._lit_until = self.now + ACKNOWLEDGED_S

    def _tell(self, phrase: Phrase, sound: str = "tick") -> None:
        """Answer a person: on the screen for a while, with a tone."""
        self.notice = (phrase, self.now + NOTICE_S)
        self._effects.append(Sound(sound))

    def _say(self, phrase: Phrase, sound: str) -> None:
        self._effects += [Sound(sound), Speech(phrase, self.texts.say(phrase))]

    # What it shows.

    @property
    def prompt(self) -> Prompt:
        """The one thing prompted now: the gravest first."""
        phrase, lamps = self._prompted()
        if self.failure:
            lamps = {**lamps, "hold": FAST}
        if self.now < self._lit_until and lamps["ok"] in (OFF, SLOW) and not self.question:
            lamps = {**lamps, "ok": STEADY}
        options = self.question.ordered if self.question and not self.held else ()
        words = tuple(self.texts.say(option.phrase) for option in options)
        return Prompt(phrase, self.texts.say(phrase), lamps, words)

    def _prompted(self) -> tuple[Phrase, dict[str, str]]:
        state = self.state
        if self.failure and self.now < self._failed_until:
            return Phrase.of("journal.failed", error=self.failure), {**DARK, "hold": FAST}
        if self.held:
            return Phrase("hold.frozen"), {**DARK, "hold": STEADY}
        if self.question is not None:
            return self.question.phrase, {**DARK, "ok": SLOW, "fix": SLOW}
        if self.notice is not None:
            return self.notice[0], {**DARK, "ok": self._due_lamp()}
        if state.open_violations:
            return state.open_violations[0].phrase, {**DARK, "ok": SLOW, "hold": FAST}
        if self.trouble is not None:
            return self.trouble, {**DARK, "hold": FAST}
        if self._undone_still_lies:
            return Phrase("sight.ignored"), {**DARK, "ok": SLOW}
        wrong = STEADY if verdict_of(state) is False else OFF
        return turn_phrase(state.turn), {**DARK, "ok": self._due_lamp(), "fix": wrong}

    def _due_lamp(self) -> str:
        return SLOW if self._due or choice(self.state) else OFF

    def snapshot(self) -> Snapshot:
        """Everything there is to show now."""
        shown = self.question is not None and _is_lost(self.question)
        return snapshot(
            self.match,
            self.prompt,
            self.texts,
            self.seen,
            self.trouble,
            pad=self._pads.of(self.state, self.texts),
            time=self.now,
            differs=self._differs if shown else (),
        )
