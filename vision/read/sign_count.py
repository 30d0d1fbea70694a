"""The number of separate signs on a face: connected ink, counted without a network.

A second opinion on the rank that a network reports. If signs touch or cross, or have ornaments
between them, the count differs from the rank and says little.

    >>> face = np.full((96, 64, 3), 245, np.uint8)
    >>> for x, y in ((18, 22), (46, 22), (18, 74), (46, 74)):
    ...     _ = cv2.circle(face, (x, y), 9, (40, 160, 200), -1)
    >>> counted(face)
    Counted(alike=4, large=4, aside=False)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.picture.geometry import Frame
from vision.read.fingerprint import DARKEST, paper_level
from vision.read.one_sided import Mask, pieces

SIZE = 96, 160
"""Width and height to which a face is enlarged, in pixels, so that signs a pixel apart stay apart.
A choice."""
SHARE, FAINTEST, DARKEST_INK = 0.8, 28, 90
"""Share of the level that best separates ink from paper, and the limits of that level: light inks
are ink too, but a sensor's noise is not. A choice; `python -m tests.latin_decks` judges it."""
BRIGHTEST = 1.2
"""Maximum brightness relative to paper: anything brighter is a reflection. A choice."""
BORDER = 3
"""Width of the edge where the table may show, in pixels. A choice: an outline is that accurate."""
LEAST = 0.003
"""Minimum share of the card that a sign covers. A choice: a coin of 5 mm."""
FRAME, THIN = 0.8, 0.25
"""A frame spans at least this share of the card in width and height, and fills less than this share
of its bounding box. A choice; the same command judges it."""
AREA, SIDE = (0.55, 1.8), (0.7, 1.45)
"""Ratios of areas and of sides at which signs are alike. A choice; the same command judges it."""
LARGE = 0.35
"""Minimum size of a possible sign, as a share of a sign's area: one may carry ornaments or be drawn
smaller. A choice; the same command judges it."""
THICK = 4
"""Lines thinner than this may join signs, such as a frame or a scroll; in pixels of an enlarged
face. Without them, signs were counted correctly on 43 of 100 drawn Spanish cards instead of 29, and
on 62 instead of 60 of Piacentine ones. A choice; `python -m tests.latin_decks` judges it."""
_LEVELS = np.arange(256, dtype=np.float64)[:, None]
"""Each level of a channel, for which a table is shorter than a face. Follows from eight bits."""
_BRUSH = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (THICK, THICK))


@dataclass(frozen=True, slots=True)
class Counted:
    """Signs on a face: how many are `alike`, and how many are at least nearly as `large`."""

    alike: int
    large: int
    aside: bool = False
    """Whether a thing is on one side only, as a figure's sign is; an ace's is in the middle."""

    @property
    def any(self) -> bool:
        """Whether there is anything to count: a single thing may be several that touch."""
        return self.alike > 1

    def confirms(self, count: int) -> bool:
        """Whether a face shows `count` signs by these: one of them may be larger, or an ornament.

        One alone is never counted.
        """
        return count > 1 and count in (self.alike, self.large)


@dataclass(frozen=True, slots=True, eq=False)
class _Sign:
    area: float
    short: float
    long: float
    outline: cv2.typing.MatLike

    def like(self, other: _Sign) -> bool:
        sides = (self.short / other.short, self.long / other.long)
        return AREA[0] < self.area / other.area < AREA[1] and all(
            SIDE[0] < side < SIDE[1] for side in sides
        )


def counted(face: Frame) -> Counted:
    """Count the signs on a straightened face of any size, without the lines if lines join them."""
    ink = inked(np.asarray(cv2.resize(face, SIZE), np.uint8))
    whole = _counted(_signs(ink))
    if whole.any:
        return whole
    thick = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_OPEN, _BRUSH), np.uint8)
    return replace(_counted(_signs(thick)), aside=bool(pieces(ink)))


def _counted(signs: Sequence[_Sign]) -> Counted:
    if not signs:
        return Counted(0, 0)
    alike = _most(signs)
    mean = sum(one.area for one in alike) / len(alike)
    return Counted(len(alike), sum(one.area > LARGE * mean for one in signs))


def alone(face: Frame) -> list[cv2.typing.MatLike]:
    """The outlines (N, 1, 2) of the signs that are alike on a face of any size."""
    return [one.outline for one in _most(_signs(inked(face)))]


def _most(signs: Sequence[_Sign]) -> list[_Sign]:
    """The signs that are alike, from the group that covers most."""
    groups = [[one for one in signs if one.like(first)] for first in signs]
    return max(groups, key=lambda group: sum(one.area for one in group), default=[])


def inked(face: Frame) -> Mask:
    """A mask of the ink (1) on a face: whatever differs in colour from the paper, which covers most
    of it."""
    border = round(BORDER * face.shape[1] / SIZE[0])
    paper = np.maximum([paper_level(face[..., one].ravel()) for one in range(3)], DARKEST)
    away = np.abs(1 - np.minimum(_LEVELS / paper, BRIGHTEST))
    table = np.asarray(np.clip(away * 255, 0, 255), np.uint8)
    grey = np.asarray(cv2.LUT(face, table[:, None]), np.uint8).max(axis=2)
    level, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = np.asarray(grey > np.clip(level * SHARE, FAINTEST, DARKEST_INK), np.uint8)
    inner = np.zeros_like(ink)
    inside = np.s_[border:-border, border:-border]
    inner[inside] = ink[inside]
    return inner


def _signs(ink: Mask) -> list[_Sign]:
    """Things of ink that may be a sign: connected, and not a speck or a frame."""
    found = []
    for outline in _things(ink):
        area = float(cv2.contourArea(outline))
        _, (across, down), _ = cv2.minAreaRect(outline)
        if area >= LEAST * ink.size and min(across, down) > 1:
            found.append(_Sign(area, min(across, down), max(across, down), outline))
    return found


def _things(ink: Mask) -> Sequence[cv2.typing.MatLike]:
    """The outlines of everything connected, except frames and anything inside another outline."""
    high, wide = ink.shape
    found, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    left = ink.copy()
    for number in range(1, found):
        _, _, across, down, area = (int(one) for one in stats[number])
        if across > FRAME * wide and down > FRAME * high and area < THIN * across * down:
            left[labels == number] = 0
    contours, _ = cv2.findContours(left, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return contours
