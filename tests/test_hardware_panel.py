"""The real panel on gpiozero's simulated pins: fingers, lamps and the buzzer."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

import pytest

from hardware.buzzer import Tone
from hardware.errors import PanelError
from hardware.lamps import FLICK_S, Lamp, Pattern
from hardware.panel import Panel
from hardware.pins import Pins, simulated_pins
from hardware.press import Button, Freed, Held, Pressed, Stuck, Touched
from hardware.rig import ManualClock, PanelRig
from hardware.wiring import Wiring
from tests.draws import NIGHTLY

BOUNCES = (0.001, 0.0015, 0.004, 0.006)
PRESSES = 2000 if NIGHTLY else 500
"""For each button, at a thousand a minute."""


@pytest.fixture
def rig() -> Iterator[PanelRig]:
    with PanelRig() as made:
        yield made


def test_each_button_is_itself(rig: PanelRig) -> None:
    for button in Button:
        rig.press(button, bounces=BOUNCES)
        events = rig.advance(0.5)
        assert [(type(e), e.button) for e in events] == [(Touched, button), (Pressed, button)]


def test_a_closed_contact_is_a_low_pin(rig: PanelRig) -> None:
    assert rig.pins.factory.pin(5).state
    rig.pins.factory.pin(5).drive_low()
    assert [(type(e), e.button) for e in rig.advance(0.1)] == [(Touched, Button.OK)]


def test_a_hold_is_reported_at_two_seconds(rig: PanelRig) -> None:
    rig.press(Button.FIX, seconds=3.0, bounces=BOUNCES)
    events = rig.advance(5.0)
    assert [type(e) for e in events] == [Touched, Held]
    assert events[1].time - events[0].time == pytest.approx(2.0)


def test_two_buttons_at_once_are_two_presses(rig: PanelRig) -> None:
    rig.press(Button.OK, 0.5, bounces=BOUNCES)
    rig.press(Button.HOLD, 0.3, after=0.1, bounces=BOUNCES)
    acts = [e.button for e in rig.advance(1.0) if isinstance(e, Pressed)]
    assert acts == [Button.HOLD, Button.OK]


def test_three_buttons_a_thousand_presses_a_minute_each(rig: PanelRig) -> None:
    # Polled at 20 Hz, as by a loop that is busy reading pictures.
    for number in range(PRESSES):
        for button in Button:
            rig.press(button, 0.03, after=0.06 * number, bounces=BOUNCES)
    counts = Counter((type(e), e.button) for e in rig.advance(0.06 * PRESSES + 1.0, step_s=0.05))
    assert counts == {(kind, b): PRESSES for kind in (Touched, Pressed) for b in Button}


def test_a_loop_that_was_away_for_a_minute_finds_every_press(rig: PanelRig) -> None:
    for number in range(100):
        rig.press(Button.OK, 0.2, after=0.5 * number)
    events = rig.advance(60.0, step_s=60.0)
    assert sum(isinstance(e, Pressed) for e in events) == 100
    assert [e.time for e in events] == sorted(e.time for e in events)


def test_a_stuck_button_leaves_the_others_alone(rig: PanelRig) -> None:
    rig.down(Button.HOLD)
    events = rig.advance(40.0, step_s=0.1)
    assert [type(e) for e in events] == [Touched, Held, Stuck]
    rig.press(Button.OK)
    assert [e.button for e in rig.advance(1.0)] == [Button.OK, Button.OK]
    rig.up(Button.HOLD)
    assert [type(e) for e in rig.advance(1.0)] == [Freed]


def test_a_button_that_is_down_when_the_panel_opens_does_not_act() -> None:
    clock, pins = ManualClock(), simulated_pins()
    with Panel(pins=pins, clock=clock):
        pass
    rest = pins.factory.pin(6)
    rest.drive_low()
    rest._set_pull = lambda value: None  # a short to ground is stronger than the pull-up
    with Panel(pins=pins, clock=clock) as panel:
        assert panel.down() == {Button.FIX}
        clock.now = 1.0
        assert panel.poll() == ()
        rest.drive_high()
        clock.now = 2.0
        assert panel.poll() == ()


def test_a_lost_edge_is_found_by_looking_at_the_pin(rig: PanelRig) -> None:
    contact = rig.pins.factory.pin(5)
    contact.edges = "none"
    rig.down(Button.OK)
    assert [type(e) for e in rig.advance(0.5)] == [Touched]
    rig.up(Button.OK)
    assert [type(e) for e in rig.advance(0.5)] == [Pressed]


def test_buttons_may_switch_to_plus() -> None:
    with PanelRig(Wiring(buttons_active_low=False)) as rig:
        assert not rig.pins.factory.pin(5).state
        rig.press(Button.OK)
        assert [type(e) for e in rig.advance(1.0)] == [Touched, Pressed]


def test_a_touch_flicks_its_lamp_at_once_and_the_pattern_comes_back(rig: PanelRig) -> None:
    rig.panel.show({Lamp.OK: Pattern.STEADY})
    rig.press(Button.OK, 1.0)
    rig.press(Button.FIX, 1.0)
    rig.advance(0.05)
    assert rig.lit() == {Lamp.FIX}
    rig.advance(FLICK_S)
    assert rig.lit() == {Lamp.OK}


@pytest.mark.parametrize("moment", [0.43, 0.47, 0.49, 0.5, 0.97, 1.0])
def test_a_touch_is_visible_even_at_the_moment_of_a_blink(rig: PanelRig, moment: float) -> None:
    rig.panel.show({Lamp.FIX: Pattern.SLOW})
    rig.advance(moment, 0.01)
    before = Lamp.FIX in rig.lit()
    rig.press(Button.FIX, 0.5)
    rig.advance(0.03, 0.005)
    pin = rig.pins.factory.pin(rig.panel.wiring.fix_lamp)
    changes = [time for time, _ in pin.changes if time >= moment]
    # A regular blink may come before the touch is certain; the touch is an edge of its own.
    touched = [time for time in changes if abs(time - moment - 0.015) < 0.007]
    assert touched or (Lamp.FIX in rig.lit()) != before


@pytest.mark.parametrize("pattern", list(Pattern))
@pytest.mark.parametrize("step_s", [0.01, 0.05])
def test_a_watcher_distinguishes_the_patterns(
    rig: PanelRig, pattern: Pattern, step_s: float
) -> None:
    rig.panel.show({Lamp.FIX: pattern})
    rig.advance(2.5, step_s)
    for _ in range(40):
        rig.advance(0.07, step_s)
        assert rig.lamps() == {Lamp.OK: Pattern.OFF, Lamp.FIX: pattern, Lamp.HOLD: Pattern.OFF}


def test_a_watcher_sees_a_change_of_pattern_within_two_seconds(rig: PanelRig) -> None:
    for pattern in [*Pattern, *reversed(Pattern)]:
        rig.panel.show({Lamp.HOLD: pattern})
        rig.advance(2.0)
        assert rig.lamps()[Lamp.HOLD] is pattern


def test_setting_a_lamp_again_keeps_its_rhythm(rig: PanelRig) -> None:
    for _ in range(360):
        rig.panel.show({Lamp.OK: Pattern.SLOW})
        rig.advance(1 / 128)
    changes = [time for time, _ in rig.pins.factory.pin(12).changes]
    assert changes == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]


def test_lamps_set_together_blink_together(rig: PanelRig) -> None:
    rig.panel.show(dict.fromkeys((Lamp.OK, Lamp.FIX, Lamp.HOLD), Pattern.FAST))
    for _ in range(100):
        rig.advance(0.03)
        assert rig.lit() in (frozenset(), {Lamp.OK, Lamp.FIX, Lamp.HOLD})


def test_show_only_puts_out_the_rest(rig: PanelRig) -> None:
    rig.panel.show({Lamp.OK: Pattern.STEADY, Lamp.FIX: Pattern.SLOW})
    rig.panel.show_only({Lamp.HOLD: Pattern.STEADY})
    assert rig.lit() == {Lamp.HOLD}


def test_seat_lamps_are_optional() -> None:
    with PanelRig(Wiring(seat_lamps=(17, 27))) as rig:
        rig.panel.show({Lamp.seat(2): Pattern.FAST, Lamp.seat(9): Pattern.STEADY})
        rig.advance(1.0)
        assert rig.lamps()[Lamp.SEAT_2] is Pattern.FAST
        assert Lamp.SEAT_9 not in rig.lamps()


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("pwm_hz", [0, 200])
def test_lamps_to_either_rail(inverted: bool, pwm_hz: int) -> None:
    with PanelRig(Wiring(lamps_active_low=inverted, pwm_hz=pwm_hz)) as rig:
        assert bool(rig.pins.factory.pin(12).state) is inverted
        rig.panel.show({Lamp.OK: Pattern.STEADY})
        assert bool(rig.pins.factory.pin(12).state) is not inverted
        assert rig.lit() == {Lamp.OK}


def test_dimmed_lamps_are_pulsed(rig: PanelRig) -> None:
    rig.panel.show({Lamp.OK: Pattern.STEADY})
    rig.panel.dim(0.25)
    assert rig.pins.factory.pin(12).state == 0.25
    assert rig.pins.factory.pin(12).frequency == 200
    assert rig.lit() == {Lamp.OK}
    with pytest.raises(ValueError, match="between 0 and 1, not 2"):
        rig.panel.dim(2)


@pytest.mark.parametrize("tone", list(Tone))
def test_tones_sound_as_written_and_end(rig: PanelRig, tone: Tone) -> None:
    rig.panel.sound(tone)
    rig.advance(3.0)
    assert rig.sounds() == pytest.approx(tone.value)
    assert not rig.pins.factory.pin(25).state


def test_a_new_tone_replaces_the_old_one(rig: PanelRig) -> None:
    rig.panel.sound(Tone.ALARM)
    rig.advance(0.1)
    rig.panel.sound(Tone.TICK)
    rig.advance(1.0)
    assert rig.sounds() == pytest.approx([0.13])


def test_a_box_without_buzzer_is_silent() -> None:
    with PanelRig(Wiring(buzzer=None)) as rig:
        rig.panel.sound(Tone.ALARM)
        rig.advance(1.0)
        assert rig.sounds() == ()


def test_a_closed_panel_is_dark_and_its_pins_are_free() -> None:
    pins = simulated_pins()
    panel = Panel(pins=pins)
    panel.show(dict.fromkeys(Lamp, Pattern.STEADY))
    panel.close()
    assert not any(pins.factory.pin(gpio).state for gpio in (12, 16, 26))
    Panel(pins=pins).close()


def test_a_pin_in_use_is_reported_and_the_others_are_released() -> None:
    pins = simulated_pins()
    with Panel(Wiring(ok_button=17, fix_button=27, hold_button=22), pins):
        with pytest.raises(PanelError, match=r"ok lamp: GPIO12 cannot be used \(simulated pins\)"):
            Panel(pins=pins)
        with pytest.raises(PanelError):
            Panel(pins=pins)
    Panel(pins=pins).close()


def test_waiting_ends_with_a_press_from_another_thread() -> None:
    with PanelRig.live() as rig:
        assert rig.panel.wait(0.0) == ()

        def finger() -> None:
            rig.down(Button.HOLD)

        thread = threading.Thread(target=finger)
        thread.start()
        events = rig.panel.wait(30.0)
        thread.join()
    assert [(type(e), e.button) for e in events] == [(Touched, Button.HOLD)]


def test_waiting_keeps_the_lamps_going() -> None:
    with PanelRig.live() as rig:
        rig.panel.show({Lamp.OK: Pattern.FAST})
        rig.panel.wait(0.4)
        assert len(rig.pins.factory.pin(12).changes) >= 3


def test_edges_carry_the_driver_s_time() -> None:
    class Factory:
        def ticks(self) -> float:
            return 100.0

        def ticks_diff(self, later: float, earlier: float) -> float:
            return later - earlier

    pins = Pins(Factory(), simulated=False, name="fake")
    assert pins.age_s(99.75) == 0.25
    assert pins.age_s(100.5) == 0.0  # a stamp from the future is on another clock
    assert pins.age_s(3.0) == 0.0


def test_a_manual_clock_is_needed_to_advance() -> None:
    with PanelRig.live() as rig, pytest.raises(TypeError, match="only be advanced on a Manual"):
        rig.advance(1.0)
