"""The cards that lie face down: how many, and where.

A back has no index, so its area must do. Where backs overlap, their borders show as dips in the
probability of "back", and cut the area into the visible part of each card. What has the size of the
deck's cards and four straight edges in the picture is one for certain; what has neither edges nor
anything that lies over it is a texture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import SEEN, Framed, framed
from vision.evidence import (
    ASPECT_BAND,
    CARD,
    LENGTH_BAND,
    SHORTEST,
    SOLID,
    blobs,
    supports,
    upright,
    within,
)
from vision.finder import Areas
from vision.geometry import Floats, Frame
from vision.joining import EDGE_ACROSS, EDGE_DOWN, Joined, Shape
from vision.sightings import SURE_BACK

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
NEAR = 1.3
"""The same for an area whose edges are worth looking for: the maps swell what they half see."""
EXACT_SIZE = 1.06
"""The same once the edges of both were found in the picture: the rest is perspective."""
REACH = 0.11
"""How far from where an area ends, in short sides of a card, its edge is looked for."""
NUDGE = 4
"""Pixels from where an edge must be by the deck's size and the card's other edges."""
FRAMED = 0.95
"""What an outline of the deck's size counts that has an edge on all four sides."""
WHOLE = 0.9
"""What an outline on the maps that is wholly a card's counts."""
VAGUE = SURE_BACK - 0.05
"""What an area counts at most that neither its edges nor anything that lies on it explain."""
TOUCHED = 0.4
"""The share of a side beyond which something else lies that must be card for it to cover more."""
MIXED = 0.05
"""The share of back in what is half taken for a face: of faces it is under a hundredth."""
MEASURED, TRIED = 3, 6
"""From how many read cards the deck's size is taken, and on how many it is tried."""

Cells = NDArray[np.uint8]
Size = tuple[float, float]
"""A card's short and long side."""


@dataclass(frozen=True, slots=True, eq=False)
class Back:
    """A card that lies face down: its `corners` (4, 2) in the picture, as far as it is in sight,
    and how surely it is one, 0..1."""

    corners: Floats
    confidence: float


def backs(
    frame: Frame,
    areas: Areas,
    cards: Sequence[Joined],
    shape: Shape,
    usual: float,
    *,
    plain: Sequence[Floats] = (),
) -> list[Back]:
    """Each card that lies face down in `frame`.

    `usual` is the height in pixels of the indices of the `cards` in the picture, of the given
    `shape`, or zero if no size is known: then only single cards in full sight are told, by the
    `areas` alone. `plain` are the corners (4, 2) of things of one colour, which may be cards.
    """
    size = _card_size(shape, usual * areas.scale)
    found = [
        (corners, _likeness(part, corners, size))
        for part in _parts(areas, size)
        if (corners := _corners(part, size)) is not None
    ]
    parts = [Part(_onto_frame(corners, areas), likeness) for corners, likeness in found]
    parts = [part for part in parts if not _occupied(part.corners, cards)]
    if not usual:
        return [Back(part.corners, part.confidence(areas)) for part in parts]
    others = [*_mixed(areas, cards), *plain]
    others = [corners for corners in others if not _occupied(corners, cards)]
    table = Table(frame, areas, _card_size(shape, usual))
    return table.told(parts, others, cards)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An area that looks like a back: the corners (4, 2) of what is in sight of it in the picture,
    and its `likeness` to a whole card of the deck, 0..1."""

    corners: Floats
    likeness: float

    def confidence(self, areas: Areas) -> float:
        """How surely it is a back, by the maps alone."""
        return max(float(supports(areas, [self.corners])[0]), self.likeness)


@dataclass(slots=True, eq=False)
class Table:
    """A picture with cards of about a `size` in pixels, against which areas are held."""

    frame: Frame
    areas: Areas
    size: Size
    exact: float = SAME_SIZE
    """How much larger or smaller a card may be: little, once one of the deck was measured."""

    def told(
        self, parts: Sequence[Part], others: Sequence[Floats], cards: Sequence[Joined]
    ) -> list[Back]:
        """The backs among the `parts` and among `others` that only their edges can tell."""
        candidates = [*(part.corners for part in parts), *others]
        near = [corners for corners in candidates if _ratio(corners, self.size) <= NEAR]
        if near:
            self._measure(cards)
        found: list[Floats] = []
        for corners in near:
            whole = self._whole(corners)
            if whole is not None and not any(within(one, whole.mean(axis=0)) for one in found):
                found.append(whole)
        left = [
            part
            for part in parts
            if not any(within(one, part.corners.mean(axis=0)) for one in found)
        ]
        told = [Back(corners, FRAMED) for corners in found]
        return told + self._explained(left, [*found, *(card.corners for card in cards)])

    def _explained(self, parts: Sequence[Part], lying: Sequence[Floats]) -> list[Back]:
        """The `parts` whose outline is not to be had whole, beside and under the cards `lying`.

        Of a row of backs over each other the uppermost is whole, and explains the next.
        """
        known, unknown = list(lying), list(parts)
        while fresh := [part for part in unknown if self._is_explained(part, known)]:
            unknown = [part for part in unknown if part not in fresh]
            known += [part.corners for part in fresh]
        return [
            Back(part.corners, min(part.confidence(self.areas), VAGUE if part in unknown else 1.0))
            for part in parts
        ]

    def _is_explained(self, part: Part, lying: Sequence[Floats]) -> bool:
        """Whether enough of an area's sides are edges, or end at something that is known."""
        covered = self._touched(part.corners, lying)
        sides = int(((self._framed(part.corners).shares >= SEEN) | covered).sum())
        if _ratio(part.corners, self.size) <= SAME_SIZE:
            return sides >= 2
        # What is smaller than a card has something lying over it.
        return bool(covered.any()) and sides >= 3

    def _framed(self, corners: Floats) -> Framed:
        return framed(self.frame, corners, max(4, round(REACH * self.size[0])))

    def _whole(self, corners: Floats) -> Floats | None:
        """The corners of a whole card near an outline, if four edges of the right size are."""
        outline = self._framed(corners)
        missing = outline.shares < SEEN
        ways = [outline]
        if missing.any():
            ways.append(self._completed(outline, missing))
        elif _ratio(outline.corners, self.size) > self.exact:
            # A print's or the table's edge beside a side was clearer than its own.
            ways += [self._completed(outline, np.arange(4) == side) for side in range(4)]
        return next(
            (
                upright(way.corners)
                for way in ways
                if way.whole and _ratio(way.corners, self.size) <= self.exact
            ),
            None,
        )

    def _completed(self, outline: Framed, missing: NDArray[np.bool_]) -> Framed:
        """An outline with its `missing` sides as far from those found as a card's are."""
        corners = outline.corners.copy()
        for side in np.flatnonzero(missing & ~np.roll(missing, 2)):
            first, second, third, fourth = ((side + step) % 4 for step in range(4))
            away = (corners[first] + corners[second] - corners[third] - corners[fourth]) / 2
            along = (corners[first] + corners[fourth] - corners[second] - corners[third]) / 2
            wide = float(np.linalg.norm(away))
            lying = wide + self.size[0] < float(np.linalg.norm(along)) + self.size[1]
            wanted = self.size[0] if lying else self.size[1]
            shift = away * np.float32(wanted / max(wide, 1e-6))
            corners[first], corners[second] = corners[fourth] + shift, corners[third] + shift
        return framed(self.frame, corners, NUDGE)

    def _measure(self, cards: Sequence[Joined]) -> None:
        """Take the deck's size from cards that were read, by the same edges as the backs'."""
        pairs = [card for card in cards if len(card.members) > 1]
        pairs = sorted(pairs, key=lambda card: -float(card.faces.max()))[:TRIED]
        whole = [
            _sides(outline.corners)
            for card in pairs
            if (outline := self._framed(card.corners)).whole
        ]
        if whole:
            short, long = np.median(whole[:MEASURED], axis=0)
            self.size, self.exact = (float(short), float(long)), EXACT_SIZE

    def _touched(self, corners: Floats, lying: Sequence[Floats]) -> NDArray[np.bool_]:
        """Beyond which sides (4,) one of the cards `lying` there is, or the picture ends."""
        ends = np.roll(corners, -1, axis=0)
        along = np.linspace(0.1, 0.9, 9, dtype=np.float32)[:, None]
        away = corners - corners.mean(axis=0)
        outward = (away + np.roll(away, -1, axis=0)) / 2
        outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-6)
        beyond = []
        for start, end, way in zip(corners, ends, outward, strict=True):
            points = start + (end - start) * along + way * np.float32(2 / self.areas.scale)
            taken = [self._outside(point) or self._on(point, lying) for point in points]
            beyond.append(float(np.mean(taken)) >= TOUCHED)
        return np.asarray(beyond, np.bool_)

    def _outside(self, point: Floats) -> bool:
        height, width = self.frame.shape[:2]
        return not (0 <= point[0] < width and 0 <= point[1] < height)

    @staticmethod
    def _on(point: Floats, lying: Sequence[Floats]) -> bool:
        return any(within(corners, point) for corners in lying)


def _mixed(areas: Areas, cards: Sequence[Joined]) -> list[Floats]:
    """The corners (4, 2) of what has a card's shape and is half taken for a face, half a back."""
    if not (areas.back >= BACK).any():
        return []
    shown = areas.face + areas.back
    for card in cards:
        corners = (card.corners - (areas.box.x, areas.box.y)) * areas.scale - 0.5
        cv2.fillConvexPoly(shown, np.round(corners).astype(np.int32), (0,))
    # What is left of the cards that were read are their rims.
    alone = cv2.morphologyEx(shown, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    found = blobs(np.asarray(alone, np.float32), areas)
    return [corners for corners in found if _share_of_back(areas, corners) >= MIXED]


def _share_of_back(areas: Areas, corners: Floats) -> float:
    middle = corners.mean(axis=0)
    points = np.concatenate([middle + (corners - middle) * np.float32(t) for t in (0.25, 0.5, 0.8)])
    return float(np.nanmean([0.0, *areas.sample(points, back=True)]))


def _sides(corners: Floats) -> Size:
    """The means of both short and of both long sides."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    short, long = sorted((float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2))
    return short, long


def _ratio(corners: Floats, size: Size) -> float:
    """By what factor a side is longer or shorter than a card's, at most."""
    ratios = [side / whole for side, whole in zip(_sides(corners), size, strict=True)]
    return max(max(ratio, 1 / max(ratio, 1e-6)) for ratio in ratios)


def _card_size(shape: Shape, height: float) -> Size:
    """A card's sides where its indices are of this height."""
    return (
        height * (shape.across + 2 * EDGE_ACROSS),
        height * (shape.down + 2 * EDGE_DOWN),
    )


def _parts(areas: Areas, card: Size) -> Iterator[Cells]:
    """Each back's part in sight, as a mask over the whole of `areas`."""
    likely = ((areas.back >= BACK) & (areas.back >= areas.face)).astype(np.uint8)
    if not likely.any():
        return
    least = STRIP * card[0] * card[1] or SHORTEST**2
    paper = (areas.back + areas.face >= CARD).astype(np.uint8)
    for blob in _components(likely, least):
        for core in _cores(blob, areas, 0.7 * least, card):
            # What was cut off around it: the white border, which looks like a face's.
            wide = np.asarray(cv2.dilate(core, np.ones((3, 3), np.uint8)), np.uint8)
            yield wide & (paper | blob)


def _cores(
    blob: Cells, areas: Areas, least: float, card: Size, dips: Sequence[float] = DIPS
) -> list[Cells]:
    """The parts of `blob` between the dips, which are the borders of backs beside each other."""
    if not dips or _is_one(blob, card):
        return [blob]
    level = dips[0] * float(np.percentile(areas.back[blob > 0], 90))
    cores = _components(blob & (areas.back >= level).astype(np.uint8), least)
    parts = [part for core in cores for part in _cores(core, areas, least, card, dips[1:])]
    # Cutting off a shadow beside a card shows the card; cutting in vain shows nothing.
    return parts if len(parts) > 1 or any(_is_one(part, card) for part in parts) else [blob]


def _is_one(blob: Cells, card: Size) -> bool:
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


def _corners(part: Cells, card: Size) -> Floats | None:
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


def _likeness(part: Cells, corners: Floats, card: Size) -> float:
    """How much a part in sight looks like a whole card of the deck's size, and nothing else.

    So a back in a colour that the finder takes half for the table's is told for certain.
    """
    if not card[1] or _ratio(corners, card) > SAME_SIZE:
        return 0.0
    # Half seen, an area has dents and holes; what it spans is the card all the same.
    points = np.argwhere(part)[:, ::-1].astype(np.int32)
    hull = cv2.convexHull(points)
    spanned = cv2.contourArea(hull) + cv2.arcLength(hull, closed=True) / 2 + 1
    return WHOLE * min(1.0, spanned / cv2.contourArea(corners))


def _onto_frame(corners: Floats, areas: Areas) -> Floats:
    placed = corners / np.float32(areas.scale) + (areas.box.x, areas.box.y)
    return upright(placed.astype(np.float32))


def _occupied(corners: Floats, cards: Sequence[Joined]) -> bool:
    """Whether a card that was read has its middle there, which a back in sight would cover."""
    return any(len(card.members) > 1 and within(corners, card.centre) for card in cards)
