"""Chips at rest: what several pictures agree on at each betting place.

A hand that lays down, sorts or counts chips appears in several pictures, each of which shows
something else. The chips at a place are reported once they have lain there unchanged for a moment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist

from vision.chips.seen import UNKNOWN, SeenChips
from vision.picture.geometry import Polygon
from vision.sightings import LyingChips

REST_S = 0.6
"""Time in seconds that chips must have lain unchanged: a hand laying several releases one every
quarter of a second. A choice; `python -m tests.chip_tables` judges it."""
SAME_PLACE = 0.5
"""Largest distance, as a share of its width, from where a chip lay at which it has not been moved.
A choice: less than from one chip to the next."""
Chips = tuple[SeenChips, ...]


@dataclass
class _Place:
    """What was last seen at a place, for how many seconds, and what was last reported."""

    now: Chips = ()
    last: Chips = ()
    """What the last picture in which nothing covered the place showed."""
    rested: float = REST_S
    told: Chips = ()
    covered: bool = False


class ChipTracker:
    """Settles what pictures show at betting `places`.

    >>> tracker = ChipTracker({})
    >>> tracker.update((), 0.0).places
    {}
    """

    def __init__(self, places: Mapping[str, Polygon]) -> None:
        self._polygons = dict(places)
        self._places = {name: _Place() for name in places}
        self._time = 0.0

    def watch(self, places: Mapping[str, Polygon]) -> None:
        """Look at other places; places that stay remember what they held."""
        self._polygons = dict(places)
        self._places = {name: self._places.get(name, _Place()) for name in places}

    def update(
        self,
        chips: Iterable[SeenChips],
        time: float,
        covered: Collection[str] = (),
        reading: Collection[str] = (),
    ) -> LyingChips:
        """Add the chips of a picture taken at `time` (seconds), except at `covered` places.

        Those that are still `reading` will be looked at again, and are busy until then.
        """
        there, passed = self._sorted(chips), time - self._time
        self._time = time
        for name, place in self._places.items():
            bared, place.covered = place.covered, name in covered
            if not place.covered:
                self._look(place, there[name], passed, bared=bared)
        busy = (
            name
            for name, one in self._places.items()
            if one.covered or one.rested < REST_S or name in reading
        )
        under = (name for name, one in self._places.items() if one.covered)
        told = {name: one.told for name, one in self._places.items()}
        return LyingChips(told, frozenset(busy), frozenset(under))

    def _look(self, place: _Place, there: Chips, passed: float, *, bared: bool) -> None:
        """Compare a place with what it was; a hand that only passed over it changes nothing.

        While covered, a count may have changed within the range that was possible before; if so,
        the waiting starts over.
        """
        changed = bared and not _alike(place.last, there)
        agreed = None if changed else agreeing(place.now, there)
        place.last = there
        place.rested = place.rested + passed if agreed is not None else 0.0
        place.now = agreed if agreed is not None else there
        if place.rested >= REST_S:
            place.told = place.now

    def _sorted(self, chips: Iterable[SeenChips]) -> dict[str, Chips]:
        """The chips at each place, in reading order."""
        found: dict[str, list[SeenChips]] = {name: [] for name in self._polygons}
        for one in chips:
            centre = one.centre
            for name, polygon in self._polygons.items():
                if polygon.contains(centre):
                    found[name].append(one)
                    break
        return {name: tuple(sorted(some, key=_reading)) for name, some in found.items()}


def agreeing(before: Sequence[SeenChips], now: Sequence[SeenChips]) -> Chips | None:
    """What two pictures together say about the same chips; None if some moved or changed."""
    if len(before) == len(now) and all(one is same for one, same in zip(before, now, strict=True)):
        return tuple(now)
    left, merged = list(before), []
    for one in now:
        same = next((other for other in left if _same(one, other)), None)
        if same is None:
            return None
        left.remove(same)
        merged.append(_merged(same, one))
    return None if left else tuple(merged)


def _same(one: SeenChips, other: SeenChips) -> bool:
    values = one.value == other.value or UNKNOWN in (one.value, other.value)
    counts = one.least <= other.most and other.least <= one.most
    return values and counts and dist(one.centre, other.centre) < SAME_PLACE * width(one)


def _alike(before: Chips, now: Chips) -> bool:
    """Whether two pictures say the same, count by count."""
    said = [sorted((o.value, o.count, o.least, o.most) for o in some) for some in (before, now)]
    return said[0] == said[1] and agreeing(before, now) is not None


def _merged(before: SeenChips, now: SeenChips) -> SeenChips:
    """The counts that both pictures allow; one may have read what the other did not."""
    least, most = max(before.least, now.least), min(before.most, now.most)
    surer = max(before, now, key=lambda one: (one.value != UNKNOWN, one.confidence))
    return replace(surer, least=least, most=most, count=min(max(surer.count, least), most))


def width(chips: SeenChips) -> float:
    """The width of a chip in the picture, in pixels."""
    return float((chips.outline.max(axis=0) - chips.outline.min(axis=0)).max())


def _reading(chips: SeenChips) -> tuple[float, float]:
    x, y = chips.centre
    return y, x
