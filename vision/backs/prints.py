"""Compare the print of backs: whether the visible part of one looks like another.

Backs of one deck look alike. If a card lies half under another, its print distinguishes it from the
table between two cards, whose edges are just as straight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.edges import inside, touching
from vision.picture.geometry import Floats, Frame
from vision.read.fingerprint import HEIGHT, WIDTH, straight

COMPARED = (0.02, 0.98)
"""Range of its sides over which a card's print is compared: the edge itself shows the table. A
choice; `python -m tests.face_down` judges it."""
SHARES = np.stack(np.meshgrid(*(np.linspace(*COMPARED, n) for n in (WIDTH, HEIGHT))), 2)
"""The points compared (96, 64, 2), as shares of the sides. Follows from `COMPARED`."""
FEWEST = 60
"""Minimum number of a card's points, of 96 x 64, that must be visible for its print to be compared.
A choice; `python -m tests.face_down` judges it."""
PLAIN = 20.0
"""Variance in grey levels below which a print says nothing: noise and the falloff of a lamp. A
choice; `python -m tests.face_down` judges it."""
DARKEST = 20.0
"""Brightness in grey levels below which a print is sensor noise, so that no difference is given as
a share of it. A choice; `python -m tests.face_down` judges it."""
PRINTED = 0.6
"""Minimum correlation, -1..1, with the uppermost card's print for a card to be of the same deck. A
choice; `python -m tests.face_down` judges it."""
TINT = 0.25
"""Largest difference between the colours of a card's visible part and the uppermost card's print,
as a share of its brightness: 0.02 to 0.17 for cards that lie there, at least 0.38 for table between
two cards. A choice; `python -m tests.face_down` judges it."""

BAND, STEP = 8, 4
"""Width of the bands across a straightened card that are compared separately, and the step from one
to the next, in points: a millimetre of a poker card each. A hidden card's border among them fills
half of one. A choice; `python -m tests.face_down` judges it."""
SHIFT = 2
"""Points by which a band may be shifted to agree: the error of an outline fitted to its edges.
Follows from the error of a side, 3 mm."""
AGREED = 0.81
"""Minimum mean agreement of the bands. On the drawn tables 0 to 39 of each kind, 27 fans explained
by too few cards all had at most 0.80; of 65 pairs and tricks counted correctly, 55 had more.
Measured by `python -m tests.face_down fan pair trick --count 40`."""
UNBROKEN, BROAD = 0.6, 0.5
"""Minimum agreement of each band of a card beside another, of which at least the share `BROAD` is
in sight: a third card's border crosses one or two. Measured by `python -m tests.face_down`: in
fans 96011 and 98010, explained by too few cards, one band had at most 0.55; of cards explained
correctly that overlap, no more than 0.4 is in sight below the uppermost."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much the visible part of a card resembles another card.

    `print` is the correlation of their prints, -1..1; `tint` the difference of their colours, as a
    share of brightness.
    """

    print: float
    tint: float

    @property
    def alike(self) -> bool:
        """Whether both indicate a back of the same deck."""
        return self.print >= PRINTED and self.tint <= TINT


def printed(frame: Frame, corners: Floats) -> Floats:
    """The card with these `corners` (4, 2), cut out straight (96, 64, 3) and upright."""
    flat = straight(frame, _upright(corners))
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), 1.0), np.float32)


def likeness(
    frame: Frame, corners: Floats, pattern: Floats | None, covers: Sequence[Floats]
) -> Likeness:
    """How much the part of a card left visible by its `covers` looks like another's `pattern`.

    Without a pattern, or if too little is visible, the result says nothing for or against it.
    """
    seen = _in_sight(corners, covers)
    if pattern is None or np.count_nonzero(seen) < FEWEST:
        return Likeness(0.0, 0.0)
    mine = printed(frame, corners).reshape(-1, 3)[seen]
    ways = [way.reshape(-1, 3)[seen] for way in (pattern, pattern[::-1, ::-1])]
    return Likeness(
        _correlation(mine.mean(axis=1), np.stack([way.mean(axis=1) for way in ways])),
        min(_tint(mine, way) for way in ways),
    )


def tint(frame: Frame, corners: Floats, pattern: Floats, covers: Sequence[Floats]) -> float:
    """The smallest `tint` of a card's likeness to a pattern if its outline is as far off as it may
    be: where lines fall beside each other, most of a narrow strip seems to have another colour."""
    seen = _in_sight(corners, covers)
    if np.count_nonzero(seen) < FEWEST:
        return 0.0
    mine = printed(frame, corners).reshape(-1, 3)[seen]
    ways = np.pad(pattern, ((SHIFT, SHIFT), (SHIFT, SHIFT), (0, 0)), mode="edge")
    near = np.lib.stride_tricks.sliding_window_view(ways, (HEIGHT, WIDTH), axis=(0, 1))
    shifted = near.transpose(0, 1, 3, 4, 2).reshape(-1, HEIGHT, WIDTH, 3)
    both = (one.reshape(-1, 3)[seen] for way in shifted for one in (way, way[::-1, ::-1]))
    return min(_tint(mine, way) for way in both)


def agreeing(frame: Frame, laid: Sequence[Floats]) -> list[bool]:
    """Whether each card of a heap, uppermost first, has the uppermost one's print throughout."""
    shown = _agreements(frame, laid)
    return [not bands or float(np.mean(bands)) >= AGREED for bands, _ in shown]


def same_upside_down(frame: Frame, corners: Floats) -> bool:
    """Whether a card (4, 2) in full view looks the same upside down throughout, as backs do: an
    outline of parts of two cards does not."""
    grey, seen = printed(frame, corners).mean(axis=2), np.ones((HEIGHT, WIDTH), np.bool_)
    bands = _banded(grey, grey[::-1, ::-1], seen)
    return float(np.mean(bands)) >= AGREED and min(bands) >= UNBROKEN


def unbroken(frame: Frame, laid: Sequence[Floats]) -> bool:
    """Whether no card of a heap, uppermost first, shows a line where another's border may run."""
    broad = (bands for bands, sight in _agreements(frame, laid) if sight >= BROAD)
    return all(min(bands, default=1.0) >= UNBROKEN for bands in broad)


def _agreements(frame: Frame, laid: Sequence[Floats]) -> Iterator[tuple[list[float], float]]:
    """How well each card of a heap agrees with the uppermost one's print, band by band, -1..1.

    Only the share in sight beside the cards above, which is given too, is compared; where that is
    too little, there are no bands.
    """
    if laid:
        grey = printed(frame, laid[0]).mean(axis=2)
        yield [], 1.0
        for number, corners in enumerate(laid[1:], 1):
            seen = _in_sight(corners, laid[:number]).reshape(HEIGHT, WIDTH)
            mine = printed(frame, corners).mean(axis=2)
            ways = (_banded(mine, way, seen) for way in (grey, grey[::-1, ::-1]))
            yield max(ways, key=sum), float(seen.mean())


def _banded(mine: Floats, pattern: Floats, seen: NDArray[np.bool_]) -> list[float]:
    """The agreement with the pattern nearby of each visible band along and across the card."""
    wide = np.pad(pattern, SHIFT, mode="edge")
    near = np.lib.stride_tricks.sliding_window_view(wide, pattern.shape)
    found = []
    for rows, columns in _bands():
        there = seen[rows, columns]
        if np.count_nonzero(there) >= FEWEST:
            ways = near[..., rows, columns][..., there].reshape(near.shape[0] * near.shape[1], -1)
            found.append(_correlation(mine[rows, columns][there], ways))
    return found


def _bands() -> Iterator[tuple[slice, slice]]:
    """The bands down a straightened card, then those across it."""
    for left in range(0, WIDTH - BAND + 1, STEP):
        yield slice(0, HEIGHT), slice(left, left + BAND)
    for top in range(0, HEIGHT - BAND + 1, STEP):
        yield slice(top, top + BAND), slice(0, WIDTH)


def _in_sight(corners: Floats, covers: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which points of a straightened card (96 x 64, in rows) are not hidden by its `covers`."""
    seen = np.ones(WIDTH * HEIGHT, np.bool_)
    if over := list(touching(corners, covers)):
        begun = _upright(corners)
        down, across = begun[3] - begun[0], begun[1] - begun[0]
        places = begun[0] + SHARES[..., :1] * across + SHARES[..., 1:] * down
        points = places.reshape(-1, 2).astype(np.float32)
        for cover in over:
            seen &= ~inside(points, cover)
    return seen


def _upright(corners: Floats) -> Floats:
    """`corners`, starting so that the second side is a long one."""
    across, down = (float(np.linalg.norm(corners[one] - corners[0])) for one in (1, 3))
    return np.roll(corners, -1, axis=0) if across > down else corners


def _tint(mine: Floats, pattern: Floats) -> float:
    """The mean difference of colours (N, 3) from a pattern's, as a share of its brightness."""
    return float(np.abs(mine - pattern).mean()) / max(DARKEST, float(pattern.mean()))


def _correlation(one: Floats, others: Floats) -> float:
    """The correlation of a row of grey levels (N,) with the most similar of others (M, N), -1..1.

    What hardly varies counts as similar.
    """
    first = one - one.mean()
    rest = others - others.mean(axis=1, keepdims=True)
    spreads = np.sqrt((first**2).mean() * (rest**2).mean(axis=1))
    return float((((first * rest).mean(axis=1) + PLAIN) / (spreads + PLAIN)).max())
