"""Heaps of backs that only a shadow joins, and outlines that are no card's."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backs_drawn import SIZE_PX, areas_of, bordered, count, heap, laid_over, placed
from vision.backs.edges import even_sided
from vision.backs.parts import around, blobs_of_backs
from vision.backs.prints import same_upside_down
from vision.backs.sheet import beside_others
from vision.backs.stack import stacked


def test_a_heap_is_told_apart_from_a_neighbour_whose_shadow_joins_it() -> None:
    """Of three cards over each other beside a fourth, two were taken for one."""
    three = laid_over((300, 250, -2), (300, 300, 3), (300, 375, -2))
    four = [*three, placed(440, 300, 90)]
    frame, areas = bordered(four), areas_of(four)
    blob = next(one for one in blobs_of_backs(areas, SIZE_PX) if one[75, 75])
    seed = around(blob, areas)
    assert stacked(frame, areas, seed, SIZE_PX, ()).certain
    frame[270:278, 340:380] = 20
    assert not stacked(frame, areas, seed, SIZE_PX, ()).certain
    parted = stacked(frame, areas, seed, SIZE_PX, (), own=blob)
    assert parted.certain
    assert len(parted.cards) == 3
    assert count(frame, areas) == 4


@pytest.mark.parametrize(("bridge", "whole"), [(10, False), (60, True)])
def test_only_a_bridge_is_cut(bridge: int, whole: bool) -> None:
    """Where the maps see parts of one row as several areas, it is explained as one."""
    two = laid_over((300, 300, 0), (420, 300, 0))
    frame, areas = bordered(two), areas_of(two)
    frame[280 : 280 + bridge, 340:380] = 20
    made, _ = heap(frame, two)
    own, other = blobs_of_backs(areas, SIZE_PX)
    near = beside_others(made, own, other, areas)
    assert bool(np.count_nonzero(near) > 0.9 * np.count_nonzero(made.heap)) is whole


@pytest.mark.parametrize(("off", "even"), [(0, True), (5, True), (25, False)])
def test_opposite_sides_of_a_card_are_nearly_parallel(off: int, even: bool) -> None:
    """A corner of the card below was taken for one of a turned card above it."""
    corners = placed(300, 300, 20)
    corners[1] += (0, off)
    assert even_sided(corners) is even


def test_what_is_parts_of_two_cards_is_not_the_same_upside_down() -> None:
    card, over = laid_over((300, 300, 0), (300, 230, 2))
    frame = bordered([card, over])
    assert same_upside_down(frame, over)
    assert not same_upside_down(frame, card)
