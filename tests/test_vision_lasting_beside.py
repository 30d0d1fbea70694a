"""Several parts of a spot have changed at once: what each of them says of cards beside it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rules.cards import Card
from tests.knowing import lying
from tests.lasting import (
    lies,
    lower_right_index,
    shown_by,
    together,
    unsettled,
    upper_left_index,
)
from vision import Box, Polygon
from vision.find.finder import Indices
from vision.join.proportions import EDGE_ACROSS
from vision.track.consensus import Vote
from vision.track.in_view import Patch, bares_index, has_own_index
from vision.track.lasting import _read_aside, outcome
from vision.track.likeness import singly
from vision.track.zones import Shot, Site, Zone

LAID = {"5D": 300.0, "KC": 397.0, "9H": 600.0}
"""Where three cards lie, the first two of them side by side."""


def spot_with_the_first() -> tuple[Zone, Shot]:
    """A spot whose bare table is known, and a picture in which only the first card lies there."""
    table, frame = (np.full((540, 960, 3), shade, np.uint8) for shade in (90, 90))
    frame[200:340, 252:348] = 220
    mask, everything = np.full((180, 320), 255, np.uint8), (slice(0, 180), slice(0, 320))
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    return zone, Shot(frame, frame[::3, ::3], 1 / 3, 1.0)


def test_cards_that_touch_do_not_have_each_others_indices() -> None:
    """Two of four were taken away at once; of the ones that stay, neither seems to be covered."""
    stays, goes, beside = (replace(lying(name, x), whole=True) for name, x in LAID.items())
    (zone, shot), shown = spot_with_the_first(), np.zeros((180, 320), np.uint8)
    zone.lying = (stays, goes, beside)
    glances = [upper_left_index(one) for one in zone.lying]
    joined = Indices.stacked([one.indices for one in glances])
    faces = np.concatenate([one.faces for one in glances])
    zone.glance = replace(glances[0], indices=joined, faces=faces)
    zone.changed = shown.copy()
    for one in (goes, beside):
        (left, top), (right, low) = one.outline[0], one.outline[2]
        part = slice(int(top / 3) + 1, int(low / 3)), slice(int(left / 3) + 1, int(right / 3))
        zone.changed[part] = 255
        shown[part] = 255 if one is beside else 0
    result = outcome(zone, Site.of(shown), Vote((), clear=True), shot, [shown_by(0.0)])
    assert (result.gone, result.covered) == (True, False)
    assert [one.card for one in result.lying] == [stays.card]


@pytest.mark.parametrize("reaches", [False, True])
def test_what_covers_a_card_holds_up_only_the_part_of_a_spot_that_it_reaches(
    reaches: bool,
) -> None:
    """Of two parts of a spot that change at once, neither waits for what is read of the other."""
    under, goes = (replace(lying(name, LAID[name]), whole=True) for name in ("5D", "9H"))
    (zone, shot), shown = spot_with_the_first(), np.zeros((180, 320), np.uint8)
    zone.lying, zone.glance = (under, goes), upper_left_index(under)
    shown[66:114, 185:216] = 255
    hand = slice(68, 85), slice(84, 95)
    zone.changed = shown.copy()
    zone.changed[hand] = 255
    if reaches:
        shown[hand] = 255
    result = outcome(zone, Site.of(shown), Vote((), clear=True), shot)
    assert (result.gone, result.covered) == (not reaches, reaches)
    assert [one.card for one in result.lying] == [under.card] * (not reaches)


@pytest.mark.parametrize("faces", [0.1, 0.9], ids=["a hand", "paper"])
def test_half_a_card_beside_a_hand_replaces_none_of_those_under_it(faces: float) -> None:
    """A forearm lay across a row: what it left of a ten was read askew, over the next two cards."""
    names = ("TH", "7C", "8H", "KC")
    ten, seven, eight, king = (lying(name, 300 + 33 * n) for n, name in enumerate(names))
    table, frame = (np.full((540, 960, 3), shade, np.uint8) for shade in (90, 220))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[67:113, 95:140] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    zone.lying = (ten, seven, eight, king)
    candidates = ((Card.parse("TH"), 0.83), (Card.parse("AH"), 0.09))
    half = replace(lying("?H", 311, sure=0.83), candidates=candidates)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    read = Vote((half, lying("KC", 396)), clear=False)
    result = outcome(zone, Site.of(shown), read, shot, [shown_by(faces)])
    assert result.covered is (faces < 0.5)


@pytest.mark.parametrize("faces", [0.1, 0.9], ids=["a hand", "paper"])
def test_what_is_read_with_doubt_beside_a_hand_replaces_none_of_those_under_it(
    faces: float,
) -> None:
    """A hand rested on a pile; of what it left, a jack was read with doubt, and a card of below."""
    jack, queen = lying("JH", 340), replace(lying("QH", 305), whole=True)
    zone, site, shot = unsettled("pile", (queen, jack), np.s_[67:113, 84:130])
    read = Vote((lying("JH", 341, sure=0.65), lying("6S", 338, sure=0.68)), clear=False)
    result = outcome(zone, site, read, shot, [shown_by(faces)])
    assert result.covered is (faces < 0.5)


@pytest.mark.parametrize("upper", [True, False])
def test_an_index_is_bared_where_the_card_over_it_lay(upper: bool) -> None:
    """A two was drawn from a pile, and both indices of the nine under it were read."""
    two, nine = lying("2H", 300), lying("9H", 340)
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    frame = np.full((540, 960, 3), 90, np.uint8)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying = (nine, two)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    here = Patch(zone, shot, np.zeros((180, 320), np.bool_), zone.lying)
    index = upper_left_index(nine) if upper else lower_right_index(nine)
    assert bares_index(here, nine, two, [index]) is upper


def test_a_back_that_clear_readings_miss_is_kept_but_marked() -> None:
    """Of three plain backs that overlap the middle one was taken: hardly anything changes."""
    fan = [lying("??", x) for x in (300, 340, 380)]
    border = slice(67, 113), slice(98, 100)
    missed = [one.missed for one in lies(fan, [fan[0], fan[2]], border)]
    assert missed == [False, True, False]
    again = lies([fan[0], replace(fan[1], missed=True), fan[2]], fan, border)
    assert not any(one.missed for one in again)


@pytest.mark.parametrize(("without", "missed"), [(5, True), (2, False)])
def test_a_back_that_most_looks_lack_is_marked_though_the_rest_is_not_read_anew(
    without: int, missed: bool
) -> None:
    """The third of four was drawn out: what changed lies on the fourth, which is far enough from
    the first two to be counted by itself. One look in six puts the second where the third lay."""
    row = [lying("??", x) for x in (260, 310, 350, 400)]
    places = [(260, 310, 400)] * without + [(260, 350, 400)] * (6 - without)
    looks = [[lying("??", x) for x in some] for some in places]
    border = slice(67, 113), slice(128, 131)
    marked = [one.missed for one in lies(row, row[3:], border, looks=looks)]
    assert marked == [False, False, missed, False]


@pytest.mark.parametrize("faces", [0.1, 0.9], ids=["a hand", "paper"])
def test_an_index_beside_a_hand_shows_that_something_lies_under_it(faces: float) -> None:
    """Of an ace under a palm the lower index showed, too little for the reader."""
    table, frame = (np.full((540, 960, 3), shade, np.uint8) for shade in (90, 220))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[60:120, 80:120] = 255
    border = Polygon.rectangle(200, 150, 240, 240)
    zone = Zone("discards", border, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    index = lower_right_index(lying("AD", 300))
    now = replace(index, areas=shown_by(faces).areas)
    result = outcome(zone, Site.of(shown), Vote((), clear=True), shot, [now])
    assert result.covered is (faces < 0.5)


@pytest.mark.parametrize(("turned", "there"), [(0, 1), (16, 2)])
def test_an_equal_card_turned_on_another_is_a_second_one(turned: float, there: int) -> None:
    """Over a pile's three came an ace, and beside it a corner of the first ace peeps out."""
    first, second = replace(lying("AS", 300), whole=False), replace(lying("AS", 312), whole=True)
    corner = upper_left_index(first)
    up = np.array([(-np.sin(np.radians(turned)), -np.cos(np.radians(turned)))], np.float32)
    peeping = replace(corner, indices=replace(corner.indices, ups=up))
    mask, everything = np.full((180, 320), 255, np.uint8), (slice(0, 180), slice(0, 320))
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    seen_in = partial(has_own_index, zone, [together(upper_left_index(second), peeping)])
    assert len(singly([first, second], seen_in)) == there


@pytest.mark.parametrize(("aside", "down", "there"), [(14, 0, 2), (6, 0, 1), (2, 13, 1)])
def test_an_equal_card_a_little_aside_on_another_is_a_second_one(
    aside: int, down: int, there: int
) -> None:
    """On a pile's two came a three, half an index beside an equal one that peeps out.

    Rank and sign of one index may be found as two, one above the other.
    """
    first = replace(lying("3C", 300), whole=False)
    second = replace(lying("3C", 300 + aside, 270 + down), whole=True)
    seen_in = together(upper_left_index(second), upper_left_index(first))
    mask, everything = np.full((180, 320), 255, np.uint8), (slice(0, 180), slice(0, 320))
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    assert len(singly([first, second], partial(has_own_index, zone, [seen_in]))) == there


@pytest.mark.parametrize(("lay", "there"), [((300, 314), 2), ((300,), 1), ((), 1), ((300, 380), 1)])
def test_two_equal_cards_that_lay_nearly_over_each_other_are_two_still(
    lay: tuple[int, ...], there: int
) -> None:
    """One of two was read as the other's second corner; a third one that came was then taken for
    it, and its discard was lost (Panguingue 647)."""
    seen = [replace(lying("2D", x), whole=False) for x in (301, 311)]
    known = [replace(lying("2D", x), whole=False) for x in lay]
    assert len(singly(seen, lambda *_: False, known)) == there


def test_what_is_read_beside_its_index_hides_no_other_index_of_a_row() -> None:
    """Fingers lay over a row: a four and a three of it were each read on the other side of theirs,
    and the three seemed to lie on the seven beside them."""
    seven, three, four = (lying(n, 300 + 70 * k) for k, n in enumerate(("7C", "3C", "4S")))
    row = [seven, three, four]
    glance = together(together(*map(upper_left_index, row[:2])), upper_left_index(four))
    aside = 96 - 2 * EDGE_ACROSS * 26
    beside = [
        lying(n, one.centre[0] - aside, sure=0.98) for n, one in (("3C", three), ("4S", four))
    ]
    mask, none = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.bool_)
    zone = Zone("side", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.lying, zone.glance = tuple(row), glance
    frame = np.full((540, 960, 3), 90, np.uint8)
    here = Patch(zone, Shot(frame, frame[::3, ::3], 1 / 3, 1.0), none, row)
    glance = together(glance, lower_right_index(beside[1]))
    assert _read_aside(here, beside, [glance]) == ([four, three], [])
    again = replace(three, confidence=0.98)
    assert _read_aside(here, [again, *beside], [glance]) == ([four], [again])
