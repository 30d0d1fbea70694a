"""Which backs a reading covers, and what becomes of those that nobody asks about."""

from __future__ import annotations

import numpy as np
import pytest

from rules.cards import BACK
from tests.knowing import VIEW
from vision import CardReader, Frame, Polygon, Tracker
from vision.find.asked import Asked
from vision.find.finder import Areas
from vision.picture.geometry import Box
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import Canvas

INDEX = 20.0
SCALE = 0.5
"""The scale of the reduced picture in these tests."""
DECK = DrawnDeck(DeckStyle())


def _areas(*boxes: Box) -> Areas:
    """Maps of a picture of 400 x 400 px, four pixels per cell, with backs in these boxes."""
    back = np.zeros((100, 100), np.float32)
    for box in boxes:
        rows = slice(box.y // 4, (box.y + box.height) // 4)
        back[rows, box.x // 4 : (box.x + box.width) // 4] = 0.9
    return Areas(np.zeros_like(back), back, Box(0, 0, 400, 400), 0.25)


def _marks(*boxes: Box) -> Frame:
    marks = np.zeros((200, 200), np.uint8)
    for box in boxes:
        marks[box.y // 2 : (box.y + box.height) // 2, box.x // 2 : (box.x + box.width) // 2] = 255
    return marks


LEFT, RIGHT, NEXT = Box(20, 20, 72, 100), Box(300, 20, 72, 100), Box(100, 20, 72, 100)


def test_only_the_backs_that_reach_where_something_changed_are_asked_about() -> None:
    areas = _areas(LEFT, RIGHT)
    asked = Asked(_marks(Box(80, 100, 40, 40)), SCALE).of(areas, INDEX)
    assert np.array_equal(asked.back, _areas(LEFT).back)
    assert Asked(_marks(LEFT, RIGHT), SCALE).of(areas, INDEX) is areas


def test_backs_that_nearly_touch_are_judged_together() -> None:
    areas = _areas(LEFT, NEXT, RIGHT)
    asked = Asked(_marks(LEFT), SCALE).of(areas, INDEX)
    assert np.array_equal(asked.back, _areas(LEFT, NEXT).back)


@pytest.mark.parametrize(
    ("ground", "told"),
    [
        (Box(0, 0, 400, 400), True),
        (Box(0, 0, 92, 24), False),  # the edge of a card that lies in a place
        (Box(0, 0, 400, 60), True),  # more than a quarter of a card
    ],
)
def test_outside_all_places_a_back_that_barely_juts_out_of_one_is_not_asked_about(
    ground: Box, told: bool
) -> None:
    changed = _marks(LEFT)
    asked = Asked(changed, SCALE, _marks(ground)).of(_areas(LEFT), INDEX)
    assert bool(asked.back.any()) is told


def test_a_strip_of_a_back_outside_all_places_is_asked_about() -> None:
    strip = Box(20, 20, 72, 8)
    asked = Asked(_marks(strip), SCALE, _marks(Box(0, 0, 400, 400))).of(_areas(strip), INDEX)
    assert asked.back.any()


def _heap(x: float, y: float) -> list[Item]:
    return [CardItem(DECK, BACK, Pose(x + 9 * n, y + 7 * n, 25.0 * n)) for n in range(3)]


def test_a_heap_of_backs_outside_all_places_is_reported_and_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Folded hands: counting them would take longer than everything else on the table."""
    monkeypatch.setattr("vision.reader.backs", _counted)
    canvas = Canvas(VIEW, Surface(), Light(), Lens(noise=0.0), seed=3)
    spots = {"left": Polygon.rectangle(40, 60, 200, 180)}
    tracker = Tracker(CardReader(index_height=27.0), spots)
    for number in range(4):
        seen = tracker.update(canvas.frame(), number / 10)
    canvas.settle(_heap(110.0, 40.0))
    for number in range(4, 30):
        seen = tracker.update(canvas.frame(), number / 10)
    assert not seen.busy
    assert seen.spots["left"] == ()
    assert {one.card for one in seen.spots[""]} == {BACK}
    assert not seen.trouble


def _counted(*_: object, **__: object) -> list[object]:
    """No backs, as if there were no heap."""
    return []
