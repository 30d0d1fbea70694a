"""A pen for suit signs and figures: outlines, strokes and discs around a sign's centre.

>>> picture = np.full((40, 40, 3), 255, np.uint8)
>>> Pen(picture, (20, 20), 20).disc((0, 0), 0.5, BLACK)
>>> picture[20, 20].tolist() == list(BLACK), picture[2, 2].tolist()
(True, [255, 255, 255])
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.courts import BLACK, Colour, Picture, draw_polygon

Points = NDArray[np.float64]
Place: TypeAlias = tuple[float, float]
FINE = 4
"""Fractional bits of a pixel to which lines are drawn."""
LEAST = 0.4
"""Minimum width of an edge that is drawn, in pixels. A choice."""
EDGE = 1 / 30
"""Width of both edges of a stroke together, in signs. A choice."""


@dataclass(frozen=True)
class Pen:
    """A picture being drawn on, in units of a sign's height from its centre."""

    picture: Picture
    centre: Place
    height: float
    """Height of a sign in pixels."""
    turn: float = 0.0
    """Degrees clockwise."""
    weight: float = 1.0
    """Width of edges relative to the usual; signs whose edges are less than a pixel have none."""
    dark: Colour = BLACK
    """The ink of edges."""

    def elsewhere(self, centre: Place, height: float, turn: float = 0.0) -> Pen:
        """The same pen at another place of the picture."""
        return replace(self, centre=centre, height=height, turn=turn)

    def shape(self, points: list[Place], colour: Colour) -> None:
        """Fill an outline and draw its edge; a sign extends from -0.5 to 0.5."""
        placed = self.placed(points)
        draw_polygon(self.picture, placed, colour)
        self._edged(placed, self.height / 60)

    def tapered(self, line: list[Place], widths: list[float], colour: Colour, edge: float) -> None:
        """Draw a line of varying width, one for each of its points, in signs."""
        middle = np.array(line)
        along = np.gradient(middle, axis=0)
        along /= np.maximum(np.hypot(*along.T)[:, None], 1e-6)
        across = along[:, ::-1] * (-1, 1) * (np.array(widths) / 2)[:, None]
        placed = self.placed([*map(tuple, middle + across), *map(tuple, (middle - across)[::-1])])
        draw_polygon(self.picture, placed, colour)
        self._edged(placed, self.height * edge / 2)

    def stroke(self, points: list[Place], colour: Colour, width: float, edge: float = EDGE) -> None:
        """Draw a line `width` signs wide, with an `edge` that counts both sides together."""
        placed = self.placed(points)
        wide = max(2, round(width * self.height))
        around = round(self.height * edge * self.weight)
        self._line(placed, self.dark, wide + max(2, around), closed=False)
        self._line(placed, colour, wide, closed=False)

    def line(self, points: list[Place], colour: Colour, width: float) -> None:
        """Draw a line `width` signs wide, without an edge."""
        wide = max(1, round(width * self.height))
        self._line(self.placed(points), colour, wide, closed=False)

    def disc(self, place: Place, radius: float, colour: Colour) -> None:
        """Fill a circle and draw its edge."""
        (x, y), reach = self.placed([place])[0], round(radius * self.height)
        cv2.circle(self.picture, (round(x), round(y)), reach, colour, -1, cv2.LINE_AA)
        edge = max(1, round(self.height / 100 * self.weight))
        cv2.circle(self.picture, (round(x), round(y)), reach, self.dark, edge, cv2.LINE_AA)

    def _edged(self, placed: Points, width: float) -> None:
        if width * self.weight >= LEAST:
            self._line(placed, self.dark, max(1, round(width * self.weight)), closed=True)

    def placed(self, points: list[Place]) -> Points:
        """The points (N, 2) in pixels."""
        turn = np.radians(self.turn)
        way = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        return np.asarray(np.array(points) @ way * self.height + np.array(self.centre), np.float64)

    def _line(self, placed: Points, colour: Colour, width: int, *, closed: bool) -> None:
        corners = np.round(placed * 2**FINE).astype(np.int32)
        cv2.polylines(self.picture, [corners], closed, colour, width, cv2.LINE_AA, FINE)
