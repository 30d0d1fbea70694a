"""The connections to a server: which are kept, and which are cut when there are too many.

A silent connection is cut after some seconds. If there are more than a club needs, those without a
session go first, oldest first, so that a newcomer always finds room; a dealer's connection is never
cut. No more are accepted than the process has files for: the others wait in the kernel.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from enum import IntEnum
from typing import Any, Protocol
from weakref import WeakKeyDictionary

SILENT_S = 4.0
"""How long a connection may take to send its first request; browsers take milliseconds. A
choice."""
CONNECTIONS_MOST = 200
"""Four for each page that may be open; a process may hold a thousand files on Debian. A choice."""
STRANGERS_EACH = 12
"""Connections without a session from one address: two browsers open six each. A choice."""
RECEIVED_MOST = 2 * CONNECTIONS_MOST
"""Connections open at any moment, those to be cut included: a service may have 1,024 files open
under systemd, and the table needs some dozens of them. A choice."""
RECEIVED_AT_ONCE = 32
"""Connections accepted before the server turns to the others again. A choice: some milliseconds of
work."""
LOOK_S = 0.1
"""How often connections are checked. A choice: far shorter than `SILENT_S`."""


class Standing(IntEnum):
    """What is known of the other end; the lowest is cut first."""

    DEALER = 0
    KNOWN = 1
    """No session, but the dealer has signed in from that device before."""
    GUEST = 2
    ASKED = 3
    """No session, but it has sent a request: a page that is signing in."""
    SILENT = 4


class Line(Protocol):
    """A connection, as asyncio has it."""

    def get_extra_info(self, name: str) -> Any:
        """What is known of it under this name, such as its ``peername``."""

    def abort(self) -> None:
        """Cut it at once."""


class Door:
    """Watches the connections of one server; belongs to the server's thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.kept = 0
        """How many connections were left after the last look."""
        self._known: WeakKeyDictionary[Line, Standing] = WeakKeyDictionary()
        self._since: WeakKeyDictionary[Line, float] = WeakKeyDictionary()

    def heard(self, transport: Line | None, standing: Standing) -> None:
        """Note who sent a request over this connection."""
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
        """Of each address without a session, the oldest connections beyond what a person needs."""
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
        """The order in which connections are cut: lower standing first, then older."""
        return (-self._standing(transport), self._since[transport])

    def _standing(self, transport: Line) -> Standing:
        return self._known.get(transport, Standing.SILENT)

    def _is_silent(self, transport: Line) -> bool:
        return self._standing(transport) is Standing.SILENT

    async def watch(self, connections: Callable[[], Iterable[Line]]) -> None:
        """Cut surplus connections for as long as the server runs."""
        while True:
            self._cut(connections())
            await asyncio.sleep(LOOK_S)

    def _cut(self, transports: Iterable[Line]) -> None:
        for transport in self.surplus(transports):
            transport.abort()

    async def receive(
        self,
        listener: socket.socket,
        protocol: Callable[[], asyncio.BaseProtocol],
        connections: Callable[[], Collection[Line]],
    ) -> None:
        """Accept connections for as long as the server runs; `protocol` makes what serves one."""
        loop, coming = asyncio.get_running_loop(), set[asyncio.Task[object]]()
        while True:
            room = RECEIVED_MOST - len(connections()) - len(coming)
            try:
                for _ in range(min(room, RECEIVED_AT_ONCE)):
                    line, _address = await loop.sock_accept(listener)
                    task = asyncio.create_task(loop.connect_accepted_socket(protocol, line))
                    coming.add(task)
                    task.add_done_callback(coming.discard)
            except OSError:  # the newcomer has gone, or there are no files left
                await asyncio.sleep(LOOK_S)
            if room <= RECEIVED_AT_ONCE:
                self._cut(connections())
            await asyncio.sleep(0)

    def count(self, transports: Iterable[Line]) -> Counter[Standing]:
        """How many connections there are of each standing."""
        return Counter(map(self._standing, transports))


def _address(transport: Line) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
