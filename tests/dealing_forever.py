"""Deal and follow hands without end, printing each act once it is stored: made to be killed.

Run as ``python -m tests.dealing_forever JOURNAL``; it resumes where the journal stops.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from firmware.follow.loop import Loop
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from rules.records import print_match
from tests.felt import Felt, Plain

HAND = (
    ("board", "QS"),
    ("board", "5D"),
    ("banker", "7C"),
    ("board", "QD"),
    ("board", ""),
    ("board", "AC"),
    ("board", "7H"),
)
"""The cards of a hand in order; the empty string stands for removing the matched pair."""


def follow(journal: Journal) -> None:
    felt = Felt("ziginette", journal=journal if not len(journal) else None)
    if len(journal):
        felt.loop = Loop(Ledger.resumed(journal, now=lambda: 0.0), Plain())
        felt.sweep()
    told = len(written(felt))
    print("resumed", told, flush=True)
    for _ in count():
        for spot, card in HAND:
            felt.lay(spot, card) if card else felt.take("board", "QS", "QD")
            told = tell(felt, told)
        felt.sweep()
        told = tell(felt, told)


def written(felt: Felt) -> list[str]:
    """Every act line of the match so far."""
    lines = print_match(felt.loop.match).splitlines()
    return [line for line in lines if line and not line.startswith("[")]


def tell(felt: Felt, told: int) -> int:
    acts = written(felt)
    for act in acts[told:]:
        print(act, flush=True)
    return len(acts)


if __name__ == "__main__":
    follow(Journal(Path(sys.argv[1])))
