"""A simulated camera: takes pictures of a scene as its sensor would and delivers them on time.

>>> from vision.scene.sensor import SENSORS
>>> grey = np.full((36, 64, 3), 128, np.uint8)
>>> camera = SimulatedCamera(SENSORS["webcam"], seed=1)
>>> taken = camera.shoot(lambda moment: grey, 0.0)
>>> taken.shape, bool(taken.std() > 1)
((36, 64, 3), True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.courts import Picture
from vision.scene.sensor import Sensor
from vision.scene.sensor_codec import coder
from vision.scene.sensor_control import Controls
from vision.scene.sensor_noise import STRIP, Developer, Gains

Scene = Callable[[float], Picture]
"""The noise-free image on the sensor at a moment (seconds); called in chronological order."""

MOMENTS = 3
"""Number of moments of an exposure at which a moving scene is drawn: a hand at 1 m/s is smeared
over 25 pixels in 1/60 s, and three copies of it overlap."""
COARSE = 4
"""Step in rows when looking for movement: a fingertip covers dozens."""
PARTS = 256
"""Parts into which a row's exposure is divided: fine enough for 255 levels."""


class SimulatedCamera:
    """A camera with a sensor; the same seed takes the same pictures of the same scene."""

    def __init__(self, sensor: Sensor, seed: int = 0) -> None:
        self.sensor = sensor
        self._rng = np.random.default_rng((seed, 71))
        self._controls = Controls(
            sensor.hunting, sensor.balance, sensor.breathing_px, np.random.default_rng((seed, 72))
        )
        self._coder = coder(sensor.codec, sensor.quality)
        self._seed = seed
        self._phase = float(self._rng.uniform(0, 2 * pi))
        self._developer: Developer | None = None
        self._seen_by_rows = np.zeros((0, MOMENTS), np.uint16)
        self._waiting: list[tuple[Picture, float]] = []

    # The camera as a device.

    def lock(self) -> str | None:
        """Lock exposure, white balance and focus once they have settled; say so when done."""
        if not self._controls.settled and self.sensor.hunting:
            return None
        self._controls.locked = True
        return "exposure, white balance and focus"

    def unlock(self) -> None:
        """Let them follow the light again."""
        self._controls.locked = False

    @property
    def locked(self) -> bool:
        """Whether they are fixed."""
        return self._controls.locked

    def pictures(
        self, scene: Scene, now: float, *, still: bool = False
    ) -> list[tuple[Picture, float]]:
        """The pictures that arrive at `now` (seconds), usually one, with the time each was taken.

        There is none if the picture is dropped or late, and there are two after a late one. `still`
        means that nothing moves in the scene, which is then drawn only once.
        """
        if self._rng.random() < self.sensor.dropped:
            return []
        self._waiting.append((self.shoot(scene, now, still=still), now))
        if len(self._waiting) < 2 and self._rng.random() < self.sensor.late:
            return []
        arrived, self._waiting = self._waiting, []
        return arrived

    def shoot(self, scene: Scene, now: float, *, still: bool = False) -> Picture:
        """One picture, whose exposure ends at `now`."""
        if self.sensor.faithful:
            return scene(now)
        picture = self._exposed(scene, now, still)
        self._controls.see(picture, now)
        blur = self._controls.blur_px(now)
        if blur > 0.2:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        if self._developer is None or self._developer.shape != picture.shape:
            self._developer = Developer(self.sensor, self._coder, picture.shape, self._seed)
        return self._developer.developed(picture, self._gains(len(picture), now))

    # Light on the sensor.

    def _exposed(self, scene: Scene, now: float, still: bool) -> Picture:
        """The scene as the rows see it, one after another, each for the length of the exposure."""
        span = self.sensor.exposure_s + self.sensor.readout_s
        if still or not span:
            return scene(now)
        moments = np.linspace(now - span, now, MOMENTS)
        seen = [scene(float(moment)) for moment in moments]
        area = _differing(seen)
        if area is None:
            return seen[-1]
        taken = seen[-1].copy()
        taken[area] = _mixed(
            [picture[area] for picture in seen], self._weights(len(taken))[area[0]]
        )
        return taken

    def _weights(self, rows: int) -> NDArray[np.uint16]:
        """How much of each moment a row sees (rows, MOMENTS), out of `PARTS`."""
        if len(self._seen_by_rows) != rows:
            self._seen_by_rows = np.round(self._shares(rows) * PARTS).astype(np.uint16)
            self._seen_by_rows[:, -1] = PARTS - self._seen_by_rows[:, :-1].sum(axis=1)
        return self._seen_by_rows

    def _shares(self, rows: int) -> NDArray[np.float32]:
        """The same as fractions (rows, MOMENTS)."""
        span = self.sensor.exposure_s + self.sensor.readout_s
        start = np.linspace(0, self.sensor.readout_s / span, rows)[:, None]
        fine = start + np.linspace(0, self.sensor.exposure_s / span, 9)[None, :]
        place = fine[..., None] * (MOMENTS - 1) - np.arange(MOMENTS)
        return np.asarray(np.clip(1 - np.abs(place), 0, 1).mean(axis=1), np.float32)

    def _gains(self, rows: int, now: float) -> Gains:
        """The gains of each strip of rows, from flicker, exposure and white balance."""
        moments = now + self.sensor.readout_s * np.arange(0, rows, STRIP) / rows
        # Only the phase of the lamp matters; the sine of a large number is less exact.
        turns = (2 * self.sensor.mains_hz * moments) % 1
        wave = 1 + self._swing() * np.sin(2 * pi * turns + self._phase)
        return np.asarray(wave[:, None] * self._controls.gains, np.float64)

    def _swing(self) -> float:
        """What remains of the lamp's flicker over the exposure: nothing over whole periods."""
        turns = 2 * self.sensor.mains_hz * self.sensor.exposure_s
        return self.sensor.flicker * abs(float(np.sinc(turns)))


def _differing(seen: Sequence[Picture]) -> tuple[slice, slice] | None:
    """The rows and columns in which the pictures differ, judged on a coarse grid."""
    coarse = [picture[::COARSE] for picture in seen]
    unlike = cv2.absdiff(coarse[0], coarse[1])
    for other in coarse[2:]:
        unlike = cv2.max(unlike, cv2.absdiff(coarse[0], other))
    left, top, width, height = cv2.boundingRect(unlike.reshape(len(unlike), -1))
    if not width:
        return None
    rows = slice(max(0, (top - 1) * COARSE), (top + height + 1) * COARSE)
    return rows, slice(max(0, left // 3 - COARSE), (left + width) // 3 + 1 + COARSE)


def _mixed(seen: Sequence[Picture], weights: NDArray[np.uint16]) -> Picture:
    """Pictures of several moments, mixed row by row with `weights` (H, MOMENTS) out of `PARTS`."""
    mixed = np.full(seen[0].shape, PARTS // 2, np.uint16)
    for place, picture in enumerate(seen):
        mixed += picture * weights[:, place, None, None]
    return (mixed >> PARTS.bit_length() - 1).astype(np.uint8)
