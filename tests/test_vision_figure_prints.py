"""Parts of a court's figure that resemble an index are no cards of their own."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laid_indices import found, index, read, shown
from vision.join.joining import join
from vision.join.suppression import without_spurious

HIGH = 27.0


@pytest.mark.parametrize(
    ("below", "askew", "high", "sure", "kept"),
    [
        ("KS", True, HIGH, 0.6, False),
        ("KS", False, HIGH * 0.76, 0.6, False),
        ("KS", False, HIGH, 0.6, True),  # of a card that lies over it, half covered
        ("KS", True, HIGH, 0.95, True),
        ("9S", True, HIGH, 0.6, True),  # between pips, there is nothing that resembles one
    ],
)
def test_what_a_figure_shows_is_a_card_only_if_it_is_read_well_or_stands_like_one(
    below: str, *, askew: bool, high: float, sure: float, kept: bool
) -> None:
    middle = (310.0, 300.0, 1.0, 0.0) if askew else (310.0, 300.0, 0.0, -1.0)
    rows = [index((below, 300.0, 300.0, 0.0), 1), middle]
    indices = found(rows, [HIGH, high])
    faces = np.concatenate([shown(below), shown("TD", sure=sure)])
    left = read(without_spurious(join(indices, faces)[0], indices, faces))
    assert left == ({below: 1, "TD": 1} if kept else {below: 1})
