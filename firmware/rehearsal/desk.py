"""A rehearsal in real time, beside which people press buttons and type."""

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
"""How much of a delay is caught up with when a table is played in real time."""


class LiveDesk:
    """A rehearsal in real time, in a thread of its own, as a display's `Desk`.

    `now` is the clock it keeps to, in seconds.
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
        """Begin to play."""
        self._due = self._now()
        self._thread.start()

    def end(self) -> None:
        """Let the playing come to its end."""
        self._ended.set()

    def stop(self) -> None:
        """Stop playing; raises what has ended it before its time."""
        self.end()
        self._thread.join()
        if self.failure is not None:
            raise self.failure

    @property
    def running(self) -> bool:
        """Whether there are hands left to play."""
        return self._thread.is_alive()

    def snapshot(self) -> Snapshot:
        """The newest picture."""
        return self._shown

    @property
    def optics(self) -> Optics | None:
        """The simulated camera's view, where there is one."""
        return self._rehearsal.optics

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press a button, as a second person at the table."""
        self._done.put(lambda: self._rehearsal.press(Button(button), seconds))

    def type(self, line: str, *, sure: bool = False) -> None:
        """Type an act as its record line; one against the rules is asked about unless `sure`."""
        self._done.put(lambda: self._rehearsal.loop.type(line, sure=sure))

    def undo(self) -> None:
        """Take the last act back, whatever is being asked."""
        self._done.put(self._rehearsal.loop.undo)

    def correct(self, change: Correction) -> None:
        """Put another act in the place of one that stands."""
        self._done.put(lambda: self._rehearsal.loop.correct(change))

    def say(self, seat: int, line: str, count: int) -> None:
        """Take in what a player says of their own, who saw the table after `count` acts."""
        self._done.put(lambda: self._rehearsal.loop.say(seat, line, count))

    def keep(self, rule: str) -> None:
        """Tell the device a secret rule in private."""
        self._done.put(lambda: self._rehearsal.loop.keep(rule))

    def choose(self, words: str) -> None:
        """Take one of the options that are offered, by its words."""
        self._done.put(lambda: self._rehearsal.loop.choose(words))

    def _run(self) -> None:
        try:
            for report in self._rehearsal.play(self._hands, self._pause):
                self.reports.append(report)
        except _StoppedError:
            return
        except BaseException as error:  # whoever stops the desk must hear of it
            self.failure = error

    def _pause(self) -> None:
        """Do what people have done meanwhile, and wait for the next picture's time."""
        while not self._done.empty():
            self._done.get()()
        self._shown = self._rehearsal.screen()
        # A table that cannot be drawn in time runs late rather than jumping.
        self._due = max(self._due + 1 / self._rehearsal.plan.rate_hz, self._now() - LATE_S)
        if self._ended.wait(max(0.0, self._due - self._now())):
            raise _StoppedError


class _StoppedError(Exception):
    """The display was left."""
