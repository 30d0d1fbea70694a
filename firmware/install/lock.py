"""``python -m firmware.install.lock``: write requirements.txt, a device's packages by hash.

The versions are those of constraints.txt; the packages are those that this environment's metadata
says the program needs at run time. For each Python version and processor that a device may have,
pip is asked which file it would install, and that file's hash is written down: no other file is
ever installed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import requires
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("requirements.txt")
PYTHONS = ("3.11", "3.12", "3.13")
PROCESSORS = ("x86_64", "aarch64")
GLIBC_NEWEST = 36
"""Minor version of the newest supported C library: Bookworm's is 2.36, and what is built for a
newer one would not load there. Follows from that release.
"""
OURS, EXTRA = "mazziere", "mqtt"
BUILDS = "setuptools"
"""What builds our own wheel from the source, which a device may do."""
HEAD = """\
# The packages that a device installs, each by its hash: written by python -m firmware.install.lock.
# setuptools is there to build the program itself.

"""
_NAME = re.compile(r"([A-Za-z0-9._-]+)\s*(?:\[([\w, -]+)\])?")
_MARKER = re.compile(r"python_version (<|>=) \"(\d+)\.(\d+)\"|platform_machine (==|!=) \"(\w+)\"")

Wanted = tuple[str, str]
"""A package, and the extras required of it."""
Pin = tuple[str, str]
"""A version, and the marker of the machines it is for; empty for all of them."""


def plain(name: str) -> str:
    """A package's name in the form in which all its spellings are equal.

    >>> plain("Typing_Extensions")
    'typing-extensions'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> dict[str, list[Pin]]:
    """The versions in a file of constraints.

    >>> pins('a==1 ; python_version < "3.12"\\na==2 ; python_version >= "3.12"')
    {'a': [('1', 'python_version < "3.12"'), ('2', 'python_version >= "3.12"')]}
    """
    found: dict[str, list[Pin]] = {}
    for line in text.splitlines():
        what, _, marker = line.partition(";")
        name, equal, version = what.partition("==")
        if equal:
            found.setdefault(plain(name), []).append((version.strip(), marker.strip()))
    return found


def needed(name: str, extras: str = "") -> Iterator[Wanted]:
    """The packages, with their extras, that one requires in its metadata, on any machine."""
    for text in requires(name) or ():
        what, _, marker = text.partition(";")
        asked = re.search(r"extra == ['\"]([\w-]+)", marker)
        found = _NAME.match(what)
        if found and (asked is None or asked[1] in extras.replace(",", " ").split()):
            yield plain(found[1]), found[2] or ""


def closure(known: Iterable[str]) -> list[str]:
    """All packages that the program needs at run time whose versions are known."""
    found, waiting = {(BUILDS, "")}, list(needed(OURS, EXTRA))
    while waiting:
        one = waiting.pop()
        if one[0] in known and one not in found:
            found.add(one)
            waiting += needed(*one)
    return sorted({name for name, _ in found})


def fits(marker: str, python: str, processor: str) -> bool:
    """Whether a version with that marker is for this machine.

    >>> fits('python_version >= "3.12" or platform_machine != "aarch64"', "3.11", "x86_64")
    True
    """
    own = tuple(map(int, python.split(".")))

    def one(text: str) -> bool:
        found = _MARKER.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"a marker of constraints.txt cannot be understood: {text}")
        if found[1]:
            older = own < (int(found[2]), int(found[3]))
            return older if found[1] == "<" else not older
        return (found[5] == processor) is (found[4] == "==")

    return not marker or any(all(map(one, a.split(" and "))) for a in marker.split(" or "))


def hashes(wanted: Iterable[str], python: str, processor: str) -> dict[str, str]:
    """The hash of the file that pip would install for each ``name==version`` on that machine."""
    glibc = [f"manylinux_2_{minor}_{processor}" for minor in range(17, GLIBC_NEWEST + 1)]
    platforms = [*glibc, f"manylinux2014_{processor}", f"linux_{processor}"]
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install",
            "--dry-run", "--ignore-installed", "--no-deps", "--only-binary=:all:",
            "--python-version", python, "--target", folder, "--report", str(report),
            *(f"--platform={one}" for one in platforms), *wanted,
        ]  # fmt: skip
        subprocess.run(command, check=True)
        told = json.loads(report.read_text())
    return {_pinned(one): one["download_info"]["archive_info"]["hashes"]["sha256"]
            for one in told["install"]}  # fmt: skip


def _pinned(one: Mapping[str, Any]) -> str:
    return f"{plain(one['metadata']['name'])}=={one['metadata']['version']}"


def locked(versions: Mapping[str, list[Pin]]) -> str:
    """The file's text: each version with its marker and the hashes of its files."""
    names = closure(versions)
    markers = {f"{name}=={number}": mark for name in names for number, mark in versions[name]}
    sums: dict[str, set[str]] = {pinned: set() for pinned in markers}
    for python in PYTHONS:
        for processor in PROCESSORS:
            wanted = [one for one, mark in markers.items() if fits(mark, python, processor)]
            for pinned, total in hashes(wanted, python, processor).items():
                sums[pinned].add(total)
    return HEAD + "".join(map(_entry, markers.items(), sums.values()))


def _entry(pinned: tuple[str, str], sums: Iterable[str]) -> str:
    name, marker = pinned
    lines = [
        f"{name} ; {marker}" if marker else name,
        *(f"--hash=sha256:{s}" for s in sorted(sums)),
    ]
    return " \\\n    ".join(lines) + "\n"


def main() -> int:
    """Rewrite the file."""
    FILE.write_text(locked(pins((ROOT / "constraints.txt").read_text())))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
