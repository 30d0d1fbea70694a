"""Where stacks end, next to other chips and next to cards, and how many chips that makes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from firmware.rehearsal.chip_set import HEIGHT_MM, STYLES, taught_chips
from firmware.rehearsal.setting import PX_PER_MM, SIZE
from rules.cards import Card
from tests.chip_scenes import drawn
from tests.chips import LAYOUTS, camera_of, camouflaged, taught
from vision.chips.circles import ANGLES, AROUND, Circles
from vision.chips.heights import Stacks
from vision.chips.hull import fitted, outlines
from vision.chips.reader import ChipReader
from vision.chips.silhouettes import Paper
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
