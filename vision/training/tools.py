"""Other programs that training runs: package managers, and what draws SVG and PDF files."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from vision.errors import NoToolError, ToolError

_PACKAGES = {"rsvg-convert": "librsvg2-bin", "pdftoppm": "poppler-utils"}  # Debian's names


def run(
    command: Sequence[str | Path], data: bytes | None = None, folder: Path | None = None
) -> bytes:
    """What a program makes of `data` given as its input, if there is any, run in `folder`.

    Without input, what it prints is shown as its progress, and nothing comes back.

    Raises:
        NoToolError: the program is not installed.
        ToolError: it ended with an error; the message ends with what it said last.
    """
    name = str(command[0])
    try:
        printed = None if data is None else subprocess.PIPE
        done = subprocess.run(
            command, input=data, cwd=folder, stdout=printed, stderr=subprocess.PIPE, check=False
        )
    except FileNotFoundError:
        package = _PACKAGES.get(name, name)
        raise NoToolError(f"expected the program {name}, found none; install {package}") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise ToolError(f"{name} ended with {done.returncode}: {said or 'it said nothing'}")
    return done.stdout or b""
