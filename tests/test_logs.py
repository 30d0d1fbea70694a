"""Logs of long runs hold only what the code as it is has done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import logs


def test_what_other_code_has_done_is_done_again(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"code": "old", "seed": 1}\n{"seed": 2}\n{"code": "new", "seed": 3}\n{"code": "new", "se'
    )
    assert [one["seed"] for one in logs.current(log, "new")] == [3]
    assert logs.current(tmp_path / "none.jsonl", "new") == []


def test_the_version_changes_with_code_and_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "ROOT", tmp_path)
    found = []
    for name in ("reader.py", "finder.onnx", "notes.txt"):
        (tmp_path / name).write_text("changed")
        found.append(logs.version((".",)))
    first, second, third = found
    assert first != second == third
