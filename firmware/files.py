"""Files and folders: written whole or not at all, on the disk before it is said, and free names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_whole(target: Path, text: str | Iterable[str]) -> None:
    """Write a text, or its parts in turn, atomically; only its owner can read the file."""
    with ExitStack() as left:
        with NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as file:
            left.callback(Path(file.name).unlink, missing_ok=True)  # renamed, or incomplete
            file.writelines([text] if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Return once the disk has the names in this folder, as they are now."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def unused(path: Path, kind: str) -> Path:
    """An unused name next to `path`: its own, followed by `kind` and a number."""
    number = 1
    while (free := path.with_name(f"{path.name}.{kind}-{number}")).exists():
        number += 1
    return free
