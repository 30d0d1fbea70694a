"""Where a card lies to a fraction of a millimetre, by the straight lines along its border.

Looked for as a copy of another one, a card is found to a dot or two, as its edges are that wide.
The steepest place across each piece of its border in sight tells a line to a fraction of a dot,
and all of them together the card's place, its turn and, of an uppermost one, its size.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.copies import ALONG, OUTWARD, Bare, Poses, corners_of
from vision.picture.geometry import Floats

Doubles = NDArray[np.float64]
PIECES, POINTS = 4, 10
"""The pieces of each side, and the points of each. A choice; `python -m tests.face_down` judges
it."""
STEP, APART = 0.5, 1.0
"""By which steps across a side its edge is looked for, and how far apart, either way, the levels
are that are compared, in dots. A choice; `python -m tests.face_down` judges it."""
FAR, NEARER, LEAST_FAR = 3.5, 0.75, 2.0
"""How many dots beside a side its edge is looked for at first, by how many fewer each time, and how
far at least. A choice; `python -m tests.face_down` judges it."""
ROUNDS = 3
"""How often the edges are looked for, each time from where the last ones put the card. A choice;
`python -m tests.face_down` judges it."""
FAINTEST = 4.0
"""Levels by which an edge rises, in one colour. A choice; `python -m tests.face_down` judges it."""
PULL = 3.0
"""Dots from where it is thought at which an edge counts a third: beside the border there are a
frame's and another card's. A choice; `python -m tests.face_down` judges it."""
SEEN = 5
"""Of so many of a piece's points something must be in sight. Follows from half of them."""
PIECES_LEAST = 5
"""Fewer pieces tell no place, turn and size. Follows from their number."""
STIFF = 4.0
"""How many pieces' worth the size counts that the card is thought to have. A choice;
`python -m tests.face_down` judges it."""
STRAY = 0.6
"""Dots by which a piece is off that counts half: it is on another edge. A choice;
`python -m tests.face_down` judges it."""
AGAIN = 6
"""How often the pieces are weighed anew. A choice: they change no more."""
HELD = 1e-3
"""The weight that holds what no piece tells. A choice: next to nothing."""


def fitted(card: Poses, bare: Bare, *, sized: bool = False) -> Poses:
    """The first of some cards on the lines along its border, as far as that is `bare`.

    Its size is found too if it is to be `sized`. Where too little of it shows an edge it stays.
    """
    thought, far = card.size, FAR
    for _ in range(ROUNDS):
        found = _lines(card, bare, far)
        if found is None:
            return card
        card = _moved(card, *found, thought if sized else None)
        far = max(LEAST_FAR, far - NEARER)
    return card


def _lines(card: Poses, bare: Bare, far: float) -> tuple[Floats, Floats, Floats] | None:
    """Of each piece of the border that shows an edge, its middle (K, 2) and the way out (K, 2) on
    the card, and how many dots farther out the edge is (K,); none if too few do."""
    points, outward = _border(card.size)
    steps = np.arange(-far - APART, far + APART + STEP / 2, STEP, dtype=np.float32)
    shown = _levels(card, points, outward, steps)
    seen = (card.places(points).of(bare.border)[0] > 0).reshape(-1, POINTS)
    count = np.maximum(seen.sum(axis=1), 1).astype(np.float32)
    means = (shown.reshape(3, len(steps), -1, POINTS) * seen).sum(axis=3) / count
    apart = 2 * round(APART / STEP)
    rises = np.abs(means[:, apart:] - means[:, :-apart]).max(axis=0)
    off, clear = _steepest(rises, steps[apart // 2 : -(apart // 2)])
    good = clear & (count >= SEEN)
    if np.count_nonzero(good) < PIECES_LEAST:
        return None
    middles = (points.reshape(-1, POINTS, 2) * seen[..., None]).sum(axis=1) / count[:, None]
    return middles[good], outward[::POINTS][good], off[good]


def _levels(card: Poses, points: Floats, outward: Floats, steps: Floats) -> Floats:
    """The levels (3, S, N) at some points (N, 2) of a card, shifted outward by some steps (S,)."""
    beside = (points[None] + outward[None] * steps[:, None, None]).reshape(-1, 2)
    places = card.places(beside)
    right = np.asarray(places.right.reshape(len(steps), -1) - np.float32(0.5), np.float32)
    down = np.asarray(places.down.reshape(len(steps), -1) - np.float32(0.5), np.float32)
    planes = [
        cv2.remap(plane, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for plane in card.sheet.levels
    ]
    return np.asarray(np.stack(planes), np.float32)


def _steepest(rises: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """The step (K,) between which and the next the levels rise most on each piece, of several
    likely ones the nearest, and whether (K,) they do."""
    inner = rises[1:-1]
    peak = (inner >= rises[:-2]) & (inner >= rises[2:]) & (inner >= FAINTEST)
    worth = np.where(peak, inner * np.exp(-np.abs(steps[1:-1]) / PULL)[:, None], 0)
    best = worth.argmax(axis=0)
    every = np.arange(worth.shape[1])
    before, at, after = (rises[best + shift, every] for shift in (0, 1, 2))
    bend = before - 2 * at + after
    between = np.where(bend < 0, (before - after) / np.minimum(bend, -HELD) / 2, 0)
    off = steps[1 + best] + np.clip(between, -1, 1) * STEP
    return np.asarray(off, np.float32), worth[best, every] > 0


def _moved(
    card: Poses, middles: Floats, outward: Floats, off: Floats, thought: tuple[float, float] | None
) -> Poses:
    """A card moved and turned as most pieces (K) of its border say; with a size that is `thought`,
    made as large as they say."""
    turning = outward[:, 1] * middles[:, 0] - outward[:, 0] * middles[:, 1]
    ways = np.column_stack([outward, turning])
    held, wanted = np.full(ways.shape[1], HELD), np.zeros(ways.shape[1])
    if thought is not None:
        ways = np.column_stack([ways, np.abs(outward)])
        less = (np.array(thought) - np.array(card.size)) / 2
        held, wanted = np.append(held, (STIFF, STIFF)), np.append(wanted, STIFF * less)
    found = _agreed(ways.astype(np.float64), off.astype(np.float64), held, wanted)
    across, down, turn = found[:3]
    wide, high = card.size
    if thought is not None:
        wide, high = wide + 2 * float(found[3]), high + 2 * float(found[4])
    place = card.places(np.array([(across, down)], np.float32))
    at = place.right[0, 0], place.down[0, 0], card.at[0, 2] + np.degrees(turn)
    return Poses(card.sheet, (wide, high), np.array([at], np.float32))


def _agreed(ways: Doubles, off: Doubles, held: Doubles, wanted: Doubles) -> Doubles:
    """The unknowns (U,) by which `ways` (K, U) of the pieces give how far `off` (K,) they are, the
    strays aside; `held` (U,) to what is `wanted` (U,) times that."""
    weights: Doubles = np.ones(len(off))
    found: Doubles = np.zeros(ways.shape[1])
    for _ in range(AGAIN):
        weighed = ways * weights[:, None]
        sums = np.linalg.solve(ways.T @ weighed + np.diag(held), weighed.T @ off + wanted)
        found = np.asarray(sums, np.float64)
        weights = np.asarray(1 / (1 + ((off - ways @ found) / STRAY) ** 2), np.float64)
    return found


@lru_cache(maxsize=256)
def _border(size: tuple[float, float]) -> tuple[Floats, Floats]:
    """The points (N, 2) along a card's sides at which edges are looked for, from its middle, and
    the way out (N, 2) at each."""
    corners, every = corners_of(size), PIECES * POINTS
    along = np.linspace(ALONG, 1 - ALONG, every, dtype=np.float32)[:, None]
    points = [
        start + (end - start) * along
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)
    ]
    outward = np.repeat(OUTWARD, every, axis=0)
    return np.concatenate(points).astype(np.float32), outward.astype(np.float32)
