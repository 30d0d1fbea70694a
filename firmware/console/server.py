"""The console as a server in its own thread, alongside whatever follows the table."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Self

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from firmware.console.access import Access
from firmware.console.routes import application
from firmware.console.sessions import Sessions
from firmware.console.site import Site, Table
from firmware.errors import ConsoleError
from firmware.settings.network import Listening

KEPT_S = 15.0
"""How long an idle connection is kept open for the next request. A choice."""
STOP_S = 5.0
"""How long pages have to close before their connections are cut. A choice."""


class Server:
    """A site served in its own thread, from `start` to `stop`.

    `start` raises `ConsoleError` if it cannot listen there.
    """

    def __init__(
        self, sessions: Sessions, application: Callable[[], web.Application], listening: Listening
    ) -> None:
        self.access = sessions.access
        self.listening = listening
        self.port = 0
        self._hall, self._application = sessions, application
        self._loop = asyncio.new_event_loop()
        self._done = asyncio.Event()
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="console", daemon=True)

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses to type into a browser, most reliable first."""
        return self.listening.urls(self.port)

    def start(self) -> Self:
        """Start serving."""
        self._socket = self.listening.socket()
        self.port = self._socket.getsockname()[1]
        self._hall.urls = self.urls
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise ConsoleError(f"the console cannot be served: {self._failure}")
        return self

    def stop(self) -> None:
        """Stop serving; returns once every page is closed."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._done.set)
            self._thread.join(2 * STOP_S)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:  # whoever starts the console must be told
            self._failure = error
        finally:
            self._ready.set()
            self._loop.close()

    async def _serve(self) -> None:
        runner = web.AppRunner(
            self._application(),
            access_log=None,
            logger=_logger(),
            shutdown_timeout=STOP_S,
            keepalive_timeout=KEPT_S,
        )
        await runner.setup()
        assert runner.server is not None  # it was set up
        door, lines = self._hall.door, partial(_transports, runner)
        work = (
            self._hall.watch(), door.watch(lines),
            door.receive(self._socket, runner.server, lines),
        )  # fmt: skip
        tasks = [asyncio.create_task(one) for one in work]
        try:
            self._ready.set()
            await self._done.wait()
        finally:
            for task in tasks:
                task.cancel()
            self._socket.close()
            await runner.cleanup()


class Console(Server):
    """The console of one device; its table can be replaced while it runs."""

    def __init__(self, access: Access, table: Table, listening: Listening | None = None) -> None:
        self.site = Site(access, table)
        super().__init__(self.site, lambda: application(self.site), listening or Listening())

    def attach(self, table: Table) -> None:
        """Serve another table."""
        self.site.attach(table)


def _logger() -> logging.Logger:
    """A logger of our own failures, not of traffic other than HTTP: anybody can send that."""
    log = logging.getLogger(f"{__name__}.http")
    log.addFilter(_is_our_fault)
    return log


def _is_our_fault(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError | ConnectionError)


def _transports(runner: web.AppRunner) -> list[asyncio.Transport]:
    """The open connections."""
    connections = runner.server.connections if runner.server is not None else []
    return [one.transport for one in connections if one.transport is not None]
