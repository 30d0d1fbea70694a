"""Chips, plaques and coins of our own, singly and stacked.

>>> five = ChipStyle("5", (40, 40, 190))
>>> pile = stack(five, 10.0, 20.0, count=3)
>>> pile[-1].size, round(pile[-1].pose.lift, 1)
((39.0, 39.0), 9.9)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import cv2
import numpy as np

from vision.scene.courts import Colour
from vision.scene.faces import Texture
from vision.scene.items import Pose, Sprite
from vision.scene.light import Field
from vision.scene.view import Matrix

WHITE: Colour = (238, 242, 243)
_FINE = 5
"""Pixels per mm of the finest texture: three times what the nearest camera resolves. A choice."""
_OVER = 2
"""How much finer it is drawn, so that edges come out smooth. A choice."""
_STEP_MM = 1.1
"""Height of the layers of a chip's side: less than a pixel apart wherever a table is seen from
above. A choice."""


class Shape(StrEnum):
    """The kinds of pieces used as money."""

    ROUND = "round"
    PLAQUE = "plaque"
    COIN = "coin"


class Spots(StrEnum):
    """What is printed on a chip's rim."""

    NONE = "none"
    STRIPES = "stripes"
    SPLIT = "split"
    """Stripes of two colours side by side."""
    DICE = "dice"
    """Stripes with the pips of a die, and a dot between them."""
    TEETH = "teeth"
    """Triangles pointing inwards."""
    RIBS = "ribs"
    """Many fine ridges, as on cheap plastic chips."""


@dataclass(frozen=True, slots=True)
class ChipStyle:
    """How one value of a set looks. Colours are blue, green, red; lengths are in radii."""

    value: str
    colour: Colour
    shape: Shape = Shape.ROUND
    size: tuple[float, float] = (39.0, 39.0)
    """In mm; for a round chip, the diameter twice."""
    thick: float = 3.3
    """mm."""
    spots: Spots = Spots.STRIPES
    count: int = 6
    second: Colour = WHITE
    third: Colour = (60, 60, 60)
    depth: float = 0.26
    width: float = 22.0
    """Width of a stripe in degrees."""
    inlay: float = 0.56
    """Radius of the printed centre; 0 for none."""
    inlay_colour: Colour = WHITE
    ring: Colour | None = (90, 90, 90)
    """A line around the inlay."""
    ink: Colour | None = (40, 40, 40)
    """Colour of the numeral; None for no numeral."""
    grain: float = 0.02
    marble: float = 0.0
    """How much of the `third` colour clouds a plaque, as in marbled or pearly acrylic; 0 for none.
    """
    gloss: float = 0.35
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ChipLayer(Sprite):
    """One layer of a chip: its face, or a slice of its side."""

    style: ChipStyle | None = None
    part: str = "face"

    def texture(self, px_per_mm: float) -> Texture:
        """The layer at approximately this scale."""
        if self.style is None:
            return self.picture
        return drawn(self.style, self.part, min(float(_FINE), px_per_mm * 1.25))


def stack(
    style: ChipStyle,
    x: float,
    y: float,
    *,
    count: int = 1,
    angle: float = 0.0,
    rng: np.random.Generator | None = None,
    lift: float = 0.0,
) -> tuple[ChipLayer, ...]:
    """`count` chips on top of each other at (x, y) mm, lowest layer first.

    With `rng`, each is up to half a millimetre off and rotated at random, as a person stacks them;
    `lift` is the height in mm of the lowest one.
    """
    poses = []
    for number in range(count):
        off = rng.uniform(-0.5, 0.5, 2) if rng is not None and number else (0.0, 0.0)
        turn = angle + (float(rng.uniform(0, 360)) if rng is not None and number else 0.0)
        if style.shape is Shape.PLAQUE:
            turn = angle + (float(rng.normal(0, 1.5)) if rng is not None and number else 0.0)
        at = (x + float(off[0]), y + float(off[1]))
        poses.append(Pose(*at, turn, lift + number * style.thick))
    layers = [_layer(style, poses[-1], "face", up=style.thick, casts=True)] if count > 1 else []
    for number, pose in enumerate(poses):
        layers.append(_layer(style, pose, "gap", up=0.0, casts=number == 0))
        steps = max(1, round(style.thick / _STEP_MM))
        for step in range(1, steps + 1):
            layers.append(_layer(style, pose, "side", up=style.thick * (step - 0.35) / steps))
    layers.append(_layer(style, poses[-1], "face", up=style.thick, casts=False))
    return tuple(layers)


def _layer(style: ChipStyle, pose: Pose, part: str, *, up: float, casts: bool = False) -> ChipLayer:
    lifted = Pose(pose.x, pose.y, pose.angle, pose.lift + up)
    picture = drawn(style, part, float(_FINE))
    return ChipLayer(picture, style.size, lifted, style.gloss, casts, style, part)


@lru_cache(maxsize=512)
def drawn(style: ChipStyle, part: str, px_per_mm: float) -> Texture:
    """A layer's picture, (H,W,4); `part` is "face", "side" or "gap"."""
    if px_per_mm < _FINE:
        fine = drawn(style, part, float(_FINE))
        wide, high = (max(2, round(side * px_per_mm)) for side in style.size)
        return np.asarray(cv2.resize(fine, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    scale = _FINE * _OVER
    wide, high = (round(side * scale) for side in style.size)
    paint = _PAINTERS[style.shape]
    colours = np.zeros((high, wide, 3), np.uint8)
    colours[:] = style.colour
    paint(colours, style, part)
    cover = _cover(style, wide, high, 0.985 if part == "gap" else 1.0)
    lit = _relief(colours, style, part)
    whole = np.dstack([lit, cover])
    size = wide // _OVER, high // _OVER
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _cover(style: ChipStyle, wide: int, high: int, part: float) -> Texture:
    cover = np.zeros((high, wide), np.uint8)
    if style.shape is Shape.PLAQUE:
        corner = min(wide, high) // 9
        cv2.rectangle(cover, (corner, 0), (wide - corner, high), (255,), -1)
        cv2.rectangle(cover, (0, corner), (wide, high - corner), (255,), -1)
        for x in (corner, wide - corner):
            for y in (corner, high - corner):
                cv2.circle(cover, (x, y), corner, (255,), -1, cv2.LINE_AA)
    else:
        radius = int(wide / 2 * part) - 1
        cv2.circle(cover, (wide // 2, high // 2), radius, (255,), -1, cv2.LINE_AA)
    return np.asarray(cover, np.uint8)


def _relief(colours: Texture, style: ChipStyle, part: str) -> Texture:
    """The colours with grain, wear, and light from the upper left on raised parts."""
    high, wide = colours.shape[:2]
    rng = np.random.default_rng(style.seed)
    coarse = rng.standard_normal((24, 24)).astype(np.float32)
    fine = rng.standard_normal((high // 4, wide // 4)).astype(np.float32)
    mottle = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    gain = 1 + style.grain * mottle + style.grain * 0.6 * cv2.resize(fine, (wide, high))
    if part == "face":
        gain = gain + _bevel(style, wide, high)
    else:
        gain = gain * (0.78 if part == "side" else 0.42)
    return np.asarray(np.clip(colours * gain[..., None], 0, 255), np.uint8)


def _bevel(style: ChipStyle, wide: int, high: int) -> Field:
    """How much lighter or darker the rounded edge and the moulded ring are."""
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    u, v = (x - wide / 2) / (wide / 2), (y - high / 2) / (high / 2)
    if style.shape is Shape.PLAQUE:
        near = np.maximum(np.abs(u) ** 6, np.abs(v) ** 6)
        return np.asarray(-0.16 * np.where(near > 0.75, u + v, 0) / 2, np.float32)
    radius, facing = np.hypot(u, v), -(u + v) / 1.414
    edge = np.exp(-(((radius - 0.975) / 0.025) ** 2)) * (0.22 * facing - 0.06)
    if style.inlay:
        edge = edge + np.exp(-(((radius - style.inlay - 0.05) / 0.018) ** 2)) * 0.1 * facing
    if style.shape is Shape.COIN:
        edge = edge + np.exp(-(((radius - 0.9) / 0.03) ** 2)) * -0.3 * facing + 0.12 * facing * u
    return np.asarray(edge, np.float32)


# The kinds of chips, each drawn on a plain ground of the chip's colour.


def _round(picture: Texture, style: ChipStyle, part: str) -> None:
    side = picture.shape[0]
    depth = style.depth if part == "face" else 1.0
    _RIMS[style.spots](picture, style, depth)
    if part != "face":
        return
    middle = (side // 2, side // 2)
    if style.inlay:
        radius = int(style.inlay * side / 2)
        cv2.circle(picture, middle, radius, style.inlay_colour, -1, cv2.LINE_AA)
        if style.ring is not None:
            cv2.circle(picture, middle, radius, style.ring, max(2, side // 60), cv2.LINE_AA)
    _numeral(picture, style, style.inlay or 0.6)


def _wedge(picture: Texture, turn: float, width: float, depth: float, colour: Colour) -> None:
    """A section of the rim from `turn` degrees on, extending inwards by `depth`."""
    side = picture.shape[0]
    turns = np.radians(np.linspace(turn, turn + width, 12))
    ring = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    points = np.vstack([ring * 1.02, ring[::-1] * max(0.0, 1 - depth)]) * side / 2 + side / 2
    _polygon(picture, points, colour)


def _polygon(picture: Texture, points: Matrix, colour: Colour) -> None:
    solid = np.round(points * 16).astype(np.int32)
    cv2.fillPoly(picture, [solid], colour, cv2.LINE_AA, 4)


def _bare(picture: Texture, style: ChipStyle, depth: float) -> None:
    del picture, style, depth


def _stripes(picture: Texture, style: ChipStyle, depth: float) -> None:
    for number in range(style.count):
        _wedge(picture, 360 * number / style.count, style.width, depth, style.second)


def _split(picture: Texture, style: ChipStyle, depth: float) -> None:
    for number in range(style.count):
        turn, third = 360 * number / style.count, style.width / 3
        _wedge(picture, turn, style.width, depth, style.second)
        _wedge(picture, turn + third, third, depth, style.third)


def _dice(picture: Texture, style: ChipStyle, depth: float) -> None:
    _stripes(picture, style, depth)
    if depth >= 1:
        return
    side = picture.shape[0]
    for number in range(style.count):
        turn = np.radians(360 * number / style.count + style.width / 2)
        away = 1 - depth / 2
        for step in (-0.3, 0.0, 0.3):
            place = away + step * depth
            at = np.array([np.cos(turn), np.sin(turn)]) * place * side / 2 + side / 2
            _dot(picture, at, side * 0.016, style.colour)
        between = turn + np.pi / style.count
        at = np.array([np.cos(between), np.sin(between)]) * away * side / 2 + side / 2
        _dot(picture, at, side * 0.02, style.second)


def _dot(picture: Texture, at: Matrix, radius: float, colour: Colour) -> None:
    where = round(float(at[0])), round(float(at[1]))
    cv2.circle(picture, where, max(1, round(radius)), colour, -1, cv2.LINE_AA)


def _teeth(picture: Texture, style: ChipStyle, depth: float) -> None:
    side = picture.shape[0]
    for number in range(style.count):
        turns = np.radians(360 * number / style.count + np.array([0, style.width / 2, style.width]))
        ring = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        reach = np.array([1.02, max(0.0, 1 - depth), 1.02])[:, None]
        _polygon(picture, ring * reach * side / 2 + side / 2, style.second)


def _ribs(picture: Texture, style: ChipStyle, depth: float) -> None:
    for number in range(style.count * 8):
        shade = 0.82 if number % 2 else 1.1
        blue, green, red = (min(255, int(c * shade)) for c in style.colour)
        width = 360 / style.count / 8
        _wedge(picture, number * width, width, min(depth, 0.3), (blue, green, red))


def _plaque(picture: Texture, style: ChipStyle, part: str) -> None:
    if style.marble:
        _clouded(picture, style)
    if part != "face":
        return
    high, wide = picture.shape[:2]
    inset = int(high * style.depth / 2)
    box = (inset, inset), (wide - inset, high - inset)
    cv2.rectangle(picture, *box, style.second, max(2, high // 40), cv2.LINE_AA)
    if style.inlay:
        axes = int(wide * style.inlay / 2), int(high * style.inlay * 0.62)
        centre = (wide // 2, high // 2)
        cv2.ellipse(picture, centre, axes, 0, 0, 360, style.inlay_colour, -1, cv2.LINE_AA)
        if style.ring is not None:
            cv2.ellipse(picture, centre, axes, 0, 0, 360, style.ring, high // 50, cv2.LINE_AA)
    _numeral(picture, style, style.inlay or 0.7)


def _clouded(picture: Texture, style: ChipStyle) -> None:
    """Veins and clouds of the third colour, warped as in poured acrylic."""
    high, wide = picture.shape[:2]
    rng = np.random.default_rng(style.seed + 1000)
    cloud = np.zeros((high, wide), np.float32)
    for cells, weight in ((5, 1.0), (9, 0.6), (17, 0.35)):
        coarse = rng.standard_normal((cells, round(cells * wide / high))).astype(np.float32)
        cloud += weight * cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    share = style.marble * np.exp(-np.abs(cloud) * 1.6)[..., None]
    mixed = picture * (1 - share) + np.asarray(style.third, np.float32) * share
    picture[:] = np.asarray(np.clip(mixed, 0, 255), np.uint8)


def _coin(picture: Texture, style: ChipStyle, part: str) -> None:
    side = picture.shape[0]
    middle = (side // 2, side // 2)
    if part != "face":
        return
    if style.inlay:
        radius = int(style.inlay * side / 2)
        cv2.circle(picture, middle, radius, style.inlay_colour, -1, cv2.LINE_AA)
    for number in range(style.count * 4):
        turn = 2 * np.pi * number / (style.count * 4)
        at = np.array([np.cos(turn), np.sin(turn)]) * 0.84 * side / 2 + side / 2
        _dot(picture, at, side * 0.012, style.third)
    _numeral(picture, style, 0.62)


def _numeral(picture: Texture, style: ChipStyle, room: float) -> None:
    """The value in the centre, in faint relief."""
    if style.ink is None:
        return
    high, wide = picture.shape[:2]
    font = cv2.FONT_HERSHEY_DUPLEX if style.seed % 2 else cv2.FONT_HERSHEY_TRIPLEX
    (across, tall), _ = cv2.getTextSize(style.value, font, 1.0, 2)
    scale = min(room * wide * 0.78 / across, room * high * 0.5 / tall)
    stroke = max(2, round(scale * 2.6))
    at = round(wide / 2 - across * scale / 2), round(high / 2 + tall * scale / 2)
    cv2.putText(picture, style.value, at, font, scale, style.ink, stroke, cv2.LINE_AA)


_RIMS = {
    Spots.NONE: _bare, Spots.STRIPES: _stripes, Spots.SPLIT: _split, Spots.DICE: _dice,
    Spots.TEETH: _teeth, Spots.RIBS: _ribs,
}  # fmt: skip
_PAINTERS = {Shape.ROUND: _round, Shape.PLAQUE: _plaque, Shape.COIN: _coin}
