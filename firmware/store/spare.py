"""The journal's backup copy: every entry again, as a line of text in a file next to it.

Its last line is the journal's head, kept in a second place. It is written and synced after each
transaction of the journal, before anybody is told that the entries are stored: whatever happens to
one of the two files, the other has everything that was acknowledged. It holds no pictures.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from firmware.store.chain import Row, row_fault

SUFFIX = ".copy"
LINE_MOST = 1 << 20
"""Longest line that is read, in bytes: a match's record of a hundred hands takes a tenth. Measured
by `python -m tests.thresholds`.
"""
FIELDS = 6
"""Values in a line. Follows from `Row`."""
OTHER = "other"
"""The suffix, followed by a number, of a copy that disagrees with its journal."""


class Spare:
    """The copy of the journal at `path`; nothing is opened before it is needed."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(f"{path}{SUFFIX}")

    def rows(self) -> Iterator[Row]:
        """The readable entries, in the order of their lines; damaged lines are skipped."""
        yield from _read(self.path)

    def others(self) -> Iterator[Row]:
        """The entries of copies that were set aside because they disagreed."""
        for path in sorted(self.path.parent.glob(f"{glob.escape(self.path.name)}.{OTHER}-*")):
            yield from _read(path)

    def last(self) -> Row | None:
        """The last entry, if the file ends with a whole line."""
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - LINE_MOST))
                return _parsed(file.read().rstrip(b"\n").rpartition(b"\n")[2] + b"\n")
        except OSError:
            return None

    def ends_whole(self) -> bool:
        """Whether the file ends with a complete line, so that the next can be appended."""
        try:
            with self.path.open("rb") as file:
                return file.seek(0, os.SEEK_END) == 0 or (
                    file.seek(-1, os.SEEK_END) >= 0 and file.read(1) == b"\n"
                )
        except OSError:
            return False

    def add(self, rows: Sequence[Row]) -> None:
        """Append entries; raises `OSError`, in which case nothing was added."""
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
        try:
            size = os.fstat(handle).st_size
            try:
                data = b"".join(map(_line, rows))
                if os.write(handle, data) != len(data):
                    raise OSError(28, "no space left")
                os.fdatasync(handle)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(handle, size)
                raise
        finally:
            os.close(handle)

    def rewrite(self, rows: Iterable[Row]) -> None:
        """Rewrite the copy atomically; raises `OSError`."""
        new = self.path.with_name(f"{self.path.name}.new")
        with new.open("wb") as file:
            file.writelines(map(_line, rows))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)


def _read(path: Path) -> Iterator[Row]:
    try:
        with path.open("rb") as file:
            while line := file.readline(LINE_MOST):
                row = _parsed(line)
                if row is not None:
                    yield row
    except OSError:
        return


def _line(row: Row) -> bytes:
    return (json.dumps(row, ensure_ascii=True, separators=(",", ":")) + "\n").encode()


def _parsed(line: bytes) -> Row | None:
    if not line.endswith(b"\n"):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or len(value) != FIELDS:
        return None
    number, time, *texts = value
    if isinstance(number, bool) or not isinstance(time, int | float):
        return None
    row = (number, float(time), *texts)
    return row if not row_fault(row) else None
