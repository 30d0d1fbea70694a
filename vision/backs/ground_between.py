"""Cut areas of backs where the picture shows ground between their cards.

The maps swell, and join cards that lie less than two cells apart. As one heap, cards that merely
lie near each other take long to explain, and if any of them is in doubt, so are all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells, Size, around, blobs_of_backs
from vision.backs.sheet import ACROSS, Sheet, filled, joined_to, sheet
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

SEVERAL = 1.6
"""Minimum area of a heap, in cards, in which ground is searched for. A choice: of two cards that
overlap by less, nothing shows between them."""
WHOLE = 0.85
"""Minimum area of each part, in cards: the print of a card may have the colour of its ground, and
break into pieces that are smaller. A choice; `python -m tests.face_down` judges it."""
THREAD = 3
"""Width in dots up to which what joins two parts is noise or a shadow. A choice."""
SOFT = 5
"""Width in dots of the square by which the parts grow before what the maps show beside them counts
as ground: two dots all round, for a border that is soft. A choice."""


def parted(frame: Frame, areas: Areas, size: Size, faces: Sequence[Floats]) -> Areas:
    """The maps, with their areas of backs cut where ground shows between whole cards.

    Cards are about `size` pixels, and `faces` are the corners (4, 2) of those that were read.
    """
    least = SEVERAL * size[0] * size[1] * areas.scale**2
    back = areas.back.copy()
    for blob in blobs_of_backs(areas, size):
        if np.count_nonzero(blob) >= least:
            back[_ground(frame, areas, blob, size, faces)] = 0.0
    return replace(areas, back=back)


def _ground(
    frame: Frame, areas: Areas, blob: Cells, size: Size, faces: Sequence[Floats]
) -> NDArray[np.bool_]:
    """The cells (h, w) of an area that show ground around several parts, or lie between them."""
    seed = around(blob, areas)
    made = sheet(frame, areas, seed, size, faces)
    heap = joined_to(made.heap, filled(made.heap.shape, made.on_sheet(seed)))
    thin = np.ones((THREAD, THREAD), np.uint8)
    # A print of the ground's colour leaves little more than a card's border.
    around_it, _ = cv2.findContours(heap, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(heap, around_it, -1, (1,), cv2.FILLED)
    heap = np.asarray(cv2.morphologyEx(heap, cv2.MORPH_OPEN, thin), np.uint8)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(heap, connectivity=4)
    card = ACROSS * ACROSS * size[1] / size[0]
    large = [one for one in range(1, number) if stats[one, cv2.CC_STAT_AREA] >= WHOLE * card]
    if len(large) < 2:
        return np.zeros(blob.shape, np.bool_)
    owned = _owned(blob, areas, made, np.where(np.isin(labels, large), labels, 0))
    soft = np.asarray(cv2.dilate(heap, np.ones((SOFT, SOFT), np.uint8)), np.int32)
    swollen: NDArray[np.bool_] = (blob > 0) & (_at_cells(blob, areas, made, soft) == 0)
    return np.asarray(swollen | _borders(owned), np.bool_)


def _owned(blob: Cells, areas: Areas, made: Sheet, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Which of the labelled parts of a sheet (0 for none) is nearest to each cell of an area."""
    none = (labels == 0).astype(np.uint8)
    _, nearest = cv2.distanceTransformWithLabels(
        none, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    owner = np.zeros(int(nearest.max()) + 1, np.int32)
    owner[nearest[labels > 0]] = labels[labels > 0]
    return _at_cells(blob, areas, made, owner[nearest])


def _at_cells(blob: Cells, areas: Areas, made: Sheet, dots: NDArray[np.int32]) -> NDArray[np.int32]:
    """What a sheet's `dots` are in the middle of each cell of an area; 0 for the other cells."""
    rows, columns = np.nonzero(blob)
    cells = np.stack([columns, rows], axis=1).astype(np.float32) + 0.5
    places = made.on_sheet(cells / areas.scale + np.array([areas.box.x, areas.box.y], np.float32))
    across, down = np.rint(places).astype(np.intp).T
    high, wide = dots.shape
    found = np.zeros(blob.shape, np.int32)
    found[rows, columns] = dots[down.clip(0, high - 1), across.clip(0, wide - 1)]
    return found


def _borders(parts: NDArray[np.int32]) -> NDArray[np.bool_]:
    """The cells (h, w) of one part that touch another one's."""
    found = np.zeros(parts.shape, np.bool_)
    for axis in (0, 1):
        one, other = np.moveaxis(parts, axis, 0)[:-1], np.moveaxis(parts, axis, 0)[1:]
        np.moveaxis(found, axis, 0)[:-1] |= (one != other) & (one > 0) & (other > 0)
    return found
