"""Decide which cards of a spot still lie there after something has changed.

A card that hardly changed is the card that lay there; one that is no longer seen may have another
over it, lie under it with its border visible, be covered by a hand, or be gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rules.cards import BACK
from vision.picture.geometry import Point, Polygon, overlap
from vision.read.glances import Glance
from vision.sightings import Lying
from vision.track.as_before import as_before, was_half_of
from vision.track.consensus import NEAR, Vote, apart, nearest, paired, where_read
from vision.track.corners import covers_an_end
from vision.track.half_hidden import half_hidden
from vision.track.in_view import (
    Patch,
    bares_index,
    hand_may_hide,
    has_own_index,
    is_read_by,
    placed,
    shows_cards,
    shows_table,
    under_a_hand,
)
from vision.track.likeness import (
    is_one_of,
    may_be,
    parts_of,
    replaced,
    seen_again,
    singly,
    vague,
)
from vision.track.motion import Mask
from vision.track.prints import SHADED, as_printed, drawn_out, peeps_out
from vision.track.really_new import really_new
from vision.track.staying import staying, told_apart
from vision.track.under_others import (
    beside,
    besides,
    half_covered,
    half_unchanged,
    still_under,
    under_their_like,
)
from vision.track.zones import Look, Shot, Site, Zone

BARED = 0.5
"""Minimum share of a card's place that one that is in full view covers if it shows that nothing
new lies there. A choice: a king and a three of hearts on messy piles covered 0.58 and 0.85;
`python -m tests.soak --pictures` judges it."""

EVEN = 0.5
"""Confidence below which a back is rather none. Follows from the meaning of a probability."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What lies at a spot after a change, and whether a card has `gone`.

    If what lay there is `covered`, there are no cards.
    """

    lying: tuple[Lying, ...] = ()
    gone: bool = False
    covered: bool = False


def outcome(
    zone: Zone, site: Site, result: Vote, shot: Shot, glances: Sequence[Glance] = ()
) -> Outcome:
    """What lies at a spot now, from what was read at a `site` and what lay there before.

    The `glances` of that reading distinguish a hand from cards and the table.
    """
    second = partial(has_own_index, zone, glances)
    read = singly(result.lying, second, zone.lying)
    read = singly(as_printed(zone, shot, read, glances), second, zone.lying)
    result = replace(result, lying=read)
    changed = site.shown > 0
    every = changed if zone.changed is None else zone.changed > 0
    here = Patch(zone, shot, every | changed, zone.lying)
    if half_hidden(here, result.lying, glances):
        return Outcome(covered=True)
    like = under_their_like(here, result.lying, glances)
    here = replace(here, lay=[old for old in zone.lying if not any(old is one for one in like)])
    aside, rest = _read_aside(here, list(_not_under(here, like, result.lying)), glances)
    result = replace(result, lying=tuple(rest))
    parts = _parts(here, result.lying)
    drawn = _drawn_out(here, result, glances)
    parts += drawn
    stayed = [old for old in staying(here, changed, result) if old not in parts]
    kept, fresh = told_apart(here, stayed, result)
    kept = [old for old in kept if not was_half_of(here, old, fresh, glances)]
    left = _without([old for old in here.lay if old not in parts], stayed)
    aside = [old for old in left if any(old is one for one in aside)]
    left = _without(left, aside)
    fresh = really_new(here, as_before(here, fresh, left, kept, glances), left, kept, glances)
    if any(_blends_with_a_hand(here, old, fresh, glances) for old in left):
        return Outcome(covered=True)
    beneath, fresh = still_under(here, left, fresh, kept)
    half = [old for old in left if old not in beneath]
    half = [old for old in half if half_covered(here, old, result.lying, kept, fresh)]
    beneath += [*half, *aside]
    below = _not_again(beneath, result.lying)
    fresh = [
        seen for seen in besides(here, half, fresh) if not vague(seen) or not is_one_of(below, seen)
    ]
    beneath = [old for old in beneath if not any(_is_itself(old, one) for one in fresh)]
    like = [old for old in like if peeps_out(zone, shot, old, fresh)]
    cards = (*kept, *fresh, *beneath, *like)
    missing = list(_missing(here, _without(left, beneath), fresh, glances))
    hidden = [old for old in missing if not _is_gone(here, old, result, cards, glances)]
    # A card whose index shows as it did beside those in full view is under no hand.
    over = [one for one in cards if one.whole]
    unseen = [old for old in hidden if not peeps_out(zone, shot, old, over)]
    waited_for = [old for old in unseen if hand_may_hide(here, old, site.since, glances)]
    if any(_reaches(here, changed, old) for old in waited_for):
        return Outcome(covered=True)
    # What has changed of the others belongs to other sites, whose readings tell what lies there.
    under = [replace(old, whole=False) for old in beneath]
    noted = list(_noting_missed(here, [*kept, *under], site, result, glances))
    kept, under = [*noted[: len(kept)], *hidden], noted[len(kept) :]
    cards = (*_as_whole_as_seen(here, kept, result), *fresh)
    cards = (*cards, *_as_whole_as_seen(here, under, result), *like)
    gone = bool(drawn) or len(missing) > len(hidden)
    return Outcome(_ordered(where_read(cards, result.lying), zone.polygon), gone=gone)


def _without(cards: Sequence[Lying], some: Sequence[Lying]) -> list[Lying]:
    return [old for old in cards if not any(old is one for one in some)]


def _is_itself(old: Lying, one: Lying) -> bool:
    """Whether one of those seen was found to be this card, which keeps its place."""
    return one.card == old.card and one.outline == old.outline


def _is_gone(
    here: Patch,
    old: Lying,
    result: Vote,
    cards: Sequence[Lying],
    glances: Sequence[Glance],
) -> bool:
    """Whether a card of which nothing is seen is gone, and not under a hand, or was hardly one.

    A hand may look like a wooden table, and its shadow keep an index from being read, but not from
    being known again.
    """
    came = [one for one in cards if not any(seen_again(lay, one) for lay in here.lay)]
    if peeps_out(here.zone, here.shot, old, came, least=SHADED):
        return False
    bare = shows_table(here.zone, here.shot, old, cards) or (
        _lay_on(here, old, result, glances) and shows_cards(here, old, cards, glances)
    )
    return _is_unlikely(old) or (bare and not under_a_hand(here, old, glances))


def _parts(here: Patch, seen: Sequence[Lying]) -> list[Lying]:
    """The backs that lay there and are now seen to be parts of others.

    Where a hand was, something has changed: one that lies as it lay, beside the faces that are seen
    now, is no part.
    """
    faces = [one for one in seen if one.card != BACK]
    parts = parts_of(here.lay, seen)
    return [old for old in parts if not half_unchanged(here, old, beside(here, old, faces))]


def _drawn_out(here: Patch, result: Vote, glances: Sequence[Glance]) -> list[Lying]:
    """The cards that are gone from between others, whose paper shows where they had their indices.

    A hand over them is no paper.
    """
    zone, shot = here.zone, here.shot
    again = paired(here.lay, result.lying)
    left = [
        old for old in here.lay if (seen := again.get(id(old))) is None or seen.card != old.card
    ]
    came = [seen for seen in result.lying if not any(seen_again(old, seen) for old in here.lay)]
    return [
        old
        for old in left
        if drawn_out(zone, shot, old, [one for one in here.lay if one is not old], came)
        and not under_a_hand(here, old, glances)
    ]


def _reaches(here: Patch, changed: Mask, old: Lying) -> bool:
    """Whether some of what has `changed` is where a card lay."""
    part, place = placed(here.zone, here.shot.scale, old.outline)
    return bool((changed[part] & place).any())


def _read_aside(
    here: Patch, seen: Sequence[Lying], glances: Sequence[Glance]
) -> tuple[list[Lying], list[Lying]]:
    """The cards that lay there and have an index by which a card beside their place was read, and
    those `seen` without these readings.

    With a hand over the rest of a row, nothing told on which side of two corners the card lies.
    """
    again = paired(here.lay, seen)
    themselves = [
        (old, one)
        for old in here.lay
        if (one := again.get(id(old))) is not None and one.card == old.card
    ]
    others = _without(seen, [one for _, one in themselves])
    rest, aside = list(seen), list[Lying]()
    # What is read on the wrong side of its index seems to cover the index of the next one, too.
    while found := _with_their_indices(here, others, rest, glances):
        aside += [old for old, _ in found]
        others, rest = (_without(some, [one for _, one in found]) for some in (others, rest))
    return _without(aside, [old for old, _ in themselves]), rest


def _with_their_indices(
    here: Patch, some: Sequence[Lying], seen: Sequence[Lying], glances: Sequence[Glance]
) -> list[tuple[Lying, Lying]]:
    """Each card that lay there with one of `some` that are `seen`, read by its index elsewhere."""
    return [
        (old, one)
        for one in some
        for old in here.lay
        if not one.whole and apart(old, one) >= NEAR and is_read_by(here, one, [old], glances, seen)
    ]


def _not_under(here: Patch, like: Sequence[Lying], seen: Sequence[Lying]) -> Iterator[Lying]:
    """What is `seen` without those cards that lie under their `like`, read by what peeps out.

    An index of the lower one of two threes made two of it: three were told where two lay.
    """
    for one in seen:
        under = [old for old in like if not one.whole and seen_again(old, one)]
        others = [other for other in seen if other is not one and other.card == one.card]
        known = any(seen_again(old, one) for old in here.lay)
        if not under or known or len(others) < len(under):
            yield one


def _not_again(beneath: Sequence[Lying], seen: Sequence[Lying]) -> list[Lying]:
    """Those of the cards `beneath` others that are not seen where they lie.

    What may be a back on one that is seen there as well is another: two seen at once are two.
    """
    again = paired(beneath, [one for one in seen if one.card == BACK])
    return [old for old in beneath if id(old) not in again]


def _blends_with_a_hand(
    here: Patch, old: Lying, fresh: Sequence[Lying], glances: Sequence[Glance]
) -> bool:
    """Whether a hand lies over a back, and what shows beside it seems to be another one.

    Of a back without a border, what is left beside an arm is placed anywhere.
    """
    backs = [one for one in fresh if one.card == BACK]
    again = old.card == BACK and any(is_one_of([old], one) for one in backs)
    return again and not _is_unlikely(old) and under_a_hand(here, old, glances)


def _is_unlikely(old: Lying) -> bool:
    """Whether something is rather no card: what looks like a back may be a glass.

    In another light it looks different, so that something would seem to cover it without end.
    """
    return vague(old) and old.confidence < EVEN


def _noting_missed(
    here: Patch,
    kept: Sequence[Lying],
    site: Site,
    result: Vote,
    glances: Sequence[Glance],
) -> Iterator[Lying]:
    """The cards that lie as they lay, with those backs marked that clear readings do not show, or
    most readings of all that lies here."""
    changed = site.shown > 0
    again = paired(kept, result.lying)
    lacking = _mostly_lacking(kept, [look for look in here.zone.looks if look.time >= site.since])
    for old in kept:
        if old.card != BACK or not _reaches(here, changed, old):
            yield old
        elif id(old) in again:
            yield replace(old, missed=False)
        elif any(vague(one) and is_one_of([old], one) for one in result.lying):
            yield old  # what is made out so badly may be it
        else:
            missed = result.clear or any(old is one for one in lacking)
            covered = under_a_hand(here, old, glances)
            yield replace(old, missed=old.missed or (missed and not covered))


def _mostly_lacking(cards: Sequence[Lying], looks: Sequence[Look]) -> list[Lying]:
    """The cards that most of the looks do not show, whatever changed.

    Of four backs in a row that overlap the third was drawn out: where it had lain over the fourth,
    that one alone was read anew, and how the others lie was no part of it.
    """
    shown = [paired(cards, look.sightings) for look in looks]
    return [old for old in cards if 2 * sum(id(old) in some for some in shown) < len(shown)]


def _as_whole_as_seen(here: Patch, kept: Sequence[Lying], result: Vote) -> Iterator[Lying]:
    """The cards that lie as they lay, but may have been covered or uncovered in part.

    The readings of a site may have been made before the rest of a card came into view: only the
    latest one tells how it lies now. One that is not seen again is in full view no more if another
    in full view lies over an end of it.
    """
    again = paired(kept, result.lying)
    over = [one for one in result.lying if one.whole and not one.doubtful and one.card != BACK]
    looks = here.zone.looks
    latest = looks[-1].sightings if looks else ()
    for old in kept:
        seen = again.get(id(old))
        face = old.card != BACK
        if seen is None and face and old.whole and any(covers_an_end(one, old) for one in over):
            yield replace(old, whole=False)
            continue
        fits = seen is not None and seen.card == old.card and seen.whole is not old.whole
        now = [one.whole for one in latest if one.card == old.card and apart(one, old) < NEAR]
        yield replace(old, whole=not old.whole) if fits and old.whole not in now else old


def _lay_on(here: Patch, old: Lying, result: Vote, glances: Sequence[Glance]) -> bool:
    """Whether a card that lay partly under another is in full view where that one was.

    Whatever might have come over both would cover one of its indices. On a messy pile it may have
    been covered by no more than one of them, or no more than one of its ends.
    """
    area = Polygon(old.outline).area
    return any(
        seen.whole
        and not seen.doubtful
        and any(seen_again(one, seen) for one in here.lay if one is not old)
        and (
            overlap(seen.outline, old.outline) > BARED * area
            or (old.whole and covers_an_end(old, seen))
            or bares_index(here, seen, old, glances)
        )
        for seen in result.lying
    )


def _missing(
    here: Patch, left: Sequence[Lying], fresh: Sequence[Lying], glances: Sequence[Glance]
) -> Iterator[Lying]:
    """The cards `left` of which nothing is seen, and which none of the `fresh` ones replaced."""
    # A card that lay there does not replace another by being reported slightly displaced; nor does
    # what a hand that lies over that one leaves in view of it, or of others.
    again = {id(seen) for seen in fresh if any(seen_again(old, seen) for old in left)}
    new = [seen for seen in fresh if id(seen) not in again]
    other = [seen for seen in new if not any(may_be(old, seen) for old in left)]
    certain = [seen for seen in other if not seen.doubtful]
    for old in left:
        itself = [seen for seen in fresh if seen_again(old, seen) or may_be(old, seen)]
        others = new
        if new != certain and under_a_hand(here, old, glances):
            others = certain
        if nearest([*others, *itself], old) is None and not replaced(old, others):
            yield old


def _ordered(cards: Sequence[Lying], polygon: Polygon | None) -> tuple[Lying, ...]:
    """A spot's cards in reading order: along its longer side, or left to right."""
    axis: Point = polygon.axis if polygon else (1.0, 0.0)
    return tuple(
        sorted(cards, key=lambda card: card.centre[0] * axis[0] + card.centre[1] * axis[1])
    )
