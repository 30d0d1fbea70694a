"""The chips of the simulated table: how they are drawn, and what the reader was taught about them.

>>> taught_chips().values
('1', '5', '25')
"""

from __future__ import annotations

from functools import cache

import numpy as np

from firmware.rehearsal.setting import PX_PER_MM, SIZE
from rules.cards import Card
from vision.chips.chip_set import ChipSet
from vision.scene.chips import ChipStyle, Spots, stack
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose, outline
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

STYLES = {
    1: ChipStyle("1", (214, 222, 226), second=(150, 70, 40)),
    5: ChipStyle("5", (40, 40, 190)),
    25: ChipStyle("25", (60, 130, 40), spots=Spots.SPLIT, count=4, third=(40, 40, 40)),
}
"""White with blue, red with white, and green stripes; colours are blue, green, red."""
APART_MM = 90.0
"""Distance from one chip to the next when they are taught."""
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
    corners = [(float(x), float(y)) for x, y in outline(card, view)]
    face = (corners[0], corners[1], corners[2], corners[3])
    names = tuple(style.value for style in STYLES.values())
    return learned("drawn", names, np.asarray(picture, np.uint8), [face], px_per_mm=PX_PER_MM)
