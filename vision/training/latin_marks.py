"""Maps of where the signs on a face lie, which a network learns to draw before it counts them.

A face may be recognised by its maker's style; where each sign is can only be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.scene.pen import Points

Marks: TypeAlias = NDArray[np.uint8]
"""A map (H, W, 2): a spot at both ends of each long sign, and one at the middle of each sign."""
CELLS = (32, 48)
"""Width and height of the map of a straightened face. A choice: of three by three pixels each, as
the network's first layer sees them."""
FINE = (112, 184)
"""Those of the map of a face as drawn. A choice: a spot is a few pixels wide."""
SPOT, PEAK = 1.9, 255
"""Deviation of a spot there, in pixels, and its height. Choices: it covers one or two cells."""


def marked(signs: Sequence[Points], size: tuple[int, int]) -> Marks:
    """The map of signs, each a line from end to end in a picture of that size, or a centre.

    >>> marked([np.array([(50.0, 20.0), (50.0, 90.0), (50.0, 160.0)])], FINE)[[20, 90], 50].tolist()
    [[255, 0], [0, 255]]
    """
    spots = np.zeros((FINE[1], FINE[0], 2), np.uint8)
    for line in signs:
        places = line * np.array(FINE) / size
        ends = places[[0, -1]] if len(places) > 1 else places[:0]
        for x, y in ends:
            _spot(spots[..., 0], x, y)
        _spot(spots[..., 1], *places[len(places) // 2])
    return spots


def _spot(onto: NDArray[np.uint8], x: float, y: float) -> None:
    """Draw a spot, as far as it is on the map; those of clubs that cross are one."""
    spot = _stamp()
    reach = len(spot) // 2
    left, top = round(x) - reach, round(y) - reach
    part = np.s_[max(0, top) : max(0, top + len(spot)), max(0, left) : max(0, left + len(spot))]
    there = onto[part]
    above, before = max(0, -top), max(0, -left)
    cut = spot[above : above + there.shape[0], before : before + there.shape[1]]
    np.maximum(there, cut, out=there)


@cache
def _stamp() -> NDArray[np.uint8]:
    reach = round(3 * SPOT)
    way = np.exp(-((np.arange(-reach, reach + 1) / SPOT) ** 2) / 2)
    return np.round(np.outer(way, way) * PEAK).astype(np.uint8)
