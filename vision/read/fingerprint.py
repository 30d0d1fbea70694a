"""What a whole face looks like: cut a card out straight, and compare it by a fingerprint.

A `fingerprint` holds the direction of edges and the colour in each part of the face, both
independent of the picture's lighting. Two pictures of one card agree to 0.8 or more; two cards of
one deck to at most 0.7, unless they are as similar as the six and seven of one suit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame

WIDTH, HEIGHT = 64, 96
"""Size of a straightened face in pixels. A choice; `python -m tests.teaching` judges it."""
CELL, TURNS = 8, 8
"""Cell size in pixels, and the number of edge directions in the histogram. A choice;
`python -m tests.teaching` judges it."""
COLOUR = 0.75
"""Weight of colours relative to edges. A choice; `python -m tests.teaching` judges it."""
PAPER, DARKEST, BRIGHTEST = 80, 12, 1.3
"""Percentile of a face's levels taken as its paper, the minimum level of paper, and the largest
brightness relative to paper that counts, as of a reflection. A choice; `python -m tests.teaching`
judges it."""
TINT, SOFT = 1.5, 2.5
"""Weight of the two colour differences relative to brightness, and the size of a cell in standard
deviations of its blur. A choice; `python -m tests.teaching` judges it."""
INNER = 4
"""Pixels ignored along the edge, where the table may show. A choice; `python -m tests.teaching`
judges it."""
ACROSS, DOWN = (WIDTH - 2 * INNER) // CELL, (HEIGHT - 2 * INNER) // CELL
"""Cells of a fingerprint: 11 rows of 7. Follows from its size."""
CELLS = ACROSS * DOWN
SHADE = 5
"""Pixels around a covering card in which its edge and shadow show. A choice;
`python -m tests.italian_decks` judges it."""
SHIFTS = (-0.025, 0.0, 0.025)
"""Shifts of an outline, as fractions of the card, tried when a face is compared. A choice;
`python -m tests.teaching` judges it."""
SCALES = (0.965, 1.0, 1.04)
"""Scale factors of an outline tried. A choice; `python -m tests.teaching` judges it."""


def straight(frame: Frame, corners: Floats, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Frame:
    """The card (96, 64, 3) with these `corners` (4, 2), clockwise from its upper left.

    With a `size` (width, height), that many pixels large.
    """
    longest = float(max(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)))
    times = max(1, round(longest / size[1]))
    large = size[0] * times, size[1] * times
    target = np.array([(0, 0), (large[0], 0), large, (0, large[1])], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
    wide = cv2.warpPerspective(
        frame, matrix, large, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(
        cv2.resize(wide, size, interpolation=cv2.INTER_AREA) if times > 1 else wide, np.uint8
    )


Cells = NDArray[np.bool_]
"""Which cells (77,) of a face are visible."""


def fingerprint(face: Frame, visible: Cells | None = None) -> Floats:
    """The fingerprint (D,), of unit length, of a straightened `face` (96, 64, 3).

    If the card is partly covered, only the `visible` cells count.
    """
    inner = face[INNER:-INNER, INNER:-INNER]
    lit = evened(inner, None if visible is None or not visible.any() else visible[_CELL_OF])
    shown = _pooled(edges(lit.mean(axis=0))), _pooled(colours(lit))
    return np.asarray(_weighted(*shown, visible)[0], np.float32)


def seen_through(prints: Floats, visible: Cells) -> Floats:
    """Fingerprints (N, D) of whole faces, reduced to the visible cells."""
    ways = prints[:, : CELLS * TURNS].reshape(len(prints), CELLS, TURNS)
    tints = prints[:, CELLS * TURNS :].reshape(len(prints), CELLS, -1)
    return _weighted(ways, tints, visible)


@dataclass(frozen=True, slots=True, eq=False)
class BothWays:
    """Fingerprints (N, D) of whole faces, upright and upside down, for comparing many looks."""

    parts: tuple[Floats, Floats]
    """Edges (2N, 616) and colours (2N, 231)."""
    powers: tuple[Floats, Floats]
    """The sums of squares of each cell's edges and colours (2N, 77)."""

    @classmethod
    def of(cls, prints: Floats) -> BothWays:
        """Those fingerprints and their upside-down versions: edge directions stay the same."""
        cut = CELLS * TURNS
        shaped = [part.reshape(len(prints), CELLS, -1) for part in np.split(prints, [cut], axis=1)]
        both = [np.concatenate([part, part[:, ::-1]]) for part in shaped]
        powers = [np.asarray((part**2).sum(axis=2), np.float32) for part in both]
        flat = [np.asarray(part.reshape(len(part), -1), np.float32) for part in both]
        return cls((flat[0], flat[1]), (powers[0], powers[1]))

    def agreements(self, looked: Floats, visible: Cells | None) -> Floats:
        """How well looks (L, D) at the `visible` cells agree with each face (2, N).

        The first row is for upright faces, the second for upside-down ones.
        """
        seen = np.ones(CELLS, np.float32) if visible is None else visible.astype(np.float32)
        shown = np.split(looked, [CELLS * TURNS], axis=1)
        total = np.zeros((len(self.parts[0]), len(looked)), np.float32)
        for part, power, look, weight in zip(
            self.parts, self.powers, shown, (1.0, COLOUR), strict=True
        ):
            lengths = np.maximum(np.sqrt(power @ seen), 1e-6)
            total += weight * (part @ look.T) / lengths[:, None]
        agreed = total.max(axis=1) / np.float32(np.hypot(1.0, COLOUR))
        return np.asarray(agreed.reshape(2, -1), np.float32)

    def best_of_each(self, ways: Floats, tints: Floats, seen: Cells) -> Floats:
        """How well looks (L,) agree with the face most like each.

        A look consists of its cells' edges (L, 77, 8) and colours (L, 77, 3); only the cells `seen`
        (L, 77) count.
        """
        shown = seen.astype(np.float32)
        total = np.zeros((len(self.parts[0]), len(seen)), np.float32)
        for part, power, cells, weight in zip(
            self.parts, self.powers, (ways, tints), (1.0, COLOUR), strict=True
        ):
            look = _unit((cells * shown[..., None]).reshape(len(seen), -1))
            lengths = np.maximum(np.sqrt(power @ shown.T), 1e-6)
            total += weight * (part @ look.T) / lengths
        return np.asarray(total.max(axis=0) / np.hypot(1.0, COLOUR), np.float32)


def in_sight(corners: Floats, over: Sequence[Floats]) -> Cells:
    """The cells of the card with these `corners` (4, 2) left visible by the cards `over` it."""
    face = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), face)
    hidden = np.zeros((HEIGHT, WIDTH), np.uint8)
    for other in over:
        moved = cv2.perspectiveTransform(np.asarray(other, np.float32)[None], matrix)[0]
        cv2.fillConvexPoly(hidden, np.round(moved).astype(np.int32), (1,))
    hidden = np.asarray(cv2.dilate(hidden, np.ones((2 * SHADE + 1,) * 2, np.uint8)), np.uint8)
    inner = hidden[INNER:-INNER, INNER:-INNER]
    return np.asarray(inner[CELL // 2 :: CELL, CELL // 2 :: CELL] == 0).ravel()


def _weighted(ways: Floats, tints: Floats, visible: Cells | None) -> Floats:
    """Fingerprints (N, D) from the edges (N, 77, 8) and colours (N, 77, 3) of the cells."""
    parts = [ways.reshape(-1, CELLS, TURNS), tints.reshape(-1, CELLS, tints.shape[-1])]
    if visible is not None:
        parts = [part * visible[:, None] for part in parts]
    flat = [part.reshape(len(part), -1) for part in parts]
    whole = np.concatenate([_unit(flat[0]), COLOUR * _unit(flat[1])], axis=1)
    return _unit(whole)


def evened(face: Frame, shown: NDArray[np.bool_] | None) -> Floats:
    """Colours (3, H, W) of a face (H, W, 3) relative to its paper.

    Paper is what most of the brighter half of the `shown` pixels is.
    """
    planes = np.ascontiguousarray(face.transpose(2, 0, 1))
    flat = planes.reshape(3, -1)
    if shown is not None and shown.any():
        flat = flat[:, shown.ravel()]
    paper = np.array([max(paper_level(plane), DARKEST) for plane in flat], np.float32)
    lit = planes * (1 / paper)[:, None, None]
    return np.asarray(np.minimum(lit, np.float32(BRIGHTEST)), np.float32)


def paper_level(plane: Frame) -> float:
    """The `PAPER`-th percentile of the levels of the pixels (N,)."""
    place, share = divmod(PAPER * (len(plane) - 1), 100)
    below = np.bincount(plane, minlength=256).cumsum()
    low, high = np.searchsorted(below, (place, min(place + 1, len(plane) - 1)), side="right")
    return float(low + (high - low) * share / 100)


def edges(grey: Floats) -> Floats:
    """The strength of edges (8, H, W) in each direction."""
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strength = np.sqrt(np.hypot(across, down))
    turn = np.arctan2(down, across) * np.float32(TURNS / np.pi)
    turn[turn < 0] += TURNS
    # In place: these arrays are so large that allocating another costs more than the arithmetic.
    shares = turn - np.arange(TURNS, dtype=np.float32)[:, None, None]
    for far in (0.0, TURNS / 2):  # angle between directions, then closeness around the circle
        shares -= np.float32(far)
        np.abs(shares, out=shares)
    shares -= np.float32(TURNS / 2 - 1)
    np.maximum(shares, 0, out=shares)
    shares *= strength
    return np.asarray(shares, np.float32)


def colours(lit: Floats) -> Floats:
    """The difference (3, H, W) from white: in brightness and in two colour differences."""
    blue, green, red = lit
    dark = 1 - (blue + green + red) / 3
    return np.stack([dark, TINT * (red - blue), TINT * (green - (blue + red) / 2)])


def _pooled(maps: Floats) -> Floats:
    """The soft mean (77, K) of each cell of the maps (K, H, W)."""
    cells = _ROWS @ maps @ _COLUMNS.T
    return np.asarray(cells.reshape(len(maps), CELLS).T, np.float32)


def bells(middles: Floats, length: int) -> Floats:
    """The weights (N, length) of the pixels in a line for soft means around `middles` (N,).

    The line is mirrored at its ends.
    """
    places = np.arange(length)
    mirrored = np.stack([places, -places, 2 * (length - 1) - places])
    far = (mirrored - np.asarray(middles)[:, None, None]) * SOFT / CELL
    weights = np.exp(-(far**2) / 2).sum(axis=1)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def _of_cells(count: int) -> Floats:
    """The weights of a line's pixels in each of its cells: a bell curve around the cell's centre.

    The cells of an upside-down face are therefore the same cells upside down.
    """
    middles = CELL * np.arange(count) + (CELL - 1) / 2
    return bells(middles.astype(np.float32), CELL * count)


_ROWS, _COLUMNS = _of_cells(DOWN), _of_cells(ACROSS)
_CELL_OF = np.kron(np.arange(CELLS).reshape(DOWN, ACROSS), np.ones((CELL, CELL), np.intp))
"""The cell of each pixel of a face (88, 56)."""


def _unit(values: Floats) -> Floats:
    """The rows (N, D) scaled to unit length."""
    lengths = np.linalg.norm(values, axis=-1, keepdims=True)
    return np.asarray(values / np.maximum(lengths, 1e-6), np.float32)


def looks(frame: Frame, corners: Floats, visible: Cells | None = None) -> Floats:
    """Fingerprints (L, D) of the card at `corners` (4, 2) and at likely corrections of them."""
    return np.stack([fingerprint(straight(frame, moved), visible) for moved in corrected(corners)])


def corrected(corners: Floats) -> Iterator[Floats]:
    """Outlines (4, 2) near this one: scaled by `SCALES`, then shifted by `SHIFTS`."""
    middle = corners.mean(axis=0)
    right = corners[1] - corners[0]
    down = corners[3] - corners[0]
    for scale in SCALES:
        yield middle + (corners - middle) * np.float32(scale)
    for shift in SHIFTS:
        if shift:
            yield corners + right * np.float32(shift)
            yield corners + down * np.float32(shift)
