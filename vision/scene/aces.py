"""What stands around the sign of an ace: an eagle, a hand, a garland, a crown, a statue, a tree.

An ace shows the maker's art, so that hardly two are alike; its sign is there for whoever looks.

>>> picture = np.full((184, 112, 3), 255, np.uint8)
>>> pen = Pen(picture, (56, 92), 110)
>>> behind(pen, Suit.DIAMONDS, ((0, 0, 200), (0, 200, 240)), np.random.default_rng(2))
>>> before(pen, Suit.SPADES, ((0, 0, 200), (0, 200, 240)), np.random.default_rng(2))
>>> bool((picture < 255).any())
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from rules.cards import Suit
from vision.scene.courts import BLACK, SKIN, Colour
from vision.scene.pen import Pen, Place
from vision.scene.signs import Inks

Rng: TypeAlias = np.random.Generator
Adds: TypeAlias = Callable[[Pen, Inks, Rng], None]
"""Draws something around a sign, in parts of the sign's height."""


def _any(inks: Inks, rng: Rng) -> Colour:
    return inks[int(rng.integers(len(inks)))]


def behind(pen: Pen, suit: Suit, inks: Inks, rng: Rng) -> None:
    """Draw what is partly covered by the sign."""
    _added(pen, _BEHIND[suit], inks, rng)


def before(pen: Pen, suit: Suit, inks: Inks, rng: Rng) -> None:
    """Draw what covers a part of the sign."""
    _added(pen, _BEFORE[suit], inks, rng)


def _added(pen: Pen, ways: Sequence[Adds], inks: Inks, rng: Rng) -> None:
    often = float(rng.uniform(*OFTEN))
    for way in ways:
        if rng.random() < often:
            way(pen, inks, rng)


OFTEN = 0.1, 0.7
"""How often an ace has each of what it may have: a range, as some aces are plain and some have it
all. A choice."""


def urn(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A vessel instead of a cup: of many bands, with a lid, handles and perhaps a face on it."""
    ys = np.linspace(-0.34, 0.5, int(rng.integers(6, 11)))
    widths = rng.uniform(0.06, 0.36, len(ys))
    widths[1 : len(ys) // 2 + 1] = np.maximum(widths[1 : len(ys) // 2 + 1], 0.2)
    reach = float(widths[1 : len(ys) // 2].max())
    if rng.random() < 0.7:
        curl = [(reach * 0.8, -0.3), (reach + 0.1, -0.34), (reach + 0.14, -0.15), (reach, 0.0)]
        for side in (-1, 1):
            line = [(side * x, y) for x, y in curl]
            pen.stroke(line, _any((*inks, PAPER), rng), float(rng.uniform(0.02, 0.06)))
    for n in range(len(ys) - 1):
        (wide, low), (top, bottom) = widths[n : n + 2], ys[n : n + 2]
        band = [(wide, top), (low, bottom), (-low, bottom), (-wide, top)]
        pen.shape([(float(x), float(y)) for x, y in band], _any(inks, rng))
        for x in np.linspace(-0.8, 0.8, int(rng.integers(3, 9))) if rng.random() < 0.4 else ():
            pen.line([(float(x * wide), top), (float(x * low), bottom)], _any(inks, rng), 0.015)
    _lid(pen.elsewhere(_above(pen, 0.14), pen.height * 0.9, pen.turn), inks, rng)
    if rng.random() < 0.4:
        face = float(rng.uniform(0.06, 0.12))
        pen.disc((0, 0), face * 1.5, _any(inks, rng))
        pen.disc((0, 0), face, _any((*inks, SKIN), rng))


def _above(pen: Pen, share: float) -> Place:
    """A place on the card below the pen's centre by a share of its height."""
    return pen.centre[0], pen.centre[1] + share * pen.height


def _eagle(pen: Pen, inks: Inks, rng: Rng) -> None:
    """An eagle of one head or two, its wings spread at both sides of a coin."""
    body, feather, beak = (_any(inks, rng) for _ in range(3))
    high, wide = float(rng.uniform(0.75, 1.1)), float(rng.uniform(0.5, 0.75))
    for side in (-1, 1):
        wing = [(0.1, -0.4), (wide * 0.7, -high * 0.8), (wide, -0.3), (wide * 0.9, 0.2), (0.2, 0.4)]
        pen.shape([(side * x, y) for x, y in wing], body)
        for y in np.linspace(-0.4, 0.2, int(rng.integers(3, 8))):
            pen.stroke([(side * 0.3, float(y)), (side * wide * 0.9, float(y) + 0.1)], feather, 0.03)
        pen.stroke([(side * 0.15, 0.4), (side * 0.3, high * 0.8)], beak, 0.08)
    pen.shape([(-0.15, 0.3), (0.15, 0.3), (0.3, high), (-0.3, high)], feather)
    for side in (-1, 1)[int(rng.integers(2)) :]:
        x = side * float(rng.uniform(0.08, 0.22))
        pen.stroke([(0.0, -0.4), (x, -high * 0.7), (x, -high * 0.85)], body, 0.14)
        pen.disc((x, -high * 0.9), 0.1, body)
        pen.shape([(x, -high * 0.95), (x + side * 0.22, -high * 0.85), (x, -high * 0.82)], beak)


def _second(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A ring below the coin, empty but for a maker's name."""
    y = float(rng.uniform(0.6, 1.0))
    pen.disc((0, y), 0.45, _any(inks, rng))
    pen.disc((0, y), float(rng.uniform(0.3, 0.4)), PAPER)


PAPER = (245, 250, 252)
"""What is left unprinted. A choice."""


def _blank(pen: Pen, inks: Inks, rng: Rng) -> None:
    """The middle of the coin left empty, or with a pale stamp in it."""
    reach = float(rng.uniform(0.25, 0.44))
    pen.disc((0, 0), reach, PAPER)
    pale = tuple(int(200 + one / 6) for one in _any(inks, rng))
    for _ in range(int(rng.integers(0, 6))):
        x, y = (float(one) * reach for one in rng.uniform(-0.6, 0.6, 2))
        pen.stroke([(x, y), (x + 0.1 * reach, y + 0.05)], (pale[0], pale[1], pale[2]), 0.02)


def _lettered(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A line or two of a maker's name."""
    ink = _any((*inks, BLACK, BLACK), rng)
    for y in rng.choice((-0.7, -0.62, 0.62, 0.72, 0.82), int(rng.integers(1, 3)), replace=False):
        reach = float(rng.uniform(0.15, 0.4))
        for x in np.arange(-reach, reach, float(rng.uniform(0.05, 0.09))):
            pen.line([(float(x), float(y)), (float(x) + 0.02, float(y) + 0.04)], ink, 0.015)


def _lid(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A lid with a knob, stepped or domed."""
    rim, tall = float(rng.uniform(0.25, 0.42)), float(rng.uniform(0.1, 0.22))
    top = -0.48 - tall
    lid = [(rim, -0.47), (rim * float(rng.uniform(0.5, 0.95)), -0.48 - tall / 2), (0.06, top)]
    pen.shape([*lid, *((-x, y) for x, y in reversed(lid))], _any(inks, rng))
    pen.disc((0, top), float(rng.uniform(0.03, 0.07)), _any(inks, rng))


def _statue(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A child with wings on top of the cup, or beside a sword."""
    x, y = 0.0, float(rng.uniform(-0.75, -0.55))
    for side in (-1, 1):
        if rng.random() < 0.7:
            wing = [(0.04, -0.06), (0.26, -0.2), (0.2, 0.06)]
            pen.shape([(x + side * a, y + b) for a, b in wing], _any(inks, rng))
        pen.stroke([(x + side * 0.03, y + 0.06), (x + side * 0.09, y + 0.24)], SKIN, 0.06)
        pen.stroke([(x, y), (x + side * 0.18, y + float(rng.uniform(-0.1, 0.1)))], SKIN, 0.045)
    pen.shape([(x - 0.08, y - 0.06), (x + 0.08, y - 0.06), (x + 0.07, y + 0.12),
               (x - 0.07, y + 0.12)], SKIN)  # fmt: skip
    pen.disc((x, y - 0.11), 0.06, SKIN)


def _flames(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Leaves, flowers or flames that rise from the sign."""
    many, tall = int(rng.integers(3, 7)), float(rng.uniform(0.15, 0.3))
    for x in np.linspace(-0.2, 0.2, many):
        lean = float(x) * float(rng.uniform(1.2, 2.2))
        pen.shape([(float(x) * 0.4 - 0.03, -0.46), (lean, -0.46 - tall),
                   (float(x) * 0.4 + 0.04, -0.46)], _any(inks, rng))  # fmt: skip


def _hand(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A hand that holds the sign below, out of a sleeve from one side."""
    side, y = float(rng.choice([-1, 1])), float(rng.uniform(0.25, 0.4))
    sleeve = [(0.06, y - 0.07), (0.32, y - 0.12), (0.32, y + 0.14), (0.06, y + 0.08)]
    pen.shape([(side * a, b) for a, b in sleeve], _any(inks, rng))
    skin = SKIN if rng.random() < 0.7 else _any(inks, rng)
    for finger in range(4):
        place = y - 0.06 + 0.04 * finger
        pen.stroke([(-side * 0.06, place), (side * 0.08, place)], skin, 0.035)


def _banner(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A ribbon across the sign, its ends hanging, with a word on it."""
    y, ink = float(rng.uniform(-0.25, 0.2)), _any((*inks, PAPER), rng)
    reach, sag = float(rng.uniform(0.2, 0.32)), float(rng.uniform(-0.12, 0.12))
    line = [(float(x), y + sag * (1 - (x / reach) ** 2)) for x in np.linspace(-reach, reach, 9)]
    for side in (-1, 1):
        pen.stroke([(side * reach, y), (side * reach * 0.8, y + 0.2)], ink, 0.07)
    pen.stroke(line, ink, float(rng.uniform(0.06, 0.11)))
    for x, height in line[1:-1]:
        pen.line([(x, height - 0.02), (x + 0.01, height + 0.02)], BLACK, 0.012)


def _garland(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A snake, a garland or a tendril that winds around the sign."""
    reach, turns = float(rng.uniform(0.1, 0.3)), float(rng.uniform(1.0, 2.6))
    ys = np.linspace(-0.48, 0.48, 33)
    turned = float(rng.uniform(0, 2 * np.pi))
    line = [(reach * float(np.sin(y * turns * 2 * np.pi + turned)), float(y)) for y in ys]
    wide = float(rng.uniform(0.02, 0.07))
    pen.stroke(line, _any(inks, rng), wide)
    leaf = _any(inks, rng)
    for x, y in line[:: int(rng.integers(2, 6))]:
        pen.disc((x, y), wide * float(rng.uniform(0.3, 0.8)), leaf)


def _crown(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A crown that the sign passes through."""
    y, wide, tall = (float(rng.uniform(*span)) for span in ((-0.3, 0.2), (0.16, 0.32), (0.08, 0.2)))
    base = [(-wide * 0.8, y), (wide * 0.8, y)]
    points = int(rng.integers(3, 6))
    top = [
        (float(x), y - tall * (1.0 if number % 2 == 0 else 0.45))
        for number, x in enumerate(np.linspace(wide, -wide, 2 * points - 1))
    ]
    pen.shape([*base, *top], _any(inks, rng))
    pen.stroke(base, _any(inks, rng), 0.05)


def _tree(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Branches and leaves at both sides of a club, as if it grew."""
    bark, leaf = _any(inks, rng), _any(inks, rng)
    for _ in range(int(rng.integers(2, 6))):
        y, side = float(rng.uniform(-0.3, 0.35)), float(rng.choice([-1, 1]))
        end = side * float(rng.uniform(0.12, 0.3)), y - float(rng.uniform(0.08, 0.3))
        pen.stroke([(0.0, y), (end[0] * 0.6, y - 0.04), end], bark, float(rng.uniform(0.03, 0.09)))
        for _ in range(int(rng.integers(0, 4))):
            x, up = (float(one) for one in rng.normal(0, 0.05, 2))
            pen.disc((end[0] + x, end[1] + up), float(rng.uniform(0.02, 0.05)), leaf)


def _roses(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A twig with flowers at each side."""
    stalk, flower = _any(inks, rng), _any(inks, rng)
    reach, low = float(rng.uniform(0.14, 0.26)), float(rng.uniform(-0.1, 0.3))
    tall = float(rng.uniform(0.2, 0.45))
    for side in (-1, 1):
        line: list[Place] = [(side * 0.05, low), (side * reach, low - 0.1),
                             (side * reach * 0.9, low - tall)]  # fmt: skip
        pen.stroke(line, stalk, 0.025)
        for x, y in line[1:]:
            pen.disc((x, y), float(rng.uniform(0.03, 0.07)), flower)


def _ground(pen: Pen, inks: Inks, rng: Rng) -> None:
    """A meadow or a pedestal below."""
    wide, top = float(rng.uniform(0.2, 0.36)), float(rng.uniform(0.4, 0.48))
    pen.shape([(-wide, top), (wide, top), (wide, 0.56), (-wide, 0.56)], _any(inks, rng))


_BEHIND: Mapping[Suit, Sequence[Adds]] = {
    Suit.DIAMONDS: (_eagle, _second, _lettered),
    Suit.HEARTS: (_lid, _statue, _flames, _ground),
    Suit.SPADES: (_roses, _garland, _statue, _ground),
    Suit.CLUBS: (_tree, _roses, _garland, _ground),
}
_BEFORE: Mapping[Suit, Sequence[Adds]] = {
    Suit.DIAMONDS: (_blank, _lettered),
    Suit.HEARTS: (_banner,),
    Suit.SPADES: (_hand, _banner, _crown, _garland),
    Suit.CLUBS: (_hand, _banner, _crown),
}
