"""Chips at a simulated table: what is where, and the hands that lay, sort, pay and collect them.

Chips are physical: a `Pile` is a stack of one value at a place in millimetres. A hand that lays or
takes chips reaches over the table like one that moves cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, cos, degrees, dist, hypot, pi, sin
from typing import TypeAlias

import numpy as np

from firmware.rehearsal.chip_set import STYLES, Styles
from firmware.rehearsal.clutter import CHIPS
from firmware.rehearsal.gestures import Point
from firmware.rehearsal.setting import AREA
from firmware.rehearsal.tabletop import Tabletop
from firmware.rehearsal.world import World
from firmware.table.place import CARD_MM
from rules.acts import Act, Verb
from rules.chips import POT_PLACE, Stake
from rules.state import State
from vision.scene.chips import stack
from vision.scene.items import Sprite, chip_item

VALUES = (1, 5, 25)
"""The values in play; most homes have three or four kinds."""
CHIP_MM = 39.0
"""Diameter of a chip."""
HOLD_S = 0.5
"""How long a hand stays over the chips that it lays or takes."""
GAP_MM = 3.0
"""Gap between a card and the chips laid next to it."""
ASIDE = tuple(
    (float(along), float(away)) for along in range(-130, 131, 10) for away in (0, 10, 20, 30)
)
"""Ways to move chips in mm, along their row and away from the card, if others are in the way. At a
card with the bets of three players, the row of the last may have to begin beside the others."""
Place = tuple[str, int | None, str]
"""Where chips lie: the betting place, whose they are, and on which card."""


@dataclass(frozen=True)
class Pile:
    """Chips of one value on top of each other, at `at` (mm)."""

    value: int
    count: int
    at: Point
    place: Place
    turn: float = 0.0
    """Angle of its long side if it has one, in degrees clockwise."""

    @property
    def worth(self) -> int:
        """Their total value."""
        return self.value * self.count


@dataclass
class _Change:
    """What lies at a place from a moment on."""

    moment: float
    place: Place
    piles: tuple[Pile, ...]


Kinds: TypeAlias = tuple[tuple[int, int], ...]
"""Chips of a bet: each value, and how many of it."""


def counted_out(amount: int, rng: np.random.Generator) -> Kinds:
    """An amount as people count it out: large chips first, now and then one of them broken.

    >>> counted_out(11, np.random.default_rng(3))
    ((5, 1), (1, 6))
    """
    counts, left = dict.fromkeys(VALUES, 0), amount
    for value in sorted(VALUES, reverse=True):
        number, left = divmod(left, value)
        counts[value] = number
    large = [value for value in VALUES[1:] if counts[value]]
    if large and rng.random() < 0.25:
        broken = large[int(rng.integers(len(large)))]
        smaller = VALUES[VALUES.index(broken) - 1]
        counts[broken] -= 1
        counts[smaller] += broken // smaller
    return tuple((value, counts[value]) for value in sorted(VALUES, reverse=True) if counts[value])


def in_change(kinds: Kinds) -> Kinds:
    """The same amount with one of its largest chips changed into the next smaller ones.

    >>> in_change(((25, 2), (5, 1)))
    ((25, 1), (5, 6))
    """
    counts = dict(kinds)
    largest = max(counts)
    smaller = VALUES[VALUES.index(largest) - 1]
    counts[largest] -= 1
    counts[smaller] = counts.get(smaller, 0) + largest // smaller
    return tuple((value, counts[value]) for value in sorted(counts, reverse=True) if counts[value])


@dataclass
class Chips:
    """All chips on the table; `lay` and `take` are gestures that return when the hand has left."""

    world: World
    table: Tabletop
    rng: np.random.Generator
    own: bool = False
    """Whether each player's chips have a colour of their own."""
    styles: Styles = field(default_factory=lambda: STYLES)
    """How they look, by their value."""
    _lying: dict[Place, tuple[Pile, ...]] = field(default_factory=dict)
    _coming: list[_Change] = field(default_factory=list)

    def advance(self, now: float) -> None:
        """Let everything happen that has happened by `now`."""
        due = [change for change in self._coming if change.moment <= now]
        for change in due:
            self._coming.remove(change)
            self._put(change.place, change.piles)
        if due:
            self.table.chips = tuple(one for pile in self.piles for one in self._drawn(pile))

    def _drawn(self, pile: Pile) -> Iterator[Sprite]:
        """The picture of a stack: its colour shows the value, or whose it is."""
        at = pile.at[0] - AREA[0] / 2, pile.at[1] - AREA[1] / 2
        if not self.own:
            turned = np.random.default_rng(round(at[0] * 7 + at[1] * 13) % 2**31)
            style = self.styles[pile.value]
            yield from stack(style, *at, count=pile.count, angle=pile.turn, rng=turned)
            return
        number = VALUES.index(pile.value) + (pile.place[1] or 0)
        yield chip_item(*at, CHIPS[number % len(CHIPS)], stack=pile.count)

    def _put(self, place: Place, piles: tuple[Pile, ...]) -> None:
        self._lying[place] = piles
        self._lying = {where: some for where, some in self._lying.items() if some}

    @property
    def piles(self) -> tuple[Pile, ...]:
        """Everything that lies there."""
        return tuple(pile for piles in self._lying.values() for pile in piles)

    def amount(self, place: Place) -> int:
        """The amount at a place once all gestures are done."""
        last = next((one.piles for one in reversed(self._coming) if one.place == place), None)
        piles = self._lying.get(place, ()) if last is None else last
        return sum(pile.worth for pile in piles)

    @property
    def places(self) -> tuple[Place, ...]:
        """The places where chips lie once all gestures are done."""
        known = dict.fromkeys((*self._lying, *(one.place for one in self._coming)))
        return tuple(place for place in known if self.amount(place))

    def lay(self, place: Place, amount: int, now: float, *, hand: int | None = None) -> float:
        """Lay that much at a place, from now on, in fresh piles; `hand` is whose hand does it."""
        at = self.point(place) or self._middle(place)
        if at is None:
            return now
        piles = tuple(self._piles(place, at, amount)) if amount else ()
        return self._reach(at, now, hand, [(place, piles)])

    def change(
        self,
        place: Place,
        kinds: Sequence[tuple[int, int]],
        now: float,
        *,
        hand: int | None = None,
    ) -> float:
        """Lay these chips (value and count) in place of those that are there.

        The `hand` is a player's; None is the dealer's.
        """
        at = self.point(place) or self._middle(place)
        if at is None:
            return now
        return self._reach(at, now, hand, [(place, tuple(self._standing(place, at, kinds)))])

    def move(self, sources: Sequence[Place], target: Place, now: float) -> float:
        """Let the dealer sweep chips together."""
        at = self.point(target)
        total = sum(map(self.amount, (*sources, target)))
        if at is None or not sources:
            return now
        piles = tuple(self._piles(target, at, total))
        return self._reach(at, now, None, [*((one, ()) for one in sources), (target, piles)])

    def _reach(
        self,
        at: Point,
        now: float,
        hand: int | None,
        changes: Sequence[tuple[Place, tuple[Pile, ...]]],
    ) -> float:
        shoulder = self.world.shoulder(hand)
        end = self.table.rest(at, now=now, hold=HOLD_S, shoulder=shoulder)
        moment = (now + end) / 2
        self._coming += [_Change(moment, place, piles) for place, piles in changes]
        return end

    def _piles(self, place: Place, at: Point, amount: int) -> Iterator[Pile]:
        yield from self._standing(place, at, counted_out(amount, self.rng))

    def _standing(
        self, place: Place, at: Point, kinds: Sequence[tuple[int, int]]
    ) -> Iterator[Pile]:
        """Piles side by side, at right angles to the direction of their owner, clear of others."""
        across = self._across(place)
        piles = []
        # A plaque's long side points at its owner.
        turn = degrees(atan2(across[0], -across[1]))
        for number, (value, count) in enumerate(kinds):
            way = (number - (len(kinds) - 1) / 2) * (CHIP_MM + 2.0)
            jitter = self.rng.uniform(-1, 1, 2)
            where = at[0] + way * across[0] + float(jitter[0]), at[1] + way * across[1]
            piles.append(Pile(value, count, (where[0], where[1] + float(jitter[1])), place, turn))
        yield from self._clear(place, piles, across)

    def _clear(self, place: Place, piles: Sequence[Pile], across: Point) -> Sequence[Pile]:
        """Piles next to a card, moved as little as it takes to stand beside those of others."""
        others = self._of_others(place)
        if not place[2] or not others:
            return piles
        out = across[1], -across[0]  # away from the card
        for along, away in sorted(ASIDE, key=lambda way: hypot(*way)):
            x, y = along * across[0] + away * out[0], along * across[1] + away * out[1]
            moved = [replace(one, at=(one.at[0] + x, one.at[1] + y)) for one in piles]
            if all(dist(one.at, other.at) > self._widest for one in moved for other in others):
                return moved
        return piles

    @property
    def _widest(self) -> float:
        """The longest side of a chip or a plaque, mm."""
        return max(max(style.size) for style in self.styles.values())

    def _of_others(self, place: Place) -> list[Pile]:
        """The piles elsewhere once all gestures are done."""
        lying = self._lying | {one.place: one.piles for one in self._coming}
        return [pile for where, some in lying.items() if where != place for pile in some]

    def _across(self, place: Place) -> Point:
        name, seat, card = place
        if card and seat is not None:
            turn = self._side(seat, card) + pi / 2
            return cos(turn), sin(turn)
        left, top, right, bottom = self.world.layout.bets[name].bounds
        return (1.0, 0.0) if right - left >= bottom - top else (0.0, 1.0)

    def point(self, place: Place) -> Point | None:
        """The middle of the area for chips at a place; None if there is no such place."""
        name, seat, card = place
        if name not in self.world.layout.bets:
            return None
        if not card or seat is None:
            left, top, right, bottom = self.world.layout.bets[name].bounds
            return (left + right) / 2, (top + bottom) / 2
        piece = self._card(card)
        if piece is None:
            return None
        turn = self._side(seat, card)
        reach = _edge(turn) + GAP_MM + self._widest / 2
        return piece[0] + reach * cos(turn), piece[1] + reach * sin(turn)

    def _middle(self, place: Place) -> Point | None:
        """Where chips remain next to a card that has left."""
        piles = self._lying.get(place, ())
        if not piles:
            return None
        xs, ys = zip(*(pile.at for pile in piles), strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def _card(self, card: str) -> Point | None:
        found = [piece for piece in self.table.resting if str(piece.card) == card]
        return (found[0].pose.x, found[0].pose.y) if found else None

    def _side(self, seat: int, card: str) -> float:
        """On which side of a card a seat lays its chips: its own, in radians."""
        at = self._card(card)
        place = self.world.layout.seats[seat]
        if at is None:
            return 0.0
        return float(np.arctan2(place[1] - at[1], place[0] - at[0]))


def _edge(turn: float) -> float:
    """Distance from the middle of an upright card to its edge in a direction, mm."""
    across, down = abs(cos(turn)), abs(sin(turn))
    half = CARD_MM[0] / 2, CARD_MM[1] / 2
    ways = [half[0] / across if across > 1e-6 else 1e9, half[1] / down if down > 1e-6 else 1e9]
    return min(ways)


def place_of(stake: Stake) -> Place:
    """Where a stake lies."""
    return stake.place, stake.seat, stake.on


def stakes_of(state: State) -> dict[Place, Stake]:
    """The stakes of a hand by place, with those of one player in one place added up."""
    found: dict[Place, Stake] = {}
    for one in state.game.stakes_lying(state):
        place, before = place_of(one), found.get(place_of(one))
        if before is not None and one.amount is not None:
            due = before.due + (one.due if one.on else 0)
            one = replace(one, amount=(before.amount or 0) + one.amount, due=due)  # noqa: PLW2901
        found[place] = one
    return found


def bet_place(state: State, act: Act) -> Place | None:
    """Where the chips of a bet against the bank are laid; None for other acts."""
    if act.verb is not Verb.BET or state.start.banker is None:
        return None
    for place in state.game.betting_places(state.start):
        if place.owner == act.seat:
            return place.name, act.seat, ""
        if place.beside and act.cards:
            return place.name, act.seat, str(act.card)
    return None


POT: Place = (POT_PLACE, None, "")
__all__ = ["POT", "Chips", "Pile", "Place", "bet_place", "counted_out", "stakes_of"]
