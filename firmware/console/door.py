"""The connections to a server: who keeps which, and which are cut when there are too many.

A connection that says nothing is cut after some seconds. When there are more than a club needs,
those go first that nobody has signed in over, and of these the oldest, so that somebody new always
finds room; a dealer's connection is never among them.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, Protocol
from weakref import WeakKeyDictionary

SILENT_S = 4.0
"""How long a connection may take to its first whole question; browsers take milliseconds. A
choice."""
CONNECTIONS_MOST = 200
"""Four for each page that may be open; a process may hold a thousand files on Debian. A choice."""
STRANGERS_EACH = 12
"""Connections from one address over which nobody has signed in: two browsers open six each. A
choice."""
LOOK_S = 0.1
"""How often connections are looked at. A choice: far shorter than `SILENT_S`."""


class Standing(IntEnum):
    """What is known of whoever is at the other end; the least is cut last."""

    DEALER = 0
    GUEST = 1
    ASKED = 2
    """Nobody has signed in over it, but it has asked something: a page that is signing in."""
    SILENT = 3


class Line(Protocol):
    """A connection, as asyncio has it."""

    def get_extra_info(self, name: str) -> Any:
        """What is known of it by this name, as its ``peername``."""

    def abort(self) -> None:
        """Cut it at once."""


class Door:
    """Watches the connections of one server; belongs to its thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.kept = 0
        """How many connections were left after the last look."""
        self._known: WeakKeyDictionary[Line, Standing] = WeakKeyDictionary()
        self._since: WeakKeyDictionary[Line, float] = WeakKeyDictionary()

    def heard(self, transport: Line | None, standing: Standing) -> None:
        """A connection has asked something, and this is who asks."""
        if transport is not None:
            self._known[transport] = min(standing, self._known.get(transport, standing))

    def surplus(self, transports: Iterable[Line]) -> list[Line]:
        """The connections to cut now."""
        now, there = self._clock(), list(transports)
        for transport in there:
            self._since.setdefault(transport, now)
        cut = [one for one in there if self._is_silent(one) and now - self._since[one] > SILENT_S]
        left = [one for one in there if one not in cut]
        cut += self._crowds(left)
        left = [one for one in left if one not in cut]
        most = max(0, len(left) - CONNECTIONS_MOST)
        self.kept = len(left) - most
        return [*cut, *sorted(left, key=self._worth)[:most]]

    def _crowds(self, transports: Iterable[Line]) -> list[Line]:
        """Of each address's strangers, the oldest beyond what a person needs."""
        strangers: dict[str, list[Line]] = {}
        for one in transports:
            if self._standing(one) > Standing.GUEST:
                strangers.setdefault(_address(one), []).append(one)
        return [
            one
            for crowd in strangers.values()
            for one in sorted(crowd, key=self._since.__getitem__)[
                : max(0, len(crowd) - STRANGERS_EACH)
            ]
        ]

    def _worth(self, transport: Line) -> tuple[int, float]:
        """What is cut first sorts first: less standing, then older."""
        return (-self._standing(transport), self._since[transport])

    def _standing(self, transport: Line) -> Standing:
        return self._known.get(transport, Standing.SILENT)

    def _is_silent(self, transport: Line) -> bool:
        return self._standing(transport) is Standing.SILENT

    async def watch(self, connections: Callable[[], Iterable[Line]]) -> None:
        """Cut what is too much, for as long as the server runs."""
        while True:
            for transport in self.surplus(connections()):
                transport.abort()
            await asyncio.sleep(LOOK_S)

    def count(self, transports: Iterable[Line]) -> Counter[Standing]:
        """How many connections of each standing there are."""
        return Counter(map(self._standing, transports))


def _address(transport: Line) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
