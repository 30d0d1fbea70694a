"""The drawn hand that moves the cards, with its arm and sleeve."""

from __future__ import annotations

import cv2
import numpy as np

from vision.scene.items import Pose, Sprite, hand_item

ARM = (140.0, 920.0)
"""Width and length of the drawn hand and arm, mm: long enough to reach beyond the edge from
anywhere.
"""
ARM_PX_PER_MM = 1.75
"""The scale of drawn cards: slightly finer than the camera sees them, yet cheap to draw."""
SKINS = ((140, 170, 220), (110, 140, 195), (75, 105, 160), (60, 80, 120), (165, 190, 235))
SLEEVES = ((90, 60, 50), (40, 40, 44), (210, 210, 215), (60, 40, 110), (120, 100, 60))


def drawn_hand(rng: np.random.Generator) -> Sprite:
    """A hand with its whole arm, fingertips at the upper edge; drawn once."""
    skin, sleeve = (chosen[int(rng.integers(len(chosen)))] for chosen in (SKINS, SLEEVES))
    drawn = hand_item(0.0, 0.0, skin=skin, sleeve=sleeve)
    wide, high = (round(mm * ARM_PX_PER_MM) for mm in drawn.size)
    picture = np.zeros((round(ARM[1] * ARM_PX_PER_MM), round(ARM[0] * ARM_PX_PER_MM), 4), np.uint8)
    reach = np.array([(16.0, 410.0), (ARM[0] - 16.0, 410.0), ARM, (0.0, ARM[1])]) * ARM_PX_PER_MM
    cv2.fillPoly(picture, [np.round(reach).astype(np.int32)], (*sleeve, 255), cv2.LINE_AA)
    left = (picture.shape[1] - wide) // 2
    small = cv2.resize(drawn.picture, (wide, high), interpolation=cv2.INTER_AREA)
    part = picture[:high, left : left + wide]
    np.maximum(part, small, out=part)
    return Sprite(picture, ARM, Pose(0.0, 0.0), drawn.gloss)
