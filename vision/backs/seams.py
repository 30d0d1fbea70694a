"""Find seams in what seems to be one card: the border of a card that nothing else shows.

In a fan, the first and last cards may cover all that the others cover. But where another card
begins the print does not continue, along a line as straight as a border and about as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.backs.copies import Pattern
from vision.backs.explanation import SEAM
from vision.backs.parts import Size
from vision.backs.poses import Bare, Bools, Poses, grid
from vision.picture.geometry import Floats

STEP = 2.0
"""Dots between the points at which a print is compared. A choice; `python -m tests.face_down`
judges it."""
RIM = 4.0
"""Dots along a card's edge that are left out: its own border may be off by two. A choice;
`python -m tests.face_down` judges it."""
PACKET = 4.0
"""Dots beside a card's edge in which the cards below it in its packet show. A choice;
`python -m tests.face_down` judges it."""
TURNS = tuple(float(turn) for turn in range(-30, 31, 3))
"""Rotations in degrees of a hidden card relative to the one over it. A choice;
`python -m tests.face_down` judges it."""
CHANCE = 2.0
"""Number of standard deviations by which a line must exceed the scatter over the whole card: in a
fine print, single points differ. A choice: one line in forty."""
ACROSS, RIDGE, BEYOND_CHANCE, STEADY = 24, 1.1, 6.0, 0.15
"""Minimum visible points of a line that differs by little: 48 mm of a poker card; how many levels
it then differs more than the rest of the card, and how many standard errors that must be, with a
scatter of at least the last. A choice: on 110 cards of drawn fans in the right place such lines
differ by at most 0.98 levels and 5.6 errors, on one of one colour over three hidden ones by 1.48
and 7.7, on another over four by 1.18 and 6.7; `python -m tests.face_down fan` judges it."""
EVEN = 7.5
"""Largest range of levels within two dots, in the median, of a print of one colour. A choice: on
drawn cards without a print it is two or three, seven in a noisy picture, and on the faintest print
eight; `python -m tests.face_down fan row` judges it."""
LONG = 9
"""Minimum visible points of a line that show a seam: 18 mm of a poker card. A choice;
`python -m tests.face_down` judges it."""


def in_view(card: Poses, covers: Sequence[Floats]) -> Bare:
    """What `covers` (4, 2) leave visible of a card, without what a packet under them may show."""
    return Bare.beside(card.sheet, covers, PACKET)


def seam(card: Poses, pattern: Pattern, bare: Bare) -> float:
    """The largest share, 0..1, of a straight line across what is `bare` of the first card that
    differs from the `pattern`."""
    return min(_crossed(card, pattern, bare, way) for way in (1, -1))


def crossed(top: Poses, pattern: Pattern) -> bool:
    """Whether a faint line runs across the first card, whose print this is, that is not there
    upside down: without a print, cards that lie on each other pass for one."""
    return even(pattern) and _crossed(top, pattern, Bare.beside(top.sheet, ()), -1) >= SEAM


def even(pattern: Pattern) -> bool:
    """Whether a print is of one colour, so that a border shows on it however faint."""
    return float(np.median(pattern.high - pattern.low)) <= EVEN


def _crossed(card: Poses, pattern: Pattern, bare: Bare, way: int) -> float:
    """The largest share of a line across the first card that differs from the pattern, upright (1)
    or upside down (-1)."""
    points, lines = lines_of(card.size)
    places = next(iter(card)).places(points)
    seen, dots = places.of(bare.face)[0] > 0, places.dots(bare.face)[0]
    shown = card.sheet.planes.reshape(3, -1)[:, dots].astype(np.int16)
    low, high = pattern.at(way * points)
    off = np.maximum(low - shown, shown - high).max(axis=0)
    share = _lined(lines, seen, off >= pattern.tolerance)
    ridge = even(pattern) and _is_ridge(lines, seen, off.clip(0, pattern.tolerance))
    return max(share, SEAM) if ridge else share


def _is_ridge(lines: NDArray[np.intp], seen: Bools, off: NDArray[np.int16]) -> bool:
    """Whether a long line (T, K) of the points `seen` (K,) is `off` (K,) by little, but throughout.

    Without a print, that is all that shows of a border.
    """
    if np.count_nonzero(seen) < ACROSS:
        return False
    count = _counted(lines, seen)
    each = np.broadcast_to(off[seen], lines[:, seen].shape)
    sums = np.bincount(lines[:, seen].ravel(), weights=each.ravel(), minlength=len(count))
    far = sums / np.maximum(count, 1) - float(off[seen].mean())
    scatter = (float(off[seen].std()) + STEADY) / np.sqrt(np.maximum(count, 1))
    return bool(((count >= ACROSS) & (far >= RIDGE) & (far >= BEYOND_CHANCE * scatter)).any())


def _lined(lines: NDArray[np.intp], seen: Bools, other: Bools) -> float:
    """The largest share of the points `seen` (K,) on one line (T, K) that are `other` (K,)."""
    count, many = (_counted(lines, at) for at in (seen, seen & other))
    anyhow = np.count_nonzero(seen & other) / max(int(np.count_nonzero(seen)), 1)
    chance = CHANCE * np.sqrt(anyhow * (1 - anyhow) / np.maximum(count, 1))
    shares = many / np.maximum(count, 1) - chance
    return float(shares[count >= LONG].max(initial=0.0))


def _counted(lines: NDArray[np.intp], which: Bools) -> NDArray[np.intp]:
    """How many of these points (K,) lie on each of the `lines` (T, K)."""
    return np.bincount(lines[:, which].ravel(), minlength=int(lines.max()) + 1)


@lru_cache(maxsize=8)
def lines_of(size: Size) -> tuple[Floats, NDArray[np.intp]]:
    """The points (K, 2) at which a card of this size is compared, and the lines through them.

    Points are in shares of its sides from its centre; for each direction there is the number of the
    line through each point (T, K).
    """
    points, first = grid(size, RIM, STEP), 0
    right, down = (points * np.array(size, np.float32)).T
    found = []
    for turn in np.radians([*TURNS, *(90 + turn for turn in TURNS)]):
        across = right * np.cos(turn) + down * np.sin(turn)
        lines = np.round((across - across.min()) / STEP).astype(np.intp)
        found.append(first + lines)
        first += int(lines.max()) + 1
    return points, np.stack(found)
