"""Which cards lie as they lay, and which of those that are seen are new there."""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import BACK
from vision.sightings import Lying
from vision.track.consensus import Vote, paired
from vision.track.in_view import INDEX, Patch, has_changed, is_unchanged, shows_two_indices, wiped
from vision.track.likeness import is_one_of, may_be, may_be_still, next_to, seen_again
from vision.track.motion import Mask, count
from vision.track.prints import MOSTLY, changed_prints, shows_another
from vision.track.under_others import beside, left_bare, lies_under
from vision.track.zones import Shot

LIKELY = 0.8
"""Minimum probability of another face at which it is reported instead of the card that lay there,
if both its indices are read and one of the old ones has changed: an ace of clubs on that of spades
was read at 0.93. A choice; `python -m tests.soak --pictures` judges it."""


def staying(here: Patch, changed: Mask, result: Vote) -> list[Lying]:
    """The cards that lie as they lay, as far as the changes tell.

    Of a card that was in full view both indices would have to go for it not to be seen.
    """
    zone, scale = here.zone, here.shot.scale
    again = paired(here.lay, result.lying)
    return [
        old
        for old in here.lay
        if is_unchanged(zone, old, changed, scale)
        and (
            _is_seen(old, again.get(id(old)))
            or not (has_changed(here, old) if old.whole else wiped(zone, old, changed, scale))
        )
        and (id(old) in again or not left_bare(here, old, changed))
    ]


def _is_seen(old: Lying, seen: Lying | None) -> bool:
    """Whether what is seen near a card's place may be it, or says for certain what is there now."""
    return seen is not None and (not seen.doubtful or may_be(old, seen))


def told_apart(
    here: Patch, stayed: Sequence[Lying], result: Vote
) -> tuple[list[Lying], list[Lying]]:
    """The cards that lie as they lay, out of those that `stayed`, and those new or turned."""
    lay = here.lay
    # In a fan the next card is near: what was seen of a neighbour says nothing about this one.
    again = {
        number: seen
        for number, seen in paired(lay, result.lying).items()
        if not any(id(old) == number and next_to(old, seen) for old in lay)
    }
    kept = [
        old
        for old in stayed
        if (seen := again.get(id(old))) is None
        or (may_be_still(old, seen) and not _likely_another(here, old, seen, result.lying))
    ]
    same = {id(again[id(old)]) for old in kept if id(old) in again}
    unseen = [old for old in kept if id(old) not in again]
    fresh = [seen for seen in _distinct(here, result.lying) if id(seen) not in same]
    return kept, [seen for seen in fresh if not _is_seen_as(unseen, seen, here.shot)]


def _is_seen_as(unseen: Sequence[Lying], seen: Lying, shot: Shot) -> bool:
    """Whether one of the cards not seen again is what was read next to its place.

    It is not if its own border still shows underneath.
    """
    twins = [old for old in unseen if is_one_of([old], seen)]
    return any(not lies_under(shot, old, [seen], []) for old in twins)


def _likely_another(here: Patch, old: Lying, seen: Lying, others: Sequence[Lying]) -> bool:
    """Whether another face probably lies squarely on a card, though it is read with some doubt.

    Of an ace on an ace, hardly more than an index changes. Where another print shows in place of an
    index that the `others` in full view leave in sight, less is needed: of a three that came to
    light again the other corner seemed to show the ace that had been taken off it.
    """
    best, probability = seen.candidates[0]
    if best == old.card or BACK in (best, old.card) or not seen.whole:
        return False
    if probability < LIKELY:
        over = [one for one in others if one.whole and one is not seen]
        return shows_another(here.zone, here.shot, old, over, share=MOSTLY)
    return has_changed(here, old) or any(changed_prints(here.zone, here.shot.frame, old))


def _distinct(here: Patch, cards: Sequence[Lying]) -> tuple[Lying, ...]:
    """Every confident card, and the doubtful ones that do not mostly overlap a better one.

    In a meld all overlap, so a face that alone explains a change, shows two indices, or is a known
    one read with less confidence than before, is there, however doubtful. Backs are told apart
    together, by the edges that they show: none of them is another.
    """
    found: list[Lying] = []
    faces = [old for old in here.lay if old.card != BACK]
    for card in sorted(cards, key=lambda one: (one.doubtful, -one.confidence)):
        back = card.card == BACK
        others = [one for one in found if not (back and one.card == BACK)]
        if (
            not card.doubtful
            or not is_one_of(others, card)
            or _explains(here, card, found)
            or shows_two_indices(here, card)
            or any(seen_again(old, card) or may_be(old, card) for old in faces)
        ):
            found.append(card)
    return tuple(found)


def _explains(here: Patch, card: Lying, others: Sequence[Lying]) -> bool:
    """Whether what a face covers beside the `others` looks different from before."""
    place = beside(here, card, others)
    changed = count(here.changed & place)
    return card.card != BACK and changed >= INDEX and 2 * changed > count(place)
