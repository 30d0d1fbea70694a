"""Face-down cards that overlap are counted by the borders and the outlines that show."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest

from tests.backs_drawn import (
    CARD,
    INDEX,
    RED,
    SCALE,
    SIZE,
    WHITE,
    areas_of,
    bordered,
    count,
    drawn,
    known,
    laid_over,
    placed,
    sure,
)
from vision.backs import prints, several, turned
from vision.backs.below import Prints
from vision.backs.count import backs
from vision.backs.explanation import Copy, Stack
from vision.backs.parts import Back
from vision.backs.poses import Poses
from vision.backs.remainder import unexplained
from vision.backs.sheet import Sheet
from vision.backs.stack import Heaped, best_of
from vision.join.proportions import Shape
from vision.picture.geometry import Floats
from vision.sightings import SURE_BACK


def test_backs_that_overlap_are_counted_where_a_border_shows() -> None:
    laid = [placed(300 + 55 * number, 300, 4 * number) for number in range(3)]
    assert count(drawn(laid), areas_of(laid)) == 3


def test_a_back_half_under_another_is_counted() -> None:
    under, over = placed(300, 300, 0), placed(350, 330, 30)
    assert count(drawn([under, over]), areas_of([under, over])) == 2


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


@pytest.mark.parametrize("off", [0, 4])
@pytest.mark.parametrize("turn", [8, -10, 12, 20])
def test_a_back_turned_a_little_under_another_is_counted(turn: int, off: int) -> None:
    """Its corners alone show: it was told for sure that one card lies there, or asked."""
    laid = laid_over((300, 300, 0), (300 + off, 300 - off, turn))
    assert count(drawn(laid), areas_of(laid, rim=0.97)) == 2
    assert count(bordered(laid), areas_of(laid)) == 2


def test_the_grain_of_a_wooden_table_along_a_back_is_no_corner_of_another() -> None:
    """Of one back in Anaconda the grain left stubs along the heap: it was two, for certain."""
    heap = np.zeros((257, 229), np.uint8)
    outline = [(79, 79), (146, 76), (152, 175), (85, 181)]
    cv2.fillConvexPoly(heap, np.array(outline, np.int32), (1,))
    for x, y in ((77, 95), (112, 73), (138, 180), (151, 108), (82, 160)):
        cv2.circle(heap, (x, y), 3, (1,), -1)
    begun = SimpleNamespace(sheet=SimpleNamespace(heap=heap), size=(64.4, 98.6))
    assert not turned._notched(cast(Poses, begun))
    # Corners of a card turned by eight degrees jut out farther.
    tips = cv2.boxPoints(((115.0, 128.0), (64.4, 98.6), 6.0))
    cv2.fillConvexPoly(heap, np.round(tips).astype(np.int32), (1,))
    assert turned._notched(cast(Poses, begun))


@pytest.mark.parametrize("corners", [1, 2])
def test_what_juts_out_at_one_end_of_a_back_is_no_card_under_it(corners: int) -> None:
    """A scrap of paper or a shadow has not the corners of a card of its size."""
    (back,) = laid_over((300, 300, 0))
    scraps = [laid_over((300, 300, 12))[0][n] for n in range(corners)]
    frame = bordered([back])
    ground = frame.copy()
    for x, y in scraps:
        cv2.circle(ground, (round(float(x)), round(float(y))), 9, RED, -1)
    inside = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(back).astype(np.int32), (1,))
    ground[inside > 0] = frame[inside > 0]
    assert count(ground, areas_of([back])) == 1


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


@pytest.mark.parametrize("before", [True, False])
def test_cards_that_lay_there_are_certain_though_their_print_differs(
    before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fine print falls on the pixels another way: three were told as two, for certain."""
    monkeypatch.setattr(Prints, "margin", None)
    monkeypatch.setattr(several, "unbroken", lambda *_: False)
    monkeypatch.setattr(several, "agreeing", lambda _, laid: [False] * len(laid))
    fan = laid_over((300, 300, 0), (362, 301, 3), (394, 300, -2))
    stirred = fan[:2] if before else []
    found = backs(bordered(fan), areas_of(fan, rim=0.97), (), Shape(), INDEX, stirred=stirred)
    assert len(sure(found)) == (3 if before else 0)
    assert len(found) == 3


def test_a_card_that_was_stirred_is_looked_for_under_those_that_lay_there() -> None:
    """A fine print may seem to have moved: two were told for certain where three lay."""
    fan = laid_over((300, 300, 0), (362, 301, 3), (394, 300, -2))
    lay, stirred = (fan[0], fan[2]), (fan[1],)
    frame, areas = bordered(fan), areas_of(fan, rim=0.97)
    found = backs(frame, areas, (), Shape(), INDEX, lay=lay, stirred=stirred)
    assert len(sure(found)) == 3


@pytest.mark.parametrize(("more", "certain"), [(0, 3), (3, 3), (4, 0)])
def test_cards_side_by_side_are_certain_though_their_print_differs(
    more: int, certain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All edges of each show: three in a column were asked about. But a border may run through one
    of them: of three in a column, the second and third were one that lay askew, for certain. Copies
    of the uppermost card told better, though not surely."""
    row = laid_over((200, 300, 0), (305, 302, 1), (412, 300, -1))
    copies = tuple([*row, placed(350, 300, 0)][:more])
    monkeypatch.setattr(several, "agreeing", lambda _, laid: [False] * len(laid))
    monkeypatch.setattr(several, "unbroken", lambda *_: False)
    monkeypatch.setattr(several, "stacked", lambda *_, **__: Heaped(copies))
    areas = areas_of(row)
    swollen = cv2.dilate(areas.back, np.ones((3, 3), np.uint8))
    areas.back[:] = np.where(areas.back > 0, areas.back, np.minimum(swollen, 0.6))
    assert count(bordered(row), areas) == certain


@pytest.mark.parametrize(("symmetry", "certain"), [(0.86, False), (0.97, True)])
def test_a_strip_along_a_card_is_another_only_if_the_print_is_the_same_upside_down(
    symmetry: float, certain: bool
) -> None:
    """A card nearer to the camera than the rest of a row was told as two, for certain."""
    made = Sheet.of(drawn([]), np.zeros(2, np.float32), 1.6)
    at = np.array([(100.0, 100.0, 0.0)], np.float32)
    pose = Poses.of(made, (63.5, 88.9), at)
    top = Copy(pose, edged=1.0, printed=1.0, sight=1.0, bordered=1.0)
    strip = Copy(pose, edged=1.0, printed=1.0, sight=0.05, bordered=1.0)
    assert Stack((top, strip), 0.0, symmetry).certain is certain


@pytest.mark.parametrize(("edged", "believed"), [(0.97, True), (0.93, False)])
def test_a_card_that_lay_there_decides_between_two_ways_to_explain_a_heap(
    edged: float, believed: bool
) -> None:
    """Of a print of dots, two cards side by side had the edges of two across them as well."""
    made = Sheet.of(drawn([]), np.zeros(2, np.float32), 1.6)

    def two(edges: float, *places: tuple[float, float, float]) -> Stack:
        poses = [Poses.of(made, (63.5, 88.9), np.array([at])) for at in places]
        return Stack(tuple(Copy(one, edges, 1.0, 1.0, 1.0) for one in poses), 0.0)

    side_by_side = two(edged, (100.0, 100.0, 0.0), (128.0, 100.0, 0.0))
    across = two(1.0, (114.0, 87.0, 90.0), (114.0, 113.0, 90.0))
    assert side_by_side.certain
    assert best_of([side_by_side, across]) == (across, True)
    lain = [side_by_side.cards[1].corners + np.float32(2)]
    best, certain = best_of([side_by_side, across], lain)
    assert (best is side_by_side, certain) == (believed, True)


def test_cards_far_from_a_lamp_are_of_the_same_print() -> None:
    """Over the length of a column its light falls off by more than prints may differ."""
    column = laid_over(*((200 + 62 * n, 300 + (-1) ** n, 3 * (-1) ** n) for n in range(5)))
    frame = bordered(column)
    light = np.interp(np.arange(SIZE[0]), (200, 448), (0.95, 1.0))[None, :, None]
    dimmed = np.clip(frame * light, 0, 255).astype(np.uint8)
    assert count(dimmed, areas_of(column, rim=0.97)) == len(column)


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


def test_the_rest_of_an_area_after_a_detected_card_is_asked_about() -> None:
    """A strip next to a card may be another one, of which nothing else is visible."""
    card, strip = placed(300, 300, 0), placed(352, 300, 0, (30.0, 70.0))
    told, size = [Back(card, 0.95)], (CARD[0] * SCALE, CARD[1] * SCALE)
    (asked,) = unexplained(areas_of([strip, card], rim=0.97), size, told, ())
    assert asked.confidence < SURE_BACK
    assert unexplained(areas_of([card], rim=0.97), size, told, ()) == []


def test_a_back_partly_covered_by_a_face_is_counted() -> None:
    back, face = placed(300, 300, 0), placed(360, 330, 25)
    frame = drawn([back])
    cv2.fillPoly(frame, [np.round(face).astype(np.int32)], WHITE)
    areas = areas_of([back], rim=0.97)
    cv2.fillConvexPoly(areas.back, np.round(face / 4).astype(np.int32), (0,))
    cv2.fillConvexPoly(areas.face, np.round(face / 4).astype(np.int32), (1,))
    found = backs(frame, areas, [known(face)], Shape(), INDEX)
    assert len([back for back in found if back.confidence >= SURE_BACK]) == 1
