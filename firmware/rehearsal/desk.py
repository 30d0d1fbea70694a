"""A rehearsal in real time, at which people can press buttons and type."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

from firmware.display.snapshot import Correction, Snapshot
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport
from firmware.table.optics import Optics
from hardware.press import Button

LATE_S = 1.0
"""Largest delay that is caught up on when a table is played in real time."""


class LiveDesk:
    """A rehearsal in real time, in its own thread, as a display's `Desk`.

    `now` is its clock, in seconds.
    """

    def __init__(
        self, rehearsal: Rehearsal, hands: int, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.reports: list[HandReport] = []
        self.failure: BaseException | None = None
        self._rehearsal = rehearsal
        self._hands = hands
        self._now = now
        self._done: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rehearsal", daemon=True)
        self._due = 0.0
        self._shown = rehearsal.screen()

    def start(self) -> None:
        """Start playing."""
        self._due = self._now()
        self._thread.start()

    def end(self) -> None:
        """Let the playing come to its end."""
        self._ended.set()

    def stop(self) -> None:
        """Stop playing; raises whatever ended it early."""
        self.end()
        self._thread.join()
        if self.failure is not None:
            raise self.failure

    @property
    def running(self) -> bool:
        """Whether there are hands left to play."""
        return self._thread.is_alive()

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._shown

    @property
    def optics(self) -> Optics | None:
        """The simulated camera's view, if there is one."""
        return self._rehearsal.optics

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press a button, as a second person at the table."""
        self._done.put(lambda: self._rehearsal.press(Button(button), seconds))

    def type(self, line: str, *, sure: bool = False) -> None:
        """Enter an act as its record line; an illegal one is confirmed first unless `sure`."""
        self._done.put(lambda: self._rehearsal.loop.type(line, sure=sure))

    def undo(self) -> None:
        """Undo the last act, even while a question is open."""
        self._done.put(self._rehearsal.loop.undo)

    def correct(self, change: Correction) -> None:
        """Replace an act of the record with another."""
        self._done.put(lambda: self._rehearsal.loop.correct(change))

    def say(self, seat: int, line: str, count: int) -> None:
        """Handle what a player says, having seen the table after `count` acts."""
        self._done.put(lambda: self._rehearsal.loop.say(seat, line, count))

    def keep(self, rule: str) -> None:
        """Give the device a secret rule, unseen by the table."""
        self._done.put(lambda: self._rehearsal.loop.keep(rule))

    def choose(self, words: str) -> None:
        """Choose one of the offered options by its words."""
        self._done.put(lambda: self._rehearsal.loop.choose(words))

    def _run(self) -> None:
        try:
            for report in self._rehearsal.play(self._hands, self._pause):
                self.reports.append(report)
        except _StoppedError:
            return
        except BaseException as error:  # whoever stops the desk must be told
            self.failure = error

    def _pause(self) -> None:
        """Do what people have asked for meanwhile, and wait until the next picture is due."""
        while not self._done.empty():
            self._done.get()()
        self._shown = self._rehearsal.screen()
        # A table that cannot be drawn in time runs late rather than jumping.
        self._due = max(self._due + 1 / self._rehearsal.plan.rate_hz, self._now() - LATE_S)
        if self._ended.wait(max(0.0, self._due - self._now())):
            raise _StoppedError


class _StoppedError(Exception):
    """The display was closed."""
