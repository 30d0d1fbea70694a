"""The ways in which `tests.other_cameras` changes photographs leave their cards in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from tests.other_cameras import WAYS
from vision.picture.geometry import Frame

TURNED = {"quarter", "half"}


def photograph() -> Frame:
    """A green table (240, 320) with a pale card, whose upper left quarter is dark."""
    picture = np.full((240, 320, 3), (60, 110, 40), np.uint8)
    picture[60:180, 110:200] = 230
    picture[70:100, 120:140] = 20
    return picture


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_photograph_is_a_picture_that_still_shows_the_card(way: str) -> None:
    before = photograph()
    changed = WAYS[way](before.copy())
    assert changed.dtype == np.uint8
    assert changed.shape[2] == 3
    high, wide = changed.shape[:2]
    grey = changed.mean(axis=2)
    middle = grey[round(0.62 * high), round(0.48 * wide)]
    edges = [grey[round(0.06 * high), round(0.06 * wide)], grey[-1, 0]]
    assert middle > 1.5 * max(edges)


@pytest.mark.parametrize("way", sorted(set(WAYS) - {"as taken"}))
def test_every_way_changes_something(way: str) -> None:
    before = photograph()
    changed = WAYS[way](before.copy())
    assert changed.shape != before.shape or (changed != before).any()


def test_only_what_is_turned_moves_the_dark_corner() -> None:
    for name, way in WAYS.items():
        changed = way(photograph()).mean(axis=2)
        high, wide = changed.shape
        dark = changed[round(85 / 240 * high), round(130 / 320 * wide)]
        pale = changed[round(140 / 240 * high), round(180 / 320 * wide)]
        assert (dark < 0.8 * pale) == (name not in TURNED), name
