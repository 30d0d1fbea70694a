"""The README tells the truth: its session runs, its links lead somewhere, its table is correct."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from rules.games import GAMES

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")
ALL_GAMES = frozenset(
    [
        "ziginette",
        "seven-and-a-half",
        "ace-deuce-jack",
        "guts",
        "pai-gow-poker",
        "paiute",
        "soko",
        "anaconda",
        "pineapple",
        "chinese-poker",
        "open-face-chinese-poker",
        "rams",
        "belote",
        "tribello",
        "fipsen",
        "democracy",
        "big-three",
        "pif-paf",
        "mille",
        "panguingue",
        "three-thirteen",
        "oklahoma-rummy",
        "eleusis",
    ]
)


def test_the_session_in_the_readme_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert blocks
    for block in blocks:
        case = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
        result = doctest.DocTestRunner(verbose=False).run(case)
        assert result.attempted > 0
        assert result.failed == 0


def test_every_link_and_picture_exists() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)|<img src=\"([^\"]+)\"", TEXT)
    targets = [link or picture for link, picture in targets]
    assert len(targets) > 5
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_table_of_games_is_true() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]+) \|", TEXT, re.MULTILINE))
    assert set(rows) == ALL_GAMES
    followed = {name for name, status in rows.items() if status.strip() != "not yet"}
    assert followed == set(GAMES)


def test_both_commands_are_scripts_that_exist() -> None:
    commands = re.findall(r"^sh (\S+)", TEXT, re.MULTILINE)
    assert len(commands) == 2
    assert all((ROOT / command).is_file() for command in commands)
