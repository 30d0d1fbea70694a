"""Random tables: how cards, chips, hands and other things lie."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rules.cards import BACK
from vision.scene.items import CardItem, Item, Pose, chip_item, hand_item
from vision.training.shelf import Rng, Shelf, Stock
from vision.training.things import any_colour, anything

Extent = tuple[float, float]
"""Half the width and half the height of the camera's view, in mm."""


def random_table(shelf: Shelf, extent: Extent, rng: Rng) -> list[Item]:
    """What lies on one table, lowest first; about one scene in ten shows no face."""
    items: list[Item] = []
    if rng.random() < (0.65 if shelf.hidden else 0.35):
        things = int(rng.integers(1, 5))
        items += [
            anything(shelf, Pose(*_place(extent, rng), _angle(rng)), rng) for _ in range(things)
        ]
    chance = rng.random()
    if chance > 0.07:
        stock = shelf.deck(rng)
        room = extent[0] * extent[1] * 4 / (63.5 * 88.9)
        while room > 0 and len(items) < 60:
            weights = _HIDDEN_WEIGHTS if shelf.hidden else _WEIGHTS
            arrange = _ARRANGEMENTS[int(rng.choice(len(_ARRANGEMENTS), p=weights))]
            placed = arrange(stock, extent, rng)
            items += placed
            room -= 1.3 * len(placed) ** 0.5 + float(rng.exponential(1.5))
            if rng.random() < 0.5:
                stock = shelf.deck(rng)
    if rng.random() < 0.25:
        items += _chips(extent, rng)
    if rng.random() < 0.14:
        items.append(_hand(extent, rng))
    return items


def _place(extent: Extent, rng: Rng) -> tuple[float, float]:
    """Somewhere in view, or slightly outside so that the frame cuts a card."""
    return (
        float(rng.uniform(-1.08, 1.08) * extent[0]),
        float(rng.uniform(-1.08, 1.08) * extent[1]),
    )


def _angle(rng: Rng) -> float:
    """Any direction, often near a right angle as on a tidy table."""
    if rng.random() < 0.35:
        return float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 5))
    return float(rng.uniform(0, 360))


def _card(stock: Stock, pose: Pose, gloss: float, rng: Rng) -> CardItem:
    return CardItem(stock.art, stock.draw(rng), pose, gloss)


def _single(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    pose = Pose(*_place(extent, rng), _angle(rng), float(rng.choice([0, 0, 0, rng.uniform(0, 8)])))
    return [_card(stock, pose, float(rng.uniform(0.3, 1)), rng)]


def _scatter(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    """A few cards around one place, overlapping by chance."""
    x, y = _place(extent, rng)
    spread = float(rng.uniform(20, 90))
    gloss = float(rng.uniform(0.3, 1))
    return [
        _card(stock, Pose(float(rng.normal(x, spread)), float(rng.normal(y, spread)), _angle(rng)),
              gloss, rng)
        for _ in range(int(rng.integers(2, 6)))
    ]  # fmt: skip


def _row(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    """A row or column with a regular step, from side by side to nearly covered."""
    x, y = _place(extent, rng)
    angle = _angle(rng)
    step = float(rng.uniform(7, 75))
    downwards = rng.random() < 0.4
    side = -1 if rng.random() < 0.5 else 1
    gloss = float(rng.uniform(0.3, 1))
    row: list[Item] = []
    base = Pose(x, y, angle)
    for number in range(int(rng.integers(2, 8))):
        offset = np.array([(0.0, step * number * side) if downwards else (step * number * side, 0)])
        spot = base.place(offset + rng.normal(0, 1.5, 2))[0]
        pose = Pose(float(spot[0]), float(spot[1]), angle + float(rng.normal(0, 2.5)))
        row.append(_card(stock, pose, gloss, rng))
    return row


def _fan(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    """Cards rotated about a common point below them; the left index of each stays visible."""
    x, y = _place(extent, rng)
    number = int(rng.integers(3, 11))
    height = stock.art.size[1]
    pivot = float(rng.uniform(0.3, 2.2)) * height
    shift = float(rng.uniform(0.3, 1.3)) * _strip(stock)
    step = np.degrees(shift / (pivot + height / 2))
    start = _angle(rng)
    gloss = float(rng.uniform(0.3, 1))
    order = 1 if rng.random() < 0.8 else -1
    fan: list[Item] = []
    for place in range(number):
        angle = start + order * (place - number / 2) * step + float(rng.normal(0, step * 0.08))
        turned = Pose(x, y, angle).place(np.array([(0.0, -pivot)]))[0]
        fan.append(_card(stock, Pose(float(turned[0]), float(turned[1]), angle), gloss, rng))
    return fan


def _strip(stock: Stock) -> float:
    """The height of a deck's index in mm, or of what would be one: so much is left open."""
    indices = stock.art.indices(stock.cards[0])
    return indices[0].height if indices else 0.27 * stock.art.size[0]


def _ribbon(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    """A deck or part of it swept out over the table, along a line or a slight curve."""
    step = float(rng.uniform(0.4, 1.4)) * _strip(stock)
    number = min(int(rng.integers(10, 53)), int(3 * max(extent) / step), len(stock.cards))
    gloss, bow = float(rng.uniform(0.3, 1)), float(rng.choice([0, 0, rng.normal(0, 25)]))
    straight, loose = Pose(*_place(extent, rng), _angle(rng)), float(rng.uniform(0, 1.2))
    order = rng.permutation(len(stock.cards))[:number]
    side = -1 if rng.random() < 0.2 else 1  # swept the other way, other corners stay visible
    ribbon: list[Item] = []
    for place, card in enumerate(order):
        along = (place - number / 2) * step * side
        turn = bow * along / (number * step)
        off = (along, bow * (along / (number * step)) ** 2 + float(rng.normal(0, loose)))
        spot = straight.place(np.array([off]))[0]
        angle = straight.angle + turn + float(rng.normal(0, loose))
        pose = Pose(float(spot[0]), float(spot[1]), angle)
        ribbon.append(CardItem(stock.art, stock.cards[int(card)], pose, gloss))
    return ribbon


def _half_covered(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    """A card with one index cut by another card's straight edge, to a varying degree."""
    lower, upper = stock.draw(rng), stock.draw(rng)
    base, gloss = Pose(*_place(extent, rng), _angle(rng)), float(rng.uniform(0.3, 1))
    items: list[Item] = [CardItem(stock.art, lower, base, gloss)]
    if indices := stock.art.indices(lower):
        index, (wide, high) = indices[0], stock.art.size
        edge = index.x + index.width * float(rng.uniform(-0.7, 0.7))
        lower_edge = index.y + index.height * float(rng.uniform(-0.6, 0.6))
        offset = (edge + wide / 2, float(rng.normal(0, 8)))
        if rng.random() < 0.4:
            offset = (float(rng.normal(0, 8)), lower_edge + high / 2)
        spot = base.place(np.array([offset]))[0]
        tilt = base.angle + float(rng.normal(0, 4))
        items.append(CardItem(stock.art, upper, Pose(float(spot[0]), float(spot[1]), tilt), gloss))
    return items


def _pile(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    """Cards dropped on one another."""
    x, y = _place(extent, rng)
    angle, loose = _angle(rng), float(rng.choice([1.0, 4.0, 12.0]))
    gloss = float(rng.uniform(0.3, 1))
    return [
        _card(stock, Pose(float(rng.normal(x, loose)), float(rng.normal(y, loose)),
                          angle + float(rng.normal(0, loose * 1.5))), gloss, rng)
        for _ in range(int(rng.integers(2, 7)))
    ]  # fmt: skip


def _face_down(stock: Stock, extent: Extent, rng: Rng) -> list[Item]:
    """Backs as they lie on a table, and now and then a face among them."""
    base, gloss = Pose(*_place(extent, rng), _angle(rng)), float(rng.uniform(0.3, 1))
    items: list[Item] = []
    for x, y, angle in _backs(stock.art.size, rng):
        spot = base.place(np.array([(x, y)]))[0]
        card = BACK if rng.random() < 0.93 else stock.draw(rng)
        pose = Pose(float(spot[0]), float(spot[1]), base.angle + angle)
        items.append(CardItem(stock.art, card, pose, gloss))
    return items


def _backs(size: tuple[float, float], rng: Rng) -> list[tuple[float, float, float]]:
    """Places and angles of backs: two on each other or nearly squared, fanned, touching in a row
    or a column, with room between them, or gathered crosswise."""
    wide, high = size
    gap = float(rng.choice([0.0, rng.uniform(0, 3)]))
    many = range(int(rng.integers(2, 6)))
    match int(rng.integers(7)):
        case 0:
            aside = (*rng.normal(0, 22, 2).tolist(), float(rng.normal(0, 14)))
            return [(0.0, 0.0, 0.0), aside]
        case 1:
            turn = float(rng.choice([-1, 1]) * rng.uniform(5, 25))
            return [(0.0, 0.0, 0.0), (*rng.normal(0, 2, 2).tolist(), turn)]
        case 2:
            step, turn = float(rng.uniform(5, 35)), float(rng.uniform(0, 8))
            return [(step * n, float(rng.normal(0, 1.5)), turn * n) for n in many]
        case 3:
            step = wide + gap
            return [(step * n, float(rng.normal(0, 1)), float(rng.normal(0, 0.5))) for n in many]
        case 4:
            step = high + gap
            return [(float(rng.normal(0, 1)), step * n, float(rng.normal(0, 0.5))) for n in many]
        case 5:
            step = wide + float(rng.uniform(3, 20))
            return [(step * n, *rng.normal(0, 2.5, 2).tolist()) for n in many]
        case _:
            loose = float(rng.uniform(0.2, 1.5))
            return [
                (*rng.normal(0, loose, 2).tolist(), 90.0 * (n % 2) + float(rng.normal(0, 3)))
                for n in many
            ]


_ARRANGEMENTS: tuple[Callable[[Stock, Extent, Rng], list[Item]], ...] = (
    _single, _scatter, _row, _fan, _pile, _ribbon, _half_covered, _face_down,
)  # fmt: skip
_WEIGHTS = (0.26, 0.13, 0.12, 0.17, 0.04, 0.1, 0.06, 0.12)
_HIDDEN_WEIGHTS = (0.13, 0.05, 0.06, 0.08, 0.03, 0.04, 0.04, 0.57)
"""How often each comes, and where most cards are to be hidden. Choices."""


def _chips(extent: Extent, rng: Rng) -> list[Item]:
    x, y = _place(extent, rng)
    return [
        chip_item(float(rng.normal(x, 35)), float(rng.normal(y, 35)), any_colour(rng),
                  angle=float(rng.uniform(0, 60)), stack=int(rng.integers(1, 6)))
        for _ in range(int(rng.integers(1, 7)))
    ]  # fmt: skip


def _hand(extent: Extent, rng: Rng) -> Item:
    x, y = (float(rng.uniform(-0.8, 0.8) * side) for side in extent)
    tone = float(rng.uniform(0.35, 1.05))
    skin = (int(150 * tone), int(180 * tone), int(232 * tone))
    return hand_item(
        x, y, angle=float(rng.uniform(0, 360)), lift=float(rng.uniform(0, 40)), skin=skin,
        sleeve=any_colour(rng),
    )  # fmt: skip
