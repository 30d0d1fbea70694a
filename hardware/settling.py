"""Whether a camera's exposure and white balance have settled, judging by its pictures.

A webcam does not report it, but its pictures stop getting brighter, darker or more yellow.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from hardware.pixels import Image

SETTLED = 12
"""Pictures in a row that must be alike: most of a second at 15 a second; a camera hunting for its
exposure changes in steps of several pictures."""
ALIKE = 0.03
"""Largest relative difference between their mean colours: a telephone's exposure changes by 0.1 to
0.4 % a picture above a table at rest (`python -m tests.films.noise`)."""
TRIED_MOST = 150
"""Pictures after which the light is accepted as it is: somebody keeps moving, or it flickers."""
EVERY = 32
"""Step in pixels at which a picture is sampled for its mean colour."""


class Settling:
    """The mean colours of the last pictures.

    >>> settling = Settling()
    >>> for level in [40, 60, 80] + [90] * 11:
    ...     settling.see(np.full((64, 64, 3), level, np.uint8))
    >>> settling.done
    False
    >>> settling.see(np.full((64, 64, 3), 90, np.uint8))
    >>> settling.done
    True
    """

    def __init__(self) -> None:
        self._means: deque[tuple[float, ...]] = deque(maxlen=SETTLED)
        self._seen = 0

    def see(self, picture: Image) -> None:
        """Note the next picture (H, W, 3)."""
        self._means.append(tuple(picture[::EVERY, ::EVERY].reshape(-1, 3).mean(axis=0).tolist()))
        self._seen += 1

    @property
    def done(self) -> bool:
        """Whether the light has settled, or never will."""
        if self._seen >= TRIED_MOST:
            return True
        means = np.asarray(self._means)
        return len(means) == SETTLED and bool(
            (np.ptp(means, axis=0) <= ALIKE * means.mean(axis=0) + 0.5).all()
        )
