"""Count hands that lie face down as people lay them: ``python -m tests.hidden_hands``.

On each seed's simulated table lie the stock and four hands of two to seven backs, dealt into rows:
beside each other, with hardly any table between them, or partly over the last one. A simulated
camera takes the picture, and the reader looks at the stock and then at each hand, as the appliance
does. Each line of the log says how many backs each hand of a table has, how many were counted and
how many asked about; an interrupted run resumes where its log ends.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path

import numpy as np

from firmware.rehearsal.setting import AREA, filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.table.place import CARD_MM
from rules.cards import BACK
from tests import logs
from vision.join.measures import Measures
from vision.join.proportions import Proportions
from vision.picture.geometry import Box, Frame
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.sightings import INDEX_MM

SETTLED_S = 5.0
"""Time from the deal to the picture, when the camera has settled."""
MIDDLES = ((0.27, 0.25), (0.73, 0.25), (0.27, 0.72), (0.73, 0.72))
"""The middle of each hand, in shares of the table's sides."""
LOOKS = 3
"""How often the stock is looked at before the first hand, which tells the size of a card."""
STOCK = Pose(AREA[0] / 2, AREA[1] / 2, 90.0)
"""A back by itself in the middle of the table, mm and degrees."""
SLANT_DEG = 8.0
"""How far a hand is turned at most, from along the table's longer side."""
MOST = 7
"""Most backs of a hand: Pai Gow Poker's and Anaconda's have seven."""
OVERLAPS = 0.35
"""Chance of a card to be laid partly over the last one, slightly more than a careless dealer's."""
OVER_MM, GAP_MM = (18.0, 50.0), (0.3, 4.0)
"""How far a card that lies over the last one is from it, and the gap beside another."""
SCATTER_MM, ASKEW_DEG = 3.0, 4.0
"""How far a card lies from its row at most, and how far it is turned; over another, by twice as
much, beside it, by a third."""
REACH_MM = 12.0
"""How far around its cards a hand is looked at."""


@dataclass(frozen=True)
class Hand:
    """The places of a hand's cards, lowest first."""

    poses: tuple[Pose, ...]

    def box(self, plane: Plane) -> Box:
        """The part of the picture that shows it."""
        far = max(CARD_MM) / 2 + REACH_MM
        around = [
            plane.pixels((one.x + x, one.y + y))
            for one in self.poses
            for x in (-far, far)
            for y in (-far, far)
        ]
        return Box.around(around)


def hands(seed: int) -> tuple[Hand, ...]:
    """The hands of a seed's table."""
    rng = np.random.default_rng((seed, 92))
    return tuple(_hand(rng, x * AREA[0], y * AREA[1]) for x, y in MIDDLES)


def _hand(rng: np.random.Generator, x: float, y: float) -> Hand:
    """One hand around a place, seen from either side of the table."""
    way = 180.0 * int(rng.integers(2)) + SLANT_DEG * float(rng.uniform(-1, 1))
    along, row = 0.0, []
    for number in range(int(rng.integers(2, MOST + 1))):
        over = number and rng.random() < OVERLAPS
        step = float(rng.uniform(*OVER_MM)) if over else CARD_MM[0] + float(rng.uniform(*GAP_MM))
        along += step if number else 0.0
        turn = float(rng.uniform(-1, 1)) * ASKEW_DEG * (2 if over else 0.3)
        row.append((along, float(rng.uniform(-1, 1)) * SCATTER_MM, turn))
    middle, right, down = along / 2, radians(way), radians(way + 90)
    return Hand(
        tuple(
            Pose(
                x + (at - middle) * cos(right) + off * cos(down),
                y + (at - middle) * sin(right) + off * sin(down),
                way + turn,
            )
            for at, off, turn in row
        )
    )


def picture(seed: int, sensor: str) -> tuple[Frame, Plane]:
    """A picture of a seed's table by a simulated camera, and where the table lies in it."""
    camera = SimulatedCamera(SENSORS[sensor], seed)
    table, now = Tabletop(filmed(setting(seed), SENSORS[sensor]), seed=seed), 0.0
    for hand in (Hand((STOCK,)), *hands(seed)):
        pieces = [(table.piece(BACK, up=False), pose, "") for pose in hand.poses]
        now = table.packet(pieces, now=now) + SETTLED_S
    return camera.shoot(table.frame, now, still=True), Plane(table.matrix)


def told(seed: int, sensor: str) -> Iterator[tuple[int, int, int]]:
    """How many backs each hand has, how many were counted, and how many were asked about."""
    frame, plane = picture(seed, sensor)
    middle = plane.pixels((AREA[0] / 2, AREA[1] / 2))
    index = INDEX_MM * plane.scale((AREA[0] / 2, AREA[1] / 2))
    deck = Proportions(measures=Measures.on(plane, middle, index))
    reader = CardReader(index_height=index, deck=deck)
    for _ in range(LOOKS):
        reader.read(frame, regions=[Hand((STOCK,)).box(plane)])
    for hand in hands(seed):
        reading = reader.read(frame, regions=[hand.box(plane)])
        sure = sum(not one.doubtful for one in reading.sightings)
        yield len(hand.poses), sure, len(reading.sightings) - sure


def main(arguments: Sequence[str] | None = None) -> int:
    """Count many hands; status 1 if fewer than 99 % are counted right."""
    parser = ArgumentParser(prog="python -m tests.hidden_hands", description=__doc__)
    parser.add_argument("--count", type=int, default=50, help="tables, of four hands each")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--sensor", default="webcam", choices=SENSORS)
    parser.add_argument("--log", type=Path, default=Path("hidden_hands.jsonl"))
    options = parser.parse_args(arguments)
    code = logs.version(("vision", "firmware/rehearsal", "tests/hidden_hands.py"))
    known = {(one["seed"], one["sensor"]): one for one in logs.current(options.log, code)}
    right = fewer = more = asked = 0
    with options.log.open("a", encoding="utf-8") as log:
        for seed in range(options.first, options.first + options.count):
            if (seed, options.sensor) not in known:
                row = {"seed": seed, "sensor": options.sensor, "code": code,
                       "hands": list(told(seed, options.sensor))}  # fmt: skip
                print(json.dumps(row), file=log, flush=True)
                known[seed, options.sensor] = row
            for laid, sure, doubtful in known[seed, options.sensor]["hands"]:
                right += laid == sure and not doubtful
                more += sure > laid
                fewer += sure + doubtful < laid
                asked += sure <= laid <= sure + doubtful and bool(doubtful)
    every = right + fewer + more + asked
    print(f"{right} of {every} hands right, {asked} asked, {fewer} too few, {more} too many")
    return 0 if right >= 0.99 * every else 1


if __name__ == "__main__":
    sys.exit(main())
