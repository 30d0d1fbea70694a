"""The edges of cards that lie beside each other with narrow gaps, where the next one's are as near.

The maps enlarge what they half see, and in a soft picture the middle of a gap, or the neighbour's
edge across it, may be clearer than a card's own. But its middle is where the maps have it, and its
size is known.
"""

from __future__ import annotations

from vision.backs.edges import Framed, framed
from vision.backs.parts import Size, centred
from vision.picture.geometry import Floats, Frame

NUDGE = 4
"""Tolerance in pixels for an edge whose position follows from the deck's size. A choice; `python -m
tests.face_down spaced` judges it."""


def own_edges(frame: Frame, outline: Floats, size: Size) -> tuple[Framed, Framed]:
    """The outline of a card of this `size` in the middle of another (4, 2), moved onto the edges
    near by, and the same onto the nearest."""
    middle = centred(outline, size)
    return framed(frame, middle, NUDGE), framed(frame, middle, NUDGE // 2)
