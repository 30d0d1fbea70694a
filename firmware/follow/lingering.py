"""Hidden cards that were taken, although they still seem to lie where they lay.

Of plain backs that overlap, one may be drawn from between the others without a trace but for its
border. The tracker keeps it, and says that its readings miss it; that it was taken shows when a
card comes to a place to which one of the hidden cards there may go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from firmware.follow.ambiguity import agreed
from firmware.follow.findings import Explanation
from firmware.follow.latest import Latest
from firmware.follow.meanings import Meanings
from firmware.follow.puzzle import key_of
from firmware.follow.verdicts import Table
from rules.cards import BACK
from rules.state import State
from vision.picture.geometry import Point
from vision.sightings import Lying, Seen


@dataclass(frozen=True)
class Taken:
    """What happened if a hidden card is no longer at a spot: the way to the table without it."""

    spot: str
    place: Point
    table: Table
    way: Explanation


class Lingering:
    """Which of the hidden cards that are reported are no longer there, each by spot and place."""

    def __init__(self, means: Meanings) -> None:
        self._means = means
        self._found = Latest[Taken | None]()
        self._taken: list[tuple[str, Point]] = []

    def without(self, seen: Seen) -> Seen:
        """`seen` without the cards that were taken, for as long as the readings miss them."""
        self._taken = [
            (spot, place)
            for spot, place in self._taken
            if spot in seen.busy or _missed_at(seen, spot, place) is not None
        ]
        spots = dict(seen.spots)
        for spot, place in self._taken:
            gone = _missed_at(seen, spot, place)
            spots[spot] = tuple(one for one in spots.get(spot, ()) if one is not gone)
        return replace(seen, spots=spots) if self._taken else seen

    def way(self, state: State, seen: Seen, cards: Table) -> Taken | None:
        """The lawful way to a table that nothing else explains, if one of the cards that are missed
        was taken, and no hand hides the others there."""
        perhaps = list(_perhaps(state, seen, cards))
        if not perhaps:
            return None
        missed = tuple((spot, one.centre) for spot, one, _ in perhaps)
        key = (state, key_of(cards), missed)
        return self._found.of(key, lambda: self._way(state, perhaps))

    def _way(self, state: State, perhaps: Sequence[tuple[str, Lying, Table]]) -> Taken | None:
        found = []
        for spot, one, table in perhaps:
            ways = self._means.explained(table, frozenset(table)).explanations
            way = agreed(state, ways, 1)
            if way is not None:
                found.append(Taken(spot, one.centre, table, way))
        return found[0] if len(found) == 1 else None

    def take(self, found: Taken) -> None:
        """Note that this card was taken."""
        self._taken.append((found.spot, found.place))


def _perhaps(state: State, seen: Seen, cards: Table) -> Iterator[tuple[str, Lying, Table]]:
    """Each missed card that may have been taken: its spot, and how the table reads without it.

    One of several at a spot stands for all.
    """
    for spot in sorted(cards.keys() - seen.busy):
        missed = next((one for one in seen.spots[spot] if one.missed), None)
        there, held = list(cards[spot]), state.table.view(spot)
        if missed is not None and 0 < there.count(BACK) == held.count(BACK):
            there.remove(BACK)
            yield spot, missed, {**cards, spot: tuple(there)}


def _missed_at(seen: Seen, spot: str, place: Point) -> Lying | None:
    """The card that was taken from this place, if it is still reported there and missed."""
    lying = seen.spots.get(spot, ())
    return next((one for one in lying if one.missed and one.centre == place), None)
