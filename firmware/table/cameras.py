"""The configured camera, and what is expected of any camera above the table."""

from __future__ import annotations

from pathlib import Path

from firmware.settings.settings import Settings
from hardware.camera import FolderCamera, find_camera
from hardware.capture import Camera
from hardware.finding import found_cameras

RIBBON = "pi"
"""The camera where nobody has named one: that of a Pi."""
FRAME_TIMEOUT_S = 5.0
"""A camera without a picture for this long has hung: a long exposure takes under a second. A
choice."""
LOOKS_A_PHOTO = 12
"""How often each photograph in a folder is shown: a table is read once several frames agree. A
choice."""


def at_hand() -> str:
    """The camera that is there where nobody has named one: that on a Pi's ribbon comes first."""
    found = found_cameras()
    return found[0].source if found else RIBBON


def camera_of(settings: Settings) -> Camera:
    """The configured camera; each photograph in a folder is shown for a while."""
    folder = Path(settings.camera)
    return FolderCamera(folder, LOOKS_A_PHOTO) if folder.is_dir() else find_camera(settings.camera)
