"""The entries of a settings file: which values each accepts, and how it is written.

This module parses the file and notes every fault in it; `firmware.settings.settings` knows what the
values mean together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from firmware.errors import BrokerError
from firmware.settings.broker import Broker
from firmware.settings.network import Listening
from firmware.settings.speech import SpeechLevel
from firmware.texts import languages
from hardware.errors import WiringError
from hardware.wiring import Wiring
from rules.start import SEATS_MOST, Level, limits_faults

Point = tuple[float, float]


# Reading: each function returns the value, or raises `ValueError` saying what was expected.


def _whole(value: object, least: int, most: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"expected {what} from {least} to {most}, got {_short(value)}")
    return value


def _seat(value: object) -> int:
    return _whole(value, 1, SEATS_MOST, "a seat")


def _seats(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        return tuple(range(1, _whole(value, 1, SEATS_MOST, "seats") + 1))
    seats = sorted(_whole(seat, 1, SEATS_MOST, "seats") for seat in value)
    if not seats or len(set(seats)) < len(seats):
        raise ValueError(f"expected each seat once, got {_short(value)}")
    return tuple(seats)


def _limits(value: object) -> tuple[int, int]:
    numbers = value if isinstance(value, list) else [value]
    whole = [one for one in numbers if isinstance(one, int) and not isinstance(one, bool)]
    if len(whole) < len(numbers):
        raise ValueError(f"expected two whole numbers, got {_short(value)}")
    for fault in limits_faults(tuple(whole)):
        raise ValueError(fault)
    return whole[0], whole[1]


def _level(value: object) -> Level:
    if value not in tuple(map(str, Level)):
        raise ValueError(f"expected none, who or amounts, got {_short(value)}")
    return Level(value)


def _language(value: object) -> str:
    if value not in languages():
        raise ValueError(f"expected one of {', '.join(languages())}, got {_short(value)}")
    return str(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"expected a text, got {_short(value)}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {_short(value)}")
    return value


def _listen(value: object) -> str:
    Listening.parse(_text(value))
    return str(value)


def _days(value: object) -> int:
    return _whole(value, 0, 3650, "days")


def _hours(value: object) -> int:
    return _whole(value, 0, 24 * 365, "hours")


def _amount(value: object) -> SpeechLevel:
    if value not in tuple(map(str, SpeechLevel)):
        raise ValueError(f"expected {', '.join(SpeechLevel)}, got {_short(value)}")
    return SpeechLevel(value)


def _percentage(value: object) -> int:
    return _whole(value, 0, 100, "a percentage")


def _source(value: object) -> str:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else _text(value)


def _point(value: object) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"expected a pair of numbers, got {_short(value)}")
    for number in value:
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise ValueError(f"expected numbers, got {_short(value)}")
        if not abs(number) <= 1_000_000:  # rejects infinity and NaN as well
            raise ValueError(f"expected numbers up to a million, got {_short(value)}")
    return float(value[0]), float(value[1])


def _move(value: object) -> Point:
    point = _point(value)
    if not all(-5000 <= way <= 5000 for way in point):
        raise ValueError(f"expected millimetres from -5000 to 5000, got {_short(value)}")
    return point


def _size(value: object) -> Point:
    size = _point(value)
    if not all(100 <= side <= 5000 for side in size):
        raise ValueError(f"expected width and height from 100 to 5000 mm, got {_short(value)}")
    return size


def _height(value: object) -> int:
    return _whole(value, 200, 5000, "millimetres")


def _corners(value: object) -> tuple[Point, ...]:
    if not isinstance(value, list) or len(value) != 4:
        raise ValueError(f"expected four corners, got {_short(value)}")
    return tuple(map(_point, value))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


class Entry(NamedTuple):
    """One setting: its place in the file, the field it fills, how it is parsed."""

    section: str
    key: str
    field: str
    read: Callable[[object], object]


ENTRIES: tuple[Entry, ...] = (
    Entry("", "language", "language", _language),
    Entry("table", "game", "game", _text),
    Entry("table", "variant", "variant", _text),
    Entry("table", "seats", "seats", _seats),
    Entry("table", "around", "around", _seat),
    Entry("table", "dealer", "dealer", _seat),
    Entry("table", "dealer_at", "dealer_at", _seat),
    Entry("table", "banker", "banker", _seat),
    Entry("table", "limits", "limits", _limits),
    Entry("table", "level", "level", _level),
    Entry("table", "chips", "chips", _text),
    Entry("camera", "source", "camera", _source),
    Entry("camera", "deck", "deck", _text),
    Entry("camera", "corners", "corners", _corners),
    Entry("camera", "size_mm", "size_mm", _size),
    Entry("camera", "height_mm", "height_mm", _height),
    Entry("camera", "markers", "markers", _flag),
    Entry("journal", "file", "journal", _text),
    Entry("journal", "keep_pictures_days", "keep_pictures_days", _days),
    Entry("journal", "evening_ends_hours", "evening_ends_hours", _hours),
    Entry("journal", "keep_evenings_days", "keep_evenings_days", _days),
    Entry("voice", "says", "says", _amount),
    Entry("voice", "volume", "volume", _percentage),
    Entry("console", "on", "console", _flag),
    Entry("console", "listen", "listen", _listen),
    Entry("console", "access", "access", _text),
)
WHOLE_TABLES = ("stacks", "house_rules", "spots", "wiring", "mqtt")
"""The tables whose keys are free."""


class EntryReader:
    """Parses a table and notes everything that is wrong with it."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self.faults: list[str] = []
        self._table = dict(table)

    def values(self) -> dict[str, Any]:
        """The fields of `Settings` that the table sets, each checked by its entry."""
        sections = {"": self._table}
        for name in dict.fromkeys(entry.section for entry in ENTRIES if entry.section):
            sections[name] = self._section(name)
        whole = {name: self._section(name) for name in WHOLE_TABLES}
        found: dict[str, object] = {}
        for entry in ENTRIES:
            if entry.key in sections[entry.section]:
                self._take(found, entry, sections[entry.section].pop(entry.key))
        for name, section in sections.items():
            self.faults += [f"{_key(name, key)}: no such setting" for key in section]
        found["stacks"] = self._stacks(whole["stacks"])
        found["house_rules"] = self._house_rules(whole["house_rules"])
        found["spots"] = self._spots(whole["spots"])
        found["wiring"] = self._wiring(whole["wiring"])
        found["mqtt"] = self._mqtt(whole["mqtt"])
        return found

    def _section(self, name: str) -> dict[str, object]:
        section = self._table.pop(name, {})
        if isinstance(section, Mapping):
            return dict(section)
        self.faults.append(f"{name}: expected a table, got {_short(section)}")
        return {}

    def _take(self, found: dict[str, object], entry: Entry, value: object) -> None:
        try:
            found[entry.field] = entry.read(value)
        except ValueError as error:
            self.faults.append(f"{_key(entry.section, entry.key)}: {error}")

    def _stacks(self, table: Mapping[str, object]) -> dict[int, int]:
        stacks = {}
        for key, chips in table.items():
            try:
                stacks[_seat(int(key))] = _whole(chips, 0, 10**9, "chips")
            except ValueError as error:
                self.faults.append(f"stacks.{key}: {error}")
        return stacks

    def _house_rules(self, table: Mapping[str, object]) -> dict[str, str]:
        rules = {}
        for key, value in table.items():
            if isinstance(value, bool | int | str):
                rules[key] = (
                    {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
                )
            else:
                self.faults.append(f"house_rules.{key}: expected yes, no, a number or a word")
        return rules

    def _spots(self, table: Mapping[str, object]) -> dict[str, dict[str, Point]]:
        spots: dict[str, dict[str, Point]] = {}
        for game, moves in table.items():
            for spot, by in moves.items() if isinstance(moves, Mapping) else [("", moves)]:
                try:
                    spots.setdefault(game, {})[spot] = _move(by)
                except ValueError as error:
                    self.faults.append(f"spots.{_key(game, spot)}: {error}")
        return spots

    def _wiring(self, table: Mapping[str, object]) -> dict[str, object]:
        try:
            Wiring.from_mapping(table)
        except WiringError as error:
            self.faults += [f"wiring: {fault}" for fault in error.faults]
        return dict(table)

    def _mqtt(self, table: Mapping[str, object]) -> dict[str, object]:
        try:
            Broker.from_mapping(table)
        except BrokerError as error:
            self.faults += [f"mqtt.{fault}" for fault in error.faults]
        return dict(table)


def _key(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key


# Writing.


def table_lines(name: str, table: Mapping[str, object]) -> str:
    """A table as TOML, followed by the tables nested in it."""
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"[{name}]"] if name and (plain or not table) else []
    lines += [f"{_bare(key)} = {_written(value)}" for key, value in plain.items()]
    parts = ["\n".join(lines) + "\n"] if lines else []
    parts += [
        table_lines(f"{name}.{_bare(key)}", value)
        for key, value in table.items()
        if isinstance(value, Mapping)
    ]
    return "\n".join(parts)


def _bare(key: object) -> str:
    """A key as TOML expects it: in quotes unless it is plain."""
    return str(key) if re.fullmatch(r"[\w-]+", str(key), re.ASCII) else json.dumps(str(key))


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # a TOML string too
    return str(value)
