"""Cards of which others leave a half or an index in view: which of them lie as they lay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.knowing import lying
from tests.lasting import came, lies, lower_right_index, together, upper_left_index
from vision import Box
from vision.find.finder import Indices
from vision.join.proportions import EDGE_ACROSS, EDGE_DOWN
from vision.track import under_others
from vision.track.in_view import Patch
from vision.track.prints import take_prints
from vision.track.under_others import shares_index
from vision.track.zones import Shot, Site, Zone


@pytest.mark.parametrize(("shifted", "left"), [(0, 1), (40, 2)])
def test_a_card_read_by_another_of_its_corners_is_not_a_second_one(shifted: int, left: int) -> None:
    """Of two corners in sight on one side of a card, either may be taken for its upper left one."""
    queen = replace(lying("QH", 300), whole=False)
    lower_left = (252 + EDGE_ACROSS * 26 - shifted, 338 - EDGE_DOWN * 26)
    there = upper_left_index(queen)
    places, ups = np.array([lower_left], np.float32), np.array([(0, 1)], np.float32)
    now = replace(there, indices=replace(there.indices, centres=places, ups=ups))
    seen = replace(lying("QH", lower_left[0] + EDGE_ACROSS * 26 - 48), whole=False)
    hand = slice(20, 40), slice(100, 110)
    assert len(lies([queen], [seen], hand, there, [now])) == left


@pytest.mark.parametrize(("shifted", "left"), [(0, 1), (40, 2)])
def test_a_card_put_on_the_wrong_side_of_one_of_its_corners_is_not_a_second_one(
    shifted: int, left: int
) -> None:
    """A hand over the other side of a two of hearts: its upper left corner seemed an upper right
    one."""
    queen = replace(lying("QH", 300), whole=False)
    there = upper_left_index(queen)
    x, y = (float(one) for one in there.indices.centres[0])
    places = np.array([(x - shifted, y)], np.float32)
    now = replace(there, indices=replace(there.indices, centres=places))
    seen = replace(lying("QH", x - shifted + EDGE_ACROSS * 26 - 48), whole=False)
    hand = slice(20, 40), slice(100, 110)
    assert len(lies([queen], [seen], hand, there, [now])) == left


def test_a_card_read_on_the_wrong_side_of_its_corner_does_not_replace_its_neighbour() -> None:
    """In a row, a hand lay over the ace beside its index: it was read where the seven lies."""
    seven, ace = (replace(lying(name, x), whole=False) for name, x in (("7D", 252), ("AH", 340)))
    there, hand = upper_left_index(ace), (slice(67, 113), slice(107, 130))
    seen = replace(lying("AH", 340 - 96 + 2 * EDGE_ACROSS * 26), whole=False)
    found = lies([seven, ace], [seen], hand, there, [there])
    assert [(str(one.card), one.centre[0]) for one in found] == [("7D", 252.0), ("AH", 340.0)]


@pytest.mark.parametrize(("down", "queens"), [(50, 2), (140, 1)])
def test_a_corner_under_another_card_is_none_by_which_an_equal_one_is_read(
    down: float, queens: int
) -> None:
    """A king lies over the queen and shows its own index on it: that beside it is another queen's.

    Farther down, it leaves the queen's corner in sight.
    """
    queen = replace(lying("QH", 300), whole=False)
    king = replace(lying("KS", 302, 270 + down), whole=True)
    lower_left = (252 + EDGE_ACROSS * 26, 338 - EDGE_DOWN * 26)
    there, own = upper_left_index(queen), upper_left_index(king)
    centres = np.concatenate([np.array([lower_left], np.float32), own.indices.centres])
    indices = Indices(
        centres, np.array([(0, 1), (0, -1)], np.float32), np.full(2, 26, np.float32),
        np.ones(2, np.float32),
    )  # fmt: skip
    two = np.zeros(2, np.float32)
    faces = np.concatenate([there.faces, own.faces])
    now = replace(there, indices=indices, faces=faces, blur=two, strange=two > 0)
    seen = replace(lying("QH", lower_left[0] + EDGE_ACROSS * 26 - 48), whole=False)
    found = lies([queen, king], [seen, king], (slice(20, 40), slice(100, 110)), there, [now])
    assert sum(str(one.card) == "QH" for one in found) == queens


def test_two_equal_faces_in_one_place_are_one_card() -> None:
    """In a meld of equal cards, the corners of one may be taken for another's on its far side."""
    lay = [replace(lying("6S", 438), whole=False)]
    places = (393.0, 270.0), (437.0, 272.0), (438.0, 269.0)
    seen = [replace(lying("6S", *place), whole=False) for place in places]
    assert len(lies(lay, seen, (slice(67, 113), slice(110, 130)))) == 2


@pytest.mark.parametrize(
    ("turned", "whole", "there"), [(0, True, 1), (40, True, 2), (40, False, 1)]
)
def test_two_equal_cards_that_lie_across_each_other_are_two_if_each_shows_both_indices(
    turned: float, whole: bool, there: int
) -> None:
    """Their centres are as near as those of one card read twice."""
    one = lying("5H", 420)
    corners = zip(one.outline, ((1, 0), (0, 1), (-1, 0), (0, -1)), strict=True)
    askew = tuple((x + turned * dx, y + turned * dy) for (x, y), (dx, dy) in corners)
    other = replace(one, outline=askew, whole=whole)
    changed = slice(60, 118), slice(94, 170)
    assert came([], [replace(one, whole=True), other], changed).count("5H") == there


@pytest.mark.parametrize(("beside", "there"), [(12, 1), (16, 2)])
def test_the_two_ends_of_a_half_covered_card_are_not_two_cards(beside: float, there: int) -> None:
    """A queen covered the middle of an ace, whose indices were read with outlines 8 mm apart."""
    queen = replace(lying("QD", 420, 250), whole=True)
    ends = [lying("AC", 330 + off, 280) for off in (0, beside)]
    changed = slice(60, 118), slice(94, 158)
    assert came([], [queen, *ends], changed).count("AC") == there


def test_a_card_comes_to_light_though_its_index_looks_like_that_of_the_one_taken_off_it() -> None:
    """The queen's index lay where the three's now shows: black both, and small in the picture."""
    queen, three = lying("QS", 300), replace(lying("3S", 300, sure=0.95), whole=False)
    before, now = upper_left_index(queen), upper_left_index(three)
    below_the_index = slice(80, 113), slice(84, 117)
    (one,) = lies([queen], [three], below_the_index, before, [now])
    assert one.card == three.card


@pytest.mark.parametrize("read", [(), ("KC",)])
def test_a_half_covered_card_is_still_there_while_its_index_is_in_view(
    read: tuple[str, ...],
) -> None:
    """With indices in all four corners, the half in view may be read as the other half."""
    king = lying("KC", 300)
    after = (lying("7C", 349), *(lying(name, 300 - 70) for name in read))
    laid = slice(67, 113), slice(100, 133)
    assert came([king], after, laid, upper_left_index(king)) == ["KC", "7C"]
    assert came([king], after[:1], laid) == ["7C"]


@pytest.mark.parametrize(("beside", "same"), [(4, True), (15, False)])
def test_an_equal_card_that_touches_another_one_s_index_is_not_that_one(
    beside: float, same: bool
) -> None:
    """A second king, laid on the first in a meld, leaves most of its index in view."""
    king, everything = lying("KC", 300), (slice(0, 180), slice(0, 320))
    mask, frame = np.full((180, 320), 255, np.uint8), np.full((540, 960, 3), 90, np.uint8)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying, zone.glance = (king,), upper_left_index(king)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    here = Patch(zone, shot, np.zeros((180, 320), np.bool_), zone.lying)
    equal = lying("KC", 300 + beside)
    assert shares_index(here, king, equal, least=under_others.MOSTLY) is same


@pytest.mark.parametrize("both_ends", [False, True])
def test_a_card_that_was_half_covered_is_in_full_view_once_both_ends_are_read(
    both_ends: bool,
) -> None:
    """Otherwise the only card that shows both would count as lying over it."""
    king, laid = lying("KC", 300), (slice(67, 113), slice(100, 133))
    after = [lying("7C", 349), replace(king, whole=both_ends)]
    shown, _ = lies([king], after, laid, upper_left_index(king))
    assert (shown.card, shown.whole) == (king.card, both_ends)


@pytest.mark.parametrize("read", [(), (("5D", 362),)])
def test_a_card_of_a_meld_is_still_there_while_its_index_is_in_view(
    read: tuple[tuple[str, float], ...],
) -> None:
    """Those below, of which its index hides a part, do not cover it; so a third of it is in view.

    Whatever is doubtful overlaps its neighbours in a meld, and is taken for one of them.
    """
    meld = lying("5C", 300), lying("5S", 331), lying("5D", 362)
    after = (lying("5C", 393), *meld[:2], *(lying(name, x, sure=0.89) for name, x in read))
    laid = slice(67, 113), slice(115, 147)
    assert came(meld, after, laid, upper_left_index(meld[2])) == ["5C", "5S", "5D", "5C"]


def test_a_doubtful_card_laid_onto_a_meld_is_asked_about_and_not_overlooked() -> None:
    """It overlaps its neighbour, as all cards of a meld do; what came beside that one is its own.

    One that peeps out from under a card just laid was there before.
    """
    meld = lying("5C", 300), lying("5S", 331)
    laid = slice(67, 113), slice(105, 137)
    assert came(meld, (*meld, lying("5D", 362, sure=0.8)), laid) == ["5C", "5S", "5D?"]
    over = lying("KS", 331), lying("5D", 362, sure=0.8)
    assert came((lying("AC", 362),), over, (slice(67, 113), slice(94, 120))) == ["KS"]


def test_an_ace_on_an_ace_is_reported_though_it_is_read_with_some_doubt() -> None:
    """Hardly more than an index changes; while that is as it was, a chip or a shadow lies there."""
    spades, clubs = lying("AS", 300), lying("AC", 302, sure=0.89)
    clubs = replace(clubs, candidates=((clubs.card, 0.93), (spades.card, 0.07)), whole=True)
    index, beside = (slice(66, 80), slice(84, 94)), (slice(90, 95), slice(100, 108))
    assert came([spades], [clubs], index, upper_left_index(spades)) == ["AC?"]
    assert came([spades], [clubs], beside, upper_left_index(spades)) == ["AS"]


@pytest.mark.parametrize(
    ("sure", "until", "king"), [(0.97, 122, "KH"), (0.999, 122, "KH"), (0.999, 130, "KD")]
)
def test_a_half_covered_card_is_what_it_was_though_its_suit_is_covered(
    sure: float, until: int, king: str
) -> None:
    """Under a two of diamonds only a king's rank shows, and is read as the king of diamonds.

    Where its index looks different from before, a reading that is sure stands.
    """
    laid = slice(60, until - 12), slice(90, until)
    lay, half = lying("KH", 330, 280), lying("KD", 332, 284, sure=sure)
    two = replace(lying("2D", 318, 255), whole=True)
    after = lies([lay], [two, half], laid, lower_right_index(lay), [lower_right_index(half)])
    assert sorted(str(one.card) for one in after) == ["2D", king]


def test_a_card_laid_exactly_on_one_of_its_suit_that_was_half_covered_is_that_card() -> None:
    """Beside the eight that had lain over the seven, hardly more than an index changed."""
    seven, eight = lying("7D", 300), replace(lying("8C", 264), whole=True)
    six, under = replace(lying("6D", 300), whole=True), replace(lying("8C", 262), whole=False)
    laid = slice(67, 113), slice(84, 100)
    after = lies([eight, seven], [six, under], laid, lower_right_index(seven),
                 [lower_right_index(six)])  # fmt: skip
    assert [str(one.card) for one in after] == ["8C", "6D"]


def test_a_card_in_full_view_is_not_half_covered_by_what_lay_under_it() -> None:
    """It was taken, and under it another six of another suit has its index in the same place."""
    bared = slice(67, 113), slice(98, 117)
    six, queen, under = lying("6D", 300), lying("QD", 340), lying("6C", 298, sure=0.97)
    assert came([replace(six, whole=True), queen], [under, queen], bared) == ["6C", "QD"]
    # One that was covered in part already may be covered a little more.
    assert came([six, queen], [under, queen], bared) == ["6D", "QD"]


def test_what_came_to_light_under_a_card_that_lay_there_hides_nothing_of_what_lay_on_it() -> None:
    """A queen was taken: a six under the jack beside it and a king of its suit came to light."""
    queen, jack = (replace(lying(name, x), whole=True) for name, x in (("QC", 300), ("JH", 262)))
    six, king = lying("6S", 290), lying("KC", 302, 284, sure=0.98)
    bared = slice(67, 108), slice(93, 112)
    assert "QC" not in came([jack, queen], [jack, six, king], bared)


def test_a_half_covered_card_that_is_hardly_legible_any_more_lies_there_still() -> None:
    """A hole card is turned over on an upcard, of which no more than half is left."""
    laid, doubt = slice(60, 120), lying("2H", 331, 281, sure=0.45)
    over = lying("KS", 378, 283)
    covered = slice(110, 142)
    assert came([lying("2H", 330, 280)], [over, doubt], (laid, covered)) == ["2H", "KS"]
    apart, clear = lying("KS", 402, 283), slice(118, 150)
    assert came([lying("2H", 330, 280)], [apart, doubt], (laid, clear)) == ["2H", "KS"]
    for strip in (lying("??", 331, 281, sure=0.6), lying("??", 290, 280, sure=0.6)):
        assert came([lying("??", 330, 280)], [over, strip], (laid, covered)) == ["??", "KS"]
    near, strip = lying("KS", 362, 283), lying("??", 290, 280, sure=0.6)
    assert came([lying("??", 330, 280)], [near, strip], (laid, slice(105, 137))) == ["??", "KS"]
    # Something else in its place, nothing left of it, or all of that changed: it has gone.
    other = lying("5C", 331, 281, sure=0.45)
    assert "2H" not in came([lying("2H", 330, 280)], [over, other], (laid, covered))
    assert came([lying("2H", 330, 280)], [lying("KS", 336, 281)], (laid, covered)) == ["KS"]
    assert "2H" not in came([lying("2H", 330, 280)], [over, doubt], (laid, slice(90, 142)))


@pytest.mark.parametrize("whole", [True, False])
def test_a_card_in_full_view_is_none_that_lay_half_under_another(whole: bool) -> None:
    """A jack of clubs thrown over the end of that of diamonds was read too far from its place."""
    below, over = lying("JD", 300), replace(lying("2S", 330), whole=True)
    read = replace(lying("JC", 300, 290 if whole else 274, sure=0.98), whole=whole)
    ends = [upper_left_index(read), lower_right_index(read)]
    joined = Indices.stacked([one.indices for one in ends])
    faces = np.concatenate([one.faces for one in ends])
    now = replace(ends[0], indices=joined, faces=faces)
    changed = slice(67, 120), slice(94, 127)
    seen = [read, replace(over, whole=False)]
    found = lies([below, over], seen, changed, upper_left_index(below), [now])
    assert ("JC" in [str(one.card) for one in found]) is whole


@pytest.mark.parametrize(("away", "found"), [(5, "4S"), (12, "KS")])
def test_a_card_that_peeps_out_beside_one_that_was_taken_is_read_by_its_own_index(
    away: int, found: str
) -> None:
    """The lower right index of a king shows where a four lay that was taken off it."""
    four = replace(lying("4S", 300), whole=True)
    king, jack = lying("KS", 300 + away, sure=0.97), replace(lying("JC", 285), whole=True)
    now = [lower_right_index(king), upper_left_index(jack)]
    before = lower_right_index(four)
    left = slice(67, 113), slice(84, 112)
    cards = lies([four], [king, jack], left, before, now)
    assert {str(one.card) for one in cards} == {found, "JC"}


@pytest.mark.parametrize(("top", "places"), [(98, {300.0}), (72, {318.0})], ids=["end", "most"])
def test_what_fingers_leave_of_a_back_is_that_back(top: int, places: set[float]) -> None:
    """They lay over an end of one beside a face, and what showed of it was read as one across it.

    Once they had left, both were there, and a card was dealt that nobody had dealt.
    """
    back, eight = lying("??", 300), replace(lying("8C", 384), whole=True)
    across = ((390.0, 202.0), (390.0, 298.0), (246.0, 298.0), (246.0, 202.0))
    read = replace(back, outline=across)
    found = lies([back, eight], [read, eight], (slice(top, 113), slice(84, 116)))
    assert {one.centre[0] for one in found if str(one.card) == "??"} == places
    assert len(found) == 2


def test_an_equal_card_over_what_lay_over_the_first_is_a_second_one() -> None:
    """On a pile a four came over the queen that lay half over the first four.

    It was taken for that one, so that nothing seemed to lie over the jack that it covers.
    """
    jack, four = (replace(lying(name, x), whole=False) for name, x in (("JD", 296), ("4H", 300)))
    queen = replace(lying("QC", 340), whole=True)
    second, under = replace(lying("4H", 310), whole=True), replace(queen, whole=False)
    # The left side of the reduced queen's place with its index, and most of the jack's.
    there = slice(67, 113), slice(88, 120)
    found = lies([jack, four, queen], [second, under], there, upper_left_index(queen))
    assert [(str(one.card), one.whole) for one in found] == [("4H", True), ("QC", False)]


@pytest.mark.parametrize("same", [True, False])
def test_a_card_whose_print_shows_lies_there_still_whatever_changed_beside_it(same: bool) -> None:
    """A jack was drawn from a pile, and the seven below seemed to be covered by a hand."""
    seven, jack = replace(lying("7H", 300), whole=False), lying("JH", 315)
    there, everything = upper_left_index(seven), (slice(0, 180), slice(0, 320))
    mask, shown = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    shown[75:113, 98:121] = 255
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying, zone.glance = (seven, jack), there
    frame = np.random.default_rng(1).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    take_prints(zone, Site.of(shown), shot, shot.time)
    if not same:
        frame = np.ascontiguousarray(frame[::-1])
    now = Shot(frame, frame[::3, ::3], 1 / 3, 1.1)
    here = Patch(zone, now, shown > 0, zone.lying)
    assert under_others.half_covered(here, seven, [], [], []) is same


@pytest.mark.parametrize(("whole", "equal", "kept"), [(True, 0, 2), (False, 0, 1), (True, 1, 1)])
def test_the_prints_of_all_corners_of_a_card_in_full_view_are_kept(
    whole: bool, equal: int, kept: int
) -> None:
    """A nine left of a queen in view only the upper right corner, whose index nobody had noted.

    With an equal card there, it would not be known whose index lies at that corner.
    """
    queen = replace(lying("QS", 300), whole=whole)
    there = upper_left_index(queen)
    x, y = queen.outline[1]
    places = np.array([(x - EDGE_ACROSS * 26, y + EDGE_DOWN * 26)], np.float32)
    other = replace(there, indices=replace(there.indices, centres=places))
    everything = slice(0, 180), slice(0, 320)
    mask, shown = np.full((180, 320), 255, np.uint8), np.full((180, 320), 255, np.uint8)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying = (queen, *(lying("QS", 640) for _ in range(equal)))
    zone.glance = together(there, other)
    frame = np.random.default_rng(1).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    take_prints(zone, Site.of(shown), Shot(frame, frame[::3, ::3], 1 / 3, 1.0), 1.0)
    assert sum(one.shows(queen) for one in zone.prints) == kept


@pytest.mark.parametrize(("left", "confidence"), [(95, 1.0), (84, 0.72)])
def test_a_sure_card_that_is_half_covered_is_not_in_doubt(left: int, confidence: float) -> None:
    """Of a queen in full view a nine left a strip, in which her index was read with doubt."""
    queen, nine = (replace(lying(name, x), whole=True) for name, x in (("QS", 300), ("9H", 328)))
    again = lying("QS", 296, sure=0.72)
    there = slice(60, 120), slice(left, 126)  # the nine's place, or the strip as well
    found = lies([queen], [again, nine], there)
    (seen,) = (one for one in found if str(one.card) == "QS")
    assert (seen.confidence, seen.whole) == (confidence, False)


@pytest.mark.parametrize(
    ("sure", "left", "place"), [(0.96, 98, 270.0), (1.0, 98, 291.0), (0.96, 80, 291.0)]
)
def test_a_card_that_shows_an_index_where_it_was_has_not_moved(
    sure: float, left: int, place: float
) -> None:
    """With an arm over a meld, the index of its uppermost card and that of the one below seemed to
    be the ends of one card, and later the one below was taken for a second four of spades.

    A sure reading stands, and so does one where that index has changed.
    """
    four = replace(lying("4S", 300), whole=True)
    seen = replace(lying("4S", 300, 291, sure=sure), whole=True)
    arm = slice(67, 113), slice(left, 117)
    (found,) = lies([four], [seen], arm, upper_left_index(four))
    assert found.centre[1] == place


@pytest.mark.parametrize(("whole", "more"), [(True, 1), (False, 0)])
def test_an_equal_card_laid_over_most_of_one_is_a_second_one_if_it_is_in_full_view(
    whole: bool, more: int
) -> None:
    """A six came to lie 11 mm above the six on a pile, and both were read."""
    mask, everything = np.full((180, 320), 255, np.uint8), (slice(0, 180), slice(0, 320))
    frame, old = np.full((540, 960, 3), 90, np.uint8), lying("6S", 300)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying, zone.glance = (old,), upper_left_index(old)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.0)
    here = Patch(zone, shot, np.zeros((180, 320), np.bool_), zone.lying)
    fresh = [lying("6S", 300), replace(lying("6S", 300, 256), whole=whole)]
    assert under_others.besides(here, [old], fresh) == fresh[1 : 1 + more]


@pytest.mark.parametrize(("from_px", "like"), [(236, 1), (190, 0)])
def test_an_equal_card_laid_beside_the_index_of_one_in_full_view_is_another(
    from_px: int, like: int
) -> None:
    """Both ends of a four of diamonds showed on a pile, and a second one was laid over all but the
    upper one; where that has changed too, the card was pushed."""
    old = replace(lying("4D", 300.0), whole=True)
    new = replace(lying("4D", 304.0, 300.0), whole=True)
    before, now = (together(upper_left_index(one), lower_right_index(one)) for one in (old, new))
    mask, changed = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.bool_)
    changed[from_px // 3 : 370 // 3, 255 // 3 : 355 // 3] = True
    zone = Zone("side", None, Box(0, 0, 960, 540), (slice(0, 180), slice(0, 320)), mask, mask)
    zone.lying, zone.glance = (old,), before
    frame = np.full((540, 960, 3), 90, np.uint8)
    here = Patch(zone, Shot(frame, frame[::3, ::3], 1 / 3, 1.0), changed, [old])
    assert under_others.under_their_like(here, [new], [now]) == [old] * like


def test_a_face_whose_last_index_is_covered_lies_there_while_the_rest_of_it_has_not_changed() -> (
    None
):
    """A queen lies over one side of a five; a jack comes over its other one."""
    queen = replace(lying("QS", 290), whole=True)
    five = replace(lying("5H", 352), whole=False)
    jack = replace(lying("JD", 426), whole=True)
    changed = slice(67, 113), slice(126, 158)
    there = came([queen, five], [jack], changed, lower_right_index(five))
    assert there == ["QS", "5H", "JD"]
