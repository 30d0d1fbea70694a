"""Fans of cards that lie face down: even steps about a pivot, and no card too few for certain."""

from __future__ import annotations

import numpy as np
import pytest

from tests.face_down import table, told
from vision.backs.explanation import fanned
from vision.backs.poses import Poses
from vision.backs.sheet import Sheet
from vision.reader import CardReader

SHEET = Sheet.of(np.zeros((8, 8, 3), np.uint8), np.zeros(2, np.float32), 1.0)
STEP = 9.0
"""Degrees from one card of a fan to the next."""


def fan(count: int) -> np.ndarray:
    """Cards (N, 3) spread about a pivot below them, in dots and degrees."""
    turns = np.radians(STEP) * np.arange(count)
    return np.stack([140 * np.sin(turns), -140 * np.cos(turns), np.degrees(turns)], 1)


def cards(places: np.ndarray) -> list[Poses]:
    return [Poses.of(SHEET, (64, 90), np.array([place], np.float32)) for place in places]


@pytest.mark.parametrize("count", [3, 5])
def test_even_steps_about_a_pivot_are_a_fan(count: int) -> None:
    assert fanned(cards(fan(count)))
    upside_down = fan(count)
    upside_down[1::2, 2] += 180  # a back looks the same either way up
    assert fanned(cards(upside_down))


@pytest.mark.parametrize("off", [(12.0, 0.0, 0.0), (0.0, 12.0, 0.0), (0.0, 0.0, 12.0)])
def test_uneven_steps_are_none(off: tuple[float, float, float]) -> None:
    moved = fan(4)
    moved[2] += off
    assert not fanned(cards(moved))
    assert not fanned(cards(fan(2)))


@pytest.mark.parametrize("seed", [93005, pytest.param(96032, marks=pytest.mark.slow)])
def test_a_fan_is_counted_though_some_of_its_edges_hardly_show(seed: int) -> None:
    drawn = table(seed, "fan")
    count = told(CardReader(), drawn)
    assert (count.backs, count.asked) == (drawn.backs, 0)


@pytest.mark.parametrize(
    ("way", "seed"),
    [
        ("fan", 450004),  # margins on one side, which seemed to be more light
        ("under", 460009),  # the maps show 0.63 of a back
        pytest.param("under", 460056, marks=pytest.mark.slow),  # 0.61
    ],
)
def test_margins_are_no_light_and_edges_prove_a_back_under_a_face(way: str, seed: int) -> None:
    drawn = table(seed, way)
    count = told(CardReader(), drawn)
    assert (count.backs, count.asked) == (drawn.backs, 0)


@pytest.mark.parametrize("seed", [93010, 96007])
def test_a_fan_without_a_print_is_not_counted_too_low_for_certain(seed: int) -> None:
    drawn = table(seed, "fan")
    count = told(CardReader(), drawn)
    assert count.backs == drawn.backs or count.asked
