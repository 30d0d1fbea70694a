"""Indices of cards as they lie in a picture, computed from where real cards have them.

A poker card measures 63.5 x 88.9 mm, a bridge card 57.15 mm across; the index is in two opposite
corners. This stands in for what the networks would find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np

from rules.cards import Card
from vision.find.finder import Areas, Indices
from vision.join.joined import Joined
from vision.picture.geometry import Box, Floats
from vision.read.index_classifier import FACES

POKER, BRIDGE = (63.5, 88.9), (57.15, 88.9)
INDEX_MM, SIDE_MM, TOP_MM = 17.0, 6.2, 12.5
"""Height of an index, and distance of its centre from the card's side and top edge."""
SCALE = 1.6
"""Pixels per millimetre."""

Laid = tuple[str, float, float, float]
"""A card's name, its centre in pixels, and its angle in degrees clockwise."""

RIBBON = [
    (name, 150.0 + 22 * place, 200.0, 0.0)
    for place, name in enumerate(("2C", "7D", "KS", "4H", "9C", "AS"))
]


def index(laid: Laid, corner: int, size: tuple[float, float] = POKER) -> tuple[float, ...]:
    """Centre and direction of the index at the upper left (1) or lower right (-1) corner."""
    _, x, y, angle = laid
    turn = np.radians(angle)
    right, up = (np.cos(turn), np.sin(turn)), (np.sin(turn), -np.cos(turn))
    across, along = (size[0] / 2 - SIDE_MM) * SCALE, (size[1] / 2 - TOP_MM) * SCALE
    shift = [corner * (along * up[axis] - across * right[axis]) for axis in (0, 1)]
    return x + shift[0], y + shift[1], corner * up[0], corner * up[1]


def other(laid: Laid, corner: int, size: tuple[float, float] = POKER) -> tuple[float, ...]:
    """The same at the upper right (1) or lower left (-1) corner of a four-corner card."""
    _, x, y, angle = laid
    across = np.radians(angle)
    right = np.array((np.cos(across), np.sin(across)))
    *place, up_x, up_y = index(laid, corner, size)
    away = np.array(place) - (x, y)
    return *(np.array(place) - 2 * (away @ right) * right), up_x, up_y


def found(rows: Sequence[tuple[float, ...]], heights: Sequence[float] | None = None) -> Indices:
    table = np.asarray(rows, np.float32).reshape(-1, 4)
    sizes = heights or [INDEX_MM * SCALE] * len(table)
    return Indices(
        table[:, :2], table[:, 2:], np.asarray(sizes, np.float32), np.ones(len(table), np.float32)
    )


def shown(*names: str, sure: float = 0.96) -> Floats:
    faces = np.full((len(names), len(FACES)), (1 - sure) / len(FACES), np.float32)
    for row, name in enumerate(names):
        faces[row, FACES.index(Card.parse(name))] += sure
    return faces


def read(cards: Sequence[Joined]) -> Counter[str]:
    return Counter(str(FACES[int(card.faces.argmax())]) for card in cards)


def covered(outlines: Sequence[Floats]) -> Areas:
    cells = np.zeros((150, 250), np.float32)
    for outline in outlines:
        cv2.fillConvexPoly(cells, np.round(outline / 4).astype(np.int32), (1,))
    return Areas(cells, np.zeros_like(cells), Box(0, 0, 1000, 600), 0.25)


def outline(laid: Laid, size: tuple[float, float] = POKER) -> Floats:
    _, x, y, angle = laid
    box = ((x, y), (size[0] * SCALE, size[1] * SCALE), angle)
    return np.asarray(cv2.boxPoints(box), np.float32)
