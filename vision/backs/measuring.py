"""Measure a fully visible card to a fraction of a pixel.

The end of an edge three or four pixels wide gives no exact size: on drawn tables, outlines found
that way are a fortieth too large. The lines along the border are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from vision.backs.borders import EXACTLY, sides_of
from vision.backs.fitting import fitted
from vision.backs.parts import Size, sides
from vision.backs.poses import Bare, Poses
from vision.backs.sheet import ACROSS, blank
from vision.picture.geometry import Floats, Frame

AGAIN = 2
"""Number of times a card is fitted to its edges; the first is held to the expected size. A choice:
on 46 drawn tables the sizes of read cards are then right to a hundredth in the median."""


PLAINER = 2.0
"""How many times as steep the faintest side of the smaller of two outlines must be for the larger
one's to be something beside the card. A choice: the grain of a table of wood was a tenth as steep
as a white margin on it; on a margin that hardly differs from the table, all four sides are as
faint."""


def measured(frame: Frame, corners: Floats, narrow: float = 1.0) -> Size:
    """The short and long sides in pixels of the card with approximately these `corners` (4, 2).

    It may also be as `narrow` as that, as a share of its width: the grain of a table, a few
    millimetres from the card's sides, may pass for them.
    """
    begun = corners
    if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[3] - corners[0]):
        begun = np.roll(corners, -1, axis=0)
    short, long = sides(begun)
    made = blank(frame, begun, (short, long))
    placed = made.on_sheet(begun)
    across = placed[1] + placed[2] - placed[0] - placed[3]
    turn = float(np.degrees(np.arctan2(across[1], across[0])))
    at = np.array([(*placed.mean(axis=0), turn)], np.float32)
    card = _measured(Poses.of(made, (float(ACROSS), ACROSS * long / short), at))
    if narrow < 1:
        other = _clearest(_narrower(card, narrow))
        if _faintest(other) >= PLAINER * _faintest(card):
            card = other
    return card.size[0] * made.pixels, card.size[1] * made.pixels


def _narrower(card: Poses, narrow: float) -> Iterator[Poses]:
    """The places of a card that is as narrow as that, in the middle of another or at its sides."""
    for side in (0.0, -1.0, 1.0):
        middle = card.places(np.array([(side * (1 - narrow) / 2, 0.0)], np.float32))
        at = np.array([(middle.right[0, 0], middle.down[0, 0], card.at[0, 2])], np.float32)
        yield Poses.of(card.sheet, (card.size[0] * narrow, card.size[1]), at)


def _clearest(cards: Iterable[Poses]) -> Poses:
    """The card, fitted to its edges, all of whose sides are clear: the largest of those nearly as
    clear, as a white border has two edges."""
    found = [(card, _faintest(card)) for card in map(_measured, cards)]
    most = max(clear for _, clear in found)
    return max((card for card, clear in found if PLAINER * clear >= most),
               key=lambda card: card.size[0] * card.size[1])  # fmt: skip


def _measured(card: Poses) -> Poses:
    """A card of which all edges are in sight, fitted to them with its size."""
    for _ in range(AGAIN):
        card = fitted(card, Bare.beside(card.sheet, ()), sized=True)
    return card


def _faintest(card: Poses) -> float:
    """How steep the edge is on the side of a card that shows least of it."""
    return float(sides_of(card, Bare.beside(card.sheet, ()), EXACTLY).faintest[0])
