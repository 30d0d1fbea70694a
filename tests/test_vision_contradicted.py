"""What many looks at an index take for another letter than was read is a question."""

from __future__ import annotations

import numpy as np
import pytest

from rules.cards import Card
from vision.read import many_looks
from vision.read.alphabets import LETTERS
from vision.read.index_classifier import FACES
from vision.sightings import SURE


@pytest.mark.parametrize(
    ("card", "letter", "mean", "doubted"),
    [
        ("TC", "V", 0.3, True),
        ("TC", "V", 0.2, False),
        # A ten resembles a D in many poses, an eight a B, and an H is a king's.
        ("TC", "D", 0.4, False),
        ("8C", "B", 0.4, False),
        ("KC", "H", 0.6, False),
        ("AC", "H", 0.3, True),
    ],
)
def test_what_many_looks_take_for_another_letter_is_a_question(
    card: str, letter: str, mean: float, *, doubted: bool
) -> None:
    """A W of a deck with letters of no country is a clear ten by the network of English ones."""
    faces = np.zeros((1, len(FACES)), np.float32)
    faces[0, FACES.index(Card.parse(card))] = 0.99
    means = np.zeros((1, len(LETTERS)), np.float32)
    means[0, LETTERS.index(letter)] = mean
    assert bool(many_looks.contradicted(faces, means).max() < SURE) is doubted
    assert bool(many_looks.perhaps_others(faces, means)[0]) is (doubted or letter == "V")


def test_a_joker_s_lettering_may_look_like_any_letter() -> None:
    faces, means = np.zeros((1, len(FACES)), np.float32), np.zeros((1, len(LETTERS)), np.float32)
    faces[0, -1], means[0] = 0.95, 0.08
    assert many_looks.contradicted(faces, means).max() == np.float32(0.95)
