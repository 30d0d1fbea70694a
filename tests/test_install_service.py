"""The unit file and the scripts, as far as they can be judged without installing them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from firmware.lobby.lobby import Lobby
from firmware.settings.settings import Settings
from rules.start import Level

ROOT = Path(__file__).parent.parent
INSTALL = ROOT / "firmware" / "install"
UNIT = INSTALL / "mazziere.service"


def settings() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    # Paths and the user of an installed program, which this machine need not have.
    unit = UNIT.read_text().replace("/opt/mazziere/current/venv/bin/python", sys.executable)
    unit = unit.replace("/opt/mazziere/update", "/bin/true")
    unit = unit.replace("User=mazziere", "User=daemon").replace("Group=mazziere", "Group=daemon")
    (tmp_path / UNIT.name).write_text(unit)
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT.name)]
    verified = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in verified.stderr.splitlines() if UNIT.name in line] == []


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_rates_the_unit_s_exposure_at_no_more_than_it_was() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=15", str(UNIT)]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout.splitlines()[-1]


def test_the_service_is_watched_restarted_and_has_no_unneeded_rights() -> None:
    unit = settings()
    assert unit["Type"] == ["notify"]
    assert unit["Restart"] == ["always"]
    assert unit["User"] == ["mazziere"]
    assert int(unit["WatchdogSec"][0]) <= 10
    assert unit["CapabilityBoundingSet"] == [""]
    for wall in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "ProtectKernelModules"):
        assert unit[wall] == ["yes"]
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["DevicePolicy"] == ["closed"]
    assert unit["IPAddressDeny"] == ["any"]


COMMANDS = {
    "selftest": (["stop", "runuser", "start"], True),
    "calibrate --picture table.png": (["stop", "runuser", "start"], True),
    "calibrate --print-only --sign sign.html": (["runuser"], True),
    "verify --head 00": (["runuser"], True),
    "verify --settings mine.toml": (["runuser"], False),
    "games --json": (["python"], False),
    "selftest --help": (["python"], False),
    "update file": (["update take file"], False),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_table_s_commands_run_as_its_user_while_the_service_pauses(
    command: str, tmp_path: Path
) -> None:
    log, venv, stubs = tmp_path / "log", tmp_path / "current/venv/bin", tmp_path / "stubs"
    venv.mkdir(parents=True)
    stubs.mkdir()
    (stubs / "id").write_text('[ "$1" = -u ] && echo 0 || echo root\n')
    (stubs / "systemctl").write_text(f'[ "$1" = --quiet ] || echo "$1" >>{log}\n')
    (stubs / "runuser").write_text(f'echo "runuser $*" >>{log}\nexit 3\n')
    (venv / "python").write_text(f'echo "python $*" >>{log}\n')
    (tmp_path / "update").write_text(f'echo "update $*" >>{log}\n')
    for stub in (*stubs.iterdir(), venv / "python", tmp_path / "update"):
        stub.write_text("#!/bin/sh\n" + stub.read_text())
        stub.chmod(0o755)
    environ = {
        "PATH": f"{stubs}:{os.environ['PATH']}",
        "MAZZIERE_HOME": str(tmp_path),
        "MAZZIERE_STATE": "/var/lib/table",
    }
    script = ["sh", str(INSTALL / "command.sh"), *command.split()]
    status = subprocess.run(script, env=environ, check=False).returncode
    said = log.read_text().splitlines()
    steps, at_home = COMMANDS[command]
    assert [line[: len(step)] for line, step in zip(said, steps, strict=True)] == steps
    assert any("--settings /var/lib/table/mazziere.toml" in line for line in said) is at_home
    assert status == (3 if "runuser" in steps else 0)  # its own, whatever comes after it


@pytest.mark.parametrize("script", sorted(path.name for path in INSTALL.glob("*.sh")))
def test_the_scripts_are_plain_shell(script: str) -> None:
    subprocess.run(["sh", "-n", str(INSTALL / script)], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", "--shell=sh", str(INSTALL / script)], check=True)


def test_the_service_gets_ready_beats_and_ends_at_its_signal(tmp_path: Path) -> None:
    """``run`` as the unit starts it, with a film that never ends instead of a camera."""
    cv2 = pytest.importorskip("cv2")
    (tmp_path / "table").mkdir()
    felt = tmp_path / "felt.png"
    cv2.imwrite(str(felt), np.full((540, 960, 3), (60, 110, 50), np.uint8))
    for number in range(600):  # two minutes: more than any machine takes until the signal comes
        (tmp_path / "table" / f"{number:04}_{200 * number}ms.png").symlink_to(felt)
    (tmp_path / "mazziere.toml").write_text(
        '[table]\ngame = "ziginette"\n[camera]\nsource = "table"\n[console]\non = false\n'
        '[voice]\nsays = "silent"\n'
    )
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(tmp_path / "notify"))
    manager.settimeout(60)
    environ = {
        **os.environ,
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "WATCHDOG_USEC": "300000",
        "PYTHONPATH": str(ROOT),
    }
    run = [sys.executable, "-m", "firmware", "run", "--plain", "--pace", "real"]
    command = [*run, "--settings", "mazziere.toml"]
    # A test runner in the background may have been started ignoring it, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        command, cwd=tmp_path, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as service:
        heard = [manager.recv(4096).decode() for _ in range(3)]
        service.send_signal(signal.SIGINT)
        _, errors = service.communicate(timeout=60)
    assert heard == ["READY=1\nSTATUS=The table is followed.", "WATCHDOG=1", "WATCHDOG=1"]
    assert manager.recv(4096).decode() in ("WATCHDOG=1", "STOPPING=1")
    assert service.returncode == 130
    assert b"Traceback" not in errors
    manager.close()


def installs_settings(tmp_path: Path, game: str) -> str:
    """The settings that the script writes on a machine without a camera."""
    script = (INSTALL / "install.sh").read_text()
    part = script[script.index("    {\n        echo '[table]'") : script.index("} | as_user sh")]
    shell = f"home={tmp_path}\ngame={game}\n{part.replace('/dev/video0', '/none')}}}"
    return subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True).stdout


def test_a_fresh_machine_asks_what_is_played(tmp_path: Path) -> None:
    (tmp_path / "fresh.toml").write_text(installs_settings(tmp_path, ""))
    fresh = Settings.load(tmp_path / "fresh.toml")
    lobby = Lobby(fresh, finds=tuple)
    assert lobby.snapshot().sentence == "What is played?"
    assert fresh.level is Level.NONE
    (tmp_path / "named.toml").write_text(installs_settings(tmp_path, "guts"))
    assert Settings.load(tmp_path / "named.toml").game == "guts"


@pytest.mark.slow
def test_a_service_that_asks_is_ready_and_alive(tmp_path: Path) -> None:
    """The manager restarts services that are not ready in time or fall silent meanwhile."""
    path = tmp_path / "notify"
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(path))
    manager.settimeout(60)
    home = tmp_path / "mazziere.toml"
    home.write_text(f'{installs_settings(tmp_path, "")}\n[console]\nlisten = "127.0.0.1:0"\n')
    env = {**os.environ, "NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "2000000"}
    env |= {"STATE_DIRECTORY": str(tmp_path), "JOURNAL_STREAM": "1:1", "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "firmware", "run", "--plain", "--settings", str(home)]
    with subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.DEVNULL) as asking:
        try:
            heard = [manager.recv(1000).decode() for _ in range(4)]
        finally:
            asking.send_signal(signal.SIGINT)
            asking.wait(60)
            manager.close()
    assert "READY=1" in heard[0]
    assert heard[1:] == ["WATCHDOG=1"] * 3
