"""Sets of drawn chips: some for development, and others that nothing is ever tuned on.

>>> [style.value for style in DEVELOPMENT["clay"]]
['1', '5', '25', '100', '500']
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from vision.scene.chips import WHITE, ChipStyle, Shape, Spots
from vision.scene.courts import Colour

ChipSetStyles: TypeAlias = tuple[ChipStyle, ...]
"""The chips of a set, lowest value first."""

_RED, _BLUE, _GREEN, _BLACK = (45, 40, 178), (150, 78, 36), (72, 112, 38), (34, 32, 31)
_PURPLE, _YELLOW, _ORANGE, _PINK = (120, 48, 92), (62, 196, 228), (40, 118, 222), (168, 132, 226)
_GREY, _BROWN, _CREAM, _SKY = (140, 138, 134), (42, 66, 104), (196, 222, 232), (212, 172, 108)
_GOLD, _SILVER, _COPPER = (92, 158, 192), (176, 178, 180), (70, 108, 168)
_INK: Colour = (36, 34, 34)


def _set(base: ChipStyle, colours: dict[str, Colour], **dark: Colour) -> ChipSetStyles:
    """One style in several colours; the spots on light chips take the colour `dark`."""
    styles = []
    for number, (value, colour) in enumerate(colours.items()):
        light = sum(colour) > 560
        second = dark.get("dark", base.second) if light else base.second
        styles.append(replace(base, value=value, colour=colour, second=second, seed=number))
    return tuple(styles)


_FIVE: dict[str, Colour] = {
    "1": WHITE, "5": _RED, "25": _GREEN, "100": _BLACK, "500": _PURPLE
}  # fmt: skip

DEVELOPMENT: dict[str, ChipSetStyles] = {
    "clay": _set(ChipStyle("", WHITE, grain=0.03), _FIVE, dark=_BLUE),
    "dice": _set(
        ChipStyle("", WHITE, spots=Spots.DICE, count=6, depth=0.24, width=26, inlay=0.6, ink=None,
                  inlay_colour=(222, 226, 228), ring=None, size=(40.0, 40.0)),
        {"1": WHITE, "2": _RED, "5": _BLUE, "10": _GREEN, "20": _BLACK}, dark=_RED,
    ),
    "plain": _set(
        ChipStyle("", WHITE, spots=Spots.NONE, inlay=0.0, ink=None, size=(37.0, 37.0), thick=2.5,
                  gloss=0.6),
        {"1": WHITE, "5": _RED, "10": _BLUE, "50": _YELLOW},
    ),
    "printed": tuple(
        replace(style, inlay_colour=WHITE, ink=style.colour if sum(style.colour) < 500 else _INK)
        for style in _set(
            ChipStyle("", WHITE, spots=Spots.SPLIT, count=4, width=40, depth=0.2, inlay=0.68,
                      third=_ORANGE, size=(43.0, 43.0), thick=4.0),
            {"5": _ORANGE, "10": _SKY, "20": _BROWN, "50": _PINK, "100": _BLACK}, dark=_BROWN,
        )
    ),
    "plaques": _set(
        ChipStyle("", WHITE, shape=Shape.PLAQUE, size=(60.0, 40.0), thick=3.0, inlay=0.5,
                  depth=0.22, gloss=0.6),
        {"10": _RED, "50": _GREEN, "100": _BLUE, "500": _CREAM}, dark=_BROWN,
    ),
    "salon": (
        *_set(
            ChipStyle("", WHITE, spots=Spots.STRIPES, count=8, width=16, inlay=0.58,
                      inlay_colour=_CREAM),
            {"5": _RED, "25": _YELLOW, "100": _BLACK}, dark=_BROWN,
        ),
        *_set(
            ChipStyle("", WHITE, shape=Shape.PLAQUE, size=(84.0, 57.0), thick=3.3, inlay=0.0,
                      depth=0.2, second=_GOLD, third=WHITE, ink=(228, 236, 240), marble=0.7,
                      gloss=0.7),
            {"500": _PURPLE, "1000": _BROWN, "5000": _BLUE},
        ),
    ),
    "club": (
        *_set(
            ChipStyle("", WHITE, spots=Spots.SPLIT, count=5, width=30, depth=0.22, inlay=0.6,
                      third=_YELLOW, size=(40.0, 40.0)),
            {"1": _SKY, "5": _RED, "10": _GREEN},
        ),
        *_set(
            ChipStyle("", WHITE, shape=Shape.PLAQUE, size=(74.0, 48.0), thick=3.3, inlay=0.42,
                      depth=0.0, inlay_colour=_CREAM, ring=None, gloss=0.6),
            {"50": _ORANGE, "100": _BLACK},
        ),
    ),
    "coins": _set(
        ChipStyle("", WHITE, shape=Shape.COIN, size=(32.0, 32.0), thick=2.0, inlay=0.0, ink=_INK,
                  count=8, gloss=0.7),
        {"1": _COPPER, "2": _GOLD, "5": _SILVER},
    ),
}  # fmt: skip
"""Sets on which chip reading is developed."""

VALIDATION: dict[str, ChipSetStyles] = {
    "teeth": _set(
        ChipStyle("", WHITE, spots=Spots.TEETH, count=8, depth=0.3, width=30, inlay=0.5,
                  size=(38.0, 38.0), thick=3.4, inlay_colour=_CREAM, grain=0.035),
        {"2": (214, 224, 230), "10": (60, 52, 150), "50": (128, 66, 52), "200": (58, 96, 48),
         "1000": (44, 42, 46)}, dark=(70, 60, 140),
    ),
    "ribbed": _set(
        ChipStyle("", WHITE, spots=Spots.RIBS, count=6, depth=0.22, inlay=0.7, ink=None, ring=None,
                  size=(35.0, 35.0), thick=2.6, gloss=0.7, inlay_colour=(1, 1, 1)),
        {"1": (226, 228, 226), "2": (52, 64, 196), "5": (176, 96, 44), "10": (84, 150, 62)},
    ),
    "ceramic": tuple(
        replace(style, inlay_colour=style.second, ring=style.colour)
        for style in _set(
            ChipStyle("", WHITE, spots=Spots.STRIPES, count=3, width=64, depth=0.16, inlay=0.42,
                      second=(206, 214, 216), size=(39.0, 39.0), grain=0.012),
            {"5": (48, 60, 168), "20": (92, 128, 56), "100": (58, 54, 56), "500": (132, 74, 110)},
        )
    ),
    "wide": _set(
        ChipStyle("", WHITE, spots=Spots.SPLIT, count=6, width=34, depth=0.34, inlay=0.6,
                  third=(70, 190, 220), size=(45.0, 45.0), thick=4.0),
        {"1": (206, 206, 204), "5": (56, 48, 160), "25": (76, 124, 62), "100": (46, 44, 44)},
        dark=(124, 84, 60),
    ),
    "tablets": _set(
        ChipStyle("", WHITE, shape=Shape.PLAQUE, size=(45.0, 34.0), thick=3.2, inlay=0.62,
                  depth=0.16, second=(150, 190, 205), ink=(60, 40, 40)),
        {"20": (130, 70, 60), "100": (70, 60, 150), "500": (60, 130, 180)},
    ),
    "riviera": (
        *_set(
            ChipStyle("", WHITE, spots=Spots.DICE, count=4, width=28, inlay=0.55,
                      size=(41.0, 41.0)),
            {"5": (150, 110, 60), "25": (60, 70, 190), "100": (70, 60, 60)},
        ),
        *_set(
            ChipStyle("", WHITE, shape=Shape.PLAQUE, size=(83.0, 52.0), thick=3.6, inlay=0.44,
                      depth=0.16, second=(140, 190, 214), third=(236, 240, 244), marble=0.85,
                      ink=(50, 30, 40), gloss=0.7),
            {"500": (120, 80, 180), "1000": (150, 160, 90), "2000": (90, 170, 200)},
        ),
    ),
    "manor": (
        *_set(
            ChipStyle("", WHITE, spots=Spots.TEETH, count=6, depth=0.26, width=32, inlay=0.54,
                      thick=3.0),
            {"1": (208, 208, 206), "2": (70, 150, 206), "10": (140, 90, 50)}, dark=(70, 70, 70),
        ),
        *_set(
            ChipStyle("", WHITE, shape=Shape.PLAQUE, size=(66.0, 44.0), thick=3.8, inlay=0.0,
                      depth=0.3, second=(210, 220, 228), ink=(225, 232, 236)),
            {"50": (60, 110, 60), "100": (52, 46, 140), "500": (64, 58, 60)},
        ),
    ),
    "tokens": _set(
        ChipStyle("", WHITE, shape=Shape.COIN, size=(36.0, 36.0), thick=2.3, inlay=0.5, count=6,
                  third=(70, 80, 90), inlay_colour=(190, 192, 194)),
        {"1": (86, 126, 176), "5": (110, 170, 204), "10": (120, 122, 126)},
    ),
}  # fmt: skip
"""Sets on which it is judged and never tuned: other patterns, sizes and colours."""
# The ribbed chips are one colour throughout: their centre is the same, only a little smoother.
VALIDATION["ribbed"] = tuple(
    replace(style, inlay_colour=style.colour) for style in VALIDATION["ribbed"]
)
