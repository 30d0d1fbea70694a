"""What the chips at the betting places amount to: whose they are, on which card, and how much.

A number that the camera cannot determine stays a range: it gives likely amounts to choose from,
never an amount.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import atan2, degrees, dist, prod
from operator import mul
from typing import TypeAlias

from rules.state import State
from vision.chips.seen import UNKNOWN, Lot, SeenChips
from vision.picture.geometry import Point
from vision.sightings import Lying, Seen
from vision.track.chips import SAME_PLACE, width

REACH = 1.1
"""Maximum distance of a card's chips from its middle, in card heights: one and a half chips beyond
its longer end. A choice; `python -m tests.chip_tables` judges it."""
TOGETHER = 1.35
"""Maximum distance between chips of one bet, in chip diameters. A choice: they touch, or nearly."""
ATOP = 0.3
"""Maximum difference in distance at which two cards count as equally near, in card heights, so that
the one still there carries the chips. A choice."""
APART_DEG = 14.0
"""Minimum lead of the owner's seat over any other, as the difference in direction seen from the
card. A choice: seats of a full table are 45 degrees apart."""
OFFERED_MOST = 8
"""Maximum number of likely amounts offered: those of two stacks, each one chip more or less. A
choice: with the buttons, each costs a press."""
SPREADS_MOST = 4000
"""Maximum number of combinations of counts tried; with more, nobody could read the bet from above.
A choice."""


Key = tuple[int | None, str]
"""The owner of chips and the card they are on; the pot has neither."""
POT: Key = (None, "")
"""The key of the pot."""
OWN = "@"
"""Separates a value from the seat in the names of a taught set with a player's own chips: ``5@2``
is worth five and belongs to seat 2, as at roulette.
"""


Ways: TypeAlias = Callable[[Point], list[tuple[float, int]]]
"""How far a point is from the direction of each seat, in degrees, with the seat; nearest first."""


@dataclass(frozen=True)
class Heap:
    """The chips of one bet, or of the pot.

    `seats` are their possible owners, and `cards` the cards that they may be on, likeliest first;
    both are empty for the pot.
    """

    place: str
    chips: tuple[SeenChips, ...]
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()

    @property
    def seat(self) -> int | None:
        """Their owner, or the likeliest one; None for the pot."""
        return self.seats[0] if self.seats else None

    @property
    def on(self) -> str:
        """The card they are on, or the likeliest one; "" for the pot and bets on no card."""
        return self.cards[0] if self.cards else ""

    @property
    def plain(self) -> bool:
        """Whether it is known whose they are and what they are on."""
        return len(self.seats) < 2 and len(self.cards) < 2

    @property
    def lots(self) -> tuple[Lot, ...]:
        """The chips, stack by stack."""
        return tuple(one.lot for one in self.chips)

    @property
    def least(self) -> int:
        """Their smallest possible value."""
        return sum((worth(one) or 0) * one.least for one in self.chips)

    @property
    def likely(self) -> int:
        """Their likeliest value."""
        return sum((worth(one) or 0) * one.count for one in self.chips)

    @property
    def most(self) -> int | None:
        """Their largest possible value; None if it cannot be known."""
        if any(worth(one) is None for one in self.chips):
            return None
        return sum((worth(one) or 0) * one.most for one in self.chips)

    @property
    def exact(self) -> bool:
        """Whether amount, owner and card are known."""
        return self.plain and not any(one.doubtful for one in self.chips)

    @property
    def settles(self) -> int:
        """How many uncertain stacks an answer about these would make certain."""
        return max((one.settles for one in self.chips), default=0)

    def may_be(self, amount: int) -> bool:
        """Whether they may have that value."""
        return self.least <= amount and (self.most is None or amount <= self.most)

    def counts(self, amount: int) -> tuple[int, ...] | None:
        """How many chips are in each stack if they have that value; None if that leaves it open."""
        if self.most is None or prod(one.most - one.least + 1 for one in self.chips) > SPREADS_MOST:
            return None
        ranges = (range(one.least, one.most + 1) for one in self.chips)
        values = [worth(one) or 0 for one in self.chips]
        fit = [each for each in product(*ranges) if sum(map(mul, values, each)) == amount]
        return fit[0] if len(fit) == 1 else None

    @property
    def amounts(self) -> tuple[int, ...]:
        """Their possible values, likeliest first; empty if a chip's value is unknown."""
        if self.most is None or prod(one.most - one.least + 1 for one in self.chips) > SPREADS_MOST:
            return ()
        found: dict[int, int] = {}
        for counts in product(*(range(one.least, one.most + 1) for one in self.chips)):
            each = list(zip(self.chips, counts, strict=True))
            amount = sum((worth(one) or 0) * n for one, n in each)
            off = sum(abs(n - one.count) for one, n in each)
            found[amount] = min(off, found.get(amount, off))
        found.pop(0, None)
        near = sorted(found, key=lambda one: (found[one], abs(one - self.likely), one))
        return tuple(near[:OFFERED_MOST])


def worth(chips: SeenChips) -> int | None:
    """The value of one of these chips: its number, or one unit if the set has no numbers.

    None if it is not known which chip it is.
    """
    return None if chips.value == UNKNOWN else worth_of(chips.value)


def worth_of(value: str) -> int:
    """The same for a chip whose name is known.

    >>> worth_of("5@2"), worth_of("red")
    (5, 1)
    """
    number = value.partition(OWN)[0]
    return int(number) if number.isdecimal() else 1


def owner(chips: SeenChips) -> int | None:
    """The owner of these chips by their colour; None if all players have the same chips.

    >>> import numpy as np
    >>> ring = np.zeros((8, 2), np.float32)
    >>> own = SeenChips("5@3", 2, 2, 2, 1.0, ring)
    >>> owner(own), worth(own), owner(SeenChips("5", 2, 2, 2, 1.0, ring))
    (3, 5, None)
    """
    seat = chips.value.partition(OWN)[2]
    return int(seat) if seat.isdecimal() else None


@dataclass
class Ground:
    """Where the cards of a hand that carry bets were seen, including those that have left."""

    hand: int = 0
    cards: dict[str, tuple[Point, float]] = field(default_factory=dict)
    """By card, its middle and its height, in pixels."""
    owned: list[tuple[Point, int]] = field(default_factory=list)
    """Positions of chips whose owner is known."""
    laid: list[tuple[Point, str]] = field(default_factory=list)
    """Positions of chips whose card is known."""

    def see(self, state: State, beside: str, seen: Seen) -> None:
        """Note where the cards are; a recorded card that is read in part is still that card."""
        if self.hand != state.start.hand:
            self.hand, self.cards = state.start.hand, {}
            self.owned, self.laid = [], []
        known = state.table.cards(beside)
        for lying in seen.spots.get(beside, ()):
            card = next((one for one in known if one.covers(lying.card)), None)
            if card is not None:
                self.cards[str(card)] = (lying.centre, _height(lying))

    def owner(self, one: SeenChips) -> int | None:
        """The owner of these chips: known since they were laid, or from their colour."""
        for place, seat in reversed(self.owned):
            if _lies_at(one, place):
                return seat
        return owner(one)

    def belong(self, chips: Sequence[SeenChips], seat: int) -> None:
        """Remember the owner of these chips."""
        self.owned += [(one.centre, seat) for one in chips if self.owner(one) != seat]

    def under(self, state: State, beside: str, chips: Sequence[SeenChips]) -> tuple[str, ...]:
        """The cards that chips may be next to, likeliest first; none if none is near enough.

        Chips that have not been moved are on the same card as before, even if another card has come
        or theirs has left.
        """
        place = _middle(chips)
        ways = sorted(
            (dist(place, at) / high, name)
            for name, (at, high) in self.cards.items()
            # Three stacks in a row reach so far out that their middle is beside no card any more.
            if min(dist(one.centre, at) for one in chips) <= REACH * high
        )
        if not ways:
            return ()
        near = [name for way, name in ways if way <= ways[0][0] + ATOP]
        within = [name for _, name in ways]
        known = next((on for on in self._lay_on(chips) if on in within), None)
        if known is not None:
            return (known,)
        there = set(map(str, state.table.cards(beside)))
        return tuple(name for name in near if name in there) or (near[0],)

    def lie_on(self, chips: Sequence[SeenChips], card: str) -> None:
        """Remember that these chips are on a card."""
        for one in chips:
            if card not in self._lay_on((one,)):
                self.laid.append((one.centre, card))

    def _lay_on(self, chips: Sequence[SeenChips]) -> Iterator[str]:
        for one in chips:
            for place, card in reversed(self.laid):
                if _lies_at(one, place):
                    yield card

    def keep(self, chips: Sequence[SeenChips]) -> None:
        """Forget the chips that are not among these."""
        self.laid = [one for one in self.laid if any(_lies_at(chip, one[0]) for chip in chips)]
        self.owned = [one for one in self.owned if any(_lies_at(chip, one[0]) for chip in chips)]


def heaps(state: State, seen: Seen, seats: Mapping[int, Point], ground: Ground) -> dict[Key, Heap]:
    """The chips at rest by owner and card; `seats` are in pixels."""
    found: dict[Key, Heap] = {}
    for heap in _heaps(state, seen, seats, ground):
        key = heap.seat, heap.on
        other = found.get(key)
        if other is not None:
            seats_ = max(heap.seats, other.seats, key=len)
            cards = max(heap.cards, other.cards, key=len)
            heap = Heap(heap.place, (*other.chips, *heap.chips), seats_, cards)  # noqa: PLW2901
        found[key] = heap
    return found


def _heaps(state: State, seen: Seen, seats: Mapping[int, Point], ground: Ground) -> Iterator[Heap]:
    lying = seen.chips.places if seen.chips is not None else {}
    for place in state.game.betting_places(state.start):
        chips = lying.get(place.name, ())
        if place.beside:
            ground.see(state, place.beside, seen)
            ground.keep(chips)
            for some in _clusters(chips):
                cards = ground.under(state, place.beside, some)
                if cards:
                    ways = partial(_ways, state, seats, ground.cards[cards[0]][0])
                    if len(cards) == 1:
                        ground.lie_on(some, cards[0])
                    for part, owners in tuple(_parts(ground, some, ways)):
                        if len(owners) == 1:
                            ground.belong(part, owners[0])
                        yield Heap(place.name, part, owners, cards)
        elif chips:
            yield Heap(place.name, chips, (place.owner,) if place.owner else ())


def _parts(
    ground: Ground, chips: Sequence[SeenChips], ways: Ways
) -> Iterator[tuple[tuple[SeenChips, ...], tuple[int, ...]]]:
    """Split touching chips by owner: each part with the seats it may belong to.

    Chips that were already there keep their owner; the possible owners of new ones follow from the
    middle of the group.
    """
    known: dict[int, list[SeenChips]] = {}
    fresh = []
    for one in chips:
        seat = ground.owner(one)
        if seat is None:
            fresh.append(one)
        else:
            known.setdefault(seat, []).append(one)
    for some, seat in tuple(_lengthened(known, tuple(_clusters(fresh)), ways)):
        yield some, (seat,)
        fresh = [one for one in fresh if one not in some]
    for some in _clusters(fresh):
        beside = [seat for seat, own in known.items() if _together(own, some)]
        seats = _owners(ways(_middle(some)))
        # Players who add to their chips keep all of them in front of their own seat.
        added = [one for one in beside if _owners(ways(_middle((*known[one], *some)))) == (one,)]
        if len(added) == 1 and added[0] in seats:
            seats = (added[0],)
        elif len(seats) > 1:
            seats = tuple(sorted(seats, key=lambda one: one in known))
        yield some, seats
    yield from ((tuple(own), (seat,)) for seat, own in known.items())


def _lengthened(
    known: Mapping[int, Sequence[SeenChips]],
    fresh: Sequence[tuple[SeenChips, ...]],
    ways: Ways,
) -> Iterator[tuple[tuple[SeenChips, ...], int]]:
    """The groups of `fresh` chips that make the row of a seat's `known` ones longer, and the seat.

    A row is laid anew in front of its seat when another kind of chip is added, so that its ends may
    lie in the direction of other seats, while its middle is in that of its own; what another player
    lays beside it is in front of that player.
    """
    rows = []
    for seat, own in known.items():
        beside = [some for some in fresh if _together(own, some)]
        row = ways(_middle([*own, *(one for some in beside for one in some)]))
        apart = max((ways(_middle(some))[0][0] for some in beside), default=0.0)
        if row and _owners(row) == (seat,) and row[0][0] < apart:
            rows.append((row[0][0], seat, beside))
    if rows:
        _, seat, beside = min(rows, key=lambda one: one[:2])
        yield from ((some, seat) for some in beside)


def _together(some: Sequence[SeenChips], others: Sequence[SeenChips]) -> bool:
    return any(_touch(one, other) for one in some for other in others)


def _clusters(chips: Sequence[SeenChips]) -> Iterator[tuple[SeenChips, ...]]:
    """Groups of chips that belong together."""
    left = list(chips)
    while left:
        some, edge = [], [left.pop(0)]
        while edge:
            one = edge.pop()
            some.append(one)
            near = [o for o in left if owner(o) == owner(one) and _touch(o, one)]
            edge += near
            left = [o for o in left if o not in near]
        yield tuple(sorted(some, key=lambda one: one.centre))


def _touch(one: SeenChips, other: SeenChips) -> bool:
    return dist(one.centre, other.centre) < TOGETHER * width(one)


def _lies_at(chips: SeenChips, place: Point) -> bool:
    """Whether these are the chips that were at a place, and have not been moved."""
    return dist(chips.centre, place) < SAME_PLACE * width(chips)


def _middle(chips: Sequence[SeenChips]) -> Point:
    xs, ys = zip(*(one.centre for one in chips), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _ways(
    state: State, seats: Mapping[int, Point], card: Point, chips: Point
) -> list[tuple[float, int]]:
    """How far chips are from the direction of each player's seat, in degrees as seen from the card,
    the nearest first."""
    players = [seat for seat in state.start.seats if seat != state.start.banker]
    return sorted((_turn(card, chips, seats[s]) if s in seats else 180.0, s) for s in players)


def _owners(ways: Sequence[tuple[float, int]]) -> tuple[int, ...]:
    """The seats that the chips may have come from: players bet on their own side of a card."""
    return tuple(seat for way, seat in ways if way <= ways[0][0] + APART_DEG)


def _turn(card: Point, one: Point, other: Point) -> float:
    """The angle between two directions from a card, in degrees."""
    angles = [atan2(y - card[1], x - card[0]) for x, y in (one, other)]
    return abs((degrees(angles[0] - angles[1]) + 180) % 360 - 180)


def _height(lying: Lying) -> float:
    """The longer side of a card, in pixels."""
    corners = lying.outline
    return max(dist(corners[0], corners[1]), dist(corners[1], corners[2]))
