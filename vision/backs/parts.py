"""Areas on the finder's maps that look like backs, each the visible part of one card.

Where backs overlap, their borders show as dips in the probability of "back", and split the area.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Areas
from vision.join.evidence import (
    ASPECT_BAND,
    CARD,
    LATTICE,
    SHORTEST,
    SOLID,
    blobs,
    supports,
)
from vision.join.joined import Joined
from vision.picture.geometry import Floats, upright
from vision.sightings import SURE_BACK

LENGTH_BAND = (0.7, 1.4)
"""Range of a back's length relative to the cards read in the same picture. A choice;
`python -m tests.face_down` judges it."""
BACK = 0.35
"""Minimum probability at which a cell may be part of a back. A choice; `python -m tests.face_down`
judges it."""
DIPS = (0.82, 0.89, 0.93, 0.96, 0.98)
"""Dips between two backs, as shares of the probability on them: the deeper the dip, the surer it is
a border. Cards that nearly touch leave a shallow dip. A choice; `python -m tests.face_down` judges
it."""
STRIP = 0.14
"""Minimum visible share of a card for it to be counted. A choice; `python -m tests.face_down`
judges it."""
ONE = 1.15
"""Size, in sides of a card, up to which an area is one card, however uneven its print looks. A
choice; `python -m tests.face_down` judges it."""
SAME_SIZE = 1.15
"""Largest size ratio to the deck's cards at which something counts as a whole card: on the maps a
card is 12 to 30 cells wide and long, and its edges are accurate to one. A choice;
`python -m tests.face_down` judges it."""
WHOLE = 0.9
"""Confidence of an outline on the maps that is exactly a card's. A choice;
`python -m tests.face_down` judges it."""
MIXED = 0.05
"""Minimum share of "back" in what the maps half see as a face: for faces it is below a hundredth. A
choice; `python -m tests.face_down` judges it."""
RINGS, INNER = (0.25, 0.5, 0.8), 0.8
"""Positions at which such a thing is sampled, as shares of the way from its centre to its corners,
and the part of an area that is sampled, as the rim is blurred. A choice;
`python -m tests.face_down` judges it."""
FRAMED = 0.95
"""Confidence of an outline of the deck's size with an edge on all four sides. A choice;
`python -m tests.face_down` judges it."""
CORE = 0.7
"""Share of the smallest part that its core must have: its white border is cut off. A choice;
`python -m tests.face_down` judges it."""
LARGER = 1.06
"""Size, in sides of a card, from which an area may be more than one card: a second one juts out by
4 mm; a single card will be recognized as one again. A choice; `python -m tests.face_down` judges
it."""
CUT_INTO = 0.8
"""Share of its bounding rectangle below which an area has something lying over it. A choice;
`python -m tests.face_down` judges it."""
VAGUE = SURE_BACK - 0.05
"""Largest confidence of an area explained neither by its edges nor by anything lying on it. A
choice; `python -m tests.face_down` judges it."""

Cells = NDArray[np.uint8]
Size = tuple[float, float]
"""The short and long sides of a card."""


@dataclass(frozen=True, slots=True, eq=False)
class Back:
    """A card that lies face down.

    `corners` (4, 2) bound its visible part in the picture; `confidence` is 0..1. It is `whole` if
    it is all that stands out from the ground there, alone or with other known cards, so that
    nothing needs to be searched for under it.
    """

    corners: Floats
    confidence: float
    whole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An area that looks like a back.

    `corners` (4, 2) bound its visible part in the picture; `likeness`, 0..1, is how much it looks
    like a whole card of the deck.
    """

    corners: Floats
    likeness: float

    def confidence(self, areas: Areas) -> float:
        """The confidence that it is a back, by the maps alone."""
        return max(float(supports(areas, [self.corners])[0]), self.likeness)

    def likely(self, areas: Areas) -> float:
        """The mean probability of "back" over it, away from its rim."""
        middle = self.corners.mean(axis=0)
        points = middle + (LATTICE @ self.corners - middle) * np.float32(INNER)
        return float(np.nanmean(areas.sample(points, back=True)))


def parts(areas: Areas, size: Size) -> list[Part]:
    """The areas that look like backs, if a card measures `size` in pixels.

    A size of zero means unknown: then only fully visible single cards are reported.
    """
    card = size[0] * areas.scale, size[1] * areas.scale
    found = [(part, _corners(part, card)) for part in _parts(areas, card)]
    return [
        Part(_onto_frame(corners, areas), _likeness(part, corners, card))
        for part, corners in found
        if corners is not None
    ]


def mixed(areas: Areas, cards: Sequence[Joined]) -> list[Floats]:
    """The corners (4, 2) of card-shaped things that the maps see half as a face, half as a back."""
    if not (areas.back >= BACK).any():
        return []
    shown = areas.face + areas.back
    for card in cards:
        corners = (card.corners - (areas.box.x, areas.box.y)) * areas.scale - 0.5
        cv2.fillConvexPoly(shown, np.round(corners).astype(np.int32), (0,))
    # What is left of the cards that were read are their rims.
    alone = cv2.morphologyEx(shown, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    found = blobs(np.asarray(alone, np.float32), areas)
    return [corners for corners in found if share_of_back(areas, corners) >= MIXED]


def share_of_back(areas: Areas, corners: Floats) -> float:
    """The mean probability of "back" within an outline (4, 2), leaving out its border."""
    middle = corners.mean(axis=0)
    points = np.concatenate([middle + (corners - middle) * np.float32(part) for part in RINGS])
    return float(np.nanmean([0.0, *areas.sample(points, back=True)]))


def sides(corners: Floats) -> Size:
    """The mean short side and mean long side of an outline with these `corners` (4, 2)."""
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    short, long = sorted((float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2))
    return short, long


def ratio(corners: Floats, size: Size) -> float:
    """The larger of the size ratios of the two sides to a card's, at least one."""
    ratios = [side / whole for side, whole in zip(sides(corners), size, strict=True)]
    return max(max(one, 1 / max(one, 1e-6)) for one in ratios)


def centred(corners: Floats, size: Size) -> Floats:
    """The corners (4, 2) of a card of a `size` with the middle and the rotation of an outline."""
    middle, short, long = corners.mean(axis=0), *size
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    wide, high = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    whole = (short, long) if wide <= high else (long, short)
    half = across / max(wide, 1e-6) * whole[0] / 2, down / max(high, 1e-6) * whole[1] / 2
    ways = [-half[0] - half[1], half[0] - half[1], half[0] + half[1], half[1] - half[0]]
    return np.asarray([middle + way for way in ways], np.float32)


def blobs_of_backs(areas: Areas, size: Size) -> list[Cells]:
    """The connected areas (h, w) on the maps that look like backs and are large enough."""
    backlike = areas.back >= BACK
    if not backlike.any():
        return []
    likely = (backlike & (areas.back >= areas.face)).astype(np.uint8)
    return _components(likely, STRIP * size[0] * size[1] * areas.scale**2 or SHORTEST**2)


def as_backs(areas: Areas, cells: Cells) -> Areas:
    """The maps as if these `cells` (h, w) alone, and no others, were plainly seen as backs."""
    there = cells > 0
    return replace(
        areas,
        back=np.where(there, np.float32(1), np.float32(0)),
        face=np.where(there, np.float32(0), areas.face),
    )


def odd(blob: Cells, card: Size) -> bool:
    """Whether an area on the maps is larger than one card, smaller, or cut into."""
    points = np.argwhere(blob)[:, ::-1].astype(np.float32)
    short, long = sorted(side + 1 for side in cv2.minAreaRect(points)[1])
    if len(points) < CUT_INTO * short * long:
        return True
    larger = max(short / card[0], long / card[1])
    return larger > LARGER or min(short / card[0], long / card[1]) < 1 / SAME_SIZE


def coincide(one: Floats, other: Floats, near: float) -> bool:
    """Whether each corner of a card (4, 2) lies `near`, in pixels, to one of another outline's."""
    apart = np.linalg.norm(one[:, None] - other[None], axis=2)
    return bool(apart.min(axis=1).max() <= near)


def around(blob: Cells, areas: Areas) -> Floats:
    """The corners (4, 2), in the picture, of the bounding rectangle of an area on the maps."""
    (x, y), (width, height), angle = cv2.minAreaRect(np.argwhere(blob)[:, ::-1].astype(np.float32))
    box = cv2.boxPoints(((x + 0.5, y + 0.5), (width + 1, height + 1), angle))
    return _onto_frame(np.asarray(box, np.float32), areas)


def _parts(areas: Areas, card: Size) -> Iterator[Cells]:
    """Each back's visible part, as a mask over all of `areas`."""
    least = STRIP * card[0] * card[1] or SHORTEST**2
    size = card[0] / areas.scale, card[1] / areas.scale
    found = blobs_of_backs(areas, size)
    if not found:
        return
    paper = (areas.back + areas.face >= CARD).astype(np.uint8)
    for blob in found:
        for core in _cores(blob, areas, CORE * least, card):
            # Restores what was cut off around it: the white border, which looks like a face's.
            wide = np.asarray(cv2.dilate(core, np.ones((3, 3), np.uint8)), np.uint8)
            yield wide & (paper | blob)


def _cores(
    blob: Cells, areas: Areas, least: float, card: Size, dips: Sequence[float] = DIPS
) -> list[Cells]:
    """The parts of `blob` between the dips, which are the borders of adjacent backs."""
    if not dips or _is_one(blob, card):
        return [blob]
    level = dips[0] * float(np.percentile(areas.back[blob > 0], 90))
    cores = _components(blob & (areas.back >= level).astype(np.uint8), least)
    parts = [part for core in cores for part in _cores(core, areas, least, card, dips[1:])]
    # Cutting off a shadow reveals a card; any other useless cut reveals nothing.
    return parts if len(parts) > 1 or any(_is_one(part, card) for part in parts) else [blob]


def _is_one(blob: Cells, card: Size) -> bool:
    """Whether an area is no larger than a single card."""
    points = np.argwhere(blob)[:, ::-1].astype(np.float32)
    short, long = sorted(side + 1 for side in cv2.minAreaRect(points)[1])
    return bool(card[1]) and short <= ONE * card[0] and long <= ONE * card[1]


def _components(cells: Cells, least: float) -> list[Cells]:
    """The connected areas of at least `least` cells."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cells, connectivity=4)
    return [
        (labels == number).astype(np.uint8)
        for number in range(1, count)
        if stats[number, cv2.CC_STAT_AREA] >= least
    ]


def _corners(part: Cells, card: Size) -> Floats | None:
    """The corners, in cells, of the card whose visible part is `part`; None if it cannot be one."""
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


def _likeness(part: Cells, corners: Floats, card: Size) -> float:
    """How much a visible part looks like a whole card of the deck's size and nothing else.

    This confirms a back whose colour the finder half mistakes for the table's.
    """
    if not card[1] or ratio(corners, card) > SAME_SIZE:
        return 0.0
    # A half-seen area has dents and holes, but what it spans is still the card.
    points = np.argwhere(part)[:, ::-1].astype(np.int32)
    hull = cv2.convexHull(points)
    spanned = cv2.contourArea(hull) + cv2.arcLength(hull, closed=True) / 2 + 1
    return WHOLE * min(1.0, spanned / cv2.contourArea(corners))


def _onto_frame(corners: Floats, areas: Areas) -> Floats:
    placed = corners / np.float32(areas.scale) + (areas.box.x, areas.box.y)
    return upright(placed.astype(np.float32))
