"""The size of a table that nobody measured, inferred from the cards on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import pytest

from firmware.settings.settings import Settings
from firmware.table.guards import guards
from firmware.table.places import table_mm
from firmware.table.sizing import Picture, Size, SizeGuard, same_size, shaped, size_by_cards
from rules.cards import Card
from vision.picture.geometry import Outline
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View
from vision.track.tracker import Tracker

ASSUMED = (1200.0, 675.0)
WHOLE = ((0.0, 0.0), (960.0, 0.0), (960.0, 540.0), (0.0, 540.0))
PLANE = Plane.from_points(table_mm(ASSUMED), WHOLE)
EMPTY = np.zeros((540, 960, 3), np.uint8)


def card(px_per_mm: float, x: float = 100.0) -> Outline:
    wide, high = 63.5 * px_per_mm, 88.9 * px_per_mm
    return ((x, 50.0), (x + wide, 50.0), (x + wide, 50.0 + high), (x, 50.0 + high))


def watched(looks: Sequence[Sequence[Outline]]) -> tuple[list[Size], list[tuple[str, ...]]]:
    """What is inferred for a table where these cards are seen, look by look."""
    coming, told = iter(looks), list[Size]()
    guard = SizeGuard(ASSUMED, PLANE, lambda _: next(coming, ()), told.append)
    troubles = [guard(EMPTY, step * 0.5) for step in range(60)]
    return told, troubles


def test_a_card_reveals_the_size_of_the_area() -> None:
    assert size_by_cards(ASSUMED, PLANE, [card(1.6)]) == pytest.approx((600, 337.5), rel=0.01)
    assert size_by_cards(ASSUMED, PLANE, [card(0.8)]) == pytest.approx(ASSUMED, rel=0.01)
    odd = [card(1.6), card(1.6, 300), card(0.7, 600)]
    assert size_by_cards(ASSUMED, PLANE, odd) == pytest.approx((600, 337.5), rel=0.01)
    assert size_by_cards(ASSUMED, PLANE, []) is None


def test_the_size_is_assumed_until_two_looks_agree() -> None:
    told, troubles = watched([[], [card(1.6)], [card(1.6)]])
    assert [size == pytest.approx((600, 337.5), rel=0.01) for size in told] == [True]
    assert troubles[0] == ("assumed",)
    assert troubles[-1] == ()


def test_a_card_that_is_held_up_reveals_no_size() -> None:
    told, troubles = watched([[card(2.4)], [card(1.6)], [card(2.9)], [], []])
    assert told == []
    assert set(troubles) == {("assumed",)}


def test_a_correct_size_is_confirmed() -> None:
    told, troubles = watched([[card(0.82)], [card(0.8)]])
    assert [same_size(size, ASSUMED) for size in told] == [True]
    assert troubles[-1] == ()


def looked_at(pictures: Iterable[Picture], look_s: float = 0.0) -> list[float]:
    """When it looks for cards in pictures 0.1 s apart; none is found, after `look_s` each time."""
    times: list[float] = []
    now = 0.0

    def look(_: Picture) -> Sequence[Outline]:
        nonlocal now
        times.append(now)
        now += look_s
        return ()

    guard = SizeGuard(ASSUMED, PLANE, look, lambda _: None)
    for picture in pictures:
        guard(picture, now)
        now += 0.1
    return times


def with_a_card(x: int) -> Picture:
    picture = EMPTY.copy()
    picture[200:300, x : x + 70] = 230
    return picture


def test_it_looks_as_soon_as_something_new_rests() -> None:
    thrown = [with_a_card(100 * step) for step in range(5)]
    times = looked_at([*[EMPTY] * 100, *thrown, *[with_a_card(400)] * 20])
    assert not [time for time in times if 9.95 <= time < 10.45]
    assert next(time for time in times if time >= 9.95) <= 10.7


def test_slow_looks_leave_the_table_its_time() -> None:
    """Where a look takes 2 s of a camera that does not wait, it looks a quarter of the time."""
    dealt = [with_a_card(5 * step) for step in range(160) for _ in range(3)]
    times = looked_at(dealt, look_s=2.0)
    assert len(times) > 3
    assert all(later - time >= 8.0 for time, later in pairwise(times))


def test_a_bridge_card_is_a_card() -> None:
    bridge = ((0.0, 0.0), (57.0, 0.0), (57.0, 88.0), (0.0, 88.0))
    plane = Plane.from_points(table_mm(ASSUMED), table_mm(ASSUMED))
    found = size_by_cards(ASSUMED, plane, [bridge])
    assert found is not None
    assert same_size(found, ASSUMED)


def test_a_calibrated_table_is_not_measured_again() -> None:
    guard = SizeGuard(ASSUMED, PLANE, lambda _: pytest.fail("looked"), lambda _: None)
    settings = Settings(corners=WHOLE)
    watch = guards(settings, live=False, size=guard)
    assert [watch(EMPTY, step * 1.0) for step in range(5)] == [()] * 5
    assert guards(Settings(), live=False, size=guard)(EMPTY, 0.0) == ("assumed",)


def test_an_assumed_area_has_the_picture_s_shape() -> None:
    four_to_three = np.zeros((480, 640, 3), np.uint8)
    assert shaped(Settings(), four_to_three).size_mm == (1200.0, 900.0)
    measured = Settings(size_mm=(1000.0, 500.0))
    assert shaped(measured, four_to_three) is measured


@pytest.mark.parametrize("px_per_mm", [1.0, 1.9])
def test_drawn_cards_are_measured_whatever_was_expected(px_per_mm: float) -> None:
    """The indices expected are 14 px high, as on an area of 1,200 mm."""
    view = View.above((960, 540), px_per_mm=px_per_mm)
    art = DrawnDeck(drawn_styles()[0])
    items = [
        CardItem(art, Card.parse(n), Pose(x, 0, a)) for n, x, a in (("7C", -90, 8), ("QH", 60, 80))
    ]
    rng = np.random.default_rng(0)
    picture = np.asarray(render(items, Surface(), view, Light(brightness=0.9), Lens(), rng=rng))
    tracker = Tracker(CardReader(index_height=13.6), {})
    cards = tracker.cards(np.asarray(picture, np.uint8))
    assert len(cards) == 2
    found = size_by_cards(ASSUMED, PLANE, cards)
    assert found == pytest.approx((960 / px_per_mm, 540 / px_per_mm), rel=0.06)
