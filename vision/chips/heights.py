"""How many chips lie on top of each other, by the side of the stack that the camera sees.

The top of a stack is nearer to the camera, so it appears farther out than its foot: between the
rim of the top, fitted on the far side, and the edge of the foot on the near side lies the visible
side. Under the camera nothing of it shows, and the number is a range.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, AROUND, CLOSE, Slopes, across_rim
from vision.picture.geometry import Floats, Frame, Point
from vision.picture.plane import Plane

FOCAL = 0.72
"""A camera's focal length as a share of its picture's width, where nobody has measured it: 70
degrees across, as webcams, telephones and the Pi's cameras have within a tenth. Follows from
their makers' figures."""
MOST = 20
"""The highest stack that is spoken of, chips. A choice: what a hand stacks."""
SEARCHED = 12
"""The highest stack that is looked for. A choice."""
FINE_PX = 0.25
"""Steps in which the foot's edge is looked for. A choice: a fraction of what one chip shows."""
SUNK = 0.58
"""How much of the lowest chip is lost in its own shadow, as a share of its thickness. Measured by
`python -m tests.chips` on drawn stacks of five development sets: the median in each of three bands
of the picture."""
UP, UP_PX, BEGUN = 0.45, 1.1, 0.6
"""How many chips more there may be than are counted: so many, so many pixels of the side, and some
more once a side is seen at all. A choice, by 48 drawn stacks; `python -m tests.chips` judges it."""
DOWN, DOWN_PX = 0.5, 1.2
"""The same for chips fewer, where a shadow or a soft edge is taken for a side. A choice;
`python -m tests.chips` judges it."""
BARE, BARE_PX = 1.75, 2.6
"""Below this number, or with a side of fewer pixels, a chip counts as single: most are, and soft
edges of single chips were up to 2.5 pixels wide on drawn tables. A choice;
`python -m tests.chips` judges it."""
FIRM = 0.42
"""An edge counts as the foot's from this share of the strongest one on. A choice;
`python -m tests.chips` judges it."""
PALE = np.array([0.3, 1, 1], np.float32)
"""How much lightness counts against colour where a side is told from a shadow. A choice."""
RIM = (0.86, 0.92, 0.96)
"""Where the colours of a chip's edge are seen on its face, in radii. A choice."""
SIDED = 0.5
"""The least share of the near side that has the chip's colours. A choice; `python -m tests.chips`
judges it."""
PLAIN_STACK, PRESUMED = 6, (0.4, 1.5)
"""Below which count a stack seen by an uncalibrated camera may be one chip with its shadow; and
from which share of a count to which the true one may lie. Measured by `python -m tests.real_chips`
under cameras tilted by up to 12 degrees: of 82 single chips 9 counted as more, 6 of them below."""
BLACK = 6.0
"""A level of black, so that noise in the dark makes no colours. A choice."""
EVENLY, EVEN_LEAST = 0.4, 0.15
"""In a shadow every channel is darker, and by the same factor: so far may their octaves differ, as
a share of their mean and a little more. A choice; `python -m tests.real_chips` judges it."""
SHADED = 0.5
"""The least share of the near side that looks like a shadow. A choice;
`python -m tests.real_chips` judges it."""
IN_SIGHT = 0.4
"""The least share of the near side that must be in sight. A choice."""
STRONG = 60.0
"""An edge counts as no stronger than that, so that no single stripe decides. A choice."""
FAR, NEAR = -0.3, 0.62
"""Cosines of the directions on the far side, which show the top's rim, and on the near side, which
show the foot. A choice."""
RIM_GAP = 1.06
"""Beyond a rim, in radii, another round thing hides it. A choice; `python -m tests.chips` judges
it."""
MOVED_IN, MOVED_OUT = 0.12, 0.25
"""How far, in radii, the top's rim may lie nearer or farther than what was fitted. A choice: it may
have been the outline of the whole stack."""
TOP_OFFSETS = np.arange(-0.09, 0.0901, 0.01, dtype=np.float32)
"""Where around the top's rim its edge is looked for, in radii. A choice; `python -m tests.chips`
judges it."""
TOP_WIDTHS = (0.06, 0.035)
"""The spreads of these, fit by fit. A choice; `python -m tests.chips` judges it."""
FAINTER, HELD, FAR_OFF, RESIZED = 0.8, 0.3, 0.5, 0.05
"""How much fainter a rim's edge may be than others; how firmly the fit stays where it is, in edges;
from which share of `CLOSE` an edge counts less; by how much a radius may change. A choice;
`python -m tests.chips` judges it."""
LEAST_STEP = 0.3
"""The least side that is looked for, in chips: a shadow is as narrow. A choice; `python -m
tests.chips` judges it."""
INSIDE_PX, OUTSIDE_PX = 1.2, 3.0
"""How far inside and outside of a foot's edge, in pixels, colours are compared. A choice; `python
-m tests.chips` judges it."""


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Where the camera hangs: the pixel straight below it, its height in mm, and pixels to a mm."""

    below: Point
    height_mm: float
    px_per_mm: float

    @classmethod
    def over(cls, size: tuple[int, int], px_per_mm: float, height_mm: float | None = None) -> Self:
        """A camera that looks straight down on the middle of a picture of `size` pixels."""
        high = height_mm if height_mm is not None else FOCAL * max(size) / px_per_mm
        return cls(((size[0] - 1) / 2, (size[1] - 1) / 2), high, px_per_mm)

    @classmethod
    def of(cls, plane: Plane, size: tuple[int, int], *, focal: float = FOCAL) -> Self:
        """The camera that sees a table plane so, in pictures of `size` pixels.

        `focal` is its focal length as a share of the picture's width.
        """
        length = focal * size[0]
        lens = np.array([[length, 0, size[0] / 2], [0, length, size[1] / 2], [0, 0, 1]])
        across, down, origin = np.linalg.solve(lens, plane.matrix).T
        unit = (np.linalg.norm(across) + np.linalg.norm(down)) / 2
        across, down, origin = across / unit, down / unit, origin / unit
        turn = np.stack([across, down, np.cross(across, down)], axis=1)
        place = np.linalg.solve(turn, -origin)
        point = float(place[0]), float(place[1])
        return cls(plane.pixels(point), abs(float(place[2])), plane.scale(point))


@dataclass(frozen=True, slots=True, eq=False)
class Height:
    """A stack: the likeliest number of chips, the least and the most, and its foot's middle (2,) in
    pixels."""

    count: int
    least: int
    most: int
    foot: Floats
    top: Floats
    radius: float


def height(
    frame: Frame,
    centre: Floats,
    radius: float,
    camera: Standpoint,
    thick_mm: float,
    *,
    others: Floats | None = None,
) -> Height:
    """How many chips `thick_mm` thick lie under a round one at a place in the picture.

    Round things at the centres `others` (M, 2), in pixels, may hide its side.
    """
    away = centre - np.asarray(camera.below, np.float32)
    distance = float(np.linalg.norm(away))
    step = distance * thick_mm / camera.height_mm
    if step < FINE_PX:
        return Height(1, 1, MOST, centre, centre, radius)
    outwards = (away / distance).astype(np.float32)
    reach = int(radius + SEARCHED * step + 12)
    left, top = (int(value) - reach for value in centre)
    corner = np.array([max(left, 0), max(top, 0)], np.float32)
    part = frame[max(top, 0) : top + 2 * reach, max(left, 0) : left + 2 * reach]
    patch = np.ascontiguousarray(part)
    slopes = Slopes.of(patch)
    middle, size = _topmost(slopes, centre - corner, radius, outwards)
    beside = np.zeros((0, 2), np.float32) if others is None else others - corner
    open_to = _open(middle, size, beside)
    near = AROUND @ -outwards > NEAR
    if open_to[near].mean() < IN_SIGHT:
        # What lies half on another chip is none of a stack.
        return Height(1, 1, 1, middle + corner, middle + corner, size)
    shift = _foot(patch, slopes, middle, size, outwards, step=step, open_to=open_to)
    middle = middle + corner
    if shift is None:
        return Height(1, 1, MOST, middle, middle, size)
    counted = _counted(middle, size, outwards, shift[0], step)
    return replace(counted, foot=middle - outwards * np.float32(shift[1]))


def widened(stack: Height) -> Height:
    """What a height says where nobody has calibrated the camera: which side of a stack shows, and
    how much of it, was presumed."""
    if stack.count == 1:
        return stack
    least = 1 if stack.count < PLAIN_STACK else ceil(stack.count * PRESUMED[0])
    most = min(MOST, ceil(stack.count * PRESUMED[1]) + 1)
    return replace(stack, least=min(stack.least, least), most=max(stack.most, most))


def _open(middle: Floats, radius: float, others: Floats) -> NDArray[np.bool_]:
    """In which directions (ANGLES,) no other round thing lies at the rim."""
    rim = middle + AROUND * np.float32(radius * RIM_GAP)
    away = np.linalg.norm(rim[:, None] - others[None], axis=2)
    return np.asarray((away > radius).all(axis=1), np.bool_)


def _counted(middle: Floats, radius: float, outwards: Floats, shift: float, step: float) -> Height:
    number = shift / step + SUNK
    single = number < BARE or shift < BARE_PX
    count = 1 if single else min(MOST, round(number))
    more = UP + UP_PX / step + (BEGUN if number > 1 + BEGUN / 4 else 0.0)
    least = min(count, max(1, ceil(number - DOWN - DOWN_PX / step)))
    most = max(count, min(MOST, int(number + more)))
    return Height(count, least, most, middle - outwards * np.float32(shift), middle, radius)


def _topmost(
    slopes: Slopes, centre: Floats, radius: float, outwards: Floats
) -> tuple[Floats, float]:
    """The top chip's middle and radius, by its rim on the far side."""
    design = np.concatenate([np.ones((ANGLES, 1), np.float32), AROUND], axis=1)
    far = (AROUND @ outwards > FAR).astype(np.float32)
    # What was fitted may be the outline of the whole stack: first to the edge on the far side.
    shifts = np.arange(-MOVED_IN * radius, MOVED_OUT * radius, FINE_PX, dtype=np.float32)
    edges = _edges(slopes, centre, radius, outwards, shifts=shifts)
    moved = edges[-1] if edges else 0.0
    middle, size = np.asarray(centre + outwards * moved, np.float32), float(radius)
    for width in TOP_WIDTHS:
        field = across_rim(slopes, middle[None], np.array([size], np.float32), 1 + TOP_OFFSETS)[0]
        likely = np.exp(-((TOP_OFFSETS / width) ** 2) / 2)[:, None]
        best = (field * likely).argmax(axis=0)
        there = field[best, np.arange(ANGLES)] >= slopes.least * FAINTER
        weights = far * there
        change = np.zeros(3)
        for _ in range(3):
            normal = np.einsum("a,ai,aj->ij", weights, design, design) + HELD * np.eye(3)
            right = np.einsum("a,ai,a->i", weights, design, TOP_OFFSETS[best])
            change = np.linalg.solve(normal, right)
            rest = TOP_OFFSETS[best] - design @ change
            weights = far * there / (1 + (rest / (CLOSE * FAR_OFF)) ** 2) ** 2
        middle = (middle + change[1:] * size).astype(np.float32)
        size *= 1 + float(np.clip(change[0], -RESIZED, RESIZED))
    return middle, size


def _foot(
    part: Frame,
    slopes: Slopes,
    middle: Floats,
    radius: float,
    outwards: Floats,
    *,
    step: float,
    open_to: NDArray[np.bool_],
) -> tuple[float, float] | None:
    """How far the foot's middle lies inwards of the top's, in pixels, and how far anything reaches
    that may be a part of the stack or its shadow; None if no edge shows."""
    shifts = np.arange(LEAST_STEP * step, (SEARCHED + 0.5) * step, FINE_PX, dtype=np.float32)
    edges = _edges(slopes, middle, radius, -outwards, shifts=shifts, open_to=open_to)
    near = open_to & (AROUND @ -outwards > NEAR)
    colours = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2LAB), np.float32) * PALE
    levels = part.astype(np.float32)
    for shift in reversed(edges):
        way = -outwards * shift
        if shift < step or (
            _is_side(colours, middle, radius, way, near)
            and not _is_shadow(levels, middle + way, radius, near)
        ):
            return shift, edges[-1]
    return (float(shifts[0]), edges[-1]) if edges else None


def _is_side(
    colours: Floats, middle: Floats, radius: float, shift: Floats, near: NDArray[np.bool_]
) -> bool:
    """Whether what lies inside a foot's edge has the chip's colours, and is no shadow of it.

    `colours` are as CIELAB, their lightness weighed by `PALE`; `shift` (2,) leads to the foot.
    """
    around = AROUND[near]
    foot = middle + shift
    inside = _seen(colours, foot + around * np.float32(radius - INSIDE_PX))
    outside = _seen(colours, foot + around * np.float32(radius + OUTSIDE_PX))
    rim = np.concatenate([_seen(colours, middle + AROUND * np.float32(radius * q)) for q in RIM])
    to_chip = np.linalg.norm(inside[:, None] - rim[None], axis=2).min(axis=1)
    to_table = np.linalg.norm(inside - outside, axis=1)
    return bool((to_chip < to_table).mean() >= SIDED)


def _is_shadow(levels: Floats, foot: Floats, radius: float, near: NDArray[np.bool_]) -> bool:
    """Whether what lies inside a foot's edge is what lies outside of it, with less light."""
    around = AROUND[near]
    inside = _seen(levels, foot + around * np.float32(radius - INSIDE_PX)) + BLACK
    outside = _seen(levels, foot + around * np.float32(radius + OUTSIDE_PX)) + BLACK
    darker = np.log2(outside / inside)
    spread = darker.max(axis=1) - darker.min(axis=1)
    depth = darker.mean(axis=1)
    return bool(((depth > 0) & (spread < EVENLY * (depth + EVEN_LEAST))).mean() >= SHADED)


def _seen(colours: Floats, places: NDArray[np.floating]) -> Floats:
    """The colours (N, 3) at places (N, 2)."""
    x, y = (np.ascontiguousarray(places[:, axis], np.float32)[None] for axis in (0, 1))
    seen = cv2.remap(colours, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], np.float32)


def _edges(
    slopes: Slopes,
    middle: Floats,
    radius: float,
    way: Floats,
    *,
    shifts: Floats,
    open_to: NDArray[np.bool_] | None = None,
) -> list[float]:
    """By which of the `shifts`, in pixels along `way`, a circle moves to a clear edge on that
    side, from the innermost to the outermost."""
    near = AROUND @ way > NEAR
    if open_to is not None:
        near &= open_to
    around, cosine = AROUND[near], (AROUND @ way)[near]
    hidden = radius**2 - shifts[:, None] ** 2 * np.maximum(0.0, 1 - cosine**2)
    lengths = shifts[:, None] * cosine + np.sqrt(np.maximum(hidden, 0))
    x, y = (np.asarray(middle[axis] + lengths * around[:, axis], np.float32) for axis in (0, 1))
    across, down = (cv2.remap(one, x, y, cv2.INTER_LINEAR) for one in (slopes.across, slopes.down))
    strength = np.abs(across * around[:, 0] + down * around[:, 1])
    field = np.minimum(strength, np.float32(STRONG)).mean(axis=1)
    beside = np.stack([np.roll(np.pad(field, 3), step)[3:-3] for step in range(-3, 4)])
    peak = (field >= beside.max(axis=0)) & (field >= max(FIRM * field.max(), slopes.least))
    return [float(shift) for shift in shifts[peak]]
