"""Rank glyphs and suit signs as shapes of the project's own, drawn without fonts.

A rank is a set of strokes on a unit square (y down), drawn with an elliptical pen. `Typeface` sets
how heavy the pen is, how much heavier vertical strokes are than horizontal ones, how wide and
slanted the glyphs are, and whether their ends carry serifs. A suit sign is a closed outline.

    >>> mask = rank_mask(Rank.QUEEN, Typeface(), height=40)
    >>> mask.shape[0], mask.dtype.name, int(mask.max())
    (40, 'uint8', 255)
    >>> suit_mask(Suit.HEARTS, height=30).shape
    (30, 28)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Rank, Suit

Mask = NDArray[np.uint8]
"""Ink coverage, (H,W), 0 to 255."""
Points = NDArray[np.float64]
"""(N,2) points, x and y."""

_SHARP = 4
"""Oversampling factor: masks are drawn this many times larger and averaged down."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """How the rank glyphs of one deck look; lengths are shares of the glyph height."""

    weight: float = 0.15
    """Thickness of horizontal strokes."""
    contrast: float = 1.0
    """Ratio of vertical to horizontal stroke thickness."""
    width: float = 0.62
    """Width of a glyph such as 8."""
    slant: float = 0.0
    """How far the top leans to the right."""
    serif: float = 0.0
    """How far a serif extends to either side of its stroke; 0 for none."""
    open_four: bool = False
    """Whether the 4 is open at the top."""
    flat_three: bool = False
    """Whether the 3 has a flat top."""


@dataclass(frozen=True, slots=True)
class _Shape:
    strokes: tuple[Points, ...]
    feet: tuple[tuple[float, float], ...] = ()
    """Where serifs go if the typeface has them."""
    breadth: float = 1.0
    """Width as a multiple of the typeface's."""


def _line(*points: tuple[float, float]) -> Points:
    return np.array(points, dtype=np.float64)


def _arc(x: float, y: float, rx: float, ry: float, *ends: float) -> Points:
    """Part of an ellipse between two angles: degrees clockwise from three o'clock (y is down)."""
    start, end = ends
    angles = np.radians(np.linspace(start, end, 25))
    return np.stack([x + rx * np.cos(angles), y + ry * np.sin(angles)], axis=1)


def _join(*parts: Points) -> Points:
    return np.concatenate(parts)


def _four(open_top: bool) -> _Shape:
    if open_top:
        strokes = (_line((0.42, 0), (0.02, 0.7), (1, 0.7)), _line((0.74, 0.38), (0.74, 1)))
        return _Shape(strokes, ((0.74, 1),))
    return _Shape((_line((0.74, 1), (0.74, 0), (0, 0.72), (1, 0.72)),), ((0.74, 1),))


def _three(flat: bool) -> _Shape:
    bowl = _arc(0.45, 0.68, 0.55, 0.32, -95, 155)
    if flat:
        return _Shape((_join(_line((0.05, 0), (0.92, 0), (0.42, 0.37)), bowl),))
    return _Shape((_arc(0.47, 0.235, 0.45, 0.235, -165, 90), bowl))


@lru_cache(maxsize=None, typed=True)
def _shape(rank: Rank | str, typeface: Typeface) -> _Shape:
    """The strokes of a rank on the unit square."""
    if rank is Rank.FOUR:
        return _four(typeface.open_four)
    if rank is Rank.THREE:
        return _three(typeface.flat_three)
    # A rank equals its letter, and a letter T is no ten.
    return _SHAPES[rank] if isinstance(rank, Rank) else _LETTERS[rank]


_ROUND = _arc(0.5, 0.5, 0.5, 0.5, 0, 360)

_SHAPES: dict[Rank, _Shape] = {
    Rank.ACE: _Shape(
        (_line((0, 1), (0.5, 0), (1, 1)), _line((0.19, 0.66), (0.81, 0.66))), ((0, 1), (1, 1)), 1.2
    ),
    Rank.TWO: _Shape(
        (
            _join(
                _arc(0.48, 0.28, 0.46, 0.28, -170, 20), _line((0.78, 0.5), (0.02, 1)), _line((1, 1))
            ),
        )
    ),
    Rank.FIVE: _Shape(
        (_join(_line((0.92, 0), (0.16, 0), (0.1, 0.44)), _arc(0.44, 0.67, 0.54, 0.33, -130, 150)),)
    ),
    Rank.SIX: _Shape(
        (
            _arc(0.5, 0.68, 0.5, 0.32, 0, 360),
            _join(_line((0.86, 0.04)), _arc(0.75, 0.62, 0.75, 0.62, -100, -185)),
        )
    ),
    Rank.SEVEN: _Shape(
        (_join(_line((0, 0), (1, 0)), _line((0.62, 0.42), (0.42, 0.72), (0.36, 1))),)
    ),
    Rank.EIGHT: _Shape(
        (_arc(0.5, 0.24, 0.42, 0.24, 0, 360), _arc(0.5, 0.73, 0.5, 0.27, 0, 360)),
    ),
    Rank.NINE: _Shape(
        (
            _arc(0.5, 0.32, 0.5, 0.32, 0, 360),
            _join(_line((0.14, 0.96)), _arc(0.25, 0.38, 0.75, 0.62, 80, -5)),
        )
    ),
    Rank.TEN: _Shape(
        (_line((0, 0.15), (0.15, 0), (0.15, 1)), _arc(0.75, 0.5, 0.25, 0.5, 0, 360)),
        ((0.15, 1),),
        1.65,
    ),
    Rank.JACK: _Shape(
        (_join(_line((0.75, 0), (0.75, 0.66)), _arc(0.375, 0.66, 0.375, 0.34, 0, 170)),),
        ((0.75, 0),),
        0.95,
    ),
    Rank.QUEEN: _Shape((_ROUND, _line((0.52, 0.66), (1, 1.04))), (), 1.2),
    Rank.KING: _Shape(
        (
            _line((0.1, 0), (0.1, 1)),
            _line((0.95, 0), (0.12, 0.62)),
            _line((0.4, 0.42), (1, 1)),
        ),
        ((0.1, 0), (0.1, 1), (0.95, 0), (1, 1)),
        1.15,
    ),
}
"""The strokes of English ranks."""

_LETTERS: dict[str, _Shape] = {
    "1": _Shape((_line((0, 0.2), (0.55, 0), (0.55, 1)),), ((0.55, 1),), 0.5),
    "B": _Shape(
        (
            _join(_line((0.5, 0)), _arc(0.5, 0.235, 0.38, 0.235, -90, 90), _line((0.1, 0.47))),
            _join(_line((0.1, 0.47)), _arc(0.52, 0.735, 0.46, 0.265, -90, 90), _line((0.1, 1))),
            _line((0.5, 0), (0.1, 0), (0.1, 1)),
        ),
        ((0.1, 0), (0.1, 1)),
    ),
    "D": _Shape(
        (_join(_line((0.1, 0)), _arc(0.4, 0.5, 0.6, 0.5, -90, 90), _line((0.1, 1), (0.1, 0))),),
        ((0.1, 0), (0.1, 1)),
        1.1,
    ),
    "E": _Shape(
        (_line((0.9, 0), (0.1, 0), (0.1, 1), (0.9, 1)), _line((0.1, 0.48), (0.78, 0.48))),
        ((0.1, 0), (0.1, 1)),
    ),
    "F": _Shape(
        (_line((0.9, 0), (0.1, 0), (0.1, 1)), _line((0.1, 0.48), (0.75, 0.48))),
        ((0.1, 0), (0.1, 1)),
        0.95,
    ),
    "H": _Shape(
        (_line((0.1, 0), (0.1, 1)), _line((0.9, 0), (0.9, 1)), _line((0.1, 0.48), (0.9, 0.48))),
        ((0.1, 0), (0.1, 1), (0.9, 0), (0.9, 1)),
        1.15,
    ),
    "Kn": _Shape(
        (
            _line((0.05, 0), (0.05, 1)),
            _line((0.5, 0), (0.06, 0.62)),
            _line((0.2, 0.42), (0.54, 1)),
            _join(
                _line((0.68, 1)),
                _line((0.68, 0.42)),
                _line((0.68, 0.62)),
                _arc(0.83, 0.62, 0.15, 0.19, -180, 0),
                _line((0.98, 1)),
            ),
        ),
        ((0.05, 0), (0.05, 1), (0.5, 0), (0.54, 1)),
        1.9,
    ),
    "R": _Shape(
        (
            _join(
                _line((0.1, 0), (0.5, 0)), _arc(0.5, 0.25, 0.42, 0.25, -90, 90), _line((0.1, 0.5))
            ),
            _line((0.1, 0), (0.1, 1)),
            _line((0.45, 0.5), (1, 1)),
        ),
        ((0.1, 0), (0.1, 1), (1, 1)),
        1.1,
    ),
    "T": _Shape((_line((0, 0), (1, 0)), _line((0.5, 0), (0.5, 1))), ((0.5, 1),)),
    "V": _Shape((_line((0, 0), (0.5, 1), (1, 0)),), ((0, 0), (1, 0)), 1.15),
    "\N{CYRILLIC CAPITAL LETTER DE}": _Shape(
        (
            _line((0, 1), (0, 0.84), (1, 0.84), (1, 1)),
            _line((0.16, 0.84), (0.34, 0.5), (0.36, 0), (0.84, 0), (0.84, 0.84)),
        ),
        (),
        1.15,
    ),
}
"""The strokes of other countries' letters."""


@lru_cache(maxsize=None, typed=True)
def rank_mask(rank: Rank | str, typeface: Typeface, height: int) -> Mask:
    """The ink of a rank A to K, or of another country's letter for one, (H,W).

    It is `height` pixels high, and as wide as the glyph needs.
    """
    shape = _shape(rank, typeface)
    size = height * _SHARP
    thick = typeface.weight * size
    level = max(round(thick), 1)
    # The pen is an ellipse: draw on a narrower canvas with a round pen, then widen it.
    inner = max(typeface.width * shape.breadth * size - thick * typeface.contrast, 1.0)
    reach = typeface.serif * size
    pad = level / 2 + reach / typeface.contrast + 2
    canvas = np.zeros((size, int(inner / typeface.contrast + 2 * pad)), np.uint8)
    scale = np.array([inner / typeface.contrast, size - thick])
    origin = np.array([pad, thick / 2])
    for stroke in shape.strokes:
        _draw(canvas, stroke * scale + origin, level)
    for foot in shape.feet if reach else ():
        x, y = np.array(foot) * scale + origin
        half = reach / typeface.contrast + level / 2
        thin = max(int(level * 0.5), 1)
        edge = y + (level - thin) / 2 * (1 if foot[1] else -1)
        _draw(canvas, _line((x - half, edge), (x + half, edge)), thin)
    breadth = max(int(canvas.shape[1] * typeface.contrast), 1)
    wide = np.asarray(cv2.resize(canvas, (breadth, size)), np.uint8)
    return _trim(_average(_lean(wide, typeface.slant), height))


def _draw(canvas: Mask, points: Points, thickness: int) -> None:
    fixed = np.round(points * 16).astype(np.int32)
    cv2.polylines(canvas, [fixed], False, 255, thickness, cv2.LINE_AA, 4)


def _lean(mask: Mask, slant: float) -> Mask:
    if not slant:
        return mask
    height, width = mask.shape
    extra = int(abs(slant) * height)
    matrix = np.array([[1, -slant, slant * height if slant > 0 else 0.0], [0, 1, 0]])
    return np.asarray(cv2.warpAffine(mask, matrix, (width + extra, height)), np.uint8)


def _average(mask: Mask, height: int) -> Mask:
    width = max(round(mask.shape[1] * height / mask.shape[0]), 1)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _trim(mask: Mask) -> Mask:
    columns = np.flatnonzero(mask.max(axis=0) > 8)
    return mask[:, columns[0] : columns[-1] + 1]


def suit_outline(suit: Suit, plump: float = 1.0) -> list[Points]:
    """The outlines of a suit sign on the unit square; `plump` widens its curves slightly."""
    if suit is Suit.DIAMONDS:
        return [_diamond(0.025 / plump)]
    if suit is Suit.HEARTS:
        return [_heart(plump)]
    if suit is Suit.SPADES:
        blade = _heart(plump)
        blade[:, 1] = 0.86 * (1 - blade[:, 1])
        return [blade, _stem()]
    radius = 0.235 * min(plump, 1.1)
    lobes = [(0.5, 0.24), (0.24, 0.58), (0.76, 0.58)]
    heart = _line((0.5, 0.2), (0.32, 0.62), (0.68, 0.62))
    return [*(_arc(x, y, radius, radius, 0, 360) for x, y in lobes), heart, _stem()]


def _diamond(dent: float) -> Points:
    corners = [(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)]
    sides = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        t = np.linspace(0, 1, 8, endpoint=False)[:, None]
        bow = (
            dent * np.sin(np.pi * t) * (np.array([0.5, 0.5]) - np.array([(x0 + x1), (y0 + y1)]) / 2)
        )
        sides.append((1 - t) * np.array([x0, y0]) + t * np.array([x1, y1]) + bow * 4)
    return _join(*sides)


def _heart(plump: float) -> Points:
    """Two lobes, then a flank that runs to the point with a slight outward curve."""
    lobe = _arc(0.75, 0.26, 0.25, 0.26, -180, 18)
    t = np.linspace(0, 1, 14)[1:, None]
    start, bend, tip = lobe[-1], np.array([0.86, 0.62]) * [plump**0.3, 1], np.array([0.5, 1.0])
    flank = (1 - t) ** 2 * start + 2 * t * (1 - t) * bend + t**2 * tip
    right = _join(lobe, flank)
    left = right[::-1].copy()
    left[:, 0] = 1 - left[:, 0]
    return _join(right, left)


def _stem() -> Points:
    half = _line((0.5, 0.5), (0.535, 0.75), (0.6, 0.92), (0.74, 1.0))
    other = half[::-1].copy()
    other[:, 0] = 1 - other[:, 0]
    return _join(half, other)


_ASPECT = {Suit.CLUBS: 1.0, Suit.DIAMONDS: 0.78, Suit.HEARTS: 0.93, Suit.SPADES: 0.9}
"""Ratio of width to height for each sign."""


@cache
def suit_mask(suit: Suit, height: int, plump: float = 1.0) -> Mask:
    """The ink of a suit sign, `height` pixels high, (H,W)."""
    width = round(height * _ASPECT[suit] * plump)
    canvas = np.zeros((height * _SHARP, width * _SHARP), np.uint8)
    scale = np.array([width, height]) * _SHARP * 16 - 16
    for outline in suit_outline(suit, plump):
        cv2.fillPoly(canvas, [np.round(outline * scale).astype(np.int32)], 255, cv2.LINE_8, 4)
    return _average(canvas, height)
