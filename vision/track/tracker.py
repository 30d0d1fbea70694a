"""What lies at which spot, over the frames of a camera at rest.

Frames are compared on a shrunken picture. Only a spot that changed and has come to rest is read,
several times; what the readings agree on is settled, and holds until the picture changes again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, Deck
from vision.errors import GeometryError
from vision.find.finder import Areas
from vision.picture.geometry import (
    Box,
    Frame,
    Outline,
    Point,
    Polygon,
    around,
    checked,
    gathered,
    overlap,
)
from vision.read.glances import Glance
from vision.reader import CardReader, Survey
from vision.sightings import Lying, Seen, Sighting
from vision.track.consensus import nearest, vote
from vision.track.motion import (
    MOVED,
    SPECKS,
    Mask,
    Memory,
    Part,
    count,
    differs,
    filled,
    rebuilt,
    shrunken,
)

ELSEWHERE = ""
"""The name under which cards outside every polygon are reported."""
REACH = 3.2
"""Half a card's diagonal in index heights: how far a card may reach over its spot's border."""
TRIES = 3
"""After this many times the asked number of readings a spot is settled with what doubt is left."""
RETRY = 15
"""A spot that stays covered is read again only every so many frames, a second or so."""
STAYED = 0.15
"""The share of a card's place that may change, by a shadow or a chip, and it is still the card."""
SAME = 0.35
"""A doubtful card that shares so much of its place with another one is that card seen again, a
little beside: its outline jumps when a neighbour is laid close by."""
REPLACED = 0.25
"""A card that is no longer seen has another one on it if that takes up this share of its place."""
HALF_INDEX = 0.6
"""How far in index heights an index reaches from its centre, with a pixel or two to spare: what
changed that near to it may have changed its print."""
SPOILT = 0.6
"""A spot of which so much has changed is read as a whole."""
RESTLESS_S = 8.0
"""Cards are dealt, turned and squared up in less: what moves for longer keeps them from being
read, a draught, a swinging lamp, a hand that rests on them."""
QUIET_STEP = 3
"""Where nothing moves, what a spot looked like when it was read is compared every so many frames:
light that changes too slowly to be a movement."""
BARE = 0.3
"""Below this probability of face and back a still place is no card's."""


@dataclass(slots=True)
class _Zone:
    """A spot, or what is outside of all (without a polygon): its part of the picture and state."""

    name: str
    polygon: Polygon | None
    box: Box
    part: Part
    mask: Mask
    watched: Mask
    memory: Memory = field(default_factory=Memory)
    glance: Glance | None = None
    lying: tuple[Lying, ...] = ()
    still: int = 0
    readings: list[tuple[Sighting, ...]] = field(default_factory=list)
    tries: int = 0
    settled: bool = False
    covered: bool = False
    quiet: bool = False
    moved_s: float | None = None
    """Since when it has not been still for long enough to be read."""
    trouble: tuple[str, ...] = ()

    def disturb(self) -> None:
        """Something moves here: what was read since the last settling is void."""
        self.still, self.tries, self.quiet, self.covered = 0, 0, False, False
        self.readings.clear()


class Tracker:
    """Follows what lies at the spots whose borders are `polygons`, frame by frame.

    A card belongs to the spot that holds its centre. A changed spot is read once it has been still
    for `frames` frames, and settled when as many readings agree. The `deck` in play only helps to
    rank what the picture leaves in doubt.
    """

    def __init__(
        self,
        reader: CardReader,
        polygons: Mapping[str, Polygon],
        *,
        deck: Deck | None = None,
        frames: int = 3,
    ) -> None:
        self._reader = reader
        self._polygons = dict(polygons)
        self._deck = deck
        self._frames = frames
        self.reset()

    def watch(self, polygons: Mapping[str, Polygon], deck: Deck | None = None) -> None:
        """Look at other spots from now on; everything is read anew."""
        self._polygons, self._deck = dict(polygons), deck
        self.reset()

    def reset(self) -> None:
        """Forget every picture, as after the camera was moved."""
        self._zones: list[_Zone] = []
        self._last: Frame | None = None
        self._size: tuple[int, int] | None = None
        self._calm: Frame | None = None
        self._scale = 1.0

    def update(self, frame: Frame, time: float) -> Seen:
        """What lies where after `frame` (H, W, 3), taken at `time` in seconds.

        Raises `FrameError` if it is no picture. A frame of another size than the last one is
        another camera's: everything is read anew.
        """
        height, width = checked(frame).shape[:2]
        if self._size != (width, height):
            self.reset()
            self._size = width, height
        small, self._scale = shrunken(frame)
        if self._last is None:
            self._zones = self._laid_out(small)
            self._last = small
        moving = differs(small, self._last, MOVED)
        self._last = small
        for zone in self._zones:
            self._advance(zone, frame, small, moving[zone.part])
            self._timed(zone, time)
        return self._seen(small, time)

    def _seen(self, small: Frame, time: float) -> Seen:
        spots = {zone.name: zone.lying for zone in self._zones}
        busy = frozenset(zone.name for zone in self._zones if not zone.quiet)
        trouble = [name for zone in self._zones for name in zone.trouble]
        trouble += ["covered"] * any(zone.covered for zone in self._zones)
        trouble += ["moving"] * any(
            zone.moved_s is not None and time - zone.moved_s >= RESTLESS_S for zone in self._zones
        )
        if not busy:
            self._calm = small
        elif self._calm is not None:
            trouble += ["moved"] * rebuilt(self._calm, small)
        return Seen(spots, busy, tuple(dict.fromkeys(trouble)), time)

    def _advance(self, zone: _Zone, frame: Frame, small: Frame, moving: Mask) -> None:
        """One frame's work on a spot: nothing, waiting, or one reading."""
        now = small[zone.part]
        if count(moving & zone.watched) >= SPECKS:
            zone.disturb()
            return
        zone.still += 1
        if zone.quiet and zone.still % QUIET_STEP:
            return
        changed = zone.memory.changed(now)
        if zone.settled and count(changed & zone.watched) < SPECKS:
            if not zone.quiet:
                zone.disturb()
                zone.quiet = True
            zone.memory.follow(now)
            return
        zone.quiet = False
        if zone.still >= self._frames and self._due(zone):
            self._read(zone, frame, small, changed)

    def _timed(self, zone: _Zone, time: float) -> None:
        """Note since when a spot moves; around the spots hands may."""
        if zone.still >= self._frames or zone.quiet or zone.polygon is None:
            zone.moved_s = None
        elif zone.moved_s is None:
            zone.moved_s = time

    def _due(self, zone: _Zone) -> bool:
        return zone.tries < TRIES * self._frames or zone.still % RETRY == 0

    def _read(self, zone: _Zone, frame: Frame, small: Frame, changed: Mask) -> None:
        """Read a spot once more, and settle it if that suffices."""
        survey = self._surveyed(zone, frame, small, changed)
        zone.trouble = survey.reading.trouble
        zone.tries += 1
        mine = tuple(seen for seen in survey.reading.sightings if self._owner(seen) == zone.name)
        zone.readings = [*zone.readings, mine][-TRIES * self._frames :]
        if len(zone.readings) < self._frames:
            return
        result, now = vote(zone.readings, self._deck), small[zone.part]
        if result.clear or zone.tries >= TRIES * self._frames:
            self._decide(zone, result.lying, now, changed)
            if not zone.covered:
                self._settle(zone, now, survey.glances)

    def _decide(self, zone: _Zone, lying: tuple[Lying, ...], now: Frame, changed: Mask) -> None:
        """What lies there now, by what is read and what lay there; nothing new if it is covered."""
        fresh, kept = list(lying), []
        for old in zone.lying:
            twin = nearest(fresh, old)
            if self._stayed(zone, old, changed):
                if twin and _still(old, twin):
                    fresh.remove(twin)
                if twin is None or twin not in fresh:
                    kept.append(old)
            elif (
                twin is None
                and not _replaced(old, fresh)
                and not zone.memory.shows_table(now, *self._placed(zone, old.outline))
            ):
                zone.covered = True
                return
        zone.covered = False
        zone.lying = _ordered(_distinct((*kept, *fresh)), zone.polygon)

    def _surveyed(self, zone: _Zone, frame: Frame, small: Frame, changed: Mask) -> Survey:
        """A reading of what has not been read yet: of a settled spot only what changed there."""
        if zone.polygon is None:
            return self._reader.survey(frame, regions=[self._box(zone, changed)], small=small)
        boxes = self._changed_boxes(zone, changed)
        spoilt = sum(box.width * box.height for box in boxes)
        if zone.glance is None or spoilt > SPOILT * zone.box.width * zone.box.height:
            return self._reader.survey(frame, regions=[zone.box], small=small)
        return self._reader.again(frame, zone.glance, boxes, small=small)

    def _changed_boxes(self, zone: _Zone, changed: Mask) -> list[Box]:
        """The parts of the picture in which a spot changed, with the indices that reach in."""
        near = np.asarray(cv2.dilate(changed.astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8)
        reach = HALF_INDEX * (self._reader.index_height or 0.0)
        x, y = zone.part[1].start, zone.part[0].start
        boxes = []
        for one in around(near):
            ends = (one.x + x, one.y + y), (one.x + one.width + x, one.y + one.height + y)
            corners = ((at / self._scale, down / self._scale) for at, down in ends)
            boxes.append(Box.around(corners, margin=reach))
        return gathered(boxes)

    def _settle(self, zone: _Zone, now: Frame, glances: Sequence[Glance]) -> None:
        """Take the picture for read, and learn how the table looks where no card lies."""
        part, covered = self._placed(zone, *(card.outline for card in zone.lying))
        cards = np.zeros(zone.mask.shape, np.bool_)
        cards[part] = covered
        shown = cards.astype(np.uint8)
        for glance in glances:
            _mark(shown, glance.areas, zone.part, self._scale)
        # An outline is right to a pixel or two of the shrunken picture.
        bare = cv2.dilate(shown, np.ones((5, 5), np.uint8)) == 0
        zone.memory.settle(now, bare)
        # Without a known scale a small part may be taken for another one's.
        zone.glance = glances[0] if self._reader.index_height else None
        zone.watched = zone.mask | cards
        zone.disturb()
        zone.quiet = zone.settled = True

    def _stayed(self, zone: _Zone, old: Lying, changed: Mask) -> bool:
        """Whether what changed leaves a card where it was."""
        # Most lie far from it, which their four corners tell without being filled.
        corner = zone.part[1].start, zone.part[0].start
        across, down = (
            [value * self._scale - first for value in values]
            for values, first in zip(zip(*old.outline, strict=True), corner, strict=True)
        )
        rows = slice(max(0, int(min(down)) - 1), max(0, int(max(down)) + 2))
        columns = slice(max(0, int(min(across)) - 1), max(0, int(max(across)) + 2))
        if not changed[rows, columns].any():
            return True
        part, place = self._placed(zone, old.outline)
        return count(changed[part] & place) <= STAYED * count(place)

    def _placed(self, zone: _Zone, *outlines: Outline) -> tuple[Part, Mask]:
        """The part of the zone's shrunken picture around `outlines`, and where they cover it."""
        corner = np.array((zone.part[1].start, zone.part[0].start))
        there = [np.asarray(one, np.float32) * self._scale - corner for one in outlines]
        return filled(there, zone.mask.shape)

    def _box(self, zone: _Zone, changed: Mask) -> Box:
        """What to look at outside of all spots: what changed there, and once everything."""
        if not zone.settled:
            return zone.box
        rows, columns = np.nonzero(changed & zone.watched)
        ends = [(columns.min(), rows.min()), (columns.max() + 1, rows.max() + 1)]
        points = [(float(x) / self._scale, float(y) / self._scale) for x, y in ends]
        wide = Box.around(points, margin=2 * self._margin(zone.box))
        return wide.within(zone.box.width, zone.box.height) or zone.box

    def _margin(self, box: Box) -> float:
        """How far in pixels cards may reach over the border of a spot of this size."""
        if self._reader.index_height:
            return REACH * self._reader.index_height
        # A spot for one card is little wider than the card.
        return 0.3 * min(box.width, box.height)

    def _owner(self, card: Sighting) -> str:
        """The name of the spot that holds the card's centre; of several, the one it covers most."""
        holders = [
            (overlap(card.outline, polygon.points), name)
            for name, polygon in self._polygons.items()
            if polygon.contains(card.centre)
        ]
        return max(holders)[1] if holders else ELSEWHERE

    def _laid_out(self, small: Frame) -> list[_Zone]:
        """The zones of a picture of this size: the spots, and the rest around them."""
        zones = [self._zone(name, polygon, small) for name, polygon in self._polygons.items()]
        rest = np.ones(small.shape[:2], np.bool_)
        for zone in zones:
            rest[zone.part] &= ~zone.mask
        width, height = self._size or (0, 0)
        everything = slice(0, small.shape[0]), slice(0, small.shape[1])
        whole = Box(0, 0, width, height)
        return [*zones, _Zone(ELSEWHERE, None, whole, everything, rest, rest.copy())]

    def _zone(self, name: str, polygon: Polygon, small: Frame) -> _Zone:
        width, height = self._size or (0, 0)
        wide = Box.around(polygon.points, margin=self._margin(polygon.box))
        box = wide.within(width, height)
        if box is None or polygon.box.within(width, height) is None:
            raise GeometryError(
                f"expected the spot {name!r} inside the picture of {width} x {height} px: "
                f"got {polygon.points}"
            )
        part = (
            slice(int(box.y * self._scale), ceil((box.y + box.height) * self._scale)),
            slice(int(box.x * self._scale), ceil((box.x + box.width) * self._scale)),
        )
        mask = polygon.mask(small.shape[1], small.shape[0], scale=self._scale)[part] > 0
        return _Zone(name, polygon, box, part, mask, mask.copy())


def _still(old: Lying, fresh: Lying) -> bool:
    """Whether what lies where little has changed is what lay there.

    From afar an ace on a two of its suit changes little, but another face is read for certain.
    """
    other = fresh.card != old.card and BACK not in (old.card, fresh.card)
    return fresh.doubtful or not (old.doubtful or other)


def _replaced(old: Lying, fresh: Sequence[Lying]) -> bool:
    area = Polygon(old.outline).area
    return any(overlap(old.outline, card.outline) > REPLACED * area for card in fresh)


def _mark(shown: NDArray[np.uint8], areas: Areas, part: Part, scale: float) -> None:
    """Mark in `shown` where `areas` show a face or a back."""
    box = areas.box
    width, height = max(1, round(box.width * scale)), max(1, round(box.height * scale))
    likely = (cv2.max(areas.face, areas.back) > BARE).astype(np.uint8)
    cells = cv2.resize(likely * 255, (width, height), interpolation=cv2.INTER_LINEAR_EXACT) > 0
    top, left = round(box.y * scale) - part[0].start, round(box.x * scale) - part[1].start
    rows = slice(max(0, top), min(shown.shape[0], top + height))
    columns = slice(max(0, left), min(shown.shape[1], left + width))
    inner = cells[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    shown[rows, columns] |= inner.astype(np.uint8)


def _ordered(cards: Sequence[Lying], polygon: Polygon | None) -> tuple[Lying, ...]:
    """A spot's cards in reading order: along its longer side, else left to right."""
    axis: Point = polygon.axis if polygon else (1.0, 0.0)
    return tuple(
        sorted(cards, key=lambda card: card.centre[0] * axis[0] + card.centre[1] * axis[1])
    )


def _distinct(cards: Sequence[Lying]) -> tuple[Lying, ...]:
    """Every sure face, and the doubtful ones and backs that lie in a place of their own.

    A face's outline is all of the card, a back's only the part in sight: two of them share little.
    """
    found: list[Lying] = []
    for card in sorted(cards, key=lambda one: (one.doubtful, -one.confidence)):
        area = Polygon(card.outline).area
        twins = [other for other in found if card.doubtful or card.card == other.card == BACK]
        if all(overlap(card.outline, other.outline) <= SAME * area for other in twins):
            found.append(card)
    return tuple(found)
