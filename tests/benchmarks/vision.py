"""How fast the reader is: a whole picture, one new card on a known table, an unchanged frame."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import cv2

from firmware.tabletop import AREA, SIZE, Tabletop, setting
from rules.cards import parse_cards
from vision.geometry import Frame, Polygon
from vision.plane import Plane
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.tracker import Tracker

Row = tuple[str, float, str]
CARDS = parse_cards("QS 5D 7C AH 2S KD 6C JH 4D TC")
"""Nine cards that lie there, and the one that comes."""
REPEATS = 9
FRAME_S = 0.1
INDEX_MM = 17.0


def measure() -> list[Row]:
    """What was measured, the figure and its unit, on one thread."""
    table = Tabletop(setting(seed=1), seed=1)
    plane = Plane(table.matrix)
    index = INDEX_MM * plane.scale((AREA[0] / 2, AREA[1] / 2))
    now = 0.0
    for place, card in enumerate(CARDS[:-1]):
        pose = Pose(150.0 + 220 * (place % 5), 180.0 + 260 * (place // 5), 7.0 * place)
        now = table.bring(table.piece(card), pose, now=now)
    frames = [table.frame(now + 1 + step * FRAME_S) for step in range(REPEATS)]
    reader = CardReader(index_height=index, threads=1)
    assert len(reader.read(frames[0]).sightings) >= len(CARDS) - 2
    return [
        (f"{SIZE[0]} by {SIZE[1]}, nine cards read", _each(reader.read, frames), "ms"),
        *_tracked(table, reader, plane, now),
        ("the same picture shrunk to half", _each(_half, frames), "ms"),
    ]


def _each(work: Callable[[Frame], object], frames: list[Frame]) -> float:
    return median(_timed(lambda frame=frame: work(frame)) for frame in frames)  # type: ignore[misc]


def _timed(work: Callable[[], object]) -> float:
    """Milliseconds that it takes."""
    begun = perf_counter()
    work()
    return (perf_counter() - begun) * 1000


def _half(frame: Frame) -> object:
    return cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def _tracked(table: Tabletop, reader: CardReader, plane: Plane, now: float) -> list[Row]:
    """An unchanged frame, and all frames together that settle one new card."""
    wide, high = AREA
    board = Polygon(plane.outline([(0, 0), (wide, 0), (wide, high), (0, high)]))
    tracker = Tracker(reader, {"board": board})
    time = now + 2
    for _ in range(12):
        time += FRAME_S
        tracker.update(table.frame(time), time)
    unchanged = []
    for _ in range(REPEATS):
        time += FRAME_S
        frame = table.frame(time)
        unchanged.append(_timed(lambda frame=frame, time=time: tracker.update(frame, time)))  # type: ignore[misc]
    time = table.bring(table.piece(CARDS[-1]), Pose(1050.0, 560.0, 20.0), now=time)
    new, looks = 0.0, 0
    while looks < 30 and (seen := tracker.update(table.frame(time), time)) is not None:
        if looks and "board" not in seen.busy:
            break
        time += FRAME_S
        frame = table.frame(time)
        new += _timed(lambda frame=frame, time=time: tracker.update(frame, time))  # type: ignore[misc]
        looks += 1
    return [
        ("an unchanged frame of a known table", median(unchanged), "ms"),
        ("all frames that settle one new card", new, "ms"),
    ]
