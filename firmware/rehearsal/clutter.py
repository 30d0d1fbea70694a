"""What is on a table besides cards: chips, a glass, a telephone.

>>> def free(room: float) -> list[Point]:
...     return [(100.0, 100.0)] if room < GLASS_ROOM_MM else []
>>> [one.size for one in clutter(free, np.random.default_rng(1))]
[(39.0, 39.0)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import dist

import cv2
import numpy as np

from firmware.rehearsal.gestures import Point
from vision.scene.items import Pose, Sprite, chip_item, flat_item

APART_MM = 125.0
"""Smallest distance between two things."""
CHIPS = ((40, 40, 200), (160, 60, 30), (50, 130, 50), (30, 30, 30), (230, 230, 230))
"""Red, blue, green, black and white; colours are blue, green, red."""
GLASS_MM = 72.0
PHONE_MM = (71.0, 147.0)
GLASS_ROOM_MM, PHONE_ROOM_MM = 40.0, 84.0
"""Radius of a glass, and of a telephone; a chip's is smaller."""
CHIP_ROOM_MM = 24.0
CHIPS_LAST = (("chips", CHIP_ROOM_MM),) * 7
"""What fits if there is little room."""
_FINE = 3


def clutter(
    free: Callable[[float], Sequence[Point]],
    rng: np.random.Generator,
    *,
    middle: Point = (0.0, 0.0),
) -> tuple[Sprite, ...]:
    """Things placed where there is room; if room is short, chips only.

    `free` gives the points (mm) with that much room around them. Everything is drawn with `middle`
    as the origin.
    """
    return tuple(_things(free, rng, middle))


def _things(
    free: Callable[[float], Sequence[Point]], rng: np.random.Generator, middle: Point
) -> Iterator[Sprite]:
    taken: list[Point] = []
    for kind, room in (("phone", PHONE_ROOM_MM), ("glass", GLASS_ROOM_MM), *CHIPS_LAST):
        points = [p for p in free(room) if all(dist(p, t) >= APART_MM for t in taken)]
        if not points:
            continue
        place = points[int(rng.integers(len(points)))]
        taken.append(place)
        at, angle = (place[0] - middle[0], place[1] - middle[1]), float(rng.uniform(0, 180))
        if kind == "phone":
            yield _telephone(at, angle)
        elif kind == "glass":
            yield _glass(at)
        else:
            colour = CHIPS[int(rng.integers(len(CHIPS)))]
            yield chip_item(*at, colour, angle=angle, stack=int(rng.integers(1, 6)))


def _glass(at: Point) -> Sprite:
    """A glass from above: a bright rim, and its contents."""
    side = round(GLASS_MM * _FINE)
    picture = np.zeros((side, side, 4), np.uint8)
    centre, radius = (side // 2, side // 2), side // 2 - 2
    cv2.circle(picture, centre, radius, (205, 210, 210, 90), -1, cv2.LINE_AA)
    cv2.circle(picture, centre, round(radius * 0.82), (40, 110, 190, 190), -1, cv2.LINE_AA)
    cv2.circle(picture, centre, radius, (240, 240, 240, 230), 5, cv2.LINE_AA)
    return Sprite(picture, (GLASS_MM, GLASS_MM), Pose(*at, 0.0, 0.0), 0.9)


def _telephone(at: Point, angle: float) -> Sprite:
    """A dark telephone at `at`, turned by `angle` degrees."""
    wide, high = PHONE_MM[0] / 2, PHONE_MM[1] / 2
    corners = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)])
    lying = flat_item(corners, (28, 24, 22), gloss=0.9)
    return lying.moved(*at, angle)
