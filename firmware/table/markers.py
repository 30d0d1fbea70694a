"""Finding the table in a picture: by four printed markers in its corners, or by its own edges.

The markers are ArUco markers of the dictionary 4x4_50, numbers 0 to 3, clockwise from the upper
left. Each is upright as the dealer sees it, with its outer corner at a corner of the watched area.
The size of that area follows from the size of the markers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
Point = tuple[float, float]

MARKER_MM = 50.0
"""Side of a printed marker: 80 pixels on the reference rig, 13 for each of its squares. A choice.
"""
OUTER = (0, 1, 2, 3)
"""Which corner of markers 0, 1, 2, 3 is the outer one: upper left, upper right, lower right, …
Follows from how the sheet is drawn.
"""
STEPS_MOST = 30
"""Most iterations that refine the area's size; three or four are enough. Measured by `python -m
tests.thresholds`.
"""
EXACT_MM = 0.01
"""Change of the area's size in one step below which iteration stops. A choice: far below what can
be seen.
"""
LEAST_SHARE, MOST_SHARE = 0.25, 0.985
"""Smallest and largest share of the picture for a table's outline: less is a thing on the table,
more is the picture's own border. A choice.
"""
SMALL = 640
"""The longer side of the picture in which to look for edges: at that size cloth has none. A choice.
"""
STRAIGHT = 0.03
"""Largest deviation of a table's edge from a straight line, as a share of its outline. A choice."""


@dataclass(frozen=True)
class Found:
    """The watched area: its corners in the picture, in pixels, clockwise from the upper left.

    `size_mm` is its width and height if the picture shows them; `by` is ``markers`` or ``edges``.
    `error_px` is the markers' average distance from where they should be.
    """

    corners: tuple[Point, ...]
    by: str
    size_mm: tuple[float, float] | None = None
    error_px: float = 0.0


AT_THE_EDGE = 0
"""Distance from the picture's edge at which a marker still counts, in pixels: the view should
contain the whole table, so its corners are near the edge, and noise moves them by a pixel or two. A
choice.
"""


def marker(number: int, side: int = 300) -> Picture:
    """A marker's picture, (side, side), black on white."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    # OpenCV 4.7 renamed it.
    draw: Any = getattr(cv2.aruco, "generateImageMarker", None) or cv2.aruco.drawMarker  # type: ignore[attr-defined]
    return np.asarray(draw(dictionary, number, side), np.uint8)


def markers_in(picture: Picture) -> dict[int, Points]:
    """The corners (4, 2), in pixels, of each of our four markers in sight."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    corners, numbers = _detect(np.asarray(grey, np.uint8))
    if numbers is None:
        return {}
    return {
        int(number): np.asarray(each, np.float64).reshape(4, 2)
        for each, number in zip(corners, np.ravel(numbers), strict=True)
        if 0 <= int(number) < 4
    }


def _detect(grey: Picture) -> tuple[Sequence[Any], Any]:
    kind = cv2.aruco
    dictionary = kind.getPredefinedDictionary(kind.DICT_4X4_50)
    if hasattr(kind, "ArucoDetector"):  # from OpenCV 4.7 on
        settings = kind.DetectorParameters()
        settings.cornerRefinementMethod = kind.CORNER_REFINE_SUBPIX
        settings.minDistanceToBorder = AT_THE_EDGE
        corners, numbers, _ = kind.ArucoDetector(dictionary, settings).detectMarkers(grey)
        return corners, numbers
    old: Any = kind
    settings = old.DetectorParameters_create()
    settings.cornerRefinementMethod = old.CORNER_REFINE_SUBPIX
    settings.minDistanceToBorder = AT_THE_EDGE
    corners, numbers, _ = old.detectMarkers(grey, dictionary, parameters=settings)
    return corners, numbers


def find_by_markers(picture: Picture) -> Found | None:
    """The area between the four markers, or None unless all four are in sight."""
    seen = markers_in(picture)
    return area_of(seen) if len(seen) == 4 else None


def area_of(seen: Mapping[int, Points]) -> Found:
    """The area that four markers bound, and its size.

    The size is the one for which the markers have their known size, by Gauss-Newton least squares
    over width and height.
    """
    pixels = np.concatenate([seen[number] for number in range(4)])
    outer = tuple(_point(seen[number][OUTER[number]]) for number in range(4))
    size = _first_guess(seen)
    for _ in range(STEPS_MOST):
        residual = _residual(size, pixels)
        slopes = np.stack([_residual(size + step, pixels) - residual for step in np.eye(2)], axis=1)
        change = np.linalg.lstsq(slopes, -residual, rcond=None)[0]
        size = np.maximum(size + change, 3 * MARKER_MM)
        if np.abs(change).max() < EXACT_MM:
            break
    error = float(np.sqrt(np.mean(_residual(size, pixels) ** 2) * 2))
    return Found(outer, "markers", (round(float(size[0])), round(float(size[1]))), error)


def _first_guess(seen: Mapping[int, Points]) -> Points:
    sides = [np.linalg.norm(np.roll(one, 1, axis=0) - one, axis=1).mean() for one in seen.values()]
    scale = MARKER_MM / float(np.mean(sides))
    corners = np.stack([seen[number][OUTER[number]] for number in range(4)])
    ways = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) * scale
    return np.asarray([ways[[0, 2]].mean(), ways[[1, 3]].mean()], np.float64)


def _residual(size: Points, pixels: Points) -> Points:
    """The residuals (32,): where an area of that size would put the markers, minus their places."""
    model = on_table(float(size[0]), float(size[1]))
    matrix, _ = cv2.findHomography(model, pixels)
    mapped = cv2.perspectiveTransform(model.reshape(-1, 1, 2), matrix).reshape(-1, 2)
    return np.asarray(mapped - pixels, np.float64).ravel()


def on_table(width: float, height: float) -> Points:
    """The markers' corners (16, 2) in millimetres on an area of that size."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * MARKER_MM
    far_x, far_y = width - MARKER_MM, height - MARKER_MM
    starts = [(0.0, 0.0), (far_x, 0.0), (far_x, far_y), (0.0, far_y)]
    return np.concatenate([square + start for start in starts]).astype(np.float64)


def find_by_edges(picture: Picture) -> Found | None:
    """The largest four-cornered surface of one colour around the middle, or None."""
    scale = SMALL / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    outline = _outline(np.asarray(_surface(np.asarray(small, np.uint8)), np.uint8))
    if outline is None:
        return None
    corners = clockwise(outline / scale)
    return Found(tuple(_point(corner) for corner in corners), "edges")


def _surface(small: Picture) -> Picture:
    """Mask (H, W) of the pixels that have the colour of the picture's middle, holes filled."""
    blurred = cv2.GaussianBlur(small, (0, 0), 3)
    lab = cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    middle = lab[height // 3 : 2 * height // 3, width // 3 : 2 * width // 3].reshape(-1, 3)
    colour = np.median(middle, axis=0)
    # Light falls off towards the edges, colour does not, so brightness counts for a third.
    away = np.linalg.norm((lab - colour) * (1 / 3, 1.0, 1.0), axis=2)
    same = (away < 12).astype(np.uint8)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))
    return np.asarray(cv2.morphologyEx(same, cv2.MORPH_CLOSE, brush), np.uint8)


def _outline(mask: Picture) -> Points | None:
    """The four corners (4, 2) of the largest piece of `mask`, if it has exactly four."""
    pieces, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not pieces:
        return None
    hull = cv2.convexHull(max(pieces, key=cv2.contourArea))
    share = cv2.contourArea(hull) / mask.size
    corners = cv2.approxPolyDP(hull, STRAIGHT * cv2.arcLength(hull, True), True)
    if not LEAST_SHARE <= share <= MOST_SHARE or len(corners) != 4:
        return None
    return np.asarray(corners, np.float64).reshape(4, 2)


def clockwise(corners: Points) -> Points:
    """Four corners (4, 2) in the order upper left, upper right, lower right, lower left.

    >>> clockwise(np.array([(9.0, 9.0), (0.0, 8.0), (1.0, 0.0), (8.0, 1.0)])).tolist()
    [[1.0, 0.0], [8.0, 1.0], [9.0, 9.0], [0.0, 8.0]]
    """
    away = corners - corners.mean(axis=0)
    order = np.argsort(np.arctan2(away[:, 1], away[:, 0]))
    first = int(np.argmin(corners[order].sum(axis=1)))
    return np.roll(corners[order], -first, axis=0)


def _point(corner: Points) -> Point:
    return round(float(corner[0]), 1), round(float(corner[1]), 1)


MOVED_PX = 6.0
"""Displacement of the markers that shows that the camera or the table has moved: 4 mm on the
reference rig, a quarter of an index; cards laid in their places would begin to miss them. A choice.
"""
EVERY_S = 5.0
"""Interval between checks for that, in seconds: a check takes as long as reading a card or two. A
choice.
"""


class MovedGuard:
    """Notices that the camera or the table was moved, by the markers at the area's corners.

    Markers under hands and cards prove nothing. The trouble is raised when two checks in a row see
    at least two markers elsewhere, and lasts until they are back.
    """

    def __init__(self, corners: Sequence[Point]) -> None:
        self._corners = np.asarray(corners, np.float64)
        self._looked: float | None = None
        self._away = 0

    def __call__(self, picture: Picture, time_s: float) -> tuple[str, ...]:
        """The trouble that a picture taken at `time_s` seconds shows, if any."""
        if self._looked is None or time_s - self._looked >= EVERY_S:
            self._looked = time_s
            self._look(picture)
        return ("moved",) if self._away >= 2 else ()

    def _look(self, picture: Picture) -> None:
        seen = markers_in(picture)
        if len(seen) < 2:
            return
        ways = [
            np.linalg.norm(corners[OUTER[number]] - self._corners[number])
            for number, corners in seen.items()
        ]
        self._away = self._away + 1 if float(np.median(ways)) > MOVED_PX else 0


class TableFinder:
    """Finds a table that was never calibrated, as soon as its four markers are in place.

    `found` is called once two checks in a row agree: a marker still being laid down would otherwise
    be recorded askew.
    """

    def __init__(self, found: Callable[[Found], None]) -> None:
        self._tell: Callable[[Found], None] | None = found
        self._last: Found | None = None
        self._looked: float | None = None

    def __call__(self, picture: Picture, time_s: float) -> tuple[str, ...]:
        """Check a picture taken at `time_s` seconds; finding nothing is no trouble."""
        due = self._looked is None or time_s - self._looked >= EVERY_S
        if self._tell is not None and due:
            self._looked = time_s
            before, self._last = self._last, find_by_markers(picture)
            if before is not None and self._last is not None and _alike(before, self._last):
                self._tell(self._last)
                self._tell = None
        return ()


def _alike(one: Found, other: Found) -> bool:
    away = np.asarray(one.corners) - np.asarray(other.corners)
    return float(np.linalg.norm(away, axis=1).max()) <= MOVED_PX


def sheet_svg() -> str:
    """The four markers as an A4 page to be printed at full size and cut out, as SVG."""
    page = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" '
        'viewBox="0 0 210 297"><rect width="210" height="297" fill="#fff"/>'
    )
    return page + "".join(map(_printed, range(4))) + "</svg>\n"


def _printed(number: int) -> str:
    """One marker with the white rim that detection needs, labelled with its corner."""
    left, top = 30 + 90 * (number % 2), 40 + 110 * (number // 2)
    cells = marker(number, 6) == 0
    cell = MARKER_MM / 6
    squares = "".join(
        f'<rect x="{left + x * cell:.3f}" y="{top + y * cell:.3f}" '
        f'width="{cell:.3f}" height="{cell:.3f}"/>'
        for y, x in np.argwhere(cells)
    )
    sign = ("↖", "↗", "↘", "↙")[number]
    rim = (
        f'<rect x="{left - 8}" y="{top - 8}" width="66" height="66" fill="none" stroke="#999" '
        'stroke-width="0.2" stroke-dasharray="2 2"/>'
    )
    return f'{squares}{rim}<text x="{left + 22}" y="{top + 72}" font-size="10">{sign}</text>'
