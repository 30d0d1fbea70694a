"""Recognise cards face down that lie as they lay, so that they need not be counted again.

Each time that somebody rests a hand on hole cards, or takes one up from beside others, what the
maps show changes; to explain it anew takes a hundred times as long as to look where the cards were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.edges import edged, hidden_under, points_along
from vision.backs.heaps import FRINGE, LEAST, OUTSIDE
from vision.backs.parts import Cells, Size
from vision.backs.poses import grown
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

PLAINLY = 0.75
"""Minimum share of a card's border in view that shows an edge. A choice: of two cards under resting
fingers it was 0.78 and more, of one that had been moved by 5 mm, 0.4 at most."""
IN_VIEW = 0.4
"""Minimum share of a card's border that must be in view. A choice: under resting fingers it was
0.45 and more; of a card that lies under another, less shows of what happens to it."""
RIM = 2.0
"""Pixels around a card that it hides of those under it: in a column their sides coincide. A choice:
the error of an outline."""
CARD = 0.6
"""Minimum probability of face or back just inside a card's border where that is in view: a hand on
it shows less. A choice; with 0.35, edges of fingers counted among the card's."""


@dataclass(frozen=True, slots=True, eq=False)
class Lay:
    """Cards of about `size` pixels that `lay` (4, 2) face down where the maps show backs now.

    `faces` (4, 2) are read cards that lie there.
    """

    frame: Frame
    areas: Areas
    size: Size
    lay: Sequence[Floats]
    faces: Sequence[Floats] = ()

    def unmoved(self, blob: Cells) -> bool:
        """Whether an area `blob` (h, w) on the maps is these cards, and no more.

        They cover all of it, and in some order each shows its edges where none of those before it,
        nor a face, nor a hand lies over it: a card on them would hide some, and one that is gone
        shows none.
        """
        if not self.lay or self._beyond(blob) >= LEAST:
            return False
        above, left = [grown(one, RIM) for one in self.faces], list(self.lay)
        while left:
            number = next((n for n, one in enumerate(left) if self._is_plain(one, above)), None)
            if number is None:
                return False
            above.append(grown(left.pop(number), RIM))
        return True

    def _beyond(self, blob: Cells) -> float:
        """The area, in cards, of what is left of these cells beside the cards, but for threads."""
        left = blob.copy()
        for corners in self.lay:
            wider = grown(corners, FRINGE * self.size[0])
            at = (wider - (self.areas.box.x, self.areas.box.y)) * self.areas.scale - 0.5
            cv2.fillConvexPoly(left, np.round(at).astype(np.int32), (0,))
        left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
        whole = self.size[0] * self.size[1] * self.areas.scale**2
        return float(np.count_nonzero(left)) / whole

    def _is_plain(self, corners: Floats, above: Sequence[Floats]) -> bool:
        """Whether a card (4, 2) plainly shows its edges beside those `above`, as far as in view."""
        hidden = hidden_under(corners, above) | self._under_a_hand(corners)
        if np.count_nonzero(~hidden) < IN_VIEW * hidden.size:
            return False
        return edged(self.frame, corners, 3, hidden) >= PLAINLY

    def _under_a_hand(self, corners: Floats) -> NDArray[np.bool_]:
        """Which points of a card's sides (`points_along`) have no card inside, by the maps."""
        points, inset = points_along(corners), np.float32(OUTSIDE * FRINGE * self.size[0])
        inwards = corners.mean(axis=0) - points
        away = np.maximum(np.linalg.norm(inwards, axis=-1, keepdims=True), 1e-6)
        areas = self.areas
        places = (points + inwards / away * inset - (areas.box.x, areas.box.y)) * areas.scale
        high, wide = areas.back.shape
        columns, rows = np.moveaxis(np.floor(places).astype(np.intp), -1, 0)
        at = rows.clip(0, high - 1), columns.clip(0, wide - 1)
        return np.asarray(areas.back[at] + areas.face[at] < CARD, np.bool_)
