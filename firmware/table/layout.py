"""Where spots are on the table: the rules' abstract spots laid out in millimetres.

The plane is the camera's view seen from above, as `firmware.table.place` describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import cos, radians, sin

from firmware.table.packing import DENSITIES, Packing, beside, owners_of
from firmware.table.place import VIEW_MM, Place, Point, overlap
from rules.chips import BettingPlace
from rules.phrases import Phrase
from rules.spots import Spot


@dataclass(frozen=True)
class Layout:
    """All places of a game on one table.

    `keyed` names the spots that found no room, each with the sentence to show: their cards have to
    be entered by hand. Spots held in a hand are in neither. `deck` and `gone` are the places of the
    dealer's deck and of the cards out of play, if there is room in the view.

    >>> layout = Layout.for_game([Spot("board", capacity=5), Spot("cards", 1, 2)], [1, 2])
    >>> layout.places["1"].angle, layout.places["board"].angle
    (90.0, 0.0)
    >>> [round(x) for x, _, _ in layout.places["board"].cells]
    [438, 518, 598, 678, 758]
    """

    size: tuple[float, float]
    seats: Mapping[int, Point]
    places: Mapping[str, Place]
    keyed: Mapping[str, Phrase]
    deck: Place | None = None
    gone: Place | None = None
    bets: Mapping[str, Place] = field(default_factory=dict)
    """The betting places; next to cards, their spot's place. Those without room are `keyed`."""

    @classmethod
    def for_game(
        cls,
        spots: Iterable[Spot],
        seats: Sequence[int],
        area: tuple[float, float] = VIEW_MM,
        *,
        around: int | None = None,
        dealer_at: int | None = None,
        moved: Mapping[str, Point] | None = None,
        bets: Sequence[BettingPlace] = (),
    ) -> Layout:
        """The roomiest layout in which all spots and `bets` fit.

        `around` is how many seats the table has, taken or not; `dealer_at` the seat that the dealer
        sits at, if it is one of them. `moved` says by how many millimetres to the right and down a
        person has moved spots; none leaves the view.
        """
        on_table = [spot for spot in spots if spot.in_sight]
        anchors = seat_points(max([*seats, around or 1]), area, dealer_at)
        owners = owners_of(tuple(anchors.items()), area)
        tries = (Packing(area, anchors, owners, density, beside(bets)) for density in DENSITIES)
        best = _best(tries, on_table, bets)
        deck, gone = best.dealers_piles()
        by, here = moved or {}, (0.0, 0.0)
        places = {name: one.shifted(by.get(name, here), area) for name, one in best.places.items()}
        laid = {name: one.shifted(by.get(name, here), area) for name, one in best.bets.items()}
        laid |= {one.name: places[one.beside] for one in bets if one.beside in places}
        own = {seat: anchors[seat] for seat in seats}
        return cls(area, own, places, best.keyed, deck, gone, laid)

    @property
    def overlaps(self) -> tuple[tuple[str, str], ...]:
        """The pairs of overlapping places, which occur only if a person moved them."""
        return tuple(
            (one.name, other.name)
            for one, other in combinations(self.places.values(), 2)
            if overlap(one.bounds, other.bounds)
        )


def _best(tries: Iterator[Packing], spots: Sequence[Spot], bets: Sequence[BettingPlace]) -> Packing:
    """The first attempt that leaves nothing to be keyed, or else the one that leaves least."""
    best = next(tries)
    best.fill(spots, bets)
    for packing in tries:
        if not best.keyed:
            break
        packing.fill(spots, bets, fewest=len(best.keyed))
        best = min(best, packing, key=lambda one: len(one.keyed))
    return best


def seat_points(
    count: int, area: tuple[float, float] = VIEW_MM, dealer_at: int | None = None
) -> dict[int, Point]:
    """Where on the rim of the view each seat is: evenly spaced, clockwise from the dealer.

    Without a seat of their own, the dealer takes up one more place at the lower edge.

    >>> [tuple(map(round, point)) for point in seat_points(3, (1200, 600)).values()]
    [(0, 300), (600, 0), (1200, 300)]
    """
    places = count if dealer_at else count + 1
    first = -dealer_at if dealer_at else 0
    return {
        seat: _rim_point((first + seat) % places / places, area) for seat in range(1, count + 1)
    }


def _rim_point(part: float, area: tuple[float, float]) -> Point:
    """The point at that fraction of the way round, clockwise from the middle of the lower edge."""
    width, height = area
    angle = radians(360 * part)
    across, down = -sin(angle), cos(angle)
    reach = max(abs(across), abs(down))
    return width / 2 * (1 + across / reach), height / 2 * (1 + down / reach)
