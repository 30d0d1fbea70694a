"""A face-down card is fitted to its edges and its print, and a heap is explained by such cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.backs_drawn import (
    CARD,
    RED,
    SCALE,
    WHITE,
    drawn,
    placed,
)
from vision.backs.copies import Pattern, everywhere
from vision.backs.edges import framed
from vision.backs.explanation import LEAST
from vision.backs.fitting import fitted
from vision.backs.measuring import measured
from vision.backs.poses import Bare, Poses, joined
from vision.backs.sheet import Sheet, filled
from vision.backs.stack import best_of, stacks, uncovered
from vision.backs.survey import Survey
from vision.backs.symmetry import centred, symmetries
from vision.backs.turned import turned


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


def on_rough_wood(seed: int) -> Poses:
    """A card with a white border on wood, the grain of which stands out along its sides as well."""
    rng = np.random.default_rng(seed)
    grain = np.cumsum(rng.normal(0, 6, 220))
    grain -= np.linspace(0, grain[-1], 220)
    wood = np.array((70, 104, 150)) + grain[:, None, None] * np.ones((1, 200, 1))
    shown = np.clip(wood, 0, 255).astype(np.uint8)
    for size, colour in (((64, 90), WHITE), ((58, 84), RED)):
        corners = cv2.boxPoints(((100.3, 110.6), size, -4.0))
        cv2.fillConvexPoly(shown, np.round(corners * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    soft = np.asarray(cv2.GaussianBlur(shown, (0, 0), 0.8), np.uint8)
    sheet = Sheet.of(soft, np.zeros(2, np.float32), 1.0)
    corners = cv2.boxPoints(((100.8, 111.1), (64, 90), -4.0))
    cv2.fillConvexPoly(sheet.heap, np.round(corners).astype(np.int32), 1)
    for _ in range(int(rng.integers(4, 9))):
        side = int(rng.integers(4))
        first, second = corners[side], corners[(side + 1) % 4]
        x, y = first + (second - first) * rng.uniform(0, 1)
        axes = int(rng.uniform(4, 16)), int(rng.uniform(3, 7))
        cv2.ellipse(sheet.heap, (int(x), int(y)), axes, rng.uniform(0, 180), 0, 360, 1, -1)
    return Poses.of(sheet, (64.0, 90.0), np.array([(100.8, 111.1, -4.0)], np.float32))


@pytest.mark.parametrize("seed", [416, 447])
def test_a_card_on_rough_wood_is_not_two_turned_either_way(seed: int) -> None:
    """Two cards, each turned by six degrees, explained what stood out; so did one."""
    assert turned(on_rough_wood(seed)) is None
