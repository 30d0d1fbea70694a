"""What the page draws, as plain values: a snapshot in words, and where everything is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from firmware.console.at_once import moment
from firmware.display.pads import Key
from firmware.display.snapshot import Snapshot
from firmware.settings.settings import Settings
from firmware.table.known_decks import texts_of
from firmware.table.layout import Layout
from firmware.texts import Texts, capital
from firmware.texts.words import Words
from rules.acts import Act
from rules.cards import Card
from rules.errors import RulesError
from rules.spots import Spot

Values = dict[str, Any]


@dataclass(frozen=True)
class Players:
    """The players' names, and who has a telephone at the table."""

    names: Mapping[int, str]
    telephones: Mapping[int, int]
    """Number of telephones at each seat that has any."""
    on: bool = True
    """Whether they may say anything."""


NOBODY = Players({}, {})


def seen_by(picture: Values, audience: str, speaks: bool) -> Values:
    """The part of a snapshot that an audience gets: the dealer has all keys, a player their own."""
    if audience == "dealer":
        return picture
    seat = int(audience.removeprefix("seat ")) if audience.startswith("seat ") else 0
    own = [key for key in picture["pad"] if key["seat"] == seat] if seat and speaks else []
    if len(own) == 1 and "keys" in own[0]:
        own = own[0]["keys"]
    told = {**picture, "pad": own, "others": [], "moment": "", "seat": seat}
    return told if not seat else {**told, "options": [], "ok": "", "speaks": speaks}


@dataclass(frozen=True)
class Artist:
    """Puts snapshots into the page's words; immutable, used by the server's thread."""

    settings: Settings
    texts: Texts
    words: Words

    @classmethod
    def of(cls, settings: Settings, texts: Texts | None = None) -> Artist:
        """The artist for a table's settings, with its own sentences if it has some."""
        return cls(settings, texts or texts_of(settings), Words.load(settings.language))

    def picture(self, snapshot: Snapshot, players: Players | None = None) -> Values:
        """Everything that changes during a hand."""
        return {
            "kind": "picture",
            "game": snapshot.game,
            "title": self.words.title(snapshot.game),
            "hand": snapshot.hand,
            "count": snapshot.count,
            "moment": moment(snapshot),
            "sentence": snapshot.sentence,
            "options": list(snapshot.options),
            "ok": snapshot.ok,
            "lamps": dict(snapshot.lamps),
            "limits": list(snapshot.limits) if snapshot.limits else None,
            "seats": [self._seat(snapshot, seat, players or NOBODY) for seat in snapshot.seats],
            "spots": [self.spot(s, dict(snapshot.table), snapshot.busy) for s in snapshot.spots],
            "acts": self._acts(snapshot),
            "calls": list(snapshot.calls),
            "facts": [*snapshot.facts, *snapshot.match],
            "warnings": self._warnings(snapshot),
            "pad": [self._key(key) for key in snapshot.pad.keys],
            "others": [self._key(key) for key in snapshot.pad.others],
            "secret": snapshot.secret,
        }

    def _seat(self, snapshot: Snapshot, seat: int, players: Players) -> Values:
        return {
            "seat": seat,
            "name": self.seat(seat),
            "player": players.names.get(seat, ""),
            "telephones": players.telephones.get(seat, 0),
            "awaited": seat in snapshot.awaited,
            "banker": seat == snapshot.banker,
            "dealer": seat == snapshot.dealer,
            "money": dict(snapshot.money).get(seat),
            "bet": dict(snapshot.bets).get(seat),
            "team": _team(snapshot, seat),
            "score": dict(snapshot.points).get(seat),
        }

    def seat(self, seat: int) -> str:
        """A seat by its number."""
        return capital(self.texts.seat(seat))

    def spot(
        self, spot: Spot, table: Mapping[str, Sequence[str]], busy: frozenset[str] = frozenset()
    ) -> Values:
        """A spot with its cards."""
        return {
            "name": spot.name,
            "label": capital(self.texts.spot(spot.name)),
            "owner": spot.owner,
            "held": spot.held,
            "capacity": spot.capacity,
            "busy": spot.name in busy,
            "cards": [self.card(name) for name in table.get(spot.name, ())],
        }

    def card(self, name: str) -> Values:
        """A card with its name in words."""
        return {"card": name, "label": capital(self.texts.card(Card.parse(name)))}

    def _acts(self, snapshot: Snapshot) -> list[Values]:
        """The latest acts; those of the previous hand have numbers below 1."""
        first = snapshot.count - len(snapshot.acts) + 1
        return [
            {"number": first + place, "line": line, "words": self.act(line)}
            for place, line in enumerate(snapshot.acts)
        ]

    def _key(self, key: Key) -> Values:
        """A button of the pad, with what it says or opens."""
        told: Values = {"label": capital(key.label), "seat": key.seat}
        if key.sure:
            told["sure"] = True
        if key.keys:
            told["keys"] = [self._key(one) for one in key.keys]
        elif key.amounts is not None:
            told["amounts"] = asdict(key.amounts)
        else:
            told["line"] = key.line
        return told

    def act(self, line: str) -> str:
        """An act line in words."""
        try:
            return capital(self.texts.act(Act.parse(line)))
        except RulesError:
            return line

    def _warnings(self, snapshot: Snapshot) -> list[Values]:
        """The warnings, each with the act that revealed the violation."""
        found = [*snapshot.violated, *([None] * len(snapshot.warnings))]
        return [
            {"text": text, "found": number}
            for text, number in zip(snapshot.warnings, found, strict=False)
        ]

    def floor(self, spots: tuple[Spot, ...], seats: tuple[int, ...]) -> Values:
        """Where the spots and seats are, in millimetres on the table."""
        settings = self.settings
        seated = (settings.around, settings.dealer_at)
        return _floor(spots, seats, settings.size_mm, seated, tuple(settings.moved.items()))


@lru_cache(maxsize=8)
def _floor(
    spots: tuple[Spot, ...],
    seats: tuple[int, ...],
    size: tuple[float, float],
    seated: tuple[int | None, int | None],
    moved: tuple[tuple[str, tuple[float, float]], ...],
) -> Values:
    around, dealer_at = seated
    layout = Layout.for_game(
        spots, seats, size, around=around, dealer_at=dealer_at, moved=dict(moved)
    )
    return {
        "kind": "floor",
        "size": list(size),
        "seats": {seat: list(point) for seat, point in layout.seats.items()},
        "places": {
            name: {"cells": [list(cell) for cell in place.cells], "bounds": list(place.bounds)}
            for name, place in layout.places.items()
        },
    }


def _team(snapshot: Snapshot, seat: int) -> int | None:
    """The number of a seat's team, from 0; None if everybody plays alone."""
    return next((place for place, team in enumerate(snapshot.teams) if seat in team), None)
