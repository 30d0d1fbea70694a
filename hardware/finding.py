"""Which cameras are connected to this machine.

A Pi also lists its image processors and decoders as video devices. Those are not cameras, nor is a
webcam's second device, which carries only metadata.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PARTS_OF_A_PI = ("bcm2835-", "pispbe", "rpi-", "rpivid", "rp1-", "unicam")
"""Prefixes of the driver names of a Pi's own video devices."""


@dataclass(frozen=True)
class FoundCamera:
    """A connected camera: its `source`, as `hardware.camera.find_camera` takes it."""

    source: str
    name: str
    """What its driver calls it."""


def found_cameras(root: Path = Path("/")) -> tuple[FoundCamera, ...]:
    """The cameras on a Pi's ribbon connector first, then the webcams in order of number."""
    return (*_on_the_ribbon(), *_webcams(root))


def _on_the_ribbon() -> Iterator[FoundCamera]:
    if importlib.util.find_spec("picamera2") is None:
        return
    with suppress(Exception):  # libcamera raises whatever its C++ raises; then there is none
        kind = importlib.import_module("picamera2").Picamera2
        for place, told in enumerate(kind.global_camera_info()):
            if "usb" not in str(told.get("Id", "")).lower():  # webcams are found below
                source = f"pi:{place}" if place else "pi"
                yield FoundCamera(source, str(told.get("Model", "")) or source)


def _webcams(root: Path) -> Iterator[FoundCamera]:
    folders = (root / "sys/class/video4linux").glob("video*")
    numbered = [(_number(folder), folder) for folder in folders]
    for number, folder in sorted(one for one in numbered if one[0] >= 0):
        name, index = _text(folder / "name"), _text(folder / "index")
        device = root / f"dev/video{number}"
        if index in ("", "0") and device.exists() and not name.startswith(PARTS_OF_A_PI):
            yield FoundCamera(f"/{device.relative_to(root)}", name or device.name)


def _number(folder: Path) -> int:
    digits = folder.name.removeprefix("video")
    return int(digits) if digits.isdecimal() else -1


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""
