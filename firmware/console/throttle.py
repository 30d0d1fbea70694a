"""Counts wrong PINs by address: guessers queue behind everybody else, and are told to wait.

No wait keeps out a right PIN: people next to a guesser, or behind the same router, get in. Guessing
is hopeless because PINs are long and each guess costs work. Only the dealer's PIN clears an
address: if the guests' did, a guest could guess without end.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from firmware.errors import AccessError

FREE = 5
"""Wrong PINs before the first wait: people mistype. A choice."""
FIRST_WAIT_S, LONGEST_WAIT_S = 60.0, 3600.0
"""The first wait after too many wrong PINs, and the longest. A choice: it doubles each time."""
FORGET_S = 3600.0
"""Time without a wrong PIN after which an address starts afresh. A choice."""
CLIENTS_MOST = 1024
"""Number of addresses remembered; a local network uses fewer. A choice."""


class TooManyAttemptsError(AccessError):
    """Too many wrong PINs; `wait_s` is how long to wait before the next, in seconds."""

    def __init__(self, client: str, wait_s: float) -> None:
        super().__init__(f"too many wrong PINs from {client}: wait {wait_s:.0f} s")
        self.wait_s = wait_s


@dataclass
class _Tries:
    count: int = 0
    last: float = 0.0


@dataclass
class Throttle:
    """Counts wrong PINs by address. Times are in seconds of any one clock.

    >>> throttle = Throttle()
    >>> [throttle.wrong("192.168.1.9", 0.0) for _ in range(6)]
    [0.0, 0.0, 0.0, 0.0, 60.0, 120.0]
    >>> throttle.guesses("192.168.1.9", 0.0), throttle.guesses("192.168.1.8", 0.0)
    (6, 0)
    """

    _clients: OrderedDict[str, _Tries] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wrong(self, client: str, now: float) -> float:
        """Count a wrong PIN; returns how long to wait before the next, in seconds."""
        with self._lock:
            tries = self._clients.pop(client, _Tries())
            if now - tries.last > FORGET_S:
                tries = _Tries()
            self._clients[client] = tries
            while len(self._clients) > CLIENTS_MOST:
                self._clients.popitem(last=False)
            tries.count, tries.last = tries.count + 1, now
            if tries.count < FREE:
                return 0.0
            return float(min(FIRST_WAIT_S * 2 ** min(tries.count - FREE, 20), LONGEST_WAIT_S))

    def guesses(self, client: str, now: float) -> int:
        """Number of recent wrong PINs from that address."""
        with self._lock:
            tries = self._clients.get(client)
        return tries.count if tries is not None and now - tries.last <= FORGET_S else 0

    def forgive(self, client: str) -> None:
        """Forget an address's wrong PINs: the dealer's PIN came from there."""
        with self._lock:
            self._clients.pop(client, None)


@dataclass
class Bucket:
    """Lets a burst of messages through at once, and then a few each second.

    >>> bucket = Bucket(2, 1.0)
    >>> [bucket.takes(now) for now in (0.0, 0.0, 0.0, 1.0, 1.5)]
    [True, True, False, True, False]
    """

    burst: int
    rate: float
    _level: float = 0.0
    _last: float = 0.0

    def takes(self, now: float) -> bool:
        """Whether one more may come at `now`, in seconds."""
        self._level = max(0.0, self._level - (now - self._last) * self.rate)
        self._last = now
        if self._level + 1 > self.burst:
            return False
        self._level += 1
        return True
