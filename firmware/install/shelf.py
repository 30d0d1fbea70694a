#!/usr/bin/python3 -I
"""The versions of the program on a device, the one in use, and the way back to the previous one.

A copy of this file, ``/opt/mazziere/update``, manages them; it needs nothing but Python, so no
version of the program can break it. A version is a folder with its own environment. `take` unpacks
a new one beside the others, tries whether it starts at all, and only then switches two links. The
service has to become ready within `TRIALS` starts (`check` counts them, `keep` ends the trial), or
the previous version is used again. A power cut at any moment leaves a working version.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path("/opt/mazziere")
SETTINGS = Path("/var/lib/mazziere/mazziere.toml")
SERVICE = "mazziere.service"
TRIALS = 3
"""Starts that a new version has to become ready: the first may fail for a camera that is slow. A
choice."""
IN_PLAY = 3
"""The exit status of ``python -m firmware.install.updating`` while a hand is being played."""
LARGEST = 2_000_000_000
"""Bytes of all wheels of an update: ten times what the program with everything it needs takes. A
choice."""
SUMS = "SHA256SUMS"
_WHEEL = re.compile(r"[A-Za-z0-9_.!+-]+\.whl", re.ASCII)
_OURS = re.compile(r"mazziere-([A-Za-z0-9_.!+]+)-py3-none-any\.whl", re.ASCII)

Runner = Callable[[Sequence[str]], int]
"""Runs a command and returns its exit status."""


class UpdateError(RuntimeError):
    """An update that cannot be installed; the version in use is untouched."""


def run(command: Sequence[str]) -> int:
    """Run a command to its end, with its output on ours."""
    return subprocess.run(list(command), check=False).returncode


class Shelf:
    """The versions under `root`; `current` and `previous` are links to two of them."""

    def __init__(self, root: Path = ROOT, runner: Runner = run) -> None:
        self.root = root
        self._run = runner

    @property
    def current(self) -> str | None:
        """The name of the version in use."""
        return self._linked("current")

    @property
    def previous(self) -> str | None:
        """The name of the version used before it."""
        return self._linked("previous")

    @property
    def versions(self) -> list[str]:
        """All versions that are there, whole."""
        return sorted(path.name for path in self._shelf.glob("*") if not path.name.startswith("."))

    @property
    def trial(self) -> tuple[str, int] | None:
        """The version on trial and how often it has been started."""
        try:
            name, starts = (self.root / "trial").read_text().split()
            return name, int(starts)
        except (OSError, ValueError):
            return None

    def folder(self, name: str) -> Path:
        """Where a version lies."""
        return self._shelf / name

    @property
    def _shelf(self) -> Path:
        return self.root / "versions"

    def _linked(self, link: str) -> str | None:
        try:
            name = (self.root / link).readlink().name
        except OSError:
            return None
        return name if self.folder(name).is_dir() else None

    # A new version.

    def take(self, file: Path, settings: Path = SETTINGS) -> str:
        """Make the version in `file` the one in use; returns its name.

        Raises `UpdateError` if the file is damaged or not for this device, if the version does not
        even start, or while a hand is being played.
        """
        self._between_hands(settings)
        name = self.make(file)
        self._between_hands(settings)  # unpacking takes minutes: somebody may have dealt
        self.adopt(name)
        return name

    def make(self, file: Path) -> str:
        """Put the version in `file` on the shelf, tried but not used yet."""
        name = checked(file)
        if self.current is None:
            raise UpdateError(f"{self.root}: no version is in use: run install.sh first")
        if self.folder(name).exists():
            raise UpdateError(f"{file}: version {name} is here already")
        new = self._shelf / f".{name}"
        shutil.rmtree(new, ignore_errors=True)
        try:
            shutil.copytree(self.folder(self.current), new, symlinks=True)
            self._unpacked_into(new, file)
            self._try(new, file)
            os.sync()  # all of it is on the disk before its name says so
            new.rename(self.folder(name))
        except OSError as error:
            raise UpdateError(f"{file}: cannot be unpacked: {error}") from error
        finally:
            shutil.rmtree(new, ignore_errors=True)
        return name

    def _unpacked_into(self, new: Path, file: Path) -> None:
        with TemporaryDirectory(dir=self.root) as wheels:
            with zipfile.ZipFile(file) as bundle:
                bundle.extractall(wheels)
            ours = next(path for path in Path(wheels).iterdir() if _OURS.fullmatch(path.name))
            pip = [_python(new), "-I", "-m", "pip", "--disable-pip-version-check", "install"]
            if self._run([*pip, "--quiet", "--no-index", "--find-links", wheels, str(ours)]):
                raise UpdateError(f"{file}: does not fit this device: see above what is missing")

    def _try(self, new: Path, file: Path) -> None:
        if self._run([_python(new), "-I", "-m", "firmware.install.updating"]):
            raise UpdateError(f"{file}: this version does not start on this device")

    def _between_hands(self, settings: Path) -> None:
        if self.current is None:
            return
        python = _python(self.folder(self.current))
        command = [python, "-I", "-m", "firmware.install.updating", "--settings", str(settings)]
        if self._run(command) == IN_PLAY:
            raise UpdateError(
                "a hand is being played: end it, or hold HOLD for a misdeal and clear the table"
            )

    def adopt(self, name: str) -> None:
        """Switch to a version on the shelf, on trial if there is one to go back to."""
        if name not in self.versions:
            raise UpdateError(f"{name}: no such version; there are {', '.join(self.versions)}")
        before = self.current
        if before not in (None, name):
            self._link("previous", str(before))
            self._write_trial(name, 0)
        self._link("current", name)
        self._forget_others()

    def _forget_others(self) -> None:
        for name in self.versions:
            if name not in (self.current, self.previous):
                shutil.rmtree(self.folder(name), ignore_errors=True)

    # A version on trial.

    def check(self) -> str | None:
        """Before each start: count it, and go back if there were too many; says so if it did."""
        if self.trial is None:
            return None
        name, starts = self.trial
        if name != self.current:  # a power cut between the two steps of adopting
            self.keep()
            return None
        if starts >= TRIALS and self.previous is not None:
            return self.back()
        self._write_trial(name, starts + 1)
        return None

    def keep(self) -> None:
        """The version in use has become ready: its trial is over."""
        (self.root / "trial").unlink(missing_ok=True)
        _synced(self.root)

    def back(self) -> str:
        """Go back to the previous version; says what was done."""
        failed, good = self.current, self.previous
        if good is None:
            raise UpdateError("there is no version before this one")
        self._link("current", good)
        self.keep()
        return f"version {failed} was left; {good} is used again"

    def _write_trial(self, name: str, starts: int) -> None:
        new = self.root / ".trial"
        with new.open("w") as file:
            file.write(f"{name} {starts}\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.root / "trial")
        _synced(self.root)

    def _link(self, link: str, name: str) -> None:
        new = self.root / f".{link}"
        new.unlink(missing_ok=True)
        new.symlink_to(Path("versions") / name)
        new.replace(self.root / link)
        _synced(self.root)


def checked(file: Path) -> str:
    """The name of the version in an update file; raises `UpdateError` if it is not whole."""
    try:
        with zipfile.ZipFile(file) as bundle:
            return _checked(file, bundle)
    except UpdateError:
        raise
    # What damage comes to in a zip file, by the module's own words.
    except (
        OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, struct.error,
        NotImplementedError, OverflowError, MemoryError, RuntimeError,
    ) as error:  # fmt: skip
        raise UpdateError(f"{file}: is no update file, or damaged: {error}") from error


def _checked(file: Path, bundle: zipfile.ZipFile) -> str:
    sizes = {info.filename: info.file_size for info in bundle.infolist()}
    strange = [name for name in sizes if name != SUMS and not _WHEEL.fullmatch(name)]
    if strange or sum(sizes.values()) > LARGEST or SUMS not in sizes:
        raise UpdateError(f"{file}: wheels and {SUMS} expected, got {strange or list(sizes)}")
    lines = bundle.read(SUMS).decode("ascii", "replace").splitlines()
    sums = {name: total for total, name in (line.split(maxsplit=1) for line in lines if line)}
    for name in sizes.keys() - {SUMS}:
        if sums.get(name) != _sum(bundle, name):
            raise UpdateError(f"{file}: {name} is not as it was packed")
    ours = [found[1] for name in sizes if (found := _OURS.fullmatch(name))]
    if len(ours) != 1 or sums.keys() != sizes.keys() - {SUMS}:
        raise UpdateError(f"{file}: one version of the program expected, got {len(ours)}")
    return ours[0]


def _sum(bundle: zipfile.ZipFile, name: str) -> str:
    with bundle.open(name) as data:
        return hashlib.file_digest(data, "sha256").hexdigest()  # type: ignore[arg-type]


def pack(folder: Path, file: Path) -> str:
    """Pack the wheels in a folder into an update file; returns the version's name."""
    wheels = sorted(folder.glob("*.whl"))
    with zipfile.ZipFile(file, "w") as bundle:
        for wheel in wheels:
            bundle.write(wheel, wheel.name)
        totals = (hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels)
        lines = [f"{total}  {wheel.name}\n" for total, wheel in zip(totals, wheels, strict=True)]
        bundle.writestr(SUMS, "".join(lines))
    return checked(file)


def _python(version: Path) -> str:
    return str(version / "venv/bin/python")


def _synced(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# The command line.


def main(arguments: Sequence[str] | None = None, shelf: Shelf | None = None) -> int:
    """Run one command; errors are one line and exit status 2."""
    options = _parser().parse_args(arguments)
    try:
        told = _done(options, shelf or Shelf())
    except (UpdateError, OSError) as error:
        print(f"update: {error}", file=sys.stderr)
        return 2
    if told:
        print(told, flush=True)
    return 0


def _done(options: argparse.Namespace, shelf: Shelf) -> str | None:
    match options.what:
        case "take":
            return _taken(shelf, Path(options.name))
        case "pack":
            return f"{options.file}: version {pack(Path(options.name), Path(options.file))}"
        case "adopt":
            shelf.adopt(options.name)
        case "check":
            return shelf.check()
        case "keep":
            shelf.keep()
        case "back":
            return shelf.back()
    if options.what == "list":
        return "\n".join(
            f"{name}{' (in use)' * (name == shelf.current)}" for name in shelf.versions
        )
    return None


def _taken(shelf: Shelf, file: Path) -> str:
    name = shelf.take(file)
    with suppress(OSError):
        if Path("/run/systemd/system").is_dir():
            run(["systemctl", "restart", SERVICE])
    return f"version {name} is used from now on; before it: {shelf.previous}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("update", description="The versions on this device.")
    commands = parser.add_subparsers(dest="what", required=True)
    commands.add_parser("take", help="use the version in a file").add_argument("name")
    packing = commands.add_parser("pack", help="make such a file from a folder of wheels")
    packing.add_argument("name", metavar="folder")
    packing.add_argument("file")
    commands.add_parser("adopt", help="use a version that is here").add_argument("name")
    commands.add_parser("back", help="use the version before again")
    commands.add_parser("list", help="which versions are here")
    commands.add_parser("check", help="before each start: count the starts of a version on trial")
    commands.add_parser("keep", help="after a start: the version works")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
