"""Looks at indices that are hard to read, each in several slightly different poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.picture.geometry import Floats

BEST = 3
"""Number of looks that count, clearest first. On generated pictures this reads a quarter more
indices than a single look, with the same number of errors; with fewer looks, chance plays a part. A
choice; `python -m tests.dealt_table` judges it."""
MOST = 9
"""Number of looks that count once an index has been located anew: the usual errors then hide
nothing, and what merely resembles an index seldom does so in every pose. A choice;
`python -m tests.dealt_table` judges it."""
CLEAR = 0.9
"""Confidence of the first look at which no second one is needed. A choice;
`python -m tests.dealt_table` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Looks at N indices in L poses: the indices as `posed`, the `faces` (L, N, 53) that they show,
    and the probabilities of each of the `ranks` (L, N, 15) and of the `letters` (L, N, 12)."""

    posed: Sequence[Indices]
    faces: Floats
    ranks: Floats
    letters: Floats

    def chosen(self, which: NDArray[np.bool_]) -> Looks:
        """The looks at these indices only."""
        posed = [indices[which] for indices in self.posed]
        kept = self.faces[:, which], self.ranks[:, which], self.letters[:, which]
        return Looks(posed, *kept)

    def best(self, count: int) -> Floats:
        """The mean (N, 53) of the `count` clearest looks at each index."""
        order = np.argsort(-self.faces.max(axis=2), axis=0)[:count]
        result: Floats = np.take_along_axis(self.faces, order[..., None], axis=0).mean(axis=0)
        return result

    def doubtful(self, count: int) -> NDArray[np.intp]:
        """The numbers of the indices that one look makes clear, but not the `count` clearest."""
        clear = self.faces.max(axis=2).max(axis=0) >= CLEAR
        return np.flatnonzero(clear & (self.best(count).max(axis=1) < CLEAR))

    def clearest(self, numbers: NDArray[np.intp]) -> Indices:
        """The indices with these `numbers` (M,), each in the pose of its clearest look."""
        first = self.faces[:, numbers].max(axis=2).argmax(axis=0)
        return Indices.stacked(
            [
                self.posed[pose][number : number + 1]
                for pose, number in zip(first, numbers, strict=True)
            ]
        )
