"""The eye with cameras that fail: it tries again, and knows when this process cannot."""

from __future__ import annotations

import time
from typing import Any, cast

import pytest

from firmware.eye import STUCK_S, Eye
from hardware.camera import Camera
from hardware.errors import CameraError, CameraStuckError, CameraTimeoutError
from tests.console_desk import PATIENCE_S


class Blind:
    """A camera that gives no picture and, when opened again, fails in the order given."""

    live = True

    def __init__(self, failures: list[CameraError]) -> None:
        self.failures = failures
        self.opened = 0

    def frame(self, timeout_s: float) -> Any:
        raise CameraTimeoutError("no picture")

    def reopen(self) -> str:
        self.opened += 1
        raise self.failures.pop(0) if self.failures else CameraError("not plugged in")


def blind(monkeypatch: pytest.MonkeyPatch, *failures: CameraError) -> tuple[Eye, Blind]:
    camera = Blind(list(failures))
    eye = Eye(cast(Camera, camera), cast(Any, None))
    waits = eye._ended.wait
    monkeypatch.setattr(eye._ended, "wait", lambda _: waits(0.01))
    return eye, camera


def test_a_capture_that_never_returns_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    last = CameraStuckError("held", STUCK_S)
    eye, camera = blind(monkeypatch, CameraStuckError("held", STUCK_S - 1), last)
    eye.start()
    eye._thread.join(PATIENCE_S)
    assert eye.failure is last
    assert camera.opened == 2
    assert eye.looks.get_nowait().seen.trouble == ("camera",)


def test_a_camera_that_is_unplugged_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    eye, camera = blind(monkeypatch)
    eye.start()
    end = time.monotonic() + PATIENCE_S
    while camera.opened < 30 and time.monotonic() < end:
        time.sleep(0.01)
    assert camera.opened >= 30
    assert eye.failure is None
    eye.stop()
    assert not eye._thread.is_alive()
