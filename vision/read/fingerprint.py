"""What a whole face looks like: a card cut out straight, and a fingerprint of it to compare.

A `fingerprint` holds the direction of edges and the colour in each part of the face, both
independent of the picture's lighting. Two pictures of one card agree to 0.8 or more; two cards of
one deck to at most 0.7, unless they are as alike as the six and seven of one suit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

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
ACROSS, DOWN = (WIDTH - 2 * INNER) // CELL, (HEIGHT - 2 * INNER) // CELL
"""The cells of a fingerprint: 7 in each of 11 rows. Follows from its size."""
CELLS = ACROSS * DOWN
SHADE = 5
"""Pixels beside a card that lies over this one in which its edge and shadow show. A choice;
`python -m tests.italian_decks` judges it."""
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


Cells = NDArray[np.bool_]
"""Which cells (77,) of a face are in sight."""


def fingerprint(face: Frame, visible: Cells | None = None) -> Floats:
    """The fingerprint (D,), of unit length, of a straightened `face` (96, 64, 3).

    Of a card partly under others only the `visible` cells count.
    """
    inner = face[INNER:-INNER, INNER:-INNER].astype(np.float32)
    lit = _even(inner, visible)
    edges, colours = _pooled(_edges(lit.mean(axis=2))), _pooled(_colours(lit))
    return np.asarray(_weighted(edges, colours, visible)[0], np.float32)


def seen_through(prints: Floats, visible: Cells) -> Floats:
    """Fingerprints (N, D) of whole faces as they are where only some cells are in sight."""
    edges = prints[:, : CELLS * TURNS].reshape(len(prints), CELLS, TURNS)
    colours = prints[:, CELLS * TURNS :].reshape(len(prints), CELLS, -1)
    return _weighted(edges, colours, visible)


@dataclass(frozen=True, slots=True, eq=False)
class BothWays:
    """Fingerprints (N, D) of whole faces, as they are and turned half round, to compare many looks
    with."""

    parts: tuple[Floats, Floats]
    """Edges (2N, 616) and colours (2N, 231)."""
    powers: tuple[Floats, Floats]
    """The squares of each cell's edges and colours (2N, 77)."""

    @classmethod
    def of(cls, prints: Floats) -> BothWays:
        """Those fingerprints, and what they are upside down: directions of edges stay."""
        cut = CELLS * TURNS
        shaped = [part.reshape(len(prints), CELLS, -1) for part in np.split(prints, [cut], axis=1)]
        both = [np.concatenate([part, part[:, ::-1]]) for part in shaped]
        powers = [np.asarray((part**2).sum(axis=2), np.float32) for part in both]
        flat = [np.asarray(part.reshape(len(part), -1), np.float32) for part in both]
        return cls((flat[0], flat[1]), (powers[0], powers[1]))

    def best(self, look: Floats, visible: Cells | None) -> float:
        """How well a look (D,) at the `visible` cells agrees with the face that is most like it."""
        seen = np.ones(CELLS, np.float32) if visible is None else visible.astype(np.float32)
        cut = CELLS * TURNS
        agreed = np.zeros(len(self.parts[0]), np.float32)
        for part, power, shown, weight in zip(
            self.parts, self.powers, (look[:cut], look[cut:]), (1.0, COLOUR), strict=True
        ):
            agreed += weight * (part @ shown) / np.maximum(np.sqrt(power @ seen), 1e-6)
        return float(agreed.max() / np.hypot(1.0, COLOUR))


def in_sight(corners: Floats, over: Sequence[Floats]) -> Cells:
    """The cells of the card with these `corners` (4, 2) that the cards `over` it leave in sight."""
    face = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), face)
    hidden = np.zeros((HEIGHT, WIDTH), np.uint8)
    for other in over:
        moved = cv2.perspectiveTransform(np.asarray(other, np.float32)[None], matrix)[0]
        cv2.fillConvexPoly(hidden, np.round(moved).astype(np.int32), (1,))
    hidden = np.asarray(cv2.dilate(hidden, np.ones((2 * SHADE + 1,) * 2, np.uint8)), np.uint8)
    inner = hidden[INNER:-INNER, INNER:-INNER]
    return np.asarray(inner[CELL // 2 :: CELL, CELL // 2 :: CELL] == 0).ravel()


def _weighted(edges: Floats, colours: Floats, visible: Cells | None) -> Floats:
    """Fingerprints (N, D) from the edges (N, 77, 8) and the colours (N, 77, 3) of cells."""
    parts = [edges.reshape(-1, CELLS, TURNS), colours.reshape(-1, CELLS, colours.shape[-1])]
    flat = [part.reshape(len(part), -1) for part in parts]
    if visible is not None:
        flat = [(part * visible[:, None]).reshape(len(part), -1) for part in parts]
    whole = np.concatenate([_unit(flat[0]), COLOUR * _unit(flat[1])], axis=1)
    return _unit(whole)


def _even(inner: Floats, visible: Cells | None) -> Floats:
    """Colours as parts of the paper's, which is what most of the brighter half is."""
    shown = inner.reshape(-1, 3)
    if visible is not None and visible.any():
        shown = inner[np.kron(visible.reshape(DOWN, ACROSS), np.ones((CELL, CELL))) > 0]
    paper = np.percentile(shown, PAPER, axis=0)
    return np.asarray(np.clip(inner / np.maximum(paper, DARKEST), 0, BRIGHTEST), np.float32)


def _edges(grey: Floats) -> Floats:
    """The strength of edges (H, W, 8) by their direction."""
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strength = np.sqrt(np.hypot(across, down))
    turn = np.mod(np.arctan2(down, across), np.pi) * np.float32(TURNS / np.pi)
    apart = np.abs(turn[..., None] - np.arange(TURNS, dtype=np.float32))
    shares = np.maximum(1 - np.minimum(apart, TURNS - apart), 0)
    return np.asarray(strength[..., None] * shares, np.float32)


def _colours(lit: Floats) -> Floats:
    """How far each part is from white, in brightness and in two colour differences."""
    dark = 1 - lit.mean(axis=2)
    warm, green = lit[..., 2] - lit[..., 0], lit[..., 1] - lit[..., [0, 2]].mean(axis=2)
    return np.stack([dark, TINT * warm, TINT * green], axis=2)


def _pooled(maps: Floats) -> Floats:
    """(77, K): the mean of each cell, soft at its borders."""
    soft = cv2.GaussianBlur(maps, (0, 0), CELL / SOFT)
    cells = soft[CELL // 2 :: CELL, CELL // 2 :: CELL]
    return np.asarray(cells.reshape(CELLS, -1), np.float32)


def _unit(values: Floats) -> Floats:
    """Rows (N, D) of unit length."""
    lengths = np.linalg.norm(values, axis=-1, keepdims=True)
    return np.asarray(values / np.maximum(lengths, 1e-6), np.float32)


def looks(frame: Frame, corners: Floats, visible: Cells | None = None) -> Floats:
    """Fingerprints (L, D) of a card cut out by `corners` (4, 2) and by likely corrections."""
    return np.stack([fingerprint(straight(frame, moved), visible) for moved in corrected(corners)])


def corrected(corners: Floats) -> Iterator[Floats]:
    """Outlines (4, 2) near this one, itself first: shifted, and made smaller or larger."""
    middle = corners.mean(axis=0)
    right = corners[1] - corners[0]
    down = corners[3] - corners[0]
    for scale in SCALES:
        yield middle + (corners - middle) * np.float32(scale)
    for shift in SHIFTS:
        if shift:
            yield corners + right * np.float32(shift)
            yield corners + down * np.float32(shift)
