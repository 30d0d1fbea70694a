"""Several dealers' pages at one table: if they press at the same time, the first press counts.

A page reports what it was showing when somebody pressed. A moment later, OK may mean something
else, and a second undo would take back another act: a press meant for an earlier moment is not
carried out, and the page says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from zlib import crc32

from firmware.display.snapshot import Snapshot

RACE_S = 1.0
"""How long after a press others who saw the same may have meant the same. A choice: a finger takes
half of it, and the loop turns a hundred times meanwhile.
"""


def moment(snapshot: Snapshot) -> str:
    """What a press responds to: the acts so far, the open question, and what OK does.

    >>> asked = Snapshot(game="any", hand=1, phase="", sentence="In or out?", seats=(1, 2))
    >>> moment(asked)
    '1 0 b2680c47'
    """
    asked = (snapshot.sentence, snapshot.ok, *snapshot.options[:1])
    return f"{acts(snapshot)} {crc32(chr(0).join(asked).encode()):08x}"


def acts(snapshot: Snapshot) -> str:
    """What an undo, or a long press, responds to: the acts so far."""
    return f"{snapshot.hand} {snapshot.count}"


class Presses:
    """Judges whether a press was meant for the moment at which it comes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = ("", "", 0.0)

    def comes_late(self, seen: str, who: str, snapshot: Snapshot) -> bool:
        """Whether the table has moved on since `who` saw it, or another has just pressed there.

        A page that does not say what it saw is never late.
        """
        if not seen:
            return False
        moved = seen not in (moment(snapshot), acts(snapshot))
        before, other, at = self._last
        raced = before == seen and other != who and self._clock() - at < RACE_S
        if not moved and not raced:
            self._last = (seen, who, self._clock())
        return moved or raced
