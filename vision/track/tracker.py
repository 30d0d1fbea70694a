"""What lies at which spot, over the frames of a camera at rest.

Frames are compared on a shrunken picture, corrected for gain and measured against the stream's own
noise. If a spot has changed, each connected patch is read by itself as soon as it is still, several
times; what the readings agree on is settled, and holds until the picture changes again. A reading
counts as long as the patch looks as it did then, whatever flickered in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, Deck
from vision.find.discs import Discs
from vision.picture.geometry import Box, Frame, Outline, Polygon, checked
from vision.reader import CardReader
from vision.sightings import Seen
from vision.track.in_view import placed
from vision.track.laying_out import zones_of
from vision.track.light import Noise, Steadier
from vision.track.motion import (
    CHANGED,
    MOVED,
    NOISE,
    Shown,
    beyond,
    beyond_sway,
    both,
    patches,
    shrunken,
    widened,
)
from vision.track.prints import reprinted
from vision.track.settling import Settler
from vision.track.surveying import Surveyor
from vision.track.sway import Stand, Sway
from vision.track.texture import moved_patterns
from vision.track.zones import ELSEWHERE, Shot, Site, Zone, sites_in

if TYPE_CHECKING:  # nothing is loaded unless chips are looked for
    from vision.chips.seen import SeenChips

UNSETTLED_S = 2.5
"""Time in seconds after which what has not settled is reported: dealing, turning and squaring up
take less. With the 2 s that a trouble must last before a person hears of it, that is within 5 s. A
choice; `python -m tests.dealt_table` judges it."""
WAKE = 7
"""Width in shrunken pixels of the square around something moving that counts as moving too: the
trailing edge of a hand is next to it, not in it. A choice; `python -m tests.dealt_table` judges it.
"""
BEGINNING_S = 0.4
"""Time in seconds before a spot's first reading: whatever moved within it is left out of that
reading. A choice; `python -m tests.dealt_table` judges it."""
PAUSE_S = 0.4
"""Time in seconds for which an arm that reaches into a spot must rest before the spot is read: one
that pauses for two frames is about to go on, and a look at backs under it took up to 8 s. A choice;
`python -m tests.soak --pictures` judges it."""
AGAIN_S = 0.4
"""Time in seconds without a movement in a spot after which backs that stay in doubt are read once
more: a hand or its shadow lay over some of a column of seven when they were read, and what it
bared was explained beside the doubted ones. A choice; `python -m tests.soak --pictures` judges it.
"""
QUIET_STEP = 3
"""Frames between comparisons with the settled look where nothing moves: light that changes too
slowly to be a movement. A choice; `python -m tests.dealt_table` judges it."""
LEARN_STEP = 4
"""Frames between measurements of noise: it changes only with the exposure. A choice;
`python -m tests.dealt_table` judges it."""


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

    def count(self, chips: SeenChips, number: int) -> None:
        """Take in how many chips are in a stack, as a person has said, if chips are looked for."""

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
        self._alphabet = self._reader.alphabet
        self._surveyor = Surveyor(
            self._reader, self._polygons, self._noise, self._frames, discs=self._discs
        )
        self._settler = Settler(self._surveyor, self._deck)

    def _discs(self, frame: Frame, box: Box) -> Discs | None:
        """What is known to be round and no card in a part of a picture; see `Surveyor`."""
        return None

    def rescale(self, index_height: float) -> None:
        """Know that indices are this high, in pixels, from now on; everything is read anew."""
        self._reader.index_height, self._reader.assumed = index_height, False
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
        shot = Shot(frame, small, self._scale, time, sways=self._sway.swaying)
        for zone in self._zones:
            self._advance(zone, shot, moving, wake)
        if self._reader.alphabet is not self._alphabet:
            self._read_doubts_again()
        self._before = shot
        return self._seen(small, time)

    def _read_doubts_again(self) -> None:
        """Read anew what is in doubt, as the letters' meaning has become known."""
        self._alphabet = self._reader.alphabet
        for zone in self._zones:
            zone.glance = None
            zone.looks.clear()
            if any(one.doubtful for one in zone.lying):
                zone.forget()

    def _moving(self, small: Frame, time: float) -> Shown:
        """Where (255) something moves from the last frame to this one."""
        last, self._last = self._last, small
        if last is None or self._stirred is None:
            self._zones = self._surveyor.zones = self._laid_out(small)
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
            self._noise.learn(last, small, moving)
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
        stirring = zone.wake = wake[zone.part]
        zone.stirs = cv2.countNonZero(both(stirring, zone.watched)) > 0
        zone.touched |= zone.stirs
        zone.frames += 1
        if zone.quiet and not zone.stirs and zone.frames % QUIET_STEP:
            return
        sites = self._sites(zone, shot)
        if zone.settled and not sites:
            if not zone.quiet and self._forgets_other_prints(zone, shot):
                return
            if zone.quiet and self._forgets_doubts(zone, shot):
                return
            zone.note_beside()
            zone.rest()
            zone.memory.follow(now)
            return
        zone.quiet = False
        zone.date(sites, shot.time)
        quiet = [
            site
            for site in sites
            if not site.meets(moving[zone.part]) and not self._pauses(zone, site, shot)
        ]
        self._surveyor.read(zone, shot, quiet, self._before)
        still = [site for site in sites if not site.meets(stirring)]
        self._settler.settle(zone, shot, sites, still)
        if zone.quiet and self._forgets_other_prints(zone, shot):
            zone.quiet = False

    def _forgets_other_prints(self, zone: Zone, shot: Shot) -> bool:
        """Let indices that show another print, and backs of which the pattern is elsewhere, be read
        from the next frame on, if there are any.

        On the shrunken picture, they may look as they did, or as if the camera had swayed.
        """
        found = [
            one for one in (reprinted(zone, shot), moved_patterns(zone, shot)) if one is not None
        ]
        for other in found:
            zone.memory.forget(other)
        return bool(found)

    def _forgets_doubts(self, zone: Zone, shot: Shot) -> bool:
        """Let backs that are in doubt be read from the next frame on, once after each movement."""
        assert self._stirred is not None
        if not zone.touched or (self._stirred[zone.part] > shot.time - AGAIN_S).any():
            return False
        zone.touched = False
        doubts = [one.outline for one in zone.lying if one.doubtful and one.card == BACK]
        if not doubts or zone.polygon is None:
            return False
        part, place = placed(zone, shot.scale, *doubts)
        shown = np.zeros(zone.mask.shape, np.uint8)
        shown[part][place] = 255
        zone.memory.forget(both(shown, zone.watched))
        zone.quiet = False
        return True

    def _sites(self, zone: Zone, shot: Shot) -> list[Site]:
        """The parts of a spot that have changed since it was read."""
        now = shot.of(zone)
        limits = self._noise.limit(CHANGED, NOISE)
        changed = zone.memory.changed(now, limits, sways=self._sway.swaying)
        zone.around, changed = changed, both(changed, zone.watched)
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

    def _pauses(self, zone: Zone, site: Site, shot: Shot) -> bool:
        """Whether what changed at a site reaches in from outside and has only just stopped moving.

        What is read of a spot reaches as far as its cards may, so it is an arm.
        """
        if not zone.settled or zone.polygon is None or zone.around is None:
            return False
        assert self._stirred is not None
        stirred = self._stirred[zone.part][site.shown > 0]
        return bool((stirred > shot.time - PAUSE_S).any()) and zone.reached_into(
            site, shot.of(zone), shot.small.shape[:2]
        )

    def _laid_out(self, small: Frame) -> list[Zone]:
        size, height = self._size or (0, 0), self._reader.index_height
        return zones_of(self._polygons, small, size, self._scale, height)
