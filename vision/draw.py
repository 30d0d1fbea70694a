"""What the reader saw, drawn into the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from rules.cards import BACK, Card, Rank, Suit
from vision.geometry import Frame, Outline
from vision.sightings import Lying, Reading, Seen, Sighting

READ, ASKED, DOWN = (96, 208, 64), (48, 176, 255), (224, 176, 96)
"""Colours, blue-green-red: read (green), doubtful (amber), face down (blue)."""
FONT = cv2.FONT_HERSHEY_DUPLEX
PLATE = (24, 24, 24)
"""The dark plate under a name, which is legible on felt and on paper."""


@dataclass(frozen=True, slots=True)
class _Style:
    """Line widths and letter size in pixels, by the size of the picture."""

    line: int
    letter: float


def annotate(frame: Frame, what: Reading | Seen) -> Frame:
    """A copy of `frame` with the cards of a reading, or of a table, outlined and named."""
    picture = frame.copy()
    style = _style(frame)
    cards = _cards(what)
    for card in cards:
        _outline(picture, card.outline, _colour(card), style)
    for card in cards:
        _plate(picture, card, style)
    return picture


def _cards(what: Reading | Seen) -> list[Sighting | Lying]:
    if isinstance(what, Reading):
        return list(what.sightings)
    return [card for cards in what.spots.values() for card in cards]


def _style(frame: Frame) -> _Style:
    size = max(frame.shape[:2])
    return _Style(max(1, round(size / 640)), max(0.35, size / 1800))


def _colour(card: Sighting | Lying) -> tuple[int, int, int]:
    if card.card == BACK:
        return DOWN
    return ASKED if card.doubtful else READ


def _outline(picture: Frame, outline: Outline, colour: tuple[int, int, int], style: _Style) -> None:
    # A sixteenth of a pixel, so that slanted outlines look straight.
    corners = np.round(np.asarray(outline) * 16).astype(np.int32)
    for width, ink in ((style.line + 2, PLATE), (style.line, colour)):
        cv2.polylines(picture, [corners], True, ink, width, cv2.LINE_AA, shift=4)


def _plate(picture: Frame, card: Sighting | Lying, style: _Style) -> None:
    """The name and confidence on a plate in the middle of the card."""
    name = title(card)
    note = f"{card.confidence:.0%}"
    (width, height), _ = cv2.getTextSize(name, FONT, style.letter, 1)
    (small, low), _ = cv2.getTextSize(note, FONT, style.letter * 0.6, 1)
    gap = max(2, height // 2)
    whole, tall = width + gap + small + 2 * gap, height + 2 * gap
    middle = np.asarray(card.outline).mean(axis=0)
    left, top = _inside(picture, middle - (whole / 2, tall / 2), whole, tall)
    plate = picture[max(top, 0) : top + tall, max(left, 0) : left + whole]
    plate[:] = (plate * 0.2 + np.array(PLATE) * 0.8).astype(np.uint8)
    base = top + gap + height
    colour = _colour(card)
    cv2.putText(picture, name, (left + gap, base), FONT, style.letter, colour, 1, cv2.LINE_AA)
    where = (left + 2 * gap + width, base - (height - low) // 2)
    cv2.putText(picture, note, where, FONT, style.letter * 0.6, (220, 220, 220), 1, cv2.LINE_AA)


def title(card: Sighting | Lying) -> str:
    """The name on a plate; of a doubtful card, its two likeliest candidates."""
    if not card.doubtful:
        return _name(card.card)
    return "/".join(_name(candidate) for candidate, _ in card.candidates[:2]) + "?"


def _name(card: Card) -> str:
    if card == BACK:
        return "back"
    if card.rank is Rank.JOKER:
        return "joker"
    rank = "10" if card.rank is Rank.TEN else str(card.rank)
    return rank if card.suit is Suit.UNKNOWN else f"{rank}{str(card.suit).lower()}"


def _inside(
    picture: Frame, corner: np.ndarray[tuple[int], np.dtype[np.float64]], width: int, height: int
) -> tuple[int, int]:
    limit = np.array([picture.shape[1] - width, picture.shape[0] - height])
    left, top = np.clip(np.round(corner), 0, np.maximum(limit, 0)).astype(int)
    return int(left), int(top)
