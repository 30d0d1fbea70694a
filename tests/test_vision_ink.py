"""What is printed in red is no club and no spade, whatever black sign lies beside it."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests import inks
from tests.other_cameras import WAYS, lit
from vision.measure import labelled
from vision.picture.geometry import Frame
from vision.picture.photos import read_photo
from vision.read.ink import RED, by_ink, redness
from vision.read.patches import HEIGHT, WIDTH
from vision.reader import CardReader

BLACK_INK, RED_INK, BLUE_INK = (40, 38, 42), (50, 40, 190), (170, 60, 40)
Ink = tuple[int, int, int]


def patch(letter: Ink, beside: Ink = BLACK_INK) -> Frame:
    """An upright index whose sign, and the letter left of it, have another card's ink."""
    picture = np.full((HEIGHT, WIDTH, 3), 225, np.uint8)
    cv2.putText(picture, "Q", (15, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.8, letter, 3)
    cv2.putText(picture, "6", (-6, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.8, beside, 3)
    cv2.circle(picture, (24, 50), 8, beside, -1)
    return picture


@pytest.mark.parametrize("way", ["as taken", "darker", "brighter", "warm", "cold", "blurred"])
def test_red_ink_is_told_in_any_light(way: str) -> None:
    look = WAYS[way]
    red, black, blue = redness(
        np.stack([look(patch(RED_INK)), look(patch(BLACK_INK, RED_INK)), look(patch(BLUE_INK))])
    )
    assert red >= RED > max(black, blue)


def test_a_black_letter_on_a_red_table_is_not_red() -> None:
    """An ace of spades lay on a red cloth, with its index at the card's edge."""
    picture = patch(BLACK_INK)
    picture[:, :14] = picture[:8] = (40, 30, 200)
    assert redness(picture[None])[0] < RED / 2


def test_a_red_card_s_suit_is_left_open_where_a_black_sign_shows() -> None:
    suits = np.array([[0.9, 0.05, 0.03, 0.0, 0.02]] * 2, np.float32)
    red, black = by_ink(suits, np.stack([patch(RED_INK), patch(BLACK_INK, RED_INK)]))
    assert red == pytest.approx([0.0, 0.5, 0.48, 0.0, 0.02], abs=1e-6)
    assert black == pytest.approx(suits[1])


def test_nothing_has_no_ink() -> None:
    nothing = np.zeros((0, HEIGHT, WIDTH, 3), np.uint8)
    assert redness(nothing).shape == (0,)
    assert by_ink(np.zeros((0, 5), np.float32), nothing).shape == (0, 5)


@pytest.mark.skipif("MAZZIERE_PHOTOS" not in os.environ, reason="needs MAZZIERE_PHOTOS")
def test_no_club_and_no_spade_in_a_photograph_is_red() -> None:
    folder = Path(os.environ["MAZZIERE_PHOTOS"]) / "felt_sergiodomgui"
    reader, found = CardReader(), 0
    for photo in list(labelled(folder))[:4]:
        for way in (WAYS["as taken"], lit(0.7, 0.9, 1.1)):
            frame = np.ascontiguousarray(way(read_photo(photo.path)))
            for suit, ink in inks.inks(frame, photo.cards, reader):
                found += 1
                assert suit.red or ink < RED
    assert found
