"""Indices that chips lie on are read with less trust."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laid_indices import found, index, shown
from vision.decide.answers import covered, covered_by_cards
from vision.find.finder import Indices
from vision.join.joining import join

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
