"""Backs of one colour half under a face, of which the maps show nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.backs_drawn import CARD, CLOTH, INDEX, SCALE, SIZE, known, placed
from vision.backs import half_under as under_faces
from vision.backs.count import backs
from vision.find.finder import Areas
from vision.join.proportions import Shape
from vision.picture.geometry import Box, Floats, Frame
from vision.sightings import SURE_BACK

GREEN = (60, 150, 130)
FAINTLY = 0.12
"""What the finder sees of such a back: too little for a question."""


def pictured(below: Floats | None, over: Floats, faintly: float) -> tuple[Frame, Areas]:
    """A cloth with a thing of one colour and a white card over it, and maps that see the latter."""
    frame = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    for corners, colour in ((below, GREEN), (over, (235, 235, 235))):
        if corners is not None:
            cv2.fillPoly(frame, [np.round(corners * 8).astype(np.int32)], colour, cv2.LINE_AA, 3)
    noise = np.random.default_rng(1).normal(0, 3, frame.shape)
    face = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    cv2.fillConvexPoly(face, np.round(over / 4).astype(np.int32), (0.97,))
    back = np.zeros_like(face)
    if below is not None:
        cv2.fillConvexPoly(back, np.round(below / 4).astype(np.int32), (faintly,))
    areas = Areas(face, back, Box(0, 0, *SIZE), 0.25)
    return np.clip(frame + noise, 0, 255).astype(np.uint8), areas


def certain(
    below: Floats | None, over: Floats, faintly: float = FAINTLY, *, rows: bool = True
) -> list[Floats]:
    """The corners of the certain backs."""
    frame, areas = pictured(below, over, faintly)
    found = backs(frame, areas, [known(over)], Shape(), INDEX, rows=rows)
    return [one.corners for one in found if one.confidence >= SURE_BACK]


@pytest.mark.parametrize(
    ("x", "y", "angle"), [(460, 250, 0), (455, 345, 20), (350, 300, -65), (400, 420, 8)]
)
def test_a_plain_back_half_under_a_face_is_counted(x: float, y: float, angle: float) -> None:
    below = placed(x, y, angle)
    (found,) = certain(below, placed(400, 300, 10))
    assert np.abs(found.mean(axis=0) - (x, y)).max() < 4


@pytest.mark.parametrize(
    "below",
    [
        None,
        placed(470, 250, 0, (CARD[0] * 1.2, CARD[1] * 1.2)),
        placed(470, 250, 0, (CARD[0] * 0.8, CARD[1] * 0.8)),
        placed(440, 300, 10, (CARD[0] * 4, CARD[1] * 0.5)),
    ],
    ids=["nothing", "larger", "smaller", "strip"],
)
def test_what_has_no_card_s_size_is_no_back_under_a_face(below: Floats | None) -> None:
    assert not certain(below, placed(400, 300, 10), 0.0)


def test_a_live_camera_does_not_look_for_them() -> None:
    """It reads a part of its picture, where a hand reaches in."""
    assert not certain(placed(460, 250, 0), placed(400, 300, 10), rows=False)


def test_a_back_that_lies_beside_the_face_is_none_under_it() -> None:
    """A thing of one colour that a face only touches may be anything."""
    off = CARD[0] * SCALE + 12
    assert not certain(placed(400 + off, 300, 0), placed(400, 300, 0))


@pytest.mark.parametrize(("x", "told"), [(460, 1), (340, 0)], ids=["a back", "the cloth"])
def test_what_has_the_colour_that_is_usual_around_faces_is_no_back_under_one(
    monkeypatch: pytest.MonkeyPatch, x: float, told: int
) -> None:
    """In a grid of 52 cards, the table between two of them stood out and had a card's edges."""
    over = placed(400, 300, 10)
    frame, areas = pictured(placed(460, 250, 0), over, FAINTLY)
    supposed = placed(x, 250, 0)
    monkeypatch.setattr(under_faces, "_under", lambda *_: supposed)
    size = CARD[0] * SCALE, CARD[1] * SCALE
    assert len(under_faces.half_under(frame, areas, size, [], [known(over)])) == told
