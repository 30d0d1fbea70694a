"""A place on the table: where the cards of a spot lie, in millimetres.

The plane is the camera's view seen from above: x to the right, y towards the dealer, who stands or
sits at the middle of the lower edge; the origin is the upper left corner, as in pictures. Seats go
round clockwise, beginning at the dealer's left hand. Cards face their owner: angle 0 is upright for
the dealer, 90 for a player at the left edge, all clockwise in degrees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

CARD_MM = (63.5, 88.9)
"""Width and height of a poker card; bridge cards are narrower and fit as well. Follows from the
standard.
"""
VIEW_MM = (1200.0, 675.0)
"""What a 1920x1080 camera sees at 1.6 pixels per millimetre, where a 16 mm index is 25 pixels high.
Follows from the reference rig.
"""
TOUCHING_MM = 0.5
"""Overlap of two places that still counts as sharing an edge. A choice; `python -m tests.soak`
judges it.
"""
Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
Cell = tuple[float, float, float]
"""A card's place: x and y of its centre in mm, and its rotation clockwise in degrees."""


@dataclass(frozen=True, slots=True)
class Place:
    """A spot's place on the table.

    `corners` are in mm, clockwise from the one at the upper left as its owner sees it; `cells` has
    one entry for each card that the spot has room for.
    """

    name: str
    corners: tuple[Point, Point, Point, Point]
    angle: float
    cells: tuple[Cell, ...]

    def cell(self, number: int) -> Cell:
        """Where card `number` (from 0) lies; cards beyond the capacity lie on the last cell."""
        return self.cells[min(number, len(self.cells) - 1)]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom in mm."""
        xs, ys = zip(*self.corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def shifted(self, by: Point, area: Point) -> Place:
        """The same place moved, kept within the area."""
        left, top, right, bottom = self.bounds
        dx = min(max(by[0], -left), max(area[0] - right, -left))
        dy = min(max(by[1], -top), max(area[1] - bottom, -top))
        if not (dx or dy):
            return self
        upper_left, upper_right, lower_right, lower_left = (
            (x + dx, y + dy) for x, y in self.corners
        )
        corners = (upper_left, upper_right, lower_right, lower_left)
        cells = tuple((x + dx, y + dy, angle) for x, y, angle in self.cells)
        return replace(self, corners=corners, cells=cells)

    def within(self, x: float, y: float, rim: float) -> Point:
        """The point nearest to (x, y) inside the place and at least `rim` mm from its border."""
        left, top, right, bottom = self.bounds
        return (
            min(max(x, left + rim), right - rim),
            min(max(y, top + rim), bottom - rim),
        )

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside it."""
        left, top, right, bottom = self.bounds
        return left <= x <= right and top <= y <= bottom


def overlap(one: Bounds, other: Bounds) -> bool:
    """Whether two places overlap by more than a shared edge."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > TOUCHING_MM and down > TOUCHING_MM
