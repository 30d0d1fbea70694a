"""Lines as people type them in their own language, rewritten as records have them.

A line of a record is English: ``2 bet 5 QS``. If another language has its own words for the verbs,
the places and what is said, a line that begins with one of them is translated: cards may be named
in full, and small words in between are dropped. A line that begins with a record's verb is left as
it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product, starmap

from firmware.texts import Texts, languages
from rules.acts import Verb
from rules.cards import BACK, RANKS, SUITS, Card

SMALL = "_"
"""In the table of verbs: the words that mean nothing in a line."""
VERBS = frozenset(map(str, Verb))


def understood(line: str) -> str:
    """The line as a record has it, whichever language it is in.

    >>> understood("il posto 2 punta 5 sulla donna di picche")
    '2 bet 5 QS'
    >>> understood("dai al posto 3 carta coperta"), understood("2 passo; 3 prende cuori")
    ('deal 3 ??', '2 pass; 3 bid hearts')
    >>> understood("dai in tavola 7 di fiori"), understood("2 bet 5 QS"), understood("salve")
    ('deal board 7C', '2 bet 5 QS', 'salve')
    """
    return "; ".join(_understood(part.strip()) for part in line.split(";"))


def _understood(line: str) -> str:
    first = line.split()[:2]
    if VERBS.intersection(first):
        return line
    return next((said for one in _lexicons() if (said := one.read(line)) is not None), line)


@dataclass(frozen=True)
class _Lexicon:
    """The words of one language that may appear in a typed line."""

    small: frozenset[str]
    verbs: Mapping[str, str]
    words: Mapping[str, str]
    names: Sequence[tuple[tuple[str, ...], str]]
    """The cards, and other things of several words, by the words of their names."""

    def read(self, line: str) -> str | None:
        """The line in a record's words; None if it does not begin with a verb of this language.

        A verb is not needed for words that are said alone: ``il posto 2 dice cuori`` is ``2
        hearts``.
        """
        words = self._led(self._named(line.casefold().split(), line.split()))
        seat = words[:1] if words and words[0].isdecimal() else []
        rest = self._led(words[len(seat) :])
        said = [self.words.get(word, word) for word in rest[1:] if word not in self.small]
        if rest and rest[0] in self.verbs:
            return " ".join([*seat, self.verbs[rest[0]], *said])
        alone = seat and rest and rest[0] in self.words and self._things.issuperset(said)
        return " ".join([*seat, self.words[rest[0]], *said]) if alone else None

    @property
    def _things(self) -> frozenset[str]:
        """Everything that has a name, as records write it."""
        return frozenset((*self.words.values(), *(thing for _, thing in self.names)))

    def _led(self, words: list[str]) -> list[str]:
        """The words from the first meaningful one on."""
        says = (n for n, word in enumerate(words) if word in self.verbs or word not in self.small)
        return words[next(says, len(words)) :]

    def _named(self, words: Sequence[str], as_typed: Sequence[str]) -> list[str]:
        """The words, with names of several words replaced by what records write."""
        found: list[str] = []
        place = 0
        while place < len(words):
            for name, thing in self.names:
                if tuple(words[place : place + len(name)]) == name:
                    found.append(thing)
                    place += len(name)
                    break
            else:
                known = words[place] in {*self.verbs, *self.words, *self.small}
                found.append(words[place] if known else as_typed[place])
                place += 1
        return found


@cache
def _lexicons() -> tuple[_Lexicon, ...]:
    return tuple(filter(None, map(_lexicon, languages())))


def _lexicon(language: str) -> _Lexicon | None:
    texts = Texts.load(language)
    verbs = dict(texts.words.get("typed", {}))
    if not verbs:
        return None
    small = frozenset(verbs.pop(SMALL, "").split())
    words = _by_word(texts.words["typed-words"])
    several = [(tuple(word.split("-")), thing) for word, thing in words.items() if "-" in word]
    names = sorted([*_cards(texts), *several], key=_shortness)
    return _Lexicon(small, _by_word(verbs), words, names)


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    """What each word stands for, given what each thing may be called."""
    return {word: thing for thing, words in table.items() for word in words.split()}


def _cards(texts: Texts) -> list[tuple[tuple[str, ...], str]]:
    """Every card's name, in words or with its number, and that of a back."""
    named = {texts.card(card): str(card) for card in starmap(Card, product(RANKS, SUITS))}
    for number, rank in enumerate(RANKS[1:10], 2):
        named |= {
            name.replace(texts.rank(rank), str(number), 1): text
            for name, text in tuple(named.items())
            if text.startswith(rank)
        }
    named[texts.words["card"]["back"]] = str(BACK)
    return [(tuple(name.split()), text) for name, text in named.items()]


def _shortness(entry: tuple[tuple[str, ...], str]) -> int:
    return -len(entry[0])
