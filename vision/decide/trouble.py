"""Why a picture is hard to read: too dark, glare, out of focus, too far away, or another deck.

The limits are set on generated tables: each is where the first cards go unread, and sharp tables in
usable light stay clear of it (`python -m vision.training results` plots both).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, JOKER
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame, shrunk
from vision.picture.pyramid import Pyramid
from vision.sightings import Sighting

SMALL = 320
"""Longer side in pixels of the shrunken picture on which light is judged: a card on the table is 20
px long there, and pixel noise is averaged out. A choice; `python -m tests.dealt_table` judges it.
"""
DARK = 34.0
"""Minimum level of white card stock in usable light, of 255: below it, an 8-bit sensor leaves too
few steps between paper, ink and noise. White is measured as the brightest thousandth of the
picture; a single photographed card on felt fills seven times that. Measured by
`python -m tests.thresholds`."""
WHITEST = 0.999
"""Percentile of a picture's levels taken as white paper: one card on a table fills seven times the
remainder. A choice; `python -m tests.dealt_table` judges it."""
DIM, LIT = 140.0, 210.0
"""Level of white below which a picture is brightened, and the level it is brightened to, that of a
lit table. At 70 to 80 of 255 the finder missed or doubted 22 of 31 backs of two dealt shards. A
choice; `python -m tests.dealt_table` judges it."""
MOST_GAIN = 3.0
"""Largest gain: brightening further would make sensor noise look like objects. A choice;
`python -m tests.dealt_table` judges it."""
BURNT, GLARE = 248, 0.08
"""Level in all three colours at which a pixel holds no more ink, and the minimum burnt-out share of
one card's area that counts as glare: if the rest of the cards is not burnt out, it is a lamp's
reflection, which can hide an index. A choice; `python -m tests.dealt_table` judges it."""
CARD_AREA = 19.5
"""A card's area in squared index heights: 63.5 x 88.9 mm by 17 mm. Follows from the size of a
standard card and its index."""
PLAIN = 242.0
"""Level at which the paper itself is nearly burnt out, so that the exposure is too long to
distinguish a reflection. A choice; `python -m tests.dealt_table` judges it."""
PAPER = 0.7
"""Percentile of a card's levels taken as its paper: most of a face is paper. A choice;
`python -m tests.dealt_table` judges it."""
BLUR = 0.09
"""Spread of an edge in index heights (a standard deviation) from which indices are lost or misread:
2.1 px at 27. In focus it is 0.03 to 0.07, including the pixels themselves. Measured by
`python -m tests.thresholds`."""
DIRECTIONS = 8
"""Number of directions in which edges are measured: motion blurs only one. A choice;
`python -m tests.dealt_table` judges it."""
PATCH_INDEX = 40.0
"""Index height on a patch, in pixels. Follows from how the network was built."""
FOREIGN = 3
"""Number of whole, unreadable faces that indicates another deck. On 8 drawn pictures of regional
cards 2 to 14 showed, on 9 photographs without cards 0 to 2. A choice."""
FAINT = 18.0
"""Contrast between paper and ink, in grey levels, below which a patch says nothing about focus. A
choice; `python -m tests.dealt_table` judges it."""
INK, WHITE, STEEPEST = 0.03, 0.9, 0.99
"""Percentiles of a patch's pixels taken as ink, as paper and as the steepest slope, leaving
outliers out. A choice; `python -m tests.dealt_table` judges it."""
LEAST_SPREAD = 0.01
"""Minimum squared spread, in pixels: the smoothing alone may explain more than is seen. A choice.
"""
FAR = 11.0
"""Index height in pixels below which readings collapse; 25 is safe. Measured by
`python -m tests.thresholds`."""


def white(frame: Frame) -> float:
    """The level of white paper in the picture, 0..255; below `DARK`, ink is lost in noise.

    A picture that was already shrunk, to `SMALL` or somewhat larger, gives the same answer.
    """
    small = frame if max(frame.shape) <= SMALL else shrunk(frame, SMALL)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    return level(grey, WHITEST)


def exposed(pyramid: Pyramid, bright: float) -> Pyramid:
    """Brighten a dim picture, whose white is at level `bright`, as if the table were well lit.

    The networks cope with noise, but mistake a dim card's back for part of the table.
    """
    if bright >= DIM:
        return pyramid
    gain = min(MOST_GAIN, LIT / max(bright, 1.0))
    return Pyramid(np.asarray(cv2.convertScaleAbs(pyramid.frame, alpha=gain), np.uint8))


def judged(
    frame: Frame, parts: Sequence[Areas], heights: Floats, blur: Floats, usual: float = 0.0
) -> tuple[str, ...]:
    """The troubles of `frame` apart from the dark, given the areas of the cards in its `parts`.

    `heights` and `blur` are those of their indices; `usual` is the expected index height, or zero
    if unknown.
    """
    height = median(heights.tolist()) if len(heights) else usual
    troubles = {
        # The card's area follows from the camera's scale, where that is known.
        "glare": any(glare(frame, areas, usual or height) > GLARE for areas in parts),
        # An index this small is blurred by the pixels themselves.
        "blur": middling(blur) > BLUR and height >= FAR,
        "far": 0 < height < FAR,
    }
    return tuple(name for name, present in troubles.items() if present)


def foreign(
    faces: Callable[[], Sequence[Floats]], seen: Sequence[Sighting], troubles: Sequence[str]
) -> tuple[str, ...]:
    """Report ``"foreign"`` if whole `faces` (4, 2) show but none of their indices is known.

    This applies only if nothing else keeps them from being read. The faces are searched for only if
    nothing was read but jokers, which figures of any deck resemble.
    """
    read = any(not one.doubtful and one.card not in (BACK, JOKER) for one in seen)
    return ("foreign",) if not troubles and not read and len(faces()) >= FOREIGN else ()


def glare(frame: Frame, areas: Areas, height: float = 0.0) -> float:
    """The area of the cards burnt out by reflections, in card areas.

    If the `height` of their indices is unknown, it is the share of all card area. Where hardly a
    face shows there is nothing that it could hide: the white rims of backs are no reflection.
    """
    face = areas.face >= 0.5
    shown = face | (areas.back >= 0.5)
    card = CARD_AREA * (height * areas.scale) ** 2 if height else float(np.count_nonzero(shown))
    if np.count_nonzero(face) <= GLARE * card:
        return 0.0
    # One pixel in the centre of each cell is enough: a reflection covers many cells.
    cells = np.argwhere(shown) + 0.5
    rows, columns = (cells / areas.scale).astype(np.intp).T
    whole = areas.box.cut(frame)
    part = whole[np.minimum(rows, whole.shape[0] - 1), np.minimum(columns, whole.shape[1] - 1)]
    # Two calls on single channels cost a fifth of a reduction over the last axis.
    blue, green, red = part[:, 0], part[:, 1], part[:, 2]
    # Most of a card is paper: if that is white anyway, nothing stands out.
    if level(np.maximum(np.maximum(blue, green), red), PAPER) >= PLAIN:
        return 0.0
    burnt = np.count_nonzero(np.minimum(np.minimum(blue, green), red) >= BURNT)
    return burnt / card


def level(values: NDArray[np.uint8], share: float) -> float:
    """The level (0 to 255) that this share (0..1) of the values does not exceed."""
    # NumPy would widen every value first.
    counts = cv2.calcHist([values.reshape(1, -1)], [0], None, [256], [0, 256])
    return float(np.searchsorted(np.cumsum(counts), share * values.size))


def middling(blur: Floats) -> float:
    """The median `blur` (N,) of the indices that have contrast; zero if none do."""
    known = blur[blur > 0]
    return median(known.tolist()) if len(known) else 0.0


def spreads(patches: Frame) -> Floats:
    """The spread of the edges in each of the `patches` (N, 64, 48, 3), in index heights.

    Zero if there is hardly any contrast.
    """
    if not len(patches):
        return np.zeros(0, np.float32)
    # Green has the most detail in a camera's picture; green ink stands out in the other channels.
    middles = patches[:, 8:56, 8:40]
    blue, middle, red = (middles[..., colour] for colour in range(3))
    shades = np.concatenate([middle, np.minimum(np.minimum(blue, middle), red)])
    green, darkest = np.split(_spread(shades), 2)
    return np.where(green > 0, np.minimum(green, darkest), darkest)


def _spread(shades: NDArray[np.uint8]) -> Floats:
    """The same for one shade (N, 48, 32) of the patches' centres; a card's edge lies outside."""
    smoothed = [cv2.GaussianBlur(shade, (0, 0), SMOOTH) for shade in shades.astype(np.float32)]
    grey = np.asarray(smoothed, np.float32)
    low, high = _levels(grey, INK), _levels(grey, WHITE)
    across = (grey[:, 1:-1, 2:] - grey[:, 1:-1, :-2]) / 2
    down = (grey[:, 2:, 1:-1] - grey[:, :-2, 1:-1]) / 2
    # In place: allocating a large array costs more than filling it.
    ways = np.asarray(across * _COSINES, np.float32)
    ways += down * _SINES
    np.abs(ways, out=ways)
    steep = _levels(ways.reshape(-1, *across.shape[1:]), STEEPEST)
    slopes = steep.reshape(DIRECTIONS, -1).min(axis=0)
    # The steepest part of an edge with a Gaussian spread s rises by 1 / (s sqrt(2 pi)).
    spread = (high - low) / np.maximum(slopes * np.sqrt(2 * np.pi), 1e-3)
    sharp = np.sqrt(np.maximum(spread**2 - SMOOTH**2, LEAST_SPREAD)) / PATCH_INDEX
    return np.where(high - low < FAINT, 0.0, sharp).astype(np.float32)


def _levels(values: Floats, share: float) -> Floats:
    """The level (N,) that this share of each of the N values (N, H, W) does not exceed."""
    flat = values.reshape(len(values), -1)
    place = int(share * flat.shape[1])
    return np.asarray(np.partition(flat, place, axis=1)[:, place], np.float32)


_TURNS = np.arange(DIRECTIONS) * np.pi / DIRECTIONS
_COSINES, _SINES = (
    part.astype(np.float32)[:, None, None, None] for part in (np.cos(_TURNS), np.sin(_TURNS))
)
"""Cosines and sines (D, 1, 1, 1) of the directions in which edges are measured."""
SMOOTH = 1.2
"""Standard deviation in pixels of the smoothing that keeps noise from looking like edges. A choice;
`python -m tests.dealt_table` judges it."""
