"""Reads pictures as from a calibrated camera; run by ``arm64.sh`` on two machines.

Only one scale is searched: a sixth of the work, so that more pictures can be read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from firmware.commands.reports import photo_report
from vision.picture.photos import photos_in, read_photo
from vision.reader import CardReader

INDEX_PX = 40.0
"""Height of an index on the tables drawn by ``tables.py``: 17 mm at 2.4 pixels per mm."""


def main(folder: Path) -> None:
    """Print one line of JSON per picture, as ``mazziere read --json`` does."""
    reader = CardReader(index_height=INDEX_PX)
    for path in photos_in(folder):
        print(json.dumps(photo_report(str(path), reader.read(read_photo(path)))), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
