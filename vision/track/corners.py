"""The corners of cards in which indices show, and whose corner an index is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vision.decide.answers import outline
from vision.find.finder import Indices
from vision.join.proportions import EDGE_ACROSS, EDGE_DOWN
from vision.picture.geometry import Floats, Outline, distance, inset
from vision.read.glances import Glance
from vision.read.index_classifier import FACES
from vision.sightings import Lying, Sighting
from vision.track.zones import Zone

AT_CORNER = 0.5
"""Largest distance, in index heights, of a card's index from where its outline puts it. A choice:
the next card's index in a meld is at least that far away; `python -m tests.dealt_table` judges it.
"""
OWN = 0.25
"""The same for an index that reads as another card, if it is inside this one and nothing lies over
it: 4 mm. The card would hide that of any card below. Two prints in view are farther apart, as an
index is 8 mm wide. Follows from where indices are."""
ACROSS, DOWN = 0.095, 0.14
"""Distances from an index's middle to the card's edges, in sides of the card: 6 mm of 63 and 12.5
mm of 89. Follows from the size of a standard card."""
WELL_INSIDE = 0.03
"""Minimum distance, in short sides, of an index's middle from the border of a card that covers it:
2 mm. A choice: outlines of cards in full view are off by a hundredth or two, and of an index that
is half covered nothing is read; `python -m tests.soak --pictures` judges it."""
WAYS = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)], np.float32)
"""The corners of a card as seen from its middle. Follows from having four."""
HALF_WIDE = 0.24
"""Half the width of an index, as a share of its height: 8 mm by 17. Follows from the standard
faces."""


def indices_of(
    zone: Zone,
    card: Lying | Sighting,
    glance: Glance | None = None,
    *,
    either_side: bool = False,
) -> Iterator[Outline]:
    """The outlines of the indices that showed this card at a look; by default at the last one,
    together with those of which a print is kept.

    Nothing lies over a card in full view: whatever index is just at its corner is its own, even if
    the rest of the face told better what it is. Once it is half covered, the print still tells. A
    card with four indices may have been put on `either_side` of one of them.
    """
    kept = [] if glance is not None else [one.outline for one in zone.prints if one.shows(card)]
    yield from kept
    glance = glance or zone.glance
    if glance is None or card.card not in FACES:
        return
    corners, indices = np.asarray(card.outline, np.float32), glance.indices
    shows = glance.faces.argmax(axis=1) == FACES.index(card.card)
    for number in np.flatnonzero(shows | card.whole):
        near = AT_CORNER if shows[number] else OWN
        middle, height = indices.centres[number], indices.heights[number]
        up, right = indices.ups[number], indices.rights[number]
        aside = np.array((-EDGE_ACROSS, EDGE_ACROSS)[: 1 + either_side], np.float32)[:, None]
        ends = middle + height * (EDGE_DOWN * up + aside * right)
        if np.linalg.norm(corners[:, None] - ends, axis=2).min() >= near * height:
            continue
        # A card of the next spot may have its index just beyond this one's corner.
        if inset(corners, middle) < (EDGE_ACROSS - near) * height:
            continue
        index = outline_of(indices, int(number))
        if not any(same_index(index, one) for one in kept):
            yield index


def outline_of(indices: Indices, number: int) -> Outline:
    """The outline of one of the indices that were found in a picture."""
    up, right, height = indices.ups[number], indices.rights[number], indices.heights[number]
    ways = np.array(((1, -1), (1, 1), (-1, 1), (-1, -1)), np.float32)
    sides = np.stack((up * height / 2, right * height * HALF_WIDE))
    return outline(indices.centres[number] + ways @ sides)


def same_index(one: Outline, other: Outline, near: float = AT_CORNER) -> bool:
    """Whether two outlines are of one index, found twice within `near` index heights."""
    height = distance(one[0], one[3])
    return float(np.linalg.norm(middle_of(one) - middle_of(other))) < near * height


def has_corners_of(
    zone: Zone,
    seen: Sighting,
    other: Zone,
    old: Lying | Sighting,
    glances: Sequence[Glance],
    *,
    glance: Glance | None = None,
) -> bool:
    """Whether a face is read at a spot by corners of an equal card at the `other` one.

    Of a card across the border between two spots, what is read of one of them shows two corners
    side by side, and nothing tells on which side of them the card lies. Of one that is not in full
    view, only the indices by which it is known count. One that is not known yet is seen at a
    `glance`.
    """
    if seen.whole or seen.card != old.card:
        return False
    mine = [
        middle_of(one) for look in glances for one in indices_of(zone, seen, look, either_side=True)
    ]
    known = corners_of(other, old, glance) if old.whole else _known_corners(other, old)
    return bool(mine) and all_near(mine, known)


def lies_across(zone: Zone, card: Lying, other: Zone, old: Lying) -> bool:
    """Whether the corners by which a card is known at a spot are those of an equal one that lies in
    full view at the `other`."""
    if card.whole or not old.whole or card.card != old.card:
        return False
    mine = [middle_of(one) for one in indices_of(zone, card, either_side=True)]
    return bool(mine) and all_near(mine, corners_of(other, old))


def all_near(places: Sequence[Floats], corners: Floats) -> bool:
    """Whether each of these places is near one of the `corners_of`."""
    return all(
        (np.linalg.norm(corners[:, :2] - one, axis=1) < corners[:, 2]).any() for one in places
    )


def corners_of(zone: Zone, card: Lying | Sighting, glance: Glance | None = None) -> Floats:
    """Where the indices by which a card was known would be in each of its corners.

    As (N, 3): a place, and how far from it an index may be found, in pixels.
    """
    corners = np.asarray(card.outline, np.float32)
    middle, found = corners.mean(axis=0), [np.zeros((0, 3), np.float32)]
    axes = np.stack([corners[1] - corners[0], corners[3] - corners[0]])
    axes /= np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-6)
    for one in indices_of(zone, card, glance):
        away = np.abs(axes @ (middle_of(one) - middle))
        near = np.full(len(WAYS), near_of(one))
        found.append(np.column_stack([middle + (WAYS * away) @ axes, near]))
    return np.asarray(np.concatenate(found), np.float32)


def _known_corners(zone: Zone, card: Lying | Sighting) -> Floats:
    """The same, but only those where an index was found."""
    found = [(*middle_of(one), near_of(one)) for one in indices_of(zone, card)]
    return np.asarray(found, np.float32).reshape(-1, 3)


def covers_an_end(over: Lying, under: Lying) -> bool:
    """Whether a card, if it lies over another, covers the middle of one of its two indices."""
    corners, whole = (np.asarray(one.outline, np.float32) for one in (under, over))
    least = WELL_INSIDE * distance(*over.outline[:2])
    for first in (0, 2):
        corner, beside, below = (corners[(first + step) % 4] for step in (0, 1, 3))
        middle = corner + ACROSS * (beside - corner) + DOWN * (below - corner)
        if inset(whole, middle) >= least:
            return True
    return False


def near_of(index: Outline) -> float:
    """How far from where an index should be it may be found, in pixels."""
    return AT_CORNER * max(distance(*index[:2]), distance(*index[1:3]))


def middle_of(index: Outline) -> Floats:
    """The middle (2,) of an index, in pixels."""
    return np.asarray(np.asarray(index, np.float32).mean(axis=0), np.float32)
