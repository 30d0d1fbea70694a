"""`mazziere new-game` writes a game that passes the tests before its first change."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware.commands.cli import main
from rules.acts import Verb
from rules.games import GAMES
from rules.games.guts import Guts, GutsState
from rules.phrases import Phrase
from rules.records import parse_record
from rules.turn import Awaited, Turn

ROOT = Path(__file__).parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The parts of the source into which a game is written, and those that test it."""
    # With what is compiled already, except what another test is compiling at this moment.
    leave = shutil.ignore_patterns("*.pyc.*", "pictures", "page", "examples")
    for part in ("rules", "firmware", "tests"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=leave)
    for part in ("hardware", "vision"):
        (tmp_path / part).symlink_to(ROOT / part)
    for part in ("README.md", "pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / part, tmp_path / part)
    return tmp_path


def in_checkout(checkout: Path, *command: str) -> str:
    ended = subprocess.run(
        [sys.executable, *command], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


OWN = ("test_rules_high_card.py",)
OF_EVERY_GAME = (
    "test_records.py", "test_games.py", "test_games_irregular.py", "test_games_together.py",
    "test_texts.py", "test_layout.py",
    "test_generous_readings.py", "test_rules_documents.py", "test_readme.py",
)  # fmt: skip
NAMED = "high or identifier or sentence or same_values or table_of_games or every_document"


def test_the_skeleton_passes_its_own_tests(checkout: Path) -> None:
    written(checkout)
    assert passed(checkout, OWN) >= 2


@pytest.mark.slow
def test_the_skeleton_passes_the_tests_of_every_game(checkout: Path) -> None:
    written(checkout)
    assert passed(checkout, OWN + OF_EVERY_GAME) > 40


def written(checkout: Path) -> None:
    """Write a game into a checkout, as neatly as the others are."""
    files = in_checkout(checkout, "-m", "firmware", "new-game", "high-card").split()
    assert "rules/games/high_card.py" in files
    assert len([path for path in files if path.endswith(".txt")]) == 6
    rows = re.findall(r"^\| `([a-z-]+)` \|", (checkout / "README.md").read_text(), re.MULTILINE)
    assert rows[-1] == "high-card"
    ours = (
        "rules/games",
        "tests/test_rules_high_card.py",
        "tests/liberties",
        "tests/test_readme.py",
    )
    in_checkout(checkout, "-m", "ruff", "check", "-q", *ours)
    in_checkout(checkout, "-m", "ruff", "format", "-q", "--check", *ours)


def passed(checkout: Path, tests: Sequence[str]) -> int:
    """How many of these files' tests that name the game pass, as none may fail."""
    told = in_checkout(
        checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider",
        *(f"tests/{name}" for name in tests), "-k", NAMED,
    )  # fmt: skip
    assert " failed" not in told
    return int(told.split(" passed")[0].split()[-1])


def test_a_program_other_than_the_checkout_s_own_writes_nothing(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (checkout / "rules/games/__init__.py").read_text()
    assert main(["new-game", "high-card", "--source", str(checkout)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert f"expected the program of {checkout}" in line
    assert not (checkout / "rules/games/high_card.py").exists()
    assert (checkout / "rules/games/__init__.py").read_text() == before


class Stuck(Guts):
    """A game that waits for a card that nobody holds."""

    def turn(self, state: GutsState) -> Turn:
        return Turn((Awaited(Verb.SHOW, Phrase("turn.shuffle"), (2,), pick=1, among=()),))


def test_rules_that_leave_nothing_to_do_are_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "guts", Stuck)
    folder = tmp_path / "tests" / "records"
    folder.mkdir(parents=True)
    assert main(["new-game", "guts", "--records", "--source", str(tmp_path)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "hand 1 stops after 0 acts" in line
    assert "the turn awaits show" in line
    assert list(folder.rglob("*.txt")) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Guts!", "small letters and hyphens, got 'Guts!'"),
        ("guts", "there is a game 'guts' already"),
        ("high-card", "expected a checkout of the source"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(
    name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", name, "--source", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["ziginette", "belote"])
def test_the_records_of_one_game_are_replaced_and_others_stay(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "records" / name
    folder.mkdir(parents=True)
    said = "# Checked.\n\n[by-hand]\nnet = [{1 = 2}]\n\n[hand-1]\nnet = [{}]\n"
    (folder / "settlements.toml").write_text(said)
    assert main(["new-game", name, "--records", "--source", str(tmp_path)]) == 0
    told = tomllib.loads((folder / "settlements.toml").read_text())
    assert list(told) == ["by-hand", *(f"hand-{number}" for number in range(1, 7))]
    assert told["by-hand"] == {"net": [{"1": 2}]}
    for number in range(1, 7):
        hand = parse_record((folder / f"hand-{number}.txt").read_text()).match.hands[0]
        net = {str(seat): chips for seat, chips in hand.state.settlement.net.items()}
        assert told[f"hand-{number}"]["net"] == [net]
