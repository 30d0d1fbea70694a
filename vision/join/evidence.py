"""What the areas of faces and backs in a picture say about its joined cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import JOKER, Card
from vision.find.finder import Areas, Indices
from vision.join.joined import Joined, agreement, joined_pair
from vision.join.pairs import ALIKE_ENOUGH
from vision.join.suppression import COINCIDENT, STRAIGHT, other_end
from vision.picture.geometry import Floats, holding, upright, within
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
CARD = 0.4
"""Minimum probability at which a cell counts as part of a card's face or back. A choice;
`python -m tests.spreads` judges it."""
CLEARER = 0.1
"""How much more of a card's outline must show cards on one side of its index than on the other to
decide on which side the card lies. A choice; `python -m tests.spreads` judges it."""
LEVEL = 0.5
"""Slope up to which one index is beside another in a row, not above it in the next one. A choice;
`python -m tests.spreads` judges it."""
ASPECT_BAND = (1.2, 1.75)
"""Ratio of a card's length to its width: 1.4 (poker) or 1.56 (bridge) from above, less or more at a
slant. A choice; `python -m tests.spreads` judges it."""
SOLID = 0.82
"""Minimum share of its bounding rectangle that a single card fills: allows for the rounded corners,
the stride of the maps and some perspective; two touching cards fill less. A choice;
`python -m tests.spreads` judges it."""
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
SHORTEST = 6.0
"""Minimum short side, in cells, of a blob whose shape still identifies a card. A choice;
`python -m tests.spreads` judges it."""
WITHIN = ((0.07, 0.93, 7), (0.05, 0.95, 9))
"""Range of a card's width and height that is sampled, and the number of points: 4 mm along its
border are left out. A choice; `python -m tests.spreads` judges it."""

STRIPS = ((0.1, 0.9, 21), (0.1, 0.9, 7))
"""The same to find a strip of bare table, 2.5 mm from one column of points to the next: 6 mm from
the border of a card, an outline estimated from one index is right. A choice; `python -m
tests.spreads` judges it."""
BARE = 0.5
"""Minimum share of a column that is bare where table runs through it. A choice: beside two melds
that lay 8 and 12 mm apart, a little askew, at least 0.57 was bare through the cards as they did not
lie, and nothing as they lay; `python -m tests.soak --pictures` judges it."""


def supports(areas: Areas, corners: Sequence[Floats]) -> Floats:
    """The share (N,) of each card with these `corners` (4, 2) that shows a face or a back, 0..1.

    Points outside the picture are not counted; if all are outside, half is assumed.
    """
    if not len(corners):
        return np.zeros(0, np.float32)
    points = LATTICE @ np.stack(corners).astype(np.float32)
    shown = areas.shown(points.reshape(-1, 2)).reshape(len(corners), -1)
    known = (~np.isnan(shown)).sum(axis=1)
    cards = (shown >= CARD).sum(axis=1)
    return np.where(known > 0, cards / np.maximum(known, 1), 0.5).astype(np.float32)


def faced(cards: Sequence[Joined], indices: Indices, areas: Areas) -> tuple[Joined, ...]:
    """`cards` of a four-corner deck, each moved to the side of its index where cards show.

    An index fixes its card's position only if it is the upper left one, or the lower right one of a
    card seen upside down. In a ribbon spread of such a deck, half of the visible ones are neither.
    """
    lone = {number: card for number, card in enumerate(cards) if card.agreement is None}
    if not any(len(card.members) > 1 for card in lone.values()):
        return tuple(cards)
    sides = [(card.corners, _mirrored(card, indices)) for card in lone.values()]
    here, there = (supports(areas, corners) for corners in zip(*sides, strict=True))
    cut_here, cut_there = (_cut(areas, corners) for corners in zip(*sides, strict=True))
    ways = np.stack([one.mean(axis=0) - other.mean(axis=0) for one, other in sides])
    told = np.sign(here - there) * (np.abs(here - there) > CLEARER)
    told = np.where(told == 0, cut_there.astype(np.float32) - cut_here, told)
    # In a row all lie on the same side; a card with cards on both sides follows the others.
    rows = _linked(_beside(list(lone.values()), indices, np.linalg.norm(ways, axis=1)))
    pull = ways * told[:, None]
    leads = rows.astype(np.float32) @ pull
    leads = np.where(leads.any(axis=1)[:, None], leads, pull.sum(axis=0))
    turns = np.where(told, told, (ways * leads).sum(axis=1)) < 0
    better = {n: side[1] for n, side, turn in zip(lone, sides, turns, strict=True) if turn}
    return tuple(
        replace(card, corners=better.get(number, card.corners)) for number, card in enumerate(cards)
    )


def _cut(areas: Areas, corners: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which cards (N,) with these `corners` (4, 2) would have bare table running through them.

    Between two rows of cards there is a strip of it, too narrow to count much.
    """
    points = COLUMNS @ np.stack(corners).astype(np.float32)
    shown = areas.shown(points.reshape(-1, 2)).reshape(len(corners), STRIPS[1][2], STRIPS[0][2])
    bare = (shown < CARD).mean(axis=1)  # outside the picture nothing is known to be bare
    return np.asarray((bare >= BARE).any(axis=1), np.bool_)


def _beside(cards: Sequence[Joined], indices: Indices, wide: Floats) -> NDArray[np.bool_]:
    """Which cards (N, N) have an index beside one of the other's, nearer than they are `wide`."""
    ends = np.stack([indices.centres[[card.members[0], card.members[-1]]] for card in cards])
    ways = ends[:, None, :, None] - ends[None, :, None, :]
    ups = np.stack([card.up for card in cards])[:, None, None, None]
    along = np.abs((ways * ups).sum(axis=4))
    aside = np.abs((ways * np.stack([-ups[..., 1], ups[..., 0]], axis=4)).sum(axis=4))
    level = along <= LEVEL * aside
    return np.asarray((level & (aside < wide[:, None, None, None])).any(axis=(2, 3)), np.bool_)


def _linked(near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which cards (N, N) are connected by a chain of cards of which each is `near` the next."""
    linked = near | near.T | np.eye(len(near), dtype=np.bool_)
    while (more := linked @ linked).sum() > linked.sum():
        linked = more
    return linked


def _mirrored(card: Joined, indices: Indices) -> Floats:
    """The corners (4, 2) of a card if its first index is at its upper right instead."""
    away = card.corners - indices.centres[card.members[0]]
    along = (away @ card.up)[:, None] * card.up
    turned: Floats = (card.corners - 2 * (away - along))[[1, 0, 3, 2]]
    return turned


def reconciled(
    cards: Sequence[Joined],
    indices: Indices,
    faces: Floats,
    areas: Areas,
    outlines: Sequence[Floats],
) -> tuple[Joined, ...]:
    """`cards` with two single indices merged if the area of faces shows only one card.

    `outlines` are those of the faces' area, as returned by `blobs`.

    Two indices are merged if the area around them has the shape of one card; if the readings
    differ, the card becomes doubtful. They are also merged if both cards would lie in exactly the
    same place, as only the upper one would show, and if equal readings are connected by paper, as
    on a card seen at a steep slant, whose indices differ more in size and direction than joining
    allows.
    """
    outlines = [corners for corners in outlines if _elongated(corners)]
    singles = [card for card in cards if len(card.members) == 1]
    # What reads alike belongs together before what does not.
    ways = sorted(_reversed(singles), key=lambda way: not _agree(*way))
    result = list(cards)
    for one, other in ways:
        if one not in result or other not in result:
            continue
        held = holding(outlines, [card.centre for card in result]).sum(axis=1)
        alone = [corners for corners, number in zip(outlines, held, strict=True) if number == 2]
        if (
            _one_outline(alone, one, other, indices)
            or _ends_of_one(one, other)
            or _cut_and_intact(one, other, result, indices)
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
    pair = joined_pair(indices, faces, one.members[0], other.members[0])
    if _agree(one, other) or _read(one).suit.red != _read(other).suit.red:
        return pair
    cut = _cut_end(one, other, rest, indices)
    intact = other if cut is one else one
    clear = cut is not None and float(intact.faces.max()) >= CLEAR
    return replace(pair, faces=intact.faces) if clear else pair


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
    first, last = (indices.centres[card.members[0]] for card in (one, other))
    up = (one.up - other.up) / max(float(np.linalg.norm(one.up - other.up)), 1e-6)
    if abs(float((last - first) @ up)) > STEEPEST * abs(float((last - first) @ (-up[1], up[0]))):
        return False
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


def _ends_of_one(one: Joined, other: Joined) -> bool:
    """Whether two single indices lie exactly where the two indices of one card would.

    Lettering can lie like that by chance: both ends of a line may resemble a joker's index. The
    ends of two cards on a pile nearly can, with a third one over both; hardly if they point just
    away from each other and show the same suit, as a card whose rank is cut at one end does.
    """
    if JOKER in (_read(one), _read(other)):
        return False
    if not contradict(one, other):
        return other_end(one, other, COINCIDENT)
    suited = _read(one).suit is _read(other).suit
    opposite = suited and float(one.up @ other.up) <= OPPOSITE
    return other_end(one, other, NEARLY if opposite else EXACT)


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


def blobs(field: Floats, areas: Areas) -> list[Floats]:
    """The corners (4, 2), in the picture, of areas shaped like a single card.

    An unusual lens may squeeze a card into a square or beyond.
    """
    shown = (field >= 0.5).astype(np.uint8)
    contours, _ = cv2.findContours(shown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        if len(contour) < 2 * SHORTEST:  # the perimeter is too short for the shortest side
            continue
        (x, y), (width, height), angle = cv2.minAreaRect(contour)
        # A contour runs through the centres of its cells, half a cell inside the edge.
        width, height = width + 1, height + 1
        area = float(cv2.contourArea(contour)) + len(contour) / 2 + 1
        if min(width, height) < SHORTEST or area < SOLID * width * height:
            continue
        if max(width, height) <= ASPECT_BAND[1] * min(width, height):
            corners = cv2.boxPoints(((x + 0.5, y + 0.5), (width, height), angle))
            found.append(np.float32(1 / areas.scale) * corners + (areas.box.x, areas.box.y))
    return [upright(np.asarray(corners, np.float32)) for corners in found]


def _elongated(corners: Floats) -> bool:
    """Whether an outline has the proportions of a card that no lens has squeezed."""
    wide, long = (float(np.linalg.norm(corners[n] - corners[n - 1])) for n in (1, 2))
    return max(wide, long) >= ASPECT_BAND[0] * min(wide, long)


def _shares(within: Sequence[tuple[float, float, int]]) -> Floats:
    """The weight of each corner of a card at points spread `within` it, (N, 4), row by row."""
    across, down = np.meshgrid(*(np.linspace(*part) for part in within))
    x, y = across.ravel(), down.ravel()
    shares = ((1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y)
    return np.stack(shares, axis=1).astype(np.float32)


LATTICE = _shares(WITHIN)
"""Weights that turn a card's corners (4, 2) into points (63, 2) away from its edge."""
COLUMNS = _shares(STRIPS)
"""The same for points close enough across the card to find a strip of table in it."""
