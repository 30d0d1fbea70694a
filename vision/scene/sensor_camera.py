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

Scene = Callable[[float], Picture]
"""What the lens throws on the sensor at a moment (seconds), without noise; asked in order."""

MOMENTS = 3
"""At how many moments of an exposure a scene that moves is drawn: a hand at 1 m/s is smeared over
25 pixels in 1/60 s, three copies of it overlap."""
COARSE = 4
"""The step in pixels when looking for movement: a fingertip covers dozens."""
STRIP = 8
"""Rows that share one gain: mains flicker has a period of some 300 rows."""
LEVEL, GRAIN = 24.0, 48.0
"""Noise is worked out in bytes: parts of a level of its spread, and of the unit grain."""
SHIFT = 64
"""How far the grain is moved from picture to picture, pixels."""
HOT = 70
"""How much brighter a hot pixel is, levels."""
READ_AT = 64.0
"""The level at which a sensor's read noise is specified."""


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
        self._grain: _Grain | None = None
        self._waiting: list[tuple[Picture, float]] = []
        self._wish = False

    # As a device.

    def lock(self) -> str | None:
        """Lock exposure, white balance and focus once they have settled; says so when done."""
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
        """The pictures that arrive at `now` (seconds), with when each was taken: mostly one.

        There is none if the picture is dropped or late, and two after a late one. `still` means
        that nothing moves in the scene, which is then drawn only once.
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
        picture = self._amplified(picture, now)
        if self._grain is None or self._grain.shape != picture.shape:
            self._grain = _Grain(self.sensor, picture.shape, self._seed)
        return self._coder.through(self._grain.over(picture, self._rng))

    # Light.

    def _exposed(self, scene: Scene, now: float, still: bool) -> Picture:
        """The scene as the rows see it, one after the other, each for as long as it is exposed."""
        span = self.sensor.exposure_s + self.sensor.readout_s
        if still or not span:
            return scene(now)
        moments = np.linspace(now - span, now, MOMENTS)
        seen = [scene(float(moment)) for moment in moments]
        area = _differing(seen)
        if area is None:
            return seen[-1]
        weights = self._weights(seen[0].shape[0])[area[0], :, None, None]
        mixed = sum(weights[:, place] * picture[area] for place, picture in enumerate(seen))
        taken = seen[-1].copy()
        taken[area] = cv2.convertScaleAbs(np.asarray(mixed, np.float32))
        return taken

    def _weights(self, rows: int) -> NDArray[np.float32]:
        """(rows, MOMENTS): how much of each moment a row sees."""
        span = self.sensor.exposure_s + self.sensor.readout_s
        start = np.linspace(0, self.sensor.readout_s / span, rows)[:, None]
        fine = start + np.linspace(0, self.sensor.exposure_s / span, 9)[None, :]
        place = fine[..., None] * (MOMENTS - 1) - np.arange(MOMENTS)
        return np.asarray(np.clip(1 - np.abs(place), 0, 1).mean(axis=1), np.float32)

    def _amplified(self, picture: Picture, now: float) -> Picture:
        """Under the lamp's flicker and the gains of exposure and white balance."""
        gains, rows = self._controls.gains, picture.shape[0]
        swing = self._swing()
        if abs(gains - 1).max() < 1e-3 and swing < 1e-3:
            return picture
        taken = np.empty_like(picture)
        for first in range(0, rows, STRIP):
            moment = now + self.sensor.readout_s * first / rows
            wave = 1 + swing * np.sin(4 * pi * self.sensor.mains_hz * moment + self._phase)
            strip = slice(first, first + STRIP)
            cv2.transform(picture[strip], np.diag(gains * wave), dst=taken[strip])
        return taken

    def _swing(self) -> float:
        """What is left of the lamp's flicker over the exposure: nothing over whole periods."""
        turns = 2 * self.sensor.mains_hz * self.sensor.exposure_s
        return self.sensor.flicker * abs(float(np.sinc(turns)))


def _differing(seen: Sequence[Picture]) -> tuple[slice, slice] | None:
    """The rows and columns in which pictures differ, from a coarse look at them."""
    coarse = [picture[::COARSE, ::COARSE] for picture in seen]
    unlike = np.zeros(coarse[0].shape[:2], np.uint8)
    for other in coarse[1:]:
        grey = cv2.cvtColor(cv2.absdiff(coarse[0], other), cv2.COLOR_BGR2GRAY)
        unlike = np.asarray(cv2.max(unlike, grey), np.uint8)
    left, top, width, height = cv2.boundingRect(unlike)
    if not width:
        return None
    ends = [(top, height), (left, width)]
    rows, columns = (
        slice(max(0, (first - 1) * COARSE), (first + length + 1) * COARSE) for first, length in ends
    )
    return rows, columns


class _Grain:
    """The noise of one sensor over pictures of one shape, in bytes: floats cost four times more."""

    def __init__(self, sensor: Sensor, shape: tuple[int, ...], seed: int) -> None:
        self.shape = shape
        rng = np.random.default_rng((seed, 73))
        tile = _smeared(rng, (shape[0] + SHIFT, shape[1] + SHIFT, 3), sensor.grain_px)
        self._tiles = [_bytes(sign * tile * GRAIN) for sign in (1, -1)]
        fixed = _smeared(rng, (shape[0], shape[1], 3), sensor.grain_px) * sensor.pattern
        rows, columns = rng.integers(0, shape[0], sensor.hot), rng.integers(0, shape[1], sensor.hot)
        fixed[rows, columns] += HOT
        self._fixed = [_bytes(np.round(sign * fixed)) for sign in (1, -1)]
        self._spread = _spread(sensor)
        self._quiet = not (sensor.shot or sensor.read)

    def over(self, picture: Picture, rng: np.random.Generator) -> Picture:
        """The picture with its noise."""
        taken = cv2.subtract(cv2.add(picture, self._fixed[0]), self._fixed[1])
        if self._quiet:
            return np.asarray(taken, np.uint8)
        spread = cv2.LUT(picture, self._spread)
        x, y = (int(value) for value in rng.integers(0, SHIFT, 2))
        area = (slice(y, y + self.shape[0]), slice(x, x + self.shape[1]))
        up, down = (
            cv2.multiply(spread, tile[area], scale=1 / (LEVEL * GRAIN)) for tile in self._tiles
        )
        return np.asarray(cv2.subtract(cv2.add(taken, up), down), np.uint8)


def _spread(sensor: Sensor) -> NDArray[np.uint8]:
    """(256,): the noise's spread at each level, in parts of a level.

    Gamma makes shot noise even but for the highlights, which every camera's curve compresses, and
    read noise fall with the level.
    """
    level = np.arange(256, dtype=np.float64)
    curve = np.interp(level, (0, 160, 255), (1.0, 1.0, 0.35))
    read = sensor.read * (READ_AT / np.maximum(level, 16)) ** 1.2
    return _bytes(
        np.sqrt((sensor.shot * curve) ** 2 + np.minimum(read, 2 * sensor.read) ** 2) * LEVEL
    )


def _smeared(
    rng: np.random.Generator, shape: tuple[int, ...], spread: float
) -> NDArray[np.float32]:
    """Unit noise, smeared."""
    noise = rng.standard_normal(shape, np.float32)
    if spread:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), spread), np.float32)
    return noise / max(float(noise.std()), 1e-6)


def _bytes(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)
