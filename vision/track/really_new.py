"""Which of the faces and backs that are read where something changed are new there.

What a card leaves in view of the prints under it may look like a card that none of them is.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import BACK
from vision.read.glances import Glance
from vision.sightings import Lying
from vision.track.in_view import (
    STAYED,
    WIPED,
    Patch,
    area_of,
    is_read_by,
    lies_where,
    placed,
    showed_before,
)
from vision.track.likeness import seen_again
from vision.track.motion import count
from vision.track.under_others import beside

BARE_MOST = 0.5
"""Largest share of a card's place that may look like the empty table. A choice: three fifths of a
jack that was put on the wrong side of its index were; a few pale or dark pips may pass for it.
`python -m tests.soak --pictures` judges it."""
OVER_KNOWN = 0.75
"""Minimum share of a back's place on cards that lie as they lay for it to be nothing new if next to
nothing has changed there. A choice between two that were invented, with 0.87 and 0.99, and one of
0.62, of which a look under a moving hand had shown no more than the card over it: two lay where
one had been counted."""
AS_NEW = 0.995
"""Minimum confidence at which something new is read by an index that showed before it came. A
choice: a nine of hearts that had peeped out all along, its sign half covered, was read as one of
diamonds at 0.989; `python -m tests.soak --pictures` judges it."""


def really_new(
    here: Patch,
    fresh: Sequence[Lying],
    left: Sequence[Lying],
    kept: Sequence[Lying],
    glances: Sequence[Glance],
) -> list[Lying]:
    """The `fresh` cards without those that nothing but old prints or the table shows."""
    return [
        one
        for one in fresh
        if not _in_the_air(here, one)
        and not _was_in_view(here, one, glances, left, fresh)
        and (
            _has_its_index(here, one, left, glances)
            or not _is_corner_of(here, one, kept, glances, [*kept, *fresh])
        )
        and not _lay_in_view(here, one, kept)
    ]


def _in_the_air(here: Patch, seen: Lying) -> bool:
    """Whether something doubtful would lie where the table is bare.

    Of an index that peeps out at the edge of a neighbouring pile, it may not show on which side of
    it the card lies.
    """
    if not seen.doubtful or seen.whole or seen.card == BACK:
        return False
    part, place = placed(here.zone, here.shot.scale, seen.outline)
    table = here.zone.memory.table_at(here.shot.of(here.zone), part)
    return table is not None and count(table & place) > BARE_MOST * count(place)


def _was_in_view(
    here: Patch,
    seen: Lying,
    glances: Sequence[Glance],
    left: Sequence[Lying],
    fresh: Sequence[Lying],
) -> bool:
    """Whether the only index by which something new is read already showed before it came.

    What a card leaves in view of the prints under it may look like an index that none of them is.
    But where one of those that have `left` had its own index, another has come to light, however
    alike the two look; and where much of what the `fresh` cards leave in view of it has changed, a
    card has come, however faint the strokes of its rank are.
    """
    sure = seen.whole or seen.confidence >= AS_NEW or seen.card == BACK
    if sure or any(seen_again(old, seen) for old in here.lay):
        return False
    others = [old for old in left if old.card != seen.card]
    if not showed_before(here, seen, glances) or lies_where(here, seen, others, glances):
        return False
    shown = beside(here, seen, [one for one in fresh if one is not seen])
    return count(here.changed & shown) < WIPED * count(shown)


def _has_its_index(
    here: Patch, seen: Lying, left: Sequence[Lying], glances: Sequence[Glance]
) -> bool:
    """Whether a face is read by the index of one that has `left`, which lay in full view there.

    Of four equal cards in a meld, the corners of the fourth are where the second has its index.
    """
    itself = [old for old in left if old.whole and seen_again(old, seen)]
    return lies_where(here, seen, itself, glances)


def _is_corner_of(
    here: Patch,
    seen: Lying,
    kept: Sequence[Lying],
    glances: Sequence[Glance],
    others: Sequence[Lying],
) -> bool:
    """Whether a face is read only by corners of equal cards that are `kept`, as they showed."""
    before = not seen.whole and showed_before(here, seen, glances, either_side=True)
    return before and is_read_by(here, seen, kept, glances, others)


def _lay_in_view(here: Patch, seen: Lying, kept: Sequence[Lying]) -> bool:
    """Whether a back would lie on cards that are `kept`, where next to nothing has changed.

    Under a hand at the edge, one of two backs was seen too large, and what the known cards then
    left of both was taken for two more.
    """
    if seen.card != BACK:
        return False
    place = area_of(here.zone, here.shot, seen)
    over = count(beside(here, seen, kept)) < (1 - OVER_KNOWN) * count(place)
    return over and count(here.changed & place) <= STAYED * count(place)
