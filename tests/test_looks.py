"""What is seen of a hand is recorded, and followed again without any picture."""

from __future__ import annotations

import gzip
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from tests.looks import Recorder, Recording, Replay, main
from tests.soak import Job

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand of draws and discards, with slow and covered piles."""
    path = tmp_path_factory.mktemp("looks") / "paiute.looks"
    Recorder(Job("paiute", 3, "sloppy", hands=1)).play(path, wrong=6)
    return path


def test_a_recorded_hand_is_followed_as_it_was(kept: Path) -> None:
    recording = Recording.load(kept)
    replay = Replay(recording)
    lines = list(replay.lines())
    assert sum("dealt " in line for line in lines) > 10
    assert sum("followed " in line for line in lines) > 10
    assert any("seen discards:" in line for line in lines)
    assert replay.followed == recording.followed


def test_a_card_seen_differently_is_followed_differently(kept: Path) -> None:
    recording = Recording.load(kept)
    seen = [event for event in recording.events if event.verb == "see"]
    gone = {id(event) for event in seen[len(seen) // 2 :]}
    recording.events = [event for event in recording.events if id(event) not in gone]
    replay = Replay(recording)
    assert sum("    followed" in line for line in replay.lines()) > 5
    assert replay.followed != recording.followed


def test_both_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "guts.looks"
    assert main(["record", str(path), "--games", "guts", "--seeds", "3"]) == 0
    assert "0 wrong commits" in capsys.readouterr().out
    assert main(["replay", str(path), "--since", "2", "--until", "6"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.endswith("as when it was recorded")
    assert lines
    assert all(2 <= float(line[:7]) <= 6 for line in lines)


def test_what_the_command_records_is_read_by_others(tmp_path: Path) -> None:
    path = tmp_path / "guts.looks"
    line = [sys.executable, "-m", "tests.looks", "record", str(path)]
    subprocess.run([*line, "--games", "guts", "--seeds", "3"], cwd=ROOT, check=True)
    assert Recording.load(path).job.game == "guts"


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.looks"
    with gzip.open(path, "wb") as file:
        pickle.dump([1, 2], file)
    with pytest.raises(TypeError, match=r"expected a recording of looks in .*: got list"):
        Recording.load(path)
