"""Plaques beneath those that are known, which leave only some of their sides in sight.

A plaque that lies half under another shows two or three of its sides in part, and the frame printed
on the upper one, or its contour, pulls a fit of all four away. Once it is known what lies on top,
only the edges beside that are left to be explained, and only the sides there are fitted to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Slopes
from vision.chips.contours import Contour, turned
from vision.chips.plaques import WIDTHS_PX, Plaques, distinct, fitted, voted
from vision.picture.geometry import Floats

EXPLAINED_PX = 2.5
"""Distance from what is known within which an edge belongs to it, in pixels. A choice: the width of
an edge and the error of a fit."""
VOTES = 0.2
"""Minimum share of the four sides that show an edge beside what is known. A choice: a plaque that
is two thirds hidden by others shows a third of its sides, and half as much is expected to vote as
of one in full view."""
OF_THOSE = 0.5
"""Minimum share of the sides in sight that show an edge. A choice, as for a plaque half hidden by
one that is not known."""
EDGED = 0.7
"""The same once a contour is fitted. Follows from what is asked of a plaque."""
LEAST = 0.25
"""Minimum share of a contour that must be in sight. A choice: two sides in part."""
FRAME = 0.11
"""How far the places are apart from which a contour is fitted, relative to its short side. A
choice: printed frames are a tenth inside, and edges are found within 0.06 of where they are
expected."""
REACH = 1.2
"""How far from a known plaque's contour the edges of one below it may be, in halves of its
diagonal. A choice: the centre of one is on the other, or nearly."""
BESIDE_PX, STICK_OUT = 9.0, 8
"""Distance from a plaque's contour, in pixels, in which the sides of one below it leave at least so
many edges. A choice: they cross that strip, of which shadow and blur take up the inner half,
twice."""


@dataclass(frozen=True, slots=True, eq=False)
class Beneath:
    """What may be a plaque beside things that have `covered` (h, w) part of a picture."""

    slopes: Slopes
    covered: NDArray[np.uint8]

    def found(self, contours: Sequence[Contour], sizes: Sequence[float], known: Plaques) -> Plaques:
        """Find what has one of the `contours` at one of the `sizes` next to `known` plaques."""
        mask = np.asarray(cv2.dilate(self.covered, _disc(EXPLAINED_PX)), np.uint8)
        slopes = self._left(mask, known)
        if not len(slopes.places):
            return Plaques.none(contours)

        def shown(some: Plaques) -> NDArray[np.bool_]:
            return _clear(mask, some.centres[:, None] + some.arms)

        parts = [Plaques.none(contours)]
        for size in sizes:
            rough = voted(slopes, contours, size, VOTES)
            share = shown(rough).mean(axis=1)
            rough = rough[(share >= LEAST) & (rough.votes >= OF_THOSE * share)]
            parts.append(fitted(self.slopes, rough, WIDTHS_PX, shown))
            parts.append(fitted(self.slopes, aside(rough), WIDTHS_PX[1:], shown))
        found = Plaques.joined(parts)
        there = shown(found)
        edged = (found.rim & there).mean(axis=1)
        share = there.mean(axis=1)
        return distinct(found[(share >= LEAST) & (edged >= EDGED * share)])

    def _left(self, mask: NDArray[np.uint8], known: Plaques) -> Slopes:
        """The slopes, with only those edges that are near `known` plaques and none of theirs.

        There are none where nothing sticks out from under a plaque.
        """
        x, y = self.slopes.places.astype(np.intp).T
        kept = np.flatnonzero(mask[y, x] == 0)
        places = self.slopes.places[kept]
        near = np.zeros(len(kept), np.bool_)
        halves = _halves(known)
        for number, half in enumerate(halves):
            away = places - known.centres[number]
            reach = float(np.hypot(*half)) * (1 + REACH)
            close = np.flatnonzero((np.abs(away) < reach).all(axis=1))
            (there,) = turned(away[None, close], -known.turns[number : number + 1])
            beyond = (np.abs(there) - half).max(axis=1)
            if int((beyond < BESIDE_PX).sum()) >= STICK_OUT:
                near[close] = True
        kept = kept[near]
        return replace(
            self.slopes, places=self.slopes.places[kept], normals=self.slopes.normals[kept]
        )


def _halves(found: Plaques) -> Floats:
    """Half of the long and of the short sides (N, 2)."""
    sides = np.array([one.sides for one in found.contours], np.float32)[found.shapes]
    return np.asarray(sides / 2 * found.scales[:, None], np.float32)


def aside(found: Plaques) -> Plaques:
    """The same plaques moved by the width of a frame in all eight ways.

    A frame printed inside an edge fits as well where the opposite side is hidden or faint.
    """
    ways = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y], np.float32)
    far = found.radii * np.float32(2 * FRAME)
    moved = [
        replace(found, centres=found.centres + turned(far[:, None] * way, found.turns))
        for way in ways
    ]
    return Plaques.joined(moved)


def _disc(radius: float) -> NDArray[np.uint8]:
    side = 2 * int(np.ceil(radius)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _clear(mask: NDArray[np.uint8], places: Floats) -> NDArray[np.bool_]:
    """Which places (N, ANGLES, 2) are in the picture and outside the mask."""
    high, wide = mask.shape
    x, y = (np.rint(places[..., axis]).astype(np.intp) for axis in (0, 1))
    inside = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
    hidden = mask[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)] > 0
    return np.asarray(inside & ~hidden, np.bool_)
