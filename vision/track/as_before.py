"""Whether what is read where a card lay is that card, of which a part still shows unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.cards import BACK
from vision.picture.geometry import Outline, overlap
from vision.read.glances import Glance
from vision.sightings import Lying
from vision.track.consensus import NEAR, apart, off_place
from vision.track.corners import OWN, indices_of, same_index
from vision.track.in_view import (
    INDEX,
    STAYED,
    Patch,
    area_of,
    showed_before,
    still_shows,
    unchanged_indices,
    under_a_hand,
)
from vision.track.likeness import TWIN, seen_again
from vision.track.motion import count
from vision.track.prints import shows_another, still_printed

STRIP = 0.45
"""Visible share of a card up to which its index may be half covered; if more is visible, the
reading stands. A choice; `python -m tests.dealt_table` judges it."""
PLAIN = 0.985
"""Minimum confidence at which a reading stands, whatever lay there: half an index reached 0.97 on
drawn tables. A choice; `python -m tests.dealt_table` judges it."""

ELSEWHERE = 0.35
"""Minimum distance, in index heights, between two that are not one index. A choice: half covered
from above or below, its middle moves by a quarter; that of a king that peeped out beside a four was
0.46 away. `python -m tests.soak --pictures` judges it."""


def as_before(
    here: Patch,
    fresh: Sequence[Lying],
    left: Sequence[Lying],
    kept: Sequence[Lying],
    glances: Sequence[Glance],
) -> list[Lying]:
    """The `fresh` cards, with each replaced by the card that lay there if it still shows unchanged.

    The rank or suit of a half-covered index is a guess; it was read before it was covered. However
    sure the guess is, an index of which all that is left in view looks as it did is none that came.
    Nor is a card that was sure in doubt once it is half covered, or elsewhere while it shows an
    index where it was.
    """
    fresh = list(_without_misplaced(here, fresh, left, kept, glances))
    fresh = [
        _read_as_before(left, seen) or _unmoved(here, left, seen, fresh) or seen for seen in fresh
    ]
    free = [
        old
        for old in left
        if not old.doubtful
        and not any(seen_again(old, one) and not _in_doubt(old, one) for one in fresh)
    ]
    told, found = list(fresh), set[int]()
    # Of two that may be one card that lay there, the nearer one is.
    ways = sorted(
        (off_place(old, seen), number, first)
        for number, seen in enumerate(fresh)
        for first, old in enumerate(free)
        if not any(_rather(one, old, seen) for one in left if one is not old)
    )
    for _, number, first in ways:
        seen, old = fresh[number], free[first]
        others = [one for one in (*kept, *fresh) if one is not seen]
        taken = first in found or told[number] is not seen
        if not taken and _shows_as_it_was(here, old, seen, others, glances):
            told[number] = replace(old, whole=old.whole and seen.whole)
            found.add(first)
    return told


def _read_as_before(left: Sequence[Lying], seen: Lying) -> Lying | None:
    """The covered face that lay there, if what is `seen` is read just where that one was read.

    Its outline is from when more of it was in view.
    """
    if seen.whole or seen.card == BACK:
        return None
    equal = [old for old in left if old.card == seen.card and off_place(old, seen) < TWIN]
    old = min(equal, key=lambda one: off_place(one, seen), default=None)
    if old is None or old.whole or old.doubtful or old.latest is None:
        return None
    return replace(old, whole=False, latest=seen.centre)


def _without_misplaced(
    here: Patch,
    fresh: Sequence[Lying],
    left: Sequence[Lying],
    kept: Sequence[Lying],
    glances: Sequence[Glance],
) -> Iterator[Lying]:
    """The `fresh` cards, with one that is read by nothing but unchanged indices of a card that lay
    there as that one, once; and not again if that one was `kept`.

    What is left of those puts it aside by a few millimetres; and of a deck with indices in all
    corners, the one that a hand leaves in view may be taken for that of the opposite corner.
    """
    stays = frozenset(id(old) for old in kept)
    found = set(stays)
    for seen in fresh:
        known = () if seen.whole else (*left, *kept)
        equal = [old for old in known if old.card == seen.card and not old.doubtful]
        itself = [
            old
            for old in equal
            if _is_read_by_its_prints(here, old, seen, fresh, glances, stays=id(old) in stays)
        ]
        old = min(itself, key=lambda one: apart(one, seen), default=None)
        if old is None:
            yield seen
        elif id(old) not in found:
            found.add(id(old))
            yield replace(old, whole=False)


def was_half_of(here: Patch, old: Lying, fresh: Sequence[Lying], glances: Sequence[Glance]) -> bool:
    """Whether a card that was read by one index is an equal one that is now in full view.

    While a hand lay over half of that, an index of its other side was taken for that of a card
    beside it: what lies at a corner of a card in full view is its own.
    """
    mine = [one.outline for one in here.zone.prints if one.shows(old)]
    if old.whole or not mine:
        return False
    return any(
        all(any(same_index(one, own, OWN) for own in owns) for one in mine)
        for seen in fresh
        if seen.whole and not seen.doubtful and seen.card == old.card
        for owns in [
            [
                index
                for glance in glances
                for index in indices_of(here.zone, seen, glance, either_side=True)
            ]
        ]
    )


def _is_read_by_its_prints(
    here: Patch,
    old: Lying,
    seen: Lying,
    fresh: Sequence[Lying],
    glances: Sequence[Glance],
    *,
    stays: bool,
) -> bool:
    """Whether all that tells what is `seen` are indices of a card that lay there, of which one at
    least looks as it did, or which `stays` with a hand over it."""
    over = [one for one in fresh if one.whole]
    printed = list(still_printed(here.zone, here.shot, old, over))
    if not printed and not (stays and under_a_hand(here, old, glances)):
        return False

    def indices(card: Lying, *, either_side: bool) -> list[Outline]:
        looks = [indices_of(here.zone, card, one, either_side=either_side) for one in glances]
        return [index for look in looks for index in look]

    own = indices(old, either_side=True)
    # Beside a hand, an index may have been put on the wrong side of the card.
    read = indices(seen, either_side=False) or indices(seen, either_side=True)
    return bool(read) and all(
        any(same_index(one, other, OWN) for other in (*printed, *own)) for one in read
    )


def _unmoved(
    here: Patch, left: Sequence[Lying], seen: Lying, fresh: Sequence[Lying]
) -> Lying | None:
    """The face in full view that lay there, if what is `seen` is that one with another outline.

    With an arm between them, its index and that of the card below seemed to be one card's ends. A
    reading that is sure stands, wherever it is, and so does one beside which another of the `fresh`
    ones is nearer to that card: an equal one was laid half over it. Nor is it what was read of an
    equal one that lay beneath.
    """
    if seen.confidence >= PLAIN:
        return None
    there = [
        old
        for old in left
        if old.whole and not old.doubtful and old.card != BACK and seen_again(old, seen)
    ]
    old = min(there, key=lambda one: apart(one, seen), default=None)
    if old is None or next(unchanged_indices(here, old), None) is None:
        return None
    if any(
        seen_again(one, seen) and off_place(one, seen) < off_place(old, seen)
        for one in left
        if one is not old
    ):
        return None
    if any(seen_again(old, one) and apart(old, one) < apart(old, seen) for one in fresh):
        return None
    return replace(old, whole=seen.whole)


def _in_doubt(old: Lying, seen: Lying) -> bool:
    """Whether a sure face that was in full view is now read with doubt, with less of it in view."""
    return seen.doubtful and seen.card != BACK and old.whole and not seen.whole


def _rather(one: Lying, old: Lying, seen: Lying) -> bool:
    """Whether what is `seen` is `one` of the cards that lay there again, rather than an `old` one.

    All backs look the same, so of these the nearer one is.
    """
    if not seen_again(one, seen):
        return False
    return seen.card != BACK or apart(one, seen) <= apart(old, seen)


def _shows_as_it_was(
    here: Patch, old: Lying, seen: Lying, others: Sequence[Lying], glances: Sequence[Glance]
) -> bool:
    """Whether what is `seen` beside the `others` may be a card that lay there, unchanged."""
    part = old.card.rank == seen.card.rank or old.card.suit == seen.card.suit
    if seen.card == BACK:
        # A strip of a face without an index may look like a back's.
        part = old.card != BACK
    if not part or off_place(old, seen) >= NEAR or _is_read_elsewhere(here, old, seen, glances):
        return False
    if seen.whole and not old.whole and not showed_before(here, seen, glances):
        return False  # the end that has come to light shows that it is no other one
    whole = area_of(here.zone, here.shot, seen)
    place = area_of(here.zone, here.shot, old) & whole
    # Nothing lay over a card that was in full view, so only what has come may cover it. Nor is a
    # reading that is sure wrong because of what lay there.
    sure = seen.confidence >= PLAIN
    lay = [one for one in here.lay if (old.whole or sure) and one is not old]
    came = [other for other in others if not any(seen_again(one, other) for one in lay)]
    over = list(_on_top(came)) if old.whole or sure else came
    if old.whole and shows_another(here.zone, here.shot, old, over):
        return False  # on the shrunken picture, two suits' indices are the same specks
    for other in over:
        place &= ~area_of(here.zone, here.shot, other)
    strip = INDEX <= count(place) <= STRIP * count(whole)
    unchanged = strip and count(here.changed & place) <= STAYED * count(place)
    if not unchanged or not sure:
        return unchanged
    # Of a card that has come to light, what peeped out before looks as it did, too, but not the
    # index of the one that lay on it.
    return still_shows(here, old, place) and showed_before(here, seen, glances, beside=place)


def _is_read_elsewhere(here: Patch, old: Lying, seen: Lying, glances: Sequence[Glance]) -> bool:
    """Whether what is `seen` is read by indices that the card which lay there did not have.

    Once the card over both is gone, one that peeps out beside that place shows its own print, as
    near as half an index.
    """
    lay = list(indices_of(here.zone, old))
    read = [one for glance in glances for one in indices_of(here.zone, seen, glance)]
    return bool(lay and read) and not any(
        same_index(one, other, ELSEWHERE) for one in read for other in lay
    )


def _on_top(came: Sequence[Lying]) -> Iterator[Lying]:
    """Those of the cards that `came` that lie in full view, or under such a one.

    Another was under one that lay there, and has come to light.
    """
    whole = [one for one in came if one.whole]
    for other in came:
        if other.whole or any(overlap(one.outline, other.outline) > 0 for one in whole):
            yield other
