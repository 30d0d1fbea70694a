"""Where a card lies to a fraction of a millimetre, by the straight lines along its border.

Looked for as a copy of another one, a card is found to a dot or two, as its edges are that wide.
The steepest place across each piece of its border in sight tells a line to a fraction of a dot,
and all of them together the card's place, its turn and, of an uppermost one, its size.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.borders import OUTWARD, border
from vision.backs.poses import Bare, Bools, Poses
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

BORDER, OUT = border((PIECES * POINTS, PIECES * POINTS))
"""The points (K, 2) along a card's sides at which edges are looked for, in shares of them from its
middle, and the way out (K, 2) at each. Follows from their number."""
WAYS = np.repeat(OUTWARD, PIECES, axis=0)
"""The way out (K, 2) at each piece. Follows from their number."""


def fitted(cards: Poses, bare: Bare, *, sized: bool = False) -> Poses:
    """Some cards on the lines along their borders, as far as these are `bare`.

    Their sizes are found too if they are to be `sized`. Where too little of one shows an edge it
    stays.
    """
    thought, far, moving = cards.sizes, FAR, np.arange(len(cards))
    found = Poses(cards.sheet, cards.sizes.copy(), cards.at.copy())
    for _ in range(ROUNDS):
        pieces = _pieces(found.chosen(moving), bare, far)
        told = pieces.clear.sum(axis=1) >= PIECES_LEAST
        moving, pieces = moving[told], pieces.chosen(told)
        if not len(moving):
            break
        moved = _moved(found.chosen(moving), pieces, thought[moving] if sized else None)
        found.sizes[moving], found.at[moving] = moved.sizes, moved.at
        far = max(LEAST_FAR, far - NEARER)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The pieces of the borders of N cards: the `middles` (N, K, 2) of what is in sight of each, in
    dots from the card's, how far `off` (N, K) out the edge is, and whether it is `clear` (N, K)."""

    middles: Floats
    off: Floats
    clear: Bools

    def chosen(self, which: Bools) -> Pieces:
        """Those of some of the cards."""
        return Pieces(self.middles[which], self.off[which], self.clear[which])


def _pieces(cards: Poses, bare: Bare, far: float) -> Pieces:
    """What the picture shows along the borders of some cards, up to `far` dots beside them."""
    points = BORDER * cards.sizes[:, None]
    steps = np.arange(-far - APART, far + APART + STEP / 2, STEP, dtype=np.float32)
    beside = points[:, None] + OUT * steps[:, None, None]
    shown = _levels(cards, beside.reshape(len(cards), -1, 2))
    seen = (cards.places(BORDER).of(bare.border) > 0).reshape(len(cards), -1, POINTS)
    count = np.maximum(seen.sum(axis=2), 1).astype(np.float32)
    shown = shown.reshape(len(cards), len(steps), *seen.shape[1:], 3)
    means = (shown * seen[:, None, ..., None]).sum(axis=3) / count[:, None, :, None]
    apart = 2 * round(APART / STEP)
    rises = np.abs(means[:, apart:] - means[:, :-apart]).max(axis=3)
    off, clear = _steepest(rises, steps[apart // 2 : -(apart // 2)])
    middles = (points.reshape(*seen.shape, 2) * seen[..., None]).sum(axis=2) / count[..., None]
    return Pieces(np.asarray(middles, np.float32), off, clear & (count >= SEEN))


def _levels(cards: Poses, points: Floats) -> Floats:
    """The levels (N, K, 3) at points (N, K, 2) in dots from the middles of some cards."""
    places = cards.places(points / cards.sizes[:, None])
    half = np.float32(0.5)
    found = cv2.remap(cards.sheet.levels, places.right - half, places.down - half,
                      cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(found, np.float32)


def _steepest(rises: Floats, steps: Floats) -> tuple[Floats, Bools]:
    """The step (N, K) between which and the next the levels rise (N, S, K) most on each piece, of
    several likely ones the nearest, and whether (N, K) they do."""
    inner = rises[:, 1:-1]
    peak = (inner >= rises[:, :-2]) & (inner >= rises[:, 2:]) & (inner >= FAINTEST)
    worth = np.where(peak, inner * np.exp(-np.abs(steps[1:-1]) / PULL)[:, None], 0)
    best = worth.argmax(axis=1)[:, None]
    before, at, after = (
        np.take_along_axis(rises, best + shift, axis=1)[:, 0] for shift in (0, 1, 2)
    )
    bend = before - 2 * at + after
    between = np.where(bend < 0, (before - after) / np.minimum(bend, -HELD) / 2, 0)
    off = steps[1 + best[:, 0]] + np.clip(between, -1, 1) * STEP
    return np.asarray(off, np.float32), np.take_along_axis(worth, best, axis=1)[:, 0] > 0


def _moved(cards: Poses, pieces: Pieces, thought: Floats | None) -> Poses:
    """Some cards moved and turned as most pieces of their borders say; with sizes (N, 2) that are
    `thought`, made as large as they say."""
    turning = WAYS[:, 1] * pieces.middles[..., 0] - WAYS[:, 0] * pieces.middles[..., 1]
    known = np.broadcast_to(np.hstack([WAYS, np.abs(WAYS)]), (len(cards), len(WAYS), 4))
    ways = np.concatenate([known[..., :2], turning[..., None], known[..., 2:]], axis=2)
    held, wanted = np.full(5, HELD), np.zeros((len(cards), 5))
    if thought is None:
        ways, held, wanted = ways[..., :3], held[:3], wanted[:, :3]
    else:
        held[3:], wanted[:, 3:] = STIFF, STIFF * (thought - cards.sizes) / 2
    found = _agreed(ways.astype(np.float64), pieces, held, wanted)
    place = cards.places(found[:, None, :2].astype(np.float32) / cards.sizes[:, None])
    at = np.column_stack([place.right, place.down, cards.at[:, 2] + np.degrees(found[:, 2])])
    larger = 0 if thought is None else 2 * found[:, 3:]
    return Poses(cards.sheet, np.asarray(cards.sizes + larger, np.float32), at.astype(np.float32))


def _agreed(ways: Doubles, pieces: Pieces, held: Doubles, wanted: Doubles) -> Doubles:
    """The unknowns (N, U) by which `ways` (N, K, U) of the pieces give how far off they are, the
    strays aside; `held` (U,) to what is `wanted` (N, U) times that."""
    weights, off = pieces.clear.astype(np.float64), pieces.off.astype(np.float64)
    found = np.zeros(wanted.shape, np.float64)
    for _ in range(AGAIN):
        weighed = (ways * weights[..., None]).swapaxes(1, 2)
        sums = (weighed @ off[..., None])[..., 0] + wanted
        whole = weighed @ ways + np.diag(held)
        found = np.asarray(np.linalg.solve(whole, sums[..., None])[..., 0], np.float64)
        rest = off - (ways @ found[..., None])[..., 0]
        weights = pieces.clear / (1 + (rest / STRAY) ** 2)
    return found
