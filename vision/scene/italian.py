"""Four regional patterns in drawings of our own: suit signs, their order and figures.

The drawings keep what distinguishes the patterns at a table, and nothing of any maker's art:
whether swords and clubs stand alone or cross each other, how coins and cups are made, whether
figures have one head or two, the frame and the colours.

    >>> sorted(STYLES)
    ['bergamasque', 'brescian', 'neapolitan', 'piacentine']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from rules.cards import RANKS, Card, Rank, Suit
from vision.scene.courts import BLACK, RED, SKIN, YELLOW, Colour, Picture, draw_polygon
from vision.scene.pen import Pen, Place

PAPER: Colour = (232, 243, 248)
SKY: Colour = (190, 120, 40)
LEAF: Colour = (60, 130, 40)
WOOD: Colour = (50, 95, 150)
STEEL: Colour = (200, 180, 150)
ROSE: Colour = (120, 110, 220)
NIGHT: Colour = (90, 50, 30)
BOW = 1.16
"""Half turns in a sword's curve: slightly more than one, so that its ends cross the other's."""
ODD_SIGN = 0.335
"""Distance from the top of the odd sign if there is no room in the middle."""


@dataclass(frozen=True)
class Style:
    """How one pattern is drawn."""

    size_mm: Place
    crossed: bool
    """Whether swords are curved and cross, and clubs lie across each other."""
    two_heads: bool
    petals: int
    """Petals of the flower in a coin; 0 for a face in rays."""
    frame: int
    """Number of lines around the card."""
    trellis: bool
    """Whether crossing clubs lie side by side instead of all across the middle."""
    inks: tuple[Colour, Colour, Colour, Colour]
    """Colours of cups, of robes, of what is worn over them, and of clubs."""


STYLES = {
    "neapolitan": Style((50.0, 83.0), False, False, 0, 0, False, (SKY, RED, YELLOW, LEAF)),
    "piacentine": Style((50.0, 88.0), False, True, 8, 1, False, (RED, SKY, YELLOW, WOOD)),
    "bergamasque": Style((49.0, 90.0), True, True, 6, 2, False, (YELLOW, LEAF, RED, ROSE)),
    "brescian": Style((46.0, 94.0), True, True, 12, 3, True, (LEAF, NIGHT, YELLOW, RED)),
}
"""Frames, signs and heads follow the patterns of these names; the rest is our own."""


def drawn(name: str, card: Card, size: tuple[int, int]) -> Picture:
    """The face of a card of this pattern, `size` (width, height) in pixels."""
    wide, high = size
    style = STYLES[name]
    picture = np.full((high, wide, 3), PAPER, np.uint8)
    if card.rank.court:
        _court(picture, card, style)
    else:
        _pips(picture, card, style)
    _framed(picture, style)
    return picture


def _framed(picture: Picture, style: Style) -> None:
    high, wide = picture.shape[:2]
    for number in range(style.frame):
        inset = 8 + 5 * number
        colour = style.inks[1] if number % 2 else BLACK
        cv2.rectangle(picture, (inset, inset), (wide - 1 - inset, high - 1 - inset), colour, 2)


def _pips(picture: Picture, card: Card, style: Style) -> None:
    """The signs of an ace to a seven."""
    high, wide = picture.shape[:2]
    count = RANKS.index(card.rank) + 1
    if count == 1:
        _SIGNS[card.suit](Pen(picture, (wide / 2, high / 2), wide * 0.85), style)
    elif style.crossed and card.suit in (Suit.SPADES, Suit.CLUBS):
        _crossing(picture, card.suit, count, style)
    else:
        for x, y in _places(count):
            centre = x * wide, y * high
            tall = 0.3 if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else 0.34
            _SIGNS[card.suit](Pen(picture, centre, min(wide * 0.36, high * tall / 1.35)), style)


def _places(count: int) -> list[Place]:
    """The positions of signs that do not cross: in two columns, an odd one between them."""
    rows = count // 2
    ys = [0.3, 0.7] if rows == 1 else list(np.linspace(0.17, 0.83, rows))
    if count in (2, 3):
        places = [(0.5, 0.2), (0.5, 0.8)]
    else:
        places = [(x, float(y)) for y in ys for x in (0.26, 0.74)]
    if count % 2:
        places.append((0.5, ODD_SIGN if count == 7 else 0.5))
    return places


def _crossing(picture: Picture, suit: Suit, count: int, style: Style) -> None:
    """Swords curved around each other, or clubs laid across: pairs, and an odd one upright."""
    high, wide = picture.shape[:2]
    for pair in range(count // 2):
        share = pair / max(1, count // 2 - 1) if count > 3 else 0.67
        out, beside = 0.2 + 0.24 * share, 0.0
        if style.trellis and suit is Suit.CLUBS:
            out, beside = 0.18, 0.4 * (share - 0.5) if count > 3 else 0.0
        for side in (-1, 1):
            _long(picture, suit, style, (side * out, side * beside))
    if count % 2:
        pen = Pen(picture, (wide / 2, high / 2), high * 0.7)
        _long_at(pen, suit, style, [(0, y) for y in np.linspace(-0.5, 0.5, 9)])


def _long(picture: Picture, suit: Suit, style: Style, out: Place) -> None:
    """A curved sword or slanting club from edge to edge.

    `out` is its distance from the vertical and from the centre, in card widths.
    """
    high, wide = picture.shape[:2]
    pen = Pen(picture, (wide / 2, high / 2), high * 0.84)
    ys = np.linspace(-0.5, 0.5, 17)
    scale = wide / pen.height
    if suit is Suit.SPADES:
        # It curves outward in the middle, and its ends cross those on the other side.
        xs = out[0] * np.cos(ys * np.pi * BOW) * scale
    else:
        xs = (out[0] * ys * 2 + out[1]) * scale
    _long_at(pen, suit, style, [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)])


def _long_at(pen: Pen, suit: Suit, style: Style, line: list[Place]) -> None:
    """A long sword or club along a line, its hilt or knob at the lower end."""
    if suit is Suit.SPADES:
        pen.stroke(line, STEEL, 0.02)
        pen.stroke(line[-4:], YELLOW, 0.034)
        pen.disc(line[-4], 0.03, RED)
    else:
        pen.stroke(line, style.inks[3], 0.034)
        pen.stroke(line[3:5], YELLOW, 0.034)
        pen.stroke(line[-5:-3], YELLOW, 0.034)
        for end in (line[0], line[-1]):
            pen.disc(end, 0.026, LEAF)


def _coin(pen: Pen, style: Style) -> None:
    """A flower in rings, or a face in rays."""
    if not style.petals:
        rays = [(float(np.cos(t) * r), float(np.sin(t) * r))
                for n, t in enumerate(np.linspace(0, 2 * np.pi, 32, endpoint=False))
                for r in ((0.5, 0.36)[n % 2],)]  # fmt: skip
        pen.shape(rays, YELLOW)
        pen.disc((0, 0), 0.3, (80, 220, 250))
        for eye in (-0.11, 0.11):
            pen.disc((eye, -0.07), 0.035, BLACK)
        pen.stroke([(-0.12, 0.12), (0, 0.17), (0.12, 0.12)], RED, 0.03)
        return
    pen.disc((0, 0), 0.48, YELLOW)
    pen.disc((0, 0), 0.38, style.inks[1])
    for turn in np.linspace(0, 2 * np.pi, style.petals, endpoint=False):
        place = 0.25 * float(np.cos(turn)), 0.25 * float(np.sin(turn))
        pen.disc(place, 0.6 / style.petals, YELLOW)
    pen.disc((0, 0), 0.12, RED)


def _cup(pen: Pen, style: Style) -> None:
    """A goblet: with handles, lidded, or on a knob, depending on the pattern."""
    bowl, robe, over, _ = style.inks
    if style.crossed:
        pen.shape([(-0.3, -0.42), (0.3, -0.42), (0.34, -0.05), (-0.34, -0.05)], bowl)
        pen.shape([(-0.3, 0.12), (0.3, 0.12), (0.36, 0.46), (-0.36, 0.46)], robe)
        pen.disc((0, 0.03), 0.12, over)
        pen.stroke([(-0.32, -0.24), (0.32, -0.24)], RED, 0.04)
        return
    if not style.two_heads:
        for side in (-1, 1):
            pen.stroke([(side * 0.3, -0.3), (side * 0.46, -0.2), (side * 0.3, -0.02)], YELLOW, 0.05)
    pen.shape([(-0.36, -0.42), (0.36, -0.42), (0.3, -0.05), (0.1, 0.1), (-0.1, 0.1),
               (-0.3, -0.05)], bowl)  # fmt: skip
    pen.shape([(-0.08, 0.1), (0.08, 0.1), (0.3, 0.46), (-0.3, 0.46)], over)
    pen.stroke([(-0.34, -0.28), (0.34, -0.28)], robe if style.two_heads else RED, 0.06)


def _sword(pen: Pen, style: Style) -> None:
    """A short sword alone, point up."""
    blade = SKY if not style.two_heads else STEEL
    wide = 0.09 if not style.two_heads else 0.06
    pen.shape([(-wide, 0.2), (-wide, -0.45), (0, -0.62), (wide, -0.45), (wide, 0.2)], blade)
    pen.shape([(-0.26, 0.2), (0.26, 0.2), (0.2, 0.28), (-0.2, 0.28)], YELLOW)
    pen.shape([(-0.06, 0.28), (0.06, 0.28), (0.06, 0.52), (-0.06, 0.52)], RED)
    pen.disc((0, 0.55), 0.08, YELLOW)


def _club(pen: Pen, style: Style) -> None:
    """A cudgel alone: knobby and leafy, thick end up."""
    bark = style.inks[3]
    pen.shape([(-0.07, 0.6), (0.07, 0.6), (0.2, -0.4), (0.1, -0.6), (-0.12, -0.6), (-0.2, -0.4)],
              bark)  # fmt: skip
    leaves = RED if bark == LEAF else LEAF
    for side, y in ((-1, 0.25), (1, 0.05), (-1, -0.2)):
        pen.shape([(side * 0.1, y), (side * 0.32, y - 0.16), (side * 0.13, y - 0.14)], leaves)
    pen.stroke([(-0.06, -0.35), (0.06, -0.15)], YELLOW, 0.03)


_SIGNS: dict[Suit, Callable[[Pen, Style], None]] = {
    Suit.DIAMONDS: _coin, Suit.HEARTS: _cup, Suit.SPADES: _sword, Suit.CLUBS: _club,
}  # fmt: skip


def _court(picture: Picture, card: Card, style: Style) -> None:
    """A page, a rider or a king: full-length on the ground, or two-headed from the waist."""
    high, wide = picture.shape[:2]
    if not style.two_heads:
        ground = np.array([(0, 0.9), (1, 0.9), (1, 1), (0, 1)]) * (wide, high)
        draw_polygon(picture, ground, LEAF)
        _figure(Pen(picture, (wide * 0.52, high * 0.52), high * 0.78), card, style)
        _SIGNS[card.suit](Pen(picture, (wide * 0.2, high * 0.15), wide * 0.3), style)
        return
    half = picture[: high // 2].copy()
    _figure(Pen(half, (wide * 0.52, high * 0.46), high * 0.62), card, style)
    _SIGNS[card.suit](Pen(half, (wide * 0.22, high * 0.13), wide * 0.28), style)
    band = max(4, high // 40)
    half[-band:] = style.inks[2]
    picture[: high // 2] = half
    picture[-(high // 2) :] = half[::-1, ::-1]


def _figure(pen: Pen, card: Card, style: Style) -> None:
    """One figure; the colours of robes and what is worn over them change with the suit."""
    whole = not style.two_heads
    suits = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
    colours = (style.inks[1], style.inks[2], style.inks[0], ROSE, STEEL)
    first = suits.index(card.suit)
    robe, over = colours[first], colours[(first + 2) % len(colours)]
    if card.rank is Rank.QUEEN:
        _horse(pen, over, whole=whole)
    if whole and card.rank is Rank.JACK:
        for side in (-1, 1):
            pen.shape([(side * 0.03, 0.2), (side * 0.12, 0.2), (side * 0.11, 0.5),
                       (side * 0.03, 0.5)], over)  # fmt: skip
    low = {Rank.JACK: 0.24, Rank.QUEEN: 0.16, Rank.KING: 0.5}[card.rank] if whole else 0.1
    skirt = 0.3 if card.rank is Rank.KING else 0.17
    pen.shape([(-0.13, -0.2), (0.13, -0.2), (skirt, low), (-skirt, low)], robe)
    pen.shape([(-0.03, -0.2), (0.03, -0.2), (0.05, low), (-0.05, low)], over)
    for side in (-1, 1):
        pen.stroke([(side * 0.12, -0.15), (side * 0.22, -0.02), (side * 0.12, 0.05)], robe, 0.05)
    pen.disc((0, -0.29), 0.085, SKIN)
    for eye in (-0.03, 0.03):
        pen.disc((eye, -0.3), 0.008, BLACK)
    _hat(pen, card.rank, over)


def _hat(pen: Pen, rank: Rank, over: Colour) -> None:
    """A king's crown and beard, a rider's helmet, a page's feathered cap."""
    if rank is Rank.KING:
        pen.shape([(-0.07, -0.25), (0.07, -0.25), (0, -0.15)], WOOD)
        pen.shape([(-0.1, -0.35), (-0.12, -0.47), (-0.05, -0.41), (0, -0.49), (0.05, -0.41),
                   (0.12, -0.47), (0.1, -0.35)], YELLOW)  # fmt: skip
    elif rank is Rank.QUEEN:
        pen.shape([(-0.1, -0.32), (-0.08, -0.4), (0, -0.43), (0.08, -0.4), (0.1, -0.32)], STEEL)
    else:
        pen.shape([(-0.11, -0.34), (0.11, -0.34), (0.07, -0.41), (-0.07, -0.41)], over)
        pen.stroke([(0.05, -0.4), (0.14, -0.48), (0.2, -0.44)], RED, 0.025)


def _horse(pen: Pen, over: Colour, *, whole: bool) -> None:
    """The rider's horse: all of it, or its head and neck."""
    coat = STEEL if over != STEEL else WOOD
    if whole:
        for x in (-0.24, -0.12, 0.12, 0.22):
            pen.shape([(x, 0.2), (x + 0.06, 0.2), (x + 0.05, 0.5), (x + 0.01, 0.5)], coat)
        pen.shape([(-0.28, 0.08), (0.28, 0.08), (0.28, 0.27), (-0.28, 0.27)], coat)
    base = 0.1 if whole else 0.12
    pen.shape([(0.14, base), (0.2, -0.18), (0.3, -0.22), (0.36, -0.06), (0.31, -0.04),
               (0.27, -0.08), (0.28, base)], coat)  # fmt: skip
    pen.disc((0.27, -0.15), 0.012, BLACK)
