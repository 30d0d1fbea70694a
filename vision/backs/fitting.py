"""Locate a card to a fraction of a millimetre by the straight lines along its border.

Found as a copy of another, a card is accurate to a dot or two, the width of its edges. The steepest
place across each visible piece of its border gives a line to a fraction of a dot, and all of them
together the card's place, its rotation and, for an uppermost card, its size.
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
"""Pieces of each side, and points of each piece. A choice; `python -m tests.face_down` judges it.
"""
STEP, APART = 0.5, 1.0
"""Step across a side when its edge is searched for, and the distance, either way, of the levels
compared, in dots. A choice; `python -m tests.face_down` judges it."""
FAR, NEARER, LEAST_FAR = 3.5, 0.75, 2.0
"""Distance in dots within which a side's edge is searched for at first, its decrease each time, and
its minimum. A choice; `python -m tests.face_down` judges it."""
ROUNDS = 3
"""Rounds of searching for the edges, each from where the last one put the card. A choice;
`python -m tests.face_down` judges it."""
FAINTEST = 4.0
"""Minimum rise of an edge in levels, in one colour. A choice; `python -m tests.face_down` judges
it."""
PULL = 3.0
"""Distance in dots from the expected place at which an edge counts a third: next to the border
there are the edges of a frame and of other cards. A choice; `python -m tests.face_down` judges it.
"""
SEEN = 5
"""Minimum number of a piece's points that must be visible. Follows from half of them."""
PIECES_LEAST = 5
"""Minimum number of pieces that determine place, rotation and size. Follows from their number."""
STIFF = 4.0
"""Weight, in pieces, of the size the card is expected to have. A choice;
`python -m tests.face_down` judges it."""
STRAY = 0.6
"""Distance in dots at which a piece counts half: it is on another edge. A choice;
`python -m tests.face_down` judges it."""
AGAIN = 6
"""Number of times the pieces are reweighted. A choice: after that they no longer change."""
HELD = 1e-3
"""Weight that holds what no piece determines. A choice: next to nothing."""

BORDER, OUT = border((PIECES * POINTS, PIECES * POINTS))
"""Points (K, 2) along a card's sides at which edges are searched for, in shares of the sides from
the centre, and the outward direction (K, 2) at each. Follows from their number."""
WAYS = np.repeat(OUTWARD, PIECES, axis=0)
"""Outward direction (K, 2) at each piece. Follows from their number."""


def fitted(cards: Poses, bare: Bare, *, sized: bool = False) -> Poses:
    """The cards, fitted to the lines along their borders where these are `bare`.

    If `sized`, their sizes are estimated too. A card that shows too little edge stays where it is.
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
    """The pieces of the borders of N cards.

    `middles` (N, K, 2) are the centres of their visible parts, in dots from the card's centre;
    `off` (N, K) is how far out the edge is; `clear` (N, K) whether there is one.
    """

    middles: Floats
    off: Floats
    clear: Bools

    def chosen(self, which: Bools) -> Pieces:
        """Only these cards."""
        return Pieces(self.middles[which], self.off[which], self.clear[which])


def _pieces(cards: Poses, bare: Bare, far: float) -> Pieces:
    """What the picture shows along the borders of cards, up to `far` dots to either side."""
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
    """The levels (N, K, 3) at points (N, K, 2), given in dots from the cards' centres."""
    places = cards.places(points / cards.sizes[:, None])
    half = np.float32(0.5)
    found = cv2.remap(cards.sheet.levels, places.right - half, places.down - half,
                      cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(found, np.float32)


def _steepest(rises: Floats, steps: Floats) -> tuple[Floats, Bools]:
    """The offset (N, K) at which the levels (N, S, K) rise most on each piece, and whether they do.

    Among several likely offsets, the nearest is chosen.
    """
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
    """Cards moved and rotated as most pieces of their borders indicate.

    If sizes (N, 2) are `thought`, they are adjusted too.
    """
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
    """Solve for the unknowns (N, U) that best explain how far off the pieces are, ignoring strays.

    `ways` (N, K, U) are the effects of the unknowns on the pieces; `held` (U,) is the weight
    pulling each to zero, and `wanted` (N, U) the target times that weight.
    """
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
