"""Drawn decks without indices: Italian, regional, Spanish, one tarot-like and one for children.

They resemble nothing that the networks were trained on, and serve to test teaching an unusual deck.
Coins, cups, swords and clubs stand for diamonds, hearts, spades and clubs, and the rider for the
queen.

    >>> deck = RegionalDeck(Kind.ITALIAN)
    >>> deck.size, deck.face(Card.parse("KD"), 2.0).shape
    ((52.0, 95.0), (190, 104, 4))
    >>> deck.indices(Card.parse("KD"))
    ()
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import RANKS, SUITS, Card, Rank, Suit
from vision.scene.courts import (
    BLACK,
    BLUE,
    RED,
    SKIN,
    YELLOW,
    BackPattern,
    Colour,
    Picture,
    draw_back,
    draw_polygon,
)
from vision.scene.faces import GREEN, Index, Texture
from vision.scene.italian import STYLES, drawn
from vision.scene.latin import drawn as latin
from vision.scene.latin import maker

Points = NDArray[np.float64]
MASTER = 6.0
"""Pixels per millimetre at which faces are drawn before being averaged down."""
_INKS = (RED, YELLOW, BLUE, GREEN, BLACK, (120, 60, 150), (60, 130, 230), (170, 160, 60))


class Kind(StrEnum):
    """The kinds of decks."""

    ITALIAN = "italian"
    """Pips of coins, cups, swords and clubs; full-length figures; 52 by 95 mm."""
    TAROT = "tarot"
    """The same signs in different arrangement and inks, with a frame; 61 by 112 mm."""
    CHILDREN = "children"
    """One picture per card on coloured paper, without signs; 63 by 89 mm."""
    NEAPOLITAN = "neapolitan"
    """This and the next three are drawn by `vision.scene.italian`."""
    PIACENTINE = "piacentine"
    BERGAMASQUE = "bergamasque"
    BRESCIAN = "brescian"
    SPANISH = "spanish"
    """Numbers in the corners and a broken frame, otherwise varying like different makers' decks."""
    LATIN = "latin"
    """Varying like different makers' decks (`vision.scene.latin`): another pattern for each seed.
    """


_SIZES = {
    Kind.ITALIAN: (52.0, 95.0),
    Kind.TAROT: (61.0, 112.0),
    Kind.CHILDREN: (63.0, 89.0),
    **{Kind(name): style.size_mm for name, style in STYLES.items()},
    Kind.SPANISH: (61.0, 95.0),
    Kind.LATIN: (51.0, 87.0),
}


@dataclass(frozen=True)
class RegionalDeck:
    """A drawn deck without indices; `seed` varies figures and inks."""

    kind: Kind = Kind.ITALIAN
    seed: int = 0
    _kept: dict[tuple[Card, float], Texture] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        return _SIZES[self.kind]

    def indices(self, card: Card) -> tuple[Index, ...]:
        """Always empty."""
        return ()

    def back(self, px_per_mm: float) -> Texture:
        """The back at the given scale, (H,W,4)."""
        size = round(self.size[0] * MASTER), round(self.size[1] * MASTER)
        return printed(draw_back(BackPattern.LATTICE, size, BLUE, 24), self.size, px_per_mm)

    def face(self, card: Card, px_per_mm: float) -> Texture:
        """The face at the given scale, (H,W,4); the back for a hidden card."""
        if card.hidden:
            return self.back(px_per_mm)
        key = (card, px_per_mm)
        if key not in self._kept:
            self._kept[key] = printed(self._drawn(card), self.size, px_per_mm)
        return self._kept[key]

    def _drawn(self, card: Card) -> Picture:
        wide, high = round(self.size[0] * MASTER), round(self.size[1] * MASTER)
        number = RANKS.index(card.rank) * 4 + SUITS.index(card.suit)
        rng = np.random.default_rng([self.seed, list(Kind).index(self.kind), number])
        if self.kind is Kind.CHILDREN:
            return _scribble((wide, high), rng)
        if self.kind in STYLES:
            return drawn(self.kind, card, (wide, high))
        if self.kind is Kind.SPANISH:
            return latin(maker(self.seed, crossed=False, numbered=True), card, (wide, high))
        if self.kind is Kind.LATIN:
            return latin(maker(self.seed), card, (wide, high))
        picture = np.full((high, wide, 3), (236, 246, 250), np.uint8)
        if self.kind is Kind.TAROT:
            cv2.rectangle(picture, (14, 14), (wide - 15, high - 15), BLACK, 3)
        if card.rank.court:
            _figure(picture, card, rng)
        else:
            for x, y in _places(RANKS.index(card.rank) + 1, self.kind):
                _sign(picture, card.suit, (x * wide, y * high), _height(card, wide), self.kind)
        return picture


def _height(card: Card, wide: int) -> float:
    return wide * (0.62 if card.rank is Rank.ACE else 0.3)


def _places(count: int, kind: Kind) -> list[tuple[float, float]]:
    """The positions of the signs, as shares of the card: two columns, an odd one in the middle."""
    if count == 1:
        return [(0.5, 0.5)]
    sides = (0.27, 0.73) if kind is Kind.ITALIAN else (0.24, 0.76)
    rows = count // 2
    ys = np.linspace(0.17, 0.83, rows) if rows > 1 else np.array([0.5])
    places = [(x, float(y)) for y in ys for x in sides]
    if rows == 1:
        places = [(0.5, 0.25), (0.5, 0.75)]
    if count % 2:
        places.append((0.5, 0.5 if rows % 2 == 0 or rows == 1 else 0.335))
    return places


def _sign(
    picture: Picture, suit: Suit, centre: tuple[float, float], height: float, kind: Kind
) -> None:
    """A coin, a cup, a sword or a club."""
    plain = kind is Kind.ITALIAN
    x, y = round(centre[0]), round(centre[1])
    half = height / 2
    if suit is Suit.DIAMONDS:
        for share, colour in ((0.95, YELLOW if plain else RED), (0.62, RED), (0.36, YELLOW)):
            cv2.circle(picture, (x, y), round(half * share), colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), round(half * 0.95), BLACK, 2, cv2.LINE_AA)
        return
    shapes: dict[Suit, list[tuple[list[tuple[float, float]], Colour]]] = {
        Suit.HEARTS: [
            ([(-0.7, -0.9), (0.7, -0.9), (0.5, 0.0), (0.12, 0.2), (-0.12, 0.2), (-0.5, 0.0)],
             RED if plain else YELLOW),
            ([(-0.12, 0.2), (0.12, 0.2), (0.5, 0.9), (-0.5, 0.9)], BLUE),
        ],
        Suit.SPADES: [
            ([(-0.1, 0.4), (0.1, 0.4), (0.16, -0.7), (0.0, -1.0), (-0.16, -0.7)], BLUE),
            ([(-0.5, 0.4), (0.5, 0.4), (0.5, 0.55), (-0.5, 0.55)], YELLOW),
            ([(-0.1, 0.55), (0.1, 0.55), (0.1, 1.0), (-0.1, 1.0)], RED if plain else BLACK),
        ],
        Suit.CLUBS: [
            ([(-0.14, 1.0), (0.14, 1.0), (0.42, -0.5), (0.2, -1.0), (-0.2, -1.0), (-0.42, -0.5)],
             GREEN if plain else (60, 90, 140)),
            ([(0.25, 0.1), (0.6, -0.2), (0.3, -0.1)], GREEN),
        ],
    }  # fmt: skip
    for points, colour in shapes[suit]:
        draw_polygon(picture, np.array(points) * half + np.array(centre), colour)


def _figure(picture: Picture, card: Card, rng: np.random.Generator) -> None:
    """A page, a rider or a king, with the suit's sign."""
    high, wide = picture.shape[:2]
    inks = [_INKS[int(place)] for place in rng.permutation(len(_INKS))]
    robe = np.array([(0.3, 0.34), (0.7, 0.34), (0.82, 0.9), (0.18, 0.9)]) * (wide, high)
    draw_polygon(picture, robe, inks[0])
    for number in range(4):
        low, tall = 0.42 + 0.12 * number, 0.05
        band = np.array([(0.3, low), (0.7, low), (0.72, low + tall), (0.28, low + tall)])
        draw_polygon(picture, band * (wide, high), inks[1 + number % 3])
    cv2.circle(picture, (wide // 2, round(high * 0.26)), round(wide * 0.14), SKIN, -1, cv2.LINE_AA)
    if card.rank is Rank.QUEEN:
        horse = np.array([(0.08, 0.62), (0.3, 0.5), (0.92, 0.58), (0.86, 0.95), (0.7, 0.75),
                          (0.3, 0.75), (0.2, 0.95)])  # fmt: skip
        draw_polygon(picture, horse * (wide, high), inks[4])
    if card.rank is Rank.KING:
        crown = np.array([(0.34, 0.18), (0.34, 0.08), (0.42, 0.13), (0.5, 0.06), (0.58, 0.13),
                          (0.66, 0.08), (0.66, 0.18)])  # fmt: skip
        draw_polygon(picture, crown * (wide, high), YELLOW)
    _sign(picture, card.suit, (wide * 0.22, high * 0.16), wide * 0.3, Kind.ITALIAN)


def _scribble(size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """A child's picture: big plain shapes on coloured paper."""
    paper = np.array([(235, 245, 250), (220, 235, 200), (210, 225, 250), (240, 225, 210)])
    picture = np.full((size[1], size[0], 3), paper[int(rng.integers(4))], np.uint8)
    for _ in range(int(rng.integers(3, 6))):
        colour = _INKS[int(rng.integers(len(_INKS)))]
        centre = rng.uniform(0.2, 0.8, 2) * size
        radius = float(rng.uniform(0.12, 0.3)) * size[0]
        corners = int(rng.integers(3, 9))
        turns = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 6)
        reach = radius * rng.uniform(0.6, 1.2, corners)
        outline = np.stack([np.cos(turns) * reach, np.sin(turns) * reach], axis=1) + centre
        draw_polygon(picture, outline, colour)
    return picture


def printed(picture: Picture, size: tuple[float, float], px_per_mm: float) -> Texture:
    """A face drawn at `MASTER` scale, cut to rounded corners and averaged to the given scale."""
    high, wide = picture.shape[:2]
    mask = np.zeros((high, wide), np.uint8)
    radius = round(3 * MASTER)
    cv2.rectangle(mask, (radius, 0), (wide - radius - 1, high), 255, -1)
    cv2.rectangle(mask, (0, radius), (wide, high - radius - 1), 255, -1)
    for x in (radius, wide - radius - 1):
        for y in (radius, high - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1)
    texture = np.dstack([picture, mask])
    small = (round(size[0] * px_per_mm), round(size[1] * px_per_mm))
    return np.asarray(cv2.resize(texture, small, interpolation=cv2.INTER_AREA), np.uint8)


def forty() -> tuple[Card, ...]:
    """The cards of a regional deck in the order of a new pack: each suit from ace to king."""
    return tuple(Card(rank, suit) for suit in SUITS for rank in map(Rank, "A234567JQK"))
