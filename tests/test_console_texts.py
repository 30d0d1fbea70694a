"""The page's words: each one used exists in every language, and none is unused."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from functools import cache

import pytest

from firmware.console.sign_in import PAGE
from firmware.floor.message import Status
from firmware.store.ledger import CAMERA, PANEL, PLAYER, TYPED
from firmware.table.known_decks import PRINTED
from firmware.texts import DEFAULT, languages
from firmware.texts.identifiers import ROOT, identifiers
from firmware.texts.words import Words
from hardware.selftest import Verdict
from rules.games import GAMES
from rules.secret import PRESETS

CHECKS = ("loop", "camera", "journal", "memory", "pages", "board", "power", "temperature", "disk",
          "lgpio", "voice", "broker", "light", "focus", "scale", "spots")  # fmt: skip
CHOICE = r'\bsay\([\w.]+ \? "([a-z-]+)" : "([a-z-]+)"\)'
LAMPS = ("off", "steady", "slow", "fast")


def used() -> set[str]:
    """Every label that the page or the server names."""
    scripts = "".join(path.read_text() for path in PAGE.glob("*.js"))
    folders = ("firmware/console", "firmware/floor", "firmware/lobby")
    python = "".join(path.read_text() for one in folders for path in (ROOT / one).glob("*.py"))
    python += (ROOT / "firmware/console_link.py").read_text()
    names = set(re.findall(r'\bsay\(\s*"([a-z-]+)"', scripts))
    names |= set(re.findall(r'\bsay\(\w+ \? "([a-z-]+)"', scripts))
    names |= set(re.findall(r'(?:section|button)\("([a-z-]+)"', scripts))
    names |= set(re.findall(r'button\("[a-z]+", "([a-z-]+)"', scripts))
    names |= set(re.findall(r'"((?:nav|by|ok|fix|hold)-[a-z]+)"', scripts))
    names |= {f"by-{who}" for who in (CAMERA, PANEL, TYPED, PLAYER)}
    names |= set(re.findall(r'page\["([a-z-]+)"\]', python))
    names |= set(re.findall(r'page\["([a-z-]+)" if \w+ else', python))
    names |= set(re.findall(r'page\["[a-z-]+" if [\w.]+ else "([a-z-]+)"\]', python))
    names |= set(re.findall(r'page\["([a-z-]+)" if', python))
    for name in set(re.findall(r"\bsay\(`([a-z-]+)-\$", scripts)):
        names |= {f"{name}-{end}" for end in ENDS[name](scripts, python)}
    names |= set(re.findall(r'Standing\(\w+, "([a-z-]+)"', python))
    names |= set(re.findall(r'"(broker-[a-z]+)"', python))
    names |= {f"sensor-{name}" for name in ("status", "game", "hand", "waits", "trouble")}
    names |= set(re.findall(r'"(judged-[a-z-]+)"', python))
    names |= {f"found-{by}" for by in ("markers", "edges", "picture", "hand")}
    names |= set(re.findall(r'#(?:button|size)\("([a-z-]+)"', scripts))
    names |= {one for both in re.findall(CHOICE, scripts) for one in both}
    names |= {f"verdict-{verdict}" for verdict in Verdict}
    names |= {f"health-name-{check}" for check in CHECKS}
    names |= {f"sheet-{role}{may}" for role in ("dealer", "viewer") for may in ("", "-may")}
    names |= set(re.findall(r'limitsText\("([a-z-]+)"', scripts))
    return names | {"ok", "fix", "hold", "banker", "dealer"}


ENDS: dict[str, Callable[[str, str], Iterable[str]]] = {
    "lamp": lambda _, __: LAMPS,
    "ruling": lambda _, __: ("stand", "correct", "misdeal"),
    "role": lambda _, __: ("dealer", "viewer", "player"),
    "language": lambda _, __: languages(),
    "level": lambda _, __: ("none", "who", "amounts"),
    "preset": lambda _, __: PRESETS,
    "secret-help": lambda _, __: map(str, range(1, 8)),
    "sheet": lambda _, __: ("dealer", "viewer"),
    "deck": lambda _, __: ("missing", "double", "foreign", "taken"),
    "cards": lambda _, __: PRINTED,
    "found": lambda _, __: ("markers", "edges", "picture", "hand"),
    "status": lambda _, __: map(str, Status),
    "refused": lambda scripts, python: {
        *(set(re.findall(r'refuse\("([a-z-]+)"', python)) - {"taken"}),  # asked, not refused
        *re.findall(r'return "([a-z-]+)"\n', python),
        *re.findall(r'refused="([a-z-]+)"', python),
        *re.findall(r'new Refused\(0, "([a-z-]+)"', scripts),
        *("not-found", "request"),
    },
}


@pytest.mark.parametrize("language", languages())
def test_every_label_exists_and_none_is_unused(language: str) -> None:
    page = Words.load(language).page
    assert used() - set(page) == set()
    assert set(page) - used() == set()


def test_the_languages_fill_in_the_same_values() -> None:
    def values(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, *others = (Words.load(language) for language in languages())
    for other in others:
        assert set(other.rules) == set(english.rules)
        for name, text in english.page.items():
            assert values(text) == values(other.page[name]), name


@cache
def broken() -> frozenset[str]:
    """The rules that can be broken, by their identifiers."""
    found = [one.removeprefix("rule.") for one in identifiers() if one.startswith("rule.")]
    return frozenset(one for one in found if re.fullmatch(r"[a-z.*-]+", one))


@pytest.mark.parametrize("language", languages())
def test_every_rule_that_can_be_broken_is_explained(language: str) -> None:
    """If a rule is not explained at length, its sentence must do."""
    words = Words.load(language)
    rules = broken()
    assert set(words.rules) - rules == set()
    common = [rule for rule in rules if "." not in rule or rule.startswith("deck.")]
    assert [rule for rule in common if not words.rule(rule)] == []


@pytest.mark.parametrize("language", [one for one in languages() if one != DEFAULT])
def test_every_house_rule_is_in_every_language(language: str) -> None:
    words = Words.load(language)
    for name, game in GAMES.items():
        rules = {rule.name for rule in game().house_rules()}
        assert set(words.house.get(name, {})) == rules, f"console.{language}.toml: house.{name}"
        for rule in game().house_rules():
            for choice in rule.choices:
                if not isinstance(choice, int):
                    assert str(choice) in words.values, f"{name}: {rule.name}: {choice}"


def test_scripts_come_from_nowhere_else_and_write_no_markup() -> None:
    for path in PAGE.iterdir():
        text = path.read_text()
        for foreign in ("https://", "innerHTML", "eval(", "document.write", "style="):
            assert foreign not in text, f"{path.name}: {foreign}"
        for address in re.findall(r"http://[\w.]+", text):
            assert address == "http://www.w3.org", path.name
