"""`mazziere floor`: a page that shows all tables of a broker, served like the console."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web

from firmware.console.access import Access, Session
from firmware.console.messages import text
from firmware.console.middleware import answer, body
from firmware.console.server import Server
from firmware.console.sessions import Sessions
from firmware.console.sign_in import as_json, entrance
from firmware.errors import BrokerError
from firmware.floor.connection import Connection
from firmware.floor.message import Status
from firmware.floor.tables import Floor
from firmware.notify import is_logged
from firmware.settings.broker import Broker
from firmware.settings.network import Listening
from firmware.settings.settings import Settings
from firmware.texts.words import Words

PORT = 8081
"""The port after the console's, for a table on the same machine. A choice."""


class FloorSite(Sessions):
    """The site of a floor: all tables, for those who are signed in.

    Whoever has the dealer's PIN may remove a table that will not come back.
    """

    place = "floor"
    cookie = "mazziere-floor"

    def __init__(self, access: Access, broker: Broker, language: str) -> None:
        super().__init__(access)
        self.floor = Floor(broker)
        self.line = Connection(broker, listens=self.floor.topics, heard=self.floor.take)
        self._broker = broker
        self._words = Words.load(language)

    @property
    def words(self) -> Words:
        """The words of the page."""
        return self._words

    def look(self) -> None:
        """Send every page what is new."""
        standing = self.line.standing
        where = f"{self._broker.host}:{self._broker.port}"
        says = "" if standing.connected else self._words.page[standing.why].format(broker=where)
        self.hub.tell({"kind": "tables", "tables": self.floor.tables(), "broker": says})

    def greet(self) -> None:
        """Do nothing: the hub gives a newly opened page what the others have."""

    def heard(self, session: Session, text: str) -> str:
        """Ignore messages: this page only shows."""
        return answer(kind="heard", refused="message", says="")

    async def forget(self, request: web.Request) -> web.Response:
        """Remove a table that is away."""
        table = text(await body(request), "table")
        away = (Status.GONE, Status.CLOSED)
        known = [one for one in self.floor.tables() if one["table"] == table]
        struck = bool(known) and known[0]["status"] in away
        if struck:
            for kind in ("state", "presence"):
                self.line.send(f"{self._broker.topic}/{table}/{kind}", "", retain=True)
        return as_json({"forgotten": struck})


def application(site: FloorSite) -> web.Application:
    """The site as an aiohttp application."""
    app = entrance(site)
    app.router.add_post("/api/forget", site.forget)
    return app


@contextmanager
def served(site: FloorSite, listening: Listening) -> Iterator[Server]:
    """The site on its port, with its link to the broker.

    Raises `BrokerError` or `ConsoleError` if that is impossible.
    """
    site.line.open()
    try:
        with Server(site, lambda: application(site), listening) as server:
            yield server
    finally:
        site.line.close()


def floor(
    settings: Settings,
    *,
    access: Path,
    listen: str = "",
    new_pins: bool = False,
    wait: Callable[[], object] | None = None,
) -> int:
    """Serve the floor page until Ctrl-C; returns the exit status.

    `access` is the file with the hashes of its PINs; `wait` returns when it is time to stop.
    """
    broker = settings.broker
    if not broker.broker:
        raise BrokerError(
            "mqtt.broker: expected an address such as 192.168.1.5:1883: name it with --broker, or "
            "in the settings"
        )
    site = FloorSite(Access(access), broker, settings.language)
    page = site.words.page
    with served(site, Listening.parse(listen or f":{PORT}")) as server:
        print(page["console-at"].format(url=server.urls[0]), file=sys.stderr)
        if site.access.fault:
            print(site.access.fault, file=sys.stderr)
        if not is_logged() and (new_pins or not site.access.ready):
            pins = site.access.renew().shown
            told = page["console-pins"].format(dealer=pins.dealer, viewer=pins.viewer)
            print(told, file=sys.stderr)
        elif not site.access.ready:
            print(page["floor-no-pins"], file=sys.stderr)
        (wait or _interrupted)()
    return 0


def _interrupted() -> None:
    """Wait for Ctrl-C, or for the service manager."""
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        ended.wait()
    except KeyboardInterrupt:
        return
