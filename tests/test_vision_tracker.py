"""A table is dealt, covered, cleared and lit by a lamp; the tracker must say what is there.

A reader that knows the scene, and can be told to err, stands in for the real one; everything from
the frames to the settled cards is tested.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rules.cards import Card
from tests.knowing import (
    LEFT,
    RIGHT,
    SPOTS,
    VIEW,
    Candidates,
    KnowingReader,
    Table,
    card,
    looked_at,
    names,
)
from vision import FrameError, GeometryError, Polygon, Tracker
from vision.scene.items import Pose, chip_item, hand_item
from vision.scene.light import Weave
from vision.scene.render import Canvas, Lens, Light, Surface, View
from vision.track import settling
from vision.track.lasting import Outcome, outcome
from vision.track.surveying import Surveyor
from vision.track.zones import Zone, sites_in


@pytest.fixture
def table() -> Table:
    return looked_at()


def test_an_empty_table_settles_to_nothing_and_is_then_left_alone(table: Table) -> None:
    read = table.reader.reads
    seen = table.show([], frames=30)
    assert seen.spots == {"left": (), "right": (), "": ()}
    assert not seen.busy
    assert seen.time == pytest.approx(4.2)
    assert table.reader.reads == read


@pytest.mark.parametrize("bare", range(1, 5))
def test_a_card_that_comes_while_the_table_is_first_looked_at_is_read(bare: int) -> None:
    """Nothing is waited for at the beginning, and nothing that moved then counts as read."""
    table = Table()
    table.show([], frames=bare)
    seen = table.show([card("7D", LEFT)], frames=20)
    assert names(seen, "left") == ["7D"]
    assert not seen.busy


def test_one_spot_may_cover_the_whole_picture(table: Table) -> None:
    width, height = VIEW.size
    table.tracker.watch({"all": Polygon.rectangle(0, 0, width, height)})
    seen = table.show([card("7D", LEFT)], frames=12)
    assert list(seen.spots) == ["all"]
    assert names(seen, "all") == ["7D"]


def test_a_dealt_card_is_reported_once_it_lies_still(table: Table) -> None:
    seven = card("7D", LEFT)
    for x in (-400, -350, -300, -250, -200):
        seen = table.show([], [seven.moved(x, 0, 0, 20)])
        assert names(seen, "left") == []
    assert "left" in seen.busy
    seen = table.show([seven], frames=12)
    assert names(seen, "left") == ["7D"]
    assert not seen.busy


def test_only_the_spot_that_changed_is_read(table: Table) -> None:
    table.show([card("7D", LEFT)], frames=12)
    read = table.reader.reads
    table.show([card("7D", LEFT), card("QS", RIGHT)], frames=12)
    assert table.reader.reads - read == 3


def test_backs_that_two_looks_agree_on_are_not_judged_again(table: Table) -> None:
    """A heap of them takes many times as long as a card's index."""
    seen = table.show([card("??", LEFT)], frames=12)
    first, second, third = table.reader.known[-3:]
    assert (first, second) == (None, None)
    assert third is not None
    assert [one.outline for one in third] == [one.outline for one in seen.spots["left"]]


def test_backs_that_looks_do_not_agree_on_are_judged_each_time(table: Table) -> None:
    reads = table.reader.reads
    another: dict[str, Candidates] = {"??": ((Card.parse("7D"), 0.97),)}
    table.reader.errors = [{}] * (reads + 1) + [another, {}, another]
    table.show([card("??", LEFT)], frames=4)
    assert table.reader.reads >= reads + 3
    assert table.reader.known[reads:] == [None] * (table.reader.reads - reads)


def test_backs_that_looks_doubt_alike_are_not_judged_for_ever(table: Table) -> None:
    reads = table.reader.reads
    doubt: dict[str, Candidates] = {"??": ((Card.parse("??"), 0.67),)}
    table.reader.errors = [doubt] * (reads + 20)
    seen = table.show([card("??", LEFT)], frames=14)
    assert [one.doubtful for one in seen.spots["left"]] == [True]
    judged = [known is None for known in table.reader.known[reads:]]
    assert judged[:3] == [True] * 3
    assert sum(judged) <= 6
    table.show([card("??", LEFT)], frames=30)
    read = table.reader.reads
    table.show([card("??", LEFT)], frames=30)
    assert table.reader.reads == read


def test_a_back_in_doubt_is_read_once_more_after_a_movement(table: Table) -> None:
    """What a hand's shadow lay over stayed in doubt for as long as it lay there."""
    reads = table.reader.reads
    doubt: dict[str, Candidates] = {"??": ((Card.parse("??"), 0.67),)}
    table.reader.errors = [doubt] * (reads + 40)
    table.show([card("??", LEFT)], frames=30)
    table.reader.errors = []
    seen = table.show([card("??", LEFT)], frames=30)
    assert [one.doubtful for one in seen.spots["left"]] == [True]
    table.show([card("??", LEFT)], [hand_item(-200, 0)], frames=3)
    seen = table.show([card("??", LEFT)], frames=30)
    assert [one.doubtful for one in seen.spots["left"]] == [False]


def test_a_passing_hand_changes_nothing_and_costs_no_reading(table: Table) -> None:
    lying = [card("7D", LEFT), card("QS", RIGHT)]
    table.show(lying, frames=12)
    read = table.reader.reads
    for x in range(-300, 300, 25):
        seen = table.show(lying, [hand_item(x, 0)])
        assert names(seen, "left") == ["7D"]
        assert names(seen, "right") == ["QS"]
    seen = table.show(lying, frames=4)
    assert not seen.busy
    assert table.reader.reads == read


@pytest.mark.parametrize("pause", [3, 8])
def test_an_arm_is_read_only_once_it_rests_and_not_when_it_pauses(
    table: Table, pause: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    look = Surveyor._look

    def noted(self: Surveyor, zone: Zone, *shown: Any) -> None:
        read.append(zone.name)
        look(self, zone, *shown)

    four = card("4C", LEFT)
    table.show([four], frames=12)
    monkeypatch.setattr(Surveyor, "_look", noted)
    for x in (-60, -100, -140):
        table.show([four], [hand_item(x, 0)])
    table.show([four], [hand_item(-160, 0)], frames=pause)
    assert ("left" in read) is (pause > 5)
    read.clear()
    table.show([four, card("KS", RIGHT)], frames=4)
    assert "right" in read


def test_an_arm_that_has_left_is_not_taken_for_one_that_pauses(table: Table) -> None:
    """It was still there when the spot was read, so that all it hid looks different now."""
    four = card("4C", LEFT)
    table.show([four], frames=12)
    table.show([four], [hand_item(-160, 0)], frames=20)
    seen = table.show([four], frames=5)
    assert names(seen, "left") == ["4C"]
    assert "left" not in seen.busy
    table.show([four], [hand_item(-160, 0)], frames=20)
    assert names(table.show([], frames=5), "left") == []


def test_a_hand_that_rests_on_a_card_does_not_take_it_away(table: Table) -> None:
    lying = [card("7D", LEFT)]
    table.show(lying, frames=12)
    seen = table.show(lying, [hand_item(-170, -75)], frames=60)
    assert names(seen, "left") == ["7D"]
    assert "left" in seen.busy
    assert "covered" in seen.trouble
    seen = table.show(lying, frames=6)
    assert names(seen, "left") == ["7D"]
    assert not seen.busy
    assert "covered" not in seen.trouble


def test_a_resting_hand_is_distinguished_from_a_moving_one(table: Table) -> None:
    lying = [card("7D", LEFT)]
    table.show(lying, frames=12)
    for step in range(4):
        seen = table.show(lying, [hand_item(-170 + 12 * (step % 2), -75)])
    assert "left" in seen.busy - seen.still
    seen = table.show(lying, [hand_item(-170, -75)], frames=4)
    assert "left" in seen.still
    assert not table.show(lying, frames=6).still


def test_what_keeps_moving_is_reported_and_what_is_dealt_is_not(table: Table) -> None:
    lying = [card("7D", LEFT)]
    table.show(lying, frames=12)
    for step in range(20):
        seen = table.show(lying, [hand_item(-170 + 12 * (step % 2), -75)])
        assert "moving" not in seen.trouble
    for step in range(10):
        seen = table.show(lying, [hand_item(-170 + 12 * (step % 2), -75)])
    assert "moving" in seen.trouble
    assert seen.places["moving"] == "left"
    assert names(seen, "left") == ["7D"]
    assert "moving" not in table.show(lying, frames=6).trouble


def test_a_card_taken_away_is_gone(table: Table) -> None:
    table.show([card("7D", LEFT), card("QS", RIGHT)], frames=12)
    seen = table.show([card("QS", RIGHT)], frames=12)
    assert names(seen, "left") == []
    assert names(seen, "right") == ["QS"]
    assert not seen.busy


def test_a_card_that_lay_there_from_the_start_can_be_taken_away() -> None:
    table = Table()
    assert names(table.show([card("7D", LEFT)], frames=12), "left") == ["7D"]
    assert names(table.show([], frames=12), "left") == []


def test_a_card_laid_on_another_replaces_it_in_sight(table: Table) -> None:
    table.show([card("7D", LEFT)], frames=12)
    seen = table.show([card("7D", LEFT), card("KC", LEFT)], frames=12)
    assert names(seen, "left") == ["KC"]


def test_a_card_turned_over_is_read(table: Table) -> None:
    assert names(table.show([card("??", LEFT)], frames=12), "left") == ["??"]
    assert names(table.show([card("7D", LEFT)], frames=12), "left") == ["7D"]


@pytest.mark.parametrize("aside", [(24, 0), (-24, 6), (0, 30), (8, -36)])
def test_a_card_turned_over_in_its_place_but_reported_next_to_it_is_one_card(
    table: Table, aside: tuple[int, int]
) -> None:
    """Read by one index or a wrong one, a face is displaced; its visible border is its own.

    That border is exactly where the border of the back was.
    """
    table.show([card("??", LEFT)], frames=12)
    table.reader.aside = aside
    assert names(table.show([card("QS", LEFT)], frames=12), "left") == ["QS"]


def test_cards_are_in_reading_order_and_twins_stay_two(table: Table) -> None:
    row = [card(name, Pose(x, 0)) for name, x in (("5H", -90), ("5H", -170), ("2C", -250))]
    seen = table.show(row, frames=12)
    assert sorted(names(seen, "left")) == ["2C", "5H", "5H"]
    assert names(seen, "left")[0] == "2C"


def test_a_card_outside_every_spot_is_reported_without_a_spot_name(table: Table) -> None:
    seen = table.show([card("9S", Pose(0, -150, 90))], frames=14)
    assert names(seen, "") == ["9S"]
    assert names(seen, "left") == names(seen, "right") == []


@pytest.mark.slow
def test_unknown_places_stay_quiet_under_slowly_fading_light(table: Table) -> None:
    lying = [card("7D", LEFT)]
    table.show(lying, frames=12)
    read = table.reader.reads
    table.canvas.settle(lying)
    for step in range(120):
        dimmed = np.clip(table.canvas.frame() * (1 - 0.0025 * step), 0, 255).astype(np.uint8)
        seen = table.tracker.update(dimmed, 10 + step * 0.1)
    assert names(seen, "left") == ["7D"]
    assert table.reader.reads == read


def test_chips_next_to_cards_do_not_keep_a_spot_busy(table: Table) -> None:
    chip = chip_item(-110, 60, (40, 40, 200))
    seen = table.show([card("7D", LEFT), chip], frames=20)
    assert names(seen, "left") == ["7D"]
    assert not seen.busy


def test_a_moved_camera_is_distinguished_from_a_switched_lamp() -> None:
    view = View.above((960, 540), px_per_mm=1.2)
    lamps = [Light(), Light(brightness=0.7)]
    cloth = Surface(Weave.CHECKS, (40, 60, 200), (230, 230, 230), seed=2)
    bright, dim = (Canvas(view, cloth, lamp, Lens(), seed=3) for lamp in lamps)
    tracker = Tracker(KnowingReader(), SPOTS)
    for _ in range(12):
        tracker.update(bright.frame(), 0.0)
    assert "moved" not in tracker.update(dim.frame(), 1.0).trouble
    for _ in range(12):
        tracker.update(bright.frame(), 2.0)
    assert "moved" in tracker.update(np.roll(bright.frame(), (37, 61), (0, 1)), 3.0).trouble


def test_reset_forgets_the_picture(table: Table) -> None:
    table.show([card("7D", LEFT)], frames=12)
    table.tracker.reset()
    assert names(table.show([card("7D", LEFT)]), "left") == []
    assert names(table.show([card("7D", LEFT)], frames=12), "left") == ["7D"]


def test_what_is_not_a_picture_is_refused(table: Table) -> None:
    with pytest.raises(FrameError, match=r"\(H, W, 3\): got uint8 of shape \(4, 4\)"):
        table.tracker.update(np.zeros((4, 4), np.uint8), 0.0)


def test_a_spot_outside_the_picture_is_refused() -> None:
    tracker = Tracker(KnowingReader(), {"far": Polygon.rectangle(2000, 0, 50, 50)})
    with pytest.raises(GeometryError, match="'far' inside the picture of 960 x 540 px"):
        tracker.update(np.zeros((540, 960, 3), np.uint8), 0.0)


def test_an_ace_laid_on_a_two_of_its_suit_is_seen_though_little_changes(table: Table) -> None:
    two = card("2D", LEFT)
    table.show([two], frames=12)
    for x in (-400, -300, -200):
        table.show([two], [card("AD", LEFT).moved(x, 0, 0, 20)])
    seen = table.show([two, card("AD", LEFT)], frames=12)
    assert names(seen, "left") == ["AD"]


def test_a_card_that_was_partly_under_another_one_is_seen_to_be_gone(table: Table) -> None:
    under, over = card("6C", LEFT), card("KS", Pose(LEFT.x - 22, LEFT.y - 30, 8.0))
    assert names(table.show([under, over], frames=12), "left") == ["KS", "6C"]
    seen = table.show([over], frames=12)
    assert names(seen, "left") == ["KS"]
    assert not seen.busy
    assert "covered" not in seen.trouble


def test_of_two_cards_taken_at_once_the_second_is_judged_after_the_first(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has just settled does not count as changed, and what cannot be judged stays."""
    three, six, king = (card(n, Pose(x, 0)) for n, x in (("3H", -270), ("6C", -180), ("KS", -90)))
    table.show([three, six, king], frames=12)
    changed = dict[int, set[int]]()

    def judged(zone: Zone, *shown: Any) -> Outcome:
        came, lying = outcome(zone, *shown), len(zone.lying)
        if zone.name == "left" and zone.changed is not None:
            changed.setdefault(lying, set()).add(len(sites_in(zone.changed)))
        return Outcome(covered=True) if lying == 2 and shown[2].time < 3.5 else came

    monkeypatch.setattr(settling, "outcome", judged)
    assert names(table.show([six], frames=6), "left")
    assert min(changed[3]) == 2
    assert changed[2] == {1}
    assert names(table.show([six], frames=20), "left") == ["6C"]


def test_two_cards_taken_at_once_take_no_other_card_with_them(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the first has been settled, what lay next to it may count as covered for a frame."""
    doubted = iter([Outcome(covered=True)])

    def doubting(zone: Zone, *shown: Any) -> Outcome:
        told = outcome(zone, *shown)
        return next(doubted, told) if told.gone and len(zone.lying) == 3 else told

    monkeypatch.setattr(settling, "outcome", doubting)
    table.tracker.watch({"left": Polygon.rectangle(40, 120, 640, 280)})
    table.show([], frames=12)
    nine, jack = card("9D", Pose(-250, 0)), card("JC", Pose(-90, 0))
    both = [card("KD", Pose(-216, 4)), card("AC", Pose(0, 0))]
    assert names(table.show([nine, jack, *both], frames=14), "left") == ["9D", "KD", "JC", "AC"]
    for _ in range(14):
        seen = table.show([nine, jack])
        assert {"9D", "JC"} <= set(names(seen, "left"))
    assert names(seen, "left") == ["9D", "JC"]
    assert next(doubted, None) is None


def test_a_card_is_read_while_what_brought_it_leaves_its_side(table: Table) -> None:
    seven = card("7D", LEFT)
    for y in (-40, -20, 0):
        table.show([seven], [card("KS", Pose(LEFT.x + 68, y))])
    assert names(table.show([seven], frames=1), "left") == []
    seen = table.show([seven])
    assert names(seen, "left") == ["7D"]
    assert not seen.busy


def test_a_faint_change_settles_though_its_rim_looks_changed_in_some_pictures_only(
    table: Table,
) -> None:
    """Of fifty changed pixels, other ten were at the limit each time; no look counted twice."""
    table.show([card("7D", LEFT)], frames=12)
    random = np.random.default_rng(5)
    for _ in range(8):
        cells = random.choice((11, 21), (9, 9, 1)).astype(np.uint8)
        cells[2:-2, 2:-2] = 24
        frame = table.canvas.frame([])
        frame[240:267, 750:777] += cells.repeat(3, 0).repeat(3, 1)
        table.time += 0.1
        seen = table.tracker.update(frame, table.time)
    assert names(seen, "left") == ["7D"]
    assert not seen.busy


@pytest.mark.parametrize("far", [False, True])
def test_what_lies_beside_a_spot_is_looked_at_anew_with_a_card_laid_next_to_it(
    table: Table, far: bool
) -> None:
    """Else an index of the next spot's card might be taken for one of a card on its other side."""
    beside = card("AS", Pose(21, 0))
    table.show([beside], frames=40)
    table.show([beside, card("KD", Pose(230 if far else 100, 0))], frames=12)
    (zone,) = (one for one in table.tracker._zones if one.name == "right")
    assert zone.glance is not None
    x, y = zone.glance.areas.box.x, zone.glance.areas.box.y
    shown = float(zone.glance.areas.face[270 - y, 530 - x])
    assert shown == (0.0 if far else 1.0)
