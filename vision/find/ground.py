"""Where a picture shows only bare table: a card has edges, even ground has none.

The finder takes most of a reading's time, and most of a table is bare. If colours hardly vary over
the size of an index, there can be neither an index nor a card's border, so there is nothing to
find.
"""

from __future__ import annotations

from math import log2

import cv2
import numpy as np

from vision.picture.geometry import Box, Frame, around, averaged, gathered

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


def places(frame: Frame, box: Box, scale: float = 1.0) -> list[Box]:
    """The parts of `box` that show more than even ground at this scale.

    They do not overlap; if most of the box is eventful, it is returned whole.
    """
    if min(box.width, box.height) * scale < SMALLEST:
        return [box]
    cell = grain(scale)
    eventful = _eventful(box.cut(frame), cell)
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


def _eventful(part: Frame, cell: int) -> Frame:
    """Which cells, averaged over blocks of pixels, show more than even ground: 0 or 1."""
    height, width = part.shape[:2]
    small = averaged(part, (-(-width // cell), -(-height // cell)))
    window = np.ones((WINDOW, WINDOW), np.uint8)
    apart = cv2.subtract(cv2.dilate(small, window), cv2.erode(small, window))
    largest = cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2])
    around = np.ones((2 * MARGIN + 1, 2 * MARGIN + 1), np.uint8)
    return np.asarray(cv2.dilate((largest > QUIET).astype(np.uint8), around), np.uint8)
