"""Where stacks end, next to other chips and next to cards, and how many chips that makes."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.rehearsal.chip_set import HEIGHT_MM, STYLES, taught_chips
from firmware.rehearsal.setting import PX_PER_MM, SIZE
from rules.cards import Card
from tests.chip_scenes import drawn
from tests.chips import LAYOUTS, camera_of, camouflaged, taught
from vision.chips import inlays as inner
from vision.chips.chances import Presumed, odds, ranged
from vision.chips.circles import ANGLES, AROUND, Circles, Slopes
from vision.chips.heights import Stacks
from vision.chips.hull import fitted, outlines
from vision.chips.reader import ChipReader
from vision.chips.silhouettes import Paper, Sides, edges_around
from vision.chips.stack_hulls import Hulls, hulls
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Frame
from vision.scene.chip_sets import DEVELOPMENT
from vision.scene.chips import stack
from vision.scene.courts import Colour
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose, outline
from vision.scene.light import Lens, Light, Surface, Weave
from vision.scene.render import render
from vision.scene.view import View

CAMERA = Standpoint((-900.0, 150.0), 830.0, 1.6)
"""It is to the left of a stack at (150, 150), so each chip's side shows by 4 pixels there."""


def rims(*middles: tuple[int, int]) -> Circles:
    """The round things with these centres."""
    ones = np.ones(len(middles), np.float32)
    whole = np.ones((len(middles), ANGLES), np.bool_)
    return Circles(np.array(middles, np.float32), 31 * ones, ones, whole, ones)


def standing(ground: Frame, body: Colour, lean: int = 12) -> Frame:
    """A picture of a stack whose foot appears `lean` pixels to the left of its top."""
    picture = ground.copy()
    side = tuple(0.78 * level for level in body)
    for step in range(lean, -1, -1):
        cv2.circle(picture, (150 - step, 150), 31, side if step else body, -1, cv2.LINE_AA)
    return picture


def blurred(picture: Frame) -> Frame:
    """The same, seen through a lens by a sensor."""
    noise = np.random.default_rng(5).normal(0, 2, picture.shape)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8) + noise
    return np.asarray(np.clip(soft, 0, 255), np.uint8)


def test_a_light_neighbour_behind_a_chip_is_not_taken_for_the_table_beside_it() -> None:
    """Only the cloth shows where a red stack on red cloth ends."""
    picture = standing(np.full((300, 300, 3), (45, 38, 105), np.uint8), (45, 40, 165))
    cv2.circle(picture, (216, 150), 31, (215, 220, 225), -1, cv2.LINE_AA)
    stacks = Stacks(blurred(picture), CAMERA, 0.17, presumed=False)
    seen = stacks.of(rims((150, 150), (216, 150)), [0], [0, 1])[0]
    assert seen.least <= 3 <= seen.most
    assert seen.count == 3
    assert seen.most - seen.least <= 2


def test_two_chips_that_a_tall_stack_leans_over_are_not_one_for_certain() -> None:
    """Their feet stand apart, so that neither is a chip half on another."""
    ground = np.full((300, 300, 3), (70, 100, 40), np.uint8)
    picture = np.roll(standing(ground, (45, 40, 190), 8), 46, axis=1)
    for step in range(28, -1, -1):
        cv2.circle(picture, (150 - step, 150), 31, (160, 160, 160), -1, cv2.LINE_AA)
    cv2.circle(picture, (150, 150), 31, (215, 220, 225), -1, cv2.LINE_AA)
    stacks = Stacks(blurred(picture), CAMERA, 0.17, presumed=False)
    tall, low = stacks.of(rims((150, 150), (196, 150)), [0, 1], [0, 1])
    assert tall.least > 4
    assert low.least <= 2 <= low.most


def test_a_stack_that_stands_half_on_a_card_ends_where_the_card_begins() -> None:
    card = ((60.0, 60.0), (150.0, 60.0), (150.0, 240.0), (60.0, 240.0))
    ground = np.full((300, 300, 3), (70, 100, 40), np.uint8)
    cv2.fillPoly(ground, [np.array(card, np.int32)], (240, 242, 243))
    frame, chips = blurred(standing(ground, (45, 40, 190))), rims((150, 150))
    paper = Paper.of(frame, [card], np.array([240, 242, 243], np.float32))
    seen = Stacks(frame, CAMERA, 0.17, presumed=False, paper=paper).of(chips, [0])[0]
    assert (seen.count, seen.whole > 0.9) == (3, True)
    alone = Stacks(frame, CAMERA, 0.17, presumed=False).of(chips, [0])[0]
    assert (alone.count, alone.whole > 0.9) != (3, True), "the card's paper is not part of a stack"


def test_hearts_on_a_card_beside_a_white_stack_are_no_part_of_it() -> None:
    card = ((150.0, 60.0), (240.0, 60.0), (240.0, 240.0), (150.0, 240.0))
    ground = np.full((300, 300, 3), (90, 50, 30), np.uint8)
    cv2.fillPoly(ground, [np.array(card, np.int32)], (225, 230, 235))
    for down in (-17, 17):
        cv2.circle(ground, (177, 150 + down), 7, (40, 40, 190), -1)
    picture = standing(ground, (225, 230, 235))
    for turn in range(0, 360, 45):  # stripes at the rim meet the hearts
        cv2.ellipse(picture, (150, 150), (28, 28), turn, -9, 9, (180, 90, 20), 6)
    frame, chips = blurred(picture), rims((150, 150))
    paper = Paper.of(frame, [card], np.array([225, 230, 235], np.float32))
    seen = Stacks(frame, CAMERA, 0.17, presumed=False, paper=paper).of(chips, [0])[0]
    assert abs(seen.top[0] - 150) < 0.7
    assert seen.count == 3


def test_a_light_chip_that_lies_mostly_on_a_card_is_read() -> None:
    """The rim of a white chip hardly stands out from white paper, but its stripes agree."""
    view = View.above(SIZE, height_mm=HEIGHT_MM, px_per_mm=PX_PER_MM)
    card = CardItem(DrawnDeck(DeckStyle()), Card.parse("AS"), Pose(-433.0, -100.0, 0.0))
    rng = np.random.default_rng(2)
    items: list[Item] = [card, *stack(STYLES[1], -406.0, -90.0, count=2, rng=rng)]
    cloth = Surface(Weave.CLOTH, (52, 44, 120), (44, 36, 100))
    picture = render(items, cloth, view, Light(brightness=0.85), Lens(), rng=rng)
    corners = [(float(x), float(y)) for x, y in outline(card, view)]
    middle = SIZE[0] / 2, SIZE[1] / 2
    camera = Standpoint(middle, HEIGHT_MM, PX_PER_MM, middle)
    sheet = (corners[0], corners[1], corners[2], corners[3])
    [seen] = ChipReader(taught_chips(), camera=camera).read(np.asarray(picture), [sheet])
    assert seen.value == "1"
    assert seen.least <= 2 <= seen.most


@pytest.mark.parametrize("light", [0.85, 1.0])
def test_chips_in_the_colour_of_their_cloth_are_seen_and_hold_their_number(light: float) -> None:
    some = (next(style for style in DEVELOPMENT["plain"] if style.value == "5"),)
    seen = camouflaged("plain", some, LAYOUTS["stacks"], 1, light, first=306)
    assert seen["held"] >= 0.8 * seen["piles"]
    assert seen["held"] == seen["valued"]
    assert seen["invented"] + seen["wrong"] == 0


def test_a_table_in_the_colour_of_a_chip_shows_none() -> None:
    chips = DEVELOPMENT["plain"]
    scene = drawn([], np.random.default_rng(1), cards=8, ground=chips[1].colour)
    reader = ChipReader(taught("plain", chips), camera=camera_of(scene))
    assert not reader.read(scene.picture, scene.cards)


def test_the_print_of_a_card_beside_a_stack_does_not_move_its_top() -> None:
    """Of a white stack half on a card, hearts beside it showed an edge and its rim hardly did."""
    radius, lean = np.array([30.0], np.float32), 14.0
    away = outlines(np.array([(0.0, 0.0, 30.0, lean)]))
    far = np.flatnonzero(AROUND[:, 0] > 0.3)
    away[0, far] = np.nan
    print_of_card = [2, 3, 4, ANGLES - 2, ANGLES - 3, ANGLES - 4]
    away[0, print_of_card] = 30.0 + 4.5
    shapes, _ = fitted(away, radius)
    assert abs(shapes[0, 0]) < 0.5
    assert abs(shapes[0, 3] - lean) < 0.7


def span(weights: NDArray[np.float64]) -> tuple[int, int, int]:
    """The likeliest number of chips, the least and the most, by the weights (1, N) of each."""
    return ranged(weights[0] / weights.sum())


def upright(lean_px: float) -> Hulls:
    """The outline of one stack whose foot appears so far from its top, with no shadow."""
    one, place = np.ones(1, np.float32), np.zeros((1, 2), np.float32)
    parts = place, 30 * one, lean_px * one, 0.1 * one, one, one, one, one, 0 * one, place, 0 * one
    return Hulls(*parts, one > 2)


def disc(radius: float) -> tuple[np.ndarray, Circles]:
    """A bright disc on dark cloth, with its circle and another next to it."""
    picture = np.full((300, 300, 3), 60, np.uint8)
    cv2.circle(picture, (150, 150), round(radius), (60, 60, 220), -1, cv2.LINE_AA)
    centres = np.array([[150, 150], [150 - 1.2 * radius, 150]], np.float32)
    ones = np.ones(2, np.float32)
    return picture, Circles(centres, radius * ones, ones, np.ones((2, ANGLES), np.bool_), ones)


def test_a_chip_in_a_photograph_that_shows_neither_side_nor_shadow_counts_as_one() -> None:
    one = np.ones(1, np.float32)
    seen = upright(0.0)
    steps, open_ = 0.2 * one, Presumed(0.05, 0.2 * one, 0.1 * one)
    assert span(odds(seen, steps, 0.5, open_, flat=np.array([True]))) == (1, 1, 1)
    assert span(odds(seen, steps, 0.5, open_))[2] > 3
    leaning_far = replace(seen, leans=12.0 * one)
    told = span(odds(leaning_far, 4.0 * one, 0.5, open_, flat=np.array([True])))
    assert told[2] >= 3, "a side in sight counts more"


def test_a_low_stack_of_thin_coins_is_not_taken_for_one_coin_less() -> None:
    """Outlines end a pixel short of the feet of stacks, however thin their coins are."""
    one = np.ones(1, np.float32)
    for number in (3, 4, 5):
        short = upright(0.7 * number - 0.95)
        assert span(odds(short, 0.7 * one, 0.2))[0] == number


def test_a_side_that_has_the_colour_of_the_table_leaves_greater_numbers_open() -> None:
    one = np.ones(1, np.float32)
    seen = upright(2.0)
    hidden = replace(seen, alike=one > 0)
    assert span(odds(seen, 3.0 * one, 0.5)) == (1, 1, 1)
    likeliest, least, most = span(odds(hidden, 3.0 * one, 0.5))
    assert (likeliest, least) == (1, 1)
    assert most > 5


def test_the_reach_of_a_shadow_is_measured_beyond_the_outline() -> None:
    picture = np.full((300, 300, 3), 120, np.uint8)
    cv2.circle(picture, (162, 150), 30, (84, 84, 84), -1, cv2.LINE_AA)
    cv2.circle(picture, (150, 150), 30, (40, 40, 190), -1, cv2.LINE_AA)
    alone = picture.copy()
    alone[np.all(alone == 84, axis=2)] = 120
    centre, outwards = (np.array([one], np.float32) for one in ((150.0, 150.0), (0.0, 1.0)))
    thing, reached = (centre, np.array([30.0], np.float32), outwards), []
    for shown in (picture, alone):
        soft = cv2.GaussianBlur(shown, (0, 0), 0.8).astype(np.uint8)
        edges = edges_around(soft, *thing, reach=12.0, sides=Sides.all(1))
        seen = hulls(edges, *thing, sides=Sides.all(1))
        reached.append(float(seen.shadows[0]))
    assert reached[0] > 7.0
    assert reached[1] < 2.0


def test_what_only_seemed_to_hide_a_side_does_not_when_chips_are_known() -> None:
    picture, found = disc(30.0)
    camera = Standpoint((1000.0, 150.0), 800.0, 1.7)
    fresh = Stacks(picture, camera, 0.17, presumed=False).among(found, [0])[0]
    stacks = Stacks(picture, camera, 0.17, presumed=False)
    hidden = stacks.of(found, [0], [0, 1])[0]
    assert hidden.whole < hidden.round or not hidden.whole
    assert stacks.among(found, [0])[0].whole == fresh.whole > 0.9


def test_an_outline_whose_edges_lie_off_the_hull_gives_a_wider_range() -> None:
    one = np.ones(1, np.float32)
    firm = upright(1.2)
    steps = 2.2 * one
    assert span(odds(firm, steps, 0.5)) == (1, 1, 1)
    loose = replace(firm, firm=0.84 * one)
    assert span(odds(loose, steps, 0.5))[2] >= 3


def test_no_border_is_looked_for_next_to_an_outline_that_agrees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture, found = disc(30.0)
    looked: list[int] = []
    monkeypatch.setattr(inner, "circles", lambda *_, **__: looked.append(1))
    tops = inner.tops(Slopes.of(picture), found[np.array([0])], found[np.array([1])], 60.0, (0.5,))
    assert not len(tops)
    assert not looked
