"""The match and its journal, kept in step.

Acts are stored before anyone is told that they were taken in. After a power cut the match is
rebuilt from the journal, up to the last act that was stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from firmware.errors import JournalError
from firmware.store.journal import Draft, Entry, Journal
from firmware.store.safe import Safe
from rules.acts import Act
from rules.errors import NothingToUndoError
from rules.match import Hand, Match
from rules.records import parse_record, print_match

CAMERA, PANEL, TYPED = "camera", "panel", "typed"
"""Who an act comes from: the table as seen, the buttons, or a line of text."""


@dataclass(frozen=True)
class Taken:
    """One step of the match: acts that came together, and are undone together."""

    acts: int
    by: str


@dataclass(frozen=True)
class Step:
    """One act of an explanation; an implied one was not seen, but must have been said."""

    act: Act
    implied: bool = False
    free: bool = False
    """Whether it was implied though nobody had to do it."""


class Ledger:
    """A match that survives a power cut at any moment.

    `now` gives the time of day in seconds since 1970. Without a journal nothing is stored. What the
    dealer has told in private is in the `safe` until it is revealed, and never in the journal.

    >>> from rules.games import GAMES
    >>> from rules.start import Start
    >>> game = list(GAMES.values())[0]()
    >>> journal = Journal(":memory:")
    >>> start = Start(seats=(1, 2), banker=1)
    >>> ledger = Ledger(Match(game, start), journal, now=lambda: 0.0)
    >>> ledger.take([Step(Act.parse("limits 1 9"))], TYPED)
    >>> Ledger.resumed(journal, now=lambda: 0.0).match.state.limits
    (1, 9)
    """

    def __init__(
        self,
        match: Match,
        journal: Journal | None = None,
        *,
        now: Callable[[], float],
        safe: Safe | None = None,
    ) -> None:
        self.match = match
        self.journal = journal
        self.now = now
        self.safe = safe or Safe()
        self.taken: list[Taken] = []
        self._store("match", record=print_match(match))
        self.safe.follow(match.state)

    @classmethod
    def resumed(
        cls, journal: Journal, *, now: Callable[[], float], safe: Safe | None = None
    ) -> Ledger:
        """The ledger as it was when the journal was written last.

        Raises `JournalError` if no match was ever begun in it.
        """
        entries = list(journal.entries())
        begun = [place for place, entry in enumerate(entries) if entry.kind == "match"]
        if not begun:
            raise JournalError(f"{journal.path}: no match has been begun in this journal")
        safe = safe or Safe()
        safe.recall(entries)
        ledger = cls.begun_by(entries[begun[-1]], journal, now=now)
        ledger.safe = safe
        for entry in entries[begun[-1] + 1 :]:
            ledger.repeat(entry)
        safe.follow(ledger.match.state)
        return ledger

    @classmethod
    def begun_by(
        cls, entry: Entry, journal: Journal | None = None, *, now: Callable[[], float]
    ) -> Ledger:
        """The ledger as it was behind the entry that began its match."""
        ledger = cls.__new__(cls)
        ledger.match = parse_record(entry.payload["record"]).match
        ledger.journal, ledger.now, ledger.taken, ledger.safe = journal, now, [], Safe()
        return ledger

    def take(self, steps: Sequence[Step], by: str, crops: Sequence[bytes] = ()) -> None:
        """Play and store acts that came together.

        Raises `ActError` if one means nothing here and `JournalError` if they cannot be stored;
        then the match is as before.
        """
        done = 0
        try:
            for step in steps:
                self.match.play(step.act)
                done += 1
            self._store_all([self._draft(step, by) for step in steps], crops)
        except Exception:
            for _ in range(done):
                self.match.undo()
            raise
        self.taken.append(Taken(len(steps), by))
        self.safe.follow(self.match.state)

    def undo(self) -> list[Act]:
        """Take back the last acts that came together; gives them, the last first.

        Raises `NothingToUndoError` at the very beginning.
        """
        if not self.taken:
            raise NothingToUndoError("nothing to undo: the match has no acts yet")
        self._store("undo")
        undone = [self.match.undo() for _ in range(self.taken.pop().acts)]
        self.safe.follow(self.match.state)
        return undone

    def correct(self, number: int, act: Act | None) -> None:
        """Put another act, or none, in the place of act `number` of the hand in play."""
        hand, hands = self.match.hand, len(self.match.hands)
        before = list(hand.acts)
        self.match.correct(number, act)
        try:
            self._store("correct", number=number, line=str(act) if act else None)
        except JournalError:
            self.match.hands[hands - 1 :] = [Hand(hand.game, hand.start, before)]
            raise
        self._recount(len(hand.acts) - len(before))
        self.safe.follow(self.match.state)

    def _recount(self, more: int) -> None:
        """Keep the number of acts a step holds right when a correction adds or drops one."""
        if more > 0:
            self.taken.append(Taken(more, PANEL))
        elif more < 0 and self.taken:
            last = self.taken.pop()
            if last.acts + more > 0:
                self.taken.append(Taken(last.acts + more, last.by))

    def repeat(self, entry: Entry) -> None:
        """Do again what a later entry tells, without storing it."""
        payload = entry.payload
        match entry.kind:
            case "act":
                self.match.play(Act.parse(payload["line"]))
                if payload["with"]:
                    last = self.taken.pop()
                    self.taken.append(Taken(last.acts + 1, last.by))
                else:
                    self.taken.append(Taken(1, payload["by"]))
            case "undo":
                for _ in range(self.taken.pop().acts):
                    self.match.undo()
            case "correct":
                hand, written = self.match.hand, len(self.match.hand.acts)
                line = payload["line"]
                self.match.correct(payload["number"], Act.parse(line) if line else None)
                self._recount(len(hand.acts) - written)

    def _draft(self, step: Step, by: str) -> dict[str, Any]:
        return {"line": str(step.act), "implied": step.implied, "by": by}

    def _store_all(self, payloads: list[dict[str, Any]], crops: Sequence[bytes]) -> None:
        """Store acts as one; all but the first are marked as coming `with` the one before."""
        if self.journal is None:
            return
        time, last = self.now(), len(payloads) - 1
        self.journal.append_all(
            Draft("act", {**payload, "with": place > 0}, time, tuple(crops) * (place == last))
            for place, payload in enumerate(payloads)
        )

    def _store(self, kind: str, **payload: Any) -> None:
        if self.journal is not None:
            self.journal.append(kind, payload, time=self.now())

    def note(self, kind: str, **payload: Any) -> None:
        """Store something that is no act: a press, a trouble. What cannot be stored is dropped."""
        with suppress(JournalError):
            self._store(kind, **payload)
