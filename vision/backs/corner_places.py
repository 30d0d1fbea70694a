"""The places of cards that the corners of an area suggest.

A corner of an area is a corner of a card that lies there, and a card's size is known.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.backs.parts import Cells, Size
from vision.picture.geometry import Floats

TURN = 0.35
"""Largest cosine of an area's corner, zero for a right angle, at which it may be a card's: allows
for the rounded tip and the border's error. A choice; `python -m tests.face_down` judges it."""
SHORTEST = 0.09
"""Minimum side of an area's outline, in short sides of a card, that marks a corner. A choice;
`python -m tests.face_down` judges it."""
TOLERANCES = (0.045, 0.09, 0.15)
"""Tolerances of an area's polygon, in short sides of a card: fine, so that a card that juts out
slightly shows, and coarse, so that rounded tips and dents do not. A choice;
`python -m tests.face_down` judges it."""


def corner_places(left: Cells, size: Size, scale: float, origin: Floats) -> Iterator[Floats]:
    """The outlines (4, 2), in the picture, of cards in both orientations at each corner of an area.

    The area `left` (h, w) is in pixels of which there are `scale` to one of the picture, where it
    begins at `origin` (2,); a card has this `size` there.
    """
    short, long = size
    for corner, along, across in _corners(left, size, scale, origin):
        for wide, high in ((short, long), (long, short)):
            yield np.array(
                (
                    corner,
                    corner + along * wide,
                    corner + along * wide + across * high,
                    corner + across * high,
                ),
                np.float32,
            )


def _corners(
    left: Cells, size: Size, scale: float, origin: Floats
) -> Iterator[tuple[Floats, Floats, Floats]]:
    """The corners of an area in the picture, with the unit vectors along both sides."""
    contours, _ = cv2.findContours(left, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        polygons = [
            cv2.approxPolyDP(contour, tolerance * size[0] * scale, True)[:, 0]
            for tolerance in TOLERANCES
        ]
        # A row of cards may have no detectable corners where they are rounded, but the rectangle
        # around it has.
        for polygon in (*polygons, cv2.boxPoints(cv2.minAreaRect(contour))):
            points = polygon.astype(np.float32) / np.float32(scale) + origin
            yield from _turns(points, SHORTEST * size[0])


def _turns(points: Floats, shortest: float) -> Iterator[tuple[Floats, Floats, Floats]]:
    """The nearly square corners of a polygon (N, 2) between sides of this length, in pixels, at
    least, with both directions."""
    # Clockwise as seen, a convex corner turns to the right.
    if float(cv2.contourArea(points, oriented=True)) < 0:
        points = points[::-1]
    for before, here, after in zip(
        np.roll(points, 1, axis=0), points, np.roll(points, -1, axis=0), strict=True
    ):
        one, other = before - here, after - here
        lengths = float(np.linalg.norm(one)), float(np.linalg.norm(other))
        if min(lengths) < shortest:
            continue
        first, second = one / lengths[0], other / lengths[1]
        turn = float(second[0] * first[1] - second[1] * first[0])
        if abs(float(first @ second)) > TURN or turn < 0:
            continue
        # The longer side gives the direction.
        if lengths[1] >= lengths[0]:
            yield here, second, _right(second)
        else:
            yield here, _left(first), first


def _right(way: Floats) -> Floats:
    return np.array((-way[1], way[0]), np.float32)


def _left(way: Floats) -> Floats:
    return np.array((way[1], -way[0]), np.float32)
