"""Which two single indices are the ends of one card, and which are of two."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.laid_indices import (
    POKER,
    SCALE,
    Laid,
    covered,
    found,
    index,
    other,
    outline,
    read,
    shown,
)
from vision.join.ends import reconciled
from vision.join.evidence import blobs, faced
from vision.join.joining import join
from vision.join.proportions import ACROSS, DOWN, KNOWN, Proportions, Shape
from vision.read.index_classifier import FACES
from vision.sightings import SURE

JACK = ("JS", 300.0, 300.0, 20.0)


def test_agreement_raises_confidence_and_disagreement_lowers_it() -> None:
    laid = ("6D", 300.0, 300.0, 30.0)
    indices = found([index(laid, 1), index(laid, -1)])
    alone = float(shown("6D", sure=0.7)[0].max())
    agreed, _ = join(indices, shown("6D", "6D", sure=0.7))
    assert agreed[0].faces.max() > alone
    faces = shown("6D", "8D")
    apart, _ = join(indices, faces)
    lying = covered([outline(laid)])
    (doubt,) = reconciled(apart, indices, faces, lying, blobs(lying.face, lying))
    assert doubt.faces.max() < SURE
    likely = {str(FACES[number]) for number in np.argsort(-doubt.faces)[:2]}
    assert likely == {"6D", "8D"}


def test_two_cards_that_differ_do_not_become_one_because_they_touch() -> None:
    under, over = ("6D", 300.0, 300.0, 0.0), ("8D", 330.0, 300.0, 0.0)
    indices = found([index(under, 1), index(over, -1)])
    faces = shown("6D", "8D")
    cards, _ = join(indices, faces)
    whole = covered([outline(under), outline(over)])
    assert read(reconciled(cards, indices, faces, whole, blobs(whole.face, whole))) == {
        "6D": 1,
        "8D": 1,
    }


@pytest.mark.parametrize(
    ("assumed", "beside", "cards"), [(True, 0, 1), (True, 1, 3), (False, 0, 2)]
)
def test_two_indices_alone_in_a_picture_are_one_card_of_whatever_proportions(
    assumed: bool, beside: int, cards: int
) -> None:
    """In a photograph with flat pixels a card was as wide as it is long, and its ends differed."""
    width = 84.0
    rows = [index(("AS", 300.0, 300.0, 0.0), end, (width, POKER[1])) for end in (1, -1)]
    rows += [index(("7D", 700.0, 300.0, 0.0), 1)] * beside
    indices, faces = found(rows), shown("AS", "AC", *["7D"] * beside)
    none = covered([])
    left, shape = join(indices, faces)
    assert shape == Shape()
    assert len(reconciled(left, indices, faces, none, [], assumed=assumed)) == cards


@pytest.mark.parametrize("aside_mm", [-6.0, 0.0, 12.0])
def test_equal_cards_end_to_end_stay_two(aside_mm: float) -> None:
    """Of two melds side by side an ace in each: their indices stand head to head."""
    away = SCALE * (POKER[1] + 3.0)
    two = [("AC", 300.0, 300.0, 90.0), ("AC", 300.0 + away, 300.0 + SCALE * aside_mm, -90.0)]
    indices = found([index(laid, 1) for laid in two])
    faces = shown("AC", "AC")
    cards, _ = join(indices, faces)
    paper = np.asarray([(0, 0), (999, 0), (999, 599), (0, 599)], np.float32)
    for areas in (covered([outline(laid) for laid in two]), covered([paper])):
        left = reconciled(cards, indices, faces, areas, blobs(areas.face, areas))
        assert read(left) == {"AC": 2}


def test_a_card_half_covered_is_one_beside_which_another_peeps_out() -> None:
    """On a pile of a four-corner deck both right corners of a jack are in sight, and right of
    them the index of a six below."""
    jack, ace = ("JS", 300.0, 300.0, 2.0), ("AC", 258.0, 300.0, 0.0)
    six = ("6D", 309.0, 308.0, 14.0)
    covering = [index(ace, corner) for corner in (1, -1)] + [other(ace, n) for n in (1, -1)]
    rows = [*covering, other(jack, 1), index(jack, -1), other(six, 1)]
    indices, faces = found(rows), shown("AC", "AC", "AC", "AC", "JS", "JS", "6D")
    paper = covered([outline(laid) for laid in (jack, ace, six)])
    cards = faced(join(indices, faces)[0], indices, paper)
    cards = reconciled(cards, indices, faces, paper, blobs(paper.face, paper))
    assert read(cards) == {"JS": 1, "AC": 1, "6D": 1}
    (told,) = (card for card in cards if read([card]) == {"JS": 1})
    common, _ = cv2.intersectConvexConvex(told.corners, outline(jack))
    assert common > 0.85 * POKER[0] * POKER[1] * SCALE**2


@pytest.mark.parametrize(
    ("beside", "read_as", "cards"), [((), [], 1), (JACK, ["JS", "JS"], 2), (JACK, ["JS", "TS"], 2)]
)
def test_the_ends_of_two_cards_on_a_pile_make_no_card_larger_than_another(
    beside: Laid | tuple[()], read_as: list[str], cards: int
) -> None:
    # Alone, they may be those of one card at a steep slant.
    fives = [("5D", 230.0, 300.0, 0.0), ("5D", 230.0 + 40.0 * SCALE, 300.0, 0.0)]
    rows = [index(fives[0], 1), index(fives[1], -1)]
    rows += [index(beside, corner) for corner in (1, -1) if beside]
    indices, faces = found(rows), shown("5D", "5D", *read_as, sure=0.99)
    pile = covered([outline(one) for one in fives])
    deck = Proportions()
    deck.note([(ACROSS, DOWN)] * KNOWN)
    left = reconciled(join(indices, faces, deck)[0], indices, faces, pile, [])
    assert read(left)["5D"] == cards


def test_two_sure_readings_of_the_ends_of_two_cards_on_a_pile_are_two() -> None:
    """Between them lies a third card, so that one end of each is in sight."""
    eight, queen = ("8D", 316.0, 303.0, -15.0), ("QD", 300.0, 300.0, -5.0)
    indices = found([index(eight, -1), index(queen, 1)])
    faces = np.concatenate([shown("8D", sure=0.99), shown("QD", sure=0.99)])
    cards, _ = join(indices, faces)
    assert read(reconciled(cards, indices, faces, covered([]), [])) == {"8D": 1, "QD": 1}


def test_two_sure_readings_of_the_ends_of_one_card_are_a_question() -> None:
    six = ("6D", 300.0, 300.0, 0.0)
    indices = found([index(six, 1), index(six, -1)])
    faces = np.concatenate([shown("6D", sure=0.99), shown("5D", sure=0.99)])
    cards, _ = join(indices, faces)
    assert read(cards) == {"6D": 1, "5D": 1}
    (card,) = reconciled(cards, indices, faces, covered([]), [])
    assert float(card.faces.max()) < SURE


@pytest.mark.parametrize(
    ("names", "sure", "cards"), [(("8S", "8C"), 0.9, 1), (("3H", "KH"), 0.99, 2)]
)
def test_two_corners_of_a_card_s_long_side_are_no_narrow_card(
    names: tuple[str, str], sure: float, cards: int
) -> None:
    """They were taken for opposite corners, so that a card 13 mm wide was made of them.

    Those that are clearly different are of two cards on a pile, of which each shows a corner.
    """
    laid = (names[0], 300.0, 300.0, 0.0)
    x, y, *up = index(laid, 1)
    # The lower left index of a four-corner card, as far from its left edge, upside down.
    indices = found([(x, y, *up), (x, 600.0 - y, up[0], -up[1])])
    faces = np.concatenate([shown(name, sure=sure) for name in names])
    paper = covered([outline(laid)])
    both = faced(join(indices, faces)[0], indices, paper)
    both = tuple(replace(card, corners=outline(laid).astype(np.float32)) for card in both)
    left = reconciled(both, indices, faces, paper, [])
    assert len(left) == cards
    for card in left:
        width, length = sorted(
            float(np.linalg.norm(card.corners[n] - card.corners[n - 1])) for n in (1, 2)
        )
        assert 1.2 < length / width < 1.7


@pytest.mark.parametrize(
    ("second", "beside", "left"),
    [
        ("2H", 0.0, {"QH": 1, "JS": 1}),
        # Where no edge runs near them, or of two suits, they are two.
        ("2H", 60.0, {"QH": 1, "2H": 1, "JS": 1}),
        ("2D", 0.0, {"QH": 1, "2D": 1, "JS": 1}),
    ],
)
def test_a_cut_corner_on_a_card_s_long_side_is_its_own_however_clearly_read(
    second: str, beside: float, left: dict[str, int]
) -> None:
    """In a fan of a four-corner deck the inner corner of a queen was read as a two, at 0.996."""
    queen, jack = ("QH", 300.0, 300.0, 0.0), ("JS", 322.0 + beside, 300.0, 10.0)
    rows = [index(queen, 1), other(queen, -1), index(jack, 1), index(jack, -1)]
    indices, faces = found(rows), shown("QH", second, "JS", "JS", sure=0.996)
    paper = covered([outline(queen), outline(jack)])
    cards = [
        replace(card, corners=outline(queen)) if len(card.members) == 1 else card
        for card in faced(join(indices, faces)[0], indices, paper)
    ]
    told = reconciled(cards, indices, faces, paper, [])
    assert read(told) == left
    assert min(float(card.faces.max()) for card in told) >= SURE


def test_the_cut_end_of_a_card_in_a_row_does_not_question_the_other() -> None:
    """The edge of the next card made a five of a six, read at 0.995."""
    six, beside = ("6D", 300.0, 300.0, 0.0), ("8H", 300.0 + 59.0 * SCALE, 300.0, 0.0)
    indices = found([index(six, 1), index(six, -1), index(beside, 1)], [27.0, 27.0, 27.0])
    faces = np.concatenate([shown(name, sure=0.99) for name in ("6D", "5D", "8H")])
    cards, _ = join(indices, faces)
    left = reconciled(cards, indices, faces, covered([]), [])
    assert read(left) == {"6D": 1, "8H": 1}
    assert min(float(card.faces.max()) for card in left) >= SURE


@pytest.mark.parametrize(
    ("ends", "sure", "left"),
    [
        (("4C", "7C"), 0.92, {"4C": 1, "3H": 1}),
        (("4C", "4S"), 0.92, {"4C": 1, "3H": 1}),
        # Another suit and rank, or a reading that is clear, may be a card of its own.
        (("4C", "7S"), 0.92, {"4C": 1, "7S": 1, "3H": 1}),
        (("4C", "7C"), 0.99, {"4C": 1, "7C": 1, "3H": 1}),
    ],
)
def test_the_cut_end_of_a_card_is_its_own_although_both_point_a_little_aside(
    ends: tuple[str, str], sure: float, left: dict[str, int]
) -> None:
    """Of a four of clubs, of which two cards covered the corners, the cut end was a seven."""
    four, over = ("4C", 500.0, 300.0, 0.0), ("3H", 432.0, 205.0, 40.0)
    aside = (index((*four[:3], angle), corner) for angle, corner in ((12.0, 1), (8.0, -1)))
    (x, y, *_), (to_x, to_y, *_) = (index(four, corner) for corner in (-1, 1))
    (*_, up_x, up_y), (*_, to_up_x, to_up_y) = aside
    rows = [(x, y, -up_x, -up_y), (to_x, to_y, -to_up_x, -to_up_y), index(over, 1), index(over, -1)]
    indices = found(rows)
    read_so = shown(ends[0], sure=0.99), shown(ends[1], sure=sure), shown("3H", "3H")
    faces = np.concatenate(read_so)
    cards, _ = join(indices, faces)
    assert read(reconciled(cards, indices, faces, covered([]), [])) == left
