"""Check what commands reach for: ``python -m tests.quiet`` runs each and lists its breaches.

Each command runs in its own network namespace with only the loopback, under `strace`, which shows
what compiled code asks of the kernel as well as what Python does. Three things are breaches: a
connection or a datagram to an address that is neither this machine's nor a local network's, a name
look-up, and anything written outside the folders that the command was given.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from firmware.settings.network import is_near
from firmware.store.journal import Journal

ROOT = Path(__file__).parent.parent
CALLS = (
    "connect,sendto,sendmsg,sendmmsg,openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,"
    "unlink,unlinkat,rmdir,symlink,symlinkat,link,linkat,truncate"
)
_INET = re.compile(
    r'sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)|'
    r'sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"'
)
_CALL = re.compile(r"^(\d+)\s+(\w+)\((.*)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
LOOK_UPS = frozenset({"/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf"})
"""Files that the C library reads only to resolve a name."""
DNS = "53"
HARMLESS = ("/dev/", "/proc/self/", "/proc/thread-self/")
"""Devices, and a thread's own name, which the C library writes."""
SECONDS = 240


def available() -> bool:
    """Whether this machine can trace a process in its own namespace."""
    if not (shutil.which("strace") and shutil.which("unshare") and shutil.which("ip")):
        return False
    tried = subprocess.run(
        ["unshare", "-rn", "strace", "-o", "/dev/null", "true"], capture_output=True, check=False
    )
    return tried.returncode == 0


@dataclass(frozen=True)
class Watched:
    """How a command ended, what it printed, and its breaches."""

    status: int
    printed: str
    breaches: tuple[str, ...]


def watched(command: Sequence[str], folder: Path, *, cwd: Path = ROOT, **environ: str) -> Watched:
    """Run `command`, which may write only under `folder`; its home is elsewhere.

    Its home must stay empty: anything left there is a breach too, however it came there.
    """
    with TemporaryDirectory() as away:
        home, log = Path(away) / "home", Path(away) / "calls"
        home.mkdir()
        (folder / "tmp").mkdir(exist_ok=True)
        within = f'ip link set lo up && exec strace -f -q -s 300 -e trace={CALLS} -o {log} "$@"'
        done = subprocess.run(
            ["unshare", "-rn", "sh", "-c", within, "sh", *command],
            cwd=cwd, env=_environ(home, folder, environ), capture_output=True, text=True,
            check=False, timeout=SECONDS,
        )  # fmt: skip
        breaches = [*_breaches(log.read_text(errors="replace"), cwd, (folder,)), *_left_in(home)]
    return Watched(done.returncode, done.stdout + done.stderr, tuple(dict.fromkeys(breaches)))


def _environ(home: Path, folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(folder / "tmp"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        **more,
    }


def _left_in(home: Path) -> Iterator[str]:
    yield from (f"left behind: ~/{path.relative_to(home)}" for path in sorted(home.rglob("*")))


def _breaches(log: str, cwd: Path, folders: Sequence[Path]) -> Iterator[str]:
    for line in log.splitlines():
        found = _CALL.match(line)
        if found is None:
            continue
        name, rest = found[2], found[3]
        if name.startswith(("connect", "send")):
            yield from _called(name, rest)
        else:
            yield from _touched(name, rest, cwd, folders)


def _called(name: str, rest: str) -> Iterator[str]:
    for found in _INET.finditer(rest):
        port, address = (found[1], found[2]) if found[2] else (found[3], found[4])
        if port == DNS:
            yield f"name look-up at {address}"
        elif not (is_near(address) or address in ("0.0.0.0", "::")):
            yield f"{name} to {address}:{port}"
    if "resolve" in rest and "AF_UNIX" in rest:
        yield f"name look-up by {rest[:80]}"


def _touched(name: str, rest: str, cwd: Path, folders: Sequence[Path]) -> Iterator[str]:
    paths = [Path(os.path.normpath(cwd / text)) for text in _QUOTED.findall(rest)]
    if name in ("openat", "open"):
        if paths and str(paths[0]) in LOOK_UPS:
            yield f"name look-up: {paths[0]} is read"
        if not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", rest):
            return
    if rest.rstrip().endswith(")") and "= -1 " in rest:  # it was tried, and there was nothing
        return
    for path in paths:
        near = any(path == folder or folder in path.parents for folder in folders)
        if not near and not str(path).startswith(HARMLESS):
            yield f"{name} {path}"


# The commands.


def _picture(path: Path) -> None:
    felt = np.full((540, 960, 3), (60, 110, 50), np.uint8)
    cv2.imwrite(str(path), felt)


def prepared(folder: Path) -> None:
    """Prepare everything that the commands below need."""
    (folder / "film").mkdir()
    for number in range(12):
        _picture(folder / "film" / f"{number:04}.png")
    _picture(folder / "felt.png")
    with Journal(folder / "old.journal") as journal:
        journal.append("trouble", {}, time=0.0)
    (folder / "my.toml").write_text(
        f'[table]\ngame = "ziginette"\n[camera]\nsource = "{folder / "film"}"\n'
        '[console]\nlisten = "127.0.0.1:0"\n[voice]\nsays = "errors"\n'
    )


def commands(folder: Path) -> dict[str, list[str]]:
    """Every command of the program and the console with an open page, by name."""
    mazziere = [sys.executable, "-m", "firmware"]
    settings = ["--settings", str(folder / "my.toml")]
    record = str(ROOT / "tests/records/ziginette/playette.txt")
    page = "tests/test_console_sent.py::test_every_page_sees_what_is_laid"
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return {
        "games": [*mazziere, "games", "--json"],
        "replay": [*mazziere, "replay", record, "--json"],
        "read": [*mazziere, "read", str(folder / "felt.png"), "--pictures", str(folder / "out")],
        "check-deck": [*mazziere, "check-deck", str(folder / "felt.png")],
        "teach": [*mazziere, "teach", "mine", str(folder / "felt.png")],
        "demo": [*mazziere, "demo", "ziginette", "--hands", "1", "--headless"],
        "run": [*mazziere, "run", "--plain", *settings],
        "calibrate": [*mazziere, "calibrate", "--print-only", "--sign", str(folder / "s.html"),
                      *settings],
        "pins": [*mazziere, "pins", "--sheet", str(folder / "pins.html"), *settings],
        "secret": [*mazziere, "secret", "two from last"],
        "floor": ["timeout", "-s", "INT", "6", *mazziere, "floor", "--broker", "127.0.0.1:1",
                  "--listen", "127.0.0.1:0", *settings],
        "verify": [*mazziere, "verify", str(folder / "old.journal")],
        "selftest": [*mazziere, "selftest", "--camera", str(folder / "film"), *settings],
        "console": [*pytest, f"--basetemp={folder / 'page'}", page],
    }  # fmt: skip


def main() -> int:
    """Run every command; the exit status is 1 if one of them had a breach."""
    status = 0
    with TemporaryDirectory() as place:
        folder = Path(place)
        prepared(folder)
        for name, command in commands(folder).items():
            found = watched(command, folder)
            print(f"{name}: exit status {found.status}, {len(found.breaches)} breaches")
            for breach in found.breaches:
                print(f"  {breach}")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
