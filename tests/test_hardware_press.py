"""Bouncing contacts as timed edges, without pins, threads or clocks."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.press import (
    Button,
    Freed,
    Held,
    PanelEvent,
    Press,
    Pressed,
    Stuck,
    Timing,
    Touched,
)

Edges = Iterable[tuple[float, bool]]


def run(edges: Edges, until: float, *, down: bool = False) -> list[PanelEvent]:
    press = Press(Button.OK, down=down)
    events: list[PanelEvent] = []
    for time, level in edges:
        events += press.edge(level, time)
    return events + list(press.settle(until))


def kinds(events: Iterable[PanelEvent]) -> list[tuple[type[PanelEvent], float]]:
    return [(type(event), event.time) for event in events]


def test_a_press_acts_on_release() -> None:
    events = run([(1.0, True), (1.25, False)], until=2.0)
    assert kinds(events) == [(Touched, 1.0), (Pressed, 1.25)]


def test_bounces_count_once_and_are_dated_by_the_first_edge() -> None:
    burst = [(1.0 + 0.002 * n, n % 2 == 0) for n in range(7)]
    release = [(1.5 + 0.003 * n, n % 2 == 1) for n in range(5)]
    assert kinds(run(burst + release, until=2.0)) == [(Touched, 1.0), (Pressed, 1.5)]


def test_a_glitch_is_ignored() -> None:
    assert run([(1.0, True), (1.004, False)], until=2.0) == []


def test_a_gap_in_a_press_shorter_than_the_quiet_time_is_ignored() -> None:
    events = run([(0.0, True), (0.5, False), (0.51, True), (1.0, False)], until=2.0)
    assert kinds(events) == [(Touched, 0.0), (Pressed, 1.0)]


def test_a_hold_acts_at_two_seconds_and_its_release_does_nothing() -> None:
    press = Press(Button.FIX)
    press.edge(True, 10.0)
    assert kinds(press.settle(11.999)) == [(Touched, 10.0)]
    assert kinds(press.settle(12.0)) == [(Held, 12.0)]
    press.edge(False, 12.5)
    assert press.settle(13.0) == ()


def test_a_hold_is_noticed_even_if_nobody_looked_until_the_release() -> None:
    assert kinds(run([(0.0, True), (3.0, False)], until=4.0)) == [(Touched, 0.0), (Held, 2.0)]


@pytest.mark.parametrize(
    ("release", "kind"), [(1.5, Pressed), (1.996, Pressed), (2.0, Held), (2.25, Held)]
)
def test_the_boundary_between_press_and_hold(release: float, kind: type[PanelEvent]) -> None:
    events = run([(0.0, True), (release, False)], until=5.0)
    assert [type(event) for event in events] == [Touched, kind]


def test_a_release_that_bounces_across_two_seconds_is_a_press() -> None:
    edges = [(0.0, True), (1.996, False), (1.999, True), (2.002, False)]
    assert kinds(run(edges, until=3.0)) == [(Touched, 0.0), (Pressed, 1.996)]


def test_a_stuck_button_is_reported_once_ignored_and_freed() -> None:
    press = Press(Button.HOLD)
    press.edge(True, 0.0)
    assert kinds(press.settle(100.0)) == [(Touched, 0.0), (Held, 2.0), (Stuck, 30.0)]
    assert press.settle(200.0) == ()
    press.edge(False, 300.0)
    assert kinds(press.settle(301.0)) == [(Freed, 300.0)]
    press.edge(True, 302.0)
    press.edge(False, 302.5)
    assert [type(event) for event in press.settle(303.0)] == [Pressed]


def test_a_button_that_was_down_at_the_start_does_not_count() -> None:
    assert run([(5.0, False)], until=6.0, down=True) == []
    assert kinds(run([], until=31.0, down=True)) == [(Stuck, 30.0)]
    assert [type(e) for e in run([(5.0, False), (6.0, True)], until=7.0, down=True)] == [Touched]


def test_a_contact_that_never_comes_to_rest_is_stuck_and_never_pressed() -> None:
    # A loose wire that hums with the mains changes every 10 ms.
    edges = [(0.01 * n, n % 2 == 0) for n in range(4000)]
    assert kinds(run(edges, until=39.99)) == [(Stuck, 30.0)]


def test_a_thousand_presses_a_minute_lose_and_double_nothing() -> None:
    # Five minutes; 30 ms down and 30 ms up, and every edge bounces for 5 ms.
    edges = [
        (0.06 * n + 0.03 * (not down) + bounce, down == even)
        for n in range(5000)
        for down in (True, False)
        for bounce, even in ((0.0, True), (0.002, False), (0.005, True))
    ]
    events = run(edges, until=400.0)
    assert sum(isinstance(event, Pressed) for event in events) == 5000
    assert sum(isinstance(event, Touched) for event in events) == 5000
    assert len(events) == 10_000


def test_a_clock_that_steps_back_loses_nothing() -> None:
    assert [type(e) for e in run([(5.0, True), (4.9, False)], until=6.0)] == []
    events = run([(5.0, True), (5.2, False), (5.1, True), (5.4, False)], until=6.0)
    assert [type(event) for event in events] == [Touched, Pressed]


def test_the_deadline_is_when_something_happens() -> None:
    press = Press(Button.OK)
    assert press.deadline() is None
    press.edge(True, 0.25)
    happened: list[PanelEvent] = []
    for _ in range(3):
        due = press.deadline()
        assert due is not None
        events = press.settle(due)
        assert events
        happened += events
    assert [type(event) for event in happened] == [Touched, Held, Stuck]
    assert press.deadline() is None


presses = st.lists(
    st.tuples(
        st.floats(0.02, 5.0),  # down for
        st.floats(0.02, 5.0),  # up for
        st.lists(st.floats(0.0001, 0.002), max_size=6),  # bounces of the closing edge
    ),
    max_size=20,
)


@given(presses, st.integers(1, 50))
def test_looking_more_often_changes_nothing(
    plan: list[tuple[float, float, list[float]]], looks: int
) -> None:
    edges, now = [], 0.0
    for down_for, up_for, bounces in plan:
        edges.append((now, True))
        moment = now
        for gap in bounces[: len(bounces) // 2 * 2]:
            moment += gap
            edges.append((moment, not edges[-1][1]))
        now = moment + down_for
        edges.append((now, False))
        now += up_for
    seldom = run(edges, until=now)
    often: list[PanelEvent] = []
    press, past = Press(Button.OK), 0.0
    for time, down in [*edges, (now, False)]:
        for look in range(looks):
            often += press.settle(past + (time - past) * look / looks)
        often += press.edge(down, time)
        past = time
    assert often + list(press.settle(now)) == seldom
    acts = [event for event in seldom if isinstance(event, Pressed | Held)]
    assert len(acts) == len(plan)


def test_timing_can_be_chosen() -> None:
    press = Press(Button.OK, timing=Timing(quiet_s=0.05, hold_s=1.0, stuck_s=3.0))
    press.edge(True, 0.0)
    assert press.settle(0.04) == ()
    assert kinds(press.settle(4.0)) == [(Touched, 0.0), (Held, 1.0), (Stuck, 3.0)]
