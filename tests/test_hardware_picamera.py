"""The Pi camera's code against a stand-in for picamera2 that behaves as its manual says.

``tests/pi/virtual_camera.sh`` tries it on the real libcamera and picamera2.
"""

from __future__ import annotations

import sys
import threading
import time
import types
from typing import Any, ClassVar

import numpy as np
import pytest

from hardware.camera import Camera, Picamera2Camera, open_camera
from hardware.errors import CameraError, CameraMissingError, CameraTimeoutError
from hardware.picamera import SETTLED_FRAMES, LightWatch, PiSource

WIDTH, HEIGHT, STRIDE = 8, 4, 32
RED_NV12 = np.array([81] * STRIDE * HEIGHT + [90, 240] * (STRIDE * HEIGHT // 4), np.uint8)


class Request:
    def __init__(self, metadata: dict[str, Any]) -> None:
        self.metadata = metadata
        self.released = False

    def make_buffer(self, name: str) -> Any:
        assert name == "main"
        return RED_NV12

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def release(self) -> None:
        self.released = True


class Picamera2:
    """Gives NV12 with padded rows whatever it is asked for, as libcamera's virtual camera does."""

    infos: ClassVar[list[dict[str, Any]]] = [{"Model": "imx708"}]
    controls: ClassVar[tuple[str, ...]] = ("AeEnable", "AwbEnable", "ExposureTime", "ColourGains")
    made: ClassVar[list[Picamera2]] = []

    def __init__(self, index: int) -> None:
        self.set: list[dict[str, Any]] = []
        self.requests: list[Request] = []
        self.calls: list[str] = []
        self.exposure = 20_000
        Picamera2.made.append(self)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.infos

    @property
    def camera_controls(self) -> dict[str, tuple[int, int, int]]:
        return dict.fromkeys(self.controls, (0, 0, 0))

    def create_video_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        assert main["format"] == "RGB888"
        return {"main": main}

    def configure(self, configuration: dict[str, Any]) -> None:
        self.calls.append("configure")

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": {"format": "NV12", "size": (WIDTH, HEIGHT), "stride": STRIDE}}

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.controls)
        assert not unknown, f"Control {unknown} is not advertised by libcamera"
        self.set.append(controls)

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        raise AssertionError("hangs as long as a capture is waited for; close() stops it too")

    def close(self) -> None:
        self.calls.append("close")

    def capture_request(self, wait: bool) -> Picamera2:
        assert not wait  # it returns a job; this stand-in is its own
        return self

    def get_result(self, timeout: float) -> Request:
        self.exposure = max(10_000, self.exposure - 2_000)
        metadata = {"ExposureTime": self.exposure, "ColourGains": (1.5, 2.0)}
        self.requests.append(Request(metadata))
        return self.requests[-1]


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    Picamera2.made = []
    return Picamera2


def test_pictures_are_decoded_by_the_format_that_the_driver_really_gives(
    driver: type[Picamera2],
) -> None:
    with open_camera("pi") as camera:
        frame = camera.frame()
        assert camera.describe() == "Pi camera 0 (imx708), 8x4 NV12"
    assert frame.image.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(frame.image.astype(int) - (0, 0, 255)).max() <= 3
    made = driver.made[0]
    assert made.calls == ["configure", "start", "close"]
    assert all(request.released for request in made.requests)


def test_only_what_the_camera_supports_is_set(driver: type[Picamera2]) -> None:
    with Picamera2Camera() as camera:
        camera.frame()
    assert driver.made[0].set == [{"AeEnable": True, "AwbEnable": True}]


def test_the_light_is_locked_once_it_has_settled(driver: type[Picamera2]) -> None:
    source = PiSource(0, (WIDTH, HEIGHT), 50)
    source.open()
    waited = 0
    while (kept := source.lock()) is None:
        source.read()
        waited += 1
    # Five frames until the exposure reaches 10 ms, and then as many as must agree.
    assert waited == 5 + SETTLED_FRAMES
    assert kept == "ExposureTime 10000, AeEnable False, ColourGains (1.5, 2.0), AwbEnable False"
    source.unlock()
    assert driver.made[0].set[-1] == {"AeEnable": True, "AwbEnable": True}
    assert source.lock() is None
    source.close()


def test_a_lamp_that_never_settles_is_accepted_as_it_is() -> None:
    watch = LightWatch()
    for number in range(150):
        assert not watch.settled
        watch.see({"ExposureTime": 10_000 * (1 + number % 2)})
    assert watch.settled


def test_a_camera_that_reports_nothing_locks_nothing(
    driver: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "controls", ())
    source = PiSource(0, (WIDTH, HEIGHT), 50)
    source.open()
    for _ in range(5 + SETTLED_FRAMES):
        source.read()
    assert "nothing to lock" in str(source.lock())


@pytest.mark.parametrize(("age_s", "believed"), [(0.04, True), (-3000.0, False), (10_000.0, False)])
def test_the_sensor_s_time_is_used_if_it_is_on_our_clock(
    driver: type[Picamera2], monkeypatch: pytest.MonkeyPatch, age_s: float, believed: bool
) -> None:
    stamp = time.monotonic() - age_s
    monkeypatch.setattr(Request, "get_metadata", lambda self: {"SensorTimestamp": stamp * 1e9})
    source = PiSource(0, (WIDTH, HEIGHT), 50)
    source.open()
    taken = source.read().time_s
    source.close()
    assert (taken == pytest.approx(stamp)) is believed


def test_a_camera_that_is_not_connected(driver: type[Picamera2]) -> None:
    with pytest.raises(CameraMissingError, match="Pi camera 1: found 1 cameras; check the ribbon"):
        open_camera("pi:1")


def test_a_camera_that_is_in_use(driver: type[Picamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(self: Picamera2) -> None:
        raise RuntimeError("Camera __init__ sequence did not complete.")

    monkeypatch.setattr(driver, "start", busy)
    with pytest.raises(CameraError, match=r"\(imx708\) cannot be started: .*another program"):
        open_camera("pi")


def take_pictures(camera: Camera) -> None:
    while True:
        camera.frame()


def test_a_camera_that_hangs_is_released_and_opened_again(
    driver: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(self: Picamera2, timeout: float) -> Request:
        raise TimeoutError

    monkeypatch.setattr("hardware.picamera.HANGS_S", 0.0)
    with open_camera("pi") as camera:
        with monkeypatch.context() as patch:
            patch.setattr(driver, "get_result", hang)
            with pytest.raises(CameraTimeoutError, match="no picture within 0 s; open it again"):
                take_pictures(camera)
        assert camera.reopen() == "Pi camera 0: opened again"
        assert driver.made[0].calls == ["configure", "start", "close"]
        camera.frame()


def test_closing_does_not_wait_for_a_picture_that_does_not_come(
    driver: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = threading.Event()

    def wait(self: Picamera2, timeout: float) -> Request:
        asked.set()
        time.sleep(timeout)
        raise TimeoutError

    monkeypatch.setattr("hardware.picamera.HANGS_S", 600.0)
    monkeypatch.setattr("hardware.capture._CLOSE_TIMEOUT_S", 60.0)  # it returns false after that
    monkeypatch.setattr(driver, "get_result", wait)
    with open_camera("pi") as camera:
        assert asked.wait(60)
        assert camera.close()
    assert driver.made[0].calls == ["configure", "start", "close"]


def test_a_driver_built_for_another_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "picamera2":
                raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(CameraMissingError, match=r"are incompatible .*python3-opencv"):
        open_camera("pi")
