"""What stands out from its ground around the cards of a heap, and whether they explain it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.backs.parts import Cells, Size
from vision.backs.poses import grown
from vision.backs.sheet import ACROSS, Sheet, filled
from vision.backs.stack import BORDER, ON_HEAP, begun_on, uncovered
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

FILLED = 0.7
"""Minimum share of the hull of what stands out, beside known cards, that does stand out. A choice:
of one card half under a face all does, but for what is taken for its ground; `python -m
tests.face_down under turned` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """What stands out from its ground around an outline, on a `made` sheet; a card has a `size` in
    dots."""

    made: Sheet
    size: Size

    @classmethod
    def of(
        cls, frame: Frame, areas: Areas, seed: Floats, size: Size, faces: Sequence[Floats]
    ) -> Standing:
        """The heap that touches the outline `seed` (4, 2); cards are about `size` pixels."""
        made, _, dots = begun_on(frame, areas, seed, size, faces)
        return cls(made, dots)

    def without(self, cards: Sequence[Floats]) -> float:
        """The area, in cards, that these `cards` (4, 2) do not explain."""
        return uncovered(self.made, [self.made.on_sheet(one) for one in cards], self.size)

    def shows(self, card: Floats, covers: Sequence[Floats]) -> bool:
        """Whether most of what a `card` (4, 2) would show beside its `covers` stands out."""
        laid = [self.made.on_sheet(corners) for corners in covers]
        heap = self.made.heap
        place = filled(heap.shape, grown(self.made.on_sheet(card), -BORDER))
        for corners in laid:
            place &= 1 - filled(heap.shape, grown(corners, BORDER))
        return bool(np.count_nonzero(place & heap) >= ON_HEAP * np.count_nonzero(place))

    def on_maps(self, areas: Areas, lying: Sequence[Floats]) -> Cells:
        """The cells of the maps (h, w) that stand out beside the cards that are `lying` there.

        Near the outline a back may be its own ground: what is between the parts of one thing, or
        they and the cards enclose, is its own. None, if most of that does not stand out.
        """
        made = self.made
        free = np.ones_like(made.heap)
        for corners in lying:
            free &= 1 - filled(free.shape, grown(made.on_sheet(corners), 1.0))
        core = np.ones((5, 5), np.uint8)
        left = np.asarray(cv2.morphologyEx(made.heap & free, cv2.MORPH_OPEN, core), np.uint8)
        left = _enclosed(left | (1 - free)) & free
        whole = _hull(left) & free
        if np.count_nonzero(left) < FILLED * np.count_nonzero(whole):
            return np.zeros_like(areas.back, np.uint8)
        step = 1 / (areas.scale * made.pixels)
        first = np.array((areas.box.x, areas.box.y)) + 0.5 / areas.scale - made.origin
        first = first / made.pixels
        ways = np.array([(step, 0, first[0]), (0, step, first[1])], np.float32)
        high, wide = areas.back.shape
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(whole, ways, (wide, high), flags=flags), np.uint8)

    def between(self, cards: Sequence[Floats]) -> float:
        """The largest share of the way from one of these `cards` (4, 2), in a row, to the next that
        stands out as well: another card may lie there."""
        heap = self.made.heap
        laid = [self.made.on_sheet(corners) for corners in cards]
        covered = np.zeros_like(heap)
        for corners in laid:
            covered |= filled(covered.shape, grown(corners, BORDER))
        high, wide = heap.shape
        shares = []
        for places in _ways(np.stack([corners.mean(axis=0) for corners in laid])):
            right, down = np.rint(places).astype(np.intp).T
            at = down.clip(0, high - 1), right.clip(0, wide - 1)
            bare = covered[at] == 0
            shares.append(float(heap[at][bare].mean()) if bare.any() else 1.0)
        return max(shares, default=1.0)


def _ways(middles: Floats) -> Iterator[Floats]:
    """Dots on the way from the middle of each card in a row to that of the next, and beside it."""
    along = np.linalg.svd(middles - middles.mean(axis=0))[2][0]
    row = middles[np.argsort(middles @ along)]
    steps = np.linspace(0, 1, round(ACROSS))[:, None, None]
    aside = np.array([-along[1], along[0]]) * (np.arange(-1, 2) * ACROSS / 4)[:, None]
    for one, other in pairwise(row):
        yield np.asarray(one + aside + steps * (other - one), np.float32).reshape(-1, 2)


def _enclosed(cells: Cells) -> Cells:
    """The cells (h, w) with all that they surround."""
    outlines, _ = cv2.findContours(cells, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled_up = np.zeros_like(cells)
    cv2.drawContours(filled_up, outlines, -1, (1,), cv2.FILLED)
    return filled_up


def _hull(cells: Cells) -> Cells:
    """The cells (h, w) within the convex hull of some."""
    hull, points = np.zeros_like(cells), cv2.findNonZero(cells)
    if points is not None:
        cv2.fillConvexPoly(hull, cv2.convexHull(points), (1,))
    return hull
