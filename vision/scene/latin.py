"""Coins, cups, swords and clubs as any maker might draw them: decks of no pattern in particular.

What Italian, Sardinian, Sicilian and Spanish cards have in common is kept: the four signs, that
their number is the card's rank, and the ways in which they stand. All else differs from maker to
maker: shapes, inks, ornaments, frames, numbers in the corners, and whether swords and clubs stand
by themselves or cross each other.

    >>> maker(7) == maker(7), maker(7) == maker(8)
    (True, False)
    >>> drawn(maker(7), Card.parse("7D"), (100, 170)).shape
    (170, 100, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import SUITS, Card, Rank, Suit
from vision.scene.courts import BLACK, Colour, Picture
from vision.scene.glyphs import Typeface, rank_mask
from vision.scene.pen import Pen, Place
from vision.scene.signs import (
    Inks,
    club,
    coin,
    crossing_club,
    crossing_sword,
    cup,
    figure,
    ornament,
    sword,
)

Rng: TypeAlias = np.random.Generator
INKS: tuple[Colour, ...] = (
    (44, 36, 200), (60, 200, 240), (150, 80, 30), (190, 120, 40), (60, 130, 40), (50, 95, 150),
    (40, 110, 60), (200, 180, 150), (120, 110, 220), (60, 130, 230), (90, 60, 40), (30, 30, 140),
    (110, 150, 190), (30, 160, 210),
)  # fmt: skip
"""Reds, yellows, blues, greens, browns and greys of printed cards. A choice."""
VALUES = "A23456789"
"""The ranks that are told by the number of their signs."""


ROWS = 0.35
"""How often swords or clubs stand in columns like coins. A choice."""


@dataclass(frozen=True)
class Maker:
    """How one maker draws a deck; `seed` settles all that is not said."""

    seed: int
    crossed: bool
    """Whether swords and clubs of two and more cross each other."""
    numbered: bool
    """Whether numbers stand in two corners, in a frame that is broken by the suit."""
    frame: int
    """Lines around the card."""
    paper: Colour
    inks: tuple[Colour, ...]

    def dice(self, *parts: int) -> Rng:
        """What this maker always does alike: the same for the same `parts`."""
        return np.random.default_rng([self.seed, *parts])

    def hand(self, suit: Suit) -> tuple[tuple[Colour, ...], Rng]:
        """The inks of a suit, and the dice that shape its sign."""
        first = 3 * SUITS.index(suit)
        own = self.inks[first : first + 4]
        return (*own, self.inks[-1]), self.dice(SUITS.index(suit), 77)


def maker(seed: int, *, crossed: bool | None = None, numbered: bool | None = None) -> Maker:
    """The maker with that number; how signs stand, and whether numbers do, may be asked for."""
    rng = np.random.default_rng([seed, 99])
    inks = tuple(_varied(INKS[int(place)], rng) for place in rng.permutation(len(INKS)))
    by_chance = bool(rng.random() < 0.4), bool(rng.random() < 0.3)
    paper = int(rng.integers(205, 253)), int(rng.integers(228, 255)), int(rng.integers(240, 256))
    own_crossed = by_chance[0] if crossed is None else crossed
    own_numbered = by_chance[1] and not own_crossed if numbered is None else numbered
    return Maker(seed, own_crossed, own_numbered, int(rng.integers(0, 4)), paper, inks)


def _varied(ink: Colour, rng: Rng) -> Colour:
    blue, green, red = (int(np.clip(one + rng.normal(0, 18), 0, 255)) for one in ink)
    return blue, green, red


def drawn(by: Maker, card: Card, size: tuple[int, int]) -> Picture:
    """The face of a card as a maker draws it, `size` (width, height) pixels large."""
    wide, high = size
    picture = np.full((high, wide, 3), by.paper, np.uint8)
    if card.rank.court:
        _court(picture, card, by)
    else:
        _pips(picture, card, by)
    _framed(picture, card, by)
    return picture


def _framed(picture: Picture, card: Card, by: Maker) -> None:
    high, wide = picture.shape[:2]
    for number in range(by.frame):
        inset = round(wide * (0.03 + 0.018 * number))
        colour = by.inks[5 + number] if number % 2 else BLACK
        corners = (inset, inset), (wide - 1 - inset, high - 1 - inset)
        cv2.rectangle(picture, *corners, colour, max(1, wide // 150), cv2.LINE_AA)
    if by.numbered:
        _numbers(picture, card, by)


def _numbers(picture: Picture, card: Card, by: Maker) -> None:
    """A number in two corners, and gaps in the frame: none for coins, one for cups, and so on."""
    high, wide = picture.shape[:2]
    inset, gaps = round(wide * 0.05), {"D": 0, "H": 1, "S": 2, "C": 3}[str(card.suit)]
    cv2.rectangle(picture, (inset, inset), (wide - 1 - inset, high - 1 - inset), BLACK, 1)
    for gap in range(gaps):
        x = round(wide * (0.5 + 0.16 * (gap - (gaps - 1) / 2)))
        for y in (inset, high - 1 - inset):
            cv2.line(picture, (x - wide // 26, y), (x + wide // 26, y), by.paper, 3)
    tall = round(high * 0.075)
    digits = _number(card, tall)
    place = np.s_[inset + 2 : inset + 2 + tall, inset + 2 : inset + 2 + digits.shape[1]]
    for _ in range(2):
        there = picture[place]
        there[digits > 100] = BLACK
        picture[:] = picture[::-1, ::-1].copy()


def _number(card: Card, tall: int) -> Picture:
    """The digits (H, W) of a card's number: fante, cavallo and re are ten, eleven and twelve."""
    order = [*VALUES, "J", "Q", "K"]
    number = order.index(str(card.rank)) + 1
    look = Typeface()
    if number == 1:
        one = np.zeros((tall, tall // 3), np.uint8)
        one[:, tall // 8 : tall // 8 + tall // 5] = 255
        return one
    if number <= 10:
        return np.asarray(
            rank_mask(Rank("T" if number == 10 else str(number)), look, tall), np.uint8
        )
    one = _number(Card(Rank.ACE, card.suit), tall)
    return np.hstack([one, one if number == 11 else _number(Card(Rank.TWO, card.suit), tall)])


def _pips(picture: Picture, card: Card, by: Maker) -> None:
    """The signs of an ace to a nine, and what ornament fills the room between them."""
    count = VALUES.index(str(card.rank)) + 1
    rng = by.dice(SUITS.index(card.suit), count)
    if by.crossed and count > 1 and card.suit in (Suit.SPADES, Suit.CLUBS):
        _ornamented(picture, by, rng, [(0.5, 0.5)], 0.25)
        _crossing(picture, card.suit, count, by)
        return
    stands = _stands(card.suit, count, by, rng)
    rooms = [(0.5, 0.5), (0.5, 0.5), (0.5, 0.3), (0.5, 0.7)]
    free = [one for one in rooms if all(abs(one[1] - y) > 0.16 for _, y, *_ in stands)]
    if count == 1:
        _ornamented(picture, by, rng, [(0.5, 0.5), (0.5, 0.8), (0.5, 0.15)], 0.5)
    _ornamented(picture, by, rng, free, float(rng.uniform(0.15, 0.36)))
    if count < 4 and card.suit in (Suit.SPADES, Suit.CLUBS):
        _ornamented(picture, by, rng, [(0.5, 0.4), (0.5, 0.6)], 0.4)
    high, wide = picture.shape[:2]
    for x, y, tall, turn in stands:
        pen = Pen(picture, (x * wide, y * high), tall * high, turn)
        SIGNS[card.suit](pen, *by.hand(card.suit))


def _ornamented(picture: Picture, by: Maker, rng: Rng, rooms: list[Place], size: float) -> None:
    if rooms and rng.random() < 0.5:
        high, wide = picture.shape[:2]
        x, y = rooms[int(rng.integers(len(rooms)))]
        ornament(Pen(picture, (x * wide, y * high), wide * size * 1.6), by.inks, rng)


Stand: TypeAlias = tuple[float, float, float, float]
"""Where a sign stands, how high it is, in parts of the card, and its turn in degrees."""


def _stands(suit: Suit, count: int, by: Maker, rng: Rng) -> list[Stand]:
    """Where the signs of a card stand that do not cross."""
    long = suit in (Suit.SPADES, Suit.CLUBS)
    if count == 1:
        return [(0.5, 0.5, float(rng.uniform(0.5, 0.85)) if long else float(rng.uniform(0.35, 0.6)),
                 float(rng.normal(0, 12)) if long else 0.0)]  # fmt: skip
    columns = not long or rng.random() < ROWS
    stands = _grid(count, rng) if columns else _rods(count, rng)
    wobble = float(rng.uniform(0, 0.008))
    return [
        (x + float(rng.normal(0, wobble)), y + float(rng.normal(0, wobble)), tall, turn)
        for x, y, tall, turn in stands
    ]


def _grid(count: int, rng: Rng) -> list[Stand]:
    """Coins and cups: in columns, on a slant, or in rows, the odd one between or larger."""
    side, top = float(rng.uniform(0.24, 0.31)), float(rng.uniform(0.13, 0.2))
    tall = {2: 0.34, 3: 0.26, 4: 0.2, 5: 0.2, 6: 0.19, 7: 0.16, 8: 0.15, 9: 0.15}[count]
    tall *= float(rng.uniform(0.82, 1.08))
    if count == 2:
        return [(0.5, 0.27, tall, 0), (0.5, 0.73, tall, 0)]
    if count == 3:
        return _three(tall, side, top, rng)
    rows = count // 2
    ys = [float(y) for y in np.linspace(top, 1 - top, rows)]
    stands = [(x, y, tall, 0.0) for y in ys for x in (side, 1 - side)]
    if count % 2:
        stands = _odd(stands, count, ys, tall, rng)
    return stands


def _three(tall: float, side: float, top: float, rng: Rng) -> list[Stand]:
    way = int(rng.integers(4))
    if way == 0:
        return [(0.5, top + 0.03, tall, 0), (0.5, 0.5, tall, 0), (0.5, 0.97 - top, tall, 0)]
    if way == 1:
        return [(0.5, 0.3, tall * 1.5, 0), (side, 0.76, tall, 0), (1 - side, 0.76, tall, 0)]
    sides = (side, 1 - side) if way == 2 else (1 - side, side)
    return [
        (sides[0], top + 0.03, tall, 0),
        (sides[1], 0.5, tall, 0),
        (sides[0], 0.97 - top, tall, 0),
    ]


def _odd(stands: list[Stand], count: int, ys: list[float], tall: float, rng: Rng) -> list[Stand]:
    """The odd sign: in the middle, between the two uppermost or lowest rows, or three in a row."""
    if count == 5:
        return [*stands, (0.5, 0.5, tall * float(rng.choice([1.0, 1.0, 1.4, 1.8])), 0.0)]
    way = int(rng.integers(4))
    if way == 3:
        lowest = max(y for _, y, *_ in stands)
        return [*stands, (0.5, lowest, tall, 0.0)] if rng.random() < 0.6 else [
            *stands, (0.5, ys[0], tall, 0.0)]  # fmt: skip
    between = (ys[0] + ys[1]) / 2 if way < 2 else (ys[-1] + ys[-2]) / 2
    return [*stands, (0.5, between, tall, 0.0)]


def _rods(count: int, rng: Rng) -> list[Stand]:
    """Swords and clubs by themselves: upright beside each other, in two ranks, or aslant."""
    turn = 180.0 * float(rng.random() < 0.3)
    if count == 2:
        apart = float(rng.uniform(0.2, 0.27))
        return [
            (0.5 - apart, 0.5, 0.8, turn),
            (0.5 + apart, 0.5, 0.8, turn + 180.0 * float(rng.random() < 0.5)),
        ]
    if count == 3:
        return _three_rods(rng)
    aslant = float(rng.choice([0.0, 15.0, -15.0, 25.0]))
    upper, lower = {4: (2, 2), 5: (2, 2), 6: (3, 3), 7: (3, 3), 8: (4, 4), 9: (4, 4)}[count]
    tall = float(rng.uniform(0.36, 0.42)) if count % 2 == 0 else float(rng.uniform(0.32, 0.37))
    mirror = 180.0 * float(rng.random() < 0.7)
    stands: list[Stand] = []
    for many, y, way in ((upper, 0.06 + tall / 2, turn), (lower, 0.94 - tall / 2, turn + mirror)):
        xs = np.linspace(0.5 - 0.13 * many + 0.03, 0.5 + 0.13 * many - 0.03, many)
        lean = aslant if many == 2 else 0.0
        signs = (1, -1) if y < 0.5 else (-1, 1)
        for place, x in enumerate(xs):
            stands.append((float(x), y, tall, way + lean * signs[place % 2]))
    if count % 2:
        stands.append((0.5, 0.5, 0.42, 90.0 * float(rng.choice([1, -1]))))
    return stands


def _three_rods(rng: Rng) -> list[Stand]:
    way = int(rng.integers(3))
    if way == 0:
        flip = 180.0 * float(rng.random() < 0.5)
        return [(0.22, 0.48, 0.78, 0), (0.5, 0.52, 0.78, flip), (0.78, 0.48, 0.78, 0)]
    if way == 1:
        return [(0.5, 0.5, 0.8, 0), (0.5, 0.5, 0.8, 24), (0.5, 0.5, 0.8, -24)]
    return [(0.3, 0.28, 0.42, 0), (0.7, 0.28, 0.42, 0), (0.5, 0.74, 0.42, 0)]


def _crossing(picture: Picture, suit: Suit, count: int, by: Maker) -> None:
    """Swords bent around each other, or clubs laid across: pairs, and an odd one upright."""
    high, wide = picture.shape[:2]
    rng = by.dice(SUITS.index(suit), 55)
    outer, inner = float(rng.uniform(0.4, 0.46)), float(rng.uniform(0.2, 0.27))
    bow, trellis = float(rng.uniform(1.0, 1.2)), bool(rng.random() < 0.5)
    pairs = count // 2
    pen = Pen(picture, (wide / 2, high / 2), high * float(rng.uniform(0.8, 0.9)))
    for pair in range(pairs):
        share = pair / max(1, pairs - 1) if pairs > 1 else float(rng.uniform(0.4, 0.9))
        out, beside = inner + (outer - inner) * share, 0.0
        if trellis and suit is Suit.CLUBS:
            out, beside = 0.2, 0.36 * (share - 0.5) if pairs > 1 else 0.0
        for side in (-1, 1):
            line = _line(suit, side * out, side * beside, bow, wide / pen.height)
            flip = suit is Suit.SPADES and by.dice(3).random() < 0.4 and side > 0
            _CROSSING[suit](pen, line[::-1] if flip else line, *by.hand(suit))
    if count % 2:
        upright = [(0.0, float(y)) for y in np.linspace(-0.5, 0.5, 17)]
        if suit is Suit.SPADES:
            sword(pen, *by.hand(suit))
        else:
            _CROSSING[suit](pen, upright, *by.hand(suit))


def _line(suit: Suit, out: float, beside: float, bow: float, scale: float) -> list[Place]:
    """From edge to edge: bowed outward in the middle, or aslant."""
    ys = np.linspace(-0.5, 0.5, 17)
    xs = out * np.cos(ys * np.pi * bow) if suit is Suit.SPADES else out * ys * 2 + beside
    return [(float(x), float(y)) for x, y in zip(xs * scale, ys, strict=True)]


Draw: TypeAlias = Callable[[Pen, Inks, Rng], None]
SIGNS: dict[Suit, Draw] = {
    Suit.DIAMONDS: coin, Suit.HEARTS: cup, Suit.SPADES: sword, Suit.CLUBS: club,
}  # fmt: skip
"""What draws a sign by itself."""
_CROSSING: dict[Suit, Callable[[Pen, list[Place], Inks, Rng], None]] = {
    Suit.SPADES: crossing_sword, Suit.CLUBS: crossing_club,
}  # fmt: skip


def _court(picture: Picture, card: Card, by: Maker) -> None:
    """A page, a rider or a king with the suit's sign: whole, or to the waist and again below."""
    high, wide = picture.shape[:2]
    rng = by.dice(SUITS.index(card.suit), list(Rank).index(card.rank))
    whole = bool(by.dice(4).random() < 0.6)
    part = picture if whole else picture[: high // 2].copy()
    tall = high * (0.8 if whole else 0.62)
    figure(
        Pen(part, (wide * 0.52, high * (0.52 if whole else 0.46)), tall),
        card.rank,
        by.inks,
        rng,
        whole=whole,
    )
    long = card.suit in (Suit.SPADES, Suit.CLUBS)
    place = float(rng.choice([0.17, 0.83])), float(rng.uniform(0.12, 0.2)) + 0.1 * long
    pen = Pen(part, (place[0] * wide, place[1] * high), wide * (0.62 if long else 0.26))
    SIGNS[card.suit](pen, *by.hand(card.suit))
    if not whole:
        picture[: high // 2] = part
        picture[-(high // 2) :] = part[::-1, ::-1]
