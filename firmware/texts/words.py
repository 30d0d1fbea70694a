"""The words of the page: its labels, the rules in full, house rules and their values.

They are in ``console.*.toml`` next to the sentences, one file per language.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from firmware.errors import TextsError
from firmware.texts import DEFAULT, FOLDER
from rules.game import HouseRule
from rules.start import LIMIT_MOST

SMALL = frozenset({"a", "and", "in", "of", "the"})
"""The words that stay small in a heading; the games' names are English."""


@dataclass(frozen=True)
class Words:
    """What the page says in one language.

    >>> Words.load("it").page["ok"], Words.load("en").title("a-game-of-cards")
    ('OK', 'A Game of Cards')
    """

    language: str
    page: Mapping[str, str]
    rules: Mapping[str, str]
    """The full text of each rule, by its identifier or by a pattern for several."""
    house: Mapping[str, Mapping[str, str]]
    """House rules in words, by game; in English, a game supplies its own."""
    values: Mapping[str, str]
    """The values that house rules may have."""
    titles: Mapping[str, str]
    """The games that have another name in this language."""

    @classmethod
    def load(cls, language: str = DEFAULT) -> Words:
        """The words of a language; raises `TextsError` if there are none."""
        table = _read(language)
        return cls(language, table["page"], table["rules"], table["house"], table["values"],
                   table["titles"])  # fmt: skip

    def rule(self, identifier: str) -> str:
        """The full text of a rule, or an empty text if its sentence says it all."""
        patterns = (known for known in self.rules if fnmatchcase(identifier, known))
        return self.rules.get(identifier) or self.rules.get(next(patterns, ""), "")

    def house_rule(self, game: str, rule: HouseRule) -> str:
        """A house rule in words."""
        return self.house.get(game, {}).get(rule.name, rule.says)

    def value(self, value: object) -> str:
        """A value of a house rule in words."""
        text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        return self.values.get(text, text.replace("-", " "))

    def title(self, name: str) -> str:
        """A game's name as a heading.

        >>> Words.load("it").title("ziginette")
        'Zecchinetta'
        """
        if name in self.titles:
            return self.titles[name]
        words = name.replace("-", " ").split()
        titled = [w if w in SMALL and place else w.capitalize() for place, w in enumerate(words)]
        return " ".join(titled)


def limits_told(limits: tuple[int, int] | None, words: Words) -> str:
    """Limits in words; an empty text if none are set yet.

    >>> limits_told((1, LIMIT_MOST), Words.load("en")), limits_told(None, Words.load("en"))
    ('no limits', '')
    """
    if limits is None:
        return ""
    if limits[1] == LIMIT_MOST:
        return words.page["limits-none"]
    return words.page["limits-short"].format(least=limits[0], greatest=limits[1])


@cache
def _read(language: str) -> dict[str, Any]:
    path = FOLDER / f"console.{language}.toml"
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise TextsError(f"no words for the page in the language {language!r}") from error
    return {name: table.get(name, {}) for name in ("page", "rules", "house", "values", "titles")}
