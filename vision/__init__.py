"""From a picture to cards: find, read, join and track them. Knows cards, but no game."""

import os

# OpenCV reads this once, when it is loaded. A picture of a hundred million pixels takes 300 MB;
# with no limit, a 48 KB file could ask for 2.8 GB.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "100000000")

from vision.draw import annotate
from vision.errors import (
    FrameError,
    GeometryError,
    LabelError,
    PhotoError,
    VisionError,
    WeightsError,
)
from vision.picture.geometry import Box, Frame, Polygon
from vision.picture.photos import read_photo
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.sightings import SURE, Lying, Reading, Seen, Sighting
from vision.track.tracker import Tracker

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
