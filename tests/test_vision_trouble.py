"""Why a picture is hard to read, on drawn tables: each trouble reported, and no false alarms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from firmware.rehearsal.setting import AREA, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import BACK, Card
from tests.draws import mostly_nightly
from vision.decide.trouble import BLUR, spreads
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Spot, Surface, Weave
from vision.scene.render import render
from vision.scene.view import View
from vision.sightings import Reading

CARDS = (("7C", -110.0, -10.0), ("QH", 0.0, 75.0), ("9S", 110.0, 190.0))


def reading(
    *,
    px_per_mm: float = 1.6,
    light: Light | None = None,
    lens: Lens | None = None,
    weave: Weave = Weave.FELT,
    style: int = 0,
    known: bool = True,
) -> Reading:
    view = View.above((960, 540), px_per_mm=px_per_mm)
    art = DrawnDeck(drawn_styles()[style])
    items = [CardItem(art, Card.parse(card), Pose(x, 0, angle)) for card, x, angle in CARDS]
    light, lens = light or Light(brightness=0.9), lens or Lens()
    rng = np.random.default_rng(0)
    picture = render(items, Surface(weave), view, light, lens, rng=rng)
    reader = CardReader(index_height=17 * px_per_mm if known else None)
    return reader.read(np.asarray(picture, np.uint8))


@pytest.mark.parametrize("px_per_mm", [1.2, 1.6, 2.0])
@pytest.mark.parametrize(("weave", "style"), [(Weave.FELT, 0), (Weave.WOOD, 3), (Weave.CHECKS, 4)])
def test_a_sharp_table_has_no_trouble(px_per_mm: float, weave: Weave, style: int) -> None:
    seen = reading(px_per_mm=px_per_mm, weave=weave, style=style)
    assert seen.trouble == ()
    assert sorted(map(str, seen.cards)) == ["7C", "9S", "QH"]


@pytest.mark.parametrize(
    "light",
    [
        Light(brightness=0.3),
        Light(brightness=1.0),
        Light(brightness=1.5),
        Light(brightness=0.8, tint=(0.6, 0.85, 1.0)),
        Light(brightness=0.9, slope=0.5, shadows=(Spot(0.4, 0.3, 0.1, 0.5),)),
    ],
    ids=["dim", "bright", "white paper burnt out", "warm", "shadow"],
)
def test_light_that_cards_can_be_read_in_is_no_trouble(light: Light) -> None:
    seen = reading(light=light)
    assert seen.trouble == ()
    assert len(seen.cards) == 3


@pytest.mark.parametrize("seed", mostly_nightly([10, 22], 22))
def test_backs_are_seen_on_a_dimly_lit_table(seed: int) -> None:
    place = setting(seed)
    light = replace(place.light, brightness=0.35 * place.light.brightness, tint=(0.8, 0.92, 1.0))
    table, now = Tabletop(replace(place, light=light), seed=seed), 0.0
    for number in range(3):
        card = table.piece(Card.parse("AS"), up=False)
        now = table.bring(card, Pose(300.0 + 250 * number, 300, 20.0 * number), now=now)
    index_height = 17 * Plane(table.matrix).scale((AREA[0] / 2, AREA[1] / 2))
    seen = CardReader(index_height=index_height).read(table.frame(now + 1))
    assert seen.cards == (BACK, BACK, BACK)


def test_too_little_light_is_reported() -> None:
    assert reading(light=Light(brightness=0.06), lens=Lens(noise=4)).trouble == ("dark",)


def test_a_lamp_mirrored_on_a_card_is_reported() -> None:
    lamp = Spot(0.5, 0.28, 0.04, 1.0)
    assert "glare" in reading(light=Light(brightness=0.95, glares=(lamp, lamp))).trouble
    beside = Spot(0.9, 0.05, 0.04, 1.0)
    assert reading(light=Light(brightness=0.95, glares=(beside, beside))).trouble == ()


@pytest.mark.parametrize(
    "lens", [Lens(blur_px=3.2), Lens(motion_px=12, motion_deg=40)], ids=["focus", "movement"]
)
def test_a_blurred_picture_is_reported_and_none_of_it_committed_wrongly(lens: Lens) -> None:
    seen = reading(lens=lens)
    assert "blur" in seen.trouble
    assert {str(card) for card in seen.cards} <= {"7C", "QH", "9S"}


def test_a_camera_too_far_away_is_reported() -> None:
    assert "far" in reading(px_per_mm=0.55, known=False).trouble


@pytest.mark.parametrize("ink", [(30, 30, 30), (40, 110, 20), (150, 60, 20), (40, 30, 190)])
def test_the_spread_of_an_edge_is_measured_in_index_heights(ink: tuple[int, int, int]) -> None:
    """Edges of a known spread: a Gaussian of 4 px on an index of 40 px is a tenth of its height."""
    from cv2 import GaussianBlur  # noqa: PLC0415 - only here

    disc = np.full((64, 48, 3), 240, np.uint8)
    y, x = np.mgrid[:64, :48]
    disc[np.hypot(x - 23.5, y - 31.5) < 13] = ink
    for wanted in (0.05, 0.1, 0.15):
        soft = GaussianBlur(disc, (0, 0), wanted * 40)
        assert spreads(np.asarray(soft, np.uint8)[None])[0] == pytest.approx(wanted, rel=0.2)
    assert 0.05 < BLUR < 0.15
    flat = np.full((1, 64, 48, 3), 128, np.uint8)
    assert spreads(flat).tolist() == [0.0]
    assert len(spreads(flat[:0])) == 0
