"""Face-down cards are counted by their area and by their edges.

The pictures and the probability maps are drawn by hand, from a poker card's 63.5 x 88.9 mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.rehearsal.setting import setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card
from tests.draws import mostly_nightly
from tests.face_down import table, told, told_again
from vision.backs import prints, remainder, several
from vision.backs.copies import Pattern, everywhere
from vision.backs.count import backs, once, without_doubles
from vision.backs.edges import framed
from vision.backs.explanation import LEAST
from vision.backs.fitting import fitted
from vision.backs.heaps import Heap, Laid, heap
from vision.backs.measuring import measured
from vision.backs.parts import FRAMED, Back, blobs_of_backs
from vision.backs.plain import plain
from vision.backs.poses import Bare, Poses, joined
from vision.backs.remainder import FAINT, unexplained
from vision.backs.several import Several
from vision.backs.sheet import Sheet, filled
from vision.backs.stack import Heaped, best_of, stacks, uncovered
from vision.backs.survey import Survey
from vision.backs.symmetry import centred, symmetries
from vision.backs.unmoved import Lay
from vision.find.finder import Areas
from vision.join.joined import Joined
from vision.join.proportions import Shape
from vision.picture.geometry import Box, Floats, Frame, upright
from vision.read.index_classifier import FACES
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.sightings import SURE_BACK

SIZE = (1000, 600)
CARD = (63.5, 88.9)
SCALE = 1.6
"""Pixels per millimetre."""
INDEX = 17.0 * SCALE
CLOTH, RED, WHITE = (60, 90, 40), (50, 40, 170), (245, 245, 245)
CELLS = 25, 36
"""A card's sides in cells."""


def placed(x: float, y: float, angle: float, size: tuple[float, float] = CARD) -> Floats:
    box = ((x, y), (size[0] * SCALE, size[1] * SCALE), angle)
    return np.asarray(cv2.boxPoints(box), np.float32)


def areas_of(outlines: Sequence[Floats], *, likely: float = 0.97, rim: float = 0.6) -> Areas:
    """The finder's maps for overlapping backs, each with a rim that it doubts."""
    back = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    for outline in outlines:
        middle = outline.mean(axis=0)
        for corners, value in ((outline, rim), (middle + 0.84 * (outline - middle), likely)):
            cv2.fillConvexPoly(back, np.round(corners / 4).astype(np.int32), (value,))
    return Areas(np.zeros_like(back), back, Box(0, 0, *SIZE), 0.25)


def drawn(outlines: Sequence[Floats], colour: tuple[int, int, int] = RED) -> Frame:
    """A cloth with cards of one colour, each with a dark outline, and a little noise."""
    picture = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    for outline in outlines:
        corners = [np.round(outline * 8).astype(np.int32)]
        cv2.fillPoly(picture, corners, colour, cv2.LINE_AA, 3)
        cv2.polylines(picture, corners, True, (20, 20, 20), 1, cv2.LINE_AA, 3)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def sure(found: Sequence[Back]) -> list[tuple[float, float]]:
    """The centres of the backs found for certain, to ten pixels."""
    middles = [back.corners.mean(axis=0) for back in found if back.confidence >= SURE_BACK]
    return sorted((float(round(x, -1)), float(round(y, -1))) for x, y in middles)


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


def count(frame: Frame, areas: Areas) -> int:
    return len(sure(backs(frame, areas, (), Shape(), INDEX)))


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


def test_backs_that_overlap_are_counted_where_a_border_shows() -> None:
    laid = [placed(300 + 55 * number, 300, 4 * number) for number in range(3)]
    assert count(drawn(laid), areas_of(laid)) == 3


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
    found = backs(frame, nothing, (), Shape(), INDEX, plain=plain(frame, nothing))
    assert sure(found) == [(300, 300)]
    assert abs(cv2.contourArea(found[0].corners) / cv2.contourArea(card) - 1) < 0.06


def test_a_uniform_cloth_and_a_face_are_not_plain_cards() -> None:
    card = placed(300, 300, 10)
    frame, areas = drawn([card], WHITE), areas_of([card], rim=0.97)
    assert plain(drawn([]), areas_of([])) == []
    assert plain(frame, Areas(areas.back, areas.face, areas.box, areas.scale)) == []
    assert len(plain(frame, areas_of([]))) == 1


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


def test_a_back_half_under_another_is_counted() -> None:
    under, over = placed(300, 300, 0), placed(350, 330, 30)
    assert count(drawn([under, over]), areas_of([under, over])) == 2


def laid_over(*poses: tuple[float, float, float]) -> list[Floats]:
    """Overlapping cards, lowest first."""
    return [placed(*pose) for pose in poses]


@pytest.mark.parametrize(
    "laid",
    [
        laid_over((300, 300, 0), (318, 300, 0)),
        laid_over((300, 300, 20), (340, 330, 34)),
        pytest.param(laid_over((300, 300, 0), (302, 298, 90)), marks=pytest.mark.slow),
        pytest.param(
            laid_over((300, 300, 8), (300, 302, 100), (420, 330, 40)), marks=pytest.mark.slow
        ),
        laid_over((300, 300, 0), (402, 300, 0), (504, 301, 0)),
        pytest.param(
            laid_over((300, 150, 0), (301, 292, 0), (300, 434, 1)), marks=pytest.mark.slow
        ),
    ],
    ids=["shifted", "turned", "crosswise", "three", "row", "column"],
)
def test_backs_of_one_area_without_a_border_in_it_are_counted(laid: list[Floats]) -> None:
    areas = areas_of(laid, rim=0.97)
    assert count(drawn(laid), areas) == len(laid)
    # The outline of a larger thing alone does not make cards.
    blank = drawn([])
    for outline in laid:
        cv2.fillPoly(blank, [np.round(outline).astype(np.int32)], RED)
    assert count(blank, areas) <= len(laid)


def bordered(laid: Sequence[Floats]) -> Frame:
    """The same with a white border and a ring in the middle of each card."""
    frame = drawn([])
    for outline in laid:
        middle = outline.mean(axis=0)
        for share, colour in ((1.0, (225, 225, 225)), (0.86, RED), (0.5, WHITE), (0.4, RED)):
            corners = np.round((middle + share * (outline - middle)) * 8).astype(np.int32)
            cv2.fillPoly(frame, [corners], colour, cv2.LINE_AA, 3)
    return frame


@pytest.mark.parametrize(
    ("moved", "certain"), [(0.0, 3), pytest.param(14.0, 1, marks=pytest.mark.slow)]
)
def test_a_back_laid_on_others_is_known_by_them(moved: float, certain: int) -> None:
    """A print that differs from card to card, on a narrow deck of which nothing else is known."""
    narrow, turns = (57.2, 88.9), (2, -1, 4)
    fan = [placed(300 + 46 * n, 300 + 2 * n, turn, narrow) for n, turn in enumerate(turns)]
    specks = np.random.default_rng(3).normal(0, 60, (SIZE[1], SIZE[0])).astype(np.float32)
    frame = bordered(fan) + 2 * cv2.GaussianBlur(specks, (0, 0), 1.2)[..., None]
    frame, areas = np.clip(frame, 0, 255).astype(np.uint8), areas_of(fan, rim=0.97)
    lay = [fan[0] + np.array((0, moved), np.float32), fan[1]]
    assert len(sure(backs(frame, areas, (), Shape(), INDEX, lay=lay))) == certain


@pytest.mark.parametrize(("off", "known"), [(0, True), (5, True), (90, False)])
def test_a_strip_of_a_back_has_the_print_s_colours_though_its_outline_is_a_little_off(
    off: int, known: bool
) -> None:
    """Of one half under another mostly lines are in view; 90 pixels off, it is table."""
    over, under = placed(300, 300, 0), placed(340, 300, 4)
    frame, aside = bordered([under, over]), np.array((off, 0), np.float32)
    pattern = prints.printed(frame, over)
    assert (prints.tint(frame, under + aside, pattern, [over]) <= prints.TINT) is known
    if off:
        assert prints.likeness(frame, under + aside, pattern, [over]).tint > prints.TINT


@pytest.mark.parametrize(("off", "more"), [(18, 0), (40, 1)])
def test_a_back_that_was_badly_seen_under_an_arm_is_no_second_one(
    off: int, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A corner of the lower card was found 18 pixels off, which left some of it unexplained."""
    high, low = placed(300, 200, 90), placed(300, 290, 90)
    frame, areas = bordered([high, low]), areas_of([high, low], rim=0.97)
    (blob,) = blobs_of_backs(areas, (CARD[0] * SCALE, CARD[1] * SCALE))
    area = heap(frame, areas, blob, (CARD[0] * SCALE, CARD[1] * SCALE), [])
    monkeypatch.setattr(Heap, "without", lambda heap, cards: 0.2 if len(cards) < 3 else 0.0)
    monkeypatch.setattr(Heap, "_on_top", lambda *shown: Laid(low, 1.0, 0.0))
    monkeypatch.setattr(Heap, "_still", lambda *shown: True)
    askew = low.copy()
    askew[int((low @ (1, 1)).argmax())] -= np.array((off, 0), np.float32)
    assert len(area.added([high, askew])) == more


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0, 4, 8])
@pytest.mark.parametrize("step", [28, 36])
def test_a_fan_is_never_two_cards_for_certain(step: int, turn: int) -> None:
    """Its first and last card may cover all of it; the border of one between them shows."""
    fan = laid_over(*((300 + step * n, 300 + n, turn * n) for n in range(4)))
    found = backs(bordered(fan), areas_of(fan, rim=0.97), (), Shape(), INDEX)
    certain = len(sure(found))
    assert certain == len(fan) or (certain < len(found) and certain <= len(fan))
    pair = laid_over((300, 300, 0), (300 + step, 301, turn / 4))
    assert len(sure(backs(bordered(pair), areas_of(pair, rim=0.97), (), Shape(), INDEX))) == 2


@pytest.mark.parametrize(
    ("way", "seed"),
    [
        ("pair", 20023),
        pytest.param("pair", 50030, marks=pytest.mark.slow),
        pytest.param("pair", 50052, marks=pytest.mark.slow),
        pytest.param("pair", 60008, marks=pytest.mark.slow),
        pytest.param("pair", 60017, marks=pytest.mark.slow),
        pytest.param("pair", 60037, marks=pytest.mark.slow),
        pytest.param("pair", 60049, marks=pytest.mark.slow),
        pytest.param("pair", 91016, marks=pytest.mark.slow),
        pytest.param("pair", 91022, marks=pytest.mark.slow),
        ("pair", 91037),
        pytest.param("pair", 60016, marks=pytest.mark.slow),
        pytest.param("pair", 60044, marks=pytest.mark.slow),
        ("trick", 20012),
        pytest.param("trick", 92001, marks=pytest.mark.slow),
        pytest.param("trick", 50001, marks=pytest.mark.slow),
        ("column", 20009),
        pytest.param("row", 50009, marks=pytest.mark.slow),
        pytest.param("fan", 20019, marks=pytest.mark.slow),
        ("spaced", 93004),
    ],
)
def test_backs_as_people_lay_them_are_counted_for_certain(way: str, seed: int) -> None:
    """Drawn tables on which each was asked about or miscounted."""
    drawn = table(seed, way)
    count = told(CardReader(), drawn)
    assert (count.backs, count.asked) == (drawn.backs, 0)


STEADY = [
    *(("pair", seed) for seed in range(21000, 21020)),
    *(("trick", seed) for seed in range(21000, 21010)),
    *(("fan", seed) for seed in (20019, *range(21000, 21010))),
]
"""Drawn tables whose answers must not depend on the last bits of the networks' numbers."""


@pytest.mark.slow
@pytest.mark.parametrize(("way", "seed"), STEADY)
def test_an_answer_does_not_depend_on_the_last_bits(way: str, seed: int) -> None:
    """From processor to processor the networks differ by a millionth; here they differ by more."""
    drawn = table(seed, way)
    first = told(CardReader(), drawn)
    for again in range(2):
        other = told_again(drawn, again)
        assert (other.backs, other.asked) == (first.backs, first.asked)


@pytest.mark.parametrize(("way", "seed"), [("pair", 20002), ("fan", 31012)])
def test_backs_of_one_colour_that_the_maps_hardly_show_are_asked_about(way: str, seed: int) -> None:
    count = told(CardReader(), table(seed, way))
    assert count.backs + count.asked > 0


@pytest.mark.parametrize(("moved", "turned", "larger"), [(0, 0, 0), (1.5, 2, 0), (-1, -1.5, 2)])
def test_a_card_is_fitted_to_its_edges(moved: float, turned: float, larger: float) -> None:
    true = cv2.boxPoints(((100.3, 90.6), (64.0, 90.0), 12.0))
    shown = np.full((180, 200), 60, np.uint8)
    cv2.fillConvexPoly(shown, np.round(true * 16).astype(np.int32), (180,), cv2.LINE_AA, 4)
    soft = np.asarray(cv2.GaussianBlur(shown, (0, 0), 0.8), np.uint8)
    levels = np.repeat(soft[..., None], 3, axis=2)
    sheet = Sheet.of(levels, np.zeros(2, np.float32), 1.0)
    sheet.heap = (shown > 120).astype(np.uint8)
    size = 64.0 + larger, 90.0 + larger
    thought = np.array([(100.8 + moved, 91.1 - moved, 12.0 + turned)], np.float32)
    found = fitted(Poses.of(sheet, size, thought), Bare.beside(sheet, ()), sized=True)
    corners = found.outlines()[0] - 0.5
    apart = np.linalg.norm(corners[:, None] - true[None], axis=2).min(axis=1)
    assert float(apart.max()) < 1.25


def test_a_card_fitted_to_its_frame_is_moved_to_the_middle_of_its_print() -> None:
    """One side of a clear frame was mistaken for the card's edge, which shifted the card."""
    shown = np.full((180, 200, 3), (60, 90, 40), np.uint8)
    for wide, high, colour in ((64, 90, RED), (58, 84, WHITE), (55, 81, RED), (20, 20, WHITE)):
        corners = cv2.boxPoints(((100.3, 90.6), (wide, high), 12.0))
        cv2.fillConvexPoly(shown, np.round(corners * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    soft = np.asarray(cv2.GaussianBlur(shown, (0, 0), 0.8), np.uint8)
    made = Sheet.of(soft, np.zeros(2, np.float32), 1.0)
    slid = Poses.of(made, (64.0, 90.0), np.array([(103.8, 88.6, 12.0)], np.float32))
    found = centred(slid)
    assert np.abs(found.at[0, :2] - (100.8, 91.1)).max() < 0.8
    before, after = symmetries(joined([slid, found]))
    assert after > 0.95 > before + 0.1


def test_corners_next_to_a_card_are_no_card_for_certain() -> None:
    """A card under another one, turned by ten degrees, shows little else."""
    count = told(CardReader(), table(60010, "pair"))
    assert (count.backs, count.asked) == (0, 2)


def test_the_rest_of_an_area_after_a_detected_card_is_asked_about() -> None:
    """A strip next to a card may be another one, of which nothing else is visible."""
    card, strip = placed(300, 300, 0), placed(352, 300, 0, (30.0, 70.0))
    told, size = [Back(card, 0.95)], (CARD[0] * SCALE, CARD[1] * SCALE)
    (asked,) = unexplained(areas_of([strip, card], rim=0.97), size, told, ())
    assert asked.confidence < SURE_BACK
    assert unexplained(areas_of([card], rim=0.97), size, told, ()) == []


@pytest.mark.slow
def test_a_large_thing_is_not_made_of_cards_that_only_fill_it() -> None:
    thing = placed(400, 300, 15, (190.0, 160.0))
    found = backs(drawn([thing]), areas_of([thing], rim=0.97), (), Shape(), INDEX)
    assert sure(found) == []
    assert len(found) == 1


def test_a_back_partly_covered_by_a_face_is_counted() -> None:
    back, face = placed(300, 300, 0), placed(360, 330, 25)
    frame = drawn([back])
    cv2.fillPoly(frame, [np.round(face).astype(np.int32)], WHITE)
    areas = areas_of([back], rim=0.97)
    cv2.fillConvexPoly(areas.back, np.round(face / 4).astype(np.int32), (0,))
    cv2.fillConvexPoly(areas.face, np.round(face / 4).astype(np.int32), (1,))
    found = backs(frame, areas, [known(face)], Shape(), INDEX)
    assert len([back for back in found if back.confidence >= SURE_BACK]) == 1


def test_an_area_that_nothing_explains_is_a_question() -> None:
    shape = np.array([(200, 150), (424, 178), (361, 339), (242, 395)], np.float32)
    (found,) = backs(drawn([shape]), areas_of([shape], rim=0.97), (), Shape(), INDEX)
    assert found.confidence < SURE_BACK


def test_a_back_that_the_picture_cuts_off_is_counted() -> None:
    card = placed(300, 30, 0)
    assert count(drawn([card]), areas_of([card])) == 1


def test_edges_are_found_near_where_a_side_was_expected() -> None:
    card = placed(300, 300, 20)
    guess = placed(304, 297, 22, (66.0, 92.0))
    seen = framed(drawn([card]), guess, 10)
    assert seen.whole
    assert np.abs(seen.corners - card).max() < 3
    assert not framed(drawn([]), guess, 10).whole


def test_a_card_is_measured_by_the_lines_along_its_border() -> None:
    """A blurred edge reveals no size where it ends: outlines found that way are too large."""
    corners = placed(300, 300, 20)
    frame = np.asarray(cv2.GaussianBlur(drawn([corners]), (0, 0), 1.5), np.uint8)
    large = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * np.float32(1.03)
    short, long = measured(frame, large)
    assert abs(short / (CARD[0] * SCALE) - 1) < 0.01
    assert abs(long / (CARD[1] * SCALE) - 1) < 0.01


def test_a_heap_on_which_no_card_fits_is_not_explained() -> None:
    """Neither an empty one nor a strip at the picture's edge, beyond which a card may continue."""
    made = Sheet.of(np.zeros((200, 200, 3), np.uint8), np.zeros(2, np.float32), 1.0)
    assert best_of(list(stacks(made, (64.0, 90.0)))) == (None, False)
    made.beyond[:, :190] = made.open_to[:, :190] = 1
    made.heap[:, 190:] = 1
    assert len(everywhere(made, (64.0, 90.0))) == 0
    assert best_of(list(stacks(made, (64.0, 90.0)))) == (None, False)
    assert Survey.of(everywhere(made, (64.0, 90.0)), made.heap, Pattern.of(whole_card())) is None


def whole_card() -> Poses:
    """A card in the middle of an empty sheet."""
    made = Sheet.of(np.zeros((200, 200, 3), np.uint8), np.zeros(2, np.float32), 1.0)
    return Poses.of(made, (64.0, 90.0), np.array([(100.0, 100.0, 0.0)], np.float32))


def test_one_card_between_two_does_not_explain_both() -> None:
    """Two cards shifted by a sixth of their width leave a thin band all around the one between."""
    heap = np.zeros((200, 200), np.uint8)
    for x, y in ((95, 94), (105, 106)):
        heap |= filled(heap.shape, np.asarray(cv2.boxPoints(((x, y), (64, 90), 0)), np.float32))
    made = Sheet.of(np.zeros((200, 200, 3), np.uint8), np.zeros(2, np.float32), 1.0)
    made.heap = heap
    between = np.asarray(cv2.boxPoints(((100, 100), (64, 90), 0)), np.float32)
    assert uncovered(made, [between], (64.0, 90.0)) > LEAST


def known(corners: Floats) -> Joined:
    """A card that was read by both its indices."""
    faces = np.zeros(len(FACES), np.float32)
    faces[0] = 1.0
    return Joined((0, 1), faces, upright(corners), corners[0] - corners[3], 1.0)


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


@pytest.mark.slow
def test_a_back_that_juts_out_from_under_another_is_reported() -> None:
    """Two parallel borders separate its strip from the card over it, and the maps half see it."""
    table, end = Tabletop(setting(13), seed=13), 0.0
    for x, y, angle in ((1136.6, 523.5, 269.5), (1142.9, 444.7, 270.0), (1142.9, 418.8, 271.3)):
        back = table.piece(Card.parse("QH"), up=False)
        end = table.bring(back, Pose(x, y, angle), now=end)
    corner = Box(1620, 400, 300, 580)
    told = CardReader(index_height=26.7).read(table.frame(end), regions=[corner])
    assert [str(one.card) for one in told.sightings if not one.doubtful] == ["??"] * 3


CORNERS = (Box(1470, 0, 450, 220), Box(1440, 0, 480, 240))


@pytest.mark.parametrize("corner", mostly_nightly(CORNERS, CORNERS[0]))
def test_table_between_two_cards_is_not_a_card_under_one_of_them(corner: Box) -> None:
    """The maps bridge the gap, whose borders are the edges of the cards next to it."""
    table, end = Tabletop(setting(13), seed=13), 0.0
    for x, y, angle in ((1115.5, 57.9, 182.4), (1039.3, 61.7, 178.1), (1008.6, 61.7, 175.4)):
        back = table.piece(Card.parse("QH"), up=False)
        end = table.bring(back, Pose(x, y, angle), now=end)
    told = CardReader(index_height=26.7).read(table.frame(end), regions=[corner])
    assert [str(one.card) for one in told.sightings] == ["??"] * 3


def test_a_back_detected_in_two_ways_is_one() -> None:
    """The outlines are those read of one card from the pictures of a hand of Pineapple."""
    shape = [(1457, 32), (1556, 21), (1572, 160), (1473, 171)]
    colour = [(1471, 173), (1456, 31), (1557, 18), (1572, 160)]
    one, two = (Back(np.array(corners, np.float32), 0.95) for corners in (shape, colour))
    beside = Back(one.corners + np.float32(8), 0.95)
    assert once([one, two]) == [one]
    assert once([one, beside, two]) == [one, beside]


def test_a_card_beside_a_heap_is_not_counted_again_with_the_heap() -> None:
    """The outlines are those read of two overlapping cards and a third next to them from the
    pictures of a hand of Chinese Poker; the maps kept the third one apart."""
    third = [(1002, 28), (1102, 33), (1095, 173), (995, 168)]
    others = [(834, 31), (934, 32), (933, 172), (833, 171)], [(878, 34), (978, 30), (985, 170)]
    heaped = [
        Back(np.array(corners, np.float32), 0.67)
        for corners in (third, others[0], [*others[1], (885, 174)])
    ]
    shape = np.array([(992, 24), (1103, 24), (1103, 175), (992, 175)], np.float32)
    alone = Back(shape, 0.97)
    assert without_doubles(heaped, [alone], (100.0, 140.0)) == heaped[1:]
    assert without_doubles(heaped, [Back(shape, 0.5)], (100.0, 140.0)) == heaped
    assert without_doubles([Back(heaped[0].corners, FRAMED)], [alone], (100.0, 140.0))


@pytest.mark.parametrize("sure", [0.67, 0.95])
def test_a_card_of_a_heap_that_was_found_before_the_others_is_not_counted_twice(
    sure: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three hole cards, the lowest was known, a little off; the whole heap shows it again."""
    card = np.array(((0, 40), (100, 40), (100, 180), (0, 180)), np.float32)
    heap = [np.asarray(np.add(card, (x, 0)), np.float32) for x in (40, 80, 140)]
    known = Back(np.asarray(np.add(heap[2], (4, -7)), np.float32), sure)
    maps = np.zeros((80, 80), np.float32)
    areas = Areas(maps, maps + np.float32(FAINT), Box(0, 0, 320, 320), 0.25)
    bare = np.zeros(maps.shape, np.uint8)
    bare[10:45, 10:33] = 1
    monkeypatch.setattr(remainder, "_even_parts", lambda *shown: iter([bare]))
    monkeypatch.setattr(remainder, "stacked", lambda *shown: Heaped(tuple(heap), certain=True))
    picture = np.zeros((320, 320, 3), np.uint8)
    told = remainder.faint(picture, areas, (100.0, 140.0), [known], [])
    assert len(told) == 3
    assert all(one.confidence >= FRAMED for one in told)


@pytest.mark.parametrize("contested", [False, True])
def test_of_a_heap_that_two_numbers_of_cards_explain_the_fewest_are_certain(
    contested: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three cards to pass lie over each other: two of them already cover all that shows."""
    card = np.array(((20, 40), (120, 40), (120, 180), (20, 180)), np.float32)
    heap = (card, np.asarray(np.add(card, (92, 0)), np.float32))
    maps = np.zeros((80, 80), np.float32)
    maps[10:45, 5:53] = 1.0
    areas = Areas(np.zeros_like(maps), maps, Box(0, 0, 320, 320), 0.25)
    blob = (maps > 0).astype(np.uint8)
    sizes: list[float] = []

    def explained(*given: Any) -> Heaped:
        sizes.append(given[3][0])
        narrow = given[3][0] < 100
        return Heaped(heap, certain=narrow, fewest=1 if contested and not narrow else 0)

    monkeypatch.setattr(several, "stacked", explained)
    monkeypatch.setattr(several, "unbroken", lambda *shown: True)
    picture = np.zeros((320, 320, 3), np.uint8)
    told, _ = Several(picture, areas, (100.0, 140.0), [blob], (), (90.0, 140.0)).heaped()
    assert [one.confidence >= FRAMED for one in told] == [True, not contested]
    assert len(sizes) == (1 if contested else 2)


@pytest.mark.parametrize("sure", [0.67, FRAMED])
def test_a_card_that_another_area_has_for_certain_is_not_counted_twice(
    sure: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grain of a table joins two of three cards in a row, which the maps keep apart."""
    card = np.array(((20, 40), (120, 40), (120, 180), (20, 180)), np.float32)
    first, second, third = (np.asarray(np.add(card, (x, 0)), np.float32) for x in (0, 130, 240))
    maps = np.zeros((80, 120), np.float32)
    areas = Areas(maps, maps, Box(0, 0, 480, 320), 0.25)
    left, right = np.zeros((2, *maps.shape), np.uint8)
    left[10:45, 5:30], right[10:45, 37:90] = 1, 1
    again = np.asarray(np.add(second, (4, -7)), np.float32)

    def explained(area: Several, blob: Any) -> list[Back]:
        if blob is right:
            return [Back(second, FRAMED), Back(third, FRAMED)]
        if area.faces:
            return [Back(first, FRAMED)]
        return [Back(first, sure), Back(again, sure)]

    monkeypatch.setattr(Several, "_of_either_size", explained)
    picture = np.zeros((320, 480, 3), np.uint8)
    for uneven in ([left, right], [right, left]):
        told, _ = Several(picture, areas, (100.0, 140.0), uneven, ()).heaped()
        assert len(told) == 3
        assert all(one.confidence >= FRAMED for one in told)


def test_hidden_cards_that_lie_as_they_lay_are_not_counted_again() -> None:
    """Only if each shows its edges where neither a card nor a hand lies over it, and nothing else
    lies there."""
    lay = [placed(400.0, y, 90.0) for y in (200.0, 245.0, 330.0)]
    size = CARD[0] * SCALE, CARD[1] * SCALE

    def still(cards: Sequence[Floats], shown: Frame, seen: Sequence[Floats] = lay) -> bool:
        areas = areas_of(seen, rim=0.97)
        (blob,) = blobs_of_backs(areas, size)
        return Lay(shown, areas, size, cards).unmoved(blob)

    frame = bordered(lay[::-1])
    assert still(lay, frame)
    assert not still(lay[1:], frame)
    assert not still([*lay, placed(400.0, 260.0, 90.0)], frame)
    another = placed(400.0, 290.0, 90.0)
    assert not still(lay, bordered([*lay[::-1], another]), [*lay, another])
    moved = [*lay[:2], placed(412.0, 342.0, 95.0)]
    assert not still(lay, bordered(moved[::-1]), moved)


def test_a_hand_that_rests_on_hidden_cards_leaves_them_as_they_lay() -> None:
    lay = [placed(300.0, 300.0, 0.0), placed(408.0, 300.0, 0.0)]
    size = CARD[0] * SCALE, CARD[1] * SCALE
    areas, frame = areas_of(lay, rim=0.97), bordered(lay)
    frame[200:300, 330:390] = 120, 150, 200
    areas.back[50:75, 83:97] = 0.1
    blob = (areas.back >= 0.35).astype(np.uint8)
    assert Lay(frame, areas, size, lay).unmoved(blob)
    frame[200:400, 250:500] = 120, 150, 200
    areas.back[50:100, 62:125] = 0.1
    assert not Lay(frame, areas, size, lay).unmoved(blob)


@pytest.mark.parametrize(("turn", "more"), [(0.0, 1), (6.0, 0)])
def test_a_card_that_covers_another_one_s_side_is_not_overlooked(turn: float, more: int) -> None:
    """The third of a row, over the second, which hides most of the first one's right side."""
    first, second = placed(400.0, 300.0, 0.0), placed(440.0, 300.0, 0.0)
    third = placed(506.0 if turn else 440.0, 300.0, turn)
    row = [first, second, third] if turn else [first, third]
    frame, areas = bordered(row), areas_of(row, rim=0.97)
    size = CARD[0] * SCALE, CARD[1] * SCALE
    (blob,) = blobs_of_backs(areas, size)
    assert len(heap(frame, areas, blob, size, []).added([first])) == more


@pytest.mark.parametrize(("apart", "turned", "believed"), [(20.0, 90.0, 0), (60.0, 0.0, 3)])
def test_two_cards_laid_at_once_do_not_hide_each_other(
    apart: float, turned: float, believed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A back of lines laid beside one that lay there was taken for two across one another."""
    size = CARD[0] * SCALE, CARD[1] * SCALE
    lay, first, second = (
        placed(300.0, 420.0, 90.0),
        placed(300.0, 280.0, 0.0),
        placed(300.0 + apart, 280.0, turned),
    )
    areas = areas_of([lay, first, second], rim=0.97)
    blob = (areas.back >= 0.35).astype(np.uint8)
    laid = tuple(Laid(corners, 1.0, 1.0, 0.0) for corners in (first, second))
    monkeypatch.setattr(Heap, "added", lambda *_: laid)
    monkeypatch.setattr(Lay, "unmoved", lambda *_: False)
    monkeypatch.setattr(Several, "_backs_of", lambda *_: ([], False))
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    found, _ = Several(picture, areas, size, [blob], (), None, [lay]).heaped()
    assert len(found) == believed
