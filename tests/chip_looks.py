"""The look of real chips from above and from the side: edge spots, dice, ribs, inlays, metal.

They are drawn independently of `vision.scene.chips`, so that nothing measured on them was tuned on
them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Rng: TypeAlias = np.random.Generator
Colour: TypeAlias = tuple[float, float, float]
Field: TypeAlias = NDArray[np.float32]
SIDE = 360
"""Diameter of a drawn chip, in pixels."""


class Make(StrEnum):
    """The way a chip is made."""

    SUITED = "suited"
    DICE = "dice"
    SPLIT = "split"
    RIBBED = "ribbed"
    CERAMIC = "ceramic"
    METAL = "metal"
    PLAIN = "plain"
    STRIPES = "stripes"


@dataclass(frozen=True, slots=True)
class Look:
    """One value of a set; BGR colours 0 to 255, lengths in millimetres."""

    value: str
    make: Make
    body: Colour
    spot: Colour
    third: Colour = (40.0, 40.0, 40.0)
    inlay: float = 0.55
    paper: Colour = (225.0, 230.0, 232.0)
    spots: int = 6
    across: float = 39.0
    thick: float = 3.3
    seed: int = 0


def texture(look: Look) -> Field:
    """The face of a chip as BGRA (SIDE, SIDE, 4), 0 to 255."""
    rng = np.random.default_rng(look.seed)
    axis = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * 2 - 1
    x, y = np.meshgrid(axis, axis)
    far, turn = np.hypot(x, y), np.arctan2(y, x)
    face = np.empty((SIDE, SIDE, 4), np.float32)
    face[..., :3] = look.body
    face[..., 3] = np.clip((1 - far) * SIDE / 2, 0, 1) * 255
    colours = face[..., :3]
    {
        Make.SUITED: _suited, Make.DICE: _dice, Make.SPLIT: _split, Make.RIBBED: _ribbed,
        Make.CERAMIC: _ceramic, Make.METAL: _metal, Make.PLAIN: _plain, Make.STRIPES: _stripes,
    }[look.make](colours, far, turn, look, rng)  # fmt: skip
    grain = cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE)).astype(np.float32), (0, 0), 2.5)
    colours += grain[..., None] * 8
    return np.clip(face, 0, 255)


def _spots(turn: Field, count: int, degrees: float, shift: float = 0.0) -> NDArray[np.bool_]:
    """The mask of the edge spots, by direction."""
    phase = np.degrees(turn) - shift
    step = 360 / count
    return np.asarray(np.abs((phase + step / 2) % step - step / 2) < degrees / 2)


def _paint(colours: Field, where: NDArray[np.bool_], colour: Colour, share: float = 1.0) -> None:
    colours[where] = colours[where] * (1 - share) + share * np.array(colour, np.float32)


def _ring(colours: Field, far: Field, at: float, wide: float, gain: float) -> None:
    colours[np.abs(far - at) < wide / 2] *= np.float32(gain)


def _suited(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """The common plastic chip: six light blocks at the edge and small moulded suits between."""
    _paint(colours, (far > 0.74) & _spots(turn, look.spots, 24), look.spot)
    between = 180 / look.spots
    for at in np.arange(look.spots) * 2 * between + between:
        near = _spots(turn, 1, 12, float(at)) & (np.abs(far - 0.86) < 0.07)
        _paint(colours, near, look.spot, 0.8)
    _ring(colours, far, 0.71, 0.03, 0.7)
    _ring(colours, far, 0.5, 0.02, 0.8)
    _sticker(colours, far, look, rng)


def _dice(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """Light blocks with pips in the body's colour."""
    _paint(colours, (far > 0.72) & _spots(turn, look.spots, 28), look.spot)
    for at in np.arange(look.spots) * 360 / look.spots:
        for pip in (-7.0, 0.0, 7.0):
            pips = _spots(turn, 1, 4, float(at) + pip) & (np.abs(far - 0.85 - pip / 90) < 0.035)
            _paint(colours, pips, look.body)
    _ring(colours, far, 0.7, 0.03, 0.75)
    _sticker(colours, far, look, rng)


def _split(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """A clay chip: each spot is a block of one colour between two blocks of another."""
    _paint(colours, (far > 0.7) & _spots(turn, look.spots, 34), look.spot)
    _paint(colours, (far > 0.7) & _spots(turn, look.spots, 12), look.third)
    _ring(colours, far, 0.68, 0.02, 0.85)
    _sticker(colours, far, look, rng)


def _ribbed(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """A light toy chip of one colour: ribbed edge, moulded ring, shiny."""
    ribs = (np.cos(turn * 40) > 0) & (far > 0.82)
    colours[ribs] *= np.float32(0.82)
    colours[~ribs & (far > 0.82)] *= np.float32(1.08)
    for at in (0.8, 0.62, 0.35):
        _ring(colours, far, at, 0.03, 0.75)
        _ring(colours, far, at + 0.03, 0.02, 1.15)


def _ceramic(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """Printed to the edge: an all-over pattern, a wide band, a figure in the middle."""
    waves = np.sin(turn * look.spots + 7 * far) > 0.2
    _paint(colours, waves & (far > 0.5), look.spot, 0.75)
    _paint(colours, (np.abs(far - 0.9) < 0.035) & _spots(turn, 24, 7), look.paper)
    _sticker(colours, far, replace(look, inlay=0.5), rng)


def _metal(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """A plastic ring around a metallic coin."""
    _paint(colours, (far > 0.76) & _spots(turn, look.spots, 20), look.spot)
    inner = far < 0.7
    sheen = 0.75 + 0.3 * np.cos(2 * turn + 0.6) * np.clip(far / 0.7, 0, 1)
    colours[inner] = (np.array(look.third, np.float32) * sheen[..., None])[inner]
    _ring(colours, far, 0.7, 0.03, 0.55)
    _numeral(colours, look.value, 0.8, (look.third[0] / 2, look.third[1] / 2, look.third[2] / 2))


def _plain(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """One colour, smooth, with a rim."""
    _ring(colours, far, 0.84, 0.03, 0.8)
    _ring(colours, far, 0.87, 0.025, 1.12)


def _stripes(colours: Field, far: Field, turn: Field, look: Look, rng: Rng) -> None:
    """Broad wedges at the edge, and a ring of the second colour around a bare middle."""
    _paint(colours, (far > 0.6) & _spots(turn, look.spots, 30), look.spot)
    _paint(colours, np.abs(far - 0.57) < 0.04, look.spot)
    _numeral(colours, look.value, 0.6, look.spot)


def _sticker(colours: Field, far: Field, look: Look, rng: Rng) -> None:
    """A printed inlay: paper, a ring, a figure and the value."""
    if look.inlay <= 0:
        return
    inside = far < look.inlay
    _paint(colours, inside, look.paper)
    _paint(colours, np.abs(far - look.inlay * 0.92) < 0.025, look.third)
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(-0.5, 0.5, 2) * look.inlay
        shade = tuple(float(v) for v in rng.uniform(20, 230, 3))
        axes = tuple(int(v) for v in rng.uniform(0.08, 0.3, 2) * look.inlay * SIDE)
        at = int((x + 1) * SIDE / 2), int((y + 1) * SIDE / 2)
        layer = colours.copy()
        cv2.ellipse(layer, at, axes, float(rng.uniform(0, 180)), 0, 360, shade, -1, cv2.LINE_AA)
        colours[inside] = layer[inside]
    _numeral(colours, look.value, look.inlay, look.third)


def _numeral(colours: Field, text: str, room: float, colour: Colour) -> None:
    font, size = cv2.FONT_HERSHEY_DUPLEX, 1.0
    (wide, tall), _ = cv2.getTextSize(text, font, size, 2)
    size *= min(room * SIDE * 0.75 / wide, room * SIDE * 0.42 / tall)
    (wide, tall), _ = cv2.getTextSize(text, font, size, 8)
    layer = np.clip(colours, 0, 255).astype(np.uint8)
    cv2.putText(layer, text, ((SIDE - wide) // 2, (SIDE + tall) // 2), font, size, colour, 8)
    colours[:] = layer


def edge(look: Look, turns: Field) -> Field:
    """The colours (N, 3) of a chip's side in directions (N,), radians."""
    side = np.tile(np.array(look.body, np.float32), (len(turns), 1))
    wide = {Make.SUITED: 24, Make.DICE: 28, Make.SPLIT: 34, Make.METAL: 20, Make.STRIPES: 30}
    if look.make in wide:
        side[_spots(turns, look.spots, wide[look.make])] = look.spot
    if look.make is Make.SPLIT:
        side[_spots(turns, look.spots, 12)] = look.third
    return side


_WHITE, _CREAM, _GREY = (226.0, 230.0, 231.0), (176.0, 212.0, 226.0), (142.0, 146.0, 148.0)
_RED, _ORANGE, _PINK = (38.0, 34.0, 186.0), (36.0, 104.0, 226.0), (170.0, 120.0, 228.0)
_BLUE, _PURPLE, _SKY = (158.0, 70.0, 30.0), (128.0, 42.0, 88.0), (206.0, 160.0, 84.0)
_GREEN, _LIME, _YELLOW = (64.0, 116.0, 26.0), (66.0, 190.0, 120.0), (40.0, 198.0, 236.0)
_BLACK, _BROWN, _GOLD, _SILVER = (
    (36.0, 34.0, 34.0), (40.0, 62.0, 100.0), (88.0, 168.0, 206.0), (186.0, 186.0, 184.0),
)  # fmt: skip


def _set(make: Make, bodies: dict[str, Colour], **parts: object) -> tuple[Look, ...]:
    """A set of one make; light chips get dark spots."""
    looks = []
    for seed, (value, body) in enumerate(bodies.items()):
        pale = sum(body) > 600
        spot: Colour = _BLUE if pale else _WHITE
        look = Look(value, make, body, spot, seed=seed, third=body if not pale else _BLACK)
        looks.append(replace(look, **parts))  # type: ignore[arg-type]
    return tuple(looks)


_FIVE = {"1": _WHITE, "5": _RED, "10": _BLUE, "25": _GREEN, "100": _BLACK}
SETS: dict[str, tuple[Look, ...]] = {
    "suited": _set(Make.SUITED, _FIVE, inlay=0.0),
    "sticker": _set(Make.SUITED, _FIVE, inlay=0.48, across=40.0),
    "dice": _set(Make.DICE, _FIVE, inlay=0.6),
    "split": _set(Make.SPLIT, {"1": _WHITE, "5": _RED, "25": _GREEN, "100": _BLACK,
                               "500": _PURPLE}, third=_YELLOW, inlay=0.58),
    "ribbed": _set(Make.RIBBED, {"1": _WHITE, "5": _RED, "10": _BLUE, "20": _YELLOW},
                   across=37.0, thick=2.8),
    "ceramic": _set(Make.CERAMIC, {"1": _SKY, "5": _ORANGE, "20": _LIME, "50": _PINK,
                                   "100": _BROWN}, spots=8, across=43.0),
    "metal": tuple(replace(look, third=_GOLD if n % 2 else _SILVER)
                   for n, look in enumerate(_set(Make.METAL, _FIVE))),
    "plain": _set(Make.PLAIN, {"1": _WHITE, "2": _RED, "5": _GREEN, "10": _BLACK}, across=38.0),
    "stripes": _set(Make.STRIPES, {"5": _RED, "10": _ORANGE, "20": _BLUE, "50": _PURPLE,
                                   "100": _BLACK}),
    "near": _set(Make.SUITED, {"1": _WHITE, "2": _CREAM, "3": _GREY, "5": _RED, "6": _ORANGE},
                 inlay=0.0, spots=8),
}  # fmt: skip
"""Sets as sold, and one whose colours are nearly alike."""
