"""Where the cards of a place lie: cell by cell, and then in a second row."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, dist, radians, sin

from firmware.table.place import CARD_MM, Cell, Place
from rules.spots import Shape, Spot

JITTER_MM = 4.0
JITTER_DEG = 4.0
"""How far from its exact place a practised hand lays a card."""
INDEX_MM = 18.0
"""The part of a card's width that its index takes, mm: no card is deliberately laid closer to the
next.
"""
TOP_MM = 24.0
"""The part of a card's height that its index takes, mm: if a spot is full, the next cards are laid
over the lower parts of those there.
"""


def in_order(spot: Spot, place: Place, taken: int) -> Sequence[Cell]:
    """The cells of a place in the order in which they are filled.

    A row grows at its end until that is reached; in a free area, room is left between the cards for
    as long as there is any.
    """
    if spot.shape is Shape.AREA:
        return (*place.cells[::2], *place.cells[1::2])
    return (*place.cells[taken:], *place.cells[:taken])


def second_row(place: Place, taken: int) -> Sequence[Cell]:
    """The cells over those of a full place, nearer to its owner: all indices stay visible."""
    over = [
        (x - TOP_MM * sin(radians(angle)), y + TOP_MM * cos(radians(angle)), angle)
        for x, y, angle in place.cells
    ]
    return over[taken % len(over) :]


def leeway(step: float) -> float:
    """How far from its cell a card may land without touching the next one, mm.

    If cards overlap anyway, their indices stay visible.
    """
    gap = step - CARD_MM[0] if step > CARD_MM[0] else step - INDEX_MM
    return min(JITTER_MM, max(0.5, gap / 2 - 0.5))


def pitch(place: Place) -> float:
    """Pitch from one card of a place to the next, mm."""
    if len(place.cells) < 2:
        return 2 * CARD_MM[0]
    return dist(place.cells[0][:2], place.cells[1][:2])
