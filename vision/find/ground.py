"""Where a picture shows only bare table: a card has edges, even ground has none.

The finder takes most of a reading's time, and most of a table is bare. If colours hardly vary over
the size of an index, there can be neither an index nor a card's border, so there is nothing to
find.
"""

from __future__ import annotations

from math import ceil, log2

import cv2
import numpy as np

from vision.picture.geometry import Box, Floats, Frame, around, gathered
from vision.picture.pyramid import Pyramid

COARSE = 4
"""Finder pixels averaged, each way, to suppress sensor noise and the weave of the cloth. A choice;
`python -m tests.dealt_table` judges it."""
WINDOW = 5
"""Window, in averaged pixels, within which colours are compared: 20 finder pixels, about an index.
A choice; `python -m tests.dealt_table` judges it."""
QUIET = 12
"""Largest difference in grey levels, in any colour channel, that counts as even ground; every
card's border exceeds it. On a table so dark that white paper has 34 levels, an index differs by
twice as much; noise of 8 levels per pixel exceeds it at one place in a hundred. Measured by
`python -m tests.thresholds`."""
MARGIN = 5
"""Margin around a difference, in averaged pixels: the finder needs a card's surroundings. A choice;
`python -m tests.dealt_table` judges it."""
WORTH, WORTH_ALONE = 0.6, 0.9
"""If more than this share of the picture is left to process, in several parts or in one, the whole
picture is processed at once. A choice; `python -m tests.dealt_table` judges it."""
SMALLEST = 128
"""Side, in finder pixels, below which skipping bare ground does not pay. A choice;
`python -m tests.dealt_table` judges it."""


def grain(scale: float) -> int:
    """Picture pixels averaged, each way, at this scale.

    Averaging takes a tenth of the time if the sides are multiples of this: halving is many times
    faster than any other way of shrinking, and an odd side cannot be halved.
    """
    return int(2 ** max(0, round(log2(COARSE / scale))))


def places(
    pyramid: Pyramid, box: Box, scale: float = 1.0, discs: Floats | None = None
) -> list[Box]:
    """The parts of `box` that show more than even ground at this scale.

    They do not overlap; if most of the box is eventful, it is returned whole. The `discs` (N, 3),
    as centre and radius in the frame's pixels, show no index and count as ground: chips, say. A
    card beside one or under it is searched all the same, as far as its own border is in sight.
    """
    if min(box.width, box.height) * scale < SMALLEST:
        return [box]
    cell = grain(scale)
    eventful = _eventful(pyramid, box, cell, _within(box, discs))
    found = gathered(
        Box(one.x * cell, one.y * cell, one.width * cell, one.height * cell)
        for one in around(eventful)
    )
    # The last cells may extend beyond the edge.
    inside = [place for one in found if (place := one.within(box.width, box.height))]
    worth = WORTH if len(inside) > 1 else WORTH_ALONE
    if sum(place.width * place.height for place in inside) > worth * box.width * box.height:
        return [box]
    return [Box(box.x + one.x, box.y + one.y, one.width, one.height) for one in inside]


def _within(box: Box, discs: Floats | None) -> Floats:
    """The discs (N, 3) in the pixels of a box."""
    some = np.zeros((0, 3), np.float32) if discs is None else discs
    return np.asarray(some - np.array([box.x, box.y, 0], np.float32), np.float32)


def _eventful(pyramid: Pyramid, box: Box, cell: int, discs: Floats) -> Frame:
    """Which cells, averaged over blocks of pixels, show more than even ground: 0 or 1.

    `discs` (N, 3) are even ground whatever they show.
    """
    small = pyramid.resized(box, (-(-box.width // cell), -(-box.height // cell)))
    window = np.ones((WINDOW, WINDOW), np.uint8)
    apart = cv2.subtract(cv2.dilate(small, window), cv2.erode(small, window))
    largest = cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2])
    shown = (largest > QUIET).astype(np.uint8)
    for x, y, radius in (discs / cell).tolist():
        # What a disc shows differs from what surrounds it half a window beyond its border.
        cv2.circle(shown, (round(x), round(y)), ceil(radius) + WINDOW // 2, (0,), -1)
    around = np.ones((2 * MARGIN + 1, 2 * MARGIN + 1), np.uint8)
    return np.asarray(cv2.dilate(shown, around), np.uint8)
