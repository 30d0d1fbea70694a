"""Indices of cards placed as real ones are must become as many physical cards."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laid_indices import (
    BRIDGE,
    INDEX_MM,
    POKER,
    RIBBON,
    SCALE,
    SIDE_MM,
    TOP_MM,
    covered,
    found,
    index,
    other,
    outline,
    read,
    shown,
)
from vision.decide.answers import cut_off
from vision.find.finder import Areas
from vision.join.evidence import Blobs, blobs, faced, supports
from vision.join.folding import folded
from vision.join.joined import joined_pair
from vision.join.joining import join
from vision.join.proportions import Shape
from vision.join.suppression import stacked, without_spurious
from vision.picture.geometry import Box
from vision.read.index_classifier import FACES
from vision.sightings import SURE


@pytest.mark.parametrize("size", [POKER, BRIDGE])
@given(angle=st.floats(0, 360), x=st.floats(200, 800), y=st.floats(150, 450))
@settings(max_examples=25, deadline=None)
def test_two_opposite_indices_are_one_card_with_its_true_outline(
    size: tuple[float, float], angle: float, x: float, y: float
) -> None:
    laid = ("QS", x, y, angle)
    indices = found([index(laid, 1, size), index(laid, -1, size)])
    (card,), _ = join(indices, shown("QS", "QS"))
    assert card.faces.max() > SURE
    common, _ = cv2.intersectConvexConvex(card.corners.astype(np.float32), outline(laid, size))
    assert common > 0.95 * size[0] * size[1] * SCALE**2


def test_equal_cards_that_lie_apart_stay_two() -> None:
    two = [("5H", 200.0, 200.0, 10.0), ("5H", 500.0, 300.0, 80.0)]
    indices = found([index(laid, corner) for laid in two for corner in (1, -1)])
    cards, _ = join(indices, shown(*["5H"] * 4))
    assert read(cards) == {"5H": 2}


@pytest.mark.parametrize("gap_mm", [6.0, 9.0, 15.0])
def test_each_card_of_a_fan_is_one(gap_mm: float) -> None:
    names = ["2C", "9H", "KS", "4D", "JC", "AS"]
    fan = [(name, 200 + number * gap_mm * SCALE, 300.0, 0.0) for number, name in enumerate(names)]
    rows = [index(laid, 1) for laid in fan] + [index(fan[-1], -1)]
    indices = found(rows)
    faces = shown(*names, "AS")
    cards, _ = join(indices, faces)
    assert read(without_spurious(cards, indices, faces)) == dict.fromkeys(names, 1)


@pytest.mark.parametrize("gap_mm", [20.0, 25.5, 31.0])
def test_three_equal_cards_in_a_fan_stay_three(gap_mm: float) -> None:
    # At 25.5 mm the first and the third index are just as far apart as the corners of one card.
    fan = [("7S", 200 + number * gap_mm * SCALE, 300.0, 0.0) for number in range(3)]
    rows = [index(laid, 1) for laid in fan] + [index(fan[-1], -1)]
    cards, _ = join(found(rows), shown(*["7S"] * 4))
    assert read(cards) == {"7S": 3}


def test_equal_neighbours_do_not_bend_the_deck_s_shape() -> None:
    names = ["KS", "KH", "KH"]
    fan = [(name, 200 + number * 22 * SCALE, 300.0, 0.0) for number, name in enumerate(names)]
    rows = [index(laid, 1) for laid in fan] + [index(fan[-1], -1)]
    cards, shape = join(found(rows), shown(*names, "KH"))
    assert read(cards) == {"KS": 1, "KH": 2}
    assert shape.across == pytest.approx((63.5 - 2 * SIDE_MM) / INDEX_MM, rel=0.01)


@pytest.mark.parametrize("name", ["JOKER", "3H"])
def test_what_lies_neither_over_nor_under_a_fan_is_not_a_card(name: str) -> None:
    names = ["2C", "9H", "KS", "4D", "JC"]
    fan = [(card, 200 + number * 14 * SCALE, 300.0, 0.0) for number, card in enumerate(names)]
    # Half a row of pips at the lower edge, read as an index of a card the other way up.
    odd = (200 + 40 * SCALE, 300 + 30 * SCALE, 0.0, 1.0)
    indices = found([*(index(laid, 1) for laid in fan), index(fan[-1], -1), odd])
    cards, _ = join(indices, np.vstack([shown(*names, "JC"), shown(name, sure=0.8)]))
    assert read(stacked(cards, indices)) == dict.fromkeys(names, 1)


def test_the_half_covered_other_end_of_a_card_is_not_a_second_one() -> None:
    eight = ("8D", 300.0, 300.0, 0.0)
    indices = found([index(eight, 1), index(("3D", 304.0, 303.0, 2.0), -1)])
    faces = np.vstack([shown("8D"), shown("3D", sure=0.6)])
    alone = [
        one
        for number in (0, 1)
        for one in join(indices[number : number + 1], faces[number : number + 1])[0]
    ]
    members = [replace(card, members=(number,)) for number, card in enumerate(alone)]
    assert read(stacked(members, indices)) == {"8D": 1}


def test_half_an_index_where_a_card_s_second_one_must_be_is_not_another_card() -> None:
    eight = ("8D", 300.0, 300.0, 30.0)
    x, y, *_ = index(eight, -1)
    for name, away, left in (("4H", 5.0, 1), ("4H", 60.0, 2), ("4C", 5.0, 2)):
        indices = found([index(eight, 1), (x + away, y, 1.0, 0.0)])
        faces = np.concatenate([shown("8D"), shown(name, sure=0.5)])
        cards, _ = join(indices, faces)
        assert len(stacked(cards, indices)) == left


def test_two_cards_laid_crosswise_on_a_pile_are_two_though_their_middles_meet() -> None:
    """Of a four-corner card one diagonal falls to the right and the other to the left."""
    queen, nine = ("QD", 300.0, 300.0, -5.0), ("9D", 302.0, 304.0, 12.0)
    ends = [index(queen, corner) for corner in (1, -1)]
    for other_two, names in (
        ([index(nine, corner) for corner in (1, -1)], ("QD", "9D")),
        ([other(queen, corner) for corner in (1, -1)], ("QD",)),
    ):
        indices, faces = found([*ends, *other_two]), shown("QD", "QD", names[-1], names[-1])
        pairs = [joined_pair(indices, faces, n, n + 1) for n in (0, 2)]
        assert read(folded(pairs, indices, Shape())) == dict.fromkeys(names, 1)


@pytest.mark.parametrize("turn", [20.0, 26.0, 33.0])
def test_the_ends_of_two_equal_cards_laid_crosswise_belong_together_by_their_directions(
    turn: float,
) -> None:
    """Either end of the one with the opposite end of the other would form a card in between.

    It would be a little shorter, which fits better if the indices seem a little small.
    """
    lower, upper = ("8H", 300.0, 300.0, -turn), ("8H", 301.0, 298.0, 0.0)
    ends = [index(laid, corner) for laid in (lower, upper) for corner in (1, -1)]
    indices = found(ends, heights=[0.95 * INDEX_MM * SCALE] * 4)
    cards, _ = join(indices, shown(*["8H"] * 4))
    assert sorted(tuple(sorted(card.members)) for card in cards) == [(0, 1), (2, 3)]


@pytest.mark.parametrize(("share", "cards"), [(0.57, {"9H": 1}), (0.9, {"9H": 1, "QH": 1})])
def test_half_an_index_is_the_other_end_of_a_card_however_confidently_it_is_read(
    share: float, cards: dict[str, int]
) -> None:
    nine = ("9H", 300.0, 300.0, 4.0)
    high = INDEX_MM * SCALE
    indices = found([index(nine, 1), index(nine, -1)], [high, share * high])
    joined, _ = join(indices, shown("9H", "QH", sure=0.93))
    singles = [card for card in joined if card.agreement is None]
    assert read(singles) == {"9H": 1, "QH": 1}
    sure = [replace(card, faces=card.faces * (1.06 - 0.04 * n)) for n, card in enumerate(singles)]
    assert read(stacked(sure, indices)) == cards


@pytest.mark.parametrize("gap_mm", [0.0, 1.0, 4.0])
@pytest.mark.parametrize("size", [POKER, BRIDGE])
def test_equal_cards_side_by_side_keep_their_number(
    gap_mm: float, size: tuple[float, float]
) -> None:
    # One's lower right and the next one's upper left index are almost above each other.
    step = (size[0] + gap_mm) * SCALE
    row = [("9D", 200 + step * place, 300.0, 0.0) for place in range(4)]
    rows = [index(laid, corner, size) for laid in row for corner in (1, -1)]
    indices, faces = found(rows), shown(*["9D"] * len(rows))
    assert read(without_spurious(join(indices, faces)[0], indices, faces)) == {"9D": 4}


def test_a_joker_beside_a_card_with_both_ends_in_sight_is_not_one_of_these() -> None:
    """In a ribbon it lay so near the queen that it seemed to be her other end, upside down."""
    queen, joker = ("QC", 300.0, 300.0, 0.0), ("JOKER", 300.0 - 13.0 * SCALE, 300.0, 0.0)
    rows = [index(queen, -1), index(queen, 1), index(joker, 1)]
    indices, faces = found(rows), shown("QC", "QC", "JOKER", sure=0.99)
    cards = stacked(join(indices, faces)[0], indices)
    assert read(cards) == {"QC": 1, "JOKER": 1}


def test_a_joker_in_a_fan_is_one_card_of_it() -> None:
    names = ["2C", "JOKER", "KS", "4D"]
    fan = [(card, 200 + number * 16 * SCALE, 300.0, 0.0) for number, card in enumerate(names)]
    indices = found([*(index(laid, 1) for laid in fan), index(fan[-1], -1)])
    cards, _ = join(indices, shown(*names, "4D"))
    assert read(stacked(cards, indices)) == dict.fromkeys(names, 1)


def test_a_print_inside_a_card_with_both_indices_is_not_a_card() -> None:
    king = ("KS", 300.0, 300.0, 0.0)
    rows = [index(king, 1), index(king, -1), (300.0, 280.0, 0.05, -1.0)]
    indices = found(rows)
    faces = shown("KS", "KS", "AS")
    cards, _ = join(indices, faces)
    assert read(without_spurious(cards, indices, faces)) == {"KS": 1}


def test_a_pip_mistaken_for_the_other_index_does_not_remove_cards_from_a_ribbon() -> None:
    names = ["9C", "3H", "TS", "JS"]
    ribbon = [(name, 200 + number * 14 * SCALE, 300.0, 0.0) for number, name in enumerate(names)]
    # A barely legible pip of the last card is where the first one's other end would be.
    rows = [*(index(laid, 1) for laid in ribbon), index(ribbon[0], -1)]
    indices = found(rows)
    faces = shown(*names, "9C")
    faces[-1] *= 0.4
    cards, _ = join(indices, faces)
    assert any(len(card.members) == 2 for card in cards)
    assert read(without_spurious(cards, indices, faces)) == dict.fromkeys(names, 1)


def test_jumbo_indices_are_close_together_and_still_one_card() -> None:
    laid = [("QS", 200.0, 200.0, 0.0), ("5D", 500.0, 250.0, 45.0), ("9C", 750.0, 350.0, 100.0)]
    rows = [index(one, corner) for one in laid for corner in (1, -1)]
    jumbo = 38.0 * SCALE  # 64 mm down are 1.68 of its heights
    cards, _ = join(found(rows, [jumbo] * 6), shown("QS", "QS", "5D", "5D", "9C", "9C"))
    assert read(cards) == {"QS": 1, "5D": 1, "9C": 1}


def test_the_end_of_the_next_equal_card_does_not_tell_the_shape_of_jumbo_ones() -> None:
    """In a meld of tens as a webcam saw it, it fits a usual card's better than the other end."""
    rows = [(1487.0, 735.0, -1.0, -0.03), (1486.0, 766.0, -1.0, 0.01), (1567.0, 654.0, 1.0, -0.03)]
    faces = shown("TC", "TC", "TC", sure=0.99)
    cards, shape = join(found(rows, [42.1, 41.6, 43.1]), faces)
    assert read(cards) == {"TC": 2}
    assert shape.across == pytest.approx(1.89, abs=0.1)


@pytest.mark.parametrize(
    ("below_mm", "name", "cards"), [(-10.0, "7C", 1), (10.0, "7C", 2), (-10.0, "7D", 2)]
)
def test_a_second_index_that_overlaps_a_card_s_own_is_its_own(
    below_mm: float, name: str, cards: int
) -> None:
    """A seven of clubs lay on one of spades, whose lower 7 showed below its edge: with the sign of
    the upper one, that was an index of a seven of clubs too."""
    seven = ("7C", 300.0, 300.0, 0.0)
    x, y, *up = index(seven, -1)
    rows = [index(seven, 1), index(seven, -1), (x, y + below_mm * SCALE, *up)]
    indices, faces = found(rows), shown("7C", "7C", name, sure=0.99)
    joined = [joined_pair(indices, faces, 0, 1)]
    (single,) = join(found(rows[2:]), faces[2:])[0]
    both = [*joined, replace(single, members=(2,))]
    assert len(without_spurious(both, indices, faces)) == cards


def test_lettering_much_smaller_than_the_indices_is_not_a_card() -> None:
    king = ("KS", 300.0, 300.0, 0.0)
    rows = [index(king, 1), index(king, -1), (600.0, 280.0, 0.0, -1.0)]
    indices = found(rows, [27.0, 27.0, 11.0])
    faces = shown("KS", "KS", "AS")
    cards, _ = join(indices, faces)
    assert read(without_spurious(cards, indices, faces)) == {"KS": 1}


def test_a_doubtful_reading_counts_only_at_the_size_of_the_others() -> None:
    king = ("KS", 300.0, 300.0, 0.0)
    rows = [index(king, 1), index(king, -1), (700.0, 280.0, 0.0, -1.0)]
    for height, sure, left in (
        (27, 0.6, 2),
        (43, 0.6, 1),
        (43, 0.98, 2),
        (18, 0.6, 1),
        (18, 0.94, 1),
    ):
        indices = found(rows, [27.0, 27.0, float(height)])
        faces = np.concatenate([shown("KS", "KS"), shown("AS", sure=sure)])
        cards, _ = join(indices, faces)
        assert len(without_spurious(cards, indices, faces)) == left
    # A joker's lettering is never certain enough by itself.
    faces = np.concatenate([shown("KS", "KS"), shown("JOKER")])
    cards, _ = join(found(rows, [27.0, 27.0, 43.0]), faces)
    assert read(without_spurious(cards, found(rows, [27.0, 27.0, 43.0]), faces)) == {"KS": 1}


def test_a_large_print_deck_is_measured_from_its_own_pairs() -> None:
    laid = [("QS", 200.0, 200.0, 0.0), ("5D", 500.0, 250.0, 45.0), ("9C", 750.0, 350.0, 100.0)]
    rows = [index(one, corner) for one in laid for corner in (1, -1)]
    large = 25.5 * SCALE
    _, shape = join(found(rows, [large] * 6), shown("QS", "QS", "5D", "5D", "9C", "9C"))
    assert shape.across == pytest.approx((63.5 - 2 * SIDE_MM) / 25.5, rel=0.01)
    assert shape.down == pytest.approx((88.9 - 2 * TOP_MM) / 25.5, rel=0.01)


def test_the_cards_of_a_spread_are_placed_where_cards_show() -> None:
    # The lower corner comes first: alone it is the upper one of a card to the other side.
    rows = [row for laid in RIBBON for row in (other(laid, -1), index(laid, 1))]
    indices, faces = found(rows), shown(*(laid[0] for laid in RIBBON for _ in range(2)))
    areas = covered([outline(laid) for laid in RIBBON])
    cards = faced(join(indices, faces)[0], indices, areas)
    assert read(cards) == {laid[0]: 1 for laid in RIBBON}
    for card in cards:
        name = str(FACES[int(card.faces.argmax())])
        (laid,) = (one for one in RIBBON if one[0] == name)
        assert np.linalg.norm(card.centre - laid[1:3]) < 8


def test_a_card_lies_on_the_side_of_its_index_that_no_strip_of_table_runs_through() -> None:
    """Two melds beside each other: the strip between them is a tenth of a card wide."""
    kings = [("KC", 250.0, 300.0, 0.0), ("KD", 290.0, 300.0, 0.0), ("KS", 330.0, 300.0, 0.0)]
    two = ("2H", 330.0 + 69.5 * SCALE, 300.0, 0.0)
    rows = [f(kings[0], n) for f in (index, other) for n in (1, -1)]
    rows += [f(laid, n) for laid in kings[1:] for f, n in ((other, 1), (index, -1))]
    rows += [index(two, 1), other(two, -1)]  # the rest of it is beyond what is looked at
    indices = found(rows)
    faces = shown("KC", "KC", "KC", "KC", "KD", "KD", "KS", "KS", "2H", "2H")
    whole = covered([outline(laid) for laid in (*kings, two)])
    areas = Areas(whole.face[:, :120], whole.back[:, :120], Box(0, 0, 480, 600), 0.25)
    placed = {}
    for card in faced(join(indices, faces)[0], indices, areas):
        placed[str(FACES[int(card.faces.argmax())])] = card.centre
    for name, *place, _ in (*kings, two):
        assert np.linalg.norm(placed[name] - place) < 8, name


def test_each_row_of_a_spread_tells_on_which_side_its_cards_lie() -> None:
    """In one each card lies over that to its left, in the other over that to its right."""
    right = [(name, x, 150.0, 0.0) for (name, x, *_) in RIBBON]
    left = [(name, x, 330.0, 0.0) for (name, x, *_) in RIBBON]
    rows = [row for laid in right for row in (index(laid, 1), other(laid, -1))]
    rows += [row for laid in left for row in (other(laid, 1), index(laid, -1))]
    indices, names = found(rows), [laid[0] for laid in (*right, *left) for _ in range(2)]
    areas = covered([outline(laid) for laid in (*right, *left)])
    faces = shown(*names)
    cards = faced(join(indices, faces)[0], indices, areas)
    centres = np.stack([card.centre for card in cards])
    for laid in (*right, *left):
        assert np.linalg.norm(centres - laid[1:3], axis=1).min() < 8


@pytest.mark.parametrize("overlap_mm", [4.0, 6.0, 8.0])
def test_cards_of_a_row_that_overlap_a_little_keep_their_number(overlap_mm: float) -> None:
    step = (POKER[0] - overlap_mm) * SCALE
    row = [(name, 120 + step * place, 300.0, 0.0) for place, name in enumerate(("9D", "4C", "8H"))]
    rows = [index(laid, corner) for laid in row for corner in (1, -1)]
    indices, faces = found(rows), shown(*(laid[0] for laid in row for _ in range(2)))
    assert read(without_spurious(join(indices, faces)[0], indices, faces)) == {
        laid[0]: 1 for laid in row
    }


@pytest.mark.parametrize(("name", "kept"), [("5H", 1), ("5S", 0)])
def test_an_index_in_another_ink_is_no_print_on_the_card_below(name: str, kept: int) -> None:
    nine, five = ("9C", 300.0, 300.0, 0.0), (330.0, 270.0, 0.0, -1.0)
    rows = [index(nine, 1), index(nine, -1), other(nine, -1), five]
    indices, faces = found(rows), shown("9C", "9C", "9C", name)
    cards, _ = join(indices, faces)
    assert read(without_spurious(cards, indices, faces))[name] == kept


def test_part_of_a_pip_and_the_index_beside_it_are_no_card() -> None:
    four = ("4C", 300.0, 300.0, 0.0)
    x, y, _, _ = index(four, 1)
    rows = [index(four, 1), (x + 10.0, y, 0.45, -0.89), (x + 10.0, y, 0.0, -1.0)]
    faces = np.concatenate([shown("4C", sure=0.99), shown("2C", "2C", sure=0.48)])
    indices = found(rows, [27.0, 37.0, 27.0])
    cards, _ = join(indices[:2], faces[:2])
    assert read(without_spurious(cards, indices[:2], faces[:2])) == {"4C": 1}
    fan = indices[np.array([0, 2])]
    cards, _ = join(fan, faces[[0, 2]])
    assert read(without_spurious(cards, fan, faces[[0, 2]])) == {"4C": 1, "2C": 1}


def test_a_small_index_far_from_the_opposite_one_still_belongs_to_one_card() -> None:
    laid = ("QH", 300.0, 300.0, 30.0)
    rows = [index(laid, 1), index(laid, -1)]
    (card,), shape = join(found(rows, [9.0 * SCALE] * 2), shown("QH", "QH"))
    assert len(card.members) == 2
    assert shape.down == pytest.approx((POKER[1] - 2 * TOP_MM) / 9.0, rel=0.02)


@pytest.mark.parametrize(("times", "cards"), [(1.5, 3), (1.8, 2), (0.58, 2)])
def test_a_print_much_larger_than_the_indices_is_not_a_card(times: float, cards: int) -> None:
    laid = [("KD", 200.0, 200.0, 0.0), ("9C", 400.0, 200.0, 30.0)]
    rows = [index(one, corner) for one in laid for corner in (1, -1)]
    indices = found(
        [*rows, (700.0, 400.0, 0.6, -0.8)],
        [INDEX_MM * SCALE * size for size in (1, 1, 1, 1, times)],
    )
    faces = shown("KD", "KD", "9C", "9C", "4C", sure=0.985)
    assert len(without_spurious(join(indices, faces)[0], indices, faces)) == cards


def test_one_visible_index_is_a_card_whose_pose_it_gives() -> None:
    laid = ("TD", 400.0, 300.0, 200.0)
    (card,), _ = join(found([index(laid, 1)]), shown("TD"))
    assert np.linalg.norm(card.corners.mean(axis=0) - (400, 300)) < 4


def test_an_index_without_a_card_around_it_lacks_support() -> None:
    laid = ("TD", 400.0, 300.0, 20.0)
    (card,), _ = join(found([index(laid, 1)]), shown("TD"))
    assert supports(covered([outline(laid)]), [card.corners]) > 0.9
    assert supports(covered([]), [card.corners]) < 0.1


def test_a_single_card_s_outline_is_found_in_the_areas() -> None:
    laid = ("", 400.0, 300.0, 33.0)
    areas = covered([outline(laid)])
    (corners,) = blobs(areas.face, areas)
    common, _ = cv2.intersectConvexConvex(corners, outline(laid))
    assert common > 0.93 * POKER[0] * POKER[1] * SCALE**2


def test_of_the_outlines_in_the_areas_those_without_a_card_that_was_read_are_told() -> None:
    laid = [("", 150.0, 300.0, 33.0), ("", 500.0, 300.0, -20.0), ("", 820.0, 300.0, 95.0)]
    areas = covered([outline(one) for one in laid])
    shapes = Blobs(areas.face, areas)
    corners = outline(laid[0])
    # A point just inside a corner, where the area's own border is round, belongs to it as well.
    inside = [np.array([500, 300], np.float32), corners[0] * 0.96 + corners[2] * 0.04]
    (left,) = shapes.without(inside)
    assert np.abs(left.mean(axis=0) - (820, 300)).max() < 4
    assert [one.tolist() for one in shapes.without([])] == [one.tolist() for one in shapes]


def test_an_index_that_the_picture_s_edge_cuts_is_recognised() -> None:
    upright, sideways = (0.0, -1.0), (-1.0, 0.0)
    rows = [(50.0, 40.0, *upright), (50.0, 8.0, *upright), (50.0, 93.0, *upright)]
    rows += [(50.0, 0.0, *sideways), (50.0, 6.0, *sideways)]
    frame = np.zeros((100, 100, 3), np.uint8)
    # Complete, without a rank's top, without half a pip's tip, cut lengthwise, and just inside.
    assert cut_off(found(rows), frame).tolist() == [False, True, False, True, False]


def test_equal_cards_of_a_pile_are_three_though_the_ends_of_one_point_aside() -> None:
    """Three aces, as found in a picture: the two ends of the uppermost are 13 degrees off a half
    turn, so that it seems 1.2 times as long as it is wide."""
    indices = found(
        [
            (568.0, 274.0, 0.11, -0.99), (720.0, 439.0, 0.14, 0.99), (695.0, 401.0, 0.26, 0.97),
            (654.0, 385.0, -0.12, 0.99),
        ],
        [27.1, 29.8, 28.0, 30.4],
    )  # fmt: skip
    cards, _ = join(indices, shown(*["AC"] * 4, sure=0.99))
    assert sorted(card.members for card in cards) == [(0, 3), (1,), (2,)]
