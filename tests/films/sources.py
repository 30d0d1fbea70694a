"""Where the real films and photographs are, if available."""

from __future__ import annotations

import os
from pathlib import Path

FILMS = "MAZZIERE_FILMS"
PHOTOS = "MAZZIERE_PHOTOS"


def folder(variable: str) -> Path | None:
    """The folder named by an environment variable, if it exists."""
    named = os.environ.get(variable)
    return Path(named) if named and Path(named).is_dir() else None


def films() -> list[Path]:
    """The real films, sorted by name."""
    there = folder(FILMS)
    found = sorted(there.iterdir()) if there else []
    return [path for path in found if path.suffix.lower() in (".mp4", ".avi")]


def photographs() -> dict[str, list[Path]]:
    """The photographs of each set, by the set's name."""
    there = folder(PHOTOS)
    sets = sorted(path for path in there.iterdir() if path.is_dir()) if there else []
    found = {one.name: sorted(one.glob("*.jpg")) for one in sets}
    return {name: paths for name, paths in found.items() if paths}
