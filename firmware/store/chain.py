"""The hash chain: each entry carries its own hash and the hash of the one before it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from firmware.errors import JournalError

GENESIS = sha256(b"mazziere journal 1").hexdigest()
"""The predecessor hash of the first entry: the head of an empty journal."""
HEAD_DIGITS_LEAST = 16
"""Digits of a head that are enough: 64 bits, as much as anybody will copy by hand. A choice."""
Payload = Mapping[str, Any]
"""The contents of an entry, as JSON; they differ by its kind."""
Row = tuple[Any, ...]
"""An entry as stored: number, time, kind, payload and crops as JSON, hash."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to be written: `time` is in seconds since 1970, `crops` are JPEG files."""

    kind: str
    payload: Payload
    time: float
    crops: tuple[bytes, ...] = ()
    seals: tuple[str, ...] = ()
    """Hashes of further pictures that are already stored or have expired."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as stored; `crops` are the hashes of its pictures."""

    number: int
    time: float
    kind: str
    payload: Payload
    crops: tuple[str, ...]
    hash: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking a whole journal.

    `entries` is their number, and `vouched` the number of them, counted from the first, that the
    given head proves unchanged; `fault` says what is wrong, and `number` which entry is the first
    bad one, if that is known.
    """

    entries: int
    head: str
    vouched: int = 0
    number: int | None = None
    fault: str = ""

    @property
    def whole(self) -> bool:
        """Whether no fault was found."""
        return not self.fault

    def __str__(self) -> str:
        if self.fault:
            proven = f"; the first {self.vouched} are as they were written" if self.vouched else ""
            return f"{self.fault}{proven}"
        if not self.vouched:
            return (
                f"{self.entries} entries fit together; without a head noted earlier it cannot "
                "be known whether the last ones were cut off or the whole journal was replaced"
            )
        later = self.entries - self.vouched
        rest = f"; {later} later ones follow on from them" if later else ""
        which = "the first" if later else "all"
        return (
            f"{which} {self.vouched} entries are as they were written, up to the given head{rest}"
        )


def lost(wanted: str, count: int) -> str:
    """The fault to report for a head that no entry has."""
    return (
        f"no entry has the head {wanted[:HEAD_DIGITS_LEAST]}…: entries that it sealed were "
        f"cut off after entry {count}, or the journal was rewritten"
    )


def digits(head: str) -> str:
    """A typed head without its blanks; raises `JournalError` if it is not one."""
    text = "".join(head.split()).lower()
    if not HEAD_DIGITS_LEAST <= len(text) <= len(GENESIS) or set(text) - set("0123456789abcdef"):
        raise JournalError(
            f"a head is {HEAD_DIGITS_LEAST} to {len(GENESIS)} hexadecimal digits, got {head!r}"
        )
    return text


def canonical(value: object) -> str:
    """The canonical text of a JSON value."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise JournalError(f"expected a payload of plain JSON values: {error}") from error


def digest(previous: str, number: int, *values: object) -> str:
    """The hash of the entry with that number, time, kind, payload and crops."""
    return sha256(canonical([previous, number, *values]).encode()).hexdigest()


def sealed(draft: Draft, number: int, previous: str) -> Entry:
    """A draft as entry `number`, after the one with the hash `previous`."""
    crops = (*draft.seals, *(sha256(picture).hexdigest() for picture in draft.crops))
    payload = canonical(draft.payload)
    time = float(draft.time) + 0.0  # SQLite has no negative zero
    seal = digest(previous, number, time, draft.kind, payload, canonical(crops))
    return Entry(number, time, draft.kind, json.loads(payload), crops, seal)


def row_of(entry: Entry) -> Row:
    """An entry in the form in which it is stored."""
    texts = (canonical(entry.payload), canonical(entry.crops))
    return (entry.number, entry.time, entry.kind, *texts, entry.hash)


def entry_of(row: Row) -> Entry:
    """The entry that a stored row holds."""
    number, time, kind, payload, crops, seal = row
    return Entry(number, time, kind, json.loads(payload), tuple(json.loads(crops)), seal)


def loaded(text: object, kind: type) -> Any:
    """The JSON value of that type in `text`, or None."""
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, kind) else None


def row_fault(row: Row) -> str:
    """Why a row is not a valid entry; empty if it is one."""
    types = (int, float, str, str, str, str)
    fits = all(isinstance(value, kind) for value, kind in zip(row, types, strict=True))
    if fits and loaded(row[3], dict) is not None and loaded(row[4], list) is not None:
        return ""
    return f"entry {row[0]} was changed: it cannot be read"


def chain_fault(row: Row, number: int, previous: str) -> str:
    """What is wrong with the row that should be entry `number`; empty if nothing is."""
    if row[0] != number:
        return f"entry {number} is missing"
    fault = row_fault(row)
    if fault:
        return fault
    if digest(previous, *row[:-1]) != row[-1]:
        return f"entry {number} was changed, or another was put in its place"
    return ""
