"""The loop: events in, effects out.

What is seen, pressed or typed comes in; the prompt, the snapshot and what to sound or say go out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from firmware.display.compose import snapshot
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
from firmware.display.snapshot import Snapshot
from firmware.follow.anew import LOST, as_it_lies, differences, layout_of, lost, rather
from firmware.follow.bets import Bets
from firmware.follow.choices import asks
from firmware.follow.differences import difference
from firmware.follow.findings import Explanation
from firmware.follow.homes import Homes
from firmware.follow.panel import EXPLAIN, is_lost
from firmware.follow.taking import Crop
from firmware.follow.trouble import PersistentTrouble
from firmware.follow.verdicts import Ask, Commit, Lose, Retract, Settled, Verdict
from firmware.store.ledger import ASKED, CAMERA, Ledger, Step
from rules.acts import Verb
from rules.phrases import Phrase
from vision.sightings import Seen


class Loop(Bets):
    """Follows one match: what it sees, hears and is told, and how it responds.

    All methods belong to one thread. Times are in seconds of one clock that never goes back.
    """

    def __init__(self, ledger: Ledger, texts: Speaks) -> None:
        super().__init__(ledger, texts)
        self._differs: tuple[Phrase, ...] = ()
        self._persistent = PersistentTrouble()
        self._homes = Homes()

    # What is seen.

    def see(self, seen: Seen, crop: Crop | None = None) -> None:
        """Handle the tracker's report; `crop` cuts pictures of its cards for the journal."""
        seen = self._homes.named(self.state, seen)
        self.now, self.seen = max(self.now, seen.time), seen
        self._crop = crop or self._crop
        self._persistent.see(seen, self.now)
        self._retry()
        self._seal()
        if not self.held:
            self._look(seen)

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

    def _look(self, seen: Seen) -> None:
        """Compare the table with the state, and record what explains the difference."""
        self.looking.notice(self._as_laid, seen, self.now)
        if self._look_at_chips(seen) or self._unsettled(seen):
            return
        if self.question is None:
            self._asks_early()
        if self._asks_of_chips or self._left_unsaid:
            self._look_while_asked(seen)
            return
        match self._looked(seen):
            case Settled():
                self._settled()
                self._agreed()
                return
            case Commit(explanation):
                self._settled()
                self._take(explanation.steps, CAMERA)
            case Retract(explanation, last):
                self._settled()
                self._retract(explanation.steps, last)
            case Ask() as ask:
                self._ask(ask)
            case Lose() as lose:
                self._lose(lose)
        self._agrees_since = None

    def _retract(self, steps: Sequence[Step], last: int) -> None:
        """Record that `steps` happened instead of the `last` acts."""
        if steps:
            self._take(steps, CAMERA, instead=last)
        else:
            self.ledger.undo()

    def _look_while_asked(self, seen: Seen) -> None:
        """Until a bet asked about has been said, follow only what does not close the bets."""
        self.looking.restart()
        verdict = self._looked(seen)
        self._agrees_since = None
        if isinstance(verdict, Commit) and not self._closes(verdict.explanation.steps):
            self._take(verdict.explanation.steps, CAMERA)

    def _looked(self, seen: Seen) -> Verdict:
        """What the table means, given how many acts the last look brought, and the one before."""
        last = self._brought(1)
        earlier = self._brought(2) - last if last else 0
        return self.looking.look(self._as_laid, seen, self.now, last=last, earlier=max(earlier, 0))

    def _brought(self, looks: int) -> int:
        """Number of acts of this hand that so many looks brought, if nothing has come since."""
        taken = self.ledger.taken[-looks:]
        acts = sum(one.acts for one in taken)
        mine = len(taken) == looks and all(one.by == CAMERA for one in taken)
        return acts if mine and acts <= len(self.state.acts) else 0

    def _settled(self) -> None:
        if self.question is not None and not self.question.lasts:
            self.question = None

    def _ask(self, ask: Ask) -> None:
        key = (EXPLAIN, tuple(sorted(ask.table.items())), len(self.state.acts))
        if not self._is_news(key):
            return
        options = tuple(map(self._option, ask.explained))
        self.question = Question(Phrase("ask.which"), options, key)
        self.ledger.note(ASKED, about="which")
        self._say(self.question.phrase, "tick")

    def _option(self, way: Explanation) -> Option:
        """An option that says what has happened, or what the resumed hand would wait for."""
        if [act.verb for act in way.acts] == [Verb.RESUME]:
            return as_it_lies(way.acts, turn_phrase(way.state.turn), self.texts.say)
        return Option(act_phrase(way.acts), way.acts)

    def _lose(self, lose: Lose) -> None:
        """Report what is not understood, with the ways in which the hand may go on."""
        table = self.looking.stacked(self.state, lose.table)
        if not self._is_news((LOST, layout_of(self.state, table))):
            return
        self.question = lost(self.state, table, self.texts.say)
        if self.question is not None:
            more = [rather(one, self.texts.say) for one in lose.rethought]
            more += [self._option(lose.slip)] if lose.slip is not None else []
            options = (*more, *self.question.options)
            self.question = replace(self.question, options=options)
        self.ledger.note(ASKED, about="lost")
        self._differs = tuple(differences(difference(self.state, table, table.keys())))
        if self.question is not None:
            self._say(self.question.phrase, "error")

    def _is_news(self, key: object) -> bool:
        """Whether this is neither being asked already nor dismissed."""
        asked = self.question is not None and self.question.key == key
        return key not in self._answered and not asked

    # What it shows.

    @property
    def prompt(self) -> Prompt:
        """The one thing to prompt now: the most urgent."""
        phrase, lamps = self._prompted()
        if self.failure:
            lamps = {**lamps, "hold": FAST}
        if self.now < self._lit_until and lamps["ok"] in (OFF, SLOW) and not self.question:
            lamps = {**lamps, "ok": STEADY}
        options = self.question.ordered if self.question and not self.held else ()
        words = tuple(self.texts.say(option.phrase) for option in options)
        meant = self._ok[0]
        ok = self.texts.say(meant) if meant is not None else ""
        return Prompt(phrase, self.texts.say(phrase), lamps, words, ok)

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
        return SLOW if self._due or asks(self.state) else OFF

    def snapshot(self) -> Snapshot:
        """Everything there is to show now."""
        shown = self.question is not None and is_lost(self.question)
        whole = snapshot(
            self.match,
            self.prompt,
            self.texts,
            self.seen,
            self.trouble,
            pad=self._pad,
            time=self.now,
            differs=self._differs if shown else (),
        )
        lying = tuple(map(self.texts.say, self.chips_lying))
        if not lying:
            return whole
        bets = dict(whole.bets) | self.bets_lying
        return replace(whole, facts=(*whole.facts, *lying), bets=tuple(sorted(bets.items())))
