"""The size of the watched area, estimated from the cards in it if nobody has measured it.

A playing card is the one thing of known size on every table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import median

import numpy as np
from numpy.typing import NDArray

from firmware.table.place import CARD_MM
from vision.errors import GeometryError
from vision.picture.geometry import Outline, Polygon
from vision.picture.plane import Plane

Picture = NDArray[np.uint8]
Size = tuple[float, float]
"""The width and height of the watched area, in millimetres."""
Cards = Callable[[Picture], Sequence[Outline]]
"""Finds the outlines (4, 2), in pixels, of the cards in a picture, whatever its scale."""
ALIKE = 0.1
"""Relative difference below which two sizes count as the same: bridge cards are 57 mm wide, and an
outline is accurate to a twentieth of its card. A choice.
"""
FIRST_S, LATER, MOST_S = 1.0, 1.5, 20.0
"""When to look for a card first, in seconds; the factor by which each wait grows; the longest wait:
one such look takes as long as a dozen others. A choice.
"""


def size_by_cards(size_mm: Size, plane: Plane, cards: Sequence[Outline]) -> Size | None:
    """The size of an area assumed to be `size_mm` on the `plane`, worked out from the cards in it.

    None if no card is visible.
    """
    shares = []
    for outline in cards:
        try:
            area = Polygon(tuple(map(plane.millimetres, outline))).area
        except GeometryError:
            continue
        shares.append(sqrt(area / (CARD_MM[0] * CARD_MM[1])))
    if not shares:
        return None
    wide, high = (round(side / median(shares), 1) for side in size_mm)
    return wide, high


def same_size(one: Size, other: Size) -> bool:
    """Whether two sizes of one area agree within the accuracy of measuring by cards."""
    return all(abs(a - b) <= ALIKE * b for a, b in zip(one, other, strict=True))


class SizeGuard:
    """Looks for cards on a table whose size is only assumed; `sized` is called with the estimate.

    Until then it reports the trouble ``assumed``. Two looks have to agree: a card being held up is
    closer to the camera than the table.
    """

    def __init__(
        self, size_mm: Size, plane: Plane, cards: Cards, sized: Callable[[Size], None]
    ) -> None:
        self._size = size_mm
        self._plane = plane
        self._cards = cards
        self._tell = sized
        self._known = False
        self._last: Size | None = None
        self._due: float | None = None
        self._wait = FIRST_S

    def __call__(self, picture: Picture, time_s: float) -> tuple[str, ...]:
        """The trouble that a picture taken at `time_s` seconds shows, if any."""
        if self._due is None:
            self._due = time_s + FIRST_S
        if not self._known and time_s >= self._due:
            self._look(picture)
            self._due = time_s + self._wait
        return () if self._known else ("assumed",)

    def _look(self, picture: Picture) -> None:
        before = self._last
        self._last = size_by_cards(self._size, self._plane, self._cards(picture))
        if self._last is None:
            self._wait = min(MOST_S, self._wait * LATER)
            return
        self._wait = FIRST_S
        if before is None or not same_size(before, self._last):
            return
        self._known = True
        if not same_size(self._last, self._size):
            self._tell(self._last)
