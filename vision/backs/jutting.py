"""Backs that jut out from under one that was recognized.

When a card lies under another, as a seat's hole cards do, only a strip of it may be visible. The
finder's maps half see such a strip, and two borders lie side by side where it begins, so it is
searched for in the picture next to each side of a recognized card, by its edges and print.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.backs.edges import points_along
from vision.backs.heaps import Heap, Laid
from vision.backs.prints import likeness, printed
from vision.find.finder import Areas
from vision.picture.geometry import Floats, within

BESIDE = (0.09, 0.15, 0.21)
"""Distances from a side at which the maps are sampled, in short sides of a card: 6 to 13 mm.
Follows from the narrowest strip that is searched for."""
CARDLIKE = 0.15
"""Minimum mean of the maps there at which a card may lie there: next to a lone card they show at
most 0.02, over a strip they half see at least 0.2. A choice; `python -m tests.face_down` judges it.
"""
SHIFTS = tuple(0.12 + 0.1 * number for number in range(12))
"""Distances a card may jut out from under a parallel one, in short sides of a card. Each step
follows from the reach within which a card's edges are searched for."""
EDGED = 0.95
"""Minimum share of its visible border that must show edges. A choice; `python -m tests.face_down`
judges it."""
LEAST = 0.08
"""Minimum visible share of the card. A choice; `python -m tests.face_down` judges it."""
BEYOND = 0.35
"""Largest share of it that the maps may not show. A choice; `python -m tests.face_down` judges it.
"""


def jutting(
    area: Heap, over: Floats, sides: Sequence[Floats], covers: Sequence[Floats]
) -> Laid | None:
    """The card that juts out from under the one with the corners `over` (4, 2), if there is one.

    It is searched for beyond the given `sides`, each a unit vector (2,) pointing away from the
    card. `covers` are all cards known to lie there, including `over`.
    """
    pattern, short = printed(area.frame, over), np.float32(area.size[0])
    best, most = None, 0.0
    for corners in (over + away * short * np.float32(step) for away in sides for step in SHIFTS):
        laid = area.laid(area.snapped(corners, covers), covers)
        if laid.edged < EDGED or laid.beyond > BEYOND or area.in_sight(laid.corners) < LEAST:
            continue
        like = likeness(area.frame, laid.corners, pattern, covers)
        worth = laid.edged + like.print - laid.beyond
        if like.alike and worth > most:
            best, most = laid, worth
    return best


def sides_beside(
    areas: Areas, over: Floats, short: float, covers: Sequence[Floats]
) -> list[Floats]:
    """The sides of a card beyond which the maps show something not among the `covers`."""
    middle, found = over.mean(axis=0), []
    for points in points_along(over):
        away = points.mean(axis=0) - middle
        away /= max(float(np.linalg.norm(away)), 1e-6)
        beside = np.concatenate([points + away * np.float32(step * short) for step in BESIDE])
        shown = areas.sample(beside, back=True) + areas.sample(beside, back=False)
        if float(np.nan_to_num(shown).mean()) < CARDLIKE:
            continue
        taken = [any(within(cover, point) for cover in covers) for point in beside]
        shown[np.asarray(taken, np.bool_)] = 0.0
        if float(np.nan_to_num(shown).mean()) >= CARDLIKE:
            found.append(away)
    return found
