"""Where cards lie on each other, by their outlines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from vision.backs.parts import Back
from vision.picture.geometry import Floats, within


def overlap(cards: Sequence[Floats]) -> float:
    """The largest area that two of the cards share, in pixels."""
    pairs = combinations([np.asarray(corners, np.float32) for corners in cards], 2)
    return max((cv2.intersectConvexConvex(*pair)[0] for pair in pairs), default=0.0)


def on_each_other(one: Back, other: Back) -> bool:
    """Whether the centre of each of two backs lies on the other; a back lies on itself."""
    return on_any(one.corners, [other.corners]) and on_any(other.corners, [one.corners])


def on_any(outline: Floats, cards: Sequence[Floats]) -> bool:
    """Whether the centre of an outline lies on one of the cards."""
    return any(within(corners, outline.mean(axis=0)) for corners in cards)
