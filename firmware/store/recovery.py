"""Recovery of a damaged journal: intact entries carry over, the damaged file is kept aside.

The journal and its copy hold the same entries; where one is damaged, the other is read. Where both
are, the entries before the damage are kept, and the match resumes from the next checkpoint after
it. Nothing is repaired in place: the files that were found are set aside, untouched.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.errors import JournalError
from firmware.files import unused
from firmware.store import evenings
from firmware.store.chain import (
    GENESIS,
    Draft,
    Row,
    chain_fault,
    entry_of,
    row_fault,
)
from firmware.store.journal import Journal
from firmware.store.ledger import STANDS
from firmware.store.lock import SUFFIX as LOCK
from firmware.store.lock import Lock
from firmware.store.spare import SUFFIX, Spare
from rules.phrases import Phrase

CHECKED_MOST = 5000
"""Number of newest entries whose chain is checked at each start: a long evening's. All of them are
checked while the table is followed. A choice.
"""
ROOM_LEAST = 1 << 20
"""Bytes that must be free at the start: SQLite's log up to its first checkpoint. A choice based on
it.
"""
REPAIRED = "repaired"
"""The kind of the entry that says what was lost."""
NEW, READY = ".new", ".ready"
"""The suffix of a journal while it is being rebuilt, and once it is complete."""
PARTS = ("-wal", "-shm", "", SUFFIX)
Crop = tuple[str, float, bytes]


@dataclass(frozen=True)
class Found:
    """What was found at the start: what to tell the dealer, if anything."""

    told: Phrase | None = None


@dataclass
class Salvage:
    """What can be read of a damaged journal and its copy."""

    rows: dict[int, list[Row]] = field(default_factory=dict)
    crops: list[Crop] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Add a reading of an entry, unless the same reading is already there."""
        if not row_fault(row) and row not in (known := self.rows.setdefault(row[0], [])):
            known.append(row)

    @property
    def newest(self) -> int:
        """The number of the last entry that can be read, valid or not."""
        return max(self.rows, default=0)

    def chain(self) -> list[Row]:
        """The longest run of entries from the first that fit together, on either branch."""
        reached: list[dict[str, Row | None]] = [{GENESIS: None}]
        for number in range(1, self.newest + 1):
            after = {
                row[-1]: row
                for row in self.rows.get(number, ())
                if any(not chain_fault(row, number, previous) for previous in reached[-1])
            }
            if not after:
                break
            reached.append(dict(after))
        found: list[Row] = []
        for rows in reached[:0:-1]:
            fits = [row for row in rows.values() if row is not None]
            if found:
                fits = [row for row in fits if not chain_fault(found[-1], found[-1][0], row[-1])]
            found.append(fits[0])
        return found[::-1]

    def later(self, after: int) -> list[Row]:
        """The entries at the end that fit together, all of them after entry `after`."""
        found: list[Row] = []
        for row in self.rows.get(self.newest, ())[:1]:
            found.append(row)
        while found and found[-1][0] - 1 > after:
            last = found[-1]
            rows = self.rows.get(last[0] - 1, ())
            fits = [row for row in rows if not chain_fault(last, last[0], row[-1])]
            if not fits:
                break
            found.append(fits[0])
        return found[::-1]


def opened(path: Path | str) -> tuple[Journal, Found]:
    """The journal at `path`, opened for writing; a damaged one is set aside and rebuilt.

    Raises `JournalError` if another table is writing it, if it cannot be opened for a reason other
    than damage, and if the file is not one of ours.
    """
    path = Path(path)
    lock = Lock(path)
    try:
        evenings.finish(path)
        _finish(path)
        try:
            journal = Journal(path, lock=lock)
        except JournalError as error:
            raise_if_full(path, error)
            if not _is_damage(path, error):
                raise
            return _mended(path, lock)
        if journal.fault_at_start(CHECKED_MOST) or _lacks(path, journal):
            journal.hand_over()
            return _mended(path, lock)
    except BaseException:
        lock.release()
        raise
    return journal, Found(Phrase("journal.differs") if journal.quarrel else None)


def _lacks(path: Path, journal: Journal) -> bool:
    """Whether the copy that was just set aside has more than the journal."""
    return journal.quarrel != "" and any(row[0] > len(journal) for row in Spare(path).others())


def raise_if_full(path: Path, error: JournalError) -> None:
    """Raise a `JournalError` that says so if there is no room to write next to a journal.

    On a full disk nothing can be said about the file, nor rebuilt; even reading it requires writing
    a file next to it.
    """
    if shutil.disk_usage(path.parent).free < ROOM_LEAST:
        raise JournalError(f"{path}: the disk is full: make room, and try again") from error


def _is_damage(path: Path, error: JournalError) -> bool:
    """Whether a file that cannot be opened is a journal of ours that has been damaged."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError) and "unable to open" in str(cause):
        return False
    if not path.is_file():
        return False
    if Path(f"{path}{SUFFIX}").is_file():
        return True
    with path.open("rb") as file:
        head = file.read(100)
    return head[68:72] == b"Mazz" or not head.strip(b"\0")


def _finish(path: Path) -> None:
    """Put the rebuilt journal in place, also after a power cut during that very step."""
    ready = Path(f"{path}{READY}")
    if ready.exists():
        _set_aside(path, unused(path, "damaged"))
        ready.replace(path)
    for part in (*PARTS, LOCK):
        Path(f"{path}{NEW}{part}").unlink(missing_ok=True)


def _set_aside(path: Path, aside: Path) -> None:
    """Keep what was found under another name; a log must not remain without its file."""
    for part in PARTS:
        with suppress(FileNotFoundError):
            Path(f"{path}{part}").replace(f"{aside}{part}")


def _mended(path: Path, lock: Lock) -> tuple[Journal, Found]:
    """Rebuild the journal from every intact entry; reports what was lost."""
    salvage = salvaged(path)
    rows = salvage.chain()
    later = _from_a_stand(salvage.later(len(rows)))
    lost = salvage.newest - len(rows) - len(later)
    aside = unused(path, "damaged")
    new = Path(f"{path}{NEW}")
    with Journal(new) as journal:
        journal.restore(rows, salvage.crops)
        if lost or later:
            what = {"lost": max(lost, 0), "aside": aside.name}
            journal.append(REPAIRED, what, time=rows[-1][1] if rows else 0.0)
        journal.append_all(
            Draft(one.kind, one.payload, one.time, seals=one.crops) for one in map(entry_of, later)
        )
    new.replace(f"{path}{READY}")
    _finish(path)
    told = Phrase.of("journal.repaired", file=aside.name)
    if lost > 0:
        told = Phrase.of("journal.lost", count=lost, file=aside.name)
    return Journal(path, lock=lock), Found(told)


def _from_a_stand(rows: list[Row]) -> list[Row]:
    """The part of some entries from which a match can resume."""
    places = [place for place, row in enumerate(rows) if row[2] in ("match", STANDS)]
    return rows[places[0] :] if places else []


# Reading what is left.


def salvaged(path: Path) -> Salvage:
    """Everything that can be read of the journal and its copies; changes nothing."""
    salvage = Salvage()
    with TemporaryDirectory(prefix="mazziere-") as folder:
        for number, with_log in enumerate((True, False)):
            copy = Path(folder) / str(number)
            with suppress(OSError):
                shutil.copyfile(path, copy)
                if with_log:
                    shutil.copyfile(f"{path}-wal", f"{copy}-wal")
            if copy.is_file():
                with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as base:
                    _read_out(base, salvage)
    for row in (*Spare(path).rows(), *Spare(path).others()):
        salvage.add(row)
    return salvage


def _read_out(base: sqlite3.Connection, salvage: Salvage) -> None:
    """Read row by row what cannot be read in one go."""
    for row in _readable(base, "entries", "number, time, kind, payload, crops, hash"):
        salvage.add(row)
    for row in _readable(base, "crops", "hash, time, picture"):
        fits = all(map(isinstance, row, (str, float, bytes)))
        if fits:
            salvage.crops.append(row)


def _readable(base: sqlite3.Connection, table: str, columns: str) -> Iterator[Row]:
    """The rows of a table, on both sides of the damage."""
    for order in ("ASC", "DESC"):
        cursor = base.cursor()
        with suppress(sqlite3.Error, UnicodeDecodeError, MemoryError):
            yield from cursor.execute(f"SELECT {columns} FROM {table} ORDER BY rowid {order}")
            return
