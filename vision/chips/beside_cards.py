"""Cards that are none: a plaque has a card's shape, and a reader of cards takes it for a back.

A chip by itself may pass for the print in a joker's corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import cv2
import numpy as np

from rules.cards import BACK, JOKER
from vision.chips.seen import SeenChips
from vision.picture.geometry import Floats, Outline, distance, short_side
from vision.sightings import Lying, Reading, Sighting

Card = TypeVar("Card", Sighting, Lying)

SAME = 0.6
"""Minimum area that a card and a chip share if they are one thing, relative to what both cover. A
choice: a plaque of 84 by 57 mm that lies in the middle of a card covers 0.86 of it, but then the
card's index is read."""
AS_PRINT = 0.3
"""Largest distance between a chip and the middle of a doubtful joker that is nothing but this chip,
in the joker's short sides. A choice: around a print that points nowhere a card is placed with the
print in its middle; two such were 0.05 and 0.09 off."""


def unread(reading: Reading) -> tuple[Outline, ...]:
    """The outlines of the face-down and doubtful cards among which chips are looked for.

    A joker that is doubted, and of which not all is in view, may be a chip itself.
    """
    joking = {one.outline for one in reading.sightings if _is_joker(one)}
    return tuple(outline for outline in reading.unread if outline not in joking)


def no_chips(cards: tuple[Card, ...], chips: Sequence[SeenChips]) -> tuple[Card, ...]:
    """The cards, without face-down or doubtful ones that are one of the `chips`.

    If there are none, they are the same tuple: what follows a table sees by that that nothing has
    changed.
    """
    outlines = [np.asarray(one.outline, np.float32) for one in chips]
    kept = tuple(
        card
        for card in cards
        if not (card.card == BACK or card.doubtful)
        or not any(_same(card.outline, one) or _is_print(card, one) for one in outlines)
    )
    return cards if len(kept) == len(cards) else kept


def _same(card: Outline, chip: Floats) -> bool:
    """Whether two convex outlines are of one thing."""
    corners = np.asarray(card, np.float32)
    shared, _ = cv2.intersectConvexConvex(corners, chip)
    both = float(cv2.contourArea(corners)) + float(cv2.contourArea(chip)) - shared
    return shared >= SAME * both


def _is_joker(card: Sighting | Lying) -> bool:
    """Whether a card that is not all in view is rather a joker, but doubted to be one."""
    return card.doubtful and not card.whole and card.candidates[0][0] == JOKER


def _is_print(card: Sighting | Lying, chip: Floats) -> bool:
    """Whether a chip is all that was seen of a joker."""
    x, y = chip.mean(axis=0).tolist()
    away = distance(card.centre, (x, y))
    return _is_joker(card) and away < AS_PRINT * short_side(card.outline)
