"""What a table publishes: its state as plain values, its hands' records, and discovery messages.

Everything comes from a `Snapshot` or from the book of the journal, which hold what the table shows
and nothing else: no hidden card, no secret rule, no PIN. The prompt's own sentence is left out, as
it may repeat what a person typed; what the table waits for is published instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from firmware.console.book import Book
from firmware.display.snapshot import Snapshot
from firmware.floor.connection import AWAY, ONLINE
from firmware.settings.broker import Broker
from firmware.texts.words import Words
from rules.match import Hand

Values = dict[str, Any]
HOME = "homeassistant"
"""The topic to which Home Assistant listens by default."""
TEXT_MOST = 240
"""Longest text for home automation, in characters; it accepts up to 255. A choice."""
MODEL = "mazziere"


class Status(StrEnum):
    """The state of a table, the most urgent to go and look at first."""

    STILL = "still"
    """Its loop has stalled: nothing is followed."""
    TROUBLE = "trouble"
    """A violation is open, or the camera cannot see."""
    GONE = "gone"
    """It has vanished without signing off; only the floor reports this."""
    ASKS = "asks"
    """It needs an answer from the dealer."""
    PLAYING = "playing"
    """A hand is being played."""
    WAITING = "waiting"
    """No card of the next hand has been dealt yet."""
    CLOSED = "closed"
    """It was switched off."""


def status_of(snapshot: Snapshot, *, still: bool) -> Status:
    """The status of a table; `still` if its loop has stalled."""
    if still:
        return Status.STILL
    if snapshot.warnings:
        return Status.TROUBLE
    if snapshot.options:
        return Status.ASKS
    return Status.PLAYING if snapshot.count else Status.WAITING


def state(broker: Broker, snapshot: Snapshot, words: Words, status: Status, since: int) -> Values:
    """The state of a table; `since` is when its status began, in seconds since 1970."""
    still = [words.page["floor-still"]] if status is Status.STILL else []
    return {
        "table": broker.table,
        "name": broker.title,
        "language": words.language,
        "status": str(status),
        "since": since,
        "game": snapshot.game,
        "title": words.title(snapshot.game),
        "hand": snapshot.hand,
        "acts": snapshot.count,
        "seats": list(snapshot.seats),
        "awaited": list(snapshot.awaited),
        "waits": snapshot.waits,
        "trouble": [*still, *snapshot.warnings],
    }


def record(broker: Broker, book: Book, hand: Hand) -> Values:
    """A finished hand: its record as text, its settlement, and the journal's head at its end."""
    settlement = hand.state.settlement
    return {
        "table": broker.table,
        "name": broker.title,
        "game": hand.game.name,
        "hand": hand.start.hand,
        "void": hand.state.void,
        "net": {str(seat): amount for seat, amount in settlement.net.items()},
        "scores": {str(seat): points for seat, points in settlement.scores.items()},
        "record": book.record([hand]),
        "head": book.head,
    }


def written(values: Mapping[str, object]) -> str:
    """Values as the text of a message."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


# Home automation.


def _sensors(words: Words) -> Iterator[tuple[str, str, Values]]:
    """Each sensor's kind and name, and how it reads the state."""
    page = words.page

    def text(value: str) -> str:
        return f"{{{{ ({value} or '-')[:{TEXT_MOST}] }}}}"

    statuses = [str(status) for status in Status if status is not Status.GONE]
    plain: Sequence[tuple[str, str, str, Values]] = (
        ("sensor", "status", "{{ value_json.status }}", {"device_class": "enum",
         "options": statuses, "icon": "mdi:cards-playing"}),
        ("sensor", "game", "{{ value_json.title }}", {"icon": "mdi:cards"}),
        ("sensor", "hand", "{{ value_json.hand }}", {"icon": "mdi:counter"}),
        ("sensor", "waits", text("value_json.waits"), {"icon": "mdi:account-clock"}),
        ("sensor", "trouble", text("(value_json.trouble | join(' '))"),
         {"icon": "mdi:alert-circle-outline"}),
        ("binary_sensor", "problem",
         "{{ 'ON' if value_json.trouble else 'OFF' }}", {"device_class": "problem"}),
    )  # fmt: skip
    for kind, name, template, more in plain:
        label = page["sensor-problem" if name == "problem" else f"sensor-{name}"]
        yield kind, name, {"name": label, "value_template": template, **more}


def discovery(broker: Broker, words: Words) -> Iterator[tuple[str, Values]]:
    """Topics and messages by which Home Assistant discovers the table and its sensors."""
    own = broker.identifier
    device = {"identifiers": [own], "name": broker.title, "model": MODEL, "manufacturer": MODEL}
    for kind, name, sensor in _sensors(words):
        yield (
            f"{HOME}/{kind}/{own}/{name}/config",
            {
                **sensor,
                "unique_id": f"{own}-{name}",
                "state_topic": broker.state,
                "availability_topic": broker.presence,
                "payload_available": ONLINE,
                "payload_not_available": AWAY,
                "device": device,
                "origin": {"name": MODEL},
            },
        )
