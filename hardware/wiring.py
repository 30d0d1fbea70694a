"""Which pin goes where, in one validated place.

A `Wiring` is what a person has soldered. The defaults are the reference box; any other box is
described in a small TOML table::

    [buttons]
    ok = 5
    fix = 6
    hold = 13
    active = "low"      # pressed connects to ground; the Pi's own pull-up holds it high

    [lamps]
    ok = 12
    fix = 16
    hold = 26
    active = "high"
    pwm_hz = 200        # 0 switches the lamps without dimming

    [buzzer]
    pin = 25            # 0: no buzzer

    [seats]
    pins = [17, 27, 22] # one lamp a seat, clockwise; none by default

    [header]
    buses = ["i2c", "uart"]   # buses in use elsewhere, whose pins stay free

Why these pins: the three lamps and the buzzer are on GPIOs that are pulled low while the board
starts (9 to 27), so nothing glows or sounds before the program runs; the buttons avoid I2C, UART,
SPI and I2S, so that a screen or a sound board still fits; all of them but the buzzer are together
at the header's end, next to three ground pins.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from hardware.errors import WiringError
from hardware.header import BUSES, HIGHEST_GPIO, bus_of

MOST_SEATS = 10
"""Most seat lamps: what the header can supply and has pins for, in addition to the panel."""
HIGHEST_PWM_HZ = 1000
"""The fastest dimming: the Pi's pins are pulsed by a thread, which keeps time to about 1 ms."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The pins of one box, as BCM numbers.

    Raises `WiringError` with every fault at once.

    >>> Wiring().ok_button
    5
    >>> Wiring(ok_button=14, fix_lamp=13)
    Traceback (most recent call last):
    hardware.errors.WiringError: wiring: ok_button: GPIO14 belongs to the uart bus, which is in
    use; GPIO13 is used twice, for hold_button and fix_lamp
    """

    ok_button: int = 5
    fix_button: int = 6
    hold_button: int = 13
    ok_lamp: int = 12
    fix_lamp: int = 16
    hold_lamp: int = 26
    buzzer: int | None = 25
    seat_lamps: tuple[int, ...] = ()
    buttons_active_low: bool = True
    lamps_active_low: bool = False
    buzzer_active_low: bool = False
    pwm_hz: int = 200
    """Dimming frequency in Hz: far above flicker, far below the limit of a software pulse."""
    buses: tuple[str, ...] = ("i2c", "uart")
    where: str = field(default="wiring", compare=False)
    """Where the table came from, for error messages."""

    def __post_init__(self) -> None:
        faults = tuple(self._faults())
        if faults:
            raise WiringError(faults, self.where)

    @classmethod
    def from_mapping(cls, table: Mapping[str, object], where: str = "wiring") -> Wiring:
        """The wiring that a table (as in this module's example) describes."""
        reader = _TableReader(table)
        values = reader.values()
        try:
            wiring = cls(**values, where=where)
        except WiringError as error:
            raise WiringError((*reader.faults, *error.faults), where) from None
        if reader.faults:
            raise WiringError(tuple(reader.faults), where)
        return wiring

    @classmethod
    def load(cls, path: Path | str) -> Wiring:
        """The wiring in a TOML file; raises `WiringError` if it cannot be read or is wrong."""
        try:
            table = tomllib.loads(Path(path).read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise WiringError((f"cannot be read: {error}",), str(path)) from error
        return cls.from_mapping(table, str(path))

    def pins(self) -> dict[str, int]:
        """The pins in use by purpose, as ``{"ok_button": 5, …, "seat_1_lamp": 17}``."""
        return dict(self._uses())

    def _uses(self) -> Iterator[tuple[str, int]]:
        for name in ("ok_button", "fix_button", "hold_button", "ok_lamp", "fix_lamp", "hold_lamp"):
            yield name, getattr(self, name)
        if self.buzzer is not None:
            yield "buzzer", self.buzzer
        for seat, pin in enumerate(self.seat_lamps, 1):
            yield f"seat_{seat}_lamp", pin

    def _faults(self) -> Iterator[str]:
        for use, pin in self._uses():
            yield from self._pin_faults(use, pin)
        yield from self._clashes()
        if len(self.seat_lamps) > MOST_SEATS:
            yield f"at most {MOST_SEATS} seat lamps, not {len(self.seat_lamps)}"
        if not 0 <= self.pwm_hz <= HIGHEST_PWM_HZ:
            yield f"pwm_hz must be between 0 and {HIGHEST_PWM_HZ} Hz, not {self.pwm_hz}"
        for bus in self.buses:
            if bus not in BUSES:
                yield f"no bus is called {bus!r}; the header has {', '.join(BUSES)}"

    def _pin_faults(self, use: str, pin: int) -> Iterator[str]:
        if not _whole(pin) or not 0 <= pin <= HIGHEST_GPIO:
            yield f"{use}: {pin!r} is not a GPIO of the header: expected 0 to {HIGHEST_GPIO}"
        elif bus_of(pin) in (*self.buses, "id"):
            yield f"{use}: GPIO{pin} belongs to the {bus_of(pin)} bus, which is in use"

    def _clashes(self) -> Iterator[str]:
        uses = defaultdict(list)
        for use, pin in self._uses():
            uses[pin].append(use)
        for pin, names in uses.items():
            if len(names) > 1:
                times = "twice" if len(names) == 2 else f"{len(names)} times"
                yield f"GPIO{pin} is used {times}, for {' and '.join(names)}"


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _wholes(value: object) -> bool:
    return isinstance(value, list) and all(map(_whole, value))


def _words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _level(value: object) -> bool:
    return isinstance(value, str) and value in ("low", "high")


class _Entry(NamedTuple):
    """One line of the TOML table: its place, the field it fills and the values it accepts."""

    section: str
    key: str
    name: str
    fits: Callable[[object], bool]
    wanted: str


_NUMBER = "a BCM number"
_ENTRIES: tuple[_Entry, ...] = (
    *(
        _Entry(f"{kind}s", name, f"{name}_{kind}", _whole, _NUMBER)
        for kind in ("button", "lamp")
        for name in ("ok", "fix", "hold")
    ),
    _Entry("lamps", "pwm_hz", "pwm_hz", _whole, "a whole number of Hz"),
    _Entry("buzzer", "pin", "buzzer", _whole, _NUMBER),
    _Entry("seats", "pins", "seat_lamps", _wholes, "a list of BCM numbers"),
    _Entry("header", "buses", "buses", _words, "a list of names"),
    *(
        _Entry(part, "active", f"{part}_active_low", _level, '"low" or "high"')
        for part in ("buttons", "lamps", "buzzer")
    ),
)
_SECTIONS = dict.fromkeys(entry.section for entry in _ENTRIES)


class _TableReader:
    """Turns the TOML table into arguments and notes what does not belong."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self.faults: list[str] = []
        self._sections = {name: self._section(name, part) for name, part in table.items()}

    def _section(self, name: str, part: object) -> dict[str, object]:
        if name not in _SECTIONS:
            self.faults.append(f"[{name}] is not a section of the wiring")
        elif isinstance(part, Mapping):
            return dict(part)
        else:
            self.faults.append(f"{name} must be a table, not {part!r}")
        return {}

    def values(self) -> dict[str, Any]:
        """The fields of `Wiring`, each of the type that its entry has checked."""
        found: dict[str, object] = {}
        for entry in _ENTRIES:
            self._take(found, entry)
        for section, part in self._sections.items():
            self.faults.extend(f"[{section}] {key} is not known" for key in part)
        return found

    def _take(self, found: dict[str, object], entry: _Entry) -> None:
        part = self._sections.get(entry.section, {})
        if entry.key not in part:
            return
        value = part.pop(entry.key)
        if entry.fits(value):
            found[entry.name] = _argument(entry, value)
        else:
            self.faults.append(
                f"[{entry.section}] {entry.key} must be {entry.wanted}, not {value!r}"
            )


def _argument(entry: _Entry, value: object) -> object:
    if entry.key == "active":
        return value == "low"
    if entry.name == "buzzer" and value == 0:
        return None
    return tuple(value) if isinstance(value, list) else value
