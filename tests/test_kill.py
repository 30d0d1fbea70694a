"""When killed at any moment, the appliance loses nothing that it had acknowledged."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pytest

from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from rules.match import Match
from rules.records import parse_record, print_match
from tests.draws import NIGHTLY

ROOT = Path(__file__).parent.parent
KILLS = 60 if NIGHTLY else 3
DEMO_KILLS = 12 if NIGHTLY else 1


def acknowledged(module: str, *arguments: str, acts: int, seconds: float) -> list[str]:
    """What a process said it had stored before it was killed, `seconds` after `acts` acts."""
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        said = iter(process.stdout.readline, "")
        lines = list(whole_lines(islice(said, acts)))
        killer = threading.Timer(seconds, process.kill)
        killer.start()
        lines += whole_lines(said)
        killer.join()
    assert first.startswith(("resumed", "begun")), first
    return lines


def whole_lines(lines: Iterator[str]) -> Iterator[str]:
    return (line.rstrip("\n") for line in lines if line.endswith("\n"))


def lines_of(match: Match) -> list[str]:
    """The act lines of a match's record."""
    return [line for line in print_match(match).splitlines() if line and not line.startswith("[")]


def test_kills_at_random_moments_lose_no_acknowledged_act(tmp_path: Path) -> None:
    path = tmp_path / "killed.journal"
    dice = random.Random(7)
    told: list[str] = []
    stored: dict[int, list[str]] = {}
    for _ in range(KILLS):
        acts, seconds = dice.randrange(2, 40), dice.uniform(0.0, 0.05)
        told += acknowledged("tests.dealing_forever", str(path), acts=acts, seconds=seconds)
        with Journal(path) as journal:
            assert journal.verify().whole
            match = Ledger.resumed(journal, now=lambda: 0.0).match
        record = print_match(match)
        assert parse_record(record).record() == record
        # What was stored of a hand stays so after the match has dropped it from memory.
        stored |= {hand.start.hand: lines_of(Match.of([hand])) for hand in match.hands}
        # A kill may fall between storing an act and saying so; then it is there unannounced.
        remaining = chain.from_iterable(stored[hand] for hand in sorted(stored))
        assert all(line in remaining for line in told)
    assert len(told) > KILLS


@pytest.mark.slow
def test_a_demo_killed_at_random_moments_loses_no_acknowledged_act(tmp_path: Path) -> None:
    dice = random.Random(11)
    told_in_all = 0
    for seed in range(1, DEMO_KILLS + 1):
        path = tmp_path / f"demo-{seed}.journal"
        acts, seconds = dice.randrange(2, 10), dice.uniform(0.0, 0.2)
        told = acknowledged("tests.demo_forever", str(path), str(seed), acts=acts, seconds=seconds)
        with Journal(path) as journal:
            assert journal.verify().whole
            match = Ledger.resumed(journal, now=lambda: 0.0).match
        stored = [str(act) for hand in match.hands for act in hand.acts]
        assert stored[: len(told)] == told
        told_in_all += len(told)
    assert told_in_all > DEMO_KILLS
