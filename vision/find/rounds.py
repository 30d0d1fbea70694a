"""Round things that are no cards: chips, coins and counters, told apart before the finder looks.

A table with sixty chips is as eventful as one with sixty cards. What is round and smaller than a
card is neither a card nor part of one: nothing printed on a card is as large and as round without
the card's edge being in sight around it. So a group of things of which nothing is left but round
ones is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame

RADII_MM = (14.0, 23.5)
"""The radii of chips and coins that are passed over, in millimetres. Follows from the usual sizes:
30 to 45 mm across, with some room for a scale that is not quite known."""
FINER = 1.16
"""By which factor the radii that are tried differ. A choice: a cell at eight cells."""
SLOPE = 130
"""What counts as an edge, in Scharr's filter on averaged pixels: a step of eight levels. A choice:
less than what makes a place eventful."""
STRONGER = 1.6
"""By how much a thin edge's strongest place exceeds that. A choice, as in `vision.chips`."""
SPREAD = 1.0
"""Spread of the votes of one rim around its middle, in averaged pixels. A choice: a rim is right to
a pixel."""
VOTED = 0.28
"""The least share of a rim that votes for its middle. A choice: from 0.28 down nearly all drawn
chips of the development sets are found, and nothing else; `python -m tests.benchmarks chips` judges
it."""
RIM = 2.5
"""How far beyond the rim, in averaged pixels, all is the round thing's: a place is eventful up to
two of them from an edge. Follows from `ground.WINDOW` and a pixel's blur."""
THIN = 5
"""What is left of a group, eventful places narrower than this, in averaged pixels, are its shadow
or its side. Follows from `ground.WINDOW`: any edge makes places eventful that are as wide."""

Mask: TypeAlias = NDArray[np.uint8]
Slope: TypeAlias = NDArray[np.int16]


def without_rounds(eventful: Mask, small: Frame, px_per_mm: float) -> Mask:
    """The `eventful` places (h, w) of an averaged picture (h, w, 3), without the groups in which
    nothing but round things of a chip's size lies; a millimetre is `px_per_mm` averaged pixels.
    """
    radii = _between(*(one * px_per_mm for one in RADII_MM))
    centres, found = _discs(small, radii)
    if not len(found):
        return eventful
    rest = eventful.copy()
    for (x, y), radius in zip(centres.tolist(), found.tolist(), strict=True):
        cv2.circle(rest, (x, y), round(radius + RIM), (0,), -1)
    core = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((THIN + 1, THIN + 1), np.uint8))
    count, labels = cv2.connectedComponents(eventful, connectivity=8)
    groups = np.asarray(labels, np.int32)
    passed = np.bincount(groups[eventful > rest], minlength=count) > 0
    passed &= np.bincount(groups[core > 0], minlength=count) == 0
    return np.where(passed[groups], np.uint8(0), eventful)


def _between(low: float, high: float) -> list[float]:
    """Radii from one to another, each larger by a factor."""
    count = max(2, round(np.log(high / low) / np.log(FINER)) + 1)
    return [float(one) for one in np.geomspace(low, high, count)]


def _discs(small: Frame, radii: Sequence[float]) -> tuple[NDArray[np.intp], Floats]:
    """The middles (N, 2) and radii (N,) of round things, in pixels."""
    heights, sizes = _voted(*_edges(small), small.shape[:2], radii)
    reach = 2 * max(1, round(radii[0] / 2)) + 1
    tops = cv2.dilate(heights, np.ones((reach, reach), np.uint8))
    y, x = np.nonzero((heights >= tops) & (heights >= VOTED))
    return np.stack([x, y], axis=1), np.asarray(radii, np.float32)[sizes[y, x]]


def _edges(small: Frame) -> tuple[NDArray[np.intp], Floats]:
    """The places (N, 2) of thin edges, and the unit vectors (N, 2) across them."""
    across, down = _slopes(small)
    thin = cv2.Canny(across, down, SLOPE, SLOPE * STRONGER, L2gradient=True)
    y, x = np.nonzero(thin)
    ways = np.stack([across[y, x], down[y, x]], axis=1).astype(np.float32)
    length = np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1.0)
    return np.stack([x, y], axis=1), np.asarray(ways / length, np.float32)


def _slopes(small: Frame) -> tuple[Slope, Slope]:
    """The slopes (h, w) across and down of the channel in which they are strongest."""
    steepest, found = None, []
    for channel in cv2.split(small):
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


def _voted(
    places: NDArray[np.intp], ways: Floats, shape: tuple[int, int], radii: Sequence[float]
) -> tuple[Floats, Mask]:
    """The largest share of a rim that votes for each place (h, w), and the number of its radius."""
    high, wide = shape
    heights, sizes = np.zeros(shape, np.float32), np.zeros(shape, np.uint8)
    for number, radius in enumerate(radii):
        far = np.float32(radius) * ways
        voted = np.rint(np.concatenate([places + far, places - far])).astype(np.intp)
        x, y = voted.T
        inside = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
        votes = np.bincount((y * wide + x)[inside], minlength=high * wide)
        field = votes.reshape(shape).astype(np.float32)
        # A blur that keeps sums, times the area of its bell, counts the votes around each place.
        share = cv2.GaussianBlur(field, (0, 0), SPREAD) * np.float32(SPREAD**2 / radius)
        np.copyto(sizes, number, where=share > heights)
        heights = np.maximum(share, heights)
    return heights, sizes
