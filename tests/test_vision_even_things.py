"""Things of one even colour may be backs without a print: a sleeve is not, and costs no search."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.test_vision_backs import CARD, CLOTH, SCALE, WHITE
from vision.backs import remainder
from vision.backs.remainder import faint
from vision.backs.stack import Heaped
from vision.find.finder import Areas
from vision.picture.geometry import Box

SIZE = (340, 320)
"""What is read of a place for a meld: a card and half of one beyond each border, in pixels."""


@pytest.mark.parametrize(
    ("ends", "searched"),
    [
        (((120, 0), (220, 319)), False),
        (((0, 200), (339, 120)), False),
        (((170, 160), (220, 319)), True),
        (((110, 160), (230, 160)), True),
    ],
)
def test_a_sleeve_across_a_spot_is_not_searched_for_backs(
    ends: tuple[tuple[int, int], tuple[int, int]], searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards lie across one border at most: those of the spot beside it, or a hand's own."""
    looked: list[object] = []

    def search(*heap: object) -> Heaped:
        looked.append(heap)
        return Heaped()

    monkeypatch.setattr(remainder, "stacked", search)
    frame = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    cv2.line(frame, ends[0], ends[1], WHITE, 90)
    back = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    (x, y), (to_x, to_y) = ends
    cv2.line(back, (x // 4, y // 4), (to_x // 4, to_y // 4), 0.1, 24)
    areas = Areas(np.zeros_like(back), back, Box(0, 0, *SIZE), 0.25)
    faint(frame, areas, (CARD[0] * SCALE, CARD[1] * SCALE), [], [])
    assert bool(looked) is searched
