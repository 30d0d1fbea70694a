"""What a whole face looks like: a card cut out straight, and a fingerprint of it to compare.

A `fingerprint` holds the direction of edges and the colour in each part of the face, both
independent of the picture's lighting. Two pictures of one card agree to 0.8 or more; two cards of
one deck to at most 0.7, unless they are as alike as the six and seven of one suit.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.picture.geometry import Floats, Frame

WIDTH, HEIGHT = 64, 96
"""A straightened face's size in pixels. A choice; `python -m tests.teaching` judges it."""
CELL, TURNS = 8, 8
"""The cell size in pixels, and the number of edge directions in the histogram. A choice;
`python -m tests.teaching` judges it."""
COLOUR = 0.75
"""The weight of colours relative to edges. A choice; `python -m tests.teaching` judges it."""
PAPER, DARKEST, BRIGHTEST = 80, 12, 1.3
"""The percentile of a face's levels that is its paper, the least level of paper, and how much
brighter than paper a part may count: a reflection is. A choice; `python -m tests.teaching` judges
it."""
TINT, SOFT = 1.5, 2.5
"""The weight of the two colour differences against brightness, and the parts of a cell by which
it is softened. A choice; `python -m tests.teaching` judges it."""
INNER = 4
"""Pixels ignored along the edge, where the table may show. A choice; `python -m tests.teaching`
judges it."""
SHIFTS = (-0.025, 0.0, 0.025)
"""Corrections of an outline's place, in parts of the card, when a face is compared. A choice;
`python -m tests.teaching` judges it."""
SCALES = (0.965, 1.0, 1.04)
"""Corrections of its size. A choice; `python -m tests.teaching` judges it."""


def straight(frame: Frame, corners: Floats) -> Frame:
    """The card (96, 64, 3) with these `corners` (4, 2), from its upper left, clockwise."""
    longest = float(max(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)))
    times = max(1, round(longest / HEIGHT))
    size = WIDTH * times, HEIGHT * times
    target = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
    wide = cv2.warpPerspective(
        frame, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(
        cv2.resize(wide, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA) if times > 1 else wide,
        np.uint8,
    )


def fingerprint(face: Frame) -> Floats:
    """The fingerprint (D,), of unit length, of a straightened `face` (96, 64, 3)."""
    inner = face[INNER:-INNER, INNER:-INNER].astype(np.float32)
    lit = _even(inner)
    parts = [_edges(lit.mean(axis=2)), COLOUR * _colours(lit)]
    whole = np.concatenate(parts)
    return np.asarray(whole / max(float(np.linalg.norm(whole)), 1e-6), np.float32)


def _even(inner: Floats) -> Floats:
    """Colours as parts of the paper's, which is what most of the brighter half is."""
    paper = np.percentile(inner.reshape(-1, 3), PAPER, axis=0)
    return np.asarray(np.clip(inner / np.maximum(paper, DARKEST), 0, BRIGHTEST), np.float32)


def _edges(grey: Floats) -> Floats:
    """Histograms of directions in overlapping parts, each evened out by its surroundings."""
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strength = np.sqrt(np.hypot(across, down))
    turn = np.mod(np.arctan2(down, across), np.pi) * TURNS / np.pi
    low = np.floor(turn).astype(np.intp)
    part = turn - low
    maps = np.zeros((*grey.shape, TURNS), np.float32)
    rows, columns = np.indices(grey.shape)
    maps[rows, columns, low % TURNS] += strength * (1 - part)
    maps[rows, columns, (low + 1) % TURNS] += strength * part
    return _unit(_pooled(maps))


def _colours(lit: Floats) -> Floats:
    """How far each part is from white, in brightness and in two colour differences."""
    dark = 1 - lit.mean(axis=2)
    warm, green = lit[..., 2] - lit[..., 0], lit[..., 1] - lit[..., [0, 2]].mean(axis=2)
    return _unit(_pooled(np.stack([dark, TINT * warm, TINT * green], axis=2)))


def _pooled(maps: Floats) -> Floats:
    """(D,): the mean of each part, soft at its borders."""
    soft = cv2.GaussianBlur(maps, (0, 0), CELL / SOFT)
    return np.asarray(soft[CELL // 2 :: CELL, CELL // 2 :: CELL].ravel(), np.float32)


def _unit(values: Floats) -> Floats:
    result: Floats = values / np.float32(max(float(np.linalg.norm(values)), 1e-6))
    return result


def looks(frame: Frame, corners: Floats) -> Floats:
    """Fingerprints (L, D) of a card cut out by `corners` (4, 2) and by likely corrections."""
    return np.stack([fingerprint(straight(frame, moved)) for moved in _corrected(corners)])


def _corrected(corners: Floats) -> Iterator[Floats]:
    """The outline itself, shifted along either side, and made smaller or larger."""
    middle = corners.mean(axis=0)
    right = corners[1] - corners[0]
    down = corners[3] - corners[0]
    for scale in SCALES:
        yield middle + (corners - middle) * np.float32(scale)
    for shift in SHIFTS:
        if shift:
            yield corners + right * np.float32(shift)
            yield corners + down * np.float32(shift)
