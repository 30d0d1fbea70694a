"""Where a card lies to a fraction of a millimetre, by the uppermost card's print.

Of a card in a fan two short pieces of its border are in sight, which leave it free to turn and to
slide. Its print does not: moved by half a dot it differs all over. But a print repeats itself, and
a dot or two from where a card lies another place may look nearly right. So the places all around
are compared first, and the best of them are moved to where the print agrees (Lucas and Kanade,
1981), with a light of their own and against what the border says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.copies import (
    CLOSE,
    INSET,
    Bare,
    Pattern,
    Points,
    Poses,
    grid,
    printed_alike,
    sides_of,
)
from vision.picture.geometry import Floats

Doubles = NDArray[np.float64]

AROUND, TURNED = 5.0, (-4.0, -2.0, 0.0, 2.0, 4.0)
"""How many dots, and by which degrees, around a place a card is looked for: half a fine print's
period more than a place is off. A choice; `python -m tests.face_down fan` judges it."""
OFFSETS = np.array(
    list(product(np.arange(-AROUND, AROUND + 1), np.arange(-AROUND, AROUND + 1), TURNED)),
    np.float32,
)
"""The same as places: dots to the right and down, and degrees. Follows from both."""
BEST, ANOTHER = 2, 1.6
"""How many of those places are registered, and how many dots they lie apart. A choice: with four
twelve heaps of all kinds were counted alike, at half as much work again;
`python -m tests.face_down fan` judges it."""
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
        dots = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), 2).reshape(-1, 2) + 0.5
        points = np.asarray(dots - np.array(top.size) / 2, np.float32)
        levels = _sampled(_interleaved(top), top.chosen(np.arange(1)).places(points))
        levels = levels.reshape(high, wide, 3)
        across, down = (np.asarray(np.gradient(levels, axis=axis), np.float32) for axis in (1, 0))
        return cls(levels, across, down)


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """A `card` where its print agrees best with the uppermost card's, and how far that still is
    from agreeing: its `cost`, 0..1."""

    card: Poses
    cost: float


def places_near(card: Poses, pattern: Pattern, bare: Bare) -> Iterator[Poses]:
    """The best places around the first of some cards, by their edges and their print."""
    near = Poses(card.sheet, card.size, np.asarray(card.at[:1] + OFFSETS, np.float32))
    alike, _ = printed_alike(near, pattern, bare, CLOSE)
    left = np.argsort(-(alike + sides_of(near, bare, offsets=(-0.5, 0.5)).shares), kind="stable")
    for _ in range(BEST):
        if not len(left):
            return
        yield near.chosen(left[:1])
        away = np.hypot(*(near.at[left, :2] - near.at[left[0], :2]).T)
        left = left[away > ANOTHER]


def registered(card: Poses, pattern: Print, bare: Bare) -> Poses:
    """The first of some cards, moved to where its print in sight agrees best with the uppermost
    card's, either way round. Where too little of it is in sight it stays."""
    points = grid(card.size, INSET, STEP)
    ways = (_registered(card, points, _turned(pattern, points, way), bare) for way in (1, -1))
    return min(ways, key=lambda one: one.cost).card


def _turned(pattern: Print, points: Floats, way: int) -> tuple[Floats, Floats]:
    """What a print has at some points (N, 2) from a card's middle, upright or (-1) turned half
    round: the levels (N, 3), and how these change (N, 3, 4) with a card's place, turn and light."""
    high, wide = pattern.levels.shape[:2]
    at = np.array((wide, high), np.float32) / 2 + np.float32(way) * points
    places = Points(at[None, :, 0], at[None, :, 1])
    shown = _sampled(pattern.levels, places)
    right, down = (np.float32(way) * _sampled(one, places) for one in (pattern.right, pattern.down))
    turning = down * points[:, :1] - right * points[:, 1:]
    return shown, np.stack([right, down, turning, -shown], 2)


def _registered(
    card: Poses, points: Floats, pattern: tuple[Floats, Floats], bare: Bare
) -> Registered:
    """A card moved to where it shows the `pattern` at the `points`."""
    levels, (shown, ways) = _interleaved(card), pattern
    held = np.diag((NOISE / np.array(FREE)) ** 2)
    moved, far = card, np.zeros(3)
    for _ in range(ROUNDS):
        places = moved.places(points)
        seen = places.of(bare.face)[0] > 0
        if np.count_nonzero(seen) < FEWEST:
            break
        off = _sampled(levels, places)[seen] - shown[seen]
        step = _step(ways[seen].reshape(-1, 4), off.reshape(-1), held, far)
        moved, far = _shifted(moved, step), far + step
        if np.abs(step[:2]).max() < STILL[0] and abs(step[2]) < STILL[1]:
            break
    return Registered(moved, _cost(levels, moved, points, shown, bare))


def _step(ways: Floats, off: Floats, held: Doubles, far: Doubles) -> Doubles:
    """By how much (3,) a card has to be moved and turned where its levels are `off` (K,), and
    change in some `ways` (K, 4); it was moved `far` (3,), and is `held` (4, 4) where it was."""
    gain, weights = 0.0, np.ones(len(off))
    step = np.zeros(4)
    for _ in range(2):
        rest = off + ways[:, 3] * np.float32(gain)
        weights = 1 / (1 + (rest / STRAY) ** 2) ** 2
        weighed = ways * weights[:, None]
        pull = weighed.T @ off + held @ np.array([*far, 0.0])
        step = -np.linalg.solve(weighed.T @ ways + held, pull)
        gain = float(step[3])
    return np.asarray(step[:3], np.float64)


def _cost(levels: Floats, card: Poses, points: Floats, shown: Floats, bare: Bare) -> float:
    """How far a card is from showing some levels, by the light of its own; 1 if it shows none."""
    places = card.places(points)
    seen = places.of(bare.face)[0] > 0
    if not seen.any():
        return 1.0
    mine, other = _sampled(levels, places)[seen], shown[seen]
    gain = float(np.median(mine.mean(axis=1) / np.maximum(other.mean(axis=1), 1)))
    return float(1 - (1 / (1 + ((mine - gain * other) / STRAY) ** 2) ** 2).mean())


def _shifted(card: Poses, step: Doubles) -> Poses:
    """A card moved by some dots to its right and down, and turned by some radians."""
    place = card.places(np.asarray(step[None, :2], np.float32))
    at = place.right[0, 0], place.down[0, 0], card.at[0, 2] + np.degrees(step[2])
    return Poses(card.sheet, card.size, np.array([at], np.float32))


def _interleaved(card: Poses) -> Floats:
    """A card's sheet, (h, w, 3)."""
    return np.ascontiguousarray(card.sheet.levels.transpose(1, 2, 0))


def _sampled(levels: Floats, places: Points) -> Floats:
    """The levels (K, 3) at the points (1, K) of one card, of which the first dot's middle is 0.5
    away from the rim."""
    right, down = (
        np.asarray(way - np.float32(0.5), np.float32) for way in (places.right, places.down)
    )
    found = cv2.remap(levels, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found[0], np.float32)
