"""Find the centre of a fully visible card: its back looks the same upside down.

Inside a card's border runs its frame's, as straight and often clearer, and a card fitted to that on
one side is off by the width of the frame. Its print reveals this: rotated by half a turn about a
point other than its centre, it is not the same.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.backs.copies import INSET, TOLERANCE, all_dots
from vision.backs.poses import Poses, grid
from vision.picture.geometry import Floats

STEP = 2.0
"""Dots between the points compared with those opposite. A choice; `python -m tests.face_down`
judges it."""
FARTHEST = 5
"""Dots by which a card's centre may be off. A choice: slightly more than the width of a frame;
`python -m tests.face_down` judges it."""

RIM = 2 * FARTHEST
"""Dots around a card that are compared with it. Follows from that."""


def symmetries(cards: Poses) -> Floats:
    """The share (N,) of each card that looks the same upside down."""
    planes, around = cards.sheet.planes, np.ones((3, 3), np.uint8)
    points = grid(cards.size, INSET, STEP)
    here, there = (cards.places(way).dots(planes) for way in (points, -points))
    alike = np.ones(here.shape, np.bool_)
    for plane in planes:
        low, high = cv2.erode(plane, around), cv2.dilate(plane, around)
        shown = plane.reshape(-1).take(here)
        alike &= shown >= np.maximum(low, TOLERANCE).reshape(-1).take(there) - TOLERANCE
        alike &= shown <= np.minimum(high, 255 - TOLERANCE).reshape(-1).take(there) + TOLERANCE
    return np.asarray(alike.mean(axis=1), np.float32)


def centred(cards: Poses) -> Poses:
    """Each card moved so that it looks most nearly the same upside down."""
    found = Poses(cards.sheet, cards.sizes, cards.at.copy())
    for number, card in enumerate(cards):
        off = _off(card) / card.sizes[0]
        place = card.places(off[None])
        found.at[number, :2] = place.right[0, 0], place.down[0, 0]
    return found


def _off(card: Poses) -> Floats:
    """How many dots (2,), to its right and down, the centre of a card's print is off its own."""
    shown = _shown(card)
    inner = np.ascontiguousarray(shown[RIM:-RIM, RIM:-RIM][::-1, ::-1])
    unlike = cv2.matchTemplate(shown, inner, cv2.TM_SQDIFF)
    row, column = np.unravel_index(int(unlike.argmin()), unlike.shape)
    return np.array((column - RIM, row - RIM), np.float32) / np.float32(2)


def _shown(card: Poses) -> Floats:
    """The levels (h, w, 3) of a card and of `RIM` dots around it."""
    wide, high = (round(side) + 2 * RIM for side in card.size)
    around = np.array((wide, high)) / np.array(card.size)
    places = card.places(np.asarray(all_dots(wide, high) * around, np.float32))
    right, down = (way.reshape(high, wide) - 0.5 for way in (places.right, places.down))
    levels = card.sheet.levels
    found = cv2.remap(levels, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)
