"""The size of the watched area, estimated from the cards in it if nobody has measured it.

A playing card is the one thing of known size on every table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.settings.settings import Settings
from firmware.table.place import CARD_MM, VIEW_MM
from firmware.table.places import table_mm
from vision.errors import GeometryError
from vision.picture.geometry import Outline, Polygon, halved
from vision.picture.plane import Plane
from vision.sightings import INDEX_MM

Picture = NDArray[np.uint8]
Blocks = NDArray[np.int16]
Size = tuple[float, float]
"""The width and height of the watched area, in millimetres."""
Cards = Callable[[Picture], Sequence[Outline]]
"""Finds the outlines (4, 2), in pixels, of the cards in a picture, whatever its scale."""
ALIKE = 0.1
"""Relative difference below which two sizes count as the same: bridge cards are 57 mm wide, and an
outline is accurate to a twentieth of its card. A choice.
"""
FIRST_S, LATER, MOST_S = 1.0, 1.5, 20.0
"""When to look for a card first where nothing changes, in seconds; the factor by which each wait
grows; the longest wait: one such look takes as long as a dozen others. A choice.
"""
SOON_S, SHARE = 0.4, 0.25
"""Minimum time in seconds between two looks, and largest share of the time to be spent on them:
where something new lies, a look is worth more than its time, but the table must not wait for it. A
choice: so a card is read within 2 s of its coming to rest, as it is where the size is known.
"""
BLOCKS, LEVELS = (64, 36), 12
"""Blocks, across and down, whose mean levels tell what changes, and by how much the level of one
differs that has changed: noise averages out in a block. A choice.
"""
NEW, STIRRED = 2, 23
"""Minimum number of changed blocks where something new lies, and number from which a picture is not
still: a card is at least two blocks wide where it can be read at all, and a telephone held by hand
is never quite still. A choice: the real film of four cards, thinned to three pictures a second, is
read as soon as the whole one.
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


def plane_of(settings: Settings, picture: Picture) -> Plane:
    """The table plane as this camera sees it, worked out from one of its pictures.

    Without corners in the settings, the picture's corners count as the table's.
    """
    height, width = picture.shape[:2]
    whole = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return Plane.from_points(table_mm(settings.size_mm), settings.corners or whole)


def shaped(settings: Settings, picture: Picture) -> Settings:
    """The settings, with an area of the picture's proportions if nobody has given a size."""
    if settings.corners or settings.size_mm != VIEW_MM:
        return settings
    height, width = picture.shape[:2]
    return replace(settings, size_mm=(VIEW_MM[0], VIEW_MM[0] * height / width))


def resized(plane: Plane, size_mm: Size, found_mm: Size) -> Plane:
    """The `plane` of an area assumed to be `size_mm` that turned out to be `found_mm`."""
    return Plane.from_points(table_mm(found_mm), plane.outline(table_mm(size_mm)))


def index_height(plane: Plane, size_mm: Size) -> float:
    """The height in pixels of an index in the middle of an area of this size on the `plane`."""
    wide, high = size_mm
    return INDEX_MM * plane.scale((wide / 2, high / 2))


def same_size(one: Size, other: Size) -> bool:
    """Whether two sizes of one area agree within the accuracy of measuring by cards."""
    return all(abs(a - b) <= ALIKE * b for a, b in zip(one, other, strict=True))


class SizeGuard:
    """Looks for cards on a table whose size is only assumed; `sized` is called with the estimate.

    Until then it reports the trouble ``assumed``. It looks when something new has come to rest, and
    now and then besides. Two looks have to agree: a card being held up is closer to the camera than
    the table.
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
        self._rest = _Rest()
        self._looked = False
        self._last_s: float | None = None
        self._gap_s = 0.0
        self._soonest = 0.0

    def __call__(self, picture: Picture, time_s: float) -> tuple[str, ...]:
        """The trouble that a picture taken at `time_s` seconds shows, if any."""
        if self._known:
            return ()
        if self._due is None:
            self._due = time_s + FIRST_S
        gap_s = 0.0 if self._last_s is None else time_s - self._last_s
        self._last_s = time_s
        if self._looked:
            # On a live camera, the first picture after a look comes later by what the look took.
            took_s = gap_s - self._gap_s
            self._soonest = time_s + max(SOON_S - gap_s, took_s / SHARE)
        else:
            self._gap_s = gap_s
        self._looked = False
        fresh = self._rest.shows_more(picture)
        again = self._last is not None
        if time_s >= self._soonest and (fresh or again or time_s >= self._due):
            self._rest.looked()
            self._looked = True
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
        self._tell(self._last)


class _Rest:
    """Whether something new lies still since the last look, by the levels of a few blocks."""

    def __init__(self) -> None:
        self._now: Blocks | None = None
        self._seen: Blocks | None = None

    def shows_more(self, picture: Picture) -> bool:
        """Whether `picture` is like the one before it, but not like the one last looked at."""
        before = self._now
        small = halved(picture, BLOCKS)
        self._now = cv2.resize(small, BLOCKS, interpolation=cv2.INTER_AREA).astype(np.int16)
        if before is None or _changed(before, self._now) >= STIRRED:
            return False
        return self._seen is None or _changed(self._seen, self._now) >= NEW

    def looked(self) -> None:
        """Compare with the picture shown last from now on."""
        self._seen = self._now


def _changed(one: Blocks, other: Blocks) -> int:
    """How many blocks differ."""
    return int((np.abs(one - other).max(axis=2) > LEVELS).sum())
