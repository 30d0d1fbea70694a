"""The effect of light on a scene: gain and glare for each pixel, and where shadows fall."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.courts import Picture
from vision.scene.items import Item, outline
from vision.scene.light import Backdrop, Lens, Light
from vision.scene.view import View


@dataclass(frozen=True)
class Lighting:
    """Gain and glare for every pixel of a view, each (H,W,3), in bytes to suit OpenCV's loops.

    Bytes need a quarter of the memory traffic of floats and lose less than one level of 255.
    """

    gain: Picture
    most: float
    """The gain represented by 255."""
    bleach: Picture | None
    """How strongly a glossy surface is bleached, 0 to 255."""
    bleached: Picture | None
    """The colour it is bleached to."""
    light: Light

    @classmethod
    def over(cls, view: View, light: Light, lens: Lens) -> Lighting:
        """The lighting of a view under a light, seen through a lens."""
        gain = light.gain(view.size)
        if lens.vignette:
            gain = gain * lens.shading(view.size)
        most = max(float(gain.max()), 1e-6)
        levels = cv2.convertScaleAbs(gain, alpha=255 / most)
        glare = light.glare(view.size)
        if glare is None:
            return cls(np.asarray(levels, np.uint8), most, None, None, light)
        amount = cv2.convertScaleAbs(np.ascontiguousarray(glare[..., 0]), alpha=255)
        part = np.asarray(amount, np.uint8)
        colour = cv2.convertScaleAbs(np.ascontiguousarray(glare[..., 1:]))
        return cls(
            np.asarray(levels, np.uint8), most, thrice(part), np.asarray(colour, np.uint8), light
        )

    def lit(
        self,
        colours: Picture,
        area: tuple[slice, slice],
        gloss: float,
        cover: Picture | None = None,
    ) -> Picture:
        """The colours of an area under the light, (H,W,3).

        If they are multiplied by a `cover` (H,W,3), so is the glare on them.
        """
        seen = cv2.multiply(colours, self.gain[area], scale=self.most / 255)
        if self.bleach is None or self.bleached is None or not gloss:
            return np.asarray(seen, np.uint8)
        goal = self.bleached[area]
        if cover is not None:
            goal = np.asarray(cv2.multiply(goal, cover, scale=1 / 255), np.uint8)
        # Bytes do not go below 0: what is brighter than the glare stays as it is.
        more = cv2.multiply(cv2.subtract(goal, seen), self.bleach[area], scale=gloss / 255)
        return np.asarray(cv2.add(seen, more), np.uint8)


def thrice(field: NDArray[np.uint8]) -> Picture:
    """A field (H,W) as three equal channels."""
    return np.asarray(cv2.cvtColor(field, cv2.COLOR_GRAY2BGR), np.uint8)


MATT = 0.12
"""Strength of glare on a cloth surface relative to a glossy card."""


def background(view: View, surface: Backdrop, lighting: Lighting) -> Picture:
    """The empty table under the light."""
    picture = surface.draw(view.size, view.scale_at(0.0, 0.0))
    return lighting.lit(picture, (slice(None), slice(None)), MATT)


Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are exclusive."""


@dataclass(frozen=True)
class Shadow:
    """Where an item's shadow falls and how soft it is, in pixels."""

    away: tuple[float, float]
    spread: float

    @classmethod
    def of(cls, item: Item, view: View, light: Light) -> Shadow:
        """The shadow of an item: the higher it is lifted, the farther away and the softer."""
        scale, lift = view.scale_at(0.0, 0.0), item.pose.lift
        far, angle = (0.4 + 0.55 * lift) * scale, np.radians(light.drop_deg)
        return cls(
            (float(far * np.cos(angle)), float(far * np.sin(angle))),
            max((0.9 + 0.12 * lift) * scale, 0.8),
        )

    @property
    def margin(self) -> float:
        """How far it extends beyond the item's own edges, moved by `away`."""
        return 2.5 * self.spread + 2


def span_of(item: Item, view: View) -> Box:
    """The part of the picture filled by an item itself, with a pixel around it."""
    edges = outline(item, view)
    low, high = np.floor(edges.min(axis=0)) - 1, np.ceil(edges.max(axis=0)) + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def shadow_of_span(span: Box, shadow: Shadow) -> Box:
    """The part of the picture that an item's shadow can change, given the item's span."""
    low = np.floor(np.array(span[:2]) + shadow.away - shadow.margin).astype(int)
    high = np.ceil(np.array(span[2:]) + shadow.away + shadow.margin).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def reach_of(item: Item, view: View, light: Light) -> Box:
    """The part of the picture that an item and its shadow can change."""
    own = span_of(item, view)
    return clipped(united(own, shadow_of_span(own, Shadow.of(item, view, light))), view.size)


def united(one: Box, other: Box) -> Box:
    """The smallest box around both."""
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def common(one: Box, other: Box) -> Box | None:
    """The intersection of both boxes; None if they do not overlap."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def clipped(box: Box, size: tuple[int, int]) -> Box:
    """The part of a box inside a picture of this size."""
    left, top = min(max(box[0], 0), size[0]), min(max(box[1], 0), size[1])
    return left, top, max(min(box[2], size[0]), left), max(min(box[3], size[1]), top)
