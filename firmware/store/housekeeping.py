"""What is done beside the game: the service manager hears that the loop lives, pictures expire."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from firmware.errors import JournalError
from firmware.notify import Notifier
from firmware.store.journal import Journal

DAY_S = 24 * 3600.0
EVERY_S = 3600.0
"""How often old pictures are looked for: far shorter than a day, far longer than a hand."""


class Housekeeper:
    """Keeps house for one journal; `pulse` is called whenever the loop has gone round.

    Pictures older than `days` are forgotten. `clock` gives seconds that never go back, `now` the
    time of day in seconds since 1970.
    """

    def __init__(
        self,
        journal: Journal,
        days: int,
        notifier: Notifier,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._journal = journal
        self._days = days
        self._notifier = notifier
        self._clock = clock
        self._now = now
        self._swept: float | None = None

    def pulse(self) -> None:
        """Tell that the loop lives; now and then, sweep."""
        if self._swept is None:
            self._notifier.ready("The table is followed.")
        self._notifier.beat()
        if self._swept is None or self._clock() - self._swept >= EVERY_S:
            self._swept = self._clock()
            # A journal that cannot be written tells so with the next act, where it matters.
            with suppress(JournalError):
                self._journal.expire_crops(self._now() - self._days * DAY_S)
