"""Search a picture for the faces of a deck: within given corners, or anywhere in an area.

The area is rotated level and scaled to the size of fingerprints once; all places where a card of
that rotation fits are then compared at the price of a few single looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame, upright
from vision.read.fingerprint import (
    ACROSS,
    CELL,
    CELLS,
    DOWN,
    HEIGHT,
    INNER,
    SHADE,
    WIDTH,
    BothWays,
    Cells,
    bells,
    colours,
    edges,
    evened,
    fingerprint,
    straight,
)

STEP = CELL // 2
"""Pixels of a straightened face between two places compared. Follows from the cells, which coincide
with those of the next place."""
WITHIN = 0.95
"""Minimum share of a card that lies in the area. A choice: shadows and blur take a little."""
HIDDEN = 0.16
"""How much better an almost completely hidden card must agree: a few cells agree with some card by
chance. A choice; `python -m tests.italian_decks` judges it."""
REACH = 12
"""Pixels around a centre that count. Follows from a cell's bell curve, which is zero there."""
MOST = 3
"""Most places returned for one rotation. A choice; `python -m tests.italian_decks` judges it."""
APART = 3 * STEP
"""Minimum distance in pixels of two returned places. A choice: closer ones settle on one place."""

Mask: TypeAlias = NDArray[np.uint8]
Size: TypeAlias = tuple[float, float]
"""The short and long sides of a card, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceSearch:
    """Searches a picture for the faces of a deck.

    `prints` are the deck's fingerprints, `picture` (H, W, 3) is what is searched, and `owners` (N,)
    says which card each print belongs to.
    """

    prints: BothWays
    picture: Frame
    owners: NDArray[np.intp]

    def agrees(self, corners: Floats, visible: Cells | None) -> float:
        """How well what lies within `corners` (4, 2), or its visible cells, agrees with a card."""
        look = fingerprint(straight(self.picture, corners), visible)
        return float(self.prints.agreements(look[None], visible).max())

    def which(self, corners: Floats, visible: Cells | None) -> int:
        """The number of the card that agrees best, either way up."""
        look = fingerprint(straight(self.picture, corners), visible)
        return int(self.owners[self.prints.agreements(look[None], visible).max(axis=0).argmax()])

    def anywhere(
        self,
        area: Mask,
        turn: float,
        size: Size,
        over: Sequence[Floats],
        *,
        least: int,
        most: int = MOST,
    ) -> list[Floats]:
        """The corners (4, 2) of the best few cards rotated by `turn` (radians), best first.

        They lie in the `area`, under the cards `over` them, with at least `least` cells visible; at
        most `most` are returned.
        """
        level = _Level.of(self.picture, area, size, turn, over)
        places, seen = level.places(least)
        if not len(places):
            return []
        agreed = self.prints.best_of_each(*level.looks(places), seen)
        chosen: list[NDArray[np.intp]] = []
        likely = agreed - HIDDEN * (1 - seen.mean(axis=1))
        for number in np.argsort(-likely, kind="stable"):
            place = places[number]
            if all(np.abs(place - other).max() >= APART for other in chosen):
                chosen.append(place)
            if len(chosen) == most:
                break
        return [level.corners(place) for place in chosen]


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """An area rotated level, at the scale of straightened faces."""

    onto: Floats
    """The map (2, 3) from the picture to here."""
    face: Frame
    area: Mask
    hidden: Mask

    @classmethod
    def of(
        cls, picture: Frame, area: Mask, size: Size, turn: float, over: Sequence[Floats]
    ) -> _Level:
        x, y, wide, high = cv2.boundingRect(area)
        scale = np.array([[WIDTH / size[0]], [HEIGHT / size[1]]])
        way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * scale
        ends = np.array([(x, y), (x + wide, y), (x, y + high), (x + wide, y + high)]) @ way.T
        low, high_ = np.floor(ends.min(axis=0)), np.ceil(ends.max(axis=0))
        onto = np.column_stack([way, INNER - low]).astype(np.float32)
        shape = (int(high_[0] - low[0]) + 2 * INNER, int(high_[1] - low[1]) + 2 * INNER)
        face = cv2.warpAffine(picture, onto, shape, borderMode=cv2.BORDER_REPLICATE)
        there = cv2.warpAffine(area, onto, shape, flags=cv2.INTER_NEAREST)
        hidden = np.zeros(shape[::-1], np.uint8)
        for corners in over:
            moved = corners @ onto[:, :2].T + onto[:, 2]
            cv2.fillConvexPoly(hidden, np.round(moved).astype(np.int32), (1,))
        hidden = np.asarray(cv2.dilate(hidden, np.ones((2 * SHADE + 1,) * 2, np.uint8)), np.uint8)
        return cls(onto, np.asarray(face, np.uint8), np.asarray(there, np.uint8), hidden)

    def places(self, least: int) -> tuple[NDArray[np.intp], Cells]:
        """The upper left corners (P, 2), in steps, of cards that fit, and which cells (P, 77) show.

        At least `least` cells of each are visible.
        """
        high, wide = self.area.shape
        whole = cv2.integral((self.area > 0).astype(np.uint8))
        ys, xs = (np.arange(0, side - of + 1, STEP) for side, of in ((high, HEIGHT), (wide, WIDTH)))
        if not len(ys) or not len(xs):
            return np.zeros((0, 2), np.intp), np.zeros((0, CELLS), np.bool_)
        y, x = (one.ravel() for one in np.meshgrid(ys, xs, indexing="ij"))
        inside = (
            whole[y + HEIGHT, x + WIDTH] - whole[y, x + WIDTH] - whole[y + HEIGHT, x] + whole[y, x]
        )
        fits = inside >= WITHIN * WIDTH * HEIGHT
        places = np.stack([x[fits], y[fits]], axis=1).astype(np.intp)
        middles = self.hidden[STEP - 1 :: STEP, STEP - 1 :: STEP]
        rows, columns = _cells(places)
        seen = middles[rows, columns].reshape(len(places), CELLS) == 0
        enough = seen.sum(axis=1) >= least
        return places[enough], np.asarray(seen[enough])

    def looks(self, places: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """The edges (P, 77, 8) and colours (P, 77, 3) of the cells of cards at these places."""
        lit = evened(self.face, (self.area > 0) & (self.hidden == 0))
        rows, columns = _cells(places)
        maps = [edges(lit.mean(axis=0)), colours(lit)]
        soft = [softened(one) for one in maps]
        cells = [one[:, rows, columns].reshape(len(one), len(places), CELLS) for one in soft]
        ways, tints = (np.asarray(one.transpose(1, 2, 0), np.float32) for one in cells)
        return ways, tints

    def corners(self, place: NDArray[np.intp]) -> Floats:
        """The corners (4, 2) in the picture of the card at a place."""
        own = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32) + place
        back = cv2.invertAffineTransform(self.onto)
        return upright(np.asarray(own @ back[:, :2].T + back[:, 2], np.float32))


def softened(maps: Floats) -> Floats:
    """Soft means of maps (K, H, W) around all possible cell centres.

    There is one per step, half a pixel before it, as in `fingerprint`.
    """
    weights = bells(np.array([REACH - 0.5], np.float32), 2 * REACH)[0]
    anchor = REACH - 1, REACH - 1
    soft = (cv2.sepFilter2D(one, cv2.CV_32F, weights, weights, anchor=anchor) for one in maps)
    return np.stack([one[STEP - 1 :: STEP, STEP - 1 :: STEP] for one in soft]).astype(np.float32)


def _cells(places: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows (P, 11, 1) and columns (P, 1, 7), in steps, of the cells of cards at places."""
    first = places // STEP + INNER // STEP
    own = CELL // STEP
    rows = first[:, 1, None] + own * np.arange(DOWN)
    columns = first[:, 0, None] + own * np.arange(ACROSS)
    return rows[:, :, None], columns[:, None, :]
