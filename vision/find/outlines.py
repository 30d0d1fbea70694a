"""Find single cards by their outlines: whatever differs from the table and is shaped like a card.

This is how cards without an index are found. Each must be fully visible and apart from the others;
matching its face decides whether an outline is a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame, shrunk, upright, within

LONGEST = 1280
"""Longer side, in pixels, of the shrunken picture in which outlines are searched for. A choice;
`python -m tests.dealt_table` judges it."""
SMALLEST = 32
"""Minimum short side of a card, in those pixels. A choice; `python -m tests.dealt_table` judges it.
"""
LARGEST = 0.9
"""Largest share of the picture that one card may fill. A choice; `python -m tests.dealt_table`
judges it."""
SOLID = 0.9
"""Minimum share of its bounding rectangle that a card fills: allows for rounded corners and a
slant. A choice; `python -m tests.dealt_table` judges it."""
LEAST = 0.62
"""The same without what is printed at the card's edge in the colour of the table. A choice;
`python -m tests.dealt_table` judges it."""
ASPECT_BAND = (1.12, 2.15)
"""Ratio of length to width: from a bridge card seen at a slant to a slim regional one. A choice;
`python -m tests.dealt_table` judges it."""
RAISED = 1.2
"""Pixels by which an outline falls short of the card's width and height: half a step, and the
smoothing. A choice; `python -m tests.dealt_table` judges it."""
LIGHTNESS = 0.7
"""Weight of lightness relative to colour when separating cards from the table: shadows change
lightness but not colour. A choice; `python -m tests.teaching` judges it."""

CLEARLY = 24
"""Minimum difference from the table's colour, in half levels, of something that stands out: the
threshold splits even a bare table in two, by its own shades. A choice;
`python -m tests.italian_decks` judges it."""

STEPS = 26
"""Steps of ten levels in a channel. Follows from its 256 levels."""

Mask = NDArray[np.uint8]


def outlines(frame: Frame, ratios: tuple[float, float] = ASPECT_BAND) -> list[Floats]:
    """The corners (4, 2) of each fully visible card, from its upper left, short side first.

    Other things than cards may have other `ratios` of length to width.
    """
    scale = min(1.0, LONGEST / max(frame.shape[:2]))
    small = shrunk(frame, LONGEST)
    found: list[tuple[float, Floats]] = []
    for mask in _masks(small):
        found += list(_cards(mask, ratios))
    chosen = _distinct(found)
    return [upright((corners / np.float32(scale)).astype(np.float32)) for corners in chosen]


def standing_out(frame: Frame) -> tuple[tuple[Mask, ...], float]:
    """Masks (255) of what may differ from the table in a shrunken picture, and its scale.

    The masks show what differs from the table's colour as much as most cards do, what edges
    enclose, and what differs clearly. In dim corners and on light cloths, one sees what the others
    miss.
    """
    small = shrunk(frame, LONGEST)
    soft = _softened(small)
    away = _away(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32))
    clearly = np.where(away >= CLEARLY, np.uint8(255), np.uint8(0))
    masks = (_parted(away) & clearly, _enclosed(soft), _without_specks(clearly))
    return masks, min(1.0, LONGEST / max(frame.shape[:2]))


def _masks(small: Frame) -> Iterator[Mask]:
    """Masks of card candidates: what differs from the table, what is light, what edges enclose."""
    soft = _softened(small)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32)
    yield _parted(_away(lab))
    yield _parted(lab[..., 0])
    closed = _enclosed(soft)
    yield np.asarray(cv2.bitwise_not(closed), np.uint8)
    yield closed


def _enclosed(soft: Frame) -> Mask:
    """Edges, with gaps of a pixel or two closed."""
    edges = cv2.Canny(soft, 40, 110)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _softened(small: Frame) -> Frame:
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)


def _away(lab: Floats) -> Floats:
    """The distance of each pixel from the table's colour."""
    light, red, yellow = (one.astype(np.float64) for one in cv2.split(lab - _table(lab)))
    away = np.sqrt((light * LIGHTNESS) ** 2 + red**2 + yellow**2)
    return np.asarray(np.minimum(away * 2, 255), np.float32)


def _parted(values: Floats) -> Mask:
    """The higher values (255), split from the rest by Otsu's threshold."""
    grey = np.asarray(values, np.uint8)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return _without_specks(np.asarray(mask, np.uint8))


def _without_specks(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _table(lab: Floats) -> Floats:
    """The most frequent colour of the picture, in steps of ten levels."""
    steps = (lab[::3, ::3].reshape(-1, 3) / 10).astype(np.int32)
    # One number for each shade: counting numbers is far faster than sorting colours.
    most = np.bincount(steps @ (STEPS**2, STEPS, 1)).argmax()
    shade = np.array((most // STEPS**2, most // STEPS % STEPS, most % STEPS))
    return np.asarray(shade * 10 + 5, np.float32)


def _cards(mask: Mask, ratios: tuple[float, float]) -> Iterator[tuple[float, Floats]]:
    """Outlines with a card's shape, and how much of their rectangle they fill."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    most = LARGEST * mask.shape[0] * mask.shape[1]
    for contour in contours:
        if len(contour) < 4 * SMALLEST:
            continue
        (x, y), (width, height), angle = cv2.minAreaRect(contour)
        short, long = sorted((width, height))
        if short < SMALLEST or short * long > most:
            continue
        area = short * long
        filled = float(cv2.contourArea(cv2.convexHull(contour))) / area
        if cv2.contourArea(contour) < LEAST * area:
            continue
        if filled < SOLID or not ratios[0] <= long / short <= ratios[1]:
            continue
        box = cv2.boxPoints(((x, y), (width + RAISED, height + RAISED), angle))
        yield filled, np.asarray(box, np.float32)


def _distinct(found: Iterable[tuple[float, Floats]]) -> list[Floats]:
    """One outline per place: the largest of several, which is the card and not its frame."""
    order = sorted(found, key=lambda pair: -float(cv2.contourArea(pair[1])) * pair[0])
    chosen: list[Floats] = []
    for _, corners in order:
        middle = corners.mean(axis=0)
        inside = any(within(other, middle) for other in chosen)
        if not inside and not any(within(corners, other.mean(axis=0)) for other in chosen):
            chosen.append(corners)
    return chosen
