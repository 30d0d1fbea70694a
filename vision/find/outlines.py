"""Single cards found by their outline: what stands out from the table and has a card's shape.

This is how cards without an index are found. Each card must be in full sight and apart from the
others; matching its face decides whether an outline is a card at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame, shrunk, upright, within

LONGEST = 1280
"""The longer side, in pixels, of the shrunken picture in which outlines are searched. A choice;
`python -m tests.dealt_table` judges it."""
SMALLEST = 32
"""The shortest side, in those pixels, that counts as a card. A choice;
`python -m tests.dealt_table` judges it."""
LARGEST = 0.9
"""The largest share of the picture that one card may fill. A choice; `python -m tests.dealt_table`
judges it."""
SOLID = 0.9
"""The share of its smallest rectangle that a card fills: all but rounded corners and a slant. A
choice; `python -m tests.dealt_table` judges it."""
LEAST = 0.62
"""The same with what is printed at its edge in the colour of the table left out. A choice;
`python -m tests.dealt_table` judges it."""
ASPECT_BAND = (1.12, 2.15)
"""Length by width: from a bridge card seen aslant to a slim regional one. A choice;
`python -m tests.dealt_table` judges it."""
RAISED = 1.2
"""Pixels by which a found edge lies inside the card's own: half a step, and the smoothing. A
choice; `python -m tests.dealt_table` judges it."""
LIGHTNESS = 0.7
"""The weight of lightness against colour in separating cards from the table: shadows change the
former and not the latter. A choice; `python -m tests.teaching` judges it."""

CLEARLY = 24
"""How far, in half levels, something must be from the table's colour to stand out: a bare table is
parted into two halves as well, by its own shades. A choice; `python -m tests.italian_decks` judges
it."""

STEPS = 26
"""Steps of ten levels that a channel has. Follows from its 256 levels."""

Mask = NDArray[np.uint8]


def outlines(frame: Frame) -> list[Floats]:
    """The corners (4, 2) of each card in full sight, from its upper left, the short side first."""
    scale = min(1.0, LONGEST / max(frame.shape[:2]))
    small = shrunk(frame, LONGEST)
    found: list[tuple[float, Floats]] = []
    for mask in _masks(small):
        found += list(_cards(mask))
    chosen = _distinct(found)
    return [upright((corners / np.float32(scale)).astype(np.float32)) for corners in chosen]


def standing_out(frame: Frame) -> tuple[tuple[Mask, ...], float]:
    """What may differ from the table (255) in a shrunk picture, seen in several ways, and by which
    factor the picture is shrunk: what is far from the table's colour as most cards are, what is at
    all, and what edges enclose. In dim corners and on light cloths one of them sees what others
    miss."""
    small = shrunk(frame, LONGEST)
    soft = _softened(small)
    away = _away(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32))
    clearly = np.where(away >= CLEARLY, np.uint8(255), np.uint8(0))
    masks = (_parted(away) & clearly, _enclosed(soft), _without_specks(clearly))
    return masks, min(1.0, LONGEST / max(frame.shape[:2]))


def _masks(small: Frame) -> Iterator[Mask]:
    """Card candidates: what differs from the table, what is light, and what edges enclose."""
    soft = _softened(small)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32)
    yield _parted(_away(lab))
    yield _parted(lab[..., 0])
    closed = _enclosed(soft)
    yield np.asarray(cv2.bitwise_not(closed), np.uint8)
    yield closed


def _enclosed(soft: Frame) -> Mask:
    """Edges, closed where they are broken for a pixel or two."""
    edges = cv2.Canny(soft, 40, 110)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _softened(small: Frame) -> Frame:
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)


def _away(lab: Floats) -> Floats:
    """How far each pixel is from the table's colour."""
    light, red, yellow = (one.astype(np.float64) for one in cv2.split(lab - _table(lab)))
    away = np.sqrt((light * LIGHTNESS) ** 2 + red**2 + yellow**2)
    return np.asarray(np.minimum(away * 2, 255), np.float32)


def _parted(values: Floats) -> Mask:
    """The higher values (255) of two kinds."""
    grey = np.asarray(values, np.uint8)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return _without_specks(np.asarray(mask, np.uint8))


def _without_specks(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _table(lab: Floats) -> Floats:
    """The colour that most of the picture has, in steps of ten levels."""
    steps = (lab[::3, ::3].reshape(-1, 3) / 10).astype(np.int32)
    # One number for each shade: counting numbers is far quicker than sorting colours.
    most = np.bincount(steps @ (STEPS**2, STEPS, 1)).argmax()
    shade = np.array((most // STEPS**2, most // STEPS % STEPS, most % STEPS))
    return np.asarray(shade * 10 + 5, np.float32)


def _cards(mask: Mask) -> Iterator[tuple[float, Floats]]:
    """Outlines with a card's shape and how well they fill it."""
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
        if filled < SOLID or not ASPECT_BAND[0] <= long / short <= ASPECT_BAND[1]:
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
