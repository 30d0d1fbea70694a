"""What compression does to a camera's pictures, each on its own or relative to the last one."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np

from vision.scene.courts import Picture
from vision.scene.sensor import Codec

BLOCK = 16
"""Pixels of a macroblock."""
SKIPPED = 1.6
"""A block whose mean change is below so many levels is copied: with it a third of the blocks at
rest are, as in `hands_card.mp4` (33 %; `python -m tests.films.noise`)."""
KEY_EVERY = 48
"""The key frame interval in pictures: two seconds at 24 a second, as on phones."""


class Coder(Protocol):
    """One side of a line: pictures go in, and come out as the other side sees them."""

    def through(self, picture: Picture) -> Picture:
        """The picture, coded and decoded."""


class Plain:
    """No codec at all."""

    def through(self, picture: Picture) -> Picture:
        """The picture as it is."""
        return picture


class MotionJpeg:
    """Codes every picture as a JPEG file."""

    def __init__(self, quality: int) -> None:
        self._quality = (cv2.IMWRITE_JPEG_QUALITY, quality)

    def through(self, picture: Picture) -> Picture:
        """The picture, coded and decoded."""
        data = cv2.imencode(".jpg", picture, self._quality)[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


class Inter:
    """Blocks that have hardly changed come from the last picture, the others are recoded."""

    def __init__(self, quality: int) -> None:
        self._jpeg = MotionJpeg(quality)
        self._last: Picture | None = None
        self._number = 0

    def through(self, picture: Picture) -> Picture:
        """The picture, coded against the last one and decoded."""
        fresh = self._jpeg.through(picture)
        last, key = self._last, self._number % KEY_EVERY == 0
        self._number += 1
        if last is not None and last.shape == fresh.shape and not key:
            fresh = np.asarray(cv2.copyTo(fresh, _changed(last, picture), last.copy()), np.uint8)
        self._last = fresh
        return fresh.copy()


def _changed(last: Picture, now: Picture) -> Picture:
    """(H,W): 1 where a pixel belongs to a block that must be recoded."""
    high, wide = now.shape[:2]
    grey = cv2.cvtColor(cv2.absdiff(last, now), cv2.COLOR_BGR2GRAY)
    room = (-(-wide // BLOCK), -(-high // BLOCK))
    means = cv2.resize(grey, room, interpolation=cv2.INTER_AREA)
    blocks = (means > SKIPPED).astype(np.uint8)
    return np.asarray(cv2.resize(blocks, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)


def coder(codec: Codec, quality: int) -> Coder:
    """A new coder of that kind."""
    if codec is Codec.MOTION_JPEG:
        return MotionJpeg(quality)
    return Inter(quality) if codec is Codec.INTER else Plain()
