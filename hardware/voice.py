"""Offline speech: sentences spoken by whichever speech program is installed.

A new sentence cuts off the one being spoken, because what was true a moment ago is no longer worth
hearing; nothing ever waits for the voice.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

WORDS_A_MINUTE = 160
"""The pace of a calm caller; espeak-ng's own 175 is hard to follow across a noisy table."""
LONGEST_TEXT = 500
"""Most characters spoken at once: half a minute. Nothing a dealer should hear is longer."""


class Process(Protocol):
    """A program that is speaking."""

    def poll(self) -> int | None:
        """Its exit status, or None while it is running."""

    def terminate(self) -> None:
        """Stop it and everything it has started."""


Runner = Callable[[Sequence[str]], Process]
"""Starts a program with its arguments and returns at once; raises `OSError` if it cannot."""
Which = Callable[[str], str | None]
"""The path of a program, if it is installed."""


class _Group:
    """A process in its own group, so that whatever it starts ends with it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def poll(self) -> int | None:
        return self._process.poll()

    def terminate(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)


class Program(NamedTuple):
    """A speech program: what it needs, the voice of each language, and how it is called."""

    name: str
    needs: tuple[str, ...]
    voices: dict[str, str]
    command: Callable[[str, str], list[str]]
    loudness: Callable[[int], list[str]] = lambda percent: []
    """The command-line options that set the volume, if the program has any."""


# One program writes a file and another plays it; run from one shell, they end together.
_PICO = (
    "file=$(mktemp --suffix=.wav) && trap 'rm -f \"$file\"' EXIT TERM && "
    'pico2wave -w "$file" -l "$0" -- "$1" && aplay -q "$file"'
)

PROGRAMS: tuple[Program, ...] = (
    Program(
        "espeak-ng",
        ("espeak-ng",),
        {"en": "en", "it": "it"},
        lambda voice, text: ["espeak-ng", "-v", voice, "-s", str(WORDS_A_MINUTE), "--", text],
        lambda percent: ["-a", str(2 * percent)],  # its own scale goes up to 200
    ),
    Program(
        "pico2wave",
        ("pico2wave", "aplay", "sh", "mktemp"),
        {"en": "en-GB", "it": "it-IT"},
        lambda voice, text: ["sh", "-c", _PICO, voice, text],
    ),
    Program(
        "flite",
        ("flite",),
        {"en": "slt"},
        lambda voice, text: ["flite", "-voice", voice, "-t", text],
    ),
)
"""The speech programs we know, fastest to start first."""


class Voice:
    """A voice in one language, or silence with a reason.

    `language` is ``en`` or ``it``; `volume` is a percentage of the program's maximum, for programs
    that can set it. `run` and `which` start and find programs.

    >>> Voice("en", which=lambda name: None).reason
    'no speech program is installed: sudo apt install espeak-ng'
    """

    def __init__(
        self,
        language: str = "en",
        *,
        volume: int | None = None,
        run: Runner = _Group,
        which: Which = shutil.which,
    ) -> None:
        self.language = language
        self.volume = volume
        self._run = run
        self._speaking: Process | None = None
        self._program, self.reason = _choose(language, which)

    @property
    def program(self) -> str | None:
        """The program that speaks."""
        return None if self._program is None else self._program.name

    @property
    def speaking(self) -> bool:
        """Whether a sentence is being spoken at this moment."""
        return self._speaking is not None and self._speaking.poll() is None

    def say(self, text: str) -> bool:
        """Start speaking `text`, cutting off what is being spoken; false if nothing can speak.

        `reason` then says why.
        """
        self.hush()
        words = " ".join(text.split())[:LONGEST_TEXT]
        if self._program is None or not words:
            return False
        try:
            self._speaking = self._run(self._command(self._program, words))
        except OSError as error:
            self.reason = f"{self._program.name} cannot be started: {error}"
            self._program = None
            return False
        return True

    def _command(self, program: Program, words: str) -> list[str]:
        name, *rest = program.command(program.voices[self.language], words)
        return [name, *(program.loudness(self.volume) if self.volume is not None else ()), *rest]

    def hush(self) -> None:
        """Stop speaking at once."""
        process, self._speaking = self._speaking, None
        if process is not None and process.poll() is None:
            process.terminate()
            process.poll()


def _choose(language: str, which: Which) -> tuple[Program | None, str]:
    there = [each for each in PROGRAMS if all(which(name) for name in each.needs)]
    for program in there:
        if language in program.voices:
            return program, ""
    if there:
        names = " and ".join(each.name for each in there)
        return None, f"{names} cannot speak {language!r}: sudo apt install espeak-ng"
    return None, "no speech program is installed: sudo apt install espeak-ng"
