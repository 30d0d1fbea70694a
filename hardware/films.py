"""Films: pictures that were taken once, each with the time at which it was.

A film is a file that FFmpeg can read, a GIF too, or a folder of numbered pictures whose times are
told by their names or by a file beside them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.capture import Shot, Source
from hardware.errors import CameraError, CameraMissingError, EndOfPicturesError
from hardware.pixels import Image

TIMES = "times.txt"
"""The file in a folder of pictures that tells their times: a line a picture, its name and seconds;
what follows a # is a comment."""
_CUT_SHARE = 0.9
"""A film that ends before this share of the pictures it announces is damaged; announcements are
estimates, so a few missing ones are not."""
_USUAL_HZ = 30.0
"""The rate of a film that tells none that can be."""
_IN_NAME = re.compile(r"(?:^|[_-])(?:(\d+)ms|(\d+\.\d+)s)$")
"""A time at the end of a name: ``0012_1250ms.png``, ``0012_1.250s.png``; but ``5s.png`` is a
card's."""


def require(path: Path, there: bool, missing: str) -> None:
    """Raise `CameraMissingError` naming `path` and what is `missing`, unless it is `there`."""
    if not there:
        raise CameraMissingError(f"{path}: {missing}")


class VideoSource(Source):
    """What films and devices have in common: OpenCV reads both."""

    _capture: cv2.VideoCapture | None = None

    def _start(self, capture: cv2.VideoCapture, name: str, remedy: str) -> None:
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"{name}: {remedy}")
        self._capture = capture

    def _next(self) -> Image | None:
        assert self._capture is not None  # a source is opened before it is read
        good, image = self._capture.read()
        return np.asarray(image, dtype=np.uint8) if good and image is not None else None

    def _get(self, what: int) -> float:
        return 0.0 if self._capture is None else self._capture.get(what)

    def _size(self) -> str:
        width, height = self._get(cv2.CAP_PROP_FRAME_WIDTH), self._get(cv2.CAP_PROP_FRAME_HEIGHT)
        return f"{width:.0f}x{height:.0f}"

    def close(self) -> None:
        """Let the file or the device go."""
        if self._capture is not None:
            self._capture.release()


class FilmSource(VideoSource):
    """A film; its pictures come in their order, each with its own time since the first one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._number = 0
        self._first_s = self._last_s = 0.0

    def open(self) -> None:
        """Begin with the first picture."""
        require(self._path, self._path.is_file(), "no such file")
        if not self._path.stat().st_size:
            raise CameraError(f"{self._path}: is empty")
        # FFmpeg tells its own troubles on standard error, where ours is to be the only line.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        self._start(
            cv2.VideoCapture(str(self._path)), str(self._path), "is neither a picture nor a film"
        )

    def read(self) -> Shot:
        """The next picture with its time; raises `EndOfPicturesError` after the last one."""
        image = self._next()
        if image is None:
            raise self._end()
        self._number += 1
        return Shot(image, self._time())

    def _time(self) -> float:
        """When the picture just read was taken: as the film says, where that goes forward.

        Streams without time stamps say 0 for every picture: they have their rate.
        """
        told = self._get(cv2.CAP_PROP_POS_MSEC) / 1000
        if self._number == 1:
            self._first_s = told
            return 0.0
        time_s = told - self._first_s
        if time_s <= self._last_s:
            time_s = self._last_s + 1 / self._pictures_a_second()
        self._last_s = time_s
        return time_s

    def _end(self) -> CameraError:
        announced = int(self._get(cv2.CAP_PROP_FRAME_COUNT))
        if not self._number:
            return CameraError(f"{self._path}: holds no picture that can be read")
        if self._number < _CUT_SHARE * announced:
            return CameraError(
                f"{self._path}: breaks off after {self._number} of {announced} pictures"
            )
        return EndOfPicturesError(f"{self._path}: ends after {self._number} pictures")

    def _pictures_a_second(self) -> float:
        told = self._get(cv2.CAP_PROP_FPS)
        return told if 0 < told < 1000 else _USUAL_HZ

    def describe(self) -> str:
        """The file, its size and its rate."""
        rate = self._pictures_a_second()
        return f"{self._path}, a film of {self._size()} at {rate:g} pictures a second"


def told_times(folder: Path, pictures: Sequence[Path]) -> dict[Path, float] | None:
    """When each of a folder's pictures was taken, in seconds; None where that is not told.

    It is told by a file `TIMES` in the folder, or by the end of every picture's name. Raises
    `CameraError` for a file of times that cannot be read or leaves a picture out.
    """
    if (folder / TIMES).is_file():
        return _listed(folder / TIMES, pictures)
    named = {picture: _named(picture.stem) for picture in pictures}
    times = {picture: time_s for picture, time_s in named.items() if time_s is not None}
    return times if len(times) == len(pictures) else None


def _named(stem: str) -> float | None:
    match = _IN_NAME.search(stem)
    if match is None:
        return None
    return float(match[2]) if match[2] else int(match[1]) / 1000


def _listed(path: Path, pictures: Sequence[Path]) -> dict[Path, float]:
    listed: dict[str, float] = {}
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        words = line.partition("#")[0].rsplit(maxsplit=1)
        if not words:
            continue
        try:
            name, seconds = words
            listed[name] = float(seconds)
        except ValueError:
            raise CameraError(
                f"{path}: line {number}: expected a picture's name and seconds, got {line!r}"
            ) from None
    missing = [picture.name for picture in pictures if picture.name not in listed]
    if missing:
        raise CameraError(f"{path}: expected the time of each picture, got none for {missing[0]}")
    return {picture: listed[picture.name] for picture in pictures}
