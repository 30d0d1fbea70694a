"""Backs that are told by what little shows of them, on drawn tables that were told wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.face_down import table, told
from vision.backs.heaps import Explanation, Laid
from vision.backs.one_under import plainly_one
from vision.reader import CardReader


@pytest.mark.parametrize(
    ("way", "seed"),
    [
        pytest.param("under", 620027, id="one card, not two across each other"),
        pytest.param("under", 620016, id="one card, and no question"),
        pytest.param("under", 620014, id="on two sides of a face"),
        pytest.param("under", 590021, id="a card taken for its own ground"),
        pytest.param("spaced", 600011, id="no card over the gap between two"),
        pytest.param("fan", 590030, id="of one colour, in a noisy picture"),
        pytest.param("spaced", 620003, id="as large as those beside it"),
        pytest.param("column", 620011, id="on a cloth of their colour"),
    ],
)
def test_the_backs_are_counted_for_certain(way: str, seed: int) -> None:
    drawn = table(seed, way)
    count = told(CardReader(), drawn)
    assert (count.backs, count.asked) == (drawn.backs, 0)


@pytest.mark.parametrize(
    ("edged", "bordered", "left", "under", "one"),
    [
        (1.0, 1.0, 0.0, True, True),
        (1.0, 1.0, 0.0, False, False),
        (0.9, 1.0, 0.0, True, False),
        (1.0, 0.9, 0.0, True, False),
        (1.0, 1.0, 0.02, True, False),
    ],
    ids=["one", "beside no face", "an edge lacks", "a line of a print", "a corner more"],
)
def test_one_card_shows_its_own_border_and_nothing_else(
    edged: float, bordered: float, left: float, under: bool, one: bool
) -> None:
    corners = np.array([(0, 0), (64, 0), (64, 90), (0, 90)], np.float32)
    card = Laid(corners, edged, 0.0, bordered)
    assert plainly_one(Explanation((card,), left, under)) is one
    assert not plainly_one(Explanation((card, card), left, under))
