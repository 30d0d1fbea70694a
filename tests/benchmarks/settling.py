"""How long it takes until a card is settled and until its lamp is lit, in the film's own time.

``python -m tests.benchmarks.settling [--hands N] [SENSOR…]`` deals the ten cards of a hand, the
hand leaving after each, under each simulated camera at fifteen pictures per second. A picture
reaches the loop when it is taken; the time to read it, explain it and store the act on disk is
added once it lights the lamp, as processor time, so that other programs' work matters little.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time, time

import cv2
import numpy as np

from firmware.display.prompts import STEADY
from firmware.eye import tracker_of
from firmware.follow.loop import Loop
from firmware.rehearsal.setting import filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.table.places import Places
from firmware.texts import Texts
from rules.cards import Card, parse_cards
from rules.match import Match
from tests.benchmarks.latency import CARDS, PAUSE_S, RATE_HZ, SETTINGS, sent
from vision.picture.geometry import Frame
from vision.picture.plane import Plane
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.sightings import Seen


@dataclass
class Wait:
    """Seconds from a card at rest to its report and to its lit lamp; None if never."""

    settled: float = float("nan")
    lit: float = float("nan")
    spent: float = 0.0
    """Time spent on the picture that lit the lamp, included in `lit`."""


class Followed:
    """A simulated table and camera, and everything that follows them, picture by picture."""

    def __init__(self, sensor: str, seed: int, journal: Journal) -> None:
        settings = Settings.from_mapping(SETTINGS)
        self.table = Tabletop(filmed(setting(seed=seed), SENSORS[sensor]), seed=seed)
        self.camera = SimulatedCamera(SENSORS[sensor], seed)
        self.plane, self.taken = Plane(self.table.matrix), 0
        match = Match(settings.rules(), settings.start)
        self.loop = Loop(Ledger(match, journal, now=time), Texts.load())
        state = self.loop.state
        outlines = Places(self.plane).outlines(state)
        self.tracker = tracker_of(outlines, self.plane, state.game.deck(state.start))
        self.camera.lock()

    @property
    def now(self) -> float:
        """Time of the last picture (s)."""
        return self.taken / RATE_HZ

    def look(self) -> tuple[Seen, float]:
        """Take a picture in; return what is seen after it, and the time spent (s)."""
        self.taken += 1
        self.camera.lock()
        still = not self.table.moving(self.now)
        data = sent(self.camera.shoot(self.table.frame, self.now, still=still))
        begun = process_time()
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert picture is not None
        frame: Frame = np.asarray(picture, np.uint8)
        seen = self.tracker.update(frame, self.now)
        self.loop.see(seen)
        self.loop.effects()
        return seen, process_time() - begun


def waits(sensor: str, seed: int = 1) -> list[Wait]:
    """The waits for each card of a hand."""
    with TemporaryDirectory() as folder, Journal(Path(folder) / "table.journal") as journal:
        return list(_waits(Followed(sensor, seed, journal)))


def _waits(followed: Followed) -> Iterator[Wait]:
    layout = Places(followed.plane).layout(followed.loop.state)
    cells = {name: iter(place.cells) for name, place in layout.places.items()}
    now = 1.0
    for place, card in enumerate(parse_cards(CARDS)):
        spot = "banker" if place == 2 else "board"
        x, y, angle = next(cells[spot])
        table = followed.table
        end = table.bring(table.piece(card), Pose(x, y, angle), now=now, spot=spot)
        (carry,) = [carry for gesture in table._gestures for carry in gesture.carries]
        yield _waited(followed, spot, card, carry.laid, until=end + PAUSE_S)
        now = end + PAUSE_S


def _waited(followed: Followed, spot: str, card: Card, laid: float, *, until: float) -> Wait:
    """The waits for a card that comes to rest at `laid`."""
    wait, loop = Wait(), followed.loop
    while followed.now < until:
        seen, spent = followed.look()
        if np.isnan(wait.settled) and _told(seen, spot, card):
            wait.settled = followed.now - laid
        lit = loop.prompt.lamps["ok"] == STEADY and card in loop.state.table.view(spot)
        if np.isnan(wait.lit) and lit:
            wait.lit, wait.spent = followed.now - laid + spent, spent
    return wait


def _told(seen: Seen, spot: str, card: Card) -> bool:
    there = [one.card for one in seen.spots[spot] if not one.doubtful]
    return spot not in seen.busy and card in there


def main() -> None:
    """Print one line per camera."""
    parser = ArgumentParser(prog="python -m tests.benchmarks.settling", description=__doc__)
    parser.add_argument("--hands", type=int, default=4)
    parser.add_argument("sensors", nargs="*", default=["clean", "webcam"])
    asked = parser.parse_args()
    for sensor in asked.sensors:
        found = [wait for seed in range(1, asked.hands + 1) for wait in waits(sensor, seed)]
        print(
            f"{sensor:10} settled {_line([wait.settled for wait in found])}\n"
            f"{'':10} lit {_line([wait.lit for wait in found])}, "
            f"of which {_line([wait.spent for wait in found])} on the last picture",
            flush=True,
        )


def _line(seconds: list[float]) -> str:
    known = np.array([each for each in seconds if not np.isnan(each)]) * 1000
    return (
        f"{len(known)} of {len(seconds)}; median {np.median(known):.0f} ms, "
        f"95th percentile {np.percentile(known, 95):.0f} ms"
    )


if __name__ == "__main__":
    main()
