"""The set-up page: what can be chosen for a table, and what was chosen last."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from firmware.console.picture import Artist, Values
from firmware.display.pads import LIMITS, NO_LIMITS
from firmware.errors import SettingsError, UsageError
from firmware.settings.settings import Settings
from firmware.table.known_decks import CHIPS_ENDING, ENDING, PRINTED, known_deck, taught
from firmware.texts import languages
from firmware.texts.words import Words
from rules.game import AnyGame, HouseRule
from rules.games import GAMES, find_game
from rules.start import SEATS_MOST, Level
from vision.errors import ProfileError

LISTED_MOST = 12
"""Largest range of numbers that is listed; longer ones are typed. A choice."""
OWN = ("stacks", "house_rules", "language")
"""The sections of the settings that the page replaces."""
PLAYED = ("game", "variant", "seats", "dealer", "banker", "limits", "level")
"""What the page sets of the section ``table``."""
PARTS = {"deck": "camera", "chips": "table"}
"""What is chosen on its own, and the section that it belongs to: the deck and the chips in play are
seen, not played by, so a hand goes on when they change."""


def form(settings: Settings) -> Values:
    """What the page offers, with the current settings."""
    return {
        "games": list(_games(settings.language)),
        "limits": [list(pair) for pair in (*LIMITS, NO_LIMITS)],
        "levels": [str(level) for level in Level],
        "languages": list(languages()),
        "decks": list(_decks(settings)),
        "chips": _with(settings.chips, taught(CHIPS_ENDING)),
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
        "deck": settings.deck or "",
        "chips": settings.chips or "",
    }


def _decks(settings: Settings) -> Iterator[Values]:
    """The decks to choose from; a `taught` one is shown by the name that somebody gave it."""
    own = [name for name in _with(settings.deck, taught(ENDING)) if name not in PRINTED]
    yield from ({"name": str(name), "taught": False} for name in PRINTED)
    yield from ({"name": name, "taught": True} for name in own)


def _with(now: str | None, names: Sequence[str]) -> list[str]:
    """The names, and what is chosen now, which may be a file elsewhere."""
    return [*names, *([now] if now and now not in names else [])]


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
    """The settings with what the page sent; raises `SettingsError` with every fault.

    What the page does not offer stays, as where the dealer sits and how many chairs there are.
    """
    kept = tomllib.loads(settings.text())
    sent = {name: _without_nothing(body[name]) for name in OWN if body.get(name) is not None}
    table = {name: value for name, value in kept.items() if name not in OWN} | sent
    asked = body.get("table")
    if isinstance(asked, Mapping):
        others = {key: value for key, value in kept.get("table", {}).items() if key not in PLAYED}
        table["table"] = others | _without_nothing(asked)
    elif asked is not None:
        table["table"] = asked
    for name, section in PARTS.items():
        if name in body:
            _choose(table, section, name, body[name])
    after = Settings.from_mapping(table, "set-up").lying_in(settings.folder)
    _check_known(after, settings)
    return after


def _choose(table: Values, section: str, name: str, value: object) -> None:
    """Set one key of a section, or leave it out if nothing is chosen.

    What was sent in place of a section stays, for its fault to be told.
    """
    if not isinstance(table.get(section, {}), Mapping):
        return
    others = {key: kept for key, kept in table.get(section, {}).items() if key != name}
    table[section] = others if value in (None, "") else {**others, name: value}


def _check_known(after: Settings, before: Settings) -> None:
    """Raise `SettingsError` for a deck or chips that nobody can know: no table could begin."""
    if after.deck != before.deck and after.deck is not None:
        try:
            known_deck(after.deck)
        except (ProfileError, UsageError) as error:
            raise SettingsError(f"camera.deck: {error}") from error
    if after.chips != before.chips and after.chips not in (None, *taught(CHIPS_ENDING)):
        raise SettingsError(f"table.chips: no chips of the name {after.chips!r} were taught")


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
