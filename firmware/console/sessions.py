"""What all our sites share: who is signed in, the open pages, and their sockets."""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, TypeVar

from aiohttp import WSMsgType, web

from firmware.console.access import Access, Session
from firmware.console.door import Door
from firmware.console.hub import SIGNED_OUT, Hub, Page
from firmware.console.middleware import client_of, refuse, session_of, token_of
from firmware.console.queue import Queue
from firmware.errors import SettingsError
from firmware.texts.words import Words

T = TypeVar("T")
LOOK_S = 0.05
"""Interval between looks for news: faster than an eye can tell. A choice."""
MESSAGE_MOST = 4096
"""Largest message from a page, in bytes. A choice."""
HEARTBEAT_S = 15.0
"""Interval between heartbeats, within which a page that vanished silently is noticed. A choice."""
CLOSING_S = 1.0
"""How long a page may take to confirm that its socket is closed before it is cut. A choice:
browsers take milliseconds, and anything else sent until then would be read for nothing.
"""
REVOKED_EVERY_S = 1.0
"""Interval between checks of sessions. A choice: somebody signed out notices at once."""
SIGNING_EACH = 64
"""Waiting PINs allowed per address: less than a second of work on a desktop computer, so that
people behind the same router as a guesser are not turned away. A choice.
"""
HEARD = frozenset({WSMsgType.TEXT, WSMsgType.PING, WSMsgType.PONG})
"""What a page may send. All of it is counted: ten thousand pongs at once would hold up
everybody.
"""
log = logging.getLogger(__name__)


class Sessions(ABC):
    """The state of a server: not what it shows, but who is looking and what they were last sent."""

    place: ClassVar[str]
    """What the page should show: ``table`` or ``floor``."""
    cookie: ClassVar[str]
    """The name of the cookie with the session's token; sites on one machine share cookies, so each
    needs its own.
    """

    def __init__(self, access: Access) -> None:
        self.access = access
        self.hub = Hub()
        self.urls: tuple[str, ...] = ()
        self.door = Door()
        self.signing = Queue("console-pin", SIGNING_EACH)
        """The queue for the slow checking of PINs."""

    @property
    @abstractmethod
    def words(self) -> Words:
        """The words of the page."""

    @abstractmethod
    def look(self) -> None:
        """Send every page what is new."""

    @abstractmethod
    def heard(self, session: Session, text: str) -> str:
        """Do what a message asks, if permitted; returns the answer to send."""

    @abstractmethod
    def greet(self) -> None:
        """Send a newly opened page everything, even what the others know."""

    async def watch(self) -> None:
        """Send every page what is new, for as long as the server runs."""
        checked = 0.0
        while True:
            try:
                self.look()
            except Exception:  # one picture that cannot be drawn must not end them all
                log.exception("a picture failed")
            if time.monotonic() - checked > REVOKED_EVERY_S:
                checked = time.monotonic()
                self._refresh()
                self.hub.expel({session.seal for session in self.access.sessions})
            await asyncio.sleep(LOOK_S)

    def _refresh(self) -> None:
        try:
            self.access.refresh()
        except SettingsError:  # reported when written; until then the known PINs hold
            log.exception("the PINs cannot be read")

    async def live(self, request: web.Request) -> web.StreamResponse:
        """The page's socket: snapshots out, actions in."""
        session, client = session_of(request), client_of(request)
        if not self.hub.has_room(client, session.may_write):
            return refuse("full", 503)
        socket = web.WebSocketResponse(
            timeout=CLOSING_S, heartbeat=HEARTBEAT_S, autoping=False,
            max_msg_size=MESSAGE_MOST, compress=False,
        )  # fmt: skip
        await socket.prepare(request)
        transport = request.transport
        page = Page(socket, session, client, transport.abort if transport else lambda: None)
        self.hub.join(page)
        self.access.watching = self.hub.seals
        self.greet()
        delivering = asyncio.create_task(page.deliver())
        try:
            with suppress(ConnectionError):  # it was cut while it was being answered
                await self._listen(page, request)
        finally:
            self.hub.leave(page)
            self.access.watching = self.hub.seals
            delivering.cancel()
        return socket

    async def _listen(self, page: Page, request: web.Request) -> None:
        token, transport = token_of(request), request.transport
        async for message in page.socket:
            if message.type not in HEARD or not page.bucket.takes(time.monotonic()):
                if transport is not None:
                    transport.pause_reading()  # otherwise a flood would be read to its end
                await page.socket.close(code=1008, message=b"too much, or no text")
                return
            if message.type is WSMsgType.PING:
                await page.socket.pong(message.data)
            if message.type is not WSMsgType.TEXT:
                continue
            session = self.access.session(token)
            if session is None:
                await page.socket.close(code=SIGNED_OUT, message=b"signed out")
                return
            page.post("heard", self.heard(session, message.data))

    async def sign(self, work: Callable[[], T], client: str, right: int) -> T:
        """Do the slow checking of PINs, smaller `right` first; raises `Busy`."""
        return await self.signing.do(work, client, right)

    async def close(self, _: object = None) -> None:
        """Close every page, and release the threads."""
        await self.hub.close()
        self.signing.close()
