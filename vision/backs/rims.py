"""Whether a card that lies between others shows the rim of its print along its border.

The dots of a print have edges as well, and wherever they stand in rows a card's border may seem to
run through them. But just within its border a card shows what all of its deck show there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.backs.borders import BESIDE, CLOSELY, border, share
from vision.backs.copies import Pattern, alike
from vision.backs.poses import Bare, Bools, Points, Poses, counted
from vision.backs.sheet import Sheet
from vision.picture.geometry import Floats

INSIDE = (1.25, 1.75, 2.25)
"""Distances in dots from a card's border at which its rim is compared, the best of which counts:
beyond the blur of the border, and within the narrowest white border, 2.5 mm, though the card's
place is known to a dot only. A choice; `python -m tests.face_down` judges it."""
FEWEST = 8
"""Minimum visible points of a border between other cards for its rim to be judged: nearly half of a
short side. A choice."""


Compared = Callable[[Points, Sheet, Floats], Bools]
"""Which places (N, K) on a sheet show what some points (K, 2) on a card should show."""


def rimmed(cards: Poses, pattern: Pattern, bare: Bare) -> Floats:
    """The share (N,) of each card's `bare` border between others where the print's rim shows.

    It is 1 for a card of which hardly any border lies between others.
    """

    def shown(places: Points, sheet: Sheet, points: Floats) -> Bools:
        levels = [places.of(plane) for plane in sheet.planes]
        return alike(levels, pattern, points)

    return between_others(cards, bare, shown)


def between_others(
    cards: Poses, bare: Bare, compared: Compared, depths: Sequence[float] = INSIDE
) -> Floats:
    """The share (N,) of each card's `bare` border between others within which, at one of these
    `depths` in dots, it shows what it should, upright or upside down; 1 if hardly any border lies
    between others."""
    points, ways = border(CLOSELY.counts)
    insets = [
        np.asarray(points - inside * ways / np.array(cards.size), np.float32) for inside in depths
    ]
    found = []
    for some in cards.parts():
        at, out = some.places(points), some.turned(ways)
        heap, hidden = some.sheet.heap, some.sheet.open_to
        between = at.beside(out, BESIDE).of(heap | hidden) > 0
        shown = between & (at.of(bare.border) > 0)
        shares = np.zeros(len(some), np.float32)
        for inset in insets:
            within = some.places(inset)
            for turn in (inset, np.asarray(-inset, np.float32)):
                there = compared(within, some.sheet, turn)
                shares = np.maximum(shares, share(there, shown))
        found.append(np.where(counted(shown) >= FEWEST, shares, np.float32(1)))
    return np.asarray(np.concatenate(found), np.float32)
