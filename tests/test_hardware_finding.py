"""The cameras of a machine, as Linux and libcamera list them."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from hardware.finding import FoundCamera, found_cameras


def plugged(root: Path, number: int, name: str, index: int = 0) -> None:
    folder = root / f"sys/class/video4linux/video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n")
    (folder / "index").write_text(f"{index}\n")
    (root / "dev").mkdir(exist_ok=True)
    (root / f"dev/video{number}").touch()


def test_a_laptop_without_a_camera_has_none(tmp_path: Path) -> None:
    assert found_cameras(tmp_path) == ()


def test_webcams_are_found_by_number_without_their_second_devices(tmp_path: Path) -> None:
    plugged(tmp_path, 10, "HD Pro Webcam C920")
    plugged(tmp_path, 2, "Integrated Camera")
    plugged(tmp_path, 3, "Integrated Camera", index=1)
    assert found_cameras(tmp_path) == (
        FoundCamera("/dev/video2", "Integrated Camera"),
        FoundCamera("/dev/video10", "HD Pro Webcam C920"),
    )


def test_a_camera_whose_device_is_gone_is_not_listed(tmp_path: Path) -> None:
    plugged(tmp_path, 0, "Integrated Camera")
    (tmp_path / "dev/video0").unlink()
    assert found_cameras(tmp_path) == ()


# As listed by v4l2-ctl --list-devices on a Pi 4 and a Pi 5.
@pytest.mark.parametrize(
    "name", ["bcm2835-codec-decode", "bcm2835-isp", "rpivid", "rpi-hevc-dec", "pispbe-input",
             "rp1-cfe-csi2_ch0", "unicam-image"],
)  # fmt: skip
def test_the_parts_of_a_pi_are_not_cameras(name: str, tmp_path: Path) -> None:
    plugged(tmp_path, 0, name)
    assert found_cameras(tmp_path) == ()


def test_a_camera_on_the_ribbon_comes_first_and_a_webcam_is_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [
        {"Model": "imx708_wide", "Id": "/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a"},
        {"Model": "C920", "Id": "/base/axi/pcie@120000/rp1/usb@200000-1:1.0-046d:082d"},
    ]
    module = types.ModuleType("picamera2")
    module.Picamera2 = types.SimpleNamespace(global_camera_info=lambda: told)  # type: ignore[attr-defined]
    module.__spec__ = types.SimpleNamespace()  # type: ignore[assignment]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    plugged(tmp_path, 0, "C920")
    assert [one.source for one in found_cameras(tmp_path)] == ["pi", "/dev/video0"]
