"""Which cards that lie under others are still there, and how they show.

Of a back the border may show underneath, of a face an index; what is left of either in view must
look as it looked before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rules.cards import BACK
from vision.backs.beneath import juts_out, lies_beneath
from vision.join.proportions import EDGE_ACROSS
from vision.picture.geometry import Outline, distance, inset
from vision.read.glances import Glance
from vision.sightings import Lying
from vision.track.consensus import apart, nearest, paired
from vision.track.corners import OWN, indices_of, middle_of, same_index
from vision.track.in_view import (
    INDEX,
    STAYED,
    Patch,
    area_of,
    changed_indices,
    placed,
    shows_table,
    unchanged_indices,
    unchanged_of,
)
from vision.track.likeness import may_be, replaced, seen_again, without_again
from vision.track.motion import Mask, count
from vision.track.prints import peeps_out, shows_another
from vision.track.zones import Shot

UNCHANGED = 0.45
"""Largest share of the visible part of a back's place that may have changed if the back is still
there under a face: for hole cards under photographed upcards up to 0.34 had changed; if the face
was the back itself, turned over in place and reported beside it, 0.55 to 0.8. A choice between them
(`tests/test_photographs.py`)."""
MOSTLY = 0.5
"""Minimum share of an index in view that a reading has which was made from it. A choice: the second
of two tens in a meld was laid with one line of pixels on the index of the first.
"""
HALF = 0.3
"""Minimum visible share of a card's place for it to be still there, half covered, if what is seen
there is too little to be sure of. A choice: below it, strips of two squarely placed cards look
alike."""


def still_under(
    here: Patch, left: Sequence[Lying], fresh: Sequence[Lying], kept: Sequence[Lying]
) -> tuple[list[Lying], list[Lying]]:
    """Which of the cards that lay there are `left` under others, and the rest of the `fresh`."""
    juts = [old for old in left if _juts(here.shot, old, fresh, kept)]
    rest = [old for old in left if not any(old is one for one in juts)]
    turned = paired(left, fresh)
    beneath = [
        old
        for old in rest
        if _still_under(here, old, without_again(old, fresh), kept, turned=id(old) in turned)
        or _shows_nothing_new(here, old, turned.get(id(old)), [*fresh, *kept])
    ]
    # What is now seen of such a card reads worse than before.
    again = paired(beneath, [seen for seen in fresh if seen.card == BACK])
    others = [seen for seen in fresh if not any(seen is one for one in again.values())]
    return [*beneath, *juts], others


def _shows_nothing_new(here: Patch, old: Lying, seen: Lying | None, cards: Sequence[Lying]) -> bool:
    """Whether what shows of a back beside other `cards` is part of one that lay there, unchanged.

    Of one that fingers lie over, what they leave in view was read as one across it.
    """
    if seen is None or old.doubtful or not old.card == seen.card == BACK:
        return False
    place = beside(here, seen, [one for one in cards if one is not seen])
    own = count(place & area_of(here.zone, here.shot, old))
    if own < INDEX or own < (1 - STAYED) * count(place):
        return False
    return count(here.changed & place) <= STAYED * count(place)


def half_covered(
    here: Patch,
    old: Lying,
    seen: Sequence[Lying],
    kept: Sequence[Lying],
    fresh: Sequence[Lying],
) -> bool:
    """Whether a card is still there under some of the `fresh` ones.

    What is left of it in view must be unchanged, and one of its indices in view: those that lay
    there before cover it no more than they did. Or something `seen` in its place may be it, and
    enough of it is left beside all the others, but for backs that are seen in theirs. Of a back,
    enough beside those that came will do, and of a face of which no index is left, enough beside
    all others.
    """
    if (old.doubtful and old.card != BACK) or left_bare(here, old, here.changed):
        return False
    others = [one for one in fresh if not may_be(old, one) and not shares_index(here, old, one)]
    came = [one for one in others if not any(seen_again(lay, one) for lay in here.lay)]
    if old.whole and not _all_covered(here, changed_indices(here, old), came):
        return False
    if old.whole and shows_another(here.zone, here.shot, old, came):
        return False  # too like its own for a change on the shrunken picture
    place = beside(here, old, came)
    same = count(here.changed & place) <= STAYED * count(place)
    if _shows_index(here, old, came):
        # What went from above it, or a hand, may change all but its print.
        return same or peeps_out(here.zone, here.shot, old, came)
    # Of an index that lies partly under what came, the rest may show that the card is there.
    unread = same and not any(seen_again(old, one) for one in seen if not one.doubtful)
    if unread and peeps_out(here.zone, here.shot, old, came):
        return True
    again = paired(here.lay, seen) if old.card == BACK else {}
    if not any(may_be(old, one) for one in seen):
        # One look may take two backs for one, but none is gone where nothing has changed. Nor is a
        # face whose last index is covered now, but no more than a corner of it besides.
        if old.card != BACK:
            in_view = beside(here, old, [*kept, *fresh])
            return not replaced(old, fresh) and half_unchanged(here, old, in_view)
        return id(old) not in again and half_unchanged(here, old, place)
    # Of backs that are all seen at once, none is another: they cover it no more than they did.
    unseen = [one for one in kept if id(old) not in again or id(one) not in again]
    return half_unchanged(here, old, beside(here, old, [*others, *unseen]))


def half_unchanged(here: Patch, old: Lying, place: Mask) -> bool:
    """Whether enough of a card is left in view at this part of its place, and unchanged."""
    left, whole = count(place), count(area_of(here.zone, here.shot, old))
    return left >= HALF * whole and count(here.changed & place) <= STAYED * left


def left_bare(here: Patch, old: Lying, changed: Mask) -> bool:
    """Whether the bare table shows where a card lay at which something changed.

    In the dim, little of a card stands out from a dark table as far as a change must: a king was
    taken away, and still reported.
    """
    part, place = placed(here.zone, here.shot.scale, old.outline)
    if not here.zone.memory.saw_table or not (changed[part] & place).any():
        return False
    return shows_table(here.zone, here.shot, old, ())


def shares_index(here: Patch, old: Lying, seen: Lying, *, least: float = 0.0) -> bool:
    """Whether a face may be a card that lay there, put on the wrong side of its index.

    Where a deck has indices in all four corners, half a card may be either half. It has more than
    the `least` share of an index of the old card that is still in view.
    """
    if seen.card != old.card:
        return False
    covered = area_of(here.zone, here.shot, seen)
    return any(
        count(covered[part] & place) > least * count(place)
        for part, place in unchanged_indices(here, old)
    )


def besides(here: Patch, half: Sequence[Lying], fresh: Sequence[Lying]) -> list[Lying]:
    """The `fresh` cards without those that are `half`-covered ones read again.

    A half-covered card is read once; an equal one laid beside it may touch its index, but has not
    most of it, and one laid over most of it is in full view. One in full view is read by indices
    of its own, well within its outline, even if the half-covered one was not read again.
    """
    ways = sorted(
        (apart(old, seen), first, second)
        for first, old in enumerate(half)
        for second, seen in enumerate(fresh)
        if may_be(old, seen) or (shares_index(here, old, seen) and _may_have(here, old, seen))
    )
    read = dict[int, int]()
    for _, first, second in ways:
        if first not in read and second not in read.values():
            read[first] = second
    again = {
        second
        for second, seen in enumerate(fresh)
        for first, old in enumerate(half)
        if (may_be(old, seen) or _has_most_of_index(here, old, seen))
        and not _is_second(seen, fresh[read.get(first, second)])
    }
    return [seen for number, seen in enumerate(fresh) if number not in again | {*read.values()}]


def _has_most_of_index(here: Patch, old: Lying, seen: Lying) -> bool:
    """Whether a reading was made from an index of a card that was known."""
    return shares_index(here, old, seen, least=MOSTLY) and _may_have(here, old, seen)


def _may_have(here: Patch, old: Lying, seen: Lying) -> bool:
    """Whether an index by which a card was known, and which is unchanged, may be one that is seen.

    Of a card in full view it lies within the outline, not on its edge.
    """
    if not _in_full_view(seen):
        return True
    corners = np.asarray(seen.outline, np.float32)
    return any(
        inset(corners, middle_of(index)) >= (EDGE_ACROSS - OWN) * distance(index[0], index[3])
        for index in indices_of(here.zone, old)
        if _unchanged(here, index)
    )


def _is_second(seen: Lying, first: Lying) -> bool:
    """Whether a card in full view is not the equal one that was read `first`, as surely."""
    sure = _in_full_view(seen) and not first.doubtful
    return first is not seen and sure and first.card == seen.card != BACK


def _in_full_view(seen: Lying) -> bool:
    """Whether a card was surely read by both its ends."""
    return seen.whole and not seen.doubtful


def under_their_like(
    here: Patch, seen: Sequence[Lying], glances: Sequence[Glance] = ()
) -> list[Lying]:
    """The cards that lay under others over which an equal one lies now.

    On a pile of two packs a second four may come close to the first. But what lay under another
    card does not come to lie over it while that one stays; and an index that still shows beside
    both of those by which the card in full view is read in the `glances` is another card's.
    """
    again = paired(here.lay, seen)
    over = [
        (old, other)
        for old in here.lay
        if old.card != BACK
        and (other := again.get(id(old))) is not None
        and seen_again(old, other)
        and other.whole
        and not other.doubtful
    ]
    return [
        old
        for old, other in over
        if (not old.whole and any(_now_under(here, one, other, again) for one in here.lay))
        or _shows_beside(here, old, other, glances)
    ]


def _shows_beside(here: Patch, old: Lying, other: Lying, glances: Sequence[Glance]) -> bool:
    """Whether an index of a card looks as it did, and none of an equal one's lies there: these have
    come."""
    found = [index for glance in glances for index in indices_of(here.zone, other, glance)]
    mine = [
        one for one in indices_of(here.zone, old) if not any(same_index(one, new) for new in found)
    ]
    came = not any(_unchanged(here, one) for one in found)
    if len(found) < 2 or not came or not mine:
        return False
    # Half under the equal one, the index is another on the shrunken picture, but not its print.
    return any(_unchanged(here, one) for one in mine) or peeps_out(
        here.zone, here.shot, old, [other]
    )


def _unchanged(here: Patch, index: Outline) -> bool:
    """Whether the place of an index looks as it did."""
    return next(unchanged_of(here, [index]), None) is not None


def _now_under(here: Patch, old: Lying, other: Lying, again: Mapping[int, Lying]) -> bool:
    """Whether a card that was in full view is seen again, and the `other` covers its index."""
    now = again.get(id(old))
    if not old.whole or now is None or now.whole or now.doubtful or now.card != old.card:
        return False
    area = area_of(here.zone, here.shot, other)
    return any((area & place).any() for place in changed_indices(here, old))


def lies_under(shot: Shot, old: Lying, fresh: Sequence[Lying], kept: Sequence[Lying]) -> bool:
    """Whether a card that lay face down now lies under a `fresh` one.

    Those `kept` may lie over it too, or under it, so its border is tried with and without them.
    """
    over = [np.asarray(one.outline, np.float32) for one in fresh]
    if old.card != BACK or not any(replaced(old, [one]) for one in fresh):
        return False
    corners = np.asarray(old.outline, np.float32)
    others = [np.asarray(one.outline, np.float32) for one in kept]
    return any(lies_beneath(shot.frame, corners, [*over, *more]) for more in ([], others))


def _still_under(
    here: Patch, old: Lying, fresh: Sequence[Lying], kept: Sequence[Lying], *, turned: bool
) -> bool:
    """The same, unless the place shows something else where the card would jut out.

    That may be the bare table, as a line of the wood is as straight as its border, or another
    print. What was `turned` over in its place has the same border, and its indices may put it
    slightly beside. Otherwise, where nothing has changed, no table has been bared: the outline of a
    card between two others may reach beyond it.
    """
    if not lies_under(here.shot, old, fresh, kept):
        return False
    part, place = placed(here.zone, here.shot.scale, old.outline)
    for other in (*fresh, *kept):
        place &= ~area_of(here.zone, here.shot, other)[part]
    changed = count(here.changed[part] & place)
    if changed > UNCHANGED * count(place):
        return False
    memory = here.zone.memory
    bare = (
        (turned or changed > 0)
        and memory.saw_table
        and memory.shows_table(here.shot.of(here.zone), part, place)
    )
    return count(place) < INDEX or not bare


def _juts(shot: Shot, old: Lying, fresh: Sequence[Lying], kept: Sequence[Lying]) -> bool:
    """Whether a card that lay face down juts out from under a fresh back nearby.

    That may also be the same card, pushed: then neither border nor print show where it lay.
    """
    near = nearest([one for one in fresh if one.card == BACK], old)
    if old.card != BACK or near is None:
        return False
    corners, pattern = (np.asarray(one.outline, np.float32) for one in (old, near))
    others = [np.asarray(one.outline, np.float32) for one in (*fresh, *kept) if one is not near]
    return juts_out(shot.frame, corners, pattern, others)


def _all_covered(here: Patch, places: Iterable[Mask], over: Sequence[Lying]) -> bool:
    """Whether some of the cards `over` them reach into each of these places."""
    covers = [area_of(here.zone, here.shot, one) for one in over]
    return all(any((cover & place).any() for cover in covers) for place in places)


def beside(here: Patch, old: Lying, others: Sequence[Lying]) -> Mask:
    """The part of a card's place that the `others` leave in view."""
    place = area_of(here.zone, here.shot, old)
    for other in others:
        place &= ~area_of(here.zone, here.shot, other)
    return place


def _shows_index(here: Patch, old: Lying, over: Sequence[Lying]) -> bool:
    """Whether an index by which a card was known shows unchanged beside the cards `over` it."""
    covers = [area_of(here.zone, here.shot, one) for one in over]
    return any(
        not any((cover[part] & place).any() for cover in covers)
        for part, place in unchanged_indices(here, old)
    )
