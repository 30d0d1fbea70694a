"""A real broker for tests: Mosquitto with a login, on its own local port."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from firmware.floor.connection import Connection
from firmware.settings.broker import Broker
from tests.console_desk import PATIENCE_S

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
PASSWD = shutil.which("mosquitto_passwd")
wanted = pytest.mark.skipif(
    MOSQUITTO is None or PASSWD is None, reason="no mosquitto on this machine"
)
USER, PASSWORD = "tables", "four of clubs"


def free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


def until(wanted: Callable[[], Any], what: str = "it did not come") -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := wanted()):
        assert time.monotonic() < end, what
        time.sleep(0.02)
    return found


class Mosquitto:
    """One broker; it forgets everything when stopped."""

    def __init__(self, folder: Path) -> None:
        assert MOSQUITTO is not None
        assert PASSWD is not None
        self.port = free_port()
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        passwords = folder / "passwords"
        subprocess.run([PASSWD, "-b", "-c", str(passwords), USER, PASSWORD], check=True)
        (folder / "password").write_text(f"{PASSWORD}\n")
        lines = [
            f"listener {self.port} 127.0.0.1",
            "allow_anonymous false",
            f"password_file {passwords}",
            "persistence false",
        ]
        if os.getuid() == 0:  # otherwise it drops its privileges, and cannot read the folder
            lines.append("user root")
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")

    def start(self) -> None:
        assert MOSQUITTO is not None
        command = [MOSQUITTO, "-c", str(self.folder / "mosquitto.conf")]
        with (self.folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        until(self._listens, (self.folder / "mosquitto.log").read_text())

    def _listens(self) -> bool:
        with socket.socket() as trying:
            return trying.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE_S)

    def table(self, name: str = "", **more: Any) -> dict[str, Any]:
        """The settings' section for a table or a floor."""
        return {
            "on": True,
            "broker": f"127.0.0.1:{self.port}",
            "user": USER,
            "password_file": str(self.folder / "password"),
            "name": name,
            **more,
        }

    def broker(self, name: str = "", **more: Any) -> Broker:
        return Broker.from_mapping(self.table(name, **more))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Listener:
    """A second client that receives all messages sent to the broker, in order."""

    def __init__(self, broker: Broker, *topics: str) -> None:
        self.messages: list[tuple[str, str]] = []
        self._lock = threading.Lock()
        self._line = Connection(broker, listens=topics or ("#",), heard=self._heard)

    def _heard(self, topic: str, payload: bytes) -> None:
        with self._lock:
            self.messages.append((topic, payload.decode()))

    def all(self, topic: str) -> list[str]:
        with self._lock:
            return [payload for one, payload in self.messages if one == topic]

    def last(self, topic: str) -> str:
        """The newest message of a topic, or an empty string."""
        found = self.all(topic)
        return found[-1] if found else ""

    def state(self, topic: str) -> dict[str, Any]:
        """The newest state, or an empty one."""
        text = self.last(topic)
        return dict(json.loads(text)) if text else {}

    def __enter__(self) -> Self:
        self._line.open()
        until(lambda: self._line.standing.connected)
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
