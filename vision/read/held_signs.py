"""The signs that a figure holds or has beside it, each shown alone and as large as on an ace.

A court card's figure differs from deck to deck, but its sign is drawn as on the cards with signs,
only smaller. On its own in the middle of a face, it looks like an ace, whose suit can be read.

    >>> face = np.full((144, 96, 3), 240, np.uint8)
    >>> _ = cv2.ellipse(face, (48, 90), (24, 40), 0, 0, 360, (60, 120, 60), -1)
    >>> [sign.shape for sign in held(cv2.circle(face, (14, 22), 9, (30, 30, 200), -1))]
    [(144, 96, 3)]
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.picture.geometry import Frame
from vision.read.fingerprint import paper_level
from vision.read.one_sided import Mask, pieces
from vision.read.sign_count import SIZE, inked

MOSTLY = 0.3
"""Share of a thing that is on one side if it is a sign: if less is, it is a figure, a crown or a
frame that the sign touches, and only the piece on one side is shown. A choice: of 306 courts that
the network does not take for such, the suits of 290 are then told rightly, of 260 with 0, 279 with
0.6."""
AROUND = 3
"""Pixels around a piece, of a face 96 wide, in which the rest of its sign is. Follows from how much
`vision.read.one_sided` takes away where there is ink opposite."""
BRUSH = np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8)
"""The same as a brush. Follows from it."""
RIM = np.ones((3, 3), np.uint8)
"""The soft edge of a sign, which is half ink and half paper. Follows from how soft pictures are."""
LONG = 1.8
"""Ratio of height to width from which a sign is as long as a sword or a club. A choice: drawn coins
and cups are at most 1.5 times as high as wide."""
HEIGHTS, WIDTH = (0.45, 0.8), 0.62
"""Height of a sign and of a long one as shares of a face's, and its largest width as a share of a
face's. A choice: about those of aces (`vision.scene.latin.ACES`)."""


def held(face: Frame) -> list[Frame]:
    """A face (H, W, 3) for each sign that stands on one side of this `face` (H, W, 3)."""
    high, wide = face.shape[:2]
    large = np.asarray(cv2.resize(face, SIZE), np.uint8)
    paper = np.array([paper_level(face[..., one].ravel()) for one in range(3)], np.uint8)
    signs = _signs(inked(large))
    return [
        _shown(np.where(sign[..., None] > 0, large, paper), sign, (wide, high)) for sign in signs
    ]


def _signs(ink: Mask) -> list[Mask]:
    """A mask of each sign on one side, with its soft edge."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    found: dict[object, Mask] = {}
    for piece in pieces(ink):
        thing = int(np.bincount(labels[piece > 0]).argmax())
        if np.count_nonzero(piece) > MOSTLY * stats[thing, cv2.CC_STAT_AREA]:
            found[thing] = np.asarray(labels == thing, np.uint8)
        else:
            near = cv2.bitwise_and(ink, cv2.dilate(_filled(piece), BRUSH))
            found[piece.tobytes()] = np.asarray(near, np.uint8)
    return [np.asarray(cv2.dilate(sign, RIM), np.uint8) for sign in found.values()]


def _filled(piece: Mask) -> Mask:
    """The upright rectangle around a piece."""
    left, top, wide, high = cv2.boundingRect(piece)
    whole = np.zeros_like(piece)
    whole[top : top + high, left : left + wide] = 1
    return whole


def _shown(alone: Frame, sign: Mask, size: tuple[int, int]) -> Frame:
    """The part of an `alone` (160, 96, 3) sign's picture where it is, in the middle of a face of
    this `size` (width, height)."""
    left, top, across, down = cv2.boundingRect(sign)
    cut = alone[top : top + down, left : left + across]
    # As wide and high as on the face, which was enlarged more in one direction than in the other.
    wide, high = across * size[0] / SIZE[0], down * size[1] / SIZE[1]
    tall = HEIGHTS[1] if high > LONG * wide else HEIGHTS[0]
    scale = min(tall * size[1] / high, WIDTH * size[0] / wide)
    onto = max(1, round(wide * scale)), max(1, round(high * scale))
    place = tuple((whole - part) // 2 for whole, part in zip(size, onto, strict=True))
    face = np.empty((size[1], size[0], 3), np.uint8)
    face[:] = alone[0, 0]
    face[place[1] : place[1] + onto[1], place[0] : place[0] + onto[0]] = cv2.resize(
        cut, onto, interpolation=cv2.INTER_CUBIC
    )
    return face
