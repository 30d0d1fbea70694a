"""A hidden card that was taken, although it still seems to lie where it lay."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from firmware.follow.deciding import LOST_AFTER_S
from tests.felt import Felt
from vision.sightings import Seen


class Fanned(Felt):
    """A table of plain backs; the readings miss those of seat 2 at the places `missed`."""

    missed: frozenset[int] = frozenset()

    def seen(self) -> Seen:
        now = super().seen()
        hand = (replace(one, missed=n in self.missed) for n, one in enumerate(now.spots["2"]))
        return replace(now, spots={**now.spots, "2": tuple(hand)})


@pytest.fixture
def felt() -> Fanned:
    """Open-Face Chinese Poker, with five cards dealt to each of three seats."""
    felt = Fanned("open-face-chinese-poker")
    for seat in ("2", "3", "1"):
        felt.lay(seat, *["??"] * 5)
    assert felt.acts()[-1] == "deal 1 ?? ?? ?? ?? ??"
    return felt


def test_a_card_that_the_readings_miss_is_the_one_that_came_to_a_row(felt: Fanned) -> None:
    felt.missed = frozenset({1})
    felt.lay("2.front", "5D", seconds=2.0)
    assert felt.acts()[-1] == "2 lay 2.front 5D"
    assert felt.loop.question is None
    felt.cards["2"].pop()
    felt.lay("2.middle", "8S", seconds=2.0)
    assert felt.acts()[-1] == "2 lay 2.middle 8S"
    felt.look(LOST_AFTER_S)
    assert felt.loop.question is None
    assert not felt.rules_broken


def test_a_card_that_the_readings_show_was_not_taken(felt: Fanned) -> None:
    felt.lay("2.front", "5D", seconds=2.0)
    assert felt.acts()[-1] == "deal 2.front 5D"


def test_no_card_is_taken_twice(felt: Fanned) -> None:
    """A second one came to the row while only one is missed: that is told."""
    felt.missed = frozenset({1})
    felt.lay("2.front", "5D", seconds=2.0)
    felt.lay("2.front", "9C", seconds=2.0)
    assert felt.acts().count("2 lay 2.front 9C") == 0
    assert felt.rules_broken


def test_a_card_that_is_read_again_lies_there(felt: Fanned) -> None:
    felt.missed = frozenset({1})
    felt.lay("2.front", "5D", seconds=2.0)
    felt.missed = frozenset()
    felt.look(2 * LOST_AFTER_S)
    assert felt.rules_broken  # a sixth card, which the dealer hears


@pytest.mark.parametrize(
    ("missed", "gone", "followed"),
    [({1, 3}, 0, True), ({1}, 1, True), ((), 2, True), ({1}, 0, False), ((), 1, False)],
)
def test_as_many_cards_may_be_taken_as_the_readings_miss(
    felt: Fanned, missed: Collection[int], gone: int, followed: bool
) -> None:
    """Two are laid, one after the other, before either has been seen to come."""
    felt.missed = frozenset(missed)
    del felt.cards["2"][5 - gone :]
    felt.cards["2.front"].append("5D")
    felt.cards["2.middle"].append("8S")
    felt.look(2 * LOST_AFTER_S)
    laid = {"2 lay 2.front 5D", "2 lay 2.middle 8S"} <= {*felt.acts()}
    assert (laid and not felt.rules_broken) is followed
