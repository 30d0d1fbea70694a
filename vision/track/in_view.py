"""What is left in view of a card that lay at a spot, and what of it has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.join.proportions import EDGE_ACROSS, EDGE_DOWN
from vision.picture.geometry import Floats, Outline, distance, inset, within
from vision.read.glances import Glance
from vision.read.index_classifier import FACES
from vision.sightings import Lying
from vision.track.corners import (
    AT_CORNER,
    HALF_WIDE,
    OWN,
    all_near,
    corners_of,
    indices_of,
    middle_of,
    near_of,
    same_index,
)
from vision.track.motion import Mask, Part, count, filled
from vision.track.zones import Shot, Zone, mark

STAYED = 0.15
"""Largest share of a card's place that may change, by a shadow or a chip, while it is still the
same card. A choice; `python -m tests.dealt_table` judges it."""
HIDDEN = 0.08
"""Visible share of a card's place below which other cards hide whether it is gone. A choice;
`python -m tests.dealt_table` judges it."""
INDEX = 8
"""Shrunken pixels covered by an index: 17 mm by 8. Follows from `motion.WIDTH`."""
SIDEWAYS = 0.4
"""Minimum distance across, in index heights, of two indices that are two. A choice: an index is
about half as wide as it is high, and two equal threes on a pile had 0.5;
`python -m tests.soak --pictures` judges it."""
TURNED = 0.99
"""Largest cosine between the directions of the indices of two cards of which one peeps out at a
corner of the other: 8 degrees. A choice: two aces on a pile were 17 degrees apart, and one index
found twice has one direction; `python -m tests.soak --pictures` judges it."""
WIPED = 0.25
"""Minimum share of an index's place that must have changed for it to be another print, or bare
paper: a rank is thin strokes, of which a shrunken picture keeps only a shade. A choice;
`python -m tests.soak --pictures` judges it."""
STRANGE, LIKELY = 0.2, 0.5
"""Largest share of what has changed in a card's place that may be neither a card nor the table, and
the minimum probability of a card: over a hand on cards, the finder's map is blurred. A choice;
`python -m tests.dealt_table` judges it."""
UNHIDDEN_S = 3.0
"""Time in seconds from which a card of which nothing is seen, and nothing shows it gone, lies under
the others if no hand is over it. A choice: longer than a hand takes to pass, and soon enough to be
heard of within five seconds.
"""


@dataclass(frozen=True, slots=True)
class Patch:
    """Which pixels of a spot's part of a shot have `changed`, and the cards that `lay` there.

    Those of which an equal one came over them are left out: what is seen of it is not of theirs.
    """

    zone: Zone
    shot: Shot
    changed: Mask
    lay: Sequence[Lying]


def placed(zone: Zone, scale: float, *outlines: Outline) -> tuple[Part, Mask]:
    """The part of the zone's shrunken picture around `outlines`, and where they cover it."""
    corner = np.array((zone.part[1].start, zone.part[0].start))
    there = [np.asarray(one, np.float32) * scale - corner for one in outlines]
    return filled(there, zone.mask.shape)


def area_of(zone: Zone, shot: Shot, card: Lying) -> Mask:
    """The pixels of the zone's shrunken picture that a card covers."""
    covered = np.zeros(zone.mask.shape, np.bool_)
    part, there = placed(zone, shot.scale, card.outline)
    covered[part] = there
    return covered


def is_unchanged(zone: Zone, old: Lying, changed: Mask, scale: float) -> bool:
    """Whether the changes leave a card where it was."""
    # Most changes are far from it, which its four corners show without filling its outline.
    corner = zone.part[1].start, zone.part[0].start
    across, down = (
        [value * scale - first for value in values]
        for values, first in zip(zip(*old.outline, strict=True), corner, strict=True)
    )
    rows = slice(max(0, int(min(down)) - 1), max(0, int(max(down)) + 2))
    columns = slice(max(0, int(min(across)) - 1), max(0, int(max(across)) + 2))
    if not changed[rows, columns].any():
        return True
    part, place = placed(zone, scale, old.outline)
    return count(changed[part] & place) <= STAYED * count(place)


def wiped(zone: Zone, old: Lying, changed: Mask, scale: float) -> bool:
    """Whether every index by which a card was known now shows something else.

    A card between others in a meld shows little more than its index: once it is drawn out, the
    paper of the next card takes its place.
    """
    places = [placed(zone, scale, one) for one in indices_of(zone, old)]
    return bool(places) and all(
        count(changed[part] & place) >= WIPED * count(place) for part, place in places
    )


def changed_indices(here: Patch, old: Lying) -> Iterator[Mask]:
    """Where the indices by which a card was known lie that now show something else."""
    for one in indices_of(here.zone, old):
        part, place = placed(here.zone, here.shot.scale, one)
        if place.any() and count(here.changed[part] & place) >= WIPED * count(place):
            whole = np.zeros(here.zone.mask.shape, np.bool_)
            whole[part] = place
            yield whole


def has_changed(here: Patch, old: Lying) -> bool:
    """Whether one of the indices by which a card was known now shows something else."""
    return next(changed_indices(here, old), None) is not None


def unchanged_indices(here: Patch, old: Lying) -> Iterator[tuple[Part, Mask]]:
    """Where the indices by which a card was known lie that still look the same."""
    return unchanged_of(here, indices_of(here.zone, old))


def unchanged_of(here: Patch, indices: Iterable[Outline]) -> Iterator[tuple[Part, Mask]]:
    """Where those of some indices lie that still look the same."""
    for one in indices:
        part, place = placed(here.zone, here.shot.scale, one)
        if place.any() and count(here.changed[part] & place) < WIPED * count(place):
            yield part, place


def showed_before(
    here: Patch,
    seen: Lying,
    glances: Sequence[Glance],
    *,
    either_side: bool = False,
    beside: Mask | None = None,
) -> bool:
    """Whether all indices by which a card is seen look as they did before the change.

    If given, only what lies `beside` other cards counts.
    """
    indices = (
        one
        for glance in glances
        for one in indices_of(here.zone, seen, glance, either_side=either_side)
    )
    return _are_unchanged(here, indices, beside)


def still_shows(here: Patch, old: Lying, beside: Mask) -> bool:
    """Whether what is left in view, `beside` other cards, of each index by which a card was known
    looks as it did before the change."""
    return _are_unchanged(here, indices_of(here.zone, old), beside)


def _are_unchanged(here: Patch, indices: Iterable[Outline], beside: Mask | None) -> bool:
    """Whether there are any such indices, and none of them has changed."""
    places = [placed(here.zone, here.shot.scale, one) for one in indices]
    if beside is not None:
        left = [(part, place & beside[part]) for part, place in places]
        places = [(part, place) for part, place in left if place.any()]
    return bool(places) and all(
        count(here.changed[part] & place) < WIPED * count(place) for part, place in places
    )


def shows_two_indices(here: Patch, seen: Lying) -> bool:
    """Whether the latest look shows a face by two indices in its corners, whichever these are.

    A pip or a robe of another card is not read as the same face at two corners of one place.
    """
    looks = here.zone.looks
    return bool(looks) and any(_at_corners(seen, glance) > 1 for glance in looks[-1].glances)


def _at_corners(card: Lying, glance: Glance) -> int:
    """Number of indices in any of a card's four corners that a look read as its face."""
    if card.card not in FACES:
        return 0
    indices = glance.indices[glance.faces.argmax(axis=1) == FACES.index(card.card)]
    heights, aside = indices.heights[:, None], np.float32(EDGE_ACROSS) * indices.rights
    tops = indices.centres + heights * np.float32(EDGE_DOWN) * indices.ups
    ends = np.stack([tops - heights * aside, tops + heights * aside], axis=1)
    away = np.linalg.norm(ends[:, :, None] - np.asarray(card.outline, np.float32), axis=3)
    return int(np.count_nonzero(away.min(axis=(1, 2)) < AT_CORNER * indices.heights))


def lies_where(
    here: Patch, seen: Lying, others: Sequence[Lying], glances: Sequence[Glance]
) -> bool:
    """Whether an index by which a face is seen lies where one of the `others` had an index."""
    mine = [middle_of(one) for glance in glances for one in indices_of(here.zone, seen, glance)]
    return any(
        float(np.linalg.norm(middle_of(one) - place)) < near_of(one)
        for old in others
        for one in indices_of(here.zone, old)
        for place in mine
    )


def is_read_by(
    here: Patch,
    seen: Lying,
    lay: Sequence[Lying],
    glances: Sequence[Glance],
    others: Sequence[Lying],
) -> bool:
    """Whether a face is read where equal cards that `lay` there have their indices.

    Of two corners side by side, as a deck with four indices a card shows them in a meld, nothing
    tells on which side of them the card lies. But where one of the `others` shows its own index on
    one that lay there, it covers the corners that it reaches.
    """
    mine = [
        middle_of(one)
        for glance in glances
        for one in indices_of(here.zone, seen, glance, either_side=True)
    ]
    equal = [old for old in lay if old.card == seen.card]
    if not mine or not equal:
        return False
    known = np.concatenate([_in_sight(here, old, others, glances) for old in equal])
    return all_near(mine, known)


def _in_sight(
    here: Patch, old: Lying, others: Sequence[Lying], glances: Sequence[Glance]
) -> Floats:
    """The corners of a card where an index may be (`corners_of`) that no other card covers."""
    place, corners = np.asarray(old.outline, np.float32), corners_of(here.zone, old)
    over = [
        np.asarray(one.outline, np.float32)
        for one in others
        if one.card != old.card and _shows_on(here, one, place, glances)
    ]
    bare = [not any(within(cover, corner[:2]) for cover in over) for corner in corners]
    return np.asarray(corners[bare], np.float32)


def _shows_on(here: Patch, one: Lying, place: Floats, glances: Sequence[Glance]) -> bool:
    """Whether an index of a card is seen inside another's `place` (4, 2)."""
    found = (index for glance in glances for index in indices_of(here.zone, one, glance))
    return any(within(place, middle_of(index)) for index in found)


def has_own_index(zone: Zone, glances: Sequence[Glance], one: Lying, over: Lying) -> bool:
    """Whether a face is read by an index beside those of an equal one that lies `over` it.

    The two lie in the same place, but turned against each other or a little aside: a corner of the
    lower one peeps out.
    """
    return any(
        all(_is_turned(index, other) or _is_aside(index, other) for other in its)
        for glance in glances
        if (its := list(indices_of(zone, over, glance)))
        for index in indices_of(zone, one, glance)
    )


def _is_turned(one: Outline, other: Outline) -> bool:
    """Whether two indices are two prints that point in different directions."""
    ups = [np.subtract(index[0], index[3]) for index in (one, other)]
    cosine = abs(np.dot(*ups)) / max(float(np.prod(np.linalg.norm(ups, axis=1))), 1e-6)
    return bool(cosine < TURNED) and not same_index(one, other, OWN)


def _is_aside(one: Outline, other: Outline) -> bool:
    """Whether two indices lie side by side, as wide as one is, so that they are two prints."""
    up = np.subtract(one[0], one[3])
    height = max(float(np.linalg.norm(up)), 1e-6)
    off = (middle_of(one) - middle_of(other)) / height
    along, across = abs(float(off @ up)) / height, abs(float(off @ (-up[1], up[0]))) / height
    return across >= SIDEWAYS and along < across


def bares_index(here: Patch, one: Lying, old: Lying, glances: Sequence[Glance]) -> bool:
    """Whether a card is read by an index that lies wholly where an `old` one would cover it."""
    place = np.asarray(old.outline, np.float32)
    found = (index for glance in glances for index in indices_of(here.zone, one, glance))
    return any(
        inset(place, middle_of(index)) > HALF_WIDE * distance(index[0], index[3]) for index in found
    )


def shows_table(zone: Zone, shot: Shot, old: Lying, others: Sequence[Lying]) -> bool:
    """Whether the table is bare where a card lay, as far as the `others` leave that visible."""
    part, place = placed(zone, shot.scale, old.outline)
    whole = count(place)
    for other in others:
        place &= ~area_of(zone, shot, other)[part]
    now = shot.of(zone)
    return count(place) < HIDDEN * whole or zone.memory.shows_table(now, part, place)


def shows_cards(
    here: Patch, old: Lying, others: Sequence[Lying], glances: Sequence[Glance]
) -> bool:
    """Whether cards lie where one lay that is gone, not all of them known: paper, and no hand.

    Of a card thrown on a pile the ones below leave corners and edges in view that nobody reads.
    """
    if not glances or not has_changed(here, old):
        return False
    part, place = placed(here.zone, here.shot.scale, old.outline)
    for other in others:
        place &= ~area_of(here.zone, here.shot, other)[part]
    return count(place & ~known(here, part, glances)) <= STRANGE * count(place)


def known(here: Patch, part: Part, glances: Sequence[Glance]) -> Mask:
    """Where a part of a zone shows cards or, as far as it is known, the table."""
    cards = np.zeros(here.zone.mask.shape, np.uint8)
    for glance in glances:
        mark(cards, glance.areas, here.zone.part, here.shot.scale, LIKELY)
    table = here.zone.memory.table_at(here.shot.of(here.zone), part)
    shown: Mask = cards[part] > 0
    return shown if table is None else shown | table


def hand_may_hide(here: Patch, old: Lying, since: float, glances: Sequence[Glance]) -> bool:
    """Whether a hand may hide a card of which nothing is seen, though nothing shows it gone.

    If its place has been unsettled `since` long ago (seconds) without a hand over it, the card lies
    under the others.
    """
    rests = here.shot.time - since >= UNHIDDEN_S
    return not rests or under_a_hand(here, old, glances)


def under_a_hand(here: Patch, old: Lying, glances: Sequence[Glance]) -> bool:
    """Whether what has changed in a card's place is now neither a card nor the table.

    Between its neighbours in a meld nothing shows whether a card is gone: paper replaces paper. But
    if a hand rests on it, the hand shows.
    """
    part, place = placed(here.zone, here.shot.scale, old.outline)
    changed = here.changed[part] & place
    table = here.zone.memory.table_at(here.shot.of(here.zone), part)
    if not glances or table is None or not changed.any():
        return False
    return count(changed & ~known(here, part, glances)) > STRANGE * count(changed)
