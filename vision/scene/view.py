"""A camera over a table plane.

Places on the table are in millimetres, x to the right and y downwards as in the picture, with the
origin where the camera looks; places in the picture are in pixels.

    >>> view = View.above((1920, 1080), height_mm=820.0, px_per_mm=1.7)
    >>> view.project([(0.0, 0.0), (100.0, 0.0)]).round(1).tolist()
    [[960.0, 540.0], [1130.0, 540.0]]
    >>> round(view.scale_at(0.0, 0.0), 2)
    1.7
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class View:
    """What one camera sees of the table: picture size and a projection."""

    size: tuple[int, int]
    """Width and height in pixels."""
    matrix: Matrix
    """Map (3,4) from table millimetres (x, y, depth below the table, 1) to pixels."""

    @classmethod
    def above(
        cls,
        size: tuple[int, int] = (1920, 1080),
        *,
        height_mm: float = 820.0,
        px_per_mm: float = 1.65,
        tilt_deg: float = 0.0,
        roll_deg: float = 0.0,
        aim_px: tuple[float, float] = (0.0, 0.0),
    ) -> Self:
        """A camera `height_mm` from the table's origin, tilted back and rolled.

        The reference rig hangs 75 to 90 cm above the table and sees 1.5 to 1.8 px/mm. `aim_px`
        moves the origin away from the picture's centre.
        """
        tilt, roll = np.radians(tilt_deg), np.radians(roll_deg)
        lean = np.array(
            [[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]]
        )
        turn = np.array(
            [[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]
        )
        pose = np.column_stack([turn @ lean, [0.0, 0.0, height_mm]])
        focal = px_per_mm * height_mm
        lens = np.array(
            [
                [focal, 0, size[0] / 2 + aim_px[0]],
                [0, focal, size[1] / 2 + aim_px[1]],
                [0, 0, 1],
            ]
        )
        return cls(size, lens @ pose)

    def homography(self, lift_mm: float = 0.0) -> Matrix:
        """Map (3,3) from millimetres on the plane `lift_mm` above the table to pixels."""
        across, down, depth, origin = self.matrix.T
        return np.column_stack([across, down, origin - lift_mm * depth])

    def project(self, points_mm: ArrayLike, lift_mm: float = 0.0) -> Matrix:
        """Convert places on the table (N,2) to pixels (N,2)."""
        points = np.atleast_2d(np.asarray(points_mm, np.float64))
        seen = np.column_stack([points, np.ones(len(points))]) @ self.homography(lift_mm).T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)

    def locate(self, points_px: ArrayLike) -> Matrix:
        """Convert pixels (N,2) to places on the table (N,2): the inverse of `project`."""
        points = np.atleast_2d(np.asarray(points_px, np.float64))
        inverse = np.linalg.inv(self.homography())
        found = np.column_stack([points, np.ones(len(points))]) @ inverse.T
        return np.asarray(found[:, :2] / found[:, 2:], np.float64)

    @property
    def height_mm(self) -> float:
        """How high above the table the camera hangs, mm."""
        middle = np.linalg.svd(self.matrix)[2][-1]
        return abs(float(middle[2] / middle[3]))

    def scale_at(self, x_mm: float, y_mm: float, lift_mm: float = 0.0) -> float:
        """Pixels per millimetre around a place, averaged over both axes."""
        middle, right, below = self.project(
            [(x_mm, y_mm), (x_mm + 1, y_mm), (x_mm, y_mm + 1)], lift_mm
        )
        spread = np.abs(np.linalg.det(np.stack([right - middle, below - middle])))
        return float(np.sqrt(spread))
