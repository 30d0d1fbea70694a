"""Whether the camera still stands where it stood: cards that were laid and lamps do not move it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.picture.geometry import Frame
from vision.track.sway import Stand


def _table(cards: int, light: float = 1.0, across: int = 0) -> Frame:
    """A patterned table of 180 by 320 pixels with this number of cards, as seen in a `light`."""
    cloth = np.tile(np.array((95, 65, 40), np.float32), (180, 320, 1))
    cloth[80:100, 150:170] = 160  # a chip that never moves
    for number in range(cards):
        x, y = 12 + 44 * (number % 7), 12 + 56 * (number // 7)
        cloth[y : y + 40, x : x + 28] = 220
        cloth[y + 6 : y + 30 : 4, x + 6 : x + 20] = 60
    seen = np.clip(np.roll(cloth, across, axis=1) * light, 0, 255)
    return np.asarray(np.rint(seen), np.uint8)


@pytest.mark.parametrize("light", [0.75, 1.0, 1.3])
def test_a_table_that_fills_with_cards_while_the_exposure_drifts_was_not_moved(
    light: float,
) -> None:
    """A glass that was doubted to be a back kept everything from resting for two minutes."""
    stand = Stand()
    stand.rest(_table(1))
    assert not any(stand.moved(_table(14, light), now / 10, calm=False) for now in range(6))


def test_a_camera_that_shows_another_place_was_moved() -> None:
    stand = Stand()
    stand.rest(_table(14))
    other = np.random.default_rng(3).integers(0, 255, (180, 320, 3)).astype(np.uint8)
    assert stand.moved(other, 1.0, calm=False)
