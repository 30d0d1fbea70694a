"""Our panel on real gpiozero, lgpio and kernel lines; run by ``gpio_kernel.sh``.

The finger drives simulated lines; the eyes read the lines of the lamps. A burst of bounces that a
busy machine has stretched beyond what any switch does is repeated.
"""

from __future__ import annotations

import platform
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

from hardware.buzzer import Tone
from hardware.errors import PanelError
from hardware.lamps import Lamp, Pattern
from hardware.panel import Panel
from hardware.pins import Pins, choose_pins
from hardware.press import Button, PanelEvent, Pressed, Touched
from hardware.selftest import Verdict, check_lgpio, check_panel
from hardware.wiring import Wiring

LINES = next(Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*"), Path("/none"))
LONGEST_GAP_S = 0.010
"""Longest gap within a bounce."""
FASTEST_S = 0.022
"""Shortest time for which a level is held, longer than the 15 ms of the debounce; with bounces,
1,150 presses a minute."""
TRIALS = 25
"""How often a trial is repeated if a busy machine stretches its bursts."""
BOUNCE_GAPS_S = (0.0004, 0.001, 0.0006, 0.002)

failures = 0


def tell(what: str, good: bool, detail: object = "") -> None:
    """Print a line, and count failures."""
    global failures  # noqa: PLW0603
    failures += not good
    print(f"{'ok  ' if good else 'FAIL'} {what} {detail}".rstrip(), flush=True)


def pull(gpio: int, level: str) -> None:
    """Pull a line ``up`` or ``down``, as a switch does."""
    (LINES / f"sim_gpio{gpio}" / "pull").write_text(f"pull-{level}")


def level(gpio: int) -> bool:
    """The level of a line."""
    return (LINES / f"sim_gpio{gpio}" / "value").read_text().strip() == "1"


def flip(gpio: int, *, down: bool) -> bool:
    """Close or open a contact with four bounces; False if the machine stretched the burst."""
    times = [time.monotonic()]
    for number, gap in enumerate((*BOUNCE_GAPS_S, 0.0)):
        pull(gpio, "down" if down != bool(number % 2) else "up")
        time.sleep(gap)
        times.append(time.monotonic())
    return max(b - a for a, b in pairwise(times)) < LONGEST_GAP_S


class Finger:
    """Acts in its own thread while the panel is waited for."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=work)

    def run(self, panel: Panel, after_s: float = 0.5) -> list[PanelEvent]:
        """Let it act, and return all events until it has finished."""
        events: list[PanelEvent] = []
        self._thread.start()
        while self._thread.is_alive():
            events += panel.wait(0.05)
        end = time.monotonic() + after_s
        while time.monotonic() < end:
            events += panel.wait(0.05)
        return events


def kinds(events: list[PanelEvent]) -> list[str]:
    """The names of the events."""
    return [type(event).__name__ for event in events]


def trial(panel: Panel, work: Callable[[], bool]) -> tuple[list[PanelEvent], bool]:
    """The panel's events for `work`, repeated until no burst in it was stretched."""
    for _ in range(TRIALS):
        good: list[bool] = []

        def once(good: list[bool] = good) -> None:
            good.append(work())

        events = Finger(once).run(panel)
        if all(good):
            return events, True
    return events, False


def press(gpio: int, held_s: float) -> bool:
    """Press and release, both with bounces; False if a burst was stretched."""
    down = flip(gpio, down=True)
    time.sleep(held_s)
    return flip(gpio, down=False) and down


def try_presses(panel: Panel) -> None:
    """Press each button with bounces; then hold one."""
    pins = panel.wiring.pins()
    for button in Button:
        events, clean = trial(panel, partial(press, pins[f"{button}_button"], 0.2))
        good = clean and kinds(events) == ["Touched", "Pressed"] and events[0].button is button
        tell(f"{button}: five edges down, five up, one press:", good, kinds(events))


def try_hold(panel: Panel) -> None:
    """Hold for three seconds: it acts at two, and the release does nothing."""
    events, clean = trial(panel, partial(press, 6, 3.0))
    good = clean and kinds(events) == ["Touched", "Held"]
    tell("FIX held for three seconds:", good, kinds(events))
    if len(events) == 2:
        waited = events[1].time - events[0].time
        tell("it acts at two seconds:", abs(waited - 2.0) < 1e-6, f"{waited:.6f} s")


def try_many(panel: Panel, series: int = 20, each: int = 10) -> None:
    """A thousand presses a minute, each edge bouncing; in short series that can be repeated."""
    times: list[float] = []

    def drum() -> bool:
        start = time.monotonic()
        good = True
        for _ in range(each):
            good &= press(5, FASTEST_S)
            time.sleep(FASTEST_S)
        times.append(time.monotonic() - start)
        return good

    counted = pressed = touched = 0
    for _ in range(series):
        events, clean = trial(panel, drum)
        if not clean:
            break
        counted += each
        pressed += sum(isinstance(event, Pressed) for event in events)
        touched += sum(isinstance(event, Touched) for event in events)
    rate = each / min(times) * 60
    told = f"{pressed} of {counted}, up to {rate:.0f} a minute, {len(times)} series"
    tell("presses in a row:", pressed == touched == counted == series * each, told)


def try_stall(panel: Panel) -> None:
    """Three presses while nobody looks: the kernel's timestamps separate them afterwards."""
    for _ in range(TRIALS):
        good = True
        for _ in range(3):
            good &= press(13, 0.1)
            time.sleep(0.1)
        events = list(panel.wait(0.5))
        if good:
            break
    acts = [event for event in events if isinstance(event, Pressed)]
    tell("three presses while the loop was away:", good and len(acts) == 3, kinds(events))


def try_stamps(pins: Pins) -> None:
    """Find which clock the driver uses for its timestamps."""
    seen: list[float] = []

    class Watch:
        def changed(self, ticks: float, state: float) -> None:
            seen.append(ticks)

    watch = Watch()
    pin = pins.factory.pin(20)
    pin.function = "input"
    pin.pull = "up"
    pin.edges = "both"
    pin.when_changed = watch.changed
    pull(20, "down")
    before = time.monotonic()
    while not seen and time.monotonic() < before + 2:
        time.sleep(0.01)
    pin.when_changed = None
    pin.close()
    ticks = seen[0] if seen else 0.0
    ages = f"monotonic {before - ticks:+.3f} s, of the day {time.time() - ticks:+.3f} s"
    tell("the driver's time stamps are of a clock we know:", pins.age_s(ticks) > 0, ages)


def levels(gpio: int, seconds: float, panel: Panel) -> list[bool]:
    """The levels of a line while the panel runs."""
    seen, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        panel.wait(0.005)
        seen.append(level(gpio))
    return seen


def rises(seen: list[bool]) -> int:
    """How often the line went high."""
    return sum(later and not sooner for sooner, later in pairwise(seen))


def try_lamps(panel: Panel) -> None:
    """Try each pattern, and the buzzer."""
    for pattern, least, most in (
        (Pattern.STEADY, 0, 0),
        (Pattern.SLOW, 2, 4),
        (Pattern.FAST, 9, 13),
        (Pattern.OFF, 0, 0),
    ):
        panel.show({Lamp.OK: pattern})
        seen = levels(12, 3.0, panel)
        good = least <= rises(seen) <= most and (pattern is Pattern.OFF) != any(seen)
        tell(f"OK lamp {pattern}:", good, f"{rises(seen)} flashes in 3 s")
    panel.sound(Tone.ALARM)
    seen = levels(25, 2.0, panel)
    tell("alarm:", rises([False, *seen]) == 3 and not seen[-1], f"{rises([False, *seen])} beeps")


def try_dimming(pins: Pins) -> None:
    """A dimmed lamp is pulsed: lit for about its share of the time."""
    with Panel(Wiring(pwm_hz=200), pins, brightness=0.5) as panel:
        panel.show({Lamp.HOLD: Pattern.STEADY})
        seen = [level(26) for _ in range(2000)]
        share = sum(seen) / len(seen)
        tell("half-bright lamp:", 0.25 < share < 0.75, f"lit for {share:.0%} of the time")
        panel.show({Lamp.HOLD: Pattern.OFF})
        time.sleep(0.1)
        tell("and dark again:", not any(level(26) for _ in range(100)))


def try_faults(pins: Pins) -> None:
    """Pins in use, and a button that is shorted before the panel opens."""
    try:
        Panel(Wiring(), pins).close()
    except PanelError as error:
        tell("reports pins in use:", True, error)
    else:
        tell("reports pins in use", False)


def try_selftest(pins: Pins) -> None:
    """The self-test finds the shorted button and nothing else.

    Opening a pin with a pull-up pulls a simulated line up, so the short is made afterwards.
    """
    checks = check_panel(Wiring(pwm_hz=0), pins, 0.05)
    opened = next(checks)
    pull(13, "down")
    for check in (check_lgpio(), opened, *checks):
        good = (check.verdict is Verdict.FAIL) == (check.name == "hold button")
        tell(f"self-test: {check}", good)
    pull(13, "up")


def main() -> int:
    """Run everything; return a shell's exit status."""
    print(f"linux {platform.release()}, python {sys.version.split()[0]}", flush=True)
    for gpio in (5, 6, 13):
        pull(gpio, "up")
    pins = choose_pins()
    tell("takes the real pins:", not pins.simulated, pins.name)
    try_stamps(pins)
    with Panel(Wiring(pwm_hz=0), pins) as panel:
        try_presses(panel)
        try_hold(panel)
        try_many(panel)
        try_stall(panel)
        try_lamps(panel)
        try_faults(pins)
    try_dimming(pins)
    try_selftest(pins)
    print("all is well" if not failures else f"{failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
