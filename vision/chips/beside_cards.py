"""Cards that are none: a plaque has a card's shape, and a reader of cards takes it for a back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import cv2
import numpy as np

from rules.cards import BACK
from vision.chips.seen import SeenChips
from vision.picture.geometry import Floats, Outline
from vision.sightings import Lying, Sighting

Card = TypeVar("Card", Sighting, Lying)

SAME = 0.6
"""Minimum area that a card and a chip share if they are one thing, relative to what both cover. A
choice: a plaque of 84 by 57 mm that lies in the middle of a card covers 0.86 of it, but then the
card's index is read."""


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
        or not any(_same(card.outline, one) for one in outlines)
    )
    return cards if len(kept) == len(cards) else kept


def _same(card: Outline, chip: Floats) -> bool:
    """Whether two convex outlines are of one thing."""
    corners = np.asarray(card, np.float32)
    shared, _ = cv2.intersectConvexConvex(corners, chip)
    both = float(cv2.contourArea(corners)) + float(cv2.contourArea(chip)) - shared
    return shared >= SAME * both
