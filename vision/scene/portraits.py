"""A single card seen straight from above: what a deck without indices is taught from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import cv2
import numpy as np

from rules.cards import BACK, Card
from vision.picture.geometry import Floats, Frame
from vision.scene.faces import Texture

BLURS_PX = (0.3, 0.8)
"""Each card is shown in focus, and as soft as with a cheap camera. A choice;
`python -m tests.teaching` judges it."""
CLOTH = 90
"""Grey level around the rounded corners. A choice: neither paper nor ink."""
MARGIN = 8
"""Pixels of it around the card. A choice."""


class Artwork(Protocol):
    """A deck whose cards can be drawn."""

    def face(self, card: Card, px_per_mm: float) -> Texture:
        """The face at the given scale, (H,W,4)."""

    def back(self, px_per_mm: float) -> Texture:
        """The back at the given scale, (H,W,4)."""


def portraits(art: Artwork, card: Card, px_per_mm: float) -> Iterator[tuple[Card, Frame, Floats]]:
    """Pictures of a card at this scale, each with the card's corners (4, 2)."""
    texture = art.back(px_per_mm) if card == BACK else art.face(card, px_per_mm)
    high, wide = texture.shape[:2]
    share = texture[..., 3:].astype(np.float32) / 255
    picture = np.full((high + 2 * MARGIN, wide + 2 * MARGIN, 3), CLOTH, np.uint8)
    inner = picture[MARGIN : MARGIN + high, MARGIN : MARGIN + wide]
    inner[:] = (texture[..., :3] * share + CLOTH * (1 - share)).astype(np.uint8)
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) + MARGIN
    for blur in BLURS_PX:
        soft = cv2.GaussianBlur(picture, (0, 0), blur)
        yield card, np.asarray(soft, np.uint8), np.asarray(corners, np.float32)
