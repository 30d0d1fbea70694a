"""Where the spots of the hand in play are, on the table and in the camera's picture.

The bank may decide whose cards are on the table and whose are held, and players come and go, so the
places are laid out again whenever the spots change.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware.table.layout import Layout
from firmware.table.place import VIEW_MM, Place
from rules.chips import BettingPlace
from rules.spots import Spot
from rules.state import State
from vision.picture.geometry import Point, Polygon
from vision.picture.plane import Plane

Key = tuple[tuple[int, ...], tuple[Spot, ...], tuple[BettingPlace, ...]]


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
        chips: bool = False,
    ) -> None:
        self._chips = chips
        self._plane = plane
        self._size = size_mm
        self._around, self._dealer_at = around, dealer_at
        self._moved = dict(moved or {})
        self._layouts: dict[Key, Layout] = {}
        self._outlines: dict[Key, dict[str, Polygon]] = {}
        self._bets: dict[Key, dict[str, Polygon]] = {}

    def layout(self, state: State) -> Layout:
        """Where everything is in the hand of `state`."""
        key = self._key(state)
        if key not in self._layouts:
            self._layouts[key] = Layout.for_game(
                state.spots.values(),
                state.start.seats,
                self._size,
                around=self._around,
                dealer_at=self._dealer_at,
                moved=self._moved,
                bets=key[2],
            )
        return self._layouts[key]

    def outlines(self, state: State) -> Mapping[str, Polygon]:
        """The outline of each spot in the picture; spots that are held or keyed have none.

        Raises `ValueError` without a camera's plane.
        """
        if self._plane is None:
            raise ValueError("outlines need the plane that a camera sees")
        key = self._key(state)
        if key not in self._outlines:
            self._outlines[key] = self._seen(self._plane, self.layout(state).places)
        return self._outlines[key]

    def bets(self, state: State) -> Mapping[str, Polygon]:
        """Where chips are laid in the picture; empty if no chips are looked for.

        Raises `ValueError` without a camera's plane.
        """
        if self._plane is None:
            raise ValueError("outlines need the plane that a camera sees")
        key = self._key(state)
        if key not in self._bets:
            self._bets[key] = self._seen(self._plane, self.layout(state).bets)
        return self._bets[key]

    def seats(self, state: State) -> Mapping[int, Point]:
        """Where in the picture each seat is, on the rim of the view or beyond."""
        if self._plane is None:
            raise ValueError("outlines need the plane that a camera sees")
        seats = self.layout(state).seats
        return dict(zip(seats, self._plane.outline(tuple(seats.values())), strict=True))

    def _seen(self, plane: Plane, places: Mapping[str, Place]) -> dict[str, Polygon]:
        return {name: Polygon(plane.outline(one.corners)) for name, one in places.items()}

    def _key(self, state: State) -> Key:
        bets = state.game.betting_places(state.start) if self._chips else ()
        return state.start.seats, tuple(state.spots.values()), bets


def table_mm(size_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The corners of the watched area on the table, in millimetres.

    >>> table_mm((300.0, 200.0))
    ((0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0))
    """
    wide, high = size_mm
    return ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
