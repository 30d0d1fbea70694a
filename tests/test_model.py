"""Anything in any order: some steps of every game; ``python -m tests.model`` does 100,000."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from hardware.press import Button
from rules.games import GAMES
from tests.draws import NIGHTLY
from tests.felt import Felt
from tests.model import happen

HEADER_ACTS = ("limits 1 9", "join 5", "leave 3", "banker 2", "chips 2 50", "shuffle", "sit-out 2")


@pytest.mark.parametrize("game", GAMES)
def test_memory_and_journal_tell_the_same_match_whatever_is_done(game: str) -> None:
    went = happen(game, 1, 45 if NIGHTLY else 15)
    assert went["harm"] == "", went


@pytest.mark.parametrize("line", HEADER_ACTS)
def test_an_act_before_the_first_card_is_undone_and_the_start_after_it_works(
    tmp_path: Path, line: str
) -> None:
    with Journal(tmp_path / "j") as journal:
        felt = Felt("ziginette", seats=4, journal=journal)
        before = felt.loop.state.start
        felt.type(line)
        assert felt.loop.ledger.taken, felt.loop.notice
        felt.hold(Button.FIX)
        assert felt.loop.notice is not None
        assert felt.loop.notice[0].id == "undo.done"
        assert felt.loop.state.start == before
        felt.hold(Button.FIX)
        assert felt.loop.notice[0].id == "undo.nothing"
    with Journal(tmp_path / "j") as journal:
        assert Ledger.resumed(journal, now=lambda: 0.0).match.state.start == before
