"""The commands for a journal, for cameras and the self-test, for secrets and completion."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.store.journal import Journal
from tests.test_cli import answered, refused, run

# The journal.


def test_verify_vouches_for_a_journal_and_finds_a_forged_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path / "one") as journal:
        for number in range(3):
            head = journal.append("act", {"line": f"2 bet {number + 1}"}, time=0.0).hash
    assert run("verify", tmp_path / "one", "--head", head) == 0
    assert "all 3 entries are as they were written" in capsys.readouterr().out
    (verdict,) = answered(capsys, "verify", tmp_path / "one", "--json")
    assert (verdict["entries"], verdict["whole"], verdict["vouched"]) == (3, True, 0)
    with Journal(tmp_path / "two") as journal:
        journal.append("act", {"line": "2 bet 9"}, time=0.0)
    assert run("verify", tmp_path / "two", "--head", head) == 1
    assert "no entry has the head" in capsys.readouterr().out


def test_verify_refuses_files_that_are_not_journals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there is no journal here" in refused(capsys, "verify", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    (tmp_path / "text").write_text("not a database " * 99)
    assert "not a database" in refused(capsys, "verify", tmp_path / "text")
    with Journal(tmp_path / "one"):
        pass
    assert "hexadecimal digits" in refused(capsys, "verify", tmp_path / "one", "--head", "xyz")


# Cameras.


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("no-such.mp4", "no-such.mp4: no such file, folder or device"),
        ("97", "/dev/video97: no such device"),
        ("empty", "empty"),
        ("truncated.mp4", "truncated.mp4"),
        ("text.png", "text.png"),
    ],
)
def test_a_camera_that_gives_no_pictures_is_refused(
    source: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("truncated.mp4").write_bytes(b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00")
    Path("text.png").write_text("no picture")
    assert said in refused(capsys, "run", "ziginette", "--camera", source)


def test_selftest_reports_each_part_and_fails_for_a_camera_without_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = np.random.default_rng(1).integers(60, 200, (120, 160, 3)).astype(np.uint8)
    (tmp_path / "photos").mkdir()
    for number in range(8):
        cv2.imwrite(str(tmp_path / "photos" / f"{number}.png"), photo)
    run("selftest", "--camera", tmp_path / "photos", "--json")
    checks = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"name", "verdict", "detail"} == set(checks[0])
    camera = [check for check in checks if "camera" in check["name"]]
    assert camera
    assert not [check for check in camera if check["verdict"] == "fail"]
    (tmp_path / "text.png").write_text("no picture")
    assert run("selftest", "--camera", tmp_path / "text.png") == 1
    assert "FAIL" in capsys.readouterr().out
    assert "no such file" in refused(capsys, "selftest", "--camera", tmp_path / "none.mp4")


def test_a_secret_rule_is_tried_and_kept_in_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["secret"]) == 0
    assert "two-apart        two from last" in capsys.readouterr().out
    assert main(["secret", "two from last", "--after", "KS", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["right"] == ["JC", "JD", "JH", "JS"]
    for wrong, word in (
        (["secret", "two from lost"], "'lost' (word 3)"),
        (["secret", "red", "--after", "5X"], "5X"),
        (["secret", "--preset", "three"], "no preset 'three'"),
        (["secret", "--keep"], "--keep needs a rule"),
        (["secret", "red", "--preset", "suits"], "got both"),
    ):
        assert main(wrong) == 2
        assert word in capsys.readouterr().err
    assert main(["secret", "--keep", "two", "from", "last"]) == 0
    out = capsys.readouterr().out
    assert "two from" not in out
    kept = tmp_path / "mazziere" / "mazziere.journal.secret"
    assert json.loads(kept.read_text())["rule"] == "two from last"
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_secret_rule_in_use_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["secret", "--keep", "--preset", "suits", "--json"]) == 0
    sealed = json.loads(capsys.readouterr().out)["seal"]
    assert (
        main(["secret", "--keep", "--preset", "two-apart"]) == 0
    )  # no hand has taken the first one
    assert main(["secret", "--keep", "--preset", "suits", "--json"]) == 0
    sealed = json.loads(capsys.readouterr().out.splitlines()[-1])["seal"]
    with Journal(tmp_path / "mazziere" / "mazziere.journal") as journal:
        journal.append("act", {"line": f"declare seal {sealed}"}, time=0.0)
    assert main(["secret", "--keep", "--preset", "two-apart"]) == 2
    assert "until its hand reveals it" in capsys.readouterr().err
    settings = tmp_path / "my.toml"
    settings.write_text('[table]\ngame = "ziginette"\nbanker = 1\n')
    assert main(["secret", "--keep", "red", "--settings", str(settings)]) == 2
    assert "ziginette has no secret rule to keep" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("mazziere ver", ["verify"]),
        ("mazziere run belo", ["belote"]),
        ("mazziere run --came", ["--camera"]),
        ("mazziere evening --s", ["--svg", "--settings"]),
        ("mazziere demo --level am", ["amounts"]),
    ],
)
def test_a_shell_completes_what_was_begun(
    words: str, found: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion"]) == 0
    script = tmp_path / "completion"
    script.write_text(capsys.readouterr().out)
    typed = words.split()
    tried = f"""
        source {script}
        COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}
        _mazziere; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    said = subprocess.run(["bash", "-c", tried], capture_output=True, text=True, check=True)
    assert sorted(said.stdout.split()) == sorted(found)
