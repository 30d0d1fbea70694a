"""The position of the camera, and its pictures as they would look from straight above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame, Outline, Point
from vision.picture.plane import Plane

FOCAL = 0.72
"""Focal length of a camera as a share of its picture's width, if nobody has measured it: 70 degrees
across, which webcams, telephones and the Pi's cameras have within a tenth. Follows from their
makers' figures."""
PRESUMED = 0.07
"""Relative standard deviation of a presumed focal length. Follows from the tenth above, evenly
spread."""
MEASURED = 0.012
"""The same if the height was measured. A choice: a centimetre in eighty."""
UNNOTICED = 0.12
"""Standard deviation of the slant of a hand-held camera, in radians. A choice: seven degrees."""
LEVEL = 0.0005
"""Maximum slant at which a picture counts as taken from straight above, in radians. A choice: from
one edge of the picture to the other, faces then differ by less than a quarter of what a chip
makes. At a slant of 0.007, half a degree, they differed by three chips."""
STEEPEST = 0.6
"""Maximum slant that is levelled, in radians. A choice: beyond it the far end of a picture would
grow without bounds, and every stack would be hidden in part by the one in front of it."""
GROWN = 1.3
"""Maximum size of a levelled picture relative to the original. A choice: at a slant of ten degrees
the far corners move out by a fifth of the width."""

Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Standpoint:
    """The camera's position: the pixel straight below it, its height in mm, and pixels per mm.

    `middle` is the pixel on the lens's axis; None means the picture's centre.

    >>> Standpoint((960.0, 380.0), 800.0, 1.8).slant((960.0, 540.0)) > LEVEL
    True
    """

    below: Point
    height_mm: float
    px_per_mm: float
    middle: Point | None = None
    doubt: float = 0.0
    """Relative standard deviation of the focal length."""
    leans: float = 0.0
    """Standard deviation of the camera's unknown slant, in radians."""

    @classmethod
    def over(cls, size: tuple[int, int], px_per_mm: float, height_mm: float | None = None) -> Self:
        """A camera that looks straight down on the centre of a picture of `size` pixels."""
        high = height_mm if height_mm is not None else FOCAL * max(size) / px_per_mm
        below = (size[0] - 1) / 2, (size[1] - 1) / 2
        if height_mm is not None:
            return cls(below, high, px_per_mm)
        return cls(below, high, px_per_mm, doubt=PRESUMED, leans=UNNOTICED)

    @classmethod
    def of(
        cls,
        plane: Plane,
        size: tuple[int, int],
        *,
        focal: float | None = None,
        height_mm: float | None = None,
    ) -> Self:
        """The camera that sees the table `plane` in pictures of `size` pixels.

        `focal` is its focal length as a share of the picture's width, which `height_mm` determines
        as well; if neither is known, a usual one is presumed.
        """
        if height_mm is not None:
            # A camera above a table leans by a few degrees only, which hardly changes this.
            looks_at = plane.millimetres((size[0] / 2, size[1] / 2))
            focal = height_mm * plane.scale(looks_at) / size[0]
        length = (focal or FOCAL) * size[0]
        lens = np.array([[length, 0, size[0] / 2], [0, length, size[1] / 2], [0, 0, 1]])
        across, down, origin = np.linalg.solve(lens, plane.matrix).T
        unit = (np.linalg.norm(across) + np.linalg.norm(down)) / 2
        across, down, origin = across / unit, down / unit, origin / unit
        turn = np.stack([across, down, np.cross(across, down)], axis=1)
        place = np.linalg.solve(turn, -origin)
        point = float(place[0]), float(place[1])
        middle = size[0] / 2, size[1] / 2
        doubt = MEASURED if height_mm is not None else 0.0 if focal else PRESUMED
        return cls(plane.pixels(point), abs(float(place[2])), plane.scale(point), middle, doubt)

    @property
    def focal_px(self) -> float:
        """The focal length in pixels: how much an object at that distance in mm is magnified."""
        return self.height_mm * self.px_per_mm

    def slant(self, middle: Point) -> float:
        """The camera's slant from straight down, in radians, if its axis passes through the pixel
        `middle`."""
        away = np.subtract(self.below, self.middle or middle)
        return float(np.arctan(np.linalg.norm(away) / self.focal_px))

    def moved(self, across: float, down: float) -> Self:
        """The same camera, with pixels counted from another corner."""
        middle = self.middle
        return replace(
            self,
            below=(self.below[0] - across, self.below[1] - down),
            middle=(middle[0] - across, middle[1] - down) if middle is not None else None,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Levelled:
    """A picture (h, w, 3) as a camera in the same place would see it looking straight down.

    What is round on the table is round in it, and everything on the table has one scale. `matrix`
    (3, 3) maps the original's pixels to its own, in which `camera` is given, and `corners` (4, 2)
    are the original's.
    """

    picture: Frame
    camera: Standpoint
    matrix: Matrix
    corners: Floats

    @classmethod
    def of(cls, frame: Frame, camera: Standpoint) -> Levelled | None:
        """Level the picture of a slanted `camera`; None if it hardly leans, or leans too much."""
        high, wide = frame.shape[:2]
        middle = camera.middle or ((wide - 1) / 2, (high - 1) / 2)
        slant = camera.slant(middle)
        if not LEVEL < slant < STEEPEST:
            return None
        matrix = _straightened(camera, middle)
        corners = _mapped(matrix, [(0, 0), (wide, 0), (wide, high), (0, high)])
        low, size = corners.min(axis=0), np.ptp(corners, axis=0)
        room = np.minimum(size, np.array([wide, high]) * GROWN)
        low = np.rint(low + (size - room) / 2)
        matrix = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ matrix
        across, down = (max(1, int(side)) for side in room)
        picture = cv2.warpPerspective(
            frame, matrix, (across, down), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        straight = replace(
            camera.moved(float(low[0]), float(low[1])),
            height_mm=camera.height_mm, px_per_mm=camera.px_per_mm, middle=None,
        )  # fmt: skip
        ends = np.asarray(corners - low, np.float32)
        return cls(np.asarray(picture, np.uint8), straight, matrix, ends)

    def beyond(self, size: tuple[int, int]) -> NDArray[np.uint8]:
        """What of the picture, enlarged to a `size` (h, w), the original did not show: 255, or 0
        where it did."""
        high, wide = size
        scale = np.array([wide / self.picture.shape[1], high / self.picture.shape[0]])
        area = np.full(size, 255, np.uint8)
        inner = np.rint((self.corners + 0.5) * scale - 0.5).astype(np.int32)
        cv2.fillConvexPoly(area, inner, (0,))
        return area

    def there(self, points: Sequence[Point] | Floats) -> Floats:
        """Map points (N, 2) of the original to the levelled picture."""
        return np.asarray(_mapped(self.matrix, points), np.float32)

    def magnified(self, points: Floats) -> Floats:
        """How much (N,) the levelled picture enlarges the original at its points (N, 2)."""
        ways = np.array([(0, 0), (1, 0), (0, 1)], np.float32)
        steps = [self.there(np.asarray(points + way, np.float32)) for way in ways]
        (ax, ay), (bx, by) = (step.T for step in (steps[1] - steps[0], steps[2] - steps[0]))
        return np.asarray(np.sqrt(np.abs(ax * by - ay * bx)), np.float32)

    def outlines(self, outlines: Sequence[Outline]) -> list[Outline]:
        """Map outlines in the original to the levelled picture."""
        moved = []
        for outline in outlines:
            points = self.there(outline)
            moved.append(tuple((float(x), float(y)) for x, y in points))
        return moved

    def back(self, points: Floats) -> Floats:
        """Map points (N, 2) of the levelled picture to the original."""
        return np.asarray(
            _mapped(np.linalg.inv(self.matrix).astype(np.float64), points), np.float32
        )


def _straightened(camera: Standpoint, middle: Point) -> Matrix:
    """The map (3, 3) from a slanted camera's pixels to those of one that looks straight down.

    The pixel straight below the camera stays in place.
    """
    length = camera.focal_px
    lens = np.array([[length, 0, middle[0]], [0, length, middle[1]], [0, 0, 1]])
    down = np.linalg.solve(lens, (*camera.below, 1.0))
    down /= np.linalg.norm(down)
    axis = np.cross(down, (0.0, 0.0, 1.0))
    turn = cv2.Rodrigues(axis / np.linalg.norm(axis) * np.arccos(down[2]))[0]
    straight = np.array([[length, 0, camera.below[0]], [0, length, camera.below[1]], [0, 0, 1]])
    return np.asarray(straight @ turn @ np.linalg.inv(lens), np.float64)


def _mapped(matrix: Matrix, points: Sequence[Point] | Floats) -> Matrix:
    """Apply a map (3, 3) to points (N, 2)."""
    seen = np.column_stack([np.asarray(points, np.float64), np.ones(len(points))]) @ matrix.T
    return np.asarray(seen[:, :2] / seen[:, 2:])
