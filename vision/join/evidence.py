"""What the areas of faces and backs in a picture say about its joined cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias, overload

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Areas, Indices
from vision.join.joined import Joined
from vision.picture.geometry import Floats, holding, upright

CARD = 0.4
"""Minimum probability at which a cell counts as part of a card's face or back. A choice;
`python -m tests.spreads` judges it."""
CLEARER = 0.1
"""How much more of a card's outline must show cards on one side of its index than on the other to
decide on which side the card lies. A choice; `python -m tests.spreads` judges it."""
LEVEL = 0.5
"""Slope up to which one index is beside another in a row, not above it in the next one. A choice;
`python -m tests.spreads` judges it."""
ASPECT_BAND = (1.2, 1.75)
"""Ratio of a card's length to its width: 1.4 (poker) or 1.56 (bridge) from above, less or more at a
slant. A choice; `python -m tests.spreads` judges it."""
SOLID = 0.82
"""Minimum share of its bounding rectangle that a single card fills: allows for the rounded corners,
the stride of the maps and some perspective; two touching cards fill less. A choice;
`python -m tests.spreads` judges it."""
SHORTEST = 6.0
"""Minimum short side, in cells, of a blob whose shape still identifies a card. A choice;
`python -m tests.spreads` judges it."""
WITHIN = ((0.07, 0.93, 7), (0.05, 0.95, 9))
"""Range of a card's width and height that is sampled, and the number of points: 4 mm along its
border are left out. A choice; `python -m tests.spreads` judges it."""

STRIPS = ((0.1, 0.9, 21), (0.1, 0.9, 7))
"""The same to find a strip of bare table, 2.5 mm from one column of points to the next: 6 mm from
the border of a card, an outline estimated from one index is right. A choice; `python -m
tests.spreads` judges it."""
BARE = 0.5
"""Minimum share of a column that is bare where table runs through it. A choice: beside two melds
that lay 8 and 12 mm apart, a little askew, at least 0.57 was bare through the cards as they did not
lie, and nothing as they lay; `python -m tests.soak --pictures` judges it."""


def supports(areas: Areas, corners: Sequence[Floats]) -> Floats:
    """The share (N,) of each card with these `corners` (4, 2) that shows a face or a back, 0..1.

    Points outside the picture are not counted; if all are outside, half is assumed.
    """
    if not len(corners):
        return np.zeros(0, np.float32)
    points = LATTICE @ np.stack(corners).astype(np.float32)
    shown = areas.shown(points.reshape(-1, 2)).reshape(len(corners), -1)
    known = (~np.isnan(shown)).sum(axis=1)
    cards = (shown >= CARD).sum(axis=1)
    return np.where(known > 0, cards / np.maximum(known, 1), 0.5).astype(np.float32)


def faced(cards: Sequence[Joined], indices: Indices, areas: Areas) -> tuple[Joined, ...]:
    """`cards` of a four-corner deck, each moved to the side of its index where cards show.

    An index fixes its card's position only if it is the upper left one, or the lower right one of a
    card seen upside down. In a ribbon spread of such a deck, half of the visible ones are neither.
    """
    lone = {number: card for number, card in enumerate(cards) if card.agreement is None}
    if not any(len(card.members) > 1 for card in lone.values()):
        return tuple(cards)
    sides = [(card.corners, _mirrored(card, indices)) for card in lone.values()]
    here, there = (supports(areas, corners) for corners in zip(*sides, strict=True))
    cut_here, cut_there = (_cut(areas, corners) for corners in zip(*sides, strict=True))
    ways = np.stack([one.mean(axis=0) - other.mean(axis=0) for one, other in sides])
    told = np.sign(here - there) * (np.abs(here - there) > CLEARER)
    told = np.where(told == 0, cut_there.astype(np.float32) - cut_here, told)
    # In a row all lie on the same side; a card with cards on both sides follows the others.
    rows = _linked(_beside(list(lone.values()), indices, np.linalg.norm(ways, axis=1)))
    pull = ways * told[:, None]
    leads = rows.astype(np.float32) @ pull
    leads = np.where(leads.any(axis=1)[:, None], leads, pull.sum(axis=0))
    turns = np.where(told, told, (ways * leads).sum(axis=1)) < 0
    better = {n: side[1] for n, side, turn in zip(lone, sides, turns, strict=True) if turn}
    return tuple(
        replace(card, corners=better.get(number, card.corners)) for number, card in enumerate(cards)
    )


def _cut(areas: Areas, corners: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which cards (N,) with these `corners` (4, 2) would have bare table running through them.

    Between two rows of cards there is a strip of it, too narrow to count much.
    """
    points = COLUMNS @ np.stack(corners).astype(np.float32)
    shown = areas.shown(points.reshape(-1, 2)).reshape(len(corners), STRIPS[1][2], STRIPS[0][2])
    bare = (shown < CARD).mean(axis=1)  # outside the picture nothing is known to be bare
    return np.asarray((bare >= BARE).any(axis=1), np.bool_)


def _beside(cards: Sequence[Joined], indices: Indices, wide: Floats) -> NDArray[np.bool_]:
    """Which cards (N, N) have an index beside one of the other's, nearer than they are `wide`."""
    ends = np.stack([indices.centres[[card.members[0], card.members[-1]]] for card in cards])
    ways = ends[:, None, :, None] - ends[None, :, None, :]
    ups = np.stack([card.up for card in cards])[:, None, None, None]
    along = np.abs((ways * ups).sum(axis=4))
    aside = np.abs((ways * np.stack([-ups[..., 1], ups[..., 0]], axis=4)).sum(axis=4))
    level = along <= LEVEL * aside
    return np.asarray((level & (aside < wide[:, None, None, None])).any(axis=(2, 3)), np.bool_)


def _linked(near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which cards (N, N) are connected by a chain of cards of which each is `near` the next."""
    linked = near | near.T | np.eye(len(near), dtype=np.bool_)
    while (more := linked @ linked).sum() > linked.sum():
        linked = more
    return linked


def _mirrored(card: Joined, indices: Indices) -> Floats:
    """The corners (4, 2) of a card if its first index is at its upper right instead."""
    away = card.corners - indices.centres[card.members[0]]
    along = (away @ card.up)[:, None] * card.up
    turned: Floats = (card.corners - 2 * (away - along))[[1, 0, 3, 2]]
    return turned


Border: TypeAlias = NDArray[np.int32]
"""The cells (N, 1, 2) along the border of an area on the maps, x and y."""


class Blobs(Sequence[Floats]):
    """The areas of a `field` on the maps that are shaped like a single card.

    Each is its corners (4, 2) in the picture, at most `longest` times as long as wide. They are
    only worked out when asked for: most of them hold cards that were read, of which nothing more
    needs to be known.
    """

    def __init__(self, field: Floats, areas: Areas, longest: float = ASPECT_BAND[1]) -> None:
        shown = (field >= 0.5).astype(np.uint8)
        self._areas, self._longest = areas, longest
        borders, _ = cv2.findContours(shown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        self._borders = [np.asarray(border, np.int32) for border in borders]

    @cached_property
    def _outlines(self) -> list[Floats]:
        return _outlined(self._borders, self._areas, self._longest)

    def __len__(self) -> int:
        return len(self._outlines)

    @overload
    def __getitem__(self, which: int) -> Floats: ...
    @overload
    def __getitem__(self, which: slice) -> list[Floats]: ...
    def __getitem__(self, which: int | slice) -> Floats | list[Floats]:
        return self._outlines[which]

    def without(self, points: Sequence[Floats]) -> list[Floats]:
        """Those that hold none of the `points` (2,) in the picture."""
        if not points:
            return self._outlines
        box, scale = self._areas.box, self._areas.scale
        cells = ((np.stack(points) - (box.x, box.y)) * scale - 0.5).tolist()
        # What lies within a border lies within the rectangle around it.
        borders = [one for one in self._borders if not _encloses(one, cells)]
        left = _outlined(borders, self._areas, self._longest)
        held = holding(left, points).sum(axis=1).tolist()
        return [corners for corners, many in zip(left, held, strict=True) if not many]


def blobs(field: Floats, areas: Areas, longest: float = ASPECT_BAND[1]) -> list[Floats]:
    """The corners (4, 2), in the picture, of areas shaped like a single card.

    A card is at most `longest` times as long as wide.
    """
    return list(Blobs(field, areas, longest))


def _encloses(border: Border, cells: Sequence[Sequence[float]]) -> bool:
    """Whether one of these points, in cells, lies within the `border` (N, 1, 2) of an area."""
    x, y, width, height = cv2.boundingRect(border)
    return any(
        x <= across < x + width
        and y <= down < y + height
        and cv2.pointPolygonTest(border, (across, down), False) >= 0
        for across, down in cells
    )


def _outlined(borders: Sequence[Border], areas: Areas, longest: float) -> list[Floats]:
    """The corners (4, 2), in the picture, of the areas with these `borders` that may be a card.

    An unusual lens may squeeze a card into a square or beyond.
    """
    found = []
    for border in borders:
        if len(border) < 2 * SHORTEST:  # the perimeter is too short for the shortest side
            continue
        (x, y), (width, height), angle = cv2.minAreaRect(border)
        # A border runs through the centres of its cells, half a cell inside the edge.
        width, height = width + 1, height + 1
        area = float(cv2.contourArea(border)) + len(border) / 2 + 1
        if min(width, height) < SHORTEST or area < SOLID * width * height:
            continue
        if max(width, height) <= longest * min(width, height):
            found.append(cv2.boxPoints(((x + 0.5, y + 0.5), (width, height), angle)))
    if not found:
        return []
    placed = np.float32(1 / areas.scale) * np.stack(found) + (areas.box.x, areas.box.y)
    return [upright(corners) for corners in placed.astype(np.float32)]


def elongated(corners: Floats) -> bool:
    """Whether an outline has the proportions of a card that no lens has squeezed."""
    wide, long = (float(np.linalg.norm(corners[n] - corners[n - 1])) for n in (1, 2))
    return max(wide, long) >= ASPECT_BAND[0] * min(wide, long)


def _shares(within: Sequence[tuple[float, float, int]]) -> Floats:
    """The weight of each corner of a card at points spread `within` it, (N, 4), row by row."""
    across, down = np.meshgrid(*(np.linspace(*part) for part in within))
    x, y = across.ravel(), down.ravel()
    shares = ((1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y)
    return np.stack(shares, axis=1).astype(np.float32)


LATTICE = _shares(WITHIN)
"""Weights that turn a card's corners (4, 2) into points (63, 2) away from its edge."""
COLUMNS = _shares(STRIPS)
"""The same for points close enough across the card to find a strip of table in it."""
