"""Seams in what is taken for one card: the border of a card that nothing else shows.

In a fan the first and the last card may cover all that the others cover. But where another card
begins the print does not go on, along a line as straight as a border and about as long.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.backs.copies import Bare, Pattern, Points, Poses, grid
from vision.picture.geometry import Floats

STEP = 2.0
"""Dots between the points at which a print is compared. A choice; `python -m tests.face_down`
judges it."""
RIM = 4.0
"""Dots along a card's edge that are left out: its own border may be off by two. A choice;
`python -m tests.face_down` judges it."""
APART = 6.0
"""Levels by which a print differs from the uppermost card's at a seam. A choice;
`python -m tests.face_down` judges it."""
PACKET = 4.0
"""Dots beside a card's edge in which those below it in its packet show. A choice;
`python -m tests.face_down` judges it."""
TURNS = tuple(float(turn) for turn in range(-30, 31, 3))
"""Degrees by which a hidden card may be turned against the one over it. A choice;
`python -m tests.face_down` judges it."""
LONG = 9
"""Points of a line in sight that tell a seam: 18 mm of a poker card. A choice;
`python -m tests.face_down` judges it."""


def seam(card: Poses, pattern: Pattern, covers: Sequence[Floats]) -> float:
    """The largest share of a straight line across the first of some cards that is not as the
    `pattern` says, 0..1, of what its `covers` (4, 2) leave in sight."""
    bare = Bare.beside(card.sheet, covers, PACKET)
    points = grid(card.size, RIM, STEP)
    places = card.chosen(np.arange(1)).places(points)
    seen, dots = places.of(bare.face)[0] > 0, places.dots(bare.face)[0]
    shown = card.sheet.levels.reshape(3, -1)[:, dots[seen]]
    half = np.array(card.size, np.float32) / 2
    shares = []
    for way in (points, -points):
        printed = Points(*(half + way[seen]).T).dots(pattern.low[0])
        low, high = (one.reshape(3, -1)[:, printed] for one in (pattern.low, pattern.high))
        other = (np.maximum(low - shown, shown - high).max(axis=0) > APART).astype(np.float32)
        shares.append(_lined(points[seen], other))
    return min(shares)


def _lined(points: Floats, other: Floats) -> float:
    """The largest share of the points (K, 2) on one line that are `other` (K,)."""
    most = 0.0
    for turn in np.radians([*TURNS, *(90 + turn for turn in TURNS)]):
        across = points[:, 0] * np.cos(turn) + points[:, 1] * np.sin(turn)
        lines = np.round((across - across.min(initial=0)) / STEP).astype(np.intp)
        count = np.bincount(lines)
        share = np.bincount(lines, other) / np.maximum(count, 1)
        most = max(most, float(share[count >= LONG].max(initial=0.0)))
    return most
