"""Read overlapping cards of a known deck by the visible parts of their faces.

Whatever stands out from the table and is larger than one card is explained from the top down: first
a fully visible card that the deck knows, then what shows next to it. Where a card may lie follows
from the corners of the area, or for a card between others, from all places where a card of that
rotation fits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import attrgetter

import cv2
import numpy as np

from vision.backs.parts import sides
from vision.decide.corners import side_lengths
from vision.decide.faces_in_heap import LEFT, TOP, Heap, count_of
from vision.decide.overlooked import add_overlooked
from vision.decide.partly import Partly, fitted
from vision.find.outlines import SMALLEST, Mask
from vision.picture.geometry import Floats
from vision.read.face_search import FaceSearch, Size

LARGER, LARGEST = 1.12, 10.0
"""Range of areas that are explained, in card areas. A choice: below is one card and its shadow,
above is something other than a heap of cards."""
AREAS_MOST = 8
"""Most areas searched for the cards' size. A choice: a table's hands."""
BEYOND = 16
"""Margin in pixels around an area that is examined too, for the edges between it and the table. A
choice: as far beyond the area as a card that is tried may lie."""
CARDS_MOST = 8
"""Most cards of one heap. A choice: more are no longer laid side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """The cards that explain an area, uppermost first, and how much is `left`, in card areas."""

    area: Mask
    cards: list[Partly]
    left: float

    @property
    def worth(self) -> float:
        """How much is explained, and how well."""
        return sum(card.agreed * float(card.visible.mean()) for card in self.cards)

    def shares(self, area: Mask) -> bool:
        """Whether any of these cards lies in the given area."""
        return any(bool(area[_pixel(card.corners, area)]) for card in self.cards)


def _pixel(corners: Floats, area: Mask) -> tuple[int, int]:
    """The centre of a card as a row and column of the area."""
    x, y = corners.mean(axis=0)
    high, wide = area.shape
    return min(max(round(float(y)), 0), high - 1), min(max(round(float(x)), 0), wide - 1)


def explanations(masks: Iterable[Mask], size: Size, faces: FaceSearch) -> list[Explanation]:
    """The best explanation of each area in the masks that is larger than one card.

    An area that one mask leaves unexplained, or shows in part, is examined in the next.
    """
    found: list[Explanation] = []
    for mask in masks:
        for area in heaps(mask, size):
            if not any(one.left <= LEFT and one.shares(area) for one in found):
                found.append(explained(area, size, faces))
    chosen: list[Explanation] = []
    for one in sorted(found, key=attrgetter("worth"), reverse=True):
        if one.cards and not any(_same_place(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def size_of(masks: Iterable[Mask], ratio: float, faces: FaceSearch) -> Size | None:
    """Estimate the size of cards of which none lies alone; length is `ratio` times width.

    An edge of a fully visible card is its short or long side; the result is the size at which the
    cards of most areas are recognized, or `None` if none are.
    """
    for mask in masks:
        found = [one for area in _areas(mask) if (one := _size_in(area, ratio, faces)) is not None]
        if found:
            short = float(np.median(found))
            return short, short * ratio
    return None


def _areas(mask: Mask) -> list[Mask]:
    """The largest areas of a mask, each filled in a mask of its own."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [one for one in contours if cv2.contourArea(one) >= SMALLEST**2]
    large.sort(key=cv2.contourArea, reverse=True)
    return [_filled(mask, contour) for contour in large[:AREAS_MOST]]


def _size_in(area: Mask, ratio: float, faces: FaceSearch) -> float | None:
    """The short side of the fully visible card that an area shows best, if it shows one."""
    room = count_of(area)
    about = float(np.sqrt(room / (2 * ratio)))
    lengths = side_lengths(area, about)
    shorts = sorted({round(side) for length in lengths for side in (length, length / ratio)})
    best, most = None, TOP
    for short in shorts:
        size = float(short), short * ratio
        if short < SMALLEST or not room / LARGEST <= size[0] * size[1] <= room:
            continue
        for corners in Heap(area, size, faces).fitting:
            agreed = faces.agrees(corners, None)
            if agreed > most:
                best, most = corners, agreed
    return None if best is None else sides(fitted(faces, best))[0]


def _same_place(one: Explanation, other: Explanation) -> bool:
    return other.shares(one.area) or one.shares(other.area)


def heaps(mask: Mask, size: Size) -> list[Mask]:
    """The areas of a mask that are larger than one card, each filled in a mask of its own."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    card = size[0] * size[1]
    found = []
    for contour in contours:
        if LARGER * card <= cv2.contourArea(contour) <= LARGEST * card:
            found.append(_filled(mask, contour))
    return found


def _filled(mask: Mask, contour: cv2.typing.MatLike) -> Mask:
    area = np.zeros_like(mask)
    cv2.drawContours(area, [contour], -1, (255,), -1)
    return area


def explained(area: Mask, size: Size, faces: FaceSearch) -> Explanation:
    """The overlapping cards in an area.

    A card below them that shows too little to be named is reported as unnamed; those further below
    are left out.
    """
    x, y, wide, high = cv2.boundingRect(area)
    left, top = max(0, x - BEYOND), max(0, y - BEYOND)
    there = np.s_[top : y + high + BEYOND, left : x + wide + BEYOND]
    heap = Heap(area[there], size, replace(faces, picture=faces.picture[there]))
    while heap.left > LEFT and len(heap.cards) < CARDS_MOST:
        if not heap.laid_below() and not heap.slid_between():
            break
    add_overlooked(heap)
    heap.drop_needless()
    heap.part_twins()
    heap.lay_unnamed()
    moved = np.array((left, top), np.float32)
    cards = [replace(card, corners=card.corners + moved) for card in heap.cards]
    return Explanation(area, cards, heap.left)
