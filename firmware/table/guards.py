"""What pictures show besides cards: a camera that froze or was moved, and the markers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from firmware.settings.settings import Settings
from firmware.table.markers import Found, MovedGuard, TableFinder
from firmware.table.sizing import SizeGuard

Picture = NDArray[np.uint8]
Guard = Callable[[Picture, float], tuple[str, ...]]
"""Takes every picture with its time in seconds and returns the troubles it shows."""
FROZEN_S = 3.0
"""How long identical pictures count as live; sensor noise never repeats, so after that the camera
has frozen. A choice.
"""
EVERY = 16
"""The sampling step in pixels: 8000 of a 1920x1080 picture's are compared. A choice."""


class FrozenGuard:
    """Notices a camera that keeps delivering the same picture.

    >>> watch, same = FrozenGuard(), np.zeros((32, 32, 3), np.uint8)
    >>> [watch(same, time_s) for time_s in (0.0, 2.0, 4.0)]
    [(), (), ('camera',)]
    >>> watch(same + 1, 5.0)
    ()
    """

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._since = 0.0

    def __call__(self, picture: Picture, time_s: float) -> tuple[str, ...]:
        """The trouble that a picture taken at `time_s` seconds shows, if any."""
        sample = picture[::EVERY, ::EVERY].copy()
        if self._last is None or not np.array_equal(sample, self._last):
            self._last, self._since = sample, time_s
        return ("camera",) if time_s - self._since >= FROZEN_S else ()


def guards(
    settings: Settings,
    *,
    live: bool,
    found: Callable[[Found], None] | None = None,
    size: SizeGuard | None = None,
) -> Guard:
    """The guards that these settings call for; only `live` cameras can freeze.

    A table that was never calibrated is searched for, and `found` is called with its place; until
    then, its `size` is estimated from the cards on it.
    """
    watched: list[Guard] = [FrozenGuard()] if live else []
    if live and found is not None and not settings.corners:
        watched.append(TableFinder(found))
    if size is not None and not settings.corners:
        watched.append(size)
    if settings.markers:
        watched.append(MovedGuard(settings.corners))

    def troubles(picture: Picture, time_s: float) -> tuple[str, ...]:
        return tuple(trouble for watch in watched for trouble in watch(picture, time_s))

    return troubles
