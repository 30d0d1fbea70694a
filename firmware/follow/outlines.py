"""Whether two sightings are of one card at rest: how far their outlines lie from each other.

A card looks the same from both ends, and the reader begins an outline now at one of them, now at
the other. Of a card that others cover in part, the outline is worked out from what peeps out.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist
from statistics import median

from rules.cards import Card
from vision.picture.geometry import Outline, Polygon
from vision.sightings import Lying

NUDGED = 0.02
"""How far, in shorter sides, the corners of a card jump between two readings of it at most, where
nothing else has changed. A choice; `python -m tests.soak` judges it."""
BARED = 0.06
"""The same of a card that was covered in between, and lies bare again: in eleven recorded hands
from a webcam's pictures mostly at most 0.04, once 0.055. A choice; `python -m tests.soak
--pictures` judges it."""
SQUARED = 0.04
"""The same of a pile that is squared up where its lowest card lay first: in those hands 0.01, 0.02,
0.03 and 0.06; at more its like would often have come so by chance. A choice; `python -m tests.soak`
judges it."""
PEEPING = 0.16
"""The same of a card of which only a part is in sight: in those hands at most 0.15. A choice;
`python -m tests.soak --pictures` judges it."""
PUSHED = 0.5
"""Within this many short sides of where a card lay, its like is that card, pushed or squared
up: one laid beside the last lies farther off, as its index is left in sight. A choice;
`python -m tests.soak` judges it."""
HIDES = 0.24
"""A card laid nearer than this to another one, in shorter sides, leaves no index of it in sight. A
choice: an index is at most 15 mm wide, of the 63 mm of a card."""

GRID = tuple((number + 0.5) / 12 for number in range(12))
"""Where points of a card are taken along its sides, to see how much of it is hidden. A choice."""
JUMPS_MOST = 15
"""How many of the last jumps tell how steady a camera reads. A choice: of so many the middle one
does not follow a single card that was nudged."""
JUMPS_LEAST = 2
"""How many of them are wanted before a camera counts as steady. A choice."""
SPREAD = 3.0
"""How many times the middle jump of a steady camera the widest ones are at most. A choice: of
recorded ones the middle was 0.02, and the widest of cards in full sight 0.05."""


@dataclass
class Jitter:
    """How far outlines of cards at rest jump between two readings: the camera's own noise.

    Where the same cards lie otherwise after a hand was there, it moved them or laid their like.
    """

    _jumps: deque[float] = field(default_factory=lambda: deque(maxlen=JUMPS_MOST))
    """The last of them, in shorter sides."""
    _lying: dict[str, Sequence[Lying]] = field(default_factory=dict)
    _touched: set[str] = field(default_factory=set)
    """The spots at which a hand was since they were read."""

    def see(self, spots: Mapping[str, Sequence[Lying]]) -> None:
        """Take in what lies at the spots where nothing moves."""
        self._touched |= self._lying.keys() - spots.keys()
        for name, lying in spots.items():
            before = self._lying.get(name, ())
            if before is not lying:
                if name not in self._touched or cards_of(before) != cards_of(lying):
                    self._jumps.extend(_jumps(before, lying))
                self._lying[name] = lying
        self._touched -= spots.keys()

    def within(self, widest: float) -> float:
        """How far a card lies from where it lay at most: `widest` once a camera's readings jump."""
        return widest if self._jumps and not self._small else NUDGED

    def perhaps_within(self, widest: float) -> float:
        """How far it may lie from there: no farther by a camera that is known to be steady."""
        return NUDGED if len(self._jumps) >= JUMPS_LEAST and self._small else widest

    @property
    def _small(self) -> bool:
        return bool(self._jumps) and SPREAD * median(self._jumps) < NUDGED


def cards_of(lying: Sequence[Lying]) -> Counter[Card]:
    """Which cards lie there, wherever they lie."""
    return Counter(one.card for one in lying)


def _jumps(before: Sequence[Lying], lying: Sequence[Lying]) -> Iterator[float]:
    for one in lying:
        ways = [jump(one, old) for old in before if old.card == one.card and old is not one]
        if len(ways) == 1 and ways[0] < PEEPING:
            yield ways[0]


def alike(one: Lying, other: Lying, within: float = NUDGED) -> bool:
    """Whether two sightings are of one card lying still."""
    return one is other or (one.card == other.card and outlined(one, other, within))


def among(one: Lying, lying: Sequence[Lying], within: float = NUDGED) -> bool:
    """Whether a sighting is of one of these cards, lying still."""
    return any(alike(one, other, within) for other in lying)


def all_among(some: Sequence[Lying], lying: Sequence[Lying], within: float = NUDGED) -> bool:
    """Whether all of some sightings are."""
    return all(among(one, lying, within) for one in some)


def outlined(one: Lying, other: Lying, within: float = NUDGED) -> bool:
    """Whether two cards lie just alike, whichever end their outlines begin at.

    >>> from rules.cards import BACK
    >>> corners = (0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0)
    >>> card = Lying(BACK, 0.9, (), corners)
    >>> outlined(card, Lying(BACK, 0.9, (), (*corners[2:], *corners[:2])))
    True
    """
    return jump(one, other) <= within


def jump(one: Lying, other: Lying) -> float:
    """How far the corners of two outlines are from each other on average, in shorter sides."""
    there, turned = other.outline, (*other.outline[2:], *other.outline[:2])
    return min(_apart(one.outline, there), _apart(one.outline, turned)) / _side(one)


def pushed_from(one: Lying, other: Lying) -> bool:
    """Whether two sightings may be of one card that was pushed a little."""
    return one.card == other.card and near(one, other, PUSHED)


def near(one: Lying, other: Lying, sides: float) -> bool:
    """Whether two cards lie within this many of their shorter sides of each other."""
    return dist(one.centre, other.centre) < sides * _side(one)


def _apart(one: Outline, other: Outline) -> float:
    ways = [dist(a, b) for a, b in zip(one, other, strict=True)]
    return sum(ways) / len(ways)


def _side(one: Lying) -> float:
    return min(dist(*one.outline[:2]), dist(*one.outline[1:3]))


def hidden_share(low: Lying, over: Sequence[Lying]) -> float:
    """How much (0..1) of a card lies within the outlines of others.

    >>> from rules.cards import BACK
    >>> corners = (0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0)
    >>> beside = tuple((x + 40.0, y) for x, y in corners)
    >>> round(hidden_share(Lying(BACK, 0.9, (), corners), [Lying(BACK, 0.9, (), beside)]), 2)
    0.33
    """
    outlines = [Polygon(one.outline) for one in over]
    points = [_between(low.outline, u, v) for u in GRID for v in GRID]
    return sum(any(one.contains(point) for one in outlines) for point in points) / len(points)


def _between(corners: Outline, u: float, v: float) -> tuple[float, float]:
    """The point of a card so far along its upper side and down its left one."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    x = (ax * (1 - u) + bx * u) * (1 - v) + (dx * (1 - u) + cx * u) * v
    y = (ay * (1 - u) + by * u) * (1 - v) + (dy * (1 - u) + cy * u) * v
    return x, y
