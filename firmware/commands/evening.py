"""`mazziere evening`: the hands of a journal in numbers, as a table, a picture and a record."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from firmware.console.book import Book
from firmware.console.chart import chart, chart_words
from firmware.console.evening import Evening, as_csv, begun, told
from firmware.errors import UsageError
from firmware.settings.settings import Settings, write_whole
from firmware.texts import Texts
from firmware.texts.words import Words


def command(settings: Settings, options: argparse.Namespace) -> Iterator[str]:
    """Write the requested files and report what each seat has."""
    with Book(options.journal or settings.journal_file) as book:
        book.follow()
        evening, number = begun(book)
        for entry in book.since(number):
            evening.take(entry)
        if options.record:
            _write(options.record, "".join(book.records()))
    texts = Texts.load(settings.language)
    names = {seat: texts.seat(seat) for seat in evening.seats}
    if options.csv:
        _write(options.csv, as_csv(evening.rows, evening.seats))
    if options.svg:
        words = chart_words(Words.load(settings.language).page, evening.of_points)
        _write(options.svg, chart(evening.rows, evening.seats, names, words))
    yield from [json.dumps(asdict(told(evening)))] if options.json else _lines(evening, names)


def _lines(evening: Evening, names: dict[int, str]) -> Iterator[str]:
    """One line per hand with what each seat won, and the totals below."""
    rows = evening.rows
    for row in rows:
        moved = "  ".join(f"{seat} {amount:+d}" for seat, amount in row.change.items() if amount)
        yield f"{row.hand:4}  {row.seconds / 60:5.1f} min  {moved or '='}"
    if rows:
        yield "  ".join(f"{names[seat]}: {sum_}" for seat, sum_ in rows[-1].standing.items())


def _write(file: str, text: str) -> None:
    try:
        write_whole(Path(file), text)
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from error
