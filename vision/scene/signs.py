"""Suit signs, ornaments and figures of Latin cards in random shapes, for `vision.scene.latin`.

The random generator decides the shape, so the same seed draws the same sign again.

    >>> picture = np.full((60, 60, 3), 255, np.uint8)
    >>> coin(Pen(picture, (30, 30), 50), ((0, 200, 240),), np.random.default_rng(1))
    >>> bool((picture[30, 30] < 255).any()), picture[2, 2].tolist()
    (True, [255, 255, 255])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from rules.cards import Rank
from vision.scene.courts import BLACK, SKIN, Colour
from vision.scene.pen import Pen, Place

Rng: TypeAlias = np.random.Generator
Inks: TypeAlias = Sequence[Colour]


def _any(inks: Inks, rng: Rng) -> Colour:
    return inks[int(rng.integers(len(inks)))]


def coin(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Concentric rings around a flower, a face, rays or nothing."""
    radius = 0.5
    pen.disc((0, 0), radius, _any(inks, rng))
    for _ in range(int(rng.integers(1, 4))):
        radius *= float(rng.uniform(0.72, 0.92))
        pen.disc((0, 0), radius, _any((*inks, (245, 250, 252)), rng))
    _coined(pen, radius * 0.85, inks, rng)


def _coined(pen: Pen, radius: float, inks: Inks, rng: Rng) -> None:
    way, colour = int(rng.integers(4)), _any(inks, rng)
    if way == 0:
        count = int(rng.integers(5, 14))
        for turn in np.linspace(0, 2 * np.pi, count, endpoint=False):
            place = radius * 0.65 * float(np.cos(turn)), radius * 0.65 * float(np.sin(turn))
            pen.disc(place, 1.3 * radius / count, colour)
    elif way == 1:
        for eye in (-0.3, 0.3):
            pen.disc((eye * radius, -0.2 * radius), 0.1 * radius, BLACK)
        pen.stroke([(-0.35 * radius, 0.35 * radius), (0, 0.5 * radius),
                    (0.35 * radius, 0.35 * radius)], colour, 0.03)  # fmt: skip
    elif way == 2:
        pen.shape(_star(int(rng.integers(5, 16)), radius, float(rng.uniform(0.4, 0.75))), colour)
    pen.disc((0, 0), radius * float(rng.uniform(0.1, 0.4)), _any(inks, rng))


def _star(rays: int, radius: float, inner: float) -> list[Place]:
    turns = np.linspace(0, 2 * np.pi, 2 * rays, endpoint=False)
    return [
        (float(np.cos(turn)) * reach, float(np.sin(turn)) * reach)
        for number, turn in enumerate(turns)
        for reach in ((radius, radius * inner)[number % 2],)
    ]


def cup(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A goblet: bowl, stem and foot of any profile, banded, with or without handles and a lid."""
    rim, waist, foot = rng.uniform(0.24, 0.48), rng.uniform(0.06, 0.24), rng.uniform(0.2, 0.42)
    belly = float(rim * rng.uniform(0.8, 1.12))
    knot, low = float(rng.uniform(-0.05, 0.2)), float(rng.uniform(0.3, 0.44))
    half = [
        (rim, -0.5),
        (belly, -0.2),
        (waist, knot),
        (waist, low - 0.08),
        (foot, low),
        (foot, 0.5),
    ]
    if rng.random() < 0.5:
        for side in (-1, 1):
            pen.stroke([(side * rim, -0.4), (side * (rim + 0.14), -0.3), (side * belly, -0.1)],
                       _any(inks, rng), 0.05)  # fmt: skip
    pen.shape(_mirrored(half), _any(inks, rng))
    pen.shape(_mirrored([(foot, low), (foot, 0.5)]), _any(inks, rng))
    pen.shape(_mirrored([(waist, knot), (waist * 1.3, (knot + low) / 2), (waist, low - 0.04)]),
              _any(inks, rng))  # fmt: skip
    for _ in range(int(rng.integers(1, 4))):
        y = float(rng.uniform(-0.46, -0.14))
        pen.shape(_mirrored([(rim * 0.97, y), (belly * 0.95, y + 0.09)]), _any(inks, rng))
    if rng.random() < 0.4:
        pen.shape(_ellipse(0.0, -0.5, float(rim), 0.07), _any(inks, rng))


def _mirrored(half: Sequence[tuple[float, float]]) -> list[Place]:
    right = [(float(x), float(y)) for x, y in half]
    return [*right, *((-x, y) for x, y in reversed(right))]


def _ellipse(x: float, y: float, across: float, down: float) -> list[Place]:
    turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    return [(x + across * float(np.cos(t)), y + down * float(np.sin(t))) for t in turns]


def sword(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A straight sword, point up: blade, guard, grip and pommel."""
    wide, guard, hilt = rng.uniform(0.025, 0.075), rng.uniform(0.1, 0.2), rng.uniform(0.16, 0.34)
    point, top = float(rng.uniform(0.03, 0.2)), 0.5 - float(hilt)
    blade = _mirrored([(wide, top), (wide * rng.uniform(0.6, 1.1), -0.5 + point), (0.0, -0.5)])
    pen.shape(blade, _any(inks, rng))
    if rng.random() < 0.5:
        pen.stroke([(0, top), (0, -0.5 + point)], _any(inks, rng), 0.012)
    thick = float(rng.uniform(0.02, 0.08))
    bent = float(rng.uniform(-0.06, 0.06))
    across = [(0.0, top), (guard, top + bent), (guard, top + bent + thick), (0.03, top + thick)]
    pen.shape(_mirrored(across), _any(inks, rng))
    if rng.random() < 0.5:
        for side in (-1, 1):
            knob = float(rng.uniform(0.025, 0.06))
            pen.disc((side * float(guard), top + bent + thick / 2), knob, _any(inks, rng))
    if rng.random() < 0.3:
        pen.disc((0, top + thick / 2), float(rng.uniform(0.05, 0.11)), _any(inks, rng))
    grip = float(rng.uniform(0.02, 0.045))
    pen.shape(_mirrored([(grip, top + thick), (grip, 0.46)]), _any(inks, rng))
    pen.disc((0, 0.46), float(rng.uniform(0.03, 0.06)), _any(inks, rng))


def club(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A cudgel, thick end up: smooth, knobby or leafy, in one colour or several."""
    thin, thick = rng.uniform(0.025, 0.07), rng.uniform(0.08, 0.17)
    bend, waist = float(rng.normal(0, 0.05)), float(rng.uniform(-0.2, 0.15))
    half = [(thin, 0.5), (thin * 1.3, waist + 0.2), (thick, -0.36), (thick * 0.6, -0.5)]
    pen.shape([(x + bend * (y * y * 4 - 0.5), y) for x, y in _mirrored(half)], _any(inks, rng))
    if rng.random() < 0.6:
        pen.shape([(x * 0.55 + bend * (y * y * 4 - 0.5), y * 0.8) for x, y in _mirrored(half)],
                  _any(inks, rng))  # fmt: skip
    if rng.random() < 0.4:
        pen.shape(_ellipse(bend * 0.5, -0.46, float(thick) * 0.8, 0.05), _any(inks, rng))
    leaf = _any(inks, rng)
    for _ in range(int(rng.integers(0, 5))):
        side, y = float(rng.choice([-1, 1])), float(rng.uniform(-0.35, 0.35))
        near, out = float(thin) * 0.8, float(rng.uniform(0.05, 0.12))
        pen.shape([(side * near, y), (side * (near + out), y - out), (side * near, y - 0.1)], leaf)


EDGES = (1 / 90, 1 / 35)
"""Range of edge widths for signs close to others of their kind. A choice: a wide staff with thick
edges looks like one, just as two thin ones next to each other look like two."""


def crossing_sword(pen: Pen, line: list[Place], inks: Inks, rng: Rng, width: float) -> None:
    """A bent sword along a line, with its hilt at the end.

    `width` is the blade's, as a share of the pen's height.
    """
    wide, edge = width or float(rng.uniform(0.016, 0.026)), float(rng.uniform(*EDGES))
    blade, hilt, third = inks[0], _any(inks[1:], rng), _any(inks, rng)
    grip = int(rng.integers(2, 5))
    pen.stroke(line[: 1 - grip], blade, wide, edge)
    if rng.random() < 0.5:
        pen.stroke(line[2 : -grip - 1 : int(rng.integers(1, 3))], third, wide * 0.3, edge)
    if rng.random() < 0.4:
        pen.stroke(line[-grip - 4 : -grip + 1], third, wide * 0.8, edge)
    thick = wide * float(rng.uniform(1.1, 1.9))
    pen.stroke(line[-grip:], hilt, thick, edge)
    guard = thick * float(rng.uniform(1.2, 2.4))
    _guard(pen, (line[-grip - 1], line[-grip]), guard, third, edge)
    pen.disc(line[-1], thick * float(rng.uniform(0.5, 0.9)), _any(inks, rng))


def _guard(pen: Pen, part: tuple[Place, Place], reach: float, ink: Colour, edge: float) -> None:
    """The guard between blade and hilt: a short stroke across the line."""
    before, place = part
    along = np.array(place) - np.array(before)
    across = np.array((-along[1], along[0])) / max(float(np.hypot(*along)), 1e-6) * reach
    ends = np.array(place) - across, np.array(place) + across
    pen.stroke([(float(x), float(y)) for x, y in ends], ink, reach * 0.45, edge)


def crossing_club(pen: Pen, line: list[Place], inks: Inks, rng: Rng, width: float) -> None:
    """A staff along a line, with knobs at both ends and rings around it; `width` 0 means any."""
    wide, edge = width or float(rng.uniform(0.022, 0.07)), float(rng.uniform(*EDGES))
    pen.stroke(line, inks[0], wide, edge)
    if rng.random() < 0.3:
        pen.stroke(line[2:-2], _any(inks, rng), wide * 0.4, edge)
    knob, ring = _any(inks, rng), _any(inks[1:], rng)
    far, long = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    for part in (line[far : far + 1 + long], line[-far - 1 - long : -far]):
        pen.stroke(part, ring, wide * 1.15, edge)
    if rng.random() < 0.5:
        for part in (line[: far + 1], line[-far - 1 :]):
            pen.stroke(part, knob, wide * float(rng.uniform(1.1, 1.6)), edge)
        return
    for end in (line[0], line[-1]):
        pen.disc(end, wide * float(rng.uniform(0.6, 0.95)), knob)


def ornament(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Something to fill the space between signs: leaves, a ribbon, a badge, strokes, a face."""
    way = int(rng.integers(6))
    if way == 0:
        _leaves(pen, inks, rng)
    elif way == 4:
        _emblem(pen, inks, rng)
    elif way == 5:
        _mask(pen, inks, rng)
    elif way == 1:
        xs = np.linspace(-0.5, 0.5, 9)
        high, waves = float(rng.uniform(0.05, 0.2)), float(rng.uniform(2, 7))
        line = [(float(x), high * float(np.sin(x * waves))) for x in xs]
        pen.stroke(line, _any(inks, rng), float(rng.uniform(0.05, 0.12)))
    elif way == 2:
        pen.shape(
            [(-0.22, -0.3), (0.22, -0.3), (0.22, 0.05), (0, 0.34), (-0.22, 0.05)], _any(inks, rng)
        )
        pen.stroke([(0, -0.28), (0, 0.25)], _any(inks, rng), 0.08)
        pen.stroke([(-0.2, -0.08), (0.2, -0.08)], _any(inks, rng), 0.06)
    else:
        colour = _any((*inks, BLACK, BLACK), rng)
        for _ in range(int(rng.integers(6, 16))):
            x, y = float(rng.uniform(-0.4, 0.4)), float(rng.uniform(-0.15, 0.15))
            pen.stroke([(x, y), (x + float(rng.normal(0, 0.06)), y + 0.05)], colour, 0.012)


def _emblem(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A crown, with a maker's name curved below it."""
    ink, tall = _any(inks, rng), float(rng.uniform(0.15, 0.3))
    tops = [(x, -tall * (1.2 if number % 2 else 0.7)) for number, x in
            enumerate((0.25, 0.15, 0.0, -0.15, -0.25))]  # fmt: skip
    pen.shape([(-0.2, 0.0), (0.2, 0.0), *tops], ink)
    for turn in np.linspace(-1.1, 1.1, int(rng.integers(6, 14))):
        x, y = 0.42 * float(np.sin(turn)), 0.42 * float(np.cos(turn)) - 0.1
        pen.line([(x, y), (x * 1.15, y * 1.15 + 0.04)], BLACK, 0.03)


def _mask(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A face, bearded or in leaves, the size of a sign or smaller."""
    skin, dark, size = _any((*inks, SKIN), rng), _any(inks, rng), float(rng.uniform(0.2, 0.42))
    if rng.random() < 0.5:
        pen.shape(_star(int(rng.integers(7, 14)), size * 1.35, 0.75), dark)
    pen.shape(_ellipse(0.0, 0.0, size * 0.85, size), skin)
    for side in (-1, 1):
        pen.disc((side * 0.3 * size, -0.25 * size), 0.12 * size, BLACK)
    pen.stroke([(0, -0.2 * size), (0, 0.2 * size)], dark, 0.04)
    pen.stroke([(-0.3 * size, 0.45 * size), (0.3 * size, 0.45 * size)], dark, 0.06)


def _leaves(pen: Pen, inks: Inks, rng: Rng) -> None:
    stalk, leaf = _any(inks, rng), _any(inks, rng)
    bend = float(rng.normal(0, 0.25))
    ys = np.linspace(-0.45, 0.45, 7)
    line = [(bend * float(y * y), float(y)) for y in ys]
    pen.stroke(line, stalk, 0.025)
    for x, y in line[1:]:
        for side in (-1, 1):
            out, up = side * float(rng.uniform(0.1, 0.25)), float(rng.uniform(0.02, 0.14))
            pen.shape([(x, y), (x + out, y - up), (x + out * 0.6, y + 0.03)], leaf)


def ribbon(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A ribbon that winds from side to side over what is there, with loose ends."""
    ink, wide = _any(inks, rng), float(rng.uniform(0.05, 0.13))
    reach, high = float(rng.uniform(0.28, 0.45)), float(rng.uniform(0.05, 0.3))
    waves, turned = float(rng.uniform(2.5, 8.0)), float(rng.uniform(0, 2 * np.pi))
    line = [
        (reach * float(x), high * float(np.sin(x * waves + turned))) for x in np.linspace(-1, 1, 25)
    ]
    pen.stroke(line, ink, wide, 0.02)
    if rng.random() < 0.5:
        pen.stroke(line[5:-5], _any(inks, rng), wide * 0.4, 0.01)


def rays(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A sun behind a sign: rays all around, in two inks."""
    first, second = _any(inks, rng), _any(inks, rng)
    count = int(rng.integers(8, 20))
    inner = float(rng.uniform(0.4, 0.7))
    pen.shape(_star(count, 0.5, inner), first)
    if rng.random() < 0.5:
        pen.shape(_star(count, 0.42, inner), second)


def figure(pen: Pen, rank: Rank, inks: Inks, rng: Rng, *, whole: bool) -> None:
    """A page, a rider or a king in any dress, full-length or to the waist."""
    robe, over, third = (_any(inks, rng) for _ in range(3))
    if rank is Rank.QUEEN:
        _horse(pen, _any(inks, rng), whole=whole)
    low = float(rng.uniform(0.1, 0.3)) if whole else 0.14
    if whole and rank is not Rank.QUEEN:
        for side in (-1, 1):
            pen.shape([(side * 0.02, low - 0.05), (side * 0.12, low - 0.05), (side * 0.11, 0.48),
                       (side * 0.03, 0.48)], third)  # fmt: skip
    skirt = float(rng.uniform(0.14, 0.3))
    if rank is Rank.KING and rng.random() < 0.6:
        pen.shape([(-0.12, -0.2), (0.12, -0.2), (0.34, 0.45), (-0.34, 0.45)], third)
    pen.shape([(-0.13, -0.2), (0.13, -0.2), (skirt, low), (-skirt, low)], robe)
    pen.shape([(-0.04, -0.2), (0.04, -0.2), (0.06, low), (-0.06, low)], over)
    for _ in range(int(rng.integers(0, 4))):
        y = float(rng.uniform(-0.15, low))
        pen.stroke([(-0.13, y), (0.13, y)], _any(inks, rng), 0.03)
    for side in (-1, 1):
        elbow = side * float(rng.uniform(0.18, 0.28)), float(rng.uniform(-0.1, 0.05))
        pen.stroke(
            [(side * 0.12, -0.16), elbow, (side * float(rng.uniform(0.05, 0.3)), -0.12)], over, 0.06
        )
    pen.disc((0, -0.29), 0.085, SKIN)
    pen.shape(_mirrored([(0.1, -0.33), (0.12, -0.44), (0.04, -0.4), (0.0, -0.48)]), _any(inks, rng))


def _horse(pen: Pen, coat: Colour, *, whole: bool) -> None:
    if whole:
        for x in (-0.26, -0.14, 0.1, 0.22):
            pen.shape([(x, 0.2), (x + 0.06, 0.2), (x + 0.04, 0.5), (x, 0.5)], coat)
        pen.shape([(-0.3, 0.06), (0.28, 0.06), (0.3, 0.28), (-0.3, 0.28)], coat)
    pen.shape(
        [(0.1, 0.14), (0.2, -0.18), (0.3, -0.24), (0.38, -0.06), (0.31, -0.04), (0.28, 0.14)], coat
    )
    pen.disc((0.28, -0.15), 0.012, BLACK)
