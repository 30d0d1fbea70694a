"""Where further cards of a heap are looked for, and what makes one certain beside its print."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.backs_drawn import CARD, SIZE_DOTS, SIZE_PX, areas_of, bordered, laid_over, placed
from vision.backs.card_size import NARROW
from vision.backs.explanation import Copy, Stack
from vision.backs.measuring import measured
from vision.backs.poses import Poses, pose
from vision.backs.sheet import Sheet, sheet
from vision.backs.stack import stacked, uncovered
from vision.backs.steps import continued

EMPTY = Sheet.of(np.zeros((300, 300, 3), np.uint8), np.zeros(2, np.float32), 1.0)


def at(*places: tuple[float, float, float]) -> list[Poses]:
    return [Poses.of(EMPTY, SIZE_DOTS, np.array([place], np.float32)) for place in places]


def test_a_row_goes_on_at_either_end() -> None:
    assert continued(at((60, 100, 0))) is None
    on = continued(at((20, 20, 0), (60, 100, 0), (90, 102, 0)))
    assert on is not None
    assert on.at.tolist() == [[120, 104, 0], [30, 98, 0]]


@pytest.mark.parametrize("over", [0.0, 180.0])
def test_a_fan_goes_on_about_the_point_it_is_spread_about(over: float) -> None:
    """A back that lies upside down lies in the same place."""
    ways = [np.radians(turn) for turn in (10, 18, 26)]
    about = [
        (150 + 90 * float(np.sin(way)), 200 - 90 * float(np.cos(way)), float(np.degrees(way)))
        for way in ways
    ]
    one, other = about[0], (*about[1][:2], about[1][2] + over)
    on = continued(at(one, other))
    assert on is not None
    assert np.allclose(on.at[0, :2], about[2][:2], atol=1e-3)
    assert float(on.at[0, 2]) % 180 == pytest.approx(26, abs=1e-3)


SEEN = Copy(at((100, 100, 0))[0], 1.0, 0.6, 1.0, 0.4, crossing=0.03)


@pytest.mark.parametrize(
    ("card", "certain"),
    [
        (SEEN, True),
        (replace(SEEN, crossing=None), False),  # a deck without a margin
        (replace(SEEN, crossing=0.3), False),
        (replace(SEEN, rimmed=0.8), False),
        (replace(SEEN, edged=0.9), False),
        (replace(SEEN, sight=0.6), False),
        (replace(SEEN, sight=0.6, printed=0.89), True),
        (replace(SEEN, sight=0.6, printed=0.89, crossing=0.3), False),
    ],
)
def test_a_card_in_full_view_is_certain_by_its_own_margin(card: Copy, certain: bool) -> None:
    """However its print falls on the pixels, and however dim the light on it is."""
    assert card.certain is certain


def test_one_that_lies_across_needs_its_own_margin() -> None:
    top, strip = (Copy(one, 1.0, 1.0, 1.0, 1.0) for one in at((100, 100, 0), (100, 140, 90)))
    across = replace(strip, sight=0.2, crossing=0.0, rimmed=0.7)
    assert across.loosely_across(top.pose)
    assert Stack((top, across), 0.0).loosely_across
    assert not replace(across, rimmed=0.9).loosely_across(top.pose)
    assert not replace(across, pose=at((140, 100, 4))[0]).loosely_across(top.pose)
    assert not replace(across, crossing=None).loosely_across(top.pose)


def test_gaps_between_cards_are_no_part_of_a_card() -> None:
    """The finder's maps join cards less than five millimetres apart."""
    laid = laid_over((200, 300, 0), (305, 300, 0), (410, 300, 0), (515, 300, 0))
    joined = areas_of(laid, rim=0.97)
    joined.back[joined.back.any(axis=1), 40:140] = 0.97
    made = sheet(bordered(laid), joined, np.concatenate(laid), SIZE_PX, ())
    made.heap[made.heap.any(axis=1), 80:300] = 1
    cards = [pose(made, made.on_sheet(one), SIZE_DOTS).outlines()[0] for one in laid]
    assert uncovered(made, cards, SIZE_DOTS) < 0.05
    assert uncovered(made, [*cards[:1], *cards[2:]], SIZE_DOTS) > 0.9


def test_one_card_that_explains_all_of_a_heap_is_where_a_hollow_outline_lies_beside_it() -> None:
    """In a row of three an outline was found a sixth of a card aside."""
    card = placed(300, 300, 0)
    aside = card + np.array((17, 0), np.float32)
    areas = areas_of([card], rim=0.97)
    found = stacked(bordered([card]), areas, aside, SIZE_PX, (), under=True)
    assert found.hollow
    (corners,) = found.cards
    assert np.abs(corners.mean(axis=0) - (300, 300)).max() < 2


def test_the_grain_of_a_table_is_not_a_side_of_a_narrower_card() -> None:
    """Streaks ran along a bridge deck's back where a poker deck's sides would have been."""
    narrow = placed(500, 300, 0, (CARD[0] * NARROW, CARD[1]))
    grain = bordered([narrow])
    wide = placed(500, 300, 0)
    left, right = round(float(wide[:, 0].min())), round(float(wide[:, 0].max()))
    for start, end in ((left - 9, left), (right, right + 9)):
        grain[:, start:end] = np.clip(grain[:, start:end].astype(np.int16) - 25, 0, 255)
    short, long = measured(grain, wide, NARROW)
    assert short / SIZE_PX[0] == pytest.approx(NARROW, abs=0.015)
    assert long / SIZE_PX[1] == pytest.approx(1, abs=0.01)
    assert measured(grain, wide)[0] > short + 5
    poker = placed(500, 300, 0)
    assert measured(bordered([poker]), poker, NARROW)[0] == pytest.approx(SIZE_PX[0], rel=0.01)
