"""How much of an outline in a picture is visible, and what lies beside its sides."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame, within

TOUCHED = 0.4
"""Minimum share of a side, beyond which something else lies, for that to count as touching it. A
choice; `python -m tests.face_down` judges it."""
ALONG_SIDE = (0.1, 0.9, 9)
"""Range of a side that is sampled, and the number of points: rounded corners are left out. A
choice; `python -m tests.face_down` judges it."""


def in_sight(frame: Frame, corners: Floats) -> float:
    """The share of an outline (4, 2) that lies in the picture."""
    height, width = frame.shape[:2]
    picture = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    shared = cv2.intersectConvexConvex(corners, picture)[0]
    return float(shared) / max(float(cv2.contourArea(corners)), 1.0)


def outside(frame: Frame, point: Floats) -> bool:
    """Whether a point (2,) lies beyond the picture."""
    height, width = frame.shape[:2]
    return not (0 <= point[0] < width and 0 <= point[1] < height)


def touched(
    frame: Frame, corners: Floats, lying: Sequence[Floats], beside: float
) -> NDArray[np.bool_]:
    """Beyond which sides (4,) one of the cards `lying` there is, or the picture ends.

    Sampling is `beside` pixels outside the sides.
    """
    ends = np.roll(corners, -1, axis=0)
    along = np.linspace(*ALONG_SIDE, dtype=np.float32)[:, None]
    away = corners - corners.mean(axis=0)
    outward = (away + np.roll(away, -1, axis=0)) / 2
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-6)
    beyond = []
    for start, end, way in zip(corners, ends, outward, strict=True):
        points = start + (end - start) * along + way * np.float32(beside)
        taken = [outside(frame, point) or _on(point, lying) for point in points]
        beyond.append(float(np.mean(taken)) >= TOUCHED)
    return np.asarray(beyond, np.bool_)


def _on(point: Floats, lying: Sequence[Floats]) -> bool:
    return any(within(corners, point) for corners in lying)
