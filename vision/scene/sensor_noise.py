"""The noise of a simulated sensor, and pictures developed with it a part at a time.

A picture of a table that mostly rests differs little from the last one but for its noise.
`Developer` keeps some pictures, each with a noise of its own, and of each works out anew only the
blocks whose light has changed since: the same levels, at a tenth of the work.
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
"""Noise is worked out in bytes: parts of a level of its spread, and of the unit grain."""
SHIFT = 64
"""How far the grain may be moved in a picture, pixels."""
HOT = 70
"""How much brighter a hot pixel is, levels."""
READ_AT = 64.0
"""The level at which a sensor's read noise is specified."""
KEPT, UNUSED = 20, 10
"""How many pictures are kept, and how many of the least lately used ones the next is chosen from:
one noise comes again after ten pictures at the earliest, one more than a tracker reads of a change
at most."""
BLOCK = 16
"""Pixels to a block each way: a macroblock of JPEG, whose coefficients depend on nothing else."""
WHOLE = 0.6
"""From this share of the blocks on all of a picture is worked out at once: the parts would have
margins in common."""
SAME_GAIN = 1e-6
"""Gains that differ by less give the same levels: the rounding of a sine."""

Gains = NDArray[np.float64]
"""(rows of strips, 3) factors of blue, green and red."""
Marks = NDArray[np.uint64]
"""(h, w): a number for each block that differs where its levels do."""


@dataclass(slots=True, eq=False)
class _Kept:
    """One developed picture: its noise's place on the tile, and the light that it was made from."""

    shift: tuple[int, int]
    picture: Picture | None = None
    gains: Gains | None = None
    marks: Marks | None = None


class Developer:
    """Makes pictures from the light on one sensor: gains, noise, and a codec's traces.

    The codec must code each picture for itself.
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
        """The picture of a light (H, W, 3) under the gains of its strips, with its noise.

        It may be given out again: it must not be changed.
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
        """A kept picture with its `stale` blocks worked out anew."""
        assert one.picture is not None
        share = np.count_nonzero(stale) / stale.size
        if not share:
            return one.picture
        high, wide = light.shape[:2]
        if share >= WHOLE:
            return self._part(light, gains, one.shift, (0, 0, wide, high))
        # Decoding smooths colours over a pixel of the next block.
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
    """A light under the gain of each strip of its rows."""
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
        # A number for each place in a block, odd: equal sums of products are equal blocks but for
        # one chance in 2^64.
        self._keys = rng.integers(0, 2**63, (BLOCK, BLOCK * 3 // 8), np.uint64) * 2 + 1
        self._last: Picture | None = None
        self._marks: Marks = np.zeros((0, 0), np.uint64)

    def of(self, light: Picture) -> Marks:
        """The number of each block, the same wherever and whenever it looks the same."""
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
    """The noise of one sensor over pictures of one shape, in bytes: floats cost four times more."""

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
        """Some place of a picture on the tile of noise."""
        x, y = (int(value) for value in rng.integers(0, SHIFT, 2))
        return x, y

    def over(self, part: Picture, shift: tuple[int, int], at: tuple[int, int] = (0, 0)) -> Picture:
        """A part of a picture, whose first row and column are `at`, with its noise."""
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


def _smeared(rng: np.random.Generator, shape: Sequence[int], spread: float) -> NDArray[np.float32]:
    """Unit noise, smeared."""
    noise = rng.standard_normal(shape, np.float32)
    if spread:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), spread), np.float32)
    return noise / max(float(noise.std()), 1e-6)


def _bytes(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)
