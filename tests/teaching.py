"""Measure how well taught decks are read: ``python -m tests.teaching``.

Three decks without indices are drawn, taught from two pictures each, and read on new ones with
other lights, tables, heights and lenses, either way up.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence

import numpy as np

from rules.cards import Card
from vision.decide.profiles import Profile, learned
from vision.measure import Score, scored
from vision.picture.geometry import Frame
from vision.reader import CardReader
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Spot, Surface, Weave
from vision.scene.regional import Kind, RegionalDeck, forty
from vision.scene.render import render
from vision.scene.view import View

Rng = np.random.Generator
ACROSS, DOWN = 8, 4
"""Cards per row, and rows per picture, when a deck is read."""


def table(
    deck: RegionalDeck, cards: Sequence[Card], rng: Rng, *, tidy: bool, px_per_mm: float = 1.5
) -> Frame:
    """A picture of separate cards; neat (`tidy`) as for teaching, otherwise at random."""
    across = 7 if tidy else ACROSS
    items = []
    for number, card in enumerate(cards):
        x, y = (number % across - (across - 1) / 2) * 100, (number // across - 1) * 150
        turn = float(rng.normal(0, 1 if tidy else 7)) + (
            180 if not tidy and rng.random() < 0.5 else 0
        )
        jitter = rng.normal(0, 1.5 if tidy else 4, 2)
        items.append(CardItem(deck, card, Pose(x + jitter[0], y + jitter[1], turn)))
    view = View.above(
        (1920, 1080),
        height_mm=float(rng.uniform(700, 900)),
        px_per_mm=px_per_mm,
        tilt_deg=0.0 if tidy else float(rng.normal(0, 5)),
        roll_deg=0.0 if tidy else float(rng.normal(0, 4)),
    )
    light, lens, cloth = (Light(brightness=0.9), Lens(), Surface()) if tidy else setting(rng)
    return np.asarray(render(items, cloth, view, light, lens, rng=rng), np.uint8)


def setting(rng: Rng) -> tuple[Light, Lens, Surface]:
    """A random light, lens and table, good or bad."""
    shade = tuple(float(v) for v in rng.uniform(0.1, 0.9, 2))
    light = Light(
        brightness=float(rng.uniform(0.35, 0.98)),
        tint=(float(rng.uniform(0.65, 1)), float(rng.uniform(0.85, 1)), 1.0),
        slope=float(rng.uniform(0, 0.35)),
        shadows=(Spot(shade[0], shade[1] / 2, 0.15, float(rng.uniform(0, 0.5))),),
    )
    lens = Lens(blur_px=float(rng.uniform(0.4, 1.3)), noise=float(rng.uniform(1, 5)))
    colour = tuple(int(v) for v in rng.integers(20, 110, 3))
    second = (int(colour[0] * 0.8), int(colour[1] * 0.8), int(colour[2] * 0.8))
    weave = list(Weave)[int(rng.integers(5))]
    cloth = Surface(weave, (colour[0], colour[1], colour[2]), second, int(rng.integers(99)))
    return light, lens, cloth


def taught(deck: RegionalDeck, rng: Rng) -> Profile:
    """The profile of a deck taught from two pictures of twenty cards in rows."""
    order = forty()
    pictures = [table(deck, order[first : first + 20], rng, tidy=True) for first in (0, 20)]
    return learned(str(deck.kind), pictures, order)


def trials(deck: RegionalDeck, profile: Profile, rng: Rng, count: int) -> Iterator[Score]:
    """How each of `count` new pictures of the deck is read."""
    reader = CardReader(known=profile)
    for _ in range(count):
        cards = [forty()[int(place)] for place in rng.permutation(40)[:20]]
        px_per_mm = float(rng.uniform(1.25, 1.7))
        picture = table(deck, cards, rng, tidy=False, px_per_mm=px_per_mm)
        yield scored(cards, reader.read(picture))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the scores; status 1 if a deck misses its target."""
    parser = ArgumentParser(prog="python -m tests.teaching", description=__doc__)
    parser.add_argument("--pictures", type=int, default=20, help="pictures of each deck")
    options = parser.parse_args(arguments)
    good = True
    for kind in Kind:
        deck = RegionalDeck(kind, seed=5)
        rng = np.random.default_rng(17)
        score = sum(trials(deck, taught(deck, rng), rng, options.pictures), Score())
        good &= score.recall >= 0.99 and score.wrong <= 0.003 * score.cards
        print(f"{kind}: {score}, read {score.recall:.2%}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
