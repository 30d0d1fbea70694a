"""The self-test on made-up machines: a Pi's kernel files, shorted buttons, bad pictures."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CallableCamera, find_camera
from hardware.errors import PanelError
from hardware.panel import Panel
from hardware.pins import choose_pins, lgpio_fault, on_a_pi, simulated_pins
from hardware.pixels import Image
from hardware.rig import PanelRig
from hardware.selftest import (
    Check,
    Verdict,
    check_camera,
    check_disk,
    check_focus,
    check_lgpio,
    check_light,
    check_panel,
    check_power,
    check_temperature,
    run_checks,
)
from hardware.voice import Voice
from hardware.wiring import Wiring


def table() -> Image:
    felt = np.full((240, 320, 3), (60, 110, 50), np.uint8)
    for number in range(8):
        corner = (10 + 38 * number, 60)
        cv2.rectangle(felt, corner, (corner[0] + 30, 110), (235, 235, 235), -1)
        cv2.putText(felt, "Q", (corner[0] + 4, 90), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
    return felt


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def pi(root: Path) -> Path:
    write(root, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    write(root, "sys/class/thermal/thermal_zone0/temp", "52100\n")
    write(root, "sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
    return root


def by_name(checks: list[Check]) -> dict[str, Verdict]:
    return {check.name: check.verdict for check in checks}


def test_a_machine_without_a_pi_passes_on_simulated_pins(tmp_path: Path) -> None:
    checks = list(
        run_checks(
            Wiring(),
            pins=simulated_pins(),
            camera=CallableCamera(table, live=True),
            voice=Voice(which=lambda name: None),
            look_s=0.0,
            root=tmp_path,
        )
    )
    found = by_name(checks)
    assert Verdict.FAIL not in found.values()
    assert found["voice"] is found["board"] is found["temperature"] is Verdict.ABSENT
    works = ("pins", "lamps", "ok button", "fix button", "hold button", "camera", "light", "focus")
    assert all(found[name] is Verdict.OK for name in works)
    assert all("\n" not in str(check) for check in checks)


def test_a_button_that_is_down_at_the_start_is_reported() -> None:
    pins = simulated_pins()
    contact = pins.factory.pin(6)
    contact._set_pull = lambda value: None  # a short to ground is stronger than the pull-up
    contact.drive_low()
    checks = {check.name: check for check in check_panel(Wiring(), pins)}
    assert checks["fix button"].verdict is Verdict.FAIL
    assert "GPIO6 reads pressed" in checks["fix button"].detail
    assert checks["ok button"].verdict is Verdict.OK


def test_pins_in_use_are_reported() -> None:
    pins = simulated_pins()
    assert by_name(list(check_panel(Wiring(), pins)))["pins"] is Verdict.OK
    with Panel(Wiring(), pins):
        assert by_name(list(check_panel(Wiring(), pins))) == {"pins": Verdict.FAIL}


def test_lamps_are_lit_one_after_the_other() -> None:
    with PanelRig() as rig:
        pins, ok, fix = rig.pins, rig.pins.factory.pin(12), rig.pins.factory.pin(16)
        rig.panel.close()
        assert by_name(list(check_panel(Wiring(), pins)))["lamps"] is Verdict.OK
        assert [lit for _, lit in ok.changes][-2:] == [True, False]
        assert [lit for _, lit in fix.changes][-2:] == [True, False]


# The flags of the Raspberry Pi documentation, "vcgencmd get_throttled".
@pytest.mark.parametrize(
    ("flags", "verdict"),
    [
        ("0", Verdict.OK),
        ("50005", Verdict.FAIL),
        ("50000", Verdict.WARN),
        ("80000", Verdict.OK),  # only the soft temperature limit
    ],
)
def test_undervoltage(tmp_path: Path, flags: str, verdict: Verdict) -> None:
    write(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", flags + "\n")
    assert check_power(tmp_path).verdict is verdict


@pytest.mark.parametrize(("alarm", "verdict"), [("0", Verdict.OK), ("1", Verdict.WARN)])
def test_undervoltage_by_the_kernel_s_alarm(tmp_path: Path, alarm: str, verdict: Verdict) -> None:
    write(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
    assert check_power(tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("52100", Verdict.OK), ("77000", Verdict.WARN), ("84500", Verdict.FAIL), ("", Verdict.ABSENT)],
)
def test_temperature(tmp_path: Path, text: str, verdict: Verdict) -> None:
    write(tmp_path, "sys/class/thermal/thermal_zone0/temp", text)
    assert check_temperature(tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("free", "verdict"),
    [(20_000_000_000, Verdict.OK), (500_000_000, Verdict.WARN), (10_000_000, Verdict.FAIL)],
)
def test_disk(tmp_path: Path, free: int, verdict: Verdict) -> None:
    assert check_disk(tmp_path, free).verdict is verdict


def test_a_missing_folder(tmp_path: Path) -> None:
    assert check_disk(tmp_path / "none").verdict is Verdict.FAIL


def test_light() -> None:
    good = table()
    assert check_light(good).verdict is Verdict.OK
    assert "too dark" in check_light((good * 0.2).astype(np.uint8)).detail
    glare = good.copy()
    glare[:, :100] = 255
    assert "too bright" in check_light(glare).detail


def test_focus() -> None:
    assert check_focus(table()).verdict is Verdict.OK
    blurred = np.asarray(cv2.GaussianBlur(table(), (0, 0), 6), np.uint8)
    assert check_focus(blurred).verdict is Verdict.WARN


def test_a_missing_camera(tmp_path: Path) -> None:
    camera = find_camera("virtual", virtual=lambda: np.zeros((4, 4), np.uint8))
    assert by_name(list(check_camera(camera))) == {"camera": Verdict.FAIL}
    assert by_name(list(check_camera(None))) == {"camera": Verdict.ABSENT}


def test_a_photograph_is_checked_too(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), table())
    checks = by_name(list(check_camera(find_camera(str(tmp_path)))))
    assert set(checks.values()) == {Verdict.OK}


# The pin driver


def test_boards_are_distinguished(tmp_path: Path) -> None:
    assert not on_a_pi(tmp_path)
    write(tmp_path, "proc/cpuinfo", "processor\t: 0\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n")
    assert on_a_pi(tmp_path)


def test_the_empty_lgpio_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lgpio.py").write_text("__version__ = '0.0.0.2'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    fault = lgpio_fault()
    assert fault is not None
    assert "empty placeholder" in fault
    check = check_lgpio(pi(tmp_path))
    assert check.verdict is Verdict.FAIL
    assert "apt install python3-lgpio" in check.detail
    with pytest.raises(PanelError, match="apt install python3-lgpio"):
        choose_pins(simulate=False)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)


def test_a_missing_lgpio_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert lgpio_fault() == "it is not installed"


def test_a_chip_that_may_not_be_opened_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(chip: int) -> int:
        raise PermissionError("can not open gpiochip")

    stand_in = types.ModuleType("lgpio")
    for name in ("SET_PULL_NONE", "BOTH_EDGES", "RISING_EDGE", "FALLING_EDGE"):
        setattr(stand_in, name, 0)
    stand_in.gpiochip_open = refuse  # type: ignore[attr-defined]
    stand_in.__spec__ = types.SimpleNamespace()  # type: ignore[assignment]
    monkeypatch.setitem(sys.modules, "lgpio", stand_in)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PanelError, match=r"the GPIO chip cannot be opened: .*group 'gpio'"):
        choose_pins(simulate=False)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
