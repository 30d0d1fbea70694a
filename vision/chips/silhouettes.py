"""The outline of a stack on the table, with anything on its sides and in its shadow.

Seen at an angle, a stack of round chips covers the convex hull of two circles, its top and its
foot. The outline is where the table's colours begin, darkened or not: a shadow is the table with
less light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, AROUND
from vision.chips.hull import EDGE_PX, MEDIAN, percentile
from vision.picture.geometry import Floats, Frame, Outline

FINE_PX = 0.7
"""Distance between samples along a direction, in pixels. A choice: a lens's blur is wider."""
WITHIN = 0.72
"""Start of each direction, in radii: inside any chip's outline. A choice."""
RIM = 0.93
"""Radius up to which a chip's own colours are sampled, in radii. A choice: its rim is blurred."""
FEW = 16
"""Maximum number of values that are put in order pair by pair. A choice: of more, sorting is
faster."""
BESIDE_PX = (5.0, 11.0)
"""Range outside the rim in which the table's colours are sampled, in pixels, on the far side, where
the stack's side does not show. A choice: beyond a lens's blur, and nearer than most other things.
"""
FEW_CLEAR = 5
"""Minimum number of clear directions for sampling the table; with fewer, those with other things
nearby are used as well. A choice: a tenth of the way around."""
LIT = 70
"""Percentile of the table's levels that counts as lit: a shadow may take up half of the
surroundings. A choice."""
AGREE = 3
"""Number of directions on either side over which the table's colours are smoothed. A choice: an
eighth of the way around."""
SHADES = (0.38, 1.15)
"""Range of factors by which a shadow darkens the table's colours, or gloss brightens them. A
choice: the shadows of a single lamp in a room leave two fifths of the light."""
DARK = 4.0
"""Level added to colours so that noise in the dark does not count as colour. A choice."""
SHADED = 0.85
"""Share of its usual light below which the table is in shadow. A choice."""
SHARE, NOISE = 0.14, 2.0
"""Minimum difference from the table for something else: as a share of the chip's own difference,
and as a multiple of the table's own spread. A choice; `python -m tests.chips` judges it."""
SPREAD = 80
"""Percentile that counts as the table's spread. A choice: one in five places may be different."""
BLURRED_PX = 2.5
"""How far inside the chip's own colours an outline may begin, in pixels. A choice: three times a
usual blur."""
GAP_PX = 2.0
"""Minimum length of table at which an outline ends, in pixels. A choice: less is a stripe in the
table's colours."""
RIM_PX, SIDE_LIGHT = (-4.5, -2.0), np.array([0.45, 0.55, 0.65, 0.75, 0.85], np.float32)
"""Where the rim of a face is sampled, in pixels from its edge, and shares of its light that may
fall on the side below. A choice: inside the blur; walls and lamps light the sides of what lies
under a lamp by half and more."""
CAMOUFLAGE = 1.0
"""Maximum difference of such a side from the table for it not to be seen, relative to what counts
as something else. A choice."""
FACE_CAMOUFLAGE = 2.0
"""The same for a face: if it hardly differs itself, its side does not either. A choice; `python -m
tests.chips --layouts stacks --camouflage 1` judges it."""
PRINT, BEHIND = 0.08, 0.2
"""Distance beyond its rim, in usual radii, at which nothing on a card belongs to a stack on the
side away from the camera, where only its top shows, and the least cosine of that side. A choice:
twice what rims are usually off; hearts beside a white stack half on a card seemed to be more of it.
"""
FAR, NEAR = -0.34, 0.5
"""Limits of the cosine of a direction, counted from straight away from the camera: of those that
show the top's rim and, reversed, of those that show the foot's. A choice."""


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The directions (N, ANGLES) around things, starting outwards, in which nothing else is in the
    way.

    In those that are `open`, nothing else is at the rim; in those that are `clear`, nothing is as
    far beyond it as the table is sampled either.
    """

    open: NDArray[np.bool_]
    clear: NDArray[np.bool_]

    def __getitem__(self, which: NDArray[np.intp]) -> Sides:
        return Sides(self.open[which], self.clear[which])

    @classmethod
    def all(cls, count: int) -> Sides:
        """The sides of `count` things with nothing else around."""
        return cls(*(np.ones((count, ANGLES), np.bool_) for _ in range(2)))


@dataclass(frozen=True, slots=True, eq=False)
class Paper:
    """The cards in a picture: their `area` (H, W), 1 or 0, and the colour (3,) of their paper.

    A stack next to a card ends at the paper as it does at the table.
    """

    area: NDArray[np.uint8]
    colour: Floats
    boxes: NDArray[np.intp]
    """The left, top, right and lower ends (N, 4) of each card, which are within it."""

    @classmethod
    def of(cls, frame: Frame, cards: Sequence[Outline], colour: Floats) -> Paper | None:
        """Mark the cards in a frame (H, W, 3); None if there are none."""
        if not cards:
            return None
        area, boxes = np.zeros(frame.shape[:2], np.uint8), []
        for card in cards:
            corners = np.rint(np.asarray(card)).astype(np.int32)
            cv2.fillPoly(area, [corners], (1,))
            boxes.append([*corners.min(axis=0), *corners.max(axis=0)])
        return cls(area, colour, np.array(boxes, np.intp))

    def near(self, places: tuple[Floats, Floats]) -> NDArray[np.intp]:
        """The rows of places x and y (N, L, ANGLES) that have a card around them."""
        ends = [(np.maximum(one.min(axis=(1, 2)), 0), one.max(axis=(1, 2)) + 2) for one in places]
        boxes = np.stack([part for pair in ends for part in pair], axis=1).astype(np.intp)
        # Most things are far from all cards, which their boxes show at once.
        left, top, right, low = self.boxes.T
        meets = (boxes[:, :1] <= right) & (boxes[:, 1:2] > left)
        meets &= (boxes[:, 2:3] <= low) & (boxes[:, 3:] > top)
        some = np.flatnonzero(meets.any(axis=1))
        there = [self.area[y:below, x:end].any() for x, end, y, below in boxes[some].tolist()]
        return some[np.array(there, np.bool_)]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Where the table begins around N things, in each direction, starting outwards.

    It is `away` (N, ANGLES) pixels from the centre, NaN where it does not begin, and in shadow for
    the next `shades` (N, ANGLES) pixels; `alike` (N, ANGLES + 1) says where sides would have the
    table's colour, and last whether they would as a whole.
    """

    away: NDArray[np.float64]
    shades: Floats
    alike: NDArray[np.bool_]

    @property
    def seen(self) -> Floats:
        """The share (N,) of the near side that shows an edge."""
        near = AROUND[:, 0] < -NEAR
        return np.asarray(np.isfinite(self.away[:, near]).mean(axis=1), np.float32)

    def put(self, numbers: NDArray[np.intp], others: Edges) -> None:
        """Replace some of them."""
        for part in fields(self):
            getattr(self, part.name)[numbers] = getattr(others, part.name)


def edges_around(
    frame: Frame,
    centres: Floats,
    radii: Floats,
    outwards: Floats,
    *,
    reach: float,
    sides: Sides,
    paper: Paper | None = None,
    each: bool = False,
) -> Edges:
    """Find where the table begins around things at these centres (N, 2) with these radii (N,).

    The unit vectors `outwards` (N, 2) point away from the pixel below the camera. Feet are searched
    for up to `reach` pixels towards it; `sides` says where nothing else is in the way, and `paper`
    where cards are. Where sides would have the table's colour is told for `each` direction only if
    asked.
    """
    usual = float(np.median(radii))
    beyond = reaching(usual, reach)
    places = _places(centres, outwards, radii[:, None] + beyond)
    facing = np.broadcast_to(AROUND[:, 0], (len(radii), ANGLES))
    lines = Lines(places, beyond, facing, usual)
    off, shadows, camouflaged = ends(frame, lines, sides=sides, paper=paper, each=each)
    return Edges(off + radii[:, None], shadows, camouflaged)


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines out of things, on which their outlines are searched for.

    The pixels x and y of their `places`, (N, L, ANGLES) each, are `beyond` (L,) pixels from the rim
    of the top; `facing` (N, ANGLES) is the cosine of each line, counted from straight away from the
    camera, and `usual` the things' usual radius in pixels.
    """

    places: tuple[Floats, Floats]
    beyond: Floats
    facing: Floats
    usual: float


def reaching(usual: float, reach: float) -> Floats:
    """Distances from a rim in pixels, from inside things with the `usual` radius out to `reach`."""
    return np.arange((WITHIN - 1) * usual, reach + BESIDE_PX[1], FINE_PX, dtype=np.float32)


def ends(
    frame: Frame, lines: Lines, *, sides: Sides, paper: Paper | None, each: bool = True
) -> tuple[NDArray[np.float64], Floats, NDArray[np.bool_]]:
    """Find where the table begins on each line, and how far the shadow extends from there.

    The first result (N, ANGLES) is the distance from the rim in pixels, or NaN if the table does
    not begin; the second (N, ANGLES) is the length of the shadow; the third (N, ANGLES + 1) says
    where sides would have the table's colour, if asked for `each`, and last whether they would as a
    whole.
    """
    places, beyond, usual, count = lines.places, lines.beyond, lines.usual, len(lines.facing)
    colours = _sampled(frame, places)
    ring = (beyond > BESIDE_PX[0]) & (beyond < BESIDE_PX[1])
    table = sides.clear & (lines.facing > FAR)
    few = table.sum(axis=1) < FEW_CLEAR
    table[few] = (sides.open & (lines.facing > FAR))[few]
    table[~table.any(axis=1)] = True
    shown = np.repeat(table[:, None], int(ring.sum()), axis=1)
    some = paper.near(places) if paper is not None else np.zeros(0, np.intp)
    upon = _upon(paper, places, some)
    table[some] &= ~upon[:, ring].any(axis=1)
    table[~table.any(axis=1)] = True
    grounds = _grounds(colours[:, :, ring], table)
    unlike, shade = _unlike(colours, grounds)
    if paper is not None and len(some):
        sheet = np.asarray(paper.colour, np.float32)[:, None, None]
        as_paper, _ = _unlike(colours[:, some], np.broadcast_to(sheet, (3, 1, ANGLES)))
        unlike[some] = np.where(upon, np.minimum(unlike[some], as_paper), unlike[some])
    printed = np.zeros(lines.facing.shape, np.bool_)
    if not each:
        printed[some] = upon[:, ring].any(axis=1) & (lines.facing > BEHIND)[some]
    mixed = np.roll(unlike, 1, axis=2) + unlike + np.roll(unlike, -1, axis=2)
    unlike = np.asarray(mixed / 3, np.float32)
    around = unlike[:, ring]
    plain = percentile(around, shown, MEDIAN)[:, None, None]
    spread = percentile(np.abs(around - plain), shown, SPREAD)
    unlike -= plain
    inside = unlike[:, beyond < (RIM - 1) * usual].reshape(count, -1)
    own = np.median(inside, axis=1)
    least = np.maximum(SHARE * own, NOISE * spread)
    first = int(np.argmax(beyond >= (RIM - 1) * usual - BLURRED_PX))
    off = _ends(unlike, least, beyond, first)
    off[printed & (off > PRINT * usual)] = np.nan
    shaded = (shade < SHADED) & (unlike < least[:, None, None])
    shadows = _shadows(np.asarray(shaded), off, beyond)
    rims = colours[:, :, (beyond > RIM_PX[0]) & (beyond < RIM_PX[1])]
    camouflaged = _camouflaged(rims, grounds, least, each=each)
    camouflaged[:, -1] |= own < FACE_CAMOUFLAGE * least
    return (
        np.where(sides.open, off, np.nan),
        np.where(sides.open, shadows, 0),
        camouflaged,
    )


def _camouflaged(
    rims: Floats, tables: Floats, least: NDArray[np.floating], *, each: bool
) -> NDArray[np.bool_]:
    """Where sides (N, ANGLES + 1) would hardly differ from the table, `tables` (3, N, ANGLES), in
    some light: in each direction, if asked for `each`, and last as a whole.

    A side is about as the rim of the face above it, `rims` (3, N, L, ANGLES), in less light. As a
    whole, it is as any of the rim's rings, L from inside out: a printed frame may be one of them.
    """
    layers = np.median(rims, axis=3)
    rim = np.concatenate([_median(rims, axis=2), layers], axis=2) if each else layers
    lit = np.asarray(rim[:, :, None] * SIDE_LIGHT[:, None], np.float32)
    table = np.broadcast_to(_median(tables, axis=2)[..., None], rim.shape)
    unlike, _ = _unlike(lit, np.asarray(table, np.float32))
    alike = unlike.min(axis=1) < CAMOUFLAGE * least[:, None]
    told = np.zeros((len(least), ANGLES + 1), np.bool_)
    if each:
        told[:, :ANGLES] = alike[:, :ANGLES]
    told[:, -1] = alike[:, -layers.shape[2] :].any(axis=1)
    return told


def _upon(
    paper: Paper | None, places: tuple[Floats, Floats], which: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Which places (len(which), L, ANGLES) of the things `which` are on a card."""
    x, y = (one[which] for one in places)
    if paper is None or not len(which):
        return np.zeros(x.shape, np.bool_)
    return np.asarray(_sampled(paper.area, (x, y))[0] > 0)


def _grounds(beside: Floats, table: NDArray[np.bool_]) -> Floats:
    """The table's colours (3, N, ANGLES), from those `beside` a rim (3, N, R, ANGLES).

    Each direction has its own, as a chip may be half on a card; where the `table` (N, ANGLES) does
    not show, they are the usual ones.
    """
    shown = np.repeat(table[:, None], beside.shape[2], axis=1)
    usual = np.stack([percentile(channel, shown, LIT) for channel in beside])
    there = np.where(table, _median(beside, axis=2), usual[..., None])
    near = np.stack([np.roll(there, step, axis=2) for step in range(-AGREE, AGREE + 1)])
    return np.asarray(_median(near, axis=0), np.float32)


def _median(values: Floats, axis: int) -> Floats:
    """The median along an axis; of few values, NumPy's own takes several times as long to find."""
    count = values.shape[axis]
    if count <= FEW:
        ordered: Sequence[Floats] | Floats = _ordered(list(np.moveaxis(values, axis, 0)))
    else:
        ordered = np.moveaxis(np.sort(values, axis=axis), axis, 0)
    return np.asarray((ordered[(count - 1) // 2] + ordered[count // 2]) / 2, np.float32)


def _ordered(planes: list[Floats]) -> list[Floats]:
    """Planes of equal shape with their values exchanged, so that each place has the least value in
    the first and the greatest in the last.

    They are compared in pairs, by Batcher's odd-even merging.

    >>> [one.tolist() for one in _ordered([np.array(one) for one in ([3, 1], [2, 2], [1, 9])])]
    [[1, 1], [2, 2], [3, 9]]
    """
    for one, other in _exchanges(len(planes)):
        low = np.minimum(planes[one], planes[other])
        planes[one], planes[other] = low, np.maximum(planes[one], planes[other])
    return planes


@cache
def _exchanges(count: int) -> tuple[tuple[int, int], ...]:
    """The pairs that put so many values in order."""
    pairs, width = [], 1
    while width < count:
        apart = width
        while apart:
            for first in range(apart % width, count - apart, 2 * apart):
                for one in range(first, min(first + apart, count - apart)):
                    if one // (2 * width) == (one + apart) // (2 * width):
                        pairs.append((one, one + apart))
            apart //= 2
        width *= 2
    return tuple(pairs)


def _places(centres: Floats, outwards: Floats, lengths: Floats) -> tuple[Floats, Floats]:
    """The pixels x and y, (N, L, ANGLES) each, at `lengths` (N, L) in all directions, starting
    outwards."""
    across, down = outwards[:, :1], outwards[:, 1:]
    ways = (
        across * AROUND[:, 0] - down * AROUND[:, 1],
        down * AROUND[:, 0] + across * AROUND[:, 1],
    )
    x, y = (
        middle[:, None, None] + lengths[..., None] * way[:, None]
        for middle, way in zip(centres.T, ways, strict=True)
    )
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def _sampled(picture: NDArray[np.uint8], places: tuple[Floats, Floats]) -> Floats:
    """Sample a picture's channels at places (N, L, ANGLES), as planes (C, N, L, ANGLES)."""
    x, y = places
    flat = (len(x), -1)
    seen = cv2.remap(
        picture, x.reshape(flat), y.reshape(flat), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    channels = cv2.split(seen)
    planes = np.empty((len(channels), *x.shape), np.float32)
    for plane, channel in zip(planes, channels, strict=True):
        np.copyto(plane, channel.reshape(x.shape))
    return planes


def _shadows(shaded: NDArray[np.bool_], ends: NDArray[np.float64], lengths: Floats) -> Floats:
    """The length (N, ANGLES) of a thing's shadow beyond its `ends` (N, ANGLES).

    `shaded` (N, L, ANGLES) says where the table shows with less light.
    """
    lit = ~shaded & (lengths[None, :, None] > ends[:, None] + EDGE_PX / 2)
    for step in range(1, round(GAP_PX / FINE_PX)):  # the blurred edge of something light is lit too
        lit[:, :-step] &= ~shaded[:, step:]
    first = np.where(lit.any(axis=1), lengths[lit.argmax(axis=1)], lengths[-1])
    return np.asarray(np.where(np.isfinite(ends), first - ends - EDGE_PX / 2, 0), np.float32)


def _unlike(colours: Floats, tables: Floats) -> tuple[Floats, Floats]:
    """How far colours (3, N, L, ANGLES) are from a table's (3, N, ANGLES) in any light.

    Also returns how much lighter they are than the table's (N, L, ANGLES).
    """
    tables = (tables + np.float32(DARK))[:, :, None]
    there = colours + np.float32(DARK)
    # In place: making arrays of this size costs as much as filling them.
    shade, squares = np.zeros((2, *there.shape[1:]), np.float32)
    part = np.empty_like(shade)
    for one, table in zip(there, tables, strict=True):
        shade += np.multiply(one, table, out=part)
    shade /= (tables**2).sum(axis=0)
    np.clip(shade, np.float32(SHADES[0]), np.float32(SHADES[1]), out=shade)
    for one, table in zip(there, tables, strict=True):
        np.subtract(one, np.multiply(shade, table, out=part), out=part)
        squares += np.square(part, out=part)
    return np.sqrt(squares, out=squares), shade


def _ends(
    unlike: Floats, least: NDArray[np.floating], lengths: Floats, first: int
) -> NDArray[np.float64]:
    """Where the table begins (N, ANGLES): half way down the edge to its first stretch."""
    count, steps, _ = unlike.shape
    gap, edge = round(GAP_PX / FINE_PX), round(EDGE_PX / FINE_PX)
    table = unlike < least[:, None, None]
    for step in range(1, gap):
        table[:, : steps - step] &= unlike[:, step:] < least[:, None, None]
    table[:, :first] = False
    table[:, steps - gap :] = False
    ends = table.argmax(axis=1)
    found = table.any(axis=1) & (ends > first)
    rows, ways = np.arange(count)[:, None], np.arange(ANGLES)[None]
    back = np.maximum(ends[..., None] - np.arange(edge + 1), 0)
    slope = unlike[rows[..., None], back, ways[..., None]]
    half = slope.max(axis=2) / 2
    inner = np.maximum((slope >= half[..., None]).argmax(axis=2), 1)
    high = np.take_along_axis(slope, inner[..., None], axis=2)[..., 0]
    low = np.take_along_axis(slope, inner[..., None] - 1, axis=2)[..., 0]
    part = np.clip((high - half) / np.maximum(high - low, 1e-3), 0, 1)
    at = lengths[np.maximum(ends - inner, 0)] + FINE_PX * part
    return np.where(found, at, np.nan)
