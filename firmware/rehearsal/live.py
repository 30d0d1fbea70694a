"""A rehearsal to watch: in the terminal and on the console, until the user leaves."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.console.access import Access
from firmware.console_link import ConsoleLink
from firmware.display.lines import show
from firmware.rehearsal.desk import LiveDesk
from firmware.rehearsal.plan import Plan, Watches
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport
from firmware.store.journal import Journal


def played_live(
    plan: Plan,
    hands: int,
    *,
    journal: Path | None = None,
    pictures: Path | None = None,
    watches: Watches | None = None,
) -> list[HandReport]:
    """Play in real time until the last hand is over or the user leaves.

    What is chosen on the console's set-up page is played next instead.
    """
    reports: list[HandReport] = []
    with ExitStack() as stack:
        link = stack.enter_context(ConsoleLink(Access()))
        path = journal or Path(stack.enter_context(TemporaryDirectory())) / "demo.journal"
        book = stack.enter_context(Journal(path))
        while True:
            rehearsal = Rehearsal(plan, watches=watches, journal=book, pictures=pictures)
            try:
                reports += _shown(rehearsal, hands, link, path)
            finally:
                rehearsal.close()
            if link.chosen is None:
                break
            plan = plan.again(link.chosen)
    return reports


def _shown(rehearsal: Rehearsal, hands: int, link: ConsoleLink, journal: Path) -> list[HandReport]:
    settings = rehearsal.plan.settings
    desk = LiveDesk(rehearsal, hands)
    desk.start()
    link.stand_beside(desk, settings, journal, desk.end, desk.optics, texts=rehearsal.texts)
    try:
        show(desk, settings.language, link.note, link.code, link.names)
    finally:
        desk.stop()
    return desk.reports
