"""A tracker that also watches betting places, with the reader of a taught set of chips.

A place is read a few times once it has changed and nothing moves there, and then no more: a picture
in which nothing has changed costs one comparison of the shrunken picture at each place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist

import cv2
import numpy as np

from rules.cards import BACK, Deck
from vision.chips.beside_cards import no_chips
from vision.chips.chip_set import ChipSet
from vision.chips.gauge import Gauge
from vision.chips.prints import PAPER, paper
from vision.chips.reader import ChipReader
from vision.chips.seen import SeenChips, narrowed
from vision.chips.standpoint import Standpoint
from vision.find.discs import Discs
from vision.picture.geometry import Box, Floats, Frame, Outline, Polygon
from vision.reader import CardReader
from vision.sightings import LyingChips, Seen
from vision.track.chips import ChipTracker, width
from vision.track.counting import Counting
from vision.track.motion import CHANGED, NOISE, Part, Shown, as_empty, both, unlike
from vision.track.tracker import Tracker

READINGS = 3
"""Number of times a place is read once it has changed: only what pictures agree on counts. A
choice: the same as for cards."""
MARGIN_MM, LEAN_MM = 40.0, 15.0
"""Minimum margin around a place that is read, so that chips on its border are seen whole, and how
far a stack leans. Follows from the widest round chips, which a border cuts in half; plaques are
wider."""
AGAIN, AGAIN_S = 5, 0.5
"""Number of further readings, and the seconds between them, of a place where no chip was found
though it looks different from when it was bare. A choice: of pictures of one stack on wood, one in
four was not read; a card or a glass that lies there costs five readings."""
LOOKS_LIKE = 0.5
"""Minimum size of that difference, as a share of the smallest chip's face. A choice: half of one
may look like the table."""
OVER, PATIENT_S = 0.5, 20.0
"""Minimum share of the place of chips that are no longer seen in which neither the table nor other
chips or cards show for something to hide them, and the seconds for which that is believed. A
choice: an arm that rested beside a bet hid half of three chips, and they were taken for withdrawn;
whoever stands in the light does not for long.
"""
AS_BEFORE = 0.1
"""Maximum share of the place of chips that are no longer read that may look different from when
they were, for them to lie there all the same. A choice: noise is in specks, which do not count."""
KEPT_AFTER_S = 20.0
"""Minimum time in seconds from one time at which what was learned is kept to the next: what is lost
with the power is soon learned again. A choice."""


@dataclass(frozen=True)
class Chips:
    """A set of chips, the camera, and the betting places where chips are searched for."""

    set: ChipSet
    camera: Standpoint
    places: Mapping[str, Polygon]
    gauge: Gauge | None = None
    """What is known of their sizes on this table; None if they have not been seen there."""
    keep: Callable[[Gauge], None] = field(default=lambda _: None, repr=False, compare=False)
    """Called now and then with what has been learned of them under this camera."""


@dataclass(slots=True, eq=False)
class _Site:
    """A place: its part of the shrunken picture, how it looked when last read, and what it held."""

    name: str
    polygon: Polygon
    part: Part
    mask: Shown
    looked: Frame | None = None
    left: int = READINGS
    """How many more times it is to be read."""
    covered: bool = False
    chips: tuple[SeenChips, ...] = ()
    bare: Frame | None = None
    """How it looked when it was last taken to hold no chips."""
    rested: tuple[SeenChips, ...] = ()
    """What it held when it was last read to the end."""
    shown: Frame | None = None
    """How it looked when all of that was read."""
    again: int = 0
    """How many more times it may be read though nothing has changed since."""
    read_at: float = 0.0
    hidden: bool = False
    """Whether something that rests there hides chips that it held."""
    since: float | None = None
    """When it began to rest."""


class ChipsTracker(Tracker):
    """Follows cards at spots and chips at betting places."""

    _sites_of_bets: list[_Site]

    def __init__(
        self,
        reader: CardReader,
        polygons: Mapping[str, Polygon],
        *,
        deck: Deck | None = None,
        chips: Chips,
    ) -> None:
        self._chips = chips
        self._counting = Counting.of(chips.set, chips.gauge, chips.camera.doubt)
        self._kept = self._counting.gauge, 0.0
        super().__init__(reader, polygons, deck=deck)
        self._settled = ChipTracker(chips.places)
        self._told: LyingChips | None = None
        self._stirring: Shown = np.zeros((0, 0), np.uint8)

    def count(self, chips: SeenChips, number: int) -> None:
        """Take in how many chips are in a stack that was reported, as a person has said."""
        self._counting.say(chips, number)
        self._look_again(self._counting.told())
        self._told = None

    def watch_bets(self, places: Mapping[str, Polygon]) -> None:
        """Look for chips at other places from now on; places that stay remember what they held."""
        self._chips = replace(self._chips, places=places)
        self._settled.watch(places)
        self._sites_of_bets, self._told = [], None
        self._counting.keep(places)

    def reset(self) -> None:
        """Forget every picture, as after the camera was moved."""
        super().reset()
        self._sites_of_bets = []

    def rescale(self, index_height: float) -> None:
        """Expect another scale for cards and chips; see `Tracker.rescale`."""
        before, camera = self._reader.index_height, self._chips.camera
        if before:
            by = index_height / before
            camera = replace(
                camera, px_per_mm=camera.px_per_mm * by, height_mm=camera.height_mm / by
            )
            self._chips = replace(self._chips, camera=camera, keep=lambda _: None)
        self._counting = Counting.of(self._chips.set, doubt=self._chips.camera.doubt)
        super().rescale(index_height)

    def update(self, frame: Frame, time: float) -> Seen:
        """What lies where as of `frame`, including chips; see `Tracker.update`."""
        seen = super().update(frame, time)
        if self._last is None:
            return seen
        if not self._sites_of_bets:
            self._sites_of_bets = list(_sites(self._chips.places, self._last, self._scale))
        waiting = [one for one in self._sites_of_bets if self._waits(one, time)]
        still = [one for one in waiting if not one.covered]
        if still:
            self._read_one(max(still, key=lambda one: one.left), frame, seen, time)
        if waiting or self._told is None or self._told.busy:
            chips = [chip for one in self._sites_of_bets for chip in one.chips]
            unread = {one.name for one in waiting if one.left == READINGS}
            unread |= {one.name for one in self._sites_of_bets if one.hidden}
            reading = {one.name for one in waiting if one.left}
            self._told = self._settled.update(chips, time, unread, reading)
        self._keep(time)
        known = [chip for some in self._told.places.values() for chip in some]
        spots = {name: no_chips(some, known) for name, some in seen.spots.items()}
        return replace(seen, spots=spots, chips=self._told)

    def _discs(self, frame: Frame, box: Box) -> Discs | None:
        rounds = _reader_of(self._chips, frame, (box.x, box.y)).rounds(box.cut(frame))
        return None if rounds is None else rounds.discs.moved(box.x, box.y)

    def _keep(self, time: float) -> None:
        """Keep what was learned, if it is new and some time has passed."""
        gauge, (kept, since) = self._counting.gauge, self._kept
        if gauge is not kept and time - since >= KEPT_AFTER_S:
            self._chips.keep(gauge)
            self._kept = gauge, time

    def _wake(self, moving: Shown, time: float) -> Shown:
        self._stirring = super()._wake(moving, time)
        return self._stirring

    def _waits(self, site: _Site, time: float) -> bool:
        """Whether a place has changed since it was read, or something moves over it.

        One that is not bare, though no chip was found there, is read a few more times.
        """
        assert self._last is not None
        now = self._last[site.part]
        site.covered = cv2.countNonZero(both(self._stirring[site.part], site.mask)) > 0
        if site.covered:
            site.left, site.again, site.since = READINGS, AGAIN, None
        elif site.looked is not None and not site.left:
            limits = self._noise.limit(CHANGED, NOISE)
            changed = unlike(now, site.looked, limits, sways=self._sway.swaying)
            if cv2.countNonZero(both(changed, site.mask)):
                site.left, site.again = READINGS, AGAIN
            elif site.again and time - site.read_at >= AGAIN_S:
                site.left, site.again = 1, site.again - 1
            elif site.hidden and time - site.read_at >= AGAIN_S:
                site.left = 1
        return site.left > 0

    def _read_one(self, site: _Site, frame: Frame, seen: Seen, time: float) -> None:
        """Read one place, the one read least.

        Only one per picture, so that no picture takes much longer than others.
        """
        assert self._last is not None
        site.left, site.read_at = site.left - 1, time
        site.looked = self._last[site.part].copy()
        faces, backs = _cards(seen)
        found = chips_at(self._chips, site.polygon, frame, faces, backs, sheets=_sheets(seen))
        chips = tuple(found)
        there = self._unchanged(site, chips)
        site.hidden = self._rests_on(site, (*chips, *there), [*faces, *backs], time)
        if site.hidden:
            site.left = 0
            return
        first, last = site.left == READINGS - 1, not site.left
        self._counting.see(site.name, chips, first=first, last=last, unread=there)
        told = self._counting.told()
        site.chips = told[site.name]
        self._look_again(told)
        if not site.left:
            site.rested, site.shown = site.chips, site.shown if there else site.looked
        if not site.left and not there and (site.chips or not self._hides_chips(site)):
            site.again = 0
        if not site.again and not site.left and not site.chips:
            site.bare = site.looked

    def _unchanged(self, site: _Site, chips: Sequence[SeenChips]) -> tuple[SeenChips, ...]:
        """The chips that lay at a place and are not among those now read, though they look as
        before."""
        missing = _missing(site.rested, chips)
        if not missing or site.shown is None or site.looked is None:
            return ()
        limits = self._noise.limit(CHANGED, NOISE)
        changed = unlike(site.looked, site.shown, limits, sways=self._sway.swaying) > 0
        if site.bare is not None:  # a chip in the cloth's colour looks the same when it is gone
            changed |= as_empty(site.looked, site.bare)
        places = [self._filled(site, [old.outline]) > 0 for old in missing]
        pairs = zip(missing, places, strict=True)
        return tuple(o for o, p in pairs if (changed & p).sum() <= AS_BEFORE * p.sum())

    def _rests_on(
        self, site: _Site, chips: Sequence[SeenChips], cards: Sequence[Outline], time: float
    ) -> bool:
        """Whether something that is no card lies where chips of a place are no longer seen."""
        there = _missing(site.chips, chips)
        if not there or site.bare is None or site.looked is None:
            site.since = None
            return False
        strange = ~as_empty(site.looked, site.bare)
        known = [one.outline for one in chips]
        known += [np.asarray(card, np.float32) for card in cards]
        strange &= self._filled(site, known) == 0
        lost = (self._filled(site, [old.outline]) > 0 for old in there)
        if not any((strange & place).sum() >= OVER * place.sum() for place in lost):
            site.since = None
            return False
        site.since = time if site.since is None else site.since
        return time - site.since < PATIENT_S

    def _filled(self, site: _Site, outlines: Sequence[Floats]) -> Shown:
        """Where (255) on a place's shrunken picture these outlines (N, 2) are, in frame pixels."""
        shown = np.zeros(site.mask.shape, np.uint8)
        corner = np.array((site.part[1].start, site.part[0].start), np.float32)
        for one in outlines:
            cv2.fillPoly(shown, [np.rint(one * self._scale - corner).astype(np.int32)], (255,))
        return shown

    def _hides_chips(self, site: _Site) -> bool:
        """Whether something as large as a chip lies where none was found."""
        if site.bare is None or site.looked is None:
            return False
        limits = self._noise.limit(CHANGED, NOISE)
        changed = unlike(site.looked, site.bare, limits, sways=self._sway.swaying)
        across = self._chips.set.sizes.min() * self._chips.camera.px_per_mm * self._scale
        face = np.pi / 4 * across**2 if self._chips.set.scaled else 0.0
        return cv2.countNonZero(both(changed, site.mask)) > LOOKS_LIKE * float(face)

    def _look_again(self, told: Mapping[str, tuple[SeenChips, ...]]) -> None:
        """Take in what each stack says about the others."""
        for one in self._sites_of_bets:
            now = told.get(one.name, ())
            if narrowed([chip.lot for chip in one.chips], [chip.lot for chip in now]):
                one.chips = now


def chips_at(
    chips: Chips,
    polygon: Polygon,
    frame: Frame,
    faces: Sequence[Outline],
    backs: Sequence[Outline],
    *,
    sheets: Sequence[Outline] | None = None,
) -> Iterator[SeenChips]:
    """The chips at a place, read from the part of a picture (H, W, 3) around it.

    `faces` are the outlines of the cards there that are read with confidence, `backs` of others;
    those that show the colour of paper are the `sheets`, if not all faces do.
    """
    camera = chips.camera
    longest = float(chips.set.sizes.max()) / 2 + LEAN_MM if chips.set.scaled else 0.0
    margin = round(max(MARGIN_MM, longest) * camera.px_per_mm)
    low = np.maximum(np.floor(polygon.array.min(axis=0)) - margin, 0).astype(int)
    high = np.ceil(polygon.array.max(axis=0)).astype(int) + margin
    part = frame[low[1] : high[1], low[0] : high[0]]
    if chips.set.lit:
        part = _in_white_light(part, paper(frame, faces if sheets is None else sheets))
    away = (-float(low[0]), -float(low[1]))
    reader = _reader_of(chips, frame, (int(low[0]), int(low[1])))
    size = part.shape[1], part.shape[0]
    inside = [tuple(_within(some, away, size)) for some in (faces, backs)]
    level = reader.level(part)
    if level is None:
        seen = reader.read(part, *inside)
    else:
        # A part may be as large as the picture: it is not kept beside the level one.
        del part
        seen = reader.read_level(level, *inside)
    for one in seen:
        there = replace(one, outline=(one.outline + low).astype(np.float32))
        if polygon.contains(there.centre):
            yield there


def _reader_of(chips: Chips, frame: Frame, corner: tuple[int, int]) -> ChipReader:
    """A reader of chips in the part of a picture (H, W, 3) whose upper left pixel is `corner`."""
    camera = chips.camera
    middle = camera.middle or ((frame.shape[1] - 1) / 2, (frame.shape[0] - 1) / 2)
    here = replace(camera, middle=middle).moved(*map(float, corner))
    return ChipReader(chips.set, camera=here)


def _sites(places: Mapping[str, Polygon], small: Frame, scale: float) -> Iterator[_Site]:
    high, wide = small.shape[:2]
    for name, polygon in places.items():
        corners = polygon.array * scale
        left, top = np.clip(np.floor(corners.min(axis=0)), 0, (wide - 1, high - 1)).astype(int)
        right, bottom = np.clip(np.ceil(corners.max(axis=0)), 1, (wide, high)).astype(int)
        part = slice(int(top), int(bottom)), slice(int(left), int(right))
        mask = np.zeros((high, wide), np.uint8)
        cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], (255,))
        yield _Site(name, polygon, part, np.ascontiguousarray(mask[part]))


def _cards(seen: Seen) -> tuple[list[Outline], list[Outline]]:
    """The outlines of the cards at rest: confidently read face-up ones, and all others."""
    lying = [one for some in seen.spots.values() for one in some]
    faces = [one.outline for one in lying if one.card != BACK and not one.doubtful]
    return faces, [one.outline for one in lying if one.card == BACK or one.doubtful]


def _sheets(seen: Seen) -> list[Outline]:
    """The outlines of the face-up cards that still lie where they were read, as far as is known."""
    rest = {name: some for name, some in seen.spots.items() if name not in seen.busy}
    return _cards(replace(seen, spots=rest))[0]


def _missing(known: Sequence[SeenChips], chips: Sequence[SeenChips]) -> list[SeenChips]:
    """Those of the `known` chips in whose places none of the others are."""
    return [
        old
        for old in known
        if not any(dist(old.centre, one.centre) < width(old) / 2 for one in chips)
    ]


def _within(
    cards: Sequence[Outline], away: tuple[float, float], size: tuple[int, int]
) -> Iterator[Outline]:
    """The cards whose centre lies in a part of the picture, in that part's pixels."""
    for card in cards:
        moved = tuple((x + away[0], y + away[1]) for x, y in card)
        x, y = np.mean(moved, axis=0)
        if 0 <= x < size[0] and 0 <= y < size[1]:
            yield (moved[0], moved[1], moved[2], moved[3])


def _in_white_light(part: Frame, white: Floats | None) -> Frame:
    """A part of a picture as if white paper were as bright as when the chips were taught."""
    if white is None:
        return part
    lit = np.arange(256, dtype=np.float32)[:, None] * (np.float32(PAPER) / white)
    # By a table: arrays of a whole place would take ten times as much memory as the picture.
    table = np.clip(np.rint(lit), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(part, table[:, None]), np.uint8)
