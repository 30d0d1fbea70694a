"""What lies between the table and the picture: surface, light and lens.

>>> Light().gain((8, 4)).shape
(4, 8, 3)
>>> Surface(Weave.FELT).draw((16, 8), px_per_mm=1.5).shape
(8, 16, 3)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.courts import Colour, Picture

Field = NDArray[np.float32]
"""(H,W,3): one factor or amount per channel."""


class Backdrop(Protocol):
    """Anything that can fill the picture behind the cards."""

    def draw(self, size: tuple[int, int], px_per_mm: float) -> Picture:
        """A picture of (width, height) pixels."""
        ...


class Weave(StrEnum):
    """What a table is covered with."""

    FELT = "felt"
    WOOD = "wood"
    CLOTH = "cloth"
    CHECKS = "checks"
    SMOOTH = "smooth"


@dataclass(frozen=True, slots=True)
class Surface:
    """A table top, generated from a colour, a second colour and a seed."""

    weave: Weave = Weave.FELT
    colour: Colour = (66, 98, 38)
    second: Colour = (50, 80, 28)
    seed: int = 0

    def draw(self, size: tuple[int, int], px_per_mm: float) -> Picture:
        """The bare surface, (H,W,3), for (width, height) pixels."""
        rng = np.random.default_rng(self.seed)
        amount = _WEAVES[self.weave](size, px_per_mm, rng)[..., None]
        colours = np.array([self.colour, self.second], np.float32)
        mixed = colours[0] * (1 - amount) + colours[1] * amount
        return np.asarray(np.clip(mixed, 0, 255), np.uint8)


def _clouds(size: tuple[int, int], grain_px: float, rng: np.random.Generator) -> Field:
    """Smooth noise (H,W) around 0 with unit standard deviation and features of about `grain_px`."""
    width = max(int(size[0] / grain_px), 2)
    height = max(int(size[1] / grain_px), 2)
    coarse = rng.standard_normal((height, width), np.float32)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _felt(size: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Field:
    fibres = _clouds(size, 1.6, rng) * 0.45 + _clouds(size, 8 * px_per_mm, rng) * 0.15
    return 0.4 + fibres + _clouds(size, 90 * px_per_mm, rng) * 0.15


def _wood(size: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Field:
    """Rings cut lengthwise: stripes along x, bent by slow noise."""
    y = np.arange(size[1], dtype=np.float32)[:, None] / px_per_mm
    stretched = (max(size[0] // 12, 2), size[1])
    bend = cv2.resize(_clouds(stretched, 30 * px_per_mm, rng), size) * 14
    grain = cv2.resize(_clouds(stretched, 1.5, rng), size) * 0.18
    board = np.floor(y / 95) * 37.0
    return np.asarray(0.5 + 0.35 * np.sin((y + bend + board) * 0.45) + grain, np.float32)


def _cloth(size: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Field:
    x = np.arange(size[0], dtype=np.float32)[None, :] / px_per_mm
    y = np.arange(size[1], dtype=np.float32)[:, None] / px_per_mm
    threads = np.sin(x * 2.6) * np.sin(y * 2.6)
    return np.asarray(0.45 + 0.3 * threads + _clouds(size, 60 * px_per_mm, rng) * 0.2, np.float32)


def _checks(size: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Field:
    step = float(rng.uniform(14, 55))
    x = np.arange(size[0], dtype=np.float32)[None, :] / px_per_mm
    y = np.arange(size[1], dtype=np.float32)[:, None] / px_per_mm
    bars = (np.sin(x * np.pi / step) > 0).astype(np.float32) + (np.sin(y * np.pi / step) > 0)
    return np.asarray(bars / 2 + _clouds(size, 2.0, rng) * 0.08, np.float32)


def _smooth(size: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Field:
    return 0.4 + _clouds(size, 150 * px_per_mm, rng) * 0.25 + _clouds(size, 1.5, rng) * 0.05


_WEAVES = {
    Weave.FELT: _felt,
    Weave.WOOD: _wood,
    Weave.CLOTH: _cloth,
    Weave.CHECKS: _checks,
    Weave.SMOOTH: _smooth,
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A soft round patch of light or shadow; position and radius in shares of the image width."""

    x: float
    y: float
    radius: float
    strength: float
    """For a shadow, the share of the light taken away, 0 to 1; for glare, the share of white added.
    """
    colour: Colour = (255, 255, 255)
    """The colour to which glare bleaches ink: a warm lamp makes black print look reddish."""


@dataclass(frozen=True, slots=True)
class Light:
    """How the table is lit."""

    brightness: float = 1.0
    """At 1, white paper comes out nearly white."""
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Factors of blue, green and red."""
    slope: float = 0.0
    """How much darker the far side is, 0 to 1."""
    slope_deg: float = 0.0
    shadows: tuple[Spot, ...] = ()
    glares: tuple[Spot, ...] = ()
    drop: float = 0.45
    """How dark the shadow under a card's edge is, 0 to 1."""
    drop_deg: float = 50.0
    """Direction in which the shadow of a lifted card falls."""

    def gain(self, size: tuple[int, int]) -> Field:
        """Factors (H,W,3) for (width, height) pixels."""
        small = _grid(size)
        angle = np.radians(self.slope_deg)
        along = small[0] * np.cos(angle) + small[1] * np.sin(angle)
        level = self.brightness * (1 - self.slope * np.clip(along + 0.3, 0, 1))
        for spot in self.shadows:
            level = level * (1 - spot.strength * _bell(small, spot))
        tint = np.array(self.tint, np.float32)
        field = (level[..., None] * tint).astype(np.float32)
        return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR), np.float32)

    def glare(self, size: tuple[int, int]) -> Field | None:
        """The amount, and the colour (0 to 255) to bleach to, (H,W,4); None without glare."""
        if not self.glares:
            return None
        small = _grid(size)
        amounts = np.stack([spot.strength * _bell(small, spot) for spot in self.glares], axis=-1)
        total = amounts.sum(axis=-1, keepdims=True)
        colours = np.array([spot.colour for spot in self.glares], np.float32)
        blend = amounts @ colours / np.maximum(total, 1e-6)
        field = np.concatenate([np.clip(total, 0, 1), blend], axis=-1).astype(np.float32)
        return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _grid(size: tuple[int, int]) -> tuple[Field, Field]:
    """The positions of a coarse grid, as shares of the width."""
    width, height = max(size[0] // 8, 2), max(size[1] // 8, 2)
    x, y = np.meshgrid(
        np.linspace(0, 1, width, dtype=np.float32),
        np.linspace(0, size[1] / size[0], height, dtype=np.float32),
    )
    return x, y


def _bell(grid: tuple[Field, Field], spot: Spot) -> Field:
    distance = (grid[0] - spot.x) ** 2 + (grid[1] - spot.y) ** 2
    return np.asarray(np.exp(-distance / (2 * spot.radius**2)), np.float32)


@dataclass(frozen=True, slots=True)
class Lens:
    """What lens and sensor do to the picture."""

    blur_px: float = 0.5
    """Standard deviation of the blur."""
    motion_px: float = 0.0
    """Length of a movement during the exposure."""
    motion_deg: float = 0.0
    noise: float = 2.0
    """Standard deviation of the noise, in levels of 255."""
    vignette: float = 0.0
    """How much light the corners lose, 0 to 1."""
    saturation: float = 1.0
    jpeg: int = 0
    """JPEG quality 1 to 100; 0 stores the picture as it is."""

    @property
    def reach(self) -> int:
        """The distance in pixels at which light still matters."""
        return int(np.ceil(self.blur_px * 3 + self.motion_px / 2)) + 1

    def optics(self, picture: Picture) -> Picture:
        """Apply blur and movement."""
        if self.blur_px > 0.2:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self.blur_px), np.uint8)
        if self.motion_px >= 1.5:
            picture = np.asarray(cv2.filter2D(picture, -1, self._streak()), np.uint8)
        return picture

    def _streak(self) -> Field:
        side = int(np.ceil(self.motion_px)) | 1
        kernel = np.zeros((side, side), np.float32)
        half = self.motion_px / 2
        angle = np.radians(self.motion_deg)
        step = np.array([np.cos(angle), np.sin(angle)]) * half
        ends = np.round((side // 2 + np.stack([-step, step])) * 16).astype(np.int32)
        start, end = (int(ends[0, 0]), int(ends[0, 1])), (int(ends[1, 0]), int(ends[1, 1]))
        cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
        return np.asarray(kernel / kernel.sum(), np.float32)

    def shading(self, size: tuple[int, int]) -> Field:
        """The factors (H,W,1) of the vignette."""
        x, y = _grid(size)
        reach = (x - 0.5) ** 2 + (y - size[1] / size[0] / 2) ** 2
        field = (1 - self.vignette * reach / reach.max()).astype(np.float32)
        return np.asarray(cv2.resize(field, size), np.float32)[..., None]

    def sensor(self, picture: Picture, rng: np.random.Generator) -> Picture:
        """Apply saturation, noise and compression to a whole picture."""
        if self.saturation != 1.0:
            picture = fade(picture, self.saturation)
        if self.noise:
            grain = rng.standard_normal(picture.shape, np.float32) * self.noise
            picture = np.asarray(np.clip(picture + grain, 0, 255), np.uint8)
        if self.jpeg:
            stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])[1]
            picture = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
        return picture


def fade(picture: Picture, saturation: float) -> Picture:
    """The picture with its colours weakened (below 1) or strengthened."""
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(picture, saturation, grey, 1 - saturation, 0), np.uint8)
