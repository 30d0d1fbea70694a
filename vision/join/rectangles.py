"""The four corners of one card, told by the rectangle that they form, whatever size they are.

Indices smaller than they seemed, as of a thin typeface, lie farther apart in index heights than the
deck's shape allows. Their places alone tell: those of two equal cards side by side form a
parallelogram with none of its sides along the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from vision.find.finder import Indices
from vision.join.pairs import ALIKE_ENOUGH, EXACT, OPPOSED, sameness_of
from vision.join.proportions import Shape
from vision.picture.geometry import Floats

LEANING = 0.35
"""Largest slope of a side against the direction in which its indices point: 20 degrees, for the
finder's error of direction and the slant. A choice; on a card with two indices, the way between
them has a slope of 0.6 or more."""
SQUARE = 0.2
"""Largest cosine of the angle between two sides: 12 degrees off square, for perspective. A choice;
`python -m tests.equal_cards` judges it."""
PROPORTIONED = 1.2
"""Largest ratio of the rectangle's proportions to those of the deck: the left corners of two equal
cards in a row form a rectangle too, but seldom one like that. A choice;
`python -m tests.equal_cards` judges it."""

BETWEEN = 0.15
"""Share of the way from one index to another beyond which a third counts as between them. A choice;
`python -m tests.equal_cards` judges it."""
MIDST = 0.5
"""Largest distance, in index heights, of that third index from the line between the two: in a row
they stand in line, in a pile another card's index peeps out beside it. A choice;
`python -m tests.equal_cards` judges it."""

CORNERS = 4
"""Number of a card's corners. Follows from its shape."""
Side: TypeAlias = tuple[int, int]
"""The upper and the lower index of a long side."""
Four: TypeAlias = tuple[int, int, int, int]
"""Both opposite indices of one diagonal of a card, and then of the other."""


def rectangles(
    indices: Indices,
    faces: Floats,
    among: Sequence[int],
    shape: Shape,
    slimmest: float = PROPORTIONED,
) -> list[Four]:
    """The indices `among` these that are the four corners of one card of a deck with this `shape`.

    `faces` (N, 53) is what the `indices` show. No index is in two of them. A rectangle may be
    `slimmest` times as long by its width as such a card.
    """
    return apart(every_rectangle(indices, faces, among, shape, slimmest))


def apart(fours: Iterable[Four]) -> list[Four]:
    """The first of each of these rectangles that share an index."""
    found: list[Four] = []
    taken: set[int] = set()
    for four in fours:
        if not taken.intersection(four):
            found.append(four)
            taken.update(four)
    return found


def every_rectangle(
    indices: Indices,
    faces: Floats,
    among: Sequence[int],
    shape: Shape,
    slimmest: float = PROPORTIONED,
) -> Iterator[Four]:
    """The same, though an index may be in several of them."""
    if len(among) < CORNERS:
        return
    alike = sameness_of(faces[list(among)]) >= ALIKE_ENOUGH
    several = alike[alike.sum(axis=1) >= CORNERS]
    groups = {tuple(np.flatnonzero(row).tolist()) for row in several}
    for group in sorted(groups):
        sides = _sides(indices, [among[number] for number in group])
        for one, other in combinations(sides, 2):
            turned = float(indices.ups[one[0]] @ indices.ups[other[0]]) < 0
            top, bottom = other[::-1] if turned else other
            four = (one[0], bottom, top, one[1])
            if _form_a_card(indices, one, (top, bottom), shape, slimmest):
                yield four


def _sides(indices: Indices, among: Sequence[int]) -> Iterator[Side]:
    """Each two indices that stand with their heads away from each other, one above the other."""
    for one, other in combinations(among, 2):
        ups = indices.ups[one], indices.ups[other]
        if float(ups[0] @ ups[1]) > OPPOSED:
            continue
        up = _unit(ups[0] - ups[1])
        way = indices.centres[one] - indices.centres[other]
        along, across = float(way @ up), abs(float(way @ _right(up)))
        if along > 0 and across <= LEANING * along:
            yield one, other


def _form_a_card(indices: Indices, one: Side, other: Side, shape: Shape, slimmest: float) -> bool:
    """Whether two sides, each an upper and a lower index, are opposite each other on one card."""
    if set(one) & set(other) or any(between(indices, one[n], other[n]) for n in (0, 1)):
        return False
    centres = indices.centres
    above, below = (centres[other[n]] - centres[one[n]] for n in (0, 1))
    height = float(indices.heights[[*one, *other]].mean())
    if float(np.linalg.norm(above - below)) > 2 * EXACT * height:
        return False
    across = (above + below) / 2
    down = (centres[one[1]] - centres[one[0]] + centres[other[1]] - centres[other[0]]) / 2
    wide, long = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    if abs(float(across @ down)) > SQUARE * wide * long:
        return False
    proportion = (long * shape.across) / max(wide * shape.down, 1e-6)
    return 1 / PROPORTIONED <= proportion <= slimmest


def _unit(way: Floats) -> Floats:
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6), np.float32)


def _right(up: Floats) -> Floats:
    return np.array([-up[1], up[0]], np.float32)


def between(indices: Indices, first: int, second: int, on_top: Sequence[int] = ()) -> bool:
    """Whether another index lies between two, as in a row of equal cards, not on a single card.

    Those of cards that lie `on_top` of all others do not count: there they may lie on one card.
    """
    way = indices.centres[second] - indices.centres[first]
    length = float(np.linalg.norm(way))
    along = way / max(length, 1e-6)
    others = indices.centres - indices.centres[first]
    ahead, aside = others @ along, np.abs(others @ np.array([-along[1], along[0]], np.float32))
    inside = (ahead > BETWEEN * length) & (ahead < (1 - BETWEEN) * length)
    inside[list(on_top)] = False
    return bool((inside & (aside < MIDST * indices.heights[first])).any())
