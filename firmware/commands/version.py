"""The program's version: what `--version` prints."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from firmware.commands.commands import PROGRAM

ROOT = Path(__file__).parent.parent.parent
SCRIPT = Path("firmware", "install", "version.sh")
"""The script that names a version of the source for the installers, and here for a checkout."""


def program_version(root: Path = ROOT) -> str:
    """The version of the checkout at `root`, with its commit; of an installed program, its own."""
    if (root / ".git").exists():
        named = ["sh", str(SCRIPT), str(root)]
        asked = subprocess.run(named, cwd=root, capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            return asked.stdout.strip()
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "from source"


class ShowVersion(argparse.Action):
    """Prints the version and exits; the version is looked up only then, as that starts git."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        _namespace: argparse.Namespace,
        _values: str | Sequence[object] | None,
        _option: str | None = None,
    ) -> None:
        """Print the version and exit with status 0."""
        print(f"{PROGRAM} {program_version()}")
        parser.exit()
