"""All tables known to a broker, as the floor page shows them.

Nothing that comes from a broker is trusted: it is checked piece by piece, and malformed pieces are
dropped.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from firmware.floor.connection import ONLINE
from firmware.floor.message import Status, Values
from firmware.settings.broker import Broker

TABLES_MOST = 200
"""Number of tables accepted, more than any floor has; further ones are ignored. A choice."""
PAYLOAD_MOST = 16384
"""Largest state, in bytes; ours has less than a thousand. A choice."""
TEXT_MOST, LIST_MOST, NUMBER_MOST = 300, 30, 10**9
"""Longest text, longest list and largest number accepted in a state. A choice: more than any of our
tables sends.
"""
_NAME_MOST = 80
"""Longest name of a table, in letters. A choice: as many as the page has room for."""
_ORDER = {status: place for place, status in enumerate(Status)}
_ORDER[Status.WAITING] = _ORDER[Status.PLAYING]
"""Tables in play keep their places when a hand ends, or the page would never hold still."""


@dataclass(frozen=True)
class Card:
    """What is known of one table: its state as plain values, and whether it is present.

    A table that never announced its presence counts as present.
    """

    state: Values | None = None
    there: bool = True

    @property
    def status(self) -> Status:
        """The table's status; a table that vanished without signing off is `gone`."""
        said = Status(self.state["status"]) if self.state else Status.WAITING
        return said if self.there or said is Status.CLOSED else Status.GONE


class Floor:
    """Collects what a broker reports about tables; methods may be called from any thread.

    >>> floor = Floor(Broker(broker="localhost"))
    >>> floor.take("mazziere/red/state", b'{"name": "Red", "status": "playing", "hand": 3}')
    >>> floor.take("mazziere/blue/state", b'{"name": "Blue", "status": "trouble", "hand": 9}')
    >>> [(table["name"], table["status"]) for table in floor.tables()]
    [('Blue', 'trouble'), ('Red', 'playing')]
    >>> floor.take("mazziere/red/presence", b"away")
    >>> [(table["name"], table["status"]) for table in floor.tables()]
    [('Blue', 'trouble'), ('Red', 'gone')]
    """

    def __init__(self, broker: Broker, now: Callable[[], float] = time.time) -> None:
        self._topic = broker.topic
        self._now = now
        self._cards: dict[str, Card] = {}
        self._gone: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics to subscribe to."""
        return (f"{self._topic}/+/state", f"{self._topic}/+/presence")

    def take(self, topic: str, payload: bytes) -> None:
        """Handle one message; one that makes no sense changes nothing."""
        table, _, kind = topic.removeprefix(f"{self._topic}/").partition("/")
        with self._lock:
            known = self._cards.get(table)
            if known is None and (len(self._cards) >= TABLES_MOST or not payload):
                return
            if kind == "state":
                self._take_state(table, known or Card(), payload)
            elif kind == "presence":
                self._take_presence(table, known or Card(), payload)

    def _take_state(self, table: str, known: Card, payload: bytes) -> None:
        if not payload:  # the broker was told to forget the table
            del self._cards[table]
            return
        state = clean(payload)
        if state is not None:
            self._cards[table] = Card(state, known.there)

    def _take_presence(self, table: str, known: Card, payload: bytes) -> None:
        there = payload == ONLINE.encode()
        if known.there and not there:
            self._gone[table] = round(self._now())
        self._cards[table] = Card(known.state, there)

    def tables(self) -> list[Values]:
        """All tables that have reported their state, those in trouble first."""
        with self._lock:
            told = [(name, card) for name, card in self._cards.items() if card.state]
            shown = [self._shown(name, card) for name, card in told]
        return sorted(shown, key=lambda one: (_ORDER[Status(one["status"])], _natural(one["name"])))

    def _shown(self, table: str, card: Card) -> Values:
        state = {**(card.state or {}), "table": table, "status": str(card.status)}
        state["name"] = state["name"] or table
        if card.status is Status.GONE:
            state["since"] = self._gone.get(table, state["since"])
        return state


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key that puts "Table 2" before "Table 10".

    >>> sorted(["Table 10", "Table 2"], key=_natural)
    ['Table 2', 'Table 10']
    """
    parts = re.findall(r"\d{1,15}|\D+", name.casefold(), re.ASCII)
    return tuple((int(part), "") if part[0] in "0123456789" else (-1, part) for part in parts)


# Parsing.


def clean(payload: bytes) -> Values | None:
    """A checked state, or None if it is malformed.

    >>> clean(b'{"name": "Red", "status": "waiting", "awaited": [2, "x"], "trouble": 5}')["awaited"]
    [2]
    >>> clean(b"nonsense") is clean(b'{"status": "flying"}') is None
    True
    """
    if len(payload) > PAYLOAD_MOST:
        return None
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    try:
        status = Status(str(told.get("status")))
    except ValueError:
        return None
    return {
        "name": _text(told, "name")[:_NAME_MOST],
        "language": _text(told, "language")[:8],
        "status": str(status),
        "since": _number(told.get("since")) or 0,
        "title": _text(told, "title"),
        "hand": _number(told.get("hand")) or 0,
        "acts": _number(told.get("acts")) or 0,
        "awaited": [one for one in map(_number, _list(told, "awaited")) if one is not None],
        "waits": _text(told, "waits"),
        "trouble": [one[:TEXT_MOST] for one in _list(told, "trouble") if isinstance(one, str)],
    }


def _text(told: Mapping[str, object], name: str) -> str:
    value = told.get(name)
    return value[:TEXT_MOST] if isinstance(value, str) and value.isprintable() else ""


def _number(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= 4 * NUMBER_MOST else None


def _list(told: Mapping[str, object], name: str) -> list[object]:
    value = told.get(name)
    return value[:LIST_MOST] if isinstance(value, list) else []
