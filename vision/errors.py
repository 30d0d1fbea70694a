"""What can be wrong with the reader's input.

A card that cannot be read is not an error: it is missing from a `Reading`, or doubtful in it, and
the reading's trouble says why.
"""


class VisionError(Exception):
    """Anything that keeps the reader from reading a picture."""


class WeightsError(VisionError, RuntimeError):
    """Network weights that are missing, damaged or not made for this version of the program."""


class FrameError(VisionError, ValueError):
    """An array that is not a picture."""


class GeometryError(VisionError, ValueError):
    """Points that do not form a polygon, or a plane that cannot be seen."""


class PhotoError(VisionError, OSError):
    """A file that is not a photograph."""


class LabelError(VisionError, ValueError):
    """A labelled folder whose labels are unusable."""


class ProfileError(VisionError, ValueError):
    """A deck that cannot be taught as shown, or a file that is not a taught deck."""


class ArtworkError(VisionError, OSError):
    """Artwork for training that has not been fetched and cut into cards."""


class ToolError(VisionError, OSError):
    """A program run by training that ended with an error."""


class NoToolError(VisionError, OSError):
    """A program that training needs and that is not installed."""
