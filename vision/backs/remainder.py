"""Parts of the areas of backs that no card explains: one question each.

An area of backs is never dropped: if the reported cards leave a part of it, another card may lie
there, under them or next to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.backs.parts import (
    BACK,
    FRAMED,
    STRIP,
    VAGUE,
    Back,
    Cells,
    Size,
    around,
    blobs_of_backs,
    coincide,
)
from vision.backs.plain import even
from vision.backs.stack import stacked
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame, upright
from vision.picture.pyramid import Pyramid
from vision.sightings import SURE_BACK

LIKELY = 0.75
"""Minimum mean probability of "back" at which an area is asked about. A choice;
`python -m tests.face_down` judges it."""
CERTAINLY = 0.9
"""The same for what known cards leave of an area: their rims are half seen. A choice;
`python -m tests.face_down` judges it."""
LARGE = 0.35
"""Share of a card from which what known cards leave of an area need be no likelier than an area by
itself: rims are narrower. A choice; `python -m tests.face_down fan` judges it."""
HALF, MOST = 0.5, 8.0
"""Minimum and maximum size, in cards, of a thing of one even colour that may be backs. A choice;
`python -m tests.face_down` judges it."""
FAINT, BACKLIKE = 0.05, 0.22
"""Minimum mean probability of "back" over it, and the minimum share of that in "back" and "face". A
choice: ten drawn heaps of backs without a print had at least 0.05 and 0.25; among things of one
colour on 40 photographs, none had both more than 0.03 of the first and more than 0.15 of the
second."""
BARELY = 0.01
"""The same mean at which several cards are reported if all their edges prove them. A choice: over
two drawn cards of one colour it was 0.019, over a felt 0.001."""
SAME = 0.15
"""Largest distance between the corners of two outlines of one card, of which only one was found
with the rest of its heap, in short sides: 10 mm. A choice: one of three hole cards, of which the
two others lay over it, was found a second time 0.1 off, and the middle one of three in a row by two
areas; `python -m tests.soak --pictures` judges it."""
PASSING = 0.5
"""Minimum width, in short sides of a card, of a sleeve where it enters and leaves what is looked
at: a white one taken for a heap cost 0.4 to 2.6 s. A choice: narrower ones are rare."""
EVEN_FACE = 0.5
"""Largest probability of "face" at which a cell may belong to such a thing. A choice: half."""
TAKEN = 0.3
"""Largest share of it that known cards may cover. A choice; `python -m tests.face_down` judges it.
"""
OTHERS, OTHERS_RIM = 0.85, 1.0
"""Minimum share of a doubtful back that is on plaques, whose rims are so many cells wide, if it is
nothing else. A choice: of 20 that were made of plaques and their shadows it was 0.95 or more, of 30
true ones under plaques 0.67 at most."""
RIM = 1.5
"""Cells around a known card that belong to it: as far as the maps swell. Follows from the four
pixels that a cell is wide."""


def unexplained(
    areas: Areas, size: Size, told: Sequence[Back], faces: Sequence[Floats]
) -> list[Back]:
    """A question for each area of backs that no known back (`told`) or read face explains.

    So is each uncovered part, as large as a card's strip, of an area with known backs: what neither
    these nor the `faces` (4, 2) beside them cover.
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
            # No rim is half as large as that.
            large = np.count_nonzero(part) >= LARGE * size[0] * size[1] * areas.scale**2
            asked += _question(areas, part, LIKELY if large else CERTAINLY)
    return asked


def without(told: Sequence[Back], areas: Areas, others: Sequence[Floats]) -> list[Back]:
    """The backs, but for doubtful ones that are nothing but `others` (N, 2), such as plaques."""
    if not others:
        return list(told)
    covered = _covered(areas, others, OTHERS_RIM)
    likely = (areas.back >= BACK).astype(np.uint8)
    kept = []
    for one in told:
        there = likely & _covered(areas, [one.corners], 0.0)
        on_them = np.count_nonzero(there & covered)
        if one.confidence >= SURE_BACK or on_them < OTHERS * np.count_nonzero(there):
            kept.append(one)
    return kept


def faint(
    frame: Frame, areas: Areas, size: Size, told: Sequence[Back], faces: Sequence[Floats]
) -> list[Back]:
    """The backs `told`, and cards of one even colour that the maps faintly see as backs.

    Overlapping backs without a print show hardly more. If the edges of several cards prove them,
    they replace what was doubtful there; otherwise each thing is a question, if nothing was
    reported.
    """
    found = list(told)
    certain = [one.corners for one in told if _sure(one)]
    faceless = (areas.face < EVEN_FACE).astype(np.uint8)
    hinted = (areas.back >= FAINT) & (faceless > 0)
    if not hinted.any() or not (hinted > _covered(areas, [*certain, *faces])).any():
        # Searching for even colours costs a sixth of reading one new card.
        return found
    for part in _even_parts(frame, areas, size, faceless):
        if _taken(part, areas, [*certain, *faces]):
            continue
        outline = around(part, areas)
        cards = stacked(frame, areas, outline, size, faces)
        if cards.certain and len(cards.cards) > 1:
            found = _replaced(found, [outline, *cards.cards])
            sure = [one.corners for one in found if _sure(one)]
            near = SAME * size[0]
            fresh = [one for one in cards.cards if not any(coincide(one, at, near) for at in sure)]
            found += [Back(upright(one), FRAMED) for one in fresh]
        elif float(areas.back[part > 0].mean()) >= FAINT:
            known = _taken(part, areas, [*(one.corners for one in told), *faces])
            found += [] if known else [Back(upright(outline), VAGUE)]
    return found


def _replaced(told: Sequence[Back], places: Sequence[Floats]) -> list[Back]:
    """The backs `told`, without those in doubt that overlap one of the `places` (4, 2)."""
    return [one for one in told if _sure(one) or not any(_meet(one.corners, at) for at in places)]


def _even_parts(frame: Frame, areas: Areas, size: Size, faceless: Cells) -> Iterator[Cells]:
    """Card-sized things of one even colour that the maps see as backs rather than faces."""
    card = size[0] * size[1] * areas.scale**2
    for part in _pieces(even(Pyramid(frame), areas) & faceless, HALF * card):
        back, face = (float(cells[part > 0].mean()) for cells in (areas.back, areas.face))
        likely = back >= BARELY and back >= BACKLIKE * (back + face)
        fits = np.count_nonzero(part) <= MOST * card
        if likely and fits and not _passes(part, PASSING * size[0] * areas.scale):
            yield part


def _passes(part: Cells, wide: float) -> bool:
    """Whether a thing is as `wide` as this at several borders of what is looked at: a sleeve.

    What is read of a spot reaches as far as its cards may, so none lies across two borders.
    """
    sides = part[0], part[-1], part[:, 0], part[:, -1]
    return sum(bool(np.count_nonzero(side) >= wide) for side in sides) > 1


def _taken(part: Cells, areas: Areas, lying: Sequence[Floats]) -> bool:
    """Whether the cards `lying` there cover much of these cells."""
    covered = np.count_nonzero(part & _covered(areas, lying))
    return bool(covered > TAKEN * np.count_nonzero(part))


def _sure(back: Back) -> bool:
    return back.confidence >= FRAMED


def _question(areas: Areas, part: Cells, likely: float) -> list[Back]:
    """A doubtful back at a part of the maps, if its mean probability is at least `likely`."""
    mean = float(areas.back[part > 0].mean())
    return [Back(around(part, areas), VAGUE)] if mean >= likely else []


def _meet(one: Floats, other: Floats) -> bool:
    """Whether two outlines overlap."""
    return bool(cv2.intersectConvexConvex(one, other)[0] > 0)


def _covered(areas: Areas, outlines: Sequence[Floats], rim: float = RIM) -> Cells:
    """The cells covered by outlines in the picture, with their rims, `rim` cells wide."""
    covered = np.zeros(areas.back.shape, np.uint8)
    if not outlines:
        return covered
    places = (np.concatenate(outlines) - (areas.box.x, areas.box.y)) * areas.scale - 0.5
    points, first = np.round(places).astype(np.int32), 0
    for corners in outlines:
        shown = points[first : first + len(corners)]
        cv2.fillConvexPoly(covered, shown, (1,))
        cv2.polylines(covered, [shown], True, (1,), 1 + round(2 * rim))
        first += len(corners)
    return covered


def _pieces(left: Cells, least: float) -> list[Cells]:
    """The connected parts of these cells with at least `least` cells, not counting threads."""
    whole = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
    large = (n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= least)
    return [(labels == number).astype(np.uint8) for number in large]
