"""Evenings: closed journals, one file each, in a folder next to the journal being written.

An evening begins with the first match after the previous one was closed. Closing it puts its
journal away unchanged, and begins a new one whose first entry names the file that was put away and
its head: the chain continues from evening to evening, so whoever notes today's head has sealed them
all. Thus no journal grows without end, and to forget an evening is to delete a file.

If the power fails while an evening is being closed, `finish` completes the closing at the next
start.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from firmware.errors import JournalError
from firmware.files import sync_folder
from firmware.store.chain import Entry
from firmware.store.housekeeping import BEGAN, LAST, SET
from firmware.store.journal import Journal
from firmware.store.ledger import CHANGES, Ledger, base_entry
from firmware.store.lock import SUFFIX as LOCK
from firmware.store.spare import SUFFIX as COPY
from rules.errors import RulesError
from rules.phrases import Phrase
from rules.records import parse_record

NEXT = ".next"
"""The suffix of the next journal, until the previous one is put away."""
FOLLOWS = "evening"
"""The kind of a journal's first entry, which names the evening before."""
PARTS = (COPY, "-wal", "")
"""The files of a journal that are put away, the journal itself last."""
SUFFIX = ".journal"
"""The suffix of a closed evening's file."""
DAY_S, HOUR_S = 24 * 3600.0, 3600.0
"""Seconds in a day and an hour. Follows from the calendar."""
LOOK_S = 60.0
"""Interval between checks whether anything was played: an evening ends after hours. A choice."""


@dataclass(frozen=True)
class Evening:
    """An evening as a list shows it; times are in seconds since 1970.

    `follows` says whether the next evening names this one's head: False if either was changed.
    """

    name: str
    file: Path
    began: float
    ended: float
    hands: int
    games: tuple[str, ...]
    entries: int
    head: str
    open: bool
    follows: bool = True


def folder_of(journal: Path) -> Path:
    """The folder of a journal's closed evenings.

    >>> folder_of(Path("/var/lib/mazziere/mazziere.journal")).as_posix()
    '/var/lib/mazziere/mazziere.evenings'
    """
    return journal.with_name(f"{journal.stem}.evenings")


# Closing.


def close(journal: Journal, now: float) -> Journal:
    """Close the evening and begin the next one in a new journal, which is returned.

    A journal in which nothing was played is returned as it is, and so is one that cannot be put
    away. `now` is in seconds since 1970. Raises `JournalError` if the next journal cannot be
    written; then nothing has changed.
    """
    begun = journal.first(("match",))
    if begun is None:
        return journal
    path = Path(journal.path)
    told = {
        "file": _free(folder_of(path), begun), "entries": len(journal), "head": journal.head,
        "began": begun.time, "hands": _hands(journal), "games": list(_games(journal)),
    }  # fmt: skip
    new = Path(f"{path}{NEXT}")
    _drop(new)
    with Journal(new) as following:
        following.append(FOLLOWS, told, time=now)
    journal.hand_over()
    try:
        finish(path)
    except OSError:
        _take_back(path, folder_of(path) / str(told["file"]))
        _drop(new)
    held = journal.lock is not None and journal.lock.held
    return Journal(path, lock=journal.lock if held else None)


def _free(folder: Path, begun: Entry) -> str:
    """An unused name for an evening: its date, with a number if there were several."""
    day = "undated"
    if begun.payload.get("clock") != "not set":
        with suppress(OSError, OverflowError, ValueError):
            day = time.strftime("%Y-%m-%d", time.localtime(begun.time))
    name, number = f"{day}{SUFFIX}", 1
    while any((folder / f"{name}{part}").exists() for part in PARTS):
        number += 1
        name = f"{day}-{number}{SUFFIX}"
    return name


def finish(path: Path) -> None:
    """Put the closed journal away and the next one in its place, also after a power cut."""
    new = Path(f"{path}{NEXT}")
    if not new.is_file():
        _drop(new)
        return
    name = _follows(new).get("file")
    if not isinstance(name, str) or Path(name).name != name:
        _drop(new)  # it was cut off while being written
        return
    away = folder_of(path) / name
    away.parent.mkdir(mode=0o700, exist_ok=True)
    for part in PARTS:
        with suppress(FileNotFoundError):
            Path(f"{path}{part}").rename(f"{away}{part}")
    Path(f"{path}-shm").unlink(missing_ok=True)
    sync_folder(away.parent)
    new.rename(path)
    _drop(new)
    sync_folder(path.parent)


def _take_back(path: Path, away: Path) -> None:
    """Reopen the evening that was about to be closed."""
    for part in PARTS:
        if not Path(f"{path}{part}").exists():
            with suppress(OSError):
                Path(f"{away}{part}").rename(f"{path}{part}")


def _follows(path: Path) -> dict[str, object]:
    """What a journal's first entry says about the evening before."""
    with suppress(JournalError), Journal.judging(path) as journal:
        first = journal.first((FOLLOWS,))
        if first is not None and first.number == 1:
            return dict(first.payload)
    return {}


def _drop(path: Path) -> None:
    for part in ("", COPY, "-wal", "-shm", LOCK):
        Path(f"{path}{part}").unlink(missing_ok=True)


def _hands(journal: Journal) -> int:
    """Number of hands played in all matches; a hand whose end was undone still counts."""
    return sum(_played(journal, entry, end) for entry, end in _matches(journal))


def _matches(journal: Journal) -> Iterator[tuple[Entry, int | None]]:
    """The entries that began matches, newest first, each with the number where the match ended."""
    end: int | None = None
    while found := journal.newest(("match",), 1, end):
        yield found[0], end
        end = found[0].number


def _played(journal: Journal, begun: Entry, end: int | None) -> int:
    base = base_entry(journal, end) or begun
    try:
        ledger = Ledger.begun_by(base, now=lambda: 0.0)
        for entry in journal.entries(base.number):
            if end is not None and entry.number >= end:
                break
            ledger.repeat(entry)
    except JournalError:
        return 0
    return ledger.hand_index + bool(ledger.match.hand.acts)


def _games(journal: Journal) -> Iterator[str]:
    """The games that were played, each once, in the order in which they were first played."""
    names = []
    for entry, _ in _matches(journal):
        with suppress(RulesError, KeyError, TypeError):
            names.append(parse_record(entry.payload["record"]).match.hand.game.name)
    yield from dict.fromkeys(reversed(names))


class Diary:
    """The journal of the open evening; each `turn` replaces it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def turn(self, now: float) -> Phrase | None:
        """Close the evening and begin the next; returns what to tell the dealer.

        If the next journal cannot be written, the evening goes on and nothing is said: the next act
        will report the fault.
        """
        before = self.journal
        with suppress(JournalError, OSError):
            self.journal = close(before, now)
        told = self.journal.first((FOLLOWS,))
        if self.journal is before or told is None or len(self.journal) > 1:
            return None
        name = str(told.payload["file"]).removesuffix(SUFFIX)
        return Phrase.of("evening.closed", name=name, count=told.payload["hands"])

    def close(self) -> None:
        """Close the journal of the open evening."""
        self.journal.close()


# When an evening is over.


def is_over(journal: Journal, hours: int, now: float) -> bool:
    """Whether nobody has played for that many hours and no hand is open; never with 0 hours."""
    newest = journal.newest(CHANGES)
    if not hours or not newest or now - newest[0].time < hours * HOUR_S:
        return False
    return not Ledger.resumed(journal, now=lambda: now).match.state.acts


class Idle:
    """Whether the evening being followed is over; `clock` gives seconds, never going back.

    `in_play` says whether a hand is in progress. With 0 hours, or if nothing was played, the
    evening is never over.
    """

    def __init__(self, journal: Journal, hours: int) -> None:
        self._journal, self._hours = journal, hours
        self._looked, self._since, self._newest = 0.0, 0.0, -1

    def over(self, clock: float, *, in_play: bool) -> bool:
        """Whether that many hours have passed since the last act."""
        if not self._hours or (self._looked and clock - self._looked < LOOK_S):
            return False
        self._looked = clock
        with suppress(JournalError):
            found = self._journal.newest(CHANGES)
            newest = found[0].number if found else 0
            if newest != self._newest:
                self._newest, self._since = newest, clock
        return bool(
            self._newest > 0 and not in_play and clock - self._since >= self._hours * HOUR_S
        )


# Listing and forgetting.


def evenings(journal: Path) -> list[Evening]:
    """All evenings that can be read, the oldest first, the open one last."""
    told = _in_order(journal)
    after = {str(one.get("file")): one for one in told.values() if one}
    return [
        evening
        for file in told
        if (evening := _evening(file, after.get(file.name), is_open=file == journal))
    ]


def _in_order(journal: Path) -> dict[Path, dict[str, object]]:
    """The journals of all evenings, the open one last, each with what its first entry says.

    Each names the one before, so a clock that was wrong puts none in the wrong place. Those that no
    other names come first, oldest first.
    """
    folder = folder_of(journal)
    told = {file: _follows(file) for file in (*folder.glob(f"*{SUFFIX}"), journal)}
    chain = [journal]
    while (before := folder / str(told[chain[-1]].get("file"))) in told and before not in chain:
        chain.append(before)
    others = sorted(told.keys() - set(chain), key=lambda file: file.stat().st_mtime)
    return {file: told[file] for file in (*others, *reversed(chain))}


def _evening(file: Path, after: dict[str, object] | None, *, is_open: bool) -> Evening | None:
    """One entry of the list; `after` is what the next evening says about this one."""
    try:
        with Journal.judging(file) as journal:
            begun, last = journal.first(("match",)), journal.newest(CHANGES)
            if begun is None:
                return None
            hands = _hands(journal) if after is None else int(str(after.get("hands", 0)))
            return Evening(
                name=file.stem, file=file, began=begun.time,
                ended=last[0].time if last else begun.time,
                hands=hands, games=tuple(_games(journal)), entries=len(journal),
                head=journal.head, open=is_open,
                follows=is_open or (after or {}).get("head") == journal.head,
            )  # fmt: skip
    except (JournalError, ValueError):
        return None


def forget(journal: Path, now: float, *, days: int, picture_days: int) -> int:
    """Delete the closed evenings older than `days`, unless that is 0; returns how many.

    Of the other evenings, pictures older than `picture_days` are deleted. `now` is in seconds since
    1970, from a clock that was set. An evening dated by a clock that was not set counts as ending
    now, and none as ending before the one before it.
    """
    gone, ended = 0, 0.0
    for file in _in_order(journal):
        if file == journal:
            continue
        with suppress(JournalError, ValueError):
            ended = max(ended, _ended(file, now))
            if days and now - ended > days * DAY_S:
                _drop(file)
                gone += 1
            else:
                _expire_pictures(file, now - picture_days * DAY_S)
    return gone


def _ended(file: Path, now: float) -> float:
    """When an evening ended; raises `JournalError`, or `ValueError` if nothing was played."""
    with Journal.judging(file) as journal:
        last = journal.newest(CHANGES) or journal.newest(("match",))
        if not last:
            raise ValueError(f"{file}: nothing was played")
        began, noted = journal.noted(BEGAN), journal.noted(LAST)
        dated = journal.noted(SET) != 0.0
    if not dated and began is not None and noted is not None:
        with _changed(file) as journal:
            journal.shift_crops(began, now - noted)
            journal.note(LAST, now)
            journal.note(SET, 1.0)
        return now
    return max(last[0].time, noted or 0.0)


def _expire_pictures(file: Path, before: float) -> None:
    with Journal.judging(file) as journal:
        old = journal.has_crops(before)
    if old:
        with _changed(file) as journal:
            journal.expire_crops(before)


@contextmanager
def _changed(file: Path) -> Iterator[Journal]:
    """A closed evening, opened to change what is outside its chain; its file keeps its date."""
    stat = file.stat()
    with Journal(file) as journal:
        yield journal
    Path(f"{file}{LOCK}").unlink(missing_ok=True)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
