"""The wiring against gpiozero's own table of the board, and every way to get it wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from hardware.errors import HardwareError, WiringError
from hardware.header import BUSES, PINS, physical
from hardware.wiring import Wiring


def test_the_header_is_gpiozero_s() -> None:
    header = MockFactory(revision="c04170").board_info.headers["J8"]
    assert [header.pins[number].name for number in range(1, 41)] == list(PINS)


def test_bus_pins_are_gpiozero_s() -> None:
    header = MockFactory(revision="c04170").board_info.headers["J8"]
    functions = {pin.name: pin.interfaces for pin in header.pins.values()}
    for bus in ("i2c", "uart", "spi"):
        for gpio in BUSES[bus]:
            assert bus in functions[f"GPIO{gpio}"]


@pytest.mark.parametrize(("gpio", "pin"), [(2, 3), (4, 7), (17, 11), (25, 22), (13, 33), (21, 40)])
def test_physical_pins(gpio: int, pin: int) -> None:
    assert physical(gpio) == pin


def test_the_reference_box_leaves_buses_and_sound_boards_alone() -> None:
    taken = set(Wiring().pins().values())
    assert all(taken.isdisjoint(pins) for pins in BUSES.values())


def test_the_reference_lamps_and_buzzer_stay_dark_while_the_board_starts() -> None:
    quiet = {use: pin for use, pin in Wiring().pins().items() if not use.endswith("button")}
    # BCM2711 and RP1 data sheets: GPIO 0 to 8 idle high, 9 to 27 low.
    assert all(pin >= 9 for pin in quiet.values())


def test_a_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text(
        '[buttons]\nok = 22\nactive = "high"\n[lamps]\npwm_hz = 0\nactive = "low"\n'
        "[buzzer]\npin = 0\n[seats]\npins = [17, 27]\n[header]\nbuses = []\n"
    )
    wiring = Wiring.load(path)
    assert (wiring.ok_button, wiring.fix_button) == (22, 6)
    assert not wiring.buttons_active_low
    assert wiring.lamps_active_low
    assert (wiring.buzzer, wiring.pwm_hz, wiring.buses) == (None, 0, ())
    assert wiring.pins()["seat_2_lamp"] == 27


def test_an_empty_table_is_the_reference_box() -> None:
    assert Wiring.from_mapping({}) == Wiring()


def test_disabled_buses_free_their_pins() -> None:
    assert Wiring(ok_button=2, buses=("uart",)).ok_button == 2


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"buttons": {"ok": 6}}, "GPIO6 is used twice, for ok_button and fix_button"),
        ({"buttons": {"ok": 28}}, "ok_button: 28 is not a GPIO of the header: expected 0 to 27"),
        ({"buttons": {"ok": -1}}, "-1 is not a GPIO"),
        ({"buttons": {"ok": "GPIO5"}}, "[buttons] ok must be a BCM number, not 'GPIO5'"),
        ({"buttons": {"ok": True}}, "[buttons] ok must be a BCM number, not True"),
        ({"buttons": {"ok": 0}}, "GPIO0 belongs to the id bus"),
        ({"lamps": {"fix": 1}}, "GPIO1 belongs to the id bus"),
        ({"lamps": {"ok": 14}}, "GPIO14 belongs to the uart bus"),
        ({"buzzer": {"pin": 3}}, "GPIO3 belongs to the i2c bus"),
        ({"header": {"buses": ["spi"]}, "seats": {"pins": [9]}}, "GPIO9 belongs to the spi bus"),
        ({"header": {"buses": ["can"]}}, "no bus is called 'can'"),
        ({"header": {"buses": "uart"}}, "[header] buses must be a list of names, not 'uart'"),
        ({"lamps": {"pwm_hz": 50_000}}, "pwm_hz must be between 0 and 1000 Hz, not 50000"),
        ({"buttons": {"active": "down"}}, '[buttons] active must be "low" or "high"'),
        ({"buttons": {"active": ["low"]}}, "[buttons] active must be"),
        ({"buttons": {"undo": 7}}, "[buttons] undo is not known"),
        ({"leds": {}}, "[leds] is not a section of the wiring"),
        ({"buttons": 5}, "buttons must be a table, not 5"),
        ({"seats": {"pins": [4, 4]}}, "GPIO4 is used twice, for seat_1_lamp and seat_2_lamp"),
    ],
)
def test_faults_are_reported(table: dict[str, object], told: str) -> None:
    with pytest.raises(WiringError) as caught:
        Wiring.from_mapping(table, "box.toml")
    assert told in str(caught.value)
    assert str(caught.value).startswith("box.toml: ")
    assert "\n" not in str(caught.value)


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(WiringError) as caught:
        Wiring.from_mapping({"buttons": {"ok": "five", "fix": 40, "undo": 1}, "lamps": {"ok": 14}})
    assert len(caught.value.faults) == 4


def test_eleven_seats_are_too_many() -> None:
    with pytest.raises(WiringError, match="at most 10 seat lamps, not 11"):
        Wiring(seat_lamps=(4, 17, 27, 22, 23, 24, 10, 9, 11, 8, 7))


@pytest.mark.parametrize("text", [None, "[buttons", "\xff"])
def test_unreadable_files(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "box.toml"
    if text is not None:
        path.write_bytes(text.encode("latin-1"))
    with pytest.raises(WiringError, match="cannot be read") as caught:
        Wiring.load(path)
    assert str(path) in str(caught.value)
    assert isinstance(caught.value, HardwareError)
    assert isinstance(caught.value, ValueError)
