"""Films: recorded pictures, each with the time it was taken.

A film is any file that FFmpeg can read, including a GIF, or a folder of numbered pictures whose
times are given in their names or in a file next to them.
"""

from __future__ import annotations

import math
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
"""File with the times of a folder's pictures: one line each, with name and seconds; a # starts a
comment."""
_CUT_SHARE = 0.9
"""Share of its announced pictures below which a film counts as damaged; the announced count is an
estimate, so a few missing pictures are not damage."""
_USUAL_HZ = 30.0
"""Frame rate assumed for a film that states none, or an impossible one."""
_DAY_S = 24 * 3600.0
"""Longest film, and longest pause within one. A choice: an evening at a table takes a few hours."""
_PIXELS_MOST = 100_000_000
"""Most pixels in a picture, as in a photograph. A choice: ten times what any camera for a table
has."""
_SHOWN = 60
"""Characters shown of a faulty line. A choice: most names are shorter."""
_IN_NAME = re.compile(r"(?:^|[_-])(?:(\d+)ms|(\d+\.\d+)s)$")
"""A time at the end of a name: ``0012_1250ms.png``, ``0012_1.250s.png``; but ``5s.png`` is a card.
"""


def require(path: Path, there: bool, missing: str) -> None:
    """Raise `CameraMissingError` naming `path` and what is `missing`, unless it is `there`."""
    if not there:
        raise CameraMissingError(f"{path}: {missing}")


class VideoSource(Source):
    """What films and devices share: OpenCV reads both."""

    _capture: cv2.VideoCapture | None = None

    def _start(self, capture: cv2.VideoCapture, name: str, remedy: str) -> None:
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"{name}: {remedy}")
        self._capture = capture
        width, height = self._get(cv2.CAP_PROP_FRAME_WIDTH), self._get(cv2.CAP_PROP_FRAME_HEIGHT)
        if width * height > _PIXELS_MOST:
            capture.release()
            raise CameraError(f"{name}: expected pictures of up to {_PIXELS_MOST} pixels")

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
        """Release the file or the device."""
        if self._capture is not None:
            self._capture.release()


class FilmSource(VideoSource):
    """A film; its pictures come in order, each with its time since the first one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._number = 0
        self._first_s = self._last_s = 0.0

    def open(self) -> None:
        """Start at the first picture."""
        require(self._path, self._path.is_file(), "no such file")
        if not self._path.stat().st_size:
            raise CameraError(f"{self._path}: is empty")
        # FFmpeg reports its own troubles on standard error, where ours should be the only line.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        self._start(
            cv2.VideoCapture(str(self._path)), str(self._path), "is neither a picture nor a film"
        )

    def read(self) -> Shot:
        """The next picture with its time; raises `EndOfPicturesError` after the last."""
        image = self._next()
        if image is None:
            raise self._end()
        self._number += 1
        return Shot(image, self._time())

    def _time(self) -> float:
        """When the picture just read was taken: the film's time stamp, as long as it increases.

        Streams without time stamps give 0 for every picture; the frame rate dates those, and any
        whose stamp no film could have.
        """
        told = self._get(cv2.CAP_PROP_POS_MSEC) / 1000
        if self._number == 1:
            self._first_s = told
            return 0.0
        time_s = told - self._first_s
        if not self._last_s < time_s <= self._last_s + _DAY_S:
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
    """When each of a folder's pictures was taken, in seconds; None if not on record.

    The times are in the folder's file `TIMES`, or at the end of every picture's name. Raises
    `CameraError` for a file of times that cannot be read or omits a picture, and for times that are
    more than a day apart.
    """
    times = _listed(folder / TIMES, pictures) if (folder / TIMES).is_file() else _named(pictures)
    if times and (lasts_s := max(times.values()) - min(times.values())) > _DAY_S:
        raise CameraError(f"{folder}: expected pictures of one day at most, got {lasts_s:.0f} s")
    return times


def _named(pictures: Sequence[Path]) -> dict[Path, float] | None:
    times = {picture: time_s for picture in pictures if (time_s := _in(picture.stem)) is not None}
    return times if len(times) == len(pictures) else None


def _in(stem: str) -> float | None:
    match = _IN_NAME.search(stem)
    if match is None:
        return None
    return float(match[2]) if match[2] else float(match[1]) / 1000


def _finite(seconds: str) -> float:
    value = float(seconds)
    if not math.isfinite(value):
        raise ValueError
    return value


def _listed(path: Path, pictures: Sequence[Path]) -> dict[Path, float]:
    listed: dict[str, float] = {}
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        words = line.partition("#")[0].rsplit(maxsplit=1)
        if not words:
            continue
        try:
            name, seconds = words
            listed[name] = _finite(seconds)
        except ValueError:
            raise CameraError(
                f"{path}: line {number}: expected a picture's name and seconds, "
                f"got {line[:_SHOWN]!r}"
            ) from None
    missing = [picture.name for picture in pictures if picture.name not in listed]
    if missing:
        raise CameraError(f"{path}: expected the time of each picture, got none for {missing[0]}")
    return {picture: listed[picture.name] for picture in pictures}
