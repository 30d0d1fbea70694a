"""The decks that are known by name, and where those that were taught are kept."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from firmware.errors import UsageError
from firmware.settings.settings import Settings
from firmware.texts import Texts
from rules.cards import Card
from vision.decide.latin import LATIN, LatinDeck, latin
from vision.decide.patterns import PATTERNS, pattern
from vision.decide.profiles import Profile
from vision.errors import ProfileError
from vision.read.alphabets import Alphabet, alphabet
from vision.reader import KnownDeck

ENDING, CHIPS_ENDING = ".npz", ".chips"
"""The endings of the files of taught decks, and of taught sets of chips beside them."""
PRINTED: tuple[str, ...] = (*Alphabet, *PATTERNS, LATIN)
"""The decks that nobody needs to teach: of a regional pattern, or with a country's letters."""
NAME = re.compile(r"[^\s./\\\0][^/\\\0]*")
"""What something taught may be called: any letters, but nothing that leads to another folder."""


def folder() -> Path:
    """Where taught decks are kept: the folder in MAZZIERE_DECKS, or a user's own data folder."""
    named = os.environ.get("MAZZIERE_DECKS")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(named) if named else Path(data) / "mazziere" / "decks"


def kept_at(name: str, ending: str) -> Path:
    """The file of something taught: in the folder under its name, or a file given with its ending.

    Raises `UsageError` for a name that leads out of the folder.

    >>> kept_at("../evil", ".npz")
    Traceback (most recent call last):
    firmware.errors.UsageError: expected a name without /, or a .npz file: got '../evil'
    """
    if name.endswith(ending) and name != ending:
        return Path(name)
    if not NAME.fullmatch(name):
        raise UsageError(f"expected a name without /, or a {ending} file: got {name!r}")
    return folder() / f"{name}{ending}"


def taught(ending: str) -> list[str]:
    """The names of what was taught, decks or sets of chips, whose files have this ending."""
    return sorted(file.stem for file in folder().glob(f"*{ending}"))


def path_of(name: str) -> Path:
    """The file of a taught deck, given its name or the file itself.

    >>> path_of("decks/piacentine.npz").name
    'piacentine.npz'
    """
    return kept_at(name, ENDING)


def known_deck(name: str) -> KnownDeck:
    """The deck taught under a name, the regional one of that name, or a Latin one of any kind.

    A country's name stands for a French-suited deck with the letters used there. Raises
    `ProfileError` listing the known ones.

    >>> len(known_deck("napoletane").cards), known_deck("german")
    (40, <Alphabet.GERMAN: 'german'>)
    """
    path, regional, letters = path_of(name), pattern(name), alphabet(name)
    if path.is_file():
        return Profile.load(path)
    if regional is not None:
        return Profile.load(regional.path)
    if latin(name):
        return LatinDeck.load()
    if letters is not None:
        return letters
    raise ProfileError(
        f"no deck is called {name!r}; there are {', '.join((*PRINTED, *taught(ENDING)))}"
    )


def names_in(known: KnownDeck | None) -> Mapping[Card, str]:
    """The names that cards have in a deck, where they have their own."""
    return {} if known is None or isinstance(known, Alphabet) else known.names


def texts_of(settings: Settings) -> Texts:
    """A table's sentences, with the card names of the taught deck used there."""
    texts = Texts.load(settings.language)
    if not settings.deck:
        return texts
    names = names_in(known_deck(settings.deck))
    of_signs = pattern(settings.deck) is not None or latin(settings.deck)
    return texts.of_latin_deck() if of_signs and not names else texts.called(names)
