"""Indices that chips lie on are read with less trust."""

from __future__ import annotations

import numpy as np

from vision.decide.answers import covered
from vision.find.finder import Indices

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
