"""Units: how many chips a point is worth between two seats that agreed on it.

>>> start = Start(seats=(1, 2, 3))
>>> unit(agreed(start, 1, 2, 5), 2, 1, usual=1), unit(start, 1, 3, usual=1)
(5, 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.errors import StartError
from rules.start import Start

UNITS = "units"
"""Key of the note of pairs of seats with their own unit, as ``1-2:5 1-3:10``."""


def check_units(start: Start) -> None:
    """Raise `StartError` unless the note of units has the form ``1-2:5 1-3:10``."""
    try:
        units = _units(start)
    except ValueError:
        raise StartError(f"units are noted as 1-2:5 1-3:10, got {start.note(UNITS)!r}") from None
    for pair, unit in units.items():
        if unit < 1 or not pair <= set(start.seats) or len(pair) != 2:
            raise StartError(f"units need two seats and at least 1, got {start.note(UNITS)!r}")


def _units(start: Start) -> Mapping[frozenset[int], int]:
    entries = (word.partition(":") for word in start.note(UNITS).split())
    return {frozenset(map(int, pair.split("-"))): int(unit) for pair, _, unit in entries}


def unit(start: Start, one: int, other: int, usual: int) -> int:
    """The chips of a unit between two seats: what they agreed on, or the `usual`."""
    return _units(start).get(frozenset((one, other)), usual)


def agreed(start: Start, one: int, other: int, chips: int) -> Start:
    """The start with a unit of `chips` between two seats; raises `StartError` if invalid."""
    return _noted(start, {**_units(start), frozenset((one, other)): chips})


def without_absent(start: Start) -> Start:
    """The start with only the units of players still seated."""
    kept = {pair: chips for pair, chips in _units(start).items() if pair <= set(start.seats)}
    return _noted(start, kept)


def _noted(start: Start, units: Mapping[frozenset[int], int]) -> Start:
    said = " ".join(f"{min(pair)}-{max(pair)}:{chips}" for pair, chips in _in_order(units))
    others = tuple(entry for entry in start.notes if entry[0] != UNITS)
    noted = replace(start, notes=others).noting(**{UNITS: said} if said else {})
    check_units(noted)
    return noted


def _in_order(units: Mapping[frozenset[int], int]) -> list[tuple[frozenset[int], int]]:
    return sorted(units.items(), key=lambda entry: sorted(entry[0]))
