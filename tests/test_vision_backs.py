"""Cards that lie face down are counted by their area, in fields of probability drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest

from vision.backs import backs
from vision.finder import Areas
from vision.geometry import Box
from vision.joining import EDGE_ACROSS, EDGE_DOWN, Shape

CELLS = 21, 29
"""A card's sides in cells, as on the reference table."""


def field(gaps: list[float]) -> Areas:
    """Backs one below the other, with one row of cells of the given probabilities in between."""
    height, width = CELLS
    back = np.zeros((12 + (height + 1) * (len(gaps) + 1), width + 16), np.float32)
    top = 6
    for gap in [*gaps, 0.0]:
        back[top : top + height, 8 : 8 + width] = 0.995
        back[top + height, 8 : 8 + width] = gap
        top += height + 1
    box = Box(0, 0, back.shape[1], back.shape[0])
    return Areas(np.zeros_like(back), back, box, 1.0)


def count(areas: Areas) -> int:
    shape = Shape()
    height = CELLS[0] / (shape.across + 2 * EDGE_ACROSS)
    assert height * (shape.down + 2 * EDGE_DOWN) == pytest.approx(CELLS[1], rel=0.1)
    return len(backs(areas, [], shape, height))


@pytest.mark.parametrize("gap", [0.0, 0.5, 0.8, 0.87, 0.91, 0.94])
@pytest.mark.parametrize("cards", [1, 2, 3, 7])
def test_backs_that_nearly_touch_are_counted_however_shallow_the_dip(
    gap: float, cards: int
) -> None:
    assert count(field([gap] * (cards - 1))) == cards


def test_a_shallow_dip_is_found_beside_a_deep_one() -> None:
    assert count(field([0.3, 0.93, 0.3, 0.95])) == 5


def test_an_uneven_print_does_not_cut_a_single_card() -> None:
    areas = field([])
    areas.back[16, :] *= 0.9
    assert count(areas) == 1


def test_a_shadow_that_clings_to_a_card_is_cut_off() -> None:
    areas = field([])
    areas.back[10:22, 37:45] = 0.6
    assert count(areas) == 1
