"""Which of the chips that are seen in a picture are believed to be some, by their outlines."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Circles
from vision.chips.heights import Height
from vision.chips.matching import Match
from vision.picture.geometry import Floats, Outline, distances

OUTLINED, IN_OUTLINE, UNSETTLED = 0.5, 0.3, 0.05
"""Minimum agreement of a chip times the share of its free outline that is a chip's; minimum share
of all directions with such an outline; maximum error of the hull's fit, in radii. Measured by
`python -m tests.chips --sets development --layouts apart stacks`: of 476 chips none had less than
0.58 and 0.6, and none more than 0.031."""
FACE, FACE_CLEAR, FACED = 0.9, 0.85, (0.2, 0.08)
"""Minimum agreement of a chip's face and minimum clear share of its rim at which the limits `FACED`
replace the last two for its outline: half of a tall stack's outline is its own shadow. A choice;
the photographs without chips judge it."""
LIKE, RIMMED, ROUND = 0.8, (0.26, 0.6), 0.45
"""Minimum agreement of such a chip's face, minimum share of its rim that votes for its centre, and
minimum clear share of it, for it to need no outline if its side would have the table's colour: then
no outline can be seen, however the chip stands out by its shadow and a bright rim. With `ROUND` of
the rim voting, it need not be clear. Measured by `python -m tests.chips --camouflage 1`: of 240
plain chips, alone and in stacks, four in five were such, and none of what was mistaken for chips
between them had more than 0.59, 0.18 and 0.6. In a drawn photograph, a grey chip on grey cloth had
0.82, 0.47 and 0.7."""
ONE = 0.5
"""Tops found by their outlines that are closer than this, in radii, are one. A choice: if chips
overlap further, too little of the lower one is visible."""
CARD_LONG = 1.6
"""Minimum side of a card, in diameters of a chip. Follows from the usual sizes: a card is 88 mm
long, a chip 30 to 45 mm across, and what is mistaken for a back is up to 1.4 times as wide as the
chip."""
BESIDE = 3.0
"""Maximum distance between the centre of an accepted chip and one that is accepted without an
outline of its own, like a dark one on a dark table; in radii. A choice: half a chip's width between
their rims."""
HINTED = (0.24, 0.68, 0.55)
"""Minimum share of the rim of such a neighbour that votes for its centre, or failing that, its
minimum agreement and the minimum share of its rim that shows an edge, on cloth of its colour. A
choice: on drawn tables, of 31 squares of chequered cloth in a chip's colour none had more than 0.18
and 0.59, but two of precisely the chip's colour agreed by 0.94, with half a rim; of 316 chips that
were half under others on such cloth all had at least 0.6 of theirs. On other cloth, three of 306
chips laid half under others had no more."""
NEIGHBOUR = 1.2
"""Largest ratio between how large chips next to each other appear, for their sizes in the set. A
choice: the top of a stack of twenty appears a tenth larger than a single chip, a circle around
three chips a third larger than theirs."""


def chip_sized(outline: Outline, diameter: float) -> bool:
    """Whether a supposed face-down card is no larger than a chip with this diameter in pixels.

    A chip with a border looks like a back.
    """
    corners = np.asarray(outline, np.float32)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(sides.max()) < CARD_LONG * diameter


def believed(
    found: Circles,
    matches: Sequence[Match],
    heights: Sequence[Height],
    sizes: Floats,
    plaques: Sequence[Floats] = (),
) -> list[int]:
    """The indices of the `matches` whose outline is that of a chip, or that are next to one of
    those, or on one of the `plaques`, given as outlines (8, 2).

    `sizes` (K,) are the diameters of the set's kinds, in the set's unit.

    Many things on tables agree with a chip somewhere inside, but do not end where a chip would.
    """
    pairs = list(zip(matches, heights, strict=True))
    single = _one_each(pairs)
    kept = [n for n in single if pairs[n][0].framed or _stands_out(*pairs[n], found)]
    kept += [n for n in single if n not in kept and _lies_on(plaques, heights[n].top)]
    left = np.array([n for n in single if n not in kept and _hinted(*pairs[n], found)], np.intp)
    numbers = [match.number for match, _ in pairs]
    middles, radii = found.centres[numbers], found.radii[numbers]
    for known in kept:  # grows as it goes
        near = np.linalg.norm(middles[left] - middles[known], axis=1) < BESIDE * radii[known]
        kept += left[near].tolist()
        left = left[~near]
    scales = np.array([one.radius / sizes[match.kind] for match, one in pairs], np.float32)
    some = np.array(sorted(kept), np.intp)
    outsized = _outsized(middles[some], radii[some], np.log(scales[some]))
    return [int(one) for one in some[~outsized]]


def _outsized(middles: Floats, radii: Floats, scales: Floats) -> NDArray[np.bool_]:
    """Which chips (N,) are larger or smaller than their neighbours indicate, which agree on a size.

    An outline around three chips may be taken for that of one of them. `scales` (N,) are logarithms
    of the pixels in the set's unit by each of them.
    """
    away = distances(middles, middles)
    beside = (away < BESIDE * radii[:, None]) & ~np.eye(len(radii), dtype=bool)
    high = np.where(beside, scales, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(beside, scales, np.inf).min(axis=1, initial=np.inf)
    agree = (beside.sum(axis=1) >= 2) & (high - low <= np.log(NEIGHBOUR))
    # No more than this: a chip between the extremes of neighbours that agree is like them.
    asked = agree & ((scales > low + np.log(NEIGHBOUR)) | (scales < high - np.log(NEIGHBOUR)))
    told = np.zeros(len(radii), np.bool_)
    for one in np.flatnonzero(asked).tolist():
        usual = np.median(scales[beside[one]])
        told[one] = abs(scales[one] - usual) > np.log(NEIGHBOUR)
    return told


def _lies_on(plaques: Sequence[Floats], top: Floats) -> bool:
    x, y = (float(value) for value in top)
    return any(cv2.pointPolygonTest(one, (x, y), False) >= 0 for one in plaques)


def _one_each(pairs: Sequence[tuple[Match, Height]]) -> list[int]:
    """The indices of the pairs, without worse sightings of a stack that has the same outline."""
    tops = np.array([stack.top for _, stack in pairs]).reshape(-1, 2)
    kept: list[int] = []
    for number in sorted(range(len(pairs)), key=lambda one: -pairs[one][0].score):
        away = np.linalg.norm(tops[kept] - tops[number], axis=1)
        if away.min(initial=np.inf) >= ONE * pairs[number][1].radius:
            kept.append(number)
    return sorted(kept)


def _hinted(match: Match, stack: Height, found: Circles) -> bool:
    """Whether rim or face say that there is a chip, if another lies beside it on cloth of its
    colour."""
    votes, agreed, support = HINTED
    shown = float(found.votes[match.number]) >= votes
    shown |= match.agreed >= agreed and float(found.support[match.number]) >= support
    return shown or not stack.alike


def _stands_out(match: Match, stack: Height, found: Circles) -> bool:
    """Whether face and outline together are those of a chip, in most of what is visible.

    A side that would have the table's colour shows no outline; then the rim must be plain.
    """
    votes, clear = float(found.votes[match.number]), float(found.clear[match.number])
    rimmed = votes >= ROUND or (votes >= RIMMED[0] and clear >= RIMMED[1])
    if stack.alike and match.agreed >= LIKE and rimmed:
        return True
    sure = match.agreed >= FACE and clear >= FACE_CLEAR
    whole, unsure = FACED if sure else (IN_OUTLINE, UNSETTLED)
    return (
        match.agreed * stack.round >= OUTLINED and stack.whole >= whole and stack.unsure <= unsure
    )
