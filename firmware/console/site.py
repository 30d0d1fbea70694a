"""What the site serves: the picture to all that are signed in, and writing to the dealer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import WSMsgType, web

from firmware.console.access import Access, Session
from firmware.console.book import Book, opened
from firmware.console.guard import TOKEN, Busy, answer, client_of, refuse, session_of
from firmware.console.live import SIGNED_OUT, Hub, Page
from firmware.console.messages import deed
from firmware.console.picture import Artist
from firmware.errors import MessageError, SettingsError
from firmware.settings import Settings
from firmware.snapshot import Counter, Snapshot

T = TypeVar("T")
LOOK_S = 0.05
"""How often the desk is looked at for something new: faster than an eye tells."""
MESSAGE_MOST = 4096
"""Bytes of a message from a page."""
HEARTBEAT_S = 15.0
"""A page that is gone without a word is noticed within this time."""
WAITING_MOST = 32
"""Questions to the book that may wait; further ones are refused rather than remembered."""
REVOKED_EVERY_S = 1.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Table:
    """What the console stands beside: the desk, its settings, and the journal that it writes.

    `wanted` is told the settings that a person has chosen on the set-up page.
    """

    desk: Counter
    settings: Settings
    journal: Path | None
    wanted: Callable[[Settings], None]


class Site:
    """The state of the server: nothing of the game, only who looks and what was shown last."""

    def __init__(self, access: Access, table: Table) -> None:
        self.access = access
        self.hub = Hub()
        self.urls: tuple[str, ...] = ()
        self._reading = ThreadPoolExecutor(1, "console-book")
        self._signing = ThreadPoolExecutor(1, "console-pin")
        self._waiting = 0
        self._book: Book | None = None
        self._last: Snapshot | None = None
        self._moved = (0.0, time.monotonic())
        self.attach(table)

    def attach(self, table: Table) -> None:
        """Stand beside another table; may be called from any thread."""
        self._placed = (table, Artist.of(table.settings))

    @property
    def table(self) -> Table:
        """What the console stands beside now."""
        return self._placed[0]

    @property
    def artist(self) -> Artist:
        """Who puts that table into words."""
        return self._placed[1]

    @property
    def still_s(self) -> float:
        """For how long the loop has not moved, in seconds."""
        return time.monotonic() - self._moved[1]

    # The desk.

    async def watch(self) -> None:
        """Tell every page what is new, for as long as the server runs."""
        checked = 0.0
        while True:
            try:
                self.look()
            except Exception:  # one picture that cannot be drawn must not end all of them
                log.exception("a picture failed")
            if time.monotonic() - checked > REVOKED_EVERY_S:
                checked = time.monotonic()
                self._refresh()
                await self.hub.expel({session.seal for session in self.access.sessions})
            await asyncio.sleep(LOOK_S)

    def _refresh(self) -> None:
        try:
            self.access.refresh()
        except SettingsError:  # told when it is written; until then what was known holds
            log.exception("the PINs cannot be read")

    def look(self) -> None:
        """Tell every page what is new now."""
        table, artist = self._placed
        snapshot = table.desk.snapshot()
        if snapshot.time != self._moved[0]:
            self._moved = (snapshot.time, time.monotonic())
        if snapshot == self._last or not self.hub.pages:
            return
        self._last = snapshot
        self.hub.tell(
            {**artist.floor(snapshot.spots, snapshot.seats), "language": artist.words.language}
        )
        self.hub.tell(artist.picture(snapshot))

    async def live(self, request: web.Request) -> web.StreamResponse:
        """The page's socket: pictures out, deeds in."""
        session, client = session_of(request), client_of(request)
        if not self.hub.has_room(client):
            return refuse("full", 503)
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT_S, max_msg_size=MESSAGE_MOST, compress=False
        )
        await socket.prepare(request)
        transport = request.transport
        page = Page(socket, session, client, transport.abort if transport else lambda: None)
        self.hub.join(page)
        self._last = None
        delivering = asyncio.create_task(page.deliver())
        try:
            await self._listen(page, request.cookies.get(TOKEN, ""))
        finally:
            self.hub.leave(page)
            delivering.cancel()
        return socket

    async def _listen(self, page: Page, token: str) -> None:
        async for message in page.socket:
            if message.type is not WSMsgType.TEXT or not page.bucket.takes(time.monotonic()):
                await page.socket.close(code=1008, message=b"too much, or no text")
                return
            session = self.access.session(token)
            if session is None:
                await page.socket.close(code=SIGNED_OUT, message=b"signed out")
                return
            page.post("heard", self.heard(session, message.data))

    def heard(self, session: Session, text: str) -> str:
        """Do what a message asks, if it may; gives the answer to send."""
        try:
            done = deed(text)
        except MessageError as error:
            return answer(kind="heard", refused="message", says=str(error))
        if not session.may_write:
            return answer(kind="heard", refused="viewer")
        done(self.table.desk)
        return answer(kind="heard", refused=None)

    # The book, and other work that takes its time.

    async def read(self, question: Callable[[Book], T]) -> T:
        """Ask the book, which belongs to a thread of its own; raises `Busy` if many wait."""
        if self._waiting >= WAITING_MOST:
            raise Busy
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._reading, self._asked, question)
        finally:
            self._waiting -= 1

    def _asked(self, question: Callable[[Book], T]) -> T:
        path = self.table.journal
        if self._book is not None and self._book.path != path:
            self._forget()
        if self._book is None and path is not None:
            self._book = opened(path)
        if self._book is None:
            raise MessageError("this table keeps no journal to read")
        self._book.follow()
        return question(self._book)

    async def has_book(self) -> Book | None:
        """Whether there is a journal to read: its book."""
        try:
            return await self.read(lambda book: book)
        except MessageError:
            return None

    async def sign(self, work: Callable[[], T]) -> T:
        """Do the slow arithmetic of PINs, one after the other; raises `Busy` if many wait."""
        if self._waiting >= WAITING_MOST:
            raise Busy
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._signing, work)
        finally:
            self._waiting -= 1

    async def close(self, _: Any = None) -> None:
        """Let every page go, and give the threads back."""
        await self.hub.close()
        await asyncio.get_running_loop().run_in_executor(self._reading, self._forget)
        self._reading.shutdown(wait=False)
        self._signing.shutdown(wait=False)

    def _forget(self) -> None:
        if self._book is not None:
            self._book.close()
            self._book = None
