"""The programs that training runs: one that is missing or fails is told in one line."""

from __future__ import annotations

import sys

import pytest

from vision.errors import NoToolError, ToolError
from vision.training.tools import run


def test_what_a_program_prints_comes_back() -> None:
    echo = "import sys; sys.stdout.write(sys.stdin.read().upper())"
    assert run([sys.executable, "-c", echo], b"ace") == b"ACE"


def test_a_missing_program_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoToolError, match="rsvg-convert, found none; install librsvg2-bin"):
        run(["rsvg-convert", "-w", "10"], b"")


def test_a_program_that_fails_is_told_with_its_last_line() -> None:
    failing = "import sys; print('first', file=sys.stderr); sys.exit('no such deck')"
    with pytest.raises(ToolError, match="ended with 1: no such deck"):
        run([sys.executable, "-c", failing])
