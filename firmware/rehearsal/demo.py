"""`mazziere demo`: a rehearsal from its options to its exit status, live or headless."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from firmware.rehearsal.deck import Drawn
from firmware.rehearsal.handling import NONE
from firmware.rehearsal.plan import SENSOR, Plan, Watches
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport, closing, transcript
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.texts.plain import native

HANDS = 3


def demo(
    settings: Settings,
    *,
    hands: int | None = None,
    seed: int = 0,
    headless: bool = False,
    slips: bool | Sequence[str] = False,
    pictures: Path | None = None,
    journal: Path | None = None,
    watches: Watches | None = None,
    deck: Drawn | None = None,
    sensor: str = SENSOR,
    handling: str = NONE,
    out: TextIO | None = None,
) -> int:
    """Rehearse `hands` hands; returns 1 if what was followed is not what was dealt, else 0.

    Headless, the transcript is printed to `out` as fast as it can be played. Otherwise the table is
    shown in the terminal and on the console, in real time, and the transcript is printed
    afterwards.
    """
    plan = Plan.of(settings, seed=seed, slips=slips, deck=deck, handling=handling, sensor=sensor)
    if not headless:
        # The libraries of the terminal and the console are slow to import.
        from firmware.rehearsal.live import played_live  # noqa: PLC0415

        told = played_live(
            plan, hands or HANDS, journal=journal, pictures=pictures, watches=watches
        )
        return _printed(told, out or sys.stdout)
    book = Journal(journal) if journal is not None else None
    rehearsal = Rehearsal(plan, watches=watches, journal=book, pictures=pictures)
    try:
        return _printed(rehearsal.play(hands or HANDS), out or sys.stdout)
    finally:
        rehearsal.close()
        if book is not None:
            book.close()


def _printed(reports: Iterable[HandReport], out: TextIO) -> int:
    """Print each report as it comes, and the totals; returns the exit status."""
    told = []
    for report in reports:
        told.append(report)
        print("\n".join(map(native, transcript(report))), file=out, flush=True)
    if told:  # somebody may close the view before the first hand is over
        print(closing(told), file=out, flush=True)
    return 0 if all(report.faithful for report in told) else 1
