"""Which backs a spot is read for again: those that may still lie there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.knowing import lying, sighted
from tests.lasting import lower_right_index, together, upper_left_index
from vision import Box
from vision.track.surveying import _is_bared, _under_new
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


@pytest.mark.parametrize(
    ("new", "read", "covered", "anew"),
    [
        ("5D", (252, 202, 20, 40), False, True),
        ("5D", (200, 160, 200, 200), False, False),
        ("5D", (252, 202, 20, 40), True, False),
        ("6D", (252, 202, 20, 40), False, False),
    ],
    ids=["not read yet", "just read", "under a hand", "lay there already"],
)
def test_an_index_that_a_new_card_should_cover_is_read_anew(
    new: str, read: tuple[int, int, int, int], covered: bool, anew: bool
) -> None:
    """A five lies on the six of its suit, so squarely that only one corner has changed."""
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    six, away = lying("6D", 300.0), lying("2C", 700.0)  # each 96 by 136 pixels
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask, lying=(six, away))
    zone.glance = together(lower_right_index(six), upper_left_index(away))
    changed, hand = np.zeros((180, 320), np.uint8), np.zeros((180, 320), np.uint8)
    changed[67:80, 84:92] = 255
    hand[90:180, 84:140] = 255
    zone.changed = changed | hand if covered else changed
    seen = [sighted(lying(new, 302.0)), sighted(away)]
    boxes = list(_under_new(zone, seen, [Box(*read)], changed, 1 / 3))
    places = [box.touches(Box(322, 290, 20, 40)) for box in boxes]
    assert places == ([True] if anew else [])
