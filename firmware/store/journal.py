"""The journal: everything that happened, in the order it happened, never changed again.

Each entry carries the SHA-256 of itself and of the entry before it. Whoever has noted the newest
hash, the *head*, can later tell whether anything before it was changed. The small pictures that
explain an entry lie beside the chain, which holds only their hashes: they may expire.

    >>> journal = Journal(":memory:")
    >>> journal.append("act", {"line": "2 bet 5"}, time=12.5).number
    1
    >>> print(journal.verify(journal.head))
    all 1 entries are as they were written, up to the given head
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware.errors import JournalError

GENESIS = sha256(b"mazziere journal 1").hexdigest()
"""What the first entry names as the hash before it: the head of an empty journal."""
HEAD_DIGITS_LEAST = 16
"""How much of a head is enough to compare: 64 bits, as many as a person will copy by hand."""
BUSY_S = 5.0
"""How long to wait for another process that writes; ours hold the file for milliseconds."""
_APPLICATION = 0x4D617A7A
"""``Mazz``, in the field that SQLite keeps for telling whose file it is."""
_SCHEMA = f"""
BEGIN IMMEDIATE;
PRAGMA application_id = {_APPLICATION};
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL,
    payload TEXT NOT NULL, crops TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS crops (
    hash TEXT PRIMARY KEY, time REAL NOT NULL, picture BLOB NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER IF NOT EXISTS no_gap BEFORE INSERT ON entries
    WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM entries)
    BEGIN SELECT RAISE(ABORT, 'entries are only added at the end'); END;
COMMIT;
"""
_COLUMNS = "number, time, kind, payload, crops, hash"
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to become an entry: `time` is in seconds since 1970, `crops` are JPEG files."""

    kind: str
    payload: Mapping[str, Any]
    time: float
    crops: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened, as it was stored; `crops` are the hashes of its pictures."""

    number: int
    time: float
    kind: str
    payload: Mapping[str, Any]
    crops: tuple[str, ...]
    hash: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of a journal after looking at all of it.

    `entries` is how many there are, `vouched` how many of them, from the first, the given head
    proves to be unchanged; `fault` says what is wrong and `number` which entry is the first bad
    one, where that can be known.
    """

    entries: int
    head: str
    vouched: int = 0
    number: int | None = None
    fault: str = ""

    @property
    def whole(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.fault

    def __str__(self) -> str:
        if self.fault:
            proven = f"; the first {self.vouched} are as they were written" if self.vouched else ""
            return f"{self.fault}{proven}"
        if not self.vouched:
            return (
                f"{self.entries} entries fit each other; without a head noted earlier it cannot "
                "be known whether the last ones were cut off or the whole journal was replaced"
            )
        later = self.entries - self.vouched
        rest = f"; {later} later ones fit on to them" if later else ""
        which = "the first" if later else "all"
        return (
            f"{which} {self.vouched} entries are as they were written, up to the given head{rest}"
        )


class Journal:
    """An append-only, hash-chained journal in one SQLite file.

    Opening creates the file unless `create` is false; a file that is damaged or none of ours
    raises `JournalError`, as does everything that fails to be written. One object belongs to one
    thread at a time: it may be opened in one and used in another. Several processes may open the
    same file.
    """

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = str(path)
        if not create and not Path(path).is_file():
            raise JournalError(f"{path}: there is no journal here")
        with self._reporting("opened"):
            self._base = sqlite3.connect(
                self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
        except JournalError:
            self._base.close()
            raise

    def _prepare(self) -> None:
        with self._reporting("opened"):
            ours = self._is_ours()
            # A commit returns only once the disk has it: WAL alone would sync less often.
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            self._base.execute("PRAGMA secure_delete = ON")  # an expired picture is really gone
            if not ours:
                self._base.executescript(_SCHEMA)
            (answer,) = self._base.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise JournalError(f"{self.path}: the journal is damaged: {answer.splitlines()[-1]}")

    def _is_ours(self) -> bool:
        """Whether the journal is there already; raises `JournalError` if something else is."""
        (owner,) = self._base.execute("PRAGMA application_id").fetchone()
        (tables,) = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and owner != _APPLICATION:
            raise JournalError(f"{self.path}: this is a database, but no journal of this program")
        return bool(owner == _APPLICATION)

    @contextmanager
    def _reporting(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # damage may lie within a letter
            raise JournalError(f"{self.path}: the journal cannot be {doing}: {error}") from error

    def close(self) -> None:
        """Close the file; nothing is lost without it."""
        self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Writing.

    def append(
        self, kind: str, payload: Mapping[str, Any], *, time: float, crops: Sequence[bytes] = ()
    ) -> Entry:
        """Store one entry; when this returns, it survives a power cut."""
        return self.append_all([Draft(kind, payload, time, tuple(crops))])[0]

    def append_all(self, drafts: Iterable[Draft]) -> tuple[Entry, ...]:
        """Store several entries, all or none of them."""
        with self._reporting("written"), self._transaction():
            number, head = self._last()
            entries = []
            for draft in drafts:
                number += 1
                entry = _sealed(draft, number, head)
                self._insert(entry, draft)
                head = entry.hash
                entries.append(entry)
            return tuple(entries)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            # After some failures, as a full disk, SQLite has rolled back by itself.
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            raise

    def _insert(self, entry: Entry, draft: Draft) -> None:
        for name, picture in zip(entry.crops, draft.crops, strict=True):
            self._base.execute(
                "INSERT INTO crops VALUES (?, ?, ?) "
                "ON CONFLICT (hash) DO UPDATE SET time = max(time, excluded.time)",
                (name, entry.time, picture),
            )
        self._base.execute(
            f"INSERT INTO entries ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", _row(entry)
        )

    def expire_crops(self, before: float) -> int:
        """Forget the pictures stored before that time, for good; returns how many."""
        with self._reporting("written"):
            with self._transaction():
                count = self._base.execute("DELETE FROM crops WHERE time < ?", (before,)).rowcount
            if count:
                self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count

    # Reading.

    def __len__(self) -> int:
        with self._reporting("read"):
            return self._last()[0]

    @property
    def head(self) -> str:
        """The newest hash, 64 hexadecimal digits: note it, and everything so far is sealed."""
        with self._reporting("read"):
            return self._last()[1]

    def entries(self, since: int = 0) -> Iterator[Entry]:
        """The entries with numbers above `since`, in order."""
        for row in self._rows(since):
            fault = _row_fault(row)
            if fault:
                raise JournalError(f"{self.path}: {fault}")
            yield _entry(row)

    def crop(self, name: str) -> bytes | None:
        """The picture with that hash, or None if it has expired."""
        with self._reporting("read"):
            row = self._base.execute("SELECT picture FROM crops WHERE hash = ?", (name,)).fetchone()
        return row[0] if row else None

    def _rows(self, since: int) -> Iterator[Row]:
        query = f"SELECT {_COLUMNS} FROM entries WHERE number > ? ORDER BY number"
        with self._reporting("read"):
            yield from self._base.execute(query, (since,))

    def _last(self) -> tuple[int, str]:
        row = self._base.execute(
            "SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1"
        ).fetchone()
        return row or (0, GENESIS)

    # Judging.

    def verify(self, head: str | None = None) -> Verdict:
        """Look for any change; with a `head` noted earlier, also for what was cut off or rewritten.

        A head may be given by its first `HEAD_DIGITS_LEAST` digits or more, with blanks.
        """
        wanted = None if head is None else _digits(head)
        count, last, vouched = 0, GENESIS, 0
        for row in self._rows(0):
            fault = _chain_fault(row, count + 1, last) or self._crop_fault(row)
            if fault:
                return Verdict(len(self), last, vouched, count + 1, fault)
            count, last = count + 1, row[-1]
            if wanted and last.startswith(wanted):
                vouched = count
        if wanted and not vouched and not (count == 0 and GENESIS.startswith(wanted)):
            return Verdict(count, last, fault=_lost(wanted, count))
        return Verdict(count, last, vouched)

    def _crop_fault(self, row: Row) -> str:
        for name in _loaded(row[4], list) or ():
            picture = self.crop(name)
            if picture is not None and sha256(picture).hexdigest() != name:
                return f"a picture of entry {row[0]} was changed"
        return ""


def _lost(wanted: str, count: int) -> str:
    return (
        f"no entry has the head {wanted[:HEAD_DIGITS_LEAST]}…: of what it sealed, something was "
        f"cut off behind entry {count}, or the journal was rewritten"
    )


def _digits(head: str) -> str:
    text = "".join(head.split()).lower()
    if not HEAD_DIGITS_LEAST <= len(text) <= len(GENESIS) or set(text) - set("0123456789abcdef"):
        raise JournalError(
            f"a head is {HEAD_DIGITS_LEAST} to {len(GENESIS)} hexadecimal digits, got {head!r}"
        )
    return text


def _canonical(value: Any) -> str:
    """The one text that stands for a JSON value."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise JournalError(f"a payload of plain JSON values expected: {error}") from error


def _digest(previous: str, number: int, *values: Any) -> str:
    """The hash of the entry with that number, time, kind, payload and crops."""
    return sha256(_canonical([previous, number, *values]).encode()).hexdigest()


def _sealed(draft: Draft, number: int, previous: str) -> Entry:
    crops = tuple(sha256(picture).hexdigest() for picture in draft.crops)
    payload = _canonical(draft.payload)
    time = float(draft.time) + 0.0  # SQLite knows no negative zero
    seal = _digest(previous, number, time, draft.kind, payload, _canonical(crops))
    return Entry(number, time, draft.kind, json.loads(payload), crops, seal)


def _row(entry: Entry) -> Row:
    texts = (_canonical(entry.payload), _canonical(entry.crops))
    return (entry.number, entry.time, entry.kind, *texts, entry.hash)


def _entry(row: Row) -> Entry:
    number, time, kind, payload, crops, seal = row
    return Entry(number, time, kind, json.loads(payload), tuple(json.loads(crops)), seal)


def _loaded(text: object, kind: type) -> Any:
    """The JSON value of that type in `text`, or None."""
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return value if isinstance(value, kind) else None


def _row_fault(row: Row) -> str:
    """What keeps a row from being an entry at all."""
    types = (int, float, str, str, str, str)
    fits = all(isinstance(value, kind) for value, kind in zip(row, types, strict=True))
    if fits and _loaded(row[3], dict) is not None and _loaded(row[4], list) is not None:
        return ""
    return f"entry {row[0]} was changed: it cannot be read"


def _chain_fault(row: Row, number: int, previous: str) -> str:
    """What is wrong with the row that should be entry `number`."""
    if row[0] != number:
        return f"entry {number} is missing"
    fault = _row_fault(row)
    if fault:
        return fault
    if _digest(previous, *row[:-1]) != row[-1]:
        return f"entry {number} was changed, or another was put in its place"
    return ""
