"""Find rows and columns of cards that have one even colour, where the maps show none or only some.

The finder sees no difference between such backs and any other thing of one colour, so that a whole
row may be a face to it, or nothing. But cards side by side are as wide or as long together as their
number tells. Whether their edges show is judged later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.parts import Cells, Size
from vision.backs.plain import RIM, evenly
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

LEAST, MOST = 0.12, 10.0
"""Smallest and largest area, in cards, of an even patch that may belong to a row. A choice: seams
part a card from its neighbours, and larger things are the table."""
ALIKE = 20.0
"""Largest difference in any of L*, a*, b*, as eight bits hold them, between the patches of one row.
A choice: a lamp's light falls off along a row; `python -m tests.face_down` judges it."""
FACE, WIDE = 0.7, 9
"""Probability of "face", averaged over so many cells each way, from which a patch belongs to one. A
choice: the maps show a bright row as one in part, with up to 0.4; faces have 0.9."""
LEAST_SHOWN = 0.5
"""Minimum share of the cards of a row that even patches must show together. A choice: rims and
seams take less than a third of each card."""
FILLED = 0.9
"""Minimum share of its bounding rectangle that a row fills. A choice: cards in a row lie slightly
askew, and three rows filled 0.92; fans of three and five, which were taken for rows of two, filled
0.89 and 0.91. `python -m tests.face_down` judges it."""
ACROSS, ALONG = (0.9, 1.12), 0.25
"""Range of a row's shorter side, in the card's side there, and by how much of a card its longer
side may differ from a whole number of cards. A choice, as above."""
CARDS = (3, 9)
"""Fewest and most cards in a row. A choice: fans are as large as two, and hands are no longer."""


def even_rows(
    frame: Frame, areas: Areas, size: Size, told: Sequence[Floats]
) -> Iterator[tuple[Cells, int]]:
    """The cells of each thing of one colour that may be a row or column, with the number of cards.

    Cards are about `size` pixels. Where as many cards (4, 2) are already `told`, nothing is sought.
    """
    box, (rows, columns) = areas.box, areas.face.shape
    part = frame[box.y : box.y + box.height, box.x : box.x + box.width]
    # Of the rows in a cell one is enough against noise, and takes a quarter of the time.
    fine = np.ascontiguousarray(part[:: max(1, int(1 / areas.scale))])
    small = np.asarray(cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
    card = size[0] * areas.scale, size[1] * areas.scale
    middles = [(one.mean(axis=0) - (box.x, box.y)) * areas.scale for one in told]
    for blob in _blobs(small, areas, card):
        number = _number(blob, card)
        if number and sum(_holds(blob, middle) for middle in middles) < number:
            yield blob, number


def _holds(blob: Cells, middle: Floats) -> bool:
    column, row = middle.astype(int)
    high, wide = blob.shape
    return 0 <= row < high and 0 <= column < wide and bool(blob[row, column])


def _blobs(small: Frame, areas: Areas, card: Size) -> Iterator[Cells]:
    """The areas (h, w) of one even colour, joined across the seams between cards."""
    plainly = evenly(small) & (cv2.blur(areas.face, (WIDE, WIDE)) < FACE).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(plainly, connectivity=4)
    size = stats[:count, cv2.CC_STAT_AREA] / (card[0] * card[1])
    size[0] = 0.0  # what is not even
    large = (size >= LEAST) & (size <= MOST)
    if size[large].sum() < LEAST_SHOWN * CARDS[0]:
        return
    colours = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.float32)
    left = {
        number: np.median(colours[labels == number], axis=0)
        for number in np.flatnonzero(large).tolist()
    }
    # Both ends of the gap that a seam leaves are as far from it as a card's rim is wide.
    reach = np.ones((2 * round(2 * RIM) + 1,) * 2, np.uint8)
    while left:
        first, colour = left.popitem()
        blob, waiting = np.asarray(labels == first, np.uint8), [colour]
        while waiting:
            colour, near = waiting.pop(), cv2.dilate(blob, reach) > 0
            beside = [
                number
                for number, other in left.items()
                if np.abs(other - colour).max() < ALIKE and near[labels == number].any()
            ]
            waiting += [left.pop(number) for number in beside]
            blob |= np.isin(labels, beside).astype(np.uint8)
        blob = np.asarray(cv2.morphologyEx(blob, cv2.MORPH_CLOSE, reach), np.uint8)
        yield np.asarray(cv2.dilate(blob, _round(int(RIM))), np.uint8)


def _round(cells: int) -> NDArray[np.uint8]:
    """What grows an area by so many cells."""
    side = 2 * cells + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _number(blob: Cells, card: Size) -> int:
    """How many cards side by side have the length and width of an area; 0 if none have."""
    points = np.argwhere(blob)[:, ::-1].astype(np.float32)
    across, along = sorted(side + 1 for side in cv2.minAreaRect(points)[1])
    if len(points) < FILLED * across * along:
        return 0
    short, long = sorted(card)
    for side, step in ((long, short), (short, long)):
        number = round(along / step)
        whole = abs(along - number * step) <= ALONG * step
        if CARDS[0] <= number <= CARDS[1] and whole and ACROSS[0] <= across / side <= ACROSS[1]:
            return number
    return 0
