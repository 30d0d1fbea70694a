"""The dealer's panel: three lit buttons, a buzzer and, if wired, a row of seat lamps.

Edges arrive in gpiozero's own thread and are only queued there, each with the kernel's time stamp;
`Panel.poll` turns them into events and drives the lamps and the buzzer. We debounce ourselves
(`hardware.press`), so that it works the same on every pin driver and can be tested on simulated
pins.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import NamedTuple, Self

import gpiozero  # type: ignore[import-untyped]

from hardware.buzzer import Buzzer, Tone
from hardware.errors import PanelError
from hardware.lamps import Lamp, Lamps, Light, Pattern
from hardware.pins import Device, Pins, choose_pins
from hardware.press import Button, PanelEvent, Press, Timing, Touched
from hardware.wiring import Wiring

_LOST_EDGE_S = 0.1
"""Seconds that the level must contradict the last edge before an edge counts as lost."""
_LONGEST_NAP_S = 0.1
"""`wait` checks the contacts at least this often, to notice a lost edge."""


class _Edge(NamedTuple):
    line: _Line
    down: bool
    time: float


class _Line:
    """One button's pin: queues its edges and notices lost ones."""

    def __init__(self, panel: Panel, button: Button, device: Device, timing: Timing) -> None:
        self._panel = panel
        self._device = device
        self.press = Press(button, down=bool(device.is_active), now=panel.clock(), timing=timing)
        self._differs_since: float | None = None
        device.pin.edges = "both"
        device.pin.when_changed = self._changed

    def _changed(self, ticks: float, state: float) -> None:
        down = bool(state) != self._panel.wiring.buttons_active_low
        self._panel.take_edge(_Edge(self, down, self._panel.edge_time(ticks)))

    def missed(self, now: float) -> tuple[PanelEvent, ...]:
        """Compare the contact with its last edge, and catch up if they have differed for long."""
        if bool(self._device.is_active) == self.press.level:
            self._differs_since = None
            return ()
        if self._differs_since is None:
            self._differs_since = now
        if now < self._differs_since + _LOST_EDGE_S:
            return ()
        return self.press.edge(not self.press.level, self._differs_since)

    def close(self) -> None:
        self._device.pin.when_changed = None
        self._device.close()


class Panel:
    """The panel of one box, from its wiring.

    A button's lamp flicks as soon as its touch is certain. `clock` returns seconds and never goes
    back; all events are dated by it. Every method may be called from any thread. Raises
    `PanelError` if a pin is not available.

    >>> from hardware.pins import simulated_pins
    >>> with Panel(pins=simulated_pins()) as panel:
    ...     panel.show({Lamp.OK: Pattern.SLOW})
    ...     panel.poll()
    ...     panel.showing()[Lamp.OK].value
    ()
    'slow'
    """

    def __init__(
        self,
        wiring: Wiring | None = None,
        pins: Pins | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        timing: Timing | None = None,
        brightness: float = 1.0,
    ) -> None:
        self.wiring = wiring or Wiring()
        self.pins = pins or choose_pins()
        self.clock = clock
        self._timing = timing or Timing()
        self._edges: deque[_Edge] = deque()
        self._woken = threading.Event()
        self._lock = threading.RLock()
        self._stack = ExitStack()
        with ExitStack() as undo:
            undo.callback(self._stack.close)
            self._lamps = Lamps(self._open_lamps(), brightness)
            self._buzzer = Buzzer(self._open_buzzer())
            self._lines = {button: self._open_line(button) for button in Button}
            undo.pop_all()
        self._lamps.tick(self.clock())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Switch off the lamps, silence the buzzer and release the pins."""
        with self._lock:
            self._stack.close()

    # Buttons

    def poll(self, now: float | None = None) -> tuple[PanelEvent, ...]:
        """What has happened at the buttons since the last call, oldest first.

        Also drives the lamps and the buzzer, so call it at least every 50 ms, or use `wait`.
        """
        with self._lock:
            now = self.clock() if now is None else now
            events: list[PanelEvent] = []
            while self._edges:
                edge = self._edges.popleft()
                events += edge.line.press.edge(edge.down, edge.time)
            for line in self._lines.values():
                events += line.missed(now)
                events += line.press.settle(now)
            touched = [Lamp.of(event.button) for event in events if isinstance(event, Touched)]
            self._lamps.flick(touched, now)
            self._tick(now)
            return tuple(sorted(events, key=lambda event: event.time))

    def wait(self, timeout_s: float | None = None) -> tuple[PanelEvent, ...]:
        """Wait up to `timeout_s` seconds for events, driving lamps and buzzer meanwhile."""
        end = None if timeout_s is None else self.clock() + timeout_s
        while True:
            self._woken.clear()
            events = self.poll()
            left = _LONGEST_NAP_S if end is None else end - self.clock()
            if events or left <= 0:
                return events
            self._woken.wait(min(left, self._nap()))

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The buttons, from left to right."""
        return tuple(self._lines)

    def down(self) -> frozenset[Button]:
        """The buttons whose contacts are closed at this moment, not debounced."""
        return frozenset(b for b, line in self._lines.items() if line.press.level)

    def edge_time(self, ticks: float) -> float:
        """The time on the panel's clock of an edge with the driver's time stamp."""
        return self.clock() - self.pins.age_s(ticks)

    def take_edge(self, edge: _Edge) -> None:
        """Queue an edge; called in the pin driver's thread."""
        self._edges.append(edge)
        self._woken.set()

    def _nap(self) -> float:
        now = self.clock()
        with self._lock:
            times = [line.press.deadline() for line in self._lines.values()]
            times += [self._lamps.deadline(now), self._buzzer.deadline(now)]
        due = min((moment for moment in times if moment is not None), default=now + _LONGEST_NAP_S)
        return min(max(due - now, 0.0), _LONGEST_NAP_S)

    # Lamps and buzzer

    def show(self, patterns: Mapping[Lamp, Pattern]) -> None:
        """Show these patterns on these lamps from now on; the others keep theirs.

        A lamp already showing its pattern keeps its rhythm; one that is not wired is ignored.
        """
        with self._lock:
            now = self.clock()
            self._lamps.show(patterns, now)
            self._lamps.tick(now)

    def show_only(self, patterns: Mapping[Lamp, Pattern]) -> None:
        """Show these patterns on these lamps and switch off all others."""
        self.show({lamp: patterns.get(lamp, Pattern.OFF) for lamp in Lamp})

    def showing(self) -> dict[Lamp, Pattern]:
        """The pattern that each wired lamp has been given."""
        return self._lamps.showing()

    def flick(self, *lamps: Lamp) -> None:
        """Invert these lamps for a tenth of a second."""
        with self._lock:
            now = self.clock()
            self._lamps.flick(lamps, now)
            self._lamps.tick(now)

    def dim(self, brightness: float) -> None:
        """Set the brightness of lit lamps, from 0 to 1."""
        with self._lock:
            self._lamps.dim(brightness)
            self._lamps.tick(self.clock())

    def sound(self, tone: Tone) -> None:
        """Start a tone; `poll` or `wait` keeps it playing."""
        with self._lock:
            now = self.clock()
            self._buzzer.play(tone, now)
            self._buzzer.tick(now)

    def _tick(self, now: float) -> None:
        self._lamps.tick(now)
        self._buzzer.tick(now)

    # Opening

    def _open(self, what: str, pin: int, kind: Callable[..., Device], **options: object) -> Device:
        try:
            return kind(pin, pin_factory=self.pins.factory, **options)
        except Exception as error:  # gpiozero, lgpio and the kernel each raise their own exceptions
            raise PanelError(
                f"{what}: GPIO{pin} cannot be used ({self.pins.name}): {error}"
            ) from error

    def _open_lamps(self) -> dict[Lamp, Light]:
        wiring = self.wiring
        pins = {Lamp.OK: wiring.ok_lamp, Lamp.FIX: wiring.fix_lamp, Lamp.HOLD: wiring.hold_lamp}
        pins |= {Lamp.seat(seat): pin for seat, pin in enumerate(wiring.seat_lamps, 1)}
        return {lamp: self._open_lamp(lamp, pin) for lamp, pin in pins.items()}

    def _open_lamp(self, lamp: Lamp, pin: int) -> Device:
        options: dict[str, object] = {"active_high": not self.wiring.lamps_active_low}
        kind = gpiozero.LED
        if self.wiring.pwm_hz:
            kind, options["frequency"] = gpiozero.PWMLED, self.wiring.pwm_hz
        light = self._open(f"{lamp} lamp", pin, kind, **options)
        self._stack.callback(_put_out, light)
        return light

    def _open_buzzer(self) -> Device:
        if self.wiring.buzzer is None:
            return None
        high = not self.wiring.buzzer_active_low
        buzzer = self._open("buzzer", self.wiring.buzzer, gpiozero.Buzzer, active_high=high)
        self._stack.callback(_put_out, buzzer)
        return buzzer

    def _open_line(self, button: Button) -> _Line:
        pins = {
            Button.OK: self.wiring.ok_button,
            Button.FIX: self.wiring.fix_button,
            Button.HOLD: self.wiring.hold_button,
        }
        # Not gpiozero.Button: it runs a thread for holds, which we would not use.
        device = self._open(
            f"{button} button",
            pins[button],
            gpiozero.InputDevice,
            pull_up=self.wiring.buttons_active_low,
        )
        line = _Line(self, button, device, self._timing)
        self._stack.callback(line.close)
        return line


def _put_out(device: Device) -> None:
    device.off()
    device.close()
