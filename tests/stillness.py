"""How often a table at rest counts as moving: ``MAZZIERE_FILMS=FOLDER python -m tests.stillness``.

It measures each simulated camera, with locked exposure, above a board with four cards, and the
empty stretches of real films if available; next to each figure is what a limit of four changed
pixels would give.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from rules.cards import Card
from vision.picture.geometry import Frame
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import Canvas
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.scene.view import View
from vision.track.light import Noise, Steadier
from vision.track.motion import MOVED, NOISE, beyond, beyond_sway, both, differs, patches, shrunken

SIZE = (1280, 720)
FRAMES = 90
RATE_HZ = 15.0
CARDS = (("7C", -210, -10, 4), ("QH", 0, 75, 70), ("9S", 110, 0, 190), ("KD", 300, -80, 20))
EMPTY_S = {"sueca.mp4": (0.7, 4.6), "hands_card.mp4": (0.0, 2.4)}
"""Stretches of the films where nothing lies or moves, in seconds of film time."""
SPECKS = 4


def still_board() -> Frame:
    """A board with four cards, without any sensor noise."""
    art, view = DrawnDeck(drawn_styles()[0]), View.above(SIZE, px_per_mm=SIZE[0] / 1200)
    canvas = Canvas(view, Surface(), Light(brightness=0.9), Lens(noise=0), seed=1)
    canvas.settle([CardItem(art, Card.parse(name), Pose(x, y, a)) for name, x, y, a in CARDS])
    return np.asarray(canvas.frame(), np.uint8)


def simulated(sensor: str, seed: int = 1, frames: int = FRAMES) -> Iterator[Frame]:
    """That camera's pictures of the board once its exposure is locked."""
    scene, camera = still_board(), SimulatedCamera(SENSORS[sensor], seed)
    now = 0.0
    while camera.lock() is None:
        now += 1 / RATE_HZ
        camera.shoot(lambda _: scene, now, still=True)
    for number in range(frames):
        yield camera.shoot(lambda _: scene, now + number / RATE_HZ, still=True)


def filmed(path: Path) -> Iterator[Frame]:
    """The empty stretch of a real film."""
    first, last = EMPTY_S[path.name]
    film = cv2.VideoCapture(str(path))
    while True:
        done, frame = film.read()
        now = film.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if not done or now > last:
            return
        if now >= first:
            # In one film the recording program's own print is below the picture.
            yield np.asarray(frame[: 390 if path.name == "sueca.mp4" else None], np.uint8)


def moving(frames: Iterator[Frame]) -> tuple[float, float, float]:
    """The shares of frames with changed pixels, with a patch, and with one beyond any shift.

    The last counts a patch that no shift of a pixel explains.
    """
    light, noise = Steadier(), Noise()
    last: Frame | None = None
    raw: Frame | None = None
    told: list[tuple[bool, bool, bool]] = []
    for frame in frames:
        small = shrunken(frame)[0]
        steady = light.steady(small)
        if last is not None and raw is not None:
            limits = noise.limit(MOVED, NOISE)
            strict = patches(beyond(steady, last, limits))
            left = patches(both(strict, beyond_sway(steady, last, limits)))
            specks = int(np.count_nonzero(differs(small, raw, MOVED))) >= SPECKS
            told.append((specks, bool(strict.any()), bool(left.any())))
            noise.learn(last, steady, left)
        last, raw = steady, small
    before, patchy, moved = np.mean(np.asarray(told, np.float64), axis=0).tolist()
    return before, patchy, moved


def main() -> None:
    """Print one line per camera and film."""
    print("                  4 pixels   a patch    beyond sway")
    sources = [(name, simulated(name)) for name in SENSORS]
    folder = os.environ.get("MAZZIERE_FILMS")
    if folder:
        sources += [(name, filmed(Path(folder) / name)) for name in EMPTY_S]
    for name, frames in sources:
        print(f"{name:16} " + "  ".join(f"{share:9.1%}" for share in moving(frames)), flush=True)


if __name__ == "__main__":
    main()
