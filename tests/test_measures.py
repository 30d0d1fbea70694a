"""How large cards appear at each place of a picture taken askew, as their backs tell."""

from __future__ import annotations

import numpy as np
import pytest

from vision.join.measures import MEASURED, MEASURES, Measures
from vision.picture.plane import Plane

SIDES = 3.4, 5.3
"""A bridge card's sides in heights of a standard index."""


def learned(slope: float, *, noise: float = 0.0, count: int = 8, seed: int = 1) -> Measures:
    """What backs all over a picture tell that grow by `slope` for each index height down it."""
    numbers, measures = np.random.default_rng(seed), Measures()
    for x, y in numbers.uniform(0, (70, 40), (count, 2)).tolist():
        larger = 1 + slope * y + noise * float(numbers.normal())
        measures.note(SIDES[0] * larger, SIDES[1] * larger, (x, y))
    return measures


@pytest.mark.parametrize("slope", [-0.001, 0.0, 0.001, 0.003])
def test_the_size_follows_the_place_in_the_picture(slope: float) -> None:
    measures = learned(slope, noise=0.005)
    for x, y in ((10.0, 5.0), (60.0, 35.0)):
        found = measures.at((x, y))
        assert found == pytest.approx([side * (1 + slope * y) for side in SIDES], rel=0.015)


def test_two_cards_do_not_tell_what_lies_far_from_them() -> None:
    """A hundredth between two that lie side by side is an error, and no trend."""
    measures = Measures()
    for x, larger in ((10.0, 1.0), (10.0, 1.0), (14.0, 1.01)):
        measures.note(SIDES[0] * larger, SIDES[1] * larger, (x, 10.0))
    assert measures.at((60.0, 10.0)) == pytest.approx(SIDES, rel=0.03)


def test_what_was_measured_wrongly_hardly_counts() -> None:
    measures = learned(0.001)
    measures.note(SIDES[0] * 1.12, SIDES[1] * 1.1, (35.0, 20.0))
    assert measures.at((35.0, 20.0)) == pytest.approx([side * 1.02 for side in SIDES], rel=0.01)


def test_one_card_is_measured_a_few_times_only_and_the_latest_places_count() -> None:
    measures = Measures()
    for _ in range(MEASURED):
        assert measures.wants((5.0, 5.0))
        assert measures.at((5.0, 5.0)) is None
        measures.note(*SIDES, (5.0, 5.0))
    assert not measures.wants((5.0, 5.0))
    for number in range(MEASURES):
        measures.note(SIDES[0] / 2, SIDES[1] / 2, (5.0 + 3 * number, 30.0))
    assert measures.at((5.0, 30.0)) == pytest.approx([side / 2 for side in SIDES], rel=0.01)


def test_a_camera_that_was_set_up_tells_how_the_size_grows_before_anything_is_measured() -> None:
    plane = Plane(np.array([[1.6, 0.2, 60.0], [0.0, 1.7, 40.0], [0.0, 0.0002, 1.0]]))
    x, y = plane.pixels((500.0, 300.0))
    unit = 17.0 * plane.scale((500.0, 300.0))
    measures = Measures.on(plane, (x, y), unit)
    for place in ((400.0, 100.0), (600.0, 500.0)):
        across, down = plane.pixels(place)
        truth = plane.scale(place) / plane.scale((500.0, 300.0))
        assert measures.larger((across / unit, down / unit)) == pytest.approx(truth, rel=0.01)
    for _ in range(MEASURED):
        measures.note(*SIDES, (x / unit, y / unit))
    across, down = plane.pixels((600.0, 500.0))
    larger = plane.scale((600.0, 500.0)) / plane.scale((500.0, 300.0))
    found = measures.at((across / unit, down / unit))
    assert found == pytest.approx([side * larger for side in SIDES], rel=0.015)
