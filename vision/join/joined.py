"""One physical card, by the index or the two opposite indices that show it.

An index gives the pose of a whole card: its own corner and, from the deck's proportions, the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import TypeAlias

import numpy as np

from vision.find.finder import Indices
from vision.join.proportions import EDGE_ACROSS, EDGE_DOWN, Shape
from vision.picture.geometry import Floats, Point

CONFIRMED = 0.97
"""The cosine of 14 degrees: 95 of 100 indices are found within 8 degrees of their direction. Beyond
this the deck's shape does not hold, as for a card of another deck or seen at a slant. Measured by
`python -m tests.thresholds`."""
FLOOR = 0.01
"""Share of readings that are wrong however confident the network is; it keeps one opinion from
completely overruling another. A choice; `python -m tests.spreads` judges it."""
Mark: TypeAlias = tuple[Sequence[float], Sequence[float], float]
"""An index as plain numbers: its centre, the unit vector pointing up, and its height."""


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """One physical card: which indices show it, what it shows, and where it lies.

    `members` are positions in the picture's indices; `faces` (53,) the probabilities of
    `index_classifier.FACES` (which sum to less than one if it may not be a card); `corners` (4, 2)
    the estimated corners in pixels; `agreement` how well two indices agree, 0..1, or None for a
    single index.
    """

    members: tuple[int, ...]
    faces: Floats
    corners: Floats
    up: Floats
    agreement: float | None = None

    @property
    def centre(self) -> Floats:
        """The centre (2,) of the card in pixels, where its diagonals cross."""
        middle: Floats = (self.corners[0] + self.corners[2]) / 2
        return middle

    def insets(self, points: Floats) -> Floats:
        """The distance from the card's border of each of the `points` (N, 2) inside it, in pixels.

        For points outside it is negative: how far they are beyond the lines of the edges.
        """
        right = np.array([-self.up[1], self.up[0]], np.float32)
        axes = np.stack([right, self.up], axis=1)
        half = np.abs((self.corners[1] - self.centre) @ axes)
        result: Floats = (half - np.abs((points - self.centre) @ axes)).min(axis=1)
        return result


def agreement(one: Floats, other: Floats) -> Floats:
    """The probability that two opinions (..., 53) mean the same face."""
    same = (one * other).sum(axis=-1)
    result: Floats = np.minimum(1, same / np.maximum(one.sum(axis=-1) * other.sum(axis=-1), 1e-6))
    return result


def combined(one: Floats, other: Floats) -> Floats:
    """Combine two opinions (..., 53) on one face; the result sums to at most one."""
    mixed = [faces * (1 - FLOOR) + FLOOR / one.shape[-1] for faces in (one, other)]
    product = mixed[0] * mixed[1]
    # One of the two is enough to show that there is a card.
    present = 1 - (1 - one.sum(axis=-1)) * (1 - other.sum(axis=-1))
    result: Floats = product * (present / product.sum(axis=-1))[..., None]
    return result


def joined_pair(
    indices: Indices, faces: Floats, one: int, other: int, shape: Shape | None = None
) -> Joined:
    """The card that has the indices `one` and `other` at opposite corners.

    If the deck's `shape` is known, it gives the card's direction better than the two indices do.
    """
    return cards_of(marks_of(indices), faces, [(one, other)], shape)[0]


def marks_of(indices: Indices) -> list[Mark]:
    """The indices as plain numbers."""
    centres, ups = indices.centres.tolist(), indices.ups.tolist()
    return list(zip(centres, ups, indices.heights.tolist(), strict=True))


def cards_of(
    marks: Sequence[Mark], faces: Floats, pairs: Sequence[tuple[int, int]], shape: Shape | None
) -> list[Joined]:
    """The cards that show these `pairs` of indices, which show the `faces` (N, 53)."""
    if not pairs:
        return []
    opinions = faces[[one for one, _ in pairs]], faces[[other for _, other in pairs]]
    agreeing = agreement(*opinions).tolist()
    return [
        _card(marks, pair, shown, alike, shape)
        for pair, shown, alike in zip(pairs, combined(*opinions), agreeing, strict=True)
    ]


def _card(
    marks: Sequence[Mark], pair: tuple[int, int], shown: Floats, alike: float, shape: Shape | None
) -> Joined:
    (first, one_up, height), (last, other_up, other_height) = (marks[number] for number in pair)
    size = (height + other_height) / 2
    up = _unit(one_up[0] - other_up[0], one_up[1] - other_up[1])
    way = last[0] - first[0], last[1] - first[1]
    up = up if shape is None else _straightened(up, way, shape)
    across, down = abs(way[1] * up[0] - way[0] * up[1]), abs(way[0] * up[0] + way[1] * up[1])
    middle = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
    half = across / 2 + EDGE_ACROSS * size, down / 2 + EDGE_DOWN * size
    return Joined(pair, shown, _corners(middle, up, half), np.array(up, np.float32), alike)


def _unit(x: float, y: float) -> Point:
    length = max(hypot(x, y), 1e-6)
    return x / length, y / length


def _corners(centre: Point, up: Point, half: tuple[float, float]) -> Floats:
    """The corners (4, 2) of a card, clockwise from its upper left; `half` its half sizes in px."""
    (x, y), (up_x, up_y), (wide, high) = centre, up, half
    across, down = (-up_y * wide, up_x * wide), (-up_x * high, -up_y * high)
    return np.array(
        (
            (x - across[0] - down[0], y - across[1] - down[1]),
            (x + across[0] - down[0], y + across[1] - down[1]),
            (x + across[0] + down[0], y + across[1] + down[1]),
            (x - across[0] + down[0], y - across[1] + down[1]),
        ),
        np.float32,
    )


def _straightened(up: Point, way: Point, shape: Shape) -> Point:
    """A card's direction from the `way` between its indices, if `up` is close enough to it.

    On a deck of this shape, the way leads `across` to the right (or to the left for a mirrored
    pair) and `down`; errors in the finder's directions then do not matter.
    """
    aside = shape.across if way[1] * up[0] - way[0] * up[1] > 0 else -shape.across
    ahead = _unit(*way)
    straight = _unit(
        aside * ahead[1] - shape.down * ahead[0], -aside * ahead[0] - shape.down * ahead[1]
    )
    return straight if straight[0] * up[0] + straight[1] * up[1] >= CONFIRMED else up


def card_of(marks: Sequence[Mark], faces: Floats, number: int, shape: Shape) -> Joined:
    """The card of a deck with this `shape` that shows a single index, its upper left one."""
    (x, y), up, size = marks[number]
    right, down = shape.across * size / 2, shape.down * size / 2
    centre = x - up[1] * right - up[0] * down, y + up[0] * right - up[1] * down
    half = right + EDGE_ACROSS * size, down + EDGE_DOWN * size
    up_there = np.array(up, np.float32)
    return Joined((number,), faces[number], _corners(centre, (up[0], up[1]), half), up_there)
