"""A card under a hand of which an index peeps out: too little to read, but something lies there.

The rest of its place looks neither like a card nor like the table, so that the reader doubts the
index. What lies there is not known before the hand has left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vision.picture.geometry import Outline, Point, inset
from vision.read.glances import Glance
from vision.read.index_classifier import FACES
from vision.sightings import Lying
from vision.track.corners import outline_of
from vision.track.in_view import STRANGE, WIPED, Patch, known, placed
from vision.track.motion import count

CLEARLY, FOUND = 0.95, 0.5
"""Minimum probability of the face of such an index, and minimum score of the index itself. A
choice: an ace's beside the wrist of a resting hand had at least 0.99 and 0.69 in nine pictures;
`python -m tests.soak --pictures` judges it."""
AROUND = 1.8
"""Half the side, in index heights, of the square around an index in which its card lies: half a
card's length. Follows from the standard faces."""


def half_hidden(here: Patch, seen: Sequence[Lying], glances: Sequence[Glance]) -> bool:
    """Whether an index came beside a hand that belongs to no card which lay there or is `seen`.

    It may be found in some looks only; the latest `glances` tell where the hand is.
    """
    looks = [glance for look in here.zone.looks for glance in look.glances]
    return any(
        _came(here, index) and _by_a_hand(here, middle, half, glances)
        for glance in looks or glances
        for index, middle, half in _lone(here, glance, (*here.lay, *seen))
    )


def _lone(
    here: Patch, glance: Glance, cards: Sequence[Lying]
) -> Iterator[tuple[Outline, Point, float]]:
    """The clearly read indices at a spot that are on none of these `cards`, their middles, and how
    far around each its card lies, in pixels."""
    indices, polygon = glance.indices, here.zone.polygon
    faces = glance.faces.max(axis=1, initial=0.0)
    for number in np.flatnonzero((faces >= CLEARLY) & (indices.scores >= FOUND)):
        x, y = (float(one) for one in indices.centres[number])
        height, face = float(indices.heights[number]), FACES[int(glance.faces[number].argmax())]
        if polygon is None or not polygon.contains((x, y)):
            continue
        if not any(card.card == face and _reaches(card, (x, y), height) for card in cards):
            yield outline_of(indices, int(number)), (x, y), AROUND * height


def _reaches(card: Lying, place: Point, height: float) -> bool:
    """Whether a place is on a card, or as far beside it as an index is high: a card may have been
    put on the wrong side of its corner."""
    corners = np.asarray(card.outline, np.float32)
    return inset(corners, np.asarray(place, np.float32)) > -height


def _came(here: Patch, index: Outline) -> bool:
    part, place = placed(here.zone, here.shot.scale, index)
    return count(here.changed[part] & place) >= max(1.0, WIPED * count(place))


def _by_a_hand(here: Patch, middle: Point, half: float, glances: Sequence[Glance]) -> bool:
    """Whether some of what changed around a place looks neither like cards nor like the table."""
    (x, y), ways = middle, ((-1, -1), (1, -1), (1, 1), (-1, 1))
    square = tuple((x + half * across, y + half * down) for across, down in ways)
    part, place = placed(here.zone, here.shot.scale, square)
    changed = here.changed[part] & place
    table = here.zone.memory.table_at(here.shot.of(here.zone), part)
    if table is None or not changed.any():
        return False
    return count(changed & ~known(here, part, glances)) > STRANGE * count(changed)
