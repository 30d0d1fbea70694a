"""Which of the backs in a picture are asked about: judging a heap takes most of a reading's time.

Where a card is laid down, only what lies there needs judging, and outside the table's places only
what lies outside them: a heap next to it was reported when it arrived, by whoever reads its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Areas
from vision.picture.geometry import Floats
from vision.sightings import Sighting

FAINT = 0.2
"""Minimum probability of "back" at which a cell belongs to the area around it. A choice, well below
the 0.35 at which a cell may be part of a back (`vision.backs.parts.BACK`)."""
BESIDE = 7
"""Areas fewer than this many cells apart, each way, are judged together: one card's edge may
explain its neighbour's, which is searched for within two cells. A choice, on the safe side."""
OVER = 4.5
"""Area in squared index heights below which a patch on the asker's ground is the rim of a card that
lies off it: a quarter of a card, as a card centred on the ground has half its area there. Follows
from a card's 18 (63 x 88 mm, an index of 17 mm)."""
MOSTLY = 0.5
"""Minimum share of an area on the asker's ground at which it counts, however small it is: a card
under others shows only a strip. A choice."""

Marks = NDArray[np.uint8]
"""Marked places (255) on a shrunken picture, as an (h, w) array."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is asked: the backs that reach where something has `changed`, or all of them.

    If they do not all lie on the asker's `ground`, only those that do. Both are marked on a picture
    shrunk by `scale`.
    """

    changed: Marks | None
    scale: float
    ground: Marks | None = None
    roughly: bool = False
    """Whether heaps are left unresolved, not split into their cards."""
    known: tuple[Sighting, ...] | None = None
    """The backs that lie there, if known: they are not searched for again."""
    lay: tuple[Floats, ...] = ()
    """The corners (4, 2) of the backs that are known to have lain there before."""
    stirred: tuple[Floats, ...] = ()
    """Those of backs that lay there before but may have been moved, or have another over them."""

    def of(self, areas: Areas, index_height: float) -> Areas:
        """The maps without the backs that nobody asks about.

        If the index height (in pixels of the picture) is unknown, all that changed is asked about.
        """
        likely = (areas.back >= FAINT).astype(np.uint8)
        if self.changed is None or not likely.any():
            return areas
        near = np.asarray(cv2.dilate(likely, np.ones((BESIDE, BESIDE), np.uint8)), np.uint8)
        number, labels = cv2.connectedComponents(near, connectivity=8)
        wanted = np.bincount(labels[self._on(self.changed, areas)], minlength=number) > 0
        if self.ground is not None and index_height:
            shown = likely > 0
            whole = np.bincount(labels[shown], minlength=number)
            here = np.bincount(labels[shown & self._on(self.ground, areas)], minlength=number)
            least = OVER * (index_height * areas.scale) ** 2
            wanted &= (here >= least) | (here >= MOSTLY * whole)
        wanted[0] = False
        if wanted[1:].all():
            return areas
        return replace(areas, back=np.where(wanted[labels], areas.back, np.float32(0)))

    def _on(self, marks: Marks, areas: Areas) -> NDArray[np.bool_]:
        """Which cells (h, w) of the maps are marked in a picture."""
        rows, columns = (
            ((np.arange(count) + 0.5) / areas.scale + first) * self.scale
            for count, first in zip(areas.back.shape, (areas.box.y, areas.box.x), strict=True)
        )
        down = np.clip(rows, 0, marks.shape[0] - 1).astype(np.intp)
        across = np.clip(columns, 0, marks.shape[1] - 1).astype(np.intp)
        return np.asarray(marks[np.ix_(down, across)] > 0, np.bool_)
