"""Reads pictures as a calibrated camera's; run by ``arm64.sh`` on two machines.

One scale is looked at instead of several: a sixth of the work, so that more of them can be read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from firmware.commands.reports import photo_report
from vision.picture.photos import photos_in, read_photo
from vision.reader import CardReader

INDEX_PX = 40.0
"""The height of an index on the tables that ``tables.py`` draws: 17 mm, at 2.4 pixels each."""


def main(folder: Path) -> None:
    """Print a line of JSON for each picture, as ``mazziere read --json`` does."""
    reader = CardReader(index_height=INDEX_PX)
    for path in photos_in(folder):
        print(json.dumps(photo_report(str(path), reader.read(read_photo(path)))), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
