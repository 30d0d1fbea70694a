"""Face-down cards that lie alone, or next to each other, are counted by their area and their edges.

The pictures and the probability maps are drawn by hand, from a poker card's 63.5 x 88.9 mm.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.backs_drawn import (
    CARD,
    CLOTH,
    INDEX,
    RED,
    SIZE,
    WHITE,
    areas_of,
    count,
    drawn,
    known,
    placed,
    sure,
)
from tests.draws import mostly_nightly
from vision.backs.count import backs
from vision.backs.plain import plain
from vision.find.finder import Areas
from vision.join.proportions import Shape
from vision.picture.geometry import Box, Frame
from vision.picture.pyramid import Pyramid
from vision.sightings import SURE_BACK

CELLS = 25, 36
"""A card's sides in cells."""


def column(gaps: list[float]) -> tuple[Frame, Areas]:
    """Backs one below the other, with one row of cells of the given probabilities in between."""
    height, width = CELLS
    back = np.zeros((12 + (height + 1) * (len(gaps) + 1), width + 16), np.float32)
    top = 6
    for gap in [*gaps, 0.0]:
        back[top : top + height, 8 : 8 + width] = 0.995
        back[top + height, 8 : 8 + width] = gap
        top += height + 1
    areas = Areas(np.zeros_like(back), back, Box(0, 0, 4 * back.shape[1], 4 * back.shape[0]), 0.25)
    # Where one ends and the next begins, a thread of the cloth is visible.
    seen = np.kron(back >= 0.99, np.ones((4, 4), np.bool_))
    return np.where(seen[..., None], RED, CLOTH).astype(np.uint8), areas


@pytest.mark.parametrize("gap", mostly_nightly([0.0, 0.5, 0.8, 0.87, 0.91, 0.94], 0.0, 0.8, 0.94))
@pytest.mark.parametrize("cards", [1, 2, 3, 7])
def test_backs_that_nearly_touch_are_counted_however_shallow_the_dip(
    gap: float, cards: int
) -> None:
    assert count(*column([gap] * (cards - 1))) == cards


def test_a_shallow_dip_is_found_next_to_a_deep_one() -> None:
    assert count(*column([0.3, 0.93, 0.3, 0.95])) == 5


def test_an_uneven_print_does_not_cut_a_single_card() -> None:
    frame, areas = column([])
    areas.back[16, :] *= 0.9
    assert count(frame, areas) == 1


def test_a_shadow_that_clings_to_a_card_is_cut_off() -> None:
    frame, areas = column([])
    areas.back[10:22, 33:41] = 0.6
    assert count(frame, areas) == 1


def test_backs_are_single_areas_of_a_card_s_shape_and_size() -> None:
    laid = [placed(200, 200, 25), placed(600, 300, 100)]
    chip = np.asarray(cv2.boxPoints(((850, 500), (62, 62), 0)), np.float32)
    frame, areas = drawn([*laid, chip]), areas_of([*laid, chip], rim=0.97)
    assert sure(backs(frame, areas, (), Shape(), 0.0)) == [(200, 200), (600, 300)]


@pytest.mark.slow
def test_areas_much_larger_than_the_known_cards_are_none() -> None:
    laid = [placed(200, 200, 25), placed(600, 300, 100)]
    frame, areas = drawn(laid), areas_of(laid, rim=0.97)
    assert sure(backs(frame, areas, (), Shape(), 0.3 * INDEX)) == []


@pytest.mark.parametrize(("larger", "certain"), [(1.2, 2), (1.9, 0)])
def test_backs_of_different_decks_are_none_for_certain_where_no_size_is_known(
    larger: float, certain: int
) -> None:
    """Parts of a king's print in a photograph that he fills looked like backs."""
    two = [placed(200, 200, 0), placed(520, 300, 0, (CARD[0] * larger, CARD[1] * larger))]
    assert len(sure(backs(drawn(two), areas_of(two), (), Shape(), 0.0))) == certain


def test_a_back_with_an_uneven_print_is_one_card() -> None:
    corners = placed(300, 300, 20)
    areas, middle = areas_of([corners], likely=0.6), corners.mean(axis=0)
    for edge in (corners[[0, 1]], corners[[2, 3]]):
        blotch = np.vstack((edge, (edge + 0.5 * (middle - edge))[::-1]))
        cv2.fillConvexPoly(areas.back, np.round(blotch / 4).astype(np.int32), (0.97,))
    assert sure(backs(drawn([corners]), areas, (), Shape(), INDEX)) == [(300, 300)]


def test_a_faint_area_is_a_back_if_it_has_exactly_a_card_s_outline() -> None:
    card, strip = placed(300, 300, 20), placed(600, 300, 20, (30.0, 88.9))
    areas = areas_of([card, strip], likely=0.37, rim=0.37)
    cloth = drawn([])
    assert sure(backs(cloth, areas_of([card], likely=0.37, rim=0.37), (), Shape(), 0.0)) == []
    assert sure(backs(drawn([card, strip]), areas, (), Shape(), INDEX)) == [(300, 300)]


@pytest.mark.parametrize("angle", [0.0, 33.0, 90.0])
def test_a_plain_card_that_the_finder_overlooks_is_recognised_by_its_size(angle: float) -> None:
    card, phone = placed(300, 300, angle), placed(700, 300, angle, (75.0, 130.0))
    frame, nothing = drawn([card, phone]), areas_of([])
    found = backs(frame, nothing, (), Shape(), INDEX, plain=plain(Pyramid(frame), nothing))
    assert sure(found) == [(300, 300)]
    assert abs(cv2.contourArea(found[0].corners) / cv2.contourArea(card) - 1) < 0.06


def test_a_uniform_cloth_and_a_face_are_not_plain_cards() -> None:
    card = placed(300, 300, 10)
    frame, areas = drawn([card], WHITE), areas_of([card], rim=0.97)
    assert plain(Pyramid(drawn([])), areas_of([])) == []
    assert plain(Pyramid(frame), Areas(areas.back, areas.face, areas.box, areas.scale)) == []
    assert len(plain(Pyramid(frame), areas_of([]))) == 1


def test_a_texture_mistaken_for_backs_is_in_doubt_if_nothing_lies_on_it() -> None:
    card = placed(300, 300, 0)
    bricks = [placed(600, 150 + 120 * row, 0, (70.0, 40.0)) for row in range(3)]
    areas = areas_of([card, *bricks], likely=0.85)
    found = backs(drawn([card, *bricks]), areas, (), Shape(), INDEX)
    assert sure(found) == [(300, 300)]
    assert len(found) == 4


def weave(period: int, colour: tuple[int, int, int] = CLOTH) -> Frame:
    """A cloth of crossing threads, one light and one dark per `period` pixels."""
    y, x = np.indices((SIZE[1], SIZE[0]))
    threads = np.where((x // period + y // period) % 2, 40, -40)[..., None]
    noise = np.random.default_rng(2).normal(0, 8, (SIZE[1], SIZE[0], 1))
    return np.clip(np.array(colour) + threads + noise, 0, 255).astype(np.uint8)


def test_what_looks_like_the_cloth_around_it_is_not_a_certain_back() -> None:
    """A weave is a pattern too; the same outline without it or in another colour is a back."""
    outline = placed(400, 300, 20)
    areas, cloth = areas_of([outline], rim=0.97), weave(4)
    for other, many in ((cloth, 0), (drawn([]), 1), (weave(4, RED), 1)):
        frame, inside = cloth.copy(), np.zeros(SIZE[::-1], np.uint8)
        cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), (1,))
        frame[inside > 0] = other[inside > 0]
        assert count(frame, areas) == many


@pytest.mark.slow
def test_a_large_thing_is_not_made_of_cards_that_only_fill_it() -> None:
    thing = placed(400, 300, 15, (190.0, 160.0))
    found = backs(drawn([thing]), areas_of([thing], rim=0.97), (), Shape(), INDEX)
    assert sure(found) == []
    assert len(found) == 1


def test_an_area_that_nothing_explains_is_a_question() -> None:
    shape = np.array([(200, 150), (424, 178), (361, 339), (242, 395)], np.float32)
    (found,) = backs(drawn([shape]), areas_of([shape], rim=0.97), (), Shape(), INDEX)
    assert found.confidence < SURE_BACK


def test_a_back_that_the_picture_cuts_off_is_counted() -> None:
    card = placed(300, 30, 0)
    assert count(drawn([card]), areas_of([card])) == 1


@pytest.mark.parametrize(("x", "y", "angle"), [(300, 48, 0), (300, 552, 12), (52, 300, 100)])
def test_a_back_that_the_picture_s_edge_cuts_is_counted(x: float, y: float, angle: float) -> None:
    face, back = placed(700, 300, 20), placed(x, y, angle)
    frame, areas = drawn([face, back]), areas_of([back], likely=0.8)
    (found,) = backs(frame, areas, [known(face)], Shape(), INDEX)
    assert found.confidence >= SURE_BACK
    assert np.linalg.norm(found.corners.mean(axis=0) - (x, y)) < 8


def test_a_stone_of_a_card_s_size_is_not_a_card_next_to_a_spread_that_reveals_no_size() -> None:
    spread = [placed(600 + 24 * place, 300, 0) for place in range(6)]
    stone = placed(300, 300, 0, (66.0, 93.0))
    frame, nothing = drawn([*spread, stone]), areas_of([])
    cards = [known(corners) for corners in spread]
    assert backs(frame, nothing, cards, Shape(), INDEX, plain=[stone]) == []
