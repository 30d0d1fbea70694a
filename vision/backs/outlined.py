"""Separate cards of one colour with no visible border between them by their heap's outline.

The edge between two overlapping backs without a print may be no stronger than noise. But each has a
card's size, and most of the border of either is the heap's own.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.backs.borders import EXACTLY, sides_of
from vision.backs.fitting import fitted
from vision.backs.poses import Bare, Poses, best_around, distinct, joined
from vision.backs.sheet import Sheet
from vision.backs.uppermost import OFFSETS, PLACES, TRIED
from vision.picture.geometry import Floats

EVEN, LIT = 20.0, (2.0, 98.0)
"""Largest range of levels within a heap of one colour, and the percentiles of its dots compared. A
choice: on three such pairs on drawn tables they were at most 14 levels apart."""
RIM = 3
"""Dots on either side of a heap's outline that form its border. A choice;
`python -m tests.face_down pair` judges it."""
FILLED = 0.96
"""Share of its bounding rectangle above which a heap may be anything with four corners. A choice;
`python -m tests.face_down pair` judges it."""
MOSTLY, EDGED = 0.5, 0.9
"""Minimum share of a card's border that is the heap's, and of that, the minimum share that shows an
edge. A choice; `python -m tests.face_down pair` judges it."""
BEST = 2
"""Number of places tried around each. A choice; `python -m tests.face_down pair` judges it."""


def outlined(places: Poses) -> Poses:
    """The cards, among some `places` on a heap, whose borders run farthest along its outline.

    There are none if the heap has a print, or may be one thing with four corners.
    """
    heap = places.sheet
    if not len(places) or not _even(heap) or _filled(heap) > FILLED:
        return places.chosen(slice(0))
    bare = outline(heap)
    begun = places.chosen(distinct(places, places.each(lambda some: _along(some, bare)), PLACES))
    near = best_around(begun, OFFSETS, lambda poses: _along(poses, bare), BEST)
    cards = fitted(joined([begun, near]), bare)
    sides = sides_of(cards, bare, EXACTLY)
    whole = (sides.shares >= EDGED) & (sides.bare.mean(axis=1) >= MOSTLY)
    cards = cards.chosen(whole)
    return cards.chosen(distinct(cards, _along(cards, bare), TRIED))


def outline(heap: Sheet) -> Bare:
    """A sheet on which only the outline of its heap counts as a card's border."""
    around = np.ones((2 * RIM + 1, 2 * RIM + 1), np.uint8)
    rim = cv2.morphologyEx(heap.heap, cv2.MORPH_GRADIENT, around)
    whole = Bare.beside(heap, ())
    return Bare(np.asarray(rim, np.uint8) & whole.border, whole.face, whole.clear)


def _along(poses: Poses, bare: Bare) -> Floats:
    """The share of each card's border that is an edge on the heap's outline."""
    sides = sides_of(poses, bare)
    return np.asarray(sides.shares * sides.bare.mean(axis=1), np.float32)


def _even(heap: Sheet) -> bool:
    """Whether all of a heap has one colour."""
    inner = cv2.erode(heap.heap, np.ones((2 * RIM + 1, 2 * RIM + 1), np.uint8)) > 0
    if not inner.any():
        return False
    low, high = np.percentile(heap.levels[inner], LIT, axis=0)
    return bool((high - low).max() <= EVEN)


def _filled(heap: Sheet) -> float:
    """The share of its bounding rectangle that a heap fills."""
    contours, _ = cv2.findContours(heap.heap, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (_, sides, _) = cv2.minAreaRect(max(contours, key=cv2.contourArea))
    return float(np.count_nonzero(heap.heap)) / ((sides[0] + 1) * (sides[1] + 1))
