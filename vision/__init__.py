"""From a picture to cards: find, read, join and track them; it knows cards, but no game."""

from vision.errors import (
    FrameError,
    GeometryError,
    LabelError,
    PhotoError,
    VisionError,
    WeightsError,
)
from vision.geometry import Box, Frame, Polygon
from vision.sightings import SURE, Lying, Reading, Seen, Sighting

__all__ = [
    "SURE",
    "Box",
    "Frame",
    "FrameError",
    "GeometryError",
    "LabelError",
    "Lying",
    "PhotoError",
    "Polygon",
    "Reading",
    "Seen",
    "Sighting",
    "VisionError",
    "WeightsError",
]
