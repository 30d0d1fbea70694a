"""Runs a console alongside whatever follows a table, and tells people where it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from firmware.console.access import Access
from firmware.console.invitations import Invitations, invitation_url
from firmware.console.pins import Pins
from firmware.console.server import Console
from firmware.console.sheet import qr_text, sheet
from firmware.console.site import Table
from firmware.display.snapshot import Counter
from firmware.errors import AccessFileError, ConsoleError, UsageError
from firmware.files import write_whole
from firmware.floor.publishing import Publisher
from firmware.notify import is_logged
from firmware.settings.network import Listening
from firmware.settings.settings import Settings
from firmware.table.optics import Optics
from firmware.texts import Texts
from firmware.texts.words import Words
from hardware.selftest import Check


def new_pins(settings: Settings, file: Path | None = None) -> Iterator[str]:
    """Make new PINs for the device and print them; a sheet to print is written to `file`.

    A running console picks them up.
    """
    words, listening = Words.load(settings.language), Listening.parse(settings.listen)
    urls = listening.urls(listening.port)
    access = Access(settings.access_file)
    pins = access.renew()
    if sys.stdout.isatty():  # a telephone can scan it from the screen, which also signs it in
        yield qr_text(invitation_url(urls[0], Invitations(access).make()))
        yield words.page["invite-lasts"]
    yield words.page["console-at"].format(url="  ".join(urls))
    yield told_pins(pins, words)
    if file is not None:
        try:
            write_whole(file, sheet(urls, pins.shown, words))
        except OSError as error:
            raise UsageError(f"{file}: cannot be written: {error.strerror}") from error
        yield str(file)


def told_pins(pins: Pins, words: Words) -> str:
    """Both PINs on one line, grouped for copying."""
    shown = pins.shown
    return words.page["console-pins"].format(dealer=shown.dealer, viewer=shown.viewer)


class ConsoleLink:
    """A console that serves one desk after another, or none if it is switched off.

    If the settings name a broker, the same desk is published there.

    The table never waits for either: a console that cannot listen is reported on standard error,
    and the buttons work without it.
    """

    def __init__(self, access: Access) -> None:
        self.access = access
        self.console: Console | None = None
        self.note = ""
        """Where the console is, in words, for a screen at the table."""
        self.publisher: Publisher | None = None
        self._end: Callable[[], None] = lambda: None
        self.chosen: Settings | None = None
        """The settings to play next, if some were chosen at this desk."""
        self.evening_over = False
        """Whether the evening is to be closed when this desk ends."""
        self.calibrated = False
        """Whether the settings chosen come from a new calibration."""
        self._settings: Settings | None = None

    def stand_beside(
        self,
        desk: Counter,
        settings: Settings,
        journal: Path | None,
        end: Callable[[], None],
        optics: Optics | None = None,
        *,
        texts: Texts | None = None,
    ) -> None:
        """Serve this desk, and what its camera sees, from now on; `texts` are as in `Table`.

        `end` is called, from another thread, when something else is chosen to be played.
        """

        self.chosen, self._end = None, end
        self.evening_over, self.calibrated, self._settings = False, False, settings
        self._publish(desk, settings, journal)
        table = Table(
            desk, settings, journal, self.choose, self._checks, optics, self.end_evening, texts,
            calibrated=self.calibrate,
        )  # fmt: skip
        if self.console is not None:
            self.console.attach(table)
        elif settings.console:
            self._open(table)

    def choose(self, settings: Settings) -> None:
        """End the desk, and play these settings next."""
        self.chosen = settings
        self._end()

    def calibrate(self, settings: Settings) -> None:
        """End the desk, and go on with these settings, in which the table was calibrated anew."""
        self.calibrated = True
        self.choose(settings)

    def end_evening(self) -> None:
        """End the desk and close the evening; the same game is played next."""
        if self._settings is not None:
            self.evening_over = True
            self.choose(self._settings)

    def _publish(self, desk: Counter, settings: Settings, journal: Path | None) -> None:
        """Publish this desk to a broker, if publishing is switched on."""
        if self.publisher is None and settings.broker.on:
            publisher = Publisher(settings.broker)
            publisher.attach(desk, settings, journal)
            publisher.start()
            if publisher.fault:
                print(f"mqtt: {publisher.fault}", file=sys.stderr)
            self.publisher = publisher
        elif self.publisher is not None:
            self.publisher.attach(desk, settings, journal)

    def _checks(self, words: Words) -> tuple[Check, ...]:
        return (self.publisher.check(words),) if self.publisher is not None else ()

    def _open(self, table: Table) -> None:
        console = Console(self.access, table, Listening.parse(table.settings.listen))
        try:
            console.start()
        except ConsoleError as error:
            self.note = str(error)
        else:
            self.console = console
            self.note = self._where(console, Words.load(table.settings.language))
        if self.access.fault:
            print(self.access.fault, file=sys.stderr)
        print(self.note, file=sys.stderr)

    def _where(self, console: Console, words: Words) -> str:
        """The address, with any PINs that were never shown before on a second line.

        They are meant for a screen that people look at: a service's standard error goes into a log.
        """
        note = words.page["console-at"].format(url=console.urls[0])
        if self.access.ready:
            return self._inviting(note, words)
        if is_logged():
            says = words.page["console-no-pins"]
            return f"{note}\n{says}"
        try:
            pins = self.access.renew()
        except AccessFileError as error:
            return f"{note}\n{error}"
        return self._inviting(f"{note}\n{told_pins(pins, words)}", words)

    def _inviting(self, note: str, words: Words) -> str:
        """The greeting, with a sign-in link for whoever is at this screen; never logged or
        saved.
        """
        url = self.invitation() if sys.stderr.isatty() and not is_logged() else ""
        says = words.page["console-enter"].format(url=url)
        return f"{note}\n{says}" if url else note

    def invitation(self) -> str:
        """A one-time link that signs in as the dealer; empty if there is no console."""
        if self.console is None or not self.access.ready:
            return ""
        with suppress(AccessFileError):
            return invitation_url(self.console.urls[0], Invitations(self.access).make())
        return ""

    def code(self) -> str:
        """The same link as a code to scan from a terminal; empty if there is no console."""
        url = self.invitation()
        return f"{qr_text(url)}\n{url}" if url else ""

    def names(self) -> Mapping[int, str]:
        """The players' names, by seat."""
        return self.console.site.seating.names if self.console is not None else {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.publisher is not None:
            self.publisher.stop()
        if self.console is not None:
            self.console.stop()
