"""What a first look at an index, or the deck's other letters, speak against is asked about."""

from __future__ import annotations

import numpy as np
import pytest

from rules.cards import RANKS, Card, Rank, Suit
from tests.letters import prints
from tests.test_vision_alphabets import looked_at
from vision.read import many_looks
from vision.read.alphabets import LETTERS, Letters
from vision.read.index_classifier import FACES
from vision.read.index_prints import OF_FACES
from vision.sightings import SURE


@pytest.mark.parametrize(
    ("one", "beside", "read"),
    [(0.17, "D", False), (0.17, "8", True), (0.0, "D", True), (0.17, "B", True)],
)
def test_a_jack_that_is_perhaps_a_one_is_asked_about_where_the_deck_has_no_such_jack(
    one: float, beside: str, *, read: bool
) -> None:
    """As on a French deck, of which a lone 1 in a fan read as a J; no deck with a B has one."""
    shown = prints(("J", "H"), (beside, "S"))
    shown.letters[0, LETTERS.index("1")] = one
    assert ("JH" in looked_at(shown)) is read


def test_a_deck_lacks_the_english_letters_that_others_replace() -> None:
    letters = Letters()
    assert not letters.lacking
    letters.note([("H", Suit.SPADES)])
    assert letters.lacking == {"J", "Q", "K"}
    letters.note([("Kn", Suit.SPADES)])
    assert not letters.lacking  # no deck has both: one of them is a slip


@pytest.mark.parametrize(("most", "sure"), [(Rank.TEN, False), (Rank.SEVEN, True)])
def test_what_only_a_few_looks_show_is_a_question(most: Rank, *, sure: bool) -> None:
    means = np.zeros((1, OF_FACES), np.float32)
    means[0, RANKS.index(Rank.SEVEN)], means[0, RANKS.index(most)] = 0.2, 0.4
    seven = np.eye(len(FACES), dtype=np.float32)[[FACES.index(Card.parse("7H"))]]
    told = many_looks.outvoted(seven, means, np.array([True]))
    assert bool(told.max() >= SURE) is sure
    assert many_looks.outvoted(seven, means, np.array([False])).max() == 1
