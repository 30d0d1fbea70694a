"""Which of the faces that are read where something changed are new, and which are old prints."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.knowing import lying
from tests.lasting import lies, lower_right_index, together, upper_left_index
from vision.join.proportions import EDGE_ACROSS


@pytest.mark.parametrize(("whole", "left"), [(True, 4), (False, 3)])
def test_a_card_half_covered_by_an_equal_one_is_no_corner_of_a_third(
    *, whole: bool, left: int
) -> None:
    """A fourth queen of spades was laid over the first of three in a meld, which had been in full
    view: its other index is where the third has a corner."""
    first = replace(lying("QS", 300), whole=whole)
    second = replace(lying("QS", 351), whole=False)
    third = replace(lying("QS", 396 - 2 * EDGE_ACROSS * 26), whole=False)
    fourth, bared = replace(lying("QS", 268), whole=True), replace(first, whole=False)
    others = together(lower_right_index(second), lower_right_index(third))
    own = together(lower_right_index(first), others)
    before, now = (together(upper_left_index(one), own) for one in (first, fourth))
    covered = slice(67, 113), slice(73, 105)
    found = lies([first, second, third], [fourth, bared, second, third], covered, before, [now])
    assert len(found) == left
