"""`mazziere evening`: the list of evenings, and one evening's hands as numbers, chart, record."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from firmware.console.book import Book
from firmware.console.chart import chart, chart_words
from firmware.console.evening import Evening, as_csv, begun, told
from firmware.errors import JournalError, UsageError
from firmware.files import write_whole
from firmware.settings.settings import Settings
from firmware.store.evenings import SUFFIX, Diary, evenings, folder_of
from firmware.store.recovery import opened, raise_if_full
from firmware.texts import Texts
from firmware.texts.words import Words


def command(settings: Settings, options: argparse.Namespace) -> Iterator[str]:
    """List the evenings, close the open one, or write files and report what each seat has won."""
    if options.close:
        yield _closed(settings)
    elif options.list:
        yield from _listed(settings, as_json=options.json)
    else:
        yield from _reported(settings, options)


def _closed(settings: Settings) -> str:
    journal, _ = opened(settings.journal_file)
    with closing(Diary(journal)) as diary:
        told = diary.turn(time.time())
    if told is None:
        raise UsageError(f"{settings.journal_file}: nothing has been played since the last evening")
    return Texts.load(settings.language).say(told)


def _listed(settings: Settings, *, as_json: bool) -> Iterator[str]:
    """One line per evening, the newest last."""
    found = evenings(settings.journal_file)
    if as_json:
        yield json.dumps([{**asdict(one), "file": str(one.file)} for one in found])
        return
    for one in found:
        began = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.began))
        name = "open" if one.open else one.name
        changed = "" if one.follows else "  changed since it was closed"
        yield f"{name:14} {began}  {one.hands:5} hands  {', '.join(one.games)}{changed}"


def _file(settings: Settings, named: str | None) -> Path:
    """The journal that is meant: the open evening's, a file, or a closed evening's by name."""
    if named is None:
        return settings.journal_file
    closed = folder_of(settings.journal_file) / f"{named}{SUFFIX}"
    return closed if closed.is_file() and not Path(named).is_file() else Path(named)


def _reported(settings: Settings, options: argparse.Namespace) -> Iterator[str]:
    with _book(_file(settings, options.journal)) as book:
        book.follow()
        evening, number = begun(book)
        for entry in book.since(number):
            evening.take(entry)
        if options.record:
            _write(options.record, book.records())
    texts = Texts.load(settings.language)
    names = {seat: texts.seat(seat) for seat in evening.seats}
    if options.csv:
        _write(options.csv, [as_csv(evening.rows, evening.seats)])
    if options.svg:
        words = chart_words(Words.load(settings.language).page, evening.of_points)
        _write(options.svg, [chart(evening.rows, evening.seats, names, words)])
    yield from [json.dumps(asdict(told(evening)))] if options.json else _lines(evening, names)


def _book(file: Path) -> Book:
    """A journal's book; raises `JournalError` saying what is wrong, such as a full disk."""
    try:
        return Book(file)
    except JournalError as error:
        if file.is_file():
            raise_if_full(file, error)
        raise


def _lines(evening: Evening, names: dict[int, str]) -> Iterator[str]:
    """One line per hand with what each seat won, and the totals below."""
    rows = evening.rows
    for row in rows:
        moved = "  ".join(f"{seat} {amount:+d}" for seat, amount in row.change.items() if amount)
        yield f"{row.hand:4}  {row.seconds / 60:5.1f} min  {moved or '='}"
    if rows:
        yield "  ".join(f"{names[seat]}: {sum_}" for seat, sum_ in rows[-1].standing.items())


def _write(file: str, parts: Iterable[str]) -> None:
    try:
        write_whole(Path(file), parts)
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from error
