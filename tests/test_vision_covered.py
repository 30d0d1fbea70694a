"""Indices that chips lie on are read with less trust."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.laid_indices import found, index, shown
from vision.decide.answers import covered, covered_by_cards
from vision.find.finder import Indices
from vision.join.joining import join
from vision.join.suppression import impossible

HIGH = 30.0
"""Height of an index, in pixels."""


def upright(*centres: tuple[float, float]) -> Indices:
    """Upright indices at these places."""
    count = len(centres)
    return Indices(
        np.array(centres, np.float32).reshape(-1, 2),
        np.tile(np.array([0, -1], np.float32), (count, 1)),
        np.full(count, HIGH, np.float32), np.ones(count, np.float32),
    )  # fmt: skip


def test_an_index_is_covered_where_a_disc_hides_a_part_of_its_rank_or_half_its_sign() -> None:
    """A five whose lower left was under a chip was read as a six."""
    disc = np.array([(100.0, 100.0, 40.0)], np.float32)
    # Its shadow extends to 40 pixels from its centre, the chip itself to 31.
    places = (100.0, 100.0), (129.0, 108.0), (140.0, 108.0), (100.0, 144.0), (100.0, 63.0)
    assert covered(upright(*places), disc).tolist() == [True, True, False, False, True]


def test_nothing_is_covered_far_from_discs_or_without_any() -> None:
    none = np.zeros((0, 3), np.float32)
    assert not covered(upright((100.0, 100.0)), none).any()
    assert covered(upright(), np.array([(1.0, 1.0, 40.0)], np.float32)).tolist() == []
    assert not covered(upright((300.0, 100.0)), np.array([(9.0, 9.0, 40.0)], np.float32)).any()


@pytest.mark.parametrize(("aside", "sure", "cut"), [(0, 0.96, 1), (0, 0.98, 0), (40, 0.96, 0)])
def test_an_unclear_index_is_covered_where_a_card_in_full_view_lies_over_its_sign(
    aside: float, sure: float, cut: int
) -> None:
    """Half a heart, beside a seven that lay over the rest of it, was read as a diamond at 0.96."""
    seven = ("7D", 300.0, 300.0, 0.0)
    both = [index(seven, 1), index(seven, -1)]
    x, y, *_ = both[0]
    # Upside down above the seven's upper left corner, so that its sign is the nearer part.
    rows = [*both, (x + 60 + aside, y - 20 - aside, 0.0, -1.0)]
    faces = np.concatenate([shown("7D", "7D", sure=0.99), shown("4D", sure=sure)])
    cards, _ = join(found(rows), faces)
    assert len(covered_by_cards(cards, found(rows))) == cut


@pytest.mark.parametrize(("sure", "aside", "cut"), [(0.93, 0, 1), (0.98, 0, 0), (0.93, 200, 0)])
def test_an_unclear_index_that_crosses_surer_cards_is_not_believed(
    sure: float, aside: float, cut: int
) -> None:
    """A jack's sign and the rank of the three beside it were a card that lay askew, at 0.93."""
    rows = [(592, 397, -0.99, -0.15), (625, 400, -1, 0), (595, 317 - aside, -0.84, -0.54)]
    indices = found(rows, [26.5, 24.0, 22.6])
    faces = np.concatenate([shown("JH", "3H", sure=0.99), shown("3D", sure=sure)])
    *others, askew = join(indices, faces)[0]
    # Of a deck with indices in four corners, it was taken for an upper right one.
    corners = np.array([(536, 376), (585, 301), (687, 367), (638, 443)], np.float32)
    cards = [*others, replace(askew, corners=corners - np.array((0, aside), np.float32))]
    assert len(impossible(cards, indices)) == cut
