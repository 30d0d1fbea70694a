"""Register a card to a fraction of a millimetre by the uppermost card's print.

A card in a fan shows two short pieces of its border, which leave it free to rotate and to slide.
Its print does not: moved by half a dot, it differs everywhere. But a print repeats itself, and a
dot or two from a card's place another place may look nearly right. So all places nearby are
compared first, and the best of them are moved to where the print agrees (Lucas and Kanade, 1981),
allowing for a difference in light and pulled back towards where the border puts the card.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.borders import Look, sides_of
from vision.backs.copies import CLOSE, INSET, Pattern, all_dots, printed_alike
from vision.backs.poses import Bare, Bools, Points, Poses, best_around, grid
from vision.picture.geometry import Floats

Doubles = NDArray[np.float64]

AROUND = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""Offsets in dots to the right and down, and in degrees, at which a card is searched for around a
place: half a fine print's period beyond the error of a place, and as far as a print is compared
around a dot. A choice; `python -m tests.face_down fan` judges it."""
OFFSETS = np.array(list(product(AROUND, AROUND, AROUND)), np.float32)
"""The same as places. Follows from it."""
BEST = 2
"""Number of those places registered. A choice: with four, twelve heaps of all kinds were counted
the same, with half as much work again; `python -m tests.face_down fan` judges it."""
NEAREST = Look((9, 13), (-0.5, 0.5))
"""Sampling of the borders of cards there. A choice; `python -m tests.face_down fan` judges it."""
STEP = 2.0
"""Dots between the points at which prints are registered. A choice: half of a fine print's period;
`python -m tests.face_down fan` judges it."""
ROUNDS = 8
"""Maximum number of times a card is moved. A choice: after that it moves by less than a twentieth
of a dot."""
STILL = (0.02, 0.0005)
"""Movement in dots and radians below which a card stays put. A choice: far less than its error."""
NOISE = 4.0
"""Difference in levels between two cards' prints at the same point: for cards lying where they are
drawn, nine points in ten differ by at most that. A choice; `python -m tests.face_down` judges it.
"""
STRAY = 10.0
"""Difference in levels at which a point counts a quarter: it shows something other than the print.
A choice: over twice the noise."""
FREE = (1.0, 1.0, 0.03, 0.08)
"""Standard deviations of a card's place from where its border puts it (dots to the right and down,
radians) and of its lighting (a share of its levels). A choice, from the error of `fitting.fitted`
and a lamp's falloff over a card's length; `python -m tests.face_down fan` judges it."""
FEWEST = 40
"""Minimum number of visible points that determine a place. A choice; `python -m tests.face_down`
judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """The uppermost card's print: its `levels` (h, w, 3), and their slopes per dot.

    `right` and `down` are the slopes in these directions.
    """

    levels: Floats
    right: Floats
    down: Floats

    @classmethod
    def of(cls, top: Poses) -> Print:
        """The print of the first of some cards, which is fully visible."""
        wide, high = round(top.size[0]), round(top.size[1])
        places = next(iter(top)).places(all_dots(wide, high))
        levels = _sampled(top.sheet.levels, places).reshape(high, wide, 3)
        across, down = (np.asarray(np.gradient(levels, axis=axis), np.float32) for axis in (1, 0))
        return cls(levels, across, down)

    def at(self, points: Floats, way: int) -> Expected:
        """The print at points (K, 2) in shares of a card's sides from its centre.

        `way` is 1 for upright, -1 for upside down.
        """
        size = np.array(self.levels.shape[1::-1], np.float32)
        at = (0.5 + np.float32(way) * points) * size
        places = Points(at[None, :, 0], at[None, :, 1])
        shown = _sampled(self.levels, places)[0]
        slopes = (_sampled(one, places)[0] for one in (self.right, self.down))
        right, down = (np.float32(way) * slope for slope in slopes)
        dots = points * size
        turning = down * dots[:, :1] - right * dots[:, 1:]
        ways = np.stack([right, down, turning, -shown], 2).reshape(-1, 4)
        products = (ways[:, :, None] * ways[:, None]).reshape(-1, 16)
        return Expected(points, shown, ways, products)


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What a print has at some `points` (K, 2).

    `shown` (K, 3) are its levels; `ways` (3 K, 4) how these change with a card's place, rotation
    and light; `products` (3 K, 16) the products of these.
    """

    points: Floats
    shown: Floats
    ways: Floats
    products: Floats


def places_near(cards: Poses, pattern: Pattern, bare: Bare) -> Poses:
    """The `BEST` places around each card, by their edges and print."""

    def worth(near: Poses) -> Floats:
        alike, _ = printed_alike(near, pattern, bare, CLOSE)
        return np.asarray(alike + sides_of(near, bare, NEAREST).shares, np.float32)

    return best_around(cards, OFFSETS, worth, BEST)


def registered(cards: Poses, pattern: Print, bare: Bare) -> Poses:
    """Cards of one size, each moved to where its visible print best matches the uppermost card's.

    Both orientations are tried. A card that shows too little stays where it is.
    """
    points = grid(cards.size, INSET, STEP)
    expected = [pattern.at(points, way) for way in (1, -1)]
    ways = [_registered(cards, one, bare) for one in expected]
    costs = [_costs(moved, one, bare) for moved, one in zip(ways, expected, strict=True)]
    at = np.where((costs[0] <= costs[1])[:, None], ways[0].at, ways[1].at)
    return Poses(cards.sheet, cards.sizes, at)


def _registered(cards: Poses, expected: Expected, bare: Bare) -> Poses:
    """Cards, each moved to where it shows what is expected."""
    found = Poses(cards.sheet, cards.sizes, cards.at.copy())
    moving, far = np.arange(len(cards)), np.zeros((len(cards), 3))
    for _ in range(ROUNDS):
        off, seen = _compared(found.chosen(moving), expected, bare)
        enough = np.count_nonzero(seen, axis=1) >= FEWEST
        moving = moving[enough]
        if not len(moving):
            break
        step = _steps(expected, off[enough], seen[enough], far[moving])
        found.at[moving], far[moving] = _shifted(found.chosen(moving), step), far[moving] + step
        still = (np.abs(step[:, :2]).max(axis=1) < STILL[0]) & (np.abs(step[:, 2]) < STILL[1])
        moving = moving[~still]
        if not len(moving):
            break
    return found


def _compared(cards: Poses, expected: Expected, bare: Bare) -> tuple[Floats, Bools]:
    """The difference (N, K, 3) of cards from what is expected at its points.

    Also which of these points (N, K) are visible.
    """
    places = cards.places(expected.points)
    return _sampled(cards.sheet.levels, places) - expected.shown, places.of(bare.face) > 0


def _steps(expected: Expected, off: Floats, seen: Bools, far: Doubles) -> Doubles:
    """The moves and rotations (N, 3) needed by cards that are `off` (N, K, 3) what is expected.

    Only what is `seen` (N, K) counts; they were already moved `far` (N, 3).
    """
    held = (NOISE / np.array(FREE)) ** 2
    back = held * np.pad(far, ((0, 0), (0, 1)))
    rest, sight = off.reshape(len(off), -1), np.repeat(seen, 3, axis=1)
    off, step = rest, np.zeros((len(off), 4), np.float64)
    for _ in range(2):
        weights = sight / (1 + (rest / np.float32(STRAY)) ** 2) ** 2
        # A product of matrices of this size would wake a thread on every core.
        whole = np.einsum("nk,kj->nj", weights, expected.products).reshape(-1, 4, 4)
        whole = whole + np.diag(held)
        pull = np.einsum("nk,kj->nj", weights * off, expected.ways) + back
        step = np.asarray(-np.linalg.solve(whole, pull[..., None])[..., 0], np.float64)
        rest = off + step[:, 3:].astype(np.float32) * expected.ways[:, 3]
    return np.asarray(step[:, :3], np.float64)


def _costs(cards: Poses, expected: Expected, bare: Bare) -> Floats:
    """How far (N,) cards are from showing what is expected, each in its own light; 1 if unseen."""
    off, seen = _compared(cards, expected, bare)
    return np.array([_cost(one[at], expected.shown[at]) for one, at in zip(off, seen, strict=True)])


def _cost(off: Floats, shown: Floats) -> float:
    """The same for one that is `off` (K, 3) the levels `shown` (K, 3)."""
    if not len(off):
        return 1.0
    mine = off + shown
    gain = float(np.median(mine.mean(axis=1) / np.maximum(shown.mean(axis=1), 1)))
    return float(1 - (1 / (1 + ((mine - gain * shown) / STRAY) ** 2) ** 2).mean())


def _shifted(cards: Poses, steps: Doubles) -> Floats:
    """Where (N, 3) cards lie, moved by dots right and down and rotated by radians."""
    places = cards.places(steps[:, None, :2].astype(np.float32) / cards.sizes[:, None])
    turned = cards.at[:, 2] + np.degrees(steps[:, 2])
    return np.column_stack([places.right, places.down, turned]).astype(np.float32)


def _sampled(levels: Floats, places: Points) -> Floats:
    """The levels (N, K, 3) at points on cards; the first dot's centre is 0.5 from the rim."""
    half = np.float32(0.5)
    right, down = places.right - half, places.down - half
    found = cv2.remap(levels, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)
