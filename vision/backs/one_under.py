"""Tell when what shows beside a face is one card and no more.

A print that repeats itself looks like its own copy in many places, and strips of two cards that lie
across each other may make up what shows of one. But nobody lays cards so that the borders of all
but one are hidden to the last corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from vision.backs.heaps import Explanation, heap
from vision.backs.parts import Cells, Size, around
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame, distance

PLAINLY = 0.95
"""Minimum shares of a card's border in view that show an edge, and that are its area's own. A
choice; `python -m tests.face_down under` judges it."""
NOTHING = 0.01
"""Share of a card that may be left of its area. A choice; `python -m tests.hidden_hands` judges it.
"""


def plainly_one(explained: Explanation) -> bool:
    """Whether one card, half under a face, shows nothing but its own border, and explains all."""
    if len(explained.cards) != 1 or not explained.under or explained.left >= NOTHING:
        return False
    (card,) = explained.cards
    return min(card.edged, card.bordered) >= PLAINLY


def rejoined(
    frame: Frame, areas: Areas, size: Size, blobs: Sequence[Cells], faces: Sequence[Floats]
) -> list[Cells]:
    """The `blobs` (h, w) of the maps, with two that one card under a face (4, 2) makes as one.

    It shows on two sides of that face, and where it has its corner between them the maps may show
    nothing.
    """
    kept = list(blobs)
    if len(blobs) < 2 or not faces:
        return kept
    card = size[0] * size[1] * areas.scale**2
    for one, other in combinations(blobs, 2):
        if not all(any(blob is still for still in kept) for blob in (one, other)):
            continue
        both = one | other
        middles = (around(blob, areas).mean(axis=0) for blob in (one, other))
        if np.count_nonzero(both) > card or distance(*middles) > size[1]:
            continue
        if plainly_one(heap(frame, areas, both, size, faces).explained()):
            kept = [blob for blob in kept if blob is not one and blob is not other] + [both]
    return kept
