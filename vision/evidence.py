"""What else in the picture speaks for or against a joined card, and the cards lying face down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import dist
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import JOKER
from vision.finder import Areas, Indices
from vision.geometry import Floats
from vision.joining import ALIKE_ENOUGH, Joined, agreement, joined_pair
from vision.patches import FACES
from vision.sightings import SURE

CARD = 0.4
"""From this probability a cell counts as a card's face or back."""
STRAIGHT = 0.94
"""The cosine of 20 degrees: the prints on one card are upright or upside down, give or take the
finder's error."""
SMALLER, LARGER = 0.55, 1.9
"""How small and how large an index may be against the picture's usual one. Court robes and
lettering are smaller; perspective and a second deck stay within this."""
ALIKE_SIZE = 1.4
"""The same, either way, for what is not even read for certain: a court's robe, a large pip, half
an index with its neighbour's print; and for a joker, as which all kinds of lettering are read."""
ALONE_SIZE = 1.65
"""The same for one index that is read for certain: half covered pips read as a club of 1.7 times
the size, while two in their places are seldom so by chance."""
BORDER = 0.25
"""A card's estimated outline is right to about this many index heights."""
INSIDE = 0.6
"""So far inside another card's border, in index heights, no index of a card that covers one of its
two bare corners can be, even if both lie a little askew; robes and pips are."""
AT_END = 0.6
"""How far in index heights from where a card's second index must be, by the deck's shape and by the
first one, half of it may be found."""
CLEARER = 0.2
"""How much more of a card's outline must show cards on one side of its index than on the other to
tell on which it lies."""
AT_CORNER = 0.4
"""How far in index heights from where a four-corner card's other indices must be they are found."""
COINCIDENT = 0.75
"""Two outlines of one card, each estimated from another index of it, share this much at least."""
ASPECT_BAND = (1.2, 1.75)
"""Length by width of a card: 1.4 (poker) or 1.56 (bridge) from above, less or more aslant."""
SOLID = 0.82
"""The share of its smallest rectangle that a single card fills: all but the rounded corners, the
stride of the maps and some perspective; two cards that touch fill less."""
SLANTED = -0.7
"""The cosine of the directions of two opposite indices seen as far aslant as they can be read."""
NEAREST, FARTHEST = 2.0, 7.5
"""Their distance in heights of the larger one: 82 mm by 17 mm, shortened by the slant."""
PAPER = 0.8
"""The share of the way between them that must be a card's face."""
LENGTH_BAND = (0.7, 1.4)
"""A back's length against that of the cards read in the same picture."""
SHORTEST = 6.0
"""The shortest side in cells at which a blob's shape still tells a card from something else."""


def supports(areas: Areas, corners: Sequence[Floats]) -> Floats:
    """The share (N,) of each card with these `corners` (4, 2) that shows a face or a back, 0..1.

    What lies outside the picture is not counted; half is assumed if nothing is inside.
    """
    if not len(corners):
        return np.zeros(0, np.float32)
    points = LATTICE @ np.stack(corners).astype(np.float32)
    shown = areas.shown(points.reshape(-1, 2)).reshape(len(corners), -1)
    known = (~np.isnan(shown)).sum(axis=1)
    cards = (shown >= CARD).sum(axis=1)
    return np.where(known > 0, cards / np.maximum(known, 1), 0.5).astype(np.float32)


def faced(cards: Sequence[Joined], indices: Indices, areas: Areas) -> tuple[Joined, ...]:
    """`cards` of a four-corner deck, each to that side of its index where cards show.

    An index tells its card's place only if it is the upper left one, or the lower right one of a
    card seen upside down. In a ribbon of such a deck half of those in sight are not.
    """
    lone = [number for number, card in enumerate(cards) if card.agreement is None]
    if not any(len(cards[number].members) > 1 for number in lone):
        return tuple(cards)
    sides = [(cards[number].corners, _mirrored(cards[number], indices)) for number in lone]
    here, there = (supports(areas, corners) for corners in zip(*sides, strict=True))
    ways = np.stack([one.mean(axis=0) - other.mean(axis=0) for one, other in sides])
    told = np.sign(here - there) * (np.abs(here - there) > CLEARER)
    # In a spread all lie to the same side; what has cards to either side follows the others.
    lead = (ways * told[:, None]).sum(axis=0)
    turns = np.where(told, told, ways @ lead) < 0
    better = {n: side[1] for n, side, turn in zip(lone, sides, turns, strict=True) if turn}
    return tuple(
        replace(card, corners=better.get(number, card.corners)) for number, card in enumerate(cards)
    )


def _mirrored(card: Joined, indices: Indices) -> Floats:
    """The corners (4, 2) of a card whose first index is at its upper right instead."""
    away = card.corners - indices.centres[card.members[0]]
    along = (away @ card.up)[:, None] * card.up
    turned: Floats = (card.corners - 2 * (away - along))[[1, 0, 3, 2]]
    return turned


def weeded(cards: Sequence[Joined], indices: Indices, faces: Floats) -> tuple[Joined, ...]:
    """`cards` without single indices that are only a print on another card: a robe, a pip.

    So is what has not the size of the picture's indices.

    `faces` (N, 53) is what each index shows. No card can lie so that it covers part of another one
    straight, shows its own index there, and leaves both indices of the covered card in sight.
    """
    # Of corners side by side the rest of the card may be covered.
    pairs = [card for card in cards if card.agreement is not None]
    # One of a ribbon's indices and a pip that it is joined with by mistake explain no card that is
    # read for certain.
    solid = [pair for pair in pairs if faces[list(pair.members[:2])].max(axis=1).min() >= SURE]
    usual = usual_height(cards, indices)
    return tuple(
        card
        for card in cards
        if _of_size(card, indices, usual)
        and (len(card.members) > 1 or not _print_on(solid if _sure(card) else pairs, card, indices))
    )


def _print_on(pairs: Sequence[Joined], single: Joined, indices: Indices) -> bool:
    """Whether a single index is only a print on one of the cards with both indices in sight."""
    depth, number = INSIDE if _sure(single) else BORDER, single.members[0]
    return any(
        _explains(pair, indices, number, depth) or _bare_corner(pair, indices, number)
        for pair in pairs
    )


def _bare_corner(pair: Joined, indices: Indices, number: int) -> bool:
    """Whether an index lies just where a card of which three corners were read has the fourth.

    Of two corners it says nothing: in a row of cards that overlap a little, one's index comes to
    lie where the bare corner of the one beneath is.
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


def _sure(card: Joined) -> bool:
    return float(card.faces.max()) >= SURE


def stacked(cards: Sequence[Joined], indices: Indices) -> tuple[Joined, ...]:
    """`cards` without single indices that belong to no card of their own.

    Where the index of one card shows inside another one's outline, it lies over that. Two cards of
    which each did so cannot be; and what lies just where another card does, the other way round,
    is the half covered other end of that. A lone joker goes first, as half a row of pips looks
    like its lettering, then the less sure reading; what is read for certain stays.
    """
    result = list(cards)
    for card in sorted(cards, key=_trust):
        if _trust(card) >= (False, True, SURE):
            continue
        surer = [other for other in result if _trust(other) > _trust(card)]
        if any(
            _interlocked(card, one, indices)
            or _other_end(card, one)
            or _at_other_end(card, one, indices)
            for one in surer
        ):
            result.remove(card)
    return tuple(result)


def _trust(card: Joined) -> tuple[bool, bool, float]:
    """What is believed first where two cards exclude each other, rising."""
    paired = len(card.members) > 1
    return paired, FACES[int(card.faces.argmax())] != JOKER, float(card.faces.max())


def _interlocked(one: Joined, other: Joined, indices: Indices) -> bool:
    """Whether an index of each shows clearly inside the other's outline."""
    depths = _depth(one, other, indices), _depth(other, one, indices)
    return min(depths) > 0 and sum(depths) > 2 * BORDER


def _ends_of_one(one: Joined, other: Joined) -> bool:
    """Whether two single indices lie just where the two of one card would.

    Lettering lies so by chance, and resembles a joker's on both sides of a line.
    """
    jokers = any(FACES[int(card.faces.argmax())] == JOKER for card in (one, other))
    return not jokers and _other_end(one, other)


def _other_end(one: Joined, other: Joined) -> bool:
    """Whether an index would be that of a card just where the other one lies, reversed."""
    if float(one.up @ other.up) > -STRAIGHT:
        return False
    areas = [float(cv2.contourArea(card.corners)) for card in (one, other)]
    shared = cv2.intersectConvexConvex(one.corners, other.corners)[0]
    return float(shared) >= COINCIDENT * min(areas)


def _depth(one: Joined, other: Joined, indices: Indices) -> float:
    """How far inside the other's outline an index of `one` is, in index heights."""
    height = float(indices.heights[list(other.members)].mean())
    return float(insets(other, indices.centres[list(one.members)]).max()) / height


def usual_height(cards: Sequence[Joined], indices: Indices) -> float:
    """The height in pixels of the picture's surest indices; zero if no index is sure."""
    pairs = [number for card in cards if len(card.members) > 1 for number in card.members]
    sure = pairs or [card.members[0] for card in cards if card.faces.max() > 0.8]
    return median(indices.heights[sure].tolist()) if sure else 0.0


def reconciled(
    cards: Sequence[Joined],
    indices: Indices,
    faces: Floats,
    areas: Areas,
    outlines: Sequence[Floats],
) -> tuple[Joined, ...]:
    """`cards` with two single indices made one where the faces' area shows one card only.

    `outlines` are those of the faces' area, as `blobs` tells them.

    That is so where the area has a card's shape; if the readings differ, the card becomes doubtful.
    So it does if both lie in just one place: of two cards there only the upper one would show.
    It is also so where equal readings are joined by paper, as on a card seen far aslant, whose
    indices differ in size and direction more than joining allows.
    """
    outlines = [corners for corners in outlines if _elongated(corners)]
    result = list(cards)
    singles = [card for card in cards if len(card.members) == 1]
    for one, other in combinations(singles, 2):
        if one not in result or other not in result:
            continue
        held = holding(outlines, [card.centre for card in result]).sum(axis=1)
        alone = [corners for corners, number in zip(outlines, held, strict=True) if number == 2]
        if (
            _one_outline(alone, one, other, indices)
            or _aslant(one, other, indices, areas)
            or _ends_of_one(one, other)
        ):
            result = [card for card in result if card is not one and card is not other]
            result.append(joined_pair(indices, faces, one.members[0], other.members[0]))
    return tuple(result)


def _one_outline(outlines: Sequence[Floats], one: Joined, other: Joined, indices: Indices) -> bool:
    if float(one.up @ other.up) > -STRAIGHT:
        return False
    ends = [indices.centres[card.members[0]] for card in (one, other)]
    return any(all(within(corners, end) for end in ends) for corners in outlines)


def _aslant(one: Joined, other: Joined, indices: Indices, areas: Areas) -> bool:
    """Whether two equal readings are the ends of one card under strong perspective."""
    if (
        float(one.up @ other.up) > SLANTED
        or float(agreement(one.faces, other.faces)) < ALIKE_ENOUGH
    ):
        return False
    first, last = (indices.centres[card.members[0]] for card in (one, other))
    size = float(indices.heights[[one.members[0], other.members[0]]].max())
    if not NEAREST < float(np.linalg.norm(last - first)) / size < FARTHEST:
        return False
    steps = np.linspace(0, 1, 15, dtype=np.float32)[:, None]
    shown = areas.sample(first * (1 - steps) + last * steps)
    return float((shown >= CARD).mean()) >= PAPER


def paired_ends(
    cards: Sequence[Joined], indices: Indices, faces: Floats, outlines: Sequence[Floats]
) -> list[Joined]:
    """What two single indices at the ends of one of the `outlines` would be as one card."""
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


def _at_other_end(one: Joined, other: Joined, indices: Indices) -> bool:
    """Whether a single index lies just where the second one of another single's card must.

    Half covered, it may look turned any way and show another rank, but in the same ink.
    """
    if len(one.members) > 1 or len(other.members) > 1 or not _sure(other):
        return False
    if _red(one) != _red(other):
        return False
    place = 2 * other.centre - indices.centres[other.members[0]]
    off = float(np.linalg.norm(indices.centres[one.members[0]] - place))
    return off <= AT_END * float(indices.heights[other.members[0]])


def _red(card: Joined) -> bool:
    return FACES[int(card.faces.argmax())].suit.red


def blobs(field: Floats, areas: Areas) -> list[Floats]:
    """The corners (4, 2) in the picture of areas with the shape of a single card.

    A card may be squeezed by a strange lens to a square and beyond.
    """
    shown = (field >= 0.5).astype(np.uint8)
    contours, _ = cv2.findContours(shown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        if len(contour) < 2 * SHORTEST:  # too short a way round for the shortest side
            continue
        (x, y), (width, height), angle = cv2.minAreaRect(contour)
        # A contour runs through the middles of its cells, half a cell inside the edge.
        width, height = width + 1, height + 1
        area = float(cv2.contourArea(contour)) + len(contour) / 2 + 1
        if min(width, height) < SHORTEST or area < SOLID * width * height:
            continue
        if max(width, height) <= ASPECT_BAND[1] * min(width, height):
            corners = cv2.boxPoints(((x + 0.5, y + 0.5), (width, height), angle))
            found.append(np.float32(1 / areas.scale) * corners + (areas.box.x, areas.box.y))
    return [upright(np.asarray(corners, np.float32)) for corners in found]


def _elongated(corners: Floats) -> bool:
    """Whether an outline is as much longer than wide as a card is that no lens squeezes."""
    wide, long = (float(np.linalg.norm(corners[n] - corners[n - 1])) for n in (1, 2))
    return max(wide, long) >= ASPECT_BAND[0] * min(wide, long)


def upright(corners: Floats) -> Floats:
    """The corners of a rectangle from the upper left one, clockwise, the short side on top."""
    points = corners.tolist()
    first = min(range(4), key=lambda number: sum(points[number]))
    ends = [points[(first + step) % 4] for step in range(3)]
    # An array of four costs more to measure than its numbers do.
    if dist(ends[0], ends[1]) > dist(ends[1], ends[2]):
        first += 1
    return np.array([points[(first + step) % 4] for step in range(4)], np.float32)


def _shares() -> Floats:
    """What each corner of a card counts at points spread over it, (63, 4)."""
    across, down = np.meshgrid(np.linspace(0.07, 0.93, 7), np.linspace(0.05, 0.95, 9))
    x, y = across.ravel(), down.ravel()
    shares = ((1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y)
    return np.stack(shares, axis=1).astype(np.float32)


LATTICE = _shares()
"""The weights by which a card's corners (4, 2) give points (63, 2) away from its very edge."""


def _of_size(card: Joined, indices: Indices, usual: float) -> bool:
    heights = indices.heights[list(card.members)].tolist()
    ratio = sum(heights) / len(heights) / usual if usual else 1.0
    if _sure(card) and len(card.members) > 1:
        return SMALLER <= ratio <= LARGER
    doubtful = not _sure(card) or FACES[int(card.faces.argmax())] == JOKER
    most = ALIKE_SIZE if doubtful else ALONE_SIZE
    return 1 / most <= ratio <= most


def _explains(pair: Joined, indices: Indices, number: int, depth: float) -> bool:
    """Whether an index is a print on a card, so many index heights inside its border.

    Either it is as straight as the card or it has not the size of the card's own.
    """
    heights = indices.heights[list(pair.members)].tolist()
    height = sum(heights) / len(heights)
    ratio = float(indices.heights[number]) / height
    alike = 1 / ALIKE_SIZE <= ratio <= ALIKE_SIZE
    if alike and abs(float(pair.up @ indices.ups[number])) < STRAIGHT:
        return False
    return within(pair.corners, indices.centres[number], margin=depth * height)


def within(corners: Floats, point: Floats, *, margin: float = 0.0) -> bool:
    """Whether `point` lies inside, at least `margin` pixels from the border."""
    return inset(corners, point) >= margin


def holding(outlines: Sequence[Floats], points: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which of the convex `outlines` (M of (4, 2)) hold which of the `points` (N), as (M, N)."""
    if not len(outlines) or not len(points):
        return np.zeros((len(outlines), len(points)), np.bool_)
    corners = np.stack(outlines)
    sides = np.roll(corners, -1, axis=1) - corners
    away = np.stack(points)[None, None] - corners[:, :, None]
    turns = sides[:, :, None, 0] * away[..., 1] - sides[:, :, None, 1] * away[..., 0]
    return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1), np.bool_)


def insets(card: Joined, points: Floats) -> Floats:
    """How far inside the card's border each of the `points` (N, 2) lies, in pixels.

    Outside it is negative: how far beyond the edges' lines.
    """
    right = np.array([-card.up[1], card.up[0]], np.float32)
    axes = np.stack([right, card.up], axis=1)
    half = np.abs((card.corners[1] - card.centre) @ axes)
    result: Floats = (half - np.abs((points - card.centre) @ axes)).min(axis=1)
    return result


def inset(corners: Floats, point: Floats) -> float:
    """How far inside the border `point` lies, in pixels; negative outside."""
    x, y = (float(value) for value in point)
    return float(cv2.pointPolygonTest(corners.astype(np.float32), (x, y), True))
