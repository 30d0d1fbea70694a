"""How a hand begins: everything settled by earlier hands and by the table."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from rules.cards import Card
from rules.errors import StartError

SEATS_MOST = 22
"""More seats than any table has: with two cards each and a board, 52 cards serve no more."""
LIMIT_MOST = 999_999_999
"""A limit that no table reaches: the greatest number that an act can name."""


class Level(StrEnum):
    """How much of the money the record knows."""

    NONE = "none"
    """Bets are unknown (which is not the same as no bets)."""
    WHO = "who"
    """Who bets, and on what, but not how much."""
    AMOUNTS = "amounts"
    """Every amount, in whole chips of the smallest unit."""


class Direction(StrEnum):
    """The direction of play; seats are numbered clockwise seen from above."""

    LEFT = "left"
    """Clockwise, to the next higher seat."""
    RIGHT = "right"
    """Counter-clockwise."""


@dataclass(frozen=True, slots=True)
class Sighted:
    """A card that has been out of the deck since an earlier hand."""

    card: Card
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The header of a hand, so that it replays alone.

    >>> start = Start(seats=(1, 2, 4), banker=4)
    >>> start.following(4), start.after(2, Direction.RIGHT)
    ((1, 2), 1)
    """

    seats: tuple[int, ...]
    hand: int = 1
    dealer: int | None = None
    banker: int | None = None
    limits: tuple[int, int] | None = None
    level: Level = Level.AMOUNTS
    stacks: tuple[tuple[int, int], ...] = ()
    """Chips by seat; a negative number is what a banker owes."""
    pot: int = 0
    scores: tuple[tuple[int, int], ...] = ()
    shoe: tuple[Sighted, ...] = ()
    """Cards still out of the deck since the last shuffle."""
    notes: tuple[tuple[str, str], ...] = ()
    """Facts from earlier hands that only this game needs, by name."""

    def __post_init__(self) -> None:
        faults = list(self._faults())
        if faults:
            raise StartError("; ".join(faults))

    def _faults(self) -> Iterator[str]:
        if len(set(self.seats)) != len(self.seats) or self.seats != tuple(sorted(self.seats)):
            yield f"expected seats in rising order and each once, got {self.seats}"
        if any(not 1 <= seat <= SEATS_MOST for seat in self.seats):
            yield f"expected seats from 1 to {SEATS_MOST}, got {max(self.seats)}"
        for role, seat in (("dealer", self.dealer), ("banker", self.banker)):
            if seat is not None and seat not in self.seats:
                yield f"the {role} must sit at one of the seats {self.seats}, got {seat}"
        if self.hand < 1 or self.pot < 0:
            yield f"expected a hand from 1 on and a pot not below 0, got {self.hand}, {self.pot}"
        for what, entries in (("stacks", self.stacks), ("scores", self.scores)):
            if len(dict(entries)) != len(entries):
                yield f"expected {what} of each seat once, got {entries}"
        yield from limits_faults(self.limits)

    @property
    def dealing_seat(self) -> int:
        """The seat that deals; the last one if none was named."""
        return self.dealer if self.dealer is not None else self.seats[-1]

    def following(self, seat: int, way: Direction = Direction.LEFT) -> tuple[int, ...]:
        """The other seats in order of play, starting after `seat`."""
        before, behind = bisect_left(self.seats, seat), bisect_right(self.seats, seat)
        ring = self.seats[behind:] + self.seats[:before]
        return ring if way is Direction.LEFT else ring[::-1]

    def after(self, seat: int, way: Direction = Direction.LEFT) -> int:
        """The next seat in play after `seat`."""
        return (*self.following(seat, way), seat)[0]

    def stack(self, seat: int) -> int | None:
        """The chips that `seat` began the hand with, or None if they are not counted."""
        return dict(self.stacks).get(seat)

    def note(self, name: str, default: str = "") -> str:
        """What was noted for this game under `name`."""
        return dict(self.notes).get(name, default)

    def number(self, name: str, default: int, *, least: int = 0, most: int = LIMIT_MOST) -> int:
        """The number noted under `name`; raises `StartError` if it is none from `least` to `most`.

        >>> Start(seats=(1, 2), notes=(("deal", "3"),)).number("deal", 1, least=1, most=12)
        3
        """
        text = self.note(name, str(default))
        if not (text.isdecimal() and len(text) <= len(str(most)) and least <= int(text) <= most):
            bounds = f"from {least}" + (f" to {most}" if most != LIMIT_MOST else "")
            raise StartError(f"the note {name} is a number {bounds}, got {text!r}")
        return int(text)

    def having(self, **changes: Any) -> Start:
        """The start with some fields replaced; raises `StartError` if the result is invalid."""
        return replace(self, **changes)

    def noting(self, **notes: str) -> Start:
        """The start with some notes replaced."""
        return replace(self, notes=tuple(sorted({**dict(self.notes), **notes}.items())))


def limits_faults(limits: tuple[int, ...] | None) -> Iterator[str]:
    """What is wrong with betting limits, in words."""
    if limits is None:
        return
    if len(limits) != 2 or not 1 <= limits[0] <= limits[1] <= LIMIT_MOST:
        got = " ".join(map(str, limits))
        yield f"limits want a minimum of at least 1 and a maximum not below it, got {got}"


def pairs(values: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """A mapping by seat as a value that can be compared and hashed."""
    return tuple(sorted(values.items()))
