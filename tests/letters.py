"""Letters of other countries' decks as a network shows them, and what is read of them."""

from __future__ import annotations

import numpy as np

from rules.cards import RANKS, SUITS, Rank
from vision.decide.answers import named, ranked
from vision.picture.geometry import Floats
from vision.read.alphabets import LETTERS, Alphabet
from vision.read.index_prints import OF_FACES, Prints

DAMA = LETTERS[-2]
COUNTRIES = {
    # Jack, queen, king and ace as lettered by these countries' decks.
    Alphabet.GERMAN: ("B", "D", "K", "A"),
    Alphabet.FRENCH: ("V", "D", "R", "1"),
    Alphabet.DUTCH: ("B", "V", "H", "A"),
    Alphabet.ITALIAN: ("F", "D", "R", "1"),
    Alphabet.SCANDINAVIAN: ("Kn", "D", "K", "E"),
    Alphabet.RUSSIAN: ("B", DAMA, "K", "T"),
}


def prints(*shown: tuple[str, str], sure: float = 0.98) -> Prints:
    """The networks' output for letters or ranks with suits, mistaken for their look-alikes."""
    ranks = np.zeros((len(shown), OF_FACES), np.float32)
    suits = np.zeros((len(shown), 5), np.float32)
    letters = np.zeros((len(shown), len(LETTERS)), np.float32)
    alike = {"B": "8", "D": "T", "V": "7", "H": "K", "1": "J"}
    for row, (letter, suit) in enumerate(shown):
        rank = alike.get(letter, letter if letter in list(RANKS) else "A")
        ranks[row, RANKS.index(Rank(rank))] = 1.0
        suits[row, [str(one) for one in SUITS].index(suit)] = 1.0
        if letter in LETTERS:
            letters[row, LETTERS.index(letter)] = sure
    return Prints(ranks, suits, letters)


def answers(faces: Floats) -> list[tuple[str, float]]:
    return [(str(named(ranked(row))), float(row.max())) for row in faces]
