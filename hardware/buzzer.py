"""Short sounds, stored as on and off times and played without blocking."""

from __future__ import annotations

from enum import Enum
from itertools import accumulate
from typing import Protocol


class Tone(Enum):
    """A named sound: alternating on and off times in seconds, on first."""

    TICK = (0.03,)
    """Accepted: the shortest beep that an active buzzer still sounds clearly."""
    ERROR = (0.12, 0.08, 0.12)
    """Something does not match: two beeps."""
    ALARM = (0.3, 0.15, 0.3, 0.15, 0.3)
    """Stop and look: three long beeps, as insistent as an alarm clock."""


class Sounder(Protocol):
    """Anything that sounds while `value` is not 0."""

    value: float


class Buzzer:
    """A buzzer and the tone it is playing; a new tone replaces the old one.

    >>> class Piezo:
    ...     value = 0.0
    >>> piezo = Piezo()
    >>> buzzer = Buzzer(piezo)
    >>> buzzer.play(Tone.ERROR, now=0.0)
    >>> [(now, buzzer.tick(now)) for now in (0.0, 0.15, 0.25, 0.4)]
    [(0.0, True), (0.15, False), (0.25, True), (0.4, False)]
    """

    def __init__(self, sounder: Sounder | None) -> None:
        self._sounder = sounder
        self._changes: tuple[float, ...] = ()  # times of the changes, on first
        self._sounding = False

    def play(self, tone: Tone, now: float) -> None:
        """Start playing `tone` at `now`."""
        self._changes = tuple(accumulate((now, *tone.value)))

    def hush(self) -> None:
        """Stop the tone at the next `tick`."""
        self._changes = ()

    def tick(self, now: float) -> bool:
        """Switch the buzzer as the tone requires at `now`; true if it sounds."""
        passed = sum(change <= now for change in self._changes)
        sounding = passed % 2 == 1
        if sounding != self._sounding and self._sounder is not None:
            self._sounder.value = float(sounding)
        self._sounding = sounding
        return sounding

    def deadline(self, now: float) -> float | None:
        """When the sound next switches on or off, if it still does."""
        return min((change for change in self._changes if change > now), default=None)
