"""Shows on a terminal that a command is still working while it prints nothing."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

SILENT_S = 2.0
"""A choice: silence after which people begin to think that a program has hung."""
EVERY_S = 0.5
"""A choice: interval at which the count of seconds is updated."""
CLEAR = "\r\x1b[K"


class Waiting:
    """A line with the seconds since the last output; any output replaces it.

    It takes the place of standard output: `out` gets what is printed, `err` gets the line.
    """

    def __init__(
        self, says: str, out: TextIO, err: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._says, self._out, self._err, self._clock = says, out, err, clock
        self._began = self._last = clock()
        self._shown = False
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        """Everything else that standard output can do."""
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Print the text in place of the line."""
        with self._lock:
            self._clear()
            self._last = self._clock()
            return self._out.write(text)

    def tick(self) -> None:
        """Show the line, or update its count, once nothing has been printed for a while."""
        with self._lock:
            now = self._clock()
            if now - self._last >= SILENT_S:
                self._err.write(f"{CLEAR}{self._says} … {now - self._began:.0f} s")
                self._err.flush()
                self._shown = True

    def end(self) -> None:
        """Erase the line."""
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        if self._shown:
            self._err.write(CLEAR)
            self._err.flush()
            self._shown = False


@contextmanager
def waiting(says: str) -> Iterator[None]:
    """Show the waiting line while the block runs, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    shown, ended = Waiting(says, sys.stdout, sys.stderr), threading.Event()

    def count() -> None:
        while not ended.wait(EVERY_S):
            shown.tick()

    worker = threading.Thread(target=count, name="waiting", daemon=True)
    before, sys.stdout = sys.stdout, shown
    worker.start()
    try:
        yield
    finally:
        ended.set()
        worker.join()
        sys.stdout = before
        shown.end()
