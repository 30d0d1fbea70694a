"""The positions of signs on a Latin card that do not cross: in rows, in columns, aslant.

>>> rng = np.random.default_rng(1)
>>> [len(stands(Suit.DIAMONDS, count, rng)) for count in range(1, 10)]
[1, 2, 3, 4, 5, 6, 7, 8, 9]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from rules.cards import Suit

Rng: TypeAlias = np.random.Generator
Stand: TypeAlias = tuple[float, float, float, float]
"""A sign's position and height, as shares of the card, and its rotation in degrees."""
LONG = (Suit.SPADES, Suit.CLUBS)
"""The suits with long signs: swords and clubs."""
COLUMNS = 0.35
"""Probability that swords or clubs stand in columns like coins. A choice."""
IN_ROWS: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((1, 1),),
    3: ((1, 1, 1), (1, 2), (2, 1)),
    4: ((2, 2), (2, 2), (1, 2, 1)),
    5: ((2, 1, 2), (2, 1, 2), (3, 2), (1, 3, 1)),
    6: ((2, 2, 2), (3, 3), (1, 2, 2, 1), (2, 2, 2)),
    7: ((3, 1, 3), (2, 3, 2), (2, 1, 2, 2), (2, 2, 1, 2), (2, 2, 3), (3, 2, 2)),
    8: ((2, 2, 2, 2), (3, 2, 3), (2, 1, 2, 1, 2), (2, 2, 2, 2)),
    9: ((3, 3, 3), (2, 2, 1, 2, 2), (3, 1, 2, 3), (3, 3, 3)),
}
"""Numbers of signs in each row, by the number of signs: as on Spanish and Italian cards."""
ROOM = {1: 0.4, 2: 0.26, 3: 0.185}
"""Maximum height of a sign, as a share of the card, by the number side by side: a coin of that
height fits. Follows from a card's proportions."""

EDGE = 0.03
"""Distance of signs from the edge of a card, as a share of its height. A choice."""


def stands(suit: Suit, count: int, rng: Rng) -> list[Stand]:
    """Place `count` signs, with the irregularity of a maker's hand."""
    if count == 1:
        tall, lean = ((0.5, 0.88), 12) if suit in LONG else ((0.32, 0.62), 0)
        return [(0.5, 0.5, float(rng.uniform(*tall)), float(rng.normal(0, lean)) if lean else 0.0)]
    upright = suit not in LONG or rng.random() < COLUMNS
    placed = _upright(count, rng) if upright else _rods(count, rng)
    if upright and suit in LONG:
        placed = _longer(placed, float(rng.uniform(1.0, 1.9)))
    wobble = float(rng.uniform(0, 0.008))
    jittered = [
        (x + float(rng.normal(0, wobble)), y + float(rng.normal(0, wobble)), tall, turn)
        for x, y, tall, turn in placed
    ]
    return [_inside(stand) for stand in jittered] if upright else jittered


def _inside(stand: Stand) -> Stand:
    """Move a sign away from the upper and lower edges so that it is inside the card."""
    x, y, tall, turn = stand
    room = min(tall / 2 + EDGE / 2, 0.5)
    return x, float(np.clip(y, room, 1 - room)), tall, turn


def _longer(placed: list[Stand], times: float) -> list[Stand]:
    """Stretch signs by the factor `times`, as far as the rows allow."""
    ys = sorted({y for _, y, *_ in placed})
    room = min((after - before for before, after in pairwise(ys)), default=1.0)
    return [(x, y, max(tall, min(tall * times, room)), turn) for x, y, tall, turn in placed]


def _upright(count: int, rng: Rng) -> list[Stand]:
    """Coins and cups: in rows or in two columns, sometimes with the lower half upside down."""
    placed = _grid(count, rng) if rng.random() < 0.5 else _rows(count, rng)
    if rng.random() > 0.12:
        return placed
    return [(x, y, tall, 180.0 if y > 0.52 else 0.0) for x, y, tall, _ in placed]


def _rows(count: int, rng: Rng) -> list[Stand]:
    """Rows of one to three signs; a single one may be larger."""
    ways = IN_ROWS[count]
    shape = ways[int(rng.integers(len(ways)))]
    top = float(rng.uniform(0.12, 0.24 if len(shape) < 4 else 0.16))
    gap = (1 - 2 * top) / (len(shape) - 1)
    tall = float(rng.uniform(0.62, 1.02)) * min(gap, ROOM[max(shape)])
    top = max(top, tall / 2 + EDGE)
    ys = [float(y) for y in np.linspace(top, 1 - top, len(shape))]
    side = max(float(rng.uniform(0.22, 0.3)), 0.06 + tall * 0.85 if max(shape) < 3 else 0.0)
    larger = float(rng.choice([1.0, 1.0, 1.0, 1.4])) if max(shape) < 3 else 1.0
    return [
        (x, y, tall * (larger if many == 1 else 1.0), 0.0)
        for y, many in zip(ys, shape, strict=True)
        for x in _across(many, side)
    ]


def _across(many: int, side: float) -> Sequence[float]:
    return {1: (0.5,), 2: (side, 1 - side), 3: (min(side, 0.22), 0.5, max(1 - side, 0.78))}[many]


def _grid(count: int, rng: Rng) -> list[Stand]:
    """Two columns or a slanted line, with the odd sign in between or larger."""
    side, top = float(rng.uniform(0.24, 0.31)), float(rng.uniform(0.13, 0.2))
    tall = {2: 0.34, 3: 0.26, 4: 0.2, 5: 0.2, 6: 0.19, 7: 0.16, 8: 0.15, 9: 0.15}[count]
    tall *= float(rng.uniform(0.82, 1.15))
    if count == 2:
        return [(0.5, 0.27, tall, 0), (0.5, 0.73, tall, 0)]
    if count == 3:
        return _three(tall, side, top, rng)
    ys = [float(y) for y in np.linspace(top, 1 - top, count // 2)]
    placed = [(x, y, tall, 0.0) for y in ys for x in (side, 1 - side)]
    return _odd(placed, count, ys, tall, rng) if count % 2 else placed


def _three(tall: float, side: float, top: float, rng: Rng) -> list[Stand]:
    """One above the other, one large one above two small ones, or on a slant."""
    way = int(rng.integers(5))
    if way == 0:
        return [(0.5, top + 0.03, tall, 0), (0.5, 0.5, tall, 0), (0.5, 0.97 - top, tall, 0)]
    if way == 1:
        return [(0.5, 0.3, tall * 1.5, 0), (side, 0.76, tall, 0), (1 - side, 0.76, tall, 0)]
    turned = way == 2
    if way == 4:
        return [(side, top, tall, 0), (0.5, 0.5, tall, 0), (1 - side, 1 - top, tall, 0)]
    sides = (1 - side, side) if turned else (side, 1 - side)
    return [
        (sides[0], top + 0.03, tall, 0),
        (sides[1], 0.5, tall, 0),
        (sides[0], 0.97 - top, tall, 0),
    ]


def _odd(placed: list[Stand], count: int, ys: list[float], tall: float, rng: Rng) -> list[Stand]:
    """The odd sign: in the middle, between the top or bottom two rows, or as the third in a row."""
    if count == 5:
        return [*placed, (0.5, 0.5, tall * float(rng.choice([1.0, 1.0, 1.4, 1.8])), 0.0)]
    way = int(rng.integers(4))
    if way == 3:
        return [*placed, (0.5, max(ys) if rng.random() < 0.6 else ys[0], tall, 0.0)]
    between = (ys[0] + ys[1]) / 2 if way < 2 else (ys[-1] + ys[-2]) / 2
    return [*placed, (0.5, between, tall, 0.0)]


def _rods(count: int, rng: Rng) -> list[Stand]:
    """Separate swords and clubs: upright side by side, in two ranks, or aslant."""
    turn = 180.0 * float(rng.random() < 0.3)
    if count == 2:
        apart = float(rng.uniform(0.12, 0.27))
        other = turn + 180.0 * float(rng.random() < 0.5)
        tall, down = float(rng.uniform(0.6, 0.88)), float(rng.uniform(-0.05, 0.05))
        return [(0.5 - apart, 0.5 - down, tall, turn), (0.5 + apart, 0.5 + down, tall, other)]
    if count == 3:
        return _three_rods(rng)
    each = {4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4}[count]
    placed = _ranks(each, count % 2 == 1, turn, rng)
    if count % 2:
        lying = each == 3 or rng.random() < 0.75
        placed.append((0.5, 0.5, float(rng.uniform(0.32, 0.6)) if lying else 0.7,
                       90.0 * float(rng.choice([1, -1])) if lying else turn))  # fmt: skip
    return placed


def _ranks(each: int, odd: bool, turn: float, rng: Rng) -> list[Stand]:
    """Two ranks of `each` signs, the lower sometimes upside down; ranks of two are sometimes
    aslant."""
    tall = float(rng.uniform(0.31, 0.37)) if odd else float(rng.uniform(0.34, 0.44))
    mirror = 180.0 * float(rng.random() < 0.7)
    lean = float(rng.choice([0.0, *rng.uniform(-38, 38, 3)])) if each == 2 else 0.0
    spread = min(0.38, 0.13 * each) * float(rng.uniform(0.8, 1.0))
    xs = np.linspace(0.5 - spread, 0.5 + spread, each)
    edge = float(rng.uniform(0.04, 0.1))
    placed: list[Stand] = []
    for y, way in ((edge + tall / 2, turn), (1 - edge - tall / 2, turn + mirror)):
        signs = (1, -1) if y < 0.5 else (-1, 1)
        placed += [(float(x), y, tall, way + lean * signs[n % 2]) for n, x in enumerate(xs)]
    return placed


def _three_rods(rng: Rng) -> list[Stand]:
    """Side by side, crossed over each other, or two and one."""
    way, flip = int(rng.integers(4)), 180.0 * float(rng.random() < 0.5)
    if way == 0:
        apart, down = float(rng.uniform(0.16, 0.28)), float(rng.uniform(0.0, 0.06))
        ends = [(0.5 + side * apart, 0.5 - down, 0.78, 0.0) for side in (-1, 1)]
        return [ends[0], (0.5, 0.5 + down, 0.78, flip), ends[1]]
    if way == 1:
        lean = float(rng.uniform(16, 28))
        return [(0.5, 0.5, 0.8, flip), (0.5, 0.5, 0.8, flip + lean), (0.5, 0.5, 0.8, flip - lean)]
    if way == 2:
        return [(0.3, 0.28, 0.42, flip), (0.7, 0.28, 0.42, flip), (0.5, 0.74, 0.42, 0)]
    return [(0.5, 0.26, 0.42, flip), (0.3, 0.73, 0.42, 0), (0.7, 0.73, 0.42, 0)]
