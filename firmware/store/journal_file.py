"""The file of a journal: how it is opened, what it holds, and whether its pages are sound.

It is an SQLite database with a write-ahead log, in which entries can only be added at the end.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from firmware.errors import JournalError
from firmware.store.lock import is_held

BUSY_S = 0.2
"""How long to wait for another program that holds the file, such as a database tool: an act and the
press before it together stay below half a second. No other table writes it, thanks to the lock. A
choice.
"""
CHECKPOINT_PAGES = 256
"""Pages of 4 KiB in the write-ahead log before they are moved into the file: 1 MB, some eighty
acts. If the log is damaged before then, the copy still has them. A choice.
"""
CHECKED_PAGES = 2048
"""Pages checked whenever a file is opened, 8 MB: a few milliseconds. Larger files are checked while
the table is being followed. A choice.
"""
MEMORY = ":memory:"
_APPLICATION = 0x4D617A7A
"""``Mazz``, in the SQLite field that says which program a file belongs to. A choice."""
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
CREATE INDEX IF NOT EXISTS kinds ON entries (kind, number);
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value REAL NOT NULL) STRICT;
COMMIT;
"""
COLUMNS = "number, time, kind, payload, crops, hash"
"""The columns of an entry, in the order of `Row`."""


class Way(Enum):
    """What a journal is opened for."""

    WRITE = "write"
    """To add entries: by one part of one program at a time."""
    FOLLOW = "follow"
    """To read while another program adds to it."""
    JUDGE = "judge"
    """To inspect it as it is; nothing is created or changed next to it."""


class JournalFile:
    """The open file of a journal; to write, it is created if it is missing.

    Raises `JournalError` for a file that is damaged or not one of ours, and for one that cannot be
    opened. `base` is the connection.
    """

    def __init__(self, path: Path | str, way: Way) -> None:
        self.path = str(path)
        if way is not Way.WRITE and not Path(path).is_file():
            raise JournalError(f"{path}: there is no journal here")
        with ExitStack() as stack:
            with self.reporting("opened"):
                self.base = self._connected(way, stack)
                stack.callback(self.base.close)
                self._prepare(way)
            self._closing = stack.pop_all()

    def close(self) -> None:
        """Close the file; nothing is lost if this is not called."""
        self._closing.close()

    def _connected(self, way: Way, stack: ExitStack) -> sqlite3.Connection:
        name, more = self.path, ""
        if way is Way.FOLLOW or (way is Way.JUDGE and is_held(self.path)):
            more = "mode=ro"  # waits for its writer to finish what it is doing
        elif way is Way.JUDGE:
            name, more = self._lying_still(stack), "mode=ro&immutable=1"
        if more:
            name = f"file:{quote(str(Path(name).absolute()))}?{more}"
        return sqlite3.connect(
            name, timeout=BUSY_S, isolation_level=None, check_same_thread=False, uri=bool(more)
        )

    def _lying_still(self, stack: ExitStack) -> str:
        """The file itself, or a copy if a log next to it must be merged in first."""
        log = Path(f"{self.path}-wal")
        try:
            if not log.is_file() or not log.stat().st_size:
                return self.path
            folder = stack.enter_context(TemporaryDirectory(prefix="mazziere-"))
            copy = Path(folder) / "journal"
            shutil.copyfile(self.path, copy)
            shutil.copyfile(log, f"{copy}-wal")
        except OSError as error:
            raise JournalError(f"{self.path}: the journal cannot be read: {error}") from error
        with sqlite3.connect(copy) as base:
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        base.close()
        return str(copy)

    def _prepare(self, way: Way) -> None:
        ours = self._is_ours()
        if way is not Way.WRITE and not ours:
            raise JournalError(f"{self.path}: this is not a journal of this program")
        if way is Way.WRITE:
            # A commit returns only once the disk has it: WAL alone would sync less often.
            self.base.execute("PRAGMA journal_mode = WAL")
            self.base.execute("PRAGMA synchronous = FULL")
            self.base.execute("PRAGMA secure_delete = ON")  # an expired picture is really gone
            self.base.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            if not (ours and self._has("notes")):
                self.base.executescript(_SCHEMA)
        if way is Way.JUDGE or self._pages() <= CHECKED_PAGES:
            self.check_pages()

    def _has(self, table: str) -> bool:
        query = "SELECT count(*) FROM sqlite_master WHERE name = ?"
        return bool(self.base.execute(query, (table,)).fetchone()[0])

    def _pages(self) -> int:
        return int(self.base.execute("PRAGMA page_count").fetchone()[0])

    def check_pages(self) -> None:
        """Check the file's pages; raises `JournalError` if one is damaged."""
        with self.reporting("read"):
            (answer,) = self.base.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise JournalError(f"{self.path}: the journal is damaged: {answer.splitlines()[-1]}")

    def _is_ours(self) -> bool:
        """Whether the journal already exists; raises `JournalError` if it is something else."""
        (owner,) = self.base.execute("PRAGMA application_id").fetchone()
        (tables,) = self.base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and owner != _APPLICATION:
            raise JournalError(
                f"{self.path}: this is a database, but not a journal of this program"
            )
        return bool(owner == _APPLICATION)

    @contextmanager
    def reporting(self, doing: str) -> Iterator[None]:
        """Turn what SQLite raises into a `JournalError` that names the file and what was done."""
        try:
            yield
        except JournalError:
            raise
        # Damage may be in the middle of a character, and a stored number may be too large for one.
        except (sqlite3.Error, UnicodeDecodeError, OverflowError, MemoryError) as error:
            raise JournalError(f"{self.path}: the journal cannot be {doing}: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within it is stored, or nothing."""
        self.base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.base.execute("COMMIT")
        except BaseException:
            # After some failures, such as a full disk, SQLite has already rolled back.
            with suppress(sqlite3.Error):
                self.base.execute("ROLLBACK")
            raise
