"""Several dealers' pages at one table: of what they press at once, the first counts.

A page says what it saw when somebody pressed. OK means something else a moment later, and a second
undo takes back another act: what was meant for another moment is not done, and the page says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from zlib import crc32

from firmware.display.snapshot import Snapshot

RACE_S = 1.0
"""For so long after a press, others who saw the same may have meant the same. A choice: the loop
turns a hundred times as fast, a finger takes half of it."""


def moment(snapshot: Snapshot) -> str:
    """What a press answers: the acts so far, what is asked, and what OK does.

    >>> asked = Snapshot(game="any", hand=1, phase="", sentence="In or out?", seats=(1, 2))
    >>> moment(asked)
    '1 0 b2680c47'
    """
    asked = (snapshot.sentence, snapshot.ok, *snapshot.options[:1])
    return f"{acts(snapshot)} {crc32(chr(0).join(asked).encode()):08x}"


def acts(snapshot: Snapshot) -> str:
    """What an undo, or a button held for seconds, answers: the acts so far."""
    return f"{snapshot.hand} {snapshot.count}"


class Presses:
    """Judges whether a press was meant for the moment at which it comes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = ("", "", 0.0)

    def comes_late(self, seen: str, who: str, snapshot: Snapshot) -> bool:
        """Whether the table has moved on since `who` saw it, or another has just pressed there.

        Nothing is known of a page that does not say what it saw.
        """
        if not seen:
            return False
        moved = seen not in (moment(snapshot), acts(snapshot))
        before, other, at = self._last
        raced = before == seen and other != who and self._clock() - at < RACE_S
        if not moved and not raced:
            self._last = (seen, who, self._clock())
        return moved or raced
