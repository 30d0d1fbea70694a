"""How large the cards of a known deck are in a picture, told by those that lie apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.backs.parts import sides
from vision.decide.partly import fitted
from vision.picture.geometry import Floats
from vision.read.face_search import FaceSearch, Size

SHAPE = 0.12
"""Largest relative deviation of a single card's length-to-width ratio from the deck's, from a slant
or the lens. A choice; `python -m tests.italian_decks --unscaled` judges it."""
SINGLES_MOST = 6
"""Most cards lying apart whose size is measured. A choice: the median of few is enough."""


def usual_size(
    known: Sequence[Floats], faces: FaceSearch, size_mm: tuple[float, float] | None
) -> Size | None:
    """The short and long sides in pixels of single cards recognized at these corners (4, 2).

    What is shaped differently from the deck's cards, whose width and height are `size_mm` if known,
    is several overlapping ones, and does not count. An outline may be that of a frame printed
    within the card, so it is enlarged or reduced until the face agrees best. None without a card.
    """
    if size_mm is None:
        return _middle_of([sides(corners) for corners in known])
    ratio = size_mm[1] / size_mm[0]
    each = [(corners, *sides(corners)) for corners in known]
    shaped = [one for one, short, long in each if abs(long / short / ratio - 1) <= SHAPE]
    shorts = [_short_side(sides(fitted(faces, one)), ratio) for one in shaped[:SINGLES_MOST]]
    return _middle_of([(short, short * ratio) for short in shorts])


def _middle_of(sizes: Sequence[Size]) -> Size | None:
    """The median of several sizes."""
    if not sizes:
        return None
    short, long = np.median(np.asarray(sizes), axis=0)
    return float(short), float(long)


def _short_side(size: Size, ratio: float) -> float:
    """The short side of the rectangle of this ratio that is as large."""
    return float(np.sqrt(size[0] * size[1] / ratio))
