"""Read the labelled photographs as other cameras and lamps would have taken them.

    MAZZIERE_PHOTOS=… python -m tests.other_cameras [WAY…]

Each way changes a photograph so that its labels stay true: smaller or larger, darker, brighter,
flatter, in warm or cold light, with a shade or a reflection on it, blurred, shaken, noisy, coarsely
compressed, or turned by a quarter or a half. What is read wrongly one way only was decided by a
hair. One line a way, and one for each picture with a wrong answer.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np

from vision.measure import Score, faults, folders, labelled, line, scored
from vision.picture.geometry import Frame
from vision.picture.photos import read_photo
from vision.reader import CardReader

Way = Callable[[Frame], Frame]
LEVELS = np.arange(256) / 255.0


def _frame(values: np.ndarray) -> Frame:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def resized(factor: float) -> Way:
    """The picture of a camera that hangs higher or lower."""
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return lambda photo: np.asarray(
        cv2.resize(photo, None, fx=factor, fy=factor, interpolation=how), np.uint8
    )


def toned(gamma: float) -> Way:
    """A darker (`gamma` above one) or a brighter picture."""
    table = _frame(255 * LEVELS**gamma)
    return lambda photo: table[photo]


def lit(*factors: float) -> Way:
    """The picture in light of another colour: factors of blue, green and red."""
    return lambda photo: _frame(photo * np.array(factors))


def flat(photo: Frame) -> Frame:
    """With little contrast, as in mist on the lens."""
    return _frame((photo - 128.0) * 0.6 + 120)


def shaded(photo: Frame) -> Frame:
    """With a lamp at one side."""
    return _frame(photo * np.linspace(0.45, 1.1, photo.shape[1])[None, :, None])


def reflecting(photo: Frame) -> Frame:
    """With a lamp's reflection near the middle, which half hides what is there."""
    high, wide = photo.shape[:2]
    down, across = np.mgrid[:high, :wide]
    away = ((across / wide - 0.55) / 0.18) ** 2 + ((down / high - 0.45) / 0.18) ** 2
    glare = 0.55 * np.exp(-away)[..., None]
    return _frame(photo * (1 - glare) + 255 * glare)


def blurred(photo: Frame) -> Frame:
    """Slightly out of focus."""
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), 1.3), np.uint8)


def shaken(photo: Frame) -> Frame:
    """Taken by hand: blurred one way."""
    length = max(3, photo.shape[1] // 350) | 1
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    return np.asarray(cv2.filter2D(photo, -1, kernel), np.uint8)


def noisy(photo: Frame) -> Frame:
    """Taken in little light."""
    return _frame(photo + np.random.default_rng(5).normal(0, 10, photo.shape))


def compressed(photo: Frame) -> Frame:
    """Sent by telephone."""
    _, packed = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 30])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


WAYS: Mapping[str, Way] = {
    "as taken": lambda photo: photo,
    "smaller": resized(0.7),
    "larger": resized(1.4),
    "darker": toned(1.8),
    "brighter": toned(0.6),
    "flat": flat,
    "warm": lit(0.7, 0.9, 1.1),
    "cold": lit(1.1, 0.95, 0.75),
    "shaded": shaded,
    "reflecting": reflecting,
    "blurred": blurred,
    "shaken": shaken,
    "noisy": noisy,
    "compressed": compressed,
    "quarter": lambda photo: np.asarray(cv2.rotate(photo, cv2.ROTATE_90_CLOCKWISE), np.uint8),
    "half": lambda photo: np.asarray(cv2.rotate(photo, cv2.ROTATE_180), np.uint8),
}


def measured(way: Way, root: Path, reader: CardReader) -> tuple[Score, list[str]]:
    """The score of all labelled photographs changed this way, and what was read wrongly."""
    total, wrong = Score(), list[str]()
    for folder in folders([root]):
        for photo in labelled(folder):
            changed = np.ascontiguousarray(way(read_photo(photo.path)))
            reading = reader.read(changed)
            score = scored(photo.cards, reading)
            total += score
            if score.wrong:
                wrong.append(f"  {folder.name}/{photo.path.name}: {faults(photo.cards, reading)}")
    return total, wrong


def main() -> int:
    """Print a line for each way."""
    parser = ArgumentParser(prog="python -m tests.other_cameras", description=__doc__)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    names = parser.parse_args().ways or list(WAYS)
    if unknown := [name for name in names if name not in WAYS]:
        parser.error(f"expected one of {', '.join(WAYS)}, not {', '.join(unknown)}")
    root = os.environ.get("MAZZIERE_PHOTOS")
    if root is None:
        parser.error("expected MAZZIERE_PHOTOS to name the folder of labelled photographs")
    reader = CardReader(threads=1)
    print("way                        cards right wrong asked missed vain  recall   right     ms")
    for name in names:
        score, wrong = measured(WAYS[name], Path(root), reader)
        print("\n".join([line(name, score, 0.0), *wrong]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
