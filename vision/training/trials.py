"""Try the whole reader on drawn tables in typefaces that training never saw.

A trial is one physical card with the reader's answer; the results page sorts trials by index
height, blur, light and cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, Card, Rank
from vision.picture.geometry import Frame, Polygon, distance, overlap
from vision.read.alphabets import Alphabet
from vision.reader import CardReader
from vision.scene.items import CardItem, Item, Pose
from vision.scene.light import Lens, Light
from vision.scene.render import SeenCard, render, truth
from vision.scene.view import View
from vision.sightings import Sighting
from vision.training.effects import random_light, sensor
from vision.training.shelf import Rng, Shelf, Stock

SIZE = (1280, 720)
READABLE = 0.9
"""Visible part of an index from which a card is to be read."""
NEAR = 0.5
"""Largest distance of a sighting that can be the card, as a share of the card's short side."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One card of a table and the answer given for it: `answer` is None if there was none.

    A sighting that matches no card has no `card`.
    """

    card: Card | None
    answer: Card | None
    confidence: float
    sure: bool
    visible: float = 1.0
    strange: bool = False
    """Whether its deck has letters of no country, which are to be asked about."""

    @property
    def right(self) -> bool:
        """Whether it was committed as what it is."""
        return self.sure and self.card == self.answer

    @property
    def wrong(self) -> bool:
        """Whether it was committed as something else."""
        return self.sure and self.card != self.answer


@dataclass(frozen=True, slots=True)
class Setting:
    """How a table is viewed: the index height in pixels, and blur in index heights."""

    height: float = 26.0
    blur: float = 0.025
    light: Light = field(default_factory=lambda: Light(brightness=0.9))
    noise: float = 3.0
    hard: float | None = None
    """Difficulty of the random light and sensor, 0 to 1; None for the given light."""


def table(
    shelf: Shelf, stock: Stock, rng: Rng, setting: Setting, arranged: str
) -> tuple[Frame, list[SeenCard]]:
    """A picture of cards of one deck, and its ground truth."""
    index = stock.art.indices(stock.cards[0])[0].height
    view = View.above(
        SIZE,
        height_mm=float(rng.uniform(700, 900)),
        px_per_mm=setting.height / index,
        tilt_deg=float(rng.normal(0, 3)),
        roll_deg=float(rng.uniform(0, 360)),
    )
    reach = np.array(SIZE) / (2 * setting.height / index)
    items: list[Item] = list(_ARRANGED[arranged](stock, reach, rng))
    light = setting.light if setting.hard is None else random_light(rng, setting.hard)
    lens = Lens(blur_px=max(setting.blur * setting.height, 0.3), noise=setting.noise)
    picture = render(items, shelf.surface(rng), view, light, lens, rng=rng)
    if setting.hard is not None:
        picture = sensor(picture, rng, setting.hard)
    return np.asarray(picture, np.uint8), truth(items, view)


def _apart(stock: Stock, reach: NDArray[np.float64], rng: Rng) -> Iterator[CardItem]:
    """Cards side by side in any rotation, one in eight face down."""
    step = float(np.hypot(*stock.art.size)) + 4
    columns, rows = (int(v) for v in np.clip(2 * reach / step, 1, (5, 3)))
    cards = [stock.cards[int(p)] for p in rng.permutation(len(stock.cards))]
    for number in range(columns * rows):
        x, y = number % columns - (columns - 1) / 2, number // columns - (rows - 1) / 2
        card = BACK if rng.random() < 0.125 else cards[number % len(cards)]
        yield CardItem(stock.art, card, Pose(x * step, y * step, float(rng.uniform(0, 360))), 0.5)


def _fan(stock: Stock, reach: NDArray[np.float64], rng: Rng) -> Iterator[CardItem]:
    """An ordinary fan: 0.5 to 1.2 index heights from index to index."""
    number = int(rng.integers(5, 10))
    high = stock.art.size[1]
    pivot = float(rng.uniform(0.5, 2.0)) * high
    shift = float(rng.uniform(0.5, 1.2)) * stock.art.indices(stock.cards[0])[0].height
    step = float(np.degrees(shift / (pivot + high / 2)))
    cards = [stock.cards[int(p)] for p in rng.permutation(len(stock.cards))[:number]]
    for place, card in enumerate(cards):
        angle = (place - number / 2) * step
        spot = Pose(0, pivot * 0.7, angle).place(np.array([(0.0, -pivot)]))[0]
        yield CardItem(stock.art, card, Pose(float(spot[0]), float(spot[1]), angle), 0.5)


def _ribbon(stock: Stock, reach: NDArray[np.float64], rng: Rng) -> Iterator[CardItem]:
    """A ribbon spread across the table, each card over the one before."""
    step = float(rng.uniform(0.6, 1.2)) * stock.art.indices(stock.cards[0])[0].height
    number = min(int(1.5 * reach[0] / step), len(stock.cards))
    cards = [stock.cards[int(p)] for p in rng.permutation(len(stock.cards))[:number]]
    for place, card in enumerate(cards):
        x = (place - number / 2) * step
        yield CardItem(
            stock.art, card, Pose(x, float(rng.normal(0, 0.6)), float(rng.normal(0, 0.7))), 0.5
        )


def _covered(stock: Stock, reach: NDArray[np.float64], rng: Rng) -> Iterator[CardItem]:
    """Pairs of cards, the upper one covering part of the lower one's only visible index."""
    wide = stock.art.size[0]
    order = rng.permutation(len(stock.cards))
    for pair, x in enumerate((-0.5, 0.5)):
        lower, upper = (stock.cards[int(order[2 * pair + n])] for n in (0, 1))
        index = stock.art.indices(lower)[0]
        base = Pose(float(x * reach[0] * 0.8), 0.0, float(rng.uniform(-30, 30)))
        yield CardItem(stock.art, lower, base, 0.5)
        # The upper card's left edge runs vertically through the index and hides all to its right.
        edge = index.x + index.width * float(rng.uniform(-0.5, 0.6))
        spot = base.place(np.array([(edge + wide / 2, float(rng.normal(0, 2)))]))[0]
        yield CardItem(stock.art, upper, Pose(float(spot[0]), float(spot[1]), base.angle), 0.5)


_ARRANGED = {"apart": _apart, "fan": _fan, "ribbon": _ribbon, "covered": _covered}


def trials(
    reader: CardReader, shelf: Shelf, rng: Rng, setting: Setting, arranged: str = "apart"
) -> list[Trial]:
    """Each card of one drawn table, with the answer of `reader`."""
    stock = shelf.deck(rng)
    frame, cards = table(shelf, stock, rng, setting, arranged)
    reader.index_height = setting.height
    found, strange = compared(cards, reader.read(frame).sightings), strangely_lettered(stock)
    return [replace(trial, strange=strange) for trial in found]


def strangely_lettered(stock: Stock) -> bool:
    """Whether a deck has letters that are not those of one country."""
    letters: Mapping[Rank, str] = getattr(stock.art, "letters", {})
    return not any(
        all(one.ranks.get(letter) is rank for rank, letter in letters.items()) for one in Alphabet
    )


def compared(cards: Sequence[SeenCard], sightings: Sequence[Sighting]) -> list[Trial]:
    """Each card with the sighting most likely to be its own, and the sightings left over."""
    ways = sorted(
        (
            (card.card != seen.card or not _named(seen, cards), _cost(card, seen), number, place)
            for number, card in enumerate(cards)
            for place, seen in enumerate(sightings)
        ),
        key=lambda way: way[:2],
    )
    taken: dict[int, int] = {}
    used: set[int] = set()
    for unsaid, cost, number, place in ways:
        if number in taken or place in used:
            continue
        # A confident reading of one card is not matched with any other, however they lie.
        if not unsaid or (cost < 1 and not _named(sightings[place], cards)):
            taken[number] = place
            used.add(place)
    # A single index leaves a card's place in doubt, and a fan's cards lie close: equal readings are
    # the same card.
    for place, seen in enumerate(sightings):
        same = (n for n, card in enumerate(cards) if n not in taken and card.card == seen.card)
        twin = next(same, None)
        if place not in used and seen.card != BACK and twin is not None:
            taken[twin] = place
            used.add(place)
    found = []
    for number, card in enumerate(cards):
        visible = in_sight(card)
        if number not in taken:
            found.append(Trial(card.card, None, 0.0, sure=False, visible=visible))
        else:
            read = sightings[taken[number]]
            found.append(Trial(card.card, read.card, read.confidence, not read.doubtful, visible))
    return found + [
        Trial(None, seen.card, seen.confidence, not seen.doubtful)
        for place, seen in enumerate(sightings)
        if place not in used
    ]


def in_sight(card: SeenCard) -> float:
    """The visible part of a card's clearest index, or of a whole face-down card."""
    if card.indices:
        return max(index.visible for index in card.indices)
    picture = Polygon.rectangle(0, 0, *SIZE).points
    return overlap(card.outline, picture) / Polygon(card.outline).area


def _named(seen: Sighting, cards: Sequence[SeenCard]) -> bool:
    """Whether a confident face is that of a card that lies there exactly once."""
    return not seen.doubtful and sum(card.card == seen.card for card in cards) == 1


def _cost(card: SeenCard, seen: Sighting) -> float:
    """Below 1 if the sighting can be the card; less if it also names it."""
    corners = np.asarray(card.outline)
    middle = float(corners[:, 0].mean()), float(corners[:, 1].mean())
    side = float(np.linalg.norm(corners[1] - corners[0]))
    return distance(middle, seen.centre) / (NEAR * side) + 0.3 * (card.card != seen.card) - 0.3
