from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.commands import version
from firmware.commands.cli import main
from rules.games import GAMES

RECORD = """\
[Game "ziginette"]
[Seats "3"]
[Banker "1"]
[Limits "1 20"]

deal board QS
deal board 5D
deal banker 7C
2 bet 5 QS
3 bet 10 5D
close
deal board QD
take board QS QD
close
deal board 7H
clear
"""


def run(*arguments: object) -> int:
    """The exit status of a command."""
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as end:
        return int(str(end.code))


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line with which a command refuses its input."""
    assert run(*arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert len(lines) == 1, told.err
    return lines[0]


def answered(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[Any]:
    """The JSON lines that a command prints."""
    assert run(*arguments) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    "command",
    ["", "games", "replay", "read", "check-deck", "teach", "demo", "run", "verify", "selftest"],
)
def test_every_command_explains_itself_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command.split(), "--help") == 0
    out = capsys.readouterr().out
    assert f"usage: mazziere {command}".rstrip() in out
    assert not command or f"example: mazziere {command}" in out


def test_python_m_firmware_is_the_same_command() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "firmware", "games"],
        cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "ziginette" in told.stdout


def test_the_version_follows_the_commits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A checkout's version names its commit and changes with it; otherwise it is the package's."""
    script = Path(version.SCRIPT)
    (tmp_path / script).parent.mkdir(parents=True)
    (tmp_path / script).write_text((version.ROOT / script).read_text())
    (tmp_path / "pyproject.toml").write_text('version = "7.8.9"\n')
    assert "7.8.9" not in version.program_version(tmp_path)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    told = []
    for change in ("first", "second"):
        subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", change], check=True)
        asked = [*git, "rev-parse", "--short=12", "HEAD"]
        head = subprocess.run(asked, capture_output=True, check=True)
        told.append(version.program_version(tmp_path))
        assert told[-1].startswith("7.8.9+")
        assert told[-1].endswith(f".g{head.stdout.decode().strip()}")
    assert told[0] != told[1]
    assert run("--version") == 0
    assert capsys.readouterr().out == f"mazziere {version.program_version()}\n"


def test_a_list_of_games_loads_nothing_heavy() -> None:
    code = (
        "import sys; from firmware.commands.cli import main; main(['games']); print(*sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = set(told.stdout.splitlines()[-1].split())
    assert not loaded & {"numpy", "cv2", "onnxruntime", "textual", "gpiozero"}


def test_games_as_json_hold_what_is_promised(capsys: pytest.CaptureFixture[str]) -> None:
    (games,) = answered(capsys, "games", "--json")
    assert [game["name"] for game in games] == list(GAMES)
    promised = {"players", "deck", "variants", "house_rules", "direction", "spots", "area"}
    for game in games:
        assert promised <= set(game)
        assert sum(game["deck"]["of"].values()) == game["deck"]["cards"]
        assert all({"name", "says", "default"} <= set(rule) for rule in game["house_rules"])
        assert game["area"]["seats"], game["name"]


def test_one_game_is_shown_with_its_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("games", "ziginette") == 0
    assert "late_bets = yes" in capsys.readouterr().out
    assert "did you mean ziginette?" in refused(capsys, "games", "zigginette")


# Replay.


def test_a_replayed_record_says_who_pays_whom(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.txt"
    path.write_text(RECORD)
    (report,) = answered(capsys, "replay", path, "--json")
    (hand,) = report["hands"]
    # The queen is matched: seat 2 loses 5. The banker's seven is matched: seat 3 gets 10.
    assert hand["settlement"] == {"1": -5, "2": -5, "3": 10}
    assert hand["violations"] == []
    assert "ziginette.match" in hand["calls"]
    assert report["file"] == str(path)
    assert report["state"]["over"] is True
    assert run("replay", path) == 0
    assert "net: 1 -5, 2 -5, 3 +10" in capsys.readouterr().out
    unkept = RECORD.replace("[Limits", '[Amounts "none"]\n[Limits')
    path.write_text(unkept.replace("2 bet", "# 2 bet").replace("3 bet", "# 3 bet"))
    assert run("replay", path) == 0
    assert "net: bets are not recorded" in capsys.readouterr().out


def test_an_irregular_act_is_a_violation_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.txt"
    path.write_text(RECORD.replace("2 bet 5 QS", "2 bet 25 QS"))
    (report,) = answered(capsys, "replay", path, "--json")
    violation = report["hands"][0]["violations"][0]
    assert (violation["rule"], violation["seat"], violation["since"]) == ("beyond-limits", 2, 4)
    assert violation["text"] == "Seat 2: outside the limits, from 1 to 20."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2 bet 5 QS", "2 jump", "line 9: '2 jump': 'jump' is not a verb"),
        ("deal board QS", "deal board 1S", "line 6:"),
        ("2 bet 5 QS", "7 bet 5 QS", "line 9:"),
        ('[Seats "3"]', '[Seats "900"]', "got 900"),
        ('[Limits "1 20"]', '[Limits "0 20"]', "a minimum of at least 1"),
        ('[Game "ziginette"]', '[Game "zigginette"]', "did you mean ziginette?"),
        ('[Game "ziginette"]', "[Game ziginette]", "line 1: a tag like"),
    ],
)
def test_a_malformed_record_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    path = tmp_path / "hand.txt"
    path.write_text(RECORD.replace(old, new))
    line = refused(capsys, "replay", path)
    assert str(path) in line
    assert said in line


def test_unreadable_records_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.txt: cannot be read: No such file" in refused(
        capsys, "replay", tmp_path / "none.txt"
    )
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    assert "photo.jpg: expected a record as text" in refused(
        capsys, "replay", tmp_path / "photo.jpg"
    )
    (tmp_path / "empty.txt").write_text("")
    assert "an empty record" in refused(capsys, "replay", tmp_path / "empty.txt")


def test_one_bad_record_does_not_keep_the_others_from_being_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.txt").write_text(RECORD)
    assert run("replay", tmp_path / "none.txt", tmp_path / "good.txt", "--json") == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["file"] == str(tmp_path / "good.txt")
    assert "none.txt" in told.err


# Photographs.


def test_files_that_are_not_photographs_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "empty.jpg").write_bytes(b"")
    for name in ("none.jpg", "text.jpg", "empty.jpg"):
        assert name in refused(capsys, "read", tmp_path / name, "--json")


@pytest.mark.parametrize("command", [("read",), ("check-deck",), ("teach", "mine")])
def test_a_folder_without_photographs_is_reported(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").touch()
    assert "holds no photographs" in refused(capsys, *command, tmp_path)


def test_an_empty_table_is_read_as_no_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = np.full((240, 320, 3), (60, 110, 40), np.uint8)
    cv2.imwrite(str(tmp_path / "felt.png"), photo)
    folder = tmp_path / "out" / "pictures"
    (report,) = answered(capsys, "read", tmp_path / "felt.png", "--json", "--pictures", folder)
    assert report["cards"] == report["doubtful"] == report["sightings"] == []
    assert set(report) == {"file", "cards", "doubtful", "sightings", "trouble", "milliseconds"}
    copy = cv2.imread(str(folder / "felt.jpg"))
    assert copy is not None
    assert copy.shape == photo.shape


def test_a_folder_for_pictures_that_is_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    line = refused(capsys, "read", tmp_path / "x.jpg", "--pictures", tmp_path / "file")
    assert "expected a folder for pictures" in line


# Options of the table.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zigginette"], "did you mean ziginette?"),
        (["ziginette", "--limits", "0 20"], "a minimum of at least 1"),
        (["ziginette", "--limits", "0"], "a minimum of at least 1"),
        (["ziginette", "--limits", "20 1"], "a maximum not below it"),
        (["ziginette", "--limits", "many"], "expected a whole number, got 'many'"),
        (["ziginette", "--seats", "900"], "expected seats from 1 to 22, got 900"),
        (["ziginette", "--seats", "1"], "ziginette is for 2 to 22 players, got 1"),
        (["ziginette", "--seats", "three"], "expected a whole number, got 'three'"),
        (["ziginette", "--banker", "9"], "the banker must sit at one of the seats"),
        (["ziginette", "--level", "all"], "invalid choice: 'all'"),
        (["ziginette", "--language", "xx"], "expected one of en, it, got 'xx'"),
        (["ziginette", "--house-rule", "cut"], "--house-rule takes NAME=VALUE"),
        (["ziginette", "--house-rule", "cut=200"], "0 to 100, got 200"),
        (["ziginette", "--house-rule", "cat=2"], "has no house rule 'cat'"),
        (["pineapple", "--variant", "mad"], "pineapple has no variant 'mad'; it has crazy"),
        (["ziginette", "--settings", "/no/such.toml"], "/no/such.toml: cannot be read"),
    ],
)
@pytest.mark.parametrize("command", ["demo", "run"])
def test_an_impossible_table_is_refused(
    command: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, command, *arguments)


def test_numbers_of_hands_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert "at least 1, got '0'" in refused(capsys, "demo", "--hands", 0)
    assert "expected a whole number" in refused(capsys, "demo", "--seed", "x")


def test_malformed_settings_are_refused_with_every_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.toml"
    path.write_text('language = "xx"\n[table]\nseats = 900\n')
    line = refused(capsys, "run", "ziginette", "--settings", path)
    assert "table.seats" in line
    assert "language" in line
    assert str(path) in line
    path.write_text("[table\n")
    assert "cannot be read" in refused(capsys, "run", "ziginette", "--settings", path)


def test_running_without_a_game_is_refused_if_nobody_can_be_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "no game is chosen" in refused(capsys, "run", "--console", "off")


def test_the_set_up_table_is_remembered_without_naming_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kept = tmp_path / "mazziere" / "settings.toml"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text('[table]\ngame = "belote"\n')
    # The game is known now: what is missing is the camera.
    assert "no such file" in refused(capsys, "run", "--camera", tmp_path / "none.mp4")
    kept.write_text('[table]\ngame = "chess"\n')
    assert str(kept) in refused(capsys, "run")


def test_a_machine_without_a_ribbon_camera_is_told_about_webcams(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "--camera 0" in refused(capsys, "run", "ziginette", "--camera", "pi")


def test_an_unknown_command_or_option_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "invalid choice: 'gmaes'" in refused(capsys, "gmaes")
    assert "unrecognized arguments: --jason" in refused(capsys, "games", "--jason")
    assert "COMMAND" in refused(capsys)
