"""The whole appliance is killed while a page is open, and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from firmware.console.access import Access
from tests import browsing

ROOT = Path(__file__).parent.parent
LONG, EACH_MS = 600, 250
"""Pictures of the film, and how long each lasts: no machine sees the last one before the test is
over, and none is kept busy by them."""


@dataclass
class Device:
    """A device whose camera sees an empty felt, in a process of its own."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[bytes]]:
        command = [
            sys.executable,
            "-m",
            "firmware",
            "run",
            "--plain",
            "--pace",
            "real",
            "--settings",
            "mine.toml",
        ]
        environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, cwd=self.folder, env=environ, stdout=subprocess.DEVNULL
        ) as process:
            try:
                yield process
            finally:
                process.kill()


def device(folder: Path) -> Device:
    felt = folder / "felt.png"
    cv2.imwrite(str(felt), np.full((540, 960, 3), (60, 110, 50), np.uint8))
    (folder / "film").mkdir()
    for number in range(LONG):
        (folder / "film" / f"{number:05}_{number * EACH_MS}ms.png").symlink_to(felt)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    (folder / "mine.toml").write_text(
        '[table]\ngame = "ziginette"\n[camera]\nsource = "film"\n'
        f'[console]\nlisten = "127.0.0.1:{port}"\n[voice]\nsays = "silent"\n'
    )
    return Device(folder, port)


@browsing.wanted
def test_a_killed_device_comes_back_under_an_open_page(chromium: Any, tmp_path: Path) -> None:
    table = device(tmp_path)
    pins = Access(tmp_path / "mazziere.access").renew()
    page = browsing.Page(chromium, table)
    page.size(browsing.PHONE)
    with table.running() as process:
        page.until(lambda: answers(table.port), "the console")
        page.sign_in(pins.dealer)
        page.one("#act-line").send_keys("limits 1 20; deal board QS", browsing.webdriver.Keys.ENTER)
        page.says("Queen of spades to the board")
        process.send_signal(signal.SIGKILL)
        process.wait()
    page.says("The connection to the table is lost.", "#line")
    with table.running():
        page.until(lambda: not page.one("#line").is_displayed(), "the line is back")
        page.says("Resuming hand 1. Does the table match the screen?", ".prompt")
        # The camera sees no card, and says so sooner or later; what was stored is shown.
        page.says("Queen of spades to the board")
        page.one("#act-line").send_keys("deal board 5D", browsing.webdriver.Keys.ENTER)
        page.says("Five of diamonds to the board")
        page.says("Queen of spades to the board")
    assert page.complaints() == []


def answers(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0
