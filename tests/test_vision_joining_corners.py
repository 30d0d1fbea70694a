"""Cards with indices in all four corners, or of which only some corners show, are each one card."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rules.cards import Card
from tests.laid_indices import (
    INDEX_MM,
    POKER,
    RIBBON,
    SCALE,
    TOP_MM,
    found,
    index,
    other,
    read,
    shown,
)
from vision.find.finder import Indices
from vision.join.joining import join
from vision.join.proportions import Shape
from vision.join.rectangles import rectangles
from vision.join.suppression import stacked, without_spurious
from vision.read.index_classifier import FACES
from vision.sightings import SURE


@pytest.mark.parametrize("cut", ["6C", "4C"])
def test_an_index_cut_by_the_card_before_is_not_a_corner_of_the_last_but_one(cut: str) -> None:
    # A row seen upside down: each card partly covers the next one's upper left index.
    row = [("6C", 300.0, 300.0, 0.0), ("7C", 382.0, 300.0, 0.0), ("4C", 464.0, 300.0, 0.0)]
    indices = found([*(index(laid, -1) for laid in row), index(row[-1], 1)])
    faces = np.concatenate([shown("6C", "7C", "4C", sure=0.99), shown(cut, sure=0.6)])
    cards, _ = join(indices, faces)
    assert all(card.agreement is None or set(card.members) == {2, 3} for card in cards)
    assert read(stacked(cards, indices)) == {"6C": 1, "7C": 1, "4C": 1}


@pytest.mark.parametrize("step_mm", [20.0, 25.5])
@pytest.mark.parametrize("names", [("TC", "TH", "TC", "TD"), ("QC", "KC", "KC", "QC", "3S")])
def test_equal_four_corner_cards_of_a_row_keep_their_number(
    names: tuple[str, ...], step_mm: float
) -> None:
    # Two steps are about the distance of a card's corners: the left ones of two cards could belong
    # to one, if there were not others' indices between them.
    row = [(name, 200 + step_mm * SCALE * place, 300.0, 0.0) for place, name in enumerate(names)]
    rows, marks = [], []
    for place, laid in enumerate(row):
        corners = [index(laid, 1), other(laid, -1)]
        if place == len(row) - 1:
            corners += [index(laid, -1), other(laid, 1)]
        rows += corners
        marks += [laid[0]] * len(corners)
    indices, faces = found(rows), shown(*marks)
    assert read(without_spurious(join(indices, faces)[0], indices, faces)) == Counter(names)


@pytest.mark.parametrize("order", [1, -1])
def test_each_corner_in_sight_of_a_card_in_a_row_counts_whichever_is_found_first(
    order: int,
) -> None:
    jack, queen = ("JC", 300.0, 300.0, 0.0), ("QC", 300.0, 300 + 25.0 * SCALE, 0.0)
    rows = [index(jack, 1), other(jack, 1), *(f(queen, n) for f in (index, other) for n in (1, -1))]
    doubted = shown("JC", sure=0.94)
    doubted[0, FACES.index(Card.parse("JS"))] = 0.05
    jacks = np.concatenate([doubted, shown("JC", sure=0.999)])[::order]
    faces = np.concatenate([jacks, shown(*["QC"] * 4)])
    cards, _ = join(found(rows), faces)
    assert read(cards) == {"JC": 1, "QC": 1}
    (one,) = (card for card in cards if 0 in card.members)
    assert float(one.faces.max()) >= 0.99


def test_four_corners_of_one_card_are_one_next_to_an_equal_card() -> None:
    two = [("7C", 250.0, 300.0, 10.0), ("7C", 250 + 66 * SCALE, 300.0, 8.0)]
    rows = [row for laid in two for n in (1, -1) for row in (index(laid, n), other(laid, n))]
    assert read(join(found(rows), shown(*["7C"] * 8))[0]) == {"7C": 2}


def test_equal_neighbours_in_a_row_of_four_corner_cards_are_two_however_they_step() -> None:
    # The left corners of both lie as the four corners of a narrower card do.
    for step_mm in (28.0, 32.0, 36.0):
        names = ("7C", "7H", "7H", "7S")
        row = [(name, 200 + step_mm * SCALE * n, 300.0, 0.0) for n, name in enumerate(names)]
        rows = [corner for laid in row for corner in (index(laid, 1), other(laid, -1))]
        rows += [index(row[-1], -1), other(row[-1], 1)]
        indices = found(rows)
        faces = shown(*(name for name in names for _ in range(2)), "7S", "7S")
        assert read(join(indices, faces)[0]) == Counter(names)


def test_sizes_measured_too_small_do_not_part_the_two_corners_of_a_card() -> None:
    column = [("AS", 300.0, 200.0, 0.0), ("AD", 300.0, 240.0, 0.0), ("AC", 300.0, 280.0, 0.0)]
    rows = [corner for laid in column for corner in (index(laid, 1), other(laid, 1))]
    heights = [INDEX_MM * SCALE * share for share in (1.05, 1.05, 0.85, 0.85, 1.05, 1.05)]
    cards, _ = join(found(rows, heights), shown("AS", "AS", "AD", "AD", "AC", "AC"))
    assert read(cards) == {"AS": 1, "AD": 1, "AC": 1}


def test_indices_of_a_pile_near_a_cards_long_side_do_not_part_its_corners() -> None:
    pile = [("AC", 300.0, 300.0, 14.0), ("AD", 314.0, 322.0, 14.0)]
    rows = [corner for laid in pile for corner in (index(laid, 1), other(laid, -1))]
    cards, _ = join(found(rows), shown("AC", "AC", "AD", "AD"))
    assert read(cards) == {"AC": 1, "AD": 1}


@pytest.mark.parametrize("index_mm", [14.0, 17.0])
def test_a_ribbon_of_four_corner_cards_is_recognised_by_the_corners_along_one_side(
    index_mm: float,
) -> None:
    rows = [row for laid in RIBBON for row in (index(laid, 1), other(laid, -1))]
    faces = shown(*(laid[0] for laid in RIBBON for _ in range(2)))
    indices = found(rows, [index_mm * SCALE] * len(rows))
    cards, _ = join(indices, faces)
    assert (
        read(cards)
        == read(without_spurious(cards, indices, faces))
        == {laid[0]: 1 for laid in RIBBON}
    )


def test_both_diagonals_of_a_card_are_one_card_whatever_they_read() -> None:
    laid = ("6D", 300.0, 300.0, 20.0)
    rows = [index(laid, 1), index(laid, -1), other(laid, 1), other(laid, -1)]
    (card,), _ = join(found(rows), shown("6D", "6D", "5D", "5D"))
    assert float(card.faces.max()) < SURE


def test_what_is_read_at_the_fourth_corner_of_a_card_belongs_to_it() -> None:
    laid, beside = ("7C", 300.0, 300.0, 20.0), ("AH", 420.0, 300.0, 20.0)
    rows = [index(laid, 1), index(laid, -1), other(laid, -1), other(laid, 1), index(beside, 1)]
    indices, faces = found(rows), shown("7C", "7C", "7C", "2C", "AH")
    assert read(without_spurious(join(indices, faces)[0], indices, faces)) == {"7C": 1, "AH": 1}


def test_four_corners_are_one_card_though_its_indices_seemed_smaller() -> None:
    """As found on a dealt table: too far from each other for the deck's shape, and two jacks."""
    rows = [
        (326.0, 802.0, 0.27, 0.96), (241.0, 811.0, 0.2, 0.98),
        (226.0, 703.0, -0.12, -0.99), (312.0, 693.0, -0.19, -0.98),
    ]  # fmt: skip
    indices, faces = found(rows, [17.7, 20.6, 18.6, 18.6]), shown(*["JD"] * 4)
    shape = Shape(4.307, 5.091)
    (four,) = rectangles(indices, faces, range(4), shape)
    assert {frozenset(four[:2]), frozenset(four[2:])} == {frozenset((0, 2)), frozenset((1, 3))}
    assert rectangles(indices, shown("JD", "JD", "JD", "QD"), range(4), shape) == []


@pytest.mark.parametrize("read_as", ["8D", "JD"])
def test_the_other_corners_of_a_card_are_its_own_whatever_they_read(read_as: str) -> None:
    """An eight whose other two corners looked like a German jack's B was both, on a dealt table."""
    laid = ("8D", 300.0, 300.0, 8.0)
    rows = [corner(laid, n) for corner in (index, other) for n in (1, -1)]
    # A third one alone, and both.
    for number in (3, 4):
        cards, _ = join(found(rows[:number]), shown("8D", "8D", *[read_as] * (number - 2)))
        assert read(cards) == {"8D": 1}


def test_a_card_that_ends_where_another_begins_is_not_its_corner() -> None:
    laid = ("8D", 300.0, 300.0, 0.0)
    x, y, _, _ = other(laid, 1)
    rows = [index(laid, 1), index(laid, -1), (x, y, 0.0, 1.0)]
    assert read(join(found(rows), shown("8D", "8D", "JD"))[0]) == {"8D": 1, "JD": 1}


@pytest.mark.parametrize("step", [20.0, 40.0, 66.0])
def test_the_indices_of_two_equal_cards_side_by_side_are_no_rectangle(step: float) -> None:
    pair = [("JD", 300.0 + step * SCALE * place, 300.0, 8.0) for place in (0, 1)]
    rows = [index(laid, corner) for laid in pair for corner in (1, -1)]
    assert rectangles(found(rows), shown(*["JD"] * 4), range(4), Shape()) == []


@pytest.mark.parametrize("turn", [0.0, 12.0, 22.0])
def test_a_fourth_corner_that_was_found_turned_is_the_same_card_s(turn: float) -> None:
    """On a dealt table it was found turned by 20 degrees, and was one more three of spades."""
    laid = ("3S", 300.0, 300.0, 10.0)
    *place, up_x, up_y = other(laid, 1)
    angle = np.radians(turn)
    turned = (
        up_x * np.cos(angle) - up_y * np.sin(angle),
        up_x * np.sin(angle) + up_y * np.cos(angle),
    )
    rows = [index(laid, 1), index(laid, -1), other(laid, -1), (*place, *turned)]
    assert read(join(found(rows), shown(*["3S"] * 4))[0]) == {"3S": 1}


@pytest.mark.parametrize("overlap_mm", [3.0, 6.0, 9.0])
def test_the_next_card_of_a_row_is_no_third_corner(overlap_mm: float) -> None:
    """Five cards of a spread deck, each over the edge of the one before, were called missing."""
    names = ("9D", "4C", "8H", "2S", "TS")
    step = (POKER[0] - overlap_mm) * SCALE
    row = [(name, 120 + step * place, 300.0, 0.0) for place, name in enumerate(names)]
    rows = [index(laid, 1) for laid in row] + [index(laid, -1) for laid in row[:3]]
    indices, faces = found(rows), shown(*names, *names[:3])
    assert read(without_spurious(join(indices, faces)[0], indices, faces)) == dict.fromkeys(
        names, 1
    )


def test_a_half_covered_corner_belongs_to_the_card_of_which_a_side_is_in_sight() -> None:
    """Of a two of spades with four indices, the covered one was read as a two of clubs."""
    two = ("2S", 300.0, 300.0, 5.0)
    rows = [other(two, 1), index(two, -1), other(two, -1)]
    faces = np.concatenate([shown("2S", "2S", sure=0.99), shown("2C", sure=0.94)])
    assert read(join(found(rows), faces)[0]) == {"2S": 1}
    clear = np.concatenate([shown("2S", "2S", sure=0.99), shown("2C", sure=0.98)])
    assert read(join(found(rows), clear)[0]) == {"2S": 1, "2C": 1}


@pytest.mark.parametrize(("turn", "cards"), [(10.0, 1), (40.0, 2)])
def test_an_index_that_lies_askew_is_no_corner_of_the_card_of_which_a_side_is_in_sight(
    turn: float, cards: int
) -> None:
    """A two of clubs under the two of spades is turned against it, and shows an index beside it."""
    two = ("2S", 300.0, 300.0, 5.0)
    x, y, *_ = other(two, -1)
    up = np.radians(5.0 + turn)
    rows = [other(two, 1), index(two, -1), (x, y, -np.sin(up), np.cos(up))]
    faces = np.concatenate([shown("2S", "2S", sure=0.99), shown("2C", sure=0.94)])
    assert len(join(found(rows), faces)[0]) == cards


@pytest.mark.parametrize(
    ("turn", "sure", "cards"), [(15.0, 0.91, 1), (0.0, 0.91, 2), (15.0, 0.98, 2)]
)
def test_what_an_unclear_corner_reads_counts_for_nothing_if_it_was_read_askew(
    turn: float, sure: float, cards: int
) -> None:
    """A jack of diamonds' third index, half covered and found turned, was read as a three."""
    jack = ("JD", 300.0, 300.0, 5.0)
    x, y, *_ = other(jack, -1)
    up = np.radians(5.0 + turn)
    rows = [other(jack, 1), index(jack, -1), (x, y, -np.sin(up), np.cos(up))]
    faces = np.concatenate([shown("JD", "JD", sure=0.99), shown("3D", sure=sure)])
    assert len(join(found(rows), faces)[0]) == cards


def test_the_size_of_a_corner_that_was_found_turned_does_not_part_it_from_the_other() -> None:
    """Of an ace in a column, half covered, an index was found turned and a fifth too small."""
    ace, high = ("AD", 300.0, 300.0, 0.0), INDEX_MM * SCALE
    x, y, *_ = other(ace, 1)
    up = np.radians(22.0)
    rows = [index(ace, 1), (x + 6, y + 10, np.sin(up), -np.cos(up))]
    rows += [index(("KS", 600.0, 300.0, 0.0), corner) for corner in (1, -1)]
    faces = shown("AD", "AD", "KS", "KS", sure=0.99)
    cards, _ = join(found(rows, [high, 0.77 * high, high, high]), faces)
    assert read(cards) == {"AD": 1, "KS": 1}


def test_equal_four_corner_cards_on_a_pile_are_measured_by_their_sides() -> None:
    """The diagonals that seem to be there lead from one king to the next, and are too long."""
    kings = [("KD", 300.0 + 18 * SCALE * n, 300.0 + 9 * SCALE * n, 0.0) for n in range(4)]
    rows = [row for laid in kings for row in (other(laid, 1), index(laid, -1))]
    indices, faces = found(rows), shown(*["KD"] * 8)
    cards, shape = join(indices, faces)
    assert read(cards) == {"KD": 4}
    assert shape.down == pytest.approx((POKER[1] - 2 * TOP_MM) / INDEX_MM, abs=0.05)


def test_a_column_of_equal_four_corner_cards_is_measured_by_the_one_in_full_view() -> None:
    """Of three nines, each stepped down by a third of its length, one index was not found.

    Most sides that seem to be there lead from one of them to another.
    """
    step = 28 * SCALE
    nines = [("9H", 300.0 + 7 * SCALE * n, 300.0 + step * n, 0.0) for n in range(3)]
    rows = [corner(laid, 1) for laid in nines[:2] for corner in (index, other)]
    rows += [index(nines[2], 1), index(nines[2], -1), other(nines[2], -1)]
    cards, shape = join(found(rows), shown(*["9H"] * 7))
    assert read(cards) == {"9H": 3}
    assert shape.down == pytest.approx((POKER[1] - 2 * TOP_MM) / INDEX_MM, abs=0.05)


@pytest.mark.parametrize(("third", "cards"), [("7C", 2), ("6D", 3)])
def test_a_corner_whose_sign_lies_under_a_card_is_known_by_its_rank(third: str, cards: int) -> None:
    # The jack hides the upper half of the lower left index, which is found where its lower half is.
    seven, jack = ("7D", 300.0, 300.0, 0.0), ("JC", 280.0, 277.0, 0.0)
    rows = [corner(jack, end) for corner in (index, other) for end in (1, -1)]
    x, y, *up = other(seven, -1)
    rows += [other(seven, 1), index(seven, -1), (x, y + 2.5, *up)]
    heights = [INDEX_MM * SCALE] * 6 + [0.8 * INDEX_MM * SCALE]
    faces = np.concatenate([shown(*["JC"] * 4, "7D", "7D"), shown(third, sure=0.98)])
    assert len(join(found(rows, heights), faces)[0]) == cards


@pytest.mark.parametrize(("showing", "cards"), [(4, 2), (3, 3)])
def test_an_index_of_a_card_in_full_view_does_not_part_two_corners_under_it(
    showing: int, cards: int
) -> None:
    """Of a two of diamonds, both upper corners peeped out over a six that was laid on it."""
    two, six = ("2D", 300.0, 300.0, -16.0), ("6C", 312.0, 314.0, 0.0)
    rows = [index(two, 1), other(two, 1)]
    rows += [f(six, n) for f in (index, other) for n in (1, -1)][:showing]
    faces = shown("2D", "2D", *["6C"] * showing, sure=0.99)
    assert len(join(found(rows), faces)[0]) == cards


@pytest.mark.parametrize(("step_mm", "jacks"), [(38.0, 2), (46.0, 2), (63.5 - 2 * 6.2, 1)])
def test_two_equal_cards_in_a_row_are_not_one_narrower_than_the_card_beside_them(
    step_mm: float, jacks: int
) -> None:
    """The right sides of two jacks showed, three quarters of a card apart, beside a three."""
    three = ("3C", 300.0, 300.0, 2.0)
    row = [("JC", 392.0, 302.0, 0.0), ("JC", 392.0 + step_mm * SCALE, 302.0, 0.0)]
    rows = [f(three, n) for f in (index, other) for n in (1, -1)]
    rows += [corner for laid in row for corner in (other(laid, 1), index(laid, -1))]
    cards, _ = join(found(rows), shown(*["3C"] * 4, *["JC"] * 4, sure=0.99))
    assert read(cards) == {"3C": 1, "JC": jacks}
    assert sorted(len(card.members) for card in cards) == [2] * (jacks - 1) * 2 + [4] * (3 - jacks)


def test_a_card_in_full_view_parts_no_corners_in_whatever_order_it_is_found() -> None:
    """Its last corners were found after those of the card under it."""
    two, six = ("2D", 300.0, 300.0, -16.0), ("6C", 312.0, 314.0, 0.0)
    corners = [f(six, n) for f in (index, other) for n in (1, -1)]
    rows = [corners[0], index(two, 1), other(two, 1), *corners[1:]]
    # Without a second diagonal, the six is put together corner by corner.
    faces = shown("6C", "2D", "2D", "6C", "6C", "6C", sure=0.99)
    assert read(join(found(rows), faces)[0]) == {"2D": 1, "6C": 1}


@pytest.mark.parametrize(("read_as", "cards"), [("JD", 2), ("JS", 3)])
def test_an_end_under_another_card_is_known_by_the_other_end(read_as: str, cards: int) -> None:
    """With its upper half under a nine, the rank of a queen was read as a jack's at 0.995."""
    queen, nine = ("QD", 300.0, 300.0, -20.4), ("9D", 170.0, 302.0, 18.6)
    rows = [index(nine, 1), index(nine, -1), index(queen, 1), index(queen, -1)]
    faces = shown("9D", "9D", read_as, "QD", sure=0.995)
    found_cards, _ = join(found(rows), faces)
    assert len(found_cards) == cards
    assert read(found_cards)["QD"] == 1


def test_a_clear_end_is_not_given_to_one_that_is_hardly_read() -> None:
    """Of an eight, the other end was hardly seen, and the clear one was given to that."""
    queen, nine = ("QD", 300.0, 300.0, -20.4), ("9D", 170.0, 302.0, 18.6)
    rows = [index(nine, 1), index(nine, -1), index(queen, 1), index(queen, -1)]
    faces = np.concatenate([shown("9D", "9D", "QD", sure=0.995), shown("JD", sure=0.29)])
    cards, _ = join(found(rows), faces)
    assert read(cards)["QD"] == 1


def placed(*rows: tuple[str, float, float, float, float, float]) -> tuple[Indices, np.ndarray]:
    """Indices as they were found in a picture: face, place, height and direction of each."""
    at = np.array([row[1:] for row in rows], np.float32)
    ups = at[:, 3:] / np.linalg.norm(at[:, 3:], axis=1, keepdims=True)
    found_ = Indices(at[:, :2].copy(), ups, at[:, 2].copy(), np.ones(len(rows), np.float32))
    return found_, shown(*(row[0] for row in rows), sure=0.995)


def test_four_corners_that_no_other_card_could_have_are_one_card() -> None:
    """A column of a six of spades and three equal ones of hearts: one end of the topmost card and
    one of the next fit the deck's shape as two ends of a card do."""
    column = placed(
        ("6H", 631, 322, 22.9, 0.99, -0.12), ("6H", 734, 305, 24.9, 0.98, -0.18),
        ("6H", 535, 332, 25.4, -0.98, 0.2), ("6H", 666, 316, 23.3, 0.99, -0.15),
        ("6S", 696, 312, 24.4, 0.99, -0.15), ("6H", 545, 412, 24.3, -0.98, 0.18),
        ("6S", 708, 390, 20.6, 1.0, -0.1), ("6H", 676, 395, 25.6, 1.0, -0.04),
        ("6H", 641, 400, 22.8, 0.99, -0.16), ("6H", 745, 384, 23.8, 0.98, -0.2),
    )  # fmt: skip
    cards, _ = join(*column)
    assert read(cards) == {"6H": 3, "6S": 1}
    assert {2, 5, 8, 0} in [set(card.members) for card in cards]


def test_two_corners_that_are_askew_alike_are_one_card_s_where_the_others_of_a_column_stand() -> (
    None
):
    """Both upper indices of one of three equal twos lean to the right, by 4 and 14 degrees."""
    column = placed(
        ("AC", 678, 461, 22.8, 0.04, 1.0), ("KH", 602, 254, 20.9, -0.03, -1.0),
        ("AC", 606, 376, 24.6, 0.0, -1.0), ("2D", 603, 351, 22.1, -0.01, -1.0),
        ("2D", 606, 318, 21.3, 0.09, -1.0), ("2D", 601, 287, 19.4, 0.07, -1.0),
        ("AC", 676, 376, 23.2, -0.11, -0.99), ("AC", 607, 463, 22.0, 0.02, 1.0),
        ("2D", 676, 316, 23.0, -0.28, -0.96), ("2D", 671, 283, 23.1, 0.24, -0.97),
        ("2D", 674, 347, 22.4, -0.03, -1.0), ("KH", 673, 252, 24.8, -0.01, -1.0),
    )  # fmt: skip
    cards, _ = join(*column)
    assert read(cards) == {"AC": 1, "KH": 1, "2D": 3}


@pytest.mark.parametrize("step_mm", [11.0, 14.0])
def test_two_equal_cards_that_show_the_same_side_are_two(step_mm: float) -> None:
    """Their four corners lay near each other in pairs, and were one card's."""
    jacks = [("JC", 300.0 - step_mm * SCALE * n, 300.0, 0.0) for n in (1, 2)]
    top = ("3D", 300.0, 300.0, 0.0)
    rows = [corner for laid in jacks for corner in (index(laid, 1), other(laid, -1))]
    rows += [f(top, n) for f in (index, other) for n in (1, -1)]
    cards, _ = join(found(rows), shown(*["JC"] * 4, *["3D"] * 4, sure=0.99))
    assert read(cards) == {"JC": 2, "3D": 1}


PILE = {
    "2C": [
        (541, 254, 0.1, -1, 21.9), (566, 273, 0.15, -0.99, 22.9), (691, 325, -0.12, -0.99, 22.7),
        (624, 416, 0.06, 1, 19.9), (646, 350, 0.18, -0.98, 23.7), (618, 330, 0.02, -1, 23.5),
        (557, 360, -0.03, 1, 22.9), (538, 341, -0.09, 1, 22.1), (613, 255, -0.2, -0.98, 23.2),
        (639, 282, 0.36, -0.93, 20.8), (635, 435, -0.12, 0.99, 26.8),
    ],
    "4H": [
        (673, 371, 0.1, -1, 23.9), (584, 312, -0.12, -0.99, 21.3), (594, 399, 0.11, 0.99, 22.7),
        (666, 459, -0.14, 0.99, 22.1), (738, 464, -0.04, 1, 21.7), (745, 377, 0.07, -1, 23.5),
        (655, 303, -0.09, -1, 22.8),
    ],
}  # fmt: skip
"""Where the reader found the indices of a drawn spread pile of six cards, in which direction and
how large."""


def test_corners_of_two_equal_cards_on_a_pile_are_not_a_third_card() -> None:
    """A corner of each of two deuces, of what was in sight of them, lay as a card's two ends do."""
    names = [name for name, corners in PILE.items() for _ in corners]
    corners = [corner for one in PILE.values() for corner in one]
    indices = found([corner[:4] for corner in corners], [corner[4] for corner in corners])
    cards, _ = join(indices, shown(*names, sure=0.99))
    assert read(cards) == {"2C": 4, "4H": 2}


@pytest.mark.parametrize(("third", "cards"), [("6C", 2), ("7S", 3)])
def test_a_corner_whose_sign_lies_under_a_card_seen_by_its_side_is_known_by_its_rank(
    third: str, cards: int
) -> None:
    """Of the card above it, the others left two corners in sight, too."""
    six, above = ("6S", 300.0, 300.0, 0.0), ("9D", 284.0, 275.0, 0.0)
    rows = [index(above, -1), other(above, 1), other(six, 1), index(six, -1)]
    x, y, *up = other(six, -1)
    rows += [(x, y + 2.5, *up)]
    heights = [INDEX_MM * SCALE] * 4 + [0.8 * INDEX_MM * SCALE]
    faces = np.concatenate([shown("9D", "9D", "6S", "6S"), shown(third, sure=0.99)])
    assert len(join(found(rows, heights), faces)[0]) == cards


@pytest.mark.parametrize(("between", "sevens"), [(True, 2), (False, 1)])
def test_no_other_end_is_seen_through_a_card_that_lies_over_it(between: bool, sevens: int) -> None:
    """Of a spread pile, the index of the last card but one lay where the first one's end would."""
    first = ("7C", 300.0, 300.0, 0.0)
    x, y, *_ = index(first, -1)
    over = ("9C", 300.0 + 12 * SCALE, 300.0 + 8 * SCALE, 0.0)
    rows = [index(first, 1), (x, y, 0.0, -1.0), *([index(over, 1)] if between else [])]
    faces = np.concatenate([shown("7C", sure=0.99), shown("7C", sure=0.5), shown("9C", sure=0.99)])
    indices = found(rows)
    cards = stacked(join(indices, faces[: len(rows)])[0], indices)
    assert read(cards)["7C"] == sevens
