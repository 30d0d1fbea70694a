"""A panel without a Pi: the real panel on simulated pins, with a finger and a pair of eyes.

The finger moves the contacts (bouncing, if asked to) at set times; the eyes work out what each
lamp is doing from its pin's changes alone, as somebody sitting at the table would. The simulated
dealer plays with these two and nothing else.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count, pairwise
from typing import Self

from gpiozero.pins.mock import MockPWMPin  # type: ignore[import-untyped]

from hardware.lamps import Lamp, Pattern
from hardware.panel import Panel
from hardware.pins import Device, Pins, simulated_pins
from hardware.press import Button, PanelEvent, Timing
from hardware.wiring import Wiring

_REMEMBERED = 64  # changes a pin keeps: eight seconds of the fastest blink


class ManualClock:
    """A clock that stands still until it is advanced.

    >>> clock = ManualClock()
    >>> clock.now += 1.5
    >>> clock()
    1.5
    """

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now


class _WatchedPin(MockPWMPin):  # type: ignore[misc]
    """A simulated pin that remembers when it changed, on the rig's clock."""

    clock: Callable[[], float]
    dark: float  # the level at which a lamp is dark

    def clear_states(self) -> None:
        super().clear_states()
        self.changes: deque[tuple[float, bool]] = deque(maxlen=_REMEMBERED)

    def _change_state(self, value: float) -> bool:
        was = self.lit
        changed = bool(super()._change_state(value))
        if self.lit != was:
            self.changes.append((self.clock(), self.lit))
        return changed

    @property
    def lit(self) -> bool:
        return float(self._state) != self.dark


def seen(changes: Sequence[tuple[float, bool]], lit: bool, now: float) -> Pattern:
    """What a person would say a lamp is doing, from whether it is `lit` now and when it changed.

    It takes two flashes to distinguish blinking from a single change, and the blinking is over once
    the lamp has stayed in one state for longer than a blink would.

    >>> seen([(0.0, True), (0.5, False), (1.0, True)], True, now=1.2).value
    'slow'
    >>> seen([(0.0, True), (0.5, False), (1.0, True)], True, now=1.9).value
    'steady'
    """
    still = Pattern.STEADY if lit else Pattern.OFF
    flashes = [time for time, on in changes if on]
    if len(flashes) < 2:
        return still
    period, quiet = flashes[-1] - flashes[-2], now - changes[-1][0]
    for pattern in (Pattern.FAST, Pattern.SLOW):
        half = pattern.half_period_s
        # A tolerance of a quarter: a loop that runs a frame late still shows the same blink.
        if abs(period - 2 * half) <= half / 2 and quiet <= 1.25 * half:
            return pattern
    return still


class PanelRig:
    """The panel of a simulated table.

    With a `ManualClock`, time passes by `advance`, which moves the finger, polls the panel and
    collects its events; with a real clock, call `tick` often, and poll the panel as on a Pi.

    >>> from hardware.press import Pressed
    >>> with PanelRig() as rig:
    ...     rig.press(Button.OK)
    ...     [type(event).__name__ for event in rig.advance(1.0)]
    ['Touched', 'Pressed']
    """

    def __init__(
        self,
        wiring: Wiring | None = None,
        *,
        clock: Callable[[], float] | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.clock = clock or ManualClock()
        wiring = wiring or Wiring()
        watched = {"clock": staticmethod(self.clock), "dark": float(wiring.lamps_active_low)}
        self.pins: Pins = simulated_pins(type("_WatchedPin", (_WatchedPin,), watched))
        self.panel = Panel(wiring, self.pins, clock=self.clock, timing=timing)
        self._moves: list[tuple[float, int, Button, bool]] = []
        self._order = count()

    @classmethod
    def live(cls, wiring: Wiring | None = None) -> Self:
        """A rig on the real clock, for playing in real time."""
        return cls(wiring, clock=time.monotonic)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the pins."""
        self.panel.close()
        self.pins.close()

    # The finger

    def down(self, button: Button) -> None:
        """Close the button's contact now."""
        self._move(button, True)

    def up(self, button: Button) -> None:
        """Open the button's contact now."""
        self._move(button, False)

    def press(
        self,
        button: Button,
        seconds: float = 0.1,
        *,
        after: float = 0.0,
        bounces: Sequence[float] = (),
    ) -> None:
        """Press the button `after` seconds from now and let go `seconds` later.

        `bounces` are increasing times in seconds after each of the two edges at which the contact
        flips; an even number of them leaves it where it should be.
        """
        start = self.clock() + after
        for edge, down in ((start, True), (start + seconds, False)):
            self._plan(edge, button, down)
            for number, bounce in enumerate(bounces):
                self._plan(edge + bounce, button, down == bool(number % 2))

    def tick(self) -> None:
        """Carry out the finger's moves that are due."""
        while self._moves and self._moves[0][0] <= self.clock():
            _, _, button, down = heapq.heappop(self._moves)
            self._move(button, down)

    def advance(self, seconds: float, step_s: float = 0.01) -> tuple[PanelEvent, ...]:
        """Let `seconds` pass on the manual clock, polling every `step_s`; returns the events.

        Each of the finger's moves happens at its own time, not at the next step.
        """
        clock = self.clock
        if not isinstance(clock, ManualClock):
            raise TypeError(f"time can only be advanced on a ManualClock, not on {clock!r}")
        events: list[PanelEvent] = []
        start, steps = clock.now, max(1, round(seconds / step_s))
        for step in range(1, steps + 1):
            self._move_until(clock, start + seconds * step / steps)
            events += self.panel.poll()
        return tuple(events)

    def _move_until(self, clock: ManualClock, end: float) -> None:
        while self._moves and self._moves[0][0] <= end:
            clock.now = max(clock.now, self._moves[0][0])
            self.tick()
        clock.now = end

    def _plan(self, moment: float, button: Button, down: bool) -> None:
        heapq.heappush(self._moves, (moment, next(self._order), button, down))

    def _move(self, button: Button, down: bool) -> None:
        pin = self.pins.factory.pin(self.panel.wiring.pins()[f"{button}_button"])
        high = down != self.panel.wiring.buttons_active_low
        pin.drive_high() if high else pin.drive_low()

    # The eyes

    def lamps(self) -> dict[Lamp, Pattern]:
        """What a person watching the panel would say each wired lamp is doing now."""
        now = self.clock()
        pins = self._lamp_pins().items()
        return {lamp: seen(tuple(pin.changes), pin.lit, now) for lamp, pin in pins}

    def lit(self) -> frozenset[Lamp]:
        """The lamps that are lit at this moment."""
        return frozenset(lamp for lamp, pin in self._lamp_pins().items() if pin.lit)

    def sounds(self) -> tuple[float, ...]:
        """The durations in seconds of the buzzer's most recent sounds and silences."""
        if self.panel.wiring.buzzer is None:
            return ()
        pin = self.pins.factory.pin(self.panel.wiring.buzzer)
        return tuple(later - sooner for (sooner, _), (later, _) in pairwise(pin.changes))

    def _lamp_pins(self) -> dict[Lamp, Device]:
        pins = self.panel.wiring.pins()
        names = {lamp: f"{lamp.replace(' ', '_')}_lamp" for lamp in self.panel.showing()}
        return {lamp: self.pins.factory.pin(pins[name]) for lamp, name in names.items()}
