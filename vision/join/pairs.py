"""Which two indices of a picture are the opposite corners of one card, and the deck's shape.

On a card with two indices, the opposite one is at a known place, rotated by half a turn. The
proportions, in index heights, differ from deck to deck and are estimated from each picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.join.proportions import ACROSS, DOWN, EDGE_ACROSS, EDGE_DOWN, SLACK, Shape
from vision.picture.geometry import Floats
from vision.read.index_classifier import FACES
from vision.sightings import SURE

ALIGNED = 0.94
"""Minimum cosine of the angle between the directions of two indices or diagonals of one card. A
choice; `python -m tests.spreads` judges it."""
ACROSS_BAND, DOWN_BAND, SLOPE_BAND = (1.1, 5.8), (1.4, 8.2), (0.7, 2.6)
"""Range of the distances to the opposite index and of their ratio on any deck, from large-print to
small indices, seen at a slant. A choice; `python -m tests.spreads` judges it."""
ASPECT = (1.18, 1.7)
"""Range of the length by the width of a card seen nearly from above: 1.4 (poker) or 1.56 (bridge),
and what errors of the indices' sizes and directions and the slant make of it: an ace whose ends
were found 13 degrees from half a turn had 1.2. A choice; `python -m tests.equal_cards` judges it.
"""
OPPOSED = -0.87
"""Largest cosine between the directions of two opposite indices: half a turn, with a tolerance of
30 degrees for the finder's error and for perspective. Measured by `python -m tests.thresholds`."""
OBLIQUE = 10.0
"""Standard deviation, in degrees, of how far two opposite indices point from half a turn, at least:
it only decides which of several equal ones belong together. Measured by
`python -m tests.thresholds`."""
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
READ = 0.5
"""Minimum probability of a single face at which two indices belong to two cards if other indices
are between them; below it, whether they are indices is decided later. A choice;
`python -m tests.equal_cards` judges it."""
AS_LONG = 0.1
"""Largest share by which two ends of a card may be nearer to each other or farther apart than those
of each card of the picture that is read with confidence, if one of the two is not legible. A
choice: in four hands from a webcam's pictures, 223 such cards were off by at most 0.021, and the
end of a queen and part of the prints beside its other end by 0.157.
"""
CLEAR_OF = 0.35
"""Minimum distance, in index heights, from the columns of two indices for another to count as
between them. A choice; `python -m tests.equal_cards` judges it."""
CLOSE = 1.3
"""Largest size ratio of an index between them; a robe misread as one differs more. A choice;
`python -m tests.equal_cards` judges it."""
FITTING = 2.0
"""Largest misfit, in squares of twice the slack, at which an index lies where a card's second one
must be: two standard deviations. A choice; `python -m tests.spreads` judges it."""
BETTER = 1.0
"""Minimum difference of misfits, in the same unit, at which one explanation beats another. A
choice; `python -m tests.equal_cards` judges it."""
REDS = np.array([face.suit.red for face in FACES])
"""Which of the faces (53,) are red. Follows from the suits; a joker is not."""


def estimate(ways: Floats, possible: NDArray[np.bool_], faces: Floats) -> Shape:
    """Estimate the deck's shape from pairs that read the same; without any, the standard shape.

    `ways` (N, N, 2) lead from index to index in index heights, right and down; `possible` (N, N)
    says which pairs can be one card; `faces` (N, 53) what each index shows. Among several equal
    cards in a row, an index is paired where it makes a card seen from above, or else where it fits
    the standard shape best: with large prints, the end of the next card may fit that better.
    Four-corner cards that cover each other show the corners along one side, which give the card's
    length.
    """
    alike = faces @ faces.T > ALIKE_ENOUGH
    above = _card_shaped(np.abs(ways).reshape(-1, 2)).reshape(alike.shape)
    pairs = pairs_of(ways, possible & alike & above, faces, Shape())
    pairs = pairs or pairs_of(ways, possible & alike, faces, Shape())
    # With the largest prints, even true pairs are too far from the standard to be recognized.
    rows, columns = np.transpose(pairs) if pairs else np.nonzero(np.triu(possible & alike))
    found = np.abs(ways[rows, columns])
    shaped = _card_shaped(found)
    telling = found[shaped] if shaped.any() else found
    sides = ways[..., 1][np.triu(alike & _below(ways), 1)]
    if len(sides) >= max(COLUMN, len(telling)):
        return _by_sides(sides, telling)
    if not len(telling):
        return Shape()
    across, down = (median(way) for way in telling.T.tolist())
    return Shape(across, down, SLACK)


def _by_sides(sides: Floats, telling: Floats) -> Shape:
    """The shape of a four-corner deck, from ways (M,) between indices below each other.

    In a column of equal cards most of the `sides` lead from one card to the next: those count that
    are as long as one of the `telling` ways (N, 2), which gives the width, too.
    """
    alike = np.abs(sides[:, None] - telling[None, :, 1]) < SLACK
    down = float(np.median(sides[alike.any(axis=1)] if alike.any() else sides))
    near = telling[np.abs(telling[:, 1] - down) < SLACK]
    if not len(near):
        return Shape(ACROSS * down / DOWN, down)
    return Shape(float(np.median(near[:, 0])), down, SLACK)


def _card_shaped(ways: Floats) -> NDArray[np.bool_]:
    """Which ways (N, 2) to the opposite index give the proportions of a card seen from above.

    The left corners of two equal cards in a row form a rectangle too, but a narrower one.
    """
    across, down = ways[:, 0] + 2 * EDGE_ACROSS, ways[:, 1] + 2 * EDGE_DOWN
    aspect = down / np.maximum(across, 1e-6)
    return np.asarray((aspect >= ASPECT[0]) & (aspect <= ASPECT[1]), np.bool_)


def sure_ways(
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


def ways_between(indices: Indices) -> tuple[Floats, NDArray[np.bool_]]:
    """The way from each index to every other in mean index heights, and which can be one card.

    It is zero between two that do not point away from each other: no axis follows from these.
    """
    between = indices.centres[None] - indices.centres[:, None]
    sizes = (indices.heights[None] + indices.heights[:, None]) / 2
    # The axis of the pair: the mean of one direction and the reverse of the other.
    ups = indices.ups[:, None] - indices.ups[None]
    ups = ups / np.maximum(np.linalg.norm(ups, axis=2, keepdims=True), 1e-6)
    rights = np.stack([-ups[..., 1], ups[..., 0]], axis=2)
    across = (between * rights).sum(axis=2) / np.maximum(sizes, 1e-6)
    down = -(between * ups).sum(axis=2) / np.maximum(sizes, 1e-6)
    ratio = indices.heights[None] / np.maximum(indices.heights[:, None], 1e-6)
    opposed = indices.ups @ indices.ups.T < OPPOSED
    possible = opposed & (np.maximum(ratio, 1 / ratio) < ALIKE)
    slope = down / np.maximum(np.abs(across), 1e-6)
    for values, band in (
        (np.abs(across), ACROSS_BAND),
        (down, DOWN_BAND),
        (slope, SLOPE_BAND),
    ):
        possible &= (values >= band[0]) & (values <= band[1])
    ways = np.stack([across, down], axis=2) * opposed[..., None]
    return np.asarray(ways, np.float32), possible


def pairs_of(
    ways: Floats,
    possible: NDArray[np.bool_],
    faces: Floats,
    shape: Shape,
    indices: Indices | None = None,
) -> list[tuple[int, int]]:
    """Pairs of indices that show one card, likeliest first, each index in at most one pair.

    Given the `indices`, two with others between them are not a pair: those would be covered.
    """
    sameness = sameness_of(faces)
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
    ranked = score[likely[:, 0], likely[:, 1]]
    if indices is not None:
        ranked = ranked - _oblique(indices, likely)
    likely = likely[np.argsort(-ranked, kind="stable")]
    if indices is not None and len(likely):
        likely = likely[~_interrupted(indices, faces, likely)]
    if indices is not None and len(likely):
        likely = likely[_as_long(indices, faces, likely)]
    for one, other in likely.tolist():
        if one not in taken and other not in taken:
            pairs.append((one, other))
            taken.update((one, other))
    return pairs


def _oblique(indices: Indices, pairs: NDArray[np.intp]) -> Floats:
    """How unlikely it is (P,) that the `pairs` (P, 2) with these directions are a card's two ends.

    As the other misfits: the four indices of two equal cards that lie crosswise form two cards in
    two ways, and only the directions tell which. At a slant, true pairs are oblique too.
    """
    turn = np.clip(-(indices.ups @ indices.ups.T)[pairs[:, 0], pairs[:, 1]], -1, 1)
    return np.asarray((np.degrees(np.arccos(turn)) / OBLIQUE) ** 2 / 2, np.float32)


def _two_sides(ways: Floats, misfit: Floats, sameness: Floats, shape: Shape) -> NDArray[np.bool_]:
    """Which pairs (N, N) are corners of two four-corner cards, each showing one long side.

    Each of the two indices, together with a third one that reads the same, fits a card's long side
    better than the pair fits a card's diagonal.
    """
    sides = _below(ways) & (sameness >= ALIKE_ENOUGH)
    if not sides.any():
        return np.zeros(misfit.shape, np.bool_)
    aside = ways - (0, shape.down)
    off = np.where(sides, (aside**2).sum(axis=2), np.inf)
    beside = off.min(axis=1, initial=np.inf) / (2 * shape.slack**2)
    return np.asarray(misfit > np.maximum(beside[:, None], beside[None]) + BETTER, np.bool_)


def _ends_elsewhere(
    possible: NDArray[np.bool_], misfit: Floats, faces: Floats
) -> NDArray[np.bool_]:
    """Which pairs (N, N) contain an uncertain index that is probably another card's second one.

    It lies where the second index of that card must be, and has the ink of its first one, which is
    read with confidence. A covering card may cut it through, so its rank counts for nothing.
    """
    sure = faces.max(axis=1, initial=0) >= SURE
    if sure.all():
        return np.zeros(possible.shape, np.bool_)
    red = faces[:, REDS].sum(axis=1) > faces.sum(axis=1) / 2
    fitting = possible & (misfit < FITTING) & (red[:, None] == red[None])
    elsewhere = ~sure & (fitting & sure[:, None]).any(axis=0)
    return np.asarray(elsewhere[:, None] | elsewhere[None], np.bool_)


def _interrupted(indices: Indices, faces: Floats, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which pairs (P, 2) of legible indices have a confident one between them, in a row of theirs.

    On a fully visible card there is none; in a row of cards with indices in four corners, the left
    ones of one card and the right ones of another seem to belong together. An end of another card
    whose two ends are both in sight is not between: it lies over them, as on a pile.
    """
    told = faces.max(axis=1)
    sure = told >= SURE
    ups = indices.ups[pairs[:, 0]] - indices.ups[pairs[:, 1]]
    ups = ups / np.maximum(np.linalg.norm(ups, axis=1, keepdims=True), 1e-6)
    rights = np.stack([-ups[:, 1], ups[:, 0]], axis=1)
    heights = indices.heights[pairs].mean(axis=1, keepdims=True)
    each = np.arange(len(pairs))[:, None]
    across, down = rights @ indices.centres.T, ups @ indices.centres.T
    ends = np.sort(across[each, pairs], axis=1)
    clear = CLEAR_OF * heights
    between = (across > ends[:, :1] + clear) & (across < ends[:, 1:] - clear)
    between &= ~_ends_over(faces, pairs)
    rows = np.abs(down[:, None] - down[each, pairs][:, :, None]).min(axis=1) < EXACT * heights
    there = between & rows & sure
    if not there.any():
        return np.zeros(len(pairs), np.bool_)
    ratio = indices.heights / heights
    alike = np.maximum(ratio, 1 / np.maximum(ratio, 1e-6)) < CLOSE
    straight = np.abs(ups @ indices.ups.T) >= ALIGNED
    legible = told[pairs].min(axis=1) >= READ
    return np.asarray(legible & (there & alike & straight).any(axis=1), np.bool_)


def _ends_over(faces: Floats, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which indices are an end of a card that shows both, and another one than each pair (P, N)."""
    sure = _surely_alike(faces, pairs)
    ends = np.zeros(len(faces), np.bool_)
    ends[pairs[sure].ravel()] = True
    shown = faces.argmax(axis=1)
    return np.asarray(ends & (shown != shown[pairs[:, :1]]), np.bool_)


def _surely_alike(faces: Floats, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which pairs (P,) of indices are read with confidence, and the same."""
    return np.asarray((faces[pairs[:, 0]] * faces[pairs[:, 1]]).max(axis=1) >= SURE**2, np.bool_)


def _as_long(indices: Indices, faces: Floats, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which pairs (P, 2) are as far apart as the ends of the cards that are read with confidence.

    Only those with an index that is not legible are judged: half of another one, with what lies
    beside it, may seem to be anything.
    """
    ways = indices.centres[pairs[:, 0]] - indices.centres[pairs[:, 1]]
    lengths = np.linalg.norm(ways, axis=1)
    sure = _surely_alike(faces, pairs)
    if not sure.any():
        return np.ones(len(pairs), np.bool_)
    least, most = lengths[sure].min() * (1 - AS_LONG), lengths[sure].max() * (1 + AS_LONG)
    legible = faces.max(axis=1)[pairs].min(axis=1) >= READ
    return np.asarray(legible | ((lengths >= least) & (lengths <= most)), np.bool_)


def sameness_of(faces: Floats) -> Floats:
    """How likely each two (N, N) of the `faces` (N, 53) are the same, 0..1, if both are faces."""
    shown = faces / np.maximum(faces.sum(axis=1, keepdims=True), 1e-6)
    result: Floats = shown @ shown.T
    return result
