"""Publishes one table's state to a broker, from its own thread.

The thread reads the table's snapshots and journal, as the console does: the loop knows nothing
about it. Of what cannot be sent, only the newest state and the records of the last hands are kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.console.book import Book, opened
from firmware.display.snapshot import Desk, Snapshot
from firmware.errors import BrokerError
from firmware.floor.connection import Connection
from firmware.floor.message import (
    Status,
    discovery,
    record,
    state,
    status_of,
    written,
)
from firmware.settings.broker import Broker
from firmware.settings.settings import Settings
from firmware.texts.words import Words
from hardware.selftest import Check, Verdict

LOOK_S = 0.2
"""Interval between looks at the table: a floor should know within a second. A choice."""
STILL_S = 3.0
"""Time without a turn of the loop after which it has stalled. A choice."""
RECORDS_MOST = 500
"""Records kept while a broker is away: a long evening's. The journal has all of them. A choice."""
ENDS_S = 5.0
"""How long the thread may take to end. A choice: slightly longer than its link takes to close."""
LATE_HANDS = 3
"""Earlier hands that an undo or a correction may have changed. A choice."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Told:
    """The table being published: its desk, the words it speaks, and its journal."""

    desk: Desk
    words: Words
    journal: Path | None


class Publisher:
    """Publishes one table after another to `broker`, from `start` to `stop`.

    `now` is the time of day in seconds since 1970, `clock` one that never goes back.
    """

    def __init__(
        self,
        broker: Broker,
        *,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.broker = broker
        self.fault = ""
        """Why nothing can be published; empty if it can."""
        self._now, self._clock = now, clock
        self._line = Connection(broker, will=broker.presence, opened=self._opened)
        self._told: Told | None = None
        self._fresh = threading.Event()
        self._ended = threading.Event()
        self._arrived: Callable[[], bool] = lambda: True
        self._last: dict[str, str] = {}
        self._status = (Status.WAITING, 0)
        self._moved = (-1.0, 0.0)
        self._records: deque[str] = deque(maxlen=RECORDS_MOST)
        self._handed: tuple[str, Callable[[], bool]] | None = None
        self._sent: dict[int, str] = {}
        self._seen: tuple[Told, int] | None = None
        self._book: Book | None = None
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)

    def attach(self, desk: Desk, settings: Settings, journal: Path | None) -> None:
        """Publish this table from now on; may be called from any thread."""
        self._told = Told(desk, Words.load(settings.language), journal)

    def start(self) -> None:
        """Start publishing; if that is impossible, `fault` says why."""
        try:
            self._line.open()
        except BrokerError as error:
            self.fault = str(error)
            return
        self._thread.start()

    def stop(self) -> None:
        """Announce that the table is closed, if anybody is listening, and end."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(ENDS_S)

    def check(self, words: Words) -> Check:
        """The state of the link to the broker, in words, for the health page."""
        if self.fault:
            return Check("broker", Verdict.FAIL, self.fault)
        standing = self._line.standing
        verdict = Verdict.OK if standing.connected else Verdict.WARN
        where = f"{self.broker.host}:{self.broker.port}"
        return Check("broker", verdict, words.page[standing.why].format(broker=where))

    def _opened(self) -> None:
        """Called in the library's thread on connecting: publish everything again."""
        self._fresh.set()

    # In the publisher's thread.

    def _run(self) -> None:
        said = failed = ""
        while not self._ended.wait(LOOK_S):
            said = self._complained(said)
            try:
                self._look()
            except Exception as error:  # one failed poll must not end the others
                if failed != repr(error):  # nor flood the log
                    log.exception("the broker was not told")
                failed = repr(error)
        self._close()
        self._line.close()
        if self._book is not None:
            self._book.close()

    def _complained(self, said: str) -> str:
        """Log each change of the link once, in words."""
        told, why = self._told, self._line.standing.why
        if told is not None and why != said:
            level = logging.INFO if self._line.standing.connected else logging.WARNING
            log.log(level, "%s", self.check(told.words).detail)
        return why

    def _look(self) -> None:
        told = self._told
        if told is None:
            return
        snapshot = told.desk.snapshot()
        if self._line.standing.connected:
            self._tell(told, snapshot)
        self._keep_records(told, snapshot)
        if self._line.standing.connected:
            self._send_records()

    def _tell(self, told: Told, snapshot: Snapshot) -> None:
        if self._fresh.is_set():
            self._fresh.clear()
            self._last, self._handed, self._arrived = {}, None, lambda: True
        if self.broker.discovery:
            for topic, values in discovery(self.broker, told.words):
                self._keep(topic, written(values))
        if self._arrived():
            self._tell_state(told, snapshot)

    def _tell_state(self, told: Told, snapshot: Snapshot) -> None:
        """Publish the newest state unless the broker has it; one message at a time."""
        status = status_of(snapshot, still=self._stands_still(snapshot))
        if status is not self._status[0] or not self._status[1]:
            self._status = (status, round(self._now()))
        values = state(self.broker, snapshot, told.words, *self._status)
        self._keep(self.broker.state, written(values))

    def _stands_still(self, snapshot: Snapshot) -> bool:
        if snapshot.time != self._moved[0]:
            self._moved = (snapshot.time, self._clock())
        return self._clock() - self._moved[1] > STILL_S

    def _keep(self, topic: str, payload: str) -> None:
        """Publish a retained message, unless the broker has it already."""
        if self._last.get(topic) != payload:
            self._last[topic] = payload
            self._arrived = self._line.send(topic, payload, retain=True)

    def _close(self) -> None:
        """Publish the last message of a table that is switched off."""
        told = self._told
        if told is None or not self._line.standing.connected:
            return
        values = state(
            self.broker, told.desk.snapshot(), told.words, Status.CLOSED, round(self._now())
        )
        self._keep(self.broker.state, written({**values, "awaited": [], "waits": ""}))
        end = self._clock() + ENDS_S / 2
        while not self._arrived() and self._clock() < end:
            time.sleep(LOOK_S / 10)

    # Records.

    def _keep_records(self, told: Told, snapshot: Snapshot) -> None:
        """Set aside the records of finished hands once another hand is in play."""
        if not self.broker.records or self._seen == (told, snapshot.hand):
            return
        first = self._seen is None or self._seen[0] is not told
        book = self._followed(told.journal)
        self._seen = (told, snapshot.hand)
        if first:
            self._sent = {}
        if book is None:
            return
        for hand in [one for one in book.hands[-1 - LATE_HANDS :] if one.state.over]:
            values = record(self.broker, book, hand)
            if not first and self._sent.get(hand.start.hand) != values["record"]:
                self._records.append(written(values))
            self._sent[hand.start.hand] = values["record"]

    def _followed(self, journal: Path | None) -> Book | None:
        if self._book is not None and (self._book.path != journal or self._book.moved()):
            self._book.close()
            self._book = None
        if self._book is None:
            self._book = opened(journal) if journal is not None else None
        else:
            self._book.follow()
        return self._book

    def _send_records(self) -> None:
        """Publish one record after another, each until the broker confirms it."""
        if self._handed is not None and self._handed[1]():
            if self._records and self._records[0] is self._handed[0]:
                self._records.popleft()
            self._handed = None
        if self._records and self._handed is None:
            first = self._records[0]
            self._handed = (first, self._line.send(self.broker.record, first))
