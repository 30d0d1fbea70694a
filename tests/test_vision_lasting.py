"""Part of a spot has changed, and was read: which of the cards that lay there still do."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.knowing import lying, sighted
from tests.lasting import (
    came,
    lies,
    shown_by,
    unsettled,
    upper_left_index,
)
from vision import Box
from vision.find.finder import Indices
from vision.track import lasting
from vision.track.consensus import Vote
from vision.track.lasting import outcome as outcome_of
from vision.track.zones import Look, Shot, Site, Zone


def test_a_card_that_stays_is_known_to_be_covered_at_an_end_or_uncovered_again() -> None:
    """A pile's order shows by that, and the outline of what did not move stays what it was."""
    five, king = lying("5D", 300), lying("KC", 370)
    corner = slice(100, 113), slice(107, 117)
    for was in (True, False):
        before = replace(five, whole=was), king
        after = replace(lying("5D", 302), whole=not was), king
        assert lies(before, after, corner) == (replace(five, whole=not was), king)


def test_a_card_of_a_fan_is_not_mistaken_for_its_neighbour_seen_again() -> None:
    """A fan's new card half covers the last one, whose outline jumps towards the one before.

    It is then nearer to that one than to where it lay, and still it is the last one.
    """
    fan = lying("7C", 300), lying("5D", 331), lying("9D", 371)
    after = came(fan, (lying("KC", 438), lying("9D", 364)), (slice(60, 120), slice(133, 165)))
    assert after == ["7C", "5D", "9D", "KC"]


@pytest.mark.parametrize(
    ("whole", "faces", "bared"),
    [(True, 0.9, True), (True, 0.1, False), (False, 0.9, False)],
    ids=["paper", "a hand", "something over both"],
)
def test_a_card_has_gone_from_a_pile_though_unread_paper_shows_where_it_lay(
    whole: bool, faces: float, bared: bool
) -> None:
    """One of its indices has given way, and nothing new lies there: the one below is in view."""
    three, four = lying("3H", 276), replace(lying("4S", 300), whole=True)
    table, frame = (np.full((540, 960, 3), shade, np.uint8) for shade in (90, 220))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[98:113, 108:117] = 255
    everything = slice(0, 180), slice(0, 320)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    upper = upper_left_index(four)
    ends = np.concatenate(
        [upper.indices.centres, 2 * np.array([[300, 270]]) - upper.indices.centres]
    )
    both = Indices(
        ends.astype(np.float32),
        np.array([(0, -1), (0, 1)], np.float32),
        *(np.repeat(one, 2) for one in (upper.indices.heights, upper.indices.scores)),
    )
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    zone.lying = (three, four)
    zone.glance = replace(upper, indices=both, faces=np.repeat(upper.faces, 2, axis=0))
    seen = Vote((replace(three, whole=whole),), clear=True)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), seen, shot, [shown_by(faces)])
    assert (result.gone, result.covered) == (bared, not bared)
    assert [str(one.card) for one in result.lying] == ["3H"] * bared


@pytest.mark.parametrize(("shade", "there"), [(90, []), (220, ["JS"])], ids=["bare", "paper"])
def test_a_doubtful_card_does_not_lie_where_the_table_is_bare(shade: int, there: list[str]) -> None:
    """Half an index at the edge of the next pile may belong to a card on either side of it."""
    table, frame = (np.full((540, 960, 3), one, np.uint8) for one in (90, shade))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[85:95, 112:120] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    seen = Vote((lying("JS", 300, sure=0.76),), clear=False)
    result = outcome_of(zone, Site.of(shown), seen, shot)
    assert [str(one.card) for one in result.lying] == there


def test_what_a_hand_left_in_view_of_a_back_goes_once_the_back_is_seen() -> None:
    part, back = lying("??", 298, 222, sure=0.67), lying("??", 300)
    changed = slice(85, 113), slice(84, 116)
    assert lies([part], [back], changed) == (back,)
    # In a column, a doubtful back half under one that lay there too stays.
    lower = slice(108, 113), slice(84, 116)
    assert len(lies([part, back], [back], lower)) == 2


@pytest.mark.parametrize("sure", [0.67, 0.95])
def test_a_back_laid_half_over_another_is_one_more(sure: float) -> None:
    """The other is seen again in what it leaves in view, so that the new one is not it."""
    lay = [lying("??", 300), lying("??", 349)]
    seen = [lying("??", x, sure=sure) for x in (258, 299, 348)]
    changed = slice(67, 113), slice(70, 102)
    assert len(lies(lay, seen, changed)) == 3


def test_a_doubtful_back_on_one_that_is_seen_as_well_may_be_one_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The border of the one that lay there shows beneath; seen at once, the two are two."""
    lay, over = lying("??", 300), lying("??", 252, sure=0.67)
    monkeypatch.setattr(lasting, "still_under", lambda *_: ([lay], [over]))
    changed = slice(67, 113), slice(68, 100)
    assert len(lies([lay], [over, lying("??", 297, sure=0.67)], changed)) == 2
    assert lies([lay], [over], changed) == (lay,)


@pytest.mark.parametrize(("doubted", "there"), [((824, 868), 3), ((868,), 2), ((824,), 2)])
def test_a_back_between_one_turned_up_and_another_is_still_there(
    doubted: tuple[int, ...], there: int
) -> None:
    """Of three backs half over each other, the last is turned up, and the others are in doubt; in
    the two seen at once, each is one. The places are those of a hand of Democracy."""
    lay = [lying("??", x - 600) for x in (824, 865, 928)]
    ace = replace(lying("AH", 328), whole=True)
    seen = [ace, *(lying("??", x - 600, sure=0.67) for x in doubted)]
    assert len(lies(lay, seen, (slice(67, 113), slice(94, 125)))) == there


@pytest.mark.parametrize("sure", [0.67, 0.95])
def test_two_backs_read_as_one_are_two_where_nothing_has_changed(sure: float) -> None:
    """Half over each other, and partly under the card beside them that is turned up."""
    lay = [lying("??", x, sure=sure) for x in (228, 276, 340)]
    seen = [replace(lying("8S", 340), whole=True), lying("??", 229, sure=0.95)]
    assert len(lies(lay, seen, (slice(67, 113), slice(99, 130)))) == 3


def test_a_part_of_a_back_that_a_hand_had_left_in_view_is_none_of_its_own() -> None:
    parts = [lying("??", 250, sure=0.67), lying("??", 350, sure=0.67)]
    assert len(lies(parts, [lying("??", 300, sure=0.95)], (slice(67, 113), slice(90, 110)))) == 1


@pytest.mark.parametrize(("down", "there"), [(4, 2), (40, 3)])
def test_a_back_on_two_others_has_come_only_if_more_than_a_shadow_changed_there(
    down: int, there: int
) -> None:
    """Under a resting hand the edges of two may fit a third one that lies on both."""
    both, over = (lying("??", 300), lying("??", 400)), lying("??", 350)
    changed = slice(80, 80 + down), slice(100, 140)
    assert len(came(both, (*both, over), changed)) == there


def test_doubtful_backs_that_were_told_apart_are_all_there() -> None:
    """In a column, each is half under the next: overlapping is no reason to drop one of them, nor
    is lying a third of a card apart, as two of three that were set aside did."""
    column = [lying("??", 300, y, sure=0.67) for y in (200, 247, 293, 346)]
    assert came([], column, (slice(40, 140), slice(80, 120))) == ["???"] * 4
    aside = [lying("??", 300), lying("??", 318, sure=0.67), lying("??", 460)]
    assert came([], aside, (slice(40, 140), slice(80, 180))) == ["??", "???", "??"]


@pytest.mark.parametrize("sure", [0.96, 0.989])
@pytest.mark.parametrize(
    ("above", "left", "there"), [(60, 70, ["KD", "QD"]), (84, 90, ["KD"]), (84, 70, ["KD", "QD"])]
)
def test_what_showed_before_is_no_card_that_has_come(
    above: int, left: int, there: list[str], sure: float
) -> None:
    """A strip of the lower cards beside the one that has come may read like half an index.

    A card whose faint rank hardly changes white paper shows by the rest of the strip.
    """
    king, queen = replace(lying("KD", 320), whole=True), lying("QD", 300, sure=sure)
    frame = np.full((540, 960, 3), 90, np.uint8)
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[above:140, left:140] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.lying = (lying("JH", 305),)
    shot, seen = Shot(frame, frame[::3, ::3], 1 / 3, 1.0), Vote((king, queen), clear=True)
    result = outcome_of(zone, Site.of(shown), seen, shot, [upper_left_index(queen)])
    assert sorted(str(one.card) for one in result.lying) == there


@pytest.mark.parametrize("now", [True, False])
def test_the_latest_reading_tells_whether_a_card_is_in_full_view(now: bool) -> None:
    """Earlier ones at a site count for the site, and the card reaches beyond it."""
    ace = replace(lying("AC", 300), whole=True)
    frame = np.full((540, 960, 3), 90, np.uint8)
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[110:113, 84:88] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.lying = (ace,)
    latest = sighted(replace(ace, whole=now))
    zone.looks = [Look(frame[::3, ::3], 1.0, shown, (latest,), ())]
    seen = Vote((replace(ace, whole=False),), clear=True)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    (result,) = outcome_of(zone, Site.of(shown), seen, shot).lying
    assert result.whole is now


def test_a_card_of_which_bare_paper_shows_is_what_lay_there() -> None:
    """A card of a taught deck laid half over another leaves none of its signs visible."""
    laid, strip = (slice(60, 120), slice(110, 142)), lying("KC", 331, 281, sure=0.12)
    assert came([lying("2H", 330, 280)], [lying("KS", 378, 283), strip], laid) == ["2H", "KS"]
    # If the strip has changed, another card lies there.
    gone = slice(60, 120), slice(90, 142)
    assert "2H" not in came([lying("2H", 330, 280)], [lying("KS", 378, 283), strip], gone)


def test_a_card_laid_on_one_of_its_suit_is_not_that_one() -> None:
    """The knave under it is read in part, if at all; what lies on it is not a knave."""
    laid, half = slice(60, 110), lying("J?", 333, 283, sure=0.88)
    after = came([lying("JC", 330, 280)], [lying("2C", 318, 255), half], (laid, slice(90, 122)))
    assert "2C" in after


def test_a_knave_laid_on_a_similar_knave_is_another_one() -> None:
    """Only the signs differ, two patches of a few pixels, and each is judged by itself."""
    signs = slice(74, 82), slice(97, 101)
    heart = lying("JH", 331, 281, sure=0.97)
    assert came([lying("JC", 330, 280)], [heart], signs) != ["JC"]
    beside = lying("QD", 400, 280)
    after = came([lying("JC", 330, 280), beside], [heart, beside], signs)
    assert "JC" not in after


@pytest.mark.parametrize("longer", [6, 8, 12])
def test_a_card_turned_up_in_a_place_read_too_long_is_one_card(
    longer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The back was read a little too long, up to a line of the wood as straight as a border.

    What is left of that place next to the face is bare table, however little it is.
    """
    monkeypatch.setattr("vision.track.under_others.lies_beneath", lambda *_: True)
    back, face = lying("??", 330), lying("7C", 330)
    left, top, right, low = 330 - 48, 202, 330 + 48, 338
    back = replace(
        back, outline=((left, top), (right, top), (right, low + longer), (left, low + longer))
    )
    table = np.full((540, 960, 3), (40, 70, 110), np.uint8)
    laid = table.copy()
    laid[top:low, left:right] = 230
    everything = slice(0, 180), slice(0, 320)
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[top // 3 : low // 3, left // 3 : right // 3] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask, lying=(back,))
    zone.memory.settle(table[::3, ::3].copy(), np.ones((180, 320), np.bool_))
    shot = Shot(laid, laid[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), Vote((face,), clear=True), shot)
    assert [str(card.card) for card in result.lying] == ["7C"]


def test_a_back_between_others_is_still_there_when_the_one_on_it_is_turned_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three overlap; the middle one was read a little too long.

    Beside the card under it and the face on it, only bare table is left of its place, as before.
    """
    low, middle, high = (lying("??", at) for at in (255, 290, 345))
    (left, top), (right, _), (_, end), _ = middle.outline
    long = ((left, top - 9), (right, top - 9), (right, end), (left, end))
    middle, face = replace(middle, outline=long), lying("7C", 345)
    shows = partial(np.array_equal, np.asarray(long, np.float32))
    monkeypatch.setattr("vision.track.under_others.lies_beneath", lambda _, one, __: shows(one))
    table = np.full((540, 960, 3), (40, 70, 110), np.uint8)
    laid = table.copy()
    laid[202:338, 207:297], laid[202:338, 297:393] = 120, 230
    everything = slice(0, 180), slice(0, 320)
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[68:112, 99:131] = 255
    zone = Zone("pool", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying = (low, middle, high)
    zone.memory.settle(table[::3, ::3].copy(), np.ones((180, 320), np.bool_))
    shot = Shot(laid, laid[::3, ::3], 1 / 3, 1.0)
    seen = Vote((replace(middle, confidence=0.67), face), clear=False)
    result = outcome_of(zone, Site.of(shown), seen, shot)
    assert [str(card.card) for card in result.lying] == ["??", "??", "7C"]


def test_another_king_laid_on_a_king_is_another_one() -> None:
    laid = slice(70, 118), slice(95, 128)
    assert came([lying("KH", 330, 280)], [lying("KD", 332, 284)], laid) == ["KD"]


def test_a_strip_of_a_face_is_no_back_though_it_looks_like_one() -> None:
    """A hole card is turned over on an upcard of clubs, whose strip has no index."""
    three, hole = lying("3C", 330, 280), lying("??", 362, 283)
    after = [lying("QH", 362, 283), lying("??", 331, 281, sure=0.74)]
    laid = slice(60, 120), slice(105, 137)
    assert came([three, hole], after, laid) == ["3C", "QH"]
    # If the strip has changed as well, another card lies there.
    both = slice(60, 120), slice(90, 137)
    assert "3C" not in came([three, hole], after, both)


@pytest.mark.parametrize(("corners", "there"), [(2, ["JC", "QC"]), (1, ["QC"])])
def test_a_doubtful_card_that_shows_two_indices_beside_another_is_none_of_its_prints(
    corners: int, there: list[str]
) -> None:
    """What a black figure covers of a dark table looks no different from before."""
    queen, jack = replace(lying("QC", 300), whole=True), lying("JC", 300, 235, sure=0.89)
    table, frame = (np.full((540, 960, 3), shade, np.uint8) for shade in (90, 220))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[58:67, 85:90] = shown[58:67, 110:116] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    left = upper_left_index(jack)
    one = left.indices
    ends = np.concatenate([one.centres, one.centres * (-1, 1) + (600, 0)]).astype(np.float32)
    ups, heights = np.repeat(one.ups, 2, axis=0), np.repeat(one.heights, 2)
    both = Indices(ends, ups, heights, np.ones(2, np.float32))
    glance = replace(left, indices=both, faces=np.repeat(left.faces, 2, axis=0))
    glance = glance if corners == 2 else left
    zone.looks = [Look(table[::3, ::3], 1.0, shown, (), (glance,))]
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), Vote((queen, jack), clear=False), shot, [glance])
    assert sorted(str(one.card) for one in result.lying) == there


@pytest.mark.parametrize("faces", [0.1, 0.9], ids=["a hand", "paper"])
def test_what_shows_of_a_back_beside_a_hand_is_no_second_one(faces: float) -> None:
    """Of a back without a border, it was found askew, at either side of a resting hand."""
    table, frame = (np.full((540, 960, 3), shade, np.uint8) for shade in (90, 220))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[67:113, 84:116] = 255
    zone = Zone("burn", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.memory.settle(table[::3, ::3], mask > 0, None)
    zone.lying = (lying("??", 300),)
    seen = Vote((lying("??", 330, sure=0.82), lying("??", 285, sure=0.74)), clear=False)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), seen, shot, [shown_by(faces)])
    assert result.covered is (faces < 0.5)


@pytest.mark.parametrize(("sure", "covered"), [(0.39, False), (0.8, True)])
def test_what_is_rather_no_back_is_not_waited_for(sure: float, covered: bool) -> None:
    """A glass on the table had been doubted to be a back, and looked different in another light."""
    frame = np.full((540, 960, 3), 90, np.uint8)
    glass = lying("??", 300, sure=sure)
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[70:110, 86:114] = 255
    zone = Zone("", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.memory.settle(np.full((180, 320, 3), 30, np.uint8), mask > 0, None)
    zone.lying = (glass,)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    result = outcome_of(zone, Site.of(shown), Vote((), clear=True), shot, [shown_by(0.0)])
    assert result.covered is covered


@pytest.mark.parametrize(
    ("faces", "seconds", "covered"),
    [(0.9, 1.0, True), (0.9, 4.0, False), (0.1, 4.0, True)],
    ids=["just now", "for some seconds", "under a hand"],
)
def test_a_card_whose_last_index_went_out_of_view_lies_under_the_others(
    faces: float, seconds: float, covered: bool
) -> None:
    """An eight was straightened on an ace, whose pile was then waited for until another came."""
    ace, eight = lying("AC", 276), lying("8D", 300)
    zone, site, shot = unsettled("side", (ace, eight), np.s_[60:120, 70:125], seconds)
    result = outcome_of(zone, site, Vote((eight,), clear=True), shot, [shown_by(faces)])
    assert (result.covered, result.gone) == (covered, False)
    assert [str(one.card) for one in result.lying] == ([] if covered else ["AC", "8D"])
