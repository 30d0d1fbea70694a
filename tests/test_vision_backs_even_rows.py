"""Rows and columns of backs that have one colour, of which the finder's maps show little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.face_down import table, told
from vision.backs.even_rows import even_rows
from vision.find.finder import Areas
from vision.picture.geometry import Box, Frame
from vision.reader import CardReader

CARD = 80.0, 112.0
"""Sides of a card here, in pixels."""
FINE = 4
"""Pixels to a cell of the maps."""


@pytest.mark.parametrize(
    ("way", "seed"), [("row", 400001), ("row", 400022), ("column", 400038)]
)  # fmt: skip
def test_rows_of_one_colour_are_counted_for_certain(way: str, seed: int) -> None:
    """Drawn tables of which the maps showed a part or nothing."""
    drawn = table(seed, way)
    count = told(CardReader(), drawn)
    assert (count.backs, count.asked) == (drawn.backs, 0)


def laid(
    sides: Sequence[tuple[float, float]], *, colours: Sequence[int] = (), gap: int = 2
) -> Frame:
    """Things of these sides from left to right on a dark table, parted by dark seams."""
    frame, left = np.full((400, 800, 3), 40, np.uint8), 60
    for number, (wide, high) in enumerate(sides):
        shade = colours[number] if colours else 150
        frame[100 : 100 + int(high), left : left + int(wide)] = (60, shade, 90)
        left += int(wide) + gap
    return frame


def numbers(frame: Frame, told: int = 0, face: float = 0.0) -> list[int]:
    """How many cards each row may have, where so many backs of the first are told already."""
    maps = np.zeros((100, 200), np.float32)
    areas = Areas(maps + np.float32(face), maps, Box(0, 0, 800, 400), 1 / FINE)
    known = [
        np.array([(x, 100), (x + 80, 100), (x + 80, 212), (x, 212)], np.float32)
        for x in range(60, 60 + 82 * told, 82)
    ]
    return [number for _, number in even_rows(frame, areas, CARD, known)]


@pytest.mark.parametrize(
    ("sides", "number"),
    [
        ([(80, 112)] * 4, [4]),
        ([(112, 80)] * 3, [3]),
        ([(80, 112)], []),
        ([(80, 112)] * 2, []),
        ([(80, 112), (80, 112), (30, 112)], []),
        ([(80, 160)] * 3, []),
        ([(325, 112)], [4]),
    ],
)
def test_a_row_is_as_long_as_its_cards_together(
    sides: list[tuple[float, float]], number: list[int]
) -> None:
    assert numbers(laid(sides)) == number


def test_where_all_cards_are_told_or_a_face_lies_no_row_is_sought() -> None:
    row = laid([(80, 112)] * 3)
    assert numbers(row, told=2) == [3]
    assert numbers(row, told=3) == []
    assert numbers(row, face=0.9) == []


def test_cards_of_two_colours_are_no_row() -> None:
    assert numbers(laid([(80, 112)] * 3, colours=(150, 150, 90))) == []


@pytest.mark.parametrize("seed", [430008, 430025])
def test_a_fan_of_one_colour_is_no_row_of_fewer(seed: int) -> None:
    """Both are as long and wide as two cards side by side."""
    drawn = table(seed, "fan")
    count = told(CardReader(), drawn)
    assert count.backs == drawn.backs or count.asked or not count.backs


@pytest.mark.parametrize(("seams", "backs"), [(True, 3), (False, 0)])
def test_what_has_a_row_s_size_without_edges_between_cards_is_none(seams: bool, backs: int) -> None:
    """A panel as large as three cards has no cards in it."""
    drawn = table(400038, "column")
    frame = drawn.frame.copy()
    if not seams:
        hue = frame[..., 1].astype(int) - frame[..., 2]
        frame[hue > 40] = np.median(frame[hue > 40], axis=0)
    reader = CardReader(index_height=drawn.index_px)
    found = reader.read(frame).sightings
    assert sum(not one.doubtful for one in found if one.card.hidden) == backs
