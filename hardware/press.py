"""Debouncing: turns the edges of a bouncing switch into presses and holds.

Nothing here knows about pins, threads or clocks: every edge carries its time, in seconds on one
clock that never goes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto


class Button(StrEnum):
    """The three buttons, from left to right."""

    OK = "ok"
    """Do what the prompt says."""
    FIX = "fix"
    """The last card was misread; held: undo."""
    HOLD = "hold"
    """Pause and report; held: misdeal."""


@dataclass(frozen=True, slots=True)
class PanelEvent:
    """Something a person did with a button, at `time` seconds on the panel's clock."""

    button: Button
    time: float


class Touched(PanelEvent):
    """A button went down; nothing is decided yet."""

    __slots__ = ()


class Pressed(PanelEvent):
    """A button was released before the hold time: a short press."""

    __slots__ = ()


class Held(PanelEvent):
    """A button has been down for the hold time: a long press."""

    __slots__ = ()


class Stuck(PanelEvent):
    """A button has been down far longer than anybody holds one; it is ignored."""

    __slots__ = ()


class Freed(PanelEvent):
    """A stuck button has been released and counts again."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """The times, in seconds, that decide how contact changes become presses."""

    quiet_s: float = 0.015
    """A contact counts once it has kept one level for this long. Measured switches bounce for
    1.6 ms on average and 6.2 ms at worst (Ganssle, "A Guide to Debouncing"); twice that, rounded
    up, is still half of the 30 ms that the fastest finger keeps a button down."""
    hold_s: float = 2.0
    """Long enough that nobody undoes a hand by leaning on a button by accident."""
    stuck_s: float = 30.0
    """Nobody holds a button for half a minute: a card box is lying on it, or it is shorted."""


class _Phase(Enum):
    REST = auto()
    DOWN = auto()
    SPENT = auto()  # down, but its press has been used up or does not count


class Press:
    """One button's state machine, from contact changes to events.

    `edge` takes each change of the contact, `settle` lets time pass; both return the events that
    have become certain, in order of time. A burst of bounces is one change, dated by its first
    edge. A button that is down at the start does not count until it has been released.

    >>> press = Press(Button.OK)
    >>> press.edge(True, 10.0), press.edge(False, 10.003), press.edge(True, 10.004)
    ((), (), ())
    >>> press.settle(10.1)
    (Touched(button=<Button.OK: 'ok'>, time=10.0),)
    >>> press.edge(False, 10.25)
    ()
    >>> press.settle(10.3)
    (Pressed(button=<Button.OK: 'ok'>, time=10.25),)
    """

    def __init__(
        self, button: Button, *, down: bool = False, now: float = 0.0, timing: Timing | None = None
    ) -> None:
        self._button = button
        self._timing = timing or Timing()
        self._level = self._settled = down
        self._phase = _Phase.SPENT if down else _Phase.REST
        self._last_edge = now
        self._burst: float | None = None  # when the contact last left its settled level
        self._down_at = now
        self._unrest: float | None = now if down else None
        self._stuck = False

    @property
    def level(self) -> bool:
        """The contact's latest level: down or not."""
        return self._level

    def edge(self, down: bool, time: float) -> tuple[PanelEvent, ...]:
        """Take a contact change at `time`; a repeated level is ignored."""
        if down == self._level:
            return ()
        time = max(time, self._last_edge)
        events = self.settle(time)
        if self._burst is None:
            self._burst = time
        if self._unrest is None:
            self._unrest = time
        self._level, self._last_edge = down, time
        return events

    def settle(self, now: float) -> tuple[PanelEvent, ...]:
        """Let time pass until `now` without an edge."""
        events: list[PanelEvent] = []
        if self._burst is not None and now >= self._last_edge + self._timing.quiet_s:
            events += self._end_burst(self._burst)
        events += self._held(now)
        events += self._stuck_at(now)
        return tuple(events)

    def deadline(self) -> float | None:
        """When `settle` may next return an event if no edge comes first."""
        times = []
        if self._burst is not None:
            times.append(self._last_edge + self._timing.quiet_s)
        elif self._phase is _Phase.DOWN:
            times.append(self._down_at + self._timing.hold_s)
        if self._unrest is not None and not self._stuck:
            times.append(self._unrest + self._timing.stuck_s)
        return min(times, default=None)

    def _end_burst(self, start: float) -> list[PanelEvent]:
        self._burst = None
        changed, self._settled = self._level != self._settled, self._level
        if self._level:
            return self._go_down(start) if changed else []
        return self._go_up(start, changed)

    def _go_down(self, time: float) -> list[PanelEvent]:
        if self._stuck:
            self._phase = _Phase.SPENT
            return []
        self._phase, self._down_at = _Phase.DOWN, time
        return [Touched(self._button, time)]

    def _go_up(self, time: float, changed: bool) -> list[PanelEvent]:
        was, self._phase = self._phase, _Phase.REST
        freed, self._stuck, self._unrest = self._stuck, False, None
        if freed:
            return [Freed(self._button, time)]
        return [Pressed(self._button, time)] if changed and was is _Phase.DOWN else []

    def _held(self, now: float) -> list[PanelEvent]:
        due = self._down_at + self._timing.hold_s
        if self._phase is not _Phase.DOWN or self._burst is not None or now < due:
            return []
        self._phase = _Phase.SPENT
        return [Held(self._button, due)]

    def _stuck_at(self, now: float) -> list[PanelEvent]:
        if self._stuck or self._unrest is None or now < self._unrest + self._timing.stuck_s:
            return []
        self._stuck, self._phase = True, _Phase.SPENT
        return [Stuck(self._button, self._unrest + self._timing.stuck_s)]
