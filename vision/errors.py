"""What can be wrong with what the reader is given.

A card that cannot be read is no error: it is missing or doubtful in a `Reading`, with its trouble.
"""


class VisionError(Exception):
    """Anything that keeps the reader from looking."""


class WeightsError(VisionError, RuntimeError):
    """A network's weights that are absent, damaged or of another make than this program's."""


class FrameError(VisionError, ValueError):
    """An array that is no picture."""


class GeometryError(VisionError, ValueError):
    """Points that make no polygon, or a plane that cannot be seen."""


class PhotoError(VisionError, OSError):
    """A file that is not a photograph."""


class LabelError(VisionError, ValueError):
    """A labelled folder whose labels cannot be used."""


class ProfileError(VisionError, ValueError):
    """A deck that cannot be taught as shown, or a file that is not a taught deck."""
