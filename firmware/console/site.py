"""What the site serves: the picture to all that are signed in, and writing to the dealer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from firmware.console.access import Access, Session
from firmware.console.book import Book, opened
from firmware.console.messages import deed
from firmware.console.middleware import ASKING, answer
from firmware.console.picture import Artist
from firmware.console.queue import Queue
from firmware.console.sessions import Sessions
from firmware.display.snapshot import Counter, Snapshot
from firmware.errors import MessageError
from firmware.settings.settings import Settings
from firmware.table.optics import Optics
from firmware.texts.words import Words
from hardware.selftest import Check

T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """What the console stands beside: the desk, its settings, and the journal that it writes.

    `wanted` is told the settings that a person has chosen on the set-up page. `checks` tells, in
    the page's words, of what else runs beside the table.
    """

    desk: Counter
    settings: Settings
    journal: Path | None
    wanted: Callable[[Settings], None]
    checks: Callable[[Words], tuple[Check, ...]] = lambda _: ()
    optics: Optics | None = None
    """What the table's camera sees, if it has one."""


class Site(Sessions):
    """The site of one table."""

    place = "table"
    cookie = "mazziere"

    def __init__(self, access: Access, table: Table) -> None:
        super().__init__(access)
        self._reading = Queue("console-book")
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
    def words(self) -> Words:
        """The words of the page."""
        return self.artist.words

    @property
    def still_s(self) -> float:
        """For how long the loop has not moved, in seconds."""
        return time.monotonic() - self._moved[1]

    # The desk.

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

    def greet(self) -> None:
        """A page was opened: it has to be told even what the others know."""
        self._last = None

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
        """Ask the book, which belongs to a thread of its own; raises `Busy` if many wait.

        Dealers are answered before guests.
        """
        asker = ASKING.get()
        right = 0 if asker is not None and asker.may_write else 1
        client = f"{asker.name} {right}" if asker is not None else ""
        return await self._reading.do(lambda: self._asked(question), client, right)

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

    async def close(self, _: Any = None) -> None:
        """Let every page go, and give the threads back."""
        await super().close()
        await asyncio.get_running_loop().run_in_executor(self._reading.thread, self._forget)
        self._reading.close()

    def _forget(self) -> None:
        if self._book is not None:
            self._book.close()
            self._book = None
