"""Slows down whoever guesses: waits that grow with each wrong PIN, for one client and for all."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from firmware.errors import AccessError

FREE = 5
"""Wrong PINs before the first wait: people mistype."""
FIRST_WAIT_S, LONGEST_WAIT_S = 60.0, 3600.0
FORGET_S = 3600.0
"""After so long without an attempt a client begins anew."""
CLIENTS_MOST = 1024
"""Clients remembered; a local network has fewer addresses in use."""
ALL_FREE, ALL_WAIT_S = 60, 10.0
"""Wrong PINs of all clients together before each further one waits, so that changing addresses
does not help: a million PINs at six a minute take four months."""


class TooManyAttemptsError(AccessError):
    """Too many wrong PINs; `wait_s` is how long to wait before the next, in seconds."""

    def __init__(self, client: str, wait_s: float) -> None:
        super().__init__(f"too many wrong PINs from {client}: wait {wait_s:.0f} s")
        self.wait_s = wait_s


@dataclass
class _Tries:
    count: int = 0
    last: float = 0.0
    until: float = 0.0


@dataclass
class Throttle:
    """Counts attempts by client. Times are seconds of any one clock.

    >>> throttle = Throttle()
    >>> for _ in range(5):
    ...     throttle.attempt("192.168.1.9", 0.0)
    >>> throttle.attempt("192.168.1.9", 1.0)
    Traceback (most recent call last):
    firmware.console.throttle.TooManyAttemptsError: too many wrong PINs from 192.168.1.9: wait 59 s
    """

    _clients: OrderedDict[str, _Tries] = field(default_factory=OrderedDict)
    _all: _Tries = field(default_factory=_Tries)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def attempt(self, client: str, now: float) -> None:
        """Count an attempt as wrong until it is forgiven; raises `TooManyAttemptsError`."""
        with self._lock:
            own = self._tries(client, now)
            wait = max(own.until, self._all.until) - now
            if wait > 0:
                raise TooManyAttemptsError(client, wait)
            own.count, own.last = own.count + 1, now
            if own.count >= FREE:
                own.until = now + min(FIRST_WAIT_S * 2 ** (own.count - FREE), LONGEST_WAIT_S)
            self._count_all(now)

    def _tries(self, client: str, now: float) -> _Tries:
        tries = self._clients.pop(client, _Tries())
        if now - tries.last > FORGET_S and now >= tries.until:
            tries = _Tries()
        self._clients[client] = tries
        while len(self._clients) > CLIENTS_MOST:
            self._clients.popitem(last=False)
        return tries

    def _count_all(self, now: float) -> None:
        if now - self._all.last > FORGET_S:
            self._all = _Tries()
        self._all.count, self._all.last = self._all.count + 1, now
        if self._all.count >= ALL_FREE:
            self._all.until = now + ALL_WAIT_S

    def forgive(self, client: str) -> None:
        """The client's last attempt was right: it begins anew."""
        with self._lock:
            self._clients.pop(client, None)
            self._all.count = max(0, self._all.count - 1)
            self._all.until = 0.0 if self._all.count < ALL_FREE else self._all.until
