"""Learning a deck's shape card by card makes outlines exact to a hair's breadth."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
import pytest

from firmware.rehearsal.setting import AREA, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import BACK, parse_cards
from tests.laid_indices import SCALE, found, index, read, shown
from tests.outlines import pairs
from vision.join.joining import join
from vision.join.proportions import KNOWN, REMEMBERED, Proportions
from vision.picture.geometry import Box
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.sightings import INDEX_MM

LARGE_PX = 27 * SCALE
"""The height of a large-print index."""


def learned(count: int = KNOWN) -> Proportions:
    """A large-print deck of which that many cards have been read, one after the other."""
    deck = Proportions()
    for number in range(count):
        laid = ("QS", 200.0 + 40 * number, 300.0, 7.0 * number)
        rows = [index(laid, corner) for corner in (1, -1)]
        join(found(rows, [LARGE_PX] * 2), shown("QS", "QS", sure=0.99), deck)
    return deck


def test_equal_cards_in_a_meld_do_not_bend_the_shape_of_a_deck() -> None:
    """Known or not: a card's other end makes one as seen from above, the next card's does not."""
    names = ["AH", "AS", "AH"]
    meld = [(name, 200 + number * 17 * SCALE, 300.0, 0.0) for number, name in enumerate(names)]
    rows = [*(index(laid, 1) for laid in meld), index(meld[-1], -1)]
    indices, faces = found(rows, [LARGE_PX] * 4), shown(*names, "AH", sure=0.99)
    told, known = join(indices, faces), join(indices, faces, learned())
    for cards, shape in (told, known):
        assert shape.across == pytest.approx((63.5 - 2 * 6.2) / 27, rel=0.01)
        assert read(cards) == {"AH": 2, "AS": 1}
    for card, (_, x, y, _) in zip(sorted(known[0], key=lambda c: c.centre[0]), meld, strict=True):
        assert card.centre == pytest.approx((x, y), abs=1)


def test_equal_cards_side_by_side_are_two_if_the_deck_has_indices_in_two_corners_only() -> None:
    row = [("3C", 200.0, 300.0, 180.0), ("3C", 200.0 + 49 * SCALE, 300.0, 180.0)]
    indices = found([index(laid, 1) for laid in row], [LARGE_PX] * 2)
    faces = shown("3C", "3C", sure=0.99)
    known, other = learned(), learned()
    other.note_corners([True] * REMEMBERED)
    assert (known.two_cornered, other.two_cornered) == (True, False)
    assert read(join(indices, faces, known)[0]) == {"3C": 2}
    assert read(join(indices, faces, other)[0]) == {"3C": 1}


@pytest.mark.parametrize("askew", [-6.0, 3.0, 6.0])
def test_the_finder_s_error_of_direction_does_not_turn_a_card_of_a_known_deck(askew: float) -> None:
    laid = ("KC", 400.0, 300.0, 30.0)
    rows = [index(laid, corner) for corner in (1, -1)]
    turn = radians(askew)
    turned = [
        (x, y, u * cos(turn) - v * sin(turn), u * sin(turn) + v * cos(turn)) for x, y, u, v in rows
    ]
    (card,), _ = join(found(turned, [LARGE_PX] * 2), shown("KC", "KC", sure=0.99), learned())
    assert np.degrees(np.arctan2(card.up[0], -card.up[1])) == pytest.approx(30, abs=0.2)


def test_another_deck_is_known_after_some_time() -> None:
    deck = learned()
    deck.note([(3.0, 3.75)] * REMEMBERED)
    assert deck.shape is not None
    assert (deck.shape.across, deck.shape.down) == (3.0, 3.75)


@pytest.mark.slow
def test_cards_in_the_same_place_are_read_in_the_same_place() -> None:
    apart = [one.apart for one in pairs(0, 3, known=True)]
    assert len(apart) > 8
    assert np.percentile(apart, 90) < 0.03  # 0.07 if each spot learns the deck's shape anew


def test_a_lone_back_of_a_deck_of_large_print_is_one_card() -> None:
    """Where no index is in sight the camera's scale is that of a standard index, not the deck's."""
    seed = 310
    table, deck = Tabletop(setting(seed=seed), seed=seed), Proportions()
    deck.note([(1.84, 1.99)] * KNOWN)
    plane = Plane(table.matrix)
    place = AREA[0] / 2, AREA[1] / 2
    reader = CardReader(index_height=INDEX_MM * plane.scale(place), deck=deck)
    (ten,) = parse_cards("TS")
    now = table.bring(table.piece(ten, up=False), Pose(*place), now=0.0)
    corners = [(place[0] + x, place[1] + y) for x in (-80, 80) for y in (-80, 80)]
    region = Box.around([plane.pixels(corner) for corner in corners])
    assert reader.read(table.frame(now + 1), regions=[region]).cards == (BACK,)
