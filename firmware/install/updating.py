"""``python -m firmware.install.updating``: whether this version works and may be replaced now.

Without settings, it only checks that everything the table needs can be loaded. With them, exit
status 3 means that a hand is being played, so that no update ever interrupts one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from firmware.errors import FirmwareError, SettingsError
from firmware.install.shelf import IN_PLAY
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger


def in_play(journal: Path) -> bool:
    """Whether the last match in a journal stopped in the middle of a hand.

    >>> in_play(Path("/no/such/journal"))
    False
    """
    if not journal.is_file():
        return False
    with Journal.following(journal) as book:
        if not any(entry.kind == "match" for entry in book.entries()):
            return False
        return bool(Ledger.resumed(book, now=time.time).match.state.acts)


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if it works or may be replaced; 3 while a hand is being played."""
    if not arguments:
        import firmware.service  # noqa: F401, PLC0415 - loads all that `run` needs

        return 0
    try:
        journal = Settings.load(arguments[-1]).journal_file
    except SettingsError:
        return 0  # a table that was never set up has no hand to lose
    try:
        return IN_PLAY if in_play(journal) else 0
    except FirmwareError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
