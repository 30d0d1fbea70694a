"""How often an index that is in doubt must look the same, and from where."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.picture.geometry import Floats
from vision.read.index_classifier import JOKER_FACE, IndexClassifier
from vision.read.index_prints import OF_FACES
from vision.read.patches import HEIGHT, INDEX, WIDTH

CENTRE = (200.0, 150.0)
"""Where the index lies in the picture, x and y."""
ABOVE = 18.0
"""Distance of its mark from there, in pixels of a patch."""


class Marked:
    """Takes a patch for a joker's, the surer the less its mark is `off`, at most so many pixels."""

    def __init__(self, off: float) -> None:
        self._off = off

    def __call__(self, patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """The logits of ranks and suits."""
        ranks, suits = np.full((len(patches), OF_FACES), -9.0), np.zeros((len(patches), 5))
        for row, patch in zip(ranks, patches, strict=True):
            down, across = np.argwhere(patch[..., 0] >= 0.8 * patch[..., 0].max()).mean(axis=0)
            away = np.hypot(across - WIDTH / 2, down - (HEIGHT / 2 - ABOVE))
            row[13:] = 3 * (self._off - away), 0
        return ranks.astype(np.float32), suits.astype(np.float32)


@pytest.mark.parametrize(
    ("aside", "off", "least", "most"),
    [(0.0, 6.0, 0.9, 1.0), (10.0, 6.0, 0.9, 1.0), (0.0, 4.0, 0.5, 0.9), (8.0, 4.0, 0.0, 0.5)],
)
def test_an_index_located_badly_is_judged_where_it_is_clearest(
    aside: float, off: float, least: float, most: float
) -> None:
    """Where it is not clear there either, the looks from where it was found count."""
    frame = np.zeros((300, 400, 3), np.uint8)
    x, y = CENTRE
    frame[round(y - ABOVE) - 1 : round(y - ABOVE) + 2, round(x) - 1 : round(x) + 2] = 255
    found = Indices(
        np.array([(x - aside, y)], np.float32),
        np.array([(0, -1)], np.float32),
        np.array([INDEX], np.float32),
        np.ones(1, np.float32),
    )
    faces = IndexClassifier(Marked(off)).all_round(frame, found)
    assert least < float(faces[0, JOKER_FACE]) < most
