"""What the lamps show: patterns that differ in rhythm, as a pure function of time.

Position identifies the lamp and rhythm carries the meaning; colour and brightness mean nothing on
their own, so that everybody can read the panel, including the colour-blind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import floor, inf
from typing import Protocol

from hardware.press import Button


class Lamp(StrEnum):
    """A lamp by its position: in a button, or in front of a seat."""

    OK = "ok"
    FIX = "fix"
    HOLD = "hold"
    SEAT_1 = "seat 1"
    SEAT_2 = "seat 2"
    SEAT_3 = "seat 3"
    SEAT_4 = "seat 4"
    SEAT_5 = "seat 5"
    SEAT_6 = "seat 6"
    SEAT_7 = "seat 7"
    SEAT_8 = "seat 8"
    SEAT_9 = "seat 9"
    SEAT_10 = "seat 10"

    @classmethod
    def seat(cls, number: int) -> Lamp:
        """The lamp in front of seat `number` (1 to 10); raises `ValueError` for any other number.

        >>> Lamp.seat(3)
        <Lamp.SEAT_3: 'seat 3'>
        """
        return cls(f"seat {number}")

    @classmethod
    def of(cls, button: Button) -> Lamp:
        """The lamp in a button."""
        return cls(button.value)


class Pattern(StrEnum):
    """What a lamp does until it is given another pattern."""

    OFF = "off"
    STEADY = "steady"
    """Done, stored, fine."""
    SLOW = "slow"
    """Asks: one blink a second."""
    FAST = "fast"
    """Warns: four blinks a second."""

    @property
    def half_period_s(self) -> float:
        """Seconds from one change to the next; infinite for a pattern that does not blink."""
        return _HALF_PERIODS.get(self, inf)


_HALF_PERIODS = {Pattern.SLOW: 0.5, Pattern.FAST: 0.125}

FLICK_S = 0.1
"""How long a flick inverts a lamp, in seconds: the shortest blink that a glance will not miss."""


class Light(Protocol):
    """A dimmable light; `value` runs from 0 (dark) to 1 (bright)."""

    value: float


@dataclass(slots=True)
class _Show:
    """What one lamp is doing: its pattern, since when, and what a flick shows until when."""

    pattern: Pattern = Pattern.OFF
    since: float = 0.0
    flick_until: float = -inf
    flick_lit: bool = False

    def flick(self, now: float, *, lit: bool) -> None:
        """Briefly show the opposite of `lit`.

        Inverting the pattern instead would not do: at the moment of a blink the two would cancel.
        """
        self.flick_until, self.flick_lit = now + FLICK_S, not lit

    def lit(self, now: float) -> bool:
        return self.flick_lit if now < self.flick_until else self._pattern_lit(now)

    def _pattern_lit(self, now: float) -> bool:
        half = self.pattern.half_period_s
        if half == inf:
            return self.pattern is Pattern.STEADY
        return floor((now - self.since) / half) % 2 == 0

    def next_change(self, now: float) -> float:
        if now < self.flick_until:
            return self.flick_until
        half = self.pattern.half_period_s
        return inf if half == inf else self.since + (floor((now - self.since) / half) + 1) * half


class Lamps:
    """The lamps that are wired and what each of them shows.

    Nothing blinks by itself: `tick` sets every light to what its pattern requires at that time, so
    a test, a simulated table and a Pi see the same lamps at the same times. Patterns for a lamp
    that is not wired are accepted and light nothing. A blink starts lit.

    >>> class Bulb:
    ...     value = 0.0
    >>> bulb = Bulb()
    >>> lamps = Lamps({Lamp.OK: bulb})
    >>> lamps.show({Lamp.OK: Pattern.SLOW}, now=0.0)
    >>> for now in (0.0, 0.4, 0.6, 1.1):
    ...     lamps.tick(now)
    ...     print(now, bulb.value)
    0.0 1.0
    0.4 1.0
    0.6 0.0
    1.1 1.0
    """

    def __init__(self, lights: Mapping[Lamp, Light], brightness: float = 1.0) -> None:
        self._lights = dict(lights)
        self._brightness = brightness
        self._shows = {lamp: _Show() for lamp in Lamp}
        self._levels: dict[Lamp, float] = {}

    def showing(self) -> dict[Lamp, Pattern]:
        """The pattern that each wired lamp has been given."""
        return {lamp: self._shows[lamp].pattern for lamp in self._lights}

    def show(self, patterns: Mapping[Lamp, Pattern], now: float) -> None:
        """Show these patterns; a lamp already showing its pattern keeps its rhythm."""
        for lamp, pattern in patterns.items():
            show = self._shows[lamp]
            if show.pattern is not pattern:
                show.pattern, show.since = pattern, now

    def flick(self, lamps: Iterable[Lamp], now: float) -> None:
        """Invert these lamps for a moment, to acknowledge a touch."""
        for lamp in lamps:
            self._shows[lamp].flick(now, lit=self._levels.get(lamp, 0.0) > 0)

    def dim(self, brightness: float) -> None:
        """Set the brightness of lit lamps, from 0 to 1, as from the next `tick`."""
        if not 0 <= brightness <= 1:
            raise ValueError(f"brightness must be between 0 and 1, not {brightness}")
        self._brightness = brightness

    def tick(self, now: float) -> None:
        """Set every light to what it should be at `now`; lights already right are not touched."""
        for lamp, light in self._lights.items():
            level = self._brightness if self._shows[lamp].lit(now) else 0.0
            if self._levels.get(lamp) != level:
                light.value = level
                self._levels[lamp] = level

    def deadline(self, now: float) -> float | None:
        """When the next light is due to change, if any is."""
        change = min((self._shows[lamp].next_change(now) for lamp in self._lights), default=inf)
        return None if change == inf else change
