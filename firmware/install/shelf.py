#!/usr/bin/python3 -I
"""The versions of the program on a device, the one in use, and the way back to the previous one.

A copy of this file, ``/opt/mazziere/update``, manages them; it needs nothing but Python, so no
version of the program can break it. A version is a folder with its own environment. `take` copies
an update file, checks its signature and every byte of it, unpacks it next to the other versions,
tries whether it starts at all, and only then switches two links. The service has to become ready
within `TRIALS` starts (`check` counts them, `keep` ends the trial), or the previous version is used
again. A power cut at any moment leaves a working version, and `take` can be repeated.

The accepted signers are listed in the file `signers`, written by `trust`; the signatures are
OpenSSH's.
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
from tempfile import NamedTemporaryFile

ROOT = Path("/opt/mazziere")
SETTINGS = Path("/var/lib/mazziere/mazziere.toml")
SERVICE = "mazziere.service"
TRIALS = 3
"""Starts within which a new version has to become ready: the first may fail because of a slow
camera. A choice.
"""
IN_PLAY = 3
"""The exit status of ``python -m firmware.install.updating`` while a hand is being played."""
LARGEST = 2_000_000_000
"""Largest total size of an update's wheels, in bytes: ten times what the program needs, with
everything it depends on. A choice.
"""
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
PARTS = "parts.cdx.json"
"""The list of parts, in CycloneDX format."""
TEXT_MOST = 1_000_000
"""Largest size of each of these, in bytes: ours take less than a tenth. A choice."""
SIGNER, NAMESPACE = "update", "mazziere-update"
"""Who signs, and what for: a signature made for another purpose does not count."""
_WHEEL = re.compile(r"[A-Za-z0-9_.!+-]+\.whl", re.ASCII)
_OURS = re.compile(r"mazziere-([A-Za-z0-9_.!+]+)-py3-none-any\.whl", re.ASCII)
_STAMP = re.compile(r"\+(\d{14})\.")
"""When the commit was made, in the name of a version."""
_KEY = re.compile(r"(sk-)?(ssh-(ed25519|rsa)|ecdsa-sha2-\w+)(@openssh\.com)? [A-Za-z0-9+/=]+")

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
        """All complete versions."""
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
        """The folder of a version."""
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

    def take(self, file: Path, settings: Path = SETTINGS, *, older: bool = False) -> str:
        """Make the version in `file` the one in use; returns its name.

        Raises `UpdateError` if the file is damaged, not signed by anybody trusted, or not for this
        device, if the version does not start or is older (unless `older`), or while a hand is being
        played.
        """
        self._between_hands(settings)
        name = self.make(file, older=older)
        self._between_hands(settings)  # unpacking takes minutes: somebody may have dealt
        self.adopt(name)
        return name

    def make(self, file: Path, *, older: bool = False) -> str:
        """Put the version in `file` on the shelf, tried but not used yet."""
        if self.current is None:
            raise UpdateError(f"{self.root}: no version is in use: run install.sh first")
        self._sweep()
        try:
            own = self._copied(file)
            name = signed(own, self.signers, called=file)
            if name == self.current:
                raise UpdateError(f"{file}: version {name} is in use already")
            if not older and _made(name) < _made(self.current):
                raise UpdateError(
                    f"{file}: {name} is older than {self.current}: use --older to install it"
                )
            if not self.folder(name).exists():  # it may have been left by a power cut
                self._make(name, own, file)
        except OSError as error:
            raise UpdateError(f"{file}: cannot be unpacked: {error}") from error
        finally:
            self._sweep()
        return name

    def _make(self, name: str, own: Path, file: Path) -> None:
        new = self._shelf / f".{name}"
        shutil.copytree(self.folder(str(self.current)), new, symlinks=True)
        self._unpacked_into(new, own, file)
        self._try(new, file)
        os.sync()  # everything is on the disk before the name claims so
        new.rename(self.folder(name))

    def _copied(self, file: Path) -> Path:
        """A copy that nobody can change between its check and its use."""
        if file.exists() and not file.is_file():  # such as /dev/zero, which never ends
            raise UpdateError(f"{file}: expected an update file")
        if file.stat().st_size > LARGEST:
            raise UpdateError(f"{file}: expected at most {LARGEST} bytes")
        own = self.root / ".incoming"
        shutil.copyfile(file, own)
        return own

    def _sweep(self) -> None:
        """Remove what an interrupted update left behind."""
        for rest in (self.root / ".wheels", *self._shelf.glob(".*")):
            shutil.rmtree(rest, ignore_errors=True)
        (self.root / ".incoming").unlink(missing_ok=True)

    def _unpacked_into(self, new: Path, own: Path, file: Path) -> None:
        wheels = self.root / ".wheels"
        with zipfile.ZipFile(own) as bundle:
            bundle.extractall(wheels)
        with suppress(FileNotFoundError):
            shutil.copyfile(wheels / PARTS, new / PARTS)
        pip = [_python(new), "-I", "-m", "pip", "--isolated", "--disable-pip-version-check"]
        files = [str(wheel) for wheel in sorted(wheels.glob("*.whl"))]
        if self._run([*pip, "install", "--quiet", "--no-index", "--only-binary=:all:", *files]):
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

    # Accepted signers.

    @property
    def signers(self) -> Path:
        """The keys whose signatures count, in OpenSSH's `allowed_signers` format."""
        return self.root / "signers"

    def trust(self, file: Path) -> str:
        """Accept updates signed with that public key; returns its fingerprint."""
        try:
            found = _KEY.match(file.read_text("ascii").strip())
        except (OSError, UnicodeDecodeError) as error:
            raise UpdateError(f"{file}: expected a public key: {error}") from error
        if found is None:
            raise UpdateError(f"{file}: expected a public key as ssh-keygen writes it")
        line = f'{SIGNER} namespaces="{NAMESPACE}" {found[0]}\n'
        known = self.signers.read_text() if self.signers.exists() else ""
        if line not in known:
            _write(self.signers, known + line)
        return fingerprint(found[0])

    def trusted(self) -> list[str]:
        """The keys whose signatures count, each with its fingerprint."""
        lines = self.signers.read_text().splitlines() if self.signers.exists() else []
        keys = [" ".join(line.split()[-2:]) for line in lines if line.strip()]
        return [f"{fingerprint(key)} {key}" for key in keys]

    # A version on trial.

    def check(self) -> str | None:
        """Before each start: count it, and go back after too many; returns what was done."""
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
        """End the trial of the version in use: it has become ready."""
        (self.root / "trial").unlink(missing_ok=True)
        _synced(self.root)

    def back(self) -> str:
        """Go back to the previous version; returns what was done."""
        failed, good = self.current, self.previous
        if good is None:
            raise UpdateError("there is no version before this one")
        self._link("current", good)
        self.keep()
        return f"version {failed} was abandoned; {good} is in use again"

    def _write_trial(self, name: str, starts: int) -> None:
        _write(self.root / "trial", f"{name} {starts}\n")

    def _link(self, link: str, name: str) -> None:
        new = self.root / f".{link}"
        new.unlink(missing_ok=True)
        new.symlink_to(Path("versions") / name)
        new.replace(self.root / link)
        _synced(self.root)


def checked(file: Path, called: Path | None = None) -> str:
    """The name of the version in an update file; raises `UpdateError` if it is incomplete."""
    return _read(file, called or file, lambda bundle: None)


def signed(file: Path, signers: Path, called: Path | None = None) -> str:
    """The same, if it is also signed with one of the keys in the file `signers`."""
    name = called or file
    return _read(file, name, lambda bundle: _verify_signature(bundle, signers, name))


def _read(file: Path, called: Path, first: Callable[[zipfile.ZipFile], None]) -> str:
    try:
        with zipfile.ZipFile(file) as bundle:
            sizes = {info.filename: info.file_size for info in bundle.infolist()}
            _verify_sizes(sizes, called)
            first(bundle)
            return _verified(sizes, bundle, called)
    except UpdateError:
        raise
    # The ways in which a damaged zip file shows, in the zipfile module's own words.
    except (
        OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, struct.error,
        NotImplementedError, OverflowError, MemoryError, RuntimeError,
    ) as error:  # fmt: skip
        raise UpdateError(f"{called}: not an update file, or damaged: {error}") from error


def _verify_sizes(sizes: dict[str, int], called: Path) -> None:
    texts = (SUMS, SIGNATURE, PARTS)
    strange = [name for name in sizes if name not in texts and not _WHEEL.fullmatch(name)]
    if strange or sum(sizes.values()) > LARGEST or SUMS not in sizes:
        raise UpdateError(f"{called}: expected wheels and {SUMS}, got {strange or list(sizes)}")
    if any(sizes.get(name, 0) > TEXT_MOST for name in texts):
        raise UpdateError(f"{called}: expected {SUMS} of at most {TEXT_MOST} bytes")


def _verify_signature(bundle: zipfile.ZipFile, signers: Path, called: Path) -> None:
    if not signers.exists():
        raise UpdateError(f"{called}: no key is trusted yet: mazziere update trust KEY.pub")
    if SIGNATURE not in bundle.namelist():
        raise UpdateError(f"{called}: is not signed")
    with NamedTemporaryFile(suffix=".sig") as signature:
        signature.write(bundle.read(SIGNATURE))
        signature.flush()
        status = _ssh_keygen(
            "-Y", "verify", "-f", str(signers), "-I", SIGNER, "-n", NAMESPACE,
            "-s", signature.name, told=bundle.read(SUMS),
        ).returncode  # fmt: skip
    if status:
        raise UpdateError(f"{called}: is not signed with a key that this device trusts")


def _verified(sizes: dict[str, int], bundle: zipfile.ZipFile, called: Path) -> str:
    lines = bundle.read(SUMS).decode("ascii", "replace").splitlines()
    sums = {name: total for total, name in (line.split(maxsplit=1) for line in lines if line)}
    held = sizes.keys() - {SUMS, SIGNATURE}
    for name in held:
        if sums.get(name) != _sum(bundle, name):
            raise UpdateError(f"{called}: {name} is damaged or was changed")
    ours = [found[1] for name in sizes if (found := _OURS.fullmatch(name))]
    if len(ours) != 1 or sums.keys() != held:
        raise UpdateError(f"{called}: expected one version of the program, got {len(ours)}")
    return ours[0]


def _made(name: str | None) -> str:
    """When a version's commit was made; empty if its name does not say.

    >>> _made("0.1.0+20261123065915.gf1f7c50")
    '20261123065915'
    """
    found = _STAMP.search(name or "")
    return found[1] if found else ""


def fingerprint(key: str) -> str:
    """A public key's fingerprint, short enough to be compared by eye."""
    told = _ssh_keygen("-l", "-f", "-", told=key.encode()).stdout.split()
    if len(told) < 2:
        raise UpdateError("expected a public key as ssh-keygen writes it")
    return told[1].decode("ascii", "replace")


def _ssh_keygen(*arguments: str, told: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ["ssh-keygen", *arguments], input=told, capture_output=True, check=False
        )
    except FileNotFoundError as error:
        raise UpdateError("expected ssh-keygen: apt-get install openssh-client") from error


def _sum(bundle: zipfile.ZipFile, name: str) -> str:
    with bundle.open(name) as data:
        return hashlib.file_digest(data, "sha256").hexdigest()  # type: ignore[arg-type]


def _python(version: Path) -> str:
    return str(version / "venv/bin/python")


def _write(path: Path, text: str) -> None:
    """Write a small file atomically."""
    new = path.with_name(f".{path.name}")
    with new.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    _synced(path.parent)


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
            return _taken(shelf, Path(options.name), older=options.older)
        case "trust":
            return f"updates signed by {shelf.trust(Path(options.name))} are accepted from now on"
        case "signers":
            return "\n".join(shelf.trusted()) or "no key is trusted: no update is accepted"
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


def _taken(shelf: Shelf, file: Path, *, older: bool) -> str:
    name = shelf.take(file, older=older)
    with suppress(OSError):
        if Path("/run/systemd/system").is_dir():
            run(["systemctl", "restart", SERVICE])
    return f"version {name} is in use from now on; the previous one is {shelf.previous}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("update", description="The versions on this device.")
    commands = parser.add_subparsers(dest="what", required=True)
    taking = commands.add_parser("take", help="use the version in a file")
    taking.add_argument("name", metavar="file")
    taking.add_argument("--older", action="store_true", help="even if older than the one in use")
    trusting = commands.add_parser("trust", help="accept updates signed with this public key")
    trusting.add_argument("name", metavar="key")
    commands.add_parser("signers", help="list the keys whose updates are accepted")
    commands.add_parser("adopt", help="use a version on this device").add_argument("name")
    commands.add_parser("back", help="return to the previous version")
    commands.add_parser("list", help="list the versions on this device")
    commands.add_parser("check", help="before each start: count the starts of a version on trial")
    commands.add_parser("keep", help="after a start: the version works")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
