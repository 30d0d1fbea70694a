"""The chips found in one picture, and what they say about its scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.chips.circles import Circles
from vision.chips.heights import Height
from vision.chips.matching import Match
from vision.chips.plaque_reading import LaidPlaque
from vision.chips.scales import POOR, WELL, WHOLE, evidence, kept, scale_of, sure
from vision.picture.geometry import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The chips in one picture: circles in its pixels, the topmost first, and their matches."""

    circles: Circles
    matches: tuple[Match, ...]
    heights: tuple[Height, ...]
    scale: float
    """Pixels per unit of the set's sizes."""
    plaques: tuple[LaidPlaque, ...] = ()
    tone: float = 1.0
    """Exponent of the camera's curve, compared with that by which the set was taught."""

    @property
    def places(self) -> Floats:
        """The centres (N, 2) of its chips and plaques."""
        round_ = self.circles.centres[np.array([one.number for one in self.matches], np.intp)]
        flat = np.array([one.outline.mean(axis=0) for one in self.plaques]).reshape(-1, 2)
        return np.concatenate([round_, flat]).astype(np.float32)

    @property
    def evidence(self) -> float:
        """The support for the scale at which these chips are seen."""
        flat = sum((one.match.agreed - POOR) * one.height.radius for one in self._whole)
        return evidence(self.circles, self.matches) + flat

    def scale_by(self, radii: Floats) -> float:
        """The scale at which the sure ones have their taught `radii` (K,)."""
        if sure(self.circles, self.matches):
            return scale_of(self.circles, self.matches, radii)
        return float(np.median([one.height.radius / radii[one.match.kind] for one in self._whole]))

    @property
    def sure(self) -> Found:
        """Only what is accepted where nothing but the chips themselves reveals the scale."""
        flat = tuple(one for one in self.plaques if one.match.agreed >= POOR)
        return replace(self.only(kept(self.circles, self.matches)), plaques=flat)

    @property
    def _whole(self) -> list[LaidPlaque]:
        """Its plaques that agree well and show a complete contour."""
        return [one for one in self.plaques if one.match.agreed >= WELL and one.edged >= WHOLE]

    def only(self, matches: Sequence[Match]) -> Found:
        """Keep only these of its round chips, and no plaques."""
        pairs = zip(self.matches, self.heights, strict=True)
        heights = tuple(height for match, height in pairs if match in matches)
        return replace(self, matches=tuple(matches), heights=heights, plaques=())
