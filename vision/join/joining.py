"""From indices to physical cards: which indices belong to one card, and which to none.

An index gives the pose of a whole card: its own corner and, from the deck's proportions, the rest.
On a card with two indices, the opposite one is at a known place, rotated by half a turn; if both
are found they make one card, and both opinions count. The proportions, in index heights, differ
from deck to deck and are estimated from each picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from statistics import median
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.join.proportions import (
    ACROSS,
    DOWN,
    EDGE_ACROSS,
    EDGE_DOWN,
    SLACK,
    Proportions,
    Shape,
)
from vision.picture.geometry import Floats, Point
from vision.read.index_classifier import FACES
from vision.sightings import SURE

ACROSS_BAND, DOWN_BAND, SLOPE_BAND = (1.1, 5.8), (1.4, 8.2), (0.7, 2.6)
"""Range of the distances to the opposite index and of their ratio on any deck, from large-print to
small indices, seen at a slant. A choice; `python -m tests.spreads` judges it."""
ASPECT = (1.25, 1.7)
"""Range of the length by the width of a card seen nearly from above: 1.4 (poker) or 1.56 (bridge),
and a tenth for errors of the indices' sizes and for the slant. A choice; `python -m
tests.equal_cards` judges it."""
OPPOSED = -0.87
"""Largest cosine between the directions of two opposite indices: half a turn, with a tolerance of
30 degrees for the finder's error and for perspective. Measured by `python -m tests.thresholds`."""
ALIKE = 1.6
"""Largest size ratio between the two indices of a card, due to perspective and error. Measured by
`python -m tests.thresholds`."""
ALIKE_ENOUGH = 0.3
"""Minimum agreement at which two prints count as reading the same. A choice;
`python -m tests.spreads` judges it."""
EXACT = 0.5
"""Position tolerance, in index heights, of a four-corner card's adjacent corner. Equal cards of
several packs can lie exactly so in a row, but then there is an index between them. A choice;
`python -m tests.equal_cards` judges it."""
TURNED = 0.8
"""The same for the corner below, which is upside down: no row of equal cards looks like that, and
over the long side an error in direction matters most. A choice; `python -m tests.equal_cards`
judges it."""
COLUMN = 3
"""Number of cards showing two corners, one below the other, from which the deck's length is
estimated. A choice; `python -m tests.equal_cards` judges it."""
CENTRED, ALIGNED = 0.35, 0.94
"""Largest distance, in index heights, between the centres of a card's two diagonals as found, and
the minimum cosine of the angle between their directions. A choice; `python -m tests.spreads` judges
it."""
CONFIRMED = 0.97
"""The cosine of 14 degrees: 95 of 100 indices are found within 8 degrees of their direction. Beyond
this the deck's shape does not hold, as for a card of another deck or seen at a slant. Measured by
`python -m tests.thresholds`."""
READ = 0.5
"""Minimum probability of a single face at which two indices belong to two cards if other indices
are between them; below it, whether they are indices is decided later. A choice;
`python -m tests.equal_cards` judges it."""
CLEAR_OF = 0.35
"""Minimum distance, in index heights, from the columns of two indices for another to count as
between them. A choice; `python -m tests.equal_cards` judges it."""
CLOSE = 1.3
"""Largest size ratio of an index between them; a robe misread as one differs more. A choice;
`python -m tests.equal_cards` judges it."""
BETWEEN = 0.15
"""Share of the way from one index to another beyond which a third counts as between them. A choice;
`python -m tests.equal_cards` judges it."""
FITTING = 2.0
"""Largest misfit, in squares of twice the slack, at which an index lies where a card's second one
must be: two standard deviations. A choice; `python -m tests.spreads` judges it."""
BETTER = 1.0
"""Minimum difference of misfits, in the same unit, at which one explanation beats another. A
choice; `python -m tests.equal_cards` judges it."""
REDS = np.array([face.suit.red for face in FACES])
"""Which of the faces (53,) are red. Follows from the suits; a joker is not."""
FLOOR = 0.01
"""Share of readings that are wrong however confident the network is; it keeps one opinion from
completely overruling another. A choice; `python -m tests.spreads` judges it."""


Mark: TypeAlias = tuple[Sequence[float], Sequence[float], float]
"""An index as plain numbers: its centre, the unit vector pointing up, and its height."""


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """One physical card: which indices show it, what it shows, and where it lies.

    `members` are positions in the picture's indices; `faces` (53,) the probabilities of
    `index_classifier.FACES` (which sum to less than one if it may not be a card); `corners` (4, 2)
    the estimated corners in pixels; `agreement` how well two indices agree, 0..1, or None for a
    single index.
    """

    members: tuple[int, ...]
    faces: Floats
    corners: Floats
    up: Floats
    agreement: float | None = None

    @property
    def centre(self) -> Floats:
        """The centre (2,) of the card in pixels, where its diagonals cross."""
        middle: Floats = (self.corners[0] + self.corners[2]) / 2
        return middle

    def insets(self, points: Floats) -> Floats:
        """The distance from the card's border of each of the `points` (N, 2) inside it, in pixels.

        For points outside it is negative: how far they are beyond the lines of the edges.
        """
        right = np.array([-self.up[1], self.up[0]], np.float32)
        axes = np.stack([right, self.up], axis=1)
        half = np.abs((self.corners[1] - self.centre) @ axes)
        result: Floats = (half - np.abs((points - self.centre) @ axes)).min(axis=1)
        return result


def join(
    indices: Indices, faces: Floats, deck: Proportions | None = None
) -> tuple[tuple[Joined, ...], Shape]:
    """The physical cards that `indices` with these `faces` (N, 53) show, and the deck's shape.

    The shape comes from what is known of the `deck` in play, which is updated; without a deck, from
    the picture.
    """
    ways, possible = _ways(indices)
    known = deck.shape if deck is not None else None
    shape = known or estimate(ways, possible, faces)
    if deck is not None and shape == Shape():
        shape = deck.perhaps or shape
    pairs = _pairs(ways, possible, faces, shape, indices)
    if deck is not None:
        deck.note(_sure(ways, pairs, faces))
    marks = _marks(indices)
    paired = _paired(marks, faces, pairs, shape)
    taken = {number for pair in pairs for number in pair}
    singles = [
        _single(marks, faces, number, shape)
        for number in range(len(indices))
        if number not in taken
    ]
    return folded([*paired, *singles], indices, shape), shape


def folded(cards: Sequence[Joined], indices: Indices, shape: Shape) -> tuple[Joined, ...]:
    """`cards` with the corners of each four-corner card merged.

    Corners are merged if they show the same face side by side, or if their diagonals cross.
    """
    if not cards:
        return ()
    alike = (_sameness(np.stack([card.faces for card in cards])) >= ALIKE_ENOUGH).tolist()
    crossing = _crossing(cards, indices).tolist()
    kept: dict[int, Joined] = {}
    for number, card in enumerate(cards):
        crossed = next((one for one in kept if crossing[one][number]), None)
        same = [one for one in kept if alike[one][number]]
        host = next((one for one in same if _beside(kept[one], card, indices, shape)), crossed)
        if host is None:
            kept[number] = card
            continue
        faces = kept[host].faces if host in same else combined(kept[host].faces, card.faces)
        members = kept[host].members + card.members
        kept[host] = replace(kept[host], members=members, faces=faces)
    return tuple(kept.values())


def estimate(ways: Floats, possible: NDArray[np.bool_], faces: Floats) -> Shape:
    """Estimate the deck's shape from pairs that read the same; without any, the standard shape.

    `ways` (N, N, 2) lead from index to index in index heights, right and down; `possible` (N, N)
    says which pairs can be one card; `faces` (N, 53) what each index shows. Among several equal
    cards in a row, an index is paired where it fits the standard shape best. A ribbon of
    four-corner cards shows only the corners along one side, which give the card's length.
    """
    alike = faces @ faces.T > ALIKE_ENOUGH
    pairs = _pairs(ways, possible & alike, faces, Shape())
    # With the largest prints, even true pairs are too far from the standard to be recognized.
    rows, columns = np.transpose(pairs) if pairs else np.nonzero(np.triu(possible & alike))
    if len(rows):
        found = np.abs(ways[rows, columns])
        shaped = _card_shaped(found)
        telling = found[shaped] if shaped.any() else found
        across, down = (median(way) for way in telling.T.tolist())
        return Shape(across, down, SLACK)
    below = ways[..., 1][np.triu(alike & _below(ways), 1)]
    if len(below) >= COLUMN:
        down = median(below.tolist())
        return Shape(ACROSS * down / DOWN, down)
    return Shape()


def _card_shaped(ways: Floats) -> NDArray[np.bool_]:
    """Which ways (N, 2) to the opposite index give the proportions of a card seen from above.

    The left corners of two equal cards in a row form a rectangle too, but a narrower one.
    """
    across, down = ways[:, 0] + 2 * EDGE_ACROSS, ways[:, 1] + 2 * EDGE_DOWN
    aspect = down / np.maximum(across, 1e-6)
    return np.asarray((aspect >= ASPECT[0]) & (aspect <= ASPECT[1]), np.bool_)


def _sure(
    ways: Floats, pairs: Sequence[tuple[int, int]], faces: Floats
) -> Iterator[tuple[float, float]]:
    """The ways (N, N, 2) between the `pairs` of indices that confidently show the same face."""
    for one, other in pairs:
        if float((faces[one] * faces[other]).max()) >= SURE**2:
            across, down = ways[one, other].tolist()
            yield across, down


def _below(ways: Floats) -> NDArray[np.bool_]:
    """Which indices (N, N) are across a card's long side from each other, given their `ways`."""
    across, down = np.abs(ways[..., 0]), ways[..., 1]
    return np.asarray((across < TURNED) & (down >= DOWN_BAND[0]) & (down <= DOWN_BAND[1]), np.bool_)


def agreement(one: Floats, other: Floats) -> Floats:
    """The probability that two opinions (..., 53) mean the same face."""
    same = (one * other).sum(axis=-1)
    result: Floats = np.minimum(1, same / np.maximum(one.sum(axis=-1) * other.sum(axis=-1), 1e-6))
    return result


def combined(one: Floats, other: Floats) -> Floats:
    """Combine two opinions (..., 53) on one face; the result sums to at most one."""
    mixed = [faces * (1 - FLOOR) + FLOOR / one.shape[-1] for faces in (one, other)]
    product = mixed[0] * mixed[1]
    # One of the two is enough to show that there is a card.
    present = 1 - (1 - one.sum(axis=-1)) * (1 - other.sum(axis=-1))
    result: Floats = product * (present / product.sum(axis=-1))[..., None]
    return result


def joined_pair(
    indices: Indices, faces: Floats, one: int, other: int, shape: Shape | None = None
) -> Joined:
    """The card that has the indices `one` and `other` at opposite corners.

    If the deck's `shape` is known, it gives the card's direction better than the two indices do.
    """
    return _paired(_marks(indices), faces, [(one, other)], shape)[0]


def _marks(indices: Indices) -> list[Mark]:
    centres, ups = indices.centres.tolist(), indices.ups.tolist()
    return list(zip(centres, ups, indices.heights.tolist(), strict=True))


def _paired(
    marks: Sequence[Mark], faces: Floats, pairs: Sequence[tuple[int, int]], shape: Shape | None
) -> list[Joined]:
    if not pairs:
        return []
    opinions = faces[[one for one, _ in pairs]], faces[[other for _, other in pairs]]
    agreeing = agreement(*opinions).tolist()
    return [
        _card(marks, pair, shown, alike, shape)
        for pair, shown, alike in zip(pairs, combined(*opinions), agreeing, strict=True)
    ]


def _card(
    marks: Sequence[Mark], pair: tuple[int, int], shown: Floats, alike: float, shape: Shape | None
) -> Joined:
    (first, one_up, height), (last, other_up, other_height) = (marks[number] for number in pair)
    size = (height + other_height) / 2
    up = _unit(one_up[0] - other_up[0], one_up[1] - other_up[1])
    way = last[0] - first[0], last[1] - first[1]
    up = up if shape is None else _straightened(up, way, shape)
    across, down = abs(way[1] * up[0] - way[0] * up[1]), abs(way[0] * up[0] + way[1] * up[1])
    middle = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
    half = across / 2 + EDGE_ACROSS * size, down / 2 + EDGE_DOWN * size
    return Joined(pair, shown, _corners(middle, up, half), np.array(up, np.float32), alike)


# Plain numbers: for one card, creating an array of two costs more than the arithmetic.


def _unit(x: float, y: float) -> Point:
    length = max(hypot(x, y), 1e-6)
    return x / length, y / length


def _corners(centre: Point, up: Point, half: tuple[float, float]) -> Floats:
    """The corners (4, 2) of a card, clockwise from its upper left; `half` its half sizes in px."""
    (x, y), (up_x, up_y), (wide, high) = centre, up, half
    across, down = (-up_y * wide, up_x * wide), (-up_x * high, -up_y * high)
    return np.array(
        (
            (x - across[0] - down[0], y - across[1] - down[1]),
            (x + across[0] - down[0], y + across[1] - down[1]),
            (x + across[0] + down[0], y + across[1] + down[1]),
            (x - across[0] + down[0], y - across[1] + down[1]),
        ),
        np.float32,
    )


def _straightened(up: Point, way: Point, shape: Shape) -> Point:
    """A card's direction from the `way` between its indices, if `up` is close enough to it.

    On a deck of this shape, the way leads `across` to the right (or to the left for a mirrored
    pair) and `down`; errors in the finder's directions then do not matter.
    """
    aside = shape.across if way[1] * up[0] - way[0] * up[1] > 0 else -shape.across
    ahead = _unit(*way)
    straight = _unit(
        aside * ahead[1] - shape.down * ahead[0], -aside * ahead[0] - shape.down * ahead[1]
    )
    return straight if straight[0] * up[0] + straight[1] * up[1] >= CONFIRMED else up


def _ways(indices: Indices) -> tuple[Floats, NDArray[np.bool_]]:
    """The way from each index to every other in mean index heights, and which can be one card."""
    between = indices.centres[None] - indices.centres[:, None]
    sizes = (indices.heights[None] + indices.heights[:, None]) / 2
    # The axis of the pair: the mean of one direction and the reverse of the other.
    ups = indices.ups[:, None] - indices.ups[None]
    ups = ups / np.maximum(np.linalg.norm(ups, axis=2, keepdims=True), 1e-6)
    rights = np.stack([-ups[..., 1], ups[..., 0]], axis=2)
    across = (between * rights).sum(axis=2) / np.maximum(sizes, 1e-6)
    down = -(between * ups).sum(axis=2) / np.maximum(sizes, 1e-6)
    ratio = indices.heights[None] / np.maximum(indices.heights[:, None], 1e-6)
    possible = (indices.ups @ indices.ups.T < OPPOSED) & (np.maximum(ratio, 1 / ratio) < ALIKE)
    slope = down / np.maximum(np.abs(across), 1e-6)
    for values, band in (
        (np.abs(across), ACROSS_BAND),
        (down, DOWN_BAND),
        (slope, SLOPE_BAND),
    ):
        possible &= (values >= band[0]) & (values <= band[1])
    return np.stack([across, down], axis=2), possible


def _pairs(
    ways: Floats,
    possible: NDArray[np.bool_],
    faces: Floats,
    shape: Shape,
    indices: Indices | None = None,
) -> list[tuple[int, int]]:
    """Pairs of indices that show one card, likeliest first, each index in at most one pair.

    Given the `indices`, two with others between them are not a pair: those would be covered.
    """
    sameness = _sameness(faces)
    # A mirrored pair belongs to a four-corner card, and is likely only if both corners read the
    # same.
    mirrored = ways[..., 0] < 0
    miss = np.abs(ways) - (shape.across, shape.down)
    misfit = (miss**2).sum(axis=2) / (2 * shape.slack**2) + mirrored
    same = np.log(np.maximum(sameness, 1e-3) * 52)
    doubtful = (sameness < ALIKE_ENOUGH) | _ends_elsewhere(possible & ~mirrored, misfit, faces)
    score = np.where(possible & ~(mirrored & doubtful), same - misfit, -np.inf)
    score[_two_sides(ways, misfit, sameness, shape)] = -np.inf
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    likely = np.argwhere(np.triu(score > 0, 1))
    for number in np.argsort(-score[likely[:, 0], likely[:, 1]], kind="stable"):
        one, other = (int(member) for member in likely[number])
        if one not in taken and other not in taken:
            read = float(faces[[one, other]].max(axis=1).min()) >= READ
            if indices is not None and read and _interrupted(indices, faces, one, other):
                continue
            pairs.append((one, other))
            taken.update((one, other))
    return pairs


def _two_sides(ways: Floats, misfit: Floats, sameness: Floats, shape: Shape) -> NDArray[np.bool_]:
    """Which pairs (N, N) are corners of two four-corner cards, each showing one long side.

    Each of the two indices, together with a third one that reads the same, fits a card's long side
    better than the pair fits a card's diagonal.
    """
    aside = ways - (0, shape.down)
    off = np.where(_below(ways) & (sameness >= ALIKE_ENOUGH), (aside**2).sum(axis=2), np.inf)
    beside = off.min(axis=1, initial=np.inf) / (2 * shape.slack**2)
    return np.asarray(misfit > np.maximum(beside[:, None], beside[None]) + BETTER, np.bool_)


def _ends_elsewhere(
    possible: NDArray[np.bool_], misfit: Floats, faces: Floats
) -> NDArray[np.bool_]:
    """Which pairs (N, N) contain an uncertain index that is probably another card's second one.

    It lies where the second index of that card must be, and has the ink of its first one, which is
    read with confidence. A covering card may cut it through, so its rank counts for nothing.
    """
    sure = faces.max(axis=1) >= SURE
    red = faces[:, REDS].sum(axis=1) > faces.sum(axis=1) / 2
    fitting = possible & (misfit < FITTING) & (red[:, None] == red[None])
    elsewhere = ~sure & (fitting & sure[:, None]).any(axis=0)
    return np.asarray(elsewhere[:, None] | elsewhere[None], np.bool_)


def _interrupted(indices: Indices, faces: Floats, one: int, other: int) -> bool:
    """Whether a confident index lies in the row of either of two opposite ones, between them.

    On a fully visible card there is none; in a row of cards with indices in four corners, the left
    ones of one card and the right ones of another seem to belong together.
    """
    up = indices.ups[one] - indices.ups[other]
    up = up / max(float(np.linalg.norm(up)), 1e-6)
    right = np.array([-up[1], up[0]], np.float32)
    height = float(indices.heights[[one, other]].mean())
    first, last = sorted(float(indices.centres[n] @ right) for n in (one, other))
    across, down = indices.centres @ right, indices.centres @ up
    between = (across > first + CLEAR_OF * height) & (across < last - CLEAR_OF * height)
    rows = np.abs(down[:, None] - down[[one, other]][None]).min(axis=1) < EXACT * height
    near = np.flatnonzero(between & rows)
    if not len(near):
        return False
    alike = np.maximum(indices.heights[near] / height, height / indices.heights[near]) < CLOSE
    straight = np.abs(indices.ups[near] @ up) >= ALIGNED
    return bool((alike & straight & (faces[near].max(axis=1) >= SURE)).any())


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
        and (_turned(indices, first, second) or not _between(indices, first, second))
        for first in one.members
        for second in other.members
    )


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
    aligned = abs(float(pair.up @ indices.ups[number])) >= ALIGNED
    return aligned and float(off) < EXACT * height


def _crossing(cards: Sequence[Joined], indices: Indices) -> NDArray[np.bool_]:
    """Which two of the `cards` (N, N) are the two diagonals of one card, whatever they read."""
    pairs = np.array([card.agreement is not None for card in cards])
    corners, ups = np.stack([card.corners for card in cards]), np.stack([card.up for card in cards])
    middles = (corners[:, 0] + corners[:, 2]) / 2
    heights = indices.heights[[card.members[0] for card in cards]]
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = apart < CENTRED * (heights[:, None] + heights[None]) / 2
    aligned = np.abs(ups @ ups.T) >= ALIGNED
    return np.asarray(near & aligned & pairs[:, None] & pairs[None], np.bool_)


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


def _between(indices: Indices, first: int, second: int) -> bool:
    """Whether another index lies between two, as in a row of equal cards, not on a single card."""
    way = indices.centres[second] - indices.centres[first]
    length = float(np.linalg.norm(way))
    along = way / max(length, 1e-6)
    others = indices.centres - indices.centres[first]
    ahead, aside = others @ along, np.abs(others @ np.array([-along[1], along[0]], np.float32))
    inside = (ahead > BETWEEN * length) & (ahead < (1 - BETWEEN) * length)
    return bool((inside & (aside < indices.heights[first])).any())


def _sameness(faces: Floats) -> Floats:
    shown = faces / np.maximum(faces.sum(axis=1, keepdims=True), 1e-6)
    result: Floats = shown @ shown.T
    return result


def _single(marks: Sequence[Mark], faces: Floats, number: int, shape: Shape) -> Joined:
    (x, y), up, size = marks[number]
    right, down = shape.across * size / 2, shape.down * size / 2
    centre = x - up[1] * right - up[0] * down, y + up[0] * right - up[1] * down
    half = right + EDGE_ACROSS * size, down + EDGE_DOWN * size
    up_there = np.array(up, np.float32)
    return Joined((number,), faces[number], _corners(centre, (up[0], up[1]), half), up_there)
