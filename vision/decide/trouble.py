"""Why a picture is hard to read: too little light, glare, no focus, too far away, another deck.

The limits are set on generated tables: each lies where the first cards go unread, and sharp tables
in usable light stay clear of it (`python -m vision.training results` draws both).
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
from vision.sightings import Sighting

SMALL = 320
"""The longer side in pixels of the shrunken picture on which light is judged: at a table's camera
a card is 20 px long there, and the noise of a pixel is averaged out. A choice;
`python -m tests.dealt_table` judges it."""
DARK = 34.0
"""White card stock under a usable light is at least this bright, of 255: below, an 8-bit sensor
leaves too few steps between paper, ink and noise. Measured as the brightest thousandth of the
picture: a single photographed card on felt is seven times that. Measured by
`python -m tests.thresholds`."""
WHITEST = 0.999
"""The share of a picture's pixels that white paper outshines: one card on a table is seven times
the rest. A choice; `python -m tests.dealt_table` judges it."""
DIM, LIT = 140.0, 210.0
"""How bright white is below which a picture is brightened, and how bright it is then: as it is on
a lit table. At 70 to 80 of 255 the finder missed or doubted 22 of 31 backs of two dealt shards. A
choice; `python -m tests.dealt_table` judges it."""
MOST_GAIN = 3.0
"""Brightening further would make a sensor's noise look like objects. A choice;
`python -m tests.dealt_table` judges it."""
BURNT, GLARE = 248, 0.08
"""A pixel this bright in all three colours holds no ink any more; this share of one card's area
burnt out, where the rest of the cards is not, is a lamp's reflection that can hide an index. A
choice; `python -m tests.dealt_table` judges it."""
CARD_AREA = 19.5
"""A card's area in squared index heights: 63.5 x 88.9 mm by 17 mm. Follows from the size of a
standard card and its index."""
PLAIN = 242.0
"""From this brightness on, the paper itself is nearly burnt out: the exposure is too long to tell a
reflection. A choice; `python -m tests.dealt_table` judges it."""
PAPER = 0.7
"""The share of a card whose level is the paper's: most of a face is. A choice;
`python -m tests.dealt_table` judges it."""
BLUR = 0.09
"""How far an edge is spread, in index heights (a standard deviation): 2.1 px at 27. From there on
indices are lost or misread; in focus it is 0.03 to 0.07, pixels included. Measured by
`python -m tests.thresholds`."""
DIRECTIONS = 8
"""Directions in which edges are measured: movement blurs only one. A choice;
`python -m tests.dealt_table` judges it."""
PATCH_INDEX = 40.0
"""Pixels of a patch to an index height. Follows from how the network was built."""
FOREIGN = 3
"""So many whole faces of which none can be read are another deck's. On 8 drawn pictures of regional
cards 2 to 14 showed, on 9 photographs without cards 0 to 2. A choice."""
FAINT = 18.0
"""The contrast between paper and ink, in grey levels, below which a patch says nothing about
focus. A choice; `python -m tests.dealt_table` judges it."""
INK, WHITE, STEEPEST = 0.03, 0.9, 0.99
"""The shares of a patch's pixels below which ink, paper and the steepest slope are found; outliers
are left out. A choice; `python -m tests.dealt_table` judges it."""
LEAST_SPREAD = 0.01
"""The least square of a spread, in pixels: the smoothing alone may explain more than is seen. A
choice."""
FAR = 11.0
"""The index height in pixels below which readings collapse; 25 is safe. Measured by
`python -m tests.thresholds`."""


def white(frame: Frame) -> float:
    """How bright white paper is in the picture, 0..255; below `DARK` ink is lost in noise.

    A picture that was shrunk already, as far as `SMALL` or not quite, says the same.
    """
    small = frame if max(frame.shape) <= SMALL else shrunk(frame, SMALL)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    return level(grey, WHITEST)


def exposed(frame: Frame, bright: float) -> Frame:
    """A dim picture, its white at level `bright`, exposed as if the table were well lit.

    The networks cope with noise, but mistake a dim card's back for part of the table.
    """
    if bright >= DIM:
        return frame
    gain = min(MOST_GAIN, LIT / max(bright, 1.0))
    return np.asarray(cv2.convertScaleAbs(frame, alpha=gain), np.uint8)


def judged(
    frame: Frame, parts: Sequence[Areas], heights: Floats, blur: Floats, usual: float = 0.0
) -> tuple[str, ...]:
    """The troubles of `frame` besides the dark, by the areas of the cards in its `parts`.

    `heights` and `blur` are their indices'; `usual` is the height at which indices are expected,
    and zero if that is not known.
    """
    height = median(heights.tolist()) if len(heights) else usual
    troubles = {
        "glare": any(glare(frame, areas, height) > GLARE for areas in parts),
        # An index this small is blurred by the pixels themselves.
        "blur": middling(blur) > BLUR and height >= FAR,
        "far": 0 < height < FAR,
    }
    return tuple(name for name, present in troubles.items() if present)


def foreign(
    faces: Callable[[], Sequence[Floats]], seen: Sequence[Sighting], troubles: Sequence[str]
) -> tuple[str, ...]:
    """The trouble that there are whole `faces` (4, 2) of cards without an index that is known, if
    nothing else keeps them from being read. They are looked for only where nothing was read but
    jokers, which figures of any deck resemble.
    """
    read = any(not one.doubtful and one.card not in (BACK, JOKER) for one in seen)
    return ("foreign",) if not troubles and not read and len(faces()) >= FOREIGN else ()


def glare(frame: Frame, areas: Areas, height: float = 0.0) -> float:
    """How much a reflection burns out of the cards, in areas of one card.

    Where the `height` of their indices is not known, it is the share of all that shows cards.
    """
    shown = np.maximum(areas.face, areas.back) >= 0.5
    if not shown.any():
        return 0.0
    # One pixel in the middle of each cell will do: a reflection covers many of them.
    cells = np.argwhere(shown) + 0.5
    rows, columns = (cells / areas.scale).astype(np.intp).T
    whole = areas.box.cut(frame)
    part = whole[np.minimum(rows, whole.shape[0] - 1), np.minimum(columns, whole.shape[1] - 1)]
    # Two calls for one of three channels cost a fifth of a reduction over the last axis.
    blue, green, red = part[:, 0], part[:, 1], part[:, 2]
    # Most of a card is paper: where that is white anyway, nothing stands out.
    if level(np.maximum(np.maximum(blue, green), red), PAPER) >= PLAIN:
        return 0.0
    burnt = float((np.minimum(np.minimum(blue, green), red) >= BURNT).sum())
    return burnt / (CARD_AREA * (height * areas.scale) ** 2 if height else float(shown.sum()))


def level(values: NDArray[np.uint8], share: float) -> float:
    """The level (0 to 255) that this share (0..1) of the values does not exceed."""
    # NumPy would widen every value first.
    counts = cv2.calcHist([values.reshape(1, -1)], [0], None, [256], [0, 256])
    return float(np.searchsorted(np.cumsum(counts), share * values.size))


def middling(blur: Floats) -> float:
    """The median of the `blur` (N,) of indices, those without contrast left out; zero if none."""
    known = blur[blur > 0]
    return median(known.tolist()) if len(known) else 0.0


def spreads(patches: Frame) -> Floats:
    """How far the edges of each of the `patches` (N, 64, 48, 3) are spread, in index heights.

    Zero where there is hardly any contrast.
    """
    if not len(patches):
        return np.zeros(0, np.float32)
    # Green has most detail in a camera's picture; ink of that colour stands out in the others.
    middles = patches[:, 8:56, 8:40]
    blue, middle, red = (middles[..., colour] for colour in range(3))
    shades = np.concatenate([middle, np.minimum(np.minimum(blue, middle), red)])
    green, darkest = np.split(_spread(shades), 2)
    return np.where(green > 0, np.minimum(green, darkest), darkest)


def _spread(shades: NDArray[np.uint8]) -> Floats:
    """The same for one shade (N, 48, 32) of the patches' middles; a card's edge lies outside."""
    smoothed = [cv2.GaussianBlur(shade, (0, 0), SMOOTH) for shade in shades.astype(np.float32)]
    grey = np.asarray(smoothed, np.float32)
    low, high = _levels(grey, INK), _levels(grey, WHITE)
    across = (grey[:, 1:-1, 2:] - grey[:, 1:-1, :-2]) / 2
    down = (grey[:, 2:, 1:-1] - grey[:, :-2, 1:-1]) / 2
    turns = np.arange(DIRECTIONS) * np.pi / DIRECTIONS
    cosines, sines = (
        part.astype(np.float32)[:, None, None, None] for part in (np.cos(turns), np.sin(turns))
    )
    # In place: allocating a large array costs more than filling it.
    ways = np.asarray(across * cosines, np.float32)
    ways += down * sines
    np.abs(ways, out=ways)
    steep = _levels(ways.reshape(-1, *across.shape[1:]), STEEPEST)
    slopes = steep.reshape(DIRECTIONS, -1).min(axis=0)
    # The steepest part of an edge with a Gaussian spread s rises by 1 / (s sqrt(2 pi)).
    spread = (high - low) / np.maximum(slopes * np.sqrt(2 * np.pi), 1e-3)
    sharp = np.sqrt(np.maximum(spread**2 - SMOOTH**2, LEAST_SPREAD)) / PATCH_INDEX
    return np.where(high - low < FAINT, 0.0, sharp).astype(np.float32)


def _levels(values: Floats, share: float) -> Floats:
    """The level (N,) that this share of the values (N, H, W) does not exceed, for each of N."""
    flat = values.reshape(len(values), -1)
    place = int(share * flat.shape[1])
    return np.asarray(np.partition(flat, place, axis=1)[:, place], np.float32)


SMOOTH = 1.2
"""The spread in pixels of the smoothing that keeps noise from looking like edges. A choice;
`python -m tests.dealt_table` judges it."""
