"""The hands so far according to the journal, act by act, with what is known of each act."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Self

from firmware.errors import JournalError
from firmware.store.chain import Entry, Verdict
from firmware.store.journal import Journal
from firmware.store.ledger import CHANGES, HANDS_KEPT, STANDS, Ledger, base_entry
from rules.acts import Act
from rules.cards import Card
from rules.match import Hand
from rules.records import print_hand
from rules.state import State


@dataclass(frozen=True)
class Mark:
    """What the journal knows of one act: when it came (seconds since 1970), and from whom.

    `crops` are the hashes of the pictures that go with it; `group` is the entry number of the first
    of the acts that came together with it; `was` is the line that a correction replaced.
    """

    time: float
    by: str
    implied: bool
    group: int
    crops: tuple[str, ...] = ()
    was: str = ""


@dataclass(frozen=True)
class Step:
    """One act of a hand, with the states before and after it as the table shows them."""

    number: int
    act: Act
    before: State
    after: State
    mark: Mark | None

    @property
    def laid(self) -> tuple[tuple[Card, str], ...]:
        """The cards that it laid or turned, each with the spot where it then is."""
        return tuple((move.card, move.target) for move in self.before.trace(self.act))


class Pages:
    """Consecutive hands, built entry by entry from a journal.

    It starts at an entry that began a match or at a checkpoint; the oldest hands are dropped at
    each later checkpoint.
    """

    def __init__(self, base: Entry) -> None:
        self._begin(base)

    def _begin(self, base: Entry) -> None:
        self._ledger = Ledger.begun_by(base, now=lambda: 0.0)
        self._marks: list[list[Mark]] = [[] for _ in self._ledger.match.hands]
        self._whole = base.kind == "match"

    @property
    def hands(self) -> Sequence[Hand]:
        """The hands, the current one last."""
        hands = self._ledger.match.hands
        # The first hand only serves to derive the second.
        return hands if self._whole or len(hands) == 1 else hands[1:]

    def hand(self, number: int) -> Hand | None:
        """The hand with that number; the last of them if there are several."""
        return next((hand for hand in reversed(self.hands) if hand.start.hand == number), None)

    def marks(self, hand: Hand) -> Sequence[Mark]:
        """What is known of each act of the hand."""
        return self._marks[list(map(id, self._ledger.match.hands)).index(id(hand))]

    def take(self, entry: Entry) -> Sequence[Hand]:
        """Add the next entry; returns the hands that were dropped."""
        if entry.kind == "match":
            left = self.hands
            self._begin(entry)
            return left
        if entry.kind == STANDS:
            return self._let_go(entry)
        if entry.kind in CHANGES:
            self._change(entry, self._ledger)
            self._keep_up()
        return ()

    def _change(self, entry: Entry, ledger: Ledger) -> None:
        match entry.kind:
            case "act":
                self._take_act(entry, ledger)
            case "replace":
                self._take_replace(entry, ledger)
            case "correct":
                self._take_correct(entry, ledger)
            case _:
                ledger.repeat(entry)

    def _let_go(self, entry: Entry) -> Sequence[Hand]:
        before, known = list(self.hands), self._ledger.forgotten
        self._ledger.repeat(entry)
        gone = self._ledger.forgotten - known
        if gone:
            del self._marks[:gone]
            self._whole = False
        kept = set(map(id, self.hands))
        return [hand for hand in before if id(hand) not in kept]

    def _take_act(self, entry: Entry, ledger: Ledger) -> None:
        match, payload = ledger.match, entry.payload
        place = len(match.hands) - 1
        between = match.is_between(Act.parse(payload["line"]))
        ledger.repeat(entry)
        if between:
            return
        own = self._marks[place]
        group = own[-1].group if payload["with"] and own else entry.number
        mark = Mark(entry.time, payload["by"], payload["implied"], group, entry.crops)
        own.append(mark)
        for earlier, one in enumerate(own):
            if one.group == group:  # the pictures come with the last act of the group
                own[earlier] = replace(one, crops=entry.crops)

    def _take_replace(self, entry: Entry, ledger: Ledger) -> None:
        before = [list(hand.acts) for hand in ledger.match.hands]
        ledger.repeat(entry)
        self._keep_up()
        brought = iter(entry.payload["acts"])
        for place, hand in enumerate(ledger.match.hands):
            stood = before[place] if place < len(before) else []
            kept = sum(1 for old, act in zip(stood, hand.acts, strict=False) if old is act)
            del self._marks[place][kept:]
            self._marks[place] += [
                Mark(entry.time, entry.payload["by"], new["implied"], entry.number, entry.crops)
                for _, new in zip(hand.acts[kept:], brought, strict=False)
            ]

    def _take_correct(self, entry: Entry, ledger: Ledger) -> None:
        hand, own = ledger.match.hand, self._marks[len(ledger.match.hands) - 1]
        number, before = entry.payload["number"], list(hand.acts)
        ledger.repeat(entry)
        if len(hand.acts) > len(before):
            own.append(Mark(entry.time, "panel", False, entry.number))
        elif len(hand.acts) < len(before):
            del own[number - 1]
        else:
            own[number - 1] = replace(own[number - 1], was=str(before[number - 1].observed()))

    def _keep_up(self) -> None:
        """Drop the marks of undone acts in each hand that may have changed."""
        hands = self._ledger.match.hands
        del self._marks[len(hands) :]
        self._marks += [[] for _ in hands[len(self._marks) :]]
        for place in range(max(0, len(hands) - 2), len(hands)):
            del self._marks[place][len(hands[place].acts) :]


class Book:
    """Follows one journal entry by entry; belongs to one thread.

    It holds what the table showed: face-down cards are unknown. Hands are identified by their
    numbers. The newest are in memory; older ones are read on request.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._journal = Journal.following(path)
        self._inode = self.path.stat().st_ino
        self._pages: Pages | None = None
        self._old: Pages | None = None
        """The part of the match last read for an older hand."""
        self._read = 0
        self._steps: tuple[State | None, tuple[Step, ...]] = (None, ())

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def moved(self) -> bool:
        """Whether the journal's file was replaced, as at the end of an evening."""
        with suppress(OSError):
            return self.path.stat().st_ino != self._inode
        return False

    # Following.

    def follow(self) -> None:
        """Read what was added since the last call."""
        if self._pages is None:
            base = base_entry(self._journal)
            if base is None:
                return
            self._pages, self._read = Pages(base), base.number
        for entry in self._journal.entries(self._read):
            self._pages.take(entry)
            self._read = entry.number

    # Reporting.

    @property
    def match_entries(self) -> Iterator[Entry]:
        """The entries of the match, from the one that began it."""
        begun = self._journal.newest(("match",))
        if begun:
            yield begun[0]
            yield from self._journal.entries(begun[0].number)

    def since(self, number: int) -> Iterator[Entry]:
        """The entries after number `number`."""
        return self._journal.entries(number)

    @property
    def hands(self) -> Sequence[Hand]:
        """The newest hands, the current one last."""
        return self._pages.hands if self._pages is not None else ()

    def hand(self, number: int) -> Hand | None:
        """The hand with that number."""
        if self._pages is None:
            return None
        found = self._pages.hand(number)
        if found is None and self._old is not None:
            found = self._old.hand(number)
        return found or self._sought(number)

    def _sought(self, number: int) -> Hand | None:
        """An older hand of the match, read from the nearest checkpoint before it."""
        end = None
        while found := self._journal.newest(("match", STANDS), 1, end):
            base, end = found[0], found[0].number
            if base.kind == STANDS and base.payload.get("number", 0) > number:
                continue
            with suppress(JournalError):  # undone past that checkpoint: use the one before
                self._old = self._read_from(base, number)
                return self._old.hand(number)
            if base.kind == "match":
                break
        return None

    def _read_from(self, base: Entry, number: int) -> Pages:
        """The hands after `base`, until the one with that number is final."""
        pages = Pages(base)
        for entry in self._journal.entries(base.number):
            if entry.kind == "match":
                break
            if entry.kind == STANDS and entry.payload.get("number", 0) > number + HANDS_KEPT:
                break
            pages.take(entry)
        return pages

    def _pages_of(self, hand: Hand) -> Pages | None:
        for pages in (self._pages, self._old):
            if pages is not None and any(one is hand for one in pages.hands):
                return pages
        return None

    def _marks(self, hand: Hand) -> Sequence[Mark]:
        pages = self._pages_of(hand)
        return pages.marks(hand) if pages is not None else ()

    def began(self, hand: Hand) -> float | None:
        """When its first act came, in seconds since 1970."""
        marks = self._marks(hand)
        return marks[0].time if marks else None

    def steps(self, hand: Hand) -> tuple[Step, ...]:
        """The hand act by act; raises `RulesError` only if the journal makes no sense."""
        if self._steps[0] is not hand.state:
            self._steps = (hand.state, tuple(_steps(hand, self._marks(hand))))
        return self._steps[1]

    def record(self, hands: Sequence[Hand]) -> str:
        """The standing acts as text, as the table showed them."""
        played = [hand for hand in hands if hand.acts] or hands[:1]
        return "\n".join(print_hand(_observed(hand)) for hand in played)

    def records(self) -> Iterator[str]:
        """The record of the whole match, in parts to be concatenated."""
        begun = self._journal.newest(("match",))
        if not begun:
            return
        pages, first = Pages(begun[0]), True
        for entry in chain(self._journal.entries(begun[0].number), (None,)):
            left = pages.take(entry) if entry is not None else pages.hands
            played = [hand for hand in left if hand.acts]
            if entry is None and first and not played:
                played = list(pages.hands[:1])
            for hand in played:
                extra = (("Date", _date(begun[0])),) if first else ()
                yield ("" if first else "\n") + print_hand(_observed(hand), extra)
                first = False

    def crop(self, name: str) -> bytes | None:
        """A picture by its hash, unless it has expired."""
        return self._journal.crop(name)

    @property
    def head(self) -> str:
        """The journal's newest hash."""
        return self._journal.head

    def verify(self) -> Verdict:
        """Check the whole journal for any change."""
        return self._journal.verify()


def _date(begun: Entry) -> str:
    """The date of a match in PGN's form; unknown if the clock was not set."""
    if begun.payload.get("clock") == "not set":
        return "????.??.??"
    with suppress(OSError, OverflowError, ValueError):
        return time.strftime("%Y.%m.%d", time.localtime(begun.time))
    return "????.??.??"


def _observed(hand: Hand) -> Hand:
    acts = [act.observed() for act in hand.acts]
    return Hand(hand.game, hand.start, acts, list(hand.between))


def _steps(hand: Hand, marks: Sequence[Mark]) -> Iterator[Step]:
    state = hand.opening()
    for place, act in enumerate(hand.acts):
        after = state.play(act)
        mark = marks[place] if place < len(marks) else None
        yield Step(place + 1, act.observed(), state.public(), after.public(), mark)
        state = after


def opened(path: Path | str) -> Book | None:
    """The book of a journal, or None if there is none to read."""
    with suppress(JournalError):
        book = Book(path)
        book.follow()
        return book
    return None
