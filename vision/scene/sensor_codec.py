"""The effect of compression on a camera's pictures, each by itself or relative to the last one."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np

from vision.scene.courts import Picture
from vision.scene.sensor import Codec

BLOCK = 16
"""Side of a macroblock in pixels."""
SKIPPED = 1.6
"""Mean change in levels below which a block is copied. With this value a third of the blocks at
rest are, as in `hands_card.mp4` (33 %; `python -m tests.films.noise`)."""
KEY_EVERY = 48
"""Pictures between key frames: two seconds at 24 a second, as on phones."""


class Coder(Protocol):
    """One end of a connection: pictures go in, and come out as the other end sees them."""

    def through(self, picture: Picture) -> Picture:
        """Encode and decode the picture."""


class Plain:
    """No codec."""

    def through(self, picture: Picture) -> Picture:
        """The picture as it is."""
        return picture


class MotionJpeg:
    """Encodes every picture as a JPEG file."""

    def __init__(self, quality: int) -> None:
        self._quality = (cv2.IMWRITE_JPEG_QUALITY, quality)

    def through(self, picture: Picture) -> Picture:
        """Encode and decode the picture."""
        data = cv2.imencode(".jpg", picture, self._quality)[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


class Inter:
    """Copies blocks that have hardly changed from the last picture and encodes the others anew."""

    def __init__(self, quality: int) -> None:
        self._jpeg = MotionJpeg(quality)
        self._last: Picture | None = None
        self._number = 0

    def through(self, picture: Picture) -> Picture:
        """Encode the picture relative to the last one, and decode it."""
        fresh = self._jpeg.through(picture)
        last, key = self._last, self._number % KEY_EVERY == 0
        self._number += 1
        if last is not None and last.shape == fresh.shape and not key:
            fresh = np.asarray(cv2.copyTo(fresh, _changed(last, picture), last.copy()), np.uint8)
        self._last = fresh
        return fresh.copy()


def _changed(last: Picture, now: Picture) -> Picture:
    """1 where a pixel (H,W) belongs to a block that must be encoded anew."""
    high, wide = now.shape[:2]
    grey = cv2.cvtColor(cv2.absdiff(last, now), cv2.COLOR_BGR2GRAY)
    room = (-(-wide // BLOCK), -(-high // BLOCK))
    means = cv2.resize(grey, room, interpolation=cv2.INTER_AREA)
    blocks = (means > SKIPPED).astype(np.uint8)
    return np.asarray(cv2.resize(blocks, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)


def coder(codec: Codec, quality: int) -> Coder:
    """A new coder of this kind."""
    if codec is Codec.MOTION_JPEG:
        return MotionJpeg(quality)
    return Inter(quality) if codec is Codec.INTER else Plain()
