"""Read a photograph and draw the answers onto it.

``python vision/examples/read_photograph.py IN.jpg OUT.png``
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from vision import CardReader, annotate, read_photo


def main(source: str, target: str) -> None:
    """Print each card with its confidence, and write the picture with the answers drawn on it."""
    picture = read_photo(Path(source))
    reading = CardReader().read(picture)
    for one in reading.sightings:
        print(f"{one.card}  {one.confidence:.2f}")
    print("trouble:", ", ".join(reading.trouble) or "none")
    cv2.imwrite(target, annotate(picture, reading))


if __name__ == "__main__":
    main(*sys.argv[1:3])
