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


def any_of(inks: Inks, rng: Rng) -> Colour:
    """Any of the inks."""
    return inks[int(rng.integers(len(inks)))]


def coin(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Concentric rings around a flower, a face, rays or nothing."""
    radius = 0.5
    pen.disc((0, 0), radius, any_of(inks, rng))
    for _ in range(int(rng.integers(1, 4))):
        radius *= float(rng.uniform(0.72, 0.92))
        pen.disc((0, 0), radius, any_of((*inks, (245, 250, 252)), rng))
    _coined(pen, radius * 0.85, inks, rng)


def _coined(pen: Pen, radius: float, inks: Inks, rng: Rng) -> None:
    way, colour = int(rng.integers(4)), any_of(inks, rng)
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
    pen.disc((0, 0), radius * float(rng.uniform(0.1, 0.4)), any_of(inks, rng))


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
                       any_of(inks, rng), 0.05)  # fmt: skip
    pen.shape(mirrored(half), any_of(inks, rng))
    pen.shape(mirrored([(foot, low), (foot, 0.5)]), any_of(inks, rng))
    pen.shape(mirrored([(waist, knot), (waist * 1.3, (knot + low) / 2), (waist, low - 0.04)]),
              any_of(inks, rng))  # fmt: skip
    for _ in range(int(rng.integers(1, 4))):
        y = float(rng.uniform(-0.46, -0.14))
        pen.shape(mirrored([(rim * 0.97, y), (belly * 0.95, y + 0.09)]), any_of(inks, rng))
    if rng.random() < 0.4:
        pen.shape(ellipse(0.0, -0.5, float(rim), 0.07), any_of(inks, rng))
    if rng.random() < 0.3:
        _fluted(pen, belly, inks, rng)


def _fluted(pen: Pen, belly: float, inks: Inks, rng: Rng) -> None:
    """Draw upright flutes on a bowl."""
    ink, low = any_of((*inks, BLACK), rng), float(rng.uniform(-0.15, 0.05))
    for x in np.linspace(-0.75, 0.75, int(rng.integers(4, 10))) * belly:
        pen.line([(float(x), -0.3), (float(x) * 0.8, low)], ink, 0.02)


def mirrored(half: Sequence[tuple[float, float]]) -> list[Place]:
    """An outline from its right half, top to bottom."""
    right = [(float(x), float(y)) for x, y in half]
    return [*right, *((-x, y) for x, y in reversed(right))]


def ellipse(x: float, y: float, across: float, down: float) -> list[Place]:
    """The outline of an ellipse around (x, y), with its half axes."""
    turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    return [(x + across * float(np.cos(t)), y + down * float(np.sin(t))) for t in turns]


def ornament(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Something to fill the space between signs: leaves, a ribbon, a badge, strokes, a face, people
    or a wreath."""
    way = int(rng.integers(8))
    if way == 0:
        _leaves(pen, inks, rng)
    elif way == 4:
        _emblem(pen, inks, rng)
    elif way == 5:
        _mask(pen, inks, rng)
    elif way == 6:
        _people(pen, inks, rng)
    elif way == 7:
        _wreath(pen, inks, rng)
    elif way == 1:
        xs = np.linspace(-0.5, 0.5, 9)
        high, waves = float(rng.uniform(0.05, 0.2)), float(rng.uniform(2, 7))
        line = [(float(x), high * float(np.sin(x * waves))) for x in xs]
        pen.stroke(line, any_of(inks, rng), float(rng.uniform(0.05, 0.12)))
    elif way == 2:
        pen.shape(
            [(-0.22, -0.3), (0.22, -0.3), (0.22, 0.05), (0, 0.34), (-0.22, 0.05)], any_of(inks, rng)
        )
        pen.stroke([(0, -0.28), (0, 0.25)], any_of(inks, rng), 0.08)
        pen.stroke([(-0.2, -0.08), (0.2, -0.08)], any_of(inks, rng), 0.06)
    else:
        colour = any_of((*inks, BLACK, BLACK), rng)
        for _ in range(int(rng.integers(6, 16))):
            x, y = float(rng.uniform(-0.4, 0.4)), float(rng.uniform(-0.15, 0.15))
            pen.stroke([(x, y), (x + float(rng.normal(0, 0.06)), y + 0.05)], colour, 0.012)


def _people(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A scene of small people or animals on some ground, in a single ink or two."""
    ink = any_of((*inks, BLACK, BLACK, BLACK), rng)
    dress = ink if rng.random() < 0.6 else any_of(inks, rng)
    for x in rng.uniform(-0.3, 0.3, int(rng.integers(1, 5))):
        tall, y = float(rng.uniform(0.12, 0.3)), float(rng.uniform(-0.05, 0.2))
        pen.line([(float(x), y - tall * 0.6), (float(x), y)], dress, 0.05)
        for side in (-1, 1):
            foot = float(x) + side * float(rng.uniform(0.02, 0.08)), y + tall * 0.6
            pen.line([(float(x), y), foot], ink, 0.025)
            hand = float(x) + side * float(rng.uniform(0.04, 0.14)), y - float(rng.uniform(0, tall))
            pen.line([(float(x), y - tall * 0.5), hand], ink, 0.02)
        pen.line([(float(x), y - tall * 0.85), (float(x), y - tall * 0.8)], ink, 0.06)
    for _ in range(int(rng.integers(0, 8))):
        x, y = float(rng.uniform(-0.4, 0.3)), float(rng.uniform(0.15, 0.32))
        pen.line([(x, y), (x + float(rng.uniform(0.05, 0.15)), y)], ink, 0.012)


def _wreath(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Leaves and flowers in a row or a ring, tied in the middle."""
    leaf, flower, closed = any_of(inks, rng), any_of(inks, rng), bool(rng.random() < 0.4)
    count = int(rng.integers(5, 12))
    wide, high = float(rng.uniform(0.2, 0.5)), float(rng.uniform(0.06, 0.3))
    for turn in np.linspace(0, 2 * np.pi if closed else np.pi, count):
        x, y = wide * float(np.cos(turn)), high * float(np.sin(turn)) - (0 if closed else high / 2)
        size = float(rng.uniform(0.05, 0.1))
        pen.shape([(x - size, y), (x, y - size * 0.6), (x + size, y + size * 0.3)], leaf)
        if rng.random() < 0.35:
            pen.disc((x, y), float(rng.uniform(0.03, 0.07)), flower)


def _emblem(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A crown, with a maker's name curved below it."""
    ink, tall = any_of(inks, rng), float(rng.uniform(0.15, 0.3))
    tops = [(x, -tall * (1.2 if number % 2 else 0.7)) for number, x in
            enumerate((0.25, 0.15, 0.0, -0.15, -0.25))]  # fmt: skip
    pen.shape([(-0.2, 0.0), (0.2, 0.0), *tops], ink)
    for turn in np.linspace(-1.1, 1.1, int(rng.integers(6, 14))):
        x, y = 0.42 * float(np.sin(turn)), 0.42 * float(np.cos(turn)) - 0.1
        pen.line([(x, y), (x * 1.15, y * 1.15 + 0.04)], BLACK, 0.03)


def _mask(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A face, bearded or in leaves, the size of a sign or smaller."""
    skin, dark, size = any_of((*inks, SKIN), rng), any_of(inks, rng), float(rng.uniform(0.2, 0.42))
    if rng.random() < 0.5:
        pen.shape(_star(int(rng.integers(7, 14)), size * 1.35, 0.75), dark)
    pen.shape(ellipse(0.0, 0.0, size * 0.85, size), skin)
    for side in (-1, 1):
        pen.disc((side * 0.3 * size, -0.25 * size), 0.12 * size, BLACK)
    pen.stroke([(0, -0.2 * size), (0, 0.2 * size)], dark, 0.04)
    pen.stroke([(-0.3 * size, 0.45 * size), (0.3 * size, 0.45 * size)], dark, 0.06)


def _leaves(pen: Pen, inks: Inks, rng: Rng) -> None:
    stalk, leaf = any_of(inks, rng), any_of(inks, rng)
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
    ink, wide = any_of(inks, rng), float(rng.uniform(0.05, 0.13))
    reach, high = float(rng.uniform(0.28, 0.45)), float(rng.uniform(0.05, 0.3))
    waves, turned = float(rng.uniform(2.5, 8.0)), float(rng.uniform(0, 2 * np.pi))
    line = [
        (reach * float(x), high * float(np.sin(x * waves + turned))) for x in np.linspace(-1, 1, 25)
    ]
    pen.stroke(line, ink, wide, 0.02)
    if rng.random() < 0.5:
        pen.stroke(line[5:-5], any_of(inks, rng), wide * 0.4, 0.01)


def rays(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A sun behind a sign: rays all around, in two inks."""
    first, second = any_of(inks, rng), any_of(inks, rng)
    count = int(rng.integers(8, 20))
    inner = float(rng.uniform(0.4, 0.7))
    pen.shape(_star(count, 0.5, inner), first)
    if rng.random() < 0.5:
        pen.shape(_star(count, 0.42, inner), second)


def figure(pen: Pen, rank: Rank, inks: Inks, rng: Rng, *, whole: bool) -> None:
    """A page, a rider or a king in any dress, full-length or to the waist."""
    robe, over, third = (any_of(inks, rng) for _ in range(3))
    if rank is Rank.QUEEN:
        _horse(pen, any_of(inks, rng), whole=whole)
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
        pen.stroke([(-0.13, y), (0.13, y)], any_of(inks, rng), 0.03)
    for side in (-1, 1):
        elbow = side * float(rng.uniform(0.18, 0.28)), float(rng.uniform(-0.1, 0.05))
        pen.stroke(
            [(side * 0.12, -0.16), elbow, (side * float(rng.uniform(0.05, 0.3)), -0.12)], over, 0.06
        )
    pen.disc((0, -0.29), 0.085, SKIN)
    pen.shape(
        mirrored([(0.1, -0.33), (0.12, -0.44), (0.04, -0.4), (0.0, -0.48)]), any_of(inks, rng)
    )


def _horse(pen: Pen, coat: Colour, *, whole: bool) -> None:
    if whole:
        for x in (-0.26, -0.14, 0.1, 0.22):
            pen.shape([(x, 0.2), (x + 0.06, 0.2), (x + 0.04, 0.5), (x, 0.5)], coat)
        pen.shape([(-0.3, 0.06), (0.28, 0.06), (0.3, 0.28), (-0.3, 0.28)], coat)
    pen.shape(
        [(0.1, 0.14), (0.2, -0.18), (0.3, -0.24), (0.38, -0.06), (0.31, -0.04), (0.28, 0.14)], coat
    )
    pen.disc((0.28, -0.15), 0.012, BLACK)
