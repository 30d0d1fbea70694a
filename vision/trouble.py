"""Why a picture is hard to read: too little light, glare, no focus, too far away."""

from __future__ import annotations

import cv2
import numpy as np

from vision.finder import Areas
from vision.geometry import Floats, Frame

SMALL = 640
"""The longer side in pixels of the shrunken picture on which light is judged."""
DARK = 60.0
"""White card stock under a usable light is at least this bright, of 255: below, an 8-bit sensor
leaves too few steps between paper and ink. Measured as the brightest two-hundredth of the picture:
a single card on the reference table is twice that."""
BURNT, GLARE = 252, 0.02
"""A pixel this bright in all three colours holds no ink any more; this share of the cards' area
burnt out is more than white stock shows under a light that does not mirror."""
BLUR = 0.055
"""How much of a patch's contrast must sit in its finest steps; a sharp index has 0.1 to 0.2."""
FAR = 12.0
"""The index height in pixels below which readings collapse; safe is 25."""


def judged(frame: Frame, areas: Areas, heights: Floats, patches: Frame) -> tuple[str, ...]:
    """The troubles of `frame`, by its cards' `areas`, their indices' `heights` and `patches`."""
    grey = cv2.cvtColor(_shrunken(frame), cv2.COLOR_BGR2GRAY)
    troubles = {
        "dark": float(np.percentile(grey, 99.5)) < DARK,
        "glare": burnt(frame, areas) > GLARE,
        "blur": len(patches) > 0 and float(np.median(sharpness(patches))) < BLUR,
        "far": len(heights) > 0 and float(np.median(heights)) < FAR,
    }
    return tuple(name for name, present in troubles.items() if present)


def burnt(frame: Frame, areas: Areas) -> float:
    """The share of the cards' faces and backs that is burnt out, 0..1."""
    shown = (np.maximum(areas.face, areas.back) >= 0.5).astype(np.uint8)
    if not shown.any():
        return 0.0
    height, width = shown.shape
    part = cv2.resize(areas.box.cut(frame), (width, height), interpolation=cv2.INTER_AREA)
    white = (part.min(axis=2) >= BURNT) & (shown > 0)
    return float(white.sum() / shown.sum())


def sharpness(patches: Frame) -> Floats:
    """How sharp each of the `patches` (N, 64, 48, 3) is: fine steps against overall contrast."""
    grey = patches[..., 1].astype(np.float32)
    fine = np.abs(np.diff(grey, axis=2)).mean(axis=(1, 2))
    contrast = np.ptp(grey.reshape(len(grey), -1), axis=1)
    result: Floats = fine / np.maximum(contrast, 16)
    return result


def _shrunken(frame: Frame) -> Frame:
    scale = min(1.0, SMALL / max(frame.shape[:2]))
    size = max(1, round(frame.shape[1] * scale)), max(1, round(frame.shape[0] * scale))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
