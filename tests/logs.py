"""Logs of long runs, one line per job; obsolete as soon as the code they depend on changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SUFFIXES = (".py", ".toml", ".onnx", ".json")


def version(places: Iterable[str]) -> str:
    """A version of the current code in files and folders relative to the repository's root."""
    digest = sha256()
    for place in places:
        path = ROOT / place
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in SUFFIXES:
                digest.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def resumed(log: Path) -> list[dict[str, Any]]:
    """The jobs that a log of JSON objects holds, once a half-written last one is off it."""
    done = [json.loads(line) for line in lines(log)]
    if log.exists():
        log.write_text("".join(json.dumps(one) + "\n" for one in done))
    return done


def current(log: Path, code: str) -> list[dict[str, Any]]:
    """The jobs of a log of JSON objects that were done with this version of the `code`."""
    return [one for one in map(json.loads, lines(log)) if one.get("code") == code]


def lines(log: Path) -> Iterator[str]:
    """The lines of a log of JSON objects, without a half-written last one."""
    if log.exists():
        yield from (line for line in log.read_text("utf-8").splitlines() if line.endswith("}"))
