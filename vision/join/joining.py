"""From indices to physical cards: which indices belong to one card, and which to none.

Two opposite indices make one card, and both opinions count; so do all visible corners of a deck
with indices in four of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.join.joined import Joined, Mark, card_of, cards_of, combined, marks_of
from vision.join.pairs import (
    ALIGNED,
    ALIKE_ENOUGH,
    EXACT,
    OPPOSED,
    TURNED,
    estimate,
    pairs_of,
    sameness_of,
    sure_ways,
    ways_between,
)
from vision.join.proportions import Proportions, Shape
from vision.join.rectangles import Four, between, rectangles
from vision.picture.geometry import Floats
from vision.sightings import SURE

CENTRED = 0.35
"""Largest distance, in index heights, between the centres of a card's two diagonals as found. A
choice; `python -m tests.spreads` judges it."""


def join(
    indices: Indices, faces: Floats, deck: Proportions | None = None
) -> tuple[tuple[Joined, ...], Shape]:
    """The physical cards that `indices` with these `faces` (N, 53) show, and the deck's shape.

    The shape comes from what is known of the `deck` in play, which is updated; without a deck, from
    the picture.
    """
    ways, possible = ways_between(indices)
    known = deck.shape if deck is not None else None
    shape = known or estimate(ways, possible, faces)
    if deck is not None and shape == Shape():
        shape = deck.perhaps or shape
    pairs = pairs_of(ways, possible, faces, shape, indices)
    if deck is not None:
        deck.note(sure_ways(ways, pairs, faces))
    marks = marks_of(indices)
    paired = cards_of(marks, faces, pairs, shape)
    taken = {number for pair in pairs for number in pair}
    rest = [number for number in range(len(indices)) if number not in taken]
    fours = rectangles(indices, faces, rest, shape)
    paired += [_four_cornered(marks, faces, four) for four in fours]
    taken.update(number for four in fours for number in four)
    singles = [card_of(marks, faces, number, shape) for number in rest if number not in taken]
    two_cornered = deck is not None and deck.two_cornered
    cards = folded([*paired, *singles], indices, shape, two_cornered=two_cornered)
    if deck is not None:
        deck.note_corners(_further(cards, faces))
    return cards, shape


def _four_cornered(marks: Sequence[Mark], faces: Floats, four: Four) -> Joined:
    """The card that shows the same at all of its `four` corners."""
    diagonals = cards_of(marks, faces, [four[:2], four[2:]], None)
    best = max(diagonals, key=lambda card: float(card.faces.max()))
    other = four[2:] if best is diagonals[0] else four[:2]
    return replace(best, members=best.members + other)


def _further(cards: Sequence[Joined], faces: Floats) -> Iterator[bool]:
    """Of each card with two opposite indices that were read with confidence, whether it has more.

    Where a card of four corners shows two opposite ones, it nearly always shows a third.
    """
    for card in cards:
        if card.agreement is None:
            continue
        first, last = card.members[:2]
        if float((faces[first] * faces[last]).max()) >= SURE**2:
            yield len(card.members) > 2


def folded(
    cards: Sequence[Joined], indices: Indices, shape: Shape, *, two_cornered: bool = False
) -> tuple[Joined, ...]:
    """`cards` with the corners of each four-corner card merged.

    Corners are merged if they show the same face side by side, unless the deck's cards are known to
    be `two_cornered`, if their diagonals cross, or if one lies at a bare corner of a card of which
    both opposite ones were read: a card over it would cover one of these, and one under it would be
    covered.
    """
    if not cards:
        return ()
    alike = (sameness_of(np.stack([card.faces for card in cards])) >= ALIKE_ENOUGH).tolist()
    crossing = _crossing(cards, indices).tolist()
    kept: dict[int, Joined] = {}
    for number, card in enumerate(cards):
        crossed = next(
            (one for one in kept if crossing[one][number] or _completes(kept[one], card, indices)),
            None,
        )
        same = [one for one in kept if alike[one][number]]
        beside = () if two_cornered else same
        host = next((one for one in beside if _beside(kept[one], card, indices, shape)), crossed)
        if host is None:
            kept[number] = card
            continue
        members = kept[host].members + card.members
        faces = combined(kept[host].faces, card.faces)
        kept[host] = replace(kept[host], members=members, faces=faces)
    return tuple(kept.values())


def _beside(one: Joined, other: Joined, indices: Indices, shape: Shape) -> bool:
    """Whether two cards that read the same are adjacent corners of one card.

    If both opposite indices of a card were read, its other corners are known; two such cards in
    different places are two, however their corners lie relative to each other.
    """
    pairs = [card for card in (one, other) if card.agreement is not None]
    if len(pairs) == 2:
        return False
    if pairs:
        (pair,) = pairs
        single = other if pair is one else one
        return all(_at_bare_corner(pair, indices, number) for number in single.members)
    return any(
        _corners_apart(indices, first, second, shape)
        and (_turned(indices, first, second) or not between(indices, first, second))
        for first in one.members
        for second in other.members
    )


def _completes(pair: Joined, single: Joined, indices: Indices) -> bool:
    """Whether a single index lies at a bare corner of a card, and stands as it does there.

    Both other indices of that card must be clear: the next card of a row may cut one of them.
    """
    clear = pair.agreement is not None and pair.agreement >= SURE
    if not clear or single.agreement is not None or len(single.members) > 1:
        return False
    (number,) = single.members
    above = float((indices.centres[number] - pair.centre) @ pair.up) > 0
    upright = float(indices.ups[number] @ pair.up) > 0
    return above is upright and _at_bare_corner(pair, indices, number)


def _turned(indices: Indices, first: int, second: int) -> bool:
    """Whether two indices are upside down to each other, as at the ends of a card's long side.

    No other card's index lies between those: its card would cover one of them.
    """
    return float(indices.ups[first] @ indices.ups[second]) < 0


def _at_bare_corner(pair: Joined, indices: Indices, number: int) -> bool:
    """Whether an index lies at one of the corners of a card whose two other corners were read."""
    ends = indices.centres[list(pair.members[:2])]
    right = np.array([-pair.up[1], pair.up[0]], np.float32)
    away = ends - ends.mean(axis=0)
    corners = ends - 2 * (away @ right)[:, None] * right
    height = float(indices.heights[list(pair.members[:2])].mean())
    off = np.linalg.norm(indices.centres[number] - corners, axis=1).min()
    aligned = abs(float(pair.up @ indices.ups[number])) >= -OPPOSED
    return aligned and float(off) < EXACT * height


def _crossing(cards: Sequence[Joined], indices: Indices) -> NDArray[np.bool_]:
    """Which two of the `cards` (N, N) are the two diagonals of one card, whatever they read.

    One of them falls to the right and the other to the left; on a pile, those of two cards may meet
    in the middle too.
    """
    pairs = np.array([card.agreement is not None for card in cards])
    falls = np.array([_falls(card, indices) for card in cards])
    corners, ups = np.stack([card.corners for card in cards]), np.stack([card.up for card in cards])
    middles = (corners[:, 0] + corners[:, 2]) / 2
    heights = indices.heights[[card.members[0] for card in cards]]
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = apart < CENTRED * (heights[:, None] + heights[None]) / 2
    aligned = np.abs(ups @ ups.T) >= ALIGNED
    other_way = falls[:, None] * falls[None] < 0
    return np.asarray(near & aligned & other_way & pairs[:, None] & pairs[None], np.bool_)


def _falls(card: Joined, indices: Indices) -> float:
    """How far the diagonal between a card's first and last index leads to its right, in pixels."""
    first, last = indices.centres[card.members[0]], indices.centres[card.members[-1]]
    return float((last - first) @ np.array([-card.up[1], card.up[0]], np.float32))


def _corners_apart(indices: Indices, first: int, second: int, shape: Shape) -> bool:
    """Whether two indices lie at the ends of a card's short side or of its long side."""
    ups, turn = indices.ups[[first, second]], float(indices.ups[first] @ indices.ups[second])
    if abs(turn) < -OPPOSED:
        return False
    # Averaging both halves the finder's errors of direction and size.
    up = ups[0] + ups[1] if turn > 0 else ups[0] - ups[1]
    up = up / np.linalg.norm(up)
    # Both sizes may be off in the same direction; those of the other indices make up for it.
    size = float(indices.heights[[first, second]].mean() * np.median(indices.heights)) ** 0.5
    way = (indices.centres[second] - indices.centres[first]) / size
    across, down = abs(float(way @ (-up[1], up[0]))), abs(float(way @ up))
    if turn > 0:
        return hypot(across - shape.across, down) < EXACT
    return hypot(across, down - shape.down) < TURNED
