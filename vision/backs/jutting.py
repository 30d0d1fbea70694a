"""Backs that jut out from under one that was recognized.

Of a card that lies under another one, as hole cards of one seat do, only a strip may be in sight.
The finder's maps half see such a strip, and two borders lie side by side where it begins: it is
looked for in the picture, beside each side of a recognized card, by its edges and its print.
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
"""How far from a side the maps are looked at, in short sides of a card: 6 to 13 mm. Follows from
the narrowest strip that is looked for."""
CARDLIKE = 0.15
"""The mean of the maps there from which a card may lie there: beside a card on its own they show
0.02 and less, over the strip that they half see 0.2 and more. A choice;
`python -m tests.face_down` judges it."""
SHIFTS = tuple(0.12 + 0.1 * number for number in range(12))
"""How far a card may jut out from under one that lies as it does, in short sides of a card. Each
step follows from the reach within which a card's edges are looked for."""
EDGED = 0.95
"""The share of its border in sight that has to show edges. A choice; `python -m tests.face_down`
judges it."""
LEAST = 0.08
"""The share of a card that has to be in sight. A choice; `python -m tests.face_down` judges it."""
BEYOND = 0.35
"""The share of it that the maps may not show at all. A choice; `python -m tests.face_down` judges
it."""


def jutting(
    area: Heap, over: Floats, sides: Sequence[Floats], covers: Sequence[Floats]
) -> Laid | None:
    """The card that juts out from under the one with the corners `over` (4, 2), if one does.

    It is looked for beyond those of its `sides`, each the unit vector (2,) away from the card.
    All that is known to lie there are `covers`, `over` among them.
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
    """Beyond which sides of a card the maps show something that is none of the `covers`."""
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
