"""Coins, cups, swords and clubs as any maker might draw them: decks of no particular pattern.

They keep what Italian, Sardinian, Sicilian and Spanish cards have in common: the four signs, the
rule that their number is the card's rank, and the ways they are arranged. Everything else differs
from maker to maker: shapes, inks, ornaments, frames, numbers in the corners, and whether swords and
clubs are separate or cross each other.

    >>> maker(7) == maker(7), maker(7) == maker(8)
    (True, False)
    >>> drawn(maker(7), Card.parse("7D"), (100, 170)).shape
    (170, 100, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import SUITS, Card, Rank, Suit
from vision.scene import aces
from vision.scene.courts import BLACK, Colour, Picture
from vision.scene.crossing import crossing
from vision.scene.crossing import lines as crossing_lines
from vision.scene.glyphs import Typeface, rank_mask
from vision.scene.long_signs import club, sword
from vision.scene.pen import Pen, Place, Points
from vision.scene.signs import Inks, coin, cup, figure, ornament, rays, ribbon
from vision.scene.stands import LONG, Stand
from vision.scene.stands import stands as signs_stand

Rng: TypeAlias = np.random.Generator
INKS: tuple[Colour, ...] = (
    (44, 36, 200), (60, 200, 240), (150, 80, 30), (190, 120, 40), (60, 130, 40), (50, 95, 150),
    (40, 110, 60), (200, 180, 150), (120, 110, 220), (60, 130, 230), (90, 60, 40), (30, 30, 140),
    (110, 150, 190), (30, 160, 210),
)  # fmt: skip
"""Reds, yellows, blues, greens, browns and greys of printed cards. A choice."""
VALUES = "A23456789"
"""The ranks recognised by the number of their signs."""
Draw: TypeAlias = Callable[[Pen, Inks, Rng], None]
Signs: TypeAlias = Mapping[Suit, Draw]
SIGNS: Signs = {
    Suit.DIAMONDS: coin, Suit.HEARTS: cup, Suit.SPADES: sword, Suit.CLUBS: club,
}  # fmt: skip
"""The function that draws a single sign of each suit."""


@dataclass(frozen=True)
class Maker:
    """How one maker draws a deck; `seed` decides everything else."""

    seed: int
    crossed: bool
    """Whether two or more swords or clubs cross each other."""
    numbered: bool
    """Whether there are numbers in two corners, in a frame with gaps that show the suit."""
    frame: int
    """Number of lines around the card."""
    paper: Colour
    inks: tuple[Colour, ...]
    ornate: bool
    """Whether aces show more than their sign."""
    weight: float
    """Width of the edges of signs, relative to the usual."""
    dark: Colour
    """The ink of those edges."""
    named: bool
    """Whether there is a box with the card's name at the top and at the bottom."""

    def pen(self, picture: Picture, centre: Place, height: float, turn: float = 0.0) -> Pen:
        """This maker's pen."""
        return Pen(picture, centre, height, turn, self.weight, self.dark)

    def dice(self, *parts: int) -> Rng:
        """Random numbers for what this maker always does the same way: the same for the same
        `parts`."""
        return np.random.default_rng([self.seed, *parts])

    def crosses(self, card: Card) -> bool:
        """Whether the signs on a card cross each other."""
        return self.crossed and card.suit in LONG and card.rank is not Rank.ACE

    def crossing(self, suit: Suit) -> tuple[Rng, float]:
        """The random numbers for the way in which the signs of a suit cross, and their height as a
        share of the card's."""
        dice = self.dice(SUITS.index(suit), 55)
        return dice, float(dice.uniform(0.8, 0.9))

    def hand(self, suit: Suit, turn: int = 0) -> tuple[tuple[Colour, ...], Rng]:
        """The inks of a suit, starting with any of them in turn, and the random numbers for its
        sign's shape."""
        first = 3 * SUITS.index(suit)
        own = self.inks[first : first + 4]
        own = own[turn % len(own) :] + own[: turn % len(own)]
        return (*own, self.inks[-1]), self.dice(SUITS.index(suit), 77)


def maker(seed: int, *, crossed: bool | None = None, numbered: bool | None = None) -> Maker:
    """The maker with that number; crossing signs and corner numbers may be asked for or
    excluded."""
    rng = np.random.default_rng([seed, 99])
    inks = tuple(_varied(INKS[int(place)], rng) for place in rng.permutation(len(INKS)))
    by_chance = bool(rng.random() < 0.4), bool(rng.random() < 0.3)
    paper = int(rng.integers(205, 253)), int(rng.integers(228, 255)), int(rng.integers(240, 256))
    own_crossed = by_chance[0] if crossed is None else crossed
    own_numbered = by_chance[1] and not own_crossed if numbered is None else numbered
    frame, ornate = int(rng.integers(0, 4)), bool(rng.random() < ORNATE)
    weight = float(np.exp(rng.uniform(*np.log(WEIGHTS))))
    dark = BLACK if rng.random() < 0.7 else _darker(inks[int(rng.integers(len(inks)))])
    named = bool(rng.random() < NAMED) and not own_numbered
    return Maker(seed, own_crossed, own_numbered, frame, paper, inks, ornate, weight, dark, named)


NAMED, WEIGHTS = 0.1, (0.25, 1.4)
"""Share of makers who print cards' names, and the range of the width of edges. Choices."""
ORNATE = 0.6
"""Share of makers who adorn their aces. A choice."""


def _darker(ink: Colour) -> Colour:
    blue, green, red = (one // 3 for one in ink)
    return blue, green, red


def _varied(ink: Colour, rng: Rng) -> Colour:
    blue, green, red = (int(np.clip(one + rng.normal(0, 18), 0, 255)) for one in ink)
    return blue, green, red


def drawn(by: Maker, card: Card, size: tuple[int, int], signs: Signs | None = None) -> Picture:
    """Draw a card's face in a maker's style, `size` (width, height) pixels large.

    `signs` replace the drawn signs if given.
    """
    wide, high = size
    picture = np.full((high, wide, 3), by.paper, np.uint8)
    if card.rank.court:
        _court(picture, card, by, signs or SIGNS)
    else:
        _pips(picture, card, by, signs or SIGNS)
    _framed(picture, card, by)
    return picture


def signs_at(by: Maker, card: Card, size: tuple[int, int]) -> list[Points]:
    """Where `drawn` puts the signs of an ace to a nine: a line (N, 2) from one end of each to the
    other, in pixels; of a coin or a cup, its centre (1, 2).

    >>> [len(signs_at(maker(7), Card.parse(name), (100, 170))) for name in ("AC", "5S", "7D")]
    [1, 5, 7]
    """
    wide, high = size
    count = VALUES.index(str(card.rank)) + 1
    if by.crosses(card):
        dice, height = by.crossing(card.suit)
        runs = crossing_lines(card.suit, count, dice)
        return [np.array(line) * high * height + (wide / 2, high / 2) for line in runs]
    return [
        _laid(stand, wide, high, long=card.suit in LONG)
        for stand in signs_stand(card.suit, count, by.dice(SUITS.index(card.suit), count))
    ]


def _laid(stand: Stand, wide: int, high: int, *, long: bool) -> Points:
    """The line of one sign that crosses no other."""
    x, y, tall, turn = stand
    pen = Pen(np.empty((0, 0, 3), np.uint8), (x * wide, y * high), tall * high, turn)
    return pen.placed([(0.0, -0.5), (0.0, 0.0), (0.0, 0.5)] if long else [(0.0, 0.0)])


def _framed(picture: Picture, card: Card, by: Maker) -> None:
    high, wide = picture.shape[:2]
    for number in range(by.frame):
        inset = round(wide * (0.03 + 0.018 * number))
        colour = by.inks[5 + number] if number % 2 else BLACK
        corners = (inset, inset), (wide - 1 - inset, high - 1 - inset)
        cv2.rectangle(picture, *corners, colour, max(1, wide // 150), cv2.LINE_AA)
    if by.numbered:
        _numbers(picture, card, by)
    if by.named:
        _name(picture, by)


def _name(picture: Picture, by: Maker) -> None:
    """Draw a box with letters at the top and at the bottom."""
    high, wide = picture.shape[:2]
    dice = by.dice(6)
    reach, tall = round(wide * float(dice.uniform(0.1, 0.4))), round(high * 0.055)
    for _ in range(2):
        box = picture[2 : 2 + tall, wide // 2 - reach : wide // 2 + reach]
        box[:] = by.paper
        for x in range(4, 2 * reach - 6, 9):
            cv2.line(box, (x, 5), (x + int(dice.integers(0, 6)), tall - 5), BLACK, 2, cv2.LINE_AA)
        cv2.rectangle(box, (0, 0), (2 * reach - 1, tall - 1), BLACK, 1)
        picture[:] = picture[::-1, ::-1].copy()


def _numbers(picture: Picture, card: Card, by: Maker) -> None:
    """Draw a number in two corners and gaps in the frame: none for coins, one for cups etc."""
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


def _pips(picture: Picture, card: Card, by: Maker, signs: Signs) -> None:
    """Draw the signs of an ace to a nine, and ornaments in the space between them."""
    count = VALUES.index(str(card.rank)) + 1
    rng = by.dice(SUITS.index(card.suit), count)
    high, wide = picture.shape[:2]
    if by.crosses(card):
        _ornamented(picture, by, rng, [(0.5, 0.5)], 0.25)
        dice, height = by.crossing(card.suit)
        pen = by.pen(picture, (wide / 2, high / 2), high * height)
        crossing(pen, card.suit, count, by.hand(card.suit)[0], dice)
        return
    stands = signs_stand(card.suit, count, rng)
    _scrolled(picture, by, rng, count)
    _filled(picture, by, rng, [(x, y) for x, y, *_ in stands], count)
    turns = int(by.dice(SUITS.index(card.suit), 12).random() < TURNED)
    for number, (x, y, tall, turn) in enumerate(stands):
        pen = by.pen(picture, (x * wide, y * high), tall * high, turn)
        if count == 1 and by.ornate:
            _ace(pen, card.suit, by, signs)
        else:
            signs[card.suit](pen, *by.hand(card.suit, number * turns))
    if count < 4 and card.suit in LONG:
        _ornamented(picture, by, rng, [(0.5, 0.4), (0.5, 0.6)], 0.4)
        if count > 1 and rng.random() < TIED:
            ribbon(by.pen(picture, (0.5 * wide, 0.5 * high), wide), by.inks, rng)


TIED, TURNED = 0.4, 0.25
"""Probability that a ribbon winds around two or three swords or clubs, and that the signs of a suit
alternate between its inks. Choices."""


def _ace(pen: Pen, suit: Suit, by: Maker, signs: Signs) -> None:
    """Draw an ace's sign and the ornaments around it, for which the sign leaves room."""
    rng = by.dice(SUITS.index(suit), 31)
    room = float(rng.uniform(*ACES[suit]))
    pen = pen.elsewhere(pen.centre, room * pen.picture.shape[0], pen.turn)
    aces.behind(pen, suit, by.inks, rng)
    if suit is Suit.HEARTS and rng.random() < URNS:
        aces.urn(pen, by.inks, rng)
    else:
        signs[suit](pen, *by.hand(suit))
    aces.before(pen, suit, by.inks, rng)


URNS = 0.4
"""Share of ornate aces of cups that show a large vessel of its own shape. A choice."""
ACES: Mapping[Suit, tuple[float, float]] = {
    Suit.DIAMONDS: (0.28, 0.5), Suit.HEARTS: (0.45, 0.7), Suit.SPADES: (0.7, 0.92),
    Suit.CLUBS: (0.7, 0.92),
}  # fmt: skip
"""Range of heights of an ornate ace's sign, as shares of the card. A choice."""


def _filled(picture: Picture, by: Maker, rng: Rng, taken: list[Place], count: int) -> None:
    """Draw ornaments away from the signs, whose places are `taken`."""
    rooms = [(0.5, 0.5), (0.5, 0.5), (0.5, 0.3), (0.5, 0.7)]
    free = [
        one for one in rooms
        if all(abs(one[1] - y) > 0.16 or abs(one[0] - x) > 0.2 for x, y in taken)
    ]  # fmt: skip
    if count == 1:
        for _ in range(int(rng.integers(1, 4))):
            _ornamented(picture, by, rng, [(0.5, 0.5), (0.5, 0.8), (0.5, 0.15)], 0.5)
    _ornamented(picture, by, rng, free, float(rng.uniform(0.15, 0.36)))


SCROLLED = 0.22
"""Probability that the signs of a card are drawn on scrolls, leaves or rays. A choice."""


def _scrolled(picture: Picture, by: Maker, rng: Rng, count: int) -> None:
    """Draw scrolls and rays behind the signs, which touch them and fill the space between them."""
    if count > 5 or rng.random() > SCROLLED:
        return
    high, wide = picture.shape[:2]
    ink = by.inks[int(rng.integers(len(by.inks)))]
    pen = by.pen(picture, (wide / 2, high / 2), high * float(rng.uniform(0.5, 0.8)))
    turns = float(rng.uniform(0.5, 2.2))
    ys = np.linspace(-0.5, 0.5, 25)
    for side in (-1, 1)[: 1 + int(rng.integers(2))]:
        xs = side * 0.2 * np.sin(ys * np.pi * turns * 2)
        line = [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
        pen.stroke(line, ink, float(rng.uniform(0.015, 0.06)))
    if rng.random() < 0.4:
        rays(by.pen(picture, (wide / 2, high / 2), wide * 0.8), by.inks, rng)


def _ornamented(picture: Picture, by: Maker, rng: Rng, rooms: list[Place], size: float) -> None:
    if rooms and rng.random() < 0.5:
        high, wide = picture.shape[:2]
        x, y = rooms[int(rng.integers(len(rooms)))]
        ornament(by.pen(picture, (x * wide, y * high), wide * size * 1.6), by.inks, rng)


def _court(picture: Picture, card: Card, by: Maker, signs: Signs) -> None:
    """Draw a page, a rider or a king with the suit's sign: full-length, or to the waist and
    mirrored."""
    high, wide = picture.shape[:2]
    rng = by.dice(SUITS.index(card.suit), list(Rank).index(card.rank))
    whole = bool(by.dice(4).random() < 0.6)
    part = picture if whole else picture[: high // 2].copy()
    tall = high * (0.8 if whole else 0.62)
    figure(
        by.pen(part, (wide * 0.52, high * (0.52 if whole else 0.46)), tall),
        card.rank,
        by.inks,
        rng,
        whole=whole,
    )
    long = card.suit in LONG
    place = float(rng.choice([0.17, 0.83])), float(rng.uniform(0.12, 0.2)) + 0.1 * long
    pen = by.pen(part, (place[0] * wide, place[1] * high), wide * (0.62 if long else 0.26))
    signs[card.suit](pen, *by.hand(card.suit))
    if not whole:
        picture[: high // 2] = part
        picture[-(high // 2) :] = part[::-1, ::-1]
