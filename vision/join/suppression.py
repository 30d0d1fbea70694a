"""Find the joined cards that are not cards: prints on other cards, and halves of indices.

A court card's robe, a row of pips and a half-covered index look like indices. The ways cards can
lie give them away: no card covers another and leaves both of its indices visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np

from rules.cards import JOKER, Rank
from vision.find.finder import Indices
from vision.join.joined import Joined
from vision.picture.geometry import Floats, within
from vision.read.index_classifier import FACES
from vision.sightings import SURE

STRAIGHT = 0.94
"""The cosine of 20 degrees: prints on one card are upright or upside down, within the finder's
error. A choice; `python -m tests.spreads` judges it."""
SMALLER, LARGER = 0.55, 1.9
"""Range of an index's size relative to the picture's usual one. Court robes and lettering are
smaller; perspective and a second deck stay within it. A choice; `python -m tests.spreads` judges
it."""
SURE_FACE = 0.8
"""Minimum probability at which a face contributes to the usual size if no card shows two indices. A
choice; `python -m tests.spreads` judges it."""
ALIKE_SIZE = 1.4
"""Largest size ratio, either way, for what is not read confidently (a court card's robe, a large
pip, half an index with its neighbour's print) and for a joker, as all kinds of lettering are read
as one. A choice; `python -m tests.spreads` judges it."""
ALONE_SIZE = 1.65
"""The same for a single index that is read clearly: half-covered pips read as a club of 1.7
times the size, while two in their places seldom do so by chance. A choice;
`python -m tests.spreads` judges it."""
CLEAR = 0.97
"""Minimum probability of a face at which an index is read clearly. A choice: upper halves of two
indices, 0.69 and 0.65 of an index high, were read at 0.94 and 0.95, one of them as another card;
`python -m tests.soak --pictures` judges it."""
BORDER = 0.25
"""Accuracy of a card's estimated outline, in index heights. A choice; `python -m tests.spreads`
judges it."""
INSIDE = 0.6
"""Depth inside another card's border, in index heights, that no index of a card covering one of its
two bare corners reaches, even if both lie slightly askew; robes and pips do. A choice;
`python -m tests.spreads` judges it."""
AMID = 0.5
"""The same for what is not read well on a figure of which one index may be all that tells where
the card ends. A choice; `python -m tests.spreads` judges it."""
BESIDE, OTHER_SIZE = 0.6, 1.25
"""Distance in index heights of two indices below which one covers the other unless they stand side
by side, as in a fan, and ratio of sizes from which they do not. A choice: half a club and the four
beside it, at 0.45 and 1.4, were taken for a two that may be a three; `python -m tests.spreads`
judges it."""
OVERLAPPING, WELL_INSIDE = 0.9, 0.2
"""Distance along, and twice that across, in index heights, below which two parallel indices overlap
each other, and how far inside a card such a one is its own. A choice: two sevens of clubs of which
one was none were 0.6 apart, 0.28 inside; an equal card below, drawn out by half an index or more,
shows its own no more than 0.2 inside; `python -m tests.equal_cards` judges it."""
PICTURED = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.JOKER)
"""Cards on which any ink may be printed: figures, and the ornate ace. Follows from the faces."""
AT_END = 0.6
"""Tolerance, in index heights, for finding half of a card's second index where the deck's shape and
the first index predict it. A choice; `python -m tests.spreads` judges it."""
AT_CORNER = 0.4
"""Tolerance, in index heights, for finding a four-corner card's other indices where they must be. A
choice; `python -m tests.spreads` judges it."""
COINCIDENT = 0.75
"""Minimum overlap of two outlines of one card, each estimated from a different index of it, as a
share of the smaller. A choice; `python -m tests.spreads` judges it."""


def without_spurious(
    cards: Sequence[Joined], indices: Indices, faces: Floats
) -> tuple[Joined, ...]:
    """`cards` without single indices that are only prints on another card: a robe, a pip.

    Indices of the wrong size for the picture are dropped too. `faces` (N, 53) is what each index
    shows. No card can lie straight across part of another, show its own index there, and leave both
    indices of the covered card visible.
    """
    # If the corners are side by side, the rest of the card may be covered.
    pairs = [card for card in cards if card.agreement is not None]
    # A pair made by mistake of an index in a ribbon and a pip does not explain a card that is read
    # confidently.
    sure = (faces.max(axis=1, initial=0) >= SURE).tolist()
    solid = [pair for pair in pairs if all(sure[number] for number in pair.members[:2])]
    usual, heights = usual_height(cards, indices), indices.heights.tolist()
    return tuple(
        card
        for card in cards
        if _of_size(card, heights, usual)
        and not _between_prints(card, cards, indices)
        and not _in_a_figure(card, cards, indices)
        and (len(card.members) > 1 or not _print_on(solid if _sure(card) else pairs, card, indices))
        and not any(_seen_twice(card, pair, indices) for pair in pairs)
    )


def _between_prints(card: Joined, cards: Sequence[Joined], indices: Indices) -> bool:
    """Whether a single index that is not read well is a pip and part of the index beside it.

    It is nearer to an index that is read with confidence than the next card of a fan would be that
    points another way, or that is as much larger.
    """
    if len(card.members) > 1 or float(card.faces.max()) >= SURE_FACE:
        return False
    (number,) = card.members
    near = [one for other in cards if _sure(other) for one in other.members]
    away = np.linalg.norm(indices.centres[near] - indices.centres[number], axis=1)
    askew = np.abs(indices.ups[near] @ indices.ups[number]) < STRAIGHT
    ratio = indices.heights[near] / indices.heights[number]
    other_size = np.maximum(ratio, 1 / ratio) >= OTHER_SIZE
    return bool(((away < BESIDE * indices.heights[near]) & (askew | other_size)).any())


def _in_a_figure(card: Joined, cards: Sequence[Joined], indices: Indices) -> bool:
    """Whether a single index that is not read well is part of the figure on a card that is.

    It points another way than that card's own indices, or is of another size, though one corner of
    that card may be all that shows where it lies.
    """
    if len(card.members) > 1 or float(card.faces.max()) >= SURE_FACE:
        return False
    (number,) = card.members
    return any(
        _unlike(one, indices, number)
        and float(one.insets(indices.centres[number][None])[0])
        > AMID * float(indices.heights[one.members[0]])
        for one in cards
        if _sure(one) and FACES[int(one.faces.argmax())].rank in PICTURED
    )


def _unlike(card: Joined, indices: Indices, number: int) -> bool:
    """Whether an index points another way than a card's first one, or is not nearly as large."""
    ratio = float(indices.heights[number] / indices.heights[card.members[0]])
    askew = abs(float(card.up @ indices.ups[number])) < STRAIGHT
    return askew or max(ratio, 1 / ratio) >= OTHER_SIZE


def _print_on(pairs: Sequence[Joined], single: Joined, indices: Indices) -> bool:
    """Whether a single index is only a print on one of the cards with both indices visible."""
    depth, number = INSIDE if _sure(single) else BORDER, single.members[0]
    return any(
        (not _in_other_ink(single, pair) and _explains(pair, indices, number, depth))
        or _bare_corner(pair, indices, number)
        for pair in pairs
    )


def _seen_twice(single: Joined, pair: Joined, indices: Indices) -> bool:
    """Whether a single index is one of a pair's own, seen again: it reads alike and overlaps it.

    Of a seven of clubs on one of spades, the sign of the upper one and the lower one's 7 beyond its
    edge made another index. A lower card's own would show outside of the pair.
    """
    number = single.members[0]
    if len(single.members) > 1 or single.faces.argmax() != pair.faces.argmax():
        return False
    members = list(pair.members)
    away = indices.centres[members] - indices.centres[number]
    along = np.abs(away @ indices.ups[number])
    across = np.abs(away @ indices.rights[number])
    heights = indices.heights[members]
    near = (along < OVERLAPPING * heights) & (across < OVERLAPPING / 2 * heights)
    near &= indices.ups[members] @ indices.ups[number] >= STRAIGHT
    depth = float(pair.insets(indices.centres[number][None])[0])
    return bool(near.any()) and depth >= WELL_INSIDE * float(heights.mean())


def _in_other_ink(single: Joined, pair: Joined) -> bool:
    """Whether an index that is read with confidence has an ink that the other card's pips have not.

    On a pile of cards with indices in four corners, a red five's lower one showed in the middle of
    a black nine, whose opposite corners were in sight.
    """
    shown, read = (FACES[int(card.faces.argmax())] for card in (pair, single))
    pips = shown.rank not in PICTURED
    return pips and read != JOKER and _sure(single) and read.suit.red != shown.suit.red


def _bare_corner(pair: Joined, indices: Indices, number: int) -> bool:
    """Whether an index lies exactly where the fourth corner of a card with three read ones must be.

    Two read corners are not enough: in a row of slightly overlapping cards, one card's index falls
    where the bare corner of the one beneath is.
    """
    if len(pair.members) < 3 or abs(float(pair.up @ indices.ups[number])) < STRAIGHT:
        return False
    ends = indices.centres[list(pair.members[:2])]
    middle, right = ends.mean(axis=0), np.array([-pair.up[1], pair.up[0]], np.float32)
    away = ends - middle
    corners = ends - 2 * (away @ right)[:, None] * right
    height = float(indices.heights[list(pair.members)].mean())
    off = np.linalg.norm(indices.centres[number] - corners, axis=1).min()
    return float(off) <= AT_CORNER * height


def _explains(pair: Joined, indices: Indices, number: int, depth: float) -> bool:
    """Whether an index is a print on a card, `depth` index heights inside its border.

    It must either be aligned with the card or differ in size from the card's own indices.
    """
    heights = indices.heights[list(pair.members)].tolist()
    height = sum(heights) / len(heights)
    ratio = float(indices.heights[number]) / height
    alike = 1 / ALIKE_SIZE <= ratio <= ALIKE_SIZE
    if alike and abs(float(pair.up @ indices.ups[number])) < STRAIGHT:
        return False
    return within(pair.corners, indices.centres[number], margin=depth * height)


def _of_size(card: Joined, heights: Sequence[float], usual: float) -> bool:
    own = [heights[number] for number in card.members]
    ratio = sum(own) / len(own) / usual if usual else 1.0
    if _sure(card) and len(card.members) > 1:
        return SMALLER <= ratio <= LARGER
    doubtful = float(card.faces.max()) < CLEAR or FACES[int(card.faces.argmax())] == JOKER
    most = ALIKE_SIZE if doubtful else ALONE_SIZE
    return 1 / most <= ratio <= most


def usual_height(cards: Sequence[Joined], indices: Indices) -> float:
    """The height in pixels of the picture's most confident indices; zero if there are none."""
    pairs = [number for card in cards if len(card.members) > 1 for number in card.members]
    sure = pairs or [card.members[0] for card in cards if card.faces.max() > SURE_FACE]
    return median(indices.heights[sure].tolist()) if sure else 0.0


def stacked(cards: Sequence[Joined], indices: Indices) -> tuple[Joined, ...]:
    """`cards` without single indices that cannot be a card of their own.

    If the index of one card shows inside another's outline, the first lies on top. Two cards cannot
    each lie on top of the other; and what lies exactly where another card does, the other way
    round, is the half-covered other end of that card. A lone joker is dropped first, as half a row
    of pips looks like its lettering, then the less certain reading; confident readings stay, but
    for those of half an index.
    """
    trusts = [_trust(card) for card in cards]
    left = dict(enumerate(cards))
    for number in sorted(left, key=trusts.__getitem__):
        card, confident = cards[number], trusts[number] >= (False, True, SURE)
        if confident and len(card.members) > 1:
            continue
        surer = [other for place, other in left.items() if trusts[place] > trusts[number]]
        if any(
            _is_half(card, one, indices, surer)
            if confident
            else _interlocked(card, one, indices)
            # Of a card with both of its ends in sight there is no other one.
            or (len(one.members) == 1 and other_end(card, one))
            or _at_other_end(card, one, indices, surer)
            for one in surer
        ):
            del left[number]
    return tuple(left.values())


def impossible(cards: Sequence[Joined], indices: Indices) -> frozenset[int]:
    """The single indices, by number of the `cards`, that are not quite clear and interlock with a
    surer card: not both are read rightly.

    Of a column lying on its side, the sign of a jack and the rank of the three beside it were taken
    for the index of a card that lay askew, at 0.93.
    """
    trusts = [_trust(card) for card in cards]
    return frozenset(
        number
        for number, card in enumerate(cards)
        if len(card.members) == 1
        and trusts[number][-1] < CLEAR
        and any(
            _interlocked(card, other, indices)
            for place, other in enumerate(cards)
            if trusts[place] > trusts[number]
        )
    )


def _is_half(card: Joined, other: Joined, indices: Indices, surer: Sequence[Joined]) -> bool:
    """Whether a single index is what a covering card leaves of another single's second one.

    It is smaller, however confidently it is read: half a nine was read as a queen.
    """
    heights = [float(indices.heights[one.members[0]]) for one in (card, other)]
    return heights[0] * ALIKE_SIZE < heights[1] and _at_other_end(card, other, indices, surer)


def _trust(card: Joined) -> tuple[bool, bool, float]:
    """Sort key for which of two incompatible cards to believe, in ascending order."""
    paired = len(card.members) > 1
    return paired, FACES[int(card.faces.argmax())] != JOKER, float(card.faces.max())


def _sure(card: Joined) -> bool:
    return float(card.faces.max()) >= SURE


def _interlocked(one: Joined, other: Joined, indices: Indices) -> bool:
    """Whether an index of each shows clearly inside the other's outline."""
    depths = _depth(one, other, indices), _depth(other, one, indices)
    return min(depths) > 0 and sum(depths) > 2 * BORDER


def _depth(one: Joined, other: Joined, indices: Indices) -> float:
    """How far inside the other's outline an index of `one` is, in index heights."""
    height = float(indices.heights[list(other.members)].mean())
    return float(other.insets(indices.centres[list(one.members)]).max()) / height


def other_end(one: Joined, other: Joined, share: float = COINCIDENT) -> bool:
    """Whether an index implies a card exactly where the other one lies, reversed.

    They overlap by at least this `share` of the smaller one.
    """
    if float(one.up @ other.up) > -STRAIGHT:
        return False
    areas = [float(cv2.contourArea(card.corners)) for card in (one, other)]
    shared = cv2.intersectConvexConvex(one.corners, other.corners)[0]
    return float(shared) >= share * min(areas)


def _at_other_end(one: Joined, other: Joined, indices: Indices, surer: Sequence[Joined]) -> bool:
    """Whether a single index lies exactly where the second index of another single's card must be.

    Half covered, it may seem rotated any way and show another rank, but in the same ink. Well
    beneath one of the `surer` cards, which lies over that other one, its second index is not seen.
    """
    if len(one.members) > 1 or len(other.members) > 1 or not _sure(other):
        return False
    if _red(one) != _red(other):
        return False
    place = 2 * other.centre - indices.centres[other.members[0]]
    off = float(np.linalg.norm(indices.centres[one.members[0]] - place))
    return off <= AT_END * float(indices.heights[other.members[0]]) and not any(
        _depth(one, cover, indices) > INSIDE and _depth(cover, other, indices) > INSIDE
        for cover in surer
        if cover is not other and len(cover.members) == 1
    )


def _red(card: Joined) -> bool:
    return FACES[int(card.faces.argmax())].suit.red
