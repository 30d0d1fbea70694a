"""Every kind of camera on small generated files, and every way in which it can fail."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from hardware.camera import (
    CallableCamera,
    Camera,
    FolderCamera,
    find_camera,
    open_camera,
    read_photo,
)
from hardware.capture import Shot, Source
from hardware.errors import (
    CameraError,
    CameraMissingError,
    CameraStuckError,
    CameraTimeoutError,
    EndOfPicturesError,
    HardwareError,
)
from hardware.pixels import Image
from hardware.settling import TRIED_MOST, Settling


def grey(value: int, size: tuple[int, int] = (64, 48)) -> Image:
    return np.full((size[1], size[0], 3), value, np.uint8)


def shade(image: Image) -> int:
    return round(float(image.mean()) / 10) * 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, value in (("b.png", 100), ("a.JPG", 50), ("c.bmp", 200)):
        cv2.imwrite(str(tmp_path / name), grey(value))
    (tmp_path / "notes.txt").write_text("no photograph")
    (tmp_path / "d.jpg").mkdir()
    return tmp_path


class Hanging(Source):
    """Opens or reads until it is released."""

    live = True

    def __init__(self, release: threading.Event, *, at_open: bool = False) -> None:
        self.release = release
        self.at_open = at_open

    def open(self) -> None:
        if self.at_open:
            self.release.wait(60)

    def read(self) -> Shot:
        self.release.wait(60)
        return Shot(grey(1), 0.0)

    def close(self) -> None:
        pass

    def describe(self) -> str:
        return "a camera that hangs"


# Folders and photographs


def test_a_folder_gives_its_photographs_by_name(folder: Path) -> None:
    with open_camera(str(folder)) as camera:
        assert "3 photographs" in camera.describe()
        frames = [camera.frame() for _ in range(3)]
        with pytest.raises(EndOfPicturesError, match="ends after 3 photographs"):
            camera.frame()
        with pytest.raises(EOFError):
            camera.frame()
    assert [shade(frame.image) for frame in frames] == [50, 100, 200]
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert [frame.time_s for frame in frames] == [0.0, 0.5, 1.0]


def test_a_folder_may_repeat_its_last_picture(folder: Path) -> None:
    with FolderCamera(folder, repeat=2) as camera:
        assert [shade(camera.frame().image) for _ in range(4)] == [50, 50, 100, 100]


def test_a_photograph_is_a_table_too(folder: Path) -> None:
    with open_camera(str(folder / "a.JPG")) as camera:
        assert shade(camera.frame().image) == 50
        with pytest.raises(EndOfPicturesError):
            camera.frame()


def test_a_reopened_folder_begins_again(folder: Path) -> None:
    with open_camera(str(folder)) as camera:
        camera.frame()
        assert "opened again" in camera.reopen()
        assert camera.frame().number == 0


def test_a_photograph_is_turned_upright(tmp_path: Path) -> None:
    data = cv2.imencode(".jpg", grey(90, (64, 48)))[1].tobytes()
    # Exif orientation 6: the camera was held upright, turned by 90 degrees.
    tiff = bytes.fromhex("49492a00080000000100 1201 0300 01000000 0600 0000 00000000")
    segment = b"Exif\0\0" + tiff
    turned = data[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + data[2:]
    path = tmp_path / "turned.jpg"
    path.write_bytes(turned)
    assert read_photo(path).shape == (64, 48, 3)


# Functions


def test_a_function_is_called_once_for_each_picture_asked_for() -> None:
    calls: list[int] = []

    def draw() -> Image:
        calls.append(len(calls))
        return grey(len(calls))

    with open_camera("virtual", virtual=draw) as camera:
        for number in range(5):
            assert calls == list(range(number))
            frame = camera.frame()
            assert (frame.number, int(frame.image[0, 0, 0])) == (number, number + 1)


def test_a_function_may_be_live_and_only_the_newest_picture_counts() -> None:
    count = 0
    drawn_ten = threading.Event()

    def draw() -> Image:
        nonlocal count
        count += 1
        if count == 10:
            drawn_ten.set()
        return grey(count)

    with CallableCamera(draw, live=True) as camera:
        assert drawn_ten.wait(30)
        first, second = camera.frame(), camera.frame()
    assert first.number >= 8
    assert second.number > first.number


def test_a_function_s_clock_dates_the_pictures() -> None:
    with CallableCamera(lambda: grey(0), clock=lambda: 12.5) as camera:
        assert camera.frame().time_s == 12.5


@pytest.mark.parametrize(
    ("image", "told"),
    [
        (np.zeros((4, 4), np.uint8), r"not \(4, 4\) uint8"),
        (np.zeros((4, 4, 4), np.uint8), r"not \(4, 4, 4\) uint8"),
        (np.zeros((4, 4, 3), np.float32), r"not \(4, 4, 3\) float32"),
    ],
)
def test_a_function_must_give_pictures(image: Image, told: str) -> None:
    with CallableCamera(lambda: image) as camera, pytest.raises(CameraError, match=told):
        camera.frame()


def test_what_a_function_raises_is_reported_as_a_camera_error() -> None:
    def draw() -> Image:
        raise ZeroDivisionError("the table has no legs")

    with (
        CallableCamera(draw, name="table") as camera,
        pytest.raises(CameraError, match=r"^table: ZeroDivisionError: the table has no legs$"),
    ):
        camera.frame()


# Cameras that hang


def test_a_capture_that_hangs_is_given_up_and_can_be_opened_again() -> None:
    release = threading.Event()
    sources: list[Source] = [Hanging(release)]

    def source() -> Source:
        return sources.pop() if sources else find_camera("virtual", virtual=blank)._make_source()

    def blank() -> Image:
        return grey(7)

    with Camera("flaky", source) as camera:
        with pytest.raises(CameraTimeoutError, match=r"flaky: no picture within 0\.05 s"):
            camera.frame(0.05)
        with pytest.raises(TimeoutError):
            camera.frame(0.05)
        release.set()
        assert camera.reopen() == "flaky: opened again"
        assert shade(camera.frame().image) == 10


class OneAtATime(Hanging):
    """A device that only one capture can hold."""

    holder: ClassVar[Source | None] = None

    def open(self) -> None:
        if OneAtATime.holder is not None:
            raise CameraError("device or resource busy")
        OneAtATime.holder = self

    def close(self) -> None:
        OneAtATime.holder = None


def test_a_capture_that_keeps_the_device_is_distinguished_from_a_missing_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hardware.capture._CLOSE_TIMEOUT_S", 0.05)
    release = threading.Event()
    with Camera("ribbon", lambda: OneAtATime(release)) as camera:
        with pytest.raises(CameraTimeoutError):
            camera.frame(0.05)
        with pytest.raises(CameraStuckError, match=r"busy \(a capture that has hung for \d+ s"):
            camera.reopen()
        time.sleep(0.1)
        with pytest.raises(CameraStuckError) as stuck:
            camera.reopen()
        assert stuck.value.stuck_s >= 0.1, "counted from the first time, not from the last"
        release.set()
        camera._left._thread.join()  # type: ignore[union-attr]
        assert camera.reopen() == "ribbon: opened again"
        assert camera.frame().image.mean() == 1


def test_an_opening_that_hangs_is_given_up() -> None:
    release = threading.Event()
    camera = Camera("slow", lambda: Hanging(release, at_open=True))
    with pytest.raises(CameraTimeoutError, match=r"slow: did not open within 0\.05 s"):
        camera.open(0.05)
    release.set()


def test_a_closed_camera_is_reported() -> None:
    camera = CallableCamera(lambda: grey(0))
    with pytest.raises(CameraError, match="virtual camera: closed"):
        camera.frame()
    assert camera.close()
    assert "closed" in camera.describe()


def test_closing_ends_the_thread() -> None:
    before = set(threading.enumerate())
    with CallableCamera(lambda: grey(0), live=True) as camera:
        camera.frame()
        assert len(set(threading.enumerate()) - before) == 1
    assert set(threading.enumerate()) <= before


def test_light_is_locked_in_the_camera_s_own_thread_once_it_has_settled() -> None:
    class Settling(Hanging):
        asked = 0
        asked_in: threading.Thread | None = None

        def read(self) -> Shot:
            return Shot(grey(1), 0.0)

        def lock(self) -> str | None:
            self.asked_in = threading.current_thread()
            self.asked += 1
            return "exposure 10000" if self.asked > 3 else None

    settling = Settling(threading.Event())
    with Camera("c", lambda: settling) as camera:
        camera.lock()
        for _ in range(20):
            camera.frame()
        assert camera.locked == "exposure 10000"
        assert settling.asked == 4
        assert settling.asked_in is not threading.current_thread()
        camera.unlock()
        camera.frame()
        camera.frame()
        assert camera.locked is None


def test_a_camera_that_is_opened_again_is_locked_again() -> None:
    class Settled(Hanging):
        def read(self) -> Shot:
            return Shot(grey(1), 0.0)

        def lock(self) -> str | None:
            return "exposure 10000"

    with Camera("c", lambda: Settled(threading.Event())) as camera:
        camera.lock()
        camera.frame()
        camera.reopen()
        camera.frame()
        camera.frame()
        assert camera.locked == "exposure 10000"
        camera.unlock()
        camera.reopen()
        camera.frame()
        camera.frame()
        assert camera.locked is None


def test_a_webcam_s_light_is_locked_once_its_pictures_are_alike() -> None:
    """As the simulated webcam adapts and settles; and a light that never settles is given up."""
    settling, level = Settling(), 60.0
    for _ in range(40):
        level += 0.25 * (120 - level)
        settling.see(np.full((90, 160, 3), round(level), np.uint8))
        assert not settling.done or level > 115
    assert settling.done
    restless = Settling()
    for number in range(TRIED_MOST):
        assert not restless.done
        restless.see(np.full((90, 160, 3), 100 + 10 * (number % 2), np.uint8))
    assert restless.done


# Everything that can be wrong with a name or a file


def truncated(path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (48, 64, 3), np.uint8)
    data = cv2.imencode(".jpg", noise)[1].tobytes()
    path.write_bytes(data[: len(data) // 2])


def empty_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("name", "make", "told"),
    [
        ("missing.mp4", None, "no such file, folder or device"),
        ("missing", None, "no such file, folder or device"),
        ("cut.jpg", truncated, "is cut short"),
        ("empty.jpg", Path.touch, "is empty"),
        ("empty.mp4", Path.touch, "is empty"),
        ("text.jpg", lambda path: path.write_text("hello"), "is not a picture"),
        ("text.mp4", lambda path: path.write_text("hello"), "is neither a picture nor a film"),
        ("folder", empty_folder, "holds no photographs"),
    ],
)
def test_bad_sources_are_reported_in_one_line(
    tmp_path: Path, name: str, make: Callable[[Path], object] | None, told: str
) -> None:
    path = tmp_path / name
    if make is not None:
        make(path)
    with pytest.raises(CameraError) as caught, open_camera(str(path)) as camera:
        camera.frame()
    message = str(caught.value)
    assert message.startswith(str(path))
    assert told in message
    assert "\n" not in message
    assert isinstance(caught.value, HardwareError)
    assert isinstance(caught.value, OSError)


def test_there_may_be_no_simulated_table() -> None:
    with pytest.raises(CameraError, match="virtual: there is no simulated table"):
        open_camera("virtual")


@pytest.mark.parametrize("name", ["pi", "pi:1"])
def test_a_pi_camera_without_its_driver_says_what_to_install(name: str) -> None:
    with pytest.raises(CameraMissingError) as caught:
        open_camera(name)
    assert "python3-picamera2" in str(caught.value)
    assert "--system-site-packages" in str(caught.value)


def test_importing_everything_needs_no_pi() -> None:
    program = """
import importlib, importlib.abc, pkgutil, sys
class No(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('picamera2', 'libcamera', 'lgpio'):
            raise AssertionError(name + ' was asked for')
sys.meta_path.insert(0, No())
import hardware
for module in pkgutil.iter_modules(hardware.__path__):
    importlib.import_module('hardware.' + module.name)
"""
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_went_wrong_is_reported_though_closing_hangs() -> None:
    """picamera2's stop waits for ever once libcamera no longer answers."""
    freed = threading.Event()

    class Dead(Source):
        def open(self) -> None:
            """It opens as always."""

        def read(self) -> Shot:
            raise CameraError("the sensor does not answer")

        def close(self) -> None:
            freed.wait()

        def describe(self) -> str:
            return "a dead camera"

    camera = Camera("dead", Dead)
    camera.open()
    with pytest.raises(CameraError, match="does not answer"):
        camera.frame(30.0)
    freed.set()
    assert camera.close()
