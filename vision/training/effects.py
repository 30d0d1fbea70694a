"""Random light, lens and sensor, from easy to hard.

`hard` ranges from 0 (a good camera by daylight) to 1 (a phone in a cellar bar); training starts
low.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.scene.courts import Colour, Picture
from vision.scene.light import Lens, Light, Spot, fade
from vision.training.shelf import Rng


def random_light(rng: Rng, hard: float) -> Light:
    """Lamps, casts, shadows and glare."""
    return Light(
        brightness=float(np.exp(rng.normal(-0.08, 0.1 + 0.3 * hard))),
        tint=_tint(rng, hard),
        slope=float(rng.uniform(0, 0.5) * hard),
        slope_deg=float(rng.uniform(0, 360)),
        shadows=tuple(_shadow(rng) for _ in range(int(rng.poisson(0.5 * hard)))),
        glares=tuple(_glare(rng) for _ in range(int(rng.poisson(0.9 * hard)))),
        drop=float(rng.uniform(0.1, 0.65)),
        drop_deg=float(rng.uniform(0, 360)),
    )


def _tint(rng: Rng, hard: float) -> tuple[float, float, float]:
    """Warm, cool and greenish casts; in hard cases, light of a single colour."""
    warm = float(rng.normal(0.06, 0.13))
    green = float(rng.normal(0.0, 0.05 + 0.05 * hard))
    if rng.random() < 0.06 * hard:
        blue, grn, red = (float(v) for v in rng.uniform(0.25, 1.0, 3))
        return blue, grn, red
    return 1 - warm, 1 + green, 1 + warm * 0.4


def _shadow(rng: Rng) -> Spot:
    x, y = (float(v) for v in rng.uniform(-0.2, 1.2, 2))
    return Spot(x, y, float(rng.uniform(0.08, 0.5)), float(rng.uniform(0.2, 0.65)))


def _glare(rng: Rng) -> Spot:
    """A lamp's reflection; its colour is what ink fades to."""
    x, y = (float(v) for v in rng.uniform(0, 1, 2))
    warm = int(rng.integers(-25, 60))
    bright = int(rng.integers(185, 256))
    colour: Colour = (
        int(np.clip(bright - warm, 0, 255)),
        int(np.clip(bright - warm // 4, 0, 255)),
        bright,
    )
    return Spot(x, y, float(rng.uniform(0.04, 0.25)), float(rng.uniform(0.25, 0.95)), colour)


def random_lens(rng: Rng, hard: float, index_px: float) -> Lens:
    """Blur in proportion to the index size, noise and compression."""
    soft = float(rng.gamma(2.0, 0.006 + 0.007 * hard)) * index_px
    if rng.random() < 0.12 * hard:
        # Out of focus, like a lens set to another distance.
        soft = float(rng.uniform(0.05, SOFTEST)) * index_px
    moving = rng.random() < 0.14 * hard
    return Lens(
        blur_px=float(np.clip(soft, 0.25, SOFTEST * index_px + 0.35)),
        motion_px=float(rng.uniform(1.5, 0.17 * index_px + 1.8)) if moving else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        noise=float(rng.gamma(1.5, 1.0 + 2.6 * hard)),
        vignette=float(rng.uniform(0, 0.4) * hard),
        saturation=1.0,
        jpeg=0,
    )


SOFTEST = 0.2
"""Deviation of the widest blur, in heights of an index. A choice: people hesitate there, too."""


def sensor(picture: Picture, rng: Rng, hard: float) -> Picture:
    """What happens after the lens: gain, tone curve, saturation, sharpening, compression."""
    if rng.random() < 0.6:
        picture = _tone(picture, rng, hard)
    if rng.random() < 0.4:
        picture = fade(picture, float(rng.uniform(1 - 0.6 * hard, 1.35)))
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        amount = float(rng.uniform(0.3, 1.2))
        picture = np.asarray(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0), np.uint8)
    if rng.random() < 0.2 * hard:
        picture = _coloured_noise(picture, rng)
    if rng.random() < 0.6:
        quality = int(rng.uniform(95 - 60 * hard, 97))
        stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _tone(picture: Picture, rng: Rng, hard: float) -> Picture:
    """A curve with raised or crushed blacks and clipped whites, one table per channel."""
    level = np.arange(256, dtype=np.float32) / 255
    tables = []
    gamma = float(np.exp(rng.normal(0, 0.12 + 0.22 * hard)))
    low = float(rng.uniform(-0.08, 0.16) * hard)
    high = float(rng.uniform(0.85, 1.25))
    for _ in range(3):
        drift = float(rng.normal(0, 0.02 + 0.03 * hard))
        tables.append(low + (high + drift - low) * level**gamma)
    table = np.clip(np.stack(tables, axis=-1) * 255, 0, 255).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def _coloured_noise(picture: Picture, rng: Rng) -> Picture:
    """Blotches of colour, as a small sensor shows in the dark."""
    small = (max(picture.shape[0] // 3, 1), max(picture.shape[1] // 3, 1), 3)
    grain = rng.standard_normal(small, np.float32) * float(rng.uniform(2, 10))
    wide = cv2.resize(grain, (picture.shape[1], picture.shape[0]))
    return np.asarray(np.clip(picture + wide, 0, 255), np.uint8)
