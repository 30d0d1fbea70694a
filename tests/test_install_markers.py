"""The table found on drawn tables whose geometry is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from firmware.settings.settings import Settings
from firmware.table.guards import guards
from firmware.table.markers import (
    EVERY_S,
    MARKER_MM,
    Found,
    MovedGuard,
    Picture,
    TableFinder,
    find_by_edges,
    find_by_markers,
    marker,
    markers_in,
    on_table,
    sheet_svg,
)
from vision.scene.items import Item, Pose, Sprite
from vision.scene.light import Lens, Light, Surface, Weave
from vision.scene.render import Canvas
from vision.scene.view import View

SMALL = (1280, 720)
"""Two thirds of the reference rig's picture: drawn in half the time, and harder to see."""
RIM = 8.0
"""Width of the white paper around a marker, mm."""
FELT = Surface(Weave.FELT, (66, 98, 38), (50, 80, 28))


def paper(number: int) -> Picture:
    """A cut-out marker, drawn like a card: colour and opacity."""
    side = round((MARKER_MM + 2 * RIM) * 6)
    picture = np.full((side, side, 4), 255, np.uint8)
    rim = round(RIM * 6)
    picture[rim : side - rim, rim : side - rim, :3] = marker(number, side - 2 * rim)[..., None]
    return picture


def laid(width: float, height: float) -> list[Item]:
    """The four markers in the corners of an area around the middle of the table."""
    centres = on_table(width, height).reshape(4, 4, 2).mean(axis=1) - (width / 2, height / 2)
    whole = MARKER_MM + 2 * RIM
    return [
        Sprite(paper(number), (whole, whole), Pose(float(x), float(y)))
        for number, (x, y) in enumerate(centres)
    ]


def table(view: View, items: list[Item], brightness: float = 0.9) -> Picture:
    canvas = Canvas(view, FELT, Light(brightness=brightness), Lens(blur_px=0.7, noise=3.0), seed=1)
    canvas.settle(items)
    return canvas.frame([])


@pytest.mark.parametrize(
    ("size", "tilt", "roll"),
    [((1150, 640), 0.0, 0.0), ((1000, 520), 6.0, -2.0), ((850, 450), -8.0, 5.0)],
)
def test_markers_reveal_the_table_s_position_and_size(
    size: tuple[float, float], tilt: float, roll: float
) -> None:
    view = View.above(SMALL, px_per_mm=1.05, tilt_deg=tilt, roll_deg=roll)
    found = find_by_markers(table(view, laid(*size)))
    assert found is not None
    assert found.size_mm == pytest.approx(size, abs=8)
    half_x, half_y = size[0] / 2, size[1] / 2
    corners = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
    truth = cv2.perspectiveTransform(
        np.asarray(corners, np.float64).reshape(-1, 1, 2), view.homography()
    ).reshape(-1, 2)
    assert np.abs(np.asarray(found.corners) - truth).max() < 1.5
    assert found.error_px < 1.0


def test_in_poor_light_they_are_found_as_well() -> None:
    assert (
        find_by_markers(table(View.above(SMALL, px_per_mm=1.05), laid(1100, 620), 0.3)) is not None
    )


def test_without_all_four_nothing_is_claimed() -> None:
    view = View.above(SMALL, px_per_mm=1.05)
    assert find_by_markers(table(view, laid(1100, 620)[:3])) is None
    assert find_by_markers(table(view, [])) is None


@pytest.mark.parametrize("degrees", [0, 4, -6])
def test_a_table_that_ends_in_the_picture_is_found_by_its_edges(degrees: float) -> None:
    rng = np.random.default_rng(3)
    picture = np.full((1080, 1920, 3), (70, 90, 120), np.uint8)
    corners = cv2.boxPoints(((960, 540), (1600, 850), degrees))
    cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], (60, 100, 40))
    cv2.rectangle(picture, (800, 400), (900, 540), (240, 240, 240), -1)  # a card
    noisy = np.clip(picture + rng.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)
    found = find_by_edges(noisy)
    assert found is not None
    for corner in found.corners:
        assert np.linalg.norm(np.asarray(corners) - corner, axis=1).min() < 17
    first = found.corners[0]
    assert first[0] < 960
    assert first[1] < 540


def test_a_table_that_fills_the_picture_has_no_edges() -> None:
    assert find_by_edges(table(View.above(SMALL, px_per_mm=1.05), [])) is None


def test_a_moved_camera_is_noticed_and_hidden_markers_are_not_a_move() -> None:
    items = laid(1100, 620)
    still = table(View.above(SMALL, px_per_mm=1.05), items)
    moved = np.roll(still, 14, axis=1)
    hidden = np.zeros_like(still)
    found = find_by_markers(still)
    assert found is not None
    guard = MovedGuard(found.corners)
    pictures = [still, still, hidden, hidden, moved, moved, moved, still]
    told = [guard(picture, EVERY_S * number) for number, picture in enumerate(pictures)]
    assert told == [(), (), (), (), (), ("moved",), ("moved",), ()]


def test_a_table_is_found_automatically_once_its_markers_lie_still() -> None:
    view = View.above(SMALL, px_per_mm=1.05)
    bare, still = table(view, []), table(view, laid(1100, 620))
    moved = np.roll(still, 14, axis=1)
    told: list[Found] = []
    finder = TableFinder(told.append)
    counts = []
    for number, picture in enumerate([bare, moved, still, bare, still, still, moved, moved]):
        assert finder(picture, EVERY_S * number) == ()
        counts.append(len(told))
    assert counts == [0, 0, 0, 0, 0, 1, 1, 1]
    assert told[0].size_mm == pytest.approx((1100, 620), abs=8)
    calibrated = Settings(corners=told[0].corners)
    for settings, live in ((calibrated, True), (Settings(), False)):
        watch = guards(settings, live=live, found=told.append)
        for number, picture in enumerate([still, still, still]):
            watch(picture, EVERY_S * number)
    assert len(told) == 1


def test_the_printed_sheet_shows_the_four_markers_to_scale() -> None:
    resvg = pytest.importorskip("resvg_py")
    png = bytes(resvg.svg_to_bytes(svg_string=sheet_svg(), dpi=96))
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    seen = markers_in(np.asarray(picture, np.uint8))
    assert sorted(seen) == [0, 1, 2, 3]
    for corners in seen.values():
        side = float(np.linalg.norm(corners[0] - corners[1]))
        assert side == pytest.approx(MARKER_MM * 96 / 25.4, rel=0.01)


def test_a_camera_that_repeats_one_picture_is_reported_unless_it_is_a_folder() -> None:
    rng = np.random.default_rng(1)
    noisy = [rng.integers(0, 255, (64, 64, 3), np.uint8) for _ in range(3)]
    moments = [(noisy[0], 0.0), (noisy[1], 2.0), (noisy[2], 4.0), (noisy[2], 6.0), (noisy[2], 7.1)]
    live = guards(Settings(), live=True)
    assert [live(*moment) for moment in moments] == [(), (), (), (), ("camera",)]
    assert live(noisy[0], 8.0) == ()
    folder = guards(Settings(), live=False)
    assert [folder(*moment) for moment in moments] == [()] * 5
