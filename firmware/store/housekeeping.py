"""Chores besides the game: telling the service manager that the loop runs, expiring pictures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from firmware.errors import JournalError
from firmware.notify import Notifier
from firmware.store import clock as clocks
from firmware.store.journal import Journal
from firmware.store.journal_file import MEMORY

DAY_S = 24 * 3600.0
"""Seconds in a day. Follows from the calendar."""
EVERY_S = 3600.0
"""Interval between sweeps for old pictures: far shorter than a day, far longer than a hand. A
choice.
"""


BEGAN, LAST, SET = "clock.began", "clock.last", "clock.set"
"""Notes kept with the journal: when writing began, when it was last written, and whether the time
of day was known then.
"""


class Housekeeper:
    """Housekeeping for one journal; `pulse` is called on every turn of the loop.

    Pictures older than `days` are deleted. `clock` returns seconds that never go back, `now` the
    time of day in seconds since 1970, and `is_set` whether that can be trusted. If the time of day
    is set later, no picture ages by the change: those stored since the start are redated by the
    same amount. `found` is told what is wrong with the journal once all of it has been read.
    """

    def __init__(
        self,
        journal: Journal,
        days: int,
        notifier: Notifier,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        is_set: Callable[[], bool] = clocks.is_set,
        found: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._journal = journal
        self._days = days
        self._notifier = notifier
        self._clock = clock
        self._now = now
        self._is_set = is_set
        self._found = found
        self._swept: float | None = None
        self._began = now()
        self._steps = clocks.Steps(clock, now)
        self._examiner = Examiner(journal.path)

    def pulse(self) -> None:
        """Report that the loop is alive; now and then, sweep."""
        if self._swept is None:
            self._notifier.ready("The table is followed.")
        self._notifier.beat()
        # A journal that cannot be written is reported with the next act, when it matters.
        with suppress(JournalError):
            self._follow_the_clock()
            if self._swept is None or self._clock() - self._swept >= EVERY_S:
                self._swept = self._clock()
                self._journal.expire_crops(self._now() - self._days * DAY_S)
                self._note()
        if fault := self._examiner.fault():
            self._found(fault)

    def _follow_the_clock(self) -> None:
        """Redate what was stored while the clock was wrong."""
        if self._swept is None:
            self._after_a_wrong_clock()
            self._examiner.start()
        step = self._steps.taken()
        if step:
            self._journal.shift_crops(self._began, step)
            self._began += step
            self._note()

    def _after_a_wrong_clock(self) -> None:
        """Redate after a shutdown with a wrong clock that is right now: no time has passed."""
        began, last = self._journal.noted(BEGAN), self._journal.noted(LAST)
        if began is None or last is None:
            return
        if self._is_set() and not self._journal.noted(SET) and self._now() > last:
            self._journal.shift_crops(began, self._now() - last)

    def _note(self) -> None:
        for name, value in (
            (BEGAN, self._began), (LAST, self._now()), (SET, float(self._is_set())),
        ):  # fmt: skip
            self._journal.note(name, value)


class Examiner:
    """Checks a whole journal once, in its own thread alongside the writer."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fault = ""
        self._thread = threading.Thread(target=self._examine, name="examiner", daemon=True)

    def start(self) -> None:
        """Begin."""
        if self._path != MEMORY:
            self._thread.start()

    def fault(self) -> str:
        """What is wrong, reported once."""
        fault, self._fault = self._fault, ""
        return fault

    def _examine(self) -> None:
        try:
            with Journal.following(self._path) as journal:
                journal.check_pages()
                self._fault = journal.verify().fault
        except JournalError as error:
            self._fault = str(error)
