"""The voice with programs that only note what they were told to say."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hardware.voice import PROGRAMS, Process, Program, Voice


class Speaker:
    """Stands for a running program."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.status: int | None = None

    def poll(self) -> int | None:
        return self.status

    def terminate(self) -> None:
        self.status = -15


class Room:
    """Installed programs and what they have been asked to say."""

    def __init__(self, *installed: str) -> None:
        self.installed = installed
        self.said: list[Speaker] = []

    def which(self, name: str) -> str | None:
        return f"/usr/bin/{name}" if name in self.installed else None

    def run(self, command: Sequence[str]) -> Process:
        self.said.append(Speaker(command))
        return self.said[-1]

    def voice(self, language: str) -> Voice:
        return Voice(language, run=self.run, which=self.which)


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_sentence_is_spoken_in_its_language(language: str) -> None:
    room = Room("espeak-ng", "flite")
    voice = room.voice(language)
    assert voice.say("Queens collect.")
    assert voice.speaking
    assert room.said[0].command[:3] == ["espeak-ng", "-v", language]
    assert room.said[0].command[-1] == "Queens collect."


def test_a_new_sentence_replaces_the_old_one() -> None:
    room = Room("espeak-ng")
    voice = room.voice("en")
    voice.say("one")
    voice.say("two")
    assert [speaker.status for speaker in room.said] == [-15, None]
    voice.hush()
    assert room.said[1].status == -15
    assert not voice.speaking


def test_a_sentence_that_has_ended_is_left_alone() -> None:
    room = Room("espeak-ng")
    voice = room.voice("en")
    voice.say("one")
    room.said[0].status = 0
    assert not voice.speaking
    voice.say("two")
    assert room.said[0].status == 0


@pytest.mark.parametrize("text", ["--help", "-f/etc/passwd", "$(reboot)", "a\nb", "'; reboot"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_text_is_never_an_option_or_a_command(text: str, program: Program) -> None:
    room = Room(*program.needs)
    room.voice("en").say(text)
    command = room.said[0].command
    assert command[-1] == " ".join(text.split())
    assert command[-2] in ("--", "-t", "en-GB")
    assert all("reboot" not in word for word in command[:-1])


def test_silence_has_a_reason() -> None:
    silent = Room().voice("it")
    assert not silent.say("Paga.")
    assert "apt install espeak-ng" in silent.reason
    english = Room("flite").voice("it")
    assert not english.say("Paga.")
    assert english.reason.startswith("flite cannot speak 'it'")


def test_a_program_that_does_not_start_is_reported_once() -> None:
    def broken(command: Sequence[str]) -> Process:
        raise PermissionError("not allowed")

    voice = Voice("en", run=broken, which=lambda name: name)
    assert not voice.say("one")
    assert voice.reason == "espeak-ng cannot be started: not allowed"
    assert not voice.say("two")


def test_nothing_is_not_spoken_and_a_sermon_is_cut() -> None:
    room = Room("espeak-ng")
    assert not room.voice("en").say("  \n ")
    room.voice("en").say("word " * 1000)
    assert len(room.said[0].command[-1]) == 500


def test_a_real_program_is_ended_with_what_it_has_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "espeak-ng"
    started = tmp_path / "started"
    program.write_text(
        f"#!/bin/sh\nsleep 600 & echo $! > {started}.new; mv {started}.new {started}; wait\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    voice = Voice("en")
    assert voice.say("hello")
    assert comes_true(started.exists)
    child = int(started.read_text())
    assert _alive(child)
    voice.hush()
    assert comes_true(lambda: not _alive(child))
    assert comes_true(lambda: not voice.speaking)


def comes_true(fact: Callable[[], bool]) -> bool:
    for _ in range(1000):
        if fact():
            return True
        time.sleep(0.02)
    return False


def _alive(process: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


def test_the_shell_s_part_is_sound() -> None:
    room = Room("pico2wave", "aplay", "sh", "mktemp")
    room.voice("it").say("Paga a tutti")
    script = room.said[0].command[2]
    assert subprocess.run(["sh", "-n", "-c", script], check=False).returncode == 0
