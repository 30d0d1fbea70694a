"""Whether two sightings are of one card at rest: how far apart their outlines are.

A card looks the same from both ends, and the reader starts an outline at either of them. The
outline of a partly covered card is worked out from what peeps out.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist
from statistics import median

from rules.cards import Card
from vision.picture.geometry import Outline, Polygon, corners_apart
from vision.sightings import Lying

NUDGED = 0.02
"""Largest jump of a card's corners between two readings, in shorter sides, if nothing else has
changed. A choice; `python -m tests.soak` judges it.
"""
MEASURED = 0.006
"""The same for two cards whose places were compared picture by picture: 0.4 mm. In a webcam's
pictures, what is measured is wrong by at most 0.0033; of equal cards thrown onto a pile, one in 800
comes so near by chance, and half come within `BARED`. Measured by `python -m tests.whereabouts
--first 10 --tables 6`.
"""
BARED = 0.06
"""The same for a card that was covered in between, and is uncovered again: in eleven recorded hands
from a webcam's pictures mostly at most 0.04, once 0.055. A choice; `python -m tests.soak
--pictures` judges it.
"""
SQUARED = 0.04
"""The same for a pile that is squared up where its lowest card first was: in those hands 0.01,
0.02, 0.03 and 0.06; with more, an equal card would often have come there by chance. A choice;
`python -m tests.soak` judges it.
"""
CENTRED, TILTED = 0.02, 0.08
"""Largest distance of the centres of two cards squared up on each other, in shorter sides, and the
largest jump of their corners then: an outline's size is worked out from the card's own print. In
two recorded squarings the centres were 0.001 and 0.003 apart, the corners 0.041 and 0.066; an equal
card thrown there would be so near by chance once in fifty. A choice; `python -m tests.soak
--pictures` judges it.
"""
PEEPING = 0.16
"""The same for a card of which only a part is visible: in those hands at most 0.15. A choice;
`python -m tests.soak --pictures` judges it.
"""
GUESSED = 0.3
"""The same if a card that has just come alone explains what is visible: then the place of what
peeps out from under it is worked out from one index, and an equal card would have had to come at
the same time. In a hand from a webcam's pictures it was 0.18. A choice; `python -m tests.soak
--pictures` judges it.
"""
PUSHED = 0.5
"""Distance from where a card was, in shorter sides, within which an equal card is that card, pushed
or squared up: one laid next to the last is farther off, as its index is left visible. A choice;
`python -m tests.soak` judges it.
"""
HIDES = 0.24
"""Distance between two cards, in shorter sides, below which the upper one leaves no index of the
lower one visible. A choice: an index is at most 15 mm wide, of the 63 mm of a card.
"""

CORNER = tuple((u, v) for u in (0.0, 0.13, 0.26, 0.4) for v in (0.0, 0.12, 0.24, 0.36))
"""Sample points of a corner with its index, as shares of a card's sides: 25 mm by 32. A choice: an
index is at most 15 mm by 22, with its margin, and outlines are a few millimetres off."""
GRID = tuple((number + 0.5) / 12 for number in range(12))
"""Sample points along a card's sides, to see how much of it is hidden. A choice."""
JUMPS_MOST = 15
"""Number of recent jumps from which a camera's steadiness is judged. A choice: with this many, the
median does not follow a single card that was nudged.
"""
JUMPS_LEAST = 2
"""Fewest jumps needed before a camera counts as steady. A choice."""
SPREAD = 3.0
"""Largest ratio of a steady camera's widest jumps to the median. A choice: in recorded ones the
median was 0.02, and the widest of fully visible cards 0.05.
"""


@dataclass
class Jitter:
    """How far outlines of cards at rest jump between two readings: the camera's own noise.

    If the same cards lie differently after a hand was there, it moved them or laid equal ones.
    """

    _jumps: deque[float] = field(default_factory=lambda: deque(maxlen=JUMPS_MOST))
    """The latest jumps, in shorter sides."""
    _lying: dict[str, Sequence[Lying]] = field(default_factory=dict)
    _touched: set[str] = field(default_factory=set)
    """The spots at which there was a hand since they were read."""

    def see(self, spots: Mapping[str, Sequence[Lying]]) -> None:
        """Update from what is at the spots where nothing moves."""
        self._touched |= self._lying.keys() - spots.keys()
        for name, lying in spots.items():
            before = self._lying.get(name, ())
            if before is not lying:
                if name not in self._touched or cards_of(before) != cards_of(lying):
                    self._jumps.extend(_jumps(before, lying))
                self._lying[name] = lying
        self._touched -= spots.keys()

    def within(self, widest: float) -> float:
        """How far a card may be from where it was: `widest` if the readings are known to jump."""
        return widest if self._jumps and not self._small else NUDGED

    def squared(self, one: Lying, other: Lying) -> bool:
        """Whether one card may be squared up on the other."""
        aligned = outlined(one, other, self.perhaps_within(TILTED)) and near(one, other, CENTRED)
        return aligned or outlined(one, other, self.perhaps_within(SQUARED))

    def perhaps_within(self, widest: float) -> float:
        """How far it may be from there: less with a camera that is known to be steady."""
        return NUDGED if len(self._jumps) >= JUMPS_LEAST and self._small else widest

    @property
    def _small(self) -> bool:
        return bool(self._jumps) and SPREAD * median(self._jumps) < NUDGED


def cards_of(lying: Sequence[Lying]) -> Counter[Card]:
    """Which cards are there, wherever they are."""
    return Counter(one.card for one in lying)


def _jumps(before: Sequence[Lying], lying: Sequence[Lying]) -> Iterator[float]:
    """How far cards are from where they were before they were read again, in shorter sides."""
    for one in lying:
        # A card that counts as unchanged keeps its outline, and one that was measured by its
        # picture has no other: neither says anything about the readings.
        again = (
            old for old in before if old.outline is not one.outline and not _measured(old, one)
        )
        ways = [jump(one, old) for old in again if old.card == one.card]
        if len(ways) == 1 and ways[0] < PEEPING:
            yield ways[0]


def alike(one: Lying, other: Lying, within: float = NUDGED) -> bool:
    """Whether two sightings are of one card lying still."""
    return one is other or (one.card == other.card and outlined(one, other, within))


def among(one: Lying, lying: Sequence[Lying], within: float = NUDGED) -> bool:
    """Whether a sighting is of one of these cards, lying still."""
    return any(alike(one, other, within) for other in lying)


def all_among(some: Sequence[Lying], lying: Sequence[Lying], within: float = NUDGED) -> bool:
    """Whether each of some sightings is of one of these cards."""
    return all(among(one, lying, within) for one in some)


def outlined(one: Lying, other: Lying, within: float = NUDGED) -> bool:
    """Whether two cards have the same outline, whichever end it starts at.

    >>> from rules.cards import BACK
    >>> corners = (0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0)
    >>> card = Lying(BACK, 0.9, (), corners)
    >>> outlined(card, Lying(BACK, 0.9, (), (*corners[2:], *corners[:2])))
    True
    """
    return jump(one, other) <= (min(within, MEASURED) if _measured(one, other) else within)


def _measured(one: Lying, other: Lying) -> bool:
    """Whether their places were compared by their pictures, which only equal cards share."""
    return one.measured and other.measured and one.card == other.card


def jump(one: Lying, other: Lying) -> float:
    """Average distance between the corners of two outlines, in shorter sides."""
    return corners_apart(one.outline, other.outline)


def index_jump(old: Lying, seen: Lying) -> float:
    """Distance between a card's corner and that from whose index the card `seen` was worked out.

    In shorter sides. That corner is where its outline begins; the others are off by whatever the
    index was measured too large or too small, or askew.
    """
    ends = (old.outline[0], old.outline[2])
    return min(dist(end, seen.outline[0]) for end in ends) / max(_side(old), 1.0)


def pushed_from(one: Lying, other: Lying) -> bool:
    """Whether two sightings may be of one card that was pushed a little."""
    return one.card == other.card and near(one, other, PUSHED)


def near(one: Lying, other: Lying, sides: float) -> bool:
    """Whether two cards are within this many of their shorter sides of each other."""
    return dist(one.centre, other.centre) < sides * _side(one)


def _side(one: Lying) -> float:
    return min(dist(*one.outline[:2]), dist(*one.outline[1:3]))


def hidden_share(low: Lying, over: Sequence[Lying]) -> float:
    """How much (0..1) of a card is inside the outlines of others.

    >>> from rules.cards import BACK
    >>> corners = (0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0)
    >>> beside = tuple((x + 40.0, y) for x, y in corners)
    >>> round(hidden_share(Lying(BACK, 0.9, (), corners), [Lying(BACK, 0.9, (), beside)]), 2)
    0.33
    """
    outlines = [Polygon(one.outline) for one in over]
    points = [_between(low.outline, u, v) for u in GRID for v in GRID]
    return sum(any(one.contains(point) for one in outlines) for point in points) / len(points)


def shows_index(low: Lying, over: Sequence[Lying]) -> bool:
    """Whether one of a card's two indices is beside the outlines of all the others.

    >>> from rules.cards import BACK
    >>> corners = (0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0)
    >>> card = Lying(BACK, 0.9, (), corners)
    >>> def beside(x, y):
    ...     return Lying(BACK, 0.9, (), tuple((a + x, b + y) for a, b in corners))
    >>> shows_index(card, [beside(40, 20)]), shows_index(card, [beside(10, 20), beside(-10, -20)])
    (True, False)
    """
    outlines = [Polygon(one.outline) for one in over]
    ends = [CORNER, tuple((1 - u, 1 - v) for u, v in CORNER)]
    return any(
        not any(one.contains(_between(low.outline, u, v)) for one in outlines for u, v in end)
        for end in ends
    )


def _between(corners: Outline, u: float, v: float) -> tuple[float, float]:
    """The point of a card at shares `u` along its upper side and `v` down its left one."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    x = (ax * (1 - u) + bx * u) * (1 - v) + (dx * (1 - u) + cx * u) * v
    y = (ay * (1 - u) + by * u) * (1 - v) + (dy * (1 - u) + cy * u) * v
    return x, y
