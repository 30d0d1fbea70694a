"""Thirteen cards set in three rows, and hands compared player against player.

The front row has three cards, the middle and the back five each; straights and flushes do not count
in front. Players settle in pairs, in points of a unit that any two may agree on.

    >>> from rules.cards import parse_cards
    >>> rows = Rows(*map(parse_cards, ("QS QD 3C", "9H 9C 4S 4D 2C", "AH KH 8H 5H 2H")))
    >>> [worth.kind.name for worth in rows.worths], rows.fouled()
    (['PAIR', 'TWO_PAIR', 'FLUSH'], False)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TypeVar

from rules.acts import Verb
from rules.cards import Card
from rules.phrases import Phrase
from rules.poker.hands import Strength, high
from rules.spots import Face, Shape, Spot
from rules.start import Level
from rules.state import State
from rules.turn import Awaited
from rules.units import unit

ROOM = {"front": 3, "middle": 5, "back": 5}
"""The rows, with the number of cards each holds."""
ALL = 13
SWEEP = 3
"""The bonus for winning all three rows."""
LISTED = 6
"""Of the 1,287 ways to pick five cards of thirteen, those that an honest dealer considers."""
S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Rows:
    """One player's three hands."""

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]

    @classmethod
    def of(cls, state: State, seat: int) -> Rows:
        """The rows in front of `seat`."""
        return cls(*(state.table.cards(f"{seat}.{row}") for row in ROOM))

    @property
    def full(self) -> bool:
        """Whether all three rows are complete."""
        rows = zip((self.front, self.middle, self.back), ROOM.values(), strict=True)
        return all(len(cards) == room for cards, room in rows)

    @cached_property
    def worths(self) -> tuple[Strength, Strength, Strength]:
        """The worths of front, middle and back."""
        return high(self.front), high(self.middle), high(self.back)

    def fouled(self, *, strict: bool = False) -> bool:
        """Whether a row is incomplete, or stronger than the next (`strict`: or equally strong)."""
        front, middle, back = self.worths
        if strict and (front >= middle or middle >= back):
            return True
        return not self.full or front > middle or middle > back

    def against(self, other: Rows) -> tuple[int, int, int]:
        """Row by row from the front: 1 won, 0 tied, -1 lost."""
        front, middle, back = zip(self.worths, other.worths, strict=True)
        return _sign(*front), _sign(*middle), _sign(*back)


def _sign(mine: Strength, theirs: Strength) -> int:
    return (mine > theirs) - (mine < theirs)


def row_spots(seat: int, face: Face = Face.EITHER) -> Iterator[Spot]:
    """The places of a player's rows, the front one farthest from them."""
    return (Spot(row, owner=seat, capacity=room, face=face) for row, room in ROOM.items())


def hand_spot(seat: int, capacity: int = ALL) -> Spot:
    """A hand that is held, out of the camera's view."""
    return Spot("cards", owner=seat, capacity=capacity, shape=Shape.FAN, face=Face.DOWN, held=True)


def row_name(seat: int, row: str) -> str:
    """The name of a player's row as a spot."""
    return f"{seat}.{row}"


def setting(state: State, seat: int) -> Iterator[Awaited]:
    """The rows that `seat` has not laid yet, face down from the hand."""
    hand = state.table.cards(str(seat))
    for row, room in ROOM.items():
        pick = min(room - len(state.table.at(row_name(seat, row))), len(hand))
        if pick > 0:
            says = Phrase.of("turn.set", seat=seat)
            spots = (row_name(seat, row),)
            yield Awaited(
                Verb.LAY,
                says,
                (seat,),
                spots=spots,
                pick=pick,
                counts=(1, pick),
                among=hand,
                down=True,
                listed=LISTED,
            )


def is_set(state: State, seat: int) -> bool:
    """Whether `seat` has laid all the cards that there is room for: `setting` awaits nothing."""
    if not state.table.at(str(seat)):
        return True
    return all(len(state.table.at(row_name(seat, row))) >= room for row, room in ROOM.items())


def turning(state: State, seat: int) -> Iterator[Awaited]:
    """The face-down rows of `seat`, to be turned up."""
    for row in ROOM:
        hidden = face_down(state, row_name(seat, row))
        if hidden:
            says = Phrase.of("turn.turn-rows", seat=seat)
            spots = (row_name(seat, row),)
            counts = (1, len(hidden))
            yield Awaited(
                Verb.TURN, says, spots=spots, pick=len(hidden), counts=counts, among=hidden
            )


def face_down(state: State, spot: str) -> tuple[Card, ...]:
    """The face-down cards at a spot."""
    return tuple(laid.card for laid in state.table.at(spot) if not laid.up)


def last_act(state: State, verb: Verb, seat: int) -> int | None:
    """The number of the last act of this kind by `seat`, or None."""
    numbers = range(len(state.acts), 0, -1)
    fits = (n for n in numbers if (a := state.acts[n - 1]).verb is verb and a.seat == seat)
    return next(fits, None)


def paired(state: S) -> Iterator[tuple[int, int]]:
    """Every pair of seats in the hand."""
    return combinations(state.start.seats, 2)


def owed(state: S, pair: tuple[int, int], points: int, usual: int, reason: str) -> S:
    """The state after the first of a `pair` has won `points`, or lost them if negative."""
    if not points:
        return state
    payee, payer = pair if points > 0 else pair[::-1]
    counted = state.start.level is Level.AMOUNTS
    chips = abs(points) * unit(state.start, payer, payee, usual) if counted else None
    return state.pay(payer, payee, chips, f"rows.{reason}", rate=Fraction(abs(points)))
