"""Which of the backs in a picture are asked about: to judge a heap of them takes most of a reading.

Where a card is laid down, only what lies there is to be judged, and beside a table's places only
what lies beside them: the heap next to it was told when it came, by whoever reads its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Areas
from vision.sightings import Sighting

FAINT = 0.2
"""From this probability of "back" on, cells belong to the areas around them. A choice, well below
the 0.35 from which a cell may be a back's (`vision.backs.parts.BACK`)."""
BESIDE = 7
"""Areas less than this many cells apart, each way, are judged together: one card's edge may
explain its neighbour's, which is looked for within two cells. A choice, on the safe side."""
OVER = 4.5
"""The area in squared heights of an index below which what lies beside the asker's ground is the
rim of what lies off it: a quarter of a card, as a card whose middle is there has half of it there.
Follows from a card's 18 (63 x 88 mm, an index of 17 mm)."""
MOSTLY = 0.5
"""The share of an area on the asker's ground from which it counts, however small it is: of a card
under others a strip is in sight. A choice."""

Marks = NDArray[np.uint8]
"""Places (h, w) that are marked (255), on a shrunken picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is asked: the backs that reach where something has `changed`, and of those only the ones
    that lie on the asker's `ground`, if they do not all; on a picture shrunken by `scale`."""

    changed: Marks
    scale: float
    ground: Marks | None = None
    roughly: bool = False
    """Whether heaps are not to be resolved into their cards."""
    known: tuple[Sighting, ...] | None = None
    """The backs that lie there, if that is known: they are not looked for again."""

    def of(self, areas: Areas, index_height: float) -> Areas:
        """The maps without the backs that nobody asks about.

        Where no height of an index (pixels of the picture) is known, all that changed is asked
        about.
        """
        likely = (areas.back >= FAINT).astype(np.uint8)
        if not likely.any():
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
        """Which cells (h, w) of the maps lie where a picture is marked."""
        rows, columns = (
            ((np.arange(count) + 0.5) / areas.scale + first) * self.scale
            for count, first in zip(areas.back.shape, (areas.box.y, areas.box.x), strict=True)
        )
        down = np.clip(rows, 0, marks.shape[0] - 1).astype(np.intp)
        across = np.clip(columns, 0, marks.shape[1] - 1).astype(np.intp)
        return np.asarray(marks[np.ix_(down, across)] > 0, np.bool_)
