"""What the network shows of indices, and the faces that it may mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from rules.cards import RANKS, SUITS, Rank, Suit
from vision.picture.geometry import Floats
from vision.read import many_looks
from vision.read.alphabets import (
    BY_ITSELF,
    LETTERED,
    LETTERS,
    MEANT,
    OTHER,
    PLAIN,
    UNDERSTOOD,
    UNMISTAKABLE,
    Alphabet,
    Look,
    letters_of,
    meanings,
)
from vision.read.looks import CLEAR
from vision.read.many_looks import HALF_SEEN, KING, KN, LIKE_EIGHTS

OF_FACES = len(RANKS) + 2
"""Number of classes for ranks, joker and none; the remaining classes are letters. Follows from how
the network was built."""
SPELLED = 0.5
"""Minimum probability of all letters together at which an index belongs to another country's deck.
Of 1,107 drawn indices with English letters in unseen typefaces 3 reach it, of 62 with other letters
33; confident readings as an English face fell from 17 to 7 of those (`vision.training.heads`). A
choice; `python -m tests.dealt_table` judges it."""
RARE = 0.05
"""Weight of a letter that the deck's alphabet lacks: a card of another deck, or a letter that its
own network does not tell from another. A choice; `python -m tests.foreign_letters` judges it."""
UNCLEAR = 0.75
"""Minimum probability at which a letter that is not clear says something of whose deck it is,
beside others. Of 2,240 drawn fans in typefaces never seen, 19 tell their country so, and none
another or with letters of no country; with 0.5 parts of numbers that resemble an R mislead. A
choice; `python -m vision.training tables fan` judges it."""
OF_TEN = "T"
"""A letter that is a ten's on some decks, of which one index is not enough."""
_LONE = np.array([one in PLAIN and one != OF_TEN for one in LETTERS], np.bool_)
"""Which of `LETTERS` (12,) are understood from one index by a clear look."""
_PLAIN = np.array([one in PLAIN for one in LETTERS], np.float32)
"""Which of `LETTERS` (12,) are `PLAIN`."""
_OTHER = LETTERS.index(OTHER)


@dataclass(frozen=True, eq=False)
class Prints:
    """What N indices show: probabilities of `ranks` (N, 15) and of `suits` (N, 5).

    The ranks are ace to king, joker, none; the suits clubs, diamonds, hearts, spades, none. The
    probability of each of `alphabets.LETTERS` is given separately, (N, 12), or not at all.
    """

    ranks: Floats
    suits: Floats
    letters: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    @property
    def nothing(self) -> Floats:
        """The probabilities (N,) that a patch is not an index."""
        return self.ranks[:, 14]

    @cached_property
    def foreign(self) -> NDArray[np.bool_]:
        """Which show a letter of another country's deck (N,).

        Print on a back may look somewhat like one, and much more like nothing.
        """
        if not self.letters.size:
            return np.zeros(len(self.ranks), np.bool_)
        return np.asarray(self.letters.sum(axis=1) >= np.maximum(SPELLED, self.nothing), np.bool_)

    def weighed(self, odds: Sequence[float]) -> Prints:
        """The same if each of `LETTERS` is so much likelier than usual, and what it resembles not.

        From what else a deck shows: a king of an English one looked like a Dutch H, at 0.91.
        """
        if not self.letters.size:
            return self
        letters = self.letters * np.maximum(np.asarray(odds, np.float32), RARE)
        rest = np.maximum(1 - self.letters.sum(axis=1, keepdims=True), 0)
        whole = np.maximum(letters.sum(axis=1, keepdims=True) + rest, 1e-9)
        return replace(self, letters=letters / whole)

    def faces(self, alphabet: Alphabet | None = None) -> Floats:
        """The probabilities (N, 53) of each of `FACES` on a deck with this alphabet.

        A letter that the alphabet lacks, or any letter while it is unknown, leaves the rank in
        doubt.
        """
        ranks = self.ranks[:, :14]
        which = self.foreign
        if which.any():
            ranks = ranks.copy()
            letters = self._likely(alphabet)[which]
            ranks[which] *= 1 - letters.sum(axis=1, keepdims=True)
            ranks[which, :13] += _ranks_of(letters, alphabet)
        pairs = ranks[:, :13, None] * self.suits[:, None, :4]
        return np.concatenate([pairs.reshape(len(pairs), 52), ranks[:, 13:]], axis=1)

    @property
    def doubled(self) -> NDArray[np.bool_]:
        """Which show two letters (N,): shifted aside, the first is a clear K, and no truer."""
        which = self.foreign
        return which & (self.letters.argmax(axis=1) == KN) if which.any() else which

    def kings(self, alphabet: Alphabet | None) -> NDArray[np.bool_]:
        """Which show a king, or half of a jack's two letters, if its deck may have these (N,)."""
        if not self.letters.size or (alphabet and "Kn" not in alphabet.ranks):
            return np.zeros(len(self.ranks), np.bool_)
        perhaps = self.letters[:, KN] >= (HALF_SEEN if alphabet is None else 0)
        if not perhaps.any():
            return perhaps
        kings = self.ranks.argmax(axis=1) == KING
        return np.asarray(perhaps & kings & ~self.doubled, np.bool_)

    def partly(self, faces: Floats) -> NDArray[np.bool_]:
        """Which may show a letter (N,) that means another rank than their `faces` (N, 53) do."""
        return many_looks.perhaps_others(faces, self.letters)

    def strange(self, alphabet: Alphabet | None, also: Collection[str] = ()) -> NDArray[np.bool_]:
        """Which show a letter (N,) that a deck with this alphabet lacks, or that may mean anything.

        An English one may be lacking too: a W on a deck that was taken for a Dutch one was a K. Not
        so if it is `also` printed there.

        Without an alphabet, all letters of other countries are such that are not `PLAIN` and clear:
        the strange letters of a deck that is none of these resemble now one of them, now another.
        """
        which = self.foreign
        if alphabet is None:
            if which.any():
                which = which & ((self.letters * _PLAIN).max(axis=1) < UNMISTAKABLE)
            return which
        printed = letters_of(alphabet) | set(also)
        shown = [RANKS[int(rank)] for rank in self.ranks[:, :13].argmax(axis=1)]
        strange = np.array(
            [one in LETTERED and one.value not in printed for one in shown], np.bool_
        )
        if which.any():
            likely = self._likely(alphabet)[which].argmax(axis=1)
            strange[which] = [LETTERS[number] not in printed for number in likely]
        return strange

    def _likely(self, alphabet: Alphabet | None) -> Floats:
        """The probabilities of the letters (N, 12) where those that the alphabet lacks are rare."""
        if alphabet is None or not self.letters.size:
            return self.letters
        rare = np.array([1.0 if one in alphabet.ranks else RARE for one in LETTERS], np.float32)
        weighed = self.letters * rare
        shares = self.letters.sum(axis=1) / np.maximum(weighed.sum(axis=1), 1e-9)
        return np.asarray(weighed * shares[:, None], np.float32)

    def chosen(self, which: NDArray[np.bool_]) -> Prints:
        """The same of some of the indices."""
        return Prints(self.ranks[which], self.suits[which], self.letters[which])

    @property
    def lone(self) -> NDArray[np.bool_]:
        """Which may show a letter of another country's deck (N,) that many looks can make clear."""
        if not self.letters.size:
            return np.zeros(len(self.ranks), np.bool_)
        return many_looks.worth(self.letters)

    @property
    def other(self) -> NDArray[np.bool_]:
        """Which look most like a letter that is none of those known here (N,)."""
        which = self.foreign
        return which & (self.letters.argmax(axis=1) == _OTHER) if which.any() else which

    @property
    def courts(self) -> NDArray[np.bool_]:
        """Which look most like an English jack, queen or king (N,)."""
        shown = self.ranks[:, :13].argmax(axis=1)
        return np.array([RANKS[int(rank)].court for rank in shown], np.bool_)

    @property
    def clear_letters(self) -> Floats:
        """The confidence (N,) that each shows a letter of another country's deck, with its suit."""
        sure = np.zeros(len(self.ranks), np.float32)
        which = self.foreign
        if which.any():
            sure[which] = self.letters[which].max(axis=1)
        return np.asarray(sure * self.suits[:, :4].max(axis=1), np.float32)

    @property
    def shown(self) -> tuple[tuple[str, Suit], ...]:
        """The letter and the suit of each index that clearly shows a court's or an ace's."""
        foreign, suits = self.foreign, self.suits[:, :4]
        found = []
        for number, sure in enumerate(np.maximum(self.clear_letters, self._clear_english)):
            if sure < CLEAR:
                continue
            letter = RANKS[int(self.ranks[number, :13].argmax())].value
            if foreign[number]:
                letter = LETTERS[int(self.letters[number].argmax())]
                if letter in PLAIN and self.letters[number].max() < UNMISTAKABLE:
                    continue
            elif Rank(letter) not in LETTERED:
                continue
            found.append((letter, SUITS[int(suits[number].argmax())]))
        return tuple(found)

    @property
    def unclear(self) -> tuple[Look, ...]:
        """What each card that shows a letter of another country's deck, if none clearly, may show.

        Not a B, which may be an eight, nor one that is too unclear. Equal letters with equal suits
        are the two ends of one card, and say no more than the clearer one.
        """
        if not self.foreign.any():
            return ()  # as on most tables
        suits, sure = self.suits[:, :4].argmax(axis=1), self.suits[:, :4].max(axis=1)
        legible = self.letters.max(axis=1, initial=0) >= UNCLEAR
        which = np.flatnonzero(self.foreign & legible & (sure >= CLEAR))
        clear, found = set(self.shown), dict[tuple[str, Suit], Look]()
        for number in sorted(which.tolist(), key=lambda one: -float(self.letters[one].max())):
            likely = self.letters[number].tolist()
            card = LETTERS[int(self.letters[number].argmax())], SUITS[int(suits[number])]
            if card[0] != LIKE_EIGHTS and card not in clear:
                found.setdefault(card, dict(zip(LETTERS, likely, strict=True)))
        return tuple(found.values())

    @property
    def _clear_english(self) -> Floats:
        """The confidence (N,) that each shows an English rank, with its suit."""
        sure = self.ranks[:, :13].max(axis=1, initial=0) * self.suits[:, :4].max(axis=1, initial=0)
        return np.where(self.foreign, 0.0, sure).astype(np.float32)


def _ranks_of(letters: Floats, alphabet: Alphabet | None) -> Floats:
    """What `letters` (N, 12) say about the ranks ace to king, (N, 13)."""
    if alphabet is not None:
        return np.asarray(letters @ letter_ranks(alphabet), np.float32)
    clear = np.where((letters >= BY_ITSELF) & _LONE, letters, np.float32(0))
    understood = clear @ letter_ranks(None, UNDERSTOOD)
    return np.asarray((letters - clear) @ letter_ranks(None) + understood, np.float32)


@cache
def letter_ranks(alphabet: Alphabet | None, weight: float = MEANT) -> Floats:
    """What each of `LETTERS` implies about the ranks ace to king, (L, 13).

    Without an alphabet, its meaning has that `weight`, and it may be any court for the rest.
    """
    shares = np.zeros((len(LETTERS), len(RANKS)), np.float32)
    courts = [RANKS.index(rank) for rank in RANKS if rank.court]
    for row, letter in zip(shares, LETTERS, strict=True):
        if alphabet is not None and letter in alphabet.ranks:
            row[RANKS.index(alphabet.ranks[letter])] = 1.0
            continue
        row[courts] = (1 - weight) / len(courts)
        meant = [RANKS.index(rank) for rank in meanings(letter)]
        row[meant] += weight / len(meant)
    return shares
