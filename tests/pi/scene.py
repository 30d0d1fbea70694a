"""Draws what the virtual camera plays: a green table with a pure red card on its left half."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

FRAMES = 5


def main(folder: Path) -> None:
    """Write the JPEGs; the card moves down by 40 pixels from one to the next."""
    for number in range(FRAMES):
        table = np.full((720, 1280, 3), (60, 120, 40), np.uint8)
        top = 200 + 40 * number
        table[top : top + 240, 200:400] = (0, 0, 255)
        cv2.imwrite(str(folder / f"{number}.jpg"), table)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
