"""The simulated table: its pictures show what is where, and a hand while it is moving."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.rehearsal.setting import AREA, SIZE, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card
from vision.scene.items import Pose

QUEEN, FIVE = Card.parse("QS"), Card.parse("5D")
PLACES = [(150.0, 110.0), (600.0, 330.0), (1060.0, 560.0)]


def _table(seed: int = 1) -> Tabletop:
    return Tabletop(setting(seed), seed=seed)


def _laid(table: Tabletop, card: Card, pose: Pose, *, up: bool = True, now: float = 0.0) -> float:
    return table.bring(table.piece(card, up=up), pose, now=now, spot="board")


def _pixel(table: Tabletop, x: float, y: float) -> NDArray[np.float64]:
    u, v, w = table.matrix @ (x, y, 1.0)
    return np.array([u / w, v / w])


def _changed(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    small = [cv2.blur(picture, (9, 9)) for picture in (one, other)]
    return np.asarray(cv2.absdiff(*small).max(axis=2) > 12, np.uint8)


@pytest.mark.parametrize("place", PLACES)
def test_a_card_appears_where_the_calibration_says(place: tuple[float, float]) -> None:
    table = _table()
    bare = table.frame(0.0)
    end = _laid(table, FIVE, Pose(*place, 0.0))
    mask = _changed(bare, table.frame(end))
    ys, xs = np.nonzero(mask)
    middle = np.array([(xs.min() + xs.max()) / 2, (ys.min() + ys.max()) / 2])
    assert np.linalg.norm(middle - _pixel(table, *place)) < 8
    # A poker card is 63.5 by 88.9 mm, a bridge card 57.2: the rest is its shadow and the blur.
    width = (xs.max() - xs.min()) / 1.57
    assert 57.2 - 4 < width < 63.5 + 14


def test_the_whole_area_is_in_the_picture_for_every_camera() -> None:
    for seed in range(12):
        table = _table(seed)
        for x, y in ((15.0, 15.0), (AREA[0] - 15, 15.0), (15.0, AREA[1] - 15)):
            u, v = _pixel(table, x, y)
            assert 0 <= u < SIZE[0]
            assert 0 <= v < SIZE[1]


def test_an_index_is_at_least_25_pixels_high() -> None:
    place = setting(4)
    height = place.deck.indices(QUEEN)[0].height * place.view.scale_at(0, 0)
    assert height >= 25


def test_a_hand_brings_the_card_and_leaves() -> None:
    table = _table()
    bare = table.frame(0.0)
    end = _laid(table, QUEEN, Pose(300.0, 200.0, 5.0))
    middle = end * 0.55
    under_way = _changed(bare, table.frame(middle))
    assert table.moving(middle)
    laid = _changed(bare, table.frame(end))
    assert under_way.sum() > 1.5 * laid.sum()
    assert not table.moving(end)
    assert [piece.card for piece in table.at("board")] == [QUEEN]


def test_a_turned_card_shows_its_other_side_in_place() -> None:
    table = _table()
    end = _laid(table, QUEEN, Pose(500.0, 300.0, -3.0), up=False)
    down = table.frame(end)
    (back,) = table.at("board")
    assert back.view.hidden
    end = table.turn([back], now=end)
    up = table.frame(end)
    (face,) = table.at("board")
    assert face.view == QUEEN
    assert face.pose == back.pose
    assert _changed(down, up).sum() > 1000


def test_taken_cards_leave_the_picture_as_it_was() -> None:
    table = _table()
    bare = table.frame(0.0)
    end = _laid(table, QUEEN, Pose(500.0, 300.0))
    end = _laid(table, FIVE, Pose(620.0, 300.0), now=end)
    table.frame(end)
    end = table.take(table.at("board"), now=end)
    assert table.moving(end - 0.1)
    after = table.frame(end)
    assert table.resting == ()
    assert _changed(bare, after).sum() == 0


def test_a_card_slides_to_another_spot() -> None:
    table = _table()
    end = _laid(table, QUEEN, Pose(500.0, 300.0))
    table.frame(end)
    (queen,) = table.at("board")
    moved = replace(queen, pose=Pose(700.0, 420.0, 9.0), spot="2")
    end = table.shift([(queen, moved)], now=end)
    table.frame(end)
    assert table.at("board") == ()
    assert table.at("2")[0].pose == Pose(700.0, 420.0, 9.0)


def test_the_same_seed_gives_the_same_pictures() -> None:
    def film(seed: int) -> list[NDArray[np.uint8]]:
        table = _table(seed)
        end = _laid(table, QUEEN, Pose(400.0, 200.0))
        return [table.frame(moment) for moment in (0.0, end / 2)]

    first, again, other = film(5), film(5), film(6)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not any(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_a_table_at_rest_differs_only_by_noise() -> None:
    table = _table()
    end = _laid(table, QUEEN, Pose(400.0, 200.0))
    one, other = table.frame(end), table.frame(end + 1)
    assert not np.array_equal(one, other)
    assert _changed(one, other).sum() == 0


def test_a_card_pushed_straight_stays_under_what_lies_over_it() -> None:
    table = _table()
    end = _laid(table, FIVE, Pose(600.0, 330.0, 4.0))
    end = _laid(table, QUEEN, Pose(620.0, 330.0, 0.0), now=end)
    table.advance(end)
    five, queen = table.at("board")
    straight = replace(five, pose=Pose(602.0, 331.0, 0.0))
    end = table.nudge([(five, straight)], now=end, hold=0.3, shoulder=(600.0, 900.0), pushed=True)
    for part in range(20):
        table.advance(end - 1.5 + 0.1 * part)
        assert [piece.card for piece in table.resting] == [FIVE, QUEEN]
    assert table.resting == (straight, queen)


def test_a_pile_that_is_squared_up_keeps_its_order() -> None:
    table = _table()
    below, atop = Pose(600.0, 330.0, 1.0), Pose(603.0, 329.0, -2.0)
    end = _laid(table, FIVE, below)
    end = _laid(table, QUEEN, atop, now=end)
    table.advance(end)
    square = [(piece, replace(piece, pose=below)) for piece in table.at("board")]
    end = table.nudge(square, now=end, hold=0.6, shoulder=(600.0, 900.0))
    for part in range(12):  # picture by picture, until the hand has left
        table.advance(end - 1.0 + 0.1 * part)
    assert [piece.card for piece in table.resting] == [FIVE, QUEEN]
