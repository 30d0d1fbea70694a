"""Shows a desk: as the live view in a terminal, or as printed lines if there is none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from firmware.display.snapshot import Desk, Snapshot
from firmware.texts import DEFAULT

PAUSE_S = 0.1
"""Interval between looks for new lines: as fast as an eye follows cards. A choice."""


def show(
    desk: Desk,
    language: str = DEFAULT,
    note: str = "",
    code: Callable[[], str] = lambda: "",
    names: Callable[[], Mapping[int, str]] = dict,
) -> None:
    """Show a desk until its loop ends or the user leaves; as lines if there is no terminal.

    `note` stays visible next to the title; `code` makes a code to scan, shown at the press of a
    key; `names` gives the players' names.
    """
    if sys.stdout.isatty() and sys.stdin.isatty():
        # Loading the terminal library takes an eighth of the start-up time, and 9 MB.
        from firmware.display.terminal import View  # noqa: PLC0415

        View(desk, language, note=note, code=code, names=names).run()
    else:
        plain(desk)


def plain(
    desk: Desk, out: TextIO | None = None, *, pause: Callable[[float], object] = time.sleep
) -> None:
    """Print each new prompt, act, call and warning as a line, until the loop ends."""
    shown = Snapshot(game="", hand=0, phase="", sentence="", seats=())
    running = True
    while running:
        running = desk.running  # what came last must still be printed
        snapshot = desk.snapshot()
        for line in news(shown, snapshot):
            print(line, file=out or sys.stdout, flush=True)
        shown = snapshot
        if running:
            pause(PAUSE_S)


def news(before: Snapshot, now: Snapshot) -> Iterable[str]:
    """What `now` shows that `before` did not, as lines.

    >>> shown = Snapshot(game="x", hand=1, phase="", sentence="Bets, please.", seats=(1, 2))
    >>> list(news(shown, Snapshot(game="x", hand=1, phase="", sentence="Next card.", seats=(1, 2),
    ...     acts=("2 bet 5",))))
    ['  2 bet 5', '> Next card.']
    """
    if now.hand and (now.game, now.hand) != (before.game, before.hand):
        yield f"{now.game}, hand {now.hand}"
    yield from (f"  {act}" for act in _added(before.acts, now.acts))
    if now.calls != before.calls:
        yield from (f"  * {call}" for call in now.calls)
    yield from (f"  ! {warning}" for warning in now.warnings if warning not in before.warnings)
    if (now.sentence, now.options) != (before.sentence, before.options):
        yield " | ".join([f"> {now.sentence}", *now.options])


def _added(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """The newest acts, given two views of the end of a growing list."""
    for kept in range(min(len(before), len(now)), 0, -1):
        if before[-kept:] == now[:kept]:
            return now[kept:]
    return now
