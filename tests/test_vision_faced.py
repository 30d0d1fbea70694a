"""What the maps see as a face is no certain back, whatever its size and edges are."""

from __future__ import annotations

import numpy as np
import pytest

from vision.backs.faced import unread
from vision.backs.parts import FRAMED, VAGUE, Back
from vision.find.finder import STRIDE, Areas
from vision.picture.geometry import Box, Floats

CLOTH = np.full((200, 200, 3), 90, np.uint8)
CLOTH[::16, ::3] = 200  # a print
CORNERS = np.array([(40, 40), (104, 40), (104, 136), (40, 136)], np.float32)


def seen_as(face: float) -> Areas:
    """Maps of a picture that see this much of a face everywhere."""
    maps = np.full((200 // STRIDE, 200 // STRIDE), face, np.float32)
    return Areas(maps, 1 - maps, Box(0, 0, 200, 200), 1 / STRIDE)


@pytest.mark.parametrize(("face", "told"), [(0.87, VAGUE), (0.19, VAGUE), (0.12, FRAMED)])
def test_a_back_that_looks_like_a_face_is_a_question(face: float, told: float) -> None:
    (back,) = unread(CLOTH, seen_as(face), [Back(CORNERS, FRAMED)], ())
    assert back.confidence == told


@pytest.mark.parametrize(("reach", "told"), [(200.0, FRAMED), (60.0, VAGUE)])
def test_a_card_that_was_read_explains_the_face_over_a_back(reach: float, told: float) -> None:
    over: Floats = np.array([(0, 0), (reach, 0), (reach, 200), (0, 200)], np.float32)
    (back,) = unread(CLOTH, seen_as(0.9), [Back(CORNERS, FRAMED)], [over])
    assert back.confidence == told


def test_a_question_stays_as_doubtful_as_it_was() -> None:
    (back,) = unread(CLOTH, seen_as(0.9), [Back(CORNERS, 0.4)], ())
    assert back.confidence == 0.4


@pytest.mark.parametrize(("alike", "told"), [(True, FRAMED), (False, VAGUE)])
def test_a_back_that_looks_like_a_plain_one_is_none_that_nobody_could_read(
    alike: bool, told: float
) -> None:
    maps = seen_as(0.0)
    maps.face[:, 100 // STRIDE :] = 0.3
    other = CORNERS - np.array((30, 0), np.float32)  # half of it and more is on the left
    there = CORNERS + np.array((64, 0), np.float32)
    frame = CLOTH.copy()
    frame[40:136, 10:74] = frame[40:136, 104:168] = (40, 40, 160)
    if not alike:
        frame[60:110, 120:150] = 240
    found = unread(frame, maps, [Back(other, FRAMED), Back(there, FRAMED)], ())
    assert [back.confidence for back in found] == [FRAMED, told]


@pytest.mark.parametrize(
    ("colour", "face", "told"),
    [
        ((160, 70, 120), 0.25, FRAMED),
        ((40, 60, 80), 0.25, FRAMED),
        ((160, 70, 120), 0.6, VAGUE),
        ((210, 220, 225), 0.25, VAGUE),
        ((165, 215, 230), 0.25, VAGUE),
    ],
    ids=["violet", "brown", "likely a face", "paper", "paper under a warm lamp"],
)
def test_what_has_one_colour_is_no_face_unless_it_is_blank_paper(
    colour: tuple[int, int, int], face: float, told: float
) -> None:
    """Of tricks laid across each other both backs were known, and asked about."""
    frame = CLOTH.copy()
    frame[36:140, 36:108] = colour
    (back,) = unread(frame, seen_as(face), [Back(CORNERS, FRAMED)], ())
    assert back.confidence == told
