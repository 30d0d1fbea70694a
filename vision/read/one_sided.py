"""What stands on one side of a face and has nothing opposite: the sign beside a figure.

A figure holds the sign of its suit in one hand, or has it in a corner above; a card with signs,
however ornate, is nearly the same on the left and on the right.

    >>> ink = np.zeros((160, 96), np.uint8)
    >>> _ = cv2.circle(ink, (48, 90), 30, 1, -1), cv2.circle(ink, (14, 24), 9, 1, -1)
    >>> len(pieces(ink)), len(pieces(cv2.circle(ink, (82, 24), 9, 1, -1)))
    (1, 0)
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

MIDDLE, LEAST = 0.15, 0.006
"""A piece of ink is on one side if its centre is this share of the card's width from the middle
line, and covers this share of the card once what has ink opposite is taken away. A choice: of 648
court cards of drawn Italian, tarot, Brescian, Piacentine, Neapolitan and Bergamasque decks
(`vision.scene.regional`), 626 show such a piece, and of 157 of drawn makers all do; of the aces of
cups of 160 makers 23 do, of those of the other decks none."""
OPPOSITE = np.ones((7, 7), np.uint8)
"""How far off ink may be that is opposite, in pixels of a mask 96 wide: a card is seldom cut out or
printed symmetrically. A choice, with those above."""
SPECK = np.ones((3, 3), np.uint8)
"""Anything thinner is the edge of something that is not printed quite symmetrically. A choice, with
those above."""

Mask = NDArray[np.uint8]


def pieces(ink: Mask) -> list[Mask]:
    """A mask (160, 96) of each piece of `ink` (160, 96) of some size that has no ink opposite."""
    high, wide = ink.shape
    opposite = cv2.dilate(np.ascontiguousarray(ink[:, ::-1]), OPPOSITE)
    alone = cv2.bitwise_and(ink, 1 - np.asarray(opposite, np.uint8))
    bare = np.asarray(cv2.morphologyEx(alone, cv2.MORPH_OPEN, SPECK), np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(bare, connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST * high * wide
    off = np.abs(centres[:, 0] - wide / 2) >= MIDDLE * wide
    chosen = [number for number in range(1, count) if large[number] and off[number]]
    return [np.asarray(labels == number, np.uint8) for number in chosen]
