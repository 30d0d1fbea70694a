"""The match and its journal, kept in step.

Acts are stored before they are acknowledged to anyone. After a power cut, the match is rebuilt from
the journal, up to the last act that was stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from firmware.errors import JournalError
from firmware.store.chain import Draft, Entry, Payload
from firmware.store.journal import Journal
from firmware.store.safe import Safe
from rules.acts import Act
from rules.errors import ActError, NothingToUndoError, RulesError
from rules.match import Match
from rules.records import parse_record, print_hand, print_match

ASKED = "asked"
"""The note on an act that a person has to confirm."""
CAMERA, PANEL, TYPED, PLAYER = "camera", "panel", "typed", "player"
"""Where an act comes from: the camera, the buttons, a typed line, or a player's telephone."""

CHANGES = ("act", "undo", "correct", "replace")
"""The kinds of entries that change which acts stand."""
STANDS = "stands"
"""The kind of a checkpoint entry: how the match stands between two hands."""
HANDS_KEPT = 50
"""Hands between two checkpoints: as many as the console lists. Up to twice as many are in memory,
and undo reaches back at least this far. A choice.
"""
_MEANINGLESS = (
    RulesError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip
"""What is raised by an entry that no ledger wrote."""
PICTURES_WAIT = 100
"""Entries that may wait to be stored together with their pictures, about 6 KB each; older ones wait
without. A choice.
"""


@dataclass(frozen=True)
class _Base:
    """A checkpoint: the number of hands before it, and of the steps that stood then."""

    hand: int
    depth: int


@dataclass(frozen=True)
class Taken:
    """One step of the match: acts that were taken together, and are undone together."""

    acts: int
    by: str


@dataclass(frozen=True)
class Step:
    """One act of an explanation; an implied one was not seen, but must have been said."""

    act: Act
    implied: bool = False
    free: bool = False
    """Whether it was implied although optional."""


class Ledger:
    """A match that survives a power cut at any moment.

    `now` gives the time of day in seconds since 1970. Without a journal, nothing is stored. What
    the dealer has entered in private stays in the `safe` until it is revealed, and never enters the
    journal.

    Only the newest hands are in memory: after every `HANDS_KEPT` of them a checkpoint of the match
    is stored, and a start reads on from there. What cannot be stored waits in memory, with
    `failure` saying why, until it can. Unless `dated`, the first entry says that the time of day
    was not known.

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
        dated: bool = True,
    ) -> None:
        self._set_up(match, journal, now, safe or Safe())
        undated = {} if dated else {"clock": "not set"}
        self._put([self._draft("match", record=print_match(match), **undated)])
        self._follow()

    def _set_up(
        self, match: Match, journal: Journal | None, now: Callable[[], float], safe: Safe
    ) -> None:
        self.match, self.journal, self.now, self.safe = match, journal, now, safe
        self.taken: list[Taken] = []
        self.failure = ""
        """Why the latest acts cannot be stored; empty if everything is stored."""
        self._waiting: list[Draft] = []
        self._gone, self._undoable = 0, 0
        """The checkpoints, each with its number of hands and of the steps before those in `taken`.
        """
        self._bases = [_Base(0, 0)]

    @classmethod
    def resumed(
        cls, journal: Journal, *, now: Callable[[], float], safe: Safe | None = None
    ) -> Ledger:
        """The ledger as it was when the journal was last written.

        Raises `JournalError` if no match was ever begun in it.
        """
        base = base_entry(journal)
        if base is None:
            raise JournalError(f"{journal.path}: no match has been begun in this journal")
        safe = safe or Safe()
        safe.recall(journal.entries(base.number))
        ledger = cls.begun_by(base, journal, now=now)
        ledger.safe = safe
        ledger._confide()
        for entry in journal.entries(base.number):
            ledger.repeat(entry)
        ledger._follow()
        return ledger

    @classmethod
    def begun_by(
        cls, entry: Entry, journal: Journal | None = None, *, now: Callable[[], float]
    ) -> Ledger:
        """The ledger as of the entry that began its match, or of a checkpoint.

        Raises `JournalError` if the entry is neither.
        """
        ledger = cls.__new__(cls)
        try:
            match = parse_record(entry.payload["record"]).match
            hand = int(entry.payload.get("hand", 0))
        except _MEANINGLESS as error:
            raise _unreadable(entry, error) from error
        ledger._set_up(match, journal, now, Safe())
        if entry.kind == STANDS:  # its record includes the hand before, for the acts between hands
            ledger._gone = hand - (len(match.hands) - 1)
            ledger._bases = [_Base(hand, 0)]
        return ledger

    @property
    def forgotten(self) -> int:
        """Number of the match's hands that are no longer in memory."""
        return self._gone

    @property
    def hand_index(self) -> int:
        """Number of the match's hands before the one in play."""
        return self._gone + len(self.match.hands) - 1

    def take(self, steps: Sequence[Step], by: str, crops: Sequence[bytes] = ()) -> None:
        """Play and store acts that came together.

        Raises `ActError` if one means nothing here; then the match is unchanged. If `failure` is
        set afterwards, they were played but are not stored yet.
        """
        self._play([step.act for step in steps])
        self.taken.append(Taken(len(steps), by))
        self._put(self._drafts(steps, by, crops))
        self._tell_how_it_stands()
        self._follow()

    def _play(self, acts: Sequence[Act]) -> None:
        """Play acts, all or none of them."""
        done = 0
        self._confide()
        try:
            for act in acts:
                self.match.play(act)
                done += 1
        except Exception:
            for _ in range(done):
                self.match.undo()
            raise

    def replace(
        self, last: int, steps: Sequence[Step], by: str, crops: Sequence[bytes] = ()
    ) -> None:
        """Play and store acts that came together in place of the `last` ones, as one entry.

        A power cut leaves either everything as it was or the complete replacement. Raises
        `ActError` if an act means nothing there, and `NothingToUndoError` if there are fewer than
        `last` acts; then the match is unchanged.
        """
        self._replace(last, [step.act for step in steps], by)
        acts = [{"line": str(step.act), "implied": step.implied} for step in steps]
        payload: dict[str, object] = {"last": last, "acts": acts, "by": by}
        self._put([Draft("replace", payload, self.now(), tuple(crops))])
        self._tell_how_it_stands()
        self._follow()

    def _replace(self, last: int, acts: Sequence[Act], by: str) -> None:
        if not 0 <= last <= sum(step.acts for step in self.taken):
            raise NothingToUndoError(f"{last} acts to replace: the match has fewer")
        undone = [self.match.undo() for _ in range(last)]
        try:
            self._play(acts)
        except Exception:
            self._play(undone[::-1])
            raise
        self._drop(last)
        if acts:
            self.taken.append(Taken(len(acts), by))

    def _drop(self, last: int) -> None:
        """Keep each step's number of acts right after the `last` acts are removed."""
        while last:
            step = self.taken.pop()
            if step.acts > last:
                self.taken.append(Taken(step.acts - last, step.by))
            last -= min(last, step.acts)
        self._drop_bases()

    def undo(self) -> list[Act]:
        """Undo the last acts that came together; returns them, last first.

        Raises `NothingToUndoError` at the very beginning.
        """
        if not self.taken:
            raise NothingToUndoError("nothing to undo: the match has no acts yet")
        undone = self._undo()
        self._put([self._draft("undo")])
        self._follow()
        return undone

    def _undo(self) -> list[Act]:
        undone = [self.match.undo() for _ in range(self.taken.pop().acts)]
        self._drop_bases()
        return undone

    def _drop_bases(self) -> None:
        """Drop the checkpoints that an undo has gone back beyond."""
        while len(self._bases) > 1 and self._depth < self._bases[-1].depth:
            self._bases.pop()

    @property
    def _depth(self) -> int:
        """The total number of steps."""
        return self._undoable + len(self.taken)

    def correct(self, number: int, act: Act | None) -> None:
        """Replace act `number` of the hand in play with another, or remove it."""
        self._correct(number, act)
        self._put([self._draft("correct", number=number, line=str(act) if act else None)])
        self._tell_how_it_stands()
        self._follow()

    def _follow(self) -> None:
        """Let the safe keep what the hand in play hides, and pass its secrets to the match."""
        self.safe.follow(self.match.state)
        self._confide()

    def _confide(self) -> None:
        """Pass the secrets to the match; a ruling that stands keeps its judgement."""
        with suppress(ActError):
            self.match.confide(self.safe.secrets)

    def _correct(self, number: int, act: Act | None) -> None:
        hand = self.match.hand
        written = len(hand.acts)
        self.match.correct(number, act)
        self._recount(len(hand.acts) - written)

    def _recount(self, more: int) -> None:
        """Keep each step's number of acts right when a correction adds or drops one."""
        if more > 0:
            self.taken.append(Taken(more, PANEL))
        elif more < 0 and self.taken:
            last = self.taken.pop()
            if last.acts + more > 0:
                self.taken.append(Taken(last.acts + more, last.by))

    def repeat(self, entry: Entry) -> None:
        """Replay a later entry without storing it.

        Raises `JournalError` if it makes no sense here.
        """
        try:
            self._repeat(entry.kind, entry.payload)
        except _MEANINGLESS as error:
            raise _unreadable(entry, error) from error

    def _repeat(self, kind: str, payload: Payload) -> None:
        match kind:
            case "act":
                self.match.play(Act.parse(payload["line"]))
                if payload["with"]:
                    last = self.taken.pop()
                    self.taken.append(Taken(last.acts + 1, last.by))
                else:
                    self.taken.append(Taken(1, payload["by"]))
            case "replace":
                acts = [Act.parse(one["line"]) for one in payload["acts"]]
                self._replace(payload["last"], acts, payload["by"])
            case "undo":
                self._undo()
            case "correct":
                line = payload["line"]
                self._correct(payload["number"], Act.parse(line) if line else None)
            case "stands":
                self._base_at(payload["hand"])

    # Checkpoints.

    def _tell_how_it_stands(self) -> None:
        """Every so often, between two hands, store a checkpoint that a start can resume from."""
        hands = self.match.hands
        due = self.hand_index - self._bases[-1].hand >= HANDS_KEPT
        if self.journal is None or not due or hands[-1].acts or self._waiting:
            return
        hand, before = self.hand_index, self._bases[-1].hand
        record = print_hand(hands[-2])
        if parse_record(record).match.hands[-1].start != hands[-1].start:
            return  # a start that its own record does not lead to cannot be resumed from
        number = hands[-1].start.hand
        told = self._draft(STANDS, hand=hand, before=before, number=number, record=record)
        self._put([told])
        if not self._waiting:
            self._base_at(hand)

    def _base_at(self, hand: int) -> None:
        """Mark a checkpoint that a later start resumes from; drop what is before the last one."""
        self._bases.append(_Base(hand, self._depth))
        if len(self._bases) > 2:
            self._bases.pop(0)
            first = self._bases[0]
            del self.taken[: first.depth - self._undoable]
            self._undoable = first.depth
            self.match.forget(first.hand - 1 - self._gone)
            self._gone = max(self._gone, first.hand - 1)

    # Storing.

    def _draft(self, kind: str, **payload: object) -> Draft:
        return Draft(kind, payload, self.now())

    def _drafts(self, steps: Sequence[Step], by: str, crops: Sequence[bytes]) -> list[Draft]:
        """Acts as one draft each; all but the first are marked as coming `with` the one before."""
        time, last = self.now(), len(steps) - 1
        payloads = ({"line": str(step.act), "implied": step.implied, "by": by} for step in steps)
        return [
            Draft("act", {**payload, "with": place > 0}, time, tuple(crops) * (place == last))
            for place, payload in enumerate(payloads)
        ]

    def _put(self, drafts: Sequence[Draft]) -> None:
        """Store these after whatever is still waiting, or let them wait too."""
        if self.journal is not None:
            self._waiting += drafts
            self.retry()

    def retry(self) -> bool:
        """Try to store what is waiting; True once nothing is left."""
        if self._waiting and self.journal is not None:
            try:
                self.journal.append_all(self._waiting)
            except JournalError as error:
                self.failure = str(error)
                if len(self._waiting) > PICTURES_WAIT:
                    late = self._waiting[-PICTURES_WAIT - 1]
                    self._waiting[-PICTURES_WAIT - 1] = replace(late, crops=())
                return False
        self._waiting, self.failure = [], ""
        return True

    def note(self, kind: str, **payload: object) -> None:
        """Store something other than an act: a press, a trouble. If that fails, it is dropped."""
        if self.journal is not None and not self._waiting:
            with suppress(JournalError):
                self.journal.append(kind, payload, time=self.now())


def base_entry(journal: Journal, before: int | None = None) -> Entry | None:
    """The entry that a start resumes from; with `before`, as if the journal ended before it.

    It is the last checkpoint but one, so that undo can reach back.
    """
    found = journal.newest(("match", STANDS), 1, before)
    if not found or found[0].kind == "match":
        return found[0] if found else None
    wanted, end = found[0].payload.get("before"), found[0].number
    while earlier := journal.newest(("match", STANDS), 1, end):
        if earlier[0].kind == "match" or earlier[0].payload.get("hand") == wanted:
            return earlier[0]
        end = earlier[0].number
    return found[0]


def _unreadable(entry: Entry, error: Exception) -> JournalError:
    return JournalError(f"entry {entry.number} ({entry.kind}) cannot be done again: {error}")
