"""From a bare `mazziere run` in an empty home to the first card followed: by touch, in a browser.

Films, folders and a stand-in for a webcam show a drawn table; nothing is typed, and at most five
touches are made, including the one on the link.
"""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.commands.cli import main
from firmware.display.snapshot import Desk
from firmware.rehearsal.setting import AREA, SIZE, setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from firmware.table.places import Places
from hardware.camera import CallableCamera
from hardware.finding import FoundCamera
from rules.acts import Verb
from rules.cards import Card
from rules.state import State
from tests import browsing
from tests.browsing import PHONE, Page
from tests.console_desk import PATIENCE_S
from tests.draws import mostly_nightly
from vision.picture.plane import Plane
from vision.scene.items import Pose

pytestmark = browsing.wanted
TOUCHES_MOST = 5
RATE_HZ = 6.0
EMPTY_S, LAST_S = 1.5, 3.0
"""How long the table is bare at first, and how long the last card lies."""
BARE_S, FRAME_S = 10.0, 0.1
"""How long a webcam sees the bare table before the first deal, since people sit down first; and the
interval between its pictures, seconds."""
FILM = (1280, 720)
"""Size of a film: a minute of pictures of `SIZE` would take longer to write than everything
else."""
GAMES = (
    ("ziginette", "Ziginette"),
    ("tribello", "Tribello"),
    ("ace-deuce-jack", "Ace Deuce Jack"),
    ("guts", "Guts"),
    ("soko", "Soko"),
    ("pineapple", "Pineapple"),
)
"""Games whose first card goes to a place that the camera sees; elsewhere it goes into a hand."""


@dataclass
class Site:
    """The address of the console."""

    url: str


class Screen(io.StringIO):
    """A terminal that somebody looks at."""

    def isatty(self) -> bool:
        return True


def first_state(game: str) -> State:
    """The first hand, with the limits set if the game needs some."""
    settings = Settings.from_mapping({"table": {"game": game, "limits": [1, 20]}})
    state: State = settings.rules().open(settings.start)
    while not any(one.verb is Verb.DEAL for one in state.turn.awaited):
        assert state.turn.due is not None, state.phase
        state = state.play(state.turn.due)  # an ante, which the first card makes certain
    return state


class Drawn:
    """A drawn table with its first deal, seen by a camera whose view is just the table."""

    def __init__(self, game: str) -> None:
        state = first_state(game)
        self._table = Tabletop(setting(3), seed=3)
        corners = np.array([(0, 0), (AREA[0], 0), AREA, (0, AREA[1])], np.float32)[None]
        self._seen = cv2.perspectiveTransform(corners, self._table.matrix)[0].astype(np.float32)
        self._deal(state)

    def _deal(self, state: State) -> None:
        deals = next(one for one in state.turn.awaited if one.verb is Verb.DEAL)
        spot = deals.spots[0]
        place = Places(Plane(self._table.matrix)).layout(state).places[spot]
        deck = iter(state.game.deck(state.start).cards)
        now = EMPTY_S
        for number in range(deals.pick):
            pose = Pose(*place.cell(number))
            piece = self._table.piece(Card.parse(str(next(deck))), up=not deals.down)
            now = self._table.bring(piece, pose, now=now, spot=spot) + 0.2
        self.lasts = now + LAST_S

    def frames(self, size: tuple[int, int] = SIZE) -> Iterator[tuple[float, NDArray[np.uint8]]]:
        """The pictures with their times in seconds."""
        wide, high = size
        picture = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        square = cv2.getPerspectiveTransform(self._seen, picture)
        for now in np.arange(0.0, self.lasts, 1 / RATE_HZ):
            drawn = cv2.warpPerspective(self._table.frame(float(now)), square, size)
            yield float(now), np.asarray(drawn, np.uint8)

    def film(self, file: Path) -> Path:
        """A film whose last picture stays for as long as somebody looks."""
        codec = cv2.VideoWriter.fourcc(*"mp4v")
        writer = cv2.VideoWriter(str(file), codec, RATE_HZ, FILM)
        pictures = [picture for _, picture in self.frames(FILM)]
        for picture in [*pictures, *[pictures[-1]] * round(PATIENCE_S * RATE_HZ)]:
            writer.write(picture)
        writer.release()
        return file

    def folder(self, folder: Path) -> Path:
        """A folder of numbered pictures with their times."""
        folder.mkdir()
        pictures = list(self.frames())
        # The table stays as it is for as long as somebody looks.
        stays = np.arange(self.lasts, self.lasts + PATIENCE_S, 0.5)
        for moment, picture in pictures:
            cv2.imwrite(str(_dated(folder, moment)), picture)
        for moment in stays:
            _dated(folder, moment).hardlink_to(_dated(folder, pictures[-1][0]))
        return folder


def _dated(folder: Path, moment: float) -> Path:
    """The file for the picture taken at a moment, in seconds."""
    return folder / f"{round(moment * 1000):06}_{round(moment * 1000)}ms.jpg"


class Machine:
    """A machine with an empty home, on which somebody has typed `mazziere run`."""

    def __init__(self, arguments: list[str], patch: pytest.MonkeyPatch) -> None:
        self.screen = Screen()
        patch.setattr("sys.stderr", self.screen)
        self._left = threading.Event()
        patch.setattr("firmware.service.plain", self._look)
        listening = ["--console", "127.0.0.1:0", "--plain"]  # a port that is free
        self._thread = threading.Thread(
            target=self._run, args=(["run", *listening, *arguments],), daemon=True
        )
        self._thread.start()

    def _run(self, arguments: list[str]) -> None:
        main(arguments)

    def _look(self, desk: Desk) -> None:
        """Look at the screen until something else is shown there, or until somebody leaves."""
        while desk.running and not self._left.wait(0.05):
            pass

    def leave(self) -> None:
        """Quit the program."""
        self._left.set()
        self._thread.join(PATIENCE_S)

    def link(self) -> str:
        """The link shown on the screen."""
        end = time.monotonic() + PATIENCE_S
        while (found := re.search(r"http://\S+#/enter/\S+", self.screen.getvalue())) is None:
            assert time.monotonic() < end, self.screen.getvalue()
            time.sleep(0.05)
        return found[0]


class Person:
    """Somebody with a telephone, whose touches are counted."""

    def __init__(self, driver: Any, link: str) -> None:
        driver.delete_all_cookies()
        driver.get("about:blank")
        self.page = Page(driver, Site(link.partition("#")[0]))
        self.page.size(PHONE)
        driver.get(link)
        self.touches = 1

    def touch(self, label: str) -> None:
        self.touches += 1
        self.page.touch(f'[data-key="option {label}"]')


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    return tmp_path


def begins(person: Person, title: str) -> None:
    """Choose the game, its limits if it has some, and begin."""
    person.touch(title)
    person.page.says(title, ".prompt")
    if person.page.all('[data-key="option Limits: asked later"]'):
        person.touch("Limits: asked later")
        person.touch("1\N{EN DASH}20")
    person.page.one('[data-key="option Begin"]')
    person.page.shot(f"first-table-{title}")
    person.touch("Begin")


def sees_a_card(person: Person, shot: str) -> None:
    person.page.one(".felt-place .card")
    person.page.until(lambda: person.page.all(".act-row"), "the first act")
    # The card reveals the size of the table once two looks at it have agreed.
    person.page.until(lambda: "assumed" not in person.page.one(".prompt").text, "a measured table")
    person.page.shot(shot)
    assert person.touches <= TOUCHES_MOST
    assert person.page.complaints() == []


def filmed(kind: str, game: str, home: Path) -> Path:
    """The first deal as a film, or as a folder of pictures with their times."""
    drawn = Drawn(game)
    return drawn.film(home / "film.mp4") if kind == "film" else drawn.folder(home / "folder")


SOURCES = [(kind, game) for kind in ("folder", "film") for game, _ in GAMES]


@pytest.mark.parametrize(("kind", "game"), mostly_nightly(SOURCES, SOURCES[0]))
def test_a_film_is_followed_after_five_touches(
    kind: str, game: str, chromium: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = dict(GAMES)[game]
    film = filmed(kind, game, home)
    machine = Machine(["--camera", str(film), "--pace", "real"], monkeypatch)
    person = Person(chromium, machine.link())
    person.page.says("What is played?")
    person.page.shot(f"first-{game}-game")
    begins(person, title)
    sees_a_card(person, f"first-{game}")
    machine.leave()


def webcam(drawn: Drawn) -> Callable[[str], CallableCamera]:
    """A stand-in for whatever camera is opened: live, and always at the current time."""
    pictures, began = list(drawn.frames()), list[float]()
    dice = np.random.default_rng(0)
    noise = [dice.integers(0, 3, (*SIZE[::-1], 3), dtype=np.uint8) for _ in range(5)]

    def picture() -> NDArray[np.uint8]:
        """No two pictures of a sensor are the same: one that repeats itself has frozen."""
        if began:  # like a webcam, which gives no picture early
            time.sleep(max(0.0, began[-1] + FRAME_S - time.monotonic()))
        began.append(time.monotonic())
        now = max(0.0, time.monotonic() - began[0] - BARE_S)
        shown = [shown for moment, shown in pictures if moment <= now][-1]
        return np.asarray(cv2.add(shown, noise[len(began) % len(noise)]), np.uint8)

    return lambda _: CallableCamera(picture, live=True)


@pytest.mark.slow  # a film begins in the same way
@pytest.mark.parametrize(("game", "title"), GAMES)
def test_a_webcam_that_is_connected_later_is_found_and_remembered(
    game: str, title: str, chromium: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected: list[FoundCamera] = []
    monkeypatch.setattr("hardware.finding.found_cameras", lambda: tuple(connected))
    monkeypatch.setattr("firmware.table.cameras.find_camera", webcam(Drawn(game)))
    machine = Machine([], monkeypatch)
    person = Person(chromium, machine.link())
    begins(person, title)
    person.page.says("No camera found.", ".prompt")
    person.page.shot(f"first-{game}-camera")
    connected.append(FoundCamera("/dev/video2", "Integrated Camera"))
    sees_a_card(person, f"first-{game}-webcam")
    machine.leave()
    kept = (home / "state" / "mazziere" / "settings.toml").read_text()
    assert f'game = "{game}"' in kept
    assert 'source = "/dev/video2"' in kept
