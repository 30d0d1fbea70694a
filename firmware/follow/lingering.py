"""Hidden cards that were taken, although they still seem to lie where they lay.

Of plain backs that overlap, one may be drawn from between the others without a trace but for its
border, and so may several. The tracker keeps them, and says that its readings miss them; that they
were taken shows when as many cards come to a place to which the hidden cards there may go.
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
    """What happened if hidden cards are no longer at a spot: the way to the table without them."""

    spot: str
    places: tuple[Point, ...]
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
        """The lawful way to a table that nothing else explains, if some of the cards at a spot that
        are missed were taken, and no hand hides the others there."""
        perhaps = list(_perhaps(state, seen, cards))
        if not perhaps:
            return None
        missed = tuple((spot, places) for spot, places, _ in perhaps)
        key = (state, key_of(cards), missed)
        return self._found.of(key, lambda: self._way(state, perhaps))

    def _way(self, state: State, perhaps: Sequence[Perhaps]) -> Taken | None:
        found = []
        for spot, places, table in perhaps:
            ways = self._means.explained(table, frozenset(table)).explanations
            way = agreed(state, ways, 1)
            if way is not None:
                found.append(Taken(spot, places, table, way))
        return found[0] if len(found) == 1 else None

    def take(self, found: Taken) -> None:
        """Note that these cards were taken."""
        self._taken += ((found.spot, place) for place in found.places)


Perhaps = tuple[str, tuple[Point, ...], Table]
"""A spot, the places of cards there, and how the table reads without them."""


def _perhaps(state: State, seen: Seen, cards: Table) -> Iterator[Perhaps]:
    """The missed cards that may have been taken: at each spot one of them, two and so on.

    The first of several at a spot stand for all, as they are alike.
    """
    for spot in sorted(cards.keys() - seen.busy):
        lying = [one for one in seen.spots[spot] if one.card == BACK]
        missed = [one.centre for one in lying if one.missed]
        there, held = list(cards[spot]), state.table.view(spot)
        if there.count(BACK) > held.count(BACK):
            continue
        # Where fewer are seen, the others may be hidden; here they were taken, too.
        for _ in range(there.count(BACK) - len(lying)):
            there.remove(BACK)
        for number in range(1, min(len(missed), there.count(BACK)) + 1):
            there.remove(BACK)
            yield spot, tuple(missed[:number]), {**cards, spot: tuple(there)}


def _missed_at(seen: Seen, spot: str, place: Point) -> Lying | None:
    """The card that was taken from this place, if it is still reported there and missed."""
    lying = seen.spots.get(spot, ())
    return next((one for one in lying if one.missed and one.centre == place), None)
