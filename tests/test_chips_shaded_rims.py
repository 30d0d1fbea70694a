"""Rims of chips on which light falls from one side."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.chip_looks import SETS
from tests.real_chips import learn, taught_photo
from vision.chips.circles import ANGLES, Circles
from vision.chips.shaded_rims import own_rims, unshaded
from vision.picture.geometry import Frame
from vision.reader import CardReader

RADIUS = 30.0
GROUND = (70, 110, 90)
DARKER = (60, 94, 76)


def table(*chips: tuple[float, tuple[int, int, int]], shadow: bool = True) -> Frame:
    """Chips of these colours at these places, each with a shadow to its lower right."""
    rng = np.random.default_rng(2)
    light = np.ones((200, 600, 1), np.float32)
    for x, _ in chips if shadow else ():
        cv2.circle(light, (round(x) + 5, 105), round(RADIUS + 3), (0.45,), -1)
    linear = np.array(GROUND, np.float32) / 255
    frame = 255 * (linear**2.2 * cv2.GaussianBlur(light, (0, 0), 1.5)[..., None]) ** (1 / 2.2)
    for x, colour in chips:
        cv2.circle(frame, (round(x), 100), round(RADIUS), colour, -1)
    frame = cv2.GaussianBlur(frame, (0, 0), 1.0) + rng.normal(0, 2, frame.shape)
    return np.asarray(np.clip(frame, 0, 255), np.uint8)


def found(*places: float, off: float = 3.0, larger: float = 1.1) -> Circles:
    """What is round about chips and their shadows together."""
    count = len(places)
    centres = np.array([(x + off, 100 + off) for x in places], np.float32)
    whole = np.ones((count, ANGLES), np.bool_)
    share = np.ones(count, np.float32)
    return Circles(centres, np.full(count, RADIUS * larger, np.float32), share, whole, share)


def test_a_chip_is_where_it_differs_from_its_ground_in_any_light() -> None:
    told = unshaded(table((100, (40, 40, 200)), (250, (230, 230, 230))), found(100, 250))
    assert told.radii == pytest.approx([RADIUS, RADIUS], rel=0.03)
    assert told.centres == pytest.approx(np.array([(100, 100), (250, 100)]), abs=1.2)


def test_others_of_a_set_tell_where_one_in_the_ground_s_colour_is() -> None:
    chips = (100, (40, 40, 200)), (250, (230, 230, 230)), (400, DARKER)
    told = unshaded(table(*chips), found(100, 250, 400))
    assert told.radii[2] == pytest.approx(RADIUS, rel=0.05)


def test_where_nothing_but_the_ground_shows_rims_stay_as_found() -> None:
    round_ = found(300)
    told = unshaded(table(), round_)
    assert told.radii == pytest.approx(round_.radii)
    assert not len(own_rims(table(), round_))


def test_only_rims_that_differ_are_told_beside_what_was_found() -> None:
    red = (100.0, (40, 40, 200))
    assert len(own_rims(table(red), found(100))) == 1
    assert not len(own_rims(table(red, shadow=False), found(100, off=0.2, larger=1.0)))


@pytest.mark.parametrize(("name", "seed"), [("sticker", 7505), ("plain", 7503)])
def test_shadows_do_not_make_taught_chips_larger(name: str, seed: int) -> None:
    """Drawn photographs in which black and green chips were a tenth too large."""
    rng = np.random.default_rng(seed)
    photo = taught_photo(SETS[name], rng, tilt=20 * rng.random(), hard=0.6)
    chips = learn(SETS[name], photo.picture, CardReader().read(photo.picture))
    across = chips.sizes.mean(axis=1)
    assert across.max() < 1.06 * across.min()
