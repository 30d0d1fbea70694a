"""The noise of a simulated sensor, and pictures developed with it piece by piece.

A picture of a table mostly at rest differs little from the last one apart from its noise.
`Developer` keeps some pictures, each with its own noise, and recomputes only the blocks whose light
has changed since: the same levels, at a tenth of the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.courts import Picture
from vision.scene.sensor import Codec, Sensor
from vision.scene.sensor_codec import Coder

STRIP = 8
"""Rows that share one gain: mains flicker has a period of some 300 rows."""
LEVEL, GRAIN = 24.0, 48.0
"""Noise is computed in bytes: units per level of its spread, and per unit of grain."""
SHIFT = 64
"""Largest offset of the grain in a picture, in pixels."""
HOT = 70
"""Extra brightness of a hot pixel, in levels."""
READ_AT = 64.0
"""Level at which a sensor's read noise is specified."""
KEPT, UNUSED = 20, 10
"""Number of pictures kept, and number of least recently used ones from which the next is chosen:
the same noise recurs after ten pictures at the earliest, one more than the most readings a tracker
makes of a change."""
BLOCK = 16
"""Side of a block in pixels: a JPEG macroblock, whose coefficients depend on nothing else."""
WHOLE = 0.6
"""Share of the blocks from which the whole picture is recomputed: the parts' margins would overlap.
"""
SAME_GAIN = 1e-6
"""Difference below which gains give the same levels: the rounding of a sine."""

Gains = NDArray[np.float64]
"""Factors of blue, green and red (rows of strips, 3)."""
Marks = NDArray[np.uint64]
"""A number for each block (h, w) that differs if its levels do."""


@dataclass(slots=True, eq=False)
class _Kept:
    """One developed picture, with its noise's offset on the tile and the light it was made from."""

    shift: tuple[int, int]
    picture: Picture | None = None
    gains: Gains | None = None
    marks: Marks | None = None


class Developer:
    """Makes pictures from the light on one sensor: gains, noise, and the codec's artefacts.

    The codec must encode each picture by itself.
    """

    def __init__(self, sensor: Sensor, coder: Coder, shape: tuple[int, ...], seed: int) -> None:
        self.shape = shape
        self._coder = coder
        self._grain = Grain(sensor, shape, seed)
        self._rng = np.random.default_rng((seed, 74))
        self._kept = [_Kept(self._grain.shift(self._rng)) for _ in range(KEPT)]
        self._marker = _Marker()
        self._independent = sensor.codec is not Codec.INTER

    def developed(self, light: Picture, gains: Gains) -> Picture:
        """Develop a picture of the light (H, W, 3), with the gains of its strips and noise.

        It may be returned again, so it must not be changed.
        """
        one = self._kept.pop(int(self._rng.integers(UNUSED)))
        self._kept.append(one)
        if not self._independent:
            return self._coder.through(self._noisy(light, gains, one.shift))
        marks = self._marker.of(light)
        if one.picture is None or one.marks is None or not _same(one.gains, gains):
            one.picture = self._part(light, gains, one.shift, (0, 0, *light.shape[1::-1]))
        else:
            one.picture = self._renewed(light, gains, one, marks != one.marks)
        one.gains, one.marks = gains, marks
        return one.picture

    def _renewed(
        self, light: Picture, gains: Gains, one: _Kept, stale: NDArray[np.bool_]
    ) -> Picture:
        """A kept picture with its `stale` blocks recomputed."""
        assert one.picture is not None
        share = np.count_nonzero(stale) / stale.size
        if not share:
            return one.picture
        high, wide = light.shape[:2]
        if share >= WHOLE:
            return self._part(light, gains, one.shift, (0, 0, wide, high))
        # Decoding smooths colours over one pixel of the next block.
        near = cv2.dilate(stale.astype(np.uint8), np.ones((3, 3), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=4)
        taken = one.picture.copy()
        for left, top, across, down in (stats[1:count, :4] * BLOCK).tolist():
            box = left, top, min(left + across, wide), min(top + down, high)
            taken[box[1] : box[3], box[0] : box[2]] = self._part(light, gains, one.shift, box)
        return taken

    def _part(
        self, light: Picture, gains: Gains, shift: tuple[int, int], box: tuple[int, int, int, int]
    ) -> Picture:
        """The part of a picture from left, top to right, bottom."""
        left, top = max(box[0] - BLOCK, 0), max(box[1] - BLOCK, 0)
        right, bottom = min(box[2] + BLOCK, light.shape[1]), min(box[3] + BLOCK, light.shape[0])
        part = light[top:bottom, left:right]
        strips = gains[top // STRIP : -(-bottom // STRIP)]
        lit = amplified(part, strips)
        coded = self._coder.through(self._grain.over(lit, shift, (top, left)))
        return coded[box[1] - top : box[3] - top, box[0] - left : box[2] - left]

    def _noisy(self, light: Picture, gains: Gains, shift: tuple[int, int]) -> Picture:
        return self._grain.over(amplified(light, gains), shift)


def _same(one: Gains | None, other: Gains) -> bool:
    return one is not None and bool((np.abs(one - other) < SAME_GAIN).all())


def amplified(light: Picture, gains: Gains) -> Picture:
    """The light amplified by the gain of each strip of rows."""
    if float(np.abs(gains - 1).max()) < 1e-3:
        return light
    taken = np.empty(light.shape, np.uint8)
    for number, gain in enumerate(gains):
        strip = slice(number * STRIP, (number + 1) * STRIP)
        cv2.transform(light[strip], np.diag(gain), dst=taken[strip])
    return taken


class _Marker:
    """Numbers the blocks of pictures by what they show."""

    def __init__(self) -> None:
        rng = np.random.default_rng(75)
        # An odd number for each place in a block: equal sums of products mean equal blocks, except
        # for one chance in 2^64.
        self._keys = rng.integers(0, 2**63, (BLOCK, BLOCK * 3 // 8), np.uint64) * 2 + 1
        self._last: Picture | None = None
        self._marks: Marks = np.zeros((0, 0), np.uint64)

    def of(self, light: Picture) -> Marks:
        """The number of each block, equal wherever and whenever the block looks the same."""
        if light is not self._last:
            self._last, self._marks = light, self._numbers(light)
        return self._marks

    def _numbers(self, light: Picture) -> Marks:
        high, wide = light.shape[:2]
        below, beside = -high % BLOCK, -wide % BLOCK
        if below or beside:
            light = np.pad(light, ((0, below), (0, beside), (0, 0)))
        words = np.ascontiguousarray(light).reshape(high + below, -1).view(np.uint64)
        blocks = words.reshape(-1, BLOCK, (wide + beside) // BLOCK, self._keys.shape[1])
        return np.asarray(np.einsum("abcd,bd->ac", blocks, self._keys), np.uint64)


class Grain:
    """One sensor's noise over pictures of one shape, in bytes, as floats cost four times more."""

    def __init__(self, sensor: Sensor, shape: tuple[int, ...], seed: int) -> None:
        rng = np.random.default_rng((seed, 73))
        tile = _smeared(rng, (shape[0] + SHIFT, shape[1] + SHIFT, 3), sensor.grain_px)
        self._tiles = [_bytes(sign * tile * GRAIN) for sign in (1, -1)]
        fixed = _smeared(rng, (shape[0], shape[1], 3), sensor.grain_px) * sensor.pattern
        rows, columns = rng.integers(0, shape[0], sensor.hot), rng.integers(0, shape[1], sensor.hot)
        fixed[rows, columns] += HOT
        self._fixed = [_bytes(np.round(sign * fixed)) for sign in (1, -1)]
        self._spread = _spread(sensor)
        self._quiet = not (sensor.shot or sensor.read)

    @staticmethod
    def shift(rng: np.random.Generator) -> tuple[int, int]:
        """A random position of a picture on the noise tile."""
        x, y = (int(value) for value in rng.integers(0, SHIFT, 2))
        return x, y

    def over(self, part: Picture, shift: tuple[int, int], at: tuple[int, int] = (0, 0)) -> Picture:
        """A part of a picture with its noise; its first row and column are `at`."""
        high, wide = part.shape[:2]
        here = slice(at[0], at[0] + high), slice(at[1], at[1] + wide)
        taken = cv2.subtract(cv2.add(part, self._fixed[0][here]), self._fixed[1][here])
        if self._quiet:
            return np.asarray(taken, np.uint8)
        spread = cv2.LUT(part, self._spread)
        top, left = at[0] + shift[1], at[1] + shift[0]
        area = (slice(top, top + high), slice(left, left + wide))
        up, down = (
            cv2.multiply(spread, tile[area], scale=1 / (LEVEL * GRAIN)) for tile in self._tiles
        )
        return np.asarray(cv2.subtract(cv2.add(taken, up), down), np.uint8)


def _spread(sensor: Sensor) -> NDArray[np.uint8]:
    """The noise's standard deviation (256,) at each level, in parts of a level.

    Gamma makes shot noise uniform except in the highlights, which every camera's curve compresses,
    and makes read noise decrease with the level.
    """
    level = np.arange(256, dtype=np.float64)
    curve = np.interp(level, (0, 160, 255), (1.0, 1.0, 0.35))
    read = sensor.read * (READ_AT / np.maximum(level, 16)) ** 1.2
    return _bytes(
        np.sqrt((sensor.shot * curve) ** 2 + np.minimum(read, 2 * sensor.read) ** 2) * LEVEL
    )


def _smeared(rng: np.random.Generator, shape: Sequence[int], spread: float) -> NDArray[np.float32]:
    """Unit noise, smeared."""
    noise = rng.standard_normal(shape, np.float32)
    if spread:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), spread), np.float32)
    return noise / max(float(noise.std()), 1e-6)


def _bytes(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)
