"""Read the parts of spots that changed: as often as it takes to settle them, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import BACK
from vision.find.asked import Asked
from vision.find.discs import Discs
from vision.picture.geometry import Box, Floats, Frame, Outline, Polygon, around, gathered, inset
from vision.read.glances import Glance
from vision.reader import AROUND, CardReader, Survey
from vision.sightings import Lying, Sighting
from vision.track.consensus import apart, vote
from vision.track.corners import has_corners_of, indices_of, lies_across, outline_of
from vision.track.in_view import placed
from vision.track.laying_out import margin
from vision.track.light import Noise
from vision.track.motion import CHANGED, NOISE, Shown, both, count, either, inverse, unlike, widened
from vision.track.texture import moved_patterns
from vision.track.zones import Look, Shot, Site, Zone, owner

ALIKE = 2
"""Number of looks at the same picture that must agree on the backs for later looks to accept them:
two, as a moving hand may blur one. A choice; `python -m tests.benchmarks backs` shows what it
saves."""
DOUBTED = 3
"""The same while they are doubted: further looks at the same picture resolve little, and each at
seven backs in a column cost 1.2 to 1.7 s. A choice; `python -m tests.soak --pictures` judges it.
"""
TRIES = 3
"""Multiple of the required number of readings after which a site is settled with whatever doubt is
left. A choice; `python -m tests.dealt_table` judges it."""
FEW_TRIES = 2
"""The same where only backs lie, or where all that is doubted, or only seen now and then, peeps out
from under others: one look at seven backs took 4 to 8 s, a card on a pile was drawn within 0.6 s,
and three more looks hardly change the mean of six. A choice; `python -m tests.soak --pictures`
judges it."""
AGREED_S = 0.12
"""Minimum time in seconds from the first to the last of the readings that agree: a hand that hovers
with a card turns back sooner. Three frames at 15 a second take 0.13 s. A choice;
`python -m tests.dealt_table` judges it."""
ON_BORDER = 0.1
"""Largest distance between the centres of one card in two readings that put it at different spots,
in short sides. A choice: no two cards of a row or a fan lie as near, and readings of a card in full
view were at most 0.05 apart in recorded hands.
"""
RETRY = 15
"""Frames between readings of a site that stays covered, about a second. A choice;
`python -m tests.dealt_table` judges it."""
HALF_INDEX = 0.6
"""Distance in index heights that an index extends from its centre, with a pixel or two to spare: a
change within it may have changed the print. A choice; `python -m tests.dealt_table` judges it."""
SPOILT = 0.6
"""Changed share of a spot from which it is read as a whole. A choice; `python -m tests.dealt_table`
judges it."""
DISC_INDICES = 7.0
"""Margin around what is read again in which discs are looked for, in index heights. A choice: a
chip of 45 mm is seven of the usual ones across.
"""
TOUCHED = 0.5
"""Changed share of an index's place from which the card's other indices are read again, too. A
choice: half; `python -m tests.soak --pictures` judges it."""
READ_BESIDE = 5
"""Width in shrunken pixels of the square around a change in which a look counts as having read: at
the rim of a faint change, other pixels count as changed in each picture, and of a place of fifty of
them, no look covered what the next one showed. A choice: at least as much is read with every change
(`Surveyor.changed_boxes`), and no other site is so near (`zones.APART`).
"""
NEAR_CHANGE = 7
"""Width in shrunken pixels of the square around a change in which backs are judged: outlines are
accurate to three. A choice, on the safe side."""


BARED = 0.25
"""Minimum share of a back's place at which the bare table shows for the back not to lie there any
more: of one taken off another, which it half covered, it was two fifths. A choice: a hand looks
different, and the outline of a back is accurate to a pixel or two of its thirty.
"""


FindDiscs: TypeAlias = Callable[[Frame, Box], Discs | None]
"""Gives what a part of a picture shows that is round and hides no index, in the picture's
pixels."""


def _is_same(old: Lying, seen: Sighting) -> bool:
    return old.card == seen.card and apart(old, seen) < ON_BORDER


def _known_or_seen(zone: Zone) -> Iterator[tuple[Lying | Sighting, Glance | None]]:
    """The cards that lie at a spot, and those in full view that its latest look shows there."""
    yield from ((old, None) for old in zone.lying)
    for look in zone.looks[-1:]:
        whole = [seen for seen in look.sightings if seen.whole]
        yield from ((seen, glance) for seen in whole for glance in look.glances)


class Surveyor:
    """Reads the sites of spots, each of them several times, and knows which readings count.

    `polygons` are the spots' borders; a card belongs to the spot that contains its centre. `frames`
    readings must agree. What the stream's `noise` explains is not a change. The `discs` are not
    looked at for cards where they lie alone, and what is printed on them is no index.
    """

    def __init__(
        self,
        reader: CardReader,
        polygons: Mapping[str, Polygon],
        noise: Noise,
        frames: int,
        *,
        discs: FindDiscs,
    ) -> None:
        self.reader = reader
        self.noise = noise
        self.frames = frames
        self.zones: Sequence[Zone] = ()
        """All spots that are watched."""
        self._polygons = polygons
        self._discs = discs

    def read(self, zone: Zone, shot: Shot, still: Sequence[Site], before: Shot | None) -> None:
        """Read again those of a spot's `still` sites that need it.

        What is new is read in the shot `before` as well: what is still by now lay there then.
        """
        due = [site for site in still if self._due(zone, site, shot)]
        if not due:
            return
        fresh = [site for site in due if not self.looks(zone, site, shot.of(zone))]
        if fresh and zone.settled and zone.polygon is not None and before is not None:
            self._look(zone, before, fresh)
        self._look(zone, shot, due)

    def _look(self, zone: Zone, shot: Shot, due: Sequence[Site]) -> None:
        """Read some of a spot's sites in a picture."""
        changed = np.zeros(zone.mask.shape, np.uint8)
        for site in due:
            changed |= site.shown
        again = [box for look in zone.looks[-1:] if _covers(look, due) for box in look.beyond]
        beyond = gathered([*again, *_other_ends(zone, changed, shot.scale)])
        own = self.changed_boxes(zone, changed, shot.scale) if zone.polygon is not None else []
        boxes = gathered([*own, *beyond])
        survey = self._surveyed(zone, shot, changed, due, boxes)
        if _is_read_in_part(zone, boxes):
            under = list(_under_new(zone, survey.reading.sightings, boxes, changed, shot.scale))
            if under:
                beyond = gathered([*beyond, *under])
                survey = self._surveyed(zone, shot, changed, due, gathered([*own, *beyond]))
        zone.trouble = survey.reading.trouble
        mine = tuple(seen for seen in survey.reading.sightings if self.is_of(zone, seen))
        read = widened(changed, READ_BESIDE)
        look = Look(shot.of(zone), shot.time, read, mine, survey.glances, tuple(beyond))
        zone.looks = [*zone.looks, look][-TRIES * self.frames :]

    def is_of(self, zone: Zone, seen: Sighting, glances: Sequence[Glance] = ()) -> bool:
        """Whether a card that is `seen` belongs to a spot.

        One on the border of two is read now in one, now in the other: it stays where it is known to
        lie. The `glances` at it tell whether it is read by corners of one in the other, which lies
        there or is seen there in full view.
        """
        there = owner(seen, self._polygons)
        known = [one.name for one in self.zones if any(_is_same(old, seen) for old in one.lying)]
        if zone.name != (there if there in known or not known else known[0]):
            return False
        return not any(
            has_corners_of(zone, seen, other, one, glances, glance=glance)
            for other in self.zones
            if other is not zone
            for one, glance in _known_or_seen(other)
        )

    def disown(self, zone: Zone) -> None:
        """Take from other spots what was read there by corners of a card that has settled at this
        one, in full view."""
        for other in (one for one in self.zones if one is not zone):
            own = tuple(
                card
                for card in other.lying
                if not any(lies_across(other, card, zone, old) for old in zone.lying)
            )
            if len(own) < len(other.lying):
                other.lying = own

    def _due(self, zone: Zone, site: Site, shot: Shot) -> bool:
        looks = self.looks(zone, site, shot.of(zone))
        if len(looks) >= TRIES * self.frames:
            return zone.frames % RETRY == 0
        # The last of the readings needed is worth making only once it can be enough.
        last = len(looks) == self.frames - 1
        return not last or shot.time - looks[0].time >= AGREED_S or zone.frames % 2 == 0

    def looks(self, zone: Zone, site: Site, now: Frame) -> list[Look]:
        """The readings that count for a site: those where it looked as it does now."""
        limits = self.noise.limit(CHANGED, NOISE)
        rows, columns = site.rows, site.columns
        shown, there = site.shown[rows, columns], now[rows, columns]
        alike = []
        for look in zone.looks:
            if look.covers(site):
                other = unlike(there, look.picture[rows, columns], limits, sways=True)
                if not cv2.countNonZero(both(other, shown)):
                    alike.append(look)
        return alike

    def _known(self, zone: Zone, now: Frame, due: Sequence[Site]) -> tuple[Sighting, ...] | None:
        """The backs that lie where a spot is read, if earlier looks at the same picture agree.

        Judging a heap of backs takes many times as long as reading a card.
        """
        counting = [{id(look) for look in self.looks(zone, site, now)} for site in due]
        alike = [look for look in zone.looks if all(id(look) in each for each in counting)]
        seen = [[one for one in look.sightings if one.card == BACK] for look in alike]
        latest, more = seen[-ALIKE:], seen[-DOUBTED:]
        agree = len(latest) == ALIKE and all(vote([latest[0], other]).clear for other in latest)
        same = len(more) == DOUBTED and vote(more).same
        return tuple(latest[0]) if agree or same else None

    def _surveyed(
        self,
        zone: Zone,
        shot: Shot,
        changed: Shown,
        due: Sequence[Site],
        boxes: Sequence[Box],
    ) -> Survey:
        """Read what has not been read yet: in a settled spot, only the `boxes`."""
        asked = self._asked(zone, shot, changed)
        if zone.polygon is None:
            return self._whole(shot, self._box(zone, changed, shot.scale), asked)
        asked = replace(asked, known=self._known(zone, shot.of(zone), due))
        if zone.glance is not None and _is_read_in_part(zone, boxes):
            return self.reader.again(
                shot.frame, zone.glance, boxes, small=shot.small, asked=asked,
                discs=self._discs_near(shot.frame, boxes),
            )  # fmt: skip
        every = asked if asked.known is not None else replace(asked, changed=None)
        return self._whole(shot, zone.box, every)

    def _whole(self, shot: Shot, box: Box, asked: Asked | None) -> Survey:
        """Read a part of a picture of which no glance is kept."""
        discs = self._discs(shot.frame, box)
        return self.reader.survey(
            shot.frame, regions=[box], small=shot.small, asked=asked, discs=discs
        )

    def _discs_near(self, frame: Frame, boxes: Sequence[Box]) -> Discs | None:
        """What is round and hides no index in some parts of a picture, or begins there."""
        margin = round(DISC_INDICES * (self.reader.index_height or 0.0))
        high, wide = frame.shape[:2]
        near = [place for box in boxes if (place := box.grown(margin).within(wide, high))]
        found = [some for box in gathered(near) if (some := self._discs(frame, box)) is not None]
        return Discs.joined(found) if found else None

    def _asked(self, zone: Zone, shot: Shot, changed: Shown) -> Asked:
        """The backs that a reading is for: those where a spot changed.

        Outside all spots, only those that lie there.
        """
        where = np.zeros(shot.small.shape[:2], np.uint8)
        where[zone.part] = widened(changed, NEAR_CHANGE)
        beside = zone.polygon is None
        backs = [one for one in zone.lying if one.card == BACK and not one.doubtful]
        moved = moved_patterns(zone, shot)
        bared = [one for one in backs if _is_bared(zone, shot, one, moved)]
        return Asked(
            where,
            shot.scale,
            zone.watched if beside else None,
            roughly=beside,
            lay=_outlines(one for one in backs if not any(one is other for other in bared)),
            stirred=_outlines(bared),
        )

    def changed_boxes(self, zone: Zone, changed: Shown, scale: float) -> list[Box]:
        """The parts of the picture in which a spot changed, with all indices reaching into them.

        What is stale beside them belongs to them.
        """
        near = widened(changed, 3)
        height = self.reader.index_height or 0.0
        reach = HALF_INDEX * height
        seen = widened(changed, 2 * ceil((HALF_INDEX + AROUND) * height * scale) + 1)
        stale = zone.stale_at(seen)
        near = near if stale is None else either(near, widened(stale, 3))
        x, y = zone.part[1].start, zone.part[0].start
        boxes = []
        for one in around(near):
            ends = (one.x + x, one.y + y), (one.x + one.width + x, one.y + one.height + y)
            corners = ((at / scale, down / scale) for at, down in ends)
            boxes.append(Box.around(corners, margin=reach))
        return gathered(boxes)

    def _box(self, zone: Zone, changed: Shown, scale: float) -> Box:
        """What to look at outside all spots: what changed there, and the first time everything."""
        if not zone.settled:
            return zone.box
        rows, columns = np.nonzero(changed)
        ends = [(columns.min(), rows.min()), (columns.max() + 1, rows.max() + 1)]
        points = [(float(x) / scale, float(y) / scale) for x, y in ends]
        wide = Box.around(points, margin=2 * margin(zone.box, self.reader.index_height))
        return wide.within(zone.box.width, zone.box.height) or zone.box


def _other_ends(zone: Zone, changed: Shown, scale: float) -> Iterator[Box]:
    """The indices in view, where nothing `changed`, of cards of which another index did.

    The card may have gone, and what lies under it may show something alike there: of a two that was
    drawn from a pile, a pip came into view just where its index had been, too like it for a change,
    and the two seemed to lie there still.
    """
    left, top, wide, high = cv2.boundingRect(changed)
    x, y = left + zone.part[1].start, top + zone.part[0].start
    where = Box.around([(x / scale, y / scale), ((x + wide) / scale, (y + high) / scale)])
    for old in zone.lying:
        if not Box.around(old.outline).touches(where):
            continue
        ends = list(indices_of(zone, old))
        touched = [end for end in ends if _changed_at(zone, end, changed, scale)]
        if touched:
            yield from (Box.around(end) for end in ends if end not in touched)


def _is_read_in_part(zone: Zone, boxes: Sequence[Box]) -> bool:
    """Whether only these parts of a spot are read again, if the rest is known from earlier."""
    spoilt = sum(box.width * box.height for box in boxes)
    return zone.polygon is not None and spoilt <= SPOILT * zone.box.width * zone.box.height


def _covers(look: Look, sites: Sequence[Site]) -> bool:
    """Whether nearly all of one of the `sites` was read at a look."""
    return any(look.covers(site) for site in sites)


def _under_new(
    zone: Zone, seen: Iterable[Sighting], read: Sequence[Box], changed: Shown, scale: float
) -> Iterator[Box]:
    """The indices that an earlier look found where new cards are seen to lie now, apart from what
    was `read` of them.

    They may be under these cards, whose own are too like them for a change: a five that was thrown
    squarely onto the six of its suit was read askew, by one corner of its own and one of the card
    under the six, as the six seemed to show there still. What something else covers is left as it
    is until that has settled, too.
    """
    if zone.glance is None:
        return
    indices = zone.glance.indices
    faces = [one for one in seen if one.card != BACK]
    new = [one for one in faces if not any(_is_same(old, one) for old in zone.lying)]
    outlines = [np.asarray(one.outline, np.float32) for one in new]
    kept = ~np.any([box.holds(indices.centres) for box in read], axis=0)
    for number in np.flatnonzero(kept):
        middle, index = indices.centres[number], outline_of(indices, int(number))
        if not any(inset(corners, middle) >= 0 for corners in outlines):
            continue
        if not _changed_since(zone, index, changed, scale):
            yield Box.around(index)


def _changed_since(zone: Zone, index: Outline, changed: Shown, scale: float) -> bool:
    """Whether something has changed at an index's place that is not read now."""
    part, place = placed(zone, scale, index)
    others = None if zone.changed is None else both(zone.changed, inverse(changed))
    return others is not None and count((others[part] > 0) & place) > 0


def _changed_at(zone: Zone, index: Outline, changed: Shown, scale: float) -> bool:
    """Whether most of an index's place changed."""
    part, place = placed(zone, scale, index)
    return count((changed[part] > 0) & place) > TOUCHED * count(place)


def _outlines(cards: Iterable[Lying]) -> tuple[Floats, ...]:
    return tuple(np.asarray(one.outline, np.float32) for one in cards)


def _is_bared(zone: Zone, shot: Shot, back: Lying, moved: Shown | None) -> bool:
    """Whether the bare table shows where a back lay, so that it does not lie there any more, or
    another part of the pattern, which has `moved`, so that it may not."""
    part, place = placed(zone, shot.scale, back.outline)
    table = zone.memory.table_at(shot.of(zone), part)
    others = [table] if table is not None else []
    others += [moved[part] > 0] if moved is not None else []
    return any(count(other & place) > BARED * count(place) for other in others)
