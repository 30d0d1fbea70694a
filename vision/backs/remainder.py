"""What of the areas that look like backs no card explains: a question each.

An area of backs is never dropped: where the cards that were told leave a part of it, a card more
may lie there, under them or beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.backs.parts import FRAMED, STRIP, VAGUE, Back, Cells, Size, around, blobs_of_backs
from vision.backs.plain import even
from vision.backs.stack import stacked
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame, upright

LIKELY = 0.75
"""From which mean probability of "back" an area is asked about. A choice;
`python -m tests.face_down` judges it."""
CERTAINLY = 0.9
"""The same for what known cards leave of an area: their rims are half seen. A choice;
`python -m tests.face_down` judges it."""
LARGE = 0.35
"""The share of a card from which what known cards leave of an area need be no likelier than an area
by itself: rims are narrower. A choice; `python -m tests.face_down fan` judges it."""
HALF, MOST = 0.5, 8.0
"""The least and the largest size of a thing of one even colour that may be backs, in cards. A
choice; `python -m tests.face_down` judges it."""
FAINT, BACKLIKE = 0.05, 0.22
"""The least mean probability of "back" over it, and the least share of that in "back" and "face".
A choice: over ten drawn heaps of backs without a print 0.05 and 0.25 and more, of the things of
one colour on 40 photographs none had more than 0.03 of the one with more than 0.15 of the
other."""
BARELY = 0.01
"""The same mean from which several cards are told if all their edges show them for certain. A
choice: over two drawn cards of one colour it was 0.019, over a felt 0.001."""
EVEN_FACE = 0.5
"""Up to which probability of "face" a cell may be such a thing's. A choice: half."""
TAKEN = 0.3
"""The share of it that known cards may cover. A choice; `python -m tests.face_down` judges it."""
RIM = 1.5
"""Cells around a known card that belong to it: as far as the maps swell. Follows from the four
pixels that a cell is wide."""


def unexplained(
    areas: Areas, size: Size, told: Sequence[Back], faces: Sequence[Floats]
) -> list[Back]:
    """A question for each area of backs in which no back is known (`told`), and for each part of
    one, as large as a card's strip, that neither those nor the `faces` (4, 2) beside them cover.
    """
    asked: list[Back] = []
    for blob in blobs_of_backs(areas, size):
        corners = around(blob, areas)
        inside = [one for one in told if _meet(corners, one.corners)]
        if not inside:
            asked += _question(areas, blob, LIKELY)
            continue
        left = blob & ~_covered(areas, [*(one.corners for one in inside), *faces])
        for part in _pieces(left, STRIP * size[0] * size[1] * areas.scale**2):
            # Of a part as large as that no rim is half.
            large = np.count_nonzero(part) >= LARGE * size[0] * size[1] * areas.scale**2
            asked += _question(areas, part, LIKELY if large else CERTAINLY)
    return asked


def faint(
    frame: Frame, areas: Areas, size: Size, told: Sequence[Back], faces: Sequence[Floats]
) -> list[Back]:
    """The backs `told`, and the cards of the things of one even colour that the maps faintly take
    for backs: of backs without a print over each other they show hardly more. Where the edges of
    several tell them for certain they stand for what was doubtful there; else each thing is a
    question, if nothing was told."""
    found = list(told)
    certain = [one.corners for one in told if _sure(one)]
    faceless = (areas.face < EVEN_FACE).astype(np.uint8)
    if not ((areas.back >= FAINT) & (faceless > _covered(areas, [*certain, *faces]))).any():
        # Looking for even colours costs a sixth of reading one new card.
        return found
    for part in _even_parts(frame, areas, size, faceless):
        if _taken(part, areas, [*certain, *faces]):
            continue
        outline = around(part, areas)
        cards = stacked(frame, areas, outline, size, faces)
        if cards.certain and len(cards.cards) > 1:
            found = [one for one in found if not _meet(one.corners, outline) or _sure(one)]
            found += [Back(upright(one), FRAMED) for one in cards.cards]
        elif float(areas.back[part > 0].mean()) >= FAINT:
            known = _taken(part, areas, [*(one.corners for one in told), *faces])
            found += [] if known else [Back(upright(outline), VAGUE)]
    return found


def _even_parts(frame: Frame, areas: Areas, size: Size, faceless: Cells) -> Iterator[Cells]:
    """The things of one even colour of the size of some cards that the maps rather take for backs
    than for faces."""
    card = size[0] * size[1] * areas.scale**2
    for part in _pieces(even(frame, areas) & faceless, HALF * card):
        back, face = (float(cells[part > 0].mean()) for cells in (areas.back, areas.face))
        likely = back >= BARELY and back >= BACKLIKE * (back + face)
        if likely and np.count_nonzero(part) <= MOST * card:
            yield part


def _taken(part: Cells, areas: Areas, lying: Sequence[Floats]) -> bool:
    """Whether the cards `lying` there cover much of some cells."""
    covered = np.count_nonzero(part & _covered(areas, lying))
    return bool(covered > TAKEN * np.count_nonzero(part))


def _sure(back: Back) -> bool:
    return back.confidence >= FRAMED


def _question(areas: Areas, part: Cells, likely: float) -> list[Back]:
    """A back in doubt at a part of the maps, if it is as likely as that."""
    mean = float(areas.back[part > 0].mean())
    return [Back(around(part, areas), VAGUE)] if mean >= likely else []


def _meet(one: Floats, other: Floats) -> bool:
    """Whether two outlines share some of their area."""
    return bool(cv2.intersectConvexConvex(one, other)[0] > 0)


def _covered(areas: Areas, outlines: Sequence[Floats]) -> Cells:
    """The cells that outlines in the picture cover, with their rims."""
    covered = np.zeros(areas.back.shape, np.uint8)
    for corners in outlines:
        places = (corners - (areas.box.x, areas.box.y)) * areas.scale - 0.5
        points = np.round(places).astype(np.int32)
        cv2.fillConvexPoly(covered, points, (1,))
        cv2.polylines(covered, [points], True, (1,), 1 + round(2 * RIM))
    return covered


def _pieces(left: Cells, least: float) -> list[Cells]:
    """The connected parts of some cells that are that large, threads aside."""
    whole = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
    large = (n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= least)
    return [(labels == number).astype(np.uint8) for number in large]
