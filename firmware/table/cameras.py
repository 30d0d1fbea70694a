"""The configured camera, and what is expected of any camera above the table."""

from __future__ import annotations

from pathlib import Path

from firmware.settings.settings import Settings
from hardware.camera import FolderCamera, find_camera
from hardware.capture import Camera
from hardware.finding import found_cameras

RIBBON = "pi"
"""The default camera, if nobody has named one: a Pi's."""
FRAME_TIMEOUT_S = 5.0
"""Time without a picture after which a camera has hung: a long exposure takes under a second. A
choice.
"""
LOOKS_A_PHOTO = 12
"""Number of times each photograph in a folder is shown: cards are read once several frames agree. A
choice.
"""


def at_hand() -> str:
    """The camera that is connected, if nobody has named one; one on a Pi's ribbon comes first."""
    found = found_cameras()
    return found[0].source if found else RIBBON


def camera_of(settings: Settings) -> Camera:
    """The configured camera; each photograph in a folder is shown for a while."""
    folder = Path(settings.camera)
    return FolderCamera(folder, LOOKS_A_PHOTO) if folder.is_dir() else find_camera(settings.camera)
