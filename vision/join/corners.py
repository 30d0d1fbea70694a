"""How the indices of one card lie to each other: at the ends of its sides, or at a bare corner."""

from __future__ import annotations

from math import hypot

import numpy as np

from vision.find.finder import Indices
from vision.join.joined import Joined
from vision.join.pairs import ALIGNED, EXACT, OPPOSED, TURNED
from vision.join.proportions import Shape
from vision.picture.geometry import Floats

ASKEW = 0.985
"""Cosine of the angle between two indices' directions, 10 degrees, from which one of them is in
error, if they are one card's. A choice: 95 of 100 indices are found within 8 degrees, and of two
that kings half covered, the directions were 14 and 22 degrees off; `python -m tests.equal_cards`
judges it."""
SEVERAL_ENDS = 6
"""Number of indices in nearly one direction from which their mean is the cards' own. A choice: a
column of three cards shows as many; `python -m tests.equal_cards` judges it."""
STRAIGHT = 0.05
"""Largest sine, in the median, of the angles between those directions and their mean: 3 degrees. A
choice: in a column it was 0.03, in a spread pile 0.07; `python -m tests.equal_cards` judges it."""
EXACTLY = 0.3
"""The position tolerance, in index heights, of a corner beside another one by that direction. A
choice; `python -m tests.equal_cards` judges it."""


def on_one_side(indices: Indices, first: int, second: int, shape: Shape) -> bool:
    """Whether two indices lie at the ends of a card's short side or of its long side."""
    ups, turn = indices.ups[[first, second]], float(indices.ups[first] @ indices.ups[second])
    if abs(turn) < -OPPOSED:
        return False
    # Averaging both halves the finder's errors of direction and size.
    both = ups[0] + ups[1] if turn > 0 else ups[0] - ups[1]
    heights = indices.heights[[first, second]]
    both = both / np.linalg.norm(both)
    seen = [(both, float(heights.mean()))]
    if abs(turn) < ASKEW:
        # Of one that another card half covers, both may be far off; then the other's count.
        seen += zip(ups, heights.tolist(), strict=True)
    way, usual = indices.centres[second] - indices.centres[first], float(np.median(indices.heights))
    for up, height in seen:
        # Both sizes may be off in the same direction; those of the other indices make up for it.
        size = (height * usual) ** 0.5
        across, down = abs(float(way @ (-up[1], up[0]))) / size, abs(float(way @ up)) / size
        if turn > 0 and hypot(across - shape.across, down) < EXACT:
            return True
        if turn < 0 and hypot(across, down - shape.down) < TURNED:
            return True
    return turn > 0 and _stand_beside(indices, first, second, shape, both)


def _stand_beside(indices: Indices, first: int, second: int, shape: Shape, up: Floats) -> bool:
    """Whether two indices that point `up` lie at the ends of a short side as the other cards stand.

    Where others half cover a card, both of its indices may be off in the same direction.
    """
    usual_up = _usual_up(indices, up)
    if usual_up is None:
        return False
    size = float(indices.heights[[first, second]].mean() * np.median(indices.heights)) ** 0.5
    x, y = ((indices.centres[second] - indices.centres[first]) / size).tolist()
    across, down = abs(y * usual_up[0] - x * usual_up[1]), abs(x * usual_up[0] + y * usual_up[1])
    return hypot(across - shape.across, down) < EXACTLY


def _usual_up(indices: Indices, up: Floats) -> Floats | None:
    """The direction (2,) in which the cards of a row or a column stand, if `up` nearly is it.

    None in a messy pile, where each card has its own.
    """
    alike = indices.ups @ up
    near = np.abs(alike) >= ALIGNED
    if np.count_nonzero(near) < SEVERAL_ENDS:
        return None
    ups = indices.ups[near] * np.sign(alike[near])[:, None]
    mean = ups.mean(axis=0) / np.linalg.norm(ups.mean(axis=0))
    askew = np.abs(ups @ np.array([-mean[1], mean[0]], np.float32))
    return np.asarray(mean, np.float32) if np.median(askew) <= STRAIGHT else None


def turned(indices: Indices, first: int, second: int) -> bool:
    """Whether two indices are upside down to each other, as at the ends of a card's long side.

    No other card's index lies between those: its card would cover one of them.
    """
    return float(indices.ups[first] @ indices.ups[second]) < 0


def at_bare_corner(pair: Joined, indices: Indices, number: int) -> bool:
    """Whether an index lies at one of the corners of a card whose two other corners were read."""
    ends = indices.centres[list(pair.members[:2])]
    right = np.array([-pair.up[1], pair.up[0]], np.float32)
    away = ends - ends.mean(axis=0)
    corners = ends - 2 * (away @ right)[:, None] * right
    height = float(indices.heights[list(pair.members[:2])].mean())
    off = np.linalg.norm(indices.centres[number] - corners, axis=1).min()
    aligned = abs(float(pair.up @ indices.ups[number])) >= -OPPOSED
    return aligned and float(off) < EXACT * height


def share_a_corner(one: Joined, other: Joined, indices: Indices, shape: Shape) -> bool:
    """Whether an index of each points the same way and lies where the other's corner is.

    In a row of equal cards that lie nearly on each other, the next one's lower corners are not far
    from where this one's are.
    """
    first, second = list(one.members), list(other.members)
    away = np.linalg.norm(indices.centres[first][:, None] - indices.centres[second], axis=2)
    aligned = indices.ups[first] @ indices.ups[second].T >= -OPPOSED
    near = shape.across / 2 * float(np.median(indices.heights))
    return bool((aligned & (away < near)).any())
