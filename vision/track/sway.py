"""Whether the camera itself moves: a telephone held in the hand, an arm that swings."""

from __future__ import annotations

from vision.picture.geometry import Frame

SHAKY = 24
"""So many changed pixels of the shrunken picture tell a shift from a speck or two."""
EXPLAINED = 0.35
"""Where a shift of one pixel leaves less than this share of the changes, that is what it was."""
RISES, FALLS = 0.15, 0.03
"""How fast the estimate follows a shaky frame and a steady one."""
SWAYING = 0.25
"""From this estimate on, shifts of one pixel are not taken for changes: two shaky frames."""


class Sway:
    """How steadily the camera hangs, by what its pictures have in common."""

    def __init__(self) -> None:
        self._shaky = 0.0

    @property
    def swaying(self) -> bool:
        """Whether pictures shift against each other at present."""
        return self._shaky >= SWAYING

    def see(self, changed: int, left: int, now: Frame, before: Frame, time: float) -> None:
        """Take in how many pixels changed, and how many a shift of one pixel leaves."""
        if changed < SHAKY:
            self._shaky *= 1 - FALLS
        elif left < EXPLAINED * changed:
            self._shaky += RISES * (1 - self._shaky)

    def told(self, time: float) -> bool:
        """Whether it should be told."""
        return False
