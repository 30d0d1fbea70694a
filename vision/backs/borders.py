"""The borders of cards at many places at once: where levels rise across them.

What the picture shows along a border does not depend on what lies over the card; only whether it is
the card's own border does. So it is measured once, and evaluated again whenever more is known to
lie there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from vision.backs.poses import CORNERS, Bare, Bools, Dots, Poses, counted
from vision.picture.geometry import Floats

RISE = 5.0
"""Minimum rise of an edge in levels over two dots, in one colour. A choice;
`python -m tests.face_down` judges it."""
STEEP = 60.0
"""Rise in levels over two dots beyond which an edge is no clearer. A choice;
`python -m tests.face_down` judges it."""
ALONG = 0.09
"""Share left out at either end of a side for the rounded corner. A choice;
`python -m tests.face_down` judges it."""
OUTWARD = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], np.float32)
"""Outward directions of a card's sides, starting with the upper one. Follows from the order of its
corners."""
BESIDE = 3.0
"""Distance in dots beyond a side at which the heap has ended if the side is on its outline. A
choice; `python -m tests.face_down` judges it."""
FEWEST = 4
"""Minimum number of visible points of a side needed to judge whether it shows an edge. A choice."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How closely the borders of cards are examined.

    `counts` are the points on a short and on a long side; `offsets` the distances in dots from the
    side at which edges are measured.
    """

    counts: tuple[int, int]
    offsets: tuple[float, ...]


AT_FIRST = Look((9, 13), (-1.0, 0.0, 1.0))
"""Sampling while places are searched. A choice; `python -m tests.face_down` judges it."""
CLOSELY = Look((20, 28), (-1.0, 0.0, 1.0))
"""Sampling of a card that is nearly in place. A choice; `python -m tests.face_down` judges it."""
EXACTLY = Look((20, 28), (-0.5, 0.0, 0.5))
"""Sampling of a card that was fitted to its edges. A choice; `python -m tests.face_down` judges it.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The points along the sides of N cards.

    `steep` (N, K) is how steeply levels rise across each; `bare` (N, K) whether nothing lies over
    it; `outer` (N, K) whether it is on the border of the heap.
    """

    steep: Floats
    bare: Bools
    outer: Bools
    counts: tuple[int, int]

    @property
    def shares(self) -> Floats:
        """The share (N,) of the bare points that shows an edge."""
        return share(self.steep >= RISE, self.bare)

    @property
    def bordered(self) -> Floats:
        """The share (N,) of the bare points that are on the border of the heap."""
        return share(self.outer, self.bare)

    @property
    def each(self) -> Floats:
        """The share of edge points on each of the four sides (N, 4); NaN if hardly any are bare."""
        ends = np.cumsum([0, *self.counts, *self.counts])
        edge, found = self.steep >= RISE, []
        for start, end in pairwise(ends):
            bare = self.bare[:, start:end]
            shown = share(edge[:, start:end], bare)
            found.append(np.where(bare.sum(axis=1) >= FEWEST, shown, np.nan))
        return np.asarray(np.stack(found, 1), np.float32)

    @property
    def least(self) -> Floats:
        """The share (N,) for the side that shows the least edge."""
        return np.asarray(np.nan_to_num(self.each, nan=1.0).min(axis=1), np.float32)

    @property
    def faintest(self) -> Floats:
        """The mean steepness (N,), in levels over two dots, of the side where it is least."""
        ends = np.cumsum([0, *self.counts, *self.counts])
        means = [self.steep[:, start:end].mean(axis=1) for start, end in pairwise(ends)]
        return np.asarray(np.stack(means, 1).min(axis=1), np.float32)

    def strength(self, steepest: float = STEEP) -> Floats:
        """The mean steepness of the edges (N,), in units of `STEEP`, each capped at `steepest`."""
        level = np.minimum(self.steep, np.float32(steepest)) * self.bare
        count = np.maximum(self.bare.sum(axis=1), 1)
        return np.asarray(level.sum(axis=1) / count / STEEP, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Borders:
    """What the picture shows along the sides of N cards, regardless of what lies over them.

    `dots` (N, K) are the dots into which the points fall; `steep` (N, K) how steeply levels rise
    there; `outer` (N, K) which are on the heap's own border.
    """

    dots: Dots
    steep: Floats
    outer: Bools
    counts: tuple[int, int]

    @classmethod
    def of(cls, poses: Poses, look: Look = AT_FIRST) -> Borders:
        """The borders of cards at these places."""
        parts = [cls._of_some(some, look) for some in poses.parts()]
        if len(parts) == 1:
            return parts[0]
        dots, steep, outer = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("dots", "steep", "outer")
        )
        return cls(dots, steep, outer, look.counts)

    @classmethod
    def _of_some(cls, poses: Poses, look: Look) -> Borders:
        points, ways = border(look.counts)
        at, out = poses.places(points), poses.turned(ways)
        steep = np.zeros(at.right.shape, np.float32)
        for offset in look.offsets:
            dots = at.beside(out, offset).dots(poses.sheet.heap)
            for right, down in poses.sheet.rises:
                rise = right.take(dots) * out.right
                rise += down.take(dots) * out.down
                np.maximum(steep, np.abs(rise, out=rise), out=steep)
        beyond = at.beside(out, BESIDE).of(poses.sheet.heap | poses.sheet.open_to)
        return cls(at.dots(poses.sheet.heap), steep, beyond == 0, look.counts)

    def chosen(self, which: Sequence[int] | Bools) -> Borders:
        """The borders of only these cards."""
        return Borders(self.dots[which], self.steep[which], self.outer[which], self.counts)

    def beside(self, bare: Bare) -> Sides:
        """Their visible part."""
        shown = bare.border.reshape(-1).take(self.dots) > 0
        return Sides(self.steep, shown, self.outer, self.counts)


def sides_of(poses: Poses, bare: Bare, look: Look = AT_FIRST) -> Sides:
    """What the picture shows along the sides of cards, as far as they are `bare`."""
    return Borders.of(poses, look).beside(bare)


def share(these: Bools, bare: Bools) -> Floats:
    """The share (N,) of the bare points (N, K) that are among these."""
    return np.asarray(counted(these & bare) / np.maximum(counted(bare), 1), np.float32)


@lru_cache(maxsize=8)
def border(counts: tuple[int, int]) -> tuple[Floats, Floats]:
    """Points (K, 2) along the sides of a card, and the outward direction (K, 2) at each.

    There are `counts` on short and long sides, in shares of the sides from the centre.
    """
    points, ways = [], []
    for side, (start, end) in enumerate(pairwise([*CORNERS, CORNERS[0]])):
        along = np.linspace(ALONG, 1 - ALONG, counts[side % 2], dtype=np.float32)[:, None]
        points.append(start + (end - start) * along)
        ways.append(np.repeat(OUTWARD[side : side + 1], len(along), axis=0))
    return np.concatenate(points), np.concatenate(ways)
