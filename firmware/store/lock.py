"""One writer per file: a lock that the kernel releases however its holder ends."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from firmware.errors import JournalError

SUFFIX = ".lock"


class Lock:
    """The right to write a journal, held from construction until `release`.

    The lock is on a separate file next to the journal: closing any handle of the journal itself
    would drop SQLite's own locks. Raises `JournalError` if another process, or another part of this
    one, holds it.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(f"{path}{SUFFIX}")
        try:
            self._handle: int | None = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o640)
        except OSError as error:
            raise JournalError(
                f"{path}: the journal cannot be opened: {self.path.name}: {error.strerror}"
            ) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(self._handle)
            self._close()
            raise JournalError(
                f"{path}: another table is writing this journal{holder}: end that one, or name "
                "another file for this one"
            ) from error
        with suppress(OSError):  # a full disk: the lock holds even without its holder's name
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)

    @property
    def held(self) -> bool:
        """Whether it has not been released yet."""
        return self._handle is not None

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        self._close()

    def _close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def is_held(path: Path | str) -> bool:
    """Whether somebody is writing the journal now; changes nothing."""
    try:
        handle = os.open(f"{path}{SUFFIX}", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _holder(handle: int) -> str:
    with suppress(OSError):
        told = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
        if told.isdecimal():
            return f" (process {told})"
    return ""
