"""Merge the corners of each card of a deck with four indices a card.

On such a card any of its corners may be all that shows, one by one or by two of its sides; what
lies between them tells whether they are one card's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from vision.find.finder import Indices
from vision.find.parts import ranks_at, signs_at
from vision.join.corners import ASKEW, at_bare_corner, on_one_side, share_a_corner, turned
from vision.join.joined import Joined, combined
from vision.join.pairs import ALIGNED, ALIKE_ENOUGH, EXACT, OPPOSED, TURNED, sameness_of
from vision.join.proportions import Shape
from vision.join.rectangles import CORNERS, between
from vision.join.suppression import CLEAR
from vision.picture.geometry import Floats
from vision.read.index_classifier import FACES
from vision.sightings import SURE

CENTRED = 0.35
"""Largest distance, in index heights, between the centres of a card's two diagonals as found. A
choice; `python -m tests.spreads` judges it."""

GRAZED = 0.2
"""Largest share of the place of an index's rank or suit sign that a card may cover without hiding
any of it: neither fills its place, and cards have round corners. A choice;
`python -m tests.spreads` judges it."""


def folded(
    cards: Sequence[Joined],
    indices: Indices,
    shape: Shape,
    *,
    two_cornered: bool = False,
    parted: Collection[tuple[int, int]] = (),
) -> tuple[Joined, ...]:
    """`cards` with the corners of each four-corner card merged.

    Corners are merged if their diagonals cross, and, unless the deck's cards are known to be
    `two_cornered`, if they show the same face side by side, or if one lies at a bare corner of a
    card of which both opposite ones were read: a card far over it would cover one of these, and one
    under it would be covered. What lies between two corners that are a card's width apart is a card
    of a row, unless it shows all four of its own: in a row, its neighbour would cover one of them.
    Two indices that are `parted` are known to be two cards'.
    """
    found = _folded(cards, indices, shape, parted, two_cornered=two_cornered)
    if not two_cornered:
        found = _peeping_out(found, indices, shape)
    return _with_half_covered(found, indices, shape)


def _folded(
    cards: Sequence[Joined],
    indices: Indices,
    shape: Shape,
    parted: Collection[tuple[int, int]],
    *,
    two_cornered: bool,
) -> list[Joined]:
    """The same, but for corners that peep out under others."""
    if not cards:
        return []
    alike = (sameness_of(np.stack([card.faces for card in cards])) >= ALIKE_ENOUGH).tolist()
    crossing = _crossing(cards, indices).tolist()
    kept: dict[int, Joined] = {}
    for number, card in enumerate(cards):
        two = {one for one in kept if _are_parted(kept[one], card, parted)}
        crossed = next(
            (
                one
                for one in kept
                if one not in two
                and (
                    crossing[one][number]
                    or (not two_cornered and _completes(kept[one], card, indices))
                )
            ),
            None,
        )
        same = [one for one in kept if alike[one][number] and one not in two]
        beside = () if two_cornered else same
        fitting = (one for one in beside if _beside(kept[one], card, indices, shape))
        host = next(fitting, crossed)
        if host is None:
            kept[number] = card
            continue
        members = kept[host].members + card.members
        faces = combined(kept[host].faces, card.faces)
        kept[host] = replace(kept[host], members=members, faces=faces)
    return list(kept.values())


def _peeping_out(cards: Sequence[Joined], indices: Indices, shape: Shape) -> list[Joined]:
    """`cards` with each two corners that peep out over one in full view as one card's."""
    on_top, kept = _in_full_view(cards), list[Joined]()
    for card in cards:
        host = next((one for one in kept if _peep_out(one, card, indices, shape, on_top)), None)
        if host is None:
            kept.append(card)
            continue
        faces = combined(host.faces, card.faces)
        both = replace(host, members=host.members + card.members, faces=faces)
        kept = [both if one is host else one for one in kept]
    return kept


def _peep_out(
    one: Joined, other: Joined, indices: Indices, shape: Shape, on_top: Sequence[int]
) -> bool:
    """Whether only indices that lie `on_top` keep two single ones from being one card's corners."""
    if not on_top or len(one.members) > 1 or len(other.members) > 1:
        return False
    (first,), (second,) = one.members, other.members
    alike = sameness_of(np.stack([one.faces, other.faces]))[0, 1] >= ALIKE_ENOUGH
    return (
        bool(alike)
        and on_one_side(indices, first, second, shape)
        and between(indices, first, second)
        and not between(indices, first, second, on_top)
    )


def _are_parted(one: Joined, other: Joined, parted: Collection[tuple[int, int]]) -> bool:
    """Whether an index of each of two cards is known not to be of the other's."""
    return any(
        (first, second) in parted or (second, first) in parted
        for first in one.members
        for second in other.members
    )


def _with_half_covered(
    cards: Sequence[Joined], indices: Indices, shape: Shape
) -> tuple[Joined, ...]:
    """`cards` with each half-covered corner given to the card of which both others were read."""
    whole = [card for card in cards if len(card.members) > 1]
    single = [card for card in cards if len(card.members) == 1]
    for number, side in enumerate(whole):
        if side.agreement is not None:
            continue
        above = [card for card in whole if card is not side]
        own = [one for one in single if _half_covered_corner(side, one, indices, shape, above)]
        single = [one for one in single if one not in own]
        members = side.members + tuple(one.members[0] for one in own)
        whole[number] = replace(side, members=members)
    return (*whole, *_with_covered_ends(single, indices, shape, _both_ends(whole)))


def _with_covered_ends(
    single: Sequence[Joined], indices: Indices, shape: Shape, above: Sequence[Joined]
) -> list[Joined]:
    """The `single` indices, with each that a card `above` half covers given to the other end of its
    card, if that one is in sight.

    With its upper half under a nine, the rank of a queen was read as a jack's at 0.995.
    """
    kept = list(single)
    for cut in single if above else ():
        host = next((one for one in kept if _is_other_end(one, cut, indices, shape, above)), None)
        if host is not None:
            both = replace(host, members=host.members + cut.members)
            kept = [both if one is host else one for one in kept if one is not cut]
    return kept


def _is_other_end(
    one: Joined, cut: Joined, indices: Indices, shape: Shape, above: Sequence[Joined]
) -> bool:
    """Whether a half-covered index lies where the other end of a card shows that its own must be,
    and what is in sight of it agrees. That other end must be clear itself.
    """
    if len(one.members) != 1 or len(cut.members) != 1 or one is cut:
        return False
    if float(one.faces.max()) < SURE:
        return False
    (end,), (number,) = one.members, cut.members
    up, height = indices.ups[end], float(indices.heights[end])
    if float(up @ indices.ups[number]) > OPPOSED:
        return False
    right = np.array([-up[1], up[0]], np.float32)
    there = indices.centres[end] + height * (shape.across * right - shape.down * up)
    corner = replace(
        indices[number : number + 1],
        centres=there[None].astype(np.float32),
        ups=-up[None],
        heights=np.array([height], np.float32),
    )
    off = float(np.linalg.norm(indices.centres[number] - there))
    return off < TURNED * height and _reads_in_sight(cut, one, corner, above)


def _both_ends(cards: Iterable[Joined]) -> list[Joined]:
    """Those of which both ends are in sight: they may lie over others."""
    return [card for card in cards if card.agreement is not None]


def _in_full_view(cards: Iterable[Joined]) -> list[int]:
    """The indices of the cards of which all four corners were read: nothing lies over these."""
    return [number for card in cards if len(card.members) >= CORNERS for number in card.members]


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
        return all(at_bare_corner(pair, indices, number) for number in single.members)
    return not share_a_corner(one, other, indices, shape) and any(
        on_one_side(indices, first, second, shape)
        and (turned(indices, first, second) or not between(indices, first, second))
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
    return above is upright and at_bare_corner(pair, indices, number)


def _half_covered_corner(
    side: Joined, single: Joined, indices: Indices, shape: Shape, above: Sequence[Joined]
) -> bool:
    """Whether an index is a further corner of a card seen by one of its sides.

    It is not clear, or lies partly under one of the cards `above`, which show more of themselves.
    No card that lies there would leave both corners of that side in sight.
    """
    if side.agreement is not None or len(side.members) != 2 or len(single.members) != 1:
        return False
    (number,) = single.members
    on_top = _in_full_view(above)
    end = min(side.members, key=lambda one: _apart(indices, number, one))
    if between(indices, number, end, on_top):
        return False  # in a row, another card's corner lies as far away
    corner = _further_corner(side, number, indices, shape)
    along = abs(float(indices.ups[number] @ indices.ups[end]))
    off = np.linalg.norm(indices.centres[number] - corner.centres[0])
    if along < -OPPOSED or float(off) >= EXACT * float(corner.heights[0]):
        return False
    return _may_read(single, side, askew=along < ASKEW) or (
        along >= ALIGNED and _reads_in_sight(single, side, corner, above)
    )


def _apart(indices: Indices, one: int, other: int) -> float:
    """The distance between two indices, in pixels."""
    return float(np.linalg.norm(indices.centres[one] - indices.centres[other]))


def _further_corner(side: Joined, number: int, indices: Indices, shape: Shape) -> Indices:
    """The index of a card seen by one of its sides that would be nearest to that one."""
    first, last = indices.centres[list(side.members)]
    length = max(float(np.linalg.norm(last - first)), 1e-6)
    height = float(indices.heights[list(side.members)].mean())
    along = (last - first) / length
    # A long side is turned half round at its other end, a short one is not.
    away = height * (shape.across if turned(indices, *side.members) else shape.down)
    across = away * np.array([-along[1], along[0]], np.float32)
    corners = [end + way for end in (first, last) for way in (across, -across)]
    nearest = min(corners, key=lambda at: float(np.linalg.norm(indices.centres[number] - at)))
    return replace(
        indices[number : number + 1],
        centres=nearest[None].astype(np.float32),
        heights=np.array([height], np.float32),
    )


def _may_read(single: Joined, side: Joined, *, askew: bool) -> bool:
    """Whether an index that is not clear shows the same rank in the same ink.

    A covering card may hide half of its sign, so that the suit is another one; and where its
    direction is in error (`askew`), it was read turned, so that its rank says nothing.
    """
    read, shown = _faces(single, side)
    ink = read.suit.red is shown.suit.red and (askew or read.rank is shown.rank)
    return ink and float(single.faces.max()) < min(CLEAR, float(side.faces.max()))


def _reads_in_sight(single: Joined, side: Joined, corner: Indices, above: Sequence[Joined]) -> bool:
    """Whether another card lies over the rank or the sign of an index, and the other is the same.

    With its sign under a jack, a seven of diamonds was read as one of clubs at 0.98.
    """
    rank, sign = (
        max(float((card.insets(points[0]) > 0).mean()) for card in above) if above else 0.0
        for points in (ranks_at(corner), signs_at(corner))
    )
    read, shown = _faces(single, side)
    return (sign > rank <= GRAZED and read.rank is shown.rank) or (
        rank > sign <= GRAZED and read.suit is shown.suit
    )


def _faces(*cards: Joined) -> tuple[Card, ...]:
    """What each of the `cards` most likely is."""
    return tuple(FACES[int(card.faces.argmax())] for card in cards)


def _crossing(cards: Sequence[Joined], indices: Indices) -> NDArray[np.bool_]:
    """Which two of the `cards` (N, N) are the two diagonals of one card, whatever they read.

    One of them falls to the right and the other to the left; on a pile, those of two cards may meet
    in the middle too.
    """
    pairs = np.array([card.agreement is not None for card in cards])
    ups = np.stack([card.up for card in cards])
    falls = _falls(cards, ups, indices)
    if not ((falls > 0) & pairs).any() or not ((falls < 0) & pairs).any():
        return np.zeros((len(cards), len(cards)), np.bool_)
    corners = np.stack([card.corners for card in cards])
    middles = (corners[:, 0] + corners[:, 2]) / 2
    heights = indices.heights[[card.members[0] for card in cards]]
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = apart < CENTRED * (heights[:, None] + heights[None]) / 2
    aligned = np.abs(ups @ ups.T) >= ALIGNED
    other_way = falls[:, None] * falls[None] < 0
    return np.asarray(near & aligned & other_way & pairs[:, None] & pairs[None], np.bool_)


def _falls(cards: Sequence[Joined], ups: Floats, indices: Indices) -> Floats:
    """How far the diagonal between each card's first and last index leads to its right (N,).

    In pixels; the cards' heads point to their `ups` (N, 2).
    """
    first, last = (indices.centres[[card.members[end] for card in cards]] for end in (0, -1))
    ways = last - first
    return np.asarray(ways[:, 1] * ups[:, 0] - ways[:, 0] * ups[:, 1], np.float32)
