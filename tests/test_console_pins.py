"""PINs are shown to people at a screen, whole and on a line of their own, and go to no log."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware.console.access import Access
from firmware.console.pins import BLOCK, DEALER_DIGITS, VIEWER_DIGITS
from firmware.console_link import ConsoleLink
from tests.conftest import HASHED
from tests.console_desk import FeltDesk, settings_for

NARROW = 40
PINS = re.compile(r"[\d ]{9,}")


def test_a_guess_takes_four_megabytes() -> None:
    """By the definition of scrypt (RFC 7914): 128 bytes times its cost and its block size."""
    assert 128 * HASHED * BLOCK >= 4 * 2**20


@pytest.mark.parametrize("service", [True, False])
def test_a_service_prints_no_pin_and_a_screen_gets_them_on_a_line(
    service: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    if service:
        monkeypatch.setenv("JOURNAL_STREAM", "8:4711")
    from dataclasses import replace  # noqa: PLC0415

    settings = replace(settings_for("ziginette"), console=True, listen="127.0.0.1:0")
    desk = FeltDesk(settings)
    with ConsoleLink(Access(tmp_path / "access")) as link:
        link.stand_beside(desk, settings, None, lambda: None)
        told = capsys.readouterr().err
        lines = link.note.splitlines()
        assert link.access.ready is not service
        assert bool(PINS.search(told)) is not service
        assert len(lines) == 2
        if not service:
            assert sum(map(str.isdigit, lines[1])) == DEALER_DIGITS + VIEWER_DIGITS
            assert len(lines[1]) <= NARROW
    desk.stop()
