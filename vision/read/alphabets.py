"""The letters on other countries' decks, and the rank each stands for.

A German jack is marked B and a French one V, but so is a Dutch queen: a letter denotes a rank only
within a deck's alphabet. Each letter that an index may show besides A, J, Q and K is a class of its
own, and "any other letter" is one more, so that none is mistaken for a similar one.

>>> Alphabet.FRENCH.ranks["V"], Alphabet.DUTCH.ranks["V"]
(<Rank.JACK: 'J'>, <Rank.QUEEN: 'Q'>)
>>> meanings("D"), meanings("V")
((<Rank.QUEEN: 'Q'>,), (<Rank.JACK: 'J'>, <Rank.QUEEN: 'Q'>))
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from math import log
from types import MappingProxyType
from typing import TypeAlias

from rules.cards import Rank, Suit

OTHER = "?"
"""A letter that is in none of the alphabets."""
LETTERS = (
    "1", "B", "D", "E", "F", "H", "Kn", "R", "T", "V", "\N{CYRILLIC CAPITAL LETTER DE}", OTHER,
)  # fmt: skip
"""What an index may show instead of an English rank, in the order of the network's classes."""
DAMA = LETTERS[-2]
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

    @property
    def letters(self) -> Mapping[Rank, str]:
        """The letter of each rank that has another than the English one.

        The usual one where there are several.

        >>> [Alphabet.SCANDINAVIAN.letters[rank] for rank in (Rank.JACK, Rank.QUEEN, Rank.ACE)]
        ['Kn', 'D', 'E']
        """
        return {rank: letter for letter, rank in reversed(list(self.ranks.items()))}


_ALSO: Mapping[str, Alphabet] = MappingProxyType(
    {
        "inglese": Alphabet.ENGLISH,
        "tedesco": Alphabet.GERMAN,
        "francese": Alphabet.FRENCH,
        "olandese": Alphabet.DUTCH,
        "italiano": Alphabet.ITALIAN,
        "scandinavo": Alphabet.SCANDINAVIAN,
        "russo": Alphabet.RUSSIAN,
    }
)
"""The Italian names of the alphabets."""
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
        Alphabet.RUSSIAN: {"B": Rank.JACK, DAMA: Rank.QUEEN, "T": Rank.ACE},
    }
)  # fmt: skip


def alphabet(name: str) -> Alphabet | None:
    """The alphabet with this name in English or Italian, if there is one.

    >>> alphabet("german") is alphabet("tedesco"), alphabet("klingon")
    (True, None)
    """
    return _ALSO.get(name) or next((one for one in Alphabet if one.value == name), None)


def meanings(letter: str) -> tuple[Rank, ...]:
    """The ranks a letter stands for in some alphabet; an unknown letter may be any court card."""
    if letter == OTHER:
        return Rank.JACK, Rank.QUEEN, Rank.KING
    found = [one.ranks[letter] for one in Alphabet if letter in one.ranks]
    return tuple(dict.fromkeys(found))


PLAIN = ("1", "B", "D", "E", "Kn", "R", "T", DAMA)
"""Letters that mean the same on every deck that has them: one says which card it is before a second
one says whose deck. Not F, H and V: a P is read as an F, an M or W as an H, and a V is a jack or a
queen."""
MEANT = 0.8
"""Weight of a letter's meaning while the deck's alphabet is unknown: on its own it leads to a
question; confirmed by the opposite index or the court figure, to a reading. A choice;
`python -m tests.dealt_table` judges it."""
UNMISTAKABLE = 0.95
"""Minimum probability at which a letter in `PLAIN` is understood while the alphabet is unknown. Of
drawn cards in typefaces never seen whose two indices agree, 131 of 161 with such a letter reach it,
and none of 27 with a letter of no country that was taken for one. A choice;
`python -m tests.foreign_letters` judges it."""
BY_ITSELF, UNDERSTOOD = 0.98, 0.97
"""Minimum probability at which a letter in `PLAIN` is understood while the alphabet is unknown
though only one index of the card is in sight, as in a fan; and the weight of its meaning then. In
drawn fans and ribbons in typefaces never seen, 301 of 425 such letters reach it, 2 of 1,014 letters
of no country, both a mirrored R, and none of 2,750 English ranks. A choice of both;
`python -m tests.foreign_letters` judges it."""
LETTERED = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)
"""The ranks that have letters."""
SLIP = 0.02
"""Share of clear looks at an index that read another letter than is printed: of 1,107 drawn indices
with English letters 3 read as other countries' (`vision.training.heads`), and errors on one deck
resemble each other. A choice; `python -m tests.foreign_letters` judges it."""
ENGLISH_SHARE, NO_SHARE = 0.8, 0.02
"""Share of decks with English letters, and with letters of no alphabet known here; the other
alphabets share the rest evenly. A choice: most decks are English ones."""
TOLD = 0.95
"""Probability from which an alphabet counts as known. A choice; `python -m tests.foreign_letters`
judges it."""
LOOKS = 3
"""Looks at one letter and suit that count: the same card is read again and again, with the same
errors. A choice."""
RESEMBLED: Mapping[str, float] = MappingProxyType(
    {OTHER: 0.2, "H": 0.25, "F": 0.08, "V": 0.08, "A": 0.2, "K": 0.05}
)
"""Shares of looks that read these where letters of no alphabet are printed; the others share the
rest. A choice: of 250 drawn courts with M, N, P, W, lambda or yu, 121 were taken for an H, 31 for
an F and 13 for a V, 53 were known for strange; a W may be a K, and the ace is an A nearly
everywhere."""
Look: TypeAlias = Mapping[str, float]
"""How likely an index shows each of some letters."""
REMEMBERED = 16 * LOOKS
"""Looks remembered, the latest: those at all cards with letters of one deck, so that another deck's
replace them. Follows from `LOOKS`."""


@dataclass(slots=True)
class Letters:
    """The letters read on the deck in play, and the alphabet that they reveal.

    A single picture, or a single card on a table, may show one letter only; all that a camera has
    seen says whose deck it is. Two different letters of other countries are needed, of which one is
    `PLAIN` or both were seen on several cards, and that they are likelier on one such deck than
    misread on an English one, or on one with letters of no alphabet.

    >>> letters = Letters()
    >>> letters.note([("B", Suit.HEARTS)])
    >>> letters.alphabet is None
    True
    >>> letters.note([("D", Suit.SPADES)])
    >>> letters.alphabet
    <Alphabet.GERMAN: 'german'>
    """

    alphabet: Alphabet | None = None
    """The alphabet of the deck in play; None for the English one, or while it is not known."""
    strange: bool = False
    """Whether the deck's letters seem to be those of no alphabet: then none is understood."""
    _looks: deque[tuple[str, Suit]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def note(self, looks: Iterable[tuple[str, Suit]]) -> None:
        """Add what indices clearly showed: one of `LETTERS`, or the value of an English rank."""
        for look in looks:
            if self._looks.count(look) >= LOOKS:
                self._looks.remove(look)
            self._looks.append(look)
        shown = self._shown()
        foreign = shown.keys() & LETTERS
        if len(foreign) >= 2 or self.alphabet is not None or self.strange:
            self._weigh(shown, foreign)

    def beside(self, unclear: Sequence[Look]) -> Alphabet | None:
        """The alphabet, unless it is known, that these letters tell together with `unclear` ones.

        An unclear letter next to a clear one of the same country is hardly another by chance; what
        is told by it holds for one picture.

        >>> letters = Letters()
        >>> letters.note([("D", Suit.SPADES)])
        >>> letters.beside([{"R": 0.75, "H": 0.2}]) in (Alphabet.FRENCH, Alphabet.ITALIAN)
        True
        >>> letters.beside([{"D": 0.85}]) is letters.beside([{"H": 0.85}]) is None
        True
        """
        if not unclear or self.alphabet is not None or self.strange:
            return None
        shown = self._shown()
        likeliest = {max(look, key=look.__getitem__) for look in unclear}
        foreign = (shown.keys() | likeliest) & {*LETTERS} - {OTHER}
        if len(foreign) < 2:
            return None
        likely = _likely(shown, unclear)
        best = max(likely, key=lambda one: likely[one])
        if best in (None, Alphabet.ENGLISH) or _together(likely, best, foreign) < TOLD:
            return None
        return best if self._settled(foreign) else None

    def odds(self) -> tuple[float, ...]:
        """How much likelier each of `LETTERS` is than on a deck of which nothing is known, 0..1.

        No deck has an H for its king and a K for another, and none but English ones have a queen
        with a Q: what looks like the other letter there is a slip.

        >>> letters = Letters()
        >>> letters.note([("K", Suit.HEARTS), ("K", Suit.CLUBS)])
        >>> likely = dict(zip(LETTERS, letters.odds()))
        >>> likely["H"] < 0.05, likely["B"] > 0.4
        (True, True)
        """
        now, usual = _shares_of(frozenset(self._shown().items())), _shares_of(frozenset())
        return tuple(min(1.0, now[letter] / usual[letter]) for letter in LETTERS)

    def _shown(self) -> Counter[str]:
        """How many of the looks remembered showed each letter."""
        return Counter(letter for letter, _ in self._looks)

    def _weigh(self, shown: Mapping[str, int], foreign: Set[str]) -> None:
        """Take the alphabet for known that these letters tell; in between, keep the one known."""
        likely = _likely(shown)
        best = max(likely, key=lambda one: likely[one])
        self.strange = likely[None] >= TOLD
        if _together(likely, best, foreign) < TOLD:
            return
        if best in (None, Alphabet.ENGLISH):
            self.alphabet = None
        elif self._settled(foreign):
            self.alphabet = best

    def _settled(self, foreign: Set[str]) -> bool:
        """Whether letters of other countries are enough to tell one."""
        return not foreign.isdisjoint(PLAIN) or len(foreign & self._on_several()) >= 2

    @property
    def mixed(self) -> frozenset[str]:
        """English letters on several cards of a deck that has others of its own, but none of these.

        As where a Russian deck's queen is a Q.

        >>> letters = Letters()
        >>> letters.note([("B", Suit.HEARTS), ("T", Suit.CLUBS), ("B", Suit.CLUBS)])
        >>> letters.note([("Q", Suit.HEARTS), ("Q", Suit.CLUBS)])
        >>> letters.alphabet, sorted(letters.mixed)
        (<Alphabet.RUSSIAN: 'russian'>, ['Q'])
        """
        if self.alphabet is None:
            return frozenset()
        shown = self._shown()
        replaced = {rank for letter, rank in self.alphabet.ranks.items() if shown[letter]}
        english = {rank.value for rank in LETTERED if rank not in replaced}
        return frozenset(english & self._on_several())

    @property
    def lacking(self) -> frozenset[str]:
        """English letters that no deck has which has all of the other countries' letters shown.

        >>> letters = Letters()
        >>> letters.note([("D", Suit.SPADES)])
        >>> sorted(letters.lacking)
        ['J', 'Q']
        """
        foreign = self._shown().keys() & {*LETTERS} - {OTHER}
        decks = [letters_of(one) for one in Alphabet if foreign <= one.ranks.keys()]
        if not foreign or not decks:
            return frozenset()
        return frozenset(rank.value for rank in LETTERED).difference(*decks)

    def _on_several(self) -> Set[str]:
        """The letters that were seen on several cards."""
        cards = Counter(letter for letter, _ in set(self._looks))
        return {letter for letter, many in cards.items() if many > 1}


@lru_cache(maxsize=64)
def _shares_of(shown: frozenset[tuple[str, int]]) -> Mapping[str, float]:
    """How likely each of `LETTERS` is printed on a deck on which these were seen so many times."""
    likely = _likely(dict(shown))
    return {
        letter: sum(
            share for one, share in likely.items() if one is None or letter in letters_of(one)
        )
        for letter in LETTERS
    }  # fmt: skip


def _likely(shown: Mapping[str, int], unclear: Sequence[Look] = ()) -> dict[Alphabet | None, float]:
    """How likely each alphabet, or none, is on a deck on which these were seen so many times.

    Besides, there are `unclear` looks, of which each may show one letter or another.
    """
    odds = {one: _log_odds(one, shown) for one in (*Alphabet, None)}
    for look in unclear:
        for one in odds:
            odds[one] += log(
                sum(sure * 2.0 ** _each(one)[letter] for letter, sure in look.items()), 2
            )
    best = max(odds.values())
    likely = {one: 2.0 ** (value - best) for one, value in odds.items()}
    total = sum(likely.values())
    return {one: share / total for one, share in likely.items()}


def _log_odds(alphabet: Alphabet | None, shown: Mapping[str, int]) -> float:
    """How likely so many looks at letters are on a deck with an `alphabet`, or none.

    A power of two.
    """
    share = (1 - ENGLISH_SHARE - NO_SHARE) / (len(Alphabet) - 1)
    prior = {None: NO_SHARE, Alphabet.ENGLISH: ENGLISH_SHARE}.get(alphabet, share)
    each = _each(alphabet)
    return log(prior, 2) + sum(times * each[letter] for letter, times in shown.items())


@cache
def _each(alphabet: Alphabet | None) -> Mapping[str, float]:
    """How likely a look at a court or an ace of such a deck shows each letter: a power of two."""
    every = [*LETTERS, *(rank.value for rank in LETTERED)]
    if alphabet is None:
        rest = (1 - sum(RESEMBLED.values())) / (len(every) - len(RESEMBLED))
        return {letter: log(RESEMBLED.get(letter, rest), 2) for letter in every}
    printed = letters_of(alphabet)
    right, slip = log((1 - SLIP) / len(printed), 2), log(SLIP / len(every), 2)
    return {letter: right if letter in printed else slip for letter in every}


@cache
def letters_of(alphabet: Alphabet) -> frozenset[str]:
    """The letters on a deck with this alphabet.

    An ace may always be an A, and a rank whose letter is not listed has its English one.
    """
    named = set(alphabet.ranks.values()) - {Rank.ACE}
    english = {rank.value for rank in LETTERED if rank not in named}
    return frozenset(english.union(alphabet.ranks))


def _together(
    likely: Mapping[Alphabet | None, float], best: Alphabet | None, letters: Iterable[str]
) -> float:
    """How likely the best alphabet is, or one that gives all of these letters the same meaning."""
    return sum(
        share
        for one, share in likely.items()
        if one is best or (one and best and _agree(one, best, letters))
    )


def _agree(one: Alphabet, other: Alphabet, letters: Iterable[str]) -> bool:
    """Whether two alphabets give all of these letters the same meaning."""
    return all(one.ranks.get(letter) is other.ranks.get(letter) for letter in letters)
