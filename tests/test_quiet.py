"""Nothing leaves the device: no connection beyond the local network, no look-up, no stray file.

``python -m tests.quiet`` watches every command; here the quick ones and one view of cards are
watched, and the watching itself is tested.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.draws import mostly_nightly
from tests.quiet import ROOT, available, commands, prepared, watched

watching = pytest.mark.skipif(not available(), reason="needs strace and a network namespace")
HERE = ("read", "run", "pins", "verify", "secret", "replay")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("quiet")
    prepared(made)
    return made


@watching
@pytest.mark.parametrize("name", mostly_nightly(HERE, "read"))
def test_a_command_reaches_for_nothing_beyond_its_folders(name: str, folder: Path) -> None:
    found = watched(commands(folder)[name], folder)
    assert found.breaches == ()
    # Bare pictures show no hand, which `run` reports by its exit status.
    assert found.status == (1 if name == "run" else 0), found.printed


NOISY = {
    "a look-up by compiled code": (
        "import ctypes; c = ctypes.CDLL(None); c.getaddrinfo(b'nowhere.example', None, None, "
        "ctypes.byref(ctypes.c_void_p()))",
        "name look-up",
    ),
    "a connection": (
        "import socket; socket.socket().connect_ex(('1.1.1.1', 443))",
        "connect to 1.1.1.1:443",
    ),
    "a datagram": (
        "import socket, contextlib\nwith contextlib.suppress(OSError):\n"
        " socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'x', ('2001:4860::1', 9))",
        "sendto to 2001:4860::1:9",
    ),
    "a file at home": (
        "from pathlib import Path; Path.home().joinpath('id').write_text('me')",
        "left behind: ~/id",
    ),
    "a file elsewhere": (
        "import sqlite3; sqlite3.connect('/var/tmp/mazziere-quiet').execute('CREATE TABLE t (x)');"
        "import os; os.unlink('/var/tmp/mazziere-quiet')",
        "/var/tmp/mazziere-quiet",
    ),
}


@watching
@pytest.mark.parametrize("kind", mostly_nightly(NOISY, "a datagram", "a file at home"))
def test_every_breach_is_noticed(kind: str, folder: Path) -> None:
    code, expected = NOISY[kind]
    breaches = watched([sys.executable, "-c", code], folder).breaches
    assert any(expected in breach for breach in breaches), breaches


@pytest.mark.slow
@watching
def test_the_runtime_is_silenced_before_it_is_loaded(folder: Path) -> None:
    """With its telemetry on, the same runtime leaves a device identifier in the home."""
    network = next((ROOT / "vision/weights").glob("*.onnx"))
    loud = f"import onnxruntime; onnxruntime.InferenceSession({str(network)!r})"
    told = watched([sys.executable, "-c", loud], folder, ORT_DISABLE_TELEMETRY="0").breaches
    if not told:
        pytest.skip("this version of the runtime sends no telemetry")
    read = commands(folder)["read"]
    assert watched(read, folder, ORT_DISABLE_TELEMETRY="0").breaches == ()


@pytest.mark.parametrize(
    "module",
    mostly_nightly(
        ["vision", "vision.network", "vision.reader", "firmware.service", "firmware.appliance"],
        "vision.network",
    ),
)
def test_whatever_is_imported_first_the_runtime_is_already_silenced(module: str) -> None:
    code = (
        "import os, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'onnxruntime':\n"
        "            assert os.environ['ORT_DISABLE_TELEMETRY'] == '1'\n"
        "            print('asked for')\n"
        "sys.meta_path.insert(0, Finder())\n"
        f"import {module}\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout == "asked for\n"
