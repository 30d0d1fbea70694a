"""What lies at which spot, over the frames of a camera at rest.

Frames are compared on a shrunken picture, corrected for gain and measured against the stream's own
noise. If a spot has changed, each connected patch is read by itself as soon as it is still, several
times; what the readings agree on is settled, and holds until the picture changes again. A reading
counts as long as the patch looks as it did then, whatever flickered in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, Deck
from vision.errors import GeometryError
from vision.find.asked import Asked
from vision.picture.geometry import (
    Box,
    Frame,
    Outline,
    Polygon,
    around,
    checked,
    gathered,
)
from vision.reader import CardReader, Survey
from vision.sightings import Lying, Seen, Sighting
from vision.track.consensus import Vote, vote
from vision.track.lasting import outcome, placed
from vision.track.light import Noise, Steadier
from vision.track.motion import (
    CHANGED,
    MOVED,
    NOISE,
    Shown,
    beyond,
    beyond_sway,
    both,
    either,
    inverse,
    patches,
    shrunken,
    unlike,
    widened,
)
from vision.track.sway import Stand, Sway
from vision.track.zones import ELSEWHERE, Look, Shot, Site, Zone, mark, owner, sites_in

REACH = 3.2
"""Half a card's diagonal in index heights: how far a card may extend beyond its spot's border. A
choice; `python -m tests.dealt_table` judges it."""
REACH_OF_SPOT = 0.3
"""The same as a share of a spot's shorter side, while the index size is unknown: a spot for one
card is little wider than the card. A choice; `python -m tests.dealt_table` judges it."""
ALIKE = 2
"""Number of looks at the same picture that must agree on the backs for later looks to accept them:
two, as a moving hand may blur one. A choice; `python -m tests.benchmarks backs` shows what it
saves."""
TRIES = 3
"""Multiple of the required number of readings after which a site is settled with whatever doubt is
left. A choice; `python -m tests.dealt_table` judges it."""
AGREED_S = 0.12
"""Minimum time in seconds from the first to the last of the readings that agree: a hand that hovers
with a card turns back sooner. Three frames at 15 a second take 0.13 s. A choice;
`python -m tests.dealt_table` judges it."""
RETRY = 15
"""Frames between readings of a site that stays covered, about a second. A choice;
`python -m tests.dealt_table` judges it."""
HALF_INDEX = 0.6
"""Distance in index heights that an index extends from its centre, with a pixel or two to spare: a
change within it may have changed the print. A choice; `python -m tests.dealt_table` judges it."""
SPOILT = 0.6
"""Changed share of a spot from which it is read as a whole. A choice; `python -m tests.dealt_table`
judges it."""
UNSETTLED_S = 2.5
"""Time in seconds after which what has not settled is reported: dealing, turning and squaring up
take less. With the 2 s that a trouble must last before a person hears of it, that is within 5 s. A
choice; `python -m tests.dealt_table` judges it."""
BIDE_S = 1.5
"""Time in seconds for which a card that is touched, or gone while something moves, delays what came
to rest elsewhere in its spot: it may be on its way there. A card is slid in under a second. A
choice; `python -m tests.dealt_table` judges it."""
WAKE = 7
"""Width in shrunken pixels of the square around something moving that counts as moving too: the
trailing edge of a hand is next to it, not in it. A choice; `python -m tests.dealt_table` judges it.
"""
BEGINNING_S = 0.4
"""Time in seconds before a spot's first reading: whatever moved within it is left out of that
reading. A choice; `python -m tests.dealt_table` judges it."""
QUIET_STEP = 3
"""Frames between comparisons with the settled look where nothing moves: light that changes too
slowly to be a movement. A choice; `python -m tests.dealt_table` judges it."""
LEARN_STEP = 4
"""Frames between measurements of noise: it changes only with the exposure. A choice;
`python -m tests.dealt_table` judges it."""
NEAR_CHANGE = 7
"""Width in shrunken pixels of the square around a change in which backs are judged: outlines are
accurate to three. A choice, on the safe side."""


class Tracker:
    """Follows what lies at the spots whose borders are `polygons`, frame by frame.

    A card belongs to the spot that contains its centre. What changed is read as soon as it is
    still, and settled when `frames` readings agree. The `deck` in play only helps to rank what the
    picture leaves in doubt.
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
        """Watch other spots from now on; everything is read anew."""
        self._polygons, self._deck = dict(polygons), deck
        self.reset()

    def watch_bets(self, places: Mapping[str, Polygon]) -> None:
        """Look for chips at these places, if chips are looked for."""

    def reset(self) -> None:
        """Forget every picture, as after the camera was moved."""
        self._zones: list[Zone] = []
        self._last: Frame | None = None
        self._before: Shot | None = None
        self._size: tuple[int, int] | None = None
        self._scale = 1.0
        self._light, self._noise = Steadier(), Noise()
        self._sway, self._stand = Sway(), Stand()
        self._stirred: NDArray[np.float64] | None = None
        self._number = 0

    def rescale(self, index_height: float) -> None:
        """Expect indices of this height, in pixels, from now on; everything is read anew."""
        self._reader.index_height = index_height
        self.reset()

    def cards(self, frame: Frame) -> tuple[Outline, ...]:
        """The outlines of the faces that can be read with confidence in `frame`, at any scale.

        This takes several times as long as reading the frame at the expected scale.
        """
        expected, self._reader.index_height = self._reader.index_height, None
        try:
            return self._reader.read(frame).faces
        finally:
            self._reader.index_height = expected

    def update(self, frame: Frame, time: float) -> Seen:
        """What lies where after `frame` (H, W, 3), taken at `time` in seconds.

        The frame must not change before the next one has arrived: what is still by then is read in
        it too. Raises `FrameError` if it is not a picture. A frame of a different size comes from
        another camera: everything is read anew.
        """
        height, width = checked(frame).shape[:2]
        if self._size != (width, height):
            self.reset()
            self._size = width, height
        small, self._scale = shrunken(frame)
        small = self._light.steady(small)
        moving = self._moving(small, time)
        wake = self._wake(moving, time)
        shot = Shot(frame, small, self._scale, time)
        for zone in self._zones:
            self._advance(zone, shot, moving, wake)
        self._before = shot
        return self._seen(small, time)

    def _moving(self, small: Frame, time: float) -> Shown:
        """Where (255) something moves from the last frame to this one."""
        last, self._last = self._last, small
        if last is None or self._stirred is None:
            self._zones = self._laid_out(small)
            self._stirred = np.full(small.shape[:2], -np.inf)
            return np.zeros(small.shape[:2], np.uint8)
        limits = self._noise.limit(MOVED, NOISE)
        strict = patches(beyond(small, last, limits))
        moving = strict
        if cv2.countNonZero(strict):
            moving = patches(both(strict, beyond_sway(small, last, limits)))
        left = cv2.countNonZero(moving)
        calm = self._stand.calm
        self._sway.see(strict, left, last if calm is None else calm, time)
        self._number += 1
        if self._number % LEARN_STEP == 1:
            self._noise.learn(last, small, left / moving.size)
        return moving

    def _wake(self, moving: Shown, time: float) -> Shown:
        """Where (255) something moves or has just left."""
        if not cv2.countNonZero(moving) or self._stirred is None:
            return moving
        wake = widened(moving, WAKE)
        self._stirred[wake > 0] = time
        return wake

    def _seen(self, small: Frame, time: float) -> Seen:
        spots = {zone.name: zone.lying for zone in self._zones}
        busy = frozenset(zone.name for zone in self._zones if zone.busy)
        still = frozenset(zone.name for zone in self._zones if zone.busy and not zone.stirs)
        places: dict[str, str] = {}
        for zone in self._zones:
            for name in self._troubles(zone, time):
                places.setdefault(name, zone.name)
        calm = all(zone.quiet for zone in self._zones)
        if self._stand.moved(small, time, calm=calm):
            places.setdefault("moved", ELSEWHERE)
        if calm:
            self._stand.rest(small)
        if self._sway.told(time):
            places.setdefault("sways", ELSEWHERE)
        return Seen(spots, busy, tuple(places), time, places, still=still)

    def _troubles(self, zone: Zone, time: float) -> Sequence[str]:
        """What keeps a spot from being read; outside the spots, hands may move."""
        late = zone.polygon is not None and zone.waits(time) >= UNSETTLED_S
        return [*zone.trouble, *["covered"] * zone.covered, *["moving"] * late]

    def _advance(self, zone: Zone, shot: Shot, moving: Shown, wake: Shown) -> None:
        """Process one frame for a spot: do nothing, wait, or read once.

        A site is read as soon as nothing moves in it, but settles only outside the `wake` of what
        moves: what a hand still hides will look different afterwards.
        """
        now = shot.of(zone)
        stirring = wake[zone.part]
        zone.stirs = cv2.countNonZero(both(stirring, zone.watched)) > 0
        zone.frames += 1
        if zone.quiet and not zone.stirs and zone.frames % QUIET_STEP:
            return
        sites = self._sites(zone, shot)
        if zone.settled and not sites:
            zone.rest()
            zone.memory.follow(now)
            return
        zone.quiet = False
        zone.date(sites, shot.time)
        self._read(zone, shot, [site for site in sites if not site.meets(moving[zone.part])])
        still = [site for site in sites if not site.meets(stirring)]
        self._settle(zone, shot, sites, still)

    def _sites(self, zone: Zone, shot: Shot) -> list[Site]:
        """The parts of a spot that have changed since it was read."""
        now = shot.of(zone)
        limits = self._noise.limit(CHANGED, NOISE)
        changed = zone.memory.changed(now, limits, sways=self._sway.swaying)
        changed = both(changed, zone.watched)
        zone.changed = changed
        if zone.settled:
            return sites_in(changed)
        # What moves at the beginning is not waited for, as nothing is known to lie there.
        assert self._stirred is not None
        calm = self._stirred[zone.part] <= shot.time - BEGINNING_S
        rest = both(changed, calm.astype(np.uint8) * np.uint8(255))
        return [
            Site.of(rest if 2 * cv2.countNonZero(rest) > cv2.countNonZero(changed) else changed)
        ]

    def _read(self, zone: Zone, shot: Shot, still: Sequence[Site]) -> None:
        """Read again those of a spot's still sites that need it."""
        due = [site for site in still if self._due(zone, site, shot)]
        if not due:
            return
        fresh = [site for site in due if not self._looks(zone, site, shot.of(zone))]
        if fresh and zone.settled and zone.polygon is not None and self._before is not None:
            # What is not moving now lay there in the last picture too.
            self._look(zone, self._before, fresh)
        self._look(zone, shot, due)

    def _look(self, zone: Zone, shot: Shot, due: Sequence[Site]) -> None:
        """Read some of a spot's sites in a picture."""
        changed = np.zeros(zone.mask.shape, np.uint8)
        for site in due:
            changed |= site.shown
        survey = self._surveyed(zone, shot, changed, due)
        zone.trouble = survey.reading.trouble
        mine = tuple(
            seen for seen in survey.reading.sightings if owner(seen, self._polygons) == zone.name
        )
        look = Look(shot.of(zone), shot.time, changed, mine, survey.glances)
        zone.looks = [*zone.looks, look][-TRIES * self._frames :]

    def _due(self, zone: Zone, site: Site, shot: Shot) -> bool:
        looks = self._looks(zone, site, shot.of(zone))
        if len(looks) >= TRIES * self._frames:
            return zone.frames % RETRY == 0
        # The last of the readings needed is worth making only once it can be enough.
        last = len(looks) == self._frames - 1
        return not last or shot.time - looks[0].time >= AGREED_S or zone.frames % 2 == 0

    def _looks(self, zone: Zone, site: Site, now: Frame) -> list[Look]:
        """The readings that count for a site: those where it looked as it does now."""
        limits = self._noise.limit(CHANGED, NOISE)
        rows, columns = site.rows, site.columns
        shown, there = site.shown[rows, columns], now[rows, columns]
        alike = []
        for look in zone.looks:
            if look.covers(site):
                other = unlike(there, look.picture[rows, columns], limits, sways=True)
                if not cv2.countNonZero(both(other, shown)):
                    alike.append(look)
        return alike

    def _settle(self, zone: Zone, shot: Shot, sites: Sequence[Site], still: Sequence[Site]) -> None:
        """Settle those of a spot's sites whose readings agree."""
        left, before = list(sites), zone.lying
        zone.covered = False
        leaving: list[tuple[Site, Vote, Look]] = []
        for site in still:
            looks = self._looks(zone, site, shot.of(zone))
            result = self._agreed(zone, site, looks)
            if result is None:
                continue
            zone.relight(shot.small)
            came = outcome(zone, site, result, shot, looks[-1].glances)
            if came.covered:
                zone.covered = True
            elif came.gone:
                leaving.append((site, result, looks[-1]))
            else:
                left.remove(site)
                zone.lying = came.lying
                self._keep(zone, site, looks[-1], shot, left)
        for site, result, look in leaving:
            # A card that has gone may come to rest where something still moves.
            others = [one for one in left if not any(one is site_ for site_, _, _ in leaving)]
            if others and shot.time - site.since < BIDE_S:
                continue
            left.remove(site)
            zone.lying = outcome(zone, site, result, shot, look.glances).lying
            self._keep(zone, site, look, shot, left)
        self._noted(zone, left, before, shot.time)

    def _agreed(self, zone: Zone, site: Site, looks: Sequence[Look]) -> Vote | None:
        """What a site's readings agree on, once there are enough."""
        if len(looks) < self._frames:
            return None
        near = widened(site.shown, 3)
        readings = [
            [seen for seen in look.sightings if self._touches(zone, seen.outline, near)]
            for look in looks
        ]
        result = vote(readings, self._deck)
        apart = looks[-1].time - looks[0].time >= AGREED_S or len(looks) >= 2 * self._frames
        enough = result.clear and apart
        return result if enough or len(looks) >= TRIES * self._frames else None

    def _keep(
        self,
        zone: Zone,
        site: Site,
        look: Look,
        shot: Shot,
        left: Sequence[Site],
    ) -> None:
        """Mark a site as read, and learn how the table looks where no card lies."""
        part, covered = placed(zone, self._scale, *(card.outline for card in zone.lying))
        cards = np.zeros(zone.mask.shape, np.uint8)
        cards[part] = covered.astype(np.uint8) * np.uint8(255)
        shown = cards.copy()
        for glance in look.glances:
            mark(shown, glance.areas, zone.part, self._scale)
        # Outlines are accurate to a pixel or two of the shrunken picture.
        bare = widened(shown, 5) == 0
        # What moved at the beginning was not waited for: it is read as soon as it is still.
        passed = not zone.settled and cv2.countNonZero(both(zone.watched, inverse(site.shown))) > 0
        where = site.apart_from(left) if left or passed else None
        zone.memory.settle(shot.of(zone), bare, where)
        self._remember(zone, site, look, whole=not left)
        zone.watched = either(zone.mask, cards)
        zone.settled = True
        zone.done(site)
        if not left and not passed:
            zone.rest()

    def _remember(self, zone: Zone, site: Site, look: Look, *, whole: bool) -> None:
        """Keep what the networks saw of a site; elsewhere, a look may be older than the rest."""
        # Without a known scale, a small part may be read at the wrong one.
        if not self._reader.index_height or not look.glances:
            zone.glance = None
        elif zone.glance is None:
            zone.glance = look.glances[0] if whole else None
        else:
            boxes = self._changed_boxes(zone, site.shown)
            zone.glance = zone.glance.renewed([(box, look.glances[0]) for box in boxes])

    def _noted(
        self, zone: Zone, left: Sequence[Site], before: tuple[Lying, ...], time: float
    ) -> None:
        """Record what other spots' cards and people learn while something here has not settled."""
        if not left:
            return
        zone.news |= zone.lying != before
        young = [site for site in left if time - site.since < BIDE_S]
        zone.held = any(
            self._touches(zone, old.outline, site.shown) for site in young for old in zone.lying
        )

    def _touches(self, zone: Zone, outline: Outline, shown: Shown) -> bool:
        """Whether a card covers anything marked in the zone's part of the picture."""
        part, place = placed(zone, self._scale, outline)
        return bool((shown[part] > 0)[place].any())

    def _known(self, zone: Zone, now: Frame, due: Sequence[Site]) -> tuple[Sighting, ...] | None:
        """The backs that lie where a spot is read, if earlier looks at the same picture agree.

        Judging a heap of backs takes many times as long as reading a card.
        """
        counting = [{id(look) for look in self._looks(zone, site, now)} for site in due]
        alike = [look for look in zone.looks if all(id(look) in each for each in counting)]
        seen = [[one for one in look.sightings if one.card == BACK] for look in alike[-ALIKE:]]
        agree = len(seen) == ALIKE and all(vote([seen[0], other]).clear for other in seen)
        return tuple(seen[0]) if agree else None

    def _surveyed(self, zone: Zone, shot: Shot, changed: Shown, due: Sequence[Site]) -> Survey:
        """Read what has not been read yet: in a settled spot, only what changed."""
        asked = self._asked(zone, shot, changed)
        if zone.polygon is None:
            box = self._box(zone, changed)
            return self._reader.survey(shot.frame, regions=[box], small=shot.small, asked=asked)
        asked = replace(asked, known=self._known(zone, shot.of(zone), due))
        boxes = self._changed_boxes(zone, changed)
        spoilt = sum(box.width * box.height for box in boxes)
        if zone.glance is not None and spoilt <= SPOILT * zone.box.width * zone.box.height:
            return self._reader.again(shot.frame, zone.glance, boxes, small=shot.small, asked=asked)
        every = asked if asked.known is not None else None
        return self._reader.survey(shot.frame, regions=[zone.box], small=shot.small, asked=every)

    def _asked(self, zone: Zone, shot: Shot, changed: Shown) -> Asked:
        """The backs that a reading is for: those where a spot changed.

        Outside all spots, only those that lie there.
        """
        where = np.zeros(shot.small.shape[:2], np.uint8)
        where[zone.part] = widened(changed, NEAR_CHANGE)
        beside = zone.polygon is None
        return Asked(where, self._scale, zone.watched if beside else None, roughly=beside)

    def _changed_boxes(self, zone: Zone, changed: Shown) -> list[Box]:
        """The parts of the picture in which a spot changed, with all indices reaching into them."""
        near = widened(changed, 3)
        reach = HALF_INDEX * (self._reader.index_height or 0.0)
        x, y = zone.part[1].start, zone.part[0].start
        boxes = []
        for one in around(near):
            ends = (one.x + x, one.y + y), (one.x + one.width + x, one.y + one.height + y)
            corners = ((at / self._scale, down / self._scale) for at, down in ends)
            boxes.append(Box.around(corners, margin=reach))
        return gathered(boxes)

    def _box(self, zone: Zone, changed: Shown) -> Box:
        """What to look at outside all spots: what changed there, and the first time everything."""
        if not zone.settled:
            return zone.box
        rows, columns = np.nonzero(changed)
        ends = [(columns.min(), rows.min()), (columns.max() + 1, rows.max() + 1)]
        points = [(float(x) / self._scale, float(y) / self._scale) for x, y in ends]
        wide = Box.around(points, margin=2 * self._margin(zone.box))
        return wide.within(zone.box.width, zone.box.height) or zone.box

    def _margin(self, box: Box) -> float:
        """How far in pixels cards may extend beyond the border of a spot of this size."""
        if self._reader.index_height:
            return REACH * self._reader.index_height
        return REACH_OF_SPOT * min(box.width, box.height)

    def _laid_out(self, small: Frame) -> list[Zone]:
        """The zones of a picture of this size: the spots, and the rest around them."""
        zones = [self._zone(name, polygon, small) for name, polygon in self._polygons.items()]
        rest = np.full(small.shape[:2], 255, np.uint8)
        for zone in zones:
            rest[zone.part] = both(rest[zone.part], inverse(zone.mask))
        width, height = self._size or (0, 0)
        everything = slice(0, small.shape[0]), slice(0, small.shape[1])
        whole = Box(0, 0, width, height)
        return [*zones, Zone(ELSEWHERE, None, whole, everything, rest, rest.copy())]

    def _zone(self, name: str, polygon: Polygon, small: Frame) -> Zone:
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
        mask = polygon.mask(small.shape[1], small.shape[0], scale=self._scale)[part]
        return Zone(name, polygon, box, part, mask, mask.copy())
