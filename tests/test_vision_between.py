"""What was seen between two changes of a place counts, though it lasted for less than a second."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.cards import Card
from tests.knowing import LEFT, card, looked_at, lying, names, sighted
from vision import Box, Polygon
from vision.scene.items import hand_item
from vision.sightings import Sighting
from vision.track.consensus import Vote
from vision.track.in_view import Patch
from vision.track.settling import _concerned
from vision.track.staying import told_apart
from vision.track.zones import Look, Shot, Zone


@pytest.mark.parametrize("bared", [1, 8], ids=["at once", "after a while"])
def test_a_card_laid_where_another_was_seen_to_be_taken_is_told_after_that(bared: int) -> None:
    """A discard was drawn and the next one laid on its very place, while a hand moved beside it."""
    table = looked_at()
    table.tracker.watch({"left": Polygon.rectangle(40, 60, 700, 420)})
    seven, two = card("7D", LEFT), card("2D", LEFT)
    table.show([seven], frames=14)
    told: list[list[str]] = []
    for number in range(bared):
        seen = table.show([], [hand_item(LEFT.x + 200 + 25 * (number % 2), -60)])
        told.append(names(seen, "left"))
    for _ in range(20):
        told.append(names(table.show([two]), "left"))
    empty = [] in told
    assert told[-1] == ["2D"]
    assert empty is (bared > 1)


def back_at(x: float, y: float) -> Sighting:
    """A back (96 by 136) around this point, in pixels."""
    return sighted(lying("??", x, y, sure=0.95))


def test_all_of_a_heap_of_backs_is_told_anew_where_one_of_them_changed() -> None:
    """A hand had left the lowest of three in view, and what it had covered came to light."""
    heap, other = [back_at(300, 200 + 55 * n) for n in range(3)], back_at(500, 310)
    mask, near = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    near[45:70, 90:110] = 255
    zone = Zone("left", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    look = Look(near, 1.0, mask, (*heap, other), ())
    assert _concerned(zone, look, near, 1 / 3) == heap


def test_a_card_that_is_known_is_there_though_it_is_read_less_well_than_before() -> None:
    """A jack that peeped out from under a queen was in doubt, and then its suit was, too."""
    queen, jack = lying("QC", 300), lying("JC", 330, 240, sure=0.8)
    seen = lying("J?", 334, 242, sure=0.7)
    again = replace(seen, candidates=((jack.card, 0.7), (Card.parse("JS"), 0.2)))
    frame, none = np.full((540, 960, 3), 90, np.uint8), np.zeros((180, 320), np.uint8)
    everything = slice(0, 180), slice(0, 320)
    zone = Zone("left", None, Box(0, 0, 960, 540), everything, none + 255, none + 255)
    here = Patch(zone, Shot(frame, frame[::3, ::3], 1 / 3, 1.0), none > 0, [queen, jack])
    _, fresh = told_apart(here, [], Vote((queen, again), clear=False))
    assert fresh == [queen, again]
