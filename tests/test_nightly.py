"""The long run: every step names a command that exists, with arguments that it takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import nightly
from tests.nightly import SMALL, WHOLE, Outcome, Step, steps


def test_every_step_is_a_command_that_takes_its_arguments(tmp_path: Path) -> None:
    for step in steps(7, tmp_path, SMALL):
        assert step.command[0] == sys.executable
        assert step.command[1] == "-m"
        told = [one for one in step.command[3:] if one.startswith("--")]
        if not step.all_cores:
            file = nightly.ROOT / "/".join(step.command[2].split("."))
            source = file / "__main__.py" if file.is_dir() else file.with_suffix(".py")
            text = source.read_text("utf-8")
            assert [option for option in told if f'"{option}"' not in text] == [], step.name
            required = [line for line in text.splitlines() if "required=True" in line]
            assert all(any(one in line for one in told) for line in required), step.name


def test_whole_and_small_runs_have_the_same_steps(tmp_path: Path) -> None:
    whole = [step.name for step in steps(1, tmp_path, WHOLE)]
    assert whole == [step.name for step in steps(1, tmp_path, SMALL)]
    assert len(set(whole)) == len(whole)


def test_successful_steps_are_not_run_again_and_failed_ones_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs: list[str] = []

    def run(step: Step, folder: Path) -> Outcome:
        runs.append(step.name)
        return Outcome(step.name, int(step.name == "bad" and runs.count("bad") == 1), 0.0)

    two = [Step("good", ("x",)), Step("bad", ("y",))]
    monkeypatch.setattr(nightly, "steps", lambda *_: iter(two))
    monkeypatch.setattr(nightly, "commit", lambda: "abc")
    monkeypatch.setattr(nightly, "run", run)
    logs = ["--logs", str(tmp_path)]
    assert nightly.main(logs) == 1
    assert "bad: failed, see" in capsys.readouterr().out
    assert nightly.main(logs) == 0
    assert runs == ["good", "bad", "bad"]


def test_a_step_leaves_its_log_and_status(tmp_path: Path) -> None:
    outcome = nightly.run(Step("said", (sys.executable, "-c", "print('hello'); exit(3)")), tmp_path)
    assert (outcome.name, outcome.status) == ("said", 3)
    assert (tmp_path / "said.log").read_text() == "hello\n"
