"""Find two backs of one colour, turned a little on each other, of which the maps show nothing.

To the finder such a pair is any other thing of its colour. In the picture it is one patch, larger
than a card both ways; but the corners of the lower card jut out from under the upper one, and that
no tile or sheet of paper shows.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.backs.found import told_at
from vision.backs.lower import Lower
from vision.backs.meeting import on_any
from vision.backs.parts import FRAMED, Back, Size, around, as_backs, sides
from vision.backs.stack import two_turned
from vision.backs.standing import Standing
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

LARGER, LARGEST = 1.02, 1.5
"""Range of both sides of a pair's outline, in a card's. A choice: turned by six degrees, two cards
are a tenth wider together, and turned by 25 degrees they are half as wide again."""


def plain_pairs(
    frame: Frame,
    areas: Areas,
    size: Size,
    told: Sequence[Back],
    *,
    plain: Sequence[Floats],
    faces: Sequence[Floats],
) -> list[Back]:
    """The backs `told`, with the pairs among the `plain` outlines (4, 2) of one colour.

    Cards are about `size` pixels, and `faces` (4, 2) were read. What was told of such a pair gives
    way to it.
    """
    found = list(told)
    for outline in plain:
        there = [back for back in found if on_any(back.corners, [outline])]
        known = len(there) > 1 and all(back.confidence >= FRAMED for back in there)
        if known or not _may_be_two(outline, size) or on_any(outline, faces):
            continue
        rest = [back for back in found if not any(back is one for one in there)]
        lying = [*faces, *(back.corners for back in rest)]
        if pair := _pair(frame, areas, size, outline, lying):
            found = [*rest, *told_at(pair, whole=True)]
    return found


def _may_be_two(outline: Floats, size: Size) -> bool:
    """Whether an outline is larger than a card both ways, but not by too much."""
    larger = [side / whole for side, whole in zip(sides(outline), size, strict=True)]
    return min(larger) >= LARGER and max(larger) <= LARGEST


def _pair(
    frame: Frame, areas: Areas, size: Size, outline: Floats, lying: Sequence[Floats]
) -> tuple[Floats, ...]:
    """The two cards of a pair with this outline; none if it is no pair."""
    blob = Standing.of(frame, areas, outline, size, ()).on_maps(areas, lying)
    if not blob.any():
        return ()
    alone = as_backs(areas, blob)
    two = two_turned(frame, alone, around(blob, alone), size, lying)
    return two if two and Lower(frame, alone, size, [blob], lying).unbroken(two) else ()
