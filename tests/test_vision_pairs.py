"""Which two indices of a pile are the ends of one card."""

from __future__ import annotations

from tests.laid_indices import found, shown
from vision.join.joining import join
from vision.join.proportions import KNOWN, Proportions


def test_no_end_belongs_to_prints_farther_away_than_the_other_end_of_any_card() -> None:
    """A six lies on a queen; an edge through the queen's lower index makes it larger and straight.

    Beside the index of the six, an illegible one then fitted it better than the queen's upper one.
    """
    rows = [
        ("6S", 921.0, 489.0, -0.01, -1.0, 27.1),
        ("6S", 996.0, 593.0, -0.04, 1.0, 28.3),
        ("QS", 911.0, 521.0, -0.26, -0.96, 23.8),
        ("QS", 1016.0, 595.0, -0.01, 1.0, 29.5),
        ("QS", 913.0, 486.0, -0.19, -0.98, 30.9),
    ]
    indices = found([row[1:5] for row in rows], [row[5] for row in rows])
    faces = shown(*(row[0] for row in rows))
    faces[-1] *= 0.3
    deck = Proportions()
    deck.note([(2.96, 4.02)] * KNOWN)
    cards, _ = join(indices, faces, deck)
    ends = {card.members for card in cards if len(card.members) > 1}
    assert ends == {(0, 1), (2, 3)}


def test_an_end_of_a_card_that_lies_over_another_does_not_part_that_one_s_ends() -> None:
    """An ace lies askew on a three, its lower index between the three's columns.

    Half the index of a card below then counted as the upper one's other end, and two threes lay.
    """
    rows = [
        ("3S", 918.2, 488.5, -0.05, -1.0, 29.1),
        ("3S", 1003.0, 591.4, 0.03, 1.0, 26.3),
        ("AH", 939.3, 477.1, 0.21, -0.98, 26.3),
        ("AH", 985.8, 601.0, -0.26, 0.96, 23.6),
        ("3S", 1012.6, 563.6, 0.11, 0.99, 18.6),
    ]
    indices = found([row[1:5] for row in rows], [row[5] for row in rows])
    faces = shown(*(row[0] for row in rows))
    faces[-1] *= 0.33
    cards, _ = join(indices, faces)
    assert {card.members for card in cards if len(card.members) > 1} == {(0, 1), (2, 3)}
