"""From a picture to cards: find, read, join and track them; it knows cards, but no game."""

from vision.draw import annotate
from vision.errors import (
    FrameError,
    GeometryError,
    LabelError,
    PhotoError,
    VisionError,
    WeightsError,
)
from vision.geometry import Box, Frame, Polygon
from vision.photos import read_photo
from vision.plane import Plane
from vision.reader import CardReader
from vision.sightings import SURE, Lying, Reading, Seen, Sighting
from vision.tracker import Tracker

__all__ = [
    "SURE",
    "Box",
    "CardReader",
    "Frame",
    "FrameError",
    "GeometryError",
    "LabelError",
    "Lying",
    "PhotoError",
    "Plane",
    "Polygon",
    "Reading",
    "Seen",
    "Sighting",
    "Tracker",
    "VisionError",
    "WeightsError",
    "annotate",
    "read_photo",
]
