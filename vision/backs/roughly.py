"""Report backs that nobody counts: those outside all places of a table, such as folded hands.

The number of cards in such a heap is of no use to anybody, and finding it takes a second. Each area
is reported as the maps show it: as a back if it looks like one, otherwise as a question.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.backs.parts import Back, parts
from vision.backs.remainder import unexplained
from vision.backs.surroundings import standing_out
from vision.find.finder import Areas
from vision.join.joined import Joined
from vision.join.proportions import Shape
from vision.picture.geometry import Frame, within


def roughly(
    frame: Frame, areas: Areas, cards: Sequence[Joined], shape: Shape, usual: float
) -> list[Back]:
    """What looks like backs in `frame`, without separating overlapping cards.

    `usual` is the height in pixels of the indices of the `cards` in the picture, which have the
    given `shape`, or zero if no size is known.
    """
    size = usual * shape.width, usual * shape.length
    faces = [card.corners for card in cards]
    told = [
        Back(part.corners, part.confidence(areas))
        for part in parts(areas, size)
        if not any(within(corners, part.corners.mean(axis=0)) for corners in faces)
    ]
    return standing_out(frame, areas, told + unexplained(areas, size, told, faces), cards)
