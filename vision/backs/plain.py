"""Find things of one even colour shaped like a card, as a card with a plain back is.

The finder sees no difference between such a back and any other thing of one colour: it has no
print, and its size relative to the other cards does not show in a cell's surroundings. So they are
searched for directly, and whether one is a card of the deck is judged later.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Areas
from vision.join.evidence import ASPECT_BAND
from vision.picture.geometry import Floats, Frame, upright, within
from vision.picture.pyramid import Pyramid

EVEN = 12
"""Largest difference in grey levels between neighbouring cells of an even colour, in light and
noise. A choice; `python -m tests.face_down` judges it."""
RIM = 2.6
"""Cells at each side that differ from the inside or from those beyond, as shown by half of the
cells along a side: an evenly coloured card is found smaller by this, each way (2.3 to 2.9 on ten
drawn tables). A choice; `python -m tests.face_down` judges it."""
FILLED = 0.78
"""Minimum share of its bounding rectangle that the inside of a card fills; its rim is uneven. A
choice; `python -m tests.face_down` judges it."""
SHORTEST, MOST = 9, 0.25
"""Minimum short side, in cells, of a card that can be recognized this way, and the largest share of
the examined part that it may fill: anything larger is the table. A choice;
`python -m tests.face_down` judges it."""


def plain(pyramid: Pyramid, areas: Areas) -> list[Floats]:
    """The corners (4, 2) in the picture of what has one colour and a card's proportions.

    What the `areas` of the picture show to be a face is left out.
    """
    rows, columns = areas.face.shape
    small = pyramid.resized(areas.box, (columns, rows))
    found: list[Floats] = []
    faceless = (areas.face < 0.5).astype(np.uint8)
    # A grid printed finer than the cells beats with them, and is even once they are averaged.
    for looked_at in (small, np.asarray(cv2.blur(small, (3, 3)), np.uint8)):
        shaped = _card_shaped(evenly(looked_at) & faceless)
        found += [one for one in shaped if not any(within(two, one.mean(axis=0)) for two in found)]
    box = areas.box
    return [
        upright((corners / np.float32(areas.scale) + (box.x, box.y)).astype(np.float32))
        for corners in found
    ]


def _card_shaped(plainly: NDArray[np.uint8]) -> list[Floats]:
    """The corners (4, 2), in cells, of the patches of a mask with a card's proportions."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(plainly, connectivity=4)
    inside = SHORTEST - 2 * RIM
    patches = np.asarray(labels, np.int32)
    size = stats[1:count, cv2.CC_STAT_AREA]
    large = (size >= ASPECT_BAND[0] * inside**2) & (size <= MOST * plainly.size)
    found = (_corners(patches, stats[number], int(number)) for number in 1 + np.flatnonzero(large))
    return [corners for corners in found if corners is not None]


def even(pyramid: Pyramid, areas: Areas) -> NDArray[np.uint8]:
    """Which cells differ little from those around them, 0 or 1."""
    rows, columns = areas.face.shape
    return evenly(pyramid.resized(areas.box, (columns, rows)))


def evenly(small: Frame) -> NDArray[np.uint8]:
    """The same in a picture of which each pixel is a cell."""
    window = np.ones((3, 3), np.uint8)
    apart = cv2.subtract(cv2.dilate(small, window), cv2.erode(small, window))
    return np.asarray(cv2.inRange(apart, (0, 0, 0), (EVEN, EVEN, EVEN)), np.uint8) & np.uint8(1)


def _corners(
    labels: NDArray[np.int32], stats: Floats | NDArray[np.int32], number: int
) -> Floats | None:
    """The corners in cells of one even patch, if it is shaped like a card."""
    left, top, width, height, size = (int(value) for value in stats)
    patch = (labels[top : top + height, left : left + width] == number).astype(np.uint8)
    contours, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (x, y), (wide, high), angle = cv2.minAreaRect(contours[0])
    if size < FILLED * (wide + 1) * (high + 1):
        return None
    # A contour runs through the centres of its cells, half a cell inside the patch.
    sides = wide + 2 * RIM, high + 2 * RIM
    if not ASPECT_BAND[0] <= max(sides) / min(sides) <= ASPECT_BAND[1]:
        return None
    return np.asarray(cv2.boxPoints(((x + left + 0.5, y + top + 0.5), sides, angle)), np.float32)
