"""The camera's geometry, and what a picture of the table shows."""

from __future__ import annotations

import numpy as np
import pytest

from rules.cards import BACK, Card
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose, chip_item, hand_item
from vision.scene.light import Lens, Light, Spot, Surface, Weave
from vision.scene.render import Canvas, render, truth
from vision.scene.view import View

DECK = DrawnDeck(DeckStyle())
VIEW = View.above((640, 400), height_mm=800.0, px_per_mm=1.6)
CLEAN = Lens(blur_px=0.0, noise=0.0)


def card(name: str, x: float, y: float, angle: float = 0.0, lift: float = 0.0) -> CardItem:
    return CardItem(DECK, Card.parse(name), Pose(x, y, angle, lift))


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_a_lifted_card_grows_as_similar_triangles_say() -> None:
    # 200 of 800 mm nearer to the camera: 800/600 as large.
    table, raised = VIEW.scale_at(0, 0), VIEW.scale_at(0, 0, 200.0)
    assert raised / table == pytest.approx(800 / 600)


def test_locate_undoes_project_under_a_tilted_rolled_camera() -> None:
    view = View.above((1920, 1080), tilt_deg=20, roll_deg=33, aim_px=(40, -25))
    places = np.array([(-300.0, 120.0), (250.0, -90.0), (0.0, 0.0)])
    assert np.allclose(view.locate(view.project(places)), places)


def test_a_tilted_camera_sees_the_far_side_smaller() -> None:
    view = View.above((1920, 1080), tilt_deg=25)
    assert view.scale_at(0, -250) < view.scale_at(0, 0) < view.scale_at(0, 250)


@pytest.mark.parametrize(("angle", "up"), [(0, (0, -1)), (90, (1, 0)), (180, (0, 1))])
def test_indices_turn_clockwise_with_the_card(angle: float, up: tuple[float, float]) -> None:
    index = truth([card("7H", 0, 0, angle)], VIEW)[0].indices[0]
    assert index.up == pytest.approx(up, abs=1e-6)


def test_index_height_is_millimetres_times_scale() -> None:
    index = truth([card("7H", 30, -20, 40)], VIEW)[0].indices[0]
    assert index.height == pytest.approx(DECK.indices(Card.parse("7H"))[0].height * 1.6, rel=1e-6)


def test_a_card_on_top_hides_what_is_below() -> None:
    seen = truth([card("7H", 0, 0), card("KS", 0, 0)], VIEW)
    assert [index.visible for index in seen[0].indices] == [0, 0]
    assert [index.visible for index in seen[1].indices] == [1, 1]


def test_an_index_cut_by_the_frame_is_partly_visible() -> None:
    edge = 640 / 1.6 / 2
    whole = DECK.indices(Card.parse("7H"))[0]
    index = truth([card("7H", -edge - whole.x, 0)], VIEW)[0].indices[0]
    assert 0.3 < index.visible < 0.7


def test_a_hand_covers_only_where_it_is() -> None:
    hand = hand_item(0, 0, lift=0.0)
    under = truth([card("7H", 27, 60), hand], VIEW)[0]
    beside = truth([card("7H", 150, 0), hand], VIEW)[0]
    assert under.indices[0].visible < 0.5
    assert all(index.visible == 1 for index in beside.indices)


def test_backs_have_an_outline_and_no_index() -> None:
    (seen,) = truth([CardItem(DECK, BACK, Pose(0, 0))], VIEW)
    assert seen.indices == ()
    (x0, y0), _, (x1, y1), _ = seen.outline
    assert (x1 - x0, y1 - y0) == pytest.approx((63.5 * 1.6, 88.9 * 1.6))


def test_the_picture_shows_the_card_where_the_truth_says() -> None:
    item = card("AS", 40, 10, 25)
    picture = render([item], Surface(), VIEW, Light(), CLEAN, rng=rng())
    (seen,) = truth([item], VIEW)
    middle = np.mean(seen.outline, axis=0)
    # Next to the ace's pip there is white paper; outside the card there is dark felt.
    spot = (0.35 * np.array(seen.outline[0]) + 0.65 * middle).astype(int)
    outside = (1.15 * np.array(seen.outline[0]) - 0.15 * middle).astype(int)
    assert picture[spot[1], spot[0]].min() > 200
    assert picture[outside[1], outside[0]].max() < 140


def test_the_index_in_the_picture_is_dark_at_its_centre_column() -> None:
    item = card("8S", 0, 0)
    picture = render([item], Surface(), VIEW, Light(), CLEAN, rng=rng())
    index = truth([item], VIEW)[0].indices[0]
    x, y, reach = round(index.x - 0.5), round(index.y), round(index.height / 2)
    column = picture[y - reach : y + reach, x - 3 : x + 4].min(axis=(1, 2))
    assert (column < 110).mean() > 0.5
    assert picture[y - reach - 4 : y - reach - 2, x].min() > 180


def test_rendering_repeats_with_the_seed() -> None:
    table: list[Item] = [card("7H", 0, 0), chip_item(80, 0, (30, 30, 200))]
    one, two = (
        render(table, Surface(Weave.WOOD), VIEW, Light(), Lens(), rng=rng()) for _ in range(2)
    )
    assert np.array_equal(one, two)


def test_a_canvas_shows_what_render_shows() -> None:
    still, moving = [card("7H", -60, 0), card("KS", 0, 10, 30)], card("2C", 50, 0, 70, lift=15)
    light = Light(slope=0.3, glares=(Spot(0.5, 0.3, 0.1, 0.6),))
    lens = Lens(blur_px=0.8, noise=0.0, vignette=0.2)
    canvas = Canvas(VIEW, Surface(), light, lens)
    canvas.settle(still)
    whole = render([*still, moving], Surface(), VIEW, light, lens, rng=rng())
    apart = np.abs(canvas.frame([moving]).astype(int) - whole)
    assert apart.max() <= 2


def test_a_canvas_forgets_what_is_taken_away() -> None:
    canvas = Canvas(VIEW, Surface(), Light(), CLEAN)
    bare = canvas.frame()
    canvas.settle([card("7H", 0, 0)])
    assert not np.array_equal(canvas.frame(), bare)
    canvas.settle([])
    assert np.array_equal(canvas.frame(), bare)


def test_noise_differs_in_every_frame() -> None:
    canvas = Canvas(VIEW, Surface(), Light(), Lens(noise=3.0))
    first, second = canvas.frame().astype(int), canvas.frame().astype(int)
    # Two independent noises with a deviation of 3 differ by 3 times the root of 2, less the
    # rounding.
    assert 2.5 < (first - second).std() < 5.0


def test_glare_bleaches_ink_on_cards_more_than_felt() -> None:
    glare = Light(glares=(Spot(0.5, 0.31, 0.2, 0.9),))
    table = [card("AS", 0, 0)]
    plain = render(table, Surface(), VIEW, Light(), CLEAN, rng=rng()).astype(int)
    bright = render(table, Surface(), VIEW, glare, CLEAN, rng=rng()).astype(int)
    ink = (slice(195, 205), slice(315, 325))
    felt = (slice(195, 205), slice(400, 410))
    assert (bright[ink] - plain[ink]).mean() > 3 * (bright[felt] - plain[felt]).mean() > 0


def test_a_warm_light_tints_the_paper() -> None:
    warm = Light(tint=(0.7, 0.95, 1.0), brightness=0.8)
    picture = render([card("AS", 0, 0)], Surface(), VIEW, warm, CLEAN, rng=rng())
    blue, _, red = picture[160, 335].astype(int)
    assert red > blue + 30


def test_a_canvas_shows_at_once_what_has_moved_and_what_was_laid_under_it() -> None:
    light, lens = Light(slope=0.2), Lens(blur_px=0.6, noise=0.0)
    canvas = Canvas(VIEW, Surface(), light, lens)
    hand = hand_item(0, 40)
    steps: list[tuple[list[Item], list[Item]]] = [
        ([], [hand]),
        ([], [hand.moved(30, 60, 10, 25)]),
        ([card("7H", -60, 0)], [hand.moved(30, 60, 10, 25)]),
        ([card("7H", -60, 0)], [hand.moved(30, 60, 10, 25)]),
        ([card("7H", -60, 0)], []),
        ([card("7H", -60, 0)], [card("KS", 0, 10, 30, lift=20)]),
    ]
    for still, moving in steps:
        canvas.settle(still)
        shown = canvas.frame(moving)
        fresh = Canvas(VIEW, Surface(), light, lens)
        fresh.settle(still)
        assert np.array_equal(shown, fresh.frame(moving))
