"""The table as the camera sees it: maps millimetres on its plane to pixels in the picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError
from vision.picture.geometry import Outline, Point, Polygon


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A table plane seen by a fixed camera: the (3, 3) map from millimetres to pixels.

    >>> corners = ((0, 0), (640, 0), (640, 360), (0, 360))
    >>> table = Plane.from_points(corners, ((0, 0), (1280, 0), (1280, 720), (0, 720)))
    >>> table.pixels((100, 50))
    (200.0, 100.0)
    >>> table.millimetres((200, 100))
    (100.0, 50.0)
    """

    matrix: NDArray[np.float64]

    @classmethod
    def from_points(cls, millimetres: Sequence[Point], pixels: Sequence[Point]) -> Plane:
        """The plane whose four points in `millimetres` appear at four `pixels`.

        Raises `GeometryError` unless there are four of each, no three of them collinear.
        """
        if len(millimetres) != 4 or len(pixels) != 4:
            raise GeometryError(
                f"a plane is defined by 4 points: got {len(millimetres)} and {len(pixels)}"
            )
        for what, points in (("table", millimetres), ("picture", pixels)):
            if _flat(points):
                raise GeometryError(f"three of the four {what} points lie on a line: {points}")
        matrix = cv2.getPerspectiveTransform(
            np.asarray(millimetres, np.float32), np.asarray(pixels, np.float32)
        )
        return cls(np.asarray(matrix, np.float64))

    def pixels(self, point: Point) -> Point:
        """Where a point on the table, given in millimetres, appears in the picture."""
        return _mapped(self.matrix, point)

    def millimetres(self, point: Point) -> Point:
        """The point on the table seen at a pixel."""
        return _mapped(np.linalg.inv(self.matrix).astype(np.float64), point)

    def outline(self, points: Iterable[Point]) -> Outline:
        """Where a shape on the table appears, corner by corner."""
        return tuple(self.pixels(point) for point in points)

    def rectangle(
        self, x: float, y: float, width: float, height: float, *, degrees: float = 0.0
    ) -> Polygon:
        """Where a rectangle on the table appears.

        (x, y) is its upper left corner in millimetres before it is rotated clockwise by `degrees`
        about its centre.
        """
        turn = np.deg2rad(degrees)
        middle = np.array([x + width / 2, y + height / 2])
        halves = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
        turned = halves @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return Polygon(self.outline((float(u), float(v)) for u, v in turned + middle))

    def scale(self, point: Point) -> float:
        """Pixels per millimetre at a point on the table, averaged over all directions."""
        step = 1.0
        x, y = point
        corners = ((x, y), (x + step, y), (x + step, y + step), (x, y + step))
        return sqrt(Polygon(self.outline(corners)).area) / step


def _mapped(matrix: NDArray[np.float64], point: Point) -> Point:
    x, y, depth = matrix @ (point[0], point[1], 1.0)
    if abs(depth) < 1e-9:
        raise GeometryError(f"the point {point} lies on the camera's horizon")
    return round(float(x / depth), 6), round(float(y / depth), 6)


def _flat(points: Sequence[Point]) -> bool:
    """Whether three of four points are nearly collinear."""
    corners = np.asarray(points, np.float64)
    size = float(np.ptp(corners, axis=0).max()) or 1.0
    for left_out in range(4):
        a, b, c = np.delete(corners, left_out, axis=0)
        twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if abs(twice) < 1e-3 * size * size:
            return True
    return False
