"""Where the next card of a heap lies, if it lies to the last one as that to the one before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.backs.poses import Poses
from vision.picture.geometry import Floats

HALF_TURN = 180.0
"""Rotation in degrees after which a back looks the same. Follows from how backs are printed."""


def continued(cards: Sequence[Poses]) -> Poses | None:
    """Where a card lies that continues the last two `cards` found, on either side of them.

    A hand spreads its cards evenly, moved and turned about one point: from card to card the step is
    the same, seen from the card. None if there are no two yet.
    """
    if len(cards) < 2:
        return None
    one, other = cards[-2:]
    at = np.concatenate([_stepped(one, other), _stepped(other, one)])
    return Poses.of(one.sheet, one.size, at)


def _stepped(one: Poses, other: Poses) -> Floats:
    """The place (1, 3) to which the step from the first of some cards to that of others leads from
    there."""
    (right, down, turn), (to_right, to_down, to_turn) = one.at[0].tolist(), other.at[0].tolist()
    turned = (to_turn - turn + HALF_TURN / 2) % HALF_TURN - HALF_TURN / 2
    cosine, sine = np.cos(np.radians(turned)), np.sin(np.radians(turned))
    across, along = to_right - right, to_down - down
    moved = cosine * across - sine * along, sine * across + cosine * along
    return np.array([(to_right + moved[0], to_down + moved[1], to_turn + turned)], np.float32)
