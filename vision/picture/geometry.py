"""Points, directions and polygons in a picture: x to the right, y down, in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, ceil, cos, degrees, dist, floor, hypot, radians, sin
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import FrameError, GeometryError

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]
"""Corners in order around a shape."""
Floats: TypeAlias = NDArray[np.float32]
Frame: TypeAlias = NDArray[np.uint8]
"""A picture of shape (H, W, 3) in OpenCV's channel order: blue, green, red."""
NEARLY = 0.05
"""Largest relative difference between the sides of a spot that counts as square. A choice: less
than a person notices."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle of whole pixels: left and top edge, width and height."""

    x: int
    y: int
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise GeometryError(f"a box is at least 1 x 1 px: got {self.width} x {self.height}")

    @classmethod
    def around(cls, points: Iterable[Point], *, margin: float = 0.0) -> Box:
        """The smallest box containing all `points`, with `margin` pixels on every side."""
        across, down = zip(*points, strict=True)
        left, top = floor(min(across) - margin), floor(min(down) - margin)
        right, bottom = ceil(max(across) + margin), ceil(max(down) + margin)
        return cls(left, top, max(1, right - left), max(1, bottom - top))

    def within(self, width: int, height: int) -> Box | None:
        """The part of the box inside a frame of the given size; None if it lies outside."""
        left, top = max(0, self.x), max(0, self.y)
        right, bottom = min(width, self.x + self.width), min(height, self.y + self.height)
        if right <= left or bottom <= top:
            return None
        return Box(left, top, right - left, bottom - top)

    def grown(self, margin: int) -> Box:
        """The box grown by `margin` pixels on every side."""
        return Box(
            self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin
        )

    def aligned(self, step: int) -> Box:
        """The smallest box around this one whose edges are multiples of `step` pixels.

        >>> Box(5, 8, 6, 8).aligned(4)
        Box(x=4, y=8, width=8, height=8)
        """
        left, top = self.x // step * step, self.y // step * step
        right = ceil((self.x + self.width) / step) * step
        bottom = ceil((self.y + self.height) / step) * step
        return Box(left, top, right - left, bottom - top)

    def touches(self, other: Box) -> bool:
        """Whether the two boxes share a pixel."""
        apart = (
            self.x + self.width <= other.x
            or other.x + other.width <= self.x
            or self.y + self.height <= other.y
            or other.y + other.height <= self.y
        )
        return not apart

    def joined(self, other: Box) -> Box:
        """The smallest box containing both."""
        left, top = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.width, other.x + other.width)
        bottom = max(self.y + self.height, other.y + other.height)
        return Box(left, top, right - left, bottom - top)

    def holds(self, points: Floats) -> NDArray[np.bool_]:
        """Which of the `points` (N, 2) lie in the box."""
        first, last = (self.x, self.y), (self.x + self.width, self.y + self.height)
        inside = (points >= first) & (points < last)
        return np.asarray(inside.all(axis=1), np.bool_)

    def cut(self, frame: Frame) -> Frame:
        """The part of `frame` under the box (a view, not a copy)."""
        return frame[self.y : self.y + self.height, self.x : self.x + self.width]


def gathered(boxes: Iterable[Box]) -> list[Box]:
    """Merge overlapping `boxes` until none overlap.

    >>> gathered([Box(0, 0, 4, 4), Box(9, 9, 2, 2), Box(3, 3, 4, 4)])
    [Box(x=9, y=9, width=2, height=2), Box(x=0, y=0, width=7, height=7)]
    """
    apart: list[Box] = []
    for box in boxes:
        grown = box
        while near := [other for other in apart if other.touches(grown)]:
            apart = [other for other in apart if other not in near]
            for other in near:
                grown = grown.joined(other)
        apart.append(grown)
    return apart


def around(mask: NDArray[np.uint8]) -> list[Box]:
    """The boxes around the nonzero areas of a `mask` (h, w), except those inside a hole of another.

    >>> around(np.eye(3, 4, dtype=np.uint8))
    [Box(x=0, y=0, width=3, height=3)]
    """
    # Faster than labelling all areas and measuring each.
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [Box(*cv2.boundingRect(contour)) for contour in contours]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A spot's border in the picture: three or more corners in order.

    >>> square = Polygon(((0, 0), (10, 0), (10, 10), (0, 10)))
    >>> square.contains((5, 5)), square.contains((15, 5))
    (True, False)
    >>> square.area
    100.0
    """

    points: Outline

    def __post_init__(self) -> None:
        if len(self.points) < 3:
            raise GeometryError(f"a polygon has 3 corners or more: got {len(self.points)}")
        if self.area <= 0:
            raise GeometryError(f"a polygon has an inside: got {self.points}")

    @classmethod
    def rectangle(cls, x: float, y: float, width: float, height: float) -> Polygon:
        """An upright rectangle from its upper left corner."""
        return cls(((x, y), (x + width, y), (x + width, y + height), (x, y + height)))

    @property
    def array(self) -> Floats:
        """The corners as an array of shape (N, 2)."""
        return np.asarray(self.points, np.float32)

    @property
    def area(self) -> float:
        """The area in square pixels."""
        return float(cv2.contourArea(self.array))

    @property
    def centre(self) -> Point:
        """The mean of the corners."""
        x, y = self.array.mean(axis=0)
        return float(x), float(y)

    @property
    def box(self) -> Box:
        """The smallest upright box around it."""
        return Box.around(self.points)

    @property
    def axis(self) -> Point:
        """A unit vector along the longer side: left to right, or top to bottom if steep."""
        (_, _), (width, height), angle = cv2.minAreaRect(self.array)
        turn = radians(angle if width >= height else angle + 90)
        x, y = cos(turn), sin(turn)
        # Nearly square spots read left to right; a steep axis reads downwards.
        if abs(width - height) < NEARLY * max(width, height):
            x, y = (x, y) if abs(x) >= abs(y) else (-y, x)
        backwards = x < 0 if abs(x) >= abs(y) else y < 0
        return (-x, -y) if backwards else (x, y)

    def contains(self, point: Point) -> bool:
        """Whether `point` lies inside or on the border."""
        return cv2.pointPolygonTest(self.array, (float(point[0]), float(point[1])), False) >= 0

    def mask(self, width: int, height: int, *, scale: float = 1.0) -> NDArray[np.uint8]:
        """255 inside and 0 outside, as a (height, width) picture of points times `scale`."""
        field = np.zeros((height, width), np.uint8)
        cv2.fillPoly(field, [np.round(self.array * scale).astype(np.int32)], (255,))
        return field


def upright(corners: Floats) -> Floats:
    """The corners of a rectangle from the upper left one, clockwise, the short side on top."""
    points = corners.tolist()
    first = min(range(4), key=lambda number: sum(points[number]))
    ends = [points[(first + step) % 4] for step in range(3)]
    # For four points, plain numbers are faster than an array.
    if dist(ends[0], ends[1]) > dist(ends[1], ends[2]):
        first += 1
    return np.array([points[(first + step) % 4] for step in range(4)], np.float32)


def within(corners: Floats, point: Floats, *, margin: float = 0.0) -> bool:
    """Whether `point` lies inside, at least `margin` pixels from the border."""
    return inset(corners, point) >= margin


def holding(outlines: Sequence[Floats], points: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which of the convex `outlines` (M of (4, 2)) contain which of the `points` (N), as (M, N)."""
    if not len(outlines) or not len(points):
        return np.zeros((len(outlines), len(points)), np.bool_)
    corners = np.stack(outlines)
    sides = np.roll(corners, -1, axis=1) - corners
    away = np.stack(points)[None, None] - corners[:, :, None]
    turns = sides[:, :, None, 0] * away[..., 1] - sides[:, :, None, 1] * away[..., 0]
    return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1), np.bool_)


def inset(corners: Floats, point: Floats) -> float:
    """The distance from `point` to the border in pixels; negative if it lies outside."""
    x, y = (float(value) for value in point)
    return float(cv2.pointPolygonTest(corners.astype(np.float32), (x, y), True))


def overlap(one: Outline, other: Outline) -> float:
    """The area in square pixels shared by two convex outlines.

    >>> square = ((0, 0), (2, 0), (2, 2), (0, 2))
    >>> overlap(square, tuple((x + 1, y) for x, y in square))
    2.0
    """
    area, _ = cv2.intersectConvexConvex(np.asarray(one, np.float32), np.asarray(other, np.float32))
    return float(area)


def bearing(up: Point) -> float:
    """The clockwise angle from "up" in the picture to the direction `up`, in degrees (-180..180).

    >>> bearing((0, -1)), bearing((1, 0)), bearing((0, 1))
    (0.0, 90.0, 180.0)
    """
    return degrees(atan2(up[0], -up[1]))


def distance(one: Point, other: Point) -> float:
    """The distance between two points in pixels."""
    return hypot(one[0] - other[0], one[1] - other[1])


def lengths(vectors: Floats) -> Floats:
    """The lengths (…) of vectors (…, C) of few parts, such as colours.

    NumPy's own `norm` takes several times as long on so few.

    >>> lengths(np.array([[3.0, 4.0], [0.0, 1.0]], np.float32))
    array([5., 1.], dtype=float32)
    """
    return np.asarray(np.sqrt(np.einsum("...c,...c->...", vectors, vectors)), np.float32)


def distances(some: Floats, others: Floats) -> Floats:
    """The distance (N, M) of each of some points (N, 2) from each of others (M, 2).

    >>> distances(np.zeros((1, 2), np.float32), np.array([[3.0, 4.0], [0.0, 1.0]], np.float32))
    array([[5., 1.]], dtype=float32)
    """
    across, down = (some[:, None, axis] - others[None, :, axis] for axis in (0, 1))
    return np.asarray(np.sqrt(across * across + down * down), np.float32)


def short_side(outline: Iterable[Sequence[float]]) -> float:
    """The length of the shortest side of a closed `outline`, in pixels."""
    corners = list(outline)
    sides = zip(corners, [*corners[1:], corners[0]], strict=True)
    return min(hypot(x - to_x, y - to_y) for (x, y), (to_x, to_y) in sides)


def corners_apart(one: Outline, other: Outline) -> float:
    """The average distance between the corners of two cards, in short sides of the first.

    An outline may begin at either end of its card.

    >>> here = (0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0)
    >>> corners_apart(here, tuple((x + 6.0, y) for x, y in (*here[2:], *here[:2])))
    0.1
    """
    turned = (*other[2:], *other[:2])
    away = min(sum(map(distance, one, there)) for there in (other, turned)) / len(one)
    return away / max(short_side(one), 1.0)


def checked(frame: object) -> Frame:
    """`frame`, if it is a colour picture; raises `FrameError` otherwise."""
    if not isinstance(frame, np.ndarray):
        raise FrameError(f"expected a uint8 array of shape (H, W, 3): got {type(frame).__name__}")
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or not frame.size:
        raise FrameError(
            f"expected a uint8 array of shape (H, W, 3): got {frame.dtype} of shape {frame.shape}"
        )
    return frame


def halved(frame: Frame, size: tuple[int, int]) -> Frame:
    """`frame` halved as often as possible without going below `size` (width, height) in pixels.

    OpenCV averages pairs many times faster than it resizes any other way.
    """
    while frame.shape[1] >= 2 * size[0] and frame.shape[0] >= 2 * size[1]:
        half = frame.shape[1] // 2, frame.shape[0] // 2
        frame = np.asarray(cv2.resize(frame, half, interpolation=cv2.INTER_AREA), np.uint8)
    return frame


def averaged(frame: Frame, size: tuple[int, int]) -> Frame:
    """`frame` shrunk to `size` (width, height) by averaging; a side that grows is interpolated.

    The last step, after halving, interpolates: it still weighs most of the pixels and takes a third
    of the time of area averaging. It gives the same pixels on every processor; faster interpolation
    makes a picture lighter by a tenth of a level on arm64, or shifts an index slightly, and one
    that is hard to read then scores differently by 0.06.
    """
    small = halved(frame, size)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR_EXACT), np.uint8)


def shrunk(frame: Frame, longer: int) -> Frame:
    """`frame` shrunk by averaging until its longer side is `longer` pixels; never enlarged."""
    return averaged(frame, shrunk_size(frame, longer))


def shrunk_size(frame: Frame, longer: int) -> tuple[int, int]:
    """Width and height of `frame` if it is shrunk until its longer side is `longer` pixels."""
    scale = min(1.0, longer / max(frame.shape[:2]))
    return max(1, round(frame.shape[1] * scale)), max(1, round(frame.shape[0] * scale))
