"""A picture at several sizes, so that what shrinks it does not average the same pixels again."""

from __future__ import annotations

from vision.picture.geometry import Box, Frame, averaged, halved, shrunk_size

MOST_OF_IT = 0.5
"""Share of the picture from which on halving all of it pays, for what is to be shrunk after. A
choice: reading a picture shrinks three times what is most of it."""


class Pyramid:
    """A picture (H, W, 3) with its halvings, each made when it is first needed.

    What is shrunk from it has the same pixels as if it had been cut out and shrunk by itself.

    >>> import numpy as np
    >>> pyramid = Pyramid(np.zeros((480, 640, 3), np.uint8))
    >>> pyramid.resized(Box(0, 0, 640, 480), (200, 150)).shape
    (150, 200, 3)
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._levels = [frame]

    def scaled(self, box: Box, scale: float) -> Frame:
        """The part `box` at another scale."""
        width, height = (max(1, round(side * scale)) for side in (box.width, box.height))
        return self.resized(box, (width, height))

    def resized(self, box: Box, size: tuple[int, int]) -> Frame:
        """The part `box` in another `size` (width, height): see `geometry.averaged`."""
        if size == (box.width, box.height):
            return box.cut(self.frame)
        return averaged(self._nearest(box, size), size)

    def shrunk(self, longer: int) -> Frame:
        """The picture, shrunk until its longer side is `longer` pixels; never enlarged."""
        height, width = self.frame.shape[:2]
        return self.resized(Box(0, 0, width, height), shrunk_size(self.frame, longer))

    def _nearest(self, box: Box, size: tuple[int, int]) -> Frame:
        """The part `box`, halved as often as has been done or pays without going below `size`."""
        level = 0
        while box.width >= 2 * size[0] and box.height >= 2 * size[1]:
            sides = box.x, box.y, box.width, box.height
            if any(side % 2 for side in sides) or not self._reaches(level + 1, box):
                break
            box, level = Box(*(side // 2 for side in sides)), level + 1
        return box.cut(self._levels[level])

    def _reaches(self, level: int, box: Box) -> bool:
        """Whether there is such a level, which is made if that pays for a box of the last one."""
        if level < len(self._levels):
            return True
        last = self._levels[-1]
        height, width = (side // 2 for side in last.shape[:2])
        if box.width * box.height < MOST_OF_IT * last.shape[0] * last.shape[1]:
            return False
        # The box ends before an odd last row or column, which no half of it shows.
        self._levels.append(halved(last[: 2 * height, : 2 * width], (width, height)))
        return True
