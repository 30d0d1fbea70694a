"""Round things of a known size: candidates that edges vote for, then fitted to their rims.

Part of a rim may be hidden: every edge votes for the two centres one radius away on either side of
it, so an arc is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame

ANGLES = 48
"""Number of directions in which a round thing is sampled. A choice: a stripe of 20 degrees spans
several."""
CONTRAST = (2.5, 14.0)
"""Limits of the minimum gradient of an edge, in half levels per pixel: on a smooth table and on a
coarse one. A choice; `python -m tests.chips` judges it."""
GRAIN = 2.6
"""Minimum ratio of an edge's gradient to the picture's usual one. A choice; `python -m tests.chips`
judges it."""
SPREAD = 1.3
"""Standard deviation, in pixels, of the votes of one rim around its centre. A choice; `python -m
tests.chips` judges it."""
BLURRED = 5
"""Pixels, each way, over which votes are spread. Follows from `SPREAD`: four times as much."""
VOTES = 0.08
"""Minimum share of a rim that votes for a centre. A choice: chips with less than a third in sight
are not read; `python -m tests.chips` judges it."""
MOST = 400
"""Maximum number of candidates examined. A choice: a table with sixty chips has 150."""
NEAR = 0.3
"""Of candidates closer together than this share of their radius, only the best counts. A choice."""
INSIDE = np.array([0.3, 0.5, 0.7], np.float32)
"""Rings, in radii, whose usual gradient a clear rim must exceed: on coarse cloth anything looks
round. A choice; `python -m tests.chips` judges it."""
ABOVE = 5.0
"""Minimum ratio of a clear rim's gradient to the usual one inside it. A choice; `python -m
tests.chips` judges it."""
QUIET = 0.25
"""Quantile of the gradients inside that counts as the usual one: print and stripes are above it. A
choice; `python -m tests.chips` judges it."""
OUTSIDE = np.array([1.25, 1.4], np.float32)
"""Rings around a round thing, in radii, whose usual gradient a clear rim must exceed as well. A
choice; `python -m tests.chips` judges it."""
ABOVE_OUTSIDE = 3.2
"""Minimum ratio of a clear rim's gradient to the usual one outside it. Half of the edges found
around a ring in pure noise reach 3 times its usual gradient. A choice; the photographs without
chips judge it."""
OFFSETS = np.arange(-0.2, 0.2001, 0.02, dtype=np.float32)
"""Distances from the rim at which its edge is searched for, in radii. A choice: candidates are more
accurate than this."""
CLOSE = 0.045
"""Maximum distance of an edge of the rim from the fitted circle, in radii. A choice: a table tilted
by ten degrees makes ellipses that differ by less."""
TURNS = np.arange(ANGLES, dtype=np.float32) * np.float32(2 * np.pi / ANGLES)
"""The directions, in radians. Follows from `ANGLES`."""
AROUND = np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)
"""Unit vectors of the directions (ANGLES, 2), clockwise from the right. Follows from `TURNS`."""
SOFT_PX = 0.8
"""Standard deviation, in pixels, of the blur applied before gradients are taken. A choice; `python
-m tests.chips` judges it."""
SCHARR = 16.0
"""Half the response of Scharr's filter to a slope of one level a pixel. Follows from its
weights."""
THIN = 1.6
"""Ratio of the upper to the lower threshold when edges are thinned. A choice; `python -m
tests.chips` judges it."""
FAINTER = 0.8
"""Minimum strength of a rim's edge, relative to that of an edge that votes. A choice; `python -m
tests.chips` judges it."""
RESIZED = 0.12
"""Maximum relative change of a radius in one fit. A choice: candidates are closer than this."""
WIDTHS = (0.12, 0.07, 0.08)
"""How far from the rim each fit searches for edges, as standard deviations in radii. A choice;
`python -m tests.chips` judges it."""
FAR_OFF = 0.7
"""Distance, as a share of `CLOSE`, from which an edge has little weight. A choice; `python -m
tests.chips` judges it."""
BAND = 128
"""Rows of a picture whose edges and votes are worked out at once. A choice: it bounds the memory
that this takes, and the answers are the same."""


Slope: TypeAlias = NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """The gradient of the strongest channel at each pixel, `across` and `down`, (h, w) each.

    Thin edges have `places` (N, 2) and unit vectors across them, `normals` (N, 2).
    """

    across: Floats
    down: Floats
    least: float
    """Minimum gradient of an edge in this picture."""
    places: Floats
    normals: Floats

    @classmethod
    def of(cls, picture: Frame) -> Slopes:
        """Take the gradient of a slightly blurred picture (h, w, 3), in half levels per pixel."""
        soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_PX), np.uint8)
        steep = _strongest(soft)
        del soft
        unit = np.float32(1 / SCHARR)
        usual = float(np.median(np.hypot(*(one[::4, ::4] * unit for one in steep))))
        least = float(np.clip(GRAIN * usual, *CONTRAST))
        thin = cv2.Canny(*steep, least * SCHARR, least * SCHARR * THIN, L2gradient=True)
        y, x = np.divmod(np.flatnonzero(thin), thin.shape[1])
        del thin
        across, down = (one * unit for one in steep)
        vectors = np.stack([across[y, x], down[y, x]], axis=1)
        length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-3)
        places = np.stack([x, y], axis=1).astype(np.float32)
        return cls(across, down, least, places, (vectors / length).astype(np.float32))


def _strongest(soft: Frame) -> tuple[Slope, Slope]:
    """The gradients (h, w) across and down of whichever channel is steepest at each pixel."""
    across, down = (np.empty(soft.shape[:2], np.int16) for _ in range(2))
    for rows in _bands(len(soft)):
        # The filter looks one row beyond the band.
        first = max(0, rows.start - 1)
        inner = slice(rows.start - first, rows.stop - first)
        around = soft[first : rows.stop + 1]
        across[rows], down[rows] = (one[inner] for one in _steepest(around))
    return across, down


def _steepest(soft: Frame) -> tuple[Slope, Slope]:
    """The same of one band, with all that it takes."""
    steepest, found = None, []
    for channel in cv2.split(soft):
        ways = [cv2.Scharr(channel, cv2.CV_16S, *way) for way in ((1, 0), (0, 1))]
        across, down = (np.asarray(one, np.int16) for one in ways)
        steep = np.abs(across) + np.abs(down)
        if steepest is None:
            steepest, found = steep, [across, down]
            continue
        for kept, one in zip(found, (across, down), strict=True):
            np.copyto(kept, one, where=steep > steepest)
        steepest = np.maximum(steep, steepest)
    across, down = found
    return across, down


def _bands(high: int) -> Iterator[slice]:
    """The rows of a picture this `high`, `BAND` at a time."""
    for first in range(0, high, BAND):
        yield slice(first, min(high, first + BAND))


@dataclass(frozen=True, slots=True, eq=False)
class Circles:
    """Round things: `centres` (N, 2) and `radii` (N,) in pixels.

    `votes` (N,) is the share of the rim that voted, `rim` (N, ANGLES) says in which directions an
    edge was found, and `clear` (N,) is the share of the rim whose edge stands out from the grain.
    """

    centres: Floats
    radii: Floats
    votes: Floats
    rim: NDArray[np.bool_]
    clear: Floats

    def __len__(self) -> int:
        return len(self.radii)

    def __getitem__(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Circles:
        return Circles(
            self.centres[which], self.radii[which], self.votes[which], self.rim[which],
            self.clear[which],
        )  # fmt: skip

    @property
    def support(self) -> Floats:
        """The share of each rim that shows an edge."""
        return np.asarray(self.rim.mean(axis=1), np.float32)

    def scaled(self, factor: float) -> Circles:
        """The same circles in a picture `factor` times as large."""
        # In both pictures, pixel centres are half a pixel away from pixel corners.
        centres = (self.centres + 0.5) * np.float32(factor) - 0.5
        return replace(self, centres=centres, radii=self.radii * np.float32(factor))

    @classmethod
    def none(cls) -> Circles:
        """No round things."""
        no = np.zeros(0, np.float32)
        return cls(no.reshape(0, 2), no, no, np.zeros((0, ANGLES), np.bool_), no)

    @classmethod
    def joined(cls, parts: Sequence[Circles]) -> Circles:
        """Concatenate several."""
        return cls(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("centres", "radii", "votes", "rim", "clear")
            )
        )


def circles(
    slopes: Slopes,
    radii: Sequence[float],
    *,
    votes: float = VOTES,
    there: NDArray[np.uint8] | None = None,
) -> Circles:
    """Find the round things whose radius in pixels is one of `radii`, or between two of them.

    With `there` (h, w), only those whose centres are inside that mask.
    """
    heights, sizes = _voted(slopes, radii)
    if there is not None:
        heights[there == 0] = 0
    y, x = _tops(heights, max(1, round(NEAR * min(radii))), votes)
    order = np.argsort(-heights[y, x], kind="stable")[:MOST]
    y, x = y[order], x[order]
    centres = np.stack([x, y], axis=1).astype(np.float32)
    found = np.asarray(radii, np.float32)[sizes[y, x]]
    rim = np.zeros((len(x), ANGLES), np.bool_)
    return fitted(slopes, Circles(centres, found, heights[y, x], rim, heights[y, x]))


def _tops(heights: Floats, reach: int, least: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns (N,) at which nothing within `reach`, each way, is higher.

    Only what is as high as the `least`, row by row.
    """
    kernel, found = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8), []
    for rows in _bands(len(heights)):
        first = max(0, rows.start - reach)
        inner = slice(rows.start - first, rows.stop - first)
        around = cv2.dilate(heights[first : rows.stop + reach], kernel)
        here = heights[rows]
        y, x = np.nonzero((here >= around[inner]) & (here >= least))
        found.append((y + rows.start, x))
    y, x = (np.concatenate(one) for one in zip(*found, strict=True))
    return y, x


def _voted(slopes: Slopes, radii: Sequence[float]) -> tuple[Floats, NDArray[np.uint8]]:
    """The largest share of a rim that votes for each pixel, and the index of its radius."""
    high, wide = slopes.across.shape
    heights = np.zeros((high, wide), np.float32)
    sizes = np.zeros((high, wide), np.uint8)
    for rows in _bands(high):
        most, which = heights[rows], sizes[rows]
        for number, radius in enumerate(radii):
            share = _shared(slopes, radius, rows)
            np.copyto(which, number, where=share > most)
            np.maximum(share, most, out=most)
    return heights, sizes


def _shared(slopes: Slopes, radius: float, rows: slice) -> Floats:
    """The share of a rim that votes for each pixel of a band of rows (rows, w)."""
    first = max(0, rows.start - BLURRED)
    around = slice(first, min(len(slopes.across), rows.stop + BLURRED))
    share = _counted(slopes, radius, around).astype(np.float32)
    # A blur that preserves sums, times the area of its bell, counts the votes around a pixel.
    cv2.GaussianBlur(share, (2 * BLURRED + 1,) * 2, SPREAD, dst=share)
    share *= np.float32(SPREAD**2 / radius)
    return share[rows.start - first : rows.stop - first]


def _counted(slopes: Slopes, radius: float, rows: slice) -> NDArray[np.intp]:
    """The number of edges that vote for each pixel of a band of rows (rows, w)."""
    wide = slopes.across.shape[1]
    reach = radius + 1
    # The edges are in the order of their rows, and none votes farther away than one radius.
    near = slice(*np.searchsorted(slopes.places[:, 1], (rows.start - reach, rows.stop + reach)))
    places, normals = slopes.places[near], slopes.normals[near]
    voted = []
    for sign in (1, -1):  # towards the inside and the outside, whichever is brighter
        x, y = (places + np.float32(sign * radius) * normals + np.float32(0.5)).astype(np.int32).T
        inside = (x >= 0) & (y >= rows.start) & (x < wide) & (y < rows.stop)
        voted.append(((y - rows.start) * wide + x)[inside])
    high = rows.stop - rows.start
    return np.bincount(np.concatenate(voted), minlength=high * wide).reshape(high, wide)


def fitted(slopes: Slopes, found: Circles, widths: Sequence[float] = WIDTHS) -> Circles:
    """Move and resize the circles to fit the edges near their rims.

    `widths` are the standard deviations of the search, in radii, one for each of the successive
    fits.
    """
    if not len(found):
        return found
    centres, radii = found.centres.copy(), found.radii.copy()
    rim = found.rim
    inside = _quantile(across_rim(slopes, centres, radii, INSIDE), QUIET)
    outside = _quantile(across_rim(slopes, centres, radii, OUTSIDE), 0.5)
    least = np.maximum(ABOVE * inside, ABOVE_OUTSIDE * outside)[:, None]
    clear = found.clear
    for width in widths:
        offsets, strength = rims(slopes, centres, radii, width)
        change, close = _circle(offsets, strength, slopes.least * FAINTER)
        rim = close
        clear = (close & (strength >= least)).mean(axis=1)
        centres = centres + change[:, 1:] * radii[:, None]
        radii = radii * (1 + np.clip(change[:, 0], -RESIZED, RESIZED))
    return replace(found, centres=centres, radii=radii, rim=rim, clear=clear.astype(np.float32))


def _quantile(strengths: Floats, share: float) -> Floats:
    """The quantile `share` of each row of the strengths (N, …), as (N,)."""
    flat = strengths.reshape(len(strengths), -1)
    place = round(share * (flat.shape[1] - 1))
    return np.asarray(np.partition(flat, place, axis=1)[:, place])


def rims(slopes: Slopes, centres: Floats, radii: Floats, width: float) -> tuple[Floats, Floats]:
    """Find the strongest edge near the rim in each direction.

    Returns its distance from the rim, (N, ANGLES) in radii, and its strength across the rim.
    """
    field = across_rim(slopes, centres, radii, 1 + OFFSETS)
    likely = np.exp(-((OFFSETS / width) ** 2) / 2)[None, :, None]
    best = (field * likely).argmax(axis=1)
    strength = np.take_along_axis(field, best[:, None], axis=1)[:, 0]
    return OFFSETS[best], strength


def across_rim(slopes: Slopes, centres: Floats, radii: Floats, rings: Floats) -> Floats:
    """The radial part of the gradient, as a magnitude (N, rings, ANGLES)."""
    x, y = polar(centres, radii, rings)
    across, down = (
        cv2.remap(one, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        for one in (slopes.across, slopes.down)
    )
    shape = len(radii), len(rings), ANGLES
    radial = across.reshape(shape) * AROUND[:, 0] + down.reshape(shape) * AROUND[:, 1]
    return np.asarray(np.abs(radial), np.float32)


def polar(centres: Floats, radii: Floats, rings: Floats) -> tuple[Floats, Floats]:
    """The pixels on rings around centres, `rings` in radii: x and y, (N * rings, ANGLES) each."""
    reach = np.asarray(radii[:, None] * rings, np.float32)[..., None]
    x, y = (
        (middle.astype(np.float32)[:, None, None] + reach * way).reshape(-1, ANGLES)
        for middle, way in zip(centres.T, AROUND.T, strict=True)
    )
    return x, y


def _circle(offsets: Floats, strength: Floats, least: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Fit each circle to its edges.

    Returns the change of radius and centre (N, 3), in radii, and which of the edges (N, ANGLES)
    belong to the fitted circle.
    """
    design = np.concatenate([np.ones((ANGLES, 1), np.float32), AROUND], axis=1)
    products = (design[:, :, None] * design[:, None]).reshape(ANGLES, 9)
    there = strength >= least
    weights = there.astype(np.float32)
    change = np.zeros((len(offsets), 3), np.float32)
    for _ in range(4):
        normal = (weights @ products).reshape(-1, 3, 3) + 0.5 * np.eye(3)
        right = (weights * offsets) @ design
        change = np.linalg.solve(normal, right[..., None])[..., 0].astype(np.float32)
        away = offsets - change @ design.T
        weights = there / (1 + (away / (CLOSE * FAR_OFF)) ** 2) ** 2
    return change, there & (np.abs(offsets - change @ design.T) <= CLOSE)
