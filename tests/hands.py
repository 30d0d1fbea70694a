"""Play ten thousand hands in one match: ``python -m tests.hands --hands 10000 [GAME…]``.

Hands are dealt honestly, without pictures, into a journal on disk. After each tenth it prints the
processor time of a start, an act, an undo and the console's list of hands, the memory of a fresh
process at its start, the time per hand and the memory of an export of the whole match, and the
sizes of the files. The exit status is 1 if a start at the end takes more than `START` times as long
as the first, or memory grew to more than `MEMORY` times. Most of the run is spent waiting for the
disk: ``TMPDIR=/dev/shm`` avoids that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from firmware.console.book import Book
from firmware.store.journal import Journal
from firmware.store.ledger import HANDS_KEPT, PANEL, Ledger, Step
from rules.games import find_game
from rules.match import Match
from tests.play import play_hand, start_for

ROOT = Path(__file__).parent.parent
GAMES = ("ziginette", "seven-and-a-half", "guts")
START, MEMORY = 1.5, 1.3
FRESH = """
import resource, sys, time
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
began = time.process_time()
with Journal(sys.argv[1]) as journal:
    Ledger.resumed(journal, now=lambda: 0.0)
print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


EXPORT = """
import resource, sys, time
from firmware.console.book import Book
began = time.process_time()
with Book(sys.argv[1]) as book, open("/dev/null", "w") as out:
    out.writelines(book.records())
print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def fresh(path: Path, code: str = FRESH) -> tuple[float, float]:
    """The processor time in seconds and the memory in megabytes of a fresh process's start."""
    told = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    seconds, megabytes = map(float, told.stdout.split())
    return seconds, megabytes


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def page(path: Path) -> None:
    """Open and read the console's book."""
    with Book(path) as book:
        book.follow()
        book.record(book.hands[-3:])


def curve(name: str, hands: int, folder: Path) -> list[dict[str, Any]]:
    """The cost of everything after each tenth of the hands."""
    path, dice, told = folder / f"{name}.journal", Random(name), []
    game = find_game(name)
    journal = Journal(path)
    ledger = Ledger(Match(game, start_for(game)), journal, now=time.time)
    marks = {max(2 * HANDS_KEPT, hands * tenth // 10) for tenth in range(11)}
    for number in range(1, hands + 1):
        hand = ledger.match.hand
        acts = list(play_hand(game, hand.start, dice)[-1].acts)
        took = [timed(partial(ledger.take, [Step(act)], PANEL)) for act in acts]
        if number in marks:
            undo = timed(ledger.undo)
            ledger.take([Step(acts[-1])], PANEL)
            journal.close()
            told.append(_told(number, path, median(took), undo))
            if number in (min(marks), max(marks)):  # it reads the whole match
                told[-1] |= _exported(number, path)
            print(f"  {json.dumps(told[-1])}", flush=True)
            journal = Journal(path)
            ledger = Ledger.resumed(journal, now=time.time)
    journal.close()
    return told


def _told(number: int, path: Path, act: float, undo: float) -> dict[str, Any]:
    starts = [fresh(path) for _ in range(3)]
    return {
        "hands": number,
        "start_s": round(min(seconds for seconds, _ in starts), 3),
        "memory_mb": round(min(megabytes for _, megabytes in starts), 1),
        "act_ms": round(act, 2),
        "undo_ms": round(undo, 2),
        "page_ms": round(min(timed(lambda: page(path)) for _ in range(3)), 1),
        "file_mb": round(path.stat().st_size / 1e6, 1),
    }


def _exported(number: int, path: Path) -> dict[str, Any]:
    seconds, megabytes = fresh(path, EXPORT)
    return {"export_ms_a_hand": round(1000 * seconds / number, 2), "export_mb": megabytes}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the curves; exit status 1 if one of them is not flat."""
    parser = argparse.ArgumentParser("python -m tests.hands", description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("games", nargs="*", default=GAMES)
    options = parser.parse_args(arguments)
    status = 0
    with TemporaryDirectory() as folder:
        for name in options.games:
            print(name, flush=True)
            told = curve(name, options.hands, Path(folder))
            first, last = told[0], told[-1]
            flat = last["start_s"] <= START * max(first["start_s"], 0.05)
            for what in ("memory_mb", "export_mb"):
                flat &= last[what] <= MEMORY * first[what]
            status |= not flat
    return status


if __name__ == "__main__":
    sys.exit(main())
