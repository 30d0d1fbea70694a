"""How `mazziere run` ends: the record, its settlement, and what was seen and followed."""

from __future__ import annotations

from pathlib import Path

from firmware.commands.reports import match_report, replay_lines
from firmware.errors import UsageError
from firmware.files import write_whole
from firmware.service import Outcome
from firmware.texts.plain import native
from rules.phrases import Phrase
from rules.records import print_match


class Ending:
    """Prints a table's results, and writes its record to `file` if one is named.

    Raises `UsageError` if the file cannot be written.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    def __call__(self, outcome: Outcome) -> None:
        """Print the results of one table."""
        record = print_match(outcome.match)
        print(record)
        report = match_report(outcome.match, outcome.texts, str(self._file or "record"))
        print("\n".join(map(native, replay_lines(report))))
        for phrase in counted(outcome):
            print(outcome.texts.say(phrase), flush=True)
        if self._file is not None:
            try:
                write_whole(self._file, record)
            except OSError as error:
                raise UsageError(f"{self._file}: cannot be written: {error.strerror}") from error


def counted(outcome: Outcome) -> list[Phrase]:
    """The numbers of cards seen and followed."""
    tally = outcome.tally
    told = [Phrase.of("ended.cards", seen=tally.at_places, followed=outcome.followed)]
    if tally.beside:
        told.append(Phrase.of("ended.beside", seen=tally.beside))
    return told
