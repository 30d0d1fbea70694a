"""The connections to a server: which are kept, and which are cut when there are too many.

A silent connection is cut after some seconds. If there are more than a club needs, the ones that
nobody will miss are cut first: those of an address with more than a browser opens, then those
without a session, then the oldest. A newcomer always finds room, and has time to identify itself
before it is judged; a dealer's connection is never cut. No more are accepted than the process has
files for: the others wait in the kernel.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import IntEnum
from typing import Any, Protocol
from weakref import WeakKeyDictionary

SILENT_S = 4.0
"""How long a connection may take to send its first request; browsers take milliseconds. A
choice.
"""
FRESH_S = 0.5
"""How long the newest connection of an address is exempt. A choice: its request arrives within a
round trip, which takes some hundredths of a second by radio.
"""
CONNECTIONS_MOST = 200
"""Largest number of connections: four for each page that may be open; a process may have a thousand
open files on Debian. A choice.
"""
GUESTS_MOST = 150
"""How many of them guests and players may use: the others are for newcomers. A choice: three for
each guest's page that may be open.
"""
STRANGERS_EACH = 12
"""Silent connections allowed from one address, and as many others without a session: two browsers
open six each. A choice.
"""
BROWSER = 6
"""Connections that a browser opens to one server at once, as today's browsers do: an address with
no more than these is cut after those that have more.
"""
RECEIVED_MOST = 2 * CONNECTIONS_MOST
"""Connections open at any moment, including those about to be cut: a service may have 1,024 files
open under systemd, and the table needs a few dozen of them. A choice.
"""
RECEIVED_AT_ONCE = 32
"""Connections accepted before the server turns to the others again. A choice: some milliseconds of
work.
"""
GUEST_EACH = 2 * BROWSER
"""Connections with a guest's session from one address that are cut only after those of addresses
with more. A choice: two browsers behind one router, or one page with its socket and what it loads.
"""
LOOK_S = 0.1
"""Interval between checks of the connections. A choice: far shorter than `FRESH_S`."""
HELD_S = 0.2
"""Most time that counts between one look and the next. A choice: whatever holds the server up, it
has turned to each connection twice before `FRESH_S` have passed.
"""


class Standing(IntEnum):
    """What is known about the other end; the lowest is cut last."""

    DEALER = 0
    KNOWN = 1
    """No session, but the dealer has signed in from that device before."""
    GUEST = 2
    ASKED = 3
    """No session, but it has sent a request: a page that is signing in."""
    SILENT = 4


class Line(Protocol):
    """A connection, in asyncio's terms."""

    def get_extra_info(self, name: str) -> Any:
        """What is known about it under this name, such as its ``peername``."""

    def abort(self) -> None:
        """Cut it at once."""


class Door:
    """Watches the connections of one server; belongs to the server's thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looked = clock()
        self._now = 0.0
        self.kept = 0
        """Number of connections left after the last look."""
        self._known: WeakKeyDictionary[Line, Standing] = WeakKeyDictionary()
        self._since: WeakKeyDictionary[Line, float] = WeakKeyDictionary()

    def heard(self, transport: Line | None, standing: Standing) -> None:
        """Note who sent a request over this connection."""
        if transport is not None:
            self._known[transport] = min(standing, self._known.get(transport, standing))

    def surplus(self, transports: Iterable[Line]) -> list[Line]:
        """The connections to cut now."""
        self._count_time()
        left = list(transports)
        for one in left:
            self._since.setdefault(one, self._now)
        places = self._places(left)
        cut = [one for one in left if self._is_too_much(one, places[one])]
        left = _without(left, cut)
        cut += self._beyond(CONNECTIONS_MOST, _without(left, self._fresh(left)), places)
        self.kept = len(places) - len(cut)
        return cut

    def _count_time(self) -> None:
        """Advance the clock of silence, by at most one short look if the server was held up."""
        now = self._clock()
        self._now += min(now - self._looked, HELD_S)
        self._looked = now

    def _places(self, lines: list[Line]) -> dict[Line, int]:
        """For each of these, the number of newer connections of the same address and standing.

        So nobody's silence takes a place from those at the same address who have asked something.
        """
        newer = Counter[tuple[str, Standing]]()
        places = dict[Line, int]()
        ages = {one: (self._since[one], number) for number, one in enumerate(lines)}
        for one in sorted(lines, key=ages.__getitem__, reverse=True):
            kind = _address(one), self._standing(one)
            places[one] = newer[kind]
            newer[kind] += 1
        return places

    def _is_too_much(self, one: Line, place: int) -> bool:
        """Whether it was silent for too long, or its address has more than a person needs."""
        silent = self._is_silent(one) and self._now - self._since[one] > SILENT_S
        return silent or (self._is_strange(one) and place >= STRANGERS_EACH)

    def _beyond(self, most: int, lines: list[Line], places: Mapping[Line, int]) -> list[Line]:
        """Which of these to cut so that at most `most` remain."""
        ordered = sorted(lines, key=lambda one: self._worth(one, places[one]))
        guests = [one for one in ordered if self._standing(one) is Standing.GUEST]
        first = guests[: max(0, len(guests) - GUESTS_MOST)]
        return [*first, *_without(ordered, first)][: max(0, len(lines) - most)]

    def _worth(self, one: Line, place: int) -> tuple[bool, int, int, int, float]:
        """Sort key for the order in which connections are cut.

        First those of an address with more than a browser's, then by standing. A client that waits
        for the answer to a PIN is cut after those that asked more; all others go by age.
        """
        standing = self._standing(one)
        share = place // (BROWSER if self._is_strange(one) else GUEST_EACH)
        asked = place if standing is Standing.ASKED else 0
        return (self._is_own(one), -share, -standing, -asked, self._since[one])

    def _fresh(self, lines: Iterable[Line]) -> Collection[Line]:
        """For each address, the newest connection, if it has had no time yet to send a request."""
        young = (one for one in lines if self._now - self._since[one] <= FRESH_S)
        return {_address(one): one for one in young if self._is_silent(one)}.values()

    def _standing(self, transport: Line) -> Standing:
        return self._known.get(transport, Standing.SILENT)

    def _is_silent(self, transport: Line) -> bool:
        return self._standing(transport) is Standing.SILENT

    def _is_strange(self, transport: Line) -> bool:
        """Whether it has no session, and does not come from one of the dealer's devices."""
        return self._standing(transport) > Standing.GUEST

    def _is_own(self, transport: Line) -> bool:
        """Whether it is the dealer's."""
        return self._standing(transport) < Standing.GUEST

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
            if RECEIVED_MOST - len(connections()) - len(coming) <= RECEIVED_AT_ONCE:
                self._cut(connections())
                await asyncio.sleep(0)  # lets the two that were cut here close
            room = RECEIVED_MOST - len(connections()) - len(coming)
            try:
                for _ in range(min(room, RECEIVED_AT_ONCE)):
                    line, _address = await loop.sock_accept(listener)
                    task = asyncio.create_task(loop.connect_accepted_socket(protocol, line))
                    coming.add(task)
                    task.add_done_callback(coming.discard)
            except OSError:  # the newcomer has gone, or there are no files left
                await asyncio.sleep(LOOK_S)
            await asyncio.sleep(0 if room > 0 else LOOK_S)


def _without(lines: Iterable[Line], others: Iterable[Line]) -> list[Line]:
    gone = set(others)
    return [one for one in lines if one not in gone]


def _address(transport: Line) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
