"""The chips of the simulated table: how they are drawn, and what the reader was taught about them.

>>> taught_chips().values
('1', '5', '25')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import hypot
from typing import TypeAlias

import numpy as np

from firmware.rehearsal.setting import PX_PER_MM, SIZE, Setting
from rules.cards import Card
from vision.chips.chip_set import ChipSet
from vision.chips.gauge import Gauge
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Frame, Outline
from vision.scene.chips import ChipStyle, Shape, Spots, stack
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose, outline
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

Rng: TypeAlias = np.random.Generator
Laid: TypeAlias = tuple[ChipStyle, float, float]
"""A chip and where it lies, in mm from the middle."""
Styles: TypeAlias = Mapping[int, ChipStyle]
"""How the chips of a set look, by their value."""

STYLES: Styles = {
    1: ChipStyle("1", (214, 222, 226), second=(150, 70, 40)),
    5: ChipStyle("5", (40, 40, 190)),
    25: ChipStyle("25", (60, 130, 40), spots=Spots.SPLIT, count=4, third=(40, 40, 40)),
}
"""White with blue, red with white, and green stripes; colours are blue, green, red."""
PLAQUES: Styles = {
    1: STYLES[1],
    5: ChipStyle(
        "5", (60, 50, 170), Shape.PLAQUE, (45.0, 31.0), inlay=0.46, depth=0.22, ink=(40, 36, 60)
    ),
    25: ChipStyle(
        "25", (130, 80, 40), Shape.PLAQUE, (45.0, 31.0), inlay=0.0, depth=0.22, marble=0.6,
        third=(225, 215, 205), ink=(235, 240, 242),
    ),
}  # fmt: skip
"""The same white chip, with a framed red and a marbled blue plaque for the higher values."""
SETS = {"drawn": STYLES, "drawn-plaques": PLAQUES}
"""The sets by the name that the settings give them."""
APART_MM = 90.0
"""Distance from one chip to the next when they are taught."""
SPREAD_OUT = 4
"""How many chips of each value are then spread out over the table."""
SPREAD_MM = (520.0, 270.0)
"""How far from the middle they may lie, across and down: nearly to the table's edges."""
CLEAR_MM = 60.0
"""Minimum distance between the centres of any two of them."""
UNTIDY_MM = 12.0
"""Standard deviation of where they are laid."""
HEIGHT_MM = 830.0
"""Height of the camera during teaching: the average of simulated tables."""


@cache
def taught_chips() -> ChipSet:
    """What `mazziere teach` learns about them from a picture with a card next to them."""
    from vision.chips.teaching import learned  # noqa: PLC0415 - only where chips are read

    view = View.above(SIZE, height_mm=HEIGHT_MM, px_per_mm=PX_PER_MM)
    card = CardItem(DrawnDeck(DeckStyle()), Card.parse("7H"), Pose(0.0, -120.0, 0.0))
    items: list[Item] = [card]
    for number, style in enumerate(STYLES.values()):
        items += stack(style, (number - 1) * APART_MM, 30.0)
    light = Light(brightness=0.92)
    picture = render(items, Surface(), view, light, Lens(), rng=np.random.default_rng(1))
    names = tuple(style.value for style in STYLES.values())
    shown = np.asarray(picture, np.uint8)
    return learned("drawn", names, shown, [_face(card, view)], px_per_mm=PX_PER_MM)


def styles_of(name: str | None) -> Styles:
    """The chips of the set that the settings name; the usual ones unless it is known."""
    return SETS.get(name or "", STYLES)


def taught_here(
    place: Setting, camera: Standpoint, styles: Styles = STYLES
) -> tuple[ChipSet, Gauge]:
    """What `mazziere teach --live` learns of a set under the camera of a simulated table.

    One chip of each value lies in the middle, beside a card; then more are spread out.
    """
    from vision.chips.teaching_here import learned_here, spread_out  # noqa: PLC0415

    rng = np.random.default_rng(1)
    card = CardItem(place.deck, Card.parse("7H"), Pose(0.0, -120.0, 0.0))
    row = [
        (style, float((number - 1) * APART_MM + rng.normal(0, UNTIDY_MM)), 30.0)
        for number, style in enumerate(styles.values())
    ]
    names = tuple(style.value for style in styles.values())
    shown = _shown(place, row, card, rng)
    chips, gauge = learned_here("drawn", names, shown, camera, [_face(card, place.view)])
    return chips, spread_out(chips, gauge, _shown(place, _spread(styles, rng), None, rng), camera)


def _spread(styles: Styles, rng: Rng) -> list[Laid]:
    """Single chips all over the table, apart from each other."""
    laid: list[Laid] = []
    for style in list(styles.values()) * SPREAD_OUT:
        while True:
            x, y = (float(rng.uniform(-far, far)) for far in SPREAD_MM)
            if all(hypot(x - u, y - v) > CLEAR_MM for _, u, v in laid):
                laid.append((style, x, y))
                break
    return laid


def _shown(place: Setting, laid: Sequence[Laid], card: CardItem | None, rng: Rng) -> Frame:
    """A picture of single chips at these places (mm), and of a card."""
    items: list[Item] = [card] if card is not None else []
    for style, x, y in laid:
        items += stack(style, x, y, angle=float(rng.uniform(0, 360)))
    picture = render(items, place.surface, place.view, place.light, place.lens, rng=rng)
    return np.asarray(picture, np.uint8)


def _face(card: CardItem, view: View) -> Outline:
    corners = [(float(x), float(y)) for x, y in outline(card, view)]
    return (corners[0], corners[1], corners[2], corners[3])
