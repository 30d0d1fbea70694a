"""Cards that lie face down over each other keep their number, and one that is turned up is one."""

from __future__ import annotations

import pytest

from tests.knowing import (
    LEFT,
    RIGHT,
    VIEW,
    Candidates,
    Table,
    card,
    looked_at,
    names,
)
from vision.scene.items import Pose
from vision.scene.light import Weave
from vision.scene.render import Canvas, Lens, Light, Surface


@pytest.fixture
def table() -> Table:
    return looked_at()


def test_overlapping_backs_keep_their_number(table: Table) -> None:
    """Hole cards nearly coincide: two in one place are two, in whatever order they go."""
    lower, upper = card("??", LEFT), card("??", Pose(LEFT.x + 14, LEFT.y + 9, 8))
    assert names(table.show([lower], frames=12), "left") == ["??"]
    assert names(table.show([lower, upper], frames=12), "left") == ["??", "??"]
    table.show([lower, upper, card("QS", RIGHT)], frames=12)
    assert names(table.show([lower], frames=12), "left") == ["??"]
    table.show([lower, upper], frames=12)
    seen = table.show([], frames=12)
    assert names(seen, "left") == []
    assert not seen.busy


def test_a_hole_card_under_an_upcard_still_lies_there(table: Table) -> None:
    """A strip of it is too little to recognise a back by; but its border has not moved."""
    hole, upcard = card("??", LEFT), card("QS", Pose(LEFT.x + 9, LEFT.y + 12, 7))
    assert names(table.show([hole], frames=12), "left") == ["??"]
    table.reader.errors = [dict[str, Candidates]()] * table.reader.reads + [{"??": ()}] * 60
    assert sorted(names(table.show([hole, upcard], frames=12), "left")) == ["??", "QS"]
    assert names(table.show([upcard], frames=12), "left") == ["QS"]


def test_a_back_under_a_back_that_is_not_distinguished_from_it_still_lies_there(
    table: Table,
) -> None:
    """Three overlapping cards of a hand may be read as two; the third was seen before."""
    first, second = card("??", LEFT), card("??", Pose(LEFT.x - 22, LEFT.y + 3, -4))
    third = card("??", Pose(LEFT.x - 44, LEFT.y - 4, -9))
    assert names(table.show([first, second], frames=12), "left") == ["??", "??"]
    table.reader.blind = [second]
    assert names(table.show([first, second, third], frames=12), "left") == ["??", "??", "??"]
    assert names(table.show([first, third], frames=12), "left") == ["??", "??"]


def test_a_back_under_one_that_nearly_coincides_with_it_still_lies_there(table: Table) -> None:
    """The third may be the second, pushed; but where that lay its border and print still show."""
    first, second = card("??", LEFT), card("??", Pose(LEFT.x - 31, LEFT.y + 1, -9))
    third = card("??", Pose(LEFT.x - 48, LEFT.y - 3, 10))
    assert names(table.show([first, second], frames=12), "left") == ["??", "??"]
    table.reader.blind = [second]
    assert names(table.show([first, second, third], frames=12), "left") == ["??", "??", "??"]


def test_a_back_that_is_pushed_on_another_one_is_not_two(table: Table) -> None:
    first, second = card("??", LEFT), card("??", Pose(LEFT.x - 31, LEFT.y + 1, -9))
    pushed = card("??", Pose(LEFT.x - 48, LEFT.y - 3, 10))
    table.show([first, second], frames=12)
    assert names(table.show([first, pushed], frames=12), "left") == ["??", "??"]


def test_a_hole_card_turned_up_next_to_its_place_is_one_card(table: Table) -> None:
    table.show([card("??", LEFT)], frames=12)
    seen = table.show([card("QS", Pose(LEFT.x + 9, LEFT.y + 12, 7))], frames=12)
    assert names(seen, "left") == ["QS"]


@pytest.mark.parametrize("beside", [(4, 11), (0, 9), (0, 11)])
def test_a_card_turned_up_next_to_its_place_on_wood_is_one_card(beside: tuple[int, int]) -> None:
    """A line of the wood runs exactly where the border of the card lay that was turned up."""
    table, across = Table(), Pose(LEFT.x, LEFT.y, 90)
    wood = Surface(Weave.WOOD, (50, 70, 105), (35, 52, 85), 0)
    table.canvas = Canvas(VIEW, wood, Light(), Lens(), seed=3)
    table.show([], frames=12)
    assert names(table.show([card("??", across)], frames=12), "left") == ["??"]
    upcard = card("QS", Pose(across.x + beside[0], across.y + beside[1], 88))
    assert names(table.show([upcard], frames=12), "left") == ["QS"]
