"""What is known to be no card before the cards are read: chips, and plaques."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from vision.picture.geometry import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Discs:
    """Round things in a picture that hide no index where they lie alone.

    The `places` (N, 3) are their centres and radii in pixels. Some of them together are plaques, of
    which the `outlines` (8, 2) are known: to the finder, these look like backs.
    """

    places: Floats
    outlines: tuple[Floats, ...] = ()

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Those of all `parts`."""
        none = np.zeros((0, 3), np.float32)
        places = np.concatenate([none, *(part.places for part in parts)])
        return cls(places, tuple(one for part in parts for one in part.outlines))

    def moved(self, across: float, down: float) -> Discs:
        """The same in a picture whose upper left corner is this far up and to the left."""
        by = np.array([across, down], np.float32)
        places = self.places + np.append(by, np.float32(0))
        return Discs(places, tuple(one + by for one in self.outlines))
