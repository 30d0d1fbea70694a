"""Whether a card that lay face down still lies there, under what was laid on it.

An upcard on a hole card leaves a strip of it visible, too little to recognize a back. But the hole
card's position is known, and the uncovered part of its border shows the same edges as before.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.edges import FEWEST, POINTS, SEEN, framed, points_along
from vision.backs.prints import likeness, printed
from vision.picture.geometry import Floats, Frame

CLEAR, UNSURE = 0.08, 0.2
"""Distance from a covering card, in short sides, at which the border counts as visible: any closer,
that card's own edge and shadow may be mistaken for it. The first (5 mm) applies if the edges of the
covering card are found in the picture, the second if only its indices give its position. A choice
between a hole card of which a fifth shows and a card turned up in its place
(`tests/test_vision_lasting.py`, `tests/test_photographs.py`)."""
REACH = 0.11
"""Distance, in short sides, within which the covering card's edges are searched for around its
reported place. A choice; `python -m tests.face_down` judges it."""
NEAR = 3
"""Distance in pixels within which the border is searched for: a card pushed farther is seen to
move. A choice; `python -m tests.face_down` judges it."""
BORDER = 0.2
"""Minimum share of the whole border that must be visible: nearly one long side. A choice."""


def lies_beneath(frame: Frame, corners: Floats, over: Sequence[Floats]) -> bool:
    """Whether the border of a card with these `corners` (4, 2) shows beside the cards `over` it.

    The corners are clockwise; each covering card is an outline (4, 2) in the picture `frame` (H, W,
    3).
    """
    points = points_along(corners)
    hidden = np.zeros((4, POINTS), np.bool_)
    short = float(np.linalg.norm(corners[1] - corners[0]))
    short = min(short, float(np.linalg.norm(corners[2] - corners[1])))
    for outline in over:
        # Outlines estimated from indices are accurate only to some millimetres.
        found = framed(frame, outline, max(NEAR, round(REACH * short)))
        for border in (outline, found.corners):
            hidden |= _near(points, border, (CLEAR if found.whole else UNSURE) * short)
    shares = framed(frame, corners, NEAR, hidden).shares
    sides = (~hidden).sum(axis=1)
    counted = (sides >= FEWEST) & ~np.isnan(shares)
    if sides[counted].sum() < BORDER * hidden.size:
        return False
    return bool(np.average(shares[counted], weights=sides[counted]) >= SEEN)


def juts_out(frame: Frame, corners: Floats, over: Floats, others: Sequence[Floats]) -> bool:
    """Whether a back with these `corners` (4, 2) shows beside the similar back `over` it.

    The `others` may lie over it too, or under it.
    """
    pattern = printed(frame, over)
    return any(
        lies_beneath(frame, corners, covers) and likeness(frame, corners, pattern, covers).alike
        for covers in ([over], [over, *others])
    )


def _near(points: Floats, outline: Floats, reach: float) -> NDArray[np.bool_]:
    """Which points (4, POINTS, 2) lie inside an outline or within `reach` pixels of it."""
    border = np.ascontiguousarray(outline, np.float32)
    away = [
        cv2.pointPolygonTest(border, (float(x), float(y)), measureDist=True)
        for x, y in points.reshape(-1, 2)
    ]
    return np.asarray(away).reshape(4, POINTS) > -reach
