"""The Raspberry Pi's own camera, through picamera2.

picamera2 and libcamera come from the system, not from pip; they are imported when the camera is
opened. The format, size and stride actually delivered are read back after configuring, because a
driver may choose something other than what was requested.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Mapping
from typing import Any, TypeAlias

from hardware.capture import Camera, Shot, Source
from hardware.errors import CameraError, CameraMissingError, CameraTimeoutError
from hardware.pixels import to_bgr

Controls: TypeAlias = dict[str, Any]
Metadata: TypeAlias = Mapping[str, Any]
"""Values by libcamera's names, each with its own type."""
SIZE = (1920, 1080)
"""From 90 cm above the table an index is still 25 px high; a larger stream would burden the Pi's
memory bus."""
FRAME_US = (33_333, 66_667)
"""Shortest and longest frame time in µs: 30 pictures a second, 15 in poor light."""
SETTLED_FRAMES = 8
"""Frames in a row that must agree before the light counts as settled: half a second at 15 a second,
more than one step of the slow white balance."""
SETTLED_SHARE = 0.03
"""Largest relative difference between frames at which exposure and gains agree."""
HANGS_S = 10.0
"""Seconds without a picture after which a camera is closed, so that it can be reopened."""
_GLANCE_S = 0.2
"""Seconds between checks, while waiting for a picture, whether it is still wanted."""
GIVE_UP_FRAMES = 150
"""Frames (5 to 10 s) after which the light is accepted as it is: some lamps never settle."""

REMEDY = (
    "picamera2 is not installed for this interpreter: 'sudo apt install python3-picamera2', and "
    "make the virtual environment with 'python3 -m venv --system-site-packages'; a webcam is named "
    "by its number: --camera 0"
)

_MANUAL, _CONTINUOUS = 0, 2  # libcamera's AfMode


class Picamera2Camera(Camera):
    """A camera on the Pi's ribbon connector; `index` counts them from 0.

    `mains_hz` is the frequency of the mains, 50 or 60 Hz: lamps flicker at twice that, and
    exposures that are not a multiple of the flicker period show bands.
    """

    def __init__(self, index: int = 0, size: tuple[int, int] = SIZE, mains_hz: int = 50) -> None:
        super().__init__(f"Pi camera {index}", lambda: PiSource(index, size, mains_hz))


class PiSource(Source):
    """One opening of a Pi camera."""

    live = True

    def __init__(self, index: int, size: tuple[int, int], mains_hz: int) -> None:
        self._index = index
        self._wanted = size
        self._mains_hz = mains_hz
        self._camera: Any = None
        self._main: Controls = {}
        self._model = ""
        self._metadata: Controls = {}
        self._light = LightWatch()
        self._unwanted = threading.Event()

    def open(self) -> None:
        """Configure the camera and start it; raises `CameraMissingError` or `CameraError`."""
        kind = self._import()
        known = kind.global_camera_info()
        if self._index >= len(known):
            raise CameraMissingError(
                f"Pi camera {self._index}: found {len(known)} cameras; check the ribbon cable, "
                "then 'rpicam-hello --list-cameras'"
            )
        self._model = str(known[self._index].get("Model", "unknown model"))
        try:
            self._camera = kind(self._index)
            self._start()
        except Exception as error:  # libcamera and picamera2 each raise their own exceptions
            self.close()
            raise CameraError(
                f"Pi camera {self._index} ({self._model}) cannot be started: {error}; "
                "is another program using it?"
            ) from error

    def _import(self) -> Any:
        try:
            return importlib.import_module("picamera2").Picamera2
        except ImportError as error:
            raise CameraMissingError(f"Pi camera {self._index}: {REMEDY} ({error})") from error
        except ValueError as error:  # "numpy.dtype size changed": built for another numpy
            raise CameraMissingError(
                f"Pi camera {self._index}: picamera2 and numpy are incompatible ({error}); "
                "use the system's OpenCV ('sudo apt install python3-opencv'), or run "
                "firmware/install/install.sh again, which installs matching versions"
            ) from error

    def _start(self) -> None:
        main = {"size": self._wanted, "format": "RGB888"}
        self._camera.configure(self._camera.create_video_configuration(main=main))
        self._main = dict(self._camera.camera_configuration()["main"])
        self._set(self._free())
        self._camera.start()

    def read(self) -> Shot:
        """Wait for the next picture that the camera completes."""
        request = self._request()
        try:
            data, self._metadata = request.make_buffer("main"), request.get_metadata()
        finally:
            request.release()
        taken = _taken_at(self._metadata, time.monotonic())
        self._light.see(self._metadata)
        main = self._main
        return Shot(to_bgr(data, main["format"], main["size"], main.get("stride")), taken)

    def _request(self) -> Any:
        # Requested without blocking: a capture that waits forever would hold the camera forever.
        job = self._camera.capture_request(wait=False)
        begun = time.monotonic()
        while True:
            try:
                return job.get_result(timeout=_GLANCE_S)
            except TimeoutError as error:
                waited = time.monotonic() - begun
                if waited >= HANGS_S or self._unwanted.is_set():
                    raise CameraTimeoutError(
                        f"Pi camera {self._index} ({self._model}): no picture within "
                        f"{waited:.0f} s; open it again"
                    ) from error

    def interrupt(self) -> None:
        """Stop waiting for a picture."""
        self._unwanted.set()

    def close(self) -> None:
        """Stop the camera and release it, even if it no longer delivers pictures.

        Only picamera2's ``close`` does that. Its ``stop`` queues behind the requested captures;
        once a cable has come off none of them finishes, and it waits forever (picamera2's issues
        1065 and 1264). ``close`` first ends the thread that serves the queue, whatever is waiting
        in it, and then stops the camera itself.
        """
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def describe(self) -> str:
        """Model, size and format."""
        if not self._main:
            return f"Pi camera {self._index}"
        width, height = self._main["size"]
        return f"Pi camera {self._index} ({self._model}), {width}x{height} {self._main['format']}"

    def lock(self) -> str | None:
        """Lock exposure, gain, white balance and focus once they have settled."""
        if not self._light.settled:
            return None
        kept = self._set(locking(self._metadata))
        if not kept:
            return "nothing to lock: the camera reports neither exposure nor white balance"
        return ", ".join(f"{name} {value}" for name, value in kept.items())

    def unlock(self) -> None:
        """Return exposure, gain, white balance and focus to automatic."""
        self._light = LightWatch()
        self._set(self._free())

    def _free(self) -> Controls:
        return {
            "AeEnable": True,
            "AwbEnable": True,
            "AfMode": _CONTINUOUS,
            "FrameDurationLimits": FRAME_US,
            "AeFlickerMode": 1,  # in manual mode we set the period
            "AeFlickerPeriod": round(1e6 / (2 * self._mains_hz)),
        }

    def _set(self, controls: Metadata) -> Controls:
        """Set those controls that this camera supports, and return them."""
        can = self._camera.camera_controls
        kept = {name: value for name, value in controls.items() if name in can}
        if kept:
            self._camera.set_controls(kept)
        return kept


def locking(metadata: Metadata) -> Controls:
    """The controls that hold a picture's exposure, gain, white balance and focus.

    >>> locking({"ExposureTime": 10000, "ColourGains": (1.5, 2.0)})
    {'ExposureTime': 10000, 'AeEnable': False, 'ColourGains': (1.5, 2.0), 'AwbEnable': False}
    """
    controls: Controls = {}
    for switch, off, names in (
        ("AeEnable", False, ("ExposureTime", "AnalogueGain")),
        ("AwbEnable", False, ("ColourGains",)),
        ("AfMode", _MANUAL, ("LensPosition",)),
    ):
        told = {name: metadata[name] for name in names if name in metadata}
        if told:
            controls |= told | {switch: off}
    return controls


class LightWatch:
    """Judge from the frames' metadata whether exposure and white balance have settled."""

    def __init__(self) -> None:
        self._last: tuple[float, ...] = ()
        self._agreeing = 0
        self._seen = 0

    def see(self, metadata: Metadata) -> None:
        """Note a frame's metadata."""
        numbers = _numbers(metadata)
        self._seen += 1
        self._agreeing = self._agreeing + 1 if _agree(numbers, self._last) else 0
        self._last = numbers

    @property
    def settled(self) -> bool:
        """Whether enough frames in a row have agreed, or waiting longer is pointless."""
        return self._agreeing >= SETTLED_FRAMES or self._seen >= GIVE_UP_FRAMES


def _numbers(metadata: Metadata) -> tuple[float, ...]:
    gains = metadata.get("ColourGains", ())
    values = (metadata.get("ExposureTime", 0), metadata.get("AnalogueGain", 0), *gains)
    return tuple(map(float, values))


def _agree(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= SETTLED_SHARE * max(abs(a), abs(b)) for a, b in zip(one, other, strict=True)
    )


def _taken_at(metadata: Metadata, now: float) -> float:
    # On a Pi the sensor's time stamp uses the monotonic clock; some drivers use another.
    stamp = float(metadata.get("SensorTimestamp", 0)) / 1e9
    return stamp if 0 <= now - stamp < 5.0 else now
