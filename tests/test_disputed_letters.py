"""Of a card whose two corners show different letters, the surer reading is still a question."""

from __future__ import annotations

import numpy as np
import pytest

from rules.cards import Card
from vision.decide.answers import contested
from vision.join.joined import Joined
from vision.read.index_classifier import FACES

NONE = np.zeros(2, np.bool_)
STRANGE = np.array([False, True])
UP = np.array((0, -1), np.float32)


def card(name: str, sure: float, member: int, x: float = 0.0) -> Joined:
    """A card with one index, upright around (x, 0), read with that confidence."""
    faces = np.zeros(len(FACES), np.float32)
    faces[FACES.index(Card.parse(name))] = sure
    corners = np.array([(-30, -45), (30, -45), (30, 45), (-30, 45)], np.float32)
    return Joined((member,), faces, corners + np.array((x, 0), np.float32), UP)


def test_a_strange_letter_disputes_a_surer_reading_of_the_same_card() -> None:
    jack, king = card("JC", 0.98, 0), card("KC", 0.6, 1, 4.0)
    assert contested([jack, king], [jack], STRANGE) == {0}
    assert contested([jack, king], [jack], NONE) == frozenset()
    assert contested([jack, king], [jack, king], STRANGE) == frozenset()


def test_a_fairly_clear_letter_disputes_it_too() -> None:
    ace, king = card("AC", 0.96, 0), card("KC", 0.86, 1)
    assert contested([ace, king], [ace], NONE) == {0}


@pytest.mark.parametrize(
    ("name", "x"), [("KH", 0.0), ("JC", 0.0), ("9C", 0.0), ("KC", 80.0)],
    ids=["another suit", "the same card", "a number", "another place"],
)  # fmt: skip
def test_what_may_be_another_card_or_says_the_same_disputes_nothing(name: str, x: float) -> None:
    jack, other = card("JC", 0.98, 0), card(name, 0.9, 1, x)
    assert contested([jack, other], [jack], STRANGE) == frozenset()
