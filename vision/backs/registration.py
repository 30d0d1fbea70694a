"""Where a card lies to a fraction of a millimetre, by the uppermost card's print.

Of a card in a fan two short pieces of its border are in sight, which leave it free to turn and to
slide. Its print does not: moved by half a dot it differs all over. But a print repeats itself, and
a dot or two from where a card lies another place may look nearly right. So the places all around
are compared first, and the best of them are moved to where the print agrees (Lucas and Kanade,
1981), with a light of their own and against what the border says.
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
"""Dots to the right and down, and degrees, by which a card is looked for around a place: half a
fine print's period more than a place is off, and by as much as a print is compared around a dot. A
choice; `python -m tests.face_down fan` judges it."""
OFFSETS = np.array(list(product(AROUND, AROUND, AROUND)), np.float32)
"""The same as places. Follows from it."""
BEST = 2
"""How many of those places are registered. A choice: with four twelve heaps of all kinds were
counted alike, at half as much work again; `python -m tests.face_down fan` judges it."""
NEAREST = Look((9, 13), (-0.5, 0.5))
"""How closely the borders of cards there are looked at. A choice; `python -m tests.face_down fan`
judges it."""
STEP = 2.0
"""Dots between the points at which prints are registered. A choice: half of a fine print's period;
`python -m tests.face_down fan` judges it."""
ROUNDS = 8
"""How often a card is moved at most. A choice: after that by less than a twentieth of a dot."""
STILL = (0.02, 0.0005)
"""Dots and radians by which a card is moved no further. A choice: far less than it errs."""
NOISE = 4.0
"""Levels by which two cards' prints differ at the same point: of cards that lie where they are
drawn nine points in ten differ by that and less. A choice; `python -m tests.face_down` judges
it."""
STRAY = 10.0
"""Levels by which a point is off that counts a quarter: it shows something else than the print. A
choice: over twice the noise."""
FREE = (1.0, 1.0, 0.03, 0.08)
"""How far a card lies from where its border puts it, and how differently it is lit, in a standard
deviation: dots to the right and down, radians, and a share of its levels. A choice, from how far
`fitting.fitted` errs and from a lamp's slope over a card's length; `python -m tests.face_down fan`
judges it."""
FEWEST = 40
"""Points in sight that tell a place. A choice; `python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """The uppermost card as it is printed: its `levels` (h, w, 3), and how these rise to the
    `right` and `down` from dot to dot."""

    levels: Floats
    right: Floats
    down: Floats

    @classmethod
    def of(cls, top: Poses) -> Print:
        """The print of the first of some cards, which lies in full sight."""
        wide, high = round(top.size[0]), round(top.size[1])
        places = next(iter(top)).places(all_dots(wide, high))
        levels = _sampled(top.sheet.levels, places).reshape(high, wide, 3)
        across, down = (np.asarray(np.gradient(levels, axis=axis), np.float32) for axis in (1, 0))
        return cls(levels, across, down)

    def at(self, points: Floats, way: int) -> Expected:
        """What it has at points (K, 2) in shares of a card's sides from its middle, upright or (-1)
        turned half round."""
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
    """What a print has at some `points` (K, 2): the levels `shown` (K, 3), the `ways` (3 K, 4) in
    which these change with a card's place, turn and light, and the `products` (3 K, 16) of these.
    """

    points: Floats
    shown: Floats
    ways: Floats
    products: Floats


def places_near(cards: Poses, pattern: Pattern, bare: Bare) -> Poses:
    """The `BEST` places around each of some cards, by their edges and their print."""

    def worth(near: Poses) -> Floats:
        alike, _ = printed_alike(near, pattern, bare, CLOSE)
        return np.asarray(alike + sides_of(near, bare, NEAREST).shares, np.float32)

    return best_around(cards, OFFSETS, worth, BEST)


def registered(cards: Poses, pattern: Print, bare: Bare) -> Poses:
    """Some cards of one size, each moved to where its print in sight agrees best with the uppermost
    card's, either way round. Where too little of it is in sight it stays."""
    points = grid(cards.size, INSET, STEP)
    expected = [pattern.at(points, way) for way in (1, -1)]
    ways = [_registered(cards, one, bare) for one in expected]
    costs = [_costs(moved, one, bare) for moved, one in zip(ways, expected, strict=True)]
    at = np.where((costs[0] <= costs[1])[:, None], ways[0].at, ways[1].at)
    return Poses(cards.sheet, cards.sizes, at)


def _registered(cards: Poses, expected: Expected, bare: Bare) -> Poses:
    """Some cards, each moved to where it shows what is expected."""
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
    """By how much cards are off what is expected at its points (N, K, 3), and which of these
    (N, K) are in sight."""
    places = cards.places(expected.points)
    return _sampled(cards.sheet.levels, places) - expected.shown, places.of(bare.face) > 0


def _steps(expected: Expected, off: Floats, seen: Bools, far: Doubles) -> Doubles:
    """By how much (N, 3) cards have to be moved and turned that are `off` (N, K, 3) what is
    expected where they are `seen` (N, K); they were moved `far` (N, 3) already."""
    held = (NOISE / np.array(FREE)) ** 2
    back = held * np.pad(far, ((0, 0), (0, 1)))
    rest, sight = off.reshape(len(off), -1), np.repeat(seen, 3, axis=1)
    off, step = rest, np.zeros((len(off), 4), np.float64)
    for _ in range(2):
        weights = sight / (1 + (rest / np.float32(STRAY)) ** 2) ** 2
        # A product of matrices of this size would wake a thread for every core.
        whole = np.einsum("nk,kj->nj", weights, expected.products).reshape(-1, 4, 4)
        whole = whole + np.diag(held)
        pull = np.einsum("nk,kj->nj", weights * off, expected.ways) + back
        step = np.asarray(-np.linalg.solve(whole, pull[..., None])[..., 0], np.float64)
        rest = off + step[:, 3:].astype(np.float32) * expected.ways[:, 3]
    return np.asarray(step[:, :3], np.float64)


def _costs(cards: Poses, expected: Expected, bare: Bare) -> Floats:
    """How far (N,) cards are from showing what is expected, each by a light of its own; 1 if one
    shows none of it."""
    off, seen = _compared(cards, expected, bare)
    return np.array([_cost(one[at], expected.shown[at]) for one, at in zip(off, seen, strict=True)])


def _cost(off: Floats, shown: Floats) -> float:
    """The same of one that is `off` (K, 3) the levels `shown` (K, 3)."""
    if not len(off):
        return 1.0
    mine = off + shown
    gain = float(np.median(mine.mean(axis=1) / np.maximum(shown.mean(axis=1), 1)))
    return float(1 - (1 / (1 + ((mine - gain * shown) / STRAY) ** 2) ** 2).mean())


def _shifted(cards: Poses, steps: Doubles) -> Floats:
    """Where (N, 3) cards lie moved by some dots to their right and down, and turned by some
    radians."""
    places = cards.places(steps[:, None, :2].astype(np.float32) / cards.sizes[:, None])
    turned = cards.at[:, 2] + np.degrees(steps[:, 2])
    return np.column_stack([places.right, places.down, turned]).astype(np.float32)


def _sampled(levels: Floats, places: Points) -> Floats:
    """The levels (N, K, 3) at the points of cards, of which the first dot's middle is 0.5 away from
    the rim."""
    half = np.float32(0.5)
    right, down = places.right - half, places.down - half
    found = cv2.remap(levels, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)
