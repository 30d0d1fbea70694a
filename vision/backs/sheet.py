"""The picture around an area of backs, as a sheet with a fixed number of dots per card.

On it, cards are searched for as copies of one another: a dot is as fine as a card's outline is
known, and coarser than sensor noise. Whatever differs in colour from the ground around it is the
heap to be explained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells, Size
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

ACROSS = 64
"""Dots along a card's short side: a millimetre of a poker card each. A choice: the accuracy of an
outline."""
SOFT = 0.8
"""Standard deviation in dots of the blur applied before sampling once a dot. Follows from the size
of a dot."""
BROAD = 3
"""Dots over which a sheet is averaged where borders of cards are searched for across others:
narrower than a border, wider than a line of a print. A choice; `python -m tests.hidden_hands`
judges it."""
BESIDE = 75.0
"""Margin in dots around an area: its ground, and as far as a card overlooked by the maps juts out.
A choice; `python -m tests.face_down` judges it."""
GROUND, EVENED, CLEAR = 0.06, 9, 7
"""Largest probability of face or back of a ground dot, the number of dots over which it is
averaged, and the number of dots around it for which it must hold: the maps' cells are two to four
dots wide, and swell. A choice; `python -m tests.face_down` judges it."""
HARDLY = 0.25
"""Mean probability of face or back up to which an area hardly shows. A choice: over drawn pairs of
one colour it was at most 0.1."""
LEVELLED = 14.0
"""Standard deviation in dots of the blur that gives the ground's local colour: a lamp's falloff is
wider. A choice; `python -m tests.face_down` judges it."""
COARSER = 4
"""Step in dots of that averaging. A choice: a third of that width."""
FEWEST = 200
"""Minimum dots of ground that give its colour. A choice; `python -m tests.face_down` judges it."""
GRAINY, FLATTEST = 98.0, 5.0
"""Percentile of the difference between the ground's own dots and its colour, by which other dots
are judged, and its minimum in grey levels. A choice; `python -m tests.face_down` judges it."""
SOME = 5
"""Step between the ground's dots sampled for that. A choice: of 20,000 still 4,000."""
STANDS_OUT, LIKELY_OUT = 1.25, 0.7
"""Minimum difference from the ground's colour, in units of that percentile, of a dot of the heap,
and of one that the maps show to be a card. A choice; `python -m tests.face_down` judges it."""
MISTAKEN, ROUNDS = 100, 3
"""Minimum dots that must differ from the ground, among those that the maps show as ground, for its
colour to be measured again without them, a fiftieth of a card, and how often it is at most. A
choice; `python -m tests.face_down` judges it."""
SHOWN = 0.8
"""Minimum probability of face or back at which the second applies. A choice;
`python -m tests.face_down` judges it."""
BRIDGE = 16
"""Most dots along the cut between a heap and others that a shadow joins to it: a quarter of a
card's short side. A choice: between a heap of three and its neighbour it was 5, and where the maps
saw one row as three areas, 171 and more; `python -m tests.face_down row` judges it."""
RIM = 5
"""Dots around a face that may be part of it: an outline from its indices is accurate to two. A
choice; `python -m tests.face_down` judges it."""


@dataclass(eq=False)
class Sheet:
    """A part of a picture in dots.

    `levels` (h, w, 3) are its colours; `heap` (h, w) is what is to be explained; `open_to` (h, w)
    is where any card may extend unseen, under a face or `beyond` (h, w) the picture. The dot (x, y)
    shows the pixel `origin` + (x, y) * `pixels`.
    """

    levels: Floats
    heap: Cells
    open_to: Cells
    beyond: Cells
    origin: Floats
    pixels: float

    @classmethod
    def of(cls, shown: Frame, origin: Floats, pixels: float) -> Sheet:
        """A part of a picture that is `shown` (h, w, 3) in dots, without a heap."""
        heap, hidden, beyond = np.zeros((3, *shown.shape[:2]), np.uint8)
        return cls(shown.astype(np.float32), heap, hidden, beyond, origin, pixels)

    @cached_property
    def planes(self) -> Cells:
        """The levels (3, h, w) of each colour."""
        return np.ascontiguousarray(self.levels.transpose(2, 0, 1), np.uint8)

    @cached_property
    def rises(self) -> tuple[tuple[Floats, Floats], ...]:
        """The rise of each colour's levels to the right and down over two dots, row-major."""
        planes = [plane.astype(np.float32) for plane in self.planes]
        return tuple((_rise(plane, 1).reshape(-1), _rise(plane, 0).reshape(-1)) for plane in planes)

    @cached_property
    def softened(self) -> Floats:
        """The levels (h, w, 3), averaged over `BROAD` dots."""
        return np.asarray(cv2.blur(self.levels, (BROAD, BROAD)), np.float32)

    def in_frame(self, corners: Floats) -> Floats:
        """Convert places (N, 2) on the sheet to pixels of the picture."""
        return np.asarray(self.origin + corners * np.float32(self.pixels), np.float32)

    def on_sheet(self, corners: Floats) -> Floats:
        """Convert pixels (N, 2) of the picture to places on the sheet."""
        return np.asarray((corners - self.origin) / np.float32(self.pixels), np.float32)


def sheet(frame: Frame, areas: Areas, seed: Floats, size: Size, faces: Sequence[Floats]) -> Sheet:
    """The picture around the corners `seed` (N, 2) of an area; its heap is what stands out.

    A card has this `size` in pixels; `faces` (4, 2) are read cards that lie there.
    """
    made = blank(frame, seed, size)
    made.beyond = _beyond(made, frame)
    made.open_to = _under(made, faces) | made.beyond
    made.heap = standing_out(made, areas, made.on_sheet(seed))
    return made


def blank(frame: Frame, seed: Floats, size: Size) -> Sheet:
    """The same without a heap."""
    pixels = size[0] / ACROSS
    origin = np.floor(seed.min(axis=0) - BESIDE * pixels).astype(np.float32)
    wide, high = (int(n) for n in (seed.max(axis=0) + BESIDE * pixels - origin) / pixels)
    soft, offset = _softened(frame, origin, (wide, high), pixels)
    ways = np.array([(pixels, 0, offset[0]), (0, pixels, offset[1])], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    levels = cv2.warpAffine(soft, ways, (wide, high), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return Sheet.of(np.asarray(levels, np.uint8), origin, pixels)


def standing_out(sheet: Sheet, areas: Areas, seed: Floats) -> Cells:
    """The dots (h, w) of a sheet that differ in colour from the ground around them.

    An outline `seed` (4, 2) that the maps hardly show on the sheet does not count as ground either.
    """
    shown = _cardlike(sheet, areas)
    taken, inside = sheet.open_to, filled(sheet.heap.shape, seed)
    if float(shown[inside > 0].mean()) < HARDLY:
        # A card of one colour that the maps hardly show is not ground.
        taken = taken | inside
    bare = (cv2.blur(shown, (EVENED, EVENED)) < GROUND) & (taken == 0)
    around = np.ones((CLEAR, CLEAR), np.uint8)
    ground = np.asarray(cv2.erode(bare.astype(np.uint8), around), np.uint8)
    if np.count_nonzero(ground) < FEWEST:
        return (shown >= SHOWN).astype(np.uint8) & (1 - sheet.open_to)
    away, apart = _apart(sheet, ground)
    for _ in range(ROUNDS):
        if np.count_nonzero(apart & ground) <= MISTAKEN:
            break
        # The maps took a card for ground, which then has some of its colour all around it.
        ground = ground & (1 - np.asarray(cv2.dilate(apart, around), np.uint8))
        if np.count_nonzero(ground) < FEWEST:
            break
        away, apart = _apart(sheet, ground)
    likely = ((shown >= SHOWN) & (away > LIKELY_OUT)).astype(np.uint8)
    return np.asarray((apart | likely) & (1 - sheet.open_to), np.uint8)


def _apart(sheet: Sheet, ground: Cells) -> tuple[Floats, Cells]:
    """How far each dot is from the colour of the `ground` (h, w) around it, and which differ."""
    away = _away(sheet.levels, ground.astype(np.float32))
    apart = (away > STANDS_OUT).astype(np.uint8)
    apart = np.asarray(cv2.morphologyEx(apart, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    closed = cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return away, np.asarray(closed, np.uint8)


def joined_to(cells: Cells, seeds: Cells) -> Cells:
    """The connected parts of these cells (h, w) that share a cell with the `seeds`."""
    _, labels = cv2.connectedComponents(cells, connectivity=4)
    numbers = np.unique(np.asarray(labels)[(seeds > 0) & (cells > 0)])
    return np.asarray(np.isin(labels, numbers[numbers > 0]), np.uint8)


def beside_others(sheet: Sheet, own: Cells, others: Cells, areas: Areas) -> Cells:
    """The dots (h, w) of a sheet's heap that are as near to its `own` cells of the maps as to the
    `others`, which the maps keep apart; all of it, unless no more than a bridge joins them."""
    theirs = _on_dots(sheet, areas, others.astype(np.float32)) > 0
    if not (theirs & (sheet.heap > 0)).any():
        return sheet.heap
    mine = _on_dots(sheet, areas, own.astype(np.float32)) > 0
    near = np.asarray(sheet.heap & (_distance(mine) <= _distance(theirs)), np.uint8)
    beyond = np.asarray(cv2.dilate(sheet.heap & (1 - near), np.ones((3, 3), np.uint8)), np.uint8)
    return near if np.count_nonzero(near & beyond) <= BRIDGE else sheet.heap


def _distance(cells: NDArray[np.bool_]) -> Floats:
    """How far, in dots, each one (h, w) is from the nearest of these `cells`."""
    away = cv2.distanceTransform(1 - cells.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(away, np.float32)


def filled(shape: tuple[int, ...], corners: Floats) -> Cells:
    """An outline's dots on a sheet of this shape."""
    cells = np.zeros(shape[:2], np.uint8)
    places = np.round((corners - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(cells, places, (1,), cv2.LINE_8, 4)
    return cells


def _softened(
    frame: Frame, origin: Floats, dots: tuple[int, int], pixels: float
) -> tuple[Frame, Floats]:
    """The part of the picture that is needed, blurred, and where in it the sheet begins."""
    height, width = frame.shape[:2]
    far = origin + np.array(dots, np.float32) * np.float32(pixels)
    left = int(max(0, min(origin[0] - 8, width - 16)))
    top = int(max(0, min(origin[1] - 8, height - 16)))
    right, bottom = (int(max(value + 8, 16)) for value in far)
    part = cv2.GaussianBlur(frame[top:bottom, left:right], (0, 0), SOFT * pixels)
    begun = origin - (left, top) + np.float32(0.5 * pixels - 0.5)
    return np.asarray(part, np.uint8), np.asarray(begun, np.float32)


def _rise(plane: Floats, axis: int) -> Floats:
    """The rise of levels (h, w) along an axis, from the dot before to the one after."""
    along, found = np.moveaxis(plane, axis, 0), np.zeros_like(plane)
    np.moveaxis(found, axis, 0)[1:-1] = along[2:] - along[:-2]
    return found


def _cardlike(sheet: Sheet, areas: Areas) -> Floats:
    """The probability that each dot (h, w) of a sheet is a card's; 0 beyond the maps."""
    return _on_dots(sheet, areas, areas.face + areas.back)


def _on_dots(sheet: Sheet, areas: Areas, cells: Floats) -> Floats:
    """The values of the maps' `cells` (rows, columns) at each dot (h, w) of a sheet."""
    begun = (sheet.origin - (areas.box.x, areas.box.y)) * areas.scale - 0.5
    step = sheet.pixels * areas.scale
    ways = np.array([(step, 0, begun[0]), (0, step, begun[1])], np.float32)
    high, wide = sheet.heap.shape
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(cells, ways, (wide, high), flags=flags))


def _away(levels: Floats, ground: Floats) -> Floats:
    """The levels' difference from the ground nearby, relative to the ground's own scatter."""
    weight = _wide(ground)[..., None]
    whole = levels[ground > 0].mean(axis=0)
    sums = _wide(levels * ground[..., None])
    # Far from any ground, its mean over the sheet must do.
    mean = (sums + whole * np.float32(1e-3)) / (weight + np.float32(1e-3))
    apart = np.abs(levels - mean)
    usual = np.percentile(apart[ground > 0][::SOME], GRAINY, axis=0)
    return np.asarray((apart / np.maximum(usual, FLATTEST)).max(axis=2), np.float32)


def _wide(cells: Floats) -> Floats:
    """Cells averaged over `LEVELLED` dots, computed on a coarser grid."""
    high, wide = cells.shape[:2]
    few = max(1, wide // COARSER), max(1, high // COARSER)
    small = cv2.resize(cells, few, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), LEVELLED / COARSER)
    return np.asarray(cv2.resize(blurred, (wide, high)), np.float32)


def _under(made: Sheet, faces: Sequence[Floats]) -> Cells:
    """Where a card may lie unseen under the `faces`."""
    cells = np.zeros_like(made.heap)
    for corners in faces:
        cells |= filled(cells.shape, made.on_sheet(corners))
    return np.asarray(cv2.dilate(cells, np.ones((RIM, RIM), np.uint8)), np.uint8)


def _beyond(made: Sheet, frame: Frame) -> Cells:
    """The part of a sheet that lies beyond the picture."""
    height, width = frame.shape[:2]
    picture = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)])
    return 1 - filled(made.heap.shape, made.on_sheet(picture.astype(np.float32)))
