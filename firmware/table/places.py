"""Where the spots of the hand in play lie, on the table and in the camera's picture.

The bank may decide whose cards lie on the table and whose are held, and players come and go, so
the places are laid out again whenever the spots change.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware.table.layout import VIEW_MM, Layout
from rules.spots import Spot
from rules.state import State
from vision.picture.geometry import Point, Polygon
from vision.picture.plane import Plane

Key = tuple[tuple[int, ...], tuple[Spot, ...]]


class Places:
    """The layouts of one table, and their outlines through one camera.

    Hands with the same spots get the same objects.

    >>> from rules.games import GAMES
    >>> from rules.start import Start
    >>> state = next(iter(GAMES.values()))().open(Start(seats=(1, 2), banker=1))
    >>> places = Places()
    >>> places.layout(state) is places.layout(state)
    True
    """

    def __init__(
        self,
        plane: Plane | None = None,
        size_mm: tuple[float, float] = VIEW_MM,
        *,
        around: int | None = None,
        dealer_at: int | None = None,
        moved: Mapping[str, Point] | None = None,
    ) -> None:
        self._plane = plane
        self._size = size_mm
        self._around, self._dealer_at = around, dealer_at
        self._moved = dict(moved or {})
        self._layouts: dict[Key, Layout] = {}
        self._outlines: dict[Key, dict[str, Polygon]] = {}

    def layout(self, state: State) -> Layout:
        """Where everything lies in the hand of `state`."""
        key = _key(state)
        if key not in self._layouts:
            self._layouts[key] = Layout.for_game(
                state.spots.values(),
                state.start.seats,
                self._size,
                around=self._around,
                dealer_at=self._dealer_at,
                moved=self._moved,
            )
        return self._layouts[key]

    def outlines(self, state: State) -> Mapping[str, Polygon]:
        """Where in the picture each spot lies; spots that are held or keyed have no place.

        Raises `ValueError` without a camera's plane.
        """
        if self._plane is None:
            raise ValueError("outlines want the plane that a camera sees")
        key = _key(state)
        if key not in self._outlines:
            self._outlines[key] = {
                name: Polygon(self._plane.outline(place.corners))
                for name, place in self.layout(state).places.items()
            }
        return self._outlines[key]


def table_mm(size_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The corners of the watched area on the table, in millimetres.

    >>> table_mm((300.0, 200.0))
    ((0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0))
    """
    wide, high = size_mm
    return ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))


def _key(state: State) -> Key:
    return state.start.seats, tuple(state.spots.values())
