"""Which two single indices of a picture are the ends of one card, though they do not join as such.

Another card's edge may cut one of them, or a slant shorten the card; the areas of faces, the other
cards, and where each of the two implies its card to lie tell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from rules.cards import JOKER, Card
from vision.find.finder import Areas, Indices
from vision.join.evidence import CARD, elongated
from vision.join.joined import Joined, agreement, combined, joined_pair
from vision.join.pairs import ALIKE_ENOUGH, ways_between
from vision.join.suppression import COINCIDENT, STRAIGHT, other_end
from vision.picture.geometry import Floats, holding, within
from vision.read.index_classifier import FACES

CLEAR, EXACT = 0.97, 0.92
"""Minimum confidence of two readings that differ at which the cards that they imply must overlap by
the second share to be one. Of an eight and a queen, read at 0.99 each and 10 mm apart on a pile,
one doubtful diamond was made. A choice; `python -m tests.spreads` judges it."""
NEARLY, OPPOSITE = 0.85, -0.99
"""The same as the second share for two that show one suit, and the largest cosine of their
directions at which they point just away from each other: 8 degrees. A choice: of a six in a row the
cut end read as a five, at 0.995, and the cards that they imply overlapped by 0.91;
`python -m tests.spreads` judges it."""
CUT = 0.25
"""Distance, in index heights, from another card's outline within which its edge may run through an
index: half the width of a wide ten, less 0.1 by which outlines are off. A choice;
`python -m tests.spreads` judges it."""
AS_FAR, TOWARDS = 0.5, 0.966
"""Largest difference, in index heights, of the distance of two indices from that of a card's two,
and smallest cosine between their directions: 15 degrees. A choice: of a four of clubs whose other
end was cut and read as a seven, at 0.915, they differed by 0.1 heights and by 12 and 8 degrees;
`python -m tests.spreads` judges it."""
AS_LONG, ALONG = 0.25, 0.985
"""The same of two indices over each other at a card's long side: 10 degrees. A choice: of a six and
a queen whose other corner the next card of the fan cut, they differed by 0.15 and 0.18 heights and
by 9 and 1 degrees; `python -m vision.training tables fan` judges it."""
SLANTED = -0.7
"""Largest cosine between the directions of a card's two indices at the steepest slant at which they
can be read. A choice; `python -m tests.spreads` judges it."""
STEEPEST = 4.0
"""How many times as far two opposite indices are from each other along a card as across it, at
most: 2.0 on narrow cards from above. One over the other are two corners of a card's long side. A
choice; `python -m tests.spreads` judges it."""
NEAREST, FARTHEST = 2.0, 7.5
"""Range of their distance, in heights of the larger one: 82 mm by 17 mm, shortened by the slant.
Follows from the size of a standard card and its index."""
LARGER = 1.4
"""How many times the area of the nearest card of which both ends are known such a card has at most:
the one nearer to the camera is the larger. A choice: of ends of two fives on a pile, a card 1.7
times as large would have been made; in photographs no pair beside other cards is joined like that.
"""
PAPER = 0.8
"""Minimum share of the line between them that must be a card's face. A choice;
`python -m tests.spreads` judges it."""


def reconciled(
    cards: Sequence[Joined],
    indices: Indices,
    faces: Floats,
    areas: Areas,
    outlines: Sequence[Floats],
    *,
    assumed: bool = False,
) -> tuple[Joined, ...]:
    """`cards` with two single indices merged if the area of faces shows only one card.

    `outlines` are those of the faces' area, as returned by `blobs`.

    Two indices are merged if the area around them has the shape of one card; if the readings
    differ, the card becomes doubtful. They are also merged if both cards would lie in exactly the
    same place, as only the upper one would show, and if equal readings are connected by paper, as
    on a card seen at a steep slant, whose indices differ more in size and direction than joining
    allows. Where a deck's proportions are only `assumed`, two indices without any others may be
    those of a card of other ones: nothing would lie over the upper one's other end.
    """
    singles = [card for card in cards if len(card.members) == 1]
    # What reads alike belongs together before what does not.
    ways = sorted(_reversed(singles), key=lambda way: not _agree(*way))
    if not ways:
        return tuple(cards)
    outlines = [corners for corners in outlines if elongated(corners)]
    result = list(cards)
    for one, other in ways:
        if one not in result or other not in result:
            continue
        held = holding(outlines, [card.centre for card in result]).sum(axis=1)
        alone = [corners for corners, number in zip(outlines, held, strict=True) if number == 2]
        if (
            _one_outline(alone, one, other, indices)
            or _ends_of_one(one, other, result, indices)
            or _cut_and_intact(one, other, result, indices)
            or (assumed and len(result) == 2 and _on_any_card(one, other, indices))
        ):
            result = _with_merged(result, one, other, indices, faces)
    # How large a card is that a slant shortens, those tell of which both ends are known by now.
    for one, other in ways:
        if one not in result or other not in result:
            continue
        if _aslant(one, other, indices, areas) and _as_large(one, other, result, indices):
            result = _with_merged(result, one, other, indices, faces)
    return tuple(result)


def _with_merged(
    cards: Sequence[Joined], one: Joined, other: Joined, indices: Indices, faces: Floats
) -> list[Joined]:
    """The `cards` with two of them as one."""
    rest = [card for card in cards if card is not one and card is not other]
    return [*rest, _merged(one, other, rest, indices, faces)]


def _merged(
    one: Joined, other: Joined, rest: Sequence[Joined], indices: Indices, faces: Floats
) -> Joined:
    """The card with these two ends; where they read differently, and another of the cards cuts one
    end off, as the other end reads.

    In a spread deck the edge of the next card made a five of a six, read at 0.99.
    """
    if _on_one_side(one, other, indices):
        pair = _side(one, other)
    else:
        pair = joined_pair(indices, faces, one.members[0], other.members[0])
    if _agree(one, other) or _read(one).suit.red != _read(other).suit.red:
        return pair
    cut = _cut_end(one, other, rest, indices)
    intact = other if cut is one else one
    clear = cut is not None and float(intact.faces.max()) >= CLEAR
    return replace(pair, faces=intact.faces) if clear else pair


def _side(one: Joined, other: Joined) -> Joined:
    """The card of which these are two corners of a long side, as the clearer of them implies it."""
    clear = max(one, other, key=lambda card: float(card.faces.max()))
    return replace(
        clear, members=one.members + other.members, faces=combined(one.faces, other.faces)
    )


def _on_one_side(one: Joined, other: Joined, indices: Indices) -> bool:
    """Whether two indices that face apart are over each other, at a card's long side."""
    way = indices.centres[other.members[0]] - indices.centres[one.members[0]]
    up = (one.up - other.up) / max(float(np.linalg.norm(one.up - other.up)), 1e-6)
    return abs(float(way @ up)) > STEEPEST * abs(float(way @ (-up[1], up[0])))


def _cut_end(
    one: Joined, other: Joined, among: Sequence[Joined], indices: Indices
) -> Joined | None:
    """Which of two ends one of the other cards cuts, if it cuts only that one."""
    rest = [card for card in among if card is not one and card is not other]
    cut = [end for end in (one, other) if _is_cut(end, rest, indices)]
    return cut[0] if len(cut) == 1 else None


def _is_cut(end: Joined, rest: Sequence[Joined], indices: Indices) -> bool:
    """Whether a card's edge may run through the index of this end: it lies over it, or beside."""
    (number,) = end.members
    near = -CUT * float(indices.heights[number])
    return any(float(card.insets(indices.centres[number][None])[0]) > near for card in rest)


def _read(card: Joined) -> Card:
    return FACES[int(card.faces.argmax())]


def _reversed(cards: Sequence[Joined]) -> list[tuple[Joined, Joined]]:
    """Which two of the `cards` are upside down to each other, as a card's two ends are.

    In a long row hardly any are, so that the other signs need not be looked for in every two.
    """
    if len(cards) < 2:
        return []
    ups = np.stack([card.up for card in cards])
    found = np.argwhere(np.triu(ups @ ups.T <= SLANTED, 1)).tolist()
    return [(cards[one], cards[other]) for one, other in found]


def _one_outline(outlines: Sequence[Floats], one: Joined, other: Joined, indices: Indices) -> bool:
    if float(one.up @ other.up) > -STRAIGHT or not _face_apart(one, other, indices):
        return False
    ends = [indices.centres[card.members[0]] for card in (one, other)]
    return any(all(within(corners, end) for end in ends) for corners in outlines)


def _aslant(one: Joined, other: Joined, indices: Indices, areas: Areas) -> bool:
    """Whether two equal readings are the ends of one card under strong perspective."""
    if (
        float(one.up @ other.up) > SLANTED
        or not _agree(one, other)
        or not _face_apart(one, other, indices)
    ):
        return False
    if _on_one_side(one, other, indices):
        return False
    first, last = (indices.centres[card.members[0]] for card in (one, other))
    size = float(indices.heights[[one.members[0], other.members[0]]].max())
    if not NEAREST < float(np.linalg.norm(last - first)) / size < FARTHEST:
        return False
    steps = np.linspace(0, 1, 15, dtype=np.float32)[:, None]
    shown = areas.sample(first * (1 - steps) + last * steps)
    return float((shown >= CARD).mean()) >= PAPER


def _as_large(one: Joined, other: Joined, among: Sequence[Joined], indices: Indices) -> bool:
    """Whether a card with these two ends would not be larger than the nearest of the cards of which
    both are known.

    A slant shortens all cards of a place alike, whichever way they point.
    """
    known = [card for card in among if card.agreement is not None]
    if not known:
        return True
    ends = indices[np.array([one.members[0], other.members[0]])]
    pair = joined_pair(ends, np.stack([one.faces, other.faces]), 0, 1)
    near = min(known, key=lambda card: float(np.linalg.norm(card.centre - pair.centre)))
    return cv2.contourArea(pair.corners) <= LARGER * cv2.contourArea(near.corners)


def _face_apart(one: Joined, other: Joined, indices: Indices) -> bool:
    """Whether two single indices stand with their heads away from each other, as on one card.

    Those of two cards that lie end to end, of melds side by side, stand head to head.
    """
    first, last = (indices.centres[card.members[0]] for card in (one, other))
    return float((last - first) @ one.up) < 0 and float((first - last) @ other.up) < 0


def _ends_of_one(one: Joined, other: Joined, among: Sequence[Joined], indices: Indices) -> bool:
    """Whether two single indices lie exactly where the two indices of one card would.

    Lettering can lie like that by chance: both ends of a line may resemble a joker's index. The
    ends of two cards on a pile nearly can, with a third one over both; hardly if they point just
    away from each other and show the same suit, as a card whose rank is cut at one end does.
    """
    if JOKER in (_read(one), _read(other)):
        return False
    if not contradict(one, other):
        return other_end(one, other, COINCIDENT)
    if _on_one_side(one, other, indices):
        # Of two cards askew on each other, either shows a corner.
        return _cut_on_one_side(one, other, among, indices)
    suited = _read(one).suit is _read(other).suit
    opposite = suited and float(one.up @ other.up) <= OPPOSITE
    return other_end(one, other, NEARLY if opposite else EXACT)


def _cut_on_one_side(one: Joined, other: Joined, among: Sequence[Joined], indices: Indices) -> bool:
    """Whether two single indices of one suit are over each other just as far as a card's two are,
    and another card's edge may run through one of them.

    In a fan of a deck with four corners, the inner corner of a queen was read as a two, at 0.996.
    """
    if _read(one).suit is not _read(other).suit:
        return False
    rest = [card for card in among if card is not one and card is not other]
    if not any(_is_cut(end, rest, indices) for end in (one, other)):
        return False
    way = indices.centres[one.members[0]] - indices.centres[other.members[0]]
    up = (one.up - other.up) / max(float(np.linalg.norm(one.up - other.up)), 1e-6)
    length = (_side_between(one, indices) + _side_between(other, indices)) / 2
    height = float(indices.heights[[one.members[0], other.members[0]]].mean())
    apart = float(np.linalg.norm(way))
    return abs(apart - length) <= AS_LONG * height and float(way @ up) >= ALONG * apart


def _side_between(card: Joined, indices: Indices) -> float:
    """How far from each other the two indices at a single's long side would be, in pixels."""
    from_middle = float((indices.centres[card.members[0]] - card.centre) @ card.up)
    return 2 * from_middle


def _on_any_card(one: Joined, other: Joined, indices: Indices) -> bool:
    """Whether two single indices lie as those of one card do, whatever its proportions.

    A picture whose pixels were not square made a card of 1.2 times its width, and its aces looked
    like one of spades and one of clubs.
    """
    if JOKER in (_read(one), _read(other)) or float(one.up @ other.up) > OPPOSITE:
        return False
    ways, possible = ways_between(indices[np.array([one.members[0], other.members[0]])])
    return bool(possible[0, 1] and ways[0, 1, 0] > 0)


def _cut_and_intact(one: Joined, other: Joined, among: Sequence[Joined], indices: Indices) -> bool:
    """Whether two single indices lie about where a card's two do, and one of the cards cuts one.

    The cut one is read as another card of its suit, or of its rank and ink, but not clearly. Only
    the upper one of two cards that lie like that would show.
    """
    cut = _cut_end(one, other, among, indices)
    if cut is None:
        return False
    intact = other if cut is one else one
    if float(intact.faces.max()) < CLEAR or float(cut.faces.max()) >= CLEAR:
        return False
    read, shown = _read(cut), _read(intact)
    like = read.suit is shown.suit or (read.rank, read.suit.red) == (shown.rank, shown.suit.red)
    if not like or float(one.up @ other.up) > -STRAIGHT:
        return False
    return _leads_to(one, other, indices) and _leads_to(other, one, indices)


def _leads_to(one: Joined, other: Joined, indices: Indices) -> bool:
    """Whether a card's second index, as its first one implies it, is where the other single's is.

    The direction of an index that another card's edge touches is off by several degrees.
    """
    first, last = (indices.centres[card.members[0]] for card in (one, other))
    implied, way = 2 * (one.centre - first), last - first
    lengths = float(np.linalg.norm(implied)), float(np.linalg.norm(way))
    if abs(lengths[0] - lengths[1]) > AS_FAR * float(indices.heights[one.members[0]]):
        return False
    return float(implied @ way) >= TOWARDS * max(lengths[0] * lengths[1], 1e-6)


def _agree(one: Joined, other: Joined) -> bool:
    return float(agreement(one.faces, other.faces)) >= ALIKE_ENOUGH


def contradict(one: Joined, other: Joined) -> bool:
    """Whether two single indices clearly show different faces, which no card has at its ends.

    A suit may be taken for the other one of its colour at one end of a card: in a photograph, the
    two of spades had ends like that.
    """
    if any(float(card.faces.max()) < CLEAR for card in (one, other)) or _agree(one, other):
        return False
    first, last = (FACES[int(card.faces.argmax())] for card in (one, other))
    return (first.rank, first.suit.red) != (last.rank, last.suit.red)


def paired_ends(
    cards: Sequence[Joined], indices: Indices, faces: Floats, outlines: Sequence[Floats]
) -> list[Joined]:
    """The cards that pairs of single indices at the ends of one of the `outlines` would make."""
    singles = [card for card in cards if len(card.members) == 1]
    if len(singles) < 2:
        return []
    ends = [indices.centres[number] for card in cards for number in card.members]
    held = holding(outlines, ends).sum(axis=1)
    alone = [corners for corners, number in zip(outlines, held, strict=True) if number == 2]
    return [
        joined_pair(indices, faces, one.members[0], other.members[0])
        for one, other in combinations(singles, 2)
        if _one_outline(alone, one, other, indices)
    ]
