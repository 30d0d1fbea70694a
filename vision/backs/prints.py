"""The print of a card's back: whether the visible part of one looks like another one's.

Backs of one deck look alike. Where a card lies half under another one, its print distinguishes it
from the table between two cards, whose edges are just as straight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.edges import inside
from vision.picture.geometry import Floats, Frame
from vision.read.fingerprint import HEIGHT, WIDTH, straight

COMPARED = (0.02, 0.98)
"""Between which shares of its sides a card's print is compared: the edge itself shows the table. A
choice; `python -m tests.face_down` judges it."""
FEWEST = 60
"""Points of a card, of 96 x 64, that must be in sight for its print to be compared. A choice;
`python -m tests.face_down` judges it."""
PLAIN = 20.0
"""The variance in grey levels under which a print says nothing: noise and a lamp's slope. A choice;
`python -m tests.face_down` judges it."""
DARKEST = 20.0
"""Grey levels below which a print's brightness is sensor noise: no share of it is given. A choice;
`python -m tests.face_down` judges it."""
PRINTED = 0.6
"""How much a print must resemble the uppermost card's to be of the same deck, -1..1. A choice;
`python -m tests.face_down` judges it."""
TINT = 0.25
"""How far the colours of what is in sight of a card may be from those of the uppermost one's print,
as a share of its brightness: of cards that lie there 0.02 to 0.17, of table between two cards 0.38
and more. A choice; `python -m tests.face_down` judges it."""

BAND, STEP = 8, 4
"""How wide the bands across a straightened card are that are compared each by itself, and from one
to the next, in points: a millimetre of a poker card each. A card's border that lies hidden among
them fills half of one. A choice; `python -m tests.face_down` judges it."""
SHIFT = 2
"""Points by which a band may be shifted to agree: by as much an outline on its edges errs. Follows
from the error of a side, 3 mm."""
AGREED = 0.81
"""How much the bands must agree in the mean. On the drawn tables 0 to 39 of each way, of 27 fans
explained by too few cards all had 0.80 and less, of 65 pairs and tricks counted right 55 had more.
Measured by `python -m tests.face_down fan pair trick --count 40`."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much the visible part of a card resembles another one's `print` (their correlation,
    -1..1), and how far its colours are from that one's: its `tint`, as a share of brightness.
    """

    print: float
    tint: float

    @property
    def alike(self) -> bool:
        """Whether both say that it is a back of the same deck."""
        return self.print >= PRINTED and self.tint <= TINT


def printed(frame: Frame, corners: Floats) -> Floats:
    """The card with these `corners` (4, 2), cut out straight (96, 64, 3) and upright."""
    flat = straight(frame, _upright(corners))
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), 1.0), np.float32)


def likeness(
    frame: Frame, corners: Floats, pattern: Floats | None, covers: Sequence[Floats]
) -> Likeness:
    """How much what its `covers` leave in sight of a card looks like the `pattern` of another one.

    Without a pattern, or of too little, nothing is said for or against it.
    """
    seen = _in_sight(corners, covers)
    if pattern is None or np.count_nonzero(seen) < FEWEST:
        return Likeness(0.0, 0.0)
    mine = printed(frame, corners).reshape(-1, 3)[seen]
    ways = [way.reshape(-1, 3)[seen] for way in (pattern, pattern[::-1, ::-1])]
    return Likeness(
        _correlation(mine.mean(axis=1), (way.mean(axis=1) for way in ways)),
        min(float(np.abs(mine - way).mean()) / max(DARKEST, float(way.mean())) for way in ways),
    )


def agreeing(frame: Frame, laid: Sequence[Floats]) -> list[bool]:
    """Whether each card of a heap, uppermost first, has the uppermost one's print all over."""
    if not laid:
        return []
    pattern = printed(frame, laid[0])
    return [True] + [
        agreement(frame, corners, pattern, laid[:number]) >= AGREED
        for number, corners in enumerate(laid[1:], 1)
    ]


def agreement(frame: Frame, corners: Floats, pattern: Floats, covers: Sequence[Floats]) -> float:
    """How much what its `covers` leave in sight of a card agrees with the `pattern` of another one
    band by band, -1..1: where a third card's border runs through, the bands around it do not.

    Of too little in sight it is 1.
    """
    seen = _in_sight(corners, covers).reshape(HEIGHT, WIDTH)
    mine = printed(frame, corners).mean(axis=2)
    grey = pattern.mean(axis=2)
    return max(_banded(mine, way, seen) for way in (grey, grey[::-1, ::-1]))


def _banded(mine: Floats, pattern: Floats, seen: NDArray[np.bool_]) -> float:
    """The mean over all bands along and across of how much each agrees with the pattern near it."""
    wide = np.pad(pattern, SHIFT, mode="edge")
    steps = range(2 * SHIFT + 1)
    shifts = [(down, across) for down in steps for across in steps]
    found = []
    for rows, columns in _bands():
        there = seen[rows, columns]
        if np.count_nonzero(there) < FEWEST:
            continue
        shown = mine[rows, columns][there]
        high, long = there.shape
        places = ((rows.start + down, columns.start + across) for down, across in shifts)
        ways = (wide[top : top + high, left : left + long][there] for top, left in places)
        found.append(_correlation(shown, ways))
    return float(np.mean(found)) if found else 1.0


def _bands() -> Iterator[tuple[slice, slice]]:
    """The bands down a straightened card, then those across it."""
    for left in range(0, WIDTH - BAND + 1, STEP):
        yield slice(0, HEIGHT), slice(left, left + BAND)
    for top in range(0, HEIGHT - BAND + 1, STEP):
        yield slice(top, top + BAND), slice(0, WIDTH)


def _in_sight(corners: Floats, covers: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which points of a straightened card (96 x 64, in rows) are hidden by none of its `covers`."""
    begun = _upright(corners)
    shares = np.stack(np.meshgrid(*(np.linspace(*COMPARED, n) for n in (WIDTH, HEIGHT))), 2)
    down, across = begun[3] - begun[0], begun[1] - begun[0]
    places = begun[0] + shares[..., :1] * across + shares[..., 1:] * down
    points = places.reshape(-1, 2).astype(np.float32)
    seen = np.ones(len(points), np.bool_)
    for cover in covers:
        seen &= ~inside(points, cover)
    return seen


def _upright(corners: Floats) -> Floats:
    """`corners` begun so that the second side is a long one."""
    across, down = (float(np.linalg.norm(corners[one] - corners[0])) for one in (1, 3))
    return np.roll(corners, -1, axis=0) if across > down else corners


def _correlation(one: Floats, others: Iterable[Floats]) -> float:
    """How a row of grey levels varies together with the most similar of the `others`, -1..1; what
    hardly varies is alike."""
    first = one - one.mean()
    power = (first**2).mean()

    def varies_with(other: Floats) -> float:
        second = other - other.mean()
        spread = float(np.sqrt(power * (second**2).mean()))
        return float((first * second).mean() + PLAIN) / (spread + PLAIN)

    return max(map(varies_with, others))
