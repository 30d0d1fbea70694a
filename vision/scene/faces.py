"""Card faces that the project draws itself, for training and for the simulated table.

`DrawnDeck` represents one printed deck: a `DeckStyle` sets size, typeface, index layout, colours
and back. Positions on a card are in millimetres from the card's centre, x to the right and y down
with the card upright.

    >>> deck = DrawnDeck(DeckStyle())
    >>> face = deck.face(Card.parse("QS"), px_per_mm=2.0)
    >>> face.shape, int(face[0, 0, 3]), int(face[88, 63, 3])
    ((178, 127, 4), 0, 255)
    >>> [(round(i.x), round(i.y), i.up) for i in deck.indices(Card.parse("QS"))]
    [(-27, -32, (0, -1)), (27, 32, (0, 1))]
    >>> deck.indices(BACK)
    ()
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, JOKER, Card, Rank, Suit
from vision.scene.courts import (
    BLACK,
    BLUE,
    RED,
    BackPattern,
    Colour,
    Picture,
    draw_back,
    draw_court,
    draw_jester,
    draw_suit,
)
from vision.scene.glyphs import Mask, Typeface, rank_mask, suit_mask
from vision.scene.jokers import JokerMark, joker_masks

Texture = NDArray[np.uint8]
"""(H,W,4); blue, green, red and coverage."""

GREEN: Colour = (60, 120, 20)

_MASTER_PX_PER_MM = 8.0
"""Scale at which faces are drawn once, finer than any camera resolves, before being averaged down.
"""


@dataclass(frozen=True, slots=True)
class Index:
    """One corner index of a card: the rank above its small suit sign."""

    x: float
    """Centre of the box around both, in mm to the right of the card's centre."""
    y: float
    """In mm below the card's centre."""
    height: float
    """In mm, from the top of the rank to the bottom of the suit sign."""
    width: float
    """In mm, of the wider of the two."""
    up: tuple[int, int] = (0, -1)
    """Direction from suit sign to rank, on the upright card."""


class CardArt(Protocol):
    """The source of a deck's pictures: drawn here, or artwork used for training."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        ...

    def face(self, card: Card, px_per_mm: float) -> Texture:
        """The face, or the back for a hidden card."""
        ...

    def back(self, px_per_mm: float) -> Texture:
        """The back."""
        ...

    def indices(self, card: Card) -> tuple[Index, ...]:
        """Every readable index of the card; empty for a back."""
        ...


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """How a drawn deck looks; lengths are in mm."""

    width: float = 63.5
    """63.5 for poker size, 57.2 for bridge size."""
    height: float = 88.9
    corner: float = 3.5
    """Radius of the rounded corners."""
    typeface: Typeface = field(default_factory=Typeface)
    rank_height: float = 9.0
    suit_height: float = 6.5
    gap: float = 1.2
    """Between rank and suit sign."""
    inset: tuple[float, float] = (4.8, 3.6)
    """From the card's edges to the index's centre and to its top."""
    corners: int = 2
    """Number of corners with an index, 2 or 4."""
    widest: float = 7.2
    """Maximum width of a rank glyph; wider ones are condensed, like a printed 10."""
    colours: tuple[Colour, Colour, Colour, Colour] = (BLACK, RED, RED, BLACK)
    """Ink of clubs, diamonds, hearts and spades."""
    paper: Colour = (250, 252, 252)
    pip_height: float = 12.0
    plump: float = 1.0
    court_seed: int = 0
    pattern: BackPattern = BackPattern.LATTICE
    back_ink: Colour = RED
    back_border: float = 4.0
    joker: JokerMark = JokerMark.LETTERS
    joker_width: float = 3.2
    joker_length: float = 1.0
    """Length of the joker's name relative to the height of an index."""


FOUR_COLOURS: tuple[Colour, Colour, Colour, Colour] = (GREEN, BLUE, RED, BLACK)
"""Clubs green, diamonds blue."""

_PIPS: dict[Rank, tuple[tuple[float, float], ...]] = {
    Rank.ACE: ((0, 0),),
    Rank.TWO: ((0, -1), (0, 1)),
    Rank.THREE: ((0, -1), (0, 0), (0, 1)),
    Rank.FOUR: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    Rank.FIVE: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    Rank.SIX: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    Rank.SEVEN: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5)),
    Rank.EIGHT: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5), (0, 0.5)),
    Rank.NINE: (
        *((x, y) for y in (-1, -0.34, 0.34, 1) for x in (-1, 1)),
        (0, 0),
    ),
    Rank.TEN: (
        *((x, y) for y in (-1, -0.34, 0.34, 1) for x in (-1, 1)),
        (0, -0.67),
        (0, 0.67),
    ),
}
"""Positions of the pips, as shares of the pip field's half width and half height."""


@dataclass(frozen=True)
class DrawnDeck:
    """A deck drawn from the project's own shapes; pictures are made once and cached."""

    style: DeckStyle = field(default_factory=DeckStyle)
    letters: Mapping[Rank, str] = field(default_factory=dict, compare=False)
    """What another country's deck shows for a rank, if it is not the English letter."""
    _kept: dict[tuple[Card, float], Texture] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        return self.style.width, self.style.height

    def face(self, card: Card, px_per_mm: float) -> Texture:
        """The face at the given scale, (H,W,4); the back for a hidden card."""
        key = (card, px_per_mm)
        if key not in self._kept:
            self._kept[key] = _scaled(self._printed(card), self.size, px_per_mm)
        return self._kept[key]

    def back(self, px_per_mm: float) -> Texture:
        """The back at the given scale, (H,W,4)."""
        return self.face(BACK, px_per_mm)

    def indices(self, card: Card) -> tuple[Index, ...]:
        """The boxes of all indices of a card."""
        if card.hidden:
            return ()
        style = self.style
        rank, suit = self._masks(card)
        height = (rank.shape[0] + suit.shape[0]) / _MASTER_PX_PER_MM + style.gap
        width = max(rank.shape[1], suit.shape[1]) / _MASTER_PX_PER_MM
        x = style.inset[0] - style.width / 2
        y = style.inset[1] + height / 2 - style.height / 2
        pair = (Index(x, y, height, width), Index(-x, -y, height, width, (0, 1)))
        if style.corners < 4:
            return pair
        return (*pair, Index(-x, y, height, width), Index(x, -y, height, width, (0, 1)))

    def _masks(self, card: Card) -> tuple[Mask, Mask]:
        """The rank and suit sign at the master scale; for a joker, its name and perhaps a star."""
        return index_masks(self.style, card, self.letters.get(card.rank))

    def _figure(self, card: Card, box: tuple[int, int]) -> Picture:
        """The figure in the middle of a court card or joker, (width, height) pixels in size."""
        ink = _ink(self.style, card)
        if card == JOKER:
            return draw_jester(box, ink, self.style.court_seed)
        return draw_court(card.rank, card.suit, box, ink, self.style.court_seed)

    def _printed(self, card: Card) -> Texture:
        """A face or back at the master scale."""
        style = self.style
        size = (_px(style.width), _px(style.height))
        if card.hidden:
            border = round(style.back_border * _MASTER_PX_PER_MM)
            printed = draw_back(style.pattern, size, style.back_ink, border)
        else:
            printed = self._middle(card, size)
            _print_indices(printed, style, self._masks(card), _ink(style, card))
        tables = np.arange(256)[:, None] * np.array(style.paper) // 255
        tinted = cv2.LUT(printed, tables.astype(np.uint8)[None])
        texture = cv2.merge([*cv2.split(tinted), _outline_mask(size, _px(style.corner))])
        return np.asarray(texture, np.uint8)

    def _middle(self, card: Card, size: tuple[int, int]) -> Picture:
        """Pips, court figure or jester on white."""
        style = self.style
        picture = np.full((size[1], size[0], 3), 255, np.uint8)
        if card.rank in _PIPS:
            _print_pips(picture, style, card, _ink(style, card))
            return picture
        margin = style.inset[0] + style.widest / 2 + 0.6
        wide, high = _px(style.width - 2 * margin), _px(style.height * 0.8)
        x, y = (size[0] - wide) // 2, (size[1] - high) // 2
        picture[y : y + high, x : x + wide] = self._figure(card, (wide, high))
        return picture


def drawn_styles() -> tuple[DeckStyle, ...]:
    """A few decks that differ as shop-bought ones do."""
    plain = DeckStyle()
    faces = (
        Typeface(0.14, 1.15, 0.6),
        Typeface(0.1, 1.9, 0.62, serif=0.07),
        Typeface(0.17, 1.2, 0.55, open_four=True),
        Typeface(0.12, 1.0, 0.58, flat_three=True),
        Typeface(0.11, 1.5, 0.5, serif=0.05, flat_three=True),
    )
    patterns = tuple(BackPattern)
    inks = (RED, BLUE, GREEN, BLACK)
    return (
        *(
            replace(
                plain, typeface=face, court_seed=i, pattern=patterns[i % 5], back_ink=inks[i % 4]
            )
            for i, face in enumerate(faces)
        ),
        replace(plain, colours=FOUR_COLOURS, back_ink=BLUE, joker=JokerMark.STAR),
        replace(plain, corners=4, typeface=faces[2], back_border=0),
        replace(plain, width=57.2, inset=(4.3, 3.2), typeface=faces[0], back_ink=BLUE),
        replace(
            plain, rank_height=15, suit_height=11, gap=1.5, widest=11.5, inset=(7.5, 4),
            pip_height=10, typeface=Typeface(0.16, 1.1, 0.6), back_ink=BLUE,
        ),
    )  # fmt: skip


def _ink(style: DeckStyle, card: Card) -> Colour:
    if card.suit is Suit.NONE:
        return RED if style.joker is JokerMark.STAR else BLACK
    return style.colours["CDHS".index(card.suit)]


@cache
def index_masks(style: DeckStyle, card: Card, letter: str | None = None) -> tuple[Mask, Mask]:
    """A card's rank, or another country's `letter` for it, and its suit sign, at the master scale.

    For a joker, its name and perhaps a star.
    """
    if card == JOKER:
        stars = style.joker in (JokerMark.STAR, JokerMark.WORD_STAR)
        room = style.rank_height + style.suit_height * (0.1 if stars else 0.9)
        size = (_px(style.joker_width), _px(room * style.joker_length))
        if style.joker is JokerMark.SIGN:
            # A sign is about as large as a rank with its suit sign.
            size = (_px(style.widest), _px(min(style.joker_length, 1.0) * room))
        star = _px(style.suit_height * 0.8)
        return joker_masks(style.joker, style.typeface, size=size, star=star)
    rank = rank_mask(letter or card.rank, style.typeface, _px(style.rank_height))
    return squeezed(rank, style), suit_mask(card.suit, _px(style.suit_height), style.plump)


def squeezed(rank: Mask, style: DeckStyle) -> Mask:
    """A rank glyph, condensed to the style's maximum width."""
    limit = _px(style.widest)
    if rank.shape[1] <= limit:
        return rank
    narrow = cv2.resize(rank, (limit, rank.shape[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(narrow, np.uint8)


def _px(mm: float) -> int:
    return max(round(mm * _MASTER_PX_PER_MM), 1)


def _outline_mask(size: tuple[int, int], radius: int) -> Mask:
    width, height = size
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask


def _print_pips(picture: Picture, style: DeckStyle, card: Card, ink: Colour) -> None:
    height, width = picture.shape[:2]
    field_x, field_y = width * 0.185, height * 0.315
    tall = style.pip_height * _MASTER_PX_PER_MM
    if card.rank is Rank.ACE:
        tall *= 2.2 if card.suit is Suit.SPADES else 1.3
    for x, y in _PIPS[card.rank]:
        centre = (width / 2 + x * field_x, height / 2 + y * field_y)
        draw_suit(picture, card.suit, centre, tall, ink, upside_down=y > 0)


def _print_indices(
    picture: Picture, style: DeckStyle, masks: tuple[Mask, Mask], ink: Colour
) -> None:
    rank, suit = masks
    gap = np.zeros((_px(style.gap), 1), np.uint8)
    width = max(rank.shape[1], suit.shape[1])
    stamp = np.vstack([_centred(part, width) for part in (rank, gap, suit)])
    if style.corners == 4:
        _stamp(picture[:, ::-1], stamp[:, ::-1], style, ink)
        _stamp(picture[::-1], stamp[:, ::-1], style, ink)
    _stamp(picture, stamp, style, ink)
    _stamp(picture[::-1, ::-1], stamp, style, ink)


def _centred(mask: Mask, width: int) -> Mask:
    left = (width - mask.shape[1]) // 2
    return np.pad(mask, ((0, 0), (left, width - mask.shape[1] - left)))


def _stamp(picture: Picture, mask: Mask, style: DeckStyle, ink: Colour) -> None:
    """Print the mask at the top left index position of `picture`, which may be a flipped view."""
    x = round(style.inset[0] * _MASTER_PX_PER_MM - mask.shape[1] / 2)
    x = max(x, _px(0.8))
    y = _px(style.inset[1])
    area = picture[y : y + mask.shape[0], x : x + mask.shape[1]]
    part = mask[..., None] / 255.0
    area[:] = area * (1 - part) + np.array(ink) * part


def _scaled(master: Texture, size: tuple[float, float], px_per_mm: float) -> Texture:
    wanted = (round(size[0] * px_per_mm), round(size[1] * px_per_mm))
    return np.asarray(cv2.resize(master, wanted, interpolation=cv2.INTER_AREA), np.uint8)
