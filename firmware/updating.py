"""``python -m firmware.updating``: whether this version works here, and whether it may be replaced.

Without settings it only tries whether everything that the table needs can be loaded. With them the
exit status tells whether a hand is being played (3), so that no update ever falls into one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from firmware.errors import FirmwareError, SettingsError
from firmware.install.shelf import IN_PLAY
from firmware.journal import Journal
from firmware.ledger import Ledger
from firmware.settings import Settings


def in_play(journal: Path) -> bool:
    """Whether the last match in a journal has stopped in the middle of a hand.

    >>> in_play(Path("/no/such/journal"))
    False
    """
    if not journal.is_file():
        return False
    with Journal(journal, create=False) as book:
        if not any(entry.kind == "match" for entry in book.entries()):
            return False
        return bool(Ledger.resumed(book, now=time.time).match.state.acts)


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if it may be replaced, or works; 3 while a hand is being played."""
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
