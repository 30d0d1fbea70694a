"""How the appliance is doing: its own figures, and those board checks that disturb nothing."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

from firmware.console.book import Book
from firmware.console.picture import Values
from firmware.display.snapshot import Snapshot
from firmware.texts.plain import said
from firmware.texts.words import Words
from hardware.selftest import (
    Check,
    Verdict,
    check_board,
    check_disk,
    check_lgpio,
    check_power,
    check_temperature,
    check_voice,
)
from hardware.voice import Voice

STILL_S = 3.0
"""Time without a turn of the loop after which it has stalled: it turns a hundred times a second. A
choice.
"""
MEMORY_MOST = 350_000_000
"""Memory that the appliance should stay below on the smallest Pi, in bytes. A choice."""
STATM = Path("/proc/self/statm")


def checks(folder: Path, language: str) -> Iterator[Check]:
    """The board's checks that need neither pins nor camera, which the loop is using."""
    yield check_board()
    yield check_power()
    yield check_temperature()
    yield check_disk(folder)
    yield check_lgpio()
    yield check_voice(Voice(language))


def own_checks(
    words: Words, snapshot: Snapshot, still_s: float, book: Book | None, pages: int
) -> Iterator[Check]:
    """Loop, camera, journal, memory and open pages, in the page's words."""
    page = words.page
    still = still_s > STILL_S
    yield Check(
        "loop",
        Verdict.FAIL if still else Verdict.OK,
        page["health-still" if still else "health-moves"].format(seconds=round(still_s)),
    )
    troubles = snapshot.warnings[len(snapshot.violated) :]
    detail = " ".join(troubles) or page["health-sees"]
    yield Check("camera", Verdict.WARN if troubles else Verdict.OK, detail)
    yield _journal(words, book)
    used = memory()
    verdict = Verdict.OK if used < MEMORY_MOST else Verdict.WARN
    yield Check("memory", verdict, f"{used / 1e6:.0f} MB")
    yield Check("pages", Verdict.OK, str(pages))


def _journal(words: Words, book: Book | None) -> Check:
    if book is None:
        return Check("journal", Verdict.ABSENT, words.page["health-no-journal"])
    verdict = book.verify()
    text = words.page["health-journal" if verdict.whole else "health-journal-bad"]
    detail = text.format(entries=verdict.entries, fault=said(verdict.fault, words.language))
    return Check("journal", Verdict.OK if verdict.whole else Verdict.FAIL, detail)


def memory() -> int:
    """The memory that the program is using, in bytes."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def told(check: Check, words: Words) -> Values:
    """A check as the page shows it."""
    return {
        "name": words.page.get(f"health-name-{check.name}", check.name),
        "verdict": str(check.verdict),
        "says": words.page[f"verdict-{check.verdict}"],
        "detail": said(check.detail, words.language),
    }
