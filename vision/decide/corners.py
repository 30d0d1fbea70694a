"""The corners and straight edges of an area, and the cards that have a corner there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.outlines import Mask
from vision.picture.geometry import Floats, upright
from vision.read.face_search import Size

Edge: TypeAlias = NDArray[np.float32]

LEVEL = 0.35
"""Largest cosine of a corner's angle, zero for a right angle: allows for rounded corners and a
slant. A choice."""
BEND = 0.02
"""Largest deviation of an area's edge from a straight line, in short sides of a card. A choice."""
STRAIGHT, GAP = 0.15, 0.22
"""Minimum length of an edge, and the largest gap between two at a rounded corner, in short sides. A
choice."""


def around(area: Mask) -> Floats:
    """The contour (N, 2) of an area."""
    contours, _ = cv2.findContours(area, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(contours, key=len)[:, 0], np.float32)


def at_corners(area: Mask, size: Size) -> Iterator[Floats]:
    """Cards that have a corner at a corner of the area, in both orientations."""
    short = size[0]
    lines = edges(corner_points(area, short), short)
    for one, other in zip(lines, [*lines[1:], *lines[:1]], strict=True):
        if float(np.linalg.norm(other[0] - one[1])) <= GAP * short:
            yield from _cornered(one, other, size)


def corner_points(area: Mask, short: float) -> Floats:
    """The corners (N, 2) of the polygon around an area, clockwise as seen."""
    points = cv2.approxPolyDP(around(area), max(1.0, BEND * short), True)[:, 0]
    if cv2.contourArea(points, True) < 0:
        points = points[::-1]
    return np.asarray(points, np.float32)


def edges(points: Floats, short: float) -> list[Edge]:
    """The straight pieces (2, 2) of an area's contour."""
    ends = np.roll(points, -1, axis=0)
    pieces = np.stack([points, ends], axis=1)
    lengths = np.linalg.norm(ends - points, axis=1)
    return [
        piece for piece, length in zip(pieces, lengths, strict=True) if length >= STRAIGHT * short
    ]


def side_lengths(area: Mask, short: float) -> list[float]:
    """The lengths of the straight edges of an area, where two meet up to the corner they form.

    Cards have round corners, so an edge ends before the side does.
    """
    lines = edges(corner_points(area, short), short)
    found = []
    for before, line, after in zip(
        [*lines[-1:], *lines], lines, [*lines[1:], *lines[:1]], strict=False
    ):
        start = _meeting(before, line) if _forms_corner(before, line, short) else line[0]
        end = _meeting(line, after) if _forms_corner(line, after, short) else line[1]
        found.append(float(np.linalg.norm(end - start)))
    return found


def _forms_corner(one: Edge, other: Edge, short: float) -> bool:
    """Whether two successive edges meet at a rounded right angle."""
    if float(np.linalg.norm(other[0] - one[1])) > GAP * short:
        return False
    back, forth = one[0] - one[1], other[1] - other[0]
    lengths = float(np.linalg.norm(back) * np.linalg.norm(forth))
    return abs(float(back @ forth)) <= LEVEL * lengths


def _cornered(one: Edge, other: Edge, size: Size) -> Iterator[Floats]:
    """The cards whose corner is where two edges meet, if they meet like a card's edges."""
    back, forth = one[0] - one[1], other[1] - other[0]
    lengths = float(np.linalg.norm(back)), float(np.linalg.norm(forth))
    back, forth = back / lengths[0], forth / lengths[1]
    turned = float(back[0] * forth[1] - back[1] * forth[0])
    if abs(float(back @ forth)) > LEVEL or turned > 0:
        return
    corner = _meeting(one, other)
    if lengths[0] >= lengths[1]:
        forth = np.array((back[1], -back[0]))
    else:
        back = np.array((-forth[1], forth[0]))
    for along, across in ((size[0], size[1]), (size[1], size[0])):
        a, b = back * along, forth * across
        yield upright(np.array([corner, corner + b, corner + a + b, corner + a], np.float32))


def _meeting(one: Edge, other: Edge) -> Floats:
    """The intersection of the lines through two edges."""
    way, across = one[1] - one[0], other[1] - other[0]
    along = np.linalg.solve(np.stack([way, -across], axis=1), other[0] - one[0])
    return np.asarray(one[0] + along[0] * way, np.float32)
