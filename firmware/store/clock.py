"""Whether the time of day is known: many boards have no battery for their clock.

Such a board starts with the time at which it was switched off, or in 1970, until somebody sets it.
Durations are measured by a clock that never steps; this is about dates only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
"""Exists once the time has been synchronised over the network since the machine started."""
BATTERY = Path("/dev/rtc0")
"""Exists if a battery-backed clock runs while the machine is off."""
EARLIEST = 1_767_225_600.0
"""The first second of 2026: a clock earlier than this was never set. A choice."""
STEP_S = 90.0
"""Growth of the difference between the two clocks that shows one was set: no clock drifts this far
between two checks. A choice.
"""


def is_set(now: Callable[[], float] = time.time) -> bool:
    """Whether the time of day can be trusted."""
    return now() >= EARLIEST and (SYNCHRONIZED.exists() or BATTERY.exists())


class Steps:
    """Notices when the time of day is set, by comparing it with a clock that never steps.

    >>> running, today = iter([0.0, 10.0, 20.0]), iter([100.0, 110.0, 720.0])
    >>> steps = Steps(lambda: next(running), lambda: next(today))
    >>> steps.taken(), steps.taken()
    (0.0, 600.0)
    """

    def __init__(self, clock: Callable[[], float], now: Callable[[], float]) -> None:
        self._clock, self._now = clock, now
        self._between = now() - clock()

    def taken(self) -> float:
        """Seconds by which the time of day was changed since the last check; 0 if it was not."""
        between = self._now() - self._clock()
        step = between - self._between
        if abs(step) < STEP_S:
            return 0.0
        self._between = between
        return step
