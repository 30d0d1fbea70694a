"""Which backs a spot is read for again: those that may still lie there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.knowing import lying
from vision import Box
from vision.track.surveying import _is_bared
from vision.track.zones import Shot, Zone

TABLE, BACK, HAND = (40, 70, 110), (60, 40, 170), (140, 170, 210)


@pytest.mark.parametrize(
    ("left", "shows", "gone"),
    [(300, TABLE, True), (300, HAND, False), (252, TABLE, False), (260, TABLE, False)],
    ids=["table", "hand", "all of it", "a strip at its edge"],
)
def test_a_back_taken_off_another_has_gone_if_the_table_shows_where_it_lay(
    left: int, shows: tuple[int, int, int], gone: bool
) -> None:
    """The one beside it, which it half covered, is in full view now."""
    upper = lying("??", 300.0)  # 96 by 136 pixels
    table = np.full((540, 960, 3), TABLE, np.uint8)
    now = table.copy()
    now[202:338, left : left + 140] = BACK
    now[202:338, 252:left] = shows
    everything = slice(0, 180), slice(0, 320)
    mask = np.full((180, 320), 255, np.uint8)
    zone = Zone("3", None, Box(0, 0, 960, 540), everything, mask, mask, lying=(upper,))
    zone.memory.settle(table[::3, ::3].copy(), np.ones((180, 320), np.bool_))
    shot = Shot(now, now[::3, ::3], 1 / 3, 1.0)
    assert _is_bared(zone, shot, upper, None) is gone


@pytest.mark.parametrize(("width", "gone"), [(40, True), (6, False)])
def test_a_back_is_not_assumed_to_lie_where_another_part_of_the_pattern_shows(
    width: int, gone: bool
) -> None:
    """The middle one of three was taken: what the others show there is theirs."""
    back = lying("??", 300.0)
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    zone = Zone("3", None, Box(0, 0, 960, 540), everything, mask, mask, lying=(back,))
    frame = np.full((540, 960, 3), BACK, np.uint8)
    moved = np.zeros((180, 320), np.uint8)
    moved[67:113, 90 : 90 + width] = 255
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    assert _is_bared(zone, shot, back, moved) is gone
