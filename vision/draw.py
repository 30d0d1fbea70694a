"""Draw what the reader saw onto the picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import BACK, Card, Rank, Suit
from vision.chips.seen import SeenChips
from vision.picture.geometry import Frame, Outline
from vision.sightings import Lying, Reading, Seen, Sighting, offered

Colour: TypeAlias = tuple[int, int, int]
"""Blue, green, red."""

READ, ASKED, DOWN = (110, 200, 60), (40, 170, 255), (220, 170, 90)
"""Read (green), doubtful (amber), face down (blue)."""
PLATE, PALE, WARM, FAINT = (28, 28, 28), (245, 245, 245), (90, 90, 255), (200, 200, 200)
"""Colours of the plate behind a name, legible on felt and on paper, and of the inks on it."""
FONT = cv2.FONT_HERSHEY_DUPLEX
FINE = 4
"""Fractional bits of drawn points: at a sixteenth of a pixel, slanted lines look straight."""


@dataclass(frozen=True, slots=True)
class _Pen:
    """The position of the next letter and the height of capitals, in pixels, and the ink."""

    x: float
    base: int
    size: int
    ink: Colour

    def moved(self, by: float) -> _Pen:
        return replace(self, x=self.x + by)


def annotate(frame: Frame, what: Reading | Seen, chips: Iterable[SeenChips] = ()) -> Frame:
    """Return a copy of `frame` with cards and chips outlined and named.

    The cards come from a reading of this frame or from what was seen of a table over time.
    """
    picture = frame.copy()
    size = max(12, round(max(frame.shape[:2]) / 70))
    cards = _cards(what)
    for card in cards:
        _outline(picture, card.outline, _edge(card), max(1, size // 8))
    for card in cards:
        _label(picture, card, size)
    for one in chips:
        _chips(picture, one, size)
    return picture


def _chips(picture: Frame, chips: SeenChips, size: int) -> None:
    """Outline a chip or a stack and put its count and value on a small plate."""
    colour = ASKED if chips.doubtful else READ
    corners = tuple((float(x), float(y)) for x, y in chips.outline)
    _outline(picture, corners, colour, max(1, size // 8))
    number = str(chips.count) if chips.exact else f"{chips.least}-{chips.most}"
    text = chips.value if number == "1" else f"{number}x{chips.value}"
    small = round(size * 0.7)
    wide, tall = _text_width(text, small) + small, round(small * 1.6)
    limit = np.array([picture.shape[1] - wide, picture.shape[0] - tall])
    corner = np.clip(np.array(chips.centre) - (wide / 2, tall / 2), 0, np.maximum(limit, 0))
    left, top = (round(float(value)) for value in corner)
    _ground(picture[top : top + tall, left : left + wide], colour)
    _text(picture, text, _Pen(left + small // 2, top + round(small * 1.3), small, PALE))


def title(card: Sighting | Lying) -> tuple[Card, ...]:
    """The cards named on a plate: the one read, or the two likeliest if it is doubtful."""
    if not card.doubtful:
        return (card.card,)
    return tuple(candidate for candidate, _ in offered(card.candidates)[:2])


def _cards(what: Reading | Seen) -> list[Sighting | Lying]:
    if isinstance(what, Reading):
        return list(what.sightings)
    return [card for cards in what.spots.values() for card in cards]


def _edge(card: Sighting | Lying) -> Colour:
    if card.doubtful:
        return ASKED
    return DOWN if card.card == BACK else READ


def _outline(picture: Frame, outline: Outline, colour: Colour, width: int) -> None:
    corners = np.round(np.asarray(outline) * 2**FINE).astype(np.int32)
    for line, ink in ((width + 2, PLATE), (width, colour)):
        cv2.polylines(picture, [corners], True, ink, line, cv2.LINE_AA, shift=FINE)


def _label(picture: Frame, card: Sighting | Lying, size: int) -> None:
    """Put the names and the confidence on a plate in the middle of the card."""
    names = title(card)
    note = f"{card.confidence:.0%}" + "?" * card.doubtful
    widths = [_name_width(name, size) for name in names]
    small = round(size * 0.6)
    whole = sum(widths) + _text_width(note, small) + (size // 2) * (len(names) + 2)
    tall = round(size * 1.7)
    middle = np.asarray(card.outline).mean(axis=0)
    limit = np.array([picture.shape[1] - whole, picture.shape[0] - tall])
    corner = np.clip(middle - (whole / 2, tall / 2), 0, np.maximum(limit, 0))
    left, top = (round(float(value)) for value in corner)
    _ground(picture[top : top + tall, left : left + whole], _edge(card))
    pen = _Pen(left + size // 2, top + round(size * 1.35), size, PALE)
    for name, width in zip(names, widths, strict=True):
        _name(picture, name, pen)
        pen = pen.moved(width + size // 2)
    _text(picture, note, replace(pen, size=small, ink=FAINT))


def _ground(plate: Frame, edge: Colour) -> None:
    """Darken part of the picture and draw a coloured bar along its lower edge."""
    plate[:] = (plate * 0.15 + np.array(PLATE) * 0.85).astype(np.uint8)
    plate[-max(2, len(plate) // 10) :] = edge


def _name(picture: Frame, card: Card, pen: _Pen) -> None:
    text = _rank(card)
    pen = replace(pen, ink=WARM if card.suit.red else PALE)
    _text(picture, text, pen)
    if card.suit not in (Suit.NONE, Suit.UNKNOWN):
        _sign(picture, card.suit, pen.moved(_text_width(text, pen.size) + pen.size * 0.6))


def _name_width(card: Card, size: int) -> int:
    sign = 0 if card.suit in (Suit.NONE, Suit.UNKNOWN) else round(size * 1.15)
    return _text_width(_rank(card), size) + sign


def _rank(card: Card) -> str:
    if card == BACK:
        return "back"
    if card.rank is Rank.JOKER:
        return "joker"
    return "10" if card.rank is Rank.TEN else str(card.rank)


def _letters(size: int) -> tuple[float, int]:
    """The font's scale and stroke for capitals of about `size` pixels."""
    return size / 22, max(1, round(size / 14))


def _text(picture: Frame, text: str, pen: _Pen) -> None:
    scale, stroke = _letters(pen.size)
    where = round(pen.x), pen.base
    cv2.putText(picture, text, where, FONT, scale, pen.ink, stroke, cv2.LINE_AA)


def _text_width(text: str, size: int) -> int:
    return int(cv2.getTextSize(text, FONT, *_letters(size))[0][0])


def _sign(picture: Frame, suit: Suit, pen: _Pen) -> None:
    """Draw a suit sign centred on the pen, as tall as the letters."""
    shapes, rounds = _SIGNS[suit]
    origin = np.array([pen.x, pen.base - pen.size / 2])
    for shape in shapes:
        corners = np.round((np.asarray(shape) * pen.size + origin) * 2**FINE).astype(np.int32)
        cv2.fillPoly(picture, [corners], pen.ink, cv2.LINE_AA, FINE)
    for u, v, radius in rounds:
        centre = np.round((np.array([u, v]) * pen.size + origin) * 2**FINE).astype(int)
        size = round(radius * pen.size * 2**FINE)
        where = int(centre[0]), int(centre[1])
        cv2.circle(picture, where, size, pen.ink, -1, cv2.LINE_AA, FINE)


_Shape: TypeAlias = tuple[tuple[float, float], ...]
_STEM: _Shape = ((0, 0.05), (0.2, 0.5), (-0.2, 0.5))
_SIGNS: dict[Suit, tuple[tuple[_Shape, ...], tuple[tuple[float, float, float], ...]]] = {
    Suit.CLUBS: ((_STEM,), ((0, -0.26, 0.22), (-0.25, 0.1, 0.22), (0.25, 0.1, 0.22))),
    Suit.DIAMONDS: ((((0, -0.52), (0.38, 0), (0, 0.52), (-0.38, 0)),), ()),
    Suit.HEARTS: (
        (((-0.45, -0.12), (0.45, -0.12), (0, 0.5)),),
        ((-0.22, -0.2, 0.25), (0.22, -0.2, 0.25)),
    ),
    Suit.SPADES: (
        (((-0.43, 0.06), (0.43, 0.06), (0, -0.52)), _STEM),
        ((-0.21, 0.12, 0.23), (0.21, 0.12, 0.23)),
    ),
}
"""Polygons and circles (x, y, radius) of each suit sign, in letter heights from its centre."""
