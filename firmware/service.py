"""`mazziere run`: the appliance at a real table, put together from its settings."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from firmware.appliance import FRAME_TIMEOUT_S, Appliance, Booth, Eye, polygons, tracker_of
from firmware.journal import Journal
from firmware.layout import Layout
from firmware.ledger import Ledger
from firmware.loop import Loop
from firmware.settings import Settings
from firmware.texts import Texts
from firmware.view import plain, show
from hardware.camera import FolderCamera, find_camera
from hardware.capture import Camera
from hardware.panel import Panel
from hardware.wiring import Wiring
from rules.match import Match
from vision.plane import Plane
from vision.tracker import Tracker

LOOKS_A_PHOTO = 12
"""How often a photograph of a folder is looked at: a table is read once several frames agree."""


def run(settings: Settings, *, in_lines: bool = False) -> int:
    """Follow the table until the pictures end or the view is left; gives the exit status.

    A journal with an unfinished match of the same game goes on where it stopped. Raises what
    makes following impossible: `CameraError`, `JournalError`, `PanelError`, `SettingsError`.
    """
    with ExitStack() as stack:
        camera = stack.enter_context(camera_of(settings))
        ledger = opened(settings, stack.enter_context(Journal(settings.journal)))
        panel = stack.enter_context(Panel(Wiring.from_mapping(settings.wiring)))
        loop = Loop(ledger, Texts.load(settings.language))
        for phrase in layout_for(settings, ledger.match).keyed.values():
            print(loop.texts.say(phrase), file=sys.stderr)
        eye = Eye(camera, tracker_for(settings, ledger.match, camera))
        appliance = Appliance(Booth(loop, panel), eye)
        view = plain if in_lines else partial(show, language=settings.language)
        _follow(appliance, view)
    return 0


def _follow(appliance: Appliance, display: Callable[[Appliance], None]) -> None:
    """Run with a display in the main thread; the terminal wants that one."""
    failures: list[BaseException] = []

    def follow() -> None:
        try:
            appliance.run()
        except BaseException as error:  # told by the main thread, which waits for it
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


def camera_of(settings: Settings) -> Camera:
    """The camera that the settings name; photographs in a folder are each looked at for a while."""
    folder = Path(settings.camera)
    return FolderCamera(folder, LOOKS_A_PHOTO) if folder.is_dir() else find_camera(settings.camera)


def opened(settings: Settings, journal: Journal) -> Ledger:
    """The match in the journal if it is one of this game and these seats, or a new one."""
    game, start = settings.rules(), settings.start
    if len(journal):
        ledger = Ledger.resumed(journal, now=time.time)
        state = ledger.match.state
        if state.game == game and state.start.seats == start.seats:
            return ledger
    return Ledger(Match(game, start), journal, now=time.time)


def layout_for(settings: Settings, match: Match) -> Layout:
    """Where the spots of the game lie on this table."""
    state = match.state
    return Layout.for_game(
        state.spots.values(),
        state.start.seats,
        settings.size_mm,
        around=settings.around,
        dealer_at=settings.dealer_at,
    )


def tracker_for(settings: Settings, match: Match, camera: Camera) -> Tracker:
    """A tracker for the game's spots as this camera sees them.

    Without corners in the settings the picture's own corners are taken for those of the table.
    """
    height, width = camera.frame(FRAME_TIMEOUT_S).image.shape[:2]
    whole = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    wide, high = settings.size_mm
    table = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    plane = Plane.from_points(table, settings.corners or whole)
    state = match.state
    spots = polygons(state, layout_for(settings, match), plane)
    return tracker_of(spots, plane, state.game.deck(state.start))
