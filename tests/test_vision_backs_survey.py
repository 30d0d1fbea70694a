"""What is kept of all places in a heap: as little as is enough, and nothing else than was seen."""

from __future__ import annotations

import tracemalloc

import cv2
import numpy as np
import pytest

from vision.backs import poses
from vision.backs.borders import Borders
from vision.backs.copies import Faces, Pattern, everywhere
from vision.backs.poses import Bare, Poses
from vision.backs.sheet import Sheet, filled
from vision.backs.survey import PRINT, Packed, Survey
from vision.picture.geometry import Floats

CARD = (64.0, 90.0)
LONG = (64.0, 280.0)
"""A card whose points are farther from its middle than a byte holds."""


def row(number: int) -> tuple[Sheet, Floats]:
    """A row of printed cards, and the corners (4, 2) of the first."""
    rng = np.random.default_rng(3)
    print_ = cv2.resize(rng.integers(0, 255, (23, 16, 3)).astype(np.uint8), (64, 90))
    levels = np.full((230, 150 + 64 * number, 3), 90, np.uint8)
    made = Sheet.of(levels, np.zeros(2, np.float32), 1.0)
    for place in range(number):
        left = 75 + 64 * place
        levels[70:160, left : left + 64] = print_
        made.heap[70:160, left : left + 64] = 1
    made = Sheet(
        levels.astype(np.float32), made.heap, made.open_to, made.beyond, made.origin, made.pixels
    )
    return made, np.array([(75, 70), (139, 70), (139, 160), (75, 160)], np.float32)


@pytest.mark.parametrize("size", [CARD, LONG])
def test_what_is_packed_comes_out_as_it_was(size: tuple[float, float]) -> None:
    made = Sheet.of(np.zeros((700, 900, 3), np.uint8), np.zeros(2, np.float32), 1.0)
    rng = np.random.default_rng(1)
    at = np.stack([rng.uniform(0, side, 60) for side in (900, 700, 180)], 1).astype(np.float32)
    places = Poses.of(made, size, at)
    borders = Borders.of(places)
    edges = borders.steep >= rng.uniform(-1, 1, borders.steep.shape)
    packed = Packed.of(places, borders.dots, (edges, borders.outer))
    assert (packed.dots == borders.dots).all()
    assert (packed.found == np.stack([edges, borders.outer])).all()
    which = rng.random(60) < 0.5
    assert (packed.chosen(which).dots == borders.dots[which]).all()
    assert (packed.chosen(which).found == packed.found[:, which]).all()


def test_the_likeliest_places_do_not_depend_on_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those that are best by all that the picture shows, whether packed or not."""
    made, first = row(3)
    places = everywhere(made, CARD)
    top = poses.pose(made, first, CARD)
    left = made.heap & (1 - filled(made.heap.shape, first))
    bare = Bare.beside(made, [first])

    def surveyed(at_once: int) -> Survey:
        monkeypatch.setattr(poses, "AT_ONCE", at_once)
        survey = Survey.of(places, left, Pattern.of(top, 2))
        assert survey is not None
        survey.keep(left)
        return survey

    many, one = surveyed(100), surveyed(100_000)
    assert len(many.parts) > 10
    assert (many.likely(bare, left).at == one.likely(bare, left).at).all()
    (part,) = one.parts
    faces, borders = Faces.of(part.places, Pattern.of(top, 2)), Borders.of(part.places)
    alike, sight = faces.beside(bare)
    at = (alike >= PRINT) & (sight > 0)
    sides = borders.chosen(at).beside(bare)
    some, worth, gains = part.worth(bare, left)
    assert (some.at == part.places.at[at]).all()
    assert len(some) > 40
    assert (worth == alike[at] + sides.shares + sides.bordered / 2).all()
    assert (gains == faces.chosen(at).held(left)).all()


def test_a_survey_takes_little_memory() -> None:
    """A row of five has so many places that what is seen of them took 80 MB, packed 20."""
    made, first = row(5)
    places, print_ = everywhere(made, CARD), Pattern.of(poses.pose(made, first, CARD), 2)
    tracemalloc.start()
    try:
        survey = Survey.of(places, made.heap, print_)
        assert survey is not None
        survey.keep(made.heap)
        survey.likely(Bare.beside(made, [first]), made.heap)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(places) > 10_000
    assert peak < 1000 * len(places)
