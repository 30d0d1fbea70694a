"""Every kind of camera on small generated files, and every way it can fail."""

from __future__ import annotations

import os
import shutil
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
    VideoCamera,
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


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for value in range(0, 200, 10):
        writer.write(grey(value))
    writer.release()
    return path


GIF_PICTURE = (
    b"\x2c\x00\x00\x00\x00\x10\x00\x10\x00\x00"
    b"\x02\x0e\x84\x8f\xa9\xcb\xed\x0f\xa3\x9c\xb4\xda\x8b\xb3>\x05\x00"
)
"""One black picture of 16x16, compressed."""


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


def test_a_folder_may_stand_still(folder: Path) -> None:
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
    # Exif orientation 6: the camera was held upright, turn by 90 degrees.
    tiff = bytes.fromhex("49492a00080000000100 1201 0300 01000000 0600 0000 00000000")
    segment = b"Exif\0\0" + tiff
    turned = data[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + data[2:]
    path = tmp_path / "turned.jpg"
    path.write_bytes(turned)
    assert read_photo(path).shape == (64, 48, 3)


# Films and devices


def test_a_film_gives_every_picture_dated_by_its_speed(film: Path) -> None:
    with open_camera(str(film)) as camera:
        assert not camera.live
        assert "64x48 at 10 pictures a second" in camera.describe()
        frames = [camera.frame() for _ in range(20)]
        with pytest.raises(EndOfPicturesError, match="ends after 20 pictures"):
            camera.frame()
    assert [frame.time_s for frame in frames] == pytest.approx([n / 10 for n in range(20)])
    assert [shade(frame.image) for frame in frames] == list(range(0, 200, 10))


def test_a_gif_is_a_film_with_its_own_times(tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    # One pixel, four pictures, shown for 10, 50 and 20 hundredths of a second.
    head = b"GIF89a\x10\x00\x10\x00\xf0\x00\x00\x00\x00\x00\xff\xff\xff"
    pictures = b"".join(
        b"\x21\xf9\x04\x00" + delay.to_bytes(2, "little") + b"\x00\x00" + GIF_PICTURE
        for delay in (10, 50, 20, 20)
    )
    path.write_bytes(head + pictures + b";")
    with open_camera(str(path)) as camera:
        assert not camera.live
        times = [camera.frame().time_s for _ in range(4)]
        with pytest.raises(EndOfPicturesError):
            camera.frame()
    assert times == pytest.approx([0.0, 0.1, 0.6, 0.8])


def test_a_film_of_varying_rate_keeps_its_times(sueca: Path) -> None:
    """As ffprobe tells the pictures' times, from the first one on."""
    with open_camera(str(sueca)) as camera:
        frames = [camera.frame() for _ in range(279)]
        with pytest.raises(EndOfPicturesError, match="ends after 279 pictures"):
            camera.frame()
    times = [frame.time_s for frame in frames]
    assert times == sorted(set(times))
    assert times[1] == pytest.approx(0.0166, abs=0.001)
    assert times[-1] == pytest.approx(20.53, abs=0.01)
    gaps = np.diff(times)
    assert gaps.min() == pytest.approx(0.0166, abs=0.001)
    assert gaps.max() == pytest.approx(0.483, abs=0.001)
    probe = shutil.which("ffprobe")
    if probe is not None:
        told = subprocess.run(
            [probe, "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time",
             "-of", "csv=p=0", str(sueca)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        exact = [float(line.strip(",")) for line in told.stdout.split()]
        assert times == pytest.approx([time_s - exact[0] for time_s in exact], abs=0.001)


@pytest.fixture
def sueca() -> Path:
    folder = os.environ.get("MAZZIERE_FILMS")
    if not folder:
        pytest.skip("MAZZIERE_FILMS names no folder with sueca.mp4")
    return Path(folder) / "sueca.mp4"


def test_pictures_may_bear_their_times_in_their_names(tmp_path: Path) -> None:
    for name, value in (("a_700ms", 20), ("b_0ms", 40), ("c_1.250s", 60)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), grey(value))
    with FolderCamera(tmp_path, repeat=3) as camera:
        assert "3 pictures of a film" in camera.describe()
        frames = [camera.frame() for _ in range(3)]
        with pytest.raises(EndOfPicturesError):
            camera.frame()
    assert [(frame.time_s, shade(frame.image)) for frame in frames] == [
        (0.0, 40),
        (0.7, 20),
        (1.25, 60),
    ]


def test_a_photograph_named_after_a_card_has_no_time(tmp_path: Path) -> None:
    for name in ("5s", "10s"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), grey(50))
    with FolderCamera(tmp_path) as camera:
        assert [camera.frame().time_s for _ in range(2)] == [0.0, 0.5]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a.png one", r"line 1: expected a picture's name and seconds, got 'a.png one'"),
        ("# nothing\na.png", "line 2: expected a picture's name and seconds"),
        ("b.png 1.0", r"expected the time of each picture, got none for a\.png"),
    ],
)
def test_times_that_cannot_be_are_told(text: str, told: str, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), grey(50))
    (tmp_path / "times.txt").write_text(text)
    with pytest.raises(CameraError, match=told):
        open_camera(str(tmp_path))


def test_a_film_is_peeked_at_without_losing_a_picture(film: Path) -> None:
    with open_camera(str(film)) as camera:
        assert shade(camera.peek().image) == 0
        assert shade(camera.peek().image) == 0
        assert [camera.frame().number for _ in range(3)] == [0, 1, 2]
        assert camera.now() == pytest.approx(0.2)
        time.sleep(0.05)
        assert camera.now() == pytest.approx(0.2)
        camera.reopen()
        assert camera.frame().number == 0


def test_a_live_cameras_clock_goes_on() -> None:
    with CallableCamera(lambda: grey(1), live=True) as camera:
        before = camera.now()
        camera.peek()
        time.sleep(0.02)
        assert camera.now() >= before + 0.02


def test_a_film_that_breaks_off_is_told(film: Path) -> None:
    data = film.read_bytes()
    film.write_bytes(data[: len(data) // 2])
    with pytest.raises(CameraError, match=r"film\.avi: ") as caught:
        last_picture(film)
    assert not isinstance(caught.value, EndOfPicturesError)


def last_picture(film: Path) -> None:
    with VideoCamera(film) as camera:
        while True:
            camera.frame()


@pytest.mark.parametrize("name", ["0", "/dev/video0", "/dev/video63"])
def test_a_device_that_is_not_there_is_told(name: str) -> None:
    number = name.removeprefix("/dev/video")
    if Path(f"/dev/video{number}").exists():
        pytest.skip("this machine has such a camera")
    with pytest.raises(CameraMissingError, match=f"/dev/video{number}: no such"):
        open_camera(name)


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


def test_a_functions_clock_dates_the_pictures() -> None:
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


def test_what_a_function_raises_is_told_as_a_camera_error() -> None:
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


def test_a_capture_that_keeps_the_device_is_told_apart_from_one_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hardware.capture._CLOSE_TIMEOUT_S", 0.05)
    release = threading.Event()
    with Camera("ribbon", lambda: OneAtATime(release)) as camera:
        with pytest.raises(CameraTimeoutError):
            camera.frame(0.05)
        with pytest.raises(CameraStuckError, match=r"busy \(a capture that has hung for 0 s"):
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


def test_a_closed_camera_is_told() -> None:
    camera = CallableCamera(lambda: grey(0))
    with pytest.raises(CameraError, match="virtual camera: is closed"):
        camera.frame()
    assert camera.close()
    assert "closed" in camera.describe()


def test_closing_ends_the_thread() -> None:
    before = set(threading.enumerate())
    with CallableCamera(lambda: grey(0), live=True) as camera:
        camera.frame()
        assert len(set(threading.enumerate()) - before) == 1
    assert set(threading.enumerate()) <= before


def test_light_is_locked_in_the_cameras_own_thread_once_it_has_settled() -> None:
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


def test_a_webcams_light_is_locked_once_its_pictures_stay_alike() -> None:
    """As the simulated webcam hunts, and stays; and a light that never settles is given up."""
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
def test_bad_sources_are_told_in_one_line(
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


def test_what_went_wrong_is_told_though_closing_hangs() -> None:
    """picamera2's stop waits for ever once libcamera has stopped to answer."""
    freed = threading.Event()

    class Dead(Source):
        def open(self) -> None:
            """It opens as ever."""

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
