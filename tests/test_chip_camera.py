"""Where the camera stands above the chips: its tilt, its height and how it is levelled."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.chip_scenes import drawn, nadir
from vision.chips.circles import ANGLES, Circles
from vision.chips.slant import leaning
from vision.chips.standpoint import FOCAL, UNNOTICED, Levelled, Standpoint
from vision.picture.geometry import Floats
from vision.picture.plane import Plane
from vision.scene.view import View


def test_a_slanted_camera_s_picture_is_levelled_to_one_scale() -> None:
    view = View.above((1920, 1080), height_mm=800.0, px_per_mm=1.7, tilt_deg=6.0)
    x, y = view.project(nadir(view))[0]
    camera = Standpoint((float(x), float(y)), 800.0, 1.7)
    level = Levelled.of(np.zeros((1080, 1920, 3), np.uint8), camera)
    assert level is not None
    places = np.array([(u, v) for u in (-400.0, 0.0, 400.0) for v in (-200.0, 0.0, 200.0)])
    seen = level.there(view.project(places).astype(np.float32))
    design = np.column_stack([places, np.ones(len(places))])
    shift, *_ = np.linalg.lstsq(design, seen, rcond=None)
    assert np.abs(design @ shift - seen).max() < 0.3, "straight lines, one scale"
    assert shift[0, 0] == pytest.approx(shift[1, 1], rel=1e-3)
    assert abs(shift[0, 1]) + abs(shift[1, 0]) < 1e-3
    assert level.camera.below == pytest.approx(level.there([camera.below])[0].tolist(), abs=0.1)
    assert np.allclose(level.back(seen), view.project(places), atol=0.1)
    straight = Standpoint((959.5, 539.5), 800.0, 1.7)
    assert Levelled.of(np.zeros((1080, 1920, 3), np.uint8), straight) is None


def turned(points: Floats, slant: tuple[float, float]) -> Floats:
    """Pixels of points (N, 2), seen by a tilted camera.

    The camera has 1000 x 700 pixels, of which each would show a millimetre of the table if it
    looked straight down; it leans by `slant` radians each way.
    """
    length = FOCAL * 1000
    across, down = (
        cv2.Rodrigues(np.array(axis))[0] for axis in ((0, slant[0], 0), (-slant[1], 0, 0))
    )
    there = np.column_stack([points, np.full(len(points), length)]) @ (across @ down).T
    seen = there[:, :2] / there[:, 2:] * length + (499.5, 349.5)
    return np.asarray(seen, np.float32)


@pytest.mark.parametrize("slant", [(0.0, 0.0), (0.15, 0.0), (-0.1, 0.15)])
def test_cards_of_one_size_reveal_the_camera_s_tilt(slant: tuple[float, float]) -> None:
    corner = np.array([(-31, -44), (31, -44), (31, 44), (-31, 44)], np.float32)
    cards = []
    for x, y, turn in ((-350, -200, 0.3), (300, -180, 1.2), (-280, 190, 2.0), (330, 210, -0.4)):
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        seen = turned(np.asarray(corner @ spin.T + (x, y), np.float32), slant)
        cards.append(tuple((float(u), float(v)) for u, v in seen))
    none = np.zeros(0, np.float32)
    nothing = Circles(none.reshape(0, 2), none, none, np.zeros((0, ANGLES), np.bool_), none)
    camera = leaning((1000, 700), 1.0, cards, nothing)
    below = turned(np.zeros((1, 2), np.float32), slant)[0]
    assert np.linalg.norm(below - camera.below) < 0.03 * FOCAL * 1000
    assert camera.leans < UNNOTICED / 2


def test_a_calibrated_plane_reveals_the_camera_s_position() -> None:
    scene = drawn([], np.random.default_rng(4), cards=0)
    matrix = scene.view.homography()
    focal = scene.height_mm * scene.px_per_mm / scene.picture.shape[1]
    camera = Standpoint.of(Plane(matrix), (1920, 1080), focal=focal)
    x, y = scene.view.project(scene.nadir)[0]
    assert camera.below == pytest.approx((x, y), abs=0.5)
    assert camera.height_mm == pytest.approx(scene.height_mm, rel=0.01)
    assert camera.px_per_mm == pytest.approx(scene.px_per_mm, rel=0.01)


def test_a_measured_height_tells_what_a_presumed_lens_leaves_open() -> None:
    scene = drawn([], np.random.default_rng(4), cards=0)
    plane = Plane(scene.view.homography())
    measured = Standpoint.of(plane, (1920, 1080), height_mm=scene.view.height_mm)
    assert measured.height_mm == pytest.approx(scene.height_mm, rel=0.01)
    presumed = Standpoint.of(plane, (1920, 1080))
    assert abs(presumed.height_mm - scene.height_mm) > 20
    assert measured.doubt < presumed.doubt / 4
