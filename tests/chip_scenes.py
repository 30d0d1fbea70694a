"""Drawn tables with chips on them, and the truth about what is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import TypeAlias

import numpy as np

from rules.cards import BACK, Deck
from tests.teaching import setting
from vision.picture.geometry import Frame, Outline
from vision.scene.chips import ChipStyle, Shape, stack
from vision.scene.courts import Colour
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose, hand_item, outline
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

Rng: TypeAlias = np.random.Generator
Place: TypeAlias = tuple[float, float]
SIZE = (1920, 1080)
HALF = (520.0, 270.0)
"""Half the size of the table area that every view shows, mm."""
WEAVE = 0.85
"""How light the second colour of a cloth's weave is, relative to the first. A choice."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A stack of chips of one value, located by the centre of its top chip in pixels."""

    value: str
    count: int
    x: float
    y: float
    away: float
    """Distance from the point below the camera, mm."""
    radius: float
    """Half of its shorter side, in pixels."""
    shape: Shape = Shape.ROUND


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture, the chips in it, and the outlines of the cards that lie face up."""

    picture: Frame
    piles: tuple[Pile, ...]
    cards: tuple[Outline, ...]
    view: View
    height_mm: float
    px_per_mm: float
    nadir: Place
    """The point on the table straight below the camera, mm."""


@dataclass(frozen=True, slots=True)
class Put:
    """A pile to draw."""

    style: ChipStyle
    x: float
    y: float
    count: int = 1
    angle: float | None = None
    """Degrees clockwise; None for any."""
    lift: float = 0.0
    """Height in mm of what it stands on."""


def drawn(
    puts: Sequence[Put], rng: Rng, *, cards: int = 4, hand: bool = False, tidy: bool = False,
    extra: Sequence[Item] = (), over: Sequence[Item] = (), ground: Colour | None = None,
) -> Scene:  # fmt: skip
    """A picture of piles, lowest first, with cards that keep clear of them.

    The table has any colour unless its `ground` is given.
    """
    height, px = float(rng.uniform(760, 880)), float(rng.uniform(1.6, 1.8))
    tilt = 0.0 if tidy else float(rng.normal(0, 2.5))
    view = View.above(SIZE, height_mm=height, px_per_mm=px, tilt_deg=tilt)
    light, lens, cloth = (Light(brightness=0.92), Lens(), Surface()) if tidy else setting(rng)
    if ground is not None:
        cloth = replace(cloth, colour=ground, second=shaded(ground, WEAVE))
    items: list[Item] = list(_cards(puts, cards, rng))
    shown = tuple(
        tuple((float(x), float(y)) for x, y in outline(item, view))
        for item in items
        if isinstance(item, CardItem) and item.card != BACK
    )
    items += extra
    piles = []
    for put in puts:
        angle = float(rng.uniform(0, 360)) if put.angle is None else put.angle
        layers = stack(
            put.style, put.x, put.y, count=put.count, angle=angle, rng=rng, lift=put.lift
        )
        items += layers
        top = layers[-1].pose
        x, y = view.project([(top.x, top.y)], top.lift)[0]
        radius = min(put.style.size) / 2 * px
        below = nadir(view)
        away = hypot(put.x - below[0], put.y - below[1])
        where = float(x), float(y), away, radius
        piles.append(Pile(put.style.value, put.count, *where, put.style.shape))
    items += over
    if hand:
        items.append(
            hand_item(float(rng.uniform(-300, 300)), 200.0, angle=float(rng.normal(0, 30)))
        )
    picture = render(items, cloth, view, light, lens, rng=rng)
    return Scene(np.asarray(picture, np.uint8), tuple(piles), shown, view, height, px, nadir(view))


def nadir(view: View) -> Place:
    """The point straight below a camera, at which height moves nothing in the picture."""
    middle = np.linalg.svd(view.matrix)[2][-1]
    return float(middle[0] / middle[3]), float(middle[1] / middle[3])


def _cards(puts: Sequence[Put], count: int, rng: Rng) -> list[CardItem]:
    deck = DrawnDeck(DeckStyle())
    cards = Deck.standard().cards
    found: list[CardItem] = []
    for _ in range(200):
        if len(found) == count:
            break
        x, y = free(rng)
        if any(hypot(x - put.x, y - put.y) < max(85.0, 54 + across(put.style) / 2) for put in puts):
            continue
        if any(hypot(x - one.pose.x, y - one.pose.y) < 115 for one in found):
            continue
        card = BACK if found and rng.random() < 0.15 else cards[int(rng.integers(len(cards)))]
        found.append(CardItem(deck, card, Pose(x, y, float(rng.uniform(0, 360)))))
    return found


def free(rng: Rng) -> Place:
    """A random place on the table."""
    return float(rng.uniform(-HALF[0], HALF[0])), float(rng.uniform(-HALF[1], HALF[1]))


def across(style: ChipStyle) -> float:
    """The diameter of a circle that holds a chip or a plaque at any angle, mm."""
    return max(style.size) if style.shape is not Shape.PLAQUE else 0.97 * hypot(*style.size)


def apart(styles: Sequence[ChipStyle], count: int, gap: float, rng: Rng) -> list[Put]:
    """Single chips with at least `gap` mm between their rims."""
    puts: list[Put] = []
    for _ in range(400):
        if len(puts) == count:
            break
        style = styles[int(rng.integers(len(styles)))]
        x, y = free(rng)
        reach = across(style)
        if all(hypot(x - o.x, y - o.y) > (reach + across(o.style)) / 2 + gap for o in puts):
            puts.append(Put(style, x, y))
    return puts


def touching(styles: Sequence[ChipStyle], count: int, rng: Rng) -> list[Put]:
    """Rows and clumps of chips that touch."""
    puts: list[Put] = []
    while len(puts) < count:
        x, y = (0.85 * one for one in free(rng))
        turn = float(rng.uniform(0, 2 * np.pi))
        for step in range(int(rng.integers(2, 6))):
            style = styles[int(rng.integers(len(styles)))]
            wide = max(style.size)
            if all(hypot(x - o.x, y - o.y) >= (wide + max(o.style.size)) / 2 * 0.999 for o in puts):
                puts.append(Put(style, x, y))
            turn += float(rng.normal(0, 0.5))
            reach = (wide + wide) / 2 * 1.005
            x, y = x + reach * np.cos(turn), y + reach * np.sin(turn)
            del step
    return puts[:count]


def spread(styles: Sequence[ChipStyle], count: int, rng: Rng) -> list[Put]:
    """Ribbons of one value, each chip half over the one before, and overlapping splashes."""
    puts: list[Put] = []
    centres: list[Place] = []
    while len(puts) < count:
        x, y = (0.7 * one for one in free(rng))
        if any(hypot(x - u, y - v) < 170 for u, v in centres):
            if len(centres) > 6:
                break
            continue
        centres.append((x, y))
        style = styles[int(rng.integers(len(styles)))]
        turn, shown = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.52, 0.75))
        along, before = 0.0, 0.0
        for number in range(int(rng.integers(2, 6))):
            reach, angle = _along(style, turn, rng)
            # So much of the one before stays in sight.
            along += (2 * shown - 1) * before + reach if number else 0.0
            before = reach
            puts.append(Put(style, x + along * np.cos(turn), y + along * np.sin(turn), 1, angle))
            if rng.random() < 0.5:
                style = styles[int(rng.integers(len(styles)))]
    return puts


def _along(style: ChipStyle, turn: float, rng: Rng) -> tuple[float, float | None]:
    """How far a chip reaches along a ribbon from its centre, mm, and its angle in the ribbon; a
    plaque lies nearly along it or across it."""
    if style.shape is not Shape.PLAQUE:
        return max(style.size) / 2, None
    across = bool(rng.random() < 0.5)
    angle = np.degrees(turn) + 90 * across + float(rng.normal(0, 5))
    return style.size[across] / 2, float(angle)


def stacks(styles: Sequence[ChipStyle], count: int, most: int, rng: Rng) -> list[Put]:
    """Stacks apart from each other."""
    return [
        replace(put, count=int(rng.integers(1, most + 1))) for put in apart(styles, count, 26, rng)
    ]


def upon(styles: Sequence[ChipStyle], count: int, most: int, rng: Rng) -> list[Put]:
    """Plaques apart from each other, each with a stack of round chips on it; nothing if a set has
    only one of both."""
    flat = [one for one in styles if one.shape is Shape.PLAQUE]
    low = [one for one in styles if one.shape is Shape.ROUND]
    puts: list[Put] = []
    for put in apart(flat, count, 26, rng) if flat and low else ():
        angle = float(rng.uniform(0, 360))
        way, off = np.radians(angle), float(rng.uniform(0.3, 0.35)) * min(put.style.size)
        x, y = put.x + off * np.cos(way), put.y + off * np.sin(way)
        chip = low[int(rng.integers(len(low)))]
        number = int(rng.integers(1, most + 1))
        puts += [replace(put, angle=angle), Put(chip, x, y, number, None, put.style.thick)]
    return puts


def one_of_each(styles: Sequence[ChipStyle], rng: Rng, *, cards: int = 2) -> Scene:
    """The picture that teaches a set: one chip of each value in a row."""
    step = 85.0 if is_round(styles) else 112.0
    wide = (len(styles) - 1) * step
    puts = [
        Put(style, number * step - wide / 2 + float(rng.normal(0, 3)), float(rng.normal(0, 3)))
        for number, style in enumerate(styles)
    ]
    return drawn(puts, rng, cards=cards, tidy=True)


def is_round(styles: Sequence[ChipStyle]) -> bool:
    """Whether a set has no plaques."""
    return all(style.shape is not Shape.PLAQUE for style in styles)


def shaded(colour: Colour, light: float) -> Colour:
    """A colour in a share of its light."""
    blue, green, red = (int(level * light) for level in colour)
    return blue, green, red


def colour(rng: Rng) -> Colour:
    """A random colour."""
    blue, green, red = (int(v) for v in rng.integers(10, 245, 3))
    return blue, green, red
