"""Face-down cards and their probability maps, drawn from a poker card of 63.5 x 88.9 mm."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.backs.count import backs
from vision.backs.parts import Back
from vision.backs.poses import Poses, pose
from vision.backs.sheet import ACROSS, Sheet, sheet
from vision.find.finder import Areas
from vision.join.joined import Joined
from vision.join.proportions import Shape
from vision.picture.geometry import Box, Floats, Frame, upright
from vision.read.index_classifier import FACES
from vision.sightings import SURE_BACK

SIZE = (1000, 600)
CARD = (63.5, 88.9)
SCALE = 1.6
"""Pixels per millimetre."""
INDEX = 17.0 * SCALE
SIZE_PX = CARD[0] * SCALE, CARD[1] * SCALE
SIZE_DOTS = float(ACROSS), ACROSS * CARD[1] / CARD[0]
"""A card's sides, in pixels of the picture and in dots of a sheet."""
CLOTH, RED, WHITE = (60, 90, 40), (50, 40, 170), (245, 245, 245)


def placed(x: float, y: float, angle: float, size: tuple[float, float] = CARD) -> Floats:
    box = ((x, y), (size[0] * SCALE, size[1] * SCALE), angle)
    return np.asarray(cv2.boxPoints(box), np.float32)


def areas_of(outlines: Sequence[Floats], *, likely: float = 0.97, rim: float = 0.6) -> Areas:
    """The finder's maps for overlapping backs, each with a rim that it doubts."""
    back = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    for outline in outlines:
        middle = outline.mean(axis=0)
        for corners, value in ((outline, rim), (middle + 0.84 * (outline - middle), likely)):
            cv2.fillConvexPoly(back, np.round(corners / 4).astype(np.int32), (value,))
    return Areas(np.zeros_like(back), back, Box(0, 0, *SIZE), 0.25)


def drawn(outlines: Sequence[Floats], colour: tuple[int, int, int] = RED) -> Frame:
    """A cloth with cards of one colour, each with a dark outline, and a little noise."""
    picture = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    for outline in outlines:
        corners = [np.round(outline * 8).astype(np.int32)]
        cv2.fillPoly(picture, corners, colour, cv2.LINE_AA, 3)
        cv2.polylines(picture, corners, True, (20, 20, 20), 1, cv2.LINE_AA, 3)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def sure(found: Sequence[Back]) -> list[tuple[float, float]]:
    """The centres of the backs found for certain, to ten pixels."""
    middles = [back.corners.mean(axis=0) for back in found if back.confidence >= SURE_BACK]
    return sorted((float(round(x, -1)), float(round(y, -1))) for x, y in middles)


def count(frame: Frame, areas: Areas) -> int:
    return len(sure(backs(frame, areas, (), Shape(), INDEX)))


def laid_over(*poses: tuple[float, float, float]) -> list[Floats]:
    """Overlapping cards, lowest first."""
    return [placed(*pose) for pose in poses]


def bordered(laid: Sequence[Floats]) -> Frame:
    """The same with a white border and a ring in the middle of each card."""
    frame = drawn([])
    for outline in laid:
        middle = outline.mean(axis=0)
        for share, colour in ((1.0, (225, 225, 225)), (0.86, RED), (0.5, WHITE), (0.4, RED)):
            corners = np.round((middle + share * (outline - middle)) * 8).astype(np.int32)
            cv2.fillPoly(frame, [corners], colour, cv2.LINE_AA, 3)
    return frame


def known(corners: Floats) -> Joined:
    """A card that was read by both its indices."""
    faces = np.zeros(len(FACES), np.float32)
    faces[0] = 1.0
    return Joined((0, 1), faces, upright(corners), corners[0] - corners[3], 1.0)


def heap(frame: Frame, laid: Sequence[Floats]) -> tuple[Sheet, list[Poses]]:
    """The sheet of a heap, and its cards on it, lowest first."""
    made = sheet(frame, areas_of(laid), np.concatenate(laid), SIZE_PX, ())
    return made, [pose(made, made.on_sheet(one), SIZE_DOTS) for one in laid]
