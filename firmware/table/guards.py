"""What a picture tells beside its cards: a camera that stands still or was moved, the markers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from firmware.settings.settings import Settings
from firmware.table.markers import Found, MovedGuard, TableFinder
from firmware.table.sizing import SizeGuard

Picture = NDArray[np.uint8]
Guard = Callable[[Picture, float], tuple[str, ...]]
"""Is shown every picture with its time in seconds, and names the troubles it sees in it."""
FROZEN_S = 3.0
"""A sensor's noise never repeats itself: pictures that are the same for so long are one picture."""
EVERY = 16
"""Every so many pixels are compared, 8000 of a picture of 1920x1080."""


class FrozenGuard:
    """Notices a camera that hands over the same picture again and again.

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
    """All that is watched for with these settings; only `live` cameras can stand still.

    A table that was never calibrated is looked for, and `found` told where it is; until then its
    `size` is told by the cards on it.
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
