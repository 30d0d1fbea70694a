"""The cards that lie face down: how many, and where.

A back has no index, so its area must do. Where backs overlap, their borders show as dips in the
probability of "back", and cut the area into the visible part of each card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import ASPECT_BAND, CARD, LENGTH_BAND, SHORTEST, SOLID, upright, within
from vision.finder import Areas
from vision.geometry import Floats
from vision.joining import EDGE_ACROSS, EDGE_DOWN, Joined, Shape

BACK = 0.35
"""From this probability a cell may be a back's."""
DIPS = (0.82, 0.89, 0.93, 0.96, 0.98)
"""Where two backs meet, the probability falls under such a share of what it is on them: the lower
it falls, the surer it is a border. Cards that nearly touch leave a shallow dip."""
STRIP = 0.14
"""The share of a card that must be in sight for it to be counted."""
ONE = 1.15
"""An area within this times a card's sides is one card, however uneven its print looks."""

SAME_SIZE = 1.15
"""How much larger or smaller than the deck's cards what is taken for a whole card may be: on the
maps a card is 12 to 30 cells wide and long, and its edges are right to one."""
WHOLE = 0.9
"""What an outline that is wholly a card's counts."""

Cells = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Back:
    """A card that lies face down: its `corners` (4, 2) in the picture, as far as it is in sight,
    and its `likeness` to a whole card of the deck, 0..1."""

    corners: Floats
    likeness: float


def backs(areas: Areas, cards: Sequence[Joined], shape: Shape, usual: float) -> list[Back]:
    """Each card that lies face down.

    `usual` is the height in pixels of the indices of the `cards` in the picture, of the given
    `shape`, or zero if no size is known: then only single cards in full sight are told.
    """
    card = _card_size(shape, usual * areas.scale)
    found = [
        (corners, _likeness(part, corners, card))
        for part in _parts(areas, card)
        if (corners := _corners(part, card)) is not None
    ]
    placed = [Back(_onto_frame(corners, areas), likeness) for corners, likeness in found]
    return [back for back in placed if not _occupied(back.corners, cards)]


def _card_size(shape: Shape, height: float) -> tuple[float, float]:
    """A card's short and long side in cells."""
    return (
        height * (shape.across + 2 * EDGE_ACROSS),
        height * (shape.down + 2 * EDGE_DOWN),
    )


def _parts(areas: Areas, card: tuple[float, float]) -> Iterator[Cells]:
    """Each back's part in sight, as a mask over the whole of `areas`."""
    likely = ((areas.back >= BACK) & (areas.back >= areas.face)).astype(np.uint8)
    least = STRIP * card[0] * card[1] or SHORTEST**2
    paper = (areas.back + areas.face >= CARD).astype(np.uint8)
    for blob in _components(likely, least):
        for core in _cores(blob, areas, 0.7 * least, card):
            # What was cut off around it: the white border, which looks like a face's.
            wide = np.asarray(cv2.dilate(core, np.ones((3, 3), np.uint8)), np.uint8)
            yield wide & (paper | blob)


def _cores(
    blob: Cells, areas: Areas, least: float, card: tuple[float, float], dips: Sequence[float] = DIPS
) -> list[Cells]:
    """The parts of `blob` between the dips, which are the borders of backs beside each other."""
    if not dips or _is_one(blob, card):
        return [blob]
    level = dips[0] * float(np.percentile(areas.back[blob > 0], 90))
    cores = _components(blob & (areas.back >= level).astype(np.uint8), least)
    parts = [part for core in cores for part in _cores(core, areas, least, card, dips[1:])]
    # Cutting off a shadow beside a card shows the card; cutting in vain shows nothing.
    return parts if len(parts) > 1 or any(_is_one(part, card) for part in parts) else [blob]


def _is_one(blob: Cells, card: tuple[float, float]) -> bool:
    """Whether an area is no larger than a single card."""
    points = np.argwhere(blob)[:, ::-1].astype(np.float32)
    short, long = sorted(side + 1 for side in cv2.minAreaRect(points)[1])
    return bool(card[1]) and short <= ONE * card[0] and long <= ONE * card[1]


def _components(cells: Cells, least: float) -> list[Cells]:
    """The connected areas of at least so many cells."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cells, connectivity=4)
    return [
        (labels == number).astype(np.uint8)
        for number in range(1, count)
        if stats[number, cv2.CC_STAT_AREA] >= least
    ]


def _corners(part: Cells, card: tuple[float, float]) -> Floats | None:
    """The corners in cells of the card of which `part` is in sight; none if it cannot be one."""
    points = np.argwhere(part)[:, ::-1].astype(np.float32)
    (x, y), (width, height), angle = cv2.minAreaRect(points)
    short, long = sorted((width + 1, height + 1))
    if short < SHORTEST * (0.5 if card[1] else 1.0):
        return None
    box = np.asarray(
        cv2.boxPoints(((x + 0.5, y + 0.5), (width + 1, height + 1), angle)), np.float32
    )
    if not card[1]:
        hull = float(cv2.contourArea(cv2.convexHull(points))) + short + long
        alone = ASPECT_BAND[0] <= long / short <= ASPECT_BAND[1] and hull >= SOLID * short * long
        return box if alone else None
    fits = long <= LENGTH_BAND[1] * card[1] and short <= LENGTH_BAND[1] * card[0]
    return box if fits else None


def _likeness(part: Cells, corners: Floats, card: tuple[float, float]) -> float:
    """How much a part in sight looks like a whole card of the deck's size, and nothing else.

    So a back in a colour that the finder takes half for the table's is told for certain.
    """
    sides = sorted(float(np.linalg.norm(corners[n] - corners[n - 1])) for n in (1, 2))
    if not card[1]:
        return 0.0
    ratios = [side / size for side, size in zip(sides, card, strict=True)]
    if min(ratios) < 1 / SAME_SIZE or max(ratios) > SAME_SIZE:
        return 0.0
    # Half seen, an area has dents and holes; what it spans is the card all the same.
    points = np.argwhere(part)[:, ::-1].astype(np.int32)
    hull = cv2.convexHull(points)
    spanned = cv2.contourArea(hull) + cv2.arcLength(hull, closed=True) / 2 + 1
    return WHOLE * min(1.0, spanned / (sides[0] * sides[1]))


def _onto_frame(corners: Floats, areas: Areas) -> Floats:
    placed = corners / np.float32(areas.scale) + (areas.box.x, areas.box.y)
    return upright(placed.astype(np.float32))


def _occupied(corners: Floats, cards: Sequence[Joined]) -> bool:
    """Whether a card that was read has its middle there, which a back in sight would cover."""
    return any(len(card.members) > 1 and within(corners, card.centre) for card in cards)
