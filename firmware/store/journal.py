"""The journal: everything that happened, in order, never changed afterwards.

Each entry carries the SHA-256 of itself and of the entry before it. Whoever has noted the newest
hash, the *head*, can later prove whether anything before it was changed. The small pictures that
explain an entry are stored outside the chain, which holds only their hashes: they may expire.

>>> journal = Journal(":memory:")
>>> journal.append("act", {"line": "2 bet 5"}, time=12.5).number
1
>>> print(journal.verify(journal.head))
all 1 entries are as they were written, up to the given head
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import Self

from firmware.errors import JournalError
from firmware.files import unused
from firmware.store.chain import (
    GENESIS,
    Draft,
    Entry,
    Payload,
    Row,
    Verdict,
    chain_fault,
    digits,
    entry_of,
    loaded,
    lost,
    row_fault,
    row_of,
    sealed,
)
from firmware.store.journal_file import COLUMNS, MEMORY, JournalFile, Way
from firmware.store.lock import Lock
from firmware.store.spare import OTHER, Spare


class Journal:
    """An append-only, hash-chained journal in one SQLite file, with a copy of its entries.

    Opening it to write creates it. Raises `JournalError` for a second writer, for a file that is
    damaged or not one of ours, and for whatever cannot be written. `lock` is the right to write it,
    if the caller already holds it. An object belongs to one thread at a time: it may be opened in
    one and used in another.
    """

    def __init__(self, path: Path | str, way: Way = Way.WRITE, *, lock: Lock | None = None) -> None:
        self.path = str(path)
        self.quarrel = ""
        """How the journal and its copy disagreed when it was opened, if they did."""
        self._spare = Spare(path) if way is Way.WRITE and self.path != MEMORY else None
        self._kept_by_spare = 0
        self.lock = lock
        with ExitStack() as stack:
            if self._spare is not None and lock is None:
                self.lock = Lock(path)
                stack.callback(self.lock.release)
            self._file = JournalFile(path, way)
            stack.callback(self._file.close)
            self._closing = stack.pop_all()
        if self._spare is not None:
            self._look_at_spare(self._spare)

    @classmethod
    def following(cls, path: Path | str) -> Self:
        """A journal to read while another program writes it; raises `JournalError` if missing."""
        return cls(path, Way.FOLLOW)

    @classmethod
    def judging(cls, path: Path | str) -> Self:
        """A journal to be checked, even on write-protected media; nothing is changed."""
        return cls(path, Way.JUDGE)

    def check_pages(self) -> None:
        """Check the file's pages; raises `JournalError` if one is damaged."""
        self._file.check_pages()

    def close(self) -> None:
        """Close the file and let others write it; nothing is lost if this is not called."""
        self._closing.close()
        if self.lock is not None:
            self.lock.release()

    def hand_over(self) -> None:
        """Close the file, and leave the right to write it with whoever opened it."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The copy.

    def _look_at_spare(self, spare: Spare) -> None:
        """Compare the ends of both; if they differ, the copy is kept under another name."""
        with self._file.reporting("read"):
            last = spare.last() or next(iter(deque(spare.rows(), 1)), None)
            own = self._row(last[0]) if last is not None else None
        if last is None or (own == last and not spare.ends_whole()):
            self._write_spare(spare)  # it is new, or its last line was cut off
        elif own == last:
            self._kept_by_spare = last[0]
            self._keep_spare()
        else:
            self.quarrel = f"{self.path}: expected entry {last[0]} as in its copy"
            self._write_spare(spare, aside=True)

    def _write_spare(self, spare: Spare, *, aside: bool = False) -> None:
        with suppress(OSError):
            if aside:
                spare.path.replace(unused(spare.path, OTHER))
            spare.rewrite(row for row in self._rows(0))
            self._kept_by_spare = self._last()[0]

    def _keep_spare(self) -> None:
        """Bring the copy up to date; if it cannot be written, the next transaction tries again."""
        if self._spare is None:
            return
        with suppress(OSError):
            rows = list(self._rows(self._kept_by_spare))
            if rows:
                self._spare.add(rows)
                self._kept_by_spare = rows[-1][0]

    def _row(self, number: int) -> Row | None:
        query = f"SELECT {COLUMNS} FROM entries WHERE number = ?"
        row: Row | None = self._file.base.execute(query, (number,)).fetchone()
        return row

    # Writing.

    def append(
        self, kind: str, payload: Payload, *, time: float, crops: Sequence[bytes] = ()
    ) -> Entry:
        """Store one entry; when this returns, it survives a power cut."""
        return self.append_all([Draft(kind, payload, time, tuple(crops))])[0]

    def append_all(self, drafts: Iterable[Draft]) -> tuple[Entry, ...]:
        """Store several entries, all or none of them."""
        with self._file.reporting("written"), self._file.transaction():
            number, head = self._last()
            entries = []
            for draft in drafts:
                number += 1
                entry = sealed(draft, number, head)
                self._insert(entry, draft)
                head = entry.hash
                entries.append(entry)
        self._keep_spare()
        return tuple(entries)

    def restore(self, rows: Iterable[Row], crops: Iterable[tuple[str, float, bytes]] = ()) -> None:
        """Restore entries and pictures into an empty journal."""
        with self._file.reporting("written"), self._file.transaction():
            for row in rows:
                self._file.base.execute(
                    f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", row
                )
            self._file.base.executemany("INSERT OR IGNORE INTO crops VALUES (?, ?, ?)", crops)
        self._keep_spare()

    def _insert(self, entry: Entry, draft: Draft) -> None:
        for name, picture in zip(entry.crops[len(draft.seals) :], draft.crops, strict=True):
            self._file.base.execute(
                "INSERT INTO crops VALUES (?, ?, ?) "
                "ON CONFLICT (hash) DO UPDATE SET time = max(time, excluded.time)",
                (name, entry.time, picture),
            )
        self._file.base.execute(
            f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", row_of(entry)
        )

    def expire_crops(self, before: float) -> int:
        """Permanently delete the pictures stored before that time; returns how many."""
        with self._file.reporting("written"):
            with self._file.transaction():
                count = self._file.base.execute(
                    "DELETE FROM crops WHERE time < ?", (before,)
                ).rowcount
            if count:
                self._file.base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count

    # Reading.

    def __len__(self) -> int:
        with self._file.reporting("read"):
            return self._last()[0]

    @property
    def head(self) -> str:
        """The newest hash, 64 hexadecimal digits: whoever notes it has sealed everything so far."""
        with self._file.reporting("read"):
            return self._last()[1]

    def entries(self, since: int = 0) -> Iterator[Entry]:
        """The entries with numbers above `since`, in order."""
        yield from map(self._entry, self._rows(since))

    def newest(
        self, kinds: Collection[str], most: int = 1, before: int | None = None
    ) -> list[Entry]:
        """The last entries of these kinds, the newest first; with `before`, only earlier ones."""
        marks = ", ".join("?" * len(kinds))
        query = (
            f"SELECT {COLUMNS} FROM entries WHERE kind IN ({marks}) AND number < ? "
            "ORDER BY number DESC LIMIT ?"
        )
        end = before if before is not None else 1 << 62
        with self._file.reporting("read"):
            return list(map(self._entry, self._file.base.execute(query, (*kinds, end, most))))

    def first(self, kinds: Collection[str]) -> Entry | None:
        """The first entry of these kinds."""
        marks = ", ".join("?" * len(kinds))
        query = f"SELECT {COLUMNS} FROM entries WHERE kind IN ({marks}) ORDER BY number LIMIT 1"
        with self._file.reporting("read"):
            row = self._file.base.execute(query, tuple(kinds)).fetchone()
        return self._entry(row) if row else None

    def _entry(self, row: Row) -> Entry:
        fault = row_fault(row)
        if fault:
            raise JournalError(f"{self.path}: {fault}")
        return entry_of(row)

    def crop(self, name: str) -> bytes | None:
        """The picture with that hash, or None if it has expired."""
        with self._file.reporting("read"):
            row = self._file.base.execute(
                "SELECT picture FROM crops WHERE hash = ?", (name,)
            ).fetchone()
        return row[0] if row else None

    def has_crops(self, before: float) -> bool:
        """Whether there are pictures stored before that time."""
        query = "SELECT EXISTS (SELECT 1 FROM crops WHERE time < ?)"
        with self._file.reporting("read"):
            return bool(self._file.base.execute(query, (before,)).fetchone()[0])

    def _rows(self, since: int) -> Iterator[Row]:
        query = f"SELECT {COLUMNS} FROM entries WHERE number > ? ORDER BY number"
        with self._file.reporting("read"):
            yield from self._file.base.execute(query, (since,))

    def _last(self) -> tuple[int, str]:
        row = self._file.base.execute(
            "SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1"
        ).fetchone()
        return row or (0, GENESIS)

    # Judging.

    def verify(self, head: str | None = None) -> Verdict:
        """Check for changes; with a `head` noted earlier, also for entries cut off or rewritten.

        A head may be given by its first `HEAD_DIGITS_LEAST` digits or more, with blanks.
        """
        wanted = None if head is None else digits(head)
        count, last, vouched = 0, GENESIS, 0
        for row in self._rows(0):
            fault = chain_fault(row, count + 1, last) or self._crop_fault(row)
            if fault:
                return Verdict(len(self), last, vouched, count + 1, fault)
            count, last = count + 1, row[-1]
            if wanted and last.startswith(wanted):
                vouched = count
        if wanted and not vouched and not (count == 0 and GENESIS.startswith(wanted)):
            return Verdict(count, last, fault=lost(wanted, count))
        return Verdict(count, last, vouched)

    def fault_at_start(self, most: int) -> str:
        """What is wrong with the newest entries, at most `most` of them; reads no pictures."""
        try:
            count = len(self)
            first = max(0, count - most)
            number, previous = first, GENESIS
            if first:
                known = self._row(first)
                number, previous = first, known[-1] if known else ""
            for row in self._rows(first):
                fault = chain_fault(row, number + 1, previous)
                if fault:
                    return fault
                number, previous = row[0], row[-1]
        except (JournalError, sqlite3.Error) as error:
            return str(error)
        return "" if number == count else f"entry {number + 1} is missing"

    def _crop_fault(self, row: Row) -> str:
        for name in loaded(row[4], list) or ():
            picture = self.crop(name)
            if picture is not None and sha256(picture).hexdigest() != name:
                return f"a picture of entry {row[0]} was changed"
        return ""

    # Notes kept outside the chain.

    def note(self, name: str, value: float) -> None:
        """Store a number under a name, replacing the previous one."""
        with self._file.reporting("written"):
            self._file.base.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, value))

    def noted(self, name: str) -> float | None:
        """The number stored under that name."""
        with self._file.reporting("read"):
            query = "SELECT value FROM notes WHERE name = ?"
            row = self._file.base.execute(query, (name,)).fetchone()
        return float(row[0]) if row else None

    def shift_crops(self, since: float, by: float) -> None:
        """Redate the pictures stored from `since` on by `by` seconds, as the clock was wrong."""
        with self._file.reporting("written"):
            self._file.base.execute("UPDATE crops SET time = time + ? WHERE time >= ?", (by, since))
