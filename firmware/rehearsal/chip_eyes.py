"""Eyes that know which chips are where, as a picture would show them.

They see what is there as soon as no hand covers it, and settle it like chips in pictures. For
stacks they may report only a range, as a camera above them does; the truth need not be its middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import dist

import numpy as np
from numpy.typing import NDArray

from firmware.follow.heaps import OWN
from firmware.rehearsal.chips import CHIP_MM, Chips, Pile
from firmware.rehearsal.gestures import Point
from firmware.rehearsal.tabletop import Tabletop
from vision.chips.seen import CORNERS, SeenChips
from vision.picture.geometry import Polygon
from vision.sightings import LyingChips
from vision.track.chips import ChipTracker

ARM_MM = 45.0
"""Half the width of a hand and its sleeve."""
STEP_MM = 25.0
"""Spacing of the points along an arm: less than the width of any place."""
SURE = 0.99


class TruthfulChips:
    """What the chip tracker makes of a table whose chips are known.

    `unsure` is the share of stacks that are reported only as a range, three counts wide.
    """

    def __init__(
        self,
        chips: Chips,
        table: Tabletop,
        places: Mapping[str, Polygon],
        *,
        unsure: float = 0.0,
        seed: int = 0,
    ) -> None:
        self._chips, self._table = chips, table
        self._matrix = table.matrix
        self._tracker = ChipTracker(places)
        self._polygons = dict(places)
        self._unsure = unsure
        self._rng = np.random.default_rng((seed, 6))
        self._known: dict[Pile, SeenChips] = {}

    def watch(self, places: Mapping[str, Polygon]) -> None:
        """Look at other places from now on."""
        self._polygons = dict(places)
        self._tracker.watch(places)

    def look(self, now: float) -> LyingChips:
        """What is where at `now` seconds."""
        self._chips.advance(now)
        covered = set(self._covered(now))
        return self._tracker.update(map(self._seen, self._chips.piles), now, covered)

    def _covered(self, now: float) -> Iterator[str]:
        """The places covered by an arm."""
        for tip, shoulder in self._table.arms(now):
            pixels = self._pixels(along(tip, shoulder))
            for name, polygon in self._polygons.items():
                low, high = polygon.array.min(axis=0), polygon.array.max(axis=0)
                if ((pixels >= low) & (pixels <= high)).all(axis=1).any():
                    yield name

    def _seen(self, pile: Pile) -> SeenChips:
        if pile not in self._known:
            self._known[pile] = self._seen_first(pile)
        return self._known[pile]

    def _seen_first(self, pile: Pile) -> SeenChips:
        count = least = most = pile.count
        if pile.count > 1 and self._rng.random() < self._unsure:
            count += int(self._rng.integers(-1, 2))
            least, most = max(1, count - 1), count + 1
        own = self._chips.own and pile.place[1] is not None
        value = f"{pile.value}{OWN}{pile.place[1]}" if own else str(pile.value)
        return SeenChips(value, count, least, most, SURE, self._ring(pile.at))

    def _ring(self, at: Point) -> NDArray[np.float32]:
        turns = np.arange(CORNERS) * 2 * np.pi / CORNERS
        ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * CHIP_MM / 2 + at
        return self._pixels(ring).astype(np.float32)

    def _pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        uvw = np.column_stack([points, np.ones(len(points))]) @ self._matrix.T
        return np.asarray(uvw[:, :2] / uvw[:, 2:], np.float64)


def along(tip: Point, shoulder: Point, step: float = STEP_MM) -> NDArray[np.float64]:
    """Points (N, 2) covering an arm, `step` mm apart along it."""
    reach = np.subtract(shoulder, tip) / max(dist(tip, shoulder), 1.0)
    ways = np.arange(0.0, max(dist(tip, shoulder), 1.0), step)[:, None, None]
    sides = np.array((-ARM_MM, 0.0, ARM_MM))[:, None]
    across = np.array((-reach[1], reach[0]))
    return np.asarray((ways * reach + sides * across + tip).reshape(-1, 2))
