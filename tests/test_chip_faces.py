"""Prints on chips: which way they are turned, how exactly they lie, and what that says of tops."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from firmware.rehearsal.chip_set import HEIGHT_MM
from firmware.rehearsal.setting import PX_PER_MM, SIZE
from tests.chip_scenes import drawn, stacks
from tests.chips import camera_of, judged, learned_from, taught
from vision.chips.chip_set import ChipSet
from vision.chips.face_blur import GRADE, blurred
from vision.chips.face_tops import tops_by_faces
from vision.chips.faces import FACE_RINGS, UNBLURRED, Magnified, TaughtFace, face
from vision.chips.measured_faces import magnified
from vision.chips.reader import ChipReader
from vision.picture.geometry import Frame
from vision.scene.chip_sets import DEVELOPMENT
from vision.scene.chips import ChipStyle, Shape, stack
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

VIEW = View.above(SIZE, height_mm=HEIGHT_MM, px_per_mm=PX_PER_MM)
COIN = ChipStyle(
    "5", (110, 170, 204), shape=Shape.COIN, size=(36.0, 36.0), thick=2.3, inlay=0.5, count=6,
    third=(70, 80, 90), inlay_colour=(190, 192, 194),
)  # fmt: skip
"""A coin with a row of 24 dots, which fit 24 ways, and a numeral, which fits one."""

FAINT = DEVELOPMENT["coins"][0]


@cache
def coins() -> ChipSet:
    return taught("one", (COIN, FAINT))


def pictured(angle: float, *, blur: float, noise: float, seed: int = 3) -> Frame:
    """A coin in the middle of a picture."""
    rng = np.random.default_rng(seed)
    lens = Lens(blur_px=blur, noise=noise)
    items = stack(COIN, 0.0, 0.0, angle=angle)
    light = Light(brightness=0.8)
    return np.asarray(render(items, Surface(), VIEW, light, lens, rng=rng), np.uint8)


def sized(frame: Frame, away: tuple[float, float]) -> Magnified | None:
    """How large the coin in a picture appears, if its circle is `away` from its centre."""
    face = TaughtFace.of(coins().faces[0].astype(np.float32))
    centre = np.array([(959.5 + away[0], 539.5 + away[1])], np.float32)
    radius = float(coins().sizes[0].min()) / 2 * PX_PER_MM
    (seen,) = magnified(frame, [face], centre, np.array([radius]))
    return seen


def test_a_print_with_many_dots_is_found_the_right_way_around() -> None:
    """A dot farther on, it seemed half a percent larger: two coins more."""
    found = []
    for number in range(12):
        away = 1.6 * np.cos(number), 1.6 * np.sin(number)
        seen = sized(pictured(30.0 * number, blur=0.6, noise=1.5), away)
        assert seen is not None
        found.append(seen.ratio)
    assert np.ptp(found) < 0.002


def test_a_face_that_begins_far_from_its_circle_is_as_large() -> None:
    """It seemed 0.27 % larger, most of a chip."""
    frame = pictured(40.0, blur=0.6, noise=1.5)
    near, far = sized(frame, (0.0, 0.0)), sized(frame, (4.0, 0.0))
    assert near is not None
    assert far is not None
    assert abs(far.ratio - near.ratio) < 0.0003


def test_a_coin_is_as_large_through_a_lens_that_blurs_more() -> None:
    """It seemed 0.6 % larger, two coins more."""
    seen = [sized(pictured(40.0, blur=blur, noise=1.5), (0.0, 0.0)) for blur in (0.5, 0.9, 1.3)]
    sizes = [one.ratio for one in seen if one is not None]
    assert len(sizes) == 3
    assert np.ptp(sizes) < 0.0015


def test_a_face_is_blurred_as_a_lens_blurs_it() -> None:
    """Its grade says half the variance of the blur, in squared radii."""
    sharp = pictured(0.0, blur=0.0, noise=0.0).astype(np.float32)
    radius, grade = 31.0, 4
    soft = cv2.GaussianBlur(sharp, (0, 0), radius * (2 * grade * GRADE) ** 0.5)
    centre = np.array([959.5, 539.5])
    taught, seen = (face(np.asarray(one, np.uint8), centre, radius) for one in (sharp, soft))
    inner = FACE_RINGS < UNBLURRED - 0.05
    left = np.abs(blurred(taught, grade) - seen)[inner].mean()
    assert left < 0.25 * np.abs(taught - seen)[inner].mean()


def test_a_faint_print_in_a_noisy_picture_is_measured_less_exactly() -> None:
    """Most of what varies in it is noise."""
    face = coins().faces[1].astype(np.float32)
    rng = np.random.default_rng(4)
    items = stack(FAINT, 0.0, 0.0, angle=50.0)
    light = Light(brightness=0.4)
    errors = []
    for noise in (1.0, 4.0):
        lens = Lens(blur_px=0.6, noise=noise)
        frame = np.asarray(render(items, Surface(), VIEW, light, lens, rng=rng), np.uint8)
        radius = float(coins().sizes[1].min()) / 2 * PX_PER_MM
        centre = np.array([(959.5, 539.5)], np.float32)
        (seen,) = magnified(frame, [TaughtFace.of(face)], centre, np.array([radius]))
        assert seen is not None
        errors.append(seen.error)
    assert errors[0] < 0.5 * errors[1] < 0.003


def test_faces_of_one_value_tell_where_its_centre_is_in_its_print() -> None:
    rng = np.random.default_rng(8)
    turns = rng.uniform(0, 2 * np.pi, 12)
    tops = rng.uniform(100, 900, (12, 2))
    kinds = [number % 2 for number in range(12)]
    off = np.array([(0.7, -0.4), (-0.2, 0.6)])[kinds]
    cosine, sine = np.cos(turns), np.sin(turns)
    turned = np.stack(
        [cosine * off[:, 0] - sine * off[:, 1], sine * off[:, 0] + cosine * off[:, 1]], axis=1
    )
    outlined = tops + rng.normal(0, 0.3, tops.shape)
    told, _ = tops_by_faces(outlined, tops - turned, turns, kinds, np.full(12, 30.0))
    before, after = (np.linalg.norm(one - tops, axis=1).mean() for one in (outlined, told))
    assert after < 0.6 * before


def test_faces_that_do_not_agree_on_their_centre_move_no_top() -> None:
    """Of a ribbed chip, a print two pixels off its centre is found turned any way."""
    rng = np.random.default_rng(9)
    turns, away = rng.uniform(0, 2 * np.pi, (2, 8))
    tops = rng.uniform(100, 900, (8, 2))
    places = tops - 2.0 * np.stack([np.cos(away), np.sin(away)], axis=1)
    told, disputed = tops_by_faces(tops, places, turns, [0] * 8, np.full(8, 30.0))
    assert np.abs(told - tops).max() < 1e-9
    assert not disputed.any()


def test_one_face_alone_says_little_of_its_top() -> None:
    top, place = np.array([(10.0, 20.0)]), np.array([(10.6, 20.0)])
    told, disputed = tops_by_faces(top, place, np.zeros(1), [0], np.array([30.0]))
    assert 10.0 < told[0, 0] < 10.15
    assert not disputed[0]


def test_a_top_far_from_its_face_is_where_the_other_faces_have_it() -> None:
    """The outline of a white stack half on a card ended where the card's print did."""
    rng = np.random.default_rng(10)
    places, turns = rng.uniform(100, 900, (3, 2)), np.array([0.3, 2.0, 4.5])
    tops = places + rng.normal(0, 0.3, (3, 2))
    tops[1, 0] += 4.4
    told, disputed = tops_by_faces(tops, places, turns, [0] * 3, np.full(3, 30.0))
    assert np.abs(told - places).max() < 0.6
    assert not disputed.any()


def test_a_top_far_from_its_face_is_disputed_if_no_other_face_tells() -> None:
    top, place = np.array([(10.0, 20.0)]), np.array([(14.4, 20.0)])
    _, disputed = tops_by_faces(top, place, np.zeros(1), [0], np.array([30.0]))
    assert disputed[0]


def test_what_was_learned_from_a_picture_makes_the_next_one_more_certain() -> None:
    styles = DEVELOPMENT["clay"]
    chips, rng = taught("clay", styles), np.random.default_rng(61)
    piles = [stacks(styles, 12, 5, rng) for _ in range(2)]
    first, then = (drawn(puts, np.random.default_rng(62)) for puts in piles)
    gauge = learned_from(first, chips, None)
    told = []
    for known in (None, gauge):
        reader = ChipReader(chips, camera=camera_of(then), gauge=known)
        seen = reader.read(then.picture, then.cards)
        outcomes = list(judged(then, seen))
        assert outcomes.count("held") == outcomes.count("piles")
        told.append(sum(one.most - one.least for one in seen))
    assert told[1] < told[0]


def test_a_face_half_in_a_shadow_is_known_but_its_size_less_exactly() -> None:
    """A tall stack beside a plaque darkened half of it, and it was taken for another one."""
    frame = pictured(40.0, blur=0.6, noise=1.5)
    across = np.arange(frame.shape[1]) - 959.5
    light = 1 - 0.5 / (1 + np.exp(-across / 6.0))
    shaded = np.asarray(np.rint(frame * light[None, :, None]), np.uint8)
    plain, dark = sized(frame, (0.0, 0.0)), sized(shaded, (0.0, 0.0))
    assert plain is not None
    assert dark is not None
    assert dark.error > 5 * plain.error
    assert abs(dark.ratio - plain.ratio) < 2 * dark.error
