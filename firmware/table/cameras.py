"""The camera that the settings name, and what is expected of any camera above the table."""

from __future__ import annotations

from pathlib import Path

from firmware.settings.settings import Settings
from hardware.camera import FolderCamera, find_camera
from hardware.capture import Camera

INDEX_MM = 17.0
"""The height of a standard index, rank and suit together, on a poker card."""
FRAME_TIMEOUT_S = 5.0
"""A camera that gives no picture for so long hangs: even a long exposure takes under a second."""
LOOKS_A_PHOTO = 12
"""How often a photograph of a folder is looked at: a table is read once several frames agree."""


def camera_of(settings: Settings) -> Camera:
    """The camera that the settings name; photographs in a folder are each looked at for a while."""
    folder = Path(settings.camera)
    return FolderCamera(folder, LOOKS_A_PHOTO) if folder.is_dir() else find_camera(settings.camera)
