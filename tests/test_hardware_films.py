"""Films, folders with times, and devices as cameras."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import (
    CallableCamera,
    FolderCamera,
    VideoCamera,
    open_camera,
)
from hardware.errors import (
    CameraError,
    CameraMissingError,
    EndOfPicturesError,
)
from hardware.films import FilmSource
from tests.test_hardware_camera import grey, shade


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


def test_a_film_gives_every_picture_dated_by_its_frame_rate(film: Path) -> None:
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
    """The pictures' times according to ffprobe, from the first one on."""
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


def test_pictures_may_have_their_times_in_their_names(tmp_path: Path) -> None:
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
        ("a.png nan", "line 1: expected a picture's name and seconds"),
        ("a.png 1e999", "line 1: expected a picture's name and seconds"),
        ("# nothing\na.png", "line 2: expected a picture's name and seconds"),
        ("b.png 1.0", r"expected the time of each picture, got none for a\.png"),
    ],
)
def test_impossible_times_are_reported(text: str, told: str, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), grey(50))
    (tmp_path / "times.txt").write_text(text)
    with pytest.raises(CameraError, match=told):
        open_camera(str(tmp_path))


def test_pictures_of_one_film_are_taken_within_a_day(tmp_path: Path) -> None:
    for name in ("a_0ms", f"b_{9**60}ms"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), grey(50))
    with pytest.raises(CameraError, match="expected pictures of one day"):
        open_camera(str(tmp_path))


class Stamped(FilmSource):
    """A film that claims these times, in seconds, and a size."""

    def __init__(self, film: Path, *stamps: float, side: float = 64.0) -> None:
        super().__init__(film)
        self._stamps, self._side = iter(stamps), side

    def _get(self, what: int) -> float:
        if what in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            return self._side
        return 1000 * next(self._stamps) if what == cv2.CAP_PROP_POS_MSEC else super()._get(what)


def test_no_film_lasts_for_years(film: Path) -> None:
    source = Stamped(film, 0.0, 0.1, math.nan, 1e300, math.inf, -5.0, 0.7)
    source.open()
    try:
        times = [source.read().time_s for _ in range(7)]
    finally:
        source.close()
    assert times == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7])


def test_a_film_of_huge_pictures_is_refused(film: Path) -> None:
    with pytest.raises(CameraError, match="pixels"):
        Stamped(film, side=16_000.0).open()


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


def test_a_live_camera_s_clock_goes_on() -> None:
    with CallableCamera(lambda: grey(1), live=True) as camera:
        before = camera.now()
        camera.peek()
        time.sleep(0.02)
        assert camera.now() >= before + 0.02


def test_a_film_that_breaks_off_is_reported(film: Path) -> None:
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
def test_a_missing_device_is_reported(name: str) -> None:
    number = name.removeprefix("/dev/video")
    if Path(f"/dev/video{number}").exists():
        pytest.skip("this machine has such a camera")
    with pytest.raises(CameraMissingError, match=f"/dev/video{number}: no such"):
        open_camera(name)
