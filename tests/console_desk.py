"""A desk for console tests: a table whose contents are known, with its loop in a thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar

import cv2
import numpy as np

from firmware.console.access import Access
from firmware.console.pins import Pins
from firmware.console.server import Console
from firmware.console.site import Table
from firmware.display.snapshot import Correction, Snapshot
from firmware.settings.network import Listening
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.table.optics import Optics
from firmware.texts import Texts
from hardware.press import Button, Held, Pressed
from tests.felt import FRAME_S, Felt
from vision.sightings import Lying

T = TypeVar("T")
IDLE_S = 0.02
"""How long the loop waits for something to do before it looks again."""
PATIENCE_S = 60.0
"""Time limit for what a test waits for: several times what a slow, busy machine needs."""


@cache
def drawn(name: str) -> bytes:
    """A small picture that says which card it shows."""
    picture = np.full((140, 100, 3), 235, np.uint8)
    cv2.putText(picture, name, (8, 80), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 120), 3)
    return bytes(cv2.imencode(".jpg", picture)[1])


class PicturedFelt(Felt):
    """A felt whose camera cuts out pictures of the cards, with texts in a language."""

    def look(self, seconds: float = FRAME_S) -> None:
        until = self.time + seconds
        while self.time < until - 1e-9:
            self.time += FRAME_S
            self.loop.see(self.seen(), self._crop)
            self.loop.tick(self.time)

    @staticmethod
    def _crop(lying: Lying) -> bytes:
        return drawn(str(lying.candidates[0][0]))


class FeltDesk:
    """A felt with its loop in a thread, stepped as fast as the test wants.

    Tests act on the felt in the loop's thread and wait for the result.
    """

    def __init__(self, settings: Settings, journal: Path | None = None) -> None:
        self.settings = settings
        self.journal = journal
        self.running = True
        self.done: list[str] = []
        self.longest = 0
        """Largest number of commands between two looks."""
        self._queue: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._began = threading.Event()
        self._thread = threading.Thread(target=self._run, name="felt", daemon=True)
        self._thread.start()
        assert self._began.wait(PATIENCE_S)

    # Called in the loop's thread.

    def _run(self) -> None:
        book = Journal(self.journal) if self.journal is not None else None
        self._sit(self.settings, book)
        self._began.set()
        while self.running:
            self._take_in()
            self.felt.look()
            self._snapshot = self.felt.loop.snapshot()
        if book is not None:
            book.close()

    def _sit(self, settings: Settings, book: Journal | None) -> None:
        game, start = settings.rules(), settings.start
        self.felt = PicturedFelt(
            game.name,
            seats=len(start.seats),
            level=start.level,
            limits=start.limits,
            journal=book,
            rules=settings.house_rules,
        )
        self.felt.loop.texts = Texts.load(settings.language)
        self._book = book
        self._snapshot = self.felt.loop.snapshot()

    def _take_in(self) -> None:
        count = 0
        try:
            command = self._queue.get(timeout=IDLE_S)
            while True:
                command()
                count += 1
                command = self._queue.get_nowait()
        except queue.Empty:
            self.longest = max(self.longest, count)

    # The interface of a desk.

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def press(self, button: str, seconds: float = 0.1) -> None:
        kind = Held if seconds >= 2.0 else Pressed
        self._do(f"{kind.__name__} {button}", lambda: self._press(kind, Button(button)))

    def _press(self, kind: type[Pressed] | type[Held], button: Button) -> None:
        self.felt.loop.button(kind(button, self.felt.time))

    def type(self, line: str, *, sure: bool = False) -> None:
        self._do(line, lambda: self.felt.loop.type(line, sure=sure))

    def undo(self) -> None:
        self._do("undo", self.felt.loop.undo)

    def correct(self, change: Correction) -> None:
        self._do(f"correct {change.number} {change.line}", lambda: self.felt.loop.correct(change))

    def say(self, seat: int, line: str, count: int) -> None:
        self._do(f"{seat} says {line}", lambda: self.felt.loop.say(seat, line, count))

    def keep(self, rule: str) -> None:
        self._do("keep", lambda: self.felt.loop.keep(rule))

    def choose(self, words: str) -> None:
        self._do(f"choose {words}", lambda: self.felt.loop.choose(words))

    def _do(self, name: str, command: Callable[[], None]) -> None:
        def do() -> None:
            self.done.append(name)
            command()

        self._queue.put(do)

    # Called by tests.

    def ask(self, question: Callable[[PicturedFelt], T]) -> T:
        """Do something at the felt, and wait until the loop has looked at it."""
        answer: Future[T] = Future()

        def do() -> None:
            try:
                found = question(self.felt)
                self.felt.look()
                self._snapshot = self.felt.loop.snapshot()
                answer.set_result(found)
            except BaseException as error:
                answer.set_exception(error)

        self._queue.put(do)
        return answer.result(PATIENCE_S)

    def lay(self, spot: str, *cards: str) -> None:
        self.ask(lambda felt: felt.lay(spot, *cards))

    def take(self, spot: str, *cards: str) -> None:
        self.ask(lambda felt: felt.take(spot, *cards))

    def acts(self) -> list[str]:
        return self.ask(lambda felt: felt.acts())

    def sit(self, settings: Settings) -> None:
        """Begin another match, as the set-up page asks for."""
        self.ask(lambda _: self._sit(settings, self._book))
        self.settings = settings

    def stop(self) -> None:
        self.running = False
        self._thread.join(PATIENCE_S)


def settings_for(game: str, **table: Any) -> Settings:
    """Settings with three seats and limits, otherwise the defaults."""
    return Settings.from_mapping(
        {"table": {"game": game, "seats": 3, "banker": 1, "limits": [1, 20], **table}}
    )


class Served:
    """A felt with its console, on its own local port."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        *,
        access: Access | None = None,
        port: int = 0,
        optics: Optics | None = None,
    ) -> None:
        self.optics = optics
        self.desk = FeltDesk(settings, folder / "test.journal")
        self.access = access or Access()
        self.pins: Pins = self.access.renew()
        self.wanted: list[Settings] = []
        self.console = self._console(port)

    def _console(self, port: int) -> Console:
        return Console(self.access, self._table(), Listening("127.0.0.1", port))

    def _table(self) -> Table:
        return Table(
            self.desk, self.desk.settings, self.desk.journal, self._want, optics=self.optics
        )

    def _want(self, settings: Settings) -> None:
        self.wanted.append(settings)
        self.desk.sit(settings)
        self.console.attach(self._table())

    def restart(self) -> None:
        """Stop serving, and start again on the same port."""
        port = self.console.port
        self.console.stop()
        self.console = self._console(port)
        self.console.start()

    @property
    def url(self) -> str:
        return self.console.urls[0]

    def __enter__(self) -> Self:
        self.console.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.console.stop()
        self.desk.stop()


def opened(served: Served) -> None:
    """Two cards on the board, one for the banker, two bets."""
    served.desk.lay("board", "QS", "5D")
    served.desk.lay("banker", "7C")
    served.desk.type("2 bet 5 QS")
    served.desk.type("3 bet 10 5D")
