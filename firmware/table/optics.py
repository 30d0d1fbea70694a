"""The camera's view, for calibrating while the table is in play.

The eye owns the camera and reads its pictures; whoever asks for some gets the next ones taken, and
waits for them in a thread of their own.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hardware.capture import Camera
from hardware.errors import CameraError, CameraTimeoutError

Picture = NDArray[np.uint8]
PICTURES_S = 20.0
"""Longest wait for pictures: a simulated table on a busy machine draws one a second. A choice."""
FOLLOWING = 8
"""Pictures during which exposure and white balance follow the light before being locked again. A
choice.
"""
SETTLING_MOST = 160
"""Most pictures that the light may take to settle: a Pi's camera gives up after 150. A choice."""


@dataclass
class _Album:
    """A request for a number of pictures."""

    wanted: int
    pictures: list[Picture] = field(default_factory=list)
    full: threading.Event = field(default_factory=threading.Event)


class Optics:
    """What a camera sees: the eye calls `show`; the rest may be called from any other thread.

    Without a `camera`, as on a simulated table, there is no exposure to fix.
    """

    def __init__(self, camera: Camera | None = None) -> None:
        self._camera = camera
        self._wishes: queue.SimpleQueue[_Album] = queue.SimpleQueue()
        self._open: list[_Album] = []

    @property
    def simulated(self) -> bool:
        """Whether there is no camera."""
        return self._camera is None

    def show(self, picture: Picture) -> None:
        """Pass the picture to whoever is waiting; it must not be modified afterwards."""
        while not self._wishes.empty():
            self._open.append(self._wishes.get())
        for album in self._open:
            album.pictures.append(picture)
            if len(album.pictures) >= album.wanted:
                album.full.set()
        self._open = [album for album in self._open if not album.full.is_set()]

    def pictures(self, count: int, timeout_s: float = PICTURES_S) -> list[Picture]:
        """The next pictures, at least one; raises `CameraTimeoutError` if none comes in time."""
        album = _Album(count)
        self._wishes.put(album)
        album.full.wait(timeout_s)
        taken = list(album.pictures)
        album.full.set()  # later pictures are not needed
        if not taken:
            raise CameraTimeoutError(f"no picture within {timeout_s:g} s: is the camera covered?")
        return taken

    def fix_light(self) -> str | None:
        """Let the exposure follow the light once more, then fix it; returns what was fixed.

        None if there is nothing to lock, as the pictures are drawn or were taken earlier. Raises
        `CameraError` if the light does not settle.
        """
        camera = self._camera
        if camera is None or not camera.live:
            return None
        camera.unlock()
        self.pictures(FOLLOWING)
        camera.lock()
        for _ in range(SETTLING_MOST):
            self.pictures(1)
            if camera.locked is not None:
                return camera.locked
        raise CameraError("the light does not settle: does it flicker, or does somebody move?")
