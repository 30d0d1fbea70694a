"""What the site serves: the snapshot to everybody signed in, and actions to the dealer."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TypeVar

from firmware.console.access import Access, Session
from firmware.console.at_once import Presses
from firmware.console.book import Book, opened
from firmware.console.evening import Evening
from firmware.console.evening import begun as begun_evening
from firmware.console.messages import Said, deed, moment_seen, said
from firmware.console.middleware import ASKING, answer
from firmware.console.picture import Artist, Players, seen_by
from firmware.console.pins import Role
from firmware.console.queue import Queue
from firmware.console.seating import Seating
from firmware.console.sessions import Sessions
from firmware.display.pads import offers
from firmware.display.snapshot import Counter as Desk
from firmware.errors import MessageError
from firmware.settings.settings import Settings
from firmware.table.optics import Optics
from firmware.texts import Texts
from firmware.texts.words import Words
from hardware.selftest import Check

T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """What the console serves: the desk, its settings, and the journal that it writes.

    `wanted` receives the settings chosen on the set-up page. `checks` reports, in the page's words,
    on what else runs alongside the table.
    """

    desk: Desk
    settings: Settings
    journal: Path | None
    wanted: Callable[[Settings], None]
    checks: Callable[[Words], tuple[Check, ...]] = lambda _: ()
    optics: Optics | None = None
    """What the table's camera sees, if it has one."""
    end_evening: Callable[[], None] = lambda: None
    """Closes the evening and begins another."""
    texts: Texts | None = None
    """The table's sentences, if its cards have other names than its settings imply."""
    calibrated: Callable[[Settings], None] | None = None
    """Receives settings with a new calibration; if None, `wanted` does."""


class Site(Sessions):
    """The site of one table."""

    place = "table"
    cookie = "mazziere"

    def __init__(self, access: Access, table: Table) -> None:
        super().__init__(access)
        self._reading = Queue("console-book")
        self._book: Book | None = None
        self._last: object = None
        self._evening: tuple[Book, Evening, int] | None = None
        self.seating = Seating(access)
        self._sayings = count(1)
        self._presses = Presses()
        self._moved = (0.0, time.monotonic())
        self.attach(table)

    def attach(self, table: Table) -> None:
        """Serve another table; may be called from any thread."""
        self._placed = (table, Artist.of(table.settings, table.texts))

    @property
    def table(self) -> Table:
        """The table being served."""
        return self._placed[0]

    @property
    def artist(self) -> Artist:
        """What puts that table into words."""
        return self._placed[1]

    @property
    def words(self) -> Words:
        """The words of the page."""
        return self.artist.words

    @property
    def still_s(self) -> float:
        """Seconds since the loop last turned."""
        return time.monotonic() - self._moved[1]

    # The desk.

    def look(self) -> None:
        """Send every page what is new."""
        table, artist = self._placed
        snapshot = table.desk.snapshot()
        if snapshot.time != self._moved[0]:
            self._moved = (snapshot.time, time.monotonic())
        audiences, players = self.hub.audiences, self.players
        if (snapshot, audiences, players) == self._last or not audiences:
            return
        self._last = snapshot, audiences, players
        self.hub.tell(
            {**artist.floor(snapshot.spots, snapshot.seats), "language": artist.words.language}
        )
        whole = artist.picture(snapshot, players)
        for whom in audiences:
            self.hub.tell(seen_by(whole, whom, players.on), whom)

    @property
    def players(self) -> Players:
        """The players' names, and who has a telephone at the table."""
        sessions = self.access.sessions
        counts = Counter(one.seat for one in sessions if one.seat)
        return Players(dict(self.seating.names), dict(counts), self.access.telephones)

    def greet(self) -> None:
        """Send a newly opened page everything, even what the others know."""
        self._last = None

    def heard(self, session: Session, text: str) -> str:
        """Do what a message asks, if permitted; returns the answer to send."""
        try:
            told = said(text) if session.seat else None
            done = deed(text) if told is None else None
            seen = moment_seen(text)
        except MessageError as error:
            return answer(kind="heard", refused="message", says=str(error))
        if told is not None:
            return answer(kind="heard", refused=self._said(session, told))
        if not session.may_write or done is None:
            return answer(kind="heard", refused="viewer")
        if self._presses.comes_late(seen, session.name, self.table.desk.snapshot()):
            return answer(kind="heard", refused="changed")
        done(self.table.desk)
        return answer(kind="heard", refused=None)

    def _said(self, session: Session, told: Said) -> str | None:
        """Handle what a player says; returns the reason if that is not possible."""
        snapshot = self.table.desk.snapshot()
        if not self.access.telephones:
            return "telephones-off"
        if told.hand != snapshot.hand:
            return "too-late"
        if not offers(snapshot.pad.keys, session.seat, told.line):
            return "not-yours"
        self.table.desk.say(session.seat, told.line, told.count)
        self.hub.tell(
            {
                "kind": "said",
                "seat": session.seat,
                "name": session.called,
                "words": self.artist.act(told.line),
                "number": next(self._sayings),
            },
            str(Role.DEALER),
        )
        return None

    # The book, and other slow work.

    async def read(self, question: Callable[[Book], T]) -> T:
        """Ask the book, which belongs to its own thread; raises `Busy` if many are waiting.

        Dealers are answered before guests.
        """
        asker = ASKING.get()
        right = 0 if asker is not None and asker.may_write else 1
        client = f"{asker.name} {right}" if asker is not None else ""
        return await self._reading.do(lambda: self._asked(question), client, right)

    def _asked(self, question: Callable[[Book], T]) -> T:
        path = self.table.journal
        if self._book is not None and (self._book.path != path or self._book.moved()):
            self._forget()
        if self._book is None and path is not None:
            self._book = opened(path)
        if self._book is None:
            raise MessageError("this table keeps no journal to read")
        self._book.follow()
        return question(self._book)

    async def evening(self) -> Evening:
        """The evening so far."""
        return await self.read(self._evening_of)

    def _evening_of(self, book: Book) -> Evening:
        if self._evening is None or self._evening[0] is not book:
            evening, number = begun_evening(book)
        else:
            _, evening, number = self._evening
        for entry in book.since(number):
            evening.take(entry)
            number = entry.number
        self._evening = book, evening, number
        return evening

    def seat_names(self, seats: Sequence[int]) -> dict[int, str]:
        """The names of the seats: their players', or their numbers."""
        names = self.seating.names
        return {seat: names.get(seat) or self.artist.seat(seat) for seat in seats}

    async def has_book(self) -> Book | None:
        """The book, if there is a journal to read."""
        try:
            return await self.read(lambda book: book)
        except MessageError:
            return None

    async def close(self, _: object = None) -> None:
        """Close every page, and release the threads."""
        await super().close()
        await asyncio.get_running_loop().run_in_executor(self._reading.thread, self._forget)
        self._reading.close()

    def _forget(self) -> None:
        if self._book is not None:
            self._book.close()
            self._book = None
