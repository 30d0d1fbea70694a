"""What a supposed back is compared with: the ground around it, and what goes on beyond a side."""

from __future__ import annotations

import numpy as np
import pytest

from vision.backs.parts import Back
from vision.backs.surroundings import continued, standing_out
from vision.find.finder import Areas
from vision.picture.geometry import Box, Floats, Frame
from vision.sightings import SURE_BACK

WIDE, HIGH = 60.0, 90.0
X, Y = 120.0, 110.0


def corners(x: float, y: float) -> Floats:
    """A card's corners (4, 2) in pixels from its top left one, clockwise."""
    far = x + WIDE, y + HIGH
    return np.array([(x, y), (far[0], y), far, (x, far[1])], np.float32)


def patterned(*areas: tuple[float, float, float, float]) -> Frame:
    """A dark table with areas (left, top, right, bottom) of one light, grainy print."""
    rng = np.random.default_rng(4)
    frame = np.full((320, 320, 3), 30, np.uint8)
    print_ = np.clip(rng.normal(170, 25, (320, 320, 1)), 0, 255).astype(np.uint8)
    for left, top, right, bottom in areas:
        across, down = slice(int(left), int(right)), slice(int(top), int(bottom))
        frame[down, across] = print_[down, across]
    return frame


@pytest.mark.parametrize(
    "area",
    [
        (X, Y, X + 2 * WIDE, Y + HIGH),
        (X - WIDE, Y, X + WIDE, Y + HIGH),
        (X, Y, X + WIDE, Y + 2 * HIGH),
        (X, Y - HIGH, X + WIDE, Y + HIGH),
    ],
)
def test_a_corner_of_a_larger_thing_goes_on(area: tuple[float, float, float, float]) -> None:
    assert continued(patterned(area), corners(X, Y), ()) == 1


def test_a_card_ends_on_every_side() -> None:
    assert not continued(patterned((X, Y, X + WIDE, Y + HIGH)), corners(X, Y), ())


def test_another_card_beside_it_is_not_the_same_thing() -> None:
    frame = patterned((X, Y, X + 2 * WIDE, Y + HIGH))
    assert not continued(frame, corners(X, Y), [corners(X + WIDE, Y)])


def test_at_the_rim_of_the_picture_nothing_is_known() -> None:
    assert not continued(patterned((0, 0, WIDE, HIGH)), corners(0, 0), ())


@pytest.mark.parametrize(
    ("beyond", "beside", "sure"),
    [
        ("left right top", 1.0, False),
        # It may lie on others with the same print, which shows beyond two of its sides.
        ("left right", 1.0, True),
        # What is doubtful beside it hides no side, and shows none.
        ("left right", 0.67, True),
        ("left right top", 0.67, False),
    ],
)
def test_a_framed_back_whose_print_goes_on_beyond_three_sides_is_a_question(
    beyond: str, beside: float, sure: bool
) -> None:
    """Edges seemed to run along a part of a sofa's weave, on a sofa that looked like backs."""
    ways = {
        "left": (X - WIDE, Y, X, Y + HIGH),
        "right": (X + WIDE, Y, X + 2 * WIDE, Y + HIGH),
        "top": (X, Y - HIGH, X + WIDE, Y),
    }
    frame = patterned((X, Y, X + WIDE, Y + HIGH), *(ways[way] for way in beyond.split()))
    card = np.ones((160, 160), np.float32)
    areas = Areas(card, card, Box(0, 0, 320, 320), 0.5)
    told = [Back(corners(X, Y), 1.0), Back(corners(X, Y + HIGH), beside)]
    first = next(iter(standing_out(frame, areas, told, ())))
    assert (first.confidence >= SURE_BACK) is sure
