"""Backs that nobody counts: those that lie beside all places of a table, such as folded hands.

How many cards such a heap has is of no use to anybody, and to find out takes a second. Each area is
told as the maps show it: as a back where it looks like one, else as a question.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.backs.parts import Back, parts
from vision.backs.remainder import unexplained
from vision.backs.surroundings import standing_out
from vision.find.finder import Areas
from vision.join.joining import EDGE_ACROSS, EDGE_DOWN, Joined
from vision.join.proportions import Shape
from vision.picture.geometry import Frame, within


def roughly(
    frame: Frame, areas: Areas, cards: Sequence[Joined], shape: Shape, usual: float
) -> list[Back]:
    """What of `frame` looks like backs, not resolved into single cards where they overlap.

    `usual` is the height in pixels of the indices of the `cards` in the picture, of the given
    `shape`, or zero if no size is known.
    """
    size = usual * (shape.across + 2 * EDGE_ACROSS), usual * (shape.down + 2 * EDGE_DOWN)
    faces = [card.corners for card in cards]
    told = [
        Back(part.corners, part.confidence(areas))
        for part in parts(areas, size)
        if not any(within(corners, part.corners.mean(axis=0)) for corners in faces)
    ]
    return standing_out(frame, areas, told + unexplained(areas, size, told, faces), cards)
