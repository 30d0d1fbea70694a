"""The letters on other countries' decks, and the rank each stands for.

A German jack is marked B and a French one V, but so is a Dutch queen: a letter denotes a rank only
within a deck's alphabet. Each letter that an index may show besides A, J, Q and K is a class of its
own, and "any other letter" is one more, so that none is mistaken for a similar one.

>>> Alphabet.FRENCH.ranks["V"], Alphabet.DUTCH.ranks["V"]
(<Rank.JACK: 'J'>, <Rank.QUEEN: 'Q'>)
>>> meanings("D"), meanings("V")
((<Rank.QUEEN: 'Q'>,), (<Rank.JACK: 'J'>, <Rank.QUEEN: 'Q'>))
>>> told({"B", "D"}), told({"V", "R"}), told({"B"})
(<Alphabet.GERMAN: 'german'>, <Alphabet.FRENCH: 'french'>, None)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType

from rules.cards import Rank

OTHER = "?"
"""A letter that is in none of the alphabets."""
LETTERS = (
    "1", "B", "D", "E", "F", "H", "Kn", "R", "T", "V", "\N{CYRILLIC CAPITAL LETTER DE}", OTHER,
)  # fmt: skip
"""What an index may show instead of an English rank, in the order of the network's classes."""
_DAMA = LETTERS[-2]
"""The Russian letter for a queen. Follows from `LETTERS`."""


class Alphabet(StrEnum):
    """The letters on one country's decks; ranks not listed are marked as in English."""

    ENGLISH = "english"
    """A, J, Q, K."""
    GERMAN = "german"
    """Bube, Dame, König."""
    FRENCH = "french"
    """Valet, dame, roi; the ace is a 1 on some decks."""
    DUTCH = "dutch"
    """Boer, vrouw, heer."""
    ITALIAN = "italian"
    """Fante, donna, re."""
    SCANDINAVIAN = "scandinavian"
    """Knekt or bonde, dam, kung; the ace is an E on some decks."""
    RUSSIAN = "russian"
    """Valet, dama, korol, tuz, in Cyrillic letters."""

    @property
    def ranks(self) -> Mapping[str, Rank]:
        """The rank that each of `LETTERS` used in this alphabet stands for."""
        return _RANKS[self]


_RANKS: Mapping[Alphabet, Mapping[str, Rank]] = MappingProxyType(
    {
        Alphabet.ENGLISH: {},
        Alphabet.GERMAN: {"B": Rank.JACK, "D": Rank.QUEEN},
        Alphabet.FRENCH: {"V": Rank.JACK, "D": Rank.QUEEN, "R": Rank.KING, "1": Rank.ACE},
        Alphabet.DUTCH: {"B": Rank.JACK, "V": Rank.QUEEN, "H": Rank.KING},
        Alphabet.ITALIAN: {"F": Rank.JACK, "D": Rank.QUEEN, "R": Rank.KING, "1": Rank.ACE},
        Alphabet.SCANDINAVIAN: {
            "Kn": Rank.JACK, "B": Rank.JACK, "D": Rank.QUEEN, "E": Rank.ACE,
        },
        Alphabet.RUSSIAN: {"B": Rank.JACK, _DAMA: Rank.QUEEN, "T": Rank.ACE},
    }
)  # fmt: skip


def meanings(letter: str) -> tuple[Rank, ...]:
    """The ranks a letter stands for in some alphabet; an unknown letter may be any court card."""
    if letter == OTHER:
        return Rank.JACK, Rank.QUEEN, Rank.KING
    found = [one.ranks[letter] for one in Alphabet if letter in one.ranks]
    return tuple(dict.fromkeys(found))


def told(letters: Collection[str]) -> Alphabet | None:
    """The alphabet that has all of these letters; None for a single letter or if there is none.

    If several alphabets have them and agree on what they mean, the first is returned.
    """
    fitting = [one for one in Alphabet if set(letters) <= one.ranks.keys()]
    if len(set(letters)) < 2 or not fitting:
        return None
    alike = all(
        other.ranks[letter] is fitting[0].ranks[letter] for other in fitting for letter in letters
    )
    return fitting[0] if alike else None
