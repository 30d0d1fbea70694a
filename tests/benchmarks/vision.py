"""How fast the reader is: a whole picture, one new card on a known table, an unchanged frame.

The pictures are a simulated webcam's, with its noise, as motion JPEG.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import process_time

import cv2
import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray

from firmware.rehearsal.setting import AREA, SIZE, filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import parse_cards
from vision.find.finder import _padded
from vision.network import WEIGHTS, Network
from vision.picture.geometry import Box, Frame, Polygon
from vision.picture.plane import Plane
from vision.picture.pyramid import Pyramid
from vision.read.scales import IDEAL
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.track.motion import shrunken
from vision.track.surveying import HALF_INDEX
from vision.track.tracker import Tracker

Row = tuple[str, float, str]
Picture = NDArray[np.float32] | NDArray[np.uint8]
Take = Callable[[float], Frame]
"""Takes a picture at a time (s)."""
SENSOR = "webcam"
CARDS = parse_cards("QS 5D 7C AH 2S KD 6C JH 4D TC")
"""Nine cards on the table, and the tenth that is added."""
REPEATS = 9
PLACES = ((1050.0, 560.0, 20.0), (1050.0, 200.0, -15.0), (600.0, 640.0, 80.0))
"""Where the new card is laid, three times each: position in millimetres, rotation in degrees."""
FRAME_S = 0.1
INDEX_MM = 17.0
WIDE_MM, HIGH_MM = 63.5, 88.9


def measure() -> list[Row]:
    """Rows of what was measured on one thread, the figure and its unit."""
    # Waiting threads count as processor time too.
    cv2.setNumThreads(1)
    sensor = SENSORS[SENSOR]
    table = Tabletop(filmed(setting(seed=1), sensor), seed=1)
    take = taken(table, SimulatedCamera(sensor, seed=1))
    plane = Plane(table.matrix)
    index = INDEX_MM * plane.scale((AREA[0] / 2, AREA[1] / 2))
    now = 0.0
    for place, card in enumerate(CARDS[:-1]):
        pose = Pose(150.0 + 220 * (place % 5), 180.0 + 260 * (place // 5), 7.0 * place)
        now = table.bring(table.piece(card), pose, now=now)
    frames = [take(now + 1 + step * FRAME_S) for step in range(REPEATS)]
    reader = CardReader(index_height=index, threads=1)
    assert len(reader.read(frames[0]).sightings) >= len(CARDS) - 2
    return [
        *_whole(reader, frames),
        *_tracked(table, take, reader, plane, now),
        *_runtimes(frames[0], index),
        ("memory of a process that reads three pictures of a striped table", _memory(), "MiB"),
    ]


def taken(table: Tabletop, camera: SimulatedCamera) -> Take:
    """A camera above the table whose exposure is locked as soon as possible."""

    def take(time: float) -> Frame:
        camera.lock()
        return camera.shoot(table.frame, time, still=not table.moving(time))

    return take


def _whole(reader: CardReader, frames: list[Frame]) -> list[Row]:
    """A full read, alternating with a network of YOLO11n's size on one picture of 640 by 640."""
    what = f"{SIZE[0]} by {SIZE[1]}, nine cards read"
    try:
        from tests.benchmarks.yolo import SIDE, build  # noqa: PLC0415 - needs onnx
    except ImportError:
        return [(what, median(_timed(lambda f=f: reader.read(f)) for f in frames), "ms")]  # type: ignore[misc]
    model, parameters, operations = build()
    picture = np.random.default_rng(0).random((1, 3, SIDE, SIDE), np.float32)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    full, beside = [], []
    for frame in frames:
        full.append(_timed(lambda frame=frame: reader.read(frame)))  # type: ignore[misc]
        beside.append(_timed(lambda: session.run(None, {"picture": picture})))
    size = f"{parameters / 1e6:.1f} M parameters, {operations / 1e9:.1f} GFLOP"
    net = cv2.dnn.readNetFromONNX(np.frombuffer(model, np.uint8))
    return [
        (what, median(full), "ms"),
        (f"a network of {size} on 640 by 640", median(beside), "ms"),
        ("the first against the second", median(full) / median(beside), "times"),
        ("the same in OpenCV's module", _forward(net, picture), "ms"),
    ]


_ALONE = """
import numpy as np
from pathlib import Path
from vision.reader import CardReader
boards = np.where(np.arange(1920) // 24 % 2, 90, 230).astype(np.uint8)
frame, reader = np.dstack([np.tile(boards, (1080, 1))] * 3), CardReader(index_height=27.0)
for _ in range(3):
    reader.read(frame)
lines = Path("/proc/self/status").read_text().splitlines()
print(int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024)
"""


def _memory() -> float:
    """Peak memory of a separate process, in MiB; a dim picture takes 6 more.

    Stripes leave no bare areas, so that the whole picture is searched.
    """
    told = subprocess.run(
        [sys.executable, "-c", _ALONE], capture_output=True, text=True, check=True
    )
    return float(told.stdout)


def _runtimes(frame: Frame, index: float) -> list[Row]:
    """The finder alone on the reduced frame, in both runtimes."""
    part = _padded(Pyramid(frame).scaled(Box(0, 0, *SIZE), IDEAL / index))[None]
    finder = Network(WEIGHTS / "finder.onnx", ("maps",))
    rows = [
        ("the finder alone", median(_timed(lambda: finder(part)) for _ in range(REPEATS)), "ms")
    ]
    try:
        net = cv2.dnn.readNetFromONNX(str(WEIGHTS / "finder.onnx"))
        return [*rows, ("the finder in OpenCV's module", _forward(net, part), "ms")]
    except cv2.error:
        # Older versions support neither byte inputs nor this graph's variable sizes.
        return rows


def _forward(net: cv2.dnn.Net, picture: Picture) -> float:
    net.setInput(picture)
    return median(_timed(net.forward) for _ in range(REPEATS))


def _timed(work: Callable[[], object]) -> float:
    """Processor time in milliseconds: other programs' work matters little."""
    begun = process_time()
    work()
    return (process_time() - begun) * 1000


def _half(frame: Frame) -> object:
    return cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def _tracked(
    table: Tabletop, take: Take, reader: CardReader, plane: Plane, now: float
) -> list[Row]:
    """An unchanged frame and what settles one new card, alternating with full reads."""
    wide, high = AREA
    board = Polygon(plane.outline([(0, 0), (wide, 0), (wide, high), (0, high)]))
    tracker = Tracker(reader, {"board": board})
    time = now + 1
    unchanged, halves, slowest, together, full, again = [], [], [], [], [], []
    for step in range(REPEATS):
        time = _settled(take, tracker, time)[0]
        for _ in range(3):
            time += FRAME_S
            frame = take(time)
            unchanged.append(_timed(lambda frame=frame, time=time: tracker.update(frame, time)))  # type: ignore[misc]
            # A fresh frame too: one that was just looked at is already in the processor's cache.
            frame = take(time + FRAME_S / 2)
            halves.append(_timed(lambda frame=frame: _half(frame)))  # type: ignore[misc]
        frame = take(time + FRAME_S)
        begun = process_time()
        known = reader.survey(frame).glances[0]
        full.append((process_time() - begun) * 1000)
        pose = Pose(*PLACES[step % len(PLACES)])
        time = table.bring(table.piece(CARDS[-1]), pose, now=time + FRAME_S)
        time, new = _settled(take, tracker, time)
        slowest.append(max(new))
        together.append(sum(new))
        frame = take(time + FRAME_S / 2)
        # The reduced picture belongs to the motion watch, which detects an unchanged frame.
        small, place = shrunken(frame)[0], _around(pose, plane)
        begun = process_time()
        reader.again(frame, known, [place], small=small)
        again.append((process_time() - begun) * 1000)
        time = table.take(table.resting[-1:], now=time + FRAME_S)
    return [
        ("an unchanged frame of a known table", median(unchanged), "ms"),
        ("a fresh frame shrunk to half", median(halves), "ms"),
        ("the first against the second", median(unchanged) / median(halves), "times"),
        ("one new card read where the others are known", median(again), "ms"),
        ("a full read in between", median(full), "ms"),
        ("the first against the second", median(again) / median(full), "times"),
        ("the slowest frame of a new card, watching and deciding too", median(slowest), "ms"),
        ("that against a full read", median(slowest) / median(full), "times"),
        ("all frames that settle one new card", median(together), "ms"),
    ]


def _around(pose: Pose, plane: Plane) -> Box:
    """The part of the picture changed by a card, including the indices that reach into it."""
    corners = np.array([(x * WIDE_MM / 2, y * HIGH_MM / 2) for x in (-1, 1) for y in (-1, 1)])
    shown = plane.outline([(float(x), float(y)) for x, y in pose.place(corners)])
    return Box.around(shown, margin=HALF_INDEX * INDEX_MM * plane.scale((pose.x, pose.y)))


def _settled(take: Take, tracker: Tracker, time: float) -> tuple[float, list[float]]:
    """Follow a table until all is quiet; return that time and the milliseconds of each frame."""
    took: list[float] = []
    while len(took) < 60:
        time += FRAME_S
        frame, begun = take(time), process_time()
        seen = tracker.update(frame, time)
        took.append((process_time() - begun) * 1000)
        if len(took) > 1 and "board" not in seen.busy:
            break
    return time, took
