"""Photographs from files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoError
from vision.picture.geometry import Frame

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
"""File extensions that mark a photograph in a folder of mixed files."""
PNG = b"\x89PNG\r\n\x1a\n"
CHUNK_BYTES = 12
"""Bytes of a PNG chunk besides its data: length, type and checksum. Follows from the format."""
BYTES_MOST = 100_000_000
"""Largest photograph file in bytes; `vision` limits the pixels. A choice: ten times a large phone
photo."""


def read_photo(path: Path | str) -> Frame:
    """The photograph at `path` as an (H, W, 3) picture, rotated upright as its metadata says.

    Raises `PhotoError` if the file is missing, empty or not a picture.
    """
    try:
        with Path(path).open("rb") as file:
            data = np.frombuffer(file.read(BYTES_MOST + 1), np.uint8)
    except OSError as error:
        raise PhotoError(f"{path}: expected a photograph: {error.strerror or error}") from error
    if not data.size:
        raise PhotoError(f"{path}: expected a photograph: the file is empty")
    if data.size > BYTES_MOST:
        raise PhotoError(f"{path}: expected a photograph of up to {BYTES_MOST // 10**6} MB")
    if _runs_past_its_end(data):
        raise PhotoError(f"{path}: expected a photograph: it is cut off or damaged")
    try:
        frame = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        frame = None
    if frame is None:
        raise PhotoError(f"{path}: expected a photograph (JPEG, PNG, WebP, BMP, TIFF): unreadable")
    return np.asarray(frame, np.uint8)


def _runs_past_its_end(data: NDArray[np.uint8]) -> bool:
    """Whether a PNG chunk claims to be longer than the file.

    OpenCV allocates the memory a chunk claims before reading it: up to 2 GB for a few bytes.
    """
    if data[: len(PNG)].tobytes() != PNG:
        return False
    place, kind = len(PNG), b""
    while place + CHUNK_BYTES <= data.size and kind != b"IEND":
        length, kind = data[place : place + 4].tobytes(), data[place + 4 : place + 8].tobytes()
        place += CHUNK_BYTES + int.from_bytes(length, "big")
    return place > data.size


def photos_in(folder: Path | str) -> tuple[Path, ...]:
    """The photographs in a folder, sorted by name.

    Raises `PhotoError` if the folder is unreadable or holds no photographs.
    """
    try:
        files = sorted(Path(folder).iterdir())
    except OSError as error:
        raise PhotoError(f"{folder}: expected a folder: {error.strerror or error}") from error
    photos = tuple(path for path in files if path.suffix.lower() in ENDINGS)
    if not photos:
        raise PhotoError(f"{folder}: holds no photographs; their names end in {', '.join(ENDINGS)}")
    return photos
