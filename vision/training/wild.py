"""Photographs that show no cards, cut into scenes: what the world looks like beside drawn tables.

Drawn clutter is never as varied as a room. The photographs are those of Debian's packages with
examples and desktop pictures (see `sources`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.errors import ArtworkError
from vision.scene.courts import Picture
from vision.training.effects import sensor
from vision.training.scenes import CELL, MARK, SIDE, Scene
from vision.training.shelf import Rng

FOLDERS = tuple(
    Path("/usr/share") / name
    for name in ("doc/opencv-doc/examples", "wallpapers", "backgrounds/mate", "backgrounds/gnome")
)
"""Where the packages put them."""
LEAST, MOST = 200, 1600
"""Pixels of the short side: smaller pictures are logos and masks, larger ones are shrunk, since a
camera's picture of a table is no larger. Choices."""
_CARDS = ("cards.png",)
"""Pictures that show cards."""


def photographs(folders: Sequence[Path] = FOLDERS) -> list[Picture]:
    """All photographs in these folders. Raises `ArtworkError` if there are none."""
    found: list[Picture] = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            known = path.suffix in (".jpg", ".png", ".webp") and path.name not in _CARDS
            picture = cv2.imread(str(path)) if known and not path.is_symlink() else None
            if picture is not None and min(picture.shape[:2]) >= LEAST:
                found.append(_shrunk(np.asarray(picture, np.uint8), MOST))
    if not found:
        names = ", ".join(str(folder) for folder in folders)
        raise ArtworkError(f"expected photographs of the packages in {names}, found none")
    return found


def wild_scene(pictures: Sequence[Picture], rng: Rng, hard: float) -> Scene:
    """A part of one of the `pictures`, at some scale and as a camera shows it, without a card."""
    picture = pictures[int(rng.integers(len(pictures)))]
    short = min(picture.shape[:2])
    side = round(float(np.exp(rng.uniform(np.log(LEAST * 0.7), np.log(short)))))
    top, left = (int(rng.integers(length - side + 1)) for length in picture.shape[:2])
    part = picture[top : top + side, left : left + side]
    way = cv2.INTER_AREA if side > SIDE else cv2.INTER_CUBIC
    scaled = np.asarray(cv2.resize(part, (SIDE, SIDE), interpolation=way), np.uint8)
    cover = np.zeros((SIDE // CELL, SIDE // CELL), np.uint8)
    return Scene(sensor(scaled, rng, hard), np.zeros(0, MARK), cover)


def _shrunk(picture: Picture, most: int) -> Picture:
    factor = most / min(picture.shape[:2])
    if factor >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
