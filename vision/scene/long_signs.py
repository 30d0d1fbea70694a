"""Swords and clubs: separate ones, and those that are drawn along a line and cross others.

The random generator decides the shape, so the same seed draws the same sign again.

    >>> picture = np.full((60, 60, 3), 255, np.uint8)
    >>> sword(Pen(picture, (30, 30), 50), ((0, 200, 240),), np.random.default_rng(1))
    >>> bool((picture[20, 30] < 255).any()), picture[2, 2].tolist()
    (True, [255, 255, 255])
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from vision.scene.courts import BLACK, Colour
from vision.scene.pen import Pen, Place
from vision.scene.signs import Inks, any_of, ellipse, mirrored

Rng: TypeAlias = np.random.Generator


def sword(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A straight sword, point up: blade, guard, grip and pommel."""
    wide, guard, hilt = rng.uniform(0.025, 0.075), rng.uniform(0.1, 0.2), rng.uniform(0.16, 0.34)
    top = 0.5 - float(hilt)
    _blade(pen, float(wide), top, inks, rng)
    thick = float(rng.uniform(0.02, 0.08))
    bent = float(rng.uniform(-0.06, 0.06))
    metal, grip = any_of(inks, rng), float(rng.uniform(0.02, 0.045))
    pen.shape(mirrored([(grip, top + thick), (grip, 0.46)]), any_of(inks, rng))
    across = [(0.0, top), (guard, top + bent), (guard, top + bent + thick), (0.03, top + thick)]
    pen.shape(mirrored(across), metal)
    if rng.random() < 0.5:
        for side in (-1, 1):
            knob = float(rng.uniform(0.025, 0.06))
            pen.disc((side * float(guard), top + bent + thick / 2), knob, any_of(inks, rng))
    if rng.random() < 0.3:
        pen.disc((0, top + thick / 2), float(rng.uniform(0.05, 0.11)), any_of(inks, rng))
    if rng.random() < CURLED:
        _curled(pen, top + thick / 2, float(guard), metal, rng)
    pen.disc((0, 0.46), float(rng.uniform(0.03, 0.06)), any_of(inks, rng))


CURLED, CREASED = 0.3, 0.35
"""Share of makers whose hilts curl, and of those whose blades have a dark half. Choices."""


def _blade(pen: Pen, wide: float, top: float, inks: Inks, rng: Rng) -> None:
    """A blade of some taper, with a crease or a dark half."""
    point, slim = float(rng.uniform(0.03, 0.2)), float(rng.uniform(0.6, 1.1))
    steel = any_of(inks, rng)
    pen.shape(mirrored([(wide, top), (wide * slim, -0.5 + point), (0.0, -0.5)]), steel)
    if rng.random() < CREASED:
        shade = tuple(int(one * float(rng.uniform(0.4, 0.8))) for one in steel)
        half: list[Place] = [(0, top), (wide, top), (wide * slim, point - 0.5), (0, -0.5)]
        pen.shape(half, (shade[0], shade[1], shade[2]))
    elif rng.random() < 0.5:
        pen.stroke([(0, top), (0, -0.5 + point)], any_of(inks, rng), 0.012)


def _curled(pen: Pen, y: float, reach: float, metal: Colour, rng: Rng) -> None:
    """Draw rings, curls and knobs around a guard, as chased hilts have."""
    for side in (-1, 1):
        for _ in range(int(rng.integers(2, 5))):
            x, off = float(rng.uniform(0.2, 1.1)) * reach, float(rng.normal(0, 0.05))
            size = float(rng.uniform(0.02, 0.05))
            pen.disc((side * x, y + off), size, metal)
            if rng.random() < 0.5:
                pen.disc((side * x, y + off), size * 0.5, BLACK)
    for off in rng.uniform(0.0, 0.2, int(rng.integers(1, 4))):
        pen.disc((0, min(y + float(off), 0.48)), float(rng.uniform(0.03, 0.07)), metal)


CLUB_WAYS = (0.6, 0.25, 0.15)
"""Shares of clubs that are cudgels, bats with a leaf on them, and twigs. A choice."""


def club(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A club, thick end up: a cudgel, a bat with a leaf on it, or a leafy twig."""
    (_cudgel, _bat, _twig)[int(rng.choice(3, p=CLUB_WAYS))](pen, inks, rng)


def _bat(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A bent bat like a drop, in two inks, with a long leaf on it."""
    thick, bend = float(rng.uniform(0.07, 0.16)), float(rng.uniform(-0.16, 0.16))
    ys = np.linspace(-0.5, 0.5, 15)
    round_ = np.sqrt(np.maximum(0.0, 1 - ((ys + 0.28) / 0.23) ** 2))
    widths = np.where(ys < -0.28, round_, np.maximum(1 - (ys + 0.28) / 0.75, 0.16)) * thick * 2
    line = [(bend * float(np.sin(y * 3)), float(y)) for y in ys]
    first, second, leaf = (any_of(inks, rng) for _ in range(3))
    pen.tapered(line, [float(one) for one in widths], first, 1 / 40)
    if rng.random() < 0.7:
        side = float(rng.choice([-1, 1])) * thick * 0.45
        shifted = [(x + side * float(w) / thick / 2, y)
                   for (x, y), w in zip(line, widths, strict=True)]  # fmt: skip
        pen.tapered(shifted, [float(one) * 0.45 for one in widths], second, 1 / 60)
    if rng.random() < 0.7:
        _long_leaf(pen, line[2:-3], leaf, rng)
    if rng.random() < 0.4:
        pen.stroke(line[-4:], any_of(inks, rng), float(rng.uniform(0.05, 0.09)))


def _long_leaf(pen: Pen, line: list[Place], ink: Colour, rng: Rng) -> None:
    """A leaf with teeth along a line."""
    wide = float(rng.uniform(0.03, 0.08))
    right = [(x + wide * (1.0 if n % 2 else 0.5), y) for n, (x, y) in enumerate(line)]
    left = [(x - wide * (0.5 if n % 2 else 1.0), y) for n, (x, y) in enumerate(line)]
    pen.shape([*right, *reversed(left)], ink)


def _twig(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A branch with stumps and leaves, thicker at one end."""
    bend, thin = float(rng.normal(0, 0.1)), float(rng.uniform(0.03, 0.06))
    ys = np.linspace(0.5, -0.5, 11)
    line = [(bend * float(np.cos(y * 4)), float(y)) for y in ys]
    bark, leaf = any_of(inks, rng), any_of(inks, rng)
    thick = thin * float(rng.uniform(1.2, 3.0))
    pen.tapered(line, [float(one) for one in np.linspace(thin, thick, 11)], bark, 1 / 30)
    for x, y in line[1:-1]:
        side, out = float(rng.choice([-1, 1])), float(rng.uniform(0.05, 0.14))
        if rng.random() < 0.4:
            pen.stroke([(x, y), (x + side * out, y - out * 0.6)], bark, thin * 0.9)
        if rng.random() < 0.6:
            tip = x + side * (out + 0.06), y - out
            pen.shape([(x, y), tip, (x + side * out * 0.5, y - out - 0.03)], leaf)


def _cudgel(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A cudgel, thick end up: smooth, knobby or leafy, in one colour or several."""
    thin, thick = rng.uniform(0.025, 0.07), rng.uniform(0.08, 0.17)
    bend, waist = float(rng.normal(0, 0.05)), float(rng.uniform(-0.2, 0.15))
    half = [(thin, 0.5), (thin * 1.3, waist + 0.2), (thick, -0.36), (thick * 0.6, -0.5)]
    pen.shape([(x + bend * (y * y * 4 - 0.5), y) for x, y in mirrored(half)], any_of(inks, rng))
    if rng.random() < 0.6:
        pen.shape([(x * 0.55 + bend * (y * y * 4 - 0.5), y * 0.8) for x, y in mirrored(half)],
                  any_of(inks, rng))  # fmt: skip
    if rng.random() < 0.4:
        pen.shape(ellipse(bend * 0.5, -0.46, float(thick) * 0.8, 0.05), any_of(inks, rng))
    leaf = any_of(inks, rng)
    for _ in range(int(rng.integers(0, 5))):
        side, y = float(rng.choice([-1, 1])), float(rng.uniform(-0.35, 0.35))
        near, out = float(thin) * 0.8, float(rng.uniform(0.05, 0.12))
        pen.shape([(side * near, y), (side * (near + out), y - out), (side * near, y - 0.1)], leaf)


EDGES = (1 / 200, 1 / 40)
"""Range of edge widths for signs close to others of their kind. A choice: a wide staff with thick
edges looks like one, just as two thin ones next to each other look like two."""


def _edge(rng: Rng) -> float:
    return float(np.exp(rng.uniform(*np.log(EDGES))))


def crossing_sword(pen: Pen, line: list[Place], inks: Inks, rng: Rng, width: float) -> None:
    """A bent sword along a line, with its hilt at the end.

    `width` is the blade's, as a share of the pen's height.
    """
    wide, edge = width or float(rng.uniform(0.016, 0.026)), _edge(rng)
    blade, hilt, third = inks[0], any_of(inks[1:], rng), any_of(inks, rng)
    grip = int(rng.integers(2, 5))
    taper = float(rng.uniform(0.0, 0.9)) * (rng.random() < 0.6)
    swell = float(rng.uniform(0.8, 1.3))
    widths = np.interp(np.arange(len(line)), (0, 6, len(line)), (1 - taper, swell, 1.0)) * wide
    pen.tapered(line[: 1 - grip], [float(one) for one in widths[: 1 - grip]], blade, edge)
    if rng.random() < 0.6:
        _dressed(pen, line[: -grip - 1], third, wide, rng)
    if rng.random() < 0.4:
        pen.stroke(line[-grip - 4 : -grip + 1], third, wide * 0.8, edge)
    thick = wide * float(rng.uniform(1.1, 1.9))
    pen.stroke(line[-grip:], hilt, thick, edge)
    guard = thick * float(rng.uniform(1.2, 2.4))
    _guard(pen, (line[-grip - 1], line[-grip]), guard, third, edge)
    pen.disc(line[-1], thick * float(rng.uniform(0.5, 0.9)), any_of(inks, rng))


def _dressed(pen: Pen, blade: list[Place], ink: Colour, wide: float, rng: Rng) -> None:
    """Draw a line, a zigzag or dashes along a part of a blade."""
    first = int(rng.integers(0, 5))
    part = blade[first : first + int(rng.integers(6, 14))]
    way, dark = int(rng.integers(3)), ink if rng.random() < 0.6 else BLACK
    if way == 0:
        pen.line(part, dark, wide * float(rng.uniform(0.2, 0.45)))
        return
    fine = (
        np.array(part).repeat(2, axis=0)
        + np.array((0.0, 0.014)) * (np.arange(2 * len(part)) % 2)[:, None]
    )
    off = wide * 0.4 * np.where(np.arange(len(fine)) % 2, 1.0, -1.0) * (way == 1)
    places = [(float(x + o), float(y)) for (x, y), o in zip(fine, off, strict=True)]
    if way == 1:
        pen.line(places, dark, wide * 0.25)
        return
    for start in range(0, len(places) - 1, 2):
        pen.line(places[start : start + 2], dark, wide * 0.5)


def _guard(pen: Pen, part: tuple[Place, Place], reach: float, ink: Colour, edge: float) -> None:
    """The guard between blade and hilt: a short stroke across the line."""
    before, place = part
    along = np.array(place) - np.array(before)
    across = np.array((-along[1], along[0])) / max(float(np.hypot(*along)), 1e-6) * reach
    ends = np.array(place) - across, np.array(place) + across
    pen.stroke([(float(x), float(y)) for x, y in ends], ink, reach * 0.45, edge)


def crossing_club(pen: Pen, line: list[Place], inks: Inks, rng: Rng, width: float) -> None:
    """A staff along a line, with knobs at both ends and rings around it; `width` 0 means any."""
    wide, edge = width or float(rng.uniform(0.022, 0.07)), _edge(rng)
    pen.stroke(line, inks[0], wide, edge)
    if rng.random() < 0.3:
        pen.stroke(line[2:-2], any_of(inks, rng), wide * 0.4, edge)
    knob, ring = any_of(inks, rng), any_of(inks[1:], rng)
    far, long = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    for part in (line[far : far + 1 + long], line[-far - 1 - long : -far]):
        pen.stroke(part, ring, wide * 1.15, edge)
    if rng.random() < 0.5:
        for part in (line[: far + 1], line[-far - 1 :]):
            pen.stroke(part, knob, wide * float(rng.uniform(1.1, 1.6)), edge)
        return
    for end in (line[0], line[-1]):
        pen.disc(end, wide * float(rng.uniform(0.6, 0.95)), knob)
