"""The open pages, each with a mailbox that holds only the newest messages.

A slow page misses the snapshots in between, and one that does not read is dropped. None of them
makes the others, or the loop, wait.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from itertools import count

from aiohttp import WSCloseCode, web

from firmware.console.access import Session
from firmware.console.throttle import Bucket

SEND_S = 10.0
"""How long a page may take nothing before it counts as gone. A choice."""
SIGNED_OUT = 4401
"""The close code of a socket whose session is over, as the page knows it. A choice among the codes
left to applications.
"""
PAGES_MOST, PAGES_EACH = 48, 12
"""Guests' pages in total, and from one address: a table with guests, a room behind one router. A
choice.
"""
DEALERS_MOST = 16
"""Dealers' pages; no guest takes their places. A choice."""
EVERYBODY = ""
"""The audience of messages for all pages."""
BURST, EACH_SECOND = 20, 8.0
"""Messages accepted from one page, in a burst and per second: fingers on three buttons are slower.
A choice.
"""


def audience(session: Session) -> str:
    """Who gets the same messages: ``dealer``, ``viewer``, or ``seat 3``."""
    return f"seat {session.seat}" if session.seat else str(session.role)


@dataclass(eq=False)
class Page:
    """One open page. Its mailbox keeps the newest message of each kind."""

    socket: web.WebSocketResponse
    session: Session
    client: str
    abort: Callable[[], None]
    """Cuts the connection, whatever is still unsent."""
    bucket: Bucket = field(default_factory=lambda: Bucket(BURST, EACH_SECOND))
    number: int = field(default_factory=count().__next__)
    """The page's number among all that were ever opened."""
    _box: dict[str, str] = field(default_factory=dict)

    @property
    def audience(self) -> str:
        """Who gets the same messages: dealers, guests, or the players at one seat."""
        return audience(self.session)

    _filled: asyncio.Event = field(default_factory=asyncio.Event)

    def post(self, kind: str, text: str) -> None:
        """Put a message into the mailbox, replacing an unsent one of its kind."""
        self._box.pop(kind, None)
        self._box[kind] = text
        self._filled.set()

    async def deliver(self) -> None:
        """Send what arrives in the mailbox until the page closes or stalls."""
        while not self.socket.closed:
            await self._filled.wait()
            self._filled.clear()
            while self._box:
                kind = next(iter(self._box))
                if not await self._sent(self._box.pop(kind)):
                    return

    async def _sent(self, text: str) -> bool:
        try:
            await asyncio.wait_for(self.socket.send_str(text), SEND_S)
        except (TimeoutError, ConnectionError):
            self.abort()
            return False
        return True


class Hub:
    """All open pages; belongs to the server's thread."""

    def __init__(self) -> None:
        self.pages: set[Page] = set()
        self._newest: dict[tuple[str, str], str] = {}
        self._closing: set[asyncio.Task[bool]] = set()

    def has_room(self, client: str, dealer: bool = False) -> bool:
        """Whether one more page of that client may be opened.

        A dealer's always may: the oldest of the dealers' pages is closed.
        """
        same = [page for page in self.pages if page.session.may_write is dealer]
        if dealer:
            if len(same) >= DEALERS_MOST:
                min(same, key=lambda page: page.number).abort()
            return True
        own = sum(page.client == client for page in same)
        return len(same) < PAGES_MOST and own < PAGES_EACH

    def join(self, page: Page) -> None:
        """Add a page, and send it what the others have."""
        self.pages.add(page)
        for (whom, kind), text in self._newest.items():
            if whom in (EVERYBODY, page.audience):
                page.post(kind, text)

    def leave(self, page: Page) -> None:
        """Remove a page."""
        self.pages.discard(page)

    @property
    def seals(self) -> frozenset[str]:
        """The seals of the sessions with open pages."""
        return frozenset(page.session.seal for page in self.pages)

    @property
    def audiences(self) -> frozenset[str]:
        """The audiences with open pages."""
        return frozenset(page.audience for page in self.pages)

    def tell(self, message: Mapping[str, object], whom: str = EVERYBODY) -> None:
        """Send a message to an audience's pages, unless they already have it."""
        kind, text = str(message["kind"]), json.dumps(message, ensure_ascii=False)
        if self._newest.get((whom, kind)) == text:
            return
        self._newest[whom, kind] = text
        for page in self.pages:
            if whom in (EVERYBODY, page.audience):
                page.post(kind, text)

    def expel(self, lasting: Collection[str]) -> None:
        """Close the pages whose sessions have ended, without waiting for their answers."""
        for page in [one for one in self.pages if one.session.seal not in lasting]:
            closing = page.socket.close(code=SIGNED_OUT, message=b"signed out")
            task = asyncio.create_task(closing)
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Close all pages; they will try to reconnect."""
        pages = [
            page.socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server stops")
            for page in self.pages
        ]
        await asyncio.gather(*pages, return_exceptions=True)
