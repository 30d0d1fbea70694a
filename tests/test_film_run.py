"""A film is a camera with its own clock: the same film gives the same acts anywhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.appliance import Appliance, Booth, Pace
from firmware.commands.cli import main
from firmware.display.snapshot import Snapshot
from firmware.eye import Eye
from firmware.follow.loop import Loop
from firmware.rehearsal.setting import setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.store.ledger import Ledger
from firmware.table.places import Places
from firmware.texts import Texts
from hardware.camera import FolderCamera
from hardware.press import Button, Pressed
from hardware.rig import PanelRig
from rules.cards import Card
from rules.match import Match
from rules.records import parse_record
from tests.rehearsing import settings_of
from vision.picture.plane import Plane
from vision.scene.items import Pose
from vision.sightings import Seen

SETTINGS = """
[table]
game = "ziginette"
seats = 3
level = "none"
[camera]
corners = [{corners}]
[console]
on = false
[voice]
says = "silent"
"""
CARDS = "QS 5D 7C"
RATE_HZ = 8.0
BETWEEN_S, LAST_S = 0.9, 1.6
"""How long a card lies before the hand comes again, and how long the last one lies."""


@pytest.fixture(scope="session")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of numbered pictures with their times: two cards to the board, one to the banker."""
    folder = tmp_path_factory.mktemp("filmed")
    table = Tabletop(setting(1), seed=1)
    (folder / "film").mkdir()
    corners = [table.matrix @ (x, y, 1.0) for x, y in ((0, 0), (1200, 0), (1200, 675), (0, 675))]
    written = ", ".join(f"[{u / w:.1f}, {v / w:.1f}]" for u, v, w in corners)
    (folder / "mine.toml").write_text(SETTINGS.format(corners=written))
    for number, (moment, picture) in enumerate(pictures(table)):
        name = f"{number:04}_{round(moment * 1000)}ms.jpg"
        cv2.imwrite(str(folder / "film" / name), picture)
    return folder


def pictures(table: Tabletop) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """What the camera sees while the cards are dealt, at an unsteady rate."""
    settings = settings_of("ziginette")
    state = Match(settings.rules(), settings.start).state
    layout = Places(Plane(table.matrix)).layout(state)
    now = 0.0
    for place, card in enumerate(CARDS.split()):
        spot = "board" if place < 2 else "banker"
        pose = Pose(*layout.places[spot].cell(place % 2))
        until = table.bring(table.piece(Card.parse(card)), pose, now=now, spot=spot)
        until += LAST_S if place == 2 else BETWEEN_S
        while now < until:
            yield now, table.frame(now)
            now += (0.7 + 0.6 * (round(now * 50) % 2)) / RATE_HZ


def run(filmed: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> tuple[int, str]:
    """The exit status and the record of following a film."""
    monkeypatch.chdir(filmed)
    record = filmed / "record.txt"
    status = main(
        ["run", "--plain", "--settings", "mine.toml", "--camera", str(filmed / "film"),
         "--record", str(record), *options]
    )  # fmt: skip
    return status, record.read_text()


def acts(record: str) -> list[str]:
    return [str(act) for hand in parse_record(record).match.hands for act in hand.acts]


def test_a_film_ends_with_its_record_and_what_was_followed(
    filmed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, record = run(filmed, monkeypatch)
    out = capsys.readouterr().out
    assert status == 0
    assert acts(record) == ["deal board QS", "deal board 5D", "deal banker 7C"]
    assert record in out
    assert "hand 1, not over" in out
    assert "Cards seen at rest: 3; followed: 3." in out


@pytest.mark.slow
@pytest.mark.parametrize("work", ["alone", "beside other work"])
def test_the_same_film_gives_the_same_acts_again_also_at_its_own_pace(
    filmed: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    _, once = run(filmed, monkeypatch)
    ended = threading.Event()
    other = threading.Thread(target=busy, args=(ended,))
    if work != "alone":
        other.start()
    began = time.monotonic()
    _, paced = run(filmed, monkeypatch, "--pace", "real")
    lasted = time.monotonic() - began
    ended.set()
    if work != "alone":
        other.join()
    assert once == paced
    last = max(int(path.stem.split("_")[1][:-2]) for path in (filmed / "film").iterdir())
    assert lasted > last / 1000


def busy(ended: threading.Event) -> None:
    while not ended.wait(0.005):  # half of the time, which is plenty
        np.linalg.svd(np.random.default_rng(0).random((60, 60)))


def test_an_empty_film_ends_with_status_1(
    filmed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for number in range(6):
        cv2.imwrite(str(empty / f"{number}_{number * 100}ms.png"), felt(60))
    monkeypatch.chdir(tmp_path)
    settings = ["--settings", str(filmed / "mine.toml")]
    assert main(["run", "--plain", *settings, "--camera", str(empty)]) == 1
    assert "Cards seen at rest: 0; followed: 0." in capsys.readouterr().out


def felt(level: int) -> NDArray[np.uint8]:
    return np.full((1080, 1920, 3), level, np.uint8)


# In lockstep.


class Noting:
    """A slow tracker that reports nothing and notes when each picture was taken."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def update(self, frame: NDArray[np.uint8], time_s: float) -> Seen:
        self.times.append(time_s)
        time.sleep(0.01 * (len(self.times) % 3))
        return Seen({}, frozenset(), (), time_s)


def followed(folder: Path, pace: Pace, at: Callable[[Appliance], None]) -> tuple[Noting, list[Any]]:
    """Follow a folder of pictures; return the snapshots' times after each round."""
    tracker, shown = Noting(), list[Any]()
    settings = settings_of("ziginette")
    with FolderCamera(folder) as camera, PanelRig() as rig:
        loop = Loop(
            Ledger(Match(settings.rules(), settings.start), now=lambda: 0.0), Texts.load("en")
        )
        booth = Booth(loop, rig.panel, clock=camera.now)
        appliance = Appliance(booth, Eye(camera, cast(Any, tracker)), pace=pace)

        def pulse() -> None:
            at(appliance)
            shown.append((loop.now, appliance.snapshot()))

        appliance.pulse = pulse
        appliance.run()
        assert not appliance.running
    return tracker, shown


@pytest.fixture
def numbered(tmp_path: Path) -> Path:
    times = (0.0, 0.1, 0.35, 0.4, 0.9, 1.0)
    for number in range(len(times)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), felt(number * 20))
    lines = [f"{number}.png {time_s}  # taken then" for number, time_s in enumerate(times)]
    (tmp_path / "times.txt").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.parametrize("pace", Pace)
def test_every_picture_is_seen_once_and_the_loop_keeps_the_film_s_clock(
    numbered: Path, pace: Pace
) -> None:
    tracker, shown = followed(numbered, pace, lambda _: None)
    assert tracker.times == [0.0, 0.1, 0.35, 0.4, 0.9, 1.0]
    assert sorted({now for now, _ in shown}) == tracker.times


def test_a_press_counts_at_the_film_s_time(numbered: Path) -> None:
    def press(appliance: Appliance) -> None:
        loop = appliance.booth.loop
        if loop.now == 0.35 and loop.notice is None:
            appliance.booth.press(Pressed(Button.FIX, 1e6))

    _, shown = followed(numbered, Pace.FAST, press)
    assert [now for now, _ in shown] == [0.0, 0.1, 0.35, 0.4, 0.9, 1.0]
    last = shown[-1][1]
    assert isinstance(last, Snapshot)
    assert last.time == 1.0
