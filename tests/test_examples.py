"""The examples in each package do what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from tests.draws import mostly_nightly

ROOT = Path(__file__).parent.parent


def run(script: str, *arguments: str, typed: str = "") -> str:
    ended = subprocess.run(
        [sys.executable, script, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_record_is_replayed() -> None:
    record = (ROOT / "tests/records/guts/all-out.txt").read_text("utf-8")
    told = run("rules/examples/replay_record.py", typed=record)
    assert told.splitlines()[:4] == ["hand 1: over", "  pot: +10", "  seat 1: -5", "  seat 2: -5"]


def test_a_photograph_is_read_and_drawn(tmp_path: Path) -> None:
    drawn = tmp_path / "read.png"
    told = run("vision/examples/read_photograph.py", "firmware/pictures/table.jpg", str(drawn))
    cards = {line.split()[0] for line in told.splitlines()[:-1]}
    assert cards == {"QD", "KD", "5D", "AC", "6D", "6C", "AS"}
    before, after = cv2.imread("firmware/pictures/table.jpg"), cv2.imread(str(drawn))
    assert before is not None
    assert after is not None
    assert after.shape == before.shape
    assert (after != before).any()


def test_a_lamp_blinks_until_it_is_pressed() -> None:
    assert run("hardware/examples/blinking_panel.py") == "waiting: slow\npressed: steady\n"


@pytest.mark.parametrize(
    "name", mostly_nightly(["ziginette", "guts", "belote", "panguingue"], "ziginette")
)
def test_bots_play_a_hand(name: str) -> None:
    *acts, settled = run("firmware/examples/two_bots.py", name, "3").splitlines()
    assert settled.startswith("settled: {")
    assert acts[-1].endswith(" clear")
