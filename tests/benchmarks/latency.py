"""How long people wait: from a press or a card at rest to the lamp, and for the start; memory.

The appliance runs as at a real table, with its eye in a thread of its own and every act stored on
disk before it is acknowledged. The camera plays pictures of a simulated table that were drawn
beforehand, fifteen a second in real time.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.appliance import Appliance, Booth
from firmware.eye import Eye, tracker_of
from firmware.follow.loop import Loop
from firmware.rehearsal.setting import filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.table.places import Places
from firmware.texts import Texts
from hardware.camera import CallableCamera
from hardware.lamps import Lamp
from hardware.press import Button
from hardware.rig import PanelRig
from rules.cards import parse_cards
from rules.match import Match
from vision.picture.plane import Plane
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera

Row = tuple[str, float, str]
RATE_HZ = 15.0
SENSOR = "webcam"
"""The simulated camera, with noise, mains flicker and pictures that are dropped or late."""
PAUSE_S = 1.6
"""Pause between two cards of a quick dealer."""
CARDS = "QS 5D 7C 3D AC 4H JD 2S KD 6C"
PRESSES = 200
PRESS_S = 0.08
BETWEEN_S = 0.17
CATCH_UP_S = 5.0
"""How long to wait after the last card for the appliance to catch up."""
ROOT = Path(__file__).parents[2]
SETTINGS = {"table": {"game": "ziginette", "seats": 3, "limits": [1, 20], "level": "none"}}


@dataclass
class Film:
    """Pictures as a webcam sends them, and the times (seconds) at which cards come to rest."""

    pictures: list[NDArray[np.uint8]] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)


def measure() -> list[Row]:
    """The figures of the whole appliance on this machine."""
    with TemporaryDirectory() as folder:
        film, plane = drawn()
        cards, presses = waited(film, plane, Path(folder))
        ready, memory = started(film, Path(folder))
    return [
        ("a card at rest to its lamp, 95th percentile", percentile(cards, 95), "ms"),
        ("a card at rest to its lamp, median", percentile(cards, 50), "ms"),
        ("cards that were taken in", float(len(cards)), f"of {len(film.rests)}"),
        ("a press to its lamp, 99th percentile", percentile(presses, 99), "ms"),
        ("a press to its lamp, median", percentile(presses, 50), "ms"),
        ("start to ready", ready, "s"),
        ("memory at most", memory, "MB"),
        ("processes that wanted a core meanwhile", os.getloadavg()[0], f"of {os.cpu_count()}"),
    ]


def percentile(seconds: list[float], share: float) -> float:
    """A percentile in milliseconds; NaN if there are no figures."""
    return float(np.percentile(seconds, share)) * 1e3 if seconds else float("nan")


def drawn() -> tuple[Film, Plane]:
    """A hand's cards laid one after the other, drawn ahead of time with the camera's noise."""
    settings = Settings.from_mapping(SETTINGS)
    sensor = SENSORS[SENSOR]
    table, film, now = Tabletop(filmed(setting(seed=1), sensor), seed=1), Film(), 1.0
    camera = SimulatedCamera(sensor, seed=1)
    plane = Plane(table.matrix)
    state = settings.rules().open(settings.start)
    cells = {name: iter(p.cells) for name, p in Places(plane).layout(state).places.items()}
    for place, card in enumerate(parse_cards(CARDS)):
        spot = "banker" if place == 2 else "board"
        x, y, angle = next(cells[spot])
        piece = table.piece(card)
        end = table.bring(piece, Pose(x, y, angle), now=now, spot=spot)
        film.rests.append(_rest(table, now, end))
        now = max(end, film.rests[-1]) + PAUSE_S
        while len(film.pictures) < now * RATE_HZ:
            camera.lock()
            time_s = len(film.pictures) / RATE_HZ
            still = not table.moving(time_s)
            film.pictures.append(sent(camera.shoot(table.frame, time_s, still=still)))
    return film, plane


def _rest(table: Tabletop, now: float, end: float) -> float:
    """When the card comes to rest, which is before the hand has left."""
    (carry,) = [carry for gesture in table._gestures for carry in gesture.carries]
    assert now < carry.laid <= end
    return carry.laid


def sent(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture as a webcam sends it."""
    done, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 92))
    assert done
    return np.asarray(data, np.uint8)


class Projector:
    """Plays a film in real time; its last picture stays."""

    def __init__(self, film: Film) -> None:
        self.began: float | None = None
        self._film = film
        self._shown = -1

    def __call__(self) -> NDArray[np.uint8]:
        """Wait for the picture that is due next."""
        if self.began is None:
            self.began = time.monotonic()
        due = max(self._shown + 1, int((time.monotonic() - self.began) * RATE_HZ))
        time.sleep(max(0.0, self.began + due / RATE_HZ - time.monotonic()))
        self._shown = due
        data = self._film.pictures[min(due, len(self._film.pictures) - 1)]
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert picture is not None
        return np.asarray(picture, np.uint8)


def waited(film: Film, plane: Plane, folder: Path) -> tuple[list[float], list[float]]:
    """Seconds from each card at rest, and from each press, to the lamp."""
    settings, projector = Settings.from_mapping(SETTINGS), Projector(film)
    with (
        Journal(folder / "table.journal") as journal,
        PanelRig.live() as rig,
        CallableCamera(projector, live=True) as camera,
    ):
        match = Match(settings.rules(), settings.start)
        loop = Loop(Ledger(match, journal, now=time.time), Texts.load())
        places = Places(plane)
        outlines = places.outlines(loop.state)
        tracker = tracker_of(outlines, plane, loop.state.game.deck(loop.state.start))
        appliance = Appliance(Booth(loop, rig.panel), Eye(camera, tracker), places)
        lit: list[float] = []
        appliance.pulse = lambda: _note(appliance, rig, lit)
        worker = Thread(target=appliance.run)
        worker.start()
        _until(projector, len(film.pictures) / RATE_HZ + CATCH_UP_S)
        assert projector.began is not None
        cards = list(_matched([projector.began + rest for rest in film.rests], lit))
        presses = list(_pressed(rig))
        appliance.stop()
        worker.join()
    return cards, presses


def _note(appliance: Appliance, rig: PanelRig, lit: list[float]) -> None:
    """Note the time when the lamp acknowledges another card."""
    acts = sum(len(act.cards) for act in appliance.booth.loop.state.acts)
    if acts > len(lit) and Lamp.OK in rig.lit():
        lit += [time.monotonic()] * (acts - len(lit))


def _until(projector: Projector, seconds: float) -> None:
    while projector.began is None or time.monotonic() < projector.began + seconds:
        time.sleep(0.05)


def _matched(rests: list[float], lit: list[float]) -> Iterator[float]:
    for rest, lamp in zip(rests, lit, strict=False):
        yield lamp - rest


def _pressed(rig: PanelRig) -> Iterator[float]:
    """A finger that presses FIX at moments unrelated to the loop's."""
    pin = rig._lamp_pins()[Lamp.FIX]
    for number in range(PRESSES):
        time.sleep(BETWEEN_S + 0.0037 * (number % 11))
        was, touched = len(pin.changes), time.monotonic()
        rig.down(Button.FIX)
        time.sleep(PRESS_S)
        rig.up(Button.FIX)
        time.sleep(0.1)
        later = [moment for moment, _ in pin.changes if moment >= touched]
        if later and was <= len(pin.changes):
            yield later[0] - touched


def started(film: Film, folder: Path) -> tuple[float, float]:
    """Seconds until `run` says that it is ready, and its peak memory in megabytes."""
    (folder / "table").mkdir()
    for number, data in enumerate(film.pictures[:: len(film.pictures) // 9]):
        (folder / "table" / f"{number:02}.jpg").write_bytes(data.tobytes())
    (folder / "my.toml").write_text(
        '[table]\ngame = "ziginette"\n[camera]\nsource = "table"\n[voice]\nsays = "silent"\n'
        '[console]\nlisten = "127.0.0.1:0"\n'
    )
    return running(folder)


def running(folder: Path) -> tuple[float, float]:
    """The same of `run` with the settings `my.toml` in a folder, and memory as in the service."""
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(folder / "notify"))
    environ = {**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "PYTHONPATH": str(ROOT)}
    unit = ROOT / "firmware" / "install" / "mazziere.service"
    environ |= dict(re.findall(r"^Environment=(MALLOC_\w+)=(\w+)$", unit.read_text(), re.M))
    command = [sys.executable, "-m", "firmware", "run", "--plain", "--settings", "my.toml"]
    begun = time.monotonic()
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=folder, env=environ, stdout=quiet, stderr=quiet) as service:
        manager.recv(4096)
        ready = time.monotonic() - begun
        memory = 0.0
        while service.poll() is None:
            memory = max(memory, _most_megabytes(service.pid))
            time.sleep(0.05)
    manager.close()
    return ready, memory


def _most_megabytes(process: int) -> float:
    """The peak memory of a process so far, in megabytes; 0 once it has gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    for what, value, unit in measure():
        print(f"{what:<64} {value:10.3g} {unit}")
