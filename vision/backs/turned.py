"""A card that lies almost squarely under another, turned a little: only its corners show.

They jut out as tips at the sides of the upper card, too narrow for a soft border to tell from, so
that a search by area misses them. But they are the corners of one rectangle with the upper card's
size, all of whose border in view is an edge of the picture and of the heap.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.backs.borders import CLOSELY, sides_of
from vision.backs.copies import DENSE, held
from vision.backs.fitting import fitted
from vision.backs.parts import Cells
from vision.backs.poses import Bare, Poses, grown
from vision.backs.sheet import Sheet, filled
from vision.backs.uppermost import settled
from vision.picture.geometry import Floats, within

TURNS = np.arange(6.0, 26.0, 2.0)
"""Turns in degrees at which a card under another is looked for. A choice: turned by less, its tips
are hardly wider than a soft border; turned by more, it shows enough to be found by its area."""
LEAST = 4.0
"""Minimum turn in degrees once it is fitted to the edges. A choice: of a squared pile, the cards
are turned by one or two; `python -m tests.face_down pile` judges it."""
BETWEEN = 8.0
"""Degrees by which the upper card may be turned from the outline of both. A choice; `python -m
tests.face_down turned` judges it."""
NOTCHED, UNLIKE = 0.047, 0.09
"""Minimum areas, in cards, by which a heap is less than its convex outline, and less than the
rectangle around it. A choice between pairs, which had at least 0.057 and 0.1, and single backs and
squared piles that two turned cards would explain as well, at most 0.039 and 0.075, or 0.049 and
0.087 with a border the colour of the wood; `python -m tests.face_down turned pile spaced` judges
it."""
ROUGH = 9
"""Width in dots up to which what juts out of a heap is a rough border. A choice: of the stubs that
a wooden table's grain left along one back, enough remained at 7 for it to be two, for certain;
`python -m tests.face_down turned pile` judges it."""
ASIDE = 4.0
"""How far in dots from the upper card's middle its own is looked for, before it is fitted to the
edges. A choice; `python -m tests.face_down turned` judges it."""
TRIED = 5
"""Number of places that are examined, those first that explain most. A choice;
`python -m tests.face_down turned` judges it."""
EDGED, BORDERED = 0.93, 0.88
"""Minimum shares of its border in view that show an edge, and that are the heap's border. A choice:
of 30 drawn ones the edges were 1.0 and the border at least 0.9; `python -m tests.face_down turned`
judges it."""
ALONE = 0.75
"""Minimum share of its border that is the heap's own at which the card found first lies alone, if
nothing is found under it. A choice: 0.79 of a card on rough wood, which two turned by six degrees
either way explained as well. Pairs have 0.5 to 0.81, but those with the most show the lower card at
once; `python -m tests.face_down turned` judges it."""
TIPS, EXPLAINED = 0.01, 0.6
"""Minimum share of a card that must jut out from under the upper one, and the minimum part of that
which the lower one explains: of 30 drawn ones at least 0.78. A choice; `python -m tests.face_down
turned` judges it."""
FILLED = 0.7
"""Minimum share of what would show of it that is the heap's: 0.76 of a pair, 0.44 of a shadow. A
choice between them; `python -m tests.face_down spaced turned` judges it."""
FEWEST = 3
"""Number of its corners that must be in view. A choice: two tips could be another thing's;
`python -m tests.face_down` judges it."""
MARGIN = 1.5
"""Dots by which a card is grown for its soft border. A choice; `python -m tests.face_down turned`
judges it."""


def turned(begun: Poses) -> tuple[Floats, Floats] | None:
    """The corners (4, 2) on the sheet of the upper card of a heap and of one turned under it.

    The upper one is about where it is `begun`, or turned from there: the outline of both together
    is that of neither. None if two such cards do not explain the heap.
    """
    if not _notched(begun):
        return None
    for turn in (0.0, -BETWEEN, BETWEEN):
        way = np.array([[0, 0, turn]], np.float32)
        top = settled(begun.around(way))
        lower = _turned_under(begun.sheet, top)
        if lower is not None:
            return np.asarray(top.outlines()[0], np.float32), lower
        if turn == 0.0 and _lies_alone(top):
            return None
    return None


def _lies_alone(card: Poses) -> bool:
    """Whether a card's whole border shows edges, and nearly all of it is the heap's."""
    sides = sides_of(card, Bare.beside(card.sheet, ()), CLOSELY)
    return bool(sides.shares[0] >= EDGED and sides.bordered[0] >= ALONE)


def _notched(begun: Poses) -> bool:
    """Whether the outline of a heap is neither nearly convex nor nearly a rectangle, as that of one
    card is."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (ROUGH, ROUGH))
    smooth = cv2.morphologyEx(begun.sheet.heap, cv2.MORPH_OPEN, kernel)
    around, _ = cv2.findContours(smooth, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not around:
        return False
    largest, card = max(around, key=cv2.contourArea), begun.size[0] * begun.size[1]
    area, (_, (wide, high), _) = cv2.contourArea(largest), cv2.minAreaRect(largest)
    gaps = cv2.contourArea(cv2.convexHull(largest)) - area
    return gaps >= NOTCHED * card and wide * high - area >= UNLIKE * card


def _turned_under(sheet: Sheet, top: Poses) -> Floats | None:
    """The corners (4, 2) on the sheet of the card that juts out at the corners of `top`, if any."""
    upper = np.asarray(top.outlines()[0], np.float32)
    tips = _beyond(sheet.heap, upper)
    area = np.count_nonzero(tips)
    if area < TIPS * top.size[0] * top.size[1]:
        return None
    bare = Bare.beside(sheet, [upper])
    cards = fitted(_around(top), bare)
    sides = sides_of(cards, bare, CLOSELY)
    off = np.abs((cards.at[:, 2] - top.at[0, 2] + 90.0) % 180.0 - 90.0)
    cards = cards.chosen((sides.shares >= EDGED) & (sides.bordered >= BORDERED) & (off >= LEAST))
    for number in np.argsort(-held(cards, tips, DENSE))[:TRIED]:
        lower = np.asarray(cards.outlines()[number], np.float32)
        explains = np.count_nonzero(_beyond(tips, lower)) <= (1 - EXPLAINED) * area
        if explains and _in_view(lower, upper) >= FEWEST and _is_filled(sheet.heap, lower, upper):
            return lower
    return None


def _around(top: Poses) -> Poses:
    """The places under a card at which another is looked for."""
    steps = (-ASIDE, 0.0, ASIDE)
    offsets = [
        (x, y, sign * turn) for x in steps for y in steps for turn in TURNS for sign in (-1, 1)
    ]
    return top.around(np.asarray(offsets, np.float32))


def _beyond(heap: Cells, card: Floats) -> Cells:
    """The dots (h, w) of a heap outside a card, without threads along its border."""
    beyond = heap & (1 - filled(heap.shape, grown(card, MARGIN)))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    return np.asarray(cv2.morphologyEx(beyond, cv2.MORPH_OPEN, kernel), np.uint8)


def _is_filled(heap: Cells, lower: Floats, upper: Floats) -> bool:
    """Whether the heap shows where one card juts out from under another."""
    shown = _beyond(filled(heap.shape, grown(lower, -MARGIN)), upper)
    return bool(np.count_nonzero(shown & heap) >= FILLED * np.count_nonzero(shown) > 0)


def _in_view(lower: Floats, upper: Floats) -> int:
    """How many of a card's corners lie beyond the sides of the one over it."""
    outside = grown(upper, MARGIN)
    return sum(not within(outside, corner) for corner in lower)
