"""The cost of cards dealt face down: the first, second and third card in front of a seat.

They are dealt one by one to four seats, overlapping as hole cards do, under a simulated webcam.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import process_time

import cv2
import numpy as np

from firmware.rehearsal.setting import AREA, filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import BACK
from tests.benchmarks.vision import FRAME_S, INDEX_MM, Row, Take, taken
from vision.picture.geometry import Polygon
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.track.tracker import Tracker

HANDS = 3
"""Number of cards per seat."""
SEATS = ((190.0, 150.0), (1000.0, 150.0), (190.0, 560.0), (1000.0, 560.0))
"""Position of each seat's first card (mm)."""
REACH_MM = 130.0
LONGEST = 60
"""Largest number of frames to wait for the table to settle."""


def measure() -> list[Row]:
    """The cost of each card of a seat until it is reported, relative to a full read in between."""
    cv2.setNumThreads(1)
    spent: dict[int, list[float]] = {place: [] for place in range(HANDS)}
    slowest: dict[int, list[float]] = {place: [] for place in range(HANDS)}
    full: list[float] = []
    for seed in (1,):
        for place, took, read in _dealt(seed):
            spent[place].append(sum(took))
            slowest[place].append(max(took))
            full.append(read)
    usual = median(full)
    rows = [("a full read of the table", usual, "ms")]
    for place in range(HANDS):
        name = f"card {place + 1} of a seat, face down"
        rows.append((f"{name}, all frames against a full read", median(spent[place]) / usual, "x"))
        rows.append((f"{name}, the slowest frame", median(slowest[place]) / usual, "x"))
    return rows


def _dealt(seed: int) -> Iterator[tuple[int, list[float], float]]:
    """For each card dealt: its number at its seat, its frames' times and a full read's (ms)."""
    sensor, rng = SENSORS["webcam"], np.random.default_rng(seed)
    table = Tabletop(filmed(setting(seed=seed), sensor), seed=seed)
    take, plane = taken(table, SimulatedCamera(sensor, seed=seed)), Plane(table.matrix)
    reader = CardReader(index_height=INDEX_MM * plane.scale((AREA[0] / 2, AREA[1] / 2)))
    spots = {str(seat): _around(plane, at) for seat, at in enumerate(SEATS)}
    tracker = Tracker(reader, spots)
    now = _quiet(take, tracker, 0.0)[0]
    for place in range(HANDS):
        for x, y in SEATS:
            nudged = rng.normal(0, 4, 2)
            pose = Pose(x + 22 * place + nudged[0], y + nudged[1], float(rng.normal(0, 5)))
            now = table.bring(table.piece(BACK), pose, now=now)
            now, took = _quiet(take, tracker, now)
            begun = process_time()
            reader.read(take(now + FRAME_S / 2))
            yield place, took, (process_time() - begun) * 1000


def _around(plane: Plane, at: tuple[float, float]) -> Polygon:
    (x, y), far = at, REACH_MM
    ends = [(x - far, y - far), (x + far, y - far), (x + far, y + far), (x - far, y + far)]
    return Polygon(plane.outline(ends))


def _quiet(take: Take, tracker: Tracker, time: float) -> tuple[float, list[float]]:
    """Follow the table until its spots are quiet; return that time and each frame's cost (ms)."""
    took: list[float] = []
    while len(took) < LONGEST:
        time += FRAME_S
        frame, begun = take(time), process_time()
        seen = tracker.update(frame, time)
        took.append((process_time() - begun) * 1000)
        if len(took) > 3 and not seen.busy:
            break
    return time, took
