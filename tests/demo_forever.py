"""Rehearse without end, printing each act once the screen shows it: made to be killed.

Run as ``python -m tests.demo_forever JOURNAL SEED``. The tracker knows the truth, so that acts come
quickly; everything after it is the same as in the demo.
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.store.journal import Journal
from rules.games import GAMES
from tests.rehearsing import TruthfulWatcher, settings_of


def rehearse(journal: Path, seed: int) -> None:
    plan = Plan.of(settings_of(next(iter(GAMES))), seed=seed)
    rehearsal = Rehearsal(plan, watches=TruthfulWatcher, journal=Journal(journal))
    print("begun", flush=True)
    told = 0
    while True:
        rehearsal.step()
        match = rehearsal.loop.match
        acts = [str(act) for hand in match.hands for act in hand.acts]
        for act in acts[told:]:
            print(act, flush=True)
        told = len(acts)


if __name__ == "__main__":
    rehearse(Path(sys.argv[1]), int(sys.argv[2]))
