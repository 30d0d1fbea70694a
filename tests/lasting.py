"""What a spot's cards are after a part of a reduced picture has changed, and what showed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.knowing import sighted
from vision import Box
from vision.find.finder import Areas, Indices
from vision.join.proportions import EDGE_ACROSS, EDGE_DOWN
from vision.read.glances import Glance, nothing
from vision.read.index_classifier import FACES
from vision.sightings import Lying
from vision.track.consensus import Vote
from vision.track.lasting import outcome as outcome_of
from vision.track.zones import Look, Shot, Site, Zone


def lies(
    before: Sequence[Lying],
    after: Sequence[Lying],
    changed: tuple[slice, slice],
    glance: Glance | None = None,
    now: Sequence[Glance] = (),
    *,
    looks: Sequence[Sequence[Lying]] = (),
) -> tuple[Lying, ...]:
    """What lies there after part of the reduced picture changed, given what was read.

    The `glance` is what the networks saw before, and `now` what they see. If there are `looks` at
    the whole spot, they do not agree.
    """
    frame = np.full((540, 960, 3), 90, np.uint8)
    everything = slice(0, 180), slice(0, 320)
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[changed] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying, zone.glance = tuple(before), glance
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    zone.looks = [Look(shot.small, 1.0, shown, tuple(map(sighted, seen)), ()) for seen in looks]
    result = outcome_of(zone, Site.of(shown), Vote(tuple(after), clear=not looks), shot, now)
    assert not result.gone
    return result.lying


def unsettled(
    name: str, before: Sequence[Lying], changed: tuple[slice, slice], seconds: float = 1.0
) -> tuple[Zone, Site, Shot]:
    """A spot on a dark table, in whose reduced picture a part has changed and is now light, as
    paper and skin are; the shot was taken after so many seconds."""
    table, frame = (np.full((540, 960, 3), shade, np.uint8) for shade in (90, 220))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[changed] = 255
    zone = Zone(name, None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    zone.lying = tuple(before)
    return zone, Site.of(shown), Shot(frame, frame[::3, ::3], 1 / 3, seconds)


def came(
    before: Sequence[Lying],
    after: Sequence[Lying],
    changed: tuple[slice, slice],
    glance: Glance | None = None,
) -> list[str]:
    """The same by name."""
    return [str(card.card) + "?" * card.doubtful for card in lies(before, after, changed, glance)]


def shown_by(faces: float) -> Glance:
    """A glance without indices, in which everything is a card's face with this probability."""
    field = np.full((54, 96), faces, np.float32)
    return nothing(Areas(field, field * 0, Box(0, 0, 960, 540), 0.1))


def upper_left_index(card: Lying) -> Glance:
    """What the networks see of a card by this index alone."""
    (x, y), high = card.outline[0], 26.0
    indices = Indices(
        np.array([(x + EDGE_ACROSS * high, y + EDGE_DOWN * high)], np.float32),
        np.array([(0, -1)], np.float32),
        np.array([high], np.float32),
        np.ones(1, np.float32),
    )
    faces = np.array([[face == card.card for face in FACES]], np.float32)
    none = np.zeros((54, 96), np.float32)
    nowhere = Areas(none, none, Box(0, 0, 960, 540), 0.1)
    known = np.zeros(1, np.bool_)
    return Glance(indices, faces, np.zeros(1, np.float32), known, nowhere)


def together(one: Glance, other: Glance) -> Glance:
    """What the networks see if they see both."""
    ones, others = one.indices, other.indices
    indices = Indices(
        np.concatenate([ones.centres, others.centres]),
        np.concatenate([ones.ups, others.ups]),
        np.concatenate([ones.heights, others.heights]),
        np.concatenate([ones.scores, others.scores]),
    )
    faces, blur = (
        np.concatenate(pair) for pair in ((one.faces, other.faces), (one.blur, other.blur))
    )
    return replace(one, indices=indices, faces=faces, blur=blur, strange=blur > 1)


def lower_right_index(card: Lying) -> Glance:
    """The same by that index alone."""
    (x, y), seen = card.outline[2], upper_left_index(card)
    centres = np.array([(x - EDGE_ACROSS * 26, y - EDGE_DOWN * 26)], np.float32)
    indices = replace(seen.indices, centres=centres, ups=np.array([(0, 1)], np.float32))
    return replace(seen, indices=indices)
