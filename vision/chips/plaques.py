"""Plaques of known sizes: candidates that the edges of their four sides vote for, then fitted.

A plaque may lie at any angle, and part of it may be hidden. At each of a few angles, the edges
along its long and its short sides are counted where the sides of a plaque around each place would
be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, Circles, Slopes
from vision.chips.contours import Contour, turned
from vision.picture.geometry import Floats, lengths

BINS = 30
"""Number of angles tried in half a turn. A choice: at three degrees off, the end of a side of 35
pixels is two pixels away."""
ALONG = np.radians(7.0)
"""Maximum angle between an edge and the side it counts for, in radians. A choice: half a bin, and
what grain turns an edge by."""
CELL = 3.0
"""Size of the cells in which edges are counted, in pixels. A choice: the error of an angle."""
COARSE = 1.06
"""Ratio of sizes for which the same votes are good enough. A choice: half of it moves a side by a
pixel."""
VOTES = 0.36
"""Minimum share of the four sides that show an edge. A choice: a plaque half under another shows
three fifths of them; `python -m tests.chips` judges it."""
ROUGHLY = 0.1
"""Minimum share of a contour that shows an edge where it was voted for. A choice: a green
plaque on green cloth shows little before it is fitted well."""
MOST = 240
"""Maximum number of candidates of one size that are fitted. A choice: more than lie on a table."""
NEAR, TURNED = 0.1, np.radians(5.0)
"""Of candidates closer than this share of the short side and turned by less than this, in radians,
only the best counts. A choice."""
REACH_PX = 5.0
"""How far from its expected place a side is searched for, in pixels. A choice: two and a half
cells."""
STEP_PX = 0.4
"""Distance between the places searched, in pixels. A choice: edges are two pixels wide."""
WIDTHS_PX = (2.5, 1.3, 1.3)
"""Standard deviations of the successive searches, in pixels. A choice: a cell, then its half."""
CLOSE_PX = 0.9
"""Maximum distance of an edge from the fitted contour, in pixels. A choice: as for circles of 18
pixels."""
FACING = 0.9
"""Minimum cosine of the angle between an edge's normal and a side's for it to belong to that side
rather than to a rounded corner. A choice: 26 degrees, of the 90 of a corner."""
EQUAL_PX = 1.5
"""Distance between the centres of plaques, in pixels, below which they are one. A choice: the error
of two fits."""
FAR_OFF = 0.7
"""Distance, as a share of `CLOSE_PX`, from which an edge has little weight. A choice, as for
circles."""
GROWN = 0.008
"""Standard deviation of a plaque's size relative to the one that it is fitted at. A choice: half
the distance between two of those; a frame printed inside the edge is no plaque of that size."""
FAINTER = 0.8
"""Minimum strength of a side's edge, relative to that of an edge that votes. A choice, as for
circles."""
INSIDE, OUTSIDE = (0.5, 0.65, 0.8), (1.2, 1.35)
"""Rings, relative to the contour, whose usual gradient a clear side must exceed. A choice, as for
circles."""
ABOVE, ABOVE_OUTSIDE, QUIET = 4.0, 3.2, 0.25
"""Minimum ratios of a clear side's gradient to the usual ones inside and outside, and the quantile
that is usual inside. A choice, as for circles."""
ACROSS = 0.8
"""Distance from a plaque's end to the middle of the last disc that covers it, in halves of the
short side. A choice: with their halo, such discs reach its corners."""
LOOSE = (0.05, 0.05, 0.02, 1e-3)
"""Weights that hold a plaque in place, in edges per squared pixel: across, down, turned, grown. A
choice: they matter only for unseen parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Plaques:
    """Things with the contour of a plaque, in pixels.

    `shapes` (N,) are the indices of their `contours`, which `scales` (N,) enlarge; `centres`
    (N, 2) and `turns` (N,) in radians say where they lie. `votes` (N,) is the share of the sides
    that voted, `rim` (N, ANGLES) says where an edge was found, and `clear` (N,) is the share of
    edges that stand out from the grain. Of those that are `framed` (N,) these edges are not the
    contour's, but those of the frame printed on it.
    """

    contours: tuple[Contour, ...]
    shapes: NDArray[np.intp]
    centres: Floats
    turns: Floats
    scales: Floats
    votes: Floats
    rim: NDArray[np.bool_]
    clear: Floats
    framed: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.shapes)

    def __getitem__(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Plaques:
        parts = (getattr(self, one.name)[which] for one in fields(self)[1:])
        return Plaques(self.contours, *parts)

    @classmethod
    def none(cls, contours: Sequence[Contour]) -> Plaques:
        """No things of these contours."""
        no = np.zeros(0, np.float32)
        return cls.at(
            contours, np.zeros(0, np.intp), no.reshape(0, 2), turns=no, scales=no, votes=no
        )

    @classmethod
    def at(
        cls, contours: Sequence[Contour], shapes: NDArray[np.intp], centres: Floats,
        *, turns: Floats, scales: Floats, votes: Floats,
    ) -> Plaques:  # fmt: skip
        """Things whose edges are not known yet."""
        rim = np.zeros((len(shapes), ANGLES), np.bool_)
        none = np.zeros(len(shapes), np.bool_)
        return cls(tuple(contours), shapes, centres, turns, scales, votes, rim, votes, none)

    @classmethod
    def joined(cls, parts: Sequence[Plaques]) -> Plaques:
        """Concatenate several of the same contours."""
        return cls(
            parts[0].contours,
            *(
                np.concatenate([getattr(part, one.name) for part in parts])
                for one in fields(cls)[1:]
            ),
        )

    @property
    def support(self) -> Floats:
        """The share of each contour that shows an edge."""
        return np.asarray(self.rim.mean(axis=1), np.float32)

    @property
    def arms(self) -> Floats:
        """The contours (N, ANGLES, 2), from each centre."""
        every = np.stack([one.places for one in self.contours])[self.shapes]
        return turned(every * self.scales[:, None, None], self.turns)

    @property
    def normals(self) -> Floats:
        """Unit vectors (N, ANGLES, 2) out of each contour."""
        return turned(np.stack([one.normals for one in self.contours])[self.shapes], self.turns)

    @property
    def straight(self) -> NDArray[np.bool_]:
        """Which directions (N, ANGLES) are on no corner."""
        return np.stack([one.straight for one in self.contours])[self.shapes]

    @property
    def radii(self) -> Floats:
        """Half of each short side (N,)."""
        short = np.array([min(one.sides) / 2 for one in self.contours], np.float32)
        return np.asarray(short[self.shapes] * self.scales, np.float32)

    @property
    def octagons(self) -> Floats:
        """The contours as eight points each, (N, 8, 2)."""
        every = np.stack([one.octagon for one in self.contours])[self.shapes]
        return turned(every * self.scales[:, None, None], self.turns) + self.centres[:, None]

    @property
    def periods(self) -> Floats:
        """The angle (N,) in radians by which each may be turned and be the same."""
        every = np.array([2 * np.pi / len(one.turns) for one in self.contours], np.float32)
        return np.asarray(every[self.shapes], np.float32)

    @property
    def as_circles(self) -> Circles:
        """The largest circles inside them."""
        return Circles(self.centres, self.radii, self.votes, self.rim, self.clear)

    @property
    def discs(self) -> Floats:
        """Discs that together cover them: centre and radius (M, 3)."""
        told = []
        for number, radius in enumerate(self.radii.tolist()):
            long, short = (side / 2 for side in self.contours[self.shapes[number]].sides)
            steps = np.linspace(-1, 1, 2 * ceil(long / short) + 1) * (long / short - ACROSS)
            way = np.array([np.cos(self.turns[number]), np.sin(self.turns[number])])
            places = self.centres[number] + (steps * radius)[:, None] * way
            told.append(np.column_stack([places, np.full(len(steps), radius)]))
        return np.asarray(np.concatenate([np.zeros((0, 3)), *told]), np.float32)

    def scaled(self, factor: float) -> Plaques:
        """The same in a picture `factor` times as large."""
        centres = (self.centres + 0.5) * np.float32(factor) - 0.5
        return replace(self, centres=centres, scales=self.scales * np.float32(factor))


def plaques(slopes: Slopes, contours: Sequence[Contour], sizes: Sequence[float]) -> Plaques:
    """Find what has one of the `contours`, whose sides are in pixels, at one of the `sizes`.

    These are relative to the contours', as a stack is nearer and the scale may be uncertain.
    """
    if not contours or not len(slopes.places):
        return Plaques.none(contours)
    found, rough, last = [Plaques.none(contours)], Plaques.none(contours), 0.0
    for size in sorted(sizes):
        if size > last * COARSE**0.5:
            last = size * COARSE**0.5
            rough = _roughly(slopes, contours, last)
        scales = np.full(len(rough), size, np.float32)
        found.append(replace(rough, scales=scales))
    return distinct(fitted(slopes, Plaques.joined(found)))


def _roughly(slopes: Slopes, contours: Sequence[Contour], size: float) -> Plaques:
    """What is worth fitting at sizes near one."""
    found = fitted(slopes, voted(slopes, contours, size), WIDTHS_PX[:1])
    return found[found.support >= ROUGHLY]


def voted(
    slopes: Slopes, contours: Sequence[Contour], size: float, least: float = VOTES
) -> Plaques:
    """Where plaques of one size may lie: at least that share of their sides shows an edge."""
    parts = []
    for number, one in enumerate(contours):
        sides = one.sides[0] * size, one.sides[1] * size
        period = 2 * np.pi / len(one.turns)
        x, y, turns, votes = _voted(slopes, sides, period, least).T.astype(np.float32)
        shapes, scales = np.full(len(x), number, np.intp), np.full(len(x), size, np.float32)
        places = np.stack([x, y], axis=1)
        parts.append(Plaques.at(contours, shapes, places, turns=turns, scales=scales, votes=votes))
    return Plaques.joined(parts)


def _voted(
    slopes: Slopes, sides: tuple[float, float], period: float, least: float
) -> NDArray[np.float64]:
    """Where a plaque may lie that is the same once turned by a `period` in radians: x, y, turn in
    radians and the share of its sides (N, 4)."""
    steps = round(BINS * period / np.pi)
    found = [_at_angle(slopes, sides, np.pi * step / BINS, least) for step in range(steps)]
    every = np.concatenate(found)
    every = every[np.argsort(-every[:, 3], kind="stable")]
    kept: list[int] = []
    for number in range(len(every)):
        away = np.linalg.norm(every[kept, :2] - every[number, :2], axis=1)
        aside = np.abs((every[kept, 2] - every[number, 2] + period / 2) % period - period / 2)
        if not ((away < NEAR * min(sides)) & (aside < TURNED)).any():
            kept.append(number)
        if len(kept) == MOST:
            break
    return every[kept]


def _at_angle(
    slopes: Slopes, sides: tuple[float, float], turn: float, fewest: float
) -> NDArray[np.float64]:
    """The same for one angle of its long sides."""
    cosine, sine = np.cos(turn), np.sin(turn)
    axes = np.array([[cosine, -sine], [sine, cosine]], np.float32)
    places, normals = slopes.places @ axes, np.abs(slopes.normals @ axes)
    long, short = sides
    margin = ceil(long / 2 / CELL) + 2
    low = places.min(axis=0)
    cells = ((places - low) / np.float32(CELL) + np.float32(margin + 0.5)).astype(np.intp)
    wide, high = (cells.max(axis=0) + margin + 1).tolist()
    # A line of edges has fewer pixels than it is long, unless it is level or upright.
    dense = max(abs(cosine), abs(sine))
    shares = []
    for axis, side in ((1, long), (0, short)):
        some = cells[normals[:, axis] >= np.cos(ALONG)]
        count = np.bincount(some[:, 1] * wide + some[:, 0], minlength=wide * high)
        field = count.reshape(high, wide).astype(np.float32)
        thick, length = (1, 3), (round(side / CELL), 1)
        if not axis:
            thick, length = thick[::-1], length[::-1]
        summed = cv2.boxFilter(field, -1, thick, normalize=False, borderType=cv2.BORDER_CONSTANT)
        # Many edges at one place show no more of a side than one.
        there = np.minimum(summed * np.float32(1 / (CELL * dense)), np.float32(1.0))
        shares.append(cv2.boxFilter(there, -1, length, borderType=cv2.BORDER_CONSTANT))
    across, down = round(long / 2 / CELL), round(short / 2 / CELL)
    level, steep = shares
    level *= np.float32(long / (2 * (long + short)))
    steep *= np.float32(short / (2 * (long + short)))
    # There is room for half a plaque beside the outermost edges.
    votes = np.zeros_like(level)
    votes[down:] += level[:-down]
    votes[:-down] += level[down:]
    votes[:, across:] += steep[:, :-across]
    votes[:, :-across] += steep[:, across:]
    reach = 2 * max(1, round(NEAR * short / CELL)) + 1
    tops = cv2.dilate(votes, np.ones((reach, reach), np.uint8))
    y, x = np.nonzero(votes >= np.maximum(tops, np.float32(fewest)))
    middles = (np.stack([x, y], axis=1) - margin) * CELL + low
    there = middles @ axes.T
    return np.column_stack([there, np.full(len(x), turn), votes[y, x]])


def fitted(
    slopes: Slopes,
    found: Plaques,
    widths: Sequence[float] = WIDTHS_PX,
    shown: Callable[[Plaques], NDArray[np.bool_]] | None = None,
) -> Plaques:
    """Move, turn and resize plaques to fit the edges near their contours.

    If it is known which directions (N, ANGLES) of some plaques are `shown`, only these count.
    """
    if not len(found):
        return found
    offsets = np.arange(-REACH_PX, REACH_PX + STEP_PX / 2, STEP_PX, dtype=np.float32)
    rim, strength = found.rim, found.rim.astype(np.float32)
    before = found
    for width in widths:
        likely = np.exp(-((offsets / width) ** 2) / 2)[None, :, None]
        field = _across(slopes, found, offsets)
        best = (field * likely).argmax(axis=1)
        strength = np.take_along_axis(field, best[:, None], axis=1)[:, 0]
        there = strength >= slopes.least * FAINTER
        used = there & shown(found) if shown is not None else there
        change, close = _pose(found, offsets[best], used)
        rim = close & there
        moved = replace(
            found,
            centres=found.centres + change[:, :2],
            turns=found.turns + change[:, 2],
            scales=found.scales * (1 + change[:, 3]),
            rim=rim,
        )
        before, found = found, moved
    clear = rim & (strength >= _least(slopes, before)[:, None])
    own = np.zeros(len(found), np.bool_)
    return replace(found, clear=clear.mean(axis=1).astype(np.float32), framed=own)


def sides_of(slopes: Slopes, found: Plaques) -> Floats:
    """How much longer (N, 2) the longer and the shorter side are than those of the contours."""
    offsets = np.arange(-REACH_PX, REACH_PX + STEP_PX / 2, STEP_PX, dtype=np.float32)
    field = _across(slopes, found, offsets)
    likely = np.exp(-((offsets / WIDTHS_PX[0]) ** 2) / 2)[None, :, None]
    off = offsets[(field * likely).argmax(axis=1)]
    faces = np.stack([one.normals for one in found.contours])[found.shapes]
    told = []
    for axis in (0, 1):
        ends = [np.where(way * faces[..., axis] > FACING, off, np.nan) for way in (1, -1)]
        told.append(sum(np.nanmedian(end, axis=1) for end in ends))
    return np.asarray(np.stack(told, axis=1), np.float32)


def _across(slopes: Slopes, found: Plaques, offsets: Floats) -> Floats:
    """The gradient out of each contour at these `offsets` in pixels, (N, offsets, ANGLES)."""
    normals = found.normals
    places = (found.centres[:, None] + found.arms)[:, None] + offsets[:, None, None] * normals[
        :, None
    ]
    return _steep(slopes, places, normals)


def _steep(slopes: Slopes, places: Floats, normals: Floats) -> Floats:
    """The gradient (N, R, ANGLES) along unit `normals` (N, ANGLES, 2) at places (N, R, ANGLES,
    2)."""
    x, y = (
        np.ascontiguousarray(places[..., axis].reshape(len(places), -1), np.float32)
        for axis in (0, 1)
    )
    across, down = (
        cv2.remap(one, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).reshape(
            places.shape[:-1]
        )
        for one in (slopes.across, slopes.down)
    )
    steep = across * normals[:, None, :, 0] + down * normals[:, None, :, 1]
    return np.asarray(np.abs(steep), np.float32)


def _least(slopes: Slopes, found: Plaques) -> Floats:
    """The gradient (N,) that a clear side has at least."""
    told = []
    for rings, share in ((INSIDE, QUIET), (OUTSIDE, 0.5)):
        places = found.centres[:, None, None] + (
            np.array(rings, np.float32)[:, None, None] * found.arms[:, None]
        )
        steep = _steep(slopes, places, found.normals).reshape(len(found), -1)
        told.append(np.quantile(steep, share, axis=1))
    return np.asarray(np.maximum(ABOVE * told[0], ABOVE_OUTSIDE * told[1]), np.float32)


def design(arms: Floats, normals: Floats) -> Floats:
    """How far out each direction (N, ANGLES, 4) moves if a plaque is moved across or down by a
    pixel, turned by a radian, or grown to twice its size."""
    turning = normals[..., 1] * arms[..., 0] - normals[..., 0] * arms[..., 1]
    growing = (normals * arms).sum(axis=-1)
    return np.concatenate([normals, turning[..., None], growing[..., None]], axis=-1)


def _pose(
    found: Plaques, offsets: Floats, there: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """The change of centre, turn and scale (N, 4) that fits edges at these `offsets` (N, ANGLES),
    and which directions are on the fitted contour; only edges that are `there` (N, ANGLES) count.
    """
    ways = design(found.arms, found.normals)
    used = there & found.straight
    size = found.radii[:, None]
    held = np.concatenate(
        [np.tile(LOOSE[:2], (len(found), 1)), LOOSE[2] * size**2, 1 / GROWN**2 + 0 * size], axis=1
    )
    weights = used.astype(np.float32)
    change, away = np.zeros((len(found), 4), np.float32), offsets
    prior = held[:, None] * np.eye(4)
    for _ in range(4):
        weighted = (ways * weights[..., None]).transpose(0, 2, 1)
        right = weighted @ offsets[..., None]
        change = np.linalg.solve(weighted @ ways + prior, right)[..., 0].astype(np.float32)
        away = offsets - (ways @ change[..., None])[..., 0]
        weights = (used / (1 + (away / (CLOSE_PX * FAR_OFF)) ** 2) ** 2).astype(np.float32)
    return change, np.asarray(np.abs(away) <= CLOSE_PX, np.bool_)


def distinct(found: Plaques) -> Plaques:
    """The plaques, without those equal to another that shows more of its contour."""
    if len(found) < 2:
        return found
    away = lengths(np.asarray(found.centres[:, None] - found.centres[None], np.float32))
    period = found.periods[:, None]
    aside = np.abs((found.turns[:, None] - found.turns[None] + period / 2) % period - period / 2)
    equal = (away < EQUAL_PX) & (aside < TURNED / 3) & (found.shapes[:, None] == found.shapes[None])
    rank = np.empty(len(found), np.intp)
    rank[np.argsort(-found.support, kind="stable")] = np.arange(len(found))
    return found[~(equal & (rank[None] < rank[:, None])).any(axis=1)]
