"""A spot in the shrunken picture: what it shows, what was read in it, and what has not settled.

What changed since a spot was read is divided into sites, each a connected patch. A site is read and
settles by itself: a hand at one corner of a board does not hold up a card at another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.find.finder import Areas
from vision.picture.geometry import Box, Frame, Outline, Polygon, overlap
from vision.read.glances import Glance
from vision.sightings import Lying, Sighting
from vision.track.light import Grey, whole_gain
from vision.track.motion import Memory, Part, Shown, both, either, inverse, widened
from vision.track.whereabouts import Whereabouts

ELSEWHERE = ""
"""The name under which cards outside every polygon are reported."""
APART = 5
"""Distance in shrunken pixels below which changes are one site: 16 mm, the white between two pips
of a card laid exactly on another. A choice; `python -m tests.dealt_table` judges it."""
SITES_MOST = 12
"""Number of sites above which they count as one, being more than cards are laid at once: a lamp was
switched on. A choice; `python -m tests.dealt_table` judges it."""
LAPSE_S = 0.5
"""Time in seconds for which a site may be gone and still be the same one: a chance run of still
frames. A choice; `python -m tests.dealt_table` judges it."""
READ = 0.9
"""Minimum share of a site that a look must have covered to count for it. A choice;
`python -m tests.dealt_table` judges it."""
RELIT = 0.04
"""Smallest relative change of the light to which the table's remembered look is adapted: less is
within the tolerance of a level, and repeated rounding would add up. A choice;
`python -m tests.stillness` judges it."""
BARE = 0.3
"""Probability of face and back below which a still place has no card. A choice;
`python -m tests.dealt_table` judges it."""


@dataclass(slots=True, eq=False)
class Site:
    """A connected patch that has changed since its spot was read, marked (255) in its part."""

    shown: Shown
    box: Box
    count: int
    since: float = 0.0
    """Time since which it has been unsettled."""

    @classmethod
    def of(cls, shown: Shown) -> Site:
        """The site of everything marked."""
        return cls(shown, Box(*cv2.boundingRect(shown)), cv2.countNonZero(shown))

    def meets(self, other: Shown) -> bool:
        """Whether any of it is marked in `other`."""
        rows, columns = self.rows, self.columns
        return bool(cv2.countNonZero(both(self.shown[rows, columns], other[rows, columns])))

    def apart_from(self, others: Sequence[Site]) -> Shown:
        """The site with its immediate surroundings, except for what belongs to other sites."""
        where = widened(self.shown, APART)
        for other in others:
            where = both(where, inverse(other.shown))
        return where

    @property
    def rows(self) -> slice:
        """The rows it occupies."""
        return slice(self.box.y, self.box.y + self.box.height)

    @property
    def columns(self) -> slice:
        """The columns it occupies."""
        return slice(self.box.x, self.box.x + self.box.width)


def sites_in(changed: Shown) -> list[Site]:
    """The changed patches, with those close to each other merged."""
    if not cv2.countNonZero(changed):
        return []
    near = widened(changed, APART)
    number, labels = cv2.connectedComponents(near, connectivity=8, ltype=cv2.CV_16U)
    if number == 2 or number - 1 > SITES_MOST:
        return [Site.of(changed)]
    marked = (np.asarray(cv2.inRange(labels, (n,), (n,)), np.uint8) for n in range(1, number))
    return [Site.of(both(changed, one)) for one in marked]


@dataclass(slots=True, eq=False)
class Look:
    """One reading: what the spot looked like, where it was read, and what was seen."""

    picture: Frame
    time: float
    read: Shown
    sightings: tuple[Sighting, ...]
    glances: tuple[Glance, ...]
    beyond: tuple[Box, ...] = ()
    """Where other indices of cards that changed were read as well."""

    def covers(self, site: Site) -> bool:
        """Whether nearly all of the site was read."""
        rows, columns = site.rows, site.columns
        seen = cv2.countNonZero(both(site.shown[rows, columns], self.read[rows, columns]))
        return seen >= READ * site.count


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture of the stream, and the `time` in seconds when it was taken.

    `frame` (H, W, 3) is the picture as it came, `small` (h, w, 3) the same shrunk by `scale` and
    corrected for changes of the light.
    """

    frame: Frame
    small: Frame
    scale: float
    time: float
    sways: bool = False
    """Whether the camera sways, so that what is at rest seems to move a little."""

    def of(self, zone: Zone) -> Frame:
        """A spot's part of the shrunken picture."""
        return self.small[zone.part]


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """How an index of a `card` at rest looked when it was read, straightened from its `outline`.

    Of one that lay partly under other cards, the picture shows the card only where it is `bare`
    (255); None if it is everywhere.
    """

    card: Lying
    outline: Outline
    picture: Frame
    bare: Frame | None = None

    def shows(self, card: Lying | Sighting) -> bool:
        """Whether it is an index of this card, as far as is known."""
        return self.card.card == card.card and self.card.outline == card.outline


@dataclass(slots=True)
class Pending:
    """A place that has not settled: since when, and when it was last seen so."""

    box: Box
    since: float
    last: float


@dataclass(frozen=True, slots=True, eq=False)
class Bared:
    """What was left `lying` at a spot where cards had left a `site`, before anything else came.

    It is believed only later, as a card that is gone may come to rest again: until then, what lay
    there `before` is reported.
    """

    site: Site
    before: tuple[Lying, ...]
    lying: tuple[Lying, ...]


@dataclass(slots=True, eq=False)
class Zone:
    """A spot, or the area outside all spots (without a polygon): its picture part and state."""

    name: str
    polygon: Polygon | None
    box: Box
    part: Part
    mask: Shown
    watched: Shown
    """The spot together with the cards that extend beyond its border."""
    memory: Memory = field(init=False)
    glance: Glance | None = None
    lying: tuple[Lying, ...] = ()
    prints: tuple[Print, ...] = ()
    texture: Grey | None = None
    """How it looked in grey, at the camera's own resolution, when the backs on it were read."""
    whereabouts: Whereabouts = field(default_factory=Whereabouts)
    looks: list[Look] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    frames: int = 0
    changed: Shown | None = None
    """Everything that looks different from when it was read, as of the last frame."""
    around: Shown | None = None
    """The same, with what lies beside the spot and is none of its cards."""
    wake: Shown | None = None
    """Where something moves, or has just left."""
    stale: Shown | None = None
    """What came to lie, or left, beside the spot and its cards since the glance saw it there."""
    settled: bool = False
    quiet: bool = False
    stirs: bool = False
    """Whether something moved there in the last frame, or had just left."""
    touched: bool = False
    """Whether something has moved there since what is doubted was read again."""
    covered: bool = False
    news: bool = False
    """Whether cards have come to rest while something else here has not."""
    held: bool = False
    """Whether what has not settled concerns a card that lies here."""
    bared: Bared | None = None
    """What was seen to be left there while something still moved."""
    trouble: tuple[str, ...] = ()
    lit: Frame | None = None
    """The whole shrunken picture in the light to which the remembered table is adapted."""

    def __post_init__(self) -> None:
        self.memory = Memory(self.mask > 0)

    @property
    def busy(self) -> bool:
        """Whether its cards may differ from those reported."""
        return not self.quiet and (self.held or not self.news)

    def forget(self) -> None:
        """Read all of it anew, while the cards that lie here are still reported."""
        self.memory = Memory(self.mask > 0)
        self.settled = self.quiet = False

    def rest(self) -> None:
        """Mark all of it as looking as it did when read."""
        self.looks.clear()
        self.pending.clear()
        self.quiet, self.covered, self.news, self.held = True, False, False, False
        self.bared = None

    def note_beside(self) -> None:
        """Note what has changed beside the spot, which the remembered look then takes in.

        The maps of the glance show it as it was: to their mind a card of the next spot, of which
        only an index is near enough to be read again, might lie on either side of that.
        """
        if self.around is not None:
            passing = self.watched if self.wake is None else either(self.watched, self.wake)
            beside = both(self.around, inverse(passing))
            self.stale = beside if self.stale is None else either(self.stale, beside)

    def stale_at(self, place: Shown) -> Shown | None:
        """The connected patches of what is stale that reach a `place`; None if there are none."""
        if self.stale is None or not cv2.countNonZero(both(self.stale, place)):
            return None
        _, labels = cv2.connectedComponents(self.stale, connectivity=8, ltype=cv2.CV_16U)
        here = np.unique(labels[(place > 0) & (self.stale > 0)])
        return np.isin(labels, here).astype(np.uint8) * np.uint8(255)

    def renewed_in(self, boxes: Sequence[Box], scale: float) -> None:
        """Note that the glance now shows these parts of the picture as they are."""
        if self.stale is None:
            return
        rows, columns = self.part
        for box in boxes:
            top, bottom = (
                max(0, round(at * scale) - rows.start) for at in (box.y, box.y + box.height)
            )
            left, right = (
                max(0, round(at * scale) - columns.start) for at in (box.x, box.x + box.width)
            )
            self.stale[top:bottom, left:right] = 0

    def relight(self, small: Frame) -> None:
        """Adapt the remembered table to the light on the whole picture, shrunken to `small`.

        A camera's exposure and white balance hunt when it is switched on: what was covered then
        looks different when it is uncovered. What little is bare of a full spot does not tell the
        light, as a sleeve may be over it.
        """
        gain = whole_gain(self.lit, small) if self.lit is not None else np.ones(3, np.float32)
        if self.lit is None or float(np.abs(gain - 1.0).max()) > RELIT:
            self.memory.relight(gain)
            self.lit = small

    def date(self, sites: Sequence[Site], time: float) -> None:
        """Determine since when each site has been unsettled."""
        kept = [one for one in self.pending if time - one.last <= LAPSE_S]
        self.pending = kept
        for site in sites:
            known = [one for one in kept if one.box.touches(site.box)]
            site.since = min((one.since for one in known), default=time)
            for one in known:
                one.box, one.last = site.box, time
            if not known:
                self.pending.append(Pending(site.box, time, time))

    def done(self, site: Site) -> None:
        """Mark the site as settled."""
        self.pending = [one for one in self.pending if not one.box.touches(site.box)]

    def reached_into(self, site: Site, now: Frame, size: tuple[int, ...]) -> bool:
        """Whether what lies at a site `now` goes on beyond the part of the picture that is read.

        The shrunken picture has this `size` (h, w); beyond its own border nobody can tell. Where
        the table shows, an arm that had rested when the spot was read has left: while it was taken
        for one that reaches in, a card was lifted and laid elsewhere between two of its pauses.
        """
        if self.around is None:
            return False
        other, table = self.around, self.memory.table_at(now, (slice(None), slice(None)))
        if table is not None:
            other = both(other, (~table).astype(np.uint8) * np.uint8(255))
        _, labels = cv2.connectedComponents(other, ltype=cv2.CV_16U)
        here = np.unique(labels[site.shown > 0])
        rows, columns = self.part
        inner = (
            (rows.start > 0, labels[0]),
            (rows.stop < size[0], labels[-1]),
            (columns.start > 0, labels[:, 0]),
            (columns.stop < size[1], labels[:, -1]),
        )
        return any(np.isin(here[here > 0], side).any() for inside, side in inner if inside)

    def waits(self, time: float) -> float:
        """How many seconds something here has been unsettled."""
        return max((time - one.since for one in self.pending), default=0.0)


def owner(card: Sighting, spots: Mapping[str, Polygon]) -> str:
    """The name of the spot that contains the card's centre; of several, the one it covers most."""
    holders = [
        (overlap(card.outline, polygon.points), name)
        for name, polygon in spots.items()
        if polygon.contains(card.centre)
    ]
    return max(holders)[1] if holders else ELSEWHERE


def mark(shown: Shown, areas: Areas, part: Part, scale: float, least: float = BARE) -> None:
    """Mark in `shown` where `areas` show a face or a back with more than this probability."""
    box = areas.box
    width, height = max(1, round(box.width * scale)), max(1, round(box.height * scale))
    likely = (cv2.max(areas.face, areas.back) > least).astype(np.uint8)
    cells = cv2.resize(likely * 255, (width, height), interpolation=cv2.INTER_LINEAR_EXACT) > 0
    top, left = round(box.y * scale) - part[0].start, round(box.x * scale) - part[1].start
    rows = slice(max(0, top), min(shown.shape[0], top + height))
    columns = slice(max(0, left), min(shown.shape[1], left + width))
    inner = cells[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    shown[rows, columns] |= inner.astype(np.uint8)
