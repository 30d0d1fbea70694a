"""The scale of a picture in which only the chips themselves reveal it.

All chips of a set are about the same size, so at the right scale several agree well with the taught
ones; at a wrong scale many things agree a little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.chips.circles import Circles
from vision.chips.matching import Match
from vision.picture.geometry import Floats

WELL, WHOLE, VOTED = 0.8, 0.9, 0.2
"""Minimum agreement, minimum share of a rim that shows an edge and minimum share that votes for its
centre at which a chip is sure at any scale. Measured over all scales of 20 drawn photographs of
five development sets without cards, 19 of which had one or more at the right scale, and of nine
photographs without chips, read as two sets each, in which one thing in six at one scale reached
0.80. Red pips on cards agreed by up to 0.97 with a chip of one colour, but at most 0.18 of a rim
voted; for 75 drawn chips it was 0.22 or more. `python -m tests.real_chips --beside 0` judges it."""
SHARE = 0.33
"""Minimum share of the chips seen at a scale that must be sure. A choice: in drawn photographs it
was a third or more, in one of a robot's white body two of seven; `python -m tests.real_chips
--beside 0` judges it."""
FIRM = 2
"""Minimum number of sure chips at which others of their size count as they do next to cards. A
choice: a single one may be a coin, and what is seen at its scale is chance."""
POOR = 0.75
"""Minimum agreement at which a sure chip supports its scale, and at which others are accepted next
to a single sure one. A choice: things that are not chips usually agree less."""


def sure(found: Circles, matches: Sequence[Match]) -> list[Match]:
    """The chips that agree well and show a complete round rim."""
    whole = (found.support >= WHOLE) & (found.votes >= VOTED)
    return [match for match in matches if match.agreed >= WELL and whole[match.number]]


def evidence(found: Circles, matches: Sequence[Match]) -> float:
    """The support for a scale at which these chips are seen: 0 if most of them are poor."""
    good = sure(found, matches)
    if len(good) < SHARE * len(matches):
        return 0.0
    # Large chips explain more of the picture than the same number of small things.
    return sum((match.agreed - POOR) * float(found.radii[match.number]) for match in good)


def scale_of(found: Circles, matches: Sequence[Match], radii: Floats) -> float:
    """The scale at which the sure chips have their taught `radii` (K,)."""
    good = sure(found, matches)
    return float(np.median([found.radii[one.number] / radii[one.kind] for one in good]))


def kept(found: Circles, matches: Sequence[Match]) -> list[Match]:
    """The accepted chips: all of them, or with a single sure one those that agree."""
    if len(sure(found, matches)) >= FIRM:
        return list(matches)
    return [match for match in matches if match.agreed >= POOR]
