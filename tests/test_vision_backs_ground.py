"""Cards that lie near each other are told apart by the ground between them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.backs_drawn import (
    CARD,
    CLOTH,
    INDEX,
    SCALE,
    areas_of,
    bordered,
    drawn,
    placed,
    sure,
)
from vision.backs.count import backs
from vision.backs.ground_between import parted
from vision.backs.parts import blobs_of_backs
from vision.backs.poses import grown
from vision.backs.sheet import filled, sheet
from vision.backs.surroundings import like_surroundings
from vision.join.proportions import Shape

SIZE_PX = CARD[0] * SCALE, CARD[1] * SCALE
GAP = 16.0
"""Pixels of cloth between two cards: a centimetre."""


def joined(number: int) -> list[float]:
    """The centres of cards side by side with a little cloth between them."""
    return [200 + place * (SIZE_PX[0] + GAP) for place in range(number)]


@pytest.mark.parametrize("number", [2, 4])
def test_a_row_that_the_maps_join_is_cut_into_its_cards(number: int) -> None:
    row = [placed(x, 300, 0) for x in joined(number)]
    wide = (joined(number)[-1] - 200) / SCALE + CARD[0], CARD[1]
    middle = (200 + joined(number)[-1]) / 2
    areas = areas_of([placed(middle, 300, 0, wide)])
    assert len(blobs_of_backs(areas, SIZE_PX)) == 1
    cut = parted(bordered(row), areas, SIZE_PX, ())
    assert len(blobs_of_backs(cut, SIZE_PX)) == number
    found = backs(bordered(row), areas, (), Shape(), INDEX)
    assert sure(found) == [(float(round(x, -1)), 300.0) for x in joined(number)]


def test_cards_that_overlap_are_not_cut() -> None:
    heap = [placed(300, 300, 0), placed(355, 320, 20)]
    areas = areas_of(heap)
    cut = parted(bordered(heap), areas, SIZE_PX, ())
    assert np.array_equal(cut.back, areas.back)


def test_a_print_of_the_ground_s_colour_does_not_cut_a_card() -> None:
    """Nothing but its border and a few lines stand out from the cloth."""
    card = placed(300, 300, 0, (2 * CARD[0], CARD[1]))
    frame = drawn([card])
    inner = card.mean(axis=0) + 0.9 * (card - card.mean(axis=0))
    cv2.fillPoly(frame, [np.round(inner).astype(np.int32)], CLOTH)
    areas = areas_of([card])
    assert np.array_equal(parted(frame, areas, SIZE_PX, ()).back, areas.back)


def test_a_card_that_the_maps_take_for_ground_does_not_colour_the_ground_around_it() -> None:
    """Of two cards the maps show only the upper one; the other's colour spread to dark felt beside
    it, which then stood out as if a third lay there."""
    over, under = placed(300, 300, 0), placed(280, 300, 0)
    dark = bordered([under, over])
    dark[(dark == np.array(CLOTH, np.uint8)).all(axis=2)] = (38, 50, 34)
    grain = np.random.default_rng(1).normal(0, 4, dark.shape)
    dark = np.clip(dark + grain, 0, 255).astype(np.uint8)
    made = sheet(dark, areas_of([over]), over, SIZE_PX, ())
    cards = np.zeros(made.heap.shape, np.uint8)
    for corners in (under, over):
        cards |= filled(cards.shape, grown(made.on_sheet(corners), 3.0))
    assert not np.count_nonzero(made.heap & (1 - cards))


@pytest.mark.parametrize("plain", [False, True], ids=["a weave", "a plain back"])
def test_of_what_lies_half_under_a_face_only_what_it_leaves_in_sight_is_compared(
    *, plain: bool
) -> None:
    """A weave beside a king was taken for a back under it."""
    supposed, face = placed(300, 300, 0), placed(300 + 0.4 * SIZE_PX[0], 300, 0)
    weave = np.random.default_rng(2).normal(0, 18, (600, 800, 1)).repeat(3, axis=2)
    frame = np.clip(np.full((600, 800, 3), 130) + weave, 0, 255).astype(np.uint8)
    if plain:
        cv2.fillPoly(frame, [np.round(supposed).astype(np.int32)], (120, 60, 60))
    cv2.fillPoly(frame, [np.round(face).astype(np.int32)], (235, 235, 235))
    areas = areas_of([supposed])
    assert like_surroundings(frame, areas, supposed, [face]) is not plain
