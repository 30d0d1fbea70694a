"""How much one look at a table that nothing explains may search."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.follow.findings import Findings
from firmware.follow.reconcile import NODES_MOST, NODES_SPARE, explain
from rules.games import find_game
from tests.benchmarks.looks import irregular
from tests.lost import WAITED_S

HANDS = (10, 11, 19)
"""Hands whose looks are costly; in the last one, a row may lie under another."""


def test_a_look_runs_one_search_to_its_end_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that may lie under others are assumed in the next look, not all in the same one."""
    spent: list[float] = []

    def counted(*args: Any, **kwargs: Any) -> Findings:
        findings = explain(*args, **kwargs)
        spent[-1] += findings.tried
        return findings

    monkeypatch.setattr("firmware.follow.meanings.explain", counted)
    for hand in HANDS:
        table = irregular(find_game("chinese-poker"), f"chinese-poker-{hand}")
        while table.time < WAITED_S and table.loop.question is None and not table.lies_as_followed:
            spent.append(0.0)
            table.look()
    assert max(spent) > NODES_MOST  # some hands are hard
    assert max(spent) < NODES_MOST + NODES_SPARE
