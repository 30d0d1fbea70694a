"""Every kind of camera behind one small interface; `open_camera` picks the right one.

>>> open_camera("/no/such/picture.jpg")
Traceback (most recent call last):
hardware.errors.CameraMissingError: /no/such/picture.jpg: no such file, folder or device
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from hardware.capture import Camera, Frame, Shot, Source
from hardware.errors import CameraError, EndOfPicturesError
from hardware.films import FilmSource, VideoSource, require, told_times
from hardware.picamera import SIZE, Picamera2Camera
from hardware.pixels import Image, decode
from hardware.settling import Settling

__all__ = [
    "CallableCamera",
    "Camera",
    "FolderCamera",
    "Frame",
    "Picamera2Camera",
    "VideoCamera",
    "find_camera",
    "open_camera",
    "read_photo",
]

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
"""File extensions of photographs, in upper or lower case."""
BETWEEN_PHOTOS_S = 0.5
"""Time between the photographs in a folder, in seconds: enough for a hand to move a card."""
_MANUAL, _AUTO = 1, 3  # V4L2's exposure modes, as OpenCV passes them on


def read_photo(path: Path | str) -> Image:
    """Read a photograph from a file, turned upright; raises `CameraError` naming file and fault."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CameraError(f"{path}: cannot be read: {error.strerror}") from error
    return decode(data, str(path))


# Films and devices


class VideoCamera(Camera):
    """A V4L2 device by its number or path, or a film by its path."""

    def __init__(self, source: int | str | Path, size: tuple[int, int] = SIZE) -> None:
        device = source if isinstance(source, int) else _device_number(Path(source))
        if device is None:
            super().__init__(str(source), lambda: FilmSource(Path(str(source))))
        else:
            super().__init__(f"/dev/video{device}", lambda: _DeviceSource(device, size))


def _device_number(path: Path) -> int | None:
    digits = path.name.removeprefix("video")
    in_dev = path.parent == Path("/dev") and path.name.startswith("video")
    return int(digits) if in_dev and digits.isdecimal() else None


class _DeviceSource(VideoSource):
    """A webcam: whatever Linux shows as /dev/videoN."""

    live = True

    def __init__(self, number: int, size: tuple[int, int]) -> None:
        self._number = number
        self._wanted = size
        self._path = Path(f"/dev/video{number}")
        self._settling = Settling()

    def open(self) -> None:
        require(self._path, self._path.exists(), "no such device; see 'ls /dev/video*'")
        capture = cv2.VideoCapture(self._number, cv2.CAP_V4L2)
        self._start(
            capture,
            str(self._path),
            "cannot be opened as a camera: is it in use, and is the user in the group 'video'?",
        )
        # Full size at full speed fits through USB only as JPEG.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._wanted[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._wanted[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # a buffered picture is already out of date

    def read(self) -> Shot:
        image = self._next()
        if image is None:
            raise CameraError(f"{self._path}: has stopped giving pictures; is it unplugged?")
        self._settling.see(image)
        return Shot(image, time.monotonic())

    def lock(self) -> str | None:
        if not self._settling.done:
            return None
        return self._set_auto(_MANUAL, 0) or "nothing locked: the camera does not allow it"

    def unlock(self) -> None:
        self._set_auto(_AUTO, 1)
        self._settling = Settling()

    def _set_auto(self, exposure: int, others: int) -> str:
        assert self._capture is not None  # a source is opened before it is read
        done = [
            name
            for name, what, value in (
                ("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, exposure),
                ("white balance", cv2.CAP_PROP_AUTO_WB, others),
                ("focus", cv2.CAP_PROP_AUTOFOCUS, others),
            )
            if self._capture.set(what, value)
        ]
        return ", ".join(done)

    def describe(self) -> str:
        return f"{self._path}, {self._size()}"


# Photographs and functions


class FolderCamera(Camera):
    """The photographs in a folder, sorted by name, or a single photograph.

    Each is returned `repeat` times in a row, as a camera would see a table at rest; the pictures
    of a film whose times are on record (`hardware.films.told_times`) are returned once each.
    """

    def __init__(self, path: Path | str, repeat: int = 1) -> None:
        super().__init__(str(path), lambda: _FolderSource(Path(path), repeat))


class _FolderSource(Source):
    def __init__(self, path: Path, repeat: int) -> None:
        self._path = path
        self._repeat = repeat
        self._photos: tuple[Path, ...] = ()
        self._times: dict[Path, float] | None = None
        self._shots: Iterator[Shot] = iter(())

    def open(self) -> None:
        require(self._path, self._path.exists(), "no such file or folder")
        self._photos = photos(self._path)
        if not self._photos:
            raise CameraError(
                f"{self._path}: holds no photographs; their names end in {', '.join(PHOTOS)}"
            )
        self._times = told_times(self._path, self._photos)
        self._shots = self._all() if self._times is None else self._film(self._times)

    def _all(self) -> Iterator[Shot]:
        for place, photo in enumerate(self._photos):
            image = read_photo(photo)
            for again in range(self._repeat):
                yield Shot(image, (place * self._repeat + again) * BETWEEN_PHOTOS_S)

    def _film(self, times: dict[Path, float]) -> Iterator[Shot]:
        for photo in sorted(self._photos, key=lambda one: times[one]):
            yield Shot(read_photo(photo), times[photo])

    def read(self) -> Shot:
        shot = next(self._shots, None)
        if shot is None:
            raise EndOfPicturesError(f"{self._path}: ends after {len(self._photos)} photographs")
        return shot

    def close(self) -> None:
        self._shots = iter(())

    def describe(self) -> str:
        kind = "photographs" if self._times is None else "pictures of a film"
        return f"{self._path}, {len(self._photos)} {kind}"


def photos(path: Path) -> tuple[Path, ...]:
    """The photographs in a folder, sorted by name; a single file gives itself."""
    if path.is_file():
        return (path,)
    return tuple(
        sorted(each for each in path.iterdir() if each.suffix.lower() in PHOTOS and each.is_file())
    )


class CallableCamera(Camera):
    """A function that returns pictures, such as a simulated table.

    It is called once for each picture requested, so a picture is never stale; with `live` it is
    called continuously, like a camera. It may raise `EndOfPicturesError`. `clock` dates them.
    """

    def __init__(
        self,
        function: Callable[[], Image],
        *,
        live: bool = False,
        clock: Callable[[], float] = time.monotonic,
        name: str = "virtual camera",
    ) -> None:
        super().__init__(name, lambda: _CallableSource(function, live, clock, name))


class _CallableSource(Source):
    def __init__(
        self, function: Callable[[], Image], live: bool, clock: Callable[[], float], name: str
    ) -> None:
        self.live = live
        self._function = function
        self._clock = clock
        self._name = name

    def open(self) -> None:
        """There is nothing to do."""

    def read(self) -> Shot:
        image = self._function()
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise CameraError(
                f"{self._name}: expected a picture of (height, width, 3) uint8, "
                f"not {image.shape} {image.dtype}"
            )
        return Shot(image, self._clock())

    def close(self) -> None:
        """There is nothing to do."""

    def describe(self) -> str:
        return self._name


# Choosing the source


def open_camera(source: str, *, virtual: Callable[[], Image] | None = None) -> Camera:
    """Open the camera that `source` names; close it, or use it as a context manager.

    `source` is ``pi`` or ``pi:1`` (a Pi camera), ``virtual`` (the function passed as `virtual`), a
    device's number or path, a film, a photograph, or a folder of photographs. Raises
    `CameraError` saying what is wrong and where.
    """
    camera = find_camera(source, virtual=virtual)
    camera.open()
    return camera


def find_camera(source: str, *, virtual: Callable[[], Image] | None = None) -> Camera:
    """The camera that `source` names (see `open_camera`), not opened yet."""
    if source == "virtual":
        if virtual is None:
            raise CameraError("virtual: there is no simulated table to look at here")
        return CallableCamera(virtual)
    kind, _, index = source.partition(":")
    if kind == "pi" and (index.isdecimal() or source == "pi"):
        return Picamera2Camera(int(index or 0))
    if source.isdecimal():
        return VideoCamera(int(source))
    return _camera_at(Path(source).expanduser())


def _camera_at(path: Path) -> Camera:
    require(path, path.exists(), "no such file, folder or device")
    if path.is_dir() or path.suffix.lower() in PHOTOS:
        return FolderCamera(path)
    return VideoCamera(path)
