"""The round things of a set's size in a picture, found before its cards are read.

A chip that lies alone hides no index, and a reader of cards that knows so need not look at it:
sixty chips that are spread over a table triple the area in which cards are searched for.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Circles
from vision.chips.plaques import Plaques
from vision.chips.seen import CORNERS
from vision.chips.sight import Sight
from vision.chips.standpoint import Levelled
from vision.find.discs import Discs
from vision.picture.geometry import Floats

RIMMED = 0.8
"""Minimum share of a rim that shows an edge for a round thing to be left to the chips. A choice: of
320 chips drawn apart and in stacks for `python -m tests.chips` 318 showed that much, and on twelve
tables with cards alone three things on cards did; a card is searched by its border all the same.
"""
VOTED = 0.24
"""Minimum share of it that votes for its centre. A choice: 720 circles in the prints of courts, on
16 drawn tables, had at most 0.23, and beside plaques a king full of them was asked about; of 585
drawn chips, apart, touching and in stacks, 94 % had more."""
HALO = 1.3
"""Radius that a chip and its shadow take up, relative to the chip's. A choice: with 1.2, shadows
were still searched on two of the four tables of `python -m tests.benchmarks chips`."""


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The round things in a picture of a known scale.

    `sight` is the picture at the size at which chips are examined, in which `found` are. If the
    camera is slanted, that picture is `levelled` first.
    """

    sight: Sight
    found: Circles
    levelled: Levelled | None = None
    plaques: Plaques | None = None
    """What has the contour of one of the set's plaques; None if it has none."""
    rings: Circles = field(default_factory=Circles.none)
    """What may be chips around rings printed inside them, where no rim is plain; the edges are
    those of the rings."""
    rims: Circles = field(default_factory=Circles.none)
    """The rims around these, where they show."""
    laid: Plaques | None = None
    """Those that are plaques of the set on which nothing lies; None if nobody looked."""

    @property
    def discs(self) -> Discs:
        """What is plainly round, and the plaques on which nothing lies, in the frame's pixels."""
        plainly = (self.found.support >= RIMMED) & (self.found.votes >= VOTED)
        rims = self.found[plainly].scaled(1 / self.sight.factor)
        centres, radii = rims.centres, rims.radii * np.float32(HALO)
        outlines = np.zeros((0, CORNERS, 2), np.float32)
        if self.laid is not None and len(self.laid):
            laid = self.laid.scaled(1 / self.sight.factor)
            over, outlines = laid.discs, laid.octagons
            centres = np.concatenate([centres, over[:, :2]])
            radii = np.concatenate([radii, over[:, 2] * np.float32(HALO)])
        if self.levelled is not None:
            magnified = self.levelled.magnified(self.levelled.back(centres))
            centres, radii = self.levelled.back(centres), radii / magnified
            outlines = self.levelled.back(outlines.reshape(-1, 2)).reshape(outlines.shape)
        places = np.column_stack([centres, radii]).astype(np.float32)
        return Discs(places, tuple(np.asarray(one, np.float32) for one in outlines))

    def beyond(self, size: tuple[int, int]) -> NDArray[np.uint8]:
        """What of the levelled picture, enlarged to a `size` (h, w), the frame did not show: 255,
        or 0 where it did."""
        return np.zeros(size, np.uint8) if self.levelled is None else self.levelled.beyond(size)

    def lit(self, white: Floats | None) -> Rounds:
        """The same, in the light in which paper has the colour `white` (3,)."""
        return replace(self, sight=replace(self.sight, white=white))
