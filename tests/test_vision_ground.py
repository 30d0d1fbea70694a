"""Bare table is not searched; whatever could be a card is, with some margin."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.find.ground import places
from vision.picture.geometry import Box, Frame
from vision.picture.pyramid import Pyramid

RNG = np.random.default_rng(5)


def felt(level: int = 70, noise: float = 4.0, size: tuple[int, int] = (640, 960)) -> Frame:
    picture = RNG.normal(level, noise, (*size, 3))
    # Light that falls off across the table is not an edge.
    slope = np.linspace(1.2, 0.8, size[1])[None, :, None]
    return np.clip(picture * slope, 0, 255).astype(np.uint8)


def whole(picture: Frame) -> Box:
    return Box(0, 0, picture.shape[1], picture.shape[0])


def laid(picture: Frame, paper: int = 230, ink: int = 30, at: tuple[int, int] = (400, 300)) -> Box:
    x, y = at
    cv2.rectangle(picture, (x, y), (x + 80, y + 112), (paper, paper, paper), -1)
    cv2.putText(
        picture, "7", (x + 5, y + 22), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (ink, ink, ink), 2
    )  # fmt: skip
    return Box(x, y, 80, 112)


@pytest.mark.parametrize("level", [5, 70, 250])
@pytest.mark.parametrize("noise", [0.0, 3.0, 5.0])
def test_a_bare_table_has_no_place_to_look_at(level: int, noise: float) -> None:
    picture = felt(level, noise)
    assert places(Pyramid(picture), whole(picture)) == []


@pytest.mark.parametrize("paper", [230, 110, 40])
def test_a_card_is_looked_at_with_a_margin(paper: int) -> None:
    picture = felt(paper // 4, 3.0)
    card = laid(picture, paper, paper // 8)
    (place,) = places(Pyramid(picture), whole(picture))
    around = card.grown(16)
    assert place.joined(around) == place
    assert place.width * place.height < 0.2 * picture.shape[0] * picture.shape[1]


def test_a_card_face_down_without_contrast_inside_is_looked_at_as_a_whole() -> None:
    picture = felt()
    cv2.rectangle(picture, (400, 300), (640, 540), (20, 20, 190), -1)
    (place,) = places(Pyramid(picture), whole(picture))
    assert place.holds(np.array([(400.0, 300.0), (520.0, 420.0), (639.0, 539.0)])).all()


def test_places_do_not_overlap_and_hold_every_card() -> None:
    picture = felt()
    cards = [laid(picture, at=(int(x), int(y))) for x in (30, 250, 600) for y in (40, 400)]
    found = places(Pyramid(picture), whole(picture))
    assert not any(one.touches(other) for n, one in enumerate(found) for other in found[n + 1 :])
    for card in cards:
        middle = np.array([(card.x + 40.0, card.y + 56.0)])
        assert sum(bool(place.holds(middle)[0]) for place in found) == 1


def test_an_eventful_ground_is_looked_at_in_one_go() -> None:
    picture = RNG.integers(0, 256, (640, 960, 3), np.uint8)
    picture = np.asarray(cv2.blur(picture, (9, 9)), np.uint8)
    picture = cv2.normalize(picture, None, 0, 255, cv2.NORM_MINMAX)  # type: ignore[call-overload]
    assert places(Pyramid(picture), whole(picture)) == [Box(0, 0, 960, 640)]


def test_a_small_picture_is_looked_at_whole() -> None:
    assert places(Pyramid(np.zeros((50, 300, 3), np.uint8)), Box(0, 0, 300, 50)) == [
        Box(0, 0, 300, 50)
    ]


def test_positions_are_in_picture_pixels_whatever_part_and_scale_is_looked_at() -> None:
    picture = felt()
    card = laid(picture)
    (place,) = places(Pyramid(picture), Box(201, 103, 700, 500), 0.5)
    assert place.joined(card.grown(16)) == place
    assert Box(201, 103, 700, 500).joined(place) == Box(201, 103, 700, 500)
