"""A command that prints nothing for two seconds says that it is working, but only to people."""

from __future__ import annotations

import io
import re
import time

import pytest

from firmware.commands import commands
from firmware.commands.cli import main
from firmware.commands.waiting import CLEAR, SILENT_S, Waiting, waiting
from tests.console_desk import PATIENCE_S


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_silence_is_counted_and_output_replaces_the_line() -> None:
    now, out, err = [0.0], io.StringIO(), io.StringIO()
    shown = Waiting("mazziere games", out, err, clock=lambda: now[0])
    now[0] = SILENT_S / 2
    shown.tick()
    assert err.getvalue() == ""
    now[0] = 3.0
    shown.tick()
    assert err.getvalue() == f"{CLEAR}mazziere games … 3 s"
    print("first", file=shown)
    assert err.getvalue().endswith(CLEAR)
    assert out.getvalue() == "first\n"
    now[0] = 4.0
    shown.tick()
    assert "4 s" not in err.getvalue(), "it has just printed something"
    now[0] = 6.0
    shown.tick()
    shown.end()
    assert err.getvalue().endswith(f"6 s{CLEAR}")


def test_no_file_and_no_other_program_gets_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.commands.waiting.SILENT_S", 0.0)
    monkeypatch.setattr("firmware.commands.waiting.EVERY_S", 0.01)
    with waiting("x"):
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", ["games", "verify", "replay"])
def test_a_slow_command_says_at_a_terminal_that_it_is_working(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command is made slow; its output stays intact."""
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("firmware.commands.waiting.SILENT_S", 0.05)
    monkeypatch.setattr("firmware.commands.waiting.EVERY_S", 0.01)

    def slow(_: object) -> int:
        end = time.monotonic() + PATIENCE_S
        while command not in screen.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        print("done")
        return 0

    monkeypatch.setattr(commands, command, slow)
    assert main([command, *(["record.txt"] if command == "replay" else [])]) == 0
    assert re.search(rf"mazziere {command} … \d s", screen.getvalue())
    assert screen.getvalue().endswith(CLEAR)
    assert capsys.readouterr().out == "done\n"
