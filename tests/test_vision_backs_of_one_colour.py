"""Backs of one colour, of which the maps show nothing: two on each other, and rows with gaps."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.backs_drawn import CARD, CLOTH, INDEX, SCALE, SIZE, known, placed
from vision.backs.count import backs
from vision.backs.poses import grown
from vision.find.finder import Areas
from vision.join.proportions import Shape
from vision.picture.geometry import Box, Floats
from vision.sightings import SURE_BACK

GREEN, WHITE = (60, 150, 130), (235, 235, 235)
FACE = placed(180, 300, 10)


def certain(
    things: Sequence[Floats], plain: Sequence[Floats], *, blur: float = 0.0
) -> list[Floats]:
    """The certain backs among things of one colour beside a face, if the search for what is
    `plain` shows these outlines."""
    frame = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    for corners, colour in [*((one, GREEN) for one in things), (FACE, WHITE)]:
        places = np.round(corners * 8).astype(np.int32)
        cv2.fillPoly(frame, [places], colour, cv2.LINE_AA, 3)
        if colour == GREEN:  # a card's edge throws a shadow on what lies under it
            cv2.polylines(frame, [places], True, (58, 146, 127), 1, cv2.LINE_AA, 3)
    if blur:
        frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), blur), np.uint8)
    noise = np.random.default_rng(1).normal(0, 3, frame.shape)
    face = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    cv2.fillConvexPoly(face, np.round(FACE / 4).astype(np.int32), (0.97,))
    areas = Areas(face, np.zeros_like(face), Box(0, 0, *SIZE), 0.25)
    found = backs(
        np.clip(frame + noise, 0, 255).astype(np.uint8),
        areas, [known(FACE)], Shape(), INDEX,
        plain=plain,
    )  # fmt: skip
    return [one.corners for one in found if one.confidence >= SURE_BACK]


def around(things: Sequence[Floats]) -> list[Floats]:
    """The outline of things on each other, taken for one."""
    rectangle = cv2.minAreaRect(np.concatenate(things).astype(np.float32))
    return [cv2.boxPoints(rectangle).astype(np.float32)]


@pytest.mark.parametrize(("turn", "aside"), [(8, 0), (-10, 4), (14, -5), (-20, 0)])
def test_two_plain_backs_turned_on_each_other_are_two(turn: float, aside: float) -> None:
    upper = placed(500, 300, 10)
    things = [placed(500 + aside, 300, 10 + turn), upper]
    found = certain(things, around(things))
    assert len(found) == 2
    off = [np.linalg.norm(one.mean(axis=0) - upper.mean(axis=0)) for one in found]
    assert min(off) < 3


@pytest.mark.parametrize(
    "things",
    [
        [placed(500, 300, 10)],
        [placed(500, 300, 10, (CARD[0] * 1.12, CARD[1] * 1.12))],
        [placed(500, 300, 10, (CARD[0] * 1.3, CARD[1] * 1.05))],
        [placed(500, 300, 10, (CARD[0] * 1.2, CARD[1] * 1.15)), placed(500, 300, 24)],
    ],
    ids=["one card", "larger", "wider", "a card on a larger one"],
)
def test_what_no_two_cards_explain_is_no_pair(things: list[Floats]) -> None:
    assert len(certain(things, around(things))) < 2


@pytest.mark.parametrize("gap_mm", [5.0, 7.0, 9.0])
def test_in_a_row_with_narrow_gaps_each_back_has_its_own_edges(gap_mm: float) -> None:
    """In a soft picture the middle of a gap may pass for the edge of either card."""
    step = (CARD[0] + gap_mm) * SCALE
    row = [placed(400 + step * number, 300, 0) for number in range(4)]
    found = certain(row, [grown(one, 3.0) for one in row], blur=2.0)
    wide = [float(np.ptp(one[:, 0])) for one in found]
    assert len(wide) == 4
    assert max(wide) < 1.1 * CARD[0] * SCALE
