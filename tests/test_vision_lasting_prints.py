"""Which cards still lie there, as the prints of their indices tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.knowing import lying
from tests.lasting import (
    lower_right_index,
    together,
    upper_left_index,
)
from vision import Box
from vision.track import lasting, prints
from vision.track.as_before import as_before
from vision.track.consensus import Vote
from vision.track.corners import indices_of
from vision.track.in_view import Patch
from vision.track.lasting import outcome as outcome_of
from vision.track.prints import reprinted
from vision.track.zones import Print, Shot, Site, Zone


def test_an_index_beyond_a_card_s_corner_is_not_its_own() -> None:
    """A card of the next spot touches it corner to corner. What changes there, nothing of this spot
    is read for, so that it would be waited for without end."""
    six, everything = replace(lying("6S", 300), whole=True), (slice(0, 180), slice(0, 320))
    mask, part = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    part[:114] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, part)
    own, beyond = upper_left_index(six), upper_left_index(lying("TH", 300, 270 + 136))
    assert len(list(indices_of(zone, six, own))) == 1
    assert not list(indices_of(zone, six, beyond))
    # As if the print there had been kept nevertheless.
    frame = np.full((540, 960, 3), 90, np.uint8)
    (index,) = indices_of(zone, lying("TH", 300, 270 + 136), beyond)
    print_ = np.random.default_rng(1).integers(0, 255, (32, 16, 3)).astype(np.uint8)
    zone.prints = (Print(six, index, print_),)
    assert reprinted(zone, Shot(frame, frame[::3, ::3], 1 / 3, 1.0)) is None


def test_what_is_misread_is_the_card_whose_print_it_is() -> None:
    """A six was drawn from a pile, and beside the next one part of a king's index read as a six of
    hearts: it was taken for the six that had gone, as that had lain nearly there."""
    king, gone = lying("KH", 300), lying("6C", 310)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    misread = lying("6H", 300, sure=0.73)
    glance = upper_left_index(misread)
    (index,) = indices_of(zone, misread, glance)
    (other,) = indices_of(zone, gone, upper_left_index(gone))
    was = prints._print(frame, index)
    zone.prints = (Print(gone, other, 255 - prints._print(frame, other)), Print(king, index, was))
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    (told,) = prints.as_printed(zone, shot, [misread], [glance])
    assert told.card == king.card


@pytest.mark.parametrize("same", [True, False])
def test_a_card_is_not_what_is_read_with_doubt_where_another_print_shows_than_its_own(
    same: bool,
) -> None:
    """A seven of spades was drawn from a pile, and just where its index had been, one of a seven of
    clubs came to light: on the shrunken picture, nothing had changed there."""
    seven, six = replace(lying("7S", 300), whole=True), replace(lying("6S", 270), whole=True)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying = (seven,)
    (index,) = indices_of(zone, seven, lower_right_index(seven))
    was = prints._print(frame, index)
    zone.prints = (Print(seven, index, was if same else 255 - was),)
    shown = np.zeros((180, 320), np.uint8)
    shown[67:112, 74:106] = 255
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    seen = Vote((six, lying("7C", 300, sure=0.5)), clear=False)
    result = outcome_of(zone, Site.of(shown), seen, shot)
    assert ("7S" in [str(one.card) for one in result.lying]) is same


@pytest.mark.parametrize("same", [True, False])
def test_a_card_that_was_taken_is_not_what_its_place_may_show_in_doubt(same: bool) -> None:
    """An ace was taken off a three that it had covered. A corner beside it seemed to be the three's
    other one, and to show the ace: three, or ace, it was taken for the ace that had lain there."""
    ace, three = replace(lying("AD", 300), whole=True), lying("3S", 301, sure=0.68)
    either = (three.card, 0.68), (ace.card, 0.31)
    doubted = replace(three, candidates=either, whole=True)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    zone = _zone()
    zone.lying = (ace,)
    (index,) = indices_of(zone, ace, upper_left_index(ace))
    was = prints._print(frame, index)
    zone.prints = (Print(ace, index, was if same else 255 - was),)
    shown = np.zeros((180, 320), np.uint8)
    shown[86:94, 96:104] = 255
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), Vote((doubted,), clear=False), shot)
    assert [str(one.card) for one in result.lying] == ["AD" if same else "3S"]


@pytest.mark.parametrize("same", [True, False])
def test_an_index_that_lay_half_under_a_card_is_known_again_when_that_one_is_drawn_away(
    same: bool,
) -> None:
    """On a pile, the lower half of a six came to light when the two over it was taken. Nothing else
    of that six was in view: it was waited for as if under a hand, until the hand was over."""
    six, rng = lying("6C", 300), np.random.default_rng(2)
    (index,) = indices_of(_zone(), six, glance := upper_left_index(six))
    top, bottom = index[0][1], index[3][1]
    two = replace(lying("2S", 300, 270 + round((top + bottom) / 2) - 202), whole=True)
    before, after = (rng.integers(0, 255, (540, 960, 3)).astype(np.uint8) for _ in range(2))
    edge = round(two.outline[0][1])
    if same:
        after[:edge] = before[:edge]
    zone = _zone()
    zone.lying, zone.glance = (six, two), glance
    shot = Shot(before, before[::3, ::3], 1 / 3, 1.0)
    prints.take_prints(zone, Site.of(np.full((180, 320), 255, np.uint8)), shot, 1.0)
    later = Shot(after, after[::3, ::3], 1 / 3, 2.0)
    assert prints.peeps_out(zone, later, six, []) is same


@pytest.mark.parametrize("under", [True, False])
def test_a_card_half_under_an_equal_one_is_known_by_what_shows_of_its_index(under: bool) -> None:
    """On a pile of two packs a queen came onto the same queen, and left the half of one index."""
    old, rng = replace(lying("QD", 300), whole=True), np.random.default_rng(2)
    new = replace(lying("QD", 300, 253), whole=True)
    before, after = (rng.integers(0, 255, (540, 960, 3)).astype(np.uint8) for _ in range(2))
    if under:
        kept = round(new.outline[2][1]) + 1
        after[kept:] = before[kept:]
    zone, looks = _zone(), [together(upper_left_index(q), lower_right_index(q)) for q in (old, new)]
    zone.lying, zone.glance = (old,), looks[0]
    every = np.full((180, 320), 255, np.uint8)
    prints.take_prints(zone, Site.of(every), Shot(before, before[::3, ::3], 1 / 3, 1.0), 1.0)
    shot = Shot(after, after[::3, ::3], 1 / 3, 2.0)
    seen = Vote((new,), clear=True)
    result = outcome_of(zone, Site.of(every), seen, shot, [looks[1]])
    assert [str(one.card) for one in result.lying] == ["QD"] * (1 + under)


def test_two_equal_cards_in_one_place_keep_no_more_prints_at_every_look() -> None:
    """Of eight packs, two lay one on the other, and each took over the prints of both: they doubled
    at every look, until nothing else was done."""
    two = replace(lying("9D", 300), whole=True)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    zone = _zone()
    zone.lying, zone.glance = (two, replace(two)), upper_left_index(two)
    elsewhere = np.zeros((180, 320), np.uint8)
    elsewhere[:4, :4] = 255
    for time in range(1, 12):
        prints.take_prints(
            zone, Site.of(elsewhere), Shot(frame, frame[::3, ::3], 1 / 3, time), float(time)
        )
    assert 1 <= len(zone.prints) <= 2


def test_a_card_that_is_found_again_under_another_is_there_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of an ace under the deuce that came, a doubtful look was the ace that had lain there, and
    that one was half covered as well: two aces lay in exactly one place."""
    ace, two = lying("AC", 300, 262), replace(lying("2H", 322, 292), whole=True)
    monkeypatch.setattr(lasting, "as_before", lambda *_: [two, replace(ace)])
    monkeypatch.setattr(lasting, "half_covered", lambda *_: True)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    zone, shown = _zone(), np.full((180, 320), 255, np.uint8)
    zone.lying = (ace,)
    seen = Vote((two, lying("AC", 294, 242, sure=0.48)), clear=False)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), seen, shot)
    assert [str(one.card) for one in result.lying] == ["AC", "2H"]


@pytest.mark.parametrize("second", [True, False])
def test_of_two_equal_cards_on_each_other_an_index_of_the_lower_one_is_no_third(
    monkeypatch: pytest.MonkeyPatch, second: bool
) -> None:
    """A three came onto one that lay under a six, whose index still peeped out: with that index
    read as a card beside the new one, three threes lay there."""
    old, new = lying("3D", 306, 255), replace(lying("3D", 300, 270), whole=True)
    monkeypatch.setattr(lasting, "under_their_like", lambda *_: [old])
    monkeypatch.setattr(lasting, "has_own_index", lambda *_: True)
    monkeypatch.setattr(lasting, "peeps_out", lambda *_, **__: True)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    zone, shown = _zone(), np.full((180, 320), 255, np.uint8)
    zone.lying = (old,)
    seen = Vote((new, *[replace(new, whole=False)] * second), clear=True)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), seen, shot)
    assert [str(one.card) for one in result.lying] == ["3D", "3D"]


def test_a_card_whose_index_peeps_out_is_there_though_it_is_read_once_more_in_doubt() -> None:
    """An eight came down on a two that lay over a nine. The corners of both were read as one card,
    either of them: that was the two once more, and the nine, in sight, was told as laid later."""
    nine, two = lying("9D", 300), replace(lying("2S", 316, 262), whole=True)
    eight = replace(lying("8H", 313, 290), whole=True)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    zone = _zone()
    zone.lying, zone.glance = (nine, two), together(upper_left_index(nine), upper_left_index(two))
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    prints.take_prints(zone, Site.of(np.full((180, 320), 255, np.uint8)), shot, 1.0)
    shown = np.zeros((180, 320), np.uint8)
    shown[76:119, 90:120] = 255
    either = (two.card, 0.48), (nine.card, 0.52)
    doubted = replace(lying("9D", 304, 268, sure=0.52), candidates=either[::-1], whole=True)
    result = outcome_of(zone, Site.of(shown), Vote((eight, doubted), clear=False), shot)
    assert [str(one.card) for one in result.lying] == ["9D", "8H", "2S"]


def _zone() -> Zone:
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    return Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)


@pytest.mark.parametrize("same", [True, False])
def test_a_card_whose_print_still_shows_is_not_gone_though_a_hand_looks_like_the_table(
    same: bool,
) -> None:
    """On a wooden table a brown hand rested on a pile: its shadow kept the index of the top card
    from being read, and where the hand lay, the table seemed bare."""
    three, rng = replace(lying("3D", 300), whole=True), np.random.default_rng(2)
    wood = rng.integers(0, 255, (540, 960, 3)).astype(np.uint8)
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.memory.settle(wood[::3, ::3], mask > 0, None)
    zone.lying = (three,)
    (index,) = indices_of(zone, three, lower_right_index(three))
    now = prints._print(wood, index)
    shaded = (0.6 * now + 0.4 * rng.permutation(now.ravel()).reshape(now.shape)).astype(np.uint8)
    zone.prints = (Print(three, index, shaded if same else 255 - now),)
    shown = np.zeros((180, 320), np.uint8)
    shown[67:112, 84:116] = 255
    shot = Shot(wood, wood[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), Vote((), clear=True), shot)
    assert (result.covered, result.gone) == (same, not same)


@pytest.mark.parametrize("same", [True, False])
def test_a_half_covered_card_is_what_its_prints_were_read_as_though_both_now_tell_another(
    same: bool,
) -> None:
    """Of a four of hearts in a pile, what was left of the signs passed for diamonds at both ends,
    with 0.988: a four of diamonds was told as discarded, though nothing had come there."""
    four, seven = lying("4H", 300), replace(lying("7H", 290, 290), whole=True)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    ends = [look(four) for look in (upper_left_index, lower_right_index)]
    zone = _zone()
    zone.lying = (four, seven)
    zone.prints = tuple(
        Print(four, index, picture if same else 255 - picture)
        for end in ends
        for index in indices_of(zone, four, end)
        for picture in [prints._print(frame, index)]
    )
    misread = replace(lying("4D", 300, sure=0.988), whole=True)
    glance = together(*(look(misread) for look in (upper_left_index, lower_right_index)))
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    told, _ = prints.as_printed(zone, shot, [misread, seven], [glance])
    assert str(told.card) == ("4H" if same else "4D")


@pytest.mark.parametrize("same", [True, False])
def test_a_card_stays_in_its_place_though_what_is_left_of_it_is_read_aside(same: bool) -> None:
    """A seven came over part of a four. Measured by half an index that one lay eight pixels aside,
    where its other index would not have been its own."""
    four, seven = replace(lying("4H", 300), whole=True), replace(lying("7D", 344, 312), whole=True)
    rng = np.random.default_rng(2)
    before, after = (rng.integers(0, 255, (540, 960, 3)).astype(np.uint8) for _ in range(2))
    zone = _zone()
    zone.lying, zone.glance = (four,), upper_left_index(four)
    every = np.full((180, 320), 255, np.uint8)
    prints.take_prints(zone, Site.of(every), Shot(before, before[::3, ::3], 1 / 3, 1.0), 1.0)
    shown = np.zeros((180, 320), np.uint8)
    shown[84:122, 84:132] = 255
    frame = before if same else after
    aside = lying("4H", 306, 267, sure=0.99)
    result = outcome_of(
        zone,
        Site.of(shown),
        Vote((seven, aside), clear=True),
        Shot(frame, frame[::3, ::3], 1 / 3, 2.0),
        [upper_left_index(four)],
    )
    (found,) = (one for one in result.lying if one.card == four.card)
    assert (found.outline == four.outline) is same


@pytest.mark.parametrize("there", [True, False])
def test_an_index_of_the_other_side_is_no_card_beside_it(there: bool) -> None:
    """A hand rested over a meld, of a deck with indices in all corners. Those at the right were
    left, and one of them was taken for the left one of a card beside: two cards came that nobody
    had laid. It is another card's if the first one is no longer there."""
    four, rng = replace(lying("4S", 300), whole=True), np.random.default_rng(2)
    zone, every = _zone(), np.full((180, 320), 255, np.uint8)
    zone.lying, zone.glance = (four,), lower_right_index(four)
    before, after = (rng.integers(0, 255, (540, 960, 3)).astype(np.uint8) for _ in range(2))
    prints.take_prints(zone, Site.of(every), Shot(before, before[::3, ::3], 1 / 3, 1.0), 1.0)
    (index,) = indices_of(zone, four, upper_left_index(four))
    left, right = four.outline[0][0], four.outline[1][0]
    inset = float(np.mean([x for x, _ in index])) - left
    beside = lying("4S", round(300 + right - left - 2 * inset), sure=0.99)
    frame = before if there else after
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 2.0)
    changed = np.ones((180, 320), np.bool_)
    glance = upper_left_index(beside)
    (told,) = as_before(Patch(zone, shot, changed, zone.lying), [beside], [four], [], [glance])
    assert (told.outline == four.outline) is there


@pytest.mark.parametrize("aside", [0, 24])
def test_an_index_at_a_corner_of_the_card_that_has_come_is_its_own(aside: int) -> None:
    """A hand still lay over the left half of a four when its upper right index was read as the
    left one of a card beside it: with the four, two cards were told as laid."""
    four, zone = replace(lying("4S", 300), whole=True), _zone()
    (index,) = indices_of(zone, four, upper_left_index(four))
    left, right = four.outline[0][0], four.outline[1][0]
    inset = float(np.mean([x for x, _ in index])) - left
    misread = lying("4S", round(300 + right - left - 2 * inset) + aside, sure=0.99)
    half = upper_left_index(misread)
    frame = np.random.default_rng(2).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    zone.lying, zone.glance = (misread,), half
    every, shot = np.full((180, 320), 255, np.uint8), Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    prints.take_prints(zone, Site.of(every), shot, 1.0)
    shown = np.zeros((180, 320), np.uint8)
    shown[67:112, 84:100] = 255
    glance = together(upper_left_index(four), half)
    result = outcome_of(zone, Site.of(shown), Vote((four,), clear=True), shot, [glance])
    assert len(result.lying) == 1 + bool(aside)
