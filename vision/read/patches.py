"""Cut indices out of the full picture, upright and of one size, as found or slightly displaced."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.picture.geometry import Frame

WIDTH, HEIGHT, INDEX = 48, 64, 40.0
"""Size of a patch, and height of the index on it, in pixels of the patch. Follows from how the
network was built."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A correction of an index's pose.

    It consists of a clockwise rotation in degrees, a factor on the height, and a shift right and
    down in index heights.
    """

    turn: float = 0.0
    scale: float = 1.0
    right: float = 0.0
    down: float = 0.0

    def of(self, indices: Indices) -> Indices:
        """The `indices` with this correction applied."""
        angle = np.radians(self.turn)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        ups = (indices.ups @ turn).astype(np.float32)
        shift = indices.rights * self.right - indices.ups * self.down
        centres = indices.centres + shift * indices.heights[:, None]
        heights = indices.heights * np.float32(self.scale)
        return Indices(centres.astype(np.float32), ups, heights, indices.scores)


POSES = (
    *(Pose(turn, scale) for turn in (-13, 0, 13) for scale in (0.84, 1.0, 1.19)),
    *(Pose(right=step) for step in (-0.2, -0.1, 0.1, 0.2)),
    *(Pose(down=step) for step in (-0.2, -0.1, 0.1, 0.2)),
)
"""Poses tried for an index that is hard to read: the finder's usual errors. A choice;
`python -m tests.dealt_table` judges it."""


def cut(frame: Frame, indices: Indices) -> NDArray[np.uint8]:
    """The patches (N, 64, 48, 3) of `indices`, upright, centred and to scale."""
    patches = np.empty((len(indices), HEIGHT, WIDTH, 3), np.uint8)
    middle = np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    scales = np.maximum(indices.heights, 1.0) / INDEX
    axes = np.stack([indices.rights, -indices.ups], axis=2) * scales[:, None, None]
    places = indices.centres - axes @ middle
    matrices = np.concatenate([axes, places[:, :, None]], axis=2)
    for number, (matrix, scale) in enumerate(zip(matrices, scales.tolist(), strict=True)):
        patches[number] = _warped(frame, matrix, scale)
    return patches


def _warped(frame: Frame, matrix: NDArray[np.float64], scale: float) -> Frame:
    shrink = int(scale)
    if shrink >= 2:
        frame, matrix = _shrunken(frame, matrix, shrink)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(
        frame, matrix, (WIDTH, HEIGHT), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8)


def _shrunken(
    frame: Frame, matrix: NDArray[np.float64], by: int
) -> tuple[Frame, NDArray[np.float64]]:
    """Average the surroundings of a large patch down, since warping samples single pixels."""
    corners = matrix @ np.array([[0, WIDTH, 0, WIDTH], [0, 0, HEIGHT, HEIGHT], [1, 1, 1, 1]])
    limit = (frame.shape[1] - 1, frame.shape[0] - 1)
    first = np.clip(np.floor(corners.min(axis=1)) - by, 0, limit).astype(int)
    last = np.clip(np.ceil(corners.max(axis=1)) + by, first + 1, (limit[0] + 1, limit[1] + 1))
    width, height = np.maximum((last.astype(int) - first) // by, 1)
    # Whole multiples of the factor keep the pixel grid exact.
    part = frame[first[1] : first[1] + height * by, first[0] : first[0] + width * by]
    small = np.asarray(
        cv2.resize(part, (int(width), int(height)), interpolation=cv2.INTER_AREA), np.uint8
    )
    moved = matrix / by
    moved[:, 2] = (matrix[:, 2] - first + 0.5) / by - 0.5
    return small, moved
