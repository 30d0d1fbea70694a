"""Tables played with chips: what lies there becomes bets, and nobody says or keys anything."""

from __future__ import annotations

import pytest

from tests.chip_tables import played

BANKED = ("ziginette", "seven-and-a-half", "pai-gow-poker")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", BANKED)
def test_bets_against_a_bank_are_followed_without_a_word(game: str, seed: int) -> None:
    reports = played(game, hands=20, seed=seed)
    assert len(reports) == 20
    assert all(report.settled for report in reports)
    assert [report.differences for report in reports if not report.faithful] == []
    assert sum(report.counts.said + report.counts.typed for report in reports) == 0
    assert sum(report.counts.answers for report in reports) == 0


@pytest.mark.parametrize("game", BANKED)
def test_the_presence_of_a_bet_is_enough_where_only_bettors_are_kept(game: str) -> None:
    reports = played(game, hands=8, seed=7, level="who")
    assert all(report.faithful for report in reports)
    assert sum(report.counts.said + report.counts.typed for report in reports) == 0


@pytest.mark.parametrize("game", BANKED)
def test_a_range_is_asked_about_and_answered_from_what_is_offered(game: str) -> None:
    reports = played(game, hands=8, seed=3, unsure=0.3)
    assert all(report.settled for report in reports)
    assert sum(report.counts.answers for report in reports) > 0
    assert sum(report.counts.typed for report in reports) == 0
