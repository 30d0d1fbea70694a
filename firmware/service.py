"""`mazziere run`: the appliance at a real table, put together from its settings."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from firmware.appliance import Appliance, Booth, Pace
from firmware.assembling import assembled
from firmware.console.access import Access
from firmware.console_link import ConsoleLink
from firmware.display.lines import plain, show
from firmware.display.snapshot import Desk
from firmware.display.speaker import Speaker
from firmware.errors import JournalError
from firmware.follow.loop import Loop
from firmware.follow.tally import Tally, followed
from firmware.lobby.lobby import Finds, Lobby
from firmware.lobby.tending import Tending
from firmware.notify import Notifier
from firmware.settings.settings import Settings
from firmware.store.clock import is_set
from firmware.store.evenings import Diary, Idle, forget, is_over
from firmware.store.housekeeping import Housekeeper
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger, base_entry
from firmware.store.recovery import Found
from firmware.store.recovery import opened as recovered
from firmware.store.safe import Safe, beside
from firmware.table.calibration import standing
from firmware.table.cameras import camera_of
from firmware.table.known_decks import texts_of
from firmware.table.markers import Found as FoundTable
from firmware.texts import Texts
from hardware.capture import Camera
from hardware.errors import CameraError
from hardware.panel import Panel
from hardware.voice import Voice
from hardware.wiring import Wiring
from rules.match import Match
from rules.phrases import Phrase

RESUMED_S = 15.0
"""How long the question whether the table matches the screen stays up: long enough to check all of
it. A choice.
"""


@dataclass(frozen=True)
class Outcome:
    """The outcome of following a table: the match, and how much of what was seen it contains."""

    match: Match
    tally: Tally
    followed: int
    """How many cards were laid down by the acts that stand."""
    live: bool
    texts: Texts


Ended = Callable[[Outcome], None]
"""Called with the outcome of a table once it is no longer followed."""


def run(
    settings: Settings,
    *,
    in_lines: bool = False,
    file: Path | None = None,
    pace: Pace = Pace.FAST,
    anew: bool = False,
    ended: Ended = lambda _: None,
    finds: Finds | None = None,
) -> int:
    """Follow the table until the pictures end or the view is closed; returns the exit status.

    A journal with an unfinished match of the same game is resumed where it stopped, unless a film
    is to be followed from the start (`anew`). What is chosen on the console's set-up page is played
    next, and remembered in the settings' `file`. If no game is chosen, or no camera although
    `finds` may look for one, the user is asked first. The status is 1 for a film in which nothing
    could be followed. Raises what makes following impossible: `CameraError`, `JournalError`,
    `PanelError`, `SettingsError`.
    """
    notifier = Notifier()
    with ExitStack() as stack:
        stack.enter_context(_spoken(settings))
        stack.callback(notifier.stopping)
        panel = stack.enter_context(Panel(Wiring.from_mapping(settings.wiring)))
        link = stack.enter_context(ConsoleLink(Access(settings.access_file)))
        if finds is None:
            camera_of(settings)  # if a camera was named but is missing, fail here instead of asking
        asked = _asked(settings, panel, link, finds, notifier, in_lines=in_lines)
        if asked is None:
            return 0
        if asked != settings and file is not None:
            asked.save(file)
        settings = asked
        camera = stack.enter_context(camera_of(settings))
        diary, damage = _diary(settings, live=camera.live)
        stack.callback(diary.close)
        safe = Safe(beside(settings.journal_file))
        fresh = anew and not camera.live
        ledger = (begun if fresh else opened)(settings, diary.journal, safe)
        device = _Device(
            panel, link, notifier, camera, diary, safe, file, pace, ended, in_lines=in_lines
        )
        return _followed(device, settings, ledger, damage)


def _followed(device: _Device, settings: Settings, ledger: Ledger, damage: Found) -> int:
    """Follow one table after another, as people choose them; returns the exit status."""
    found: list[Settings] = []
    while True:
        outcome = _played(device, settings, ledger, damage, found)
        chosen = device.link.chosen
        if chosen is None:
            return 0 if outcome.live or outcome.followed else 1
        # After a camera is calibrated or a deck is chosen, the same hand continues.
        seen_anew = device.link.calibrated or chosen != settings
        same, damage = seen_anew and chosen.plays_as(settings), Found()
        if device.link.calibrated:
            from firmware.table.taught_chips import forget_sizes  # noqa: PLC0415 - loads the readers

            forget_sizes()
        if device.link.evening_over:
            damage, same = _turned(device.diary, damage), False
        journal = device.diary.journal
        settings, ledger = chosen, (opened if same else begun)(chosen, journal, device.safe)
        if device.file is not None:
            settings.save(device.file)


@dataclass(frozen=True)
class _Device:
    """What stays open for as long as the program runs, whatever is played."""

    panel: Panel
    link: ConsoleLink
    notifier: Notifier
    camera: Camera
    diary: Diary
    safe: Safe
    file: Path | None
    """Where the settings are remembered."""
    pace: Pace
    ended: Ended
    in_lines: bool


def _played(
    device: _Device, settings: Settings, ledger: Ledger, damage: Found, found: list[Settings]
) -> Outcome:
    """Follow one table until something else is chosen or the view is closed.

    Reports `damage` to the journal first. When a table is located by its markers, its settings are
    appended to `found`.
    """
    link, journal, live = device.link, device.diary.journal, device.camera.live
    speaker = _speaker(settings)
    loop = _loop(settings, ledger)
    days, told = settings.keep_pictures_days, partial(_broken, loop)
    keeper = Housekeeper(journal, days, device.notifier, found=told)
    idle = Idle(journal, settings.evening_ends_hours if live else 0)
    _forget(settings)
    booth = Booth(loop, device.panel, speaker, None if live else device.camera.now)
    _told_at_first(booth, settings in found)
    _told_of(damage, booth)
    finding = _finding(settings, link, found)
    appliance = assembled(settings, booth, device.camera, finding, device.pace)
    appliance.pulse = partial(_pulse, keeper, idle, loop, link)
    link.stand_beside(appliance, settings, settings.journal_file, appliance.stop, appliance.optics)
    try:
        _follow(appliance, _view(settings, link, in_lines=device.in_lines))
    finally:
        speaker.close()
        outcome = _outcome(appliance, texts_of(settings))
        device.ended(outcome)
    return outcome


def _asked(
    settings: Settings,
    panel: Panel,
    link: ConsoleLink,
    finds: Finds | None,
    notifier: Notifier,
    *,
    in_lines: bool,
) -> Settings | None:
    """The settings with the missing parts filled in; None if the user left without answering.

    A service is ready as soon as it asks: it may be an hour before somebody answers.
    """
    while True:
        lobby = Lobby(settings, finds)
        if lobby.answered is not None:
            return lobby.answered
        speaker = _speaker(settings)
        tending = Tending(lobby, panel, speaker.say)
        lobby.pulse = partial(_waited, tending, notifier)
        notifier.ready("Asks what is played.")
        link.stand_beside(lobby, settings, None, lobby.stop)
        try:
            _follow(lobby, _view(settings, link, in_lines=in_lines))
        finally:
            speaker.close()
        chosen = link.chosen or lobby.answered
        if chosen is None and lobby.settings.language == settings.language:
            return None  # the person asked has left
        settings = chosen or lobby.settings


def _waited(tending: Tending, notifier: Notifier) -> None:
    """Chores done on every turn of the loop while a question is open."""
    tending()
    notifier.beat()


def _pulse(keeper: Housekeeper, idle: Idle, loop: Loop, link: ConsoleLink) -> None:
    """Chores done on every turn of the loop, alongside the game."""
    keeper.pulse()
    if idle.over(time.monotonic(), in_play=bool(loop.state.acts)):
        link.end_evening()


def _diary(settings: Settings, *, live: bool) -> tuple[Diary, Found]:
    """The journal, its evening closed if it ended long ago, and what to report about it."""
    journal, damage = recovered(settings.journal_file)
    diary = Diary(journal)
    if live and is_set() and is_over(journal, settings.evening_ends_hours, time.time()):
        damage = _turned(diary, damage)
    return diary, damage


def _turned(diary: Diary, found: Found) -> Found:
    """Close the evening; returns what to report, unless the journal is known to be damaged."""
    told = diary.turn(time.time())
    return found if found.told is not None or told is None else Found(told)


def _forget(settings: Settings) -> None:
    """Delete expired evenings, as the settings say, in a separate thread."""
    days, picture_days = settings.keep_evenings_days, settings.keep_pictures_days
    if is_set():
        work = partial(
            forget, settings.journal_file, time.time(), days=days, picture_days=picture_days
        )
        threading.Thread(target=work, name="forget", daemon=True).start()


def _outcome(appliance: Appliance, texts: Texts) -> Outcome:
    match = appliance.booth.loop.match
    return Outcome(match, appliance.tally, followed(match), appliance.eye.camera.live, texts)


def _speaker(settings: Settings) -> Speaker:
    return Speaker(Voice(settings.language, volume=settings.volume), settings.says)


def _loop(settings: Settings, ledger: Ledger) -> Loop:
    return Loop(ledger, texts_of(settings))


@contextmanager
def _spoken(settings: Settings) -> Iterator[None]:
    """Announce aloud what prevents the table from being followed, as there may be no screen."""
    try:
        yield
    except (CameraError, JournalError) as error:
        camera = isinstance(error, CameraError)
        failed = Phrase.of("journal.failed", error=str(error))
        speaker = _speaker(settings)
        speaker.say(
            Texts.load(settings.language).say(Phrase("trouble.camera") if camera else failed)
        )
        speaker.close()
        raise


def _told_at_first(booth: Booth, found: bool) -> None:
    """After a power cut in mid-hand, ask whether the table still matches the screen.

    If the table was `found` by its markers, announce that instead.
    """
    state, until = booth.loop.state, booth.clock() + RESUMED_S
    if state.acts:
        booth.loop.notice = (Phrase.of("resumed.hand", number=state.start.hand), until)
    elif found:
        booth.loop.notice = (Phrase("found.markers"), until)


def _told_of(damage: Found, booth: Booth) -> None:
    """Tell the dealer that the journal was damaged."""
    if damage.told is not None:
        booth.loop.announce(damage.told, booth.clock() + RESUMED_S)


def _broken(loop: Loop, fault: str) -> None:
    """Tell the dealer that the journal was altered."""
    loop.announce(Phrase.of("journal.broken", fault=fault), loop.now + RESUMED_S)


def _finding(
    settings: Settings, link: ConsoleLink, found: list[Settings]
) -> Callable[[FoundTable], None]:
    """A callback for when markers show where the table is: the hand continues there."""

    def tell(table: FoundTable) -> None:
        found.append(standing(settings, table, table.size_mm))
        link.choose(found[-1])

    return tell


class Followed(Desk, Protocol):
    """A desk that runs in its own thread."""

    def run(self) -> None:
        """Work until `stop`, or until nothing is left to do."""

    def stop(self) -> None:
        """Make `run` return."""


def _view(settings: Settings, link: ConsoleLink, *, in_lines: bool) -> Callable[[Desk], None]:
    """A function that shows a desk: as lines, or as the terminal's table with the console's
    codes.
    """
    if in_lines:
        return plain
    return partial(
        show, language=settings.language, note=link.note, code=link.code, names=link.names
    )


def _follow(appliance: Followed, display: Callable[[Desk], None]) -> None:
    """Run with a display in the main thread, as the terminal requires."""
    failures: list[BaseException] = []

    def follow() -> None:
        try:
            appliance.run()
        except BaseException as error:  # raised again by the main thread, which waits for it
            failures.append(error)

    worker = threading.Thread(target=follow, name="loop")
    worker.start()
    try:
        display(appliance)
    finally:
        appliance.stop()
        worker.join()
    if failures:
        raise failures[0]


def opened(settings: Settings, journal: Journal, safe: Safe | None = None) -> Ledger:
    """The journal's match if it is of this game and these seats, else a new one."""
    if base_entry(journal) is not None:
        game, start = settings.rules(), settings.start
        ledger = Ledger.resumed(journal, now=time.time, safe=safe)
        state = ledger.match.state
        if state.game == game and state.start.seats == start.seats:
            return ledger
    return begun(settings, journal, safe)


def begun(settings: Settings, journal: Journal, safe: Safe | None = None) -> Ledger:
    """A new match."""
    match = Match(settings.rules(), settings.start)
    return Ledger(match, journal, now=time.time, safe=safe, dated=is_set())
