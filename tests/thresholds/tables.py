"""Drawn tables whose cards, indices and outlines are known, and what the reader makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, Card, Deck
from vision.find.finder import Indices
from vision.picture.geometry import Frame
from vision.read.glances import Glance
from vision.reader import CardReader, Survey
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import SeenCard, render, truth
from vision.scene.view import View

SIZE = (1280, 720)
INDEX_MM = 17.0
SEEDS = range(8)
"""The tables of a measurement: enough for a hundred indices, few enough for half a minute."""
FACES, BACKS = 6, 2
"""Numbers of faces and backs on a table, apart from each other."""
NEAR = 0.5
"""Largest distance, in index heights, at which a found index matches a printed one."""


@dataclass(frozen=True)
class Table:
    """A picture and its truth; `index_px` is the height of an index in it."""

    frame: Frame
    cards: tuple[SeenCard, ...]
    index_px: float


@cache
def table(seed: int, index_px: float = 27.0, blur: float = 0.03, light: float = 0.9) -> Table:
    """The table for a seed; `blur` is the lens's, in index heights."""
    rng = np.random.default_rng((seed, 22))
    styles = drawn_styles()
    art = DrawnDeck(styles[seed % len(styles)])
    view = View.above(SIZE, px_per_mm=index_px / INDEX_MM, tilt_deg=float(rng.normal(0, 2)))
    wide = SIZE[0] / (index_px / INDEX_MM)
    cards = [Deck.standard().cards[int(one)] for one in rng.permutation(52)[:FACES]]
    items = [
        CardItem(art, card, _pose(rng, number, wide))
        for number, card in enumerate([*cards, *[BACK] * BACKS])
    ]
    lit = Light(brightness=light)
    lens = Lens(blur_px=blur * index_px, noise=2.0)
    frame = render(items, Surface(seed=seed), view, lit, lens, rng=rng)
    return Table(np.asarray(frame, np.uint8), tuple(truth(items, view)), index_px)


def _pose(rng: np.random.Generator, number: int, wide: float) -> Pose:
    """A place in one of two rows of four, within the width (mm) visible to the camera."""
    step = min(wide / 4, 185.0)
    x, y = (number % 4 - 1.5) * step, (number // 4 - 0.5) * step
    return Pose(x + float(rng.normal(0, 4)), y + float(rng.normal(0, 4)), float(rng.normal(0, 25)))


@cache
def reader() -> CardReader:
    """The reader with this project's weights."""
    return CardReader(index_height=27.0)


@cache
def surveyed(seed: int, index_px: float = 27.0, blur: float = 0.03, light: float = 0.9) -> Survey:
    """The reader's result for a table when it knows the height of its indices."""
    one = table(seed, index_px, blur, light)
    reader().index_height = one.index_px
    return reader().survey(one.frame)


@dataclass(frozen=True)
class Matched:
    """The indices of a glance paired with the printed ones.

    `found[i]` shows `printed[i]` (x, y, height, up x, up y) of card `card[i]`; `missed` counts
    printed ones that were not found.
    """

    glance: Glance
    found: NDArray[np.intp]
    printed: NDArray[np.float64]
    card: NDArray[np.intp]
    missed: int

    @property
    def indices(self) -> Indices:
        """The found indices, in the order of the printed ones."""
        return self.glance.indices[self.found]


def matched(seed: int) -> Matched:
    """The indices found on a table, each paired with the printed one that it shows."""
    (glance,) = surveyed(seed).glances
    found, printed, card, missed = [], [], [], 0
    for number, seen in enumerate(table(seed).cards):
        for mark in seen.indices if seen.card != BACK else ():
            off = np.linalg.norm(glance.indices.centres - (mark.x, mark.y), axis=1)
            nearest = int(off.argmin()) if len(off) else -1
            if nearest < 0 or off[nearest] > NEAR * mark.height:
                missed += 1
                continue
            found.append(nearest)
            printed.append((mark.x, mark.y, mark.height, *mark.up))
            card.append(number)
    return Matched(
        glance, np.asarray(found, np.intp), np.asarray(printed, np.float64).reshape(-1, 5),
        np.asarray(card, np.intp), missed,
    )  # fmt: skip


def outcome(seed: int, index_px: float = 27.0, blur: float = 0.03, light: float = 0.9) -> float:
    """The share of the faces on a table that are read correctly and for certain."""
    shown = [card.card for card in table(seed, index_px, blur, light).cards if card.card != BACK]
    read = surveyed(seed, index_px, blur, light).reading.cards
    return sum(card in read for card in shown) / len(shown)


def wrong(seed: int, index_px: float = 27.0, blur: float = 0.03, light: float = 0.9) -> list[Card]:
    """The number of cards read for certain that are not there."""
    shown = {card.card for card in table(seed, index_px, blur, light).cards}
    return [
        card for card in surveyed(seed, index_px, blur, light).reading.cards if card not in shown
    ]
