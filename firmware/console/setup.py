"""The set-up page: what can be chosen for a table, and what was chosen last."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from firmware.console.picture import Artist, Values
from firmware.display.pads import LIMITS, NO_LIMITS
from firmware.settings.settings import Settings
from firmware.texts import languages
from firmware.texts.words import Words
from rules.game import AnyGame, HouseRule
from rules.games import GAMES, find_game
from rules.start import SEATS_MOST, Level

LISTED_MOST = 12
"""Largest range of numbers that is listed; longer ones are typed. A choice."""
OWN = ("table", "stacks", "house_rules", "language")
"""The sections of the settings that the page sets; it leaves the others alone."""


def form(settings: Settings) -> Values:
    """What the page offers, with the current settings."""
    return {
        "games": list(_games(settings.language)),
        "limits": [list(pair) for pair in (*LIMITS, NO_LIMITS)],
        "levels": [str(level) for level in Level],
        "languages": list(languages()),
        "seats_most": SEATS_MOST,
        "now": chosen(settings),
    }


def chosen(settings: Settings) -> Values:
    """The current settings, in the form in which the page sends them."""
    return {
        "language": settings.language,
        "table": {
            "game": settings.game,
            "variant": settings.variant,
            "seats": list(settings.seats),
            "dealer": settings.dealer,
            "banker": settings.banker,
            "limits": list(settings.limits) if settings.limits else None,
            "level": str(settings.level),
        },
        "stacks": {str(seat): chips for seat, chips in settings.stacks.items()},
        "house_rules": dict(settings.house_rules),
    }


@cache
def _games(language: str) -> tuple[Values, ...]:
    words = Words.load(language)
    return tuple(_game(find_game(name), words) for name in GAMES)


def _game(game: AnyGame, words: Words) -> Values:
    return {
        "name": game.name,
        "title": words.title(game.name),
        "players": [game.players.start, min(game.players.stop - 1, SEATS_MOST)],
        "banked": game.banked,
        "rules": [_rule(game, rule, words) for rule in game.house_rules()],
        "variants": [_variant(game, name, words) for name in game.variants],
    }


def _variant(game: AnyGame, name: str, words: Words) -> Values:
    """A variant and its house rules, which the page shows while it is chosen."""
    rules = find_game(game.name, variant=name).house_rules()
    return {"name": name, "label": words.title(name), "rules": {r.name: r.text for r in rules}}


def _rule(game: AnyGame, rule: HouseRule, words: Words) -> Values:
    choices = ("yes", "no") if isinstance(rule.value, bool) else rule.choices
    listed = [str(choice) for choice in choices] if len(choices) <= LISTED_MOST else []
    return {
        "name": rule.name,
        "says": words.house_rule(game.name, rule),
        "value": rule.text,
        "choices": [{"value": choice, "label": words.value(choice)} for choice in listed],
    }


def changed(settings: Settings, body: Mapping[str, object]) -> Settings:
    """The settings with what the page sent; raises `SettingsError` with every fault."""
    table = tomllib.loads(settings.text())
    for name in OWN:
        table.pop(name, None)
    sent = {name: _without_nothing(body[name]) for name in OWN if body.get(name) is not None}
    if isinstance(settings.around, int) and isinstance(sent.get("table"), dict):
        sent["table"].setdefault("around", settings.around)
    return Settings.from_mapping({**table, **sent}, "set-up").lying_in(settings.folder)


def _without_nothing(value: Any) -> Any:
    """A section without the fields left empty."""
    if not isinstance(value, Mapping):
        return value
    return {name: part for name, part in value.items() if part not in (None, "")}


def sign(settings: Settings, artist: Artist, limits: Sequence[int] | None) -> Values:
    """The sign for the table: limits and house rules in words, made from the settings."""
    game = settings.rules()
    return {
        "title": artist.words.title(game.name),
        "limits": list(limits) if limits else None,
        "rules": list(_rules(game, artist.words)),
    }


def _rules(game: AnyGame, words: Words) -> Iterator[Values]:
    for rule in game.house_rules():
        yield {"says": words.house_rule(game.name, rule), "value": words.value(rule.value)}
