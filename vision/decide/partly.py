"""A card of a known deck, seen in part or whole, and moved to where its face agrees best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import sides
from vision.picture.geometry import Floats
from vision.read.face_search import FaceSearch
from vision.read.fingerprint import Cells, in_sight

Moves: TypeAlias = tuple[tuple[float, int], ...]
"""Steps of movement and how often each is tried."""
MOVES = ((0.07, 3), (0.03, 3), (0.015, 3))
"""Steps, in short sides or radians, by which a card is moved to where it agrees best, and the
maximum number of each. A choice: from the step between two places down to a pixel."""
Ways: TypeAlias = tuple[tuple[float, float, float, float], ...]
WAYS: Ways = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))
"""Across, down, and rotation. Follows from the ways a card's position can vary."""
SIZED: Ways = (*WAYS, (0, 0, 0, 1))
"""The same and its size, where that is not known. Follows from them."""


@dataclass(frozen=True, slots=True, eq=False)
class Partly:
    """A card with its `corners` (4, 2) and its visible cells."""

    corners: Floats
    visible: Cells
    agreed: float = 0.0
    """How well the visible part agrees with a card of the deck."""
    named: bool = True
    """Whether that is enough to say which card it is."""


def seen(faces: FaceSearch, corners: Floats, over: Sequence[Floats] = ()) -> Partly:
    """What shows at these `corners` (4, 2) under the cards `over` it."""
    visible = in_sight(corners, over)
    agreed = faces.agrees(corners, visible if over else None) if visible.any() else 0.0
    return Partly(corners, visible, agreed)


def settled(
    faces: FaceSearch,
    card: Partly,
    over: Sequence[Floats] = (),
    moves: Moves = MOVES,
    ways: Ways = WAYS,
) -> Partly:
    """The card moved in these `ways` to where it agrees best nearby, under those `over` it."""
    short, _ = sides(card.corners)
    for step, times in moves:
        for _ in range(times):
            before = card
            for way in ways:
                card = _pushed(faces, card, over, step * np.array(way), short)
            if card is before:
                break
    return card


def fitted(faces: FaceSearch, corners: Floats) -> Floats:
    """The outline of a fully visible card, moved and resized to where its face agrees best."""
    return settled(faces, seen(faces, corners), ways=SIZED).corners


def _pushed(
    faces: FaceSearch, card: Partly, over: Sequence[Floats], by: NDArray[np.float64], short: float
) -> Partly:
    """The card moved one way or the other, if it agrees better there."""
    for moved in (by, -by):
        there = seen(faces, _moved(card.corners, moved, short), over)
        if there.agreed > card.agreed:
            return there
    return card


def _moved(corners: Floats, by: NDArray[np.float64], short: float) -> Floats:
    """A card moved across and down, in short sides, rotated, in radians, and made larger."""
    middle = corners.mean(axis=0)
    across, down = (
        (corners[n] - corners[0]) / np.linalg.norm(corners[n] - corners[0]) for n in (1, 3)
    )
    turn = float(by[2])
    own = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    turned = (corners - middle) @ own * (1 + by[3])
    moved = turned + middle + (by[0] * across + by[1] * down) * short
    return np.asarray(moved, np.float32)
